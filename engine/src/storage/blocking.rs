//! Storage that answers `WouldBlock` until the host has opened a file: the rule of browsers.

use super::{File, FileName, LockGuard, Storage};
use crate::identity::Identity;
use crate::{Error, Result};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Decorates a storage so that each file must be admitted before it can be created, opened or read.
///
/// `create`, `open`, `prepare` and `read_at` of a file that is not admitted answer `WouldBlock` and
/// change nothing. A deleted file is no longer admitted, but handles of it go on reading.
#[derive(Debug, Clone)]
pub struct BlockingStorage {
    inner: Arc<dyn Storage>,
    admitted: Arc<Mutex<Admitted>>,
}

#[derive(Debug, Default)]
struct Admitted {
    names: BTreeSet<FileName>,
    deleted: BTreeSet<FileName>,
    everything: bool,
    refusals: u64,
}

impl BlockingStorage {
    /// Decorates `inner`; nothing is admitted.
    pub fn new(inner: Arc<dyn Storage>) -> Self {
        Self { inner, admitted: Arc::default() }
    }

    /// The host has opened `name`.
    pub fn admit(&self, name: FileName) {
        self.admitted().names.insert(name);
    }

    /// The host opens whatever is asked for: the decorator becomes transparent.
    pub fn admit_everything(&self) {
        self.admitted().everything = true;
    }

    /// The host has closed `name`: also handles that are in use block.
    pub fn evict(&self, name: FileName) {
        self.admitted().names.remove(&name);
    }

    /// The host has closed everything.
    pub fn evict_all(&self) {
        self.admitted().names.clear();
    }

    /// How often something was refused.
    pub fn refusals(&self) -> u64 {
        self.admitted().refusals
    }

    /// Calls `work` again and again, and admits the file that blocks it, as a host does.
    ///
    /// # Errors
    /// Those of `work`, except `WouldBlock`.
    pub fn host<T>(&self, mut work: impl FnMut() -> Result<T>) -> Result<T> {
        loop {
            match work() {
                Err(error) => match error.blocked_on() {
                    Some(name) => self.admit(name),
                    None => return Err(error),
                },
                done => return done,
            }
        }
    }

    fn admitted(&self) -> MutexGuard<'_, Admitted> {
        self.admitted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check(&self, name: FileName) -> Result<()> {
        let mut admitted = self.admitted();
        if admitted.everything || admitted.names.contains(&name) {
            return Ok(());
        }
        admitted.refusals += 1;
        Err(Error::would_block(name))
    }

    fn handle(&self, name: FileName, inner: Arc<dyn File>) -> Arc<dyn File> {
        Arc::new(BlockingFile { inner, name, storage: self.clone() })
    }
}

impl Storage for BlockingStorage {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.check(name)?;
        let file = self.inner.create(name)?;
        self.admitted().deleted.remove(&name);
        Ok(self.handle(name, file))
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.check(name)?;
        Ok(self.handle(name, self.inner.open(name)?))
    }

    fn delete(&self, name: FileName) -> Result<()> {
        self.inner.delete(name)?;
        let mut admitted = self.admitted();
        admitted.names.remove(&name);
        admitted.deleted.insert(name);
        Ok(())
    }

    fn list(&self) -> Result<Vec<String>> {
        self.inner.list()
    }

    fn sync_directory(&self) -> Result<()> {
        self.inner.sync_directory()
    }

    fn identity(&self) -> Identity {
        self.inner.identity()
    }

    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.inner.lock()
    }

    fn prepare(&self, name: FileName) -> Result<()> {
        self.check(name)?;
        self.inner.prepare(name)
    }
}

#[derive(Debug)]
struct BlockingFile {
    inner: Arc<dyn File>,
    name: FileName,
    storage: BlockingStorage,
}

impl File for BlockingFile {
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
        if !self.storage.admitted().deleted.contains(&self.name) {
            self.storage.check(self.name)?;
        }
        self.inner.read_at(offset, buffer)
    }

    fn sync(&self) -> Result<()> {
        self.inner.sync()
    }

    fn len(&self) -> Result<u64> {
        self.inner.len()
    }
}
