//! Frames that no fixture has: ends of logs, damage, remains of older logs.
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

use crate::common::frames::{Style, push_frame, push_record};
use levelscope_foreign::frame::{End, LogKind, Record, Records};
use levelscope_foreign::{Engine, ErrorKind, MemoryFiles};

const LOG: &str = "000007.log";

fn read(engine: Engine, file: Vec<u8>) -> (Vec<Record>, End) {
    let files = MemoryFiles::new([(LOG.to_owned(), file)]);
    let mut records = Records::open(&files, LOG, LogKind::Log { engine, number: 7 }).unwrap();
    let mut found = Vec::new();
    while let Some(record) = records.read().unwrap() {
        found.push(record);
    }
    (found, records.end().unwrap().clone())
}

fn lengths(records: &[Record]) -> Vec<usize> {
    records.iter().map(|record| record.data.len()).collect()
}

#[test]
fn a_long_record_is_joined_and_its_bytes_keep_their_offsets() {
    for style in [Style::Plain, Style::Recyclable(7), Style::Synced(7)] {
        let long: Vec<u8> = (0..100_000u32).map(|n| (n % 251) as u8).collect();
        let mut file = Vec::new();
        for record in [&long[..5], &long, &[], &long[..32_000], &long[..70_000]] {
            push_record(&mut file, style, record);
        }
        let (records, end) = read(Engine::Pebble, file.clone());
        assert_eq!(end, End::Clean);
        assert_eq!(lengths(&records), [5, 100_000, 0, 32_000, 70_000]);
        for place in [0, 5, 40_000, 99_999] {
            let at = usize::try_from(records[1].file_offset(place)).unwrap();
            assert_eq!(file[at], long[place], "byte {place}");
        }
        assert_eq!(records[1].data, long);
        assert_eq!(records[2].offset, records[1].end);
    }
}

#[test]
fn reserved_space_is_a_clean_end_and_a_cut_at_any_byte_is_a_torn_tail() {
    let mut file = Vec::new();
    push_record(&mut file, Style::Plain, b"first");
    let second = file.len();
    push_record(&mut file, Style::Plain, &[7; 300]);
    let mut reserved = file.clone();
    reserved.resize(200_000, 0);
    let (records, end) = read(Engine::RocksDb, reserved);
    assert_eq!((lengths(&records), end), (vec![5, 300], End::Clean));
    for length in second + 1..file.len() {
        let (records, end) = read(Engine::RocksDb, file[..length].to_vec());
        assert_eq!(lengths(&records), [5], "cut at {length}");
        let bytes = (length - second) as u64;
        assert_eq!(end, End::Torn { offset: second as u64, bytes }, "cut at {length}");
    }
}

#[test]
fn a_flip_of_any_byte_in_the_middle_is_damage_there_and_the_rest_can_be_read() {
    for style in [Style::Plain, Style::Recyclable(7), Style::Synced(7)] {
        let mut file = Vec::new();
        push_record(&mut file, style, b"first");
        let second = file.len();
        push_record(&mut file, style, b"second");
        let third = file.len();
        push_record(&mut file, style, b"third");
        for place in second..third {
            let mut flipped = file.clone();
            flipped[place] ^= 0x40;
            let files = MemoryFiles::new([(LOG.to_owned(), flipped)]);
            let kind = LogKind::Log { engine: Engine::Pebble, number: 7 };
            let mut records = Records::open(&files, LOG, kind).unwrap();
            assert_eq!(records.read().unwrap().unwrap().data, b"first");
            assert_eq!(records.read().unwrap(), None, "flip at {place}");
            let Some(End::Damaged(error)) = records.end() else {
                panic!("flip at {place}: {:?}", records.end());
            };
            assert_eq!(error.offset(), Some(second as u64), "flip at {place}");
            assert!(records.resume().unwrap(), "flip at {place}");
            assert_eq!(records.read().unwrap().unwrap().data, b"third", "flip at {place}");
            assert_eq!(records.read().unwrap(), None);
            assert_eq!(records.end(), Some(&End::Clean));
        }
    }
}

#[test]
fn a_log_inside_of_a_damaged_value_is_not_taken_for_records() {
    let mut inner = Vec::new();
    push_record(&mut inner, Style::Plain, b"inner");
    let mut file = Vec::new();
    let value = [&[1; 20][..], &inner, &[2; 20]].concat();
    push_record(&mut file, Style::Plain, &value);
    file[10] ^= 1;
    push_record(&mut file, Style::Plain, b"outer");
    let files = MemoryFiles::new([(LOG.to_owned(), file)]);
    let kind = LogKind::Log { engine: Engine::LevelDb, number: 7 };
    let mut records = Records::open(&files, LOG, kind).unwrap();
    assert_eq!(records.read().unwrap(), None);
    assert!(records.resume().unwrap());
    assert_eq!(records.read().unwrap().unwrap().data, b"outer");
}

#[test]
fn after_a_damaged_block_the_next_one_is_read() {
    let mut file = Vec::new();
    for number in 0..3u8 {
        push_record(&mut file, Style::Plain, &vec![number; 20_000]);
    }
    // The second record lies in two blocks; its end has no beginning then.
    file[20_007 + 100] ^= 1;
    let files = MemoryFiles::new([(LOG.to_owned(), file)]);
    let kind = LogKind::Log { engine: Engine::LevelDb, number: 7 };
    let mut records = Records::open(&files, LOG, kind).unwrap();
    assert_eq!(records.read().unwrap().unwrap().data[0], 0);
    assert_eq!(records.read().unwrap(), None);
    assert!(matches!(records.end(), Some(End::Damaged(error)) if error.offset() == Some(20_007)));
    assert!(records.resume().unwrap());
    assert_eq!(records.read().unwrap().unwrap().data[0], 2);
    assert_eq!(records.read().unwrap(), None);
    assert_eq!(records.end(), Some(&End::Clean));
}

#[test]
fn remains_of_an_older_log_end_it_without_damage() {
    let mut old = Vec::new();
    for _ in 0..2000 {
        push_record(&mut old, Style::Recyclable(3), &[9; 40]);
    }
    let mut file = Vec::new();
    push_record(&mut file, Style::Recyclable(7), b"new");
    push_record(&mut file, Style::Recyclable(7), b"newer");
    let end_of_new = file.len();
    // The remains begin in the middle of an old record.
    file.extend_from_slice(&old[end_of_new..]);
    let (records, end) = read(Engine::RocksDb, file);
    assert_eq!(lengths(&records), [3, 5]);
    assert_eq!(end, End::Recycled { offset: end_of_new as u64 });
}

#[test]
fn frames_without_data_are_no_records() {
    let mut file = Vec::new();
    push_frame(&mut file, Style::Plain, 130, &[[5u8, 0, 0, 0, 0, 0, 0, 0]; 3].concat());
    push_frame(&mut file, Style::Plain, 10, &[2, 0, 0, 0, 8, 0]);
    push_frame(&mut file, Style::Plain, 140, b"a type to skip");
    push_record(&mut file, Style::Plain, b"data");
    let files = MemoryFiles::new([(LOG.to_owned(), file)]);
    let kind = LogKind::Log { engine: Engine::RocksDb, number: 7 };
    let mut records = Records::open(&files, LOG, kind).unwrap();
    assert_eq!(records.read().unwrap().unwrap().data, b"data");
}

#[test]
fn an_unknown_compression_is_not_read() {
    let mut file = Vec::new();
    push_frame(&mut file, Style::Plain, 9, &[4, 0, 0, 0]);
    push_record(&mut file, Style::Plain, b"packed");
    let (records, end) = read(Engine::RocksDb, file);
    assert_eq!(records, []);
    assert!(matches!(end, End::Damaged(error) if error.kind() == ErrorKind::NotRead));
}

#[test]
fn a_manifest_has_plain_frames_only() {
    let mut file = Vec::new();
    push_record(&mut file, Style::Recyclable(7), b"edit");
    let files = MemoryFiles::new([("MANIFEST-000001".to_owned(), file)]);
    let kind = LogKind::Manifest(Engine::RocksDb);
    let mut records = Records::open(&files, "MANIFEST-000001", kind).unwrap();
    assert_eq!(records.read().unwrap(), None);
    assert!(matches!(records.end(), Some(End::Damaged(_))), "{:?}", records.end());
}
