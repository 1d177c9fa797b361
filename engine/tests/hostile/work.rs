//! Work: decompression bombs, and files whose reading would cost more than linear time.
//!
//! No test here uses a clock: they count bytes, comparisons and blocks.

use crate::common::open;
use crate::judge::{Verdict, judge, options};
use crate::lengths::with_table;
use levelscope::ReadStop;
use levelscope::storage::{FileName, Storage};
use levelscope::testing::forge::{
    BlockForge, EditForge, LogForge, RecordFields, TableClaim, TableForge, database, internal_key,
    put_entry, varint,
};
use std::sync::Arc;

/// A few bytes claimed a length of gigabytes, and the claim was believed.
#[test]
fn a_decompression_bomb_fails_before_it_is_unpacked() {
    let last = internal_key(b"key010", 1, 1);
    for claimed in
        [100_000_u64, 1 << 20, 63 << 20, 65 << 20, 1 << 31, (1 << 32) - 1, 1 << 40, u64::MAX]
    {
        // Copies of copies: the densest stream that Snappy knows, cut off where the file ends.
        let stored = [varint(claimed), vec![0, b'x'], [0xfe, 1, 0].repeat(900)].concat();
        let disk = with_table(|table| table.data(&last, &stored, 1));
        assert_ne!(judge(&disk, &format!("{claimed} bytes from 2700")), Verdict::Taken);
    }
}

/// Zeros compress well within the rules: the decompressed size stays within the ratio that the format allows.
#[test]
fn a_dense_block_costs_no_more_than_the_ratio_allows() {
    let value = vec![0; 4 << 20];
    let block = BlockForge::default()
        .restart()
        .entry(0, &internal_key(b"key003", 2, 1), &value)
        .restart()
        .entry(0, &internal_key(b"key010", 1, 1), b"pink")
        .finish();
    let stored = snap::raw::Encoder::new().compress_vec(&block).unwrap();
    assert!(block.len() / stored.len() <= 32, "Snappy cannot do better");
    let disk = with_table(|table| table.data(&internal_key(b"key010", 1, 1), &stored, 1));
    assert_eq!(judge(&disk, "4 MiB of zeros"), Verdict::Taken);
}

/// 1 MiB that looks like record headers at every byte: the search for a later record looks at each once.
#[test]
fn a_log_full_of_false_headers_is_searched_once() {
    let header = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 9, 9,
        9, 9,
    ];
    for pattern in
        [header.to_vec(), vec![1; 32], vec![0; 32], (0..32).map(|byte| byte % 5).collect()]
    {
        let log = LogForge::wal(6)
            .record(RecordFields::batch(1, 1), &put_entry(b"key003", b"value"))
            .raw(&pattern.repeat((1 << 20) / 32));
        let files = [(FileName::Wal(6), log.finish())];
        judge(&database(vec![EditForge::snapshot(6, 7, 0)], &files), "false headers");
    }
}

/// Bodies of true records inside each other: stepping over them must not begin anew at each.
#[test]
fn records_without_a_proof_are_stepped_over() {
    let mut log =
        LogForge::wal(6).record(RecordFields::batch(1, 1), &put_entry(b"key003", b"v")).raw(&[7]);
    for number in 2..12_000 {
        log = log.record(RecordFields::batch(number, 1), &put_entry(b"key", b"v"));
    }
    let files = [(FileName::Wal(6), log.finish())];
    judge(&database(vec![EditForge::snapshot(6, 7, 0)], &files), "many records after a torn one");
}

/// Half a million edits of one table each, and tables that come and go: each costs a logarithm.
#[test]
fn a_manifest_of_many_edits_costs_a_logarithm_each() {
    let claim = |number: u64| TableClaim {
        numbers: [1, 1, number, 100, 1, 0, 1, 1, 1],
        smallest: internal_key(&number.to_be_bytes_of_key(), 1, 1),
        largest: internal_key(&number.to_be_bytes_of_key(), 1, 1),
    };
    let mut edit = EditForge::snapshot(6, 7, 0);
    for number in 1..20_000 {
        edit = edit.added(&claim(number));
    }
    judge(&database(vec![edit], &[]), "20,000 tables that are not there");
    let mut edits = vec![EditForge::snapshot(6, 7, 0)];
    for number in 1..8_000 {
        let edit = EditForge::default();
        let edit = if number > 1 { edit.removed(1, number - 1) } else { edit };
        edits.push(edit.added(&claim(number)));
    }
    judge(&database(edits, &[]), "8,000 tables one after the other");
}

trait KeyOf {
    fn to_be_bytes_of_key(self) -> Vec<u8>;
}

impl KeyOf for u64 {
    fn to_be_bytes_of_key(self) -> Vec<u8> {
        format!("key{self:08}").into_bytes()
    }
}

/// One block of 1 MiB with as many restart points as fit, or with one: a lookup compares a logarithm of
/// them, and no more than an interval of entries.
#[test]
fn a_lookup_in_a_block_of_a_mebibyte_compares_few_keys() {
    for interval in [1, 16, 1024] {
        let mut block = BlockForge::default();
        let count = 40_000_u64;
        for number in 0..count {
            if number % interval == 0 {
                block = block.restart();
            }
            block = block.entry(0, &internal_key(&number.to_be_bytes_of_key(), 1, 1), b"v");
        }
        let last = (count - 1).to_be_bytes_of_key();
        let mut table = TableForge::new(5);
        table.claim([count, 0, 1, 1], &0_u64.to_be_bytes_of_key(), &last);
        table.data(&internal_key(&last, 1, 1), &block.finish(), 0);
        let (file, claim) = table.finish();
        let edit = EditForge::snapshot(6, 7, 1).added(&claim);
        let disk = database(vec![edit], &[(FileName::Table(5), file)]);
        let storage: Arc<dyn Storage> = Arc::new(disk.fork());
        let db = open(&storage, &options());
        for number in (0..count).step_by(997) {
            let (value, path) = db.explain_get(&number.to_be_bytes_of_key(), None).unwrap();
            assert!(value.is_some(), "{number}");
            for stop in &path.stops {
                if let ReadStop::Table { comparisons, blocks, .. } = stop {
                    let limit = 20 + interval as u32;
                    assert!(
                        *comparisons <= limit,
                        "{comparisons} comparisons, interval {interval}"
                    );
                    assert_eq!(blocks.len(), 1);
                }
            }
        }
        drop(db);
        assert_eq!(judge(&disk, &format!("interval {interval}")), Verdict::Taken);
    }
}

/// In a block with one restart point and too many entries, every step back would scan all of the block.
#[test]
fn a_block_without_restart_points_is_damage_before_it_costs_a_square() {
    let mut block = BlockForge::default().restart();
    for number in 0..30_000_u64 {
        block = block.entry(0, &internal_key(&number.to_be_bytes_of_key(), 1, 1), b"v");
    }
    let last = 29_999_u64.to_be_bytes_of_key();
    let disk = with_table(|table| {
        table.claim([30_000, 0, 1, 1], &0_u64.to_be_bytes_of_key(), &last);
        table.data(&internal_key(&last, 1, 1), &block.finish(), 0);
    });
    assert_eq!(judge(&disk, "one restart point for 30,000 entries"), Verdict::Damaged);
}

/// Filters of any size and any number of probes.
#[test]
fn a_filter_costs_at_most_thirty_probes() {
    for (bytes, probes) in [(0, 0), (0, 6), (1, 0), (1, 31), (1, 255), (1 << 20, 30), (1 << 20, 6)]
    {
        let mut filter = vec![0xff; bytes];
        filter.push(probes);
        let disk = with_table(|table| {
            table.data(&internal_key(b"key010", 1, 1), &crate::lengths::sound_block().finish(), 0);
            table.filter(&filter);
        });
        let verdict = judge(&disk, &format!("{bytes} bytes, {probes} probes"));
        let sound = bytes > 0 && (1..=30).contains(&probes);
        assert_eq!(verdict == Verdict::Taken, sound, "{bytes} bytes, {probes} probes");
    }
}
