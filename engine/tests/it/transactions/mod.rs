//! Transactions: their reads, their writes, their conflicts.

mod failures;
mod groups;
mod histories;
mod model;
mod ranges;
mod threads;

use crate::common::*;
use levelscope::event::{Event, EventKind, Grain, Recorder};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{
    Budget, Db, Error, ErrorKind, Isolation, Maintenance, Options, PinnedValue, StepOutcome,
    Transaction, TransactionOptions, WalSync, WriteBatch,
};
use std::sync::Arc;

const SNAPSHOT: TransactionOptions = TransactionOptions::new(Isolation::Snapshot);
const SERIALIZABLE: TransactionOptions = TransactionOptions::new(Isolation::Serializable);
const BOTH: [TransactionOptions; 2] = [SNAPSHOT, SERIALIZABLE];

/// Little data makes files, and jobs run only when the test steps them.
fn by_hand() -> Options {
    Options::default()
        .block_bytes(128)
        .level_count(4)
        .l0_trigger(1000)
        .l0_stall(1000)
        .immutable_count_max(60)
        .maintenance(Maintenance::Manual)
        .wal_sync(WalSync::Group)
}

fn new_db() -> (MemoryStorage, Db) {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &by_hand());
    (disk, db)
}

fn settle(db: &Db) {
    while db.step(Budget::Job).expect("the job works") != StepOutcome::Idle {}
}

/// Everything goes through a flush and all compactions down to the deepest level.
fn to_the_bottom(db: &Db) {
    db.request_flush().unwrap();
    settle(db);
    for level in 0..db.options().level_count - 1 {
        db.request_compaction(Some(level)).unwrap();
        settle(db);
    }
}

fn text(value: Option<PinnedValue>) -> Option<String> {
    value.map(|value| String::from_utf8(value.into_vec()).unwrap())
}

fn read(transaction: &Transaction, key: &str) -> Option<String> {
    text(transaction.get(key.as_bytes()).unwrap())
}

/// The conflict that a commit must answer.
fn conflict(transaction: &mut Transaction) -> Error {
    let error = transaction.commit(None).expect_err("a conflict");
    assert_eq!(error.kind(), ErrorKind::Conflict, "{error}");
    assert!(transaction.has_ended());
    error
}

#[test]
fn it_reads_its_own_writes_and_one_moment_of_all_others() {
    for options in BOTH {
        let (_, db) = new_db();
        db.put(b"old", b"1").unwrap();
        db.put(b"gone", b"1").unwrap();
        let mut own = db.begin(&options);
        assert_eq!((own.id(), own.sequence(), own.isolation()), (1, 2, options.isolation));
        own.put(b"new", b"mine").unwrap();
        own.put(b"old", b"2").unwrap();
        own.put(b"old", b"3").unwrap();
        own.delete(b"gone").unwrap();
        db.put(b"other", b"theirs").unwrap();
        assert_eq!(read(&own, "new").as_deref(), Some("mine"));
        assert_eq!(read(&own, "old").as_deref(), Some("3"));
        assert_eq!(read(&own, "gone"), None);
        assert_eq!(read(&own, "other"), None, "written after it began");
        assert_eq!((own.len(), own.is_empty()), (3, false));
        assert_eq!(text(db.get(b"old").unwrap()).as_deref(), Some("1"), "the write is private");
        // Of two writes of one key the last one is written: three keys, three sequence numbers.
        let sequence = own.commit(None);
        if options.isolation == Isolation::Serializable {
            assert_eq!(sequence.unwrap_err().kind(), ErrorKind::Conflict, "it has missed `other`");
            continue;
        }
        assert_eq!(sequence.unwrap(), 6);
        assert_eq!(text(db.get(b"old").unwrap()).as_deref(), Some("3"));
        assert_eq!(db.get(b"gone").unwrap(), None);
        assert_eq!(contents(&db).unwrap().len(), 3);
    }
}

#[test]
fn a_rolled_back_transaction_leaves_no_byte() {
    for dropped in [false, true] {
        let (disk, db) = new_db();
        db.put(b"a", b"1").unwrap();
        let (before, view) = (disk.hash(), db.view());
        let mut own = db.begin(&SERIALIZABLE);
        for index in 0..100_u8 {
            own.put([index], [index; 100]).unwrap();
        }
        assert_eq!(db.view().transactions.len(), 1);
        if dropped {
            drop(own);
        } else {
            own.rollback();
            own.rollback();
            assert!(own.has_ended() && own.is_empty());
        }
        assert_eq!(disk.hash(), before);
        let after = db.view();
        assert_eq!((after.last_sequence, after.transactions.len()), (view.last_sequence, 0));
        assert_eq!((after.wals, after.memtables), (view.wals, view.memtables));
        assert_eq!(db.stats().transactions_rolled_back, 1);
    }
}

#[test]
fn an_ended_transaction_refuses_everything() {
    let (_, db) = new_db();
    let ends: [fn(&Db, &mut Transaction); 3] = [
        |_, own| _ = own.commit(None).unwrap(),
        |db, own| {
            db.put(b"a", b"first").unwrap();
            conflict(own);
        },
        |_, own| own.rollback(),
    ];
    for end in ends {
        let mut own = db.begin(&SNAPSHOT);
        own.put(b"a", b"1").unwrap();
        end(&db, &mut own);
        let kinds = [
            own.put(b"b", b"").unwrap_err().kind(),
            own.delete(b"b").unwrap_err().kind(),
            own.get(b"b").unwrap_err().kind(),
            own.iter(&levelscope::ScanOptions::default()).unwrap_err().kind(),
            own.commit(None).unwrap_err().kind(),
        ];
        assert_eq!(kinds, [ErrorKind::InvalidArgument; 5]);
        drop(own);
        assert!(db.view().transactions.is_empty());
    }
    let stats = db.stats();
    assert_eq!((stats.transactions_begun, stats.transactions_committed), (3, 1));
    assert_eq!((stats.conflicts, stats.transactions_rolled_back), (1, 1));
}

#[test]
fn the_first_committer_wins() {
    for options in BOTH {
        let (_, db) = new_db();
        db.put(b"k", b"0").unwrap();
        let (mut first, mut second) = (db.begin(&options), db.begin(&options));
        first.put(b"k", b"1").unwrap();
        second.put(b"k", b"2").unwrap();
        assert_eq!(first.commit(None).unwrap(), 2);
        let error = conflict(&mut second).to_string();
        assert_eq!(
            error,
            "the key \"k\", which this transaction writes, was committed with sequence number 2 \
             after the transaction began at 1: begin another and read again"
        );
        assert_eq!(text(db.get(b"k").unwrap()).as_deref(), Some("1"));
    }
}

/// Two add to one counter; without the check one of the additions would be lost.
#[test]
fn no_update_is_lost() {
    let (_, db) = new_db();
    db.put(b"count", b"0").unwrap();
    let add = |own: &mut Transaction| {
        let count: u32 = read(own, "count").unwrap().parse().unwrap();
        own.put(b"count", (count + 1).to_string().as_bytes()).unwrap();
    };
    let (mut first, mut second) = (db.begin(&SNAPSHOT), db.begin(&SNAPSHOT));
    add(&mut first);
    add(&mut second);
    second.commit(None).unwrap();
    conflict(&mut first);
    let mut again = db.begin(&SNAPSHOT);
    add(&mut again);
    again.commit(None).unwrap();
    assert_eq!(text(db.get(b"count").unwrap()).as_deref(), Some("2"));
}

/// Its name, and how the newest write gets there.
type Place = (&'static str, fn(&Db));

/// Whatever became of the other write, the commit hears of it: puts and deletes, of keys that were there
/// and were not, in the memtable, in a table, at the bottom where a tombstone has nothing to hide.
#[test]
fn the_other_write_is_found_wherever_it_is() {
    let places: [Place; 4] = [
        ("memtable", |_| ()),
        ("immutable", |db| _ = db.rotate().unwrap()),
        ("L0", |db| {
            db.request_flush().unwrap();
            settle(db);
        }),
        ("bottom", to_the_bottom),
    ];
    for (place, go_there) in places {
        for (there, deletes, own_deletes) in
            (0..8).map(|bits| (bits & 1 > 0, bits & 2 > 0, bits & 4 > 0))
        {
            for options in BOTH {
                let context = format!("{place}, {there} {deletes} {own_deletes} {options:?}");
                let (_, db) = new_db();
                db.put(b"a", b"0").unwrap();
                if there {
                    db.put(b"k", b"0").unwrap();
                    to_the_bottom(&db);
                }
                let (mut own, mut apart) = (db.begin(&options), db.begin(&options));
                let sequence = own.sequence();
                if deletes { db.delete(b"k") } else { db.put(b"k", b"1") }.unwrap();
                go_there(&db);
                // A transaction that begins now sees the write and does not conflict with it.
                let mut later = db.begin(&options);
                if own_deletes { own.delete(b"k") } else { own.put(b"k", b"2") }.unwrap();
                let error = conflict(&mut own).to_string();
                let winner =
                    format!("number {} after the transaction began at {sequence}", sequence + 1);
                assert!(error.contains("\"k\"") && error.contains(&winner), "{context}: {error}");
                later.put(b"k", b"3").unwrap();
                later.commit(None).unwrap_or_else(|error| panic!("{context}: {error}"));
                apart.put(b"b", b"4").unwrap();
                apart.commit(None).unwrap_or_else(|error| panic!("{context}: {error}"));
                assert_eq!(text(db.get(b"k").unwrap()).as_deref(), Some("3"), "{context}");
            }
        }
    }
}

/// The tombstone that a transaction has to hear of goes when the transaction does.
#[test]
fn evidence_is_kept_no_longer_than_needed() {
    let (_, db) = new_db();
    db.put(b"a", b"0").unwrap();
    db.put(b"k", b"0").unwrap();
    let own = db.begin(&SNAPSHOT);
    db.delete(b"k").unwrap();
    to_the_bottom(&db);
    let tombstones =
        || db.view().levels.iter().flat_map(|l| &l.tables).map(|t| t.tombstones).sum::<u64>();
    assert_eq!(tombstones(), 1);
    assert_eq!(read(&own, "k").as_deref(), Some("0"), "its own moment is kept too");
    drop(own);
    db.put(b"k", b"").unwrap();
    db.delete(b"k").unwrap();
    to_the_bottom(&db);
    assert_eq!(tombstones(), 0);
}

#[test]
fn write_skew_is_refused_to_serializable_transactions_only() {
    for options in BOTH {
        let (_, db) = new_db();
        db.put(b"doctor:a", b"on call").unwrap();
        db.put(b"doctor:b", b"on call").unwrap();
        let (mut a, mut b) = (db.begin(&options), db.begin(&options));
        assert_eq!(read(&a, "doctor:b").as_deref(), Some("on call"));
        assert_eq!(read(&b, "doctor:a").as_deref(), Some("on call"));
        a.put(b"doctor:a", b"off").unwrap();
        b.put(b"doctor:b", b"off").unwrap();
        a.commit(None).unwrap();
        if options.isolation == Isolation::Snapshot {
            b.commit(None).unwrap();
        } else {
            let error = conflict(&mut b).to_string();
            assert!(error.contains("\"doctor:a\", which this transaction has read"), "{error}");
        }
    }
}

#[test]
fn an_absent_key_that_was_read_counts_too() {
    for options in BOTH {
        let (_, db) = new_db();
        db.put(b"a", b"").unwrap();
        let mut own = db.begin(&options);
        assert_eq!(read(&own, "name"), None);
        own.put(b"id", b"1").unwrap();
        db.put(b"name", b"taken").unwrap();
        to_the_bottom(&db);
        if options.isolation == Isolation::Snapshot {
            own.commit(None).unwrap();
        } else {
            conflict(&mut own);
        }
    }
}

#[test]
fn who_only_reads_commits_without_writing() {
    for options in BOTH {
        let (disk, db) = new_db();
        db.put(b"a", b"1").unwrap();
        let mut own = db.begin(&options);
        assert_eq!(read(&own, "a").as_deref(), Some("1"));
        db.put(b"a", b"2").unwrap();
        let (before, events) = (disk.hash(), db.view().time);
        assert_eq!(own.commit(Some(true)).unwrap(), 1, "it has the effect of its snapshot");
        assert_eq!((disk.hash(), db.view().time), (before, events + 1));
    }
}

#[test]
fn its_own_reads_and_writes_are_not_in_its_way() {
    let (_, db) = new_db();
    for round in 0..3 {
        let mut own = db.begin(&SERIALIZABLE);
        own.put(b"k", b"1").unwrap();
        assert_eq!(read(&own, "k").as_deref(), Some("1"));
        own.delete(b"other").unwrap();
        own.commit(None).unwrap_or_else(|error| panic!("{round}: {error}"));
    }
    // Reads of its own writes cause no conflict: a write before its begin is not new.
    assert_eq!(db.view().last_sequence, 6);
}

#[test]
fn the_events_list_every_step_and_the_view_follows() {
    let recorder = Arc::new(Recorder::new(1000, Grain::Operation));
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open_watched(storage, by_hand(), Some(recorder.clone())).unwrap();
    let sentences = || -> Vec<String> {
        let (events, _) = recorder.drain();
        events.iter().filter(|e| e.kind.name() != "op.done").map(Event::sentence).collect()
    };
    let mut own = db.begin(&SNAPSHOT);
    own.put(b"k", b"value").unwrap();
    own.delete(b"other").unwrap();
    own.get(b"k").unwrap();
    let view = db.view().transactions.pop().unwrap();
    assert_eq!((view.transaction, view.sequence, view.writes, view.reads), (1, 0, 2, 1));
    assert_eq!(view.write_bytes, 17);
    own.commit(None).unwrap();
    assert_eq!(
        sentences(),
        [
            "Transaction 1 begins and reads at sequence number 0; its writes are checked when it \
             commits.",
            "Transaction 1 puts \"k\" with a value of 5 bytes; its 1 write is private until it commits.",
            "Transaction 1 deletes \"other\"; its 2 writes are private until it commits.",
            "Transaction 1 gets \"k\" and finds its own write.",
            "Transaction 1 commits 2 writes in 17 bytes, with sequence numbers from 1 on.",
        ]
    );
    let mut own = db.begin(&SERIALIZABLE);
    own.get(b"k").unwrap();
    own.put(b"z", b"").unwrap();
    db.delete(b"k").unwrap();
    conflict(&mut own);
    drop(own);
    drop(db.begin(&SNAPSHOT));
    assert_eq!(
        sentences()[3..],
        [
            "The caller deletes \"k\"; the tombstone gets sequence number 3.",
            "Transaction 2 conflicts on \"k\", which it has read: another transaction committed it with \
             sequence number 3, after the snapshot of transaction 2 at 2.",
            "Transaction 3 begins and reads at sequence number 3; its writes are checked when it \
             commits.",
            "Transaction 3 is rolled back; it had written nothing.",
        ]
    );
}

/// The record of a transaction is that of a batch, and its operation is acknowledged like one.
#[test]
fn a_commit_is_one_record() {
    let recorder = Arc::new(Recorder::new(1000, Grain::Phase));
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open_watched(storage, by_hand(), Some(recorder.clone())).unwrap();
    let mut own = db.begin(&SNAPSHOT);
    (0..5_u8).for_each(|key| own.put([key], b"").unwrap());
    recorder.drain();
    own.commit(Some(true)).unwrap();
    let (events, _) = recorder.drain();
    let names: Vec<&str> = events.iter().map(|event| event.kind.name()).collect();
    assert_eq!(names, ["op.commit", "wal.append", "wal.sync", "memtable.insert", "op.done"]);
    let commit = events[0].id;
    assert!(events[1..].iter().all(|event| event.cause == Some(commit)));
    assert!(matches!(events[4].kind, EventKind::OpDone { op, durable: true, .. } if op == commit));
}
