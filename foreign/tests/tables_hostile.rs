//! Damaged tables: every answer is an entry or an error, soon, and within a limit of memory.
#![cfg(test)]
#![allow(clippy::disallowed_methods, reason = "the fixtures are files")]
#![allow(clippy::disallowed_types, reason = "each damaged table must be read within a time")]

mod common;

use cap::Cap;
use common::{Random, blocks, fixtures};
use levelscope_foreign::checksum::context;
use levelscope_foreign::inspect::Part;
use levelscope_foreign::table::BlockTable;
use levelscope_foreign::{Comparator, Engine, Files, MemoryFiles, TableReader};
use std::alloc::System;
use std::time::{Duration, Instant};

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// What reading a table may allocate beside the fixtures.
const MEMORY_MAX: usize = 256 << 20;
const SEEDS: [u64; 3] = [1, 20_260_101, 0x5eed];

/// Reads everything that there is.
fn read(bytes: Vec<u8>, engine: Engine, order: Comparator) {
    let files = MemoryFiles::new([("t.sst".to_owned(), bytes)]);
    let Ok(table) = BlockTable::open(&files, "t.sst", engine, order) else { return };
    let _ = table.range_deletions();
    let _ = table.data_blocks();
    for deep in [false, true] {
        table.check(deep, &mut |_| ());
    }
    let mut cursor = table.cursor().unwrap();
    let mut failures = usize::from(cursor.first().is_err());
    for _ in 0..100_000 {
        if cursor.entry().is_none() && failures == 0 {
            break;
        }
        failures = 0;
        let _ = cursor.value();
        failures += usize::from(cursor.next().is_err());
    }
    for key in [&b""[..], b"key\0\0\0\0\0\0\0\0", b"user:000100", b"\xff\xff"] {
        let _ = cursor.seek(key, 100);
        let _ = cursor.next();
    }
}

fn timed(what: &str, bytes: Vec<u8>, engine: Engine, order: Comparator) {
    let start = Instant::now();
    read(bytes, engine, order);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(2), "{what} took {took:?}");
}

/// Changes some bytes of one block of a sound table and gives it the checksum that it should have then, so that the
/// change is not found before the block is decoded.
fn sealed(sound: &[u8], engine: Engine, blocks: &[Part], random: &mut Random) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    let files = MemoryFiles::new([("t.sst".to_owned(), bytes.clone())]);
    let table = BlockTable::open(&files, "t.sst", engine, Comparator::Bytewise).unwrap();
    let mut blocks: Vec<&Part> = blocks.iter().collect();
    // Most blocks are data blocks: half of the time one of the others.
    if random.below(2) == 0 {
        blocks.retain(|block| block.kind != "block");
    }
    let block = &blocks[random.below(blocks.len())];
    let start = usize::try_from(block.offset).unwrap();
    let end = start + usize::try_from(block.bytes).unwrap();
    let is_footer = block.kind == "footer";
    for _ in 0..=random.below(3) {
        // The last bytes of a block locate everything else in it.
        let reach = if random.below(2) == 0 { end - start } else { 12.min(end - start) };
        let at = end - 1 - random.below(reach.max(1)).min(end - 1);
        bytes[at] = if random.below(3) == 0 { 0xff } else { random.byte() };
    }
    let footer = table.footer();
    if is_footer {
        if footer.version >= 6 {
            bytes[start + 5..start + 9].fill(0);
            let sum = footer.checksum.of(&bytes[start..end]);
            let sum = sum.wrapping_add(context(footer.base, block.offset));
            bytes[start + 5..start + 9].copy_from_slice(&sum.to_le_bytes());
        }
        return bytes;
    }
    if random.below(8) == 0 {
        bytes[end] = [1, 2, 4, 7, random.byte()][random.below(5)];
    }
    let sum = footer.checksum.of(&bytes[start..=end]);
    let sum = sum.wrapping_add(context(footer.base, block.offset));
    bytes[end + 1..end + 5].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn damage_with_right_checksums_is_refused_or_read_in_part() {
    let tables = tables();
    MEMORY.set_limit(MEMORY.allocated() + MEMORY_MAX).unwrap();
    for seed in SEEDS {
        println!("seed {seed}");
        let mut random = Random(seed);
        for (name, sound, engine) in &tables {
            if BlockTable::open(&files(sound), "t.sst", *engine, Comparator::Bytewise).is_err() {
                continue;
            }
            let blocks = blocks(
                &MemoryFiles::new([("000001.sst".to_owned(), sound.clone())]),
                *engine,
                "000001.sst",
            );
            for round in 0..ROUNDS {
                let bytes = sealed(sound, *engine, &blocks, &mut random);
                timed(
                    &format!("{name}, seed {seed}, round {round}"),
                    bytes,
                    *engine,
                    Comparator::Bytewise,
                );
            }
        }
    }
}

fn files(bytes: &[u8]) -> MemoryFiles {
    MemoryFiles::new([("t.sst".to_owned(), bytes.to_vec())])
}

/// Changes of each table and seed.
const ROUNDS: usize = 30;

/// Tables of all kinds from the fixtures.
fn tables() -> Vec<(String, Vec<u8>, Engine)> {
    let mut tables = Vec::new();
    for fixture in fixtures(&["t_", "i_", "e_", "x_", "v7_8_f", "v9_8_", "l_"]) {
        for name in fixture.named(&["sst", "ldb"]) {
            let bytes = fixture.files.read_whole(&name, 1 << 20).unwrap();
            let engine =
                if fixture.name == "l_history" { Engine::LevelDb } else { Engine::RocksDb };
            tables.push((format!("{}/{name}", fixture.name), bytes, engine));
        }
    }
    tables
}

#[test]
fn damaged_tables_are_refused_or_read_in_part() {
    let tables = tables();
    MEMORY.set_limit(MEMORY.allocated() + MEMORY_MAX).unwrap();
    let orders = [
        Comparator::Bytewise,
        Comparator::ReverseBytewise,
        Comparator::BytewiseTimestamp,
        Comparator::Unknown,
    ];
    for seed in SEEDS {
        println!("seed {seed}");
        let mut random = Random(seed);
        for (name, sound, engine) in &tables {
            for round in 0..12 {
                let order = orders[random.below(orders.len())];
                let mut bytes = sound.clone();
                match round {
                    0 => bytes.truncate(random.below(sound.len())),
                    1 => bytes = (0..400).map(|_| random.byte()).collect(),
                    // The end of the file leads to everything else.
                    2..=7 => {
                        let at = bytes.len() - 1 - random.below(bytes.len().min(1200));
                        bytes[at] = random.byte();
                    }
                    8 => {
                        let at = random.below(bytes.len());
                        let end = (at + 64).min(bytes.len());
                        bytes[at..end].fill_with(|| random.byte());
                    }
                    _ => {
                        for _ in 0..4 {
                            let at = random.below(bytes.len());
                            bytes[at] ^= 1 << random.below(8);
                        }
                    }
                }
                timed(&format!("{name}, seed {seed}, round {round}"), bytes, *engine, order);
            }
        }
    }
}
