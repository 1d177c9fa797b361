//! What the engines keep of damaged logs.

use super::{damage, has, lacks, opened, text};
use crate::common::zip::report as archive;
use levelscope_foreign::export::{Carrier, Policy};
use levelscope_foreign::query::Part;

#[test]
fn leveldb_drops_the_rest_of_the_block_after_damage() {
    let files = archive("05");
    opened(&files, |directory| {
        let words = text(&damage(directory));
        has(&words, "recovery keeps 2,661 batches up to sequence number 3,000");
        has(&words, "leaves out 338 batches that follow and can be read");
        has(&words, "338 entries that no table has");
        has(&words, "sequence number 1,099 is lost in the damaged part");
        let part = Part { from: None, to: None, limit: 5_000, sequence: None };
        let rows = directory.rows(0, &part).unwrap();
        assert_eq!(rows.rows.len(), 2_661);
        let cautions = rows.cautions.join(" ");
        has(&cautions, "leaves out 338 entries");
        lacks(&cautions, "everything written");
        let policy = Policy { skip_damage: true, ..Policy::default() };
        let mut carrier = Carrier::new(directory, 0, policy).unwrap();
        let mut entries = 0;
        while carrier.next_entry().unwrap().is_some() {
            entries += 1;
        }
        assert_eq!(entries, 2_661);
    });
}

#[test]
fn tables_ahead_of_a_damaged_log_are_a_refusal_of_rocksdb() {
    let files = archive("04");
    opened(&files, |directory| {
        let words = text(&damage(directory));
        has(&words, "000012.log is damaged at offset 2,240: recovery keeps 50 batches");
        has(&words, "RocksDB refuses to open this directory");
        has(&words, "Corruption: SST file is ahead of WALs in CF state");
        has(&words, "with 20 entries that no table has");
        lacks(&words, "sequence number 152 is lost");
        has(&words, "nothing of them is lost, because tables have their entries");
    });
}
