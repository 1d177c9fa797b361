//! Opening for reading: it sees everything, changes nothing, and needs no lock.

use crate::common::*;
use crate::technique::Technique;
use levelscope::event::{EventKind, Grain, Recorder};
use levelscope::storage::trace::{Operation, WatchedStorage, Watcher};
use levelscope::storage::{Crash, FileName, MemoryStorage, NativeStorage, Storage};
use levelscope::{Budget, Db, ErrorKind, Maintenance, Options, Result, StepOutcome};
use std::sync::{Arc, Mutex};

/// Fails the test when anything is created, written, synced, deleted or locked.
#[derive(Debug)]
struct Untouched;

impl Watcher for Untouched {
    fn done(&self, operation: Operation, _ok: bool) {
        panic!("a reader must not {operation}");
    }
}

fn read_only(storage: Arc<dyn Storage>, options: &Options) -> Result<Db> {
    let watched = Arc::new(WatchedStorage::new(storage, Arc::new(Untouched)));
    Db::builder().options(options.clone()).read_only().open_in(watched)
}

fn assert_refuses(db: &Db, context: &str) {
    let refusals = [
        db.put(b"key", b"value").err(),
        db.delete(b"key").err(),
        db.sync().err(),
        db.rotate().err(),
        db.request_flush().err(),
        db.request_compaction(None).err(),
    ];
    for refusal in refusals {
        let refusal = refusal.unwrap_or_else(|| panic!("{context}: not refused"));
        assert_eq!(refusal.kind(), ErrorKind::ReadOnly, "{context}: {refusal}");
    }
    assert!(!db.has_work() && db.next_step().is_none(), "{context}");
    assert_eq!(db.step(Budget::Job).expect("idle"), StepOutcome::Idle, "{context}");
}

#[test]
fn a_reader_sees_everything_and_changes_nothing() {
    let mut technique = Technique::new("readers", 12);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x4ead);
        let options = small_options(&mut random)
            .maintenance(Maintenance::Manual)
            // A reader cannot see records that wait in the owner's memory.
            .wal_buffer_bytes(0);
        let memory = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(memory.clone());
        let db = open(&storage, &options);
        let mut model = Model::new();
        for (index, op) in random_script(&mut random, 120).into_iter().enumerate() {
            run(&db, &op).expect("the operation works");
            apply_to_model(&mut model, &op);
            if index % 20 > 0 {
                continue;
            }
            // The owner is still there, also in the middle of a job; and so are its unsynced bytes.
            let context = format!("seed {seed}, operation {index}");
            let before = memory.hash();
            let reader = read_only(Arc::clone(&storage), &options)
                .unwrap_or_else(|error| panic!("{context}: {error}"));
            assert!(reader.is_read_only() && !db.is_read_only());
            assert_same(&reader, &model, &context);
            assert_refuses(&reader, &context);
            let snapshot = reader.snapshot();
            reader.explain_get(b"key001", Some(&snapshot)).expect("explains");
            let (ours, theirs) = (reader.view(), db.view());
            assert_eq!(ours.last_sequence, theirs.last_sequence, "{context}");
            assert_eq!(ours.manifest, theirs.manifest, "{context}");
            assert!(ours.read_only.is_some() && ours.wals.iter().all(|wal| wal.closed));
            reader.files().expect("lists");
            reader.close().expect("closes");
            assert_eq!(memory.hash(), before, "{context}");
            technique.count(1);
        }
    }
}

/// The files of a crash are read as recovery would read them, and not changed.
#[test]
fn a_reader_of_a_crash_image_agrees_with_recovery() {
    let mut technique = Technique::new("readers of crash images", 20);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x4ec);
        let options = small_options(&mut random);
        let memory = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(memory.clone());
        let db = open(&storage, &options);
        for op in random_script(&mut random, 80) {
            run(&db, &op).expect("the operation works");
        }
        let image = memory.crash_image(Crash::Random(seed));
        drop(db);
        let before = image.hash();
        let seen = read_only(Arc::new(image.clone()), &options).map(|db| contents(&db));
        assert_eq!(image.hash(), before, "seed {seed}");
        let storage: Arc<dyn Storage> = Arc::new(image);
        let recovered = contents(&open(&storage, &options)).expect("reads");
        assert_eq!(seen.expect("opens").expect("reads"), recovered, "seed {seed}");
        technique.count(1);
    }
}

#[test]
fn where_there_is_no_database_none_is_made() {
    let memory = MemoryStorage::new();
    let error = read_only(Arc::new(memory.clone()), &Options::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    assert_eq!(memory.list().expect("lists"), Vec::<String>::new());
    let directory = std::env::temp_dir().join("levelscope-no-such-directory");
    let error = NativeStorage::read_only(&directory).unwrap_err();
    assert_eq!((error.kind(), directory.exists()), (ErrorKind::NotFound, false), "{error}");
}

/// Deletes the log that a reader is about to read, when armed.
#[derive(Debug)]
struct Owner {
    memory: MemoryStorage,
    owner: Mutex<Option<Db>>,
}

impl Storage for Owner {
    fn create(&self, name: FileName) -> Result<Arc<dyn levelscope::storage::File>> {
        self.memory.create(name)
    }
    fn open(&self, name: FileName) -> Result<Arc<dyn levelscope::storage::File>> {
        // Between the list and the log the owner flushes, and deletes listed files.
        if matches!(name, FileName::Wal(_))
            && let Some(db) = self.owner.lock().unwrap().take()
        {
            db.request_flush().expect("flushes");
        }
        self.memory.open(name)
    }
    fn delete(&self, name: FileName) -> Result<()> {
        self.memory.delete(name)
    }
    fn list(&self) -> Result<Vec<String>> {
        self.memory.list()
    }
    fn sync_directory(&self) -> Result<()> {
        self.memory.sync_directory()
    }
    fn identity(&self) -> levelscope::Identity {
        self.memory.identity()
    }
    fn lock(&self) -> Result<Box<dyn levelscope::storage::LockGuard>> {
        self.memory.lock()
    }
}

#[test]
fn a_reader_begins_anew_when_the_owner_moves_on() {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let db = open(&storage, &Options::default().l0_trigger(2));
    db.put(b"key", b"value").expect("the put works");
    let owner = Arc::new(Owner { memory, owner: Mutex::new(Some(db.clone())) });
    let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
    let reader =
        Db::builder().events(Arc::clone(&recorder) as _).read_only().open_in(owner).expect("opens");
    let events = recorder.drain().0;
    let begun = events.iter().filter(|event| matches!(event.kind, EventKind::RecoveryBegin { .. }));
    assert_eq!(begun.count(), 1, "the attempt that failed has no events");
    assert!(events.iter().all(|event| event.kind.name().starts_with("recovery.")), "{events:?}");
    assert_eq!(reader.get(b"key").expect("reads").as_deref(), Some(&b"value"[..]));

    // A table that the owner has replaced since then is missed with its name, not answered wrongly.
    for index in 0..3_u8 {
        db.put(b"key", [index]).expect("the put works");
        db.request_flush().expect("flushes");
    }
    db.request_compaction(None).expect("compacts");
    let later = Db::builder().read_only().open_in(Arc::clone(&storage)).expect("opens");
    db.put(b"key", b"newest").expect("the put works");
    db.request_flush().expect("flushes");
    db.request_compaction(None).expect("compacts");
    match later.get(b"key") {
        Ok(value) => assert_eq!(value.as_deref(), Some(&[2][..])),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
            assert!(matches!(error.file(), Some(FileName::Table(_))), "{error}");
        }
    }
}

/// The whole way on real files: no file appears, none changes, and the lock is free.
#[test]
#[expect(clippy::disallowed_methods, reason = "real files are compared byte by byte")]
fn a_reader_of_native_files_leaves_the_directory_as_it_is() {
    let path = std::env::temp_dir().join(format!("levelscope-reading-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    let storage: Arc<dyn Storage> = Arc::new(NativeStorage::open(&path).expect("a directory"));
    let options = Options::default().memtable_bytes(512);
    let db = open(&storage, &options);
    (0..60_u8).for_each(|index| db.put([index], [index; 30]).expect("the put works"));
    let bytes = || {
        let names = storage.list().expect("lists");
        let read = |name: &String| std::fs::read(path.join(name)).expect("readable");
        names.iter().map(|name| (name.clone(), read(name))).collect::<Vec<_>>()
    };
    let before = bytes();
    let reading: Arc<dyn Storage> = Arc::new(NativeStorage::read_only(&path).expect("it is there"));
    for name in [FileName::Table(99), FileName::Lock] {
        assert_eq!(reading.create(name).unwrap_err().kind(), ErrorKind::ReadOnly);
    }
    let reader =
        Db::builder().options(options.clone()).read_only().open_in(reading).expect("opens");
    assert_eq!(contents(&reader).expect("reads"), contents(&db).expect("reads"));
    assert_refuses(&reader, "native");
    assert!(reader.check().expect("checks").problems().is_empty());
    drop(reader);
    assert!(bytes() == before, "a reader changed the directory");
    drop(db);
    std::fs::remove_dir_all(&path).expect("removed");
}
