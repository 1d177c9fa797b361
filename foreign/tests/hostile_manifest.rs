//! Manifests and logs with flipped, cut and random bytes, under an allocator with a limit: whatever they hold, nothing
//! panics and no claimed length is believed.
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

mod common;

use common::{Fixture, Random, engine_of};
use levelscope_foreign::batch::{Batch, Replay};
use levelscope_foreign::frame::{LogKind, Records};
use levelscope_foreign::manifest::{Manifest, sublevels};
use levelscope_foreign::name::FileName;
use levelscope_foreign::{Engine, Files as _, MemoryFiles, recognize};

const LIMIT: usize = 256 << 20;

#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, LIMIT);

/// One of the ways to damage a file.
fn damage(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let place = random.below(bytes.len());
    match random.below(5) {
        0 if !bytes.is_empty() => bytes[place] ^= 1 << random.below(8),
        1 => bytes.truncate(place),
        2 => {
            let end = (place + 1 + random.below(64)).min(bytes.len());
            bytes[place..end].iter_mut().for_each(|byte| *byte = random.byte());
        }
        3 => {
            let start = random.below(bytes.len());
            bytes = [&bytes[..place], &bytes[start..]].concat();
        }
        _ => bytes.extend((0..random.below(200)).map(|_| random.byte())),
    }
    bytes
}

fn read_manifest(engine: Engine, bytes: Vec<u8>) {
    let name = "MANIFEST-000001";
    let files = MemoryFiles::new([(name.to_owned(), bytes)]);
    let manifest = Manifest::open(&files, name, engine).unwrap();
    let steps = manifest.steps().len();
    for step in [0, steps / 2, steps.saturating_sub(1)] {
        if step < steps {
            manifest.state_at(&files, step).unwrap();
        }
    }
    for family in manifest.last().families.values() {
        if let Some(tables) = family.levels.get(&0) {
            let found = sublevels(tables, family.comparator);
            assert_eq!(found.iter().map(Vec::len).sum::<usize>(), tables.len());
        }
    }
    recognize(&files).unwrap();
}

fn read_log(engine: Engine, number: u64, bytes: Vec<u8>) {
    let name = "000001.log";
    let files = MemoryFiles::new([(name.to_owned(), bytes)]);
    let kind = LogKind::Log { engine, number };
    let mut records = Records::open(&files, name, kind).unwrap();
    let mut replay = Replay::default();
    loop {
        while let Some(record) = records.read().unwrap() {
            if let Ok(batch) = Batch::open(engine, &record.data) {
                let _ = replay.apply(&batch, drop);
            }
        }
        assert!(records.end().is_some());
        if !records.resume().unwrap() {
            return;
        }
    }
}

/// Manifests and logs of some fixtures of every engine: name, number, content.
fn samples(fixture: &Fixture) -> Vec<(FileName, Vec<u8>)> {
    let wanted = |name: &FileName| matches!(name, FileName::Manifest(_) | FileName::Log { .. });
    let all = fixture.files.list().iter().map(|file| (FileName::parse(&file.name), &file.name));
    let read = |name: &str| fixture.files.read_whole(name, 1 << 20).unwrap();
    all.filter(|(name, _)| wanted(name)).map(|(name, text)| (name, read(text))).collect()
}

const FIXTURES: [&str; 10] = [
    "b_blob_garbage",
    "c_atomic_flush",
    "c_families",
    "l_history",
    "p_blob_files",
    "p_recycled_log",
    "p_virtual_tables",
    "w_compressed",
    "w_prepared_transaction",
    "w_tracked_verified",
];

#[test]
fn damaged_manifests_and_logs_are_read_without_a_panic() {
    for name in FIXTURES {
        let fixture = common::fixture(name);
        let engine = engine_of(&fixture.json);
        for (file, content) in samples(&fixture) {
            for seed in 0..150u64 {
                println!("{name}: {file:?}: seed {seed}");
                let mut random = Random(seed);
                let mut bytes = damage(&mut random, &content);
                for _ in 0..random.below(4) {
                    bytes = damage(&mut random, &bytes);
                }
                match file {
                    FileName::Log { number, .. } => read_log(engine, number, bytes),
                    _ => read_manifest(engine, bytes),
                }
            }
        }
    }
}

/// Under checksums that are right, damage reaches the decoders.
#[test]
fn damaged_edits_and_batches_with_right_checksums_are_read_without_a_panic() {
    use common::frames::{Style, push_record};
    for name in FIXTURES {
        let fixture = common::fixture(name);
        let engine = engine_of(&fixture.json);
        for (file, content) in samples(&fixture) {
            let files = MemoryFiles::new([("x".to_owned(), content)]);
            let number = file.number().unwrap();
            let is_log = matches!(file, FileName::Log { .. });
            let kind =
                if is_log { LogKind::Log { engine, number } } else { LogKind::Manifest(engine) };
            let mut records = Records::open(&files, "x", kind).unwrap();
            let mut edits = Vec::new();
            while let Some(record) = records.read().unwrap() {
                edits.push(record.data);
            }
            for seed in 0..100u64 {
                println!("{name}: {file:?}: seed {seed}");
                let mut random = Random(seed);
                let mut bytes = Vec::new();
                for edit in &edits {
                    let hit = random.below(10) == 0;
                    let edit = if hit { damage(&mut random, edit) } else { edit.clone() };
                    push_record(&mut bytes, Style::Plain, &edit);
                }
                if is_log { read_log(engine, number, bytes) } else { read_manifest(engine, bytes) }
            }
        }
    }
}

#[test]
fn random_bytes_are_read_without_a_panic() {
    for seed in 0..100u64 {
        println!("seed {seed}");
        let mut random = Random(seed);
        let length = random.below(100_000);
        let bytes: Vec<u8> = (0..length).map(|_| random.byte()).collect();
        for engine in [Engine::RocksDb, Engine::Pebble, Engine::LevelDb] {
            read_manifest(engine, bytes.clone());
            read_log(engine, 1, bytes.clone());
            if let Ok(batch) = Batch::open(engine, &bytes) {
                batch.items().count();
            }
        }
    }
}

#[test]
fn claimed_counts_and_lengths_allocate_nothing() {
    let mut record = vec![0; 8];
    record.extend_from_slice(&u32::MAX.to_le_bytes());
    record.extend_from_slice(&[1, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    let batch = Batch::open(Engine::RocksDb, &record).unwrap();
    assert!(batch.items().next().unwrap().is_err());
    assert_eq!(ALLOCATOR.limit(), LIMIT);
}
