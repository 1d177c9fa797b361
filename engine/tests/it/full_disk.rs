//! Disks without space: the files on them, and how a database gets out of that state.

use crate::common::*;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, FileName, MemoryStorage, Storage};
use levelscope::testing::crash::after_each_operation;
use levelscope::{Budget, Check, Db, ErrorKind, Maintenance, Options, StepOutcome};
use std::sync::{Arc, Mutex};

fn options() -> Options {
    small().memtable_bytes(1024).l0_trigger(2)
}

fn small() -> Options {
    Options::default().maintenance(Maintenance::Manual).level_base_bytes(4096)
}

fn shared(disk: &MemoryStorage) -> Arc<dyn Storage> {
    Arc::new(disk.clone())
}

fn names(disk: &MemoryStorage) -> Vec<String> {
    let mut names = disk.list().unwrap();
    names.retain(|name| name != "LOCK");
    names.sort();
    names
}

fn work_off(db: &Db) -> levelscope::Result<()> {
    while db.step(Budget::Job)? != StepOutcome::Idle {}
    Ok(())
}

/// A database with a few tables and a log, closed or as a killed process leaves it, and its content.
fn filled(close: bool) -> (MemoryStorage, Model) {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &options());
    for index in 0..60_u8 {
        db.put([index % 20], [index; 60]).unwrap();
        work_off(&db).unwrap();
    }
    let model = contents(&db).unwrap();
    if close {
        db.close().unwrap();
        return (disk, model);
    }
    let killed = disk.fork();
    (killed, model)
}

/// Partial outputs of a compaction that failed stayed, so that the disk stayed full.
#[test]
fn a_job_that_fails_leaves_no_table() {
    for fault in [Fault::OutOfSpace, Fault::Io, Fault::ShortWrite, Fault::SyncError] {
        for at in 1.. {
            let (disk, model) = filled(true);
            let failing = FaultStorage::over_memory(&disk);
            let db = open_watched(Arc::new(failing.clone()), options(), None).unwrap();
            db.rotate().unwrap();
            db.request_flush().unwrap();
            db.request_compaction(None).unwrap();
            failing.inject(fault, at, false);
            let failed = work_off(&db).is_err();
            if failing.injected() == 0 {
                break;
            }
            let context = format!("{fault:?} at {at}");
            assert_eq!(contents(&db).unwrap(), model, "{context}");
            failing.heal();
            assert_eq!(db.close().is_err(), failed, "{context}");
            let found = Check::new(shared(&disk)).unwrap().run().unwrap();
            assert!(found.problems().is_empty(), "{context}: {:?}", found.problems());
            let db = open(&shared(&disk), &options());
            assert_eq!(contents(&db).unwrap(), model, "{context}");
            // Before its edit nothing names the outputs; an edit that failed may be on the disk.
            drop(db);
        }
    }
}

#[test]
fn closing_deletes_the_outputs_of_running_jobs() {
    let (disk, model) = filled(true);
    let db = open(&shared(&disk), &options());
    db.put("key", "value").unwrap();
    db.request_flush().unwrap();
    while !names(&disk).iter().any(|name| is_table_being_written(&db, name)) {
        db.step(Budget::Phase).unwrap();
    }
    let tables = tables_of(&db);
    db.close().unwrap();
    assert_eq!(tables_on(&disk), tables);
    assert_eq!(contents(&open(&shared(&disk), &options())).unwrap().len(), model.len() + 1);
}

fn is_table_being_written(db: &Db, name: &str) -> bool {
    matches!(FileName::parse(name), Some(FileName::Table(number)) if !tables_of(db).contains(&number))
}

fn tables_of(db: &Db) -> Vec<u64> {
    let view = db.view();
    let tables = view.levels.iter().flat_map(|level| &level.tables);
    let mut tables: Vec<u64> = tables.map(|table| table.table).collect();
    tables.sort_unstable();
    tables
}

fn tables_on(disk: &MemoryStorage) -> Vec<u64> {
    let names = names(disk);
    let tables = names.iter().filter_map(|name| match FileName::parse(name) {
        Some(FileName::Table(number)) => Some(number),
        _ => None,
    });
    tables.collect()
}

/// Opening wrote its manifest before it deleted the partial outputs, so it never came to that.
#[test]
fn opening_on_a_full_disk_deletes_obsolete_tables_first() {
    for close in [true, false] {
        let (disk, model) = filled(close);
        let table = names(&disk)
            .into_iter()
            .find(|name| name.split('.').any(|part| part == "sst"))
            .unwrap();
        let bytes = disk.read(FileName::parse(&table).unwrap()).unwrap();
        disk.put("000999.sst", &bytes);
        let full = FaultStorage::over_memory(&disk);
        full.set_capacity(Some(disk.total_bytes()));
        let db = open_watched(Arc::new(full.clone()), options(), None).unwrap();
        assert!(full.injected() > 0, "it had no space at first");
        assert_eq!(contents(&db).unwrap(), model);
        assert!(!names(&disk).contains(&"000999.sst".to_owned()));
        db.put("key", "value").unwrap();
        db.close().unwrap();
    }
}

/// Each attempt left one more empty manifest.
#[test]
fn openings_that_find_no_space_leave_nothing_and_reading_works() {
    let (disk, model) = filled(true);
    // A first opening sweeps the remainders of the session before.
    open(&shared(&disk), &options()).close().unwrap();
    let before = names(&disk);
    let full = FaultStorage::over_memory(&disk);
    for free in 0..500 {
        full.set_capacity(Some(disk.total_bytes() + free));
        match open_watched(Arc::new(full.clone()), options(), None) {
            Ok(db) => {
                assert!(free > 0);
                assert_eq!(contents(&db).unwrap(), model);
                return;
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::OutOfSpace, "{free} free: {error}"),
        }
        let opened = Db::builder().read_only().open_in(Arc::new(full.clone())).unwrap();
        assert_eq!(contents(&opened).unwrap(), model, "{free} free");
        let new = names(&disk).iter().filter(|name| !before.contains(name)).count();
        assert!(new <= 2, "{free} free: {:?}", names(&disk));
    }
    panic!("there is space enough for a manifest and a log");
}

/// With inline maintenance a failed flush of a replayed log failed the opening, with threads it did not.
#[test]
fn entries_that_opening_cannot_flush_can_be_read_in_every_maintenance_mode() {
    for maintenance in [Maintenance::Inline, Maintenance::Threads(1)] {
        let disk = MemoryStorage::new();
        // Manual: the memtables wait for their flush when the process is killed.
        let db = open(&shared(&disk), &options());
        for index in 0..20_u8 {
            db.put([index], [index; 60]).unwrap();
        }
        let (model, killed) = (contents(&db).unwrap(), disk.fork());
        let full = FaultStorage::over_memory(&killed);
        full.set_capacity(Some(killed.total_bytes() + 700));
        let options = options().maintenance(maintenance);
        let db = open_watched(Arc::new(full.clone()), options.clone(), None).unwrap();
        assert_eq!(contents(&db).unwrap(), model, "{maintenance:?}");
        let refused = (0..50).find_map(|_| db.put("key", [7; 60]).err());
        let refused = refused.unwrap().to_string();
        assert!(refused.contains("no space"), "{maintenance:?}: {refused}");
        let _ = db.close();
        full.set_capacity(None);
        let db = open_watched(Arc::new(full), options, None).unwrap();
        db.put("key", "value").unwrap();
    }
}

/// Files that are deleted early must be obsolete also after a loss of power, which may bring back an older manifest.
#[test]
fn deleting_early_is_safe_whatever_was_only_in_the_page_cache() {
    let disk = MemoryStorage::new();
    let frames = Arc::new(Mutex::new(Vec::new()));
    let taken = Arc::clone(&frames);
    let storage = after_each_operation(&disk, move |_, _, disk| {
        taken.lock().unwrap().push(disk.fork());
    });
    let mut models = Vec::new();
    for session in 0..3_u8 {
        let db = open(&storage, &options());
        for index in 0..12_u8 {
            db.put([index], [session; 60]).unwrap();
            models.push(contents(&db).unwrap());
        }
        db.request_flush().unwrap();
        work_off(&db).unwrap();
    }
    let frames = std::mem::take(&mut *frames.lock().unwrap());
    let mut early = 0;
    for (index, frame) in frames.iter().enumerate().filter(|(index, _)| index % 3 == 0) {
        let expected = contents(&open(&shared(&frame.fork()), &options())).unwrap();
        for at in 1.. {
            let disk = frame.fork();
            let failing = FaultStorage::over_memory(&disk);
            failing.inject(Fault::OutOfSpace, at, false);
            let opened = open_watched(Arc::new(failing.clone()), options(), None);
            if failing.injected() == 0 {
                break;
            }
            early += usize::from(opened.is_ok());
            for crash in [Crash::KeepSynced, Crash::Random(index as u64)] {
                let context = format!("after operation {index}, no space at {at}, {crash:?}");
                let image = disk.crash_image(crash);
                let db = open_watched(shared(&image), options(), None);
                let db = db.unwrap_or_else(|error| panic!("{context}: {error}"));
                let found = contents(&db).unwrap();
                assert!(
                    found == expected || models.contains(&found) || found.is_empty(),
                    "{context}"
                );
                if opened.is_ok() {
                    assert_eq!(found, expected, "{context}: what was recovered stays");
                }
                assert_eq!(db.check().unwrap().problems(), Vec::<String>::new(), "{context}");
            }
        }
    }
    assert!(early > 10, "only {early} openings came through without space");
}
