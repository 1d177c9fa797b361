//! Boundary values: for each limit one less, the limit itself, and one more, through every call.
//!
//! [`TESTED`] names the constants of `limits.rs`, and a test compares it with the source: a new limit
//! without a test fails. (Limits that files break are in the binary `hostile`.)

use crate::common::*;
use levelscope::event::ShownKey;
use levelscope::limits::{
    BATCH_BYTES_MAX, BATCH_COUNT_MAX, BLOCK_BYTES_MAX, EDIT_BYTES_MAX, FILE_NUMBER_MAX,
    KEY_BYTES_MAX, LEVEL_COUNT_MAX, SEQUENCE_MAX, SHOWN_KEY_BYTES_MAX, TABLE_BYTES_MAX,
    TRANSACTION_READ_BYTES_MAX, VALUE_BYTES_MAX,
};
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::testing::forge::{
    EditForge, LogForge, RecordFields, TableClaim, database, internal_key, put_entry,
};
use levelscope::{
    Bound, Db, ErrorKind, Isolation, Maintenance, Options, Result, ScanOptions, TransactionOptions,
    WalSync, WriteBatch,
};
use std::sync::Arc;

/// Each limit and the test that tries it.
const TESTED: &[(&str, fn())] = &[
    ("KEY_BYTES_MAX", key_bytes),
    ("VALUE_BYTES_MAX", value_bytes),
    ("BATCH_BYTES_MAX", batch_bytes),
    ("BATCH_COUNT_MAX", batch_count),
    ("SEQUENCE_MAX", sequence),
    ("BLOCK_BYTES_MAX", block_bytes),
    ("EDIT_BYTES_MAX", edit_bytes),
    ("TABLE_BYTES_MAX", table_bytes),
    ("LEVEL_COUNT_MAX", level_count),
    ("FILE_NUMBER_MAX", file_number),
    ("SHOWN_KEY_BYTES_MAX", shown_key_bytes),
    ("TRANSACTION_READ_BYTES_MAX", transaction_read_bytes),
];

#[test]
fn every_limit_is_tested() {
    let source = include_str!("../../src/limits.rs");
    let declared = source.lines().filter_map(|line| line.strip_prefix("pub const "));
    let mut declared: Vec<&str> = declared.filter_map(|rest| rest.split(':').next()).collect();
    let mut tested: Vec<&str> = TESTED.iter().map(|(name, _)| *name).collect();
    declared.sort_unstable();
    tested.sort_unstable();
    assert_eq!(declared, tested, "a limit needs a test in TESTED");
}

#[test]
fn one_less_the_limit_and_one_more() {
    let mut technique = Technique::new("limits", 1);
    technique.next_seed();
    for (_, test) in TESTED {
        test();
        technique.count(3);
    }
}

fn options() -> Options {
    Options::default()
        .wal_sync(WalSync::None)
        .memtable_bytes(1 << 30)
        .maintenance(Maintenance::Manual)
        .cache_bytes(0)
}

fn fresh() -> (MemoryStorage, Db) {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &options());
    (disk, db)
}

fn over(disk: &MemoryStorage) -> Result<Db> {
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    try_open(&storage, &options())
}

/// `result` is `Ok` exactly when `fits`; otherwise the error names the limit.
fn fits<T>(result: Result<T>, fits: bool, context: &str) {
    match result {
        Ok(_) => assert!(fits, "{context}: was taken"),
        Err(error) => {
            assert!(!fits, "{context}: {error}");
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{context}: {error}");
        }
    }
}

/// The results of `fits` for one less, the limit and one more.
fn around(limit: usize) -> [(usize, bool); 3] {
    [(limit - 1, true), (limit, true), (limit + 1, false)]
}

fn key_bytes() {
    let (_disk, db) = fresh();
    for (bytes, good) in around(KEY_BYTES_MAX) {
        let key = vec![b'k'; bytes];
        let context = format!("a key of {bytes} bytes");
        fits(db.put(&key, b"v"), good, &context);
        fits(db.delete(&key), good, &context);
        fits(WriteBatch::new().put(&key, b"v"), good, &context);
        fits(WriteBatch::new().delete(&key), good, &context);
        // Reading takes any key: a key that cannot exist is not found.
        db.put(b"k", b"v").unwrap();
        assert_eq!(db.get(&key).unwrap(), None, "{context}");
        let scan = ScanOptions::default().range((Bound::Excluded(&key), Bound::Unbounded));
        let mut iterator = db.iter(&scan).unwrap();
        iterator.seek(&key).unwrap();
        iterator.seek_to_first().unwrap();
        iterator.seek_for_prev(&key).unwrap();
    }
}

fn value_bytes() {
    let (disk, db) = fresh();
    for (bytes, good) in around(VALUE_BYTES_MAX) {
        let value = vec![b'v'; bytes];
        let context = format!("a value of {bytes} bytes");
        fits(WriteBatch::new().put(b"k", &value), good, &context);
        fits(db.put(b"k", &value), good, &context);
        if good {
            assert_eq!(db.get(b"k").unwrap().map(|value| value.len()), Some(bytes), "{context}");
        }
    }
    // The longest value is read back from a log, and from a table.
    drop(db);
    let db = over(&disk).unwrap();
    assert_eq!(db.get(b"k").unwrap().map(|value| value.len()), Some(VALUE_BYTES_MAX));
    db.request_flush().unwrap();
    while db.step(levelscope::Budget::Job).unwrap() != levelscope::StepOutcome::Idle {}
    assert_eq!(db.get(b"k").unwrap().map(|value| value.len()), Some(VALUE_BYTES_MAX));
}

fn batch_bytes() {
    // Kind, key length, two values whose lengths take four bytes each.
    let frame = 2 * (1 + 1 + 4);
    for (bytes, good) in around(BATCH_BYTES_MAX) {
        let mut batch = WriteBatch::new();
        batch.put(b"", vec![0; VALUE_BYTES_MAX]).unwrap();
        let rest = bytes - frame - VALUE_BYTES_MAX;
        let before = batch.bytes();
        fits(batch.put(b"", vec![0; rest]), good, &format!("a batch of {bytes} bytes"));
        assert_eq!(batch.bytes(), if good { bytes } else { before });
    }
}

fn batch_count() {
    // A batch of so many operations is made once, and grown over the limit.
    let mut batch = WriteBatch::new();
    for _ in 0..BATCH_COUNT_MAX - 1 {
        batch.delete(b"").unwrap();
    }
    fits(batch.delete(b""), true, "the last operation of a batch");
    assert_eq!(batch.len(), BATCH_COUNT_MAX);
    fits(batch.delete(b""), false, "one operation too many");
    fits(batch.put(b"k", b"v"), false, "one operation too many");
    assert_eq!(batch.len(), BATCH_COUNT_MAX);
}

fn sequence() {
    for (last, left) in
        [(SEQUENCE_MAX - 3, true), (SEQUENCE_MAX - 2, true), (SEQUENCE_MAX - 1, false)]
    {
        let disk = database(vec![EditForge::snapshot(6, 7, last)], &[]);
        let db = over(&disk).unwrap();
        fits(db.put(b"key", b"value"), left, &format!("a write after {last}"));
        drop(db);
        let db = over(&disk).unwrap();
        assert_eq!(db.get(b"key").unwrap().is_some(), left, "after {last}");
        assert!(db.view().last_sequence <= SEQUENCE_MAX);
    }
}

fn block_bytes() {
    // The longest key with the longest value is one block; a longer one cannot come about.
    let (disk, db) = fresh();
    for (key, value) in [(KEY_BYTES_MAX - 1, VALUE_BYTES_MAX), (KEY_BYTES_MAX, VALUE_BYTES_MAX)] {
        assert!(key + value < BLOCK_BYTES_MAX);
        db.put(vec![b'k'; key], vec![b'v'; value]).unwrap();
    }
    db.request_flush().unwrap();
    while db.step(levelscope::Budget::Job).unwrap() != levelscope::StepOutcome::Idle {}
    drop(db);
    let db = over(&disk).unwrap();
    assert_eq!(db.get(vec![b'k'; KEY_BYTES_MAX]).unwrap().map(|v| v.len()), Some(VALUE_BYTES_MAX));
}

fn edit_bytes() {
    // No test writes an edit of this length; a file that claims one is refused before it is read.
    for (bytes, reason) in [
        (EDIT_BYTES_MAX - 1, "a snapshot"),
        (EDIT_BYTES_MAX, "a snapshot"),
        (EDIT_BYTES_MAX + 1, "impossible length"),
    ] {
        let disk = database(vec![], &[]);
        let fields = RecordFields { body_bytes: Some(bytes as u32), ..RecordFields::edit(1, 0) };
        disk.put("MANIFEST-000001", &LogForge::manifest(1).record(fields, b"short").finish());
        let error = over(&disk).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption, "{error}");
        let reason = if reason == "a snapshot" { "snapshot" } else { reason };
        assert!(error.to_string().contains(reason), "{bytes}: {error}");
    }
}

fn table_bytes() {
    for (bytes, good) in
        [(TABLE_BYTES_MAX - 1, true), (TABLE_BYTES_MAX, true), (TABLE_BYTES_MAX + 1, false)]
    {
        let claim = TableClaim {
            numbers: [1, 1, 5, bytes, bytes, 0, 1, 1, 1],
            smallest: internal_key(b"a", 1, 1),
            largest: internal_key(b"b", 1, 1),
        };
        let edits = vec![EditForge::snapshot(6, 7, 1).added(&claim)];
        let opened = over(&database(edits, &[(FileName::Table(5), vec![0; 100])]));
        assert_eq!(opened.is_ok(), good, "a table of {bytes} bytes");
    }
}

fn level_count() {
    for (count, good) in around(LEVEL_COUNT_MAX) {
        let options = options().level_count(count);
        fits(options.validate(), good, &format!("{count} levels"));
        let claim = TableClaim {
            numbers: [count as u64 - 1, 1, 5, 100, 1, 0, 1, 1, 1],
            smallest: internal_key(b"a", 1, 1),
            largest: internal_key(b"b", 1, 1),
        };
        let edits = vec![EditForge::snapshot(6, 7, 1).added(&claim)];
        let opened = over(&database(edits, &[(FileName::Table(5), vec![0; 100])]));
        assert_eq!(opened.is_ok(), good, "a table in L{}", count - 1);
    }
}

fn file_number() {
    for (number, good) in
        [(FILE_NUMBER_MAX - 1, true), (FILE_NUMBER_MAX, true), (FILE_NUMBER_MAX + 1, false)]
    {
        for name in [FileName::Table(number), FileName::Wal(number), FileName::Manifest(number)] {
            assert_eq!(FileName::parse(&name.to_string()), good.then_some(name), "{name}");
        }
        let log = LogForge::wal(number).record(RecordFields::batch(1, 1), &put_entry(b"key", b"v"));
        let known = number.min(FILE_NUMBER_MAX);
        let edits = vec![EditForge::snapshot(known, known, 0)];
        let disk = database(edits, &[(FileName::Wal(number), log.finish())]);
        match over(&disk) {
            // A number that leaves none for the new files of opening.
            Err(error) if good => {
                assert_eq!(error.kind(), ErrorKind::OutOfSpace, "{number}: {error}");
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::InvalidArgument, "a stranger: {error}");
            }
            Ok(_) => panic!("{number} leaves no number for what opening makes"),
        }
    }
}

fn shown_key_bytes() {
    for (bytes, whole) in around(SHOWN_KEY_BYTES_MAX) {
        let shown = ShownKey::new(&vec![b'k'; bytes]);
        assert_eq!(shown.head.len() == bytes, whole, "{bytes}");
        assert_eq!(shown.bytes, bytes);
    }
}

/// Keys that were read take their length twice, as both ends of a range, and a fixed amount each.
fn transaction_read_bytes() {
    let (_disk, db) = fresh();
    let own = db.begin(&TransactionOptions::new(Isolation::Serializable));
    let each = 2 * KEY_BYTES_MAX + 96;
    let fitting = TRANSACTION_READ_BYTES_MAX / each;
    let key = |number: usize, bytes: usize| {
        [format!("{number:08}").into_bytes(), vec![b'k'; bytes - 8]].concat()
    };
    for number in 0..fitting {
        assert_eq!(own.get(key(number, KEY_BYTES_MAX)).unwrap(), None);
    }
    let left = TRANSACTION_READ_BYTES_MAX - fitting * each;
    let largest = (left - 96) / 2;
    assert!((100..KEY_BYTES_MAX).contains(&largest), "{largest}");
    own.get(key(0, largest)).unwrap();
    // A key that was read before costs nothing to read again; a new key is refused.
    own.get(key(0, largest)).unwrap();
    let refused = own.get(key(1, 200)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
    let shared = db.begin(&TransactionOptions::default());
    for number in 0..=fitting {
        shared.get(key(number, KEY_BYTES_MAX)).unwrap();
    }
}
