//! The storage traits of the engine on the directory of this thread.

use super::directory::Directory;
use levelscope::storage::{File, FileName, LockGuard, Storage};
use levelscope::{Error, ErrorKind, Identity, Result};
use std::sync::Arc;

/// Files that the engine may have open, twice as many as tables.
const OPEN_FILES_MAX: usize = 1000;

/// One directory of files that JavaScript opens, by its number on this thread.
///
/// It has no state of its own: handles cannot leave the thread that opened them, so they live in the
/// [`Directory`] of that number there. On another thread it is an empty directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OriginStorage {
    number: u64,
}

impl OriginStorage {
    /// The one directory of a thread that needs no more.
    pub const ONLY: Self = Self { number: 0 };

    /// A directory that nothing else uses; [`OriginStorage::forget`] ends it.
    pub fn unused() -> Self {
        Self { number: Directory::free_number(Self::ONLY.number) }
    }

    pub(super) fn numbered(number: u64) -> Self {
        Self { number }
    }

    /// Runs `act` on the directory.
    ///
    /// # Panics
    /// When `act` itself calls here again; nothing in this crate does.
    pub fn with<T>(self, act: impl FnOnce(&mut Directory) -> T) -> T {
        Directory::with(self.number, act)
    }

    /// Closes every handle and forgets the directory.
    pub fn forget(self) {
        Directory::forget(self.number);
    }
}

/// An open file: its number in the directory.
#[derive(Debug)]
pub(super) struct OriginFile {
    storage: OriginStorage,
    id: u64,
    name: FileName,
    /// A file is writable if this handle created it; `CURRENT` also if this handle opened it.
    writable: bool,
    /// While it lives, the file is not removed.
    _user: Arc<()>,
}

impl OriginFile {
    pub(super) fn new(
        storage: OriginStorage,
        id: u64,
        name: FileName,
        writable: bool,
        user: Arc<()>,
    ) -> Self {
        Self { storage, id, name, writable, _user: user }
    }

    fn write(&self, offset: Option<u64>, bytes: &[u8]) -> Result<()> {
        if !self.writable {
            let message = "it was opened for reading and takes no bytes";
            return Err(Error::in_file(ErrorKind::InvalidArgument, self.name, message));
        }
        self.storage.with(|directory| directory.write(self.id, offset, bytes))
    }
}

#[derive(Debug)]
struct Lock(OriginStorage);

impl LockGuard for Lock {}

impl Drop for Lock {
    fn drop(&mut self) {
        self.0.with(Directory::unlock);
    }
}

impl Storage for OriginStorage {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.with(|directory| Ok(Arc::new(directory.create(name)?) as Arc<dyn File>))
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.with(|directory| Ok(Arc::new(directory.open(name)?) as Arc<dyn File>))
    }

    fn delete(&self, name: FileName) -> Result<()> {
        self.with(|directory| directory.delete(name))
    }

    fn list(&self) -> Result<Vec<String>> {
        self.with(|directory| Ok(directory.list()))
    }

    /// In a browser it does nothing: the standard has no way to make a directory durable
    /// (docs/DURABILITY.md).
    fn sync_directory(&self) -> Result<()> {
        self.with(|directory| directory.sync())
    }

    /// Against a second database over this directory. Other tabs and programs are kept out by JavaScript,
    /// before anything is opened.
    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.with(Directory::lock)?;
        Ok(Box::new(Lock(*self)))
    }

    fn identity(&self) -> Identity {
        self.with(|directory| directory.identity())
    }

    fn prepare(&self, name: FileName) -> Result<()> {
        self.with(|directory| directory.prepare(name))
    }

    fn writes_in_order(&self) -> bool {
        self.with(|directory| !directory.is_staging())
    }

    /// Browsers report no limit, but each open file is a handle of another process.
    fn open_files_max(&self) -> Option<usize> {
        Some(OPEN_FILES_MAX)
    }
}

impl File for OriginFile {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        self.write(None, bytes)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.write(Some(offset), bytes)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.storage.with(|directory| directory.entry_to_read(self.id)?.read(offset, buffer))
    }

    fn sync(&self) -> Result<()> {
        self.storage.with(|directory| directory.sync_file(self.id))
    }

    fn len(&self) -> Result<u64> {
        self.storage.with(|directory| Ok(directory.entry(self.id)?.length.unwrap_or(0)))
    }
}
