//! A missing log is noticed: later logs are never replayed without it.

use crate::common::*;
use crate::technique::Technique;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{Budget, ErrorKind, Maintenance, Options, StepOutcome};
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
fn every_log_but_the_newest_is_missed() {
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
        let silent = unnoticed(&memory, &model, &format!("after session {session}"));
        assert!(silent.is_empty() || silent == live[live.len() - 1..], "{silent:?} of {live:?}");
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
        drop(db);
        let live = logs(&memory);
        let silent = unnoticed(&memory, &model, &format!("seed {seed}"));
        assert!(silent.is_empty() || silent == live[live.len() - 1..], "{silent:?} of {live:?}");
        technique.count(live.len() as u64);
    }
}
