//! Kinds of steps, lives of files, spans of fields, sublevels.
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

use crate::common::{engine_of, fixture};
use levelscope_foreign::manifest::{Life, LifeEvent, Manifest, Span, StepKind, decode, sublevels};
use levelscope_foreign::{Comparator, Engine, InternalKey, TableFile};
use std::sync::Arc;

fn open(name: &str) -> Manifest {
    crate::common::manifest(&fixture(name))
}

fn kinds(name: &str) -> Vec<&'static str> {
    open(name).steps().iter().map(|step| step.kind.word()).collect()
}

#[test]
fn kinds_of_steps_follow_from_the_edits() {
    assert_eq!(
        kinds("p_virtual_tables"),
        ["snapshot", "flush", "move", "ingestion", "excise", "flush"]
    );
    assert_eq!(
        kinds("x_ingested")[..7],
        [
            "snapshot",
            "bookkeeping",
            "flush",
            "bookkeeping",
            "ingestion",
            "bookkeeping",
            "ingestion"
        ]
    );
    assert_eq!(kinds("c_families")[2..6], ["family created"; 4]);
    assert!(kinds("c_families").contains(&"family dropped"));
    assert!(kinds("m_fifo").contains(&"deletion"));
    assert!(kinds("h_history").contains(&"compaction"));
    // The manifest was replaced while the database ran: its first edit is no recovery.
    assert_eq!(kinds("h_manifest_rolled")[..2], ["snapshot", "flush"]);
    assert!(!kinds("l_history").contains(&"recovery"));
}

/// A manifest of one snapshot and one edit with table `number` in level 0 and log number `log`.
fn first_step(engine: Engine, log: u64, number: u64) -> StepKind {
    use crate::common::frames::{Style, push_record, push_string, push_varint};
    let table = |edit: &mut Vec<u8>, number: u64| {
        for field in [7, 0, number, 1000] {
            push_varint(edit, field);
        }
        push_string(edit, b"a\x01\x01\0\0\0\0\0\0");
        push_string(edit, b"b\x01\x01\0\0\0\0\0\0");
    };
    let mut snapshot = Vec::new();
    push_varint(&mut snapshot, 1);
    push_string(&mut snapshot, b"leveldb.BytewiseComparator");
    table(&mut snapshot, 35);
    let mut edit = Vec::new();
    for (tag, value) in [(2, log), (3, 50), (4, 9)] {
        push_varint(&mut edit, tag);
        push_varint(&mut edit, value);
    }
    table(&mut edit, number);
    let mut file = Vec::new();
    push_record(&mut file, Style::Plain, &snapshot);
    push_record(&mut file, Style::Plain, &edit);
    let name = "MANIFEST-000040";
    let files = levelscope_foreign::MemoryFiles::new([(name.to_owned(), file)]);
    let manifest = Manifest::open(&files, name, engine).unwrap();
    assert_eq!(manifest.steps().len(), 2);
    manifest.steps()[1].kind
}

#[test]
fn the_number_of_the_log_distinguishes_recovery_from_a_flush() {
    assert_eq!(first_step(Engine::RocksDb, 37, 38), StepKind::Flush);
    assert_eq!(first_step(Engine::RocksDb, 35, 36), StepKind::Recovery, "35 is a table");
    assert_eq!(first_step(Engine::RocksDb, 38, 38), StepKind::Recovery);
    for engine in [Engine::LevelDb, Engine::Pebble] {
        assert_eq!(first_step(engine, 37, 38), StepKind::Flush);
        assert_eq!(first_step(engine, 39, 38), StepKind::Recovery);
    }
}

#[test]
fn the_life_of_a_file_has_all_its_events() {
    let manifest = open("p_virtual_tables");
    let life = |edit, event| Life { edit, step: Some(edit), event };
    assert_eq!(
        manifest.life(5),
        [
            life(1, LifeEvent::Born { level: 0 }),
            life(2, LifeEvent::Moved { from: 0, to: 6 }),
            life(3, LifeEvent::Died { level: 6 }),
        ]
    );
    assert_eq!(manifest.life(12), [life(5, LifeEvent::Born { level: 0 })]);
    assert_eq!(manifest.life(999), []);
    // A dropped family takes its tables along.
    let manifest = open("c_families");
    let last = manifest.life(19).last().copied().unwrap();
    assert_eq!(last.event, LifeEvent::Died { level: 0 });
    assert_eq!(manifest.steps()[last.step.unwrap()].kind, StepKind::FamilyDropped);
}

#[test]
fn files_that_virtual_tables_share_keep_their_size() {
    let state = open("p_virtual_tables").last().clone();
    assert_eq!(state.backings.get(&5), Some(&22_564));
}

#[test]
fn the_spans_of_an_edit_name_each_of_its_bytes_once() {
    for name in
        ["c_atomic_flush", "b_blob_garbage", "p_virtual_tables", "p_blob_files", "l_history"]
    {
        let fixture = fixture(name);
        let engine = engine_of(&fixture.json);
        let manifest = open(name);
        for index in 0..manifest.edits().len() {
            let (record, edit) = manifest.edit(&fixture.files, index).unwrap();
            let mut spans: Vec<Span> = Vec::new();
            let mut note = |span| spans.push(span);
            assert_eq!(decode(engine, &record.data, Some(&mut note)).unwrap(), edit);
            let mut next = 0;
            for span in &spans {
                assert_eq!(span.offset, next, "{name}: edit {index}: {span:?}");
                next += span.bytes;
            }
            assert_eq!(next, record.data.len(), "{name}: edit {index}");
        }
    }
}

#[test]
fn a_failure_names_the_tag_and_the_offset() {
    let error = |engine, bytes: &[u8]| decode(engine, bytes, None).unwrap_err();
    let unknown = error(Engine::RocksDb, &[2, 5, 0x96, 0x01]);
    assert_eq!((unknown.message(), unknown.offset()), ("unknown tag 150", Some(2)));
    assert_eq!(error(Engine::LevelDb, &[0xc8, 0x01, 0]).message(), "unknown tag 200");
    let newer = error(Engine::Pebble, &[110, 0]);
    assert_eq!(newer.kind(), levelscope_foreign::ErrorKind::NotRead);
    let short = error(Engine::RocksDb, &[7, 0]);
    assert!(short.message().starts_with("file number of tag 7"), "{short}");
}

fn table(number: u64, smallest: &str, largest: &str, exclusive: bool) -> Arc<TableFile> {
    let key = |user_key: &str, sequence| InternalKey {
        user_key: user_key.as_bytes().to_vec(),
        sequence,
        kind: 1,
    };
    let end = if exclusive { levelscope_foreign::key::SEQUENCE_MAX } else { number };
    let mut table = TableFile::clone(&open("l_history").last().families[&0].levels[&1][0]);
    table.number = number;
    table.smallest = key(smallest, number);
    table.largest = key(largest, end);
    table.smallest_sequence = Some(number);
    table.largest_sequence = Some(number);
    Arc::new(table)
}

#[test]
fn a_table_is_one_sublevel_above_what_it_overlaps() {
    // Newest first, as in a state.
    let tables = [
        table(6, "e", "f", false),
        table(5, "m", "p", false),
        table(4, "c", "e", true),
        table(3, "b", "d", false),
        table(2, "k", "z", false),
        table(1, "a", "c", false),
    ];
    let found = sublevels(&tables, Comparator::Bytewise);
    let numbers: Vec<Vec<u64>> = found
        .iter()
        .map(|level| level.iter().map(|place| tables[*place].number).collect())
        .collect();
    // 4 ends before "e", so 6 does not overlap it.
    assert_eq!(numbers, [vec![1, 6, 2], vec![3, 5], vec![4]]);
    assert_eq!(sublevels(&tables, Comparator::Unknown).len(), 6);
}
