//! Handles that return numbers no file can have, as Chromium's private window does when its quota is used up.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "the stand-in for the browser")]

use levelscope::storage::{File, FileName, Storage};
use levelscope::{Db, ErrorKind, Options};
use levelscope_origin::{Answer, Directory, Handle, OriginStorage};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

const ONLY: OriginStorage = OriginStorage::ONLY;
const TABLE: FileName = FileName::Table(7);

/// The result of `write` in Chromium's private window when the quota is used up: -8 as an unsigned number.
const NO_SPACE: f64 = 4_294_967_288.0;

/// The files, and the false answers of their handles.
#[derive(Default)]
struct Disk {
    files: BTreeMap<String, Vec<u8>>,
    write: Option<f64>,
    read: Option<f64>,
    size: Option<f64>,
    /// Bytes reported as written vanish.
    loses: bool,
    keeps_length: bool,
    /// Bytes that all files may have together; writing more returns [`NO_SPACE`].
    quota: Option<usize>,
}

#[derive(Clone, Default)]
struct Browser(Rc<RefCell<Disk>>);

struct Liar(Browser, String);

#[expect(clippy::cast_precision_loss, reason = "the files are small")]
fn number(count: usize) -> f64 {
    count as f64
}

fn place(at: u64) -> usize {
    usize::try_from(at).expect("the files are small")
}

impl Handle for Liar {
    fn read(&self, at: u64, buffer: &mut [u8]) -> Answer<f64> {
        let disk = self.0.0.borrow();
        let rest = disk.files[&self.1].get(place(at)..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(disk.read.unwrap_or(number(count)))
    }

    fn write(&self, at: u64, bytes: &[u8]) -> Answer<f64> {
        let mut disk = self.0.0.borrow_mut();
        if let Some(count) = disk.write {
            return Ok(count);
        }
        let used: usize = disk.files.values().map(Vec::len).sum();
        let file = disk.files.get(&self.1).expect("it is open");
        let end = place(at) + bytes.len();
        let more = end.saturating_sub(file.len());
        if disk.quota.is_some_and(|quota| used + more > quota) {
            return Ok(NO_SPACE);
        }
        if !disk.loses {
            let file = disk.files.get_mut(&self.1).expect("it is open");
            file.resize(file.len().max(end), 0);
            file[place(at)..end].copy_from_slice(bytes);
        }
        Ok(number(bytes.len()))
    }

    fn flush(&self) -> Answer<()> {
        Ok(())
    }

    fn truncate(&self, bytes: u64) -> Answer<()> {
        let mut disk = self.0.0.borrow_mut();
        if !disk.keeps_length {
            disk.files.get_mut(&self.1).expect("it is open").resize(place(bytes), 0);
        }
        Ok(())
    }

    fn size(&self) -> Answer<f64> {
        let disk = self.0.0.borrow();
        Ok(disk.size.unwrap_or(number(disk.files[&self.1].len())))
    }

    fn close(&self) {}
}

impl Browser {
    fn on(files: BTreeMap<String, Vec<u8>>) -> Self {
        ONLY.with(|directory| directory.begin(files.keys().cloned()));
        Self(Rc::new(RefCell::new(Disk { files, ..Disk::default() })))
    }

    fn register(&self, name: &str) -> levelscope::Result<()> {
        self.0.borrow_mut().files.entry(name.to_owned()).or_default();
        let handle = Box::new(Liar(self.clone(), name.to_owned()));
        ONLY.with(|directory| directory.register(name, handle))
    }

    fn table(&self) -> Arc<dyn File> {
        self.register("000007.sst").expect("it is wanted");
        ONLY.create(TABLE).expect("it is prepared")
    }

    /// Makes `call` until no file has to be opened for it.
    fn unblocked<T>(
        &self,
        mut call: impl FnMut() -> levelscope::Result<T>,
    ) -> levelscope::Result<T> {
        loop {
            match call() {
                Err(error) if error.blocked_on().is_some() => {
                    self.register(&error.blocked_on().expect("a name").to_string())?;
                }
                outcome => return outcome,
            }
        }
    }

    fn open(&self) -> Db {
        let options = || Options::default().memtable_bytes(64 << 10);
        let open = || Db::builder().options(options()).open_in(Arc::new(ONLY));
        self.unblocked(open).expect("it opens")
    }
}

fn kind<T>(outcome: levelscope::Result<T>) -> Option<ErrorKind> {
    outcome.err().map(|error| error.kind())
}

/// No count of bytes, whatever the request.
const NONSENSE: [f64; 6] = [NO_SPACE, -8.0, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

#[test]
fn a_write_that_reports_no_possible_count_is_refused_for_want_of_space() {
    let browser = Browser::on(BTreeMap::new());
    let file = browser.table();
    file.append(b"good").expect("written");
    for count in NONSENSE.into_iter().chain([0.0, 6.0]) {
        browser.0.borrow_mut().write = Some(count);
        assert_eq!(kind(file.append(b"lost!")), Some(ErrorKind::OutOfSpace), "{count}");
        assert_eq!(file.len().expect("length"), 4, "{count}");
    }
}

#[test]
fn a_read_that_reports_no_possible_count_is_an_error() {
    let browser = Browser::on(BTreeMap::new());
    let file = browser.table();
    file.append(b"01234").expect("written");
    for count in NONSENSE.into_iter().chain([0.0, 6.0]) {
        browser.0.borrow_mut().read = Some(count);
        assert_eq!(kind(file.read_at(0, &mut [0; 5])), Some(ErrorKind::Io), "{count}");
    }
}

#[test]
fn a_file_of_no_possible_size_is_not_taken_over() {
    for size in [-8.0, 0.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let browser = Browser::on(BTreeMap::from([("000007.sst".into(), b"old".to_vec())]));
        browser.0.borrow_mut().size = Some(size);
        assert_eq!(kind(browser.register("000007.sst")), Some(ErrorKind::Io), "{size}");
    }
}

#[test]
fn a_sync_of_bytes_that_are_not_there_fails() {
    for size in [Some(4.0), Some(f64::NAN), Some(-1.0), None] {
        let browser = Browser::on(BTreeMap::new());
        let file = browser.table();
        file.append(b"good").expect("written");
        file.sync().expect("synced");
        browser.0.borrow_mut().loses = size.is_none();
        file.append(b"more").expect("reported as written");
        browser.0.borrow_mut().size = size;
        assert_eq!(kind(file.sync()), Some(ErrorKind::Io), "{size:?}");
    }
}

#[test]
fn a_file_that_stays_long_after_its_truncation_is_not_used() {
    let browser = Browser::on(BTreeMap::new());
    browser.0.borrow_mut().files.insert("000007.sst".into(), b"stale".to_vec());
    browser.0.borrow_mut().keeps_length = true;
    assert_eq!(kind(browser.register("000007.sst")), Some(ErrorKind::Io));
}

#[test]
fn writes_acknowledged_before_the_quota_of_a_private_window_was_used_up_are_there() {
    let browser = Browser::on(BTreeMap::new());
    browser.0.borrow_mut().quota = Some(400_000);
    let db = browser.open();
    let value = |number: u32| vec![number.to_le_bytes()[0]; 10_000];
    let mut acknowledged = 0_u32;
    let error = loop {
        match browser.unblocked(|| db.put(acknowledged.to_le_bytes(), value(acknowledged))) {
            Ok(()) => acknowledged += 1,
            Err(error) => break error,
        }
        assert!(acknowledged < 10_000, "the quota is reached");
    };
    assert_eq!(error.kind(), ErrorKind::OutOfSpace, "{error}");
    let all_are_there = |db: &Db| {
        for number in 0..acknowledged {
            let found = browser.unblocked(|| db.get(number.to_le_bytes())).expect("it is read");
            assert_eq!(found.as_deref(), Some(&value(number)[..]), "{number} of {acknowledged}");
        }
    };
    all_are_there(&db);
    drop(db);
    browser.0.borrow_mut().quota = None;
    ONLY.with(Directory::close_all);
    let names: Vec<String> = browser.0.borrow().files.keys().cloned().collect();
    ONLY.with(|directory| directory.begin(names));
    let db = browser.open();
    all_are_there(&db);
    browser.unblocked(|| db.put(b"more", b"1")).expect("there is space again");
}
