//! Histories of logs: torn tails, damage, and broken promises.

use super::*;
use levelscope::ErrorKind;
use levelscope::storage::Crash;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::trace::StorageTrace;
use levelscope::testing::forge::{EditForge, LogForge, RecordFields, database, put_entry};
use std::sync::atomic::{AtomicU64, Ordering};

/// A database that died with `count` synced records in its log; where each begins, and where the log ends.
fn killed_with_records(count: usize) -> (MemoryStorage, FileName, Vec<u64>) {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    let bytes = |db: &Db| db.view().wals.last().expect("the active log").bytes;
    let mut ends = vec![bytes(&db)];
    for index in 0..count {
        db.put(format!("key{index}").as_bytes(), value(index, 20)).unwrap();
        ends.push(bytes(&db));
    }
    let killed = disk.crash_image(Crash::KeepAll);
    let log = newest_log(&killed);
    (killed, log, ends)
}

/// Some readers of logs took damage in the middle for the end, and dropped every later batch. Others
/// took every torn tail for damage, and refused to open after an ordinary crash.
#[test]
fn damage_inside_a_log_is_corruption_and_at_its_end_a_torn_tail() {
    const COUNT: usize = 8;
    let (killed, log, ends) = killed_with_records(COUNT);
    for record in 0..COUNT {
        for offset in ends[record]..ends[record + 1] {
            let disk = killed.fork();
            disk.corrupt(log, offset, 0x10).unwrap();
            let outcome = try_open(&shared(&disk), &by_hand());
            let context = format!("record {record}, byte {offset}");
            if record + 1 == COUNT {
                let found = contents(&outcome.expect(&context)).unwrap();
                assert_eq!(found.len(), COUNT - 1, "{context}");
                continue;
            }
            let error = outcome.map(drop).expect_err(&context);
            assert_eq!(error.kind(), ErrorKind::Corruption, "{context}: {error}");
            // In front of a damaged body is a header of 32 bytes whose checksum is right.
            let body = ends[record] + 32;
            let first_bad = if offset < body { ends[record] } else { body };
            assert_eq!((error.file(), error.offset()), (Some(log), Some(first_bad)), "{context}");
        }
    }
}

/// The log before the newest was damaged, its rest was skipped, and the newest was replayed all the same:
/// a hole in the order of writes.
#[test]
fn damage_in_an_older_log_never_lets_a_newer_one_in() {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    (0..5).for_each(|index| db.put(format!("old{index}").as_bytes(), value(index, 20)).unwrap());
    db.rotate().unwrap();
    (0..5).for_each(|index| db.put(format!("new{index}").as_bytes(), value(index, 20)).unwrap());
    let killed = disk.crash_image(Crash::KeepAll);
    drop(db);
    // The same two logs, the older one left by a crash and closed by recovery.
    let recovered = killed.fork();
    drop(open(&shared(&recovered), &by_hand()));
    let sealed = recovered.fork();
    let db = open(&shared(&sealed), &by_hand());
    put(&db, "newest", "value");
    let sealed = sealed.crash_image(Crash::KeepAll);
    for (disk, newest_keys) in [(killed, "new"), (sealed, "newest")] {
        let logs: Vec<FileName> =
            names(&disk).into_iter().filter(|name| matches!(name, FileName::Wal(_))).collect();
        let oldest = logs[0];
        for offset in 0..disk.read(oldest).unwrap().len() as u64 {
            let damaged = disk.fork();
            damaged.corrupt(oldest, offset, 1).unwrap();
            match try_open(&shared(&damaged), &by_hand()) {
                Err(error) => {
                    let expected = [ErrorKind::Corruption, ErrorKind::UnsupportedFormat];
                    assert!(expected.contains(&error.kind()), "byte {offset}: {error}");
                }
                Ok(db) => {
                    let found = contents(&db).unwrap();
                    let new = found.keys().any(|key| key.starts_with(newest_keys.as_bytes()));
                    let old = found.keys().filter(|key| key.starts_with(b"old")).count();
                    assert!(!new || old == 5, "byte {offset}: a hole, {old} of 5 old keys");
                }
            }
        }
    }
}

/// A log that was needed lost its last part, or all of it, and was passed over like one that was never used.
#[test]
fn an_older_log_that_got_shorter_is_missed() {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    put(&db, "old", "value");
    db.rotate().unwrap();
    put(&db, "new", "value");
    let killed = disk.crash_image(Crash::KeepAll);
    drop(db);
    let oldest = names(&killed).into_iter().find(|name| matches!(name, FileName::Wal(_))).unwrap();
    for recovered in [false, true] {
        let disk = killed.fork();
        if recovered {
            put(&open(&shared(&disk), &by_hand()), "newest", "value");
        }
        for cut in 0..disk.read(oldest).unwrap().len() as u64 {
            let shorter = disk.fork();
            shorter.truncate(oldest, cut).unwrap();
            let error = try_open(&shared(&shorter), &by_hand()).map(drop).expect_err("a hole");
            assert_eq!(
                (error.kind(), error.file()),
                (ErrorKind::Corruption, Some(oldest)),
                "{cut}"
            );
        }
    }
}

/// A reader took a batch that ends early, in a record whose checksums are right, for the end of the log.
#[test]
fn a_cut_payload_with_right_checksums_is_corruption_not_the_end() {
    let batch = [put_entry(b"apple", b"red"), put_entry(b"fig", b"purple")].concat();
    for newest in [true, false] {
        for cut in 0..batch.len() {
            let log = LogForge::wal(6)
                .record(RecordFields::batch(1, 1), &put_entry(b"kept", b"value"))
                .record(RecordFields::batch(2, 2), &batch[..cut]);
            let log = if newest {
                log.finish()
            } else {
                log.record(RecordFields { kind: 2, ..RecordFields::batch(4, 0) }, b"").finish()
            };
            let disk = database(vec![EditForge::snapshot(6, 7, 0)], &[(FileName::Wal(6), log)]);
            let error = try_open(&shared(&disk), &by_hand()).map(drop).expect_err("a cut batch");
            assert_eq!(error.kind(), ErrorKind::Corruption, "cut at {cut}: {error}");
            assert_eq!(error.file(), Some(FileName::Wal(6)), "cut at {cut}: {error}");
        }
    }
}

/// A failed sync was tried again, succeeded, and bytes that the first one had lost were acknowledged; elsewhere syncs
/// were left out altogether after a handle had been closed.
#[test]
fn an_acknowledgement_follows_a_sync_and_a_failed_sync_is_final() {
    let disk = MemoryStorage::new();
    let (trace, storage) = StorageTrace::over(shared(&disk));
    let db = open(&storage, &by_hand());
    for index in 0..30 {
        trace.drain();
        db.put(format!("key{index}").as_bytes(), b"value").unwrap();
        let log = newest_log(&disk);
        assert_eq!(disk.durable_bytes(log), disk.read(log).unwrap().len() as u64, "write {index}");
        assert!(trace.drain().contains(&format!("sync {log}")), "write {index}");
        if index % 10 == 9 {
            db.rotate().unwrap();
        }
    }
    drop(db);
    for fault in [Fault::SyncError, Fault::LateSyncError] {
        let disk = MemoryStorage::new();
        let failing = FaultStorage::over_memory(&disk);
        let storage: Arc<dyn Storage> = Arc::new(failing.clone());
        let db = open(&storage, &by_hand());
        put(&db, "kept", "value");
        failing.inject(fault, 1, false);
        assert_eq!(db.put(b"lost", b"value").unwrap_err().kind(), ErrorKind::Io);
        let tried = failing.operations();
        for _ in 0..3 {
            assert_eq!(db.put(b"later", b"value").unwrap_err().kind(), ErrorKind::ReadOnly);
            assert_eq!(db.sync().unwrap_err().kind(), ErrorKind::ReadOnly);
        }
        drop(db);
        assert_eq!(failing.operations(), tried, "{fault:?}: it was tried again");
        let db = open(&shared(&disk.crash_image(Crash::KeepSynced)), &by_hand());
        assert_eq!(get(&db, "kept").as_deref(), Some("value"));
        assert_eq!(get(&db, "later"), None);
    }
}

/// Records appended while a sync was under way counted as synced, though nothing ever synced them.
#[test]
fn bytes_appended_during_a_sync_are_not_taken_for_synced() {
    let disk = MemoryStorage::new();
    let options = by_hand().memtable_bytes(4096).wal_sync(WalSync::None);
    let options = options.maintenance(Maintenance::Threads(1)).l0_trigger(4).l0_slowdown(8);
    let db = open(&shared(&disk), &options);
    let written = AtomicU64::new(0);
    let mut images = Vec::new();
    std::thread::scope(|scope| {
        let (db, written) = (&db, &written);
        scope.spawn(move || {
            for index in 1..=4000_u64 {
                put_unsynced(db, &format!("key{index:05}"), b"value");
                written.store(index, Ordering::SeqCst);
            }
        });
        // Once at least: on a busy machine the writer may be through before the first sync.
        while images.is_empty() || (written.load(Ordering::SeqCst) < 4000 && images.len() < 400) {
            let before = written.load(Ordering::SeqCst);
            db.sync().unwrap();
            images.push((before, disk.crash_image(Crash::KeepSynced)));
        }
    });
    drop(db);
    for (before, image) in images.iter().step_by(images.len().div_ceil(40)) {
        let found = contents(&open(&shared(image), &options)).unwrap();
        let count = found.len() as u64;
        assert!(count >= *before, "{before} writes were synced, {count} are there");
        let last = format!("key{count:05}").into_bytes();
        assert!(count == 0 || found.last_key_value().unwrap().0 == &last, "there is a hole");
    }
}
