//! The properties that must hold for a database in any directory, hostile or not.

use crate::common::*;
use levelscope::storage::trace::{Operation, WatchedStorage, Watcher};
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{
    Budget, Check, Db, Error, ErrorKind, Maintenance, Options, RepairOptions, Result, ScanOptions,
    StepOutcome, repair,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The engine's verdict on hostile files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// They could not be opened, with an error.
    Refused,
    /// They could be opened, but something in them was reported as damaged.
    Damaged,
    /// They are a database.
    Taken,
}

pub fn options() -> Options {
    Options::default()
        .memtable_bytes(1 << 20)
        .cache_bytes(1 << 20)
        .block_bytes(256)
        .l0_trigger(100)
        .l0_stall(1000)
        .maintenance(Maintenance::Manual)
}

/// Opens the files, reads everything in every way, checks, flushes, compacts and writes.
///
/// Nothing may panic, allocate more than the limit, or read the files more than a fixed number of times; every failure
/// must be reported as damage.
pub fn judge(disk: &MemoryStorage, context: &str) -> Verdict {
    crate::allocator::lift_the_limit_on_panic();
    let bytes = disk.total_bytes();
    let read = Arc::new(BytesRead::default());
    let watched = WatchedStorage::new(Arc::new(disk.clone()), Arc::<BytesRead>::clone(&read));
    let storage: Arc<dyn Storage> = Arc::new(watched);
    let mut verdict = Verdict::Taken;
    keep(disk, &storage, context);
    match try_open(&storage, &options()) {
        Err(error) => {
            assert_damage(&error, context);
            verdict = Verdict::Refused;
        }
        Ok(db) => {
            read.limit(context, "checking, repairing and opening", 20, bytes);
            for way in WAYS {
                if let Err(error) = way(&db) {
                    assert_damage(&error, context);
                    verdict = Verdict::Damaged;
                }
            }
            let report = db.check().expect("a check never fails");
            if !report.problems().is_empty() {
                verdict = Verdict::Damaged;
            }
        }
    }
    read.limit(context, "everything", 60, bytes);
    verdict
}

/// Checks and repairs the files as they are: neither needs a database that opens.
fn keep(disk: &MemoryStorage, storage: &Arc<dyn Storage>, context: &str) {
    let before = disk.hash();
    let source = || Arc::clone(storage);
    match Check::new(source()).expect("no program has it open").run() {
        Ok(report) => assert!(report.findings.len() <= 1000, "{context}"),
        Err(error) => assert_eq!(error.kind(), ErrorKind::NotFound, "{context}: {error}"),
    }
    let target = Arc::new(MemoryStorage::new());
    match repair(source(), target, &RepairOptions::default().options(options()).after_holes(true)) {
        Ok(report) => assert!(report.check.is_sound(), "{context}: {:?}", report.check.problems()),
        Err(error) => assert_eq!(error.kind(), ErrorKind::NotFound, "{context}: {error}"),
    }
    assert_eq!(disk.hash(), before, "{context}: evidence was changed");
}

/// Ways to use a database, none of which relies on another.
const WAYS: [fn(&Db) -> Result<()>; 6] =
    [look, lookups, forward, backward, inspect, write_and_work];

fn look(db: &Db) -> Result<()> {
    drop((db.view(), db.stats(), db.next_step(), db.has_work()));
    db.files().map(drop)
}

fn lookups(db: &Db) -> Result<()> {
    for key in [&b""[..], b"a", b"key003", b"key010", b"zzzz"] {
        db.get(key)?;
    }
    Ok(())
}

fn forward(db: &Db) -> Result<()> {
    let mut iterator = db.iter(&ScanOptions::default())?;
    iterator.seek_to_first()?;
    while iterator.valid() {
        iterator.next()?;
    }
    iterator.seek(b"key005")
}

fn backward(db: &Db) -> Result<()> {
    let mut iterator = db.iter(&ScanOptions::default())?;
    iterator.seek_to_last()?;
    while iterator.valid() {
        iterator.prev()?;
    }
    iterator.seek_for_prev(b"key005")
}

/// A tree of every byte takes many times the file: only those who ask for it pay, and small files do here.
fn inspect(db: &Db) -> Result<()> {
    for file in db.files()? {
        let name = FileName::parse(&file.name).filter(|name| *name != FileName::Lock);
        if let Some(name) = name.filter(|_| file.bytes < 100_000) {
            drop(db.inspect(name)?);
        }
    }
    Ok(())
}

fn write_and_work(db: &Db) -> Result<()> {
    db.put(b"key005", b"new")?;
    db.request_flush()?;
    db.request_compaction(None)?;
    while db.step(Budget::Job)? != StepOutcome::Idle {}
    assert_eq!(db.get(b"key005")?.as_deref(), Some(&b"new"[..]));
    Ok(())
}

fn assert_damage(error: &Error, context: &str) {
    let kinds = [
        ErrorKind::Corruption,
        ErrorKind::UnsupportedFormat,
        // The forged file claims that all file numbers or sequence numbers are used up.
        ErrorKind::OutOfSpace,
        ErrorKind::InvalidArgument,
        ErrorKind::ReadOnly,
    ];
    assert!(kinds.contains(&error.kind()), "{context}: {:?}: {error}", error.kind());
    assert!(error.to_string().len() < 500, "{context}: {error}");
}

/// The bytes that are read of a disk.
#[derive(Debug, Default)]
struct BytesRead(AtomicU64);

impl BytesRead {
    fn limit(&self, context: &str, what: &str, times: u64, bytes: u64) {
        let read = self.0.load(Ordering::SeqCst);
        let limit = times * (bytes + (64 << 10));
        assert!(read <= limit, "{context}: {what} read {read} bytes of {bytes}");
    }
}

impl Watcher for BytesRead {
    fn done(&self, _: Operation, _: bool) {}

    fn read(&self, _: FileName, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::SeqCst);
    }
}
