//! A second reader: its state stays readable, it returns the age of that state, and it moves to the newer one.

use crate::common::*;
use levelscope::event::{Event, EventSink, Grain, Recorder};
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::{File, FileName, LockGuard, MemoryStorage, NativeStorage, Storage};
use levelscope::view::View;
use levelscope::{
    Db, Entries, ErrorKind, Identity, Maintenance, Options, Result, Snapshot, TransactionOptions,
    WalSync,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

fn reader_of(storage: &Arc<dyn Storage>, options: &Options) -> Db {
    Db::builder().options(options.clone()).read_only().open_in(Arc::clone(storage)).expect("opens")
}

/// Everything that a snapshot or an iterator gives.
fn all(entries: Entries) -> Model {
    entries.map(|entry| entry.expect("reads")).map(|(key, value)| (key, value.to_vec())).collect()
}

/// A snapshot and an iterator of a reader, which have to stay as they were.
struct PinnedReaders {
    snapshot: Snapshot,
    entries: Option<Entries>,
    model: Model,
}

impl PinnedReaders {
    fn of(reader: &Db, model: &Model) -> Self {
        let mut entries = reader.range(..).expect("an iterator");
        let first = entries.next().map(|entry| entry.expect("reads").0);
        assert_eq!(first.as_ref(), model.keys().next());
        Self { snapshot: reader.snapshot(), entries: Some(entries), model: model.clone() }
    }

    fn assert_same(&mut self, context: &str) {
        let found = all(self.snapshot.range(..).expect("an iterator"));
        assert!(found == self.model, "{context}: a snapshot has changed");
        for index in 0..120 {
            let key = format!("key{index:03}").into_bytes();
            let value = self.snapshot.get(&key).expect("reads");
            assert_eq!(value.as_deref(), self.model.get(&key).map(Vec::as_slice), "{context}");
        }
        if let Some(entries) = self.entries.take() {
            let rest: Model = self.model.clone().into_iter().skip(1).collect();
            assert!(all(entries) == rest, "{context}: an iterator has changed");
        }
    }
}

#[test]
fn a_reader_keeps_its_state_and_moves_when_it_is_asked_to() {
    let mut technique = Technique::new("refreshed readers", 16);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x4ef4);
        let options = small_options(&mut random)
            .maintenance([Maintenance::Manual, Maintenance::Inline][(seed % 2) as usize])
            .wal_buffer_bytes(0)
            .open_tables_max(500);
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let mut db = Some(open(&storage, &options));
        let reader = reader_of(&storage, &options);
        let (mut model, mut shown) = (Model::new(), Model::new());
        let mut kept: Vec<PinnedReaders> = Vec::new();
        for (index, op) in random_script(&mut random, 200).into_iter().enumerate() {
            if let Op::Reopen = op {
                drop(db.take());
            }
            let owner = db.get_or_insert_with(|| open(&storage, &options));
            if !matches!(op, Op::Reopen) {
                run(owner, &op).expect("the operation works");
                apply_to_model(&mut model, &op);
            }
            let context = format!("seed {seed}, operation {index}");
            match random.below(10) {
                0 => {
                    assert_same(&reader, &shown, &context);
                    kept.push(PinnedReaders::of(&reader, &shown));
                }
                1 => {
                    let lag = reader.lag().unwrap_or_else(|error| panic!("{context}: {error}"));
                    assert_eq!(lag.sequence, reader.view().last_sequence, "{context}");
                    assert_eq!(lag.file_sequence, owner.view().last_sequence, "{context}");
                    assert!(!lag.is_none() || model == shown, "{context}: {lag:?}");
                    let moved =
                        reader.refresh().unwrap_or_else(|error| panic!("{context}: {error}"));
                    assert_eq!(moved, !lag.is_none(), "{context}");
                    shown.clone_from(&model);
                    assert!(reader.lag().expect("reads").is_none(), "{context}");
                    assert_same(&reader, &shown, &context);
                    technique.count(1);
                }
                2 if !kept.is_empty() => {
                    let chosen = random.below(kept.len() as u64) as usize;
                    kept.swap_remove(chosen).assert_same(&context);
                }
                _ => {}
            }
        }
        assert_same(&reader, &shown, &format!("seed {seed}: at the end"));
        for mut kept in kept {
            kept.assert_same(&format!("seed {seed}: at the end"));
        }
    }
}

#[test]
fn a_transaction_of_a_reader_reads_where_it_began() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &Options::default());
    db.put("key", "old").expect("the put works");
    let reader = reader_of(&storage, &Options::default());
    let transaction = reader.begin(&TransactionOptions::default());
    db.put("key", "new").expect("the put works");
    db.request_flush().expect("flushes");
    db.request_compaction(None).expect("compacts");
    assert!(reader.refresh().expect("refreshes"));
    assert_eq!(reader.get("key").expect("reads").as_deref(), Some(&b"new"[..]));
    assert_eq!(transaction.get("key").expect("reads").as_deref(), Some(&b"old"[..]));
    assert_eq!(transaction.range(..).expect("an iterator").count(), 1);
}

#[test]
fn a_reader_shows_range_deletes_after_a_refresh() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let options = Options::default().maintenance(Maintenance::Inline);
    let db = open(&storage, &options);
    for key in ["a", "b", "c", "d", "e"] {
        db.put(key, "old").expect("the put works");
    }
    db.request_flush().expect("flushes");
    let reader = reader_of(&storage, &options);
    let keys = |entries: Entries| -> Vec<Vec<u8>> { all(entries).into_keys().collect() };
    let now = |reader: &Db| keys(reader.range(..).expect("an iterator")).concat();
    // In a memtable, in a table of its own, and after a compaction.
    let steps: [(&dyn Fn(), &[u8]); 3] = [
        (&|| db.delete_range("b".."d").map(drop).expect("deletes"), b"ade"),
        (
            &|| {
                db.put("b", "new").expect("the put works");
                db.delete_range("d"..).expect("deletes");
                db.request_flush().map(drop).expect("flushes");
            },
            b"ab",
        ),
        (&|| db.compact(..).map(drop).expect("compacts"), b"ab"),
    ];
    for (step, expected) in steps {
        let (before, snapshot) = (now(&reader), reader.snapshot());
        step();
        assert_eq!(now(&reader), before, "not yet");
        reader.refresh().expect("refreshes");
        assert_eq!(now(&reader), expected);
        assert_eq!(reader.get("c").expect("reads").as_deref(), None);
        assert_eq!(keys(snapshot.range(..).expect("an iterator")).concat(), before);
        assert_eq!(snapshot.get("c").expect("reads").is_some(), before.contains(&b'c'));
    }
}

#[test]
fn only_a_reader_is_refreshed() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &Options::default());
    for refused in [db.refresh().err(), db.lag().err()] {
        let refused = refused.expect("refused");
        assert_eq!(refused.kind(), ErrorKind::InvalidArgument, "{refused}");
    }
    let reader = reader_of(&storage, &Options::default());
    assert!(!reader.refresh().expect("refreshes"), "nothing is new");
    reader.close().expect("closes");
    assert_eq!(reader.refresh().unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(reader.lag().unwrap_err().kind(), ErrorKind::Closed);
}

/// Keeps a view by the patches of events.
#[test]
fn the_events_of_a_refresh_give_the_view_of_the_new_state() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let options = Options::default().memtable_bytes(400);
    let db = open(&storage, &options);
    let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
    let sink = Arc::clone(&recorder) as Arc<dyn EventSink>;
    let reader =
        Db::builder().options(options).events(sink).read_only().open_in(Arc::clone(&storage));
    let reader = reader.expect("opens");
    let _snapshot = reader.snapshot();
    (0..40_u8).for_each(|index| db.put([index], [index; 30]).expect("the put works"));
    assert!(reader.refresh().expect("refreshes"));
    let events: Vec<Event> = recorder.drain().0;
    let last = events.last().expect("an event").sentence();
    assert!(last.starts_with("The reader shows a newer state: up to sequence number 40"), "{last}");
    let mut view = View::default();
    for patch in events.iter().flat_map(Event::patches) {
        view.apply(patch);
    }
    let expected = reader.view();
    assert_eq!(View { time: expected.time, ..view }, expected);
}

#[test]
fn a_host_that_opens_files_late_refreshes_too() {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let options = Options::default().memtable_bytes(400).wal_buffer_bytes(0);
    let db = open(&storage, &options);
    let host = Arc::new(BlockingStorage::new(Arc::clone(&storage)));
    let late: Arc<dyn Storage> = host.clone();
    let reader = host
        .host(|| Db::builder().options(options.clone()).read_only().open_in(Arc::clone(&late)))
        .expect("opens");
    (0..40_u8).for_each(|index| db.put([index], [index; 30]).expect("the put works"));
    host.evict_all();
    assert!(host.host(|| reader.refresh()).expect("refreshes"));
    host.evict_all();
    let read = host.host(|| contents(&reader)).expect("reads");
    assert_eq!(read, contents(&db).expect("reads"));
}

/// Write number `n` sets key `n % 40` to `n`: the state after each number of writes is known.
fn assert_is_prefix(found: &Model, context: &str) -> u64 {
    let number = |value: &Vec<u8>| u64::from_le_bytes(value[..8].try_into().expect("8 bytes"));
    let newest = found.values().map(number).max().unwrap_or(0);
    let expected: Model = (newest.saturating_sub(39).max(1)..=newest)
        .map(|n| (format!("{:02}", n % 40).into_bytes(), [n.to_le_bytes(); 6].concat()))
        .collect();
    assert!(*found == expected, "{context}: not the state after {newest} writes");
    newest
}

#[test]
fn a_reader_beside_a_busy_owner_always_sees_a_prefix_of_its_writes() {
    let path = std::env::temp_dir().join(format!("levelscope-refreshing-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    let options = Options::default()
        .memtable_bytes(1500)
        .table_bytes(1000)
        .level_base_bytes(3000)
        .l0_trigger(2)
        .l0_slowdown(8)
        .l0_stall(12)
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Threads(2));
    let db = Db::builder().options(options.clone()).open(&path).expect("opens");
    let stop = AtomicBool::new(false);
    let seen = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for n in 1_u64.. {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                db.put(format!("{:02}", n % 40), [n.to_le_bytes(); 6].concat()).expect("writes");
            }
        });
        let files: Arc<dyn Storage> =
            Arc::new(NativeStorage::read_only(&path).expect("a directory"));
        let reader = reader_of(&files, &options);
        let (mut seen, mut rounds) = (0, 0_u64..);
        while seen < 1000 && !writer.is_finished() {
            let round = rounds.next().expect("a number");
            let before = assert_is_prefix(&contents(&reader).expect("reads"), "before");
            let snapshot = reader.snapshot();
            let lag = reader.lag().expect("reads");
            reader.refresh().unwrap_or_else(|error| panic!("round {round}: {error}"));
            let after = assert_is_prefix(&contents(&reader).expect("reads"), "after");
            assert!(after >= before.max(seen), "round {round}: time goes backwards");
            assert!(after >= before + lag.writes(), "round {round}: {before}, {after}, {lag:?}");
            let kept = all(snapshot.range(..).expect("an iterator"));
            assert_eq!(assert_is_prefix(&kept, "snapshot"), before);
            seen = after;
        }
        stop.store(true, Ordering::SeqCst);
        seen
    });
    assert!(seen >= 1000, "the owner ended after {seen} writes");
    drop(db);
    std::fs::remove_dir_all(path).expect("removed");
}

/// Files whose owner makes a log whenever they are listed, and deletes it before it can be read: so many times.
#[derive(Debug)]
struct Restless {
    files: MemoryStorage,
    lists: AtomicU64,
}

impl Storage for Restless {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.files.create(name)
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.files.open(name)
    }

    fn delete(&self, name: FileName) -> Result<()> {
        self.files.delete(name)
    }

    fn list(&self) -> Result<Vec<String>> {
        let mut names = self.files.list()?;
        let left = self.lists.load(Ordering::SeqCst);
        if left > 0 {
            self.lists.store(left - 1, Ordering::SeqCst);
            names.push(FileName::Wal(1000 + left).to_string());
        }
        Ok(names)
    }

    fn sync_directory(&self) -> Result<()> {
        self.files.sync_directory()
    }

    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.files.lock()
    }

    fn identity(&self) -> Identity {
        self.files.identity()
    }
}

/// The error named a log that does not exist, as if the database were damaged or missing.
#[test]
fn files_that_change_too_fast_are_an_error_of_their_own() {
    let files = MemoryStorage::new();
    let owner = open(&(Arc::new(files.clone()) as Arc<dyn Storage>), &Options::default());
    owner.put("a", "1").unwrap();
    let restless = Arc::new(Restless { files, lists: AtomicU64::new(0) });
    let storage: Arc<dyn Storage> = restless.clone();
    let reader = reader_of(&storage, &Options::default());
    owner.put("b", "2").unwrap();
    for lists in [1000, 1001] {
        restless.lists.store(lists, Ordering::SeqCst);
        let errors = [reader.lag().unwrap_err(), reader.refresh().unwrap_err()];
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::WouldBlock, "{error}");
            assert_eq!((error.file(), error.blocked_on()), (None, None));
            assert!(error.to_string().contains("call again"), "{error}");
        }
        assert_eq!(reader.get("b").unwrap(), None, "it shows what it showed before");
    }
    // A log that comes and goes within one attempt leaves the names as they were.
    restless.lists.store(2, Ordering::SeqCst);
    assert!(reader.refresh().unwrap());
    assert_eq!(reader.get("b").unwrap().as_deref(), Some(&b"2"[..]));
}
