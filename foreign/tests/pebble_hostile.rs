//! Damaged tables and blob files: every failure is reported, none stops the program, takes long or needs much memory.
//!
//! Most damage is found by checksums, so half of the changes are followed by new checksums: then the decoders see them.
#![cfg(test)]
#![allow(clippy::disallowed_methods, reason = "the fixtures are files")]
#![allow(clippy::disallowed_types, reason = "each damaged file must be read within a time")]

mod common;

use cap::Cap;
use common::{Random, fixture, fixtures};
use levelscope_foreign::blob::{BlobIndex, PebbleBlobFile, RocksBlobFile, wide_columns};
use levelscope_foreign::checksum::masked_crc32c;
use levelscope_foreign::pebble::{Bounds, Slice};
use levelscope_foreign::{
    Comparator, EntryCursor, Error, ErrorKind, Files, MemoryFiles, TableReader, pebble,
};
use std::alloc::System;
use std::ops::Range;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, 256 << 20);

const ORDER: Comparator = Comparator::Bytewise;
/// More steps than any of these files has entries and blocks.
const STEPS_MAX: usize = 200_000;
/// No file of a few KiB may take longer.
const TIME_MAX: Duration = Duration::from_secs(10);

fn is_table(name: &str) -> bool {
    name.split('.').next_back() == Some("sst")
}

fn is_blob_file(name: &str) -> bool {
    name.split('.').next_back() == Some("blob")
}

/// A failure has a sentence, and a file where it can have one.
fn check_error(error: &Error) {
    assert!(!error.message().is_empty());
    assert!(error.file().is_some() || error.kind() == ErrorKind::Invalid, "{error}");
}

fn walk(cursor: &mut dyn EntryCursor) {
    let mut result = cursor.first();
    for _ in 0..STEPS_MAX {
        if let Err(error) = &result {
            check_error(error);
        } else if cursor.entry().is_none() {
            return;
        } else if let Err(error) = cursor.value() {
            check_error(&error);
        }
        result = cursor.next();
    }
    panic!("the walk does not end");
}

fn use_table(table: &dyn TableReader) {
    assert!(!table.summary().format.is_empty());
    match table.cursor() {
        Ok(mut cursor) => {
            walk(cursor.as_mut());
            for key in [&b""[..], b"fleet/00050", b"fleet/000", b"\xff\xff"] {
                if let Err(error) = cursor.seek(key, 100) {
                    check_error(&error);
                }
            }
        }
        Err(error) => check_error(&error),
    }
    table.range_deletions().err().iter().for_each(check_error);
    table.range_keys().err().iter().for_each(check_error);
    table.data_blocks().err().iter().for_each(check_error);
    for deep in [false, true] {
        let mut problems = 0;
        table.check(deep, &mut |problem| {
            assert!(!problem.message.is_empty());
            problems += 1;
        });
        assert!(problems < STEPS_MAX);
    }
}

fn use_file(name: &str, bytes: Vec<u8>) {
    let started = Instant::now();
    let files = MemoryFiles::new([(name.to_owned(), bytes)]);
    if is_table(name) {
        match pebble::open(&files, name, ORDER) {
            Ok(table) => {
                use_table(table.as_ref());
                let bounds = Bounds {
                    smallest: b"fleet/00020".to_vec(),
                    largest: b"fleet/00090".to_vec(),
                    ..Bounds::default()
                };
                use_table(&Slice::new(table, bounds, ORDER));
            }
            Err(error) => check_error(&error),
        }
    } else {
        use_blob(&files, name);
    }
    assert!(started.elapsed() < TIME_MAX, "{name} took {:?}", started.elapsed());
}

fn use_blob(files: &MemoryFiles, name: &str) {
    match PebbleBlobFile::open(files, name) {
        Ok(mut blob) => {
            for (block, value) in [(0, 0), (1, 3), (3, 9), (9999, 0), (u32::MAX, u32::MAX)] {
                blob.value(block, value, 250).err().iter().for_each(check_error);
            }
            for deep in [false, true] {
                blob.check(deep, &mut |problem| assert!(!problem.message.is_empty()));
            }
        }
        Err(error) => check_error(&error),
    }
    match RocksBlobFile::open(files, name) {
        Ok(blob) => {
            let mut records = blob.records();
            for _ in 0..STEPS_MAX {
                match records.next_record() {
                    Ok(None) => break,
                    Ok(Some(_)) => {}
                    Err(error) => check_error(&error),
                }
            }
            assert!(matches!(records.next_record(), Ok(None)));
            for offset in [0, 30, 73, 300, u64::MAX] {
                blob.value(b"user:000000", offset, 200, 4).err().iter().for_each(check_error);
            }
            for deep in [false, true] {
                blob.check(deep, &mut |problem| assert!(!problem.message.is_empty()));
            }
        }
        Err(error) => check_error(&error),
    }
}

/// The blocks of a file of Pebble, found by their checksums: each with the number of its compression.
fn blocks(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(end) = block_end(bytes, start) {
        found.push(start..end);
        start = end + 4;
    }
    found
}

/// The end of the block that begins at `start`, where its checksum is.
fn block_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut crc = 0;
    (start + 1..bytes.len().saturating_sub(4)).find(|&end| {
        crc = crc32c::crc32c_append(crc, &bytes[end - 1..end]);
        let masked = crc.rotate_right(15).wrapping_add(0xa282_ead8);
        masked.to_le_bytes() == bytes[end..end + 4]
    })
}

/// Changes some bytes of `range` in one of several ways.
fn change(bytes: &mut [u8], range: Range<usize>, random: &mut Random) {
    let at = range.start + random.below(range.len());
    match random.below(4) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
        2 => {
            for _ in 0..=random.below(8) {
                let at = range.start + random.below(range.len());
                bytes[at] = u8::try_from(random.below(256)).unwrap();
            }
        }
        _ => {
            let count = (1 + random.below(16)).min(range.end - at);
            let from = range.start + random.below(range.len() - count + 1);
            bytes.copy_within(from..from + count, at);
        }
    }
}

/// New checksums for the block at `range` and for the footers that have one.
fn sign(bytes: &mut [u8], range: Option<Range<usize>>) {
    if let Some(range) = range {
        let checksum = masked_crc32c(&bytes[range.clone()]);
        bytes[range.end..range.end + 4].copy_from_slice(&checksum.to_le_bytes());
    }
    let length = bytes.len();
    let footer = |bytes: usize| length.checked_sub(bytes);
    if bytes.ends_with("\u{1fab3}\u{1fab3}".as_bytes()) {
        if let Some(start) = footer(61) {
            let crc = length - 16;
            let covered = [&bytes[start..crc], &bytes[crc + 4..]].concat();
            bytes[crc..crc + 4].copy_from_slice(&masked_crc32c(&covered).to_le_bytes());
        }
    } else if bytes.ends_with("\u{1fab3}\u{1f980}".as_bytes()) {
        if let Some(start) = footer(38) {
            let checksum = masked_crc32c(&bytes[start + 4..]);
            bytes[start..start + 4].copy_from_slice(&checksum.to_le_bytes());
        }
    } else if length > 62 && bytes.starts_with(&[0x37, 0x8f, 0x24, 0]) {
        let checksum = masked_crc32c(&bytes[30..54]);
        bytes[54..58].copy_from_slice(&checksum.to_le_bytes());
        let checksum = masked_crc32c(&bytes[length - 32..length - 4]);
        bytes[length - 4..].copy_from_slice(&checksum.to_le_bytes());
    }
}

fn damaged(seed: u64, rounds: usize) {
    let mut random = Random(seed);
    println!("seed {seed}");
    let mut signed = 0;
    for directory in fixtures(&["p_", "b_", "v7_8_fv2_blob_cf"]) {
        let names: Vec<String> =
            directory.files.list().iter().map(|file| file.name.clone()).collect();
        for name in names {
            let is_pebble = directory.name.starts_with("p_");
            if !(is_blob_file(&name) || is_pebble && is_table(&name)) {
                continue;
            }
            let sound = directory.files.read_whole(&name, 1 << 20).unwrap();
            use_file(&name, sound.clone());
            let blocks = if is_pebble { blocks(&sound) } else { Vec::new() };
            assert!(!is_pebble || blocks.len() >= 3, "{name}");
            for round in 0..rounds {
                let mut bytes = sound.clone();
                let footer = sound.len() - 61..sound.len() - 8;
                match round % 5 {
                    0 => change(&mut bytes, 0..sound.len(), &mut random),
                    1 => bytes.truncate(random.below(sound.len())),
                    2 => {
                        change(&mut bytes, footer, &mut random);
                        sign(&mut bytes, None);
                    }
                    _ if blocks.is_empty() => {
                        change(&mut bytes, 30..54, &mut random);
                        sign(&mut bytes, None);
                    }
                    kind => {
                        // The last blocks are index, properties and metaindex: they deserve half of the tries.
                        let last = if kind == 3 { blocks.len() } else { blocks.len().min(4) };
                        let block = blocks[blocks.len() - 1 - random.below(last)].clone();
                        change(&mut bytes, block.clone(), &mut random);
                        sign(&mut bytes, Some(block));
                        signed += 1;
                    }
                }
                use_file(&name, bytes);
            }
        }
    }
    assert!(signed > rounds, "{signed}");
}

#[test]
fn changed_and_cut_files_give_errors_and_nothing_worse() {
    damaged(1, 60);
}

#[test]
fn other_changes_give_errors_and_nothing_worse() {
    damaged(2026, 60);
}

#[test]
fn random_bytes_give_errors_and_nothing_worse() {
    let seed = 7;
    println!("seed {seed}");
    let mut random = Random(seed);
    let footer = fixture("p_newest_plain").files.read_whole("000005.sst", 1 << 20).unwrap();
    let footer = &footer[footer.len() - 61..];
    for round in 0..3000 {
        let length = random.below(2000);
        let mut bytes: Vec<u8> =
            (0..length).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
        let _ = BlobIndex::decode(&bytes);
        let _ = wide_columns(&bytes);
        let small: Vec<u8> = bytes.iter().take(40).map(|byte| byte % 20).collect();
        let _ = BlobIndex::decode(&small);
        let _ = wide_columns(&small);
        if round % 2 == 0 {
            bytes.extend_from_slice(footer);
        }
        let name = if round % 3 == 0 { "000001.blob" } else { "000001.sst" };
        use_file(name, bytes);
    }
}
