//! The limits of keys, values and batches, through every way that leads into the engine from a file.
//! (Calls are in the other binary, which has no limit of memory: `it/limits.rs`.)

use crate::common::*;
use crate::judge::{Verdict, judge, options};
use crate::lengths::with_table;
use levelscope::limits::{KEY_BYTES_MAX, VALUE_BYTES_MAX};
use levelscope::storage::{FileName, Storage};
use levelscope::testing::forge::{
    BlockForge, EditForge, LogForge, RecordFields, TableClaim, batch_entry, database, internal_key,
};
use std::sync::Arc;

/// One way into the engine did not ask for the limits that all others asked for.
#[test]
fn the_longest_key_is_taken_from_a_log_and_a_longer_one_is_not() {
    for (bytes, fits) in
        [(KEY_BYTES_MAX - 1, true), (KEY_BYTES_MAX, true), (KEY_BYTES_MAX + 1, false)]
    {
        for kind in [0, 1] {
            let key = vec![b'k'; bytes];
            let entry = batch_entry(kind, bytes as u64, 0, &key);
            let log = LogForge::wal(6).record(RecordFields::batch(1, 1), &entry).finish();
            let disk = database(vec![EditForge::snapshot(6, 7, 0)], &[(FileName::Wal(6), log)]);
            let storage: Arc<dyn Storage> = Arc::new(disk);
            let opened = try_open(&storage, &options());
            assert_eq!(opened.is_ok(), fits, "kind {kind}, {bytes} bytes");
            if let Ok(db) = opened {
                assert_eq!(db.get(&key).unwrap().is_some(), kind == 1);
            }
        }
    }
}

#[test]
fn the_longest_key_is_taken_from_a_table_and_a_manifest_and_a_longer_one_is_not() {
    for (bytes, fits) in
        [(KEY_BYTES_MAX - 1, true), (KEY_BYTES_MAX, true), (KEY_BYTES_MAX + 1, false)]
    {
        let key = vec![b'k'; bytes];
        let internal = internal_key(&key, 1, 1);
        let block = BlockForge::default().restart().entry(0, &internal, b"v").finish();
        let disk = with_table(|table| {
            table.claim([1, 0, 1, 1], &key, &key);
            table.data(&internal, &block, 0);
        });
        let verdict = judge(&disk, &format!("{bytes} bytes in a table"));
        assert_eq!(verdict == Verdict::Taken, fits, "{bytes} bytes in a table: {verdict:?}");
        let claim = TableClaim {
            numbers: [1, 1, 5, 100, 1, 0, 1, 1, 1],
            smallest: internal.clone(),
            largest: internal.clone(),
        };
        let log = (FileName::Wal(6), LogForge::wal(6).finish());
        let edits =
            vec![EditForge::snapshot(6, 7, 1).added(&claim), EditForge::default().removed(1, 5)];
        let verdict = judge(&database(edits, &[log]), &format!("{bytes} bytes in a manifest"));
        assert_eq!(verdict != Verdict::Refused, fits, "{bytes} bytes in a manifest");
    }
}

/// A value whose length field is too long is refused by this field, before it is read.
#[test]
fn a_value_in_a_log_that_claims_too_much_is_refused() {
    for bytes in [VALUE_BYTES_MAX as u64, VALUE_BYTES_MAX as u64 + 1] {
        let entry = batch_entry(1, 1, bytes, b"kvvvv");
        let log = LogForge::wal(6).record(RecordFields::batch(1, 1), &entry).finish();
        let disk = database(vec![EditForge::snapshot(6, 7, 0)], &[(FileName::Wal(6), log)]);
        assert_eq!(judge(&disk, &format!("a value of {bytes} bytes")), Verdict::Refused);
    }
}
