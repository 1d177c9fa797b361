//! Manifests with right checksums and claims that no database makes: levels without end, families without end, a
//! family that is added twice.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::common::frames::{Style, push_record, push_string, push_varint};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::manifest::Manifest;
use levelscope_foreign::{CountedFiles, Engine, MemoryFiles, Severity};

const NAME: &str = "MANIFEST-000001";

/// The first edit of a manifest.
fn first(comparator: &[u8]) -> Vec<u8> {
    let mut edit = Vec::new();
    push_varint(&mut edit, 1);
    push_string(&mut edit, comparator);
    for (tag, value) in [(2, 4), (3, 5), (4, 0)] {
        push_varint(&mut edit, tag);
        push_varint(&mut edit, value);
    }
    edit
}

/// An edit that adds tables, each with its level and number.
fn adding(tables: &[(u64, u64)]) -> Vec<u8> {
    let mut edit = Vec::new();
    for (level, number) in tables {
        push_varint(&mut edit, 7);
        for value in [*level, *number, 100] {
            push_varint(&mut edit, value);
        }
        for key in [b"a", b"b"] {
            let key = [key.as_slice(), &0x0101u64.to_le_bytes()].concat();
            push_string(&mut edit, &key);
        }
    }
    edit
}

/// A manifest of these edits.
fn files(edits: &[Vec<u8>]) -> MemoryFiles {
    let mut manifest = Vec::new();
    for edit in edits {
        push_record(&mut manifest, Style::Plain, edit);
    }
    let current = format!("{NAME}\n").into_bytes();
    let all = [(NAME, manifest), ("CURRENT", current), ("IDENTITY", b"a".to_vec())];
    MemoryFiles::new(all.map(|(name, content)| (name.to_owned(), content)))
}

fn open(engine: Engine, edits: &[Vec<u8>]) -> Manifest {
    Manifest::open(&files(edits), NAME, engine).unwrap()
}

#[test]
fn a_level_that_no_database_has_is_named_and_the_rest_of_its_edit_counts() {
    let deepest = u64::from(u32::MAX);
    let edits = [
        first(b"leveldb.BytewiseComparator"),
        adding(&[(0, 10), (64, 11), (63, 12), (deepest, 13)]),
        adding(&[(1, 14)]),
    ];
    let files = files(&edits);
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    assert_eq!(directory.engine(), Engine::RocksDb);
    let state = directory.state();
    let found = state.families[&0].levels.iter();
    let found: Vec<(u32, u64)> = found.map(|(level, all)| (*level, all[0].number)).collect();
    assert_eq!(found, [(0, 10), (1, 14), (63, 12)]);
    let problems = directory.manifest().problems();
    let offset = directory.manifest().edits()[1].offset;
    assert_eq!(problems.len(), 2, "{problems:?}");
    for (problem, (number, level)) in problems.iter().zip([(11, 64), (13, deepest)]) {
        assert_eq!((problem.severity, problem.offset), (Severity::Error, Some(offset)));
        let expected = format!("table {number} is added to level {level}");
        assert!(problem.message.contains(&expected), "{problem:?}");
    }
    // The picture of it has a line for each level down to the deepest one.
    assert_eq!(directory.levels(0, None).unwrap().levels.len(), 64);
}

#[test]
fn pebble_and_leveldb_have_seven_levels_and_read_no_edit_about_another_one() {
    let comparator = [(Engine::LevelDb, "leveldb.BytewiseComparator")];
    let comparator = comparator.into_iter().chain([(Engine::Pebble, "pebble.ComparerNamed")]);
    for (engine, name) in comparator {
        let edits = [first(name.as_bytes()), adding(&[(6, 10)]), adding(&[(7, 11)]), adding(&[])];
        let manifest = open(engine, &edits);
        assert_eq!(manifest.edits().len(), 2, "{engine:?}");
        let problem = &manifest.problems()[0];
        let is_expected = problem.message.starts_with("level of tag 7: 7, but there are 7 levels");
        assert!(is_expected, "{problem:?}");
        assert_eq!(problem.file, NAME);
        assert!(problem.offset > Some(manifest.edits()[1].offset), "{problem:?}");
    }
}

/// The edit that adds a family.
fn family(id: u64, name: &str) -> Vec<u8> {
    let mut edit = Vec::new();
    push_varint(&mut edit, 200);
    push_varint(&mut edit, id);
    push_varint(&mut edit, 201);
    push_string(&mut edit, name.as_bytes());
    edit
}

#[test]
fn a_family_that_is_added_twice_is_named_and_stays_as_it_was() {
    let dropping = |id| {
        let mut edit = Vec::new();
        push_varint(&mut edit, 200);
        push_varint(&mut edit, id);
        push_varint(&mut edit, 202);
        edit
    };
    let edits = [
        first(b"leveldb.BytewiseComparator"),
        family(1, "a"),
        family(0, "x"),
        family(1, "b"),
        family(2, "a"),
        dropping(1),
        dropping(2),
        family(3, "a"),
    ];
    let manifest = open(Engine::RocksDb, &edits);
    let names: Vec<&str> = manifest.last().families.values().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["default", "a"]);
    let found: Vec<(Severity, Option<u64>, &str)> = manifest
        .problems()
        .iter()
        .map(|problem| (problem.severity, problem.offset, problem.message.as_str()))
        .collect();
    let at = |edit: usize| Some(manifest.edits()[edit].offset);
    let expected = [
        (
            Severity::Error,
            at(2),
            "edit 2: family 0 is added as \"x\", but is there already as \"default\", which it stays",
        ),
        (
            Severity::Error,
            at(3),
            "edit 3: family 1 is added as \"b\", but is there already as \"a\", which it stays",
        ),
        (Severity::Note, at(4), "edit 4: family 2 has the name \"a\", which family 1 has, too"),
    ];
    assert_eq!(found, expected);
}
