//! Storage that is watched: one line, or one call, for each operation.

use super::{File, FileName, LockGuard, Storage};
use crate::Result;
use crate::identity::Identity;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// One operation that changed something or made it durable, or would have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `create 000003.wal`
    Create(FileName),
    /// `delete 000003.wal`
    Delete(FileName),
    /// `append 000003.wal 37`: how many bytes.
    Append(FileName, usize),
    /// `write CURRENT 4096 44`: where, and how many bytes.
    Write(FileName, u64, usize),
    /// `sync 000003.wal`
    Sync(FileName),
    /// `sync dir`
    SyncDirectory,
    /// `lock`
    Lock,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Create(name) => write!(f, "create {name}"),
            Self::Delete(name) => write!(f, "delete {name}"),
            Self::Append(name, bytes) => write!(f, "append {name} {bytes}"),
            Self::Write(name, offset, bytes) => write!(f, "write {name} {offset} {bytes}"),
            Self::Sync(name) => write!(f, "sync {name}"),
            Self::SyncDirectory => write!(f, "sync dir"),
            Self::Lock => write!(f, "lock"),
        }
    }
}

/// Receives each operation after it was done; `ok` is false when it failed.
pub trait Watcher: Send + Sync + fmt::Debug {
    /// Takes one operation.
    fn done(&self, operation: Operation, ok: bool);

    /// Called with the bytes before they are appended; [`Watcher::done`] follows with the outcome.
    fn appending(&self, name: FileName, bytes: &[u8]) {
        let _ = (name, bytes);
    }

    /// Called before a file is synced; [`Watcher::done`] follows with the outcome.
    fn syncing(&self, name: FileName) {
        let _ = name;
    }

    /// Called after `bytes` of a file were read.
    fn read(&self, name: FileName, bytes: usize) {
        let _ = (name, bytes);
    }
}

/// Decorates a storage and reports each operation to a [`Watcher`].
#[derive(Debug, Clone)]
pub struct WatchedStorage {
    inner: Arc<dyn Storage>,
    watcher: Arc<dyn Watcher>,
}

impl WatchedStorage {
    /// Decorates `inner`.
    pub fn new(inner: Arc<dyn Storage>, watcher: Arc<dyn Watcher>) -> Self {
        Self { inner, watcher }
    }

    fn handle(&self, name: FileName, inner: Arc<dyn File>) -> Arc<dyn File> {
        Arc::new(WatchedFile { inner, name, watcher: Arc::clone(&self.watcher) })
    }

    fn report<T>(&self, operation: Operation, result: Result<T>) -> Result<T> {
        self.watcher.done(operation, result.is_ok());
        result
    }
}

impl Storage for WatchedStorage {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        let file = self.report(Operation::Create(name), self.inner.create(name))?;
        Ok(self.handle(name, file))
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        Ok(self.handle(name, self.inner.open(name)?))
    }

    fn delete(&self, name: FileName) -> Result<()> {
        self.report(Operation::Delete(name), self.inner.delete(name))
    }

    fn list(&self) -> Result<Vec<String>> {
        self.inner.list()
    }

    fn sync_directory(&self) -> Result<()> {
        self.report(Operation::SyncDirectory, self.inner.sync_directory())
    }

    fn identity(&self) -> Identity {
        self.inner.identity()
    }

    fn has_threads(&self) -> bool {
        self.inner.has_threads()
    }

    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.report(Operation::Lock, self.inner.lock())
    }

    fn prepare(&self, name: FileName) -> Result<()> {
        self.inner.prepare(name)
    }
}

#[derive(Debug)]
struct WatchedFile {
    inner: Arc<dyn File>,
    name: FileName,
    watcher: Arc<dyn Watcher>,
}

impl WatchedFile {
    fn report(&self, operation: Operation, result: Result<()>) -> Result<()> {
        self.watcher.done(operation, result.is_ok());
        result
    }
}

impl File for WatchedFile {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        self.watcher.appending(self.name, bytes);
        self.report(Operation::Append(self.name, bytes.len()), self.inner.append(bytes))
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let operation = Operation::Write(self.name, offset, bytes.len());
        self.report(operation, self.inner.write_at(offset, bytes))
    }

    fn reserve(&self, end: u64) {
        self.inner.reserve(end);
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let count = self.inner.read_at(offset, buffer)?;
        self.watcher.read(self.name, count);
        Ok(count)
    }

    fn sync(&self) -> Result<()> {
        self.watcher.syncing(self.name);
        self.report(Operation::Sync(self.name), self.inner.sync())
    }

    fn len(&self) -> Result<u64> {
        self.inner.len()
    }
}

/// A watcher that keeps one line for each operation; failed ones end in ` failed`.
#[derive(Debug, Default)]
pub struct StorageTrace {
    lines: Mutex<Vec<String>>,
}

impl StorageTrace {
    /// Decorates `inner` with a new trace.
    pub fn over(inner: Arc<dyn Storage>) -> (Arc<Self>, Arc<dyn Storage>) {
        let trace = Arc::new(Self::default());
        let watcher: Arc<dyn Watcher> = Arc::<Self>::clone(&trace);
        (trace, Arc::new(WatchedStorage::new(inner, watcher)))
    }

    /// Takes the lines so far.
    pub fn drain(&self) -> Vec<String> {
        std::mem::take(&mut *self.lines.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Watcher for StorageTrace {
    fn done(&self, operation: Operation, ok: bool) {
        let line = if ok { operation.to_string() } else { format!("{operation} failed") };
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}
