//! Sequences that once failed, as the shrinker printed them, and one that has a bit of everything.

use super::ops::{Op, Walk};
use super::run::run;
use levelscope::storage::Crash;
use levelscope::storage::fault::Fault;
use levelscope::{Bound, Options};

/// The sequence must go well with these options.
fn holds(settings: &[(&str, &str)], ops: &[Op]) {
    let mut options = Options::default();
    for (name, value) in settings {
        options.set(name, value).expect("an option");
    }
    run(&options, ops).unwrap_or_else(|what| panic!("{what}"));
}

#[test]
fn a_bit_of_everything() {
    holds(
        &[("memtable_bytes", "256"), ("l0_trigger", "1"), ("maintenance", "manual")],
        &[
            Op::Put(b"a".to_vec(), b"1".to_vec()),
            Op::Iterator {
                lower: Bound::Unbounded,
                upper: Bound::Excluded(b"c".to_vec()),
                at: None,
            },
            Op::Snapshot,
            Op::Batch(vec![(b"b".to_vec(), Some(b"2".to_vec())), (b"a".to_vec(), None)]),
            Op::Flush,
            Op::Step(300),
            Op::Compact(None),
            Op::Step(300),
            Op::GetAt(0, b"a".to_vec()),
            Op::ScanAt(0, true),
            Op::Move(
                0,
                vec![Walk::Seek(b"\x00".to_vec()), Walk::Next, Walk::SeekForPrev(b"z".to_vec())],
            ),
            Op::Get(b"a".to_vec()),
            Op::Scan {
                lower: Bound::Included(b"a".to_vec()),
                upper: Bound::Unbounded,
                backward: true,
            },
            Op::Fail(Fault::SyncError, 1, false),
            Op::Delete(b"b".to_vec()),
            Op::Crash(Crash::Random(3), Some((Fault::Io, 4))),
            Op::Full(10),
            Op::Put(b"c".to_vec(), b"3".to_vec()),
            Op::Reopen,
            Op::Flip(1, 40, 3),
            Op::Check,
        ],
    );
}

/// The clean end of a log is only in the page cache when the following sync fails or the process dies
/// before it. Recovery took the clean end for durable, and the next crash made it corruption.
#[test]
fn a_clean_end_that_was_never_synced() {
    holds(
        &[("maintenance", "manual")],
        &[
            Op::Fail(Fault::OutOfSpace, 11, false),
            Op::Put(b"key062".to_vec(), b"".to_vec()),
            Op::Rotate,
            Op::Delete(b"key066".to_vec()),
            Op::Reopen,
            Op::Crash(Crash::Random(4_830_284_344_988_975_744), None),
        ],
    );
}

/// A flush was under way when a sync of the directory failed, for another file: the name of its table
/// was lost with that, but the flush went on, and the manifest named a table that was not there.
#[test]
fn a_job_goes_on_behind_a_failed_sync() {
    holds(
        &[("memtable_bytes", "64"), ("wal_sync", "none"), ("maintenance", "manual")],
        &[
            Op::Put(b"a".to_vec(), vec![b'a'; 60]),
            Op::Put(b"b".to_vec(), Vec::new()),
            Op::Step(20),
            // The log is closed with two syncs; the third is that of the directory.
            Op::Fail(Fault::SyncError, 3, false),
            Op::Flush,
            Op::Step(300),
            Op::Crash(Crash::KeepSynced, None),
        ],
    );
}
