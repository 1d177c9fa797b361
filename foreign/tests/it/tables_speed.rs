//! How fast a table of 100 MiB is checked: run with `cargo test --release -- --ignored --nocapture`.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "it measures real time")]

use crate::common::Random;
use crate::common::build::{Builder, entries, handle, internal};
use levelscope_foreign::checksum::Checksum;
use levelscope_foreign::table::BlockTable;
use levelscope_foreign::{Comparator, Engine, MemoryFiles, TableReader};
use std::time::Instant;

const BLOCKS: u64 = 25_600;

fn large(version: u32, checksum: Checksum) -> Vec<u8> {
    let mut random = Random(1);
    let mut builder = Builder::new(version, checksum);
    let values: Vec<Vec<u8>> = (0..16).map(|_| (0..220).map(|_| random.byte()).collect()).collect();
    let mut index = Vec::new();
    for block in 0..BLOCKS {
        let key = |row: u64| internal(format!("user:{block:07}:{row:02}").as_bytes(), 1, 1);
        let rows: Vec<_> = (0_u64..).zip(&values).map(|(row, value)| (key(row), value)).collect();
        let at = builder.block(&entries(&rows), 0);
        index.push((key(15), handle(at)));
    }
    let index = builder.block(&entries(&index), 0);
    builder.finish(index, &[("rocksdb.comparator", b"leveldb.BytewiseComparator".to_vec())], &[])
}

#[test]
#[ignore = "takes seconds and measures"]
fn a_large_table_is_checked_fast() {
    for (version, checksum) in
        [(5, Checksum::Crc32c), (7, Checksum::Xxh3), (5, Checksum::XxHash64), (5, Checksum::XxHash)]
    {
        let bytes = large(version, checksum);
        let length = bytes.len();
        let files = MemoryFiles::new([("t.sst".to_owned(), bytes)]);
        let table =
            BlockTable::open(&files, "t.sst", Engine::RocksDb, Comparator::Bytewise).unwrap();
        for deep in [false, true] {
            let seconds = (0..5).map(|_| {
                let start = Instant::now();
                let read = table.check(deep, &mut |problem| panic!("{problem:?}")).bytes;
                assert!(read >= length as u64);
                start.elapsed().as_secs_f64()
            });
            // The best of five: other programs may run meanwhile.
            let seconds = seconds.fold(f64::INFINITY, f64::min);
            println!(
                "version {version}, {}, deep {deep}: {:.0} MB/s",
                checksum.word(),
                f64::from(u32::try_from(length).unwrap()) / 1e6 / seconds
            );
        }
        let start = Instant::now();
        let mut cursor = table.cursor().unwrap();
        cursor.first().unwrap();
        let mut count = 0;
        while cursor.entry().is_some() {
            count += 1;
            cursor.next().unwrap();
        }
        assert_eq!(count, BLOCKS * 16);
        println!("a walk over {count} entries: {:.3} s", start.elapsed().as_secs_f64());
        let start = Instant::now();
        for block in 0..1000 {
            cursor.seek(format!("user:{:07}:07", block * 25).as_bytes(), 9).unwrap();
            assert!(cursor.entry().is_some());
        }
        println!("a seek: {:.1} µs", start.elapsed().as_secs_f64() * 1e3);
    }
}
