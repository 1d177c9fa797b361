//! A missing log is noticed: later logs are never replayed without it.

use crate::common::*;
use crate::technique::Technique;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{
    Budget, Check, ErrorKind, Maintenance, Options, RepairOptions, StepOutcome, repair,
};
use std::sync::Arc;

fn options() -> Options {
    Options::default().memtable_bytes(256).immutable_count_max(64).maintenance(Maintenance::Manual)
}

fn logs(storage: &dyn Storage) -> Vec<FileName> {
    let names = storage.list().expect("lists");
    let names = names.iter().filter_map(|name| FileName::parse(name));
    names.filter(|name| matches!(name, FileName::Wal(_))).collect()
}

/// Removes each log in turn; returns those whose loss was not noticed.
fn unnoticed(memory: &MemoryStorage, model: &Model, context: &str) -> Vec<FileName> {
    let mut silent = Vec::new();
    for log in logs(memory) {
        let damaged = memory.fork();
        damaged.delete(log).expect("it is there");
        let storage: Arc<dyn Storage> = Arc::new(damaged);
        match try_open(&storage, &options()) {
            Ok(db) if contents(&db).expect("reads") == *model => {}
            Ok(_) => silent.push(log),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Corruption, "{context}: {error}");
                assert_eq!(error.file(), Some(log), "{context}: {error}");
            }
        }
    }
    silent
}

#[test]
fn every_log_of_a_closed_database_is_missed() {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let mut model = Model::new();
    for session in 0..3_u8 {
        let db = open(&storage, &options());
        for index in 0..12_u8 {
            db.put([index], [session; 40]).expect("the put works");
            model.insert(vec![index], vec![session; 40]);
        }
        drop(db);
        let live = logs(&*storage);
        assert!(live.len() > 3, "{live:?}");
        assert_eq!(unnoticed(&memory, &model, &format!("after session {session}")), []);
    }
}

/// Once an edit was written since the newest log was made, that one is missed too.
#[test]
fn the_newest_log_is_missed_once_the_manifest_names_it() {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let db = open(&storage, &options());
    db.put(b"a", b"1").expect("the put works");
    db.request_flush().expect("asked");
    while db.step(Budget::Job).expect("steps") != StepOutcome::Idle {}
    db.put(b"b", b"2").expect("the put works");
    drop(db);
    let model = Model::from([(b"a".to_vec(), b"1".to_vec()), (b"b".to_vec(), b"2".to_vec())]);
    assert_eq!(logs(&memory).len(), 1);
    assert_eq!(unnoticed(&memory, &model, "after a flush"), []);
}

/// Random histories with flushes, compactions and sessions that write nothing.
#[test]
fn no_history_hides_a_missing_log() {
    let mut technique = Technique::new("missing logs", 12);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x1065);
        let memory = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(memory.clone());
        let mut db = open(&storage, &options());
        let mut model = Model::new();
        for op in random_script(&mut random, 80) {
            if let Op::Reopen = op {
                drop(db);
                drop(open(&storage, &options()));
                db = open(&storage, &options());
                continue;
            }
            run(&db, &op).expect("the operation works");
            apply_to_model(&mut model, &op);
        }
        let killed = memory.fork();
        drop(db);
        let live = logs(&memory);
        assert_eq!(unnoticed(&memory, &model, &format!("seed {seed}")), []);
        let silent = unnoticed(&killed, &model, &format!("seed {seed}, killed"));
        assert!(silent.is_empty() || silent == live[live.len() - 1..], "{silent:?} of {live:?}");
        technique.count(live.len() as u64);
    }
}

/// The log of a new database, and that of any session until its memtable is rotated, is missed although no edit of a
/// flush names it.
#[test]
fn the_log_that_opening_made_is_missed() {
    for session in 0..3_u8 {
        let memory = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(memory.clone());
        for before in 0..session {
            open(&storage, &options()).put([before], b"value").expect("the put works");
        }
        let db = open(&storage, &options());
        db.put("newest", "value").expect("the put works");
        let model = contents(&db).expect("reads");
        let killed = memory.fork();
        assert_eq!(unnoticed(&killed, &model, &format!("{session} sessions before")), []);
    }
}

/// A closed log of which the end was cut off, or that an older copy has replaced, is not taken for one that a crash has
/// torn. Opening, check and repair report the same.
#[test]
fn a_closed_log_that_lost_its_end_is_damaged() {
    let memory = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let db = open(&storage, &options());
    db.put("a", "1").expect("the put works");
    db.put("b", "2").expect("the put works");
    db.close().expect("closes");
    let [log] = logs(&memory)[..] else { panic!("one log") };
    let good = memory.read(log).expect("reads");
    for length in 0..good.len() {
        let damaged = memory.fork();
        damaged.put(&log.to_string(), &good[..length]);
        let storage: Arc<dyn Storage> = Arc::new(damaged);
        let error = try_open(&storage, &options()).expect_err("refused");
        assert_eq!((error.kind(), error.file()), (ErrorKind::Corruption, Some(log)), "{length}");
        let found = Check::new(Arc::clone(&storage)).unwrap().run().unwrap();
        let first = found.problems().into_iter().next().expect("a problem");
        assert!(first.starts_with(&log.to_string()) && first.ends_with(error.message()), "{first}");
        let target: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let report = repair(storage, target, &RepairOptions::default()).expect("repairs");
        assert!(!report.is_complete(), "{length}: {report:?}");
    }
}
