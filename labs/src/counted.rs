//! Storage that counts reads, appends and syncs.

use levelscope::Result;
use levelscope::storage::{File, FileName, LockGuard, Storage};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The counts so far.
#[derive(Debug, Default)]
pub(super) struct Counts {
    reads: AtomicU64,
    read_bytes: AtomicU64,
    appended_bytes: AtomicU64,
    syncs: AtomicU64,
}

fn add(count: &AtomicU64, more: u64) {
    count.fetch_add(more, Ordering::Relaxed);
}

impl Counts {
    /// Reads, and their bytes.
    pub(super) fn read(&self) -> (u64, u64) {
        (self.reads.load(Ordering::Relaxed), self.read_bytes.load(Ordering::Relaxed))
    }

    /// Bytes appended.
    pub(super) fn appended(&self) -> u64 {
        self.appended_bytes.load(Ordering::Relaxed)
    }

    /// Syncs of files.
    pub(super) fn syncs(&self) -> u64 {
        self.syncs.load(Ordering::Relaxed)
    }
}

/// A storage and its counts.
#[derive(Debug)]
pub(super) struct Counted {
    pub(super) inner: Arc<dyn Storage>,
    pub(super) counts: Arc<Counts>,
}

impl Counted {
    fn file(&self, inner: Arc<dyn File>) -> Arc<dyn File> {
        Arc::new(CountedFile { inner, counts: Arc::clone(&self.counts) })
    }
}

impl Storage for Counted {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        Ok(self.file(self.inner.create(name)?))
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        Ok(self.file(self.inner.open(name)?))
    }

    fn delete(&self, name: FileName) -> Result<()> {
        self.inner.delete(name)
    }

    fn list(&self) -> Result<Vec<String>> {
        self.inner.list()
    }

    fn sync_directory(&self) -> Result<()> {
        self.inner.sync_directory()
    }

    fn identity(&self) -> levelscope::Identity {
        self.inner.identity()
    }
    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.inner.lock()
    }
}

#[derive(Debug)]
struct CountedFile {
    inner: Arc<dyn File>,
    counts: Arc<Counts>,
}

impl File for CountedFile {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        add(&self.counts.appended_bytes, bytes.len() as u64);
        self.inner.append(bytes)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.inner.write_at(offset, bytes)
    }

    fn truncate(&self, length: u64) -> Result<()> {
        self.inner.truncate(length)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let read = self.inner.read_at(offset, buffer)?;
        add(&self.counts.reads, 1);
        add(&self.counts.read_bytes, read as u64);
        Ok(read)
    }

    fn sync(&self) -> Result<()> {
        add(&self.counts.syncs, 1);
        self.inner.sync()
    }

    fn len(&self) -> Result<u64> {
        self.inner.len()
    }
}
