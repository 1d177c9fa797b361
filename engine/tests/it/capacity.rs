//! Disks that fill up: at every 512 bytes of the way through flush, compaction and opening.

use crate::common::*;
use levelscope::storage::fault::FaultStorage;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{Budget, Db, ErrorKind, Maintenance, Options, Result, StepOutcome};
use std::sync::Arc;

const STEP_BYTES: u64 = 512;

fn options() -> Options {
    Options::default()
        .memtable_bytes(32 << 10)
        .table_bytes(32 << 10)
        .block_bytes(1024)
        .l0_trigger(100)
        .l0_stall(1000)
        .immutable_count_max(60)
        .maintenance(Maintenance::Manual)
}

/// A closed database with two tables in L0, one in L1, and memtables in its log.
fn prepared() -> (MemoryStorage, Model) {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &options());
    let mut random = Random(0xd15c);
    let mut model = Model::new();
    for round in 0..4 {
        for _ in 0..60 {
            let key = format!("key{:03}", random.below(200)).into_bytes();
            let value = random.bytes(400);
            db.put(&key, &value).unwrap();
            model.insert(key, value);
        }
        if round < 3 {
            db.request_flush().unwrap();
            while db.step(Budget::Job).unwrap() != StepOutcome::Idle {}
        }
        if round == 0 {
            db.request_compaction(Some(0)).unwrap();
            while db.step(Budget::Job).unwrap() != StepOutcome::Idle {}
        }
    }
    drop(db);
    (disk, model)
}

/// The work while the disk fills up: opening, a flush, a compaction, more writes.
fn work(storage: &Arc<dyn Storage>, acknowledged: &mut Model) -> Result<()> {
    let db = try_open(storage, &options())?;
    db.request_flush()?;
    jobs(&db)?;
    db.request_compaction(Some(0))?;
    jobs(&db)?;
    for index in 0..40 {
        let (key, value) = (format!("more{index:03}").into_bytes(), vec![b'v'; 500]);
        db.put(&key, &value)?;
        acknowledged.insert(key, value);
    }
    db.request_flush()?;
    jobs(&db)
}

fn jobs(db: &Db) -> Result<()> {
    while db.step(Budget::Job)? != StepOutcome::Idle {}
    Ok(())
}

/// Tables and logs on the disk that the open database does not name.
fn orphans(disk: &MemoryStorage, db: &Db) -> Vec<FileName> {
    let view = db.view();
    let tables: Vec<u64> = view
        .levels
        .iter()
        .flat_map(|level| level.tables.iter().map(|info| info.table))
        .chain(view.jobs.iter().flat_map(|job| job.outputs.iter().copied()))
        .collect();
    let named = |name: &FileName| match name {
        FileName::Table(number) => tables.contains(number),
        FileName::Wal(number) => view.wals.iter().any(|wal| wal.wal == *number),
        // The one before is kept to fall back on.
        FileName::Manifest(_) | FileName::Current | FileName::Lock | FileName::Other(_) => true,
    };
    let names = disk.list().unwrap();
    names.iter().filter_map(|name| FileName::parse(name)).filter(|name| !named(name)).collect()
}

/// A full disk left jobs that could never be repeated, or orphan files that were never deleted.
#[test]
fn a_job_that_met_a_full_disk_can_be_done_again() {
    let (prepared, model) = prepared();
    let mut technique = Technique::new("full disk at every step", 1);
    let stride = (STEP_BYTES / crate::technique::effort().min(64)).max(64);
    while let Some(seed) = technique.next_seed() {
        for room in (seed % stride..).step_by(stride as usize) {
            let disk = prepared.fork();
            let full = FaultStorage::over_memory(&disk);
            let storage: Arc<dyn Storage> = Arc::new(full.clone());
            full.set_capacity(Some(full.used_bytes() + room));
            let mut wanted = model.clone();
            let outcome = work(&storage, &mut wanted);
            let context = format!("{room} bytes were left");
            technique.count(1);
            if outcome.is_ok() && full.injected() == 0 {
                break;
            }
            if let Err(error) = &outcome {
                let kinds = [ErrorKind::OutOfSpace, ErrorKind::ReadOnly];
                assert!(kinds.contains(&error.kind()), "{context}: {error}");
            }
            full.set_capacity(None);
            verify_again(&disk, &wanted, &context);
        }
    }
}

/// With space again: the content is right, there is no orphan file, and every job can be done.
fn verify_again(disk: &MemoryStorage, wanted: &Model, context: &str) {
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &options());
    let found = contents(&db).unwrap();
    // The write that failed may be there: it was begun.
    let unacknowledged = found.iter().filter(|(key, _)| !wanted.contains_key(*key)).count();
    assert!(unacknowledged <= 1, "{context}: {unacknowledged} writes too many");
    assert!(wanted.iter().all(|(key, value)| found.get(key) == Some(value)), "{context}");
    assert_eq!(orphans(disk, &db), [], "{context}: left over");
    let manifests = disk.list().unwrap().iter().filter(|name| name.starts_with("MAN")).count();
    assert!(manifests <= 2, "{context}: {manifests} manifests");
    db.request_flush().unwrap();
    jobs(&db).unwrap_or_else(|error| panic!("{context}: {error}"));
    db.request_compaction(None).unwrap();
    jobs(&db).unwrap_or_else(|error| panic!("{context}: {error}"));
    assert_eq!(contents(&db).unwrap(), found, "{context}");
    assert_eq!(orphans(disk, &db), [], "{context}: left over after jobs");
    assert_eq!(db.check().unwrap().problems(), Vec::<String>::new(), "{context}");
}
