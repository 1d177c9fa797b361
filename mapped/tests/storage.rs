//! A mapped directory is a storage like any other.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use levelscope::storage::{FileName, NativeStorage, Storage};
use levelscope::testing::conformance::failures;
use levelscope::{Db, Maintenance, Options, ScanOptions};
use levelscope_mapped::MappedStorage;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory that is removed in the end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("levelscope-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Small tables in several levels, and few blocks in the cache.
fn options() -> Options {
    Options::default()
        .memtable_bytes(16 << 10)
        .table_bytes(8 << 10)
        .block_bytes(512)
        .cache_bytes(4 << 10)
        .l0_slowdown(8)
        .l0_stall(12)
        .level_base_bytes(32 << 10)
        .maintenance(Maintenance::Threads(2))
}

fn open(storage: &MappedStorage) -> Db {
    Db::builder().options(options()).open_in(Arc::new(storage.clone())).unwrap()
}

fn value(at: u32) -> String {
    format!("{at} ").repeat(20)
}

fn fill(db: &Db) {
    for at in 0..3000_u32 {
        db.put(format!("key{:05}", at * 7 % 3000), value(at * 7 % 3000)).unwrap();
    }
    db.request_flush().unwrap();
}

fn assert_holds(db: &Db) {
    for at in 0..3000_u32 {
        assert_eq!(*db.get(format!("key{at:05}")).unwrap().unwrap(), *value(at).as_bytes());
    }
    let mut iterator = db.iter(&ScanOptions::default()).unwrap();
    iterator.seek_to_first().unwrap();
    let mut count = 0;
    while iterator.valid() {
        assert_eq!(iterator.key(), format!("key{count:05}").as_bytes());
        count += 1;
        iterator.next().unwrap();
    }
    assert_eq!(count, 3000);
}

#[test]
fn it_passes_the_suite_of_all_storages() {
    let root = Directory::new("mapped-suite");
    let fresh = |name: &'static str| MappedStorage::open(root.path().join(name)).unwrap();
    let failures = failures(fresh, |_, storage| drop(storage));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_database_is_the_same_with_and_without_it() {
    let root = Directory::new("mapped-database");
    let storage = MappedStorage::open(root.path()).unwrap();
    let db = open(&storage);
    fill(&db);
    assert_holds(&db);
    db.compact(..).unwrap();
    assert_holds(&db);
    db.close().unwrap();
    let native = NativeStorage::open(root.path()).unwrap();
    let db = Db::builder().options(options()).open_in(Arc::new(native)).unwrap();
    assert_holds(&db);
    db.close().unwrap();
    let db = open(&storage);
    assert_holds(&db);
}

#[test]
fn several_threads_read_while_tables_come_and_go() {
    let root = Directory::new("mapped-threads");
    let db = open(&MappedStorage::open(root.path()).unwrap());
    fill(&db);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| assert_holds(&db));
        }
        for _ in 0..5 {
            fill(&db);
            db.compact(..).unwrap();
        }
    });
    assert_holds(&db);
}

#[cfg(unix)]
#[test]
fn damage_is_found_as_without_it() {
    let root = Directory::new("mapped-damage");
    let storage = MappedStorage::open(root.path()).unwrap();
    let db = open(&storage);
    fill(&db);
    db.compact(..).unwrap();
    // Another program breaks the rule, while the table is mapped.
    let mut damaged = 0;
    for name in storage.list().unwrap() {
        if matches!(FileName::parse(&name), Some(FileName::Table(_))) {
            use std::os::unix::fs::FileExt as _;
            let file = fs::OpenOptions::new().write(true).open(root.path().join(name)).unwrap();
            file.write_all_at(&[0x55; 64], 100).unwrap();
            damaged += 1;
        }
    }
    assert!(damaged > 0);
    let found = (0..3000_u32).filter_map(|at| db.get(format!("key{at:05}")).err());
    let error = found.map(|error| error.to_string()).next().unwrap();
    assert!(error.contains(".sst") && error.contains("offset"), "{error}");
}

#[test]
fn a_removed_table_is_read_to_its_end() {
    let root = Directory::new("mapped-removed");
    let storage = MappedStorage::open(root.path()).unwrap();
    let table = FileName::Table(7);
    storage.create(table).unwrap().append(b"twelve bytes").unwrap();
    let file = storage.open(table).unwrap();
    storage.delete(table).unwrap();
    let mut buffer = [0; 20];
    assert_eq!(file.read_at(7, &mut buffer).unwrap(), 5);
    assert_eq!(&buffer[..5], b"bytes");
    assert_eq!(file.read_at(0, &mut buffer[..6]).unwrap(), 6);
    assert_eq!(&buffer[..6], b"twelve");
    assert_eq!(file.read_at(u64::MAX, &mut buffer).unwrap(), 0);
}
