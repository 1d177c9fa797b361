//! Damaged files: every answer comes soon and within a limit of memory, and parts still follow one another.

#![cfg(test)]
#![allow(clippy::disallowed_types, reason = "each damaged file must be opened within a time")]

mod common;
#[path = "../../engine/tests/it/technique.rs"]
#[allow(dead_code, unreachable_pub, reason = "other tests use more of it")]
mod technique;
#[path = "it/inspect/tree.rs"]
mod tree;

use cap::Cap;
use common::{Random, engine_of, fixtures};
use levelscope_foreign::inspect::{self, Branch, Part};
use levelscope_foreign::{Engine, Files, MemoryFiles};
use std::alloc::System;
use std::time::{Duration, Instant};
use technique::Technique;
use tree::Tree;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// What opening parts may allocate beside the fixtures.
const MEMORY_MAX: usize = 256 << 20;

fn files() -> Vec<(String, String, Vec<u8>, Engine)> {
    let mut files = Vec::new();
    for fixture in
        fixtures(&["t_", "i_", "e_w", "e_r", "b_blob_f", "w_", "p_", "l_", "x_", "h_reop"])
    {
        for file in fixture.files.list().iter().filter(|file| file.bytes > 0) {
            let bytes = fixture.files.read_whole(&file.name, 1 << 22).unwrap();
            files.push((fixture.name.clone(), file.name.clone(), bytes, engine_of(&fixture.json)));
        }
    }
    files
}

fn damaged(sound: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    match random.below(6) {
        0 => bytes.truncate(random.below(sound.len()).max(1)),
        1 => bytes = (0..=random.below(600)).map(|_| random.byte()).collect(),
        2 => {
            let at = random.below(bytes.len());
            let end = (at + 64).min(bytes.len());
            bytes[at..end].fill_with(|| random.byte());
        }
        // The end of a file leads to everything else.
        3 => {
            let at = bytes.len() - 1 - random.below(bytes.len().min(1200));
            bytes[at] = if random.below(3) == 0 { 0xff } else { random.byte() };
        }
        _ => {
            for _ in 0..4 {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
        }
    }
    bytes
}

/// The parts of a branch cover what it has of `range`, one after the other.
fn compare(branch: &Branch, range: (u64, u64), what: &str) {
    let end = |part: &Part| part.offset + part.bytes;
    for (before, after) in branch.parts.iter().zip(branch.parts.iter().skip(1)) {
        assert_eq!(end(&before.part), after.part.offset, "{what}: {:?}", before.part);
    }
    if let (Some(first), Some(last)) = (branch.parts.first(), branch.parts.last()) {
        assert!(first.part.offset <= range.0.max(branch.part.offset), "{what}: {:?}", first.part);
        assert!(end(&last.part) >= range.1.min(end(&branch.part)), "{what}: {:?}", last.part);
    }
    for below in &branch.parts {
        compare(below, range, what);
    }
}

#[test]
fn parts_of_damaged_files_follow_one_another() {
    let all = files();
    MEMORY.set_limit(MEMORY.allocated() + MEMORY_MAX).unwrap();
    let mut technique = Technique::new("parts of damaged files", 1);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed + 7);
        for (fixture, name, sound, engine) in &all {
            for round in 0..4 {
                let bytes = damaged(sound, &mut random);
                let files = MemoryFiles::new([(name.clone(), bytes)]);
                let what = format!("{fixture}, seed {seed}, round {round}");
                let engines = [*engine, Engine::RocksDb, Engine::Pebble, Engine::LevelDb];
                let engine = engines[random.below(6).min(3) * usize::from(round == 3)];
                let start = Instant::now();
                Tree::new(&files, engine, &what, name).wander(&mut random, 60);
                for _ in 0..4 {
                    let bytes = usize::try_from(files.length(name).unwrap()).unwrap();
                    let offset = random.below(bytes) as u64;
                    let range = (offset, offset + 4096);
                    let whole = inspect::branch(&files, engine, name, &[], range).unwrap();
                    compare(&whole, range, &what);
                }
                let parts = inspect::outline(&files, engine, name, 1000).unwrap();
                for (path, part) in parts.iter().take(20) {
                    assert!(!part.decoded, "{what}");
                    inspect::content(&files, engine, name, path).unwrap();
                }
                let took = start.elapsed();
                assert!(took < Duration::from_secs(3), "{what} took {took:?}");
                technique.count(1);
            }
        }
    }
}
