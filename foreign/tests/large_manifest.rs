//! A manifest of 100,000 edits and 100 MB: time and memory of opening it. Run it by hand:
//! `cargo test --release -p levelscope-foreign --test large_manifest -- --ignored --nocapture`.
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

mod common;

use common::frames::{Style, push_record, push_string, push_varint};
use levelscope_foreign::manifest::Manifest;
use levelscope_foreign::{Engine, FileInfo, Files, MemoryFiles, Result};
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, usize::MAX);

/// Notes at every read how much memory is taken.
struct WatchedReads {
    files: MemoryFiles,
    most: AtomicUsize,
}

impl Files for WatchedReads {
    fn list(&self) -> &[FileInfo] {
        self.files.list()
    }

    fn read_at(&self, name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.most.fetch_max(ALLOCATOR.allocated(), Ordering::Relaxed);
        assert!(buffer.len() <= 1 << 20, "reads are at most 1 MiB");
        self.files.read_at(name, offset, buffer)
    }
}

/// The processor time of this thread in milliseconds (Linux), so that other programs do not count.
fn processor_ms() -> u64 {
    let all = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = all.split(' ').next().and_then(|number| number.parse::<u64>().ok());
    nanoseconds.unwrap_or(0) / 1_000_000
}

fn internal_key(user_key: &[u8]) -> Vec<u8> {
    [user_key, &0x0001_0001u64.to_le_bytes()].concat()
}

fn push_table(edit: &mut Vec<u8>, level: u64, number: u64, place: u64) {
    push_varint(edit, 103);
    push_varint(edit, level);
    push_varint(edit, number);
    push_varint(edit, 64 << 20);
    for end in [0, 1] {
        let key = format!("tenant/00000042/orders/{:012}/row", place * 2 + end);
        push_string(edit, &internal_key(key.as_bytes()));
    }
    push_varint(edit, number * 1000);
    push_varint(edit, number * 1000 + 999);
    push_varint(edit, 6);
    push_string(edit, &[0x80, 0x80, 0x80, 0x80, 0x06]);
    push_varint(edit, 12);
    push_string(edit, &[7; 16]);
    push_varint(edit, 13);
    push_string(edit, &[9]);
    push_varint(edit, 1);
}

fn numbers(edit: &mut Vec<u8>, next: u64) {
    for (tag, value) in [(2, next), (3, next), (4, next * 1000)] {
        push_varint(edit, tag);
        push_varint(edit, value);
    }
}

/// A manifest with `live` tables after each of `edits` compactions.
fn generated(live: u64, edits: u64) -> Vec<u8> {
    let mut file = Vec::new();
    let mut snapshot = Vec::new();
    push_varint(&mut snapshot, 1);
    push_string(&mut snapshot, b"leveldb.BytewiseComparator");
    let mut tables: Vec<u64> = (10..10 + live).collect();
    for (place, number) in tables.iter().enumerate() {
        push_table(&mut snapshot, 6, *number, place as u64);
    }
    push_record(&mut file, Style::Plain, &snapshot);
    let mut next = 10 + live;
    for round in 0..edits {
        let mut edit = Vec::new();
        numbers(&mut edit, next);
        for turn in 0..6u64 {
            let place = ((round * 7919 + turn * 104_729) % live) as usize;
            let old = std::mem::replace(&mut tables[place], next);
            push_varint(&mut edit, 6);
            push_varint(&mut edit, 6);
            push_varint(&mut edit, old);
            push_table(&mut edit, 6, next, place as u64);
            next += 1;
        }
        push_record(&mut file, Style::Plain, &edit);
    }
    file
}

fn open(live: u64, edits: u64) -> (Manifest, WatchedReads) {
    let file = generated(live, edits);
    println!("{live} tables, {edits} edits, {} bytes", file.len());
    let files = MemoryFiles::new([("MANIFEST-000001".to_owned(), file)]);
    let files = WatchedReads { files, most: AtomicUsize::new(0) };
    let before = ALLOCATOR.allocated();
    let start = processor_ms();
    let manifest = Manifest::open(&files, "MANIFEST-000001", Engine::RocksDb).unwrap();
    let most = files.most.load(Ordering::Relaxed) - before;
    let kept = ALLOCATOR.allocated() - before;
    println!(
        "opened in {} ms; at most {} MiB, {} MiB are kept",
        processor_ms() - start,
        most >> 20,
        kept >> 20
    );
    assert!(most < 300 << 20, "{most} bytes");
    assert_eq!(manifest.problems(), []);
    (manifest, files)
}

#[test]
#[ignore = "it takes seconds and 400 MiB"]
fn a_manifest_of_100_mb_opens_in_seconds() {
    let (manifest, files) = open(10_000, 100_000);
    let start = processor_ms();
    for step in (0..manifest.steps().len()).step_by(9973) {
        let state = manifest.state_at(&files, step).unwrap();
        assert_eq!(state.families[&0].levels[&6].len(), 10_000);
    }
    println!("11 states in {} ms", processor_ms() - start);
    let start = processor_ms();
    let mut state = manifest.state_at(&files, 50_000).unwrap();
    for step in 50_001..50_101 {
        state = manifest.state_near(&files, step, Some((step - 1, &state))).unwrap();
    }
    println!("100 states one after the other in {} ms", processor_ms() - start);
    let start = processor_ms();
    let born = manifest.life(20_000);
    println!("{} events of one file in {} ms", born.len(), processor_ms() - start);
}

#[test]
fn kept_states_give_every_state_of_a_long_manifest() {
    let (manifest, files) = open(50, 2000);
    assert_eq!(manifest.edits().len(), 2001);
    for step in (0..manifest.steps().len()).step_by(97) {
        let state = manifest.state_at(&files, step).unwrap();
        let level = &state.families[&0].levels[&6];
        assert_eq!(level.len(), 50, "step {step}");
        assert!(level.iter().all(|table| table.added_by_edit as usize <= step), "step {step}");
        let keys: Vec<&[u8]> = level.iter().map(|table| &table.smallest.user_key[..]).collect();
        assert!(keys.is_sorted(), "step {step}");
        let before = step.saturating_sub(1);
        let known = manifest.state_at(&files, before).unwrap();
        assert_eq!(manifest.state_near(&files, step, Some((before, &known))).unwrap(), state);
        // A later state is no help.
        let later = manifest.last();
        let last = manifest.steps().len() - 1;
        assert_eq!(manifest.state_near(&files, step, Some((last, later))).unwrap(), state);
    }
}
