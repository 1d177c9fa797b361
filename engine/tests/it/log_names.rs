//! The name of a new log becomes durable later than the log is made, but before anything in it is promised to be.

use crate::common::*;
use levelscope::event::{Event, EventKind, Grain, Recorder};
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, MemoryStorage, Storage};
use levelscope::{Db, Maintenance, Options, WalSync};
use std::sync::Arc;

fn options(wal_sync: WalSync) -> Options {
    Options::default().wal_sync(wal_sync).maintenance(Maintenance::Manual)
}

fn open(storage: impl Storage + 'static, options: Options) -> Db {
    open_watched(Arc::new(storage), options, None).expect("the database opens")
}

/// The disk after a loss of power: only synced bytes and names.
fn after_power_loss(disk: &MemoryStorage) -> Model {
    let db = open(disk.crash_image(Crash::KeepSynced), options(WalSync::Each));
    assert!(db.check().unwrap().problems().is_empty());
    contents(&db).unwrap()
}

fn model(keys: &[&str]) -> Model {
    keys.iter().map(|key| (key.as_bytes().to_vec(), b"value".to_vec())).collect()
}

#[test]
fn writes_acknowledged_after_a_rotation_survive_a_loss_of_power() {
    for wal_sync in [WalSync::Each, WalSync::Group, WalSync::Interval(1), WalSync::None] {
        let disk = MemoryStorage::new();
        let db = open(disk.clone(), options(wal_sync));
        for (index, key) in ["a", "b", "c"].iter().enumerate() {
            db.put(key, "value").unwrap();
            if wal_sync == WalSync::None {
                db.sync().unwrap();
            }
            assert_eq!(after_power_loss(&disk), model(&["a", "b", "c"][..=index]), "{wal_sync:?}");
            assert!(db.rotate().unwrap());
        }
    }
}

#[test]
fn logs_of_several_rotations_are_durable_up_to_the_newest() {
    let disk = MemoryStorage::new();
    let db = open(disk.clone(), options(WalSync::None));
    for key in ["a", "b", "c"] {
        db.put(key, "value").unwrap();
        db.rotate().unwrap();
    }
    db.put("d", "value").unwrap();
    // The last log was promised nothing: it may be gone, name and all.
    assert_eq!(after_power_loss(&disk), model(&["a", "b", "c"]));
}

#[test]
fn closing_right_after_a_rotation_keeps_everything() {
    let disk = MemoryStorage::new();
    let db = open(disk.clone(), options(WalSync::None));
    db.put("a", "value").unwrap();
    db.rotate().unwrap();
    db.put("b", "value").unwrap();
    db.close().unwrap();
    assert_eq!(after_power_loss(&disk), model(&["a", "b"]));
}

#[test]
fn a_name_that_cannot_be_made_durable_takes_no_buffered_write_with_it() {
    for close in [false, true] {
        let disk = MemoryStorage::new();
        let failing = FaultStorage::over_memory(&disk);
        let buffered = options(WalSync::None).wal_buffer_bytes(64 << 10);
        let recorder = Arc::new(Recorder::new(1000, Grain::Phase));
        let sink = Some(Arc::clone(&recorder) as _);
        let db = open_watched(Arc::new(failing.clone()), buffered, sink).unwrap();
        db.put("a", "value").unwrap();
        db.rotate().unwrap();
        db.put("b", "value").unwrap();
        // The buffer is written, and then the directory synced.
        failing.inject(Fault::Io, 2, false);
        let outcome = if close { db.close() } else { db.sync() };
        assert_eq!(outcome.unwrap_err().file(), None, "the directory has failed, not the log");
        drop(db);
        let failed = |event: &Event| matches!(event.kind, EventKind::WalFailed { .. });
        assert!(!recorder.drain().0.iter().any(failed), "no write to the log has failed");
        assert_eq!(contents(&open(disk, options(WalSync::Each))).unwrap(), model(&["a", "b"]));
    }
}
