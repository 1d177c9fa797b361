//! Readers keep the data that they read: iterators and pinned values outlive compactions, and the last
//! reader releases the files. Also the largest values.

use crate::common::open;
use levelscope::limits::VALUE_BYTES_MAX;
use levelscope::storage::{FileName, MemoryStorage, NativeStorage, Storage};
use levelscope::{Budget, Db, Maintenance, Options, ScanOptions, StepOutcome, WalSync, WriteBatch};
use std::path::PathBuf;
use std::sync::Arc;

fn small() -> Options {
    Options::default()
        .memtable_bytes(16 << 10)
        .table_bytes(8 << 10)
        .level_base_bytes(32 << 10)
        .cache_bytes(16 << 10)
        .open_tables_max(4)
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Manual)
}

fn finish_work(db: &Db) {
    while !matches!(db.step(Budget::Job).unwrap(), StepOutcome::Idle) {}
}

fn key(number: usize) -> Vec<u8> {
    format!("key{number:05}").into_bytes()
}

fn value(round: usize, number: usize) -> Vec<u8> {
    format!("{round}:{number}:").repeat(20).into_bytes()
}

/// Writes every key once more and compacts until one run is left.
fn rewrite(db: &Db, round: usize, keys: usize) {
    for number in 0..keys {
        while db.put(key(number), value(round, number)).is_err() {
            finish_work(db);
        }
    }
    db.request_flush().unwrap();
    finish_work(db);
    db.request_compaction(None).unwrap();
    finish_work(db);
}

fn tables(storage: &dyn Storage) -> Vec<String> {
    let table = |name: &String| matches!(FileName::parse(name), Some(FileName::Table(_)));
    storage.list().unwrap().into_iter().filter(table).collect()
}

fn read_on_while_everything_is_rewritten(storage: &Arc<dyn Storage>) {
    const KEYS: usize = 600;
    let db = open(storage, &small());
    rewrite(&db, 0, KEYS);
    let before = tables(&**storage);
    let mut forward = db.iter(&ScanOptions::default()).unwrap();
    let mut backward = db.iter(&ScanOptions::default()).unwrap();
    forward.seek(&key(100)).unwrap();
    backward.seek_for_prev(&key(500)).unwrap();
    let pinned = db.get(key(300)).unwrap().unwrap();
    let shown = forward.pinned_value();
    for round in 1..4 {
        rewrite(&db, round, KEYS);
    }
    assert!(before.iter().all(|name| tables(&**storage).contains(name)), "they are still read");
    for number in 100..KEYS {
        assert_eq!((forward.key(), forward.value()), (&*key(number), &*value(0, number)));
        forward.next().unwrap();
    }
    assert!(!forward.valid());
    for number in (0..=500).rev() {
        assert_eq!((backward.key(), backward.value()), (&*key(number), &*value(0, number)));
        backward.prev().unwrap();
    }
    assert!(!backward.valid());
    drop((forward, backward));
    rewrite(&db, 4, KEYS);
    assert!(
        before.iter().all(|name| !tables(&**storage).contains(name)),
        "unread tables are still there"
    );
    assert_eq!(&*pinned, &*value(0, 300));
    assert_eq!(shown.into_vec(), value(0, 100));
    assert_eq!(db.get(key(300)).unwrap().unwrap(), value(4, 300));
}

#[test]
fn readers_keep_their_tables_in_memory() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    read_on_while_everything_is_rewritten(&storage);
}

#[test]
fn readers_keep_their_tables_on_native_files() {
    let directory = directory("pinned");
    let storage: Arc<dyn Storage> = Arc::new(NativeStorage::open(&directory).unwrap());
    read_on_while_everything_is_rewritten(&storage);
    std::fs::remove_dir_all(directory).unwrap();
}

fn directory(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("levelscope-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// A value that cannot be compressed.
fn large(bytes: usize) -> Vec<u8> {
    let mut state = bytes as u64;
    let mut value: Vec<u8> = Vec::with_capacity(bytes + 8);
    while value.len() < bytes {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        value.extend_from_slice(&(state ^ (state >> 29)).to_le_bytes());
    }
    value.truncate(bytes);
    value
}

fn expect(db: &Db, wanted: &[(&[u8], &[u8])]) {
    for (key, value) in wanted {
        assert!(db.get(key).unwrap().as_deref() == Some(value), "get");
    }
    for forward in [true, false] {
        let mut it = db.iter(&ScanOptions::default()).unwrap();
        if forward { it.seek_to_first() } else { it.seek_to_last() }.unwrap();
        for step in 0..wanted.len() {
            let (key, value) = wanted[if forward { step } else { wanted.len() - 1 - step }];
            assert!(it.key() == key && it.value() == value, "scan, forward: {forward}");
            if forward { it.next() } else { it.prev() }.unwrap();
        }
        assert!(!it.valid());
    }
}

#[test]
fn the_largest_values_go_everywhere() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let options = Options::default().wal_sync(WalSync::None).maintenance(Maintenance::Manual);
    let (middle, below, most) =
        (large(16 << 20), large(VALUE_BYTES_MAX - 1), large(VALUE_BYTES_MAX));
    let wanted: [(&[u8], &[u8]); 4] =
        [(b"a", &middle), (b"b", b"small"), (b"c", &below), (b"d", &most)];
    let db = open(&storage, &options);
    assert!(db.put(b"e", large(VALUE_BYTES_MAX + 1)).is_err());
    assert!(WriteBatch::new().put(b"e", large(VALUE_BYTES_MAX + 1)).is_err());
    for (key, value) in wanted {
        db.put(key, value).unwrap();
    }
    expect(&db, &wanted);
    drop(db);
    let db = open(&storage, &options);
    expect(&db, &wanted);
    db.request_flush().unwrap();
    finish_work(&db);
    expect(&db, &wanted);
    assert!(db.stats().cache_bytes <= options.cache_bytes as u64, "they do not fit the cache");
    db.put(b"b", b"small").unwrap();
    db.request_flush().unwrap();
    finish_work(&db);
    db.request_compaction(None).unwrap();
    finish_work(&db);
    expect(&db, &wanted);
    drop(db);
    expect(&open(&storage, &options), &wanted);
}
