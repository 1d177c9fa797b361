//! Exports onto disks that fail.
use super::*;
use levelscope::storage::MemoryStorage;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::{Maintenance, Options};
use std::cell::Cell;

/// Fails once, at one of its operations: before it, or after half of it.
struct Failing {
    at: u64,
    halfway: bool,
    done: Cell<u64>,
}

impl Failing {
    fn next(&self) -> bool {
        self.done.set(self.done.get() + 1);
        self.done.get() == self.at
    }
}

impl Disk for Failing {
    fn make(&self, path: &Path) -> levelscope::Result<()> {
        if self.next() {
            return Err(Error::new(ErrorKind::Io, "injected"));
        }
        NativeDisk.make(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if !self.next() {
            return NativeDisk.write(path, bytes);
        }
        if self.halfway {
            fs::write(path, &bytes[..bytes.len() / 2])?;
        }
        Err(io::Error::other("injected"))
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        if self.next() { Err(io::Error::other("injected")) } else { NativeDisk.sync(path) }
    }
}

fn filled(storage: Arc<dyn Storage>) -> Db {
    let options = Options::default()
        .memtable_bytes(4096)
        // Many blocks: a reader has opened the tables before, so only their blocks are left to fail.
        .block_bytes(256)
        .cache_bytes(0)
        .maintenance(Maintenance::Inline);
    let db = Db::builder().options(options).open_in(storage).unwrap();
    (0..400).for_each(|index| db.put(format!("key{index}").as_bytes(), b"value").unwrap());
    db
}

/// Exports `db` to a directory that is there, or not, and returns whether it did; a failure leaves nothing.
fn exports(db: &Db, disk: &dyn Disk, was_there: bool) -> bool {
    let path = std::env::temp_dir().join(format!(
        "levelscope-export-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    let _ = fs::remove_dir_all(&path);
    if was_there {
        fs::create_dir(&path).unwrap();
    }
    let target = NewDirectory::of(&path).unwrap();
    let options = ExportOptions { table_bytes: 1024, ..ExportOptions::default() };
    let made = Export::new(db, options)
        .map_err(Failure::from)
        .and_then(|mut export| hand_out(&mut export, &target, disk));
    let names = fs::read_dir(&path).map(Iterator::count);
    match &made {
        Ok(report) => assert_eq!(names.unwrap() as u64, report.tables + 3),
        Err(failure) => {
            assert!(!failure.message.contains("could not be deleted"), "{failure:?}");
            assert_eq!(names.ok(), was_there.then_some(0), "{failure:?}");
        }
    }
    let _ = fs::remove_dir_all(&path);
    made.is_ok()
}

#[test]
fn an_export_that_fails_to_write_leaves_nothing() {
    let db = filled(Arc::new(MemoryStorage::new()));
    for (halfway, was_there) in [(false, false), (true, false), (false, true), (true, true)] {
        let failing = |at| Failing { at, halfway, done: Cell::new(0) };
        let failures = (1..1000).take_while(|at| !exports(&db, &failing(*at), was_there)).count();
        assert!((4..999).contains(&failures), "{failures}");
    }
}

#[test]
fn an_export_that_fails_to_read_leaves_nothing() {
    let disk = MemoryStorage::new();
    drop(filled(Arc::new(disk.clone())));
    let mut failures = 0;
    for at in 1.. {
        let failing = Arc::new(FaultStorage::over_memory(&disk));
        let options = Options::default().cache_bytes(0);
        let source = Arc::clone(&failing) as Arc<dyn Storage>;
        let db = Db::builder().options(options).read_only().open_in(source).unwrap();
        failing.inject(Fault::Io, at, false);
        let exported = exports(&db, &NativeDisk, false);
        if failing.injected() == 0 {
            assert!(exported);
            break;
        }
        failures += u64::from(!exported);
    }
    // A reader has opened its tables before: only the reads of their data are left to fail.
    assert!(failures > 1, "{failures}");
}
