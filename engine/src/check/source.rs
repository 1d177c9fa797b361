//! The files that are checked: they can be read, but nothing is changed.

use crate::identity::Identity;
use crate::storage::{File, FileName, LockGuard, Storage};
use crate::{Error, ErrorKind, Result};
use std::sync::Arc;

/// A storage from which a check or a repair reads.
#[derive(Debug, Clone)]
pub(crate) struct ReadOnlyStorage {
    inner: Arc<dyn Storage>,
}

impl ReadOnlyStorage {
    pub(crate) fn new(inner: Arc<dyn Storage>) -> Self {
        Self { inner }
    }

    fn refuse<T>() -> Result<T> {
        Err(Error::new(
            ErrorKind::ReadOnly,
            "a check and a repair change no file that they examine",
        ))
    }
}

impl Storage for ReadOnlyStorage {
    fn create(&self, _: FileName) -> Result<Arc<dyn File>> {
        Self::refuse()
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        let inner = self.inner.open(name)?;
        Ok(Arc::new(ReadOnlyFile { inner }))
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

    fn open_files_max(&self) -> Option<usize> {
        self.inner.open_files_max()
    }
}

#[derive(Debug)]
struct ReadOnlyFile {
    inner: Arc<dyn File>,
}

impl File for ReadOnlyFile {
    fn append(&self, _: &[u8]) -> Result<()> {
        ReadOnlyStorage::refuse()
    }

    fn write_at(&self, _: u64, _: &[u8]) -> Result<()> {
        ReadOnlyStorage::refuse()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.inner.read_at(offset, buffer)
    }

    fn sync(&self) -> Result<()> {
        ReadOnlyStorage::refuse()
    }

    fn len(&self) -> Result<u64> {
        self.inner.len()
    }
}
