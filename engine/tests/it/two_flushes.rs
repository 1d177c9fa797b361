//! Two flushes at once: their tables are written together, and enter L0 in the order of their memtables.

use crate::common::*;
use crate::held::{HeldSyncs, wait_until};
use levelscope::event::{Event, EventKind, Grain, Recorder};
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, FileName, MemoryStorage, Storage};
use levelscope::{Db, ErrorKind, Maintenance, Options};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn options() -> Options {
    Options::default().maintenance(Maintenance::Threads(2)).immutable_count_max(8)
}

fn tables(disk: &MemoryStorage) -> Vec<u64> {
    let names = disk.list().unwrap();
    let tables = names.iter().filter_map(|name| match FileName::parse(name) {
        Some(FileName::Table(number)) => Some(number),
        _ => None,
    });
    tables.collect()
}

/// A database whose first table cannot be synced for now, while two memtables wait for their flushes.
fn held(
    disk: &MemoryStorage,
    storage: Arc<dyn Storage>,
    recorder: &Arc<Recorder>,
) -> (Arc<HeldSyncs>, Db) {
    let first = AtomicU64::new(0);
    let is_held = move |name| match name {
        FileName::Table(number) => {
            let _ = first.compare_exchange(0, number, Ordering::SeqCst, Ordering::SeqCst);
            first.load(Ordering::SeqCst) == number
        }
        _ => false,
    };
    let (held, storage) = HeldSyncs::over(storage, is_held);
    held.hold();
    let db = open_watched(storage, options(), Some(Arc::clone(recorder) as _)).unwrap();
    db.put("key", "old").unwrap();
    db.rotate().unwrap();
    wait_until("the sync of the first table", || held.held() == 1);
    db.put("key", "new").unwrap();
    db.rotate().unwrap();
    wait_until("the second table", || tables(disk).len() == 2);
    (held, db)
}

#[test]
fn the_table_of_a_newer_memtable_waits_for_that_of_the_older_one() {
    let (disk, recorder) = (MemoryStorage::new(), Arc::new(Recorder::new(10_000, Grain::Phase)));
    let (held, db) = held(&disk, Arc::new(disk.clone()), &recorder);
    let newest = tables(&disk)[1];
    wait_until("the sync of the second table", || disk.durable_bytes(FileName::Table(newest)) > 0);
    std::thread::sleep(Duration::from_millis(20));
    assert!(db.view().levels[0].tables.is_empty(), "none of the two is in L0");
    let image: Arc<dyn Storage> = Arc::new(disk.crash_image(Crash::KeepSynced));
    assert_eq!(open(&image, &Options::default()).get("key").unwrap().as_deref(), Some(&b"new"[..]));
    held.release();
    wait_until("the end of both flushes", || db.view().levels[0].tables.len() == 2);
    let installed: Vec<u64> = recorder
        .drain()
        .0
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::FlushInstall { memtable, .. } => Some(memtable),
            _ => None,
        })
        .collect();
    assert!(installed.len() == 2 && installed[0] < installed[1], "{installed:?}");
    assert_eq!(db.get("key").unwrap().as_deref(), Some(&b"new"[..]));
    assert!(db.check().unwrap().problems().is_empty());
    db.close().unwrap();
}

#[test]
fn closing_does_not_wait_for_a_flush_that_waits() {
    let (disk, recorder) = (MemoryStorage::new(), Arc::new(Recorder::new(10_000, Grain::Phase)));
    let (held, db) = held(&disk, Arc::new(disk.clone()), &recorder);
    std::thread::scope(|scope| {
        let closed = scope.spawn(|| db.close());
        std::thread::sleep(Duration::from_millis(20));
        held.release();
        closed.join().unwrap().unwrap();
    });
    assert_eq!(db.put("key", "late").unwrap_err().kind(), ErrorKind::Closed);
    let storage: Arc<dyn Storage> = Arc::new(disk);
    assert_eq!(open(&storage, &options()).get("key").unwrap().as_deref(), Some(&b"new"[..]));
}

#[test]
fn when_the_older_flush_fails_the_newer_one_installs_nothing() {
    let (disk, recorder) = (MemoryStorage::new(), Arc::new(Recorder::new(10_000, Grain::Phase)));
    let failing = FaultStorage::over_memory(&disk);
    let (held, db) = held(&disk, Arc::new(failing.clone()), &recorder);
    db.sync().unwrap();
    let is_synced = |event: &Event| matches!(event.kind, EventKind::TableSync { .. });
    wait_until("the sync of the second table", || recorder.drain().0.iter().any(is_synced));
    let before = db.view().manifest_bytes;
    // The next sync is that of the first table.
    failing.inject(Fault::SyncError, 1, false);
    held.release();
    wait_until("the failure", || db.view().read_only.is_some());
    wait_until("the end of both flushes", || db.view().jobs.is_empty());
    assert_eq!(db.view().manifest_bytes, before);
    drop(db);
    let image: Arc<dyn Storage> = Arc::new(disk.crash_image(Crash::KeepSynced));
    assert_eq!(open(&image, &Options::default()).get("key").unwrap().as_deref(), Some(&b"new"[..]));
}
