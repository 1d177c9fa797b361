//! Directories of very many families and of very many tables: time and memory grow with their number, not with its
//! square.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints what it measured"
)]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

mod common;

use common::frames::{Style, push_record, push_string, push_varint};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::manifest::Manifest;
use levelscope_foreign::{CountedFiles, Engine, MemoryFiles};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, usize::MAX);

const NAME: &str = "MANIFEST-000001";

/// The processor time of this thread in milliseconds (Linux), so that other programs do not count.
fn processor_ms() -> u64 {
    let all = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = all.split(' ').next().and_then(|number| number.parse::<u64>().ok());
    nanoseconds.unwrap_or(0) / 1_000_000
}

fn files(edits: impl Iterator<Item = Vec<u8>>) -> MemoryFiles {
    MemoryFiles::new(contents(edits))
}

/// The same, with tables of `numbers` that are damaged from their beginning.
fn with_damaged_tables(numbers: std::ops::Range<u64>) -> MemoryFiles {
    let tables = numbers.clone().map(|number| (format!("{number:06}.sst"), b"damaged".to_vec()));
    MemoryFiles::new(contents(numbers.map(table)).into_iter().chain(tables))
}

fn contents(edits: impl Iterator<Item = Vec<u8>>) -> [(String, Vec<u8>); 3] {
    let mut first = Vec::new();
    push_varint(&mut first, 1);
    push_string(&mut first, b"leveldb.BytewiseComparator");
    for (tag, value) in [(2, 4), (3, 5), (4, 0)] {
        push_varint(&mut first, tag);
        push_varint(&mut first, value);
    }
    let mut manifest = Vec::new();
    push_record(&mut manifest, Style::Plain, &first);
    for edit in edits {
        push_record(&mut manifest, Style::Plain, &edit);
    }
    let current = format!("{NAME}\n").into_bytes();
    let all = [(NAME, manifest), ("CURRENT", current), ("IDENTITY", b"a".to_vec())];
    all.map(|(name, content)| (name.to_owned(), content))
}

/// Lets one test run at a time: all of them count the memory and the time of the whole process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The edit that adds a family.
fn family(id: u64) -> Vec<u8> {
    let mut edit = Vec::new();
    push_varint(&mut edit, 200);
    push_varint(&mut edit, id);
    push_varint(&mut edit, 201);
    push_string(&mut edit, format!("f{id}").as_bytes());
    edit
}

/// The edit that adds a table to level 0.
fn table(number: u64) -> Vec<u8> {
    let mut edit = Vec::new();
    push_varint(&mut edit, 7);
    for value in [0, number, 100] {
        push_varint(&mut edit, value);
    }
    for key in [b"a", b"b"] {
        let key = [key.as_slice(), &0x0101u64.to_le_bytes()].concat();
        push_string(&mut edit, &key);
    }
    edit
}

#[test]
fn kept_states_of_very_many_families_take_a_bounded_part_of_memory() {
    let _alone = alone();
    let files = files((1..=60_000).map(family));
    let before = ALLOCATOR.allocated();
    let start = processor_ms();
    let manifest = Manifest::open(&files, NAME, Engine::RocksDb).unwrap();
    let kept = (ALLOCATOR.allocated() - before) >> 20;
    println!("opened in {} ms, {kept} MiB are kept", processor_ms() - start);
    assert_eq!(manifest.last().families.len(), 60_001);
    assert!(kept < 300, "{kept} MiB");
}

#[test]
fn the_levels_of_all_families_cost_few_states() {
    let _alone = alone();
    let files = files((1..=3000).map(family));
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    directory.counted().begin();
    let start = processor_ms();
    for id in directory.state().families.keys() {
        assert_eq!(directory.levels(*id, None).unwrap().levels.len(), 1);
    }
    let reads = directory.counted().end();
    let of_manifest = reads.iter().filter(|(name, _, _)| name == NAME).count();
    println!("{of_manifest} reads of the manifest, {} ms", processor_ms() - start);
    assert!(of_manifest <= 12, "{of_manifest} reads of the manifest");
}

#[test]
fn a_check_of_very_many_tables_takes_time_in_proportion() {
    let _alone = alone();
    let took = |count: u64| {
        let files = with_damaged_tables(10..10 + count);
        let files = CountedFiles::new(&files);
        let directory = Directory::open(&files).unwrap();
        let targets = directory.check_targets();
        assert_eq!(targets.len() as u64, count);
        let start = processor_ms();
        let mut damaged = 0;
        for target in &targets {
            directory.check(target, false, &mut |problem| {
                assert_eq!(problem.level, Some(0));
                damaged += 1;
            });
        }
        assert_eq!(damaged, count);
        // Later answers count what the check has found.
        let marked = directory.levels(0, None).unwrap();
        let marked = marked.levels[0].tables.iter().filter(|table| table.is_damaged).count();
        assert_eq!(marked as u64, count);
        processor_ms() - start
    };
    let (few, many) = (took(4000), took(64_000));
    println!("4000 tables: {few} ms, 64,000 tables: {many} ms");
    // Sixteen times the tables; a search through all of them for each takes 256 times the time.
    assert!(many <= 64 * few.max(4), "{few} ms, then {many} ms");
}

#[test]
fn a_replay_of_very_many_families_takes_time_in_proportion() {
    let _alone = alone();
    let took = |count: u64| {
        let files = files((1..=count).map(family));
        let files = CountedFiles::new(&files);
        let directory = Directory::open(&files).unwrap();
        let start = processor_ms();
        let report = directory.report("replay", None, None).unwrap();
        assert!(report.answer.starts_with("No table came or went in"), "{}", report.answer);
        processor_ms() - start
    };
    let (few, many) = (took(2500), took(40_000));
    println!("2500 families: {few} ms, 40,000 families: {many} ms");
    assert!(many <= 64 * few.max(4), "{few} ms, then {many} ms");
}

/// 200,000 tables that are not there took 1.2 GB, and a scan searched through all tables for each of them.
#[test]
fn answers_about_very_many_missing_tables_have_a_bounded_number_of_findings() {
    let _alone = alone();
    let files = files((10..6010).map(table));
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    let overview = directory.overview().unwrap();
    // The last one is the log that the manifest names.
    assert_eq!(overview.problems.len(), 1_002);
    let rest = overview.problems.iter().find(|problem| problem.file == NAME).unwrap();
    assert_eq!(rest.message, "5,000 more tables that the levels name are missing and not listed");
    let part = levelscope_foreign::query::Part { limit: 5, ..Default::default() };
    let rows = directory.rows(0, &part).unwrap();
    assert_eq!(rows.problems.len(), 101);
    assert!(rows.problems[100].message.ends_with("parts besides could not be read"));
    let lookup = directory.lookup(0, b"a", None).unwrap();
    assert_eq!(lookup.problems.len(), 101);
    let levels = directory.levels(0, None).unwrap();
    assert!(levels.levels[0].tables.iter().all(|table| table.is_missing));
    // The directory keeps these findings, a bounded number, too.
    assert!(directory.findings().len() <= 1_201, "{}", directory.findings().len());
}
