//! Closing: durable writes, reported failures and remaining files.

use crate::common::*;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, FileName, MemoryStorage, Storage};
use levelscope::{Budget, Check, Db, Maintenance, Options, RepairOptions, WalSync, repair};
use std::sync::Arc;

fn options() -> Options {
    Options::default().wal_sync(WalSync::None).maintenance(Maintenance::Manual)
}

fn open_over(disk: &MemoryStorage) -> (FaultStorage, Db) {
    let failing = FaultStorage::over_memory(disk);
    let db = open_watched(Arc::new(failing.clone()), options(), None).unwrap();
    (failing, db)
}

fn after_power_loss(disk: &MemoryStorage) -> Model {
    let image: Arc<dyn Storage> = Arc::new(disk.crash_image(Crash::KeepSynced));
    let db = open(&image, &options());
    assert!(db.check().unwrap().problems().is_empty());
    contents(&db).unwrap()
}

/// A flush that failed was not reported, and the writes after its rotation were not durable.
#[test]
fn closing_reports_a_failed_flush_and_makes_all_writes_durable() {
    for fault in [Fault::Io, Fault::OutOfSpace] {
        let disk = MemoryStorage::new();
        let (failing, db) = open_over(&disk);
        db.put("a", "1").unwrap();
        db.rotate().unwrap();
        db.put("later", "2").unwrap();
        failing.inject(fault, 1, false);
        let failure = db.step(Budget::Job).unwrap_err();
        assert!(matches!(failure.file(), Some(FileName::Table(_))), "{failure}");
        let closed = db.close().unwrap_err();
        assert_eq!(closed, failure, "{fault:?}");
        db.close().expect("it is closed already");
        drop(db);
        let model = after_power_loss(&disk);
        assert!(model.contains_key(&b"later"[..]), "{fault:?}: {model:?}");
    }
}

/// A crash kept the clean end of a log and mangled the zeros that had been written ahead: opening was refused.
#[test]
fn mangled_zeros_after_a_clean_end_do_not_count() {
    let disk = MemoryStorage::new();
    let (_, db) = open_over(&disk);
    db.put("a", "1").unwrap();
    db.close().unwrap();
    let model = contents(&open(&shared(&disk.fork()), &options())).unwrap();
    let names = disk.list().unwrap();
    let log = names.iter().find(|name| name.split('.').any(|part| part == "wal")).unwrap();
    let mut bytes = disk.read(FileName::parse(log).unwrap()).unwrap();
    bytes.resize(3072, 0);
    bytes.resize(3584, 0xa5);
    bytes.resize(4096, 0);
    disk.put(log, &bytes);
    let found = Check::new(shared(&disk)).unwrap().run().unwrap();
    assert_eq!(found.problems(), Vec::<String>::new());
    let target = shared(&MemoryStorage::new());
    let report = repair(shared(&disk), Arc::clone(&target), &RepairOptions::default()).unwrap();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(contents(&open(&target, &options())).unwrap(), model);
    assert_eq!(contents(&open(&shared(&disk), &options())).unwrap(), model);
}

fn shared(disk: &MemoryStorage) -> Arc<dyn Storage> {
    Arc::new(disk.clone())
}
