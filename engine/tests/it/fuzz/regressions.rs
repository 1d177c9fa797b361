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

#[test]
fn a_full_disk_and_a_job() {
    holds(
    &[("memtable_bytes", "4096"), ("block_bytes", "64"), ("restart_interval", "1"), ("bloom_bits", "1"), ("cache_bytes", "4096"), ("open_tables_max", "4"), ("table_bytes", "2048"), ("level_count", "3"), ("l0_trigger", "1"), ("l0_slowdown", "6"), ("l0_stall", "6"), ("debt_slowdown_bytes", "0"), ("level_base_bytes", "4096"), ("level_multiplier", "2"), ("read_compaction_bytes", "0"), ("manifest_bytes", "1024"), ("wal_sync", "interval:700"), ("wal_buffer_bytes", "4096"), ("maintenance", "inline"), ],
    &[
        Op::Put(b"".to_vec(), b"".to_vec()),
        Op::Batch(vec![(b"key077".to_vec(), Some(b"H\x11\xda".to_vec())), (b"key105".to_vec(), Some(b"\xc7\xe7\xe9\xd0\xf4kq\x84sssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss".to_vec())), (b"key068".to_vec(), Some(b"\xe9\xd6\x11\xbc)w\xa8Rcccccccccccccccccccccccccccccccc".to_vec()))]),
        Op::Flush,
        Op::Put(b"key011".to_vec(), b"\xefIf(/\xaf\xe1\nyyyyyyyyyyyyyyyyy".to_vec()),
        Op::Iterator { lower: Bound::Unbounded, upper: Bound::Unbounded, at: None },
        Op::Put(b"key047".to_vec(), b"7yN\xcd\x986\xd8\xf8yyy".to_vec()),
        Op::Flush,
        Op::Full(2096),
        Op::Put(b"key117".to_vec(), b"\xe6E\x03_?L?".to_vec()),
        Op::Put(b"key034".to_vec(), b"\x85<\x1f\xf9\xea\x8e[\xd1sssss".to_vec()),
        Op::Put(b"key020".to_vec(), b"r\xf9p\x07\xa4zQ\xf9nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn".to_vec()),
        Op::Flush,
    ],
    );
}
