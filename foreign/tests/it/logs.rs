//! Logs of real databases, compared with the output of the real libraries.
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

use crate::common::{Fixture, engine_of};
use levelscope_foreign::batch::{Batch, Item, Replay, Written};
use levelscope_foreign::directory::Logs;
use levelscope_foreign::frame::{End, LogKind, Records};
use levelscope_foreign::manifest::Manifest;
use levelscope_foreign::name::FileName;
use levelscope_foreign::{Engine, Files as _};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn open<'f>(fixture: &'f Fixture, name: &str) -> Records<'f> {
    let FileName::Log { number, .. } = FileName::parse(name) else { panic!("{name}") };
    let kind = LogKind::Log { engine: engine_of(&fixture.json), number };
    Records::open(&fixture.files, name, kind).unwrap()
}

/// What a log holds, in the words of the fixtures.
#[derive(Default)]
struct Summary {
    batches: u64,
    first: Option<u64>,
    last: u64,
    operations: BTreeMap<String, u64>,
}

fn summary(fixture: &Fixture, name: &str) -> (Summary, End) {
    let mut records = open(fixture, name);
    let mut summary = Summary::default();
    loop {
        while let Some(record) = records.read().unwrap() {
            let batch = Batch::open(engine_of(&fixture.json), &record.data).unwrap();
            summary.batches += 1;
            summary.first.get_or_insert(batch.sequence);
            summary.last = batch.last_sequence();
            for item in batch.items() {
                *summary.operations.entry(word(&item.unwrap().item)).or_default() += 1;
            }
        }
        let end = records.end().unwrap().clone();
        let resumed = fixture.name != "d_log_flip" && records.resume().unwrap();
        if !resumed {
            return (summary, end);
        }
    }
}

fn word(item: &Item<'_>) -> String {
    match item {
        Item::Operation(operation) => format!("{}/{}", operation.family, operation.kind.word()),
        Item::Note(_) => "log_data".to_owned(),
        Item::Noop => "noop".to_owned(),
        Item::BeginPrepare(_) => "begin_prepare".to_owned(),
        Item::EndPrepare(_) => "end_prepare".to_owned(),
        Item::Commit { .. } => "commit".to_owned(),
        Item::Rollback(_) => "rollback".to_owned(),
        Item::Ingested { .. } => "ingested".to_owned(),
        Item::Excised { .. } => "excised".to_owned(),
    }
}

#[test]
fn every_log_has_the_batches_of_the_library() {
    let mut compared = 0;
    for fixture in crate::common::fixtures(&[""]) {
        let Some(logs) = fixture.json["logs"].as_object() else { continue };
        for (name, expected) in logs {
            let at = format!("{}: {name}", fixture.name);
            let (found, end) = summary(&fixture, name);
            if fixture.name == "d_log_flip" {
                // The library's own tool goes on after the damage; see the test of the damaged log.
                assert!(matches!(end, End::Damaged(_)), "{at}: {end:?}");
                continue;
            }
            compared += 1;
            assert_eq!(json!(found.batches), expected["batches"], "{at}");
            assert_eq!(json!(found.operations), expected["operations"], "{at}");
            if found.batches > 0 {
                assert_eq!(json!(found.first), expected["first_seq"], "{at}");
                assert_eq!(json!(found.last), expected["last_seq"], "{at}");
            }
        }
    }
    assert!(compared > 20, "{compared} logs were compared");
}

/// What the logs that count add to the memory of each family.
fn replayed(fixture: &Fixture) -> (BTreeMap<u32, Vec<Written>>, Replay) {
    let manifest = fixture.json["manifest"]["name"].as_str().unwrap();
    let engine = engine_of(&fixture.json);
    let manifest = Manifest::open(&fixture.files, manifest, engine).unwrap();
    let state = manifest.last();
    let mut written: BTreeMap<u32, Vec<Written>> = BTreeMap::new();
    let mut replay = Replay::default();
    let mut logs: Vec<(u64, &str)> = Vec::new();
    for file in fixture.files.list() {
        if let FileName::Log { number, .. } = FileName::parse(&file.name) {
            logs.push((number, &file.name));
        }
    }
    logs.sort_unstable();
    for (number, name) in logs.into_iter().filter(|(number, _)| *number >= state.min_log_number) {
        let mut records = open(fixture, name);
        while let Some(record) = records.read().unwrap() {
            let batch = Batch::open(engine, &record.data).unwrap();
            let take = |one: Written| {
                let family = state.families.get(&one.family);
                if family.is_some_and(|family| number >= family.log_number) {
                    written.entry(one.family).or_default().push(one);
                }
            };
            replay.apply(&batch, take).unwrap();
        }
    }
    (written, replay)
}

#[test]
fn the_logs_add_as_many_entries_as_the_library_replays() {
    let mut compared = 0;
    for fixture in crate::common::fixtures(&[""]) {
        let opened = fixture.json["open"]["open_read_only"].as_str();
        if opened != Some("OK") {
            continue;
        }
        let (written, _) = replayed(&fixture);
        for family in fixture.json["column_families"].as_array().unwrap() {
            let Some(entries) = family["log_entries"].as_u64() else { continue };
            let id = u32::try_from(family["id"].as_u64().unwrap()).unwrap();
            let found = written.get(&id).map_or(&[][..], Vec::as_slice);
            let at = format!("{}: {}", fixture.name, family["name"]);
            assert_eq!(found.len() as u64, entries, "{at}: entries");
            let deletes = found.iter().filter(|one| one.kind.is_delete()).count();
            assert_eq!(json!(deletes), family["log_deletes"], "{at}: deletes");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared} families were compared");
}

#[test]
fn prepared_transactions_without_a_commit_are_pending() {
    let fixture = crate::common::fixture("w_prepared_transaction");
    let (_, replay) = replayed(&fixture);
    let pending = replay.pending();
    assert_eq!(pending.len(), 1, "{pending:?}");
    assert!(!pending[0].operations.is_empty());
}

#[test]
fn the_end_of_a_log_is_recognized() {
    let end = |fixture: &str, log: &str| summary(&crate::common::fixture(fixture), log).1;
    assert_eq!(end("w_unclean", "000010.log"), End::Clean);
    assert!(matches!(end("w_recycled", "000014.log"), End::Recycled { .. }));
    assert!(matches!(end("d_log_torn", "000010.log"), End::Torn { .. }));
    assert!(matches!(end("dp_log_torn", "000004.log"), End::Torn { .. }));
}

#[test]
fn after_damage_the_records_that_follow_can_be_read() {
    let fixture = crate::common::fixture("d_log_flip");
    let mut records = open(&fixture, "000010.log");
    let mut before = 0;
    while records.read().unwrap().is_some() {
        before += 1;
    }
    let Some(End::Damaged(error)) = records.end() else { panic!("{:?}", records.end()) };
    assert!(error.offset().is_some_and(|at| at <= 5971), "{error}");
    assert_eq!(error.file(), Some("000010.log"));
    let mut after = 0;
    while records.resume().unwrap() {
        while records.read().unwrap().is_some() {
            after += 1;
        }
    }
    // The sound log has 64; the damaged record is lost.
    assert_eq!(before + after, 63, "{before} and {after}");
}

#[test]
fn logs_of_pebble_and_leveldb_are_read_to_their_ends() {
    let mut read = 0;
    for fixture in crate::common::fixtures(&[""]) {
        if fixture.json["engine"] == "rocksdb" || fixture.json["damage"] != Value::Null {
            continue;
        }
        let names = fixture.files.list().iter().map(|file| file.name.as_str());
        let is_log = |name: &&str| matches!(FileName::parse(name), FileName::Log { .. });
        for log in names.filter(is_log) {
            let (summary, end) = summary(&fixture, log);
            let at = format!("{}: {log}: {end:?}", fixture.name);
            assert!(matches!(end, End::Clean | End::Recycled { .. }), "{at}");
            read += summary.batches;
        }
    }
    assert!(read > 900, "{read} batches");
}

/// All entries are in tables, but a transaction was prepared in the log and waits for its commit.
#[test]
fn a_log_that_is_kept_for_a_prepared_transaction_is_read() {
    let fixture = crate::common::fixture("w_prepared_transaction");
    let manifest = Manifest::open(&fixture.files, "MANIFEST-000005", Engine::RocksDb).unwrap();
    let mut state = manifest.last().as_ref().clone();
    state.min_log_number = 4;
    for family in state.families.values_mut() {
        family.log_number = 9;
    }
    let logs = Logs::read(&fixture.files, &state, true).unwrap();
    assert!(logs.files[0].counts);
    assert!(!logs.pending.is_empty());
    assert!(logs.pending.iter().all(|pending| pending.log == 4));
    let entries: usize = state.families.keys().map(|family| logs.entries_of(*family).0).sum();
    assert_eq!(entries, 0, "tables have them");
    let logs = Logs::read(&fixture.files, &state, false).unwrap();
    assert!(!logs.files[0].counts && logs.pending.is_empty());
}
