//! Cycles, overlaps, and things in the wrong order.

use crate::judge::{Verdict, judge};
use crate::lengths::{sound_block, with_table};
use levelscope::storage::{FileName, MemoryStorage};
use levelscope::testing::forge::{
    BlockForge, EditForge, LogForge, RecordFields, TableClaim, TableForge, database, internal_key,
    put_entry,
};
use levelscope::testing::rewrite::patch;

fn key(user_key: &str, sequence: u64) -> Vec<u8> {
    internal_key(user_key.as_bytes(), sequence, 1)
}

fn refused_or_damaged(disk: &MemoryStorage, context: &str) {
    assert_ne!(judge(disk, context), Verdict::Taken, "{context}: the damage was not noticed");
}

/// A page that named itself as its child was followed until the stack was full.
#[test]
fn a_handle_that_leads_to_itself_is_damage() {
    let stored = sound_block().finish();
    let sound = || {
        let mut table = TableForge::new(5);
        table.claim([2, 0, 1, 2], b"key003", b"key010");
        table.data(&key("key010", 1), &stored, 0);
        table.finish()
    };
    let (file, claim) = sound();
    let footer = file.len() - 56;
    let word = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    let (meta_index, index) =
        ([word(footer), word(footer + 8)], [word(footer + 16), word(footer + 24)]);
    let bytes = |handle: [u64; 2]| handle.map(u64::to_le_bytes).concat();
    for (at, handle) in [(footer, index), (footer + 16, meta_index)] {
        let name = FileName::Table(5);
        let changed = patch(name, &file, at, &bytes(handle));
        let edit = EditForge::snapshot(6, 7, 2).added(&claim);
        refused_or_damaged(
            &database(vec![edit], &[(name, changed)]),
            "a footer with one block twice",
        );
    }
    // An index whose entry is the index, and a meta index whose entry is the meta index.
    for (offset, length) in
        [(index[0], index[1]), (meta_index[0], meta_index[1]), (0, stored.len() as u64)]
    {
        let disk = with_table(|table| {
            table.data(&key("key010", 1), &stored, 0);
            table.index.push((key("key020", 1), offset, length));
        });
        refused_or_damaged(&disk, "an index that leads to itself");
        let disk = with_table(|table| {
            table.data(&key("key010", 1), &stored, 0);
            table.metas.push((b"loop".to_vec(), offset, length));
        });
        refused_or_damaged(&disk, "a meta index that leads to itself");
    }
}

/// Changes the entries of an index: key, offset and length of each block.
type Change = fn(&mut Vec<(Vec<u8>, u64, u64)>);

#[test]
fn handles_that_overlap_or_go_backward_are_damage() {
    let stored = sound_block().finish();
    let length = stored.len() as u64;
    let second = BlockForge::default().restart().entry(0, &key("key020", 1), b"v").finish();
    let changes: [(&str, Change); 5] = [
        ("backward", |index| index.reverse()),
        ("one block twice", |index| index[1].1 = index[0].1),
        ("overlapping", |index| index[1].1 -= 1),
        ("a gap", |index| index[1].1 += 1),
        ("one left out", |index| drop(index.remove(0))),
    ];
    for (what, change) in changes {
        let disk = with_table(|table| {
            table.claim([3, 0, 1, 2], b"key003", b"key020");
            table.data(&key("key010", 1), &stored, 0);
            table.data(&key("key020", 1), &second, 0);
            assert_eq!(table.index[0].2, length);
            change(&mut table.index);
        });
        refused_or_damaged(&disk, what);
    }
}

#[test]
fn restarts_and_keys_out_of_order_are_damage() {
    let (first, last) = (key("key003", 2), key("key010", 1));
    let plain = || BlockForge::default().restart().entry(0, &first, b"red");
    let blocks = [
        ("no restart", BlockForge::default().entry(0, &first, b"red").finish()),
        ("a restart inside an entry", plain().restart_at(1).entry(0, &last, b"v").finish()),
        ("a restart after the entries", plain().restart_at(500).entry(0, &last, b"v").finish()),
        ("two restarts at one place", plain().restart_at(0).entry(0, &last, b"v").finish()),
        (
            "a first restart that is not 0",
            BlockForge::default().entry(0, &first, b"").restart().entry(0, &last, b"v").finish(),
        ),
        ("a restart that shares", plain().restart().entry(3, &last[3..], b"v").finish()),
        (
            "keys going down",
            BlockForge::default()
                .restart()
                .entry(0, &last, b"v")
                .restart()
                .entry(0, &first, b"v")
                .finish(),
        ),
        ("a key twice", plain().restart().entry(0, &first, b"again").finish()),
        (
            "a sequence going up",
            BlockForge::default()
                .restart()
                .entry(0, &key("key003", 1), b"")
                .entry(0, &key("key003", 2), b"")
                .finish(),
        ),
        (
            "a key without a trailer",
            BlockForge::default().restart().entry(0, b"short", b"v").finish(),
        ),
        (
            "an unknown kind",
            BlockForge::default()
                .restart()
                .entry(0, &internal_key(b"key003", 2, 7), b"")
                .restart()
                .entry(0, &last, b"v")
                .finish(),
        ),
        ("more shared than there is", plain().entry(60, b"12345678", b"v").finish()),
        ("an empty block", BlockForge::default().finish()),
    ];
    for (what, block) in blocks {
        let disk = with_table(|table| table.data(&last, &block, 0));
        refused_or_damaged(&disk, what);
    }
    for (what, index_key) in [("too small", "key000"), ("too large", "key020")] {
        let second = BlockForge::default().restart().entry(0, &key("key011", 1), b"v").finish();
        let disk = with_table(|table| {
            table.claim([3, 0, 1, 2], b"key003", b"key011");
            table.data(&key(index_key, 1), &sound_block().finish(), 0);
            table.data(&key("key030", 1), &second, 0);
        });
        refused_or_damaged(&disk, &format!("an index key {what}"));
    }
}

#[test]
fn tables_that_overlap_or_are_named_twice_are_damage() {
    let claim = |level, run, number, smallest: &str, largest: &str| TableClaim {
        numbers: [level, run, number, 100, 1, 0, 1, 1, 9],
        smallest: key(smallest, 9),
        largest: key(largest, 1),
    };
    let snapshot = || EditForge::snapshot(20, 21, 9);
    let edits = [
        (
            "overlapping",
            vec![snapshot().added(&claim(1, 1, 5, "a", "m")).added(&claim(1, 1, 6, "k", "z"))],
        ),
        (
            "touching",
            vec![snapshot().added(&claim(2, 1, 5, "a", "m")).added(&claim(2, 1, 6, "m", "z"))],
        ),
        (
            "inside",
            vec![snapshot().added(&claim(1, 1, 5, "a", "z")).added(&claim(1, 1, 6, "m", "n"))],
        ),
        (
            "named twice",
            vec![snapshot().added(&claim(0, 9, 5, "a", "m")).added(&claim(1, 1, 5, "n", "z"))],
        ),
        ("the wrong way round", vec![snapshot().added(&claim(1, 1, 5, "z", "a"))]),
        ("removed, not there", vec![snapshot(), EditForge::default().removed(1, 5)]),
        (
            "removed twice",
            vec![
                snapshot().added(&claim(1, 1, 5, "a", "b")),
                EditForge::default().removed(1, 5).removed(1, 5),
            ],
        ),
        (
            "removed elsewhere",
            vec![snapshot().added(&claim(1, 1, 5, "a", "b")), EditForge::default().removed(2, 5)],
        ),
        ("no snapshot", vec![EditForge::default().added(&claim(1, 1, 5, "a", "b"))]),
        ("an unknown tag", vec![snapshot().field(99, &[1])]),
        ("tags going down", vec![snapshot().field(1, &[3])]),
        ("a file that is not there", vec![snapshot().added(&claim(1, 1, 17, "a", "b"))]),
    ];
    for (what, edits) in edits {
        let files = [5, 6].map(|number| (FileName::Table(number), vec![0; 100]));
        refused_or_damaged(&database(edits, &files), what);
    }
}

/// Sequence numbers that come twice, in one log or in two: no version may be lost in silence.
#[test]
fn sequence_numbers_that_come_twice_are_noticed_or_harmless() {
    let record = |log: LogForge, number, key: &[u8]| {
        log.record(RecordFields::batch(number, 1), &put_entry(key, b"value"))
    };
    let end = |log: LogForge, number| {
        log.record(RecordFields { kind: 2, ..RecordFields::batch(number, 0) }, b"").finish()
    };
    for second in [1, 3, 1000] {
        let log = record(record(LogForge::wal(6), 1, b"a"), second, b"b").finish();
        let disk = database(vec![EditForge::snapshot(6, 7, 0)], &[(FileName::Wal(6), log)]);
        refused_or_damaged(&disk, "a gap or a repetition within a log");
    }
    let first = end(record(LogForge::wal(6), 5, b"key005"), 6);
    for number in [1, 5] {
        let second = record(LogForge::wal(7), number, b"key005").finish();
        let logs = [(FileName::Wal(6), first.clone()), (FileName::Wal(7), second)];
        judge(&database(vec![EditForge::snapshot(6, 8, 0)], &logs), "a newer log that goes back");
    }
}

/// Checksums are no signature: an attacker who can write the file can also forge its content. Nothing
/// relevant to security may depend on checksums; this test fails if the engine treats them as a signature.
#[test]
fn a_forged_value_with_right_checksums_is_just_a_value() {
    let log = LogForge::wal(6).record(RecordFields::batch(1, 1), &put_entry(b"key", b"honest"));
    let log = log.finish();
    let at = log.windows(6).position(|window| window == b"honest").unwrap();
    let forged = patch(FileName::Wal(6), &log, at, b"forged");
    let disk = database(vec![EditForge::snapshot(6, 7, 0)], &[(FileName::Wal(6), forged)]);
    let storage: std::sync::Arc<dyn levelscope::storage::Storage> = std::sync::Arc::new(disk);
    let db = crate::common::open(&storage, &crate::judge::options());
    assert_eq!(db.get(b"key").unwrap().as_deref(), Some(&b"forged"[..]));
}
