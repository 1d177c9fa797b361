//! Compares the estimate of the live data with a scan.

use crate::common::*;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{Budget, Db, Maintenance, Options, StepOutcome, WriteBatch};
use std::sync::Arc;

fn options() -> Options {
    Options::default()
        .memtable_bytes(1024)
        .table_bytes(1024)
        .block_bytes(256)
        .l0_trigger(2)
        .level_base_bytes(4096)
        .level_multiplier(4)
        .maintenance(Maintenance::Manual)
}

fn settle(db: &Db) {
    while db.step(Budget::Job).unwrap() != StepOutcome::Idle {}
}

fn compact_all(db: &Db) {
    for level in 0..db.options().level_count - 1 {
        db.request_compaction(Some(level)).unwrap();
        settle(db);
    }
}

/// Keys and values of the database \[bytes\].
fn scanned(db: &Db) -> u64 {
    contents(db).unwrap().iter().map(|(key, value)| (key.len() + value.len()) as u64).sum()
}

fn put(db: &Db, key: u64) {
    let mut batch = WriteBatch::new();
    batch.put(format!("key{key:05}").as_bytes(), b"sixteen byte val").unwrap();
    write(db, &batch, None).unwrap();
}

#[test]
fn deleted_data_is_not_live_and_has_no_amplification() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &options());
    for value in [b"1", b"2", b"3"] {
        db.put(b"k", value).unwrap();
    }
    assert_eq!(db.stats().live_bytes_estimate, 2, "one version of three is live");
    db.delete(b"k").unwrap();
    for _ in 0..2 {
        let stats = db.stats();
        assert_eq!((stats.live_bytes_estimate, stats.space_amplification_estimate), (0, None));
        db.request_flush().unwrap();
        settle(&db);
    }
    assert!(db.stats().table_bytes > 0, "the tombstone is in a table");
}

#[test]
fn tombstones_in_a_newer_table_hide_the_entries_of_an_older_one() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &options().l0_trigger(10));
    (0..20).for_each(|key| put(&db, key));
    db.request_flush().unwrap();
    settle(&db);
    for key in 0..20 {
        db.delete(format!("key{key:05}").as_bytes()).unwrap();
        assert_eq!(db.stats().live_bytes_estimate, scanned(&db), "{key}");
    }
    db.request_flush().unwrap();
    settle(&db);
    assert_eq!(db.stats().live_bytes_estimate, 0);
}

#[test]
fn of_new_keys_all_data_is_live_however_it_is_arranged() {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &options());
    for key in 0..600 {
        put(&db, key * 7 % 600);
        db.step(Budget::Entries(20)).unwrap();
        let stats = db.stats();
        assert_eq!((stats.live_bytes_estimate, stats.user_bytes), (24 * (key + 1), 24 * (key + 1)));
    }
    assert!(db.view().levels.iter().filter(|level| !level.tables.is_empty()).count() > 1);
    db.close().unwrap();
    let db = open(&storage, &options());
    assert_eq!(db.stats().live_bytes_estimate, 24 * 600, "it is known again after an opening");
}

#[test]
fn overwritten_values_are_known_from_the_merges_before() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &options());
    for round in 0..12 {
        (0..100).for_each(|key| put(&db, key));
        settle(&db);
        let live = db.stats().live_bytes_estimate;
        if round > 2 {
            assert!((1200..=3600).contains(&live), "round {round}: {live} for 2400");
        }
    }
}

#[test]
fn it_is_never_more_than_was_written_and_exact_after_a_full_compaction() {
    for seed in 0..30 {
        let mut random = Random(0x11fe + seed);
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let options = options().strategy(levelscope::Strategy::Leveled);
        let db = open(&storage, &options);
        for op in random_script(&mut random, 300) {
            if matches!(op, Op::Reopen) {
                continue;
            }
            run(&db, &op).unwrap();
            let stats = db.stats();
            assert!(stats.live_bytes_estimate <= stats.user_bytes, "seed {seed}, {op:?}");
        }
        db.request_flush().unwrap();
        settle(&db);
        compact_all(&db);
        assert_eq!(db.stats().live_bytes_estimate, scanned(&db), "seed {seed}");
    }
}

#[test]
fn a_table_that_cannot_be_read_counts_as_empty() {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &options());
    put(&db, 1);
    db.request_flush().unwrap();
    settle(&db);
    let table = db.view().levels[0].tables[0].table;
    db.close().unwrap();
    let name = FileName::Table(table);
    let mut bytes = disk.read(name).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    disk.put(&name.to_string(), &bytes);
    assert_eq!(open(&storage, &options()).stats().live_bytes_estimate, 0);
}
