//! Following a key: every version, every place, and which one a read finds.

use crate::common::{self, Random};
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::view::{KeyVersion, KeyVersions, VersionPlace, VersionVerdict};
use levelscope::{Budget, Db, Maintenance, Options, StepOutcome, ValueKind, inspect};
use std::sync::Arc;

fn open() -> Db {
    let options = Options::default().maintenance(Maintenance::Manual);
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::default());
    common::open(&storage, &options)
}

fn work(db: &Db) {
    while db.step(Budget::Job).unwrap() != StepOutcome::Idle {}
}

fn flush(db: &Db) {
    db.request_flush().unwrap();
    work(db);
}

fn versions(db: &Db, key: &[u8]) -> KeyVersions {
    db.versions(key, 200).unwrap()
}

fn sequences(found: &KeyVersions) -> Vec<u64> {
    found.versions.iter().map(|version| version.sequence).collect()
}

fn unread(found: &KeyVersions) -> Vec<u64> {
    let tables = found.without.iter().filter(|table| table.unread.is_some());
    tables.map(|table| table.table).collect()
}

fn tables(version: &KeyVersion) -> usize {
    let in_table = |place: &&VersionPlace| matches!(place, VersionPlace::Table { .. });
    version.places.iter().filter(in_table).count()
}

#[test]
fn a_version_is_in_its_memtable_and_in_its_log() {
    let db = open();
    db.put(b"app", b"prefix").unwrap();
    db.put(b"apple", b"red").unwrap();
    db.put(b"apples", b"longer").unwrap();
    db.put(b"apple", b"green").unwrap();
    let found = versions(&db, b"apple");
    assert_eq!(sequences(&found), [4, 2]);
    let [newest, oldest] = &found.versions[..] else { panic!("{found:?}") };
    assert_eq!(newest.verdict, VersionVerdict::Found {});
    assert_eq!(newest.value.head, b"green");
    assert_eq!(oldest.verdict, VersionVerdict::Shadowed { by: 4 });
    let [VersionPlace::Memtable { .. }, VersionPlace::Log { record, entry, .. }] =
        oldest.places[..]
    else {
        panic!("{oldest:?}")
    };
    assert_eq!((record, entry), (2, 1));
}

#[test]
fn contents_are_all_entries_of_a_table_in_the_order_of_keys() {
    let db = open();
    let mut random = Random(5);
    let mut written = Vec::new();
    for sequence in 1..=300_u64 {
        let key = format!("key{:03}", random.below(400)).into_bytes();
        let delete = random.below(5) == 0;
        if delete {
            db.delete(&key).unwrap();
        } else {
            db.put(&key, b"value").unwrap();
        }
        written.push((key, sequence));
    }
    let snapshot = db.snapshot();
    flush(&db);
    drop(snapshot);
    let view = db.view();
    let [table] = &view.levels[0].tables[..] else { panic!("{view:?}") };
    let before = db.stats();
    let all = db.table_contents(table.table, 1000).unwrap().unwrap();
    assert_eq!(db.stats(), before, "looking changes no figure");
    assert_eq!(all.entries.len() as u64, table.entries);
    assert!(!all.more);
    let found: Vec<_> = all.entries.iter().map(|it| (it.key.head.clone(), it.sequence)).collect();
    let order = |(key, sequence): &(Vec<u8>, u64)| (key.clone(), u64::MAX - sequence);
    assert!(found.is_sorted_by_key(order));
    for entry in &found {
        assert!(written.contains(entry), "{entry:?}");
    }
    let some = db.table_contents(table.table, 7).unwrap().unwrap();
    assert_eq!(some.entries, all.entries[..7]);
    assert!(some.more);
    assert_eq!(db.table_contents(999, 7).unwrap(), None);
}

#[test]
fn a_table_that_cannot_be_read_is_listed_and_fails_no_call() {
    let storage = MemoryStorage::default();
    let shared: Arc<dyn Storage> = Arc::new(storage.clone());
    let options = Options::default().maintenance(Maintenance::Manual);
    let db = common::open(&shared, &options);
    for value in ["red", "green"] {
        db.put(b"apple", value.as_bytes()).unwrap();
        flush(&db);
    }
    let newest = db.view().levels[0].tables[0].table;
    let whole = versions(&db, b"apple");
    assert_eq!((sequences(&whole), unread(&whole)), (vec![2, 1], vec![]));
    storage.corrupt(FileName::Table(newest), 3, 1).unwrap();
    let found = versions(&db, b"apple");
    let [table] = &found.without[..] else { panic!("{found:?}") };
    assert_eq!((table.level, table.table), (0, newest));
    let why = table.unread.as_deref().unwrap();
    assert!(why.contains("checksum"), "{why}");
    assert_eq!(sequences(&found), [1]);
    assert_eq!(found.versions[0].verdict, VersionVerdict::Unreached { table: newest });
    // Memory is searched before any table, and a table after the damaged one is not in its way.
    db.put(b"apple", b"gold").unwrap();
    let found = versions(&db, b"apple");
    assert_eq!((unread(&found), sequences(&found)), (vec![newest], vec![3, 1]));
    assert_eq!(found.versions[0].verdict, VersionVerdict::Found {});
    storage.corrupt(FileName::Table(newest), 3, 1).unwrap();
    let older = db.view().levels[0].tables[1].table;
    storage.corrupt(FileName::Table(older), 3, 1).unwrap();
    let found = versions(&db, b"apple");
    assert_eq!(found.versions[1].verdict, VersionVerdict::Shadowed { by: 3 });
    assert_eq!(unread(&found), [older]);
}

#[test]
fn a_tombstone_covers_older_versions() {
    let db = open();
    db.put(b"", b"one").unwrap();
    db.delete(b"").unwrap();
    flush(&db);
    let found = versions(&db, b"");
    assert_eq!(found.versions[0].verdict, VersionVerdict::Deleted {});
    assert_eq!(found.versions[0].entry, ValueKind::Delete);
    assert!(versions(&db, b"absent").versions.is_empty());
}

#[test]
fn a_snapshot_keeps_an_old_version_and_is_named() {
    let db = open();
    db.put(b"apple", b"red").unwrap();
    let snapshot = db.snapshot();
    db.delete(b"apple").unwrap();
    flush(&db);
    let found = versions(&db, b"apple");
    assert_eq!(sequences(&found), [2, 1]);
    assert_eq!(found.versions[1].verdict, VersionVerdict::Covered { by: 2 });
    assert_eq!(found.versions[1].snapshot, Some(snapshot.sequence()));
    assert_eq!(found.versions[0].snapshot, None);
    assert_eq!(tables(&found.versions[1]), 1);
}

#[test]
fn a_write_of_an_open_transaction_is_no_version() {
    let db = open();
    db.put(b"apple", b"red").unwrap();
    let mut transaction = db.begin(&levelscope::TransactionOptions::default());
    transaction.put(b"apple", b"green").unwrap();
    assert_eq!(sequences(&versions(&db, b"apple")), [1]);
    transaction.commit(None).unwrap();
    assert_eq!(sequences(&versions(&db, b"apple")), [2, 1]);
}

#[test]
fn older_versions_than_the_limit_are_counted_once() {
    let db = open();
    for _ in 0..30 {
        db.put(b"apple", b"red").unwrap();
    }
    let found = db.versions(b"apple", 10).unwrap();
    assert_eq!((found.versions.len(), found.more), (10, 20));
    assert_eq!(found.versions[0].sequence, 30);
}

#[test]
fn a_table_without_the_key_reports_its_filter() {
    let db = open();
    db.put(b"a", b"").unwrap();
    db.put(b"z", b"").unwrap();
    flush(&db);
    let found = versions(&db, b"m");
    assert_eq!(found.without.len(), 1);
    assert_eq!(found.without[0].maybe, Some(false));
    assert!(versions(&db, b"zz").without.is_empty(), "outside the range of the table");
}

#[test]
fn looking_changes_no_figure() {
    let db = open();
    db.put(b"apple", b"red").unwrap();
    flush(&db);
    let before = (db.stats(), db.view());
    versions(&db, b"apple");
    assert_eq!((db.stats(), db.view()), before);
}

/// The value that `inspect` reads at a place.
fn value_at(db: &Db, place: &VersionPlace) -> Option<String> {
    let (name, path) = match *place {
        VersionPlace::Memtable { .. } => return None,
        VersionPlace::Log { wal, record, entry, .. } => {
            (FileName::Wal(wal), format!("record:{record}/entry:{entry}"))
        }
        VersionPlace::Ranges { table, block, entry, .. } => {
            (FileName::Table(table), format!("ranges:{block}/entry:{entry}"))
        }
        VersionPlace::Table { table, block, entry, .. } => {
            (FileName::Table(table), format!("block:{block}/entry:{entry}"))
        }
    };
    let part = db.look_into(name, |source| inspect::part_of(name, source, &path, (0, 0))).unwrap();
    Some(part.unwrap().trail.last().unwrap().node.value.clone())
}

/// Every entry of the key that a raw look into all live tables finds.
fn raw(db: &Db, key: &str) -> usize {
    let levels = db.view().levels;
    let numbers = levels.iter().flat_map(|level| level.tables.iter().map(|table| table.table));
    let trees = numbers.map(|table| db.inspect(FileName::Table(table)).unwrap());
    trees.map(|tree| count(&tree, key)).sum()
}

fn count(node: &inspect::Node, key: &str) -> usize {
    let put = format!("put {key}, sequence");
    let delete = format!("delete {key}, sequence");
    let own =
        node.kind == "entry" && (node.value.starts_with(&put) || node.value.starts_with(&delete));
    let parts = node.children.iter().chain(&node.inside);
    usize::from(own) + parts.map(|part| count(part, key)).sum::<usize>()
}

#[test]
fn random_histories_agree_with_reads_and_with_the_bytes() {
    for seed in 0..12 {
        let mut random = Random(seed);
        let db = open();
        let mut snapshots = Vec::new();
        for _ in 0..160 {
            let key = format!("k{}", random.below(4));
            match random.below(24) {
                0 => flush(&db),
                1 => {
                    db.compact_range(b"", b"z").unwrap();
                    work(&db);
                }
                2 => snapshots.push(db.snapshot()),
                3 => assert!(db.rotate().is_ok()),
                4..8 => db.delete(key.as_bytes()).unwrap(),
                _ => db.put(key.as_bytes(), random.bytes(3)).unwrap(),
            }
        }
        for key in ["k0", "k1", "k2", "k3"] {
            let found = versions(&db, key.as_bytes());
            let read = db.get(key.as_bytes()).unwrap();
            let first = found.versions.iter().find(|version| {
                matches!(version.verdict, VersionVerdict::Found {} | VersionVerdict::Deleted {})
            });
            let value = first.filter(|version| version.entry == ValueKind::Put);
            assert_eq!(
                value.map(|version| version.value.head.as_slice()),
                read.as_deref(),
                "seed {seed}"
            );
            let copies: usize = found.versions.iter().map(tables).sum();
            assert_eq!(copies, raw(&db, key), "seed {seed}, {key}: {found:?}");
            for place in found.versions.iter().flat_map(|version| &version.places) {
                if let Some(value) = value_at(&db, place) {
                    assert!(value.contains(key), "seed {seed}: {value} at {place:?}");
                }
            }
            for snapshot in &snapshots {
                let at = snapshot.sequence();
                let kept = found.versions.iter().find(|version| {
                    version.sequence <= at && version.verdict != VersionVerdict::Logged {}
                });
                let kept = kept.filter(|version| version.entry == ValueKind::Put);
                let read = snapshot.get(key.as_bytes()).unwrap();
                assert_eq!(kept.map(|version| version.value.head.as_slice()), read.as_deref());
            }
        }
    }
}
