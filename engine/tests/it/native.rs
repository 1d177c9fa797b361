//! Native files: tests that the conformance suite cannot run on every storage.
#![expect(clippy::disallowed_methods, reason = "these tests read the files directly")]

use crate::common::*;
use levelscope::storage::{FileName, NativeStorage, Storage};
use levelscope::{Db, ErrorKind, Options, WalSync};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A directory for one test, removed when dropped.
pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new(purpose: &str) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("levelscope-{purpose}-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn bytes_and_names_are_there_for_the_next_storage() {
    let directory = Directory::new("reopen");
    let path = directory.path().join("deep").join("database");
    let file = NativeStorage::open(&path).unwrap().create(FileName::Wal(1)).unwrap();
    file.append(b"hello").unwrap();
    drop(file);
    let storage = NativeStorage::open(&path).unwrap();
    assert_eq!(storage.list().unwrap(), ["000001.wal"]);
    assert_eq!(storage.open(FileName::Wal(1)).unwrap().len().unwrap(), 5);
    assert_eq!(std::fs::read(path.join("000001.wal")).unwrap(), b"hello");
}

#[test]
fn two_storages_of_one_directory_share_its_lock() {
    let directory = Directory::new("lock");
    let first = NativeStorage::open(directory.path()).unwrap();
    let second = NativeStorage::open(directory.path()).unwrap();
    let lock = first.lock().unwrap();
    let error = second.lock().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked);
    assert!(error.to_string().contains("open already"), "{error}");
    drop(lock);
    assert!(second.lock().is_ok());
}

/// Programs that cannot lock a file hold a lease, which they renew.
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_types, reason = "another program writes to the file")]
#[test]
fn a_renewed_lease_holds_the_database_too() {
    let directory = Directory::new("lease");
    let storage = NativeStorage::open(directory.path()).unwrap();
    let path = directory.path().join("LOCK");
    let lock = storage.lock().unwrap();
    assert!(std::fs::read(&path).unwrap().starts_with(b"locked "), "others see the lock");
    drop(lock);
    assert_eq!(std::fs::read(&path).unwrap(), b"");
    let lease = |beat: u32| format!("{:63}\nleased 0123 {beat:<51}", "free");
    std::fs::write(&path, lease(1)).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(300));
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            std::os::unix::fs::FileExt::write_all_at(&file, lease(2).as_bytes(), 0).unwrap();
        });
        assert_eq!(storage.lock().unwrap_err().kind(), ErrorKind::Locked);
    });
    let text = std::fs::read(&path).unwrap();
    assert_eq!(text, lease(2).as_bytes(), "a refused program leaves the lease as it is");
}

#[test]
fn foreign_files_and_directories_are_listed_and_kept() {
    let directory = Directory::new("foreign");
    std::fs::write(directory.path().join("notes.txt"), "mine").unwrap();
    std::fs::create_dir(directory.path().join("000009.sst.d")).unwrap();
    let storage = NativeStorage::open(directory.path()).unwrap();
    assert_eq!(storage.list().unwrap(), ["000009.sst.d", "notes.txt"]);
}

#[test]
fn a_directory_in_place_of_a_file_is_an_error() {
    let directory = Directory::new("directory");
    std::fs::create_dir(directory.path().join("000009.sst")).unwrap();
    let storage = NativeStorage::open(directory.path()).unwrap();
    let failed = storage.open(FileName::Table(9)).and_then(|file| file.read_at(0, &mut [0; 4]));
    let error = failed.unwrap_err();
    assert_eq!((error.kind(), error.file()), (ErrorKind::Io, Some(FileName::Table(9))));
    assert!(storage.delete(FileName::Table(9)).is_err());
}

#[test]
fn a_file_in_place_of_the_directory_is_an_error() {
    let directory = Directory::new("file");
    let path = directory.path().join("database");
    std::fs::write(&path, "not a directory").unwrap();
    let error = NativeStorage::open(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("cannot be used for a database"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_out_of_space() {
    let directory = Directory::new("full");
    let storage = NativeStorage::open(directory.path()).unwrap();
    // Writes to this device fail as on a full disk; CURRENT is the one file opened for writing.
    std::os::unix::fs::symlink("/dev/full", directory.path().join("CURRENT")).unwrap();
    let file = storage.open(FileName::Current).unwrap();
    let error = file.write_at(0, b"slot").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfSpace);
    assert!(error.to_string().starts_with("CURRENT: there is no space left"), "{error}");
}

fn wal_lengths(directory: &Path) -> Vec<u64> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    let wals = entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".wal"));
    wals.map(|wal| wal.metadata().unwrap().len()).collect()
}

/// While the log is written, its file has reserved space; only the file system shows the longer file.
#[test]
fn a_log_that_is_synced_often_is_longer_ahead_and_whole_when_closed() {
    let options = |wal_sync| Options::default().wal_sync(wal_sync).memtable_bytes(32 << 10);
    for (wal_sync, ahead) in [(WalSync::Each, true), (WalSync::Group, true), (WalSync::None, false)]
    {
        let directory = Directory::new("reserved");
        let storage: Arc<dyn Storage> = Arc::new(NativeStorage::open(directory.path()).unwrap());
        let db = open(&storage, &options(wal_sync));
        for index in 0..2000 {
            db.put(format!("{index:04}").as_bytes(), [0; 50]).unwrap();
        }
        let view = db.view();
        let wal = view.wals.last().unwrap();
        let lengths = wal_lengths(directory.path());
        assert_eq!(lengths.contains(&(32 << 10)), ahead, "{lengths:?}");
        let file = FileName::Wal(wal.wal);
        let shown = db.files().unwrap();
        let shown = shown.iter().find(|entry| entry.name == file.to_string()).unwrap();
        assert_eq!(shown.bytes, wal.bytes);
        let tree = db.inspect(file).unwrap();
        assert_eq!(tree.children.last().unwrap().kind == "reserved", ahead);
        assert_eq!(tree.bytes == wal.bytes, !ahead);
        // As after the death of the process, and beside the owner.
        let copy = Directory::new("reserved-copy");
        for entry in std::fs::read_dir(directory.path()).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
        let reader = Arc::new(NativeStorage::read_only(directory.path()).unwrap());
        let reading = Db::builder().options(options(wal_sync)).read_only().open_in(reader).unwrap();
        let copied: Arc<dyn Storage> = Arc::new(NativeStorage::open(copy.path()).unwrap());
        let copied = open(&copied, &options(wal_sync));
        for db in [&reading, &copied] {
            assert_eq!(contents(db).unwrap().len(), 2000);
        }
        db.close().unwrap();
        let lengths = wal_lengths(directory.path());
        assert!(lengths.contains(&(wal.bytes + 32)), "{lengths:?} and a clean end");
        assert_eq!(contents(&open(&storage, &options(wal_sync))).unwrap().len(), 2000);
    }
}
