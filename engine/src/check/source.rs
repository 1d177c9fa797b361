//! The files that are checked: they can be read, and what is read is counted, but nothing is changed.

use crate::identity::Identity;
use crate::storage::{File, FileName, LockGuard, Storage};
use crate::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A storage from which a check or a repair reads.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    inner: Arc<dyn Storage>,
    bytes_read: Arc<AtomicU64>,
}

impl Evidence {
    pub(crate) fn new(inner: Arc<dyn Storage>) -> Self {
        Self { inner, bytes_read: Arc::default() }
    }

    /// Bytes read so far.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// What was read since then has to be read again, and is counted then.
    pub(crate) fn set_bytes_read(&self, bytes: u64) {
        self.bytes_read.store(bytes, Ordering::Relaxed);
    }

    fn refuse<T>() -> Result<T> {
        Err(Error::new(ErrorKind::ReadOnly, "evidence is only read"))
    }
}

impl Storage for Evidence {
    fn create(&self, _: FileName) -> Result<Arc<dyn File>> {
        Self::refuse()
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        let inner = self.inner.open(name)?;
        Ok(Arc::new(EvidenceFile { inner, bytes_read: Arc::clone(&self.bytes_read) }))
    }

    fn delete(&self, _: FileName) -> Result<()> {
        Self::refuse()
    }

    fn list(&self) -> Result<Vec<String>> {
        self.inner.list()
    }

    fn sync_directory(&self) -> Result<()> {
        Self::refuse()
    }

    fn identity(&self) -> Identity {
        self.inner.identity()
    }

    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.inner.lock()
    }
}

#[derive(Debug)]
struct EvidenceFile {
    inner: Arc<dyn File>,
    bytes_read: Arc<AtomicU64>,
}

impl File for EvidenceFile {
    fn append(&self, _: &[u8]) -> Result<()> {
        Evidence::refuse()
    }

    fn write_at(&self, _: u64, _: &[u8]) -> Result<()> {
        Evidence::refuse()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let count = self.inner.read_at(offset, buffer)?;
        self.bytes_read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }

    fn sync(&self) -> Result<()> {
        Evidence::refuse()
    }

    fn len(&self) -> Result<u64> {
        self.inner.len()
    }
}
