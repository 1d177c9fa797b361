//! Group commit: writers that wait for one another share a log append and a sync, and a failure.

use crate::common::*;
use levelscope::event::{EventKind, Grain, Recorder};
use levelscope::storage::{File, FileName, LockGuard, MemoryStorage, Storage};
use levelscope::{Error, ErrorKind, Maintenance, Options, Result, WalSync, WriteBatch};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// The state of the gate for syncs of logs.
#[derive(Debug, Default)]
pub struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct GateState {
    closed: bool,
    /// A sync that did not wait fails.
    failing: bool,
    waiting: bool,
    /// Every pass takes so long.
    pause: Duration,
}

impl Gate {
    pub fn set(&self, closed: bool, failing: bool) {
        let mut state = self.state.lock().unwrap();
        (state.closed, state.failing) = (closed, failing);
        self.changed.notify_all();
    }

    pub fn slow_down(&self, pause: Duration) {
        self.state.lock().unwrap().pause = pause;
    }

    /// Waits until a thread waits at the closed gate.
    pub fn wait_for_a_waiter(&self) {
        let mut state = self.state.lock().unwrap();
        while !state.waiting {
            state = self.changed.wait(state).unwrap();
        }
    }

    fn pass(&self) -> Result<()> {
        let mut state = self.state.lock().unwrap();
        let waited = state.closed;
        while state.closed {
            state.waiting = true;
            self.changed.notify_all();
            state = self.changed.wait(state).unwrap();
        }
        state.waiting = false;
        std::thread::sleep(state.pause);
        if state.failing && !waited {
            Err(Error::new(ErrorKind::Io, "the sync failed"))
        } else {
            Ok(())
        }
    }
}

/// Memory whose log syncs pass a gate.
#[derive(Debug, Clone, Default)]
pub struct GatedStorage {
    pub disk: MemoryStorage,
    pub gate: Arc<Gate>,
}

#[derive(Debug)]
struct GatedFile {
    file: Arc<dyn File>,
    gate: Option<Arc<Gate>>,
}

impl Storage for GatedStorage {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        let gate = matches!(name, FileName::Wal(_)).then(|| Arc::clone(&self.gate));
        Ok(Arc::new(GatedFile { file: self.disk.create(name)?, gate }))
    }
    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.disk.open(name)
    }
    fn delete(&self, name: FileName) -> Result<()> {
        self.disk.delete(name)
    }
    fn list(&self) -> Result<Vec<String>> {
        self.disk.list()
    }
    fn sync_directory(&self) -> Result<()> {
        self.disk.sync_directory()
    }
    fn identity(&self) -> levelscope::Identity {
        self.disk.identity()
    }
    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.disk.lock()
    }
}

impl File for GatedFile {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        self.file.append(bytes)
    }
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_at(offset, bytes)
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.file.read_at(offset, buffer)
    }
    fn sync(&self) -> Result<()> {
        self.gate.as_ref().map_or(Ok(()), |gate| gate.pass())?;
        self.file.sync()
    }
    fn len(&self) -> Result<u64> {
        self.file.len()
    }
}

pub const WRITERS: usize = 8;

fn batch(writer: usize) -> WriteBatch {
    let mut batch = WriteBatch::new();
    batch.put(format!("key{writer}").as_bytes(), b"value").unwrap();
    batch.put(b"shared", writer.to_le_bytes()).unwrap();
    batch
}

/// One writer waits in its sync while the others arrive; then the gate opens, and the syncs of the others may fail.
/// Returns the result of each.
pub fn write_together<T: Send>(
    gate: &Gate,
    failing: bool,
    write: impl Fn(usize) -> Result<T> + Sync,
) -> Vec<Result<T>> {
    gate.set(true, false);
    let begun = AtomicUsize::new(1);
    let (write, begun) = (&write, &begun);
    std::thread::scope(|scope| {
        let first = scope.spawn(move || write(0));
        gate.wait_for_a_waiter();
        let others: Vec<_> = (1..WRITERS)
            .map(|writer| {
                scope.spawn(move || {
                    begun.fetch_add(1, Ordering::SeqCst);
                    write(writer)
                })
            })
            .collect();
        while begun.load(Ordering::SeqCst) < WRITERS {
            std::thread::yield_now();
        }
        // A test cannot observe that the writers are queued: give them a moment, the caller tries again.
        std::thread::sleep(Duration::from_millis(20));
        gate.set(false, failing);
        std::iter::once(first).chain(others).map(|writer| writer.join().unwrap()).collect()
    })
}

pub fn options() -> Options {
    Options::default().wal_sync(WalSync::Group).maintenance(Maintenance::Threads(1))
}

#[test]
fn writers_that_wait_share_one_sync() {
    for round in 0.. {
        let storage = GatedStorage::default();
        let events = Arc::new(Recorder::new(1000, Grain::Phase));
        let db = open_watched(Arc::new(storage.clone()), options(), Some(events.clone())).unwrap();
        let mut sequences: Vec<u64> =
            write_together(&storage.gate, false, |writer| db.write(&batch(writer), Some(true)))
                .into_iter()
                .map(|outcome| outcome.unwrap())
                .collect();
        sequences.sort_unstable();
        let expected: Vec<u64> = (1..=WRITERS as u64).map(|count| count * 2).collect();
        assert_eq!(sequences, expected, "each gets the last sequence number of its own batch");

        let kinds: Vec<EventKind> = events.drain().0.into_iter().map(|event| event.kind).collect();
        let done = |kind: &EventKind| matches!(kind, EventKind::OpDone { durable: true, .. });
        assert_eq!(kinds.iter().filter(|kind| done(kind)).count(), WRITERS);
        // Writes acknowledged as durable are durable without any further sync.
        let image = storage.disk.crash_image(levelscope::storage::Crash::KeepSynced);
        let reopened = open_watched(Arc::new(image), options(), None).unwrap();
        for writer in 0..WRITERS {
            assert!(reopened.get(format!("key{writer}").as_bytes()).unwrap().is_some());
        }
        if db.stats().wal_syncs == 2 {
            return;
        }
        assert!(round < 100, "{WRITERS} writers never shared a sync");
    }
}

#[test]
fn each_write_is_synced_by_itself_when_that_is_asked_for() {
    let storage = GatedStorage::default();
    let options = options().wal_sync(WalSync::Each);
    let db = open_watched(Arc::new(storage.clone()), options, None).unwrap();
    assert!(
        write_together(&storage.gate, false, |writer| db.write(&batch(writer), Some(true)))
            .iter()
            .all(Result::is_ok)
    );
    assert_eq!(db.stats().wal_syncs, WRITERS as u64);
}

#[test]
fn a_failing_sync_fails_every_member() {
    let storage = GatedStorage::default();
    let db = open_watched(Arc::new(storage.clone()), options(), None).unwrap();
    db.put(b"before", b"kept").unwrap();
    let outcomes =
        write_together(&storage.gate, true, |writer| db.write(&batch(writer), Some(true)));
    assert_eq!(*outcomes[0].as_ref().unwrap(), 3, "its sync came before the one that failed");
    for outcome in &outcomes[1..] {
        let kind = outcome.as_ref().unwrap_err().kind();
        assert!(matches!(kind, ErrorKind::Io | ErrorKind::ReadOnly), "{outcome:?}");
    }
    for writer in 1..WRITERS {
        assert_eq!(db.get(format!("key{writer}").as_bytes()).unwrap(), None, "never visible");
    }
    assert_eq!(db.get(b"before").unwrap().as_deref(), Some(&b"kept"[..]));
    assert_eq!(db.put(b"later", b"").unwrap_err().kind(), ErrorKind::ReadOnly);
}

#[test]
fn readers_do_not_wait_for_a_group() {
    let storage = GatedStorage::default();
    let db = open_watched(Arc::new(storage.clone()), options(), None).unwrap();
    db.put(b"old", b"value").unwrap();
    storage.gate.set(true, false);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| db.write(&batch(0), None));
        storage.gate.wait_for_a_waiter();
        assert_eq!(db.get(b"old").unwrap().as_deref(), Some(&b"value"[..]));
        assert_eq!(db.get(b"shared").unwrap(), None, "not visible before it is durable");
        assert_eq!(contents(&db).unwrap().len(), 1);
        assert_eq!(db.snapshot().sequence(), 1);
        storage.gate.set(false, false);
        assert_eq!(writer.join().unwrap().unwrap(), 3);
    });
    assert!(db.get(b"shared").unwrap().is_some());
}

/// Batches of many writers, with and without sync, small and large, in memtables that keep rotating.
#[test]
fn groups_of_all_sizes_keep_each_batch_whole_and_in_order() {
    let mut technique = Technique::new("groups of writers", 4);
    while let Some(seed) = technique.next_seed() {
        let disk = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let mut random = Random(seed ^ 0x9709);
        let threads = Maintenance::Threads(2);
        let options = small_options(&mut random).maintenance(threads);
        let db = open(&storage, &options);
        std::thread::scope(|scope| {
            for writer in 0..4_u64 {
                let (db, mut random) = (&db, Random(seed * 10 + writer));
                scope.spawn(move || {
                    let mut last = 0;
                    for count in 0..150_u64 {
                        let mut batch = WriteBatch::new();
                        for index in 0..=random.below(6) {
                            let length = random.below(60) as usize;
                            let value = [count.to_le_bytes().to_vec(), random.bytes(length)];
                            let key = format!("{writer}-{index}");
                            batch.put(key.as_bytes(), value.concat()).unwrap();
                        }
                        batch.put(format!("{writer}").as_bytes(), count.to_le_bytes()).unwrap();
                        let sequence = db.write(&batch, Some(random.below(2) == 0)).unwrap();
                        assert!(sequence >= last + u64::from(batch.len()), "seed {seed}");
                        last = sequence;
                        let newest = db.get(format!("{writer}").as_bytes()).unwrap();
                        let newest = newest.unwrap();
                        assert_eq!(newest, count.to_le_bytes(), "seed {seed}: its own write");
                    }
                });
            }
        });
        let found = contents(&db).unwrap();
        for writer in 0..4 {
            assert_eq!(found[format!("{writer}").as_bytes()], 149_u64.to_le_bytes(), "seed {seed}");
        }
        drop(db);
        assert_eq!(contents(&open(&storage, &options)).unwrap(), found, "seed {seed}");
        technique.count(4 * 150);
    }
}

/// Another caller may make the room that a writer waits for.
#[test]
fn a_stall_is_over_for_a_writer_that_finds_room() {
    let storage = GatedStorage::default();
    let options = Options::default()
        .memtable_bytes(256)
        .immutable_count_max(1)
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Threads(1));
    let db = open_watched(Arc::new(storage.clone()), options, None).unwrap();
    storage.gate.set(true, false);
    std::thread::scope(|scope| {
        // The flush of the first memtable waits for the end of its log, and the third write for the flush.
        scope.spawn(|| (0..3).for_each(|key| db.put([key], [7; 150]).unwrap()));
        while db.view().stall.is_none() {
            std::thread::yield_now();
        }
        scope.spawn(|| assert!(db.rotate().unwrap()));
        std::thread::sleep(Duration::from_millis(50));
        storage.gate.set(false, false);
    });
    assert_eq!(db.view().stall, None);
}
