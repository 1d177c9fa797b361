//! The directory of the browser's files, on handles that only look like the browser's.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "the stand-in for the browser")]

use levelscope::ErrorKind;
use levelscope::storage::{FileName, Storage};
use levelscope::testing::conformance;
use levelscope_origin::{Directory, Handle, OriginStorage, Refusal};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The disk that the handles use, and its injected faults.
#[derive(Default)]
struct Disk {
    files: BTreeMap<String, Vec<u8>>,
    open: Vec<String>,
    /// Bytes that the quota still allows.
    free: Option<usize>,
    /// Most bytes that one write takes.
    part: Option<usize>,
    /// Reads deliver nothing, as a failing medium does.
    deaf: bool,
}

#[derive(Clone, Default)]
struct Browser(Rc<RefCell<Disk>>);

struct FakeHandle {
    browser: Browser,
    name: String,
}

impl Browser {
    /// As the worker does: opens `name` on the disk and hands the handle over.
    fn register(&self, name: &str) -> levelscope::Result<()> {
        let mut disk = self.0.borrow_mut();
        disk.files.entry(name.to_owned()).or_default();
        assert!(!disk.open.contains(&name.to_owned()), "{name} is open: handles are exclusive");
        disk.open.push(name.to_owned());
        drop(disk);
        let handle = FakeHandle { browser: self.clone(), name: name.to_owned() };
        ONLY.with(|directory| directory.register(name, Box::new(handle)))
    }

    fn remove_deleted(&self) -> Vec<String> {
        let names = ONLY.with(Directory::take_removed);
        for name in &names {
            let mut disk = self.0.borrow_mut();
            assert!(!disk.open.contains(name), "{name} must be closed before it is removed");
            disk.files.remove(name);
        }
        names
    }
}

#[expect(clippy::cast_precision_loss, reason = "the files are small")]
fn number(count: usize) -> f64 {
    count as f64
}

impl Handle for FakeHandle {
    fn read(&self, at: u64, buffer: &mut [u8]) -> Result<f64, Refusal> {
        let disk = self.browser.0.borrow();
        let bytes = &disk.files[&self.name];
        let rest = bytes.get(usize::try_from(at).expect("small")..).unwrap_or_default();
        let count = if disk.deaf { 0 } else { rest.len().min(buffer.len()).min(3) };
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(number(count))
    }

    fn write(&self, at: u64, bytes: &[u8]) -> Result<f64, Refusal> {
        let mut disk = self.browser.0.borrow_mut();
        let count = bytes.len().min(disk.part.unwrap_or(usize::MAX));
        if let Some(free) = disk.free {
            if free < count {
                let (name, message) = ("QuotaExceededError".into(), "no space".into());
                return Err(Refusal { name, message });
            }
            disk.free = Some(free - count);
        }
        let at = usize::try_from(at).expect("small");
        let file = disk.files.get_mut(&self.name).expect("it is open");
        file.resize(file.len().max(at + count), 0);
        file[at..at + count].copy_from_slice(&bytes[..count]);
        Ok(number(count))
    }

    fn flush(&self) -> Result<(), Refusal> {
        Ok(())
    }

    fn truncate(&self, bytes: u64) -> Result<(), Refusal> {
        let mut disk = self.browser.0.borrow_mut();
        let file = disk.files.get_mut(&self.name).expect("it is open");
        file.resize(usize::try_from(bytes).expect("small"), 0);
        Ok(())
    }

    fn size(&self) -> Result<f64, Refusal> {
        Ok(number(self.browser.0.borrow().files[&self.name].len()))
    }

    fn close(&self) {
        self.browser.0.borrow_mut().open.retain(|name| *name != self.name);
    }
}

fn start(listed: &[&str]) -> Browser {
    ONLY.with(|directory| directory.begin(listed.iter().map(|name| (*name).to_owned())));
    Browser::default()
}

fn blocked<T>(outcome: levelscope::Result<T>) -> Option<FileName> {
    outcome.err().and_then(|error| error.blocked_on())
}

fn kind<T>(outcome: levelscope::Result<T>) -> Option<ErrorKind> {
    outcome.err().map(|error| error.kind())
}

const ONLY: OriginStorage = OriginStorage::ONLY;
const TABLE: FileName = FileName::Table(7);

#[test]
fn a_file_is_created_only_once_the_worker_has_opened_it() {
    let browser = start(&["notes.txt"]);
    assert_eq!(blocked(ONLY.prepare(TABLE)), Some(TABLE));
    assert_eq!(blocked(ONLY.create(TABLE)), Some(TABLE));
    browser.register("000007.sst").expect("it is wanted");
    assert_eq!(ONLY.list().expect("a list"), ["notes.txt"], "prepared is not created");
    assert_eq!(kind(ONLY.open(TABLE)), Some(ErrorKind::NotFound));
    ONLY.prepare(TABLE).expect("it is prepared");
    let file = ONLY.create(TABLE).expect("it is prepared");
    assert_eq!(ONLY.list().expect("a list"), ["000007.sst", "notes.txt"]);
    assert_eq!(kind(ONLY.create(TABLE)), Some(ErrorKind::InvalidArgument));
    file.append(b"0123").expect("written");
    file.append(b"456789").expect("written");
    let mut buffer = [0; 20];
    assert_eq!(file.read_at(2, &mut buffer).expect("read"), 8, "in parts, up to the end");
    assert_eq!(&buffer[..8], b"23456789");
    assert_eq!(file.len().expect("length"), 10);
}

#[test]
fn listed_files_are_opened_by_the_worker_before_they_are_read() {
    let browser = start(&["000007.sst", "CURRENT"]);
    browser.0.borrow_mut().files.insert("000007.sst".into(), b"old".to_vec());
    assert_eq!(blocked(ONLY.open(TABLE)), Some(TABLE));
    browser.register("000007.sst").expect("it is wanted");
    assert!(browser.0.borrow().files["000007.sst"] == b"old", "an existing file keeps its bytes");
    assert_eq!(ONLY.open(TABLE).expect("open").len().expect("length"), 3);
    assert!(ONLY.with(|directory| directory.is_wanted("CURRENT")));
    assert!(!ONLY.with(|directory| directory.is_wanted("000007.sst")));
    assert!(!ONLY.with(|directory| directory.is_wanted("../secret")));
}

#[test]
fn the_worker_learns_all_files_that_calls_have_waited_for() {
    let browser = start(&["000001.wal", "CURRENT"]);
    let waits = || ONLY.with(Directory::take_blocked);
    for name in [FileName::Wal(1), FileName::Current, FileName::Wal(1)] {
        assert_eq!(blocked(ONLY.open(name)), Some(name));
    }
    assert_eq!(blocked(ONLY.prepare(FileName::Wal(2))), Some(FileName::Wal(2)));
    assert_eq!(blocked(ONLY.create(FileName::Table(3))), Some(FileName::Table(3)));
    browser.register("CURRENT").unwrap();
    assert_eq!(waits(), ["000001.wal", "000002.wal", "000003.sst"]);
    assert_eq!(waits(), [""; 0]);
}

#[test]
fn leftovers_of_a_prepared_file_are_emptied() {
    let browser = start(&[]);
    browser.0.borrow_mut().files.insert("000007.sst".into(), b"stale".to_vec());
    browser.register("000007.sst").expect("it is wanted");
    let file = ONLY.create(TABLE).expect("prepared");
    assert_eq!(file.len().expect("length"), 0);
    assert!(browser.0.borrow().files["000007.sst"].is_empty());
}

#[test]
fn a_deleted_file_is_removed_when_nobody_reads_it_any_more() {
    let browser = start(&[]);
    browser.register("000007.sst").expect("it is wanted");
    let file = ONLY.create(TABLE).expect("prepared");
    file.append(b"bytes").expect("written");
    ONLY.delete(TABLE).expect("deleted");
    assert_eq!(ONLY.list().expect("a list"), Vec::<String>::new());
    assert_eq!(kind(ONLY.delete(TABLE)), Some(ErrorKind::NotFound));
    assert_eq!(browser.remove_deleted(), Vec::<String>::new(), "it is still read");
    assert_eq!(blocked(ONLY.create(TABLE)), Some(TABLE), "its bytes are still needed");
    let mut buffer = [0; 5];
    assert_eq!(file.read_at(0, &mut buffer).expect("read"), 5);
    drop(file);
    assert_eq!(browser.remove_deleted(), ["000007.sst"]);
    assert!(browser.0.borrow().files.is_empty());
}

#[test]
fn a_deleted_file_that_nobody_reads_is_used_again() {
    let browser = start(&[]);
    browser.register("000007.sst").expect("it is wanted");
    ONLY.create(TABLE).expect("prepared").append(b"bytes").expect("written");
    ONLY.delete(TABLE).expect("deleted");
    ONLY.prepare(TABLE).expect("the old handle will do");
    let file = ONLY.create(TABLE).expect("the old handle will do");
    assert_eq!(file.len().expect("length"), 0);
    assert_eq!(browser.remove_deleted(), Vec::<String>::new());
    assert_eq!(ONLY.list().expect("a list"), ["000007.sst"]);
}

#[test]
fn partial_writes_are_completed_and_a_full_disk_is_reported() {
    let browser = start(&[]);
    browser.register("000007.sst").expect("it is wanted");
    let file = ONLY.create(TABLE).expect("prepared");
    browser.0.borrow_mut().part = Some(2);
    file.append(b"abcdefg").expect("in four parts");
    assert_eq!(browser.0.borrow().files["000007.sst"], b"abcdefg");
    browser.0.borrow_mut().part = Some(0);
    assert_eq!(kind(file.append(b"x")), Some(ErrorKind::OutOfSpace));
    browser.0.borrow_mut().part = Some(2);
    browser.0.borrow_mut().free = Some(3);
    assert_eq!(kind(file.append(b"hijkl")), Some(ErrorKind::OutOfSpace));
    assert_eq!(file.len().expect("length"), 9, "the written bytes are there");
}

#[test]
fn a_read_that_delivers_nothing_inside_the_file_is_an_error() {
    let browser = start(&[]);
    browser.register("000007.sst").expect("it is wanted");
    let file = ONLY.create(TABLE).expect("prepared");
    file.append(b"abc").expect("written");
    browser.0.borrow_mut().deaf = true;
    let mut buffer = [0; 3];
    assert_eq!(kind(file.read_at(0, &mut buffer)), Some(ErrorKind::Io));
    assert_eq!(file.read_at(3, &mut buffer).expect("the end"), 0);
}

#[test]
fn cold_tables_are_closed_and_asked_for_again() {
    let browser = start(&[]);
    let mut files = Vec::new();
    for number in 1..=5 {
        let name = FileName::Table(number);
        browser.register(&name.to_string()).expect("it is wanted");
        let file = ONLY.create(name).expect("prepared");
        file.append(b"abc").expect("written");
        file.sync().expect("synced");
        files.push(file);
    }
    browser.register("000006.wal").expect("it is wanted");
    let log = ONLY.create(FileName::Wal(6)).expect("prepared");
    log.append(b"abc").expect("written");
    log.sync().expect("synced");
    let mut buffer = [0; 3];
    files[0].read_at(0, &mut buffer).expect("read");
    files[4].append(b"unsynced").expect("written");
    let closed = ONLY.with(|directory| directory.close_cold(2));
    assert_eq!(closed, ["000002.sst", "000003.sst"], "table 5 is being written, a log is no table");
    assert_eq!(blocked(files[1].read_at(0, &mut buffer)), Some(FileName::Table(2)));
    assert_eq!(files[1].len().expect("length"), 3);
    browser.register("000002.sst").expect("it is wanted");
    assert_eq!(files[1].read_at(0, &mut buffer).expect("read"), 3, "the open file goes on");
    ONLY.delete(FileName::Table(3)).expect("a closed file can be deleted");
}

#[test]
fn closing_leaves_no_handle_open_and_names_what_was_opened_for_nothing() {
    let browser = start(&[]);
    browser.register("000007.sst").expect("it is wanted");
    browser.register("000008.wal").expect("it is wanted");
    let file = ONLY.create(TABLE).expect("prepared");
    let prepared = ONLY.with(Directory::close_all);
    assert_eq!(prepared, ["000008.wal"]);
    assert!(browser.0.borrow().open.is_empty());
    assert_eq!(kind(file.append(b"x")), Some(ErrorKind::Closed));
}

#[test]
fn the_storage_keeps_the_contract_of_the_engine() {
    let fresh = |_: &'static str| {
        let browser = start(&[]);
        for name in conformance::names() {
            browser.register(&name.to_string()).expect("it is wanted");
        }
        ONLY
    };
    let failures = conformance::failures(fresh, |_, _| {});
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn one_database_at_a_time() {
    let _browser = start(&[]);
    let guard = ONLY.lock().expect("free");
    assert_eq!(kind(ONLY.lock()), Some(ErrorKind::Locked));
    drop(guard);
    ONLY.lock().expect("free again");
}

/// Opens the database as the worker does: whatever is wanted is opened, and the call is made again.
fn open_database(browser: &Browser) -> levelscope::Result<levelscope::Db> {
    loop {
        let storage = std::sync::Arc::new(ONLY);
        match levelscope::Db::builder().options(levelscope::Options::default()).open_in(storage) {
            Err(error) if error.blocked_on().is_some() => {
                let name = error.blocked_on().expect("it is blocked").to_string();
                browser.register(&name)?;
            }
            outcome => return outcome,
        }
    }
}

#[test]
fn files_of_other_programs_and_of_unknown_origin_are_left_as_they_are() {
    let manifest: &[u8] = b"MANIFEST-000002\n";
    for (files, owner) in [
        (&[("CURRENT", manifest), ("MANIFEST-000002", b"edits")][..], "database of LevelDB"),
        (&[("CURRENT", manifest), ("OPTIONS-000007", b"x")], "database of RocksDB"),
        (&[("000005.ldb", b"x")], "database of LevelDB"),
        (&[("notes.txt", b"mine")], "\"notes.txt\""),
    ] {
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        let browser = start(&names);
        let content = |(name, bytes): &(&str, &[u8])| ((*name).to_owned(), bytes.to_vec());
        let before: BTreeMap<String, Vec<u8>> = files.iter().map(content).collect();
        browser.0.borrow_mut().files.clone_from(&before);
        let error = open_database(&browser).expect_err("it is refused");
        assert!(error.to_string().contains(owner), "{error}");
        assert_eq!(browser.remove_deleted(), Vec::<String>::new());
        assert_eq!(browser.0.borrow().files, before, "{owner}");
        ONLY.lock().expect("it was never locked");
    }
    // A directory of our own is opened, again and again.
    let browser = start(&[".DS_Store"]);
    open_database(&browser).expect("a new database").put(b"a", b"1").expect("written");
    ONLY.with(Directory::close_all);
    let names: Vec<String> = browser.0.borrow().files.keys().cloned().collect();
    ONLY.with(|directory| directory.begin(names));
    let db = open_database(&browser).expect("it is there");
    assert_eq!(db.get(b"a").expect("read").as_deref(), Some(&b"1"[..]));
}
