//! A log that waits in memory: the losses when the process dies, and when the machine dies.

use crate::common::*;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, MemoryStorage, Storage};
use levelscope::testing::crash;
use levelscope::{Db, ErrorKind, Maintenance, Options, WalSync};
use std::sync::Arc;

fn options(wal_buffer_bytes: u64) -> Options {
    Options::default()
        .memtable_bytes(4096)
        .wal_sync(WalSync::None)
        .wal_buffer_bytes(wal_buffer_bytes)
        .maintenance(Maintenance::Inline)
}

/// The batches that are in files: all of closed logs, and the written part of the active one.
fn written(db: &Db, rotated: u64) -> usize {
    let view = db.view();
    let active = view.wals.last().unwrap();
    assert!(active.synced_bytes <= active.written_bytes && active.written_bytes <= active.bytes);
    assert!(active.synced_records <= active.written_records);
    (rotated + active.written_records) as usize
}

/// Puts numbered keys; `observe` sees the database after each, and how many batches are in files.
fn put_numbered(db: &Db, count: usize, mut observe: impl FnMut(usize, usize)) {
    let (mut rotated, mut log, mut records) = (0, 0, 0);
    for index in 0..count {
        db.put(format!("key{index:04}").as_bytes(), [b'v'; 50]).unwrap();
        let active = db.view().wals.last().unwrap().clone();
        if active.wal != log {
            (rotated, log) = (rotated + records, active.wal);
        }
        records = active.records;
        observe(index + 1, written(db, rotated));
    }
}

fn keys_after(image: MemoryStorage) -> usize {
    let db = open_watched(Arc::new(image), options(0), None).expect("the database opens");
    let found = contents(&db).unwrap();
    for (index, key) in found.keys().enumerate() {
        assert_eq!(key, format!("key{index:04}").as_bytes(), "there is a hole");
    }
    assert!(db.check().unwrap().problems().is_empty());
    found.len()
}

#[test]
fn the_death_of_the_process_loses_the_buffer_and_nothing_else() {
    for buffer in [0, 300, 64 << 10] {
        let disk = MemoryStorage::new();
        let db = open_watched(Arc::new(disk.clone()), options(buffer), None).unwrap();
        put_numbered(&db, 150, |count, written| {
            assert!(buffer > 0 || written == count, "without a buffer nothing waits");
            assert_eq!(keys_after(disk.crash_image(Crash::KeepAll)), written, "buffer {buffer}");
        });
        db.write_out().unwrap();
        assert_eq!(keys_after(disk.crash_image(Crash::KeepAll)), 150, "buffer {buffer}");
        let active = db.view().wals.last().unwrap().clone();
        assert_eq!((active.bytes, active.records), (active.written_bytes, active.written_records));
    }
}

#[test]
fn the_death_of_the_machine_leaves_a_prefix_with_everything_synced() {
    let mut technique = Technique::new("crashes with a buffered log", 3);
    while let Some(seed) = technique.next_seed() {
        let disk = MemoryStorage::new();
        let db = open_watched(Arc::new(disk.clone()), options(500), None).unwrap();
        let mut synced = 0;
        put_numbered(&db, 120, |count, written| {
            if count % 17 == 0 {
                db.sync().unwrap();
                synced = count;
            }
            for (crash, image) in crash::images(&disk, seed << 16 | count as u64, 4) {
                let found = keys_after(image);
                let most = written.max(synced);
                assert!((synced..=most).contains(&found), "seed {seed}, {count} puts, {crash:?}");
                technique.count(1);
            }
        });
    }
}

#[test]
fn an_interval_limits_the_loss_at_the_death_of_the_machine() {
    const INTERVAL: u64 = 1000;
    for buffer in [0, 300] {
        let disk = MemoryStorage::new();
        let wal_sync = WalSync::Interval(INTERVAL);
        let options = options(buffer).wal_sync(wal_sync).memtable_bytes(1 << 20);
        let db = open_watched(Arc::new(disk.clone()), options, None).unwrap();
        let mut longest = 0;
        put_numbered(&db, 100, |count, _| {
            let active = db.view().wals.last().unwrap().clone();
            assert!(active.bytes - active.synced_bytes < INTERVAL, "buffer {buffer}");
            let found = keys_after(disk.crash_image(Crash::KeepSynced));
            assert_eq!(found as u64, active.synced_records);
            longest = longest.max(count - found);
        });
        // Each record has 32 + 3 + 7 + 50 bytes.
        assert_eq!(longest, 10, "it syncs no sooner than it must");
        assert_eq!(db.stats().wal_syncs, 9);
    }
}

#[test]
fn a_buffer_saves_writes_and_changes_no_byte() {
    let run = |buffer: u64| {
        let disk = MemoryStorage::new();
        let options = options(buffer).memtable_bytes(1 << 20);
        let db = open_watched(Arc::new(disk.clone()), options, None).unwrap();
        let before = disk.operations();
        put_numbered(&db, 1000, |_, _| {});
        let operations = disk.operations() - before;
        db.close().unwrap();
        (operations, disk.hash())
    };
    let (through, buffered) = (run(0), run(16 << 10));
    assert_eq!(through.1, buffered.1);
    assert_eq!(through.0, 1000);
    assert!(buffered.0 <= 10, "{} operations", buffered.0);
}

#[test]
fn a_buffer_that_cannot_be_written_makes_the_database_read_only() {
    for fault in [Fault::Io, Fault::OutOfSpace, Fault::ShortWrite] {
        let disk = FaultStorage::over_memory(&MemoryStorage::new());
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let db = open(&storage, &options(1 << 20));
        put_numbered(&db, 10, |_, _| {});
        disk.inject(fault, 1, false);
        let error = db.write_out().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Io | ErrorKind::OutOfSpace), "{error}");
        assert_eq!(contents(&db).unwrap().len(), 10, "reads go on");
        assert_eq!(db.put(b"later", b"").unwrap_err().kind(), ErrorKind::ReadOnly);
        assert_eq!(db.write_out().unwrap_err().kind(), ErrorKind::ReadOnly);
        drop(db);
        disk.heal();
        assert!(contents(&open(&storage, &options(0))).unwrap().len() <= 10);
    }
}
