//! Files that become shorter while they are looked at: a rotation cuts a log to its records, between the
//! moment when its length is asked for and the moment when its bytes are read.

use crate::common::*;
use levelscope::inspect::{self, Scope, Source};
use levelscope::storage::{File, FileName, LockGuard, MemoryStorage, Storage};
use levelscope::{Db, ErrorKind, Maintenance, Options, Result, WalSync};
use std::sync::{Arc, Mutex};

/// Something that happens once, right after the length of a log was read.
type Then = Box<dyn FnOnce() + Send>;

/// A disk that reserves space for logs, and lets something happen between a length and the bytes.
#[derive(Clone)]
struct Between {
    memory: MemoryStorage,
    then: Arc<Mutex<Option<Then>>>,
}

impl std::fmt::Debug for Between {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Between")
    }
}

impl Between {
    fn new() -> Self {
        Self { memory: MemoryStorage::reserving(), then: Arc::default() }
    }

    fn next(&self, then: impl FnOnce() + Send + 'static) {
        *self.then.lock().unwrap() = Some(Box::new(then));
    }

    fn has_happened(&self) -> bool {
        self.then.lock().unwrap().is_none()
    }
}

#[derive(Debug)]
struct BetweenFile {
    inner: Arc<dyn File>,
    name: FileName,
    storage: Between,
}

impl File for BetweenFile {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        self.inner.append(bytes)
    }
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.inner.write_at(offset, bytes)
    }
    fn reserve(&self, end: u64) {
        self.inner.reserve(end);
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.inner.read_at(offset, buffer)
    }
    fn sync(&self) -> Result<()> {
        self.inner.sync()
    }
    fn len(&self) -> Result<u64> {
        let length = self.inner.len()?;
        let then = matches!(self.name, FileName::Wal(_))
            .then(|| self.storage.then.lock().unwrap().take())
            .flatten();
        if let Some(then) = then {
            then();
        }
        Ok(length)
    }
}

impl Storage for Between {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        let inner = self.memory.create(name)?;
        Ok(Arc::new(BetweenFile { inner, name, storage: self.clone() }))
    }
    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        let inner = self.memory.open(name)?;
        Ok(Arc::new(BetweenFile { inner, name, storage: self.clone() }))
    }
    fn delete(&self, name: FileName) -> Result<()> {
        self.memory.delete(name)
    }
    fn list(&self) -> Result<Vec<String>> {
        self.memory.list()
    }
    fn sync_directory(&self) -> Result<()> {
        self.memory.sync_directory()
    }
    fn identity(&self) -> levelscope::Identity {
        self.memory.identity()
    }
    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.memory.lock()
    }
}

/// A database whose log is longer than its records, and the log.
fn at_work(disk: &Between) -> (Db, FileName) {
    let options = Options::default()
        .wal_sync(WalSync::Each)
        .maintenance(Maintenance::Manual)
        .memtable_bytes(16 << 10);
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &options);
    for index in 0..20_u8 {
        db.put([index], [index; 100]).unwrap();
    }
    let log = db.view().wals.iter().find(|log| !log.closed).cloned().expect("an active log");
    let name = FileName::Wal(log.wal);
    let length = disk.memory.read(name).unwrap().len() as u64;
    assert!(length > log.written_bytes, "space is reserved: {length}");
    (db, name)
}

fn rotates(disk: &Between, db: &Db) {
    let db = db.clone();
    disk.next(move || assert!(db.rotate().unwrap()));
}

#[test]
fn a_check_of_a_database_at_work_reads_a_log_that_a_rotation_cuts() {
    let disk = Between::new();
    let (db, _) = at_work(&disk);
    let mut check = db.checker().unwrap();
    rotates(&disk, &db);
    while check.step().unwrap() {}
    assert!(disk.has_happened());
    let report = check.report();
    assert_eq!(report.problems(), Vec::<String>::new());
    assert_eq!((report.warnings, report.batches), (0, 20), "{:?}", report.findings);
}

#[test]
fn a_reader_beside_the_owner_reads_and_checks_a_log_that_a_rotation_cuts() {
    let disk = Between::new();
    let (db, name) = at_work(&disk);
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    // The first length is asked for to see whether the log is empty, the second to read it.
    let (second, inner) = (db.clone(), disk.clone());
    disk.next(move || {
        inner.next(move || assert!(second.rotate().unwrap()));
    });
    let reader = Db::builder().read_only().open_in(Arc::clone(&storage)).unwrap();
    assert!(disk.has_happened());
    assert_eq!(contents(&reader).unwrap().len(), 20);

    db.put(b"more", b"1").unwrap();
    db.put(b"more", b"2").unwrap();
    rotates(&disk, &db);
    let report = reader.check().unwrap();
    assert!(disk.has_happened());
    assert_eq!(report.problems(), Vec::<String>::new(), "{name}");
}

#[test]
fn a_log_that_is_inspected_while_a_rotation_cuts_it_has_the_remaining_bytes() {
    let disk = Between::new();
    let (db, name) = at_work(&disk);
    rotates(&disk, &db);
    let bytes = db.read_file(name).unwrap();
    assert!(disk.has_happened());
    assert_eq!(bytes, disk.memory.read(name).unwrap());

    let disk = Between::new();
    let (db, name) = at_work(&disk);
    rotates(&disk, &db);
    let tree = db.inspect(name).unwrap();
    assert!(disk.has_happened());
    assert_eq!(tree.bytes, disk.memory.read(name).unwrap().len() as u64);

    // A part of it that is gone has no bytes.
    let disk = Between::new();
    let (db, name) = at_work(&disk);
    rotates(&disk, &db);
    let part = db.look_into(name, |source| {
        let length = source.length();
        Ok(source.read(length - 8, 8)?.into_owned())
    });
    assert_eq!(part.unwrap(), Vec::<u8>::new());
}

/// A read that ends early although the file is as long as ever is a failure of the medium.
#[test]
fn a_short_read_of_a_file_that_kept_its_length_is_an_error() {
    #[derive(Debug)]
    struct Short(Arc<dyn File>);
    impl File for Short {
        fn append(&self, bytes: &[u8]) -> Result<()> {
            self.0.append(bytes)
        }
        fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
            self.0.write_at(offset, bytes)
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
            let most = buffer.len().min(10);
            self.0.read_at(offset, &mut buffer[..most])
        }
        fn sync(&self) -> Result<()> {
            self.0.sync()
        }
        fn len(&self) -> Result<u64> {
            self.0.len()
        }
    }
    let disk = Between::new();
    let (_db, name) = at_work(&disk);
    let file = Short(disk.memory.open(name).unwrap());
    let source = Source::open(&file, name).unwrap();
    let error = inspect::annotate_scope(name, &source, Scope::ALL).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corruption, "{error}");
    assert!(error.to_string().contains("only 10 could be read"), "{error}");
}
