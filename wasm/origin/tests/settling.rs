//! Files and bytes that wait in memory, and their remainder after the death of a tab.
#![cfg(feature = "staging")]
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "the stand-in for the browser")]

use levelscope::storage::{FileName, Storage};
use levelscope::testing::conformance;
use levelscope::{Budget, Db, ErrorKind, Options, StepOutcome};
use levelscope_origin::{Directory, Handle, OriginStorage, Refusal};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

const ONLY: OriginStorage = OriginStorage::ONLY;

#[derive(Default)]
struct Disk {
    files: BTreeMap<String, Vec<u8>>,
    /// Changes that the tab lives to make; `None`: it does not die.
    changes: Option<usize>,
    /// Files that were made after its death.
    ghosts: Vec<String>,
    writes: usize,
    flushes: Vec<String>,
    full: bool,
}

impl Disk {
    /// Whether the next change reaches the medium.
    fn lives(&mut self) -> bool {
        self.writes += 1;
        match &mut self.changes {
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
            None => true,
        }
    }
}

#[derive(Clone, Default)]
struct Browser(Rc<RefCell<Disk>>);

struct FakeHandle(Browser, String);

#[expect(clippy::cast_precision_loss, reason = "the files are small")]
fn number(count: usize) -> f64 {
    count as f64
}

impl Handle for FakeHandle {
    fn read(&self, at: u64, buffer: &mut [u8]) -> Result<f64, Refusal> {
        let disk = self.0.0.borrow();
        let rest = disk.files[&self.1].get(usize::try_from(at).expect("small")..);
        let rest = rest.unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(number(count))
    }

    fn write(&self, at: u64, bytes: &[u8]) -> Result<f64, Refusal> {
        let mut disk = self.0.0.borrow_mut();
        if disk.full {
            return Err(Refusal { name: "QuotaExceededError".into(), message: "full".into() });
        }
        if disk.lives() {
            let at = usize::try_from(at).expect("small");
            let file = disk.files.get_mut(&self.1).expect("it is open");
            file.resize(file.len().max(at + bytes.len()), 0);
            file[at..at + bytes.len()].copy_from_slice(bytes);
        }
        Ok(number(bytes.len()))
    }

    fn flush(&self) -> Result<(), Refusal> {
        self.0.0.borrow_mut().flushes.push(self.1.clone());
        Ok(())
    }

    fn truncate(&self, bytes: u64) -> Result<(), Refusal> {
        let mut disk = self.0.0.borrow_mut();
        if disk.lives() {
            let file = disk.files.get_mut(&self.1).expect("it is open");
            file.resize(usize::try_from(bytes).expect("small"), 0);
        }
        Ok(())
    }

    fn size(&self) -> Result<f64, Refusal> {
        Ok(number(self.0.0.borrow().files[&self.1].len()))
    }

    fn close(&self) {}
}

impl Browser {
    /// A worker that begins with `files`.
    fn on(files: BTreeMap<String, Vec<u8>>) -> Self {
        ONLY.with(|directory| {
            directory.begin(files.keys().cloned());
            directory.stage();
        });
        Self(Rc::new(RefCell::new(Disk { files, ..Disk::default() })))
    }

    fn register(&self, name: &str) {
        let mut disk = self.0.borrow_mut();
        if !disk.files.contains_key(name) {
            if !disk.lives() {
                disk.ghosts.push(name.to_owned());
            }
            disk.files.insert(name.to_owned(), Vec::new());
        }
        drop(disk);
        let handle = Box::new(FakeHandle(self.clone(), name.to_owned()));
        ONLY.with(|directory| directory.register(name, handle)).expect("it is wanted");
    }

    fn remove(&self, names: &[String]) {
        let mut disk = self.0.borrow_mut();
        for name in names {
            if disk.lives() {
                disk.files.remove(name);
            }
        }
    }

    /// As the worker does between two slices.
    fn settle(&self) -> levelscope::Result<()> {
        self.remove(&ONLY.with(Directory::take_replaced));
        for name in ONLY.with(|directory| directory.files_to_settle()) {
            self.register(&name);
        }
        while !ONLY.with(Directory::settle)? {}
        self.remove(&ONLY.with(Directory::take_removed));
        Ok(())
    }

    /// Makes a call, and opens the files that it asks for.
    fn call<T>(&self, call: impl Fn() -> levelscope::Result<T>) -> levelscope::Result<T> {
        loop {
            match call() {
                Err(error) if error.blocked_on().is_some() => {
                    self.register(&error.blocked_on().expect("a file").to_string());
                }
                outcome => return outcome,
            }
        }
    }

    fn open(&self) -> levelscope::Result<Db> {
        let options = Options::preset("classroom").expect("a preset");
        let options = options.wal_buffer_bytes(1 << 16);
        self.call(|| Db::builder().options(options.clone()).open_in(Arc::new(ONLY)))
    }

    /// Background work until there is none.
    fn work(&self, db: &Db) -> levelscope::Result<()> {
        while self.call(|| match db.step(Budget::Job)? {
            StepOutcome::Blocked(file) => {
                self.register(&file.to_string());
                Ok(true)
            }
            outcome => Ok(outcome != StepOutcome::Idle),
        })? {}
        Ok(())
    }

    /// Puts keys `from` to `to`, each with its own number, or over those before.
    fn put(&self, db: &Db, from: u32, to: u32) -> levelscope::Result<()> {
        for number in from..to {
            let key = format!("{:05}", number * 7919 % 300);
            loop {
                match self.call(|| db.put(key.as_bytes(), format!("value {number:06}").as_bytes()))
                {
                    Err(error) if error.kind() == ErrorKind::Stalled => self.work(db)?,
                    outcome => break outcome?,
                }
            }
        }
        Ok(())
    }
}

/// The highest number of a value, when every key has the value of its last write up to that number.
fn prefix(browser: &Browser, db: &Db) -> u32 {
    let value = |key: &str| browser.call(|| db.get(key.as_bytes())).expect("readable");
    let number = |value: Vec<u8>| String::from_utf8_lossy(&value[6..]).parse::<u32>().expect("it");
    let keys: Vec<String> = (0..300).map(|key| format!("{key:05}")).collect();
    let found: BTreeMap<&str, u32> =
        keys.iter().filter_map(|key| Some((key.as_str(), number(value(key)?.to_vec())))).collect();
    let last = found.values().copied().max().unwrap_or(0);
    let mut wanted = BTreeMap::new();
    for number in 1..=last {
        wanted.insert(format!("{:05}", number * 7919 % 300), number);
    }
    let wanted: BTreeMap<&str, u32> =
        wanted.iter().map(|(key, last)| (key.as_str(), *last)).collect();
    assert_eq!(found, wanted, "a prefix of the writes");
    last
}

#[test]
fn a_file_that_is_deleted_before_the_settling_never_reaches_the_medium() {
    let browser = Browser::on(BTreeMap::new());
    let [gone, kept] = [FileName::Table(1), FileName::Table(2)].map(|name| {
        ONLY.prepare(name).expect("nothing to wait for");
        let file = ONLY.create(name).expect("in memory");
        file.append(b"0123").expect("in memory");
        file.append(b"456789").expect("in memory");
        file.sync().expect("later");
        file
    });
    ONLY.delete(FileName::Table(1)).expect("deleted");
    let mut buffer = [0; 20];
    assert_eq!(gone.read_at(3, &mut buffer).expect("read"), 7, "an open file goes on");
    drop(gone);
    browser.settle().expect("settled");
    let disk = browser.0.borrow();
    assert_eq!(disk.files, BTreeMap::from([("000002.sst".to_owned(), b"0123456789".to_vec())]));
    assert_eq!((disk.writes, disk.flushes.len()), (2, 1), "it is made, and written once");
    drop(disk);
    kept.append(b"ab").expect("in memory");
    assert_eq!(kept.len().expect("length"), 12);
    assert_eq!(kept.read_at(8, &mut buffer).expect("both parts"), 4);
    assert_eq!(&buffer[..4], b"89ab");
}

#[test]
fn a_file_can_be_created_again_where_a_deleted_one_was() {
    let browser = Browser::on(BTreeMap::from([("000001.wal".into(), b"old bytes".to_vec())]));
    let name = FileName::Wal(1);
    browser.call(|| ONLY.open(name)).expect("opened");
    ONLY.delete(name).expect("deleted");
    let file = ONLY.create(name).expect("with the old handle");
    file.append(b"new").expect("in memory");
    assert_eq!(browser.0.borrow().files["000001.wal"], b"old bytes");
    assert_eq!(file.len().expect("length"), 3);
    browser.settle().expect("settled");
    assert_eq!(browser.0.borrow().files["000001.wal"], b"new");
}

#[test]
fn wherever_the_tab_dies_a_prefix_of_the_writes_is_there() {
    let browser = Browser::on(BTreeMap::new());
    let db = browser.open().expect("created");
    browser.put(&db, 1, 150).expect("written");
    db.write_out().expect("written out");
    browser.settle().expect("settled");
    db.close().expect("closed");
    browser.settle().expect("settled");
    let before = browser.0.borrow().files.clone();

    let mut reached = Vec::new();
    for changes in 0.. {
        let browser = Browser::on(before.clone());
        let db = browser.open().expect("opened");
        browser.settle().expect("settled");
        browser.0.borrow_mut().writes = 0;
        browser.0.borrow_mut().changes = Some(changes);
        for (start, end) in [(150, 230), (230, 300), (300, 420), (420, 600)] {
            browser.put(&db, start, end).expect("written");
            if end != 300 {
                db.write_out().expect("written out");
            }
            let settled = browser.settle();
            if browser.0.borrow().writes > changes {
                // The tab is dead: its module goes on, and finds files without its bytes.
                break;
            }
            settled.expect("settled");
        }
        let disk = browser.0.borrow();
        let all = disk.writes <= changes;
        let mut left = disk.files.clone();
        left.retain(|name, _| !disk.ghosts.contains(name));
        drop(disk);
        drop(db);
        let after = Browser::on(left);
        let db = after.open().unwrap_or_else(|error| panic!("after {changes} changes: {error}"));
        let last = prefix(&after, &db);
        assert!((149..600).contains(&last));
        reached.push(last);
        let check = after.call(|| db.check()).expect("checked");
        assert_eq!(check.errors, 0, "after {changes} changes: {check:?}");
        if all {
            assert_eq!(last, 599);
            break;
        }
    }
    assert!(reached.is_sorted(), "{reached:?}");
    assert!(reached.len() > 30, "{}", reached.len());
}

#[test]
fn waiting_files_keep_the_contract_of_the_engine() {
    let fresh = |_: &'static str| {
        Browser::on(BTreeMap::new());
        ONLY
    };
    let failures = conformance::failures(fresh, |_, _| {});
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn the_length_of_all_files_asks_for_no_table() {
    let browser = Browser::on(BTreeMap::new());
    let db = browser.open().expect("created");
    browser.put(&db, 1, 200).expect("written");
    browser.work(&db).expect("compacted");
    db.close().expect("closed");
    browser.settle().expect("settled");
    let files = browser.0.borrow().files.clone();
    assert!(files.keys().filter(|name| name.ends_with("sst")).count() > 3);

    let browser = Browser::on(files);
    let db = browser.open().expect("opened");
    browser.settle().expect("settled");
    ONLY.with(Directory::take_blocked);
    let bytes: usize = browser.0.borrow().files.values().map(Vec::len).sum();
    assert_eq!(db.file_bytes().expect("measured"), bytes as u64);
    assert_eq!(ONLY.with(Directory::take_blocked), [""; 0]);
}

#[test]
fn a_full_disk_ends_writing_until_the_database_is_closed() {
    let browser = Browser::on(BTreeMap::new());
    let db = browser.open().expect("created");
    browser.put(&db, 1, 100).expect("written");
    db.write_out().expect("written out");
    browser.settle().expect("settled");
    browser.put(&db, 100, 200).expect("in memory");
    browser.0.borrow_mut().full = true;
    let kind = |error: levelscope::Error| error.kind();
    assert_eq!(browser.settle().map_err(kind), Err(ErrorKind::OutOfSpace));
    assert_eq!(browser.settle().map_err(kind), Ok(()), "it is reported once");
    let put = db.put(b"99999", b"value 000000").and_then(|()| db.write_out());
    assert_eq!(put.map_err(kind), Err(ErrorKind::OutOfSpace));
    assert_eq!(db.put(b"a", b"1").map_err(kind), Err(ErrorKind::ReadOnly));
    assert_eq!(prefix(&browser, &db), 199, "reading goes on");
    db.close().ok();
    drop(db);
    browser.0.borrow_mut().full = false;
    let db = browser.open().expect("opened again");
    assert!(prefix(&browser, &db) >= 99);
    browser.put(&db, 600, 601).expect("written");
}
