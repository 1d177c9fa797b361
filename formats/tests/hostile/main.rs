//! Hostile files of other programs.
//!
//! These formats have few checksums, so a file can claim almost anything. The whole binary has a memory
//! limit. An endless loop would show as a test that does not end.

#![allow(unreachable_pub, reason = "modules of one binary")]
#![allow(dead_code, unused_imports, reason = "some of the shared helpers are for other binaries")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

#[path = "../../../engine/tests/hostile/allocator.rs"]
mod allocator;
#[path = "../../../engine/tests/it/common/mod.rs"]
mod common;
#[path = "../../../engine/tests/it/technique.rs"]
mod technique;

use allocator::lift_the_limit_on_panic;
use common::Random;
use levelscope::inspect::Scope;
use levelscope::testing::forge::varint;
use levelscope_formats::ladder::{Step, TableSettings};
use levelscope_formats::{Entry, FORMATS, Format, Trail, find};

/// Everything that can be asked about `file`; how many entries there are.
fn ask(format: &dyn Format, file: &[u8]) -> usize {
    format.recognize("000001.sst", file);
    format.annotate("file", file, Scope::WIDE);
    let end = file.len() as u64;
    format.annotate("file", file, Scope::between(end.saturating_sub(2_000), end));
    for search in format.info().searches {
        for key in [&b""[..], b"key", b"\xff\xff"] {
            let found = format.explain(file, key, *search, &mut Trail::default());
            assert_eq!(found, format.get(file, key, *search));
        }
    }
    let count = format.scan(file).count();
    assert!(count <= file.len() + 1, "{}", format.info().id);
    count
}

fn ask_all(file: &[u8]) {
    for format in FORMATS {
        ask(*format, file);
    }
}

/// 128 KiB of the same few bytes: headers of records and of chunks, entries, zeros.
#[test]
fn files_of_one_pattern() {
    lift_the_limit_on_panic();
    let patterns: [&[u8]; 12] = [
        &[0],
        &[1],
        &[0xff],
        b"\0\0\0\x01\0\0",
        b"\0\0\0\0\0\0\0\0\x01\0\x01\0\0",
        b"\x01\0\0\0\0\0\x01\0\0\0\0",
        b"\x08\0\0\0\0\0\0\0\0\0\0\0",
        b"\x01\0\x01",
        b"\x01\x01k\0",
        b"\0\0\x01",
        b"\x03\0\x01\x01\x01k",
        b"\x0c\0\x02\x80\x80\x01",
    ];
    for pattern in patterns {
        let mut file = pattern.repeat((1 << 17) / pattern.len());
        ask_all(&file);
        file.extend_from_slice(&0x1_0000_u32.to_le_bytes());
        ask_all(&file);
    }
}

/// Each number at the end of a file claims as much as it can.
#[test]
fn counts_and_lengths_that_are_too_large() {
    lift_the_limit_on_panic();
    let numbers =
        [0, 1, 2, 7, 8, 0xff, 0x1000, 0x3ffff, 0x40000, 0x7fff_ffff, 0x8000_0000, u32::MAX];
    for filling in [0, 1, 0xff] {
        for first in numbers {
            for second in numbers {
                let mut file = vec![filling; 300];
                file.extend(
                    [3, first, second].iter().flat_map(|number: &u32| number.to_le_bytes()),
                );
                ask_all(&file);
            }
        }
    }
}

/// One block whose `stored` bytes are compressed, and an index that leads to it `times` times.
fn snappy_table(stored: &[u8], times: u32) -> Vec<u8> {
    let mut file = stored.to_vec();
    let (mut index, mut offsets) = (Vec::new(), Vec::new());
    for number in 0..times {
        offsets.extend_from_slice(&(index.len() as u32).to_le_bytes());
        let key = format!("key{number:05}");
        index.extend_from_slice(&[key.len() as u8, 9]);
        index.extend_from_slice(key.as_bytes());
        index.extend_from_slice(&[1, 0, 0, 0, 0]);
        index.extend_from_slice(&(stored.len() as u32).to_le_bytes());
    }
    let bytes = index.len() + offsets.len() + 8;
    file.extend_from_slice(&index);
    file.extend_from_slice(&offsets);
    file.extend_from_slice(&(bytes as u32).to_le_bytes());
    file.extend_from_slice(&times.to_le_bytes());
    file
}

#[test]
fn blocks_that_claim_to_be_large_or_are_named_again_and_again() {
    lift_the_limit_on_panic();
    for id in ["ladder-snappy", "ladder-incremental"] {
        let format = find(id).unwrap();
        for claimed in [1_u64 << 20, 63 << 20, 1 << 31, (1 << 32) - 1, u64::MAX] {
            let stored = [varint(claimed), vec![0, b'x'], [0xfe, 1, 0].repeat(900)].concat();
            let file = snappy_table(&stored, 1);
            assert!(format.scan(&file).all(|entry| entry.is_err()));
            ask(format, &file);
        }
        // A million zeros each time that the index leads there would be gigabytes.
        let stored = snap::raw::Encoder::new().compress_vec(&vec![0; 1 << 20]).unwrap();
        let file = snappy_table(&stored, 5_000);
        assert!(format.scan(&file).all(|entry| entry.is_err()));
        ask(format, &file);
    }
}

/// A long first key, and a hundred thousand keys that share it: gigabytes, if the reader decoded them all.
#[test]
fn keys_that_borrow_more_than_there_is() {
    lift_the_limit_on_panic();
    let mut settings = TableSettings::new(Step::IncrementalRaw);
    (settings.block_bytes, settings.chunk_entries) = (1 << 22, usize::MAX);
    let prefix = vec![b'k'; 60_000];
    let keys: Vec<Vec<u8>> =
        (0..250_u32).map(|number| [&prefix, format!("{number:05}").as_bytes()].concat()).collect();
    let entries: Vec<_> = keys.iter().map(|key| Entry::new(key, None)).collect();
    let file = settings.write(&entries).unwrap();
    assert!(file.len() < 140_000);
    let format = find(settings.step.id()).unwrap();
    let made: usize = format.scan(&file).flatten().map(|entry| entry.key.len()).sum();
    assert!(made <= 102 * file.len(), "{made} bytes of keys from {}", file.len());
    assert!(format.scan(&file).any(|entry| entry.is_err()));
    ask(format, &file);
}

/// Many small entries in compressed blocks, and sound: they are given one by one.
#[test]
fn many_entries_in_little_space() {
    lift_the_limit_on_panic();
    let keys: Vec<String> = (0..50_000).map(|number| format!("{number:06}")).collect();
    let entries: Vec<_> = keys.iter().map(|key| Entry::new(key.as_bytes(), None)).collect();
    for step in [Step::Varint, Step::Snappy, Step::Incremental] {
        let settings = TableSettings { block_bytes: 1 << 22, ..TableSettings::new(step) };
        let file = settings.write(&entries).unwrap();
        assert_eq!(find(step.id()).unwrap().scan(&file).count(), 50_000);
    }
}

#[test]
fn random_files_with_small_numbers() {
    lift_the_limit_on_panic();
    let mut random = Random(7);
    for _ in 0..100 {
        let length = random.below(3_000) as usize;
        let most = 1 + random.below(20) as u8;
        let mut file = random.bytes(length);
        for byte in &mut file {
            *byte = if *byte < 30 { *byte } else { *byte % most };
        }
        ask_all(&file);
    }
}
