//! Large compactions in parts: the same outputs whether the parts run one after the other or at once, and nothing is
//! installed before all of them are done.

use crate::common::*;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::trace::{Operation, WatchedStorage, Watcher};
use levelscope::storage::{Crash, FileName, MemoryStorage, Storage};
use levelscope::{Budget, Compression, Db, Maintenance, Options, WalSync, WriteBatch};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::ThreadId;
use std::time::Duration;

const KEYS: u64 = 900;

/// Compactions come only when they are asked for, and have parts of at least four tables of 1 KiB.
fn options(maintenance: Maintenance) -> Options {
    Options::default()
        .memtable_bytes(8192)
        .block_bytes(256)
        .compression(Compression::None)
        .table_bytes(1024)
        .l0_trigger(1000)
        .l0_slowdown(2000)
        .l0_stall(2000)
        .level_base_bytes(1 << 30)
        .wal_sync(WalSync::None)
        .maintenance(maintenance)
}

fn work(db: &Db) {
    while db.options().maintenance == Maintenance::Manual && db.has_work() {
        db.step(Budget::Entries(100)).unwrap();
    }
}

fn compact(db: &Db, level: usize) {
    db.request_compaction(Some(level)).unwrap();
    work(db);
}

/// Keys all over, some of them deleted, some with several versions.
fn write_some(db: &Db, model: &mut Model, random: &mut Random, count: usize) {
    for _ in 0..count {
        let key = format!("{:04}", random.below(KEYS)).into_bytes();
        let mut batch = WriteBatch::new();
        if random.below(6) == 0 {
            batch.delete(&key).unwrap();
            model.remove(&key);
        } else {
            let value = random.bytes(60);
            batch.put(&key, &value).unwrap();
            model.insert(key, value);
        }
        while db.write(&batch, None).is_err() {
            work(db);
        }
    }
    db.request_flush().unwrap();
    work(db);
}

/// L2 full of keys and L1 with changes of them, which the next compaction of L1 merges.
fn filled(db: &Db, seed: u64) -> Model {
    let (mut model, mut random) = (Model::new(), Random(seed));
    write_some(db, &mut model, &mut random, 1500);
    compact(db, 0);
    compact(db, 1);
    write_some(db, &mut model, &mut random, 500);
    compact(db, 0);
    model
}

/// Keys and sizes of the tables of L2.
fn outputs(db: &Db) -> Vec<(String, String, u64, u64)> {
    let view = db.view();
    let tables = view.levels[2].tables.iter();
    tables
        .map(|it| (it.smallest.to_string(), it.largest.to_string(), it.entries, it.bytes))
        .collect()
}

#[test]
fn parts_make_the_same_outputs_one_after_the_other_and_at_once() {
    for seed in 0..4 {
        let mut expected = None;
        let modes = [
            Maintenance::Manual,
            Maintenance::Inline,
            Maintenance::Threads(1),
            Maintenance::Threads(2),
            Maintenance::Threads(4),
        ];
        for mode in modes {
            let context = format!("seed {seed}, {mode:?}");
            let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
            let db = open(&storage, &options(mode));
            let model = filled(&db, seed);
            let snapshot = db.snapshot();
            let mut later = model.clone();
            write_some(&db, &mut later, &mut Random(seed + 100), 300);
            compact(&db, 0);
            compact(&db, 1);
            assert_same(&db, &later, &context);
            for (key, value) in &model {
                assert_eq!(snapshot.get(key).unwrap().as_deref(), Some(&value[..]), "{context}");
            }
            drop(snapshot);
            assert!(db.check().unwrap().problems().is_empty(), "{context}");
            let found = outputs(&db);
            assert!(found.len() > 30, "{context}: {found:?}");
            assert_eq!(expected.get_or_insert_with(|| found.clone()), &found, "{context}");
        }
    }
}

/// The plan has the number of parts, and so has its event.
#[test]
fn the_reason_names_the_number_of_parts() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &options(Maintenance::Manual));
    filled(&db, 1);
    db.request_compaction(Some(1)).unwrap();
    db.step(Budget::Phase).unwrap();
    let reason = db.view().jobs[0].reason.clone();
    let parts = reason.strip_suffix(" parts").and_then(|front| front.rsplit(' ').next());
    assert!((4..=8).contains(&parts.unwrap_or(&reason).parse::<u64>().unwrap()), "{reason}");
}

/// Makes the first thread that creates a table wait until another one does the same.
#[derive(Debug, Default)]
struct Meeting {
    is_on: AtomicBool,
    threads: Mutex<BTreeSet<String>>,
    met: Condvar,
}

fn name(thread: ThreadId) -> String {
    format!("{thread:?}")
}

impl Watcher for Meeting {
    fn done(&self, operation: Operation, _: bool) {
        let creates = matches!(operation, Operation::Create(FileName::Table(_)));
        if !creates || !self.is_on.load(Ordering::SeqCst) {
            return;
        }
        let mut threads = self.threads.lock().unwrap();
        threads.insert(name(std::thread::current().id()));
        self.met.notify_all();
        let alone = |threads: &mut BTreeSet<String>| threads.len() < 2;
        let limit = Duration::from_secs(20);
        drop(self.met.wait_timeout_while(threads, limit, alone).unwrap());
        self.is_on.store(false, Ordering::SeqCst);
    }

    fn appending(&self, _: FileName, _: &[u8]) {}
}

#[test]
fn threads_share_the_parts_of_one_compaction() {
    let meeting = Arc::new(Meeting::default());
    let watcher: Arc<dyn Watcher> = Arc::<Meeting>::clone(&meeting);
    let disk = Arc::new(MemoryStorage::new());
    let storage: Arc<dyn Storage> = Arc::new(WatchedStorage::new(disk, watcher));
    let db = open(&storage, &options(Maintenance::Threads(2)));
    let model = filled(&db, 7);
    meeting.is_on.store(true, Ordering::SeqCst);
    compact(&db, 1);
    assert_eq!(meeting.threads.lock().unwrap().len(), 2, "one thread did it alone");
    assert_same(&db, &model, "after the compaction");
}

/// In any file operation of any part: the database is read-only, the inputs are kept, and no thread waits for ever.
#[test]
fn a_failure_in_any_part_installs_nothing() {
    for at in 1..80 {
        for (index, fault) in Fault::ALL.into_iter().enumerate() {
            if !(at + index as u64).is_multiple_of(7) {
                continue;
            }
            let context = format!("{fault:?} at {at}");
            let disk = FaultStorage::over_memory(&MemoryStorage::new());
            let storage: Arc<dyn Storage> = Arc::new(disk.clone());
            let options = options(Maintenance::Threads(3));
            let db = open(&storage, &options);
            let model = filled(&db, at);
            let before = outputs(&db);
            disk.inject(fault, at, true);
            let failed = db.request_compaction(Some(1)).is_err();
            if failed {
                assert_eq!(outputs(&db), before, "{context}");
                // The thread that has the job ends it after the caller has heard of the failure.
                let ended = (0..10_000).any(|_| {
                    std::thread::sleep(Duration::from_millis(1));
                    db.view().jobs.is_empty()
                });
                assert!(ended, "{context}: {:?}", db.view().jobs);
            }
            drop(db);
            disk.heal();
            let db = open(&storage, &options);
            assert_same(&db, &model, &context);
            compact(&db, 1);
            assert_same(&db, &model, &context);
        }
    }
}

#[test]
fn a_crash_in_the_middle_of_parts_loses_nothing() {
    let mut caught = 0;
    for seed in 0..8 {
        let disk = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let options = options(Maintenance::Threads(2));
        let db = open(&storage, &options);
        let model = filled(&db, seed);
        let mut images = Vec::new();
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| db.request_compaction(Some(1)));
            while !asked.is_finished() {
                images.push(disk.crash_image(Crash::Random(seed * 100 + images.len() as u64)));
                std::thread::sleep(Duration::from_micros(300));
            }
            assert!(asked.join().unwrap().unwrap());
        });
        for (index, image) in images.into_iter().enumerate() {
            let context = format!("seed {seed}, image {index}");
            let storage: Arc<dyn Storage> = Arc::new(image);
            let db = open(&storage, &options);
            assert_same(&db, &model, &context);
            assert!(db.check().unwrap().problems().is_empty(), "{context}");
            caught += 1;
        }
    }
    assert!(caught > 0, "every compaction was over at once");
}

#[test]
fn closing_waits_for_no_part() {
    for seed in 0..20 {
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let options = options(Maintenance::Threads(3));
        let db = open(&storage, &options);
        let model = filled(&db, seed);
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| db.request_compaction(Some(1)));
            std::thread::sleep(Duration::from_micros(200 * seed));
            db.close().unwrap();
            // Done, or given up.
            drop(asked.join().unwrap());
        });
        assert!(db.view().jobs.is_empty());
        drop(db);
        assert_same(&open(&storage, &options), &model, "after closing");
    }
}
