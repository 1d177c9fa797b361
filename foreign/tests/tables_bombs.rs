//! Tables that no program would write: blocks that decompress to the limit, and an index that names blocks again.
#![cfg(test)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "it measures real time")]

mod common;

use cap::Cap;
use common::build::{Builder, entries, handle, internal, varint};
use levelscope_foreign::checksum::Checksum;
use levelscope_foreign::inspect;
use levelscope_foreign::table::BlockTable;
use levelscope_foreign::{Comparator, Engine, MemoryFiles, Severity, TableReader};
use std::alloc::System;
use std::time::{Duration, Instant};

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

const MEMORY_MAX: usize = 256 << 20;
const LZ4: u8 = 4;

/// Runs of a block that grows to almost 64 MiB.
const FULL: u64 = 263_000;

/// A block of LZ4 that gives `runs` × 255 times `byte`, and ends in `tail`, five bytes.
fn bomb(runs: u64, byte: u8, tail: [u8; 5]) -> Vec<u8> {
    let mut block = Vec::new();
    varint(&mut block, 1 + 19 + 255 * runs + 5);
    block.extend_from_slice(&[0x1f, byte, 1, 0]);
    block.extend((0..runs).map(|_| 0xff));
    block.extend_from_slice(&[0, 0x50]);
    block.extend_from_slice(&tail);
    block
}

/// Which block of the table is the bomb.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Data,
    Index,
    Properties,
    RangeDeletions,
    Dictionary,
}

fn table(place: Place, block: &[u8], deltas: bool) -> Vec<u8> {
    let mut builder = Builder::new(7, Checksum::Xxh3);
    let sound = entries(&[(internal(b"a", 1, 1), b"v")]);
    let dictionary = (place == Place::Dictionary).then(|| builder.block(block, LZ4));
    let data =
        if place == Place::Data { builder.block(block, LZ4) } else { builder.block(&sound, 0) };
    let index = entries(&[(internal(b"z", 1, 1), handle(data))]);
    let ranges = (place == Place::RangeDeletions).then(|| builder.block(block, LZ4));
    let index =
        if place == Place::Index { builder.block(block, LZ4) } else { builder.block(&index, 0) };
    let flags = if deltas { vec![1] } else { vec![0] };
    let mut names = Vec::new();
    names.extend(dictionary.map(|at| ("rocksdb.compression_dict", at)));
    names.extend(ranges.map(|at| ("rocksdb.range_del", at)));
    if place == Place::Properties {
        let at = builder.block(block, LZ4);
        names.push(("rocksdb.properties", at));
    }
    let mut bytes = builder.finish(
        index,
        &[
            ("rocksdb.index.key.is.user.key", flags.clone()),
            ("rocksdb.index.value.is.delta.encoded", flags),
        ],
        &names,
    );
    bytes.shrink_to_fit();
    bytes
}

/// Reads everything that there is and returns the number of findings.
fn read(bytes: Vec<u8>) -> usize {
    let files = MemoryFiles::new([("t.sst".to_owned(), bytes)]);
    let opened = BlockTable::open(&files, "t.sst", Engine::RocksDb, Comparator::Bytewise);
    let Ok(table) = opened else { return 1 };
    let mut findings = 0;
    table.check(true, &mut |problem| findings += usize::from(problem.severity > Severity::Note));
    findings += usize::from(table.range_deletions().is_err());
    let _ = table.data_blocks();
    let mut cursor = table.cursor().unwrap();
    let _ = cursor.first();
    for _ in 0..100_000 {
        let _ = cursor.next();
    }
    let _ = cursor.seek(b"m", 1);
    findings
}

#[test]
fn blocks_that_grow_to_the_limit_are_read_within_a_limit_of_memory() {
    MEMORY.set_limit(MEMORY.allocated() + MEMORY_MAX).unwrap();
    for place in
        [Place::Data, Place::Index, Place::Properties, Place::RangeDeletions, Place::Dictionary]
    {
        for (runs, byte, tail) in [
            (FULL, 0, [0; 5]),
            (9000, 0, [0, 1, 0, 0, 0]),
            (9000, 1, [0, 1, 0, 0, 0]),
            (9000, 0xff, [0, 1, 0, 0, 0]),
            (9000, 9, [0, 0, 0, 0, 0x80]),
            (9000, 8, [0, 0, 0, 0, 0x10]),
        ] {
            // How values are encoded matters to an index alone.
            let encodings: &[bool] = if place == Place::Index { &[false, true] } else { &[false] };
            for &deltas in encodings {
                let bytes = table(place, &bomb(runs, byte, tail), deltas);
                let start = Instant::now();
                let findings = read(bytes);
                let took = start.elapsed();
                assert!(findings > 0 || place == Place::Dictionary, "{place:?}, {byte}, {tail:?}");
                assert!(took < Duration::from_mins(1), "{place:?}, {byte}: {took:?}");
            }
        }
    }
}

/// Opens the first part of each part of the file, down to the last one.
fn inspected(bytes: Vec<u8>) {
    let files = MemoryFiles::new([("000001.sst".to_owned(), bytes)]);
    let open = |path: &[usize]| inspect::open(&files, Engine::RocksDb, "000001.sst", path, (0, 10));
    let mut deepest = 0;
    for place in 0..open(&[]).unwrap().parts.len() {
        let mut path = vec![place];
        while let Ok(opened) = open(&path) {
            let Some(place) = opened.parts.iter().position(|part| part.opens) else { break };
            path.push(place);
        }
        deepest = deepest.max(path.len());
    }
    // A sound block: its content, the entries of that, and one of these.
    assert!(deepest >= 4, "{deepest}");
}

#[test]
fn blocks_that_grow_to_the_limit_are_opened_within_a_limit_of_memory() {
    MEMORY.set_limit(MEMORY.allocated() + MEMORY_MAX).unwrap();
    for place in
        [Place::Data, Place::Index, Place::Properties, Place::RangeDeletions, Place::Dictionary]
    {
        for tail in [[0; 5], [0, 0xff, 0xff, 0xff, 0]] {
            let bytes = table(place, &bomb(FULL, 0, tail), false);
            let start = Instant::now();
            inspected(bytes);
            let took = start.elapsed();
            assert!(took < Duration::from_mins(1), "{place:?}, {tail:?}: {took:?}");
        }
    }
}

#[test]
fn an_index_that_names_a_block_again_is_damaged() {
    let mut builder = Builder::new(5, Checksum::Crc32c);
    let data = builder.block(&entries(&[(internal(b"a", 1, 1), b"v")]), 0);
    let rows: Vec<_> = (0..5000_u32)
        .map(|row| (internal(format!("b{row:05}").as_bytes(), 1, 1), handle(data)))
        .collect();
    let index = builder.block(&entries(&rows), 0);
    let bytes = builder.finish(index, &[], &[]);
    assert_eq!(read(bytes), 1000);
}
