//! Reads that fail: every call with a failed read returns the error.

use crate::common::*;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{Budget, Db, ErrorKind, Maintenance, Options, Result, ScanOptions, StepOutcome};
use std::sync::Arc;

fn options() -> Options {
    Options::default()
        .memtable_bytes(2048)
        .block_bytes(128)
        .table_bytes(1024)
        .cache_bytes(0)
        .open_tables_max(4)
        .l0_trigger(100)
        .l0_stall(1000)
        .immutable_count_max(60)
        .maintenance(Maintenance::Manual)
}

/// A closed database with tables in three levels and data in its log.
fn prepared() -> MemoryStorage {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &options());
    for round in 0..4 {
        for index in 0..40 {
            db.put(format!("key{index:03}").as_bytes(), vec![b'v'; 20 + round]).unwrap();
        }
        if round < 3 {
            db.request_flush().unwrap();
            while db.step(Budget::Job).unwrap() != StepOutcome::Idle {}
            for level in 0..2 - round.min(2) {
                db.request_compaction(Some(level)).unwrap();
                while db.step(Budget::Job).unwrap() != StepOutcome::Idle {}
            }
        }
    }
    drop(db);
    disk
}

/// A call and its name.
type Call = (&'static str, fn(&Db) -> Result<()>);

/// Every call that reads files. A check reports a failed read among its findings.
const CALLS: [Call; 9] = [
    ("get", |db| db.get(b"key007").map(drop)),
    ("get of nothing", |db| db.get(b"key007x").map(drop)),
    ("scan", |db| contents(db).map(drop)),
    ("backward scan", |db| {
        let mut iterator = db.iter(&ScanOptions::default())?;
        iterator.seek_to_last()?;
        while iterator.valid() {
            iterator.prev()?;
        }
        Ok(())
    }),
    ("check", |db| match db.check()?.problems().first() {
        None => Ok(()),
        Some(problem) => Err(levelscope::Error::new(ErrorKind::Io, problem.clone())),
    }),
    ("read", |db| db.read_file(FileName::Current).map(drop)),
    ("layout", |db| db.inspect(FileName::Current).map(drop)),
    ("flush", |db| {
        db.request_flush()?;
        while db.step(Budget::Job)? != StepOutcome::Idle {}
        Ok(())
    }),
    ("compaction", |db| {
        db.request_compaction(Some(0))?;
        while db.step(Budget::Job)? != StepOutcome::Idle {}
        Ok(())
    }),
];

/// Read errors were silently taken for the end of a file, or for an absent key.
#[test]
fn every_injected_read_error_surfaces() {
    let mut technique = Technique::new("read errors", 1);
    technique.next_seed();
    let prepared = prepared();
    let (mut injected, mut surfaced) = (0, 0);
    for fault in [Fault::ReadError, Fault::ShortRead] {
        for forever in [false, true] {
            for at in 1.. {
                let failing = FaultStorage::over_memory(&prepared.fork());
                let storage: Arc<dyn Storage> = Arc::new(failing.clone());
                failing.inject(fault, at, forever);
                let mut before = 0;
                let mut heard = |what: &str, failed: bool| {
                    let now = failing.injected();
                    let context = format!("{fault:?} at {at}, for ever: {forever}, {what}");
                    if now > before {
                        assert!(failed, "{context}: an error was swallowed");
                        surfaced += 1;
                        injected += 1;
                    }
                    before = now;
                };
                let opened = try_open(&storage, &options());
                heard("open", opened.is_err());
                if let Ok(db) = opened {
                    for (what, call) in CALLS {
                        heard(what, call(&db).is_err());
                    }
                }
                technique.count(1);
                if failing.injected() == 0 {
                    break;
                }
            }
        }
    }
    println!("calls with injected read errors: {injected}, surfaced: {surfaced}");
    assert!(injected > 500, "only {injected} calls met an error");
}
