//! Histories of recovery: crashes upon crashes, and starts that fail.

use super::*;
use levelscope::event::{EventKind, EventSink, Grain, Recorder};
use levelscope::storage::Crash;
use levelscope::storage::fault::{Fault, FaultStorage};

/// The torn tail of a first crash was fine, until a second crash came right after recovery had made a newer
/// log: then the old tail stood in a log that was not the newest, and counted as damage.
#[test]
fn an_old_torn_tail_survives_two_crashes_in_a_row() {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    put(&db, "synced", "value");
    (0..6).for_each(|index| put_unsynced(&db, &format!("unsynced{index}"), &value(index, 300)));
    let log = newest_log(&disk);
    let (synced, length) = (disk.durable_bytes(log), disk.read(log).unwrap().len() as u64);
    for cut in (synced..length).step_by(41) {
        let torn = disk.fork();
        torn.truncate(log, cut).unwrap();
        let first = torn.crash_image(Crash::KeepAll);
        let (film, storage) = Film::over(&first);
        let db = open(&storage, &by_hand());
        let recovered = contents(&db).unwrap();
        let opened = film.len();
        put(&db, "second", "value");
        for (index, (operation, frame)) in film.frames().into_iter().enumerate() {
            for crash in [Crash::KeepAll, Crash::KeepSynced, Crash::Random(cut << 8 | index as u64)]
            {
                let context = format!("cut to {cut}, crash after {operation}, {crash:?}");
                let db = try_open(&shared(&frame.crash_image(crash)), &by_hand());
                let mut found = contents(&db.expect(&context)).unwrap();
                if index >= opened {
                    found.remove(&b"second"[..]);
                }
                assert_eq!(found, recovered, "{context}");
            }
        }
    }
}

/// Each failed start wrote the logs anew before it failed, so that recovery took longer every time, until
/// it was killed for taking too long.
#[test]
fn twenty_failed_starts_leave_no_longer_recovery() {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    (0..200).for_each(|index| db.put(format!("key{index}").as_bytes(), value(index, 50)).unwrap());
    let disk = disk.crash_image(Crash::KeepAll);
    drop(db);
    let model = contents(&open(&shared(&disk.fork()), &by_hand())).unwrap();
    let replayed = |disk: &MemoryStorage| {
        let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
        let sink: Arc<dyn EventSink> = recorder.clone();
        let db = open_watched(shared(disk), by_hand(), Some(sink)).unwrap();
        assert_eq!(contents(&db).unwrap(), model);
        drop(db);
        let (events, _) = recorder.drain();
        let entries = events.iter().map(|event| match event.kind {
            EventKind::RecoveryWal { entries, .. } => entries,
            _ => 0,
        });
        (entries.sum::<u64>(), disk.total_bytes())
    };
    let (entries, bytes) = replayed(&disk.fork());
    for at in 1..=18 {
        let disk = disk.fork();
        for _ in 0..20 {
            let failing = FaultStorage::over_memory(&disk);
            failing.inject(Fault::OutOfSpace, at, true);
            let storage: Arc<dyn Storage> = Arc::new(failing);
            drop(try_open(&storage, &by_hand()));
        }
        let (entries_then, bytes_then) = replayed(&disk);
        assert_eq!(entries_then, entries, "failing at {at}: more is replayed");
        // The manifest notes each log that had no clean end, and a start may close one more.
        assert!(bytes_then <= bytes + 4096, "failing at {at}: {bytes} became {bytes_then} bytes");
    }
}

/// A crash during a compaction left more tables in L0 than its trigger, and after reopening nothing ever
/// compacted them.
#[test]
fn an_l0_left_too_high_is_compacted_after_reopening() {
    let options = by_hand().l0_trigger(3).level_base_bytes(4096);
    let disk = MemoryStorage::new();
    let (film, storage) = Film::over(&disk);
    let db = open(&storage, &options);
    for table in 0..3 {
        (0..20)
            .for_each(|index| db.put(format!("key{index}").as_bytes(), value(table, 40)).unwrap());
        db.request_flush().unwrap();
        while db.view().levels[0].tables.len() <= table {
            db.step(Budget::Phase).unwrap();
        }
    }
    let begun = film.len();
    settle(&db);
    let model = contents(&db).unwrap();
    drop(db);
    let frames = film.frames();
    assert!(frames.len() > begun + 5, "there was a compaction");
    let low = |db: &Db| db.view().levels[0].tables.len() < 3;
    for (operation, frame) in &frames[begun..] {
        for crash in [Crash::KeepAll, Crash::KeepSynced] {
            let db = open(&shared(&frame.crash_image(crash)), &options);
            if !low(&db) {
                assert!(db.has_work() && db.next_step().is_some(), "after {operation}, {crash:?}");
            }
            settle(&db);
            assert!(low(&db), "after {operation}, {crash:?}");
            assert_eq!(contents(&db).unwrap(), model, "after {operation}, {crash:?}");
        }
        for maintenance in [Maintenance::Inline, Maintenance::Threads(1)] {
            let disk = frame.crash_image(Crash::KeepSynced);
            let db = open(&shared(&disk), &options.clone().maintenance(maintenance));
            put(&db, "one", "more");
            db.request_flush().unwrap();
            // Who asks for a flush does not wait for a thread's compaction.
            let compacted = (0..20_000).any(|_| {
                std::thread::sleep(std::time::Duration::from_millis(u64::from(!low(&db))));
                low(&db)
            });
            assert!(compacted, "after {operation}, {maintenance:?}");
        }
    }
}
