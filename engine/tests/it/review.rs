//! Calls from several threads, calls after the end, and events about work that cannot continue.

#![expect(clippy::disallowed_methods, reason = "these tests use threads")]

use crate::common::*;
use levelscope::event::{Event, EventKind, EventSink, Grain, Recorder};
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{File, FileName, LockGuard, MemoryStorage, Storage};
use levelscope::{Budget, ErrorKind, Maintenance, Options, Result, StepOutcome, WalSync};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// Runs `work` in a separate thread and fails when it does not end.
fn in_time<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(Duration::from_secs(20)).unwrap_or_else(|_| panic!("{what} never ends"))
}

fn tiny(maintenance: Maintenance) -> Options {
    Options::default()
        .memtable_bytes(1024)
        .immutable_count_max(1)
        .block_bytes(256)
        .table_bytes(2048)
        .l0_trigger(2)
        .l0_stall(3)
        .level_base_bytes(4096)
        .level_multiplier(2)
        .wal_sync(WalSync::None)
        .maintenance(maintenance)
}

fn memory() -> Arc<dyn Storage> {
    Arc::new(MemoryStorage::new())
}

/// A memory disk on which tables are created slowly, opened only on request, or gone.
#[derive(Debug, Default)]
struct Hooked {
    memory: MemoryStorage,
    slow: bool,
    phantom: AtomicBool,
    closed: AtomicBool,
    waiting: AtomicBool,
}

impl Hooked {
    fn wait_until(flag: &AtomicBool, value: bool) {
        while flag.load(Ordering::SeqCst) != value {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Storage for Hooked {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        if self.slow && matches!(name, FileName::Table(_)) {
            std::thread::sleep(Duration::from_millis(100));
        }
        self.memory.create(name)
    }
    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        if matches!(name, FileName::Table(_)) && self.closed.load(Ordering::SeqCst) {
            self.waiting.store(true, Ordering::SeqCst);
            Self::wait_until(&self.closed, false);
        }
        self.memory.open(name)
    }
    fn delete(&self, name: FileName) -> Result<()> {
        self.memory.delete(name)
    }
    fn list(&self) -> Result<Vec<String>> {
        let mut names = self.memory.list()?;
        if self.phantom.load(Ordering::SeqCst) {
            names.push(FileName::Table(999).to_string());
        }
        Ok(names)
    }
    fn sync_directory(&self) -> Result<()> {
        self.memory.sync_directory()
    }
    fn identity(&self) -> levelscope::Identity {
        self.memory.identity()
    }
    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.memory.lock()
    }
}

/// The first of two compactions that were asked for leaves nothing for the second. In between comes a
/// flush of a memtable so large that giving back its memory takes the thread longer than it takes the
/// caller to look: he must be woken again when the second turns out to be needless.
#[test]
fn asking_for_every_level_ends_when_the_first_compaction_leaves_nothing() {
    let options = tiny(Maintenance::Threads(1)).level_count(3);
    let disk = Arc::new(Hooked::default());
    let db = open_watched(disk.clone(), options, None).unwrap();
    db.put(b"a", b"1").unwrap();
    db.request_flush().unwrap();
    db.request_compaction(Some(0)).unwrap();
    db.delete(b"a").unwrap();
    db.request_flush().unwrap();
    disk.closed.store(true, Ordering::SeqCst);
    let large = db.clone();
    let rotating = std::thread::spawn(move || {
        Hooked::wait_until(&disk.waiting, true);
        large.put(b"b", vec![0; 32 * 1024 * 1024]).unwrap();
        large.rotate().unwrap();
        disk.closed.store(false, Ordering::SeqCst);
    });
    let asking = db.clone();
    assert!(in_time("request_compaction", move || asking.request_compaction(None).unwrap()));
    rotating.join().unwrap();
    assert!(db.view().levels[1].tables.is_empty());
}

#[test]
fn nothing_is_left_to_do_after_a_failure() {
    let disk = FaultStorage::over_memory(&MemoryStorage::new());
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &tiny(Maintenance::Manual));
    db.put(b"a", b"1").unwrap();
    db.request_flush().unwrap();
    disk.inject(Fault::OutOfSpace, 1, true);
    assert_eq!(db.step(Budget::Job).unwrap_err().kind(), ErrorKind::OutOfSpace);
    assert_eq!(db.step(Budget::Job).unwrap(), StepOutcome::Idle);
    assert!(!db.has_work(), "a step does nothing, but `has_work` is true");
    assert_eq!(db.next_step(), None);
}

#[test]
fn calls_on_a_closed_database_answer_closed() {
    let db = open(&memory(), &tiny(Maintenance::Manual));
    db.put(b"a", b"1").unwrap();
    db.request_flush().unwrap();
    db.step(Budget::Job).unwrap();
    db.put(b"b", b"1").unwrap();
    db.rotate().unwrap();
    db.close().unwrap();
    let closed = |result: Result<()>| result.unwrap_err().kind() == ErrorKind::Closed;
    assert!(closed(db.put(b"a", b"2")));
    assert!(closed(db.rotate().map(drop)));
    assert!(closed(db.request_flush().map(drop)));
    assert!(closed(db.step(Budget::Job).map(drop)));
    assert!(closed(db.sync()), "sync");
    assert!(closed(db.request_compaction(None).map(drop)), "request_compaction");
    assert!(!db.has_work());
    assert_eq!(db.next_step(), None);
}

#[test]
fn zero_threads_are_refused() {
    for count in [0, 9] {
        let options = tiny(Maintenance::Threads(count));
        let error = open_watched(memory(), options, None).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
}

#[test]
fn files_leaves_out_files_that_are_deleted_meanwhile() {
    let disk = Arc::new(Hooked::default());
    let db = open_watched(disk.clone(), tiny(Maintenance::Manual), None).unwrap();
    disk.phantom.store(true, Ordering::SeqCst);
    let files = db.files().unwrap();
    assert!(files.iter().all(|file| !file.name.contains("999")));
}

#[test]
fn events_arrive_in_the_order_of_their_numbers() {
    let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
    let sink: Arc<dyn EventSink> = recorder.clone();
    let db = open_watched(memory(), tiny(Maintenance::Threads(2)), Some(sink)).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let db = &db;
            scope.spawn(move || {
                for index in 0..10_000 {
                    let key = format!("{thread}-{:03}", index % 200);
                    if index % 8 == 0 {
                        db.put(key.as_bytes(), [b'v'; 20]).unwrap();
                    } else {
                        db.get(key.as_bytes()).unwrap();
                    }
                }
            });
        }
    });
    db.close().unwrap();
    let (events, lost) = recorder.drain();
    assert_eq!(lost, 0);
    for pair in events.windows(2) {
        assert!(pair[0].id < pair[1].id, "{} came before {}", pair[0].id, pair[1].id);
        assert!(pair[0].time <= pair[1].time);
    }
}

/// Slow to close, so that a second call meets the first.
struct SlowEnd;

impl EventSink for SlowEnd {
    fn event(&self, event: Event) {
        if matches!(event.kind, EventKind::WalClose { .. }) {
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

#[test]
fn every_close_returns_only_when_the_database_is_closed() {
    let storage = memory();
    let db = open_watched(Arc::clone(&storage), tiny(Maintenance::Manual), Some(Arc::new(SlowEnd)));
    let db = db.unwrap();
    let other = db.clone();
    let first = std::thread::spawn(move || other.close().unwrap());
    std::thread::sleep(Duration::from_millis(30));
    db.close().unwrap();
    open_watched(storage, tiny(Maintenance::Manual), None).map(drop).unwrap();
    first.join().unwrap();
}

#[test]
fn an_inline_writer_waits_for_the_work_of_another() {
    let disk = Hooked { slow: true, ..Hooked::default() };
    let db = open_watched(Arc::new(disk), tiny(Maintenance::Inline), None).unwrap();
    let other = db.clone();
    db.put(b"a", [b'v'; 900]).unwrap();
    // Rotates, and flushes inside this call.
    let first = std::thread::spawn(move || other.put(b"b", [b'v'; 900]).unwrap());
    std::thread::sleep(Duration::from_millis(40));
    // Does not fit either, while the flush is not yet done.
    db.put(b"c", [b'v'; 900]).unwrap();
    first.join().unwrap();
}

/// After a failure in the background every caller gets an answer, and no job begins again.
#[test]
fn a_failure_in_the_background_wakes_everybody() {
    for seed in 0..150 {
        let disk = FaultStorage::over_memory(&MemoryStorage::new());
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
        let sink: Arc<dyn EventSink> = recorder.clone();
        let options = tiny(Maintenance::Threads(3));
        let db = open_watched(storage, options, Some(sink)).unwrap();
        disk.inject(Fault::SyncError, 1 + seed % 40, true);
        let writers: Vec<_> = (0..3)
            .map(|thread| {
                let db = db.clone();
                move || {
                    for index in 0..2000 {
                        let key = format!("{thread}-{index:04}");
                        if let Err(error) = db.put(key.as_bytes(), [b'v'; 50]) {
                            return error.kind();
                        }
                    }
                    ErrorKind::Stalled
                }
            })
            .collect();
        in_time("a write", move || {
            let writers: Vec<_> = writers.into_iter().map(std::thread::spawn).collect();
            for writer in writers {
                assert_ne!(writer.join().unwrap(), ErrorKind::Stalled, "no failure was met");
            }
        });
        let flush = db.clone();
        in_time("request_flush", move || assert!(flush.request_flush().is_err()));
        in_time("close", move || drop(db.close().unwrap_err()));
        let (events, _) = recorder.drain();
        // A job that failed is not begun again by another thread.
        let mut flushed = std::collections::BTreeSet::new();
        for event in &events {
            if let EventKind::FlushBegin { memtable, .. } = event.kind {
                assert!(flushed.insert(memtable), "seed {seed}: memtable {memtable} twice");
            }
        }
    }
}

/// Asking for a flush does not wait for the writes of others.
#[test]
fn a_flush_ends_though_others_go_on_writing() {
    let db = open(&memory(), &tiny(Maintenance::Threads(1)));
    let stop = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..2)
        .map(|thread| {
            let (db, stop) = (db.clone(), Arc::clone(&stop));
            std::thread::spawn(move || {
                for index in 0_u64.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let key = format!("{thread}-{:05}", index % 20_000);
                    db.put(key.as_bytes(), [b'v'; 60]).unwrap();
                }
            })
        })
        .collect();
    for _ in 0..20 {
        let flush = db.clone();
        in_time("request_flush", move || flush.request_flush().unwrap());
    }
    stop.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.join().unwrap();
    }
}

/// A flush writes the versions that some reader can still see, and no others.
#[test]
fn a_flush_drops_invisible_versions() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &Options::default().maintenance(Maintenance::Inline));
    for round in 0..10_u64 {
        db.put(b"key", round.to_le_bytes()).unwrap();
        db.put(format!("other{round}").as_bytes(), b"v").unwrap();
    }
    let snapshot = db.snapshot();
    db.delete(b"key").unwrap();
    db.delete(b"never there").unwrap();
    assert!(db.request_flush().unwrap());
    // Ten others, the tombstone, the value that it hides from all but the snapshot, and the other tombstone.
    let stats = db.stats();
    assert_eq!((stats.table_entries, stats.entries_shadowed), (13, 9));
    assert_eq!(db.get(b"key").unwrap(), None);
    assert_eq!(snapshot.get(b"key").unwrap().unwrap(), 9_u64.to_le_bytes());
    assert!(db.check().unwrap().problems().is_empty());
}
