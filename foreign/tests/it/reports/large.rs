//! Reports on manifests with very many families, steps and tables.
#![allow(
    clippy::cast_possible_truncation,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test that measures time and prints it"
)]

use crate::common::frames::{Style, push_record, push_string, push_varint};
use levelscope_foreign::directory::Checked;
use levelscope_foreign::manifest::Manifest;
use levelscope_foreign::options::OptionsFile;
use levelscope_foreign::report::{Cell, Evidence, Question, Report, Shares, answer};
use levelscope_foreign::{Engine, MemoryFiles};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A manifest in the making.
#[derive(Default)]
struct Made {
    manifest: Vec<u8>,
    options: String,
    families: u32,
}

impl Made {
    fn edit(&mut self, edit: &[u8]) {
        push_record(&mut self.manifest, Style::Plain, edit);
    }

    /// The first records of a new database, with `families`.
    fn begin(families: u32) -> Self {
        let mut made = Self { families, ..Self::default() };
        made.options.push_str("[Version]\n rocksdb_version=11.8.1\n[DBOptions]\n");
        for id in 0..families {
            let name = if id == 0 { "default".to_owned() } else { format!("f{id}") };
            let mut edit = Vec::new();
            for (tag, value) in [(200, u64::from(id)), (2, 1), (3, 10), (4, 1)] {
                push_varint(&mut edit, tag);
                push_varint(&mut edit, value);
            }
            push_varint(&mut edit, 1);
            push_string(&mut edit, b"leveldb.BytewiseComparator");
            if id > 0 {
                push_varint(&mut edit, 201);
                push_string(&mut edit, name.as_bytes());
            }
            made.edit(&edit);
            let _ = write!(
                made.options,
                "[CFOptions \"{name}\"]\n compaction_style=kCompactionStyleLevel\n num_levels=7\n \
                 max_bytes_for_level_base=1000\n max_bytes_for_level_multiplier=10.0\n \
                 level0_file_num_compaction_trigger=4\n"
            );
        }
        made
    }

    /// Adds a table of 100 bytes with two keys.
    fn push_table(edit: &mut Vec<u8>, level: u64, number: u64, keys: (u64, u64)) {
        push_varint(edit, 103);
        for value in [level, number, 100] {
            push_varint(edit, value);
        }
        for key in [keys.0, keys.1] {
            let key = format!("key{key:09}");
            push_string(edit, &[key.as_bytes(), &0x0001_0001u64.to_le_bytes()].concat());
        }
        for value in [number, number, 1] {
            push_varint(edit, value);
        }
    }

    fn answer(self, question: Question) -> Report {
        let files = MemoryFiles::new([
            ("MANIFEST-000001".to_owned(), self.manifest),
            ("OPTIONS-000002".to_owned(), self.options.into_bytes()),
        ]);
        let manifest = Manifest::open(&files, "MANIFEST-000001", Engine::RocksDb).unwrap();
        assert_eq!(manifest.problems(), []);
        assert_eq!(manifest.last().families.len(), self.families as usize);
        let options = OptionsFile::read(&files).unwrap();
        let evidence = Evidence {
            files: &files,
            manifest: Some(&manifest),
            state: manifest.last(),
            options: options.as_ref(),
            events: None,
            summaries: &BTreeMap::new(),
            shares: &Shares::of(manifest.last()),
            logs: None,
            checked: Checked::default(),
            problems: &[],
        };
        let start = processor_ms();
        let report = answer(question, &evidence, None);
        println!("{} in {} ms of processor time", report.id, processor_ms() - start);
        report
    }
}

/// The processor time of this thread in milliseconds (Linux), so that other programs do not count.
fn processor_ms() -> u64 {
    let all = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = all.split(' ').next().and_then(|number| number.parse::<u64>().ok());
    nanoseconds.unwrap_or(0) / 1_000_000
}

/// Each step is a flush of one family of many.
fn many_families(families: u32, steps: u64) -> Made {
    let mut made = Made::begin(families);
    for step in 0..steps {
        let mut edit = Vec::new();
        let family = step % u64::from(families);
        for (tag, value) in [(200, family), (2, step + 2), (3, step + 11), (4, step + 1)] {
            push_varint(&mut edit, tag);
            push_varint(&mut edit, value);
        }
        Made::push_table(&mut edit, 0, step + 10, (step, step + 5));
        made.edit(&edit);
    }
    made
}

/// One family: a third of the tables in level 0, all over one another, the others in two levels below.
fn many_tables(tables: u64) -> Made {
    let mut made = Made::begin(1);
    for first in (0..tables).step_by(1000) {
        let mut edit = Vec::new();
        for (tag, value) in [(2, first + 2), (3, tables + 20), (4, first + 1000)] {
            push_varint(&mut edit, tag);
            push_varint(&mut edit, value);
        }
        for place in first..tables.min(first + 1000) {
            let keys = match place % 3 {
                0 => (place, 2 * tables),
                _ => (place, place),
            };
            Made::push_table(&mut edit, [0, 5, 6][(place % 3) as usize], place + 10, keys);
        }
        made.edit(&edit);
    }
    made
}

fn number(report: &Report, label: &str) -> u64 {
    match report.figure_named(label) {
        Some(Cell::Number(number)) => *number,
        other => panic!("{label} is {other:?} in {:?}", report.figures),
    }
}

#[test]
fn stalls_of_many_families_are_those_of_each_one() {
    let report = many_families(30, 300).answer(Question::Stalls);
    // Ten files of 100 bytes in level 0 of each: over the trigger of 4.
    assert_eq!(number(&report, "Largest compaction debt, estimated"), 1000);
    assert_eq!(number(&report, "Compaction debt now, estimated"), 1000);
    let level0 = many_families(30, 300).answer(Question::LevelZero);
    assert_eq!(number(&level0, "Most files in level 0"), 10);
    assert_eq!(number(&level0, "Most files of level 0 over one key"), 1);
}

#[test]
fn files_of_level_0_over_one_key_are_counted_exactly() {
    let report = many_tables(3000).answer(Question::LevelZero);
    assert_eq!(number(&report, "Most files in level 0"), 1000);
    assert_eq!(number(&report, "Most files of level 0 over one key"), 1000);
    let cover = many_tables(300).answer(Question::Cover);
    // All hundred of level 0 and nothing below lie over the last of them.
    assert_eq!(number(&cover, "Read amplification"), 101);
}

/// Run it by hand:
/// `cargo test --release -p levelscope-foreign --test it large -- --ignored --nocapture --test-threads 1`.
#[test]
#[ignore = "it takes seconds, and measures"]
fn reports_of_large_manifests_take_their_size() {
    for (families, steps) in [(1000, 10_000), (2000, 20_000), (4000, 40_000)] {
        println!("{families} families, {steps} steps");
        many_families(families, steps).answer(Question::Stalls);
        many_families(families, steps).answer(Question::LevelZero);
    }
    for tables in [25_000, 50_000, 100_000] {
        println!("{tables} tables");
        for question in [Question::LevelZero, Question::Scans, Question::Cover, Question::Stalls] {
            many_tables(tables).answer(question);
        }
    }
}
