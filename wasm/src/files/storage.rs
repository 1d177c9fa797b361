//! The storage traits of the engine on the directory of this thread.

use super::directory::Directory;
use levelscope::storage::{File, FileName, LockGuard, Storage};
use levelscope::{Error, ErrorKind, Identity, Result};
use std::sync::Arc;

/// The files of the origin (OPFS), one directory of them.
///
/// It has no state of its own: handles cannot leave the worker that opened them, so they live in the
/// [`Directory`] of its thread.
#[derive(Debug, Clone, Copy, Default)]
pub struct OriginStorage;

/// An open file: its number in the directory.
#[derive(Debug)]
pub(super) struct OriginFile {
    id: u64,
    name: FileName,
    /// A file is writable if this handle created it; `CURRENT` also if this handle opened it.
    writable: bool,
    /// While it lives, the file is not removed.
    _user: Arc<()>,
}

impl OriginFile {
    pub(super) fn new(id: u64, name: FileName, writable: bool, user: Arc<()>) -> Self {
        Self { id, name, writable, _user: user }
    }

    fn write(&self, offset: Option<u64>, bytes: &[u8]) -> Result<()> {
        if !self.writable {
            let message = "it was opened for reading and takes no bytes";
            return Err(Error::in_file(ErrorKind::InvalidArgument, self.name, message));
        }
        Directory::with(|directory| directory.entry(self.id)?.write(offset, bytes))
    }
}

#[derive(Debug)]
struct Lock;

impl LockGuard for Lock {}

impl Drop for Lock {
    fn drop(&mut self) {
        Directory::with(Directory::unlock);
    }
}

impl Storage for OriginStorage {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        Directory::with(|directory| Ok(Arc::new(directory.create(name)?) as Arc<dyn File>))
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        Directory::with(|directory| Ok(Arc::new(directory.open(name)?) as Arc<dyn File>))
    }

    fn delete(&self, name: FileName) -> Result<()> {
        Directory::with(|directory| directory.delete(name))
    }

    fn list(&self) -> Result<Vec<String>> {
        Directory::with(|directory| Ok(directory.list()))
    }

    /// Does nothing: the standard has no way to make a directory durable (docs/DURABILITY.md).
    fn sync_directory(&self) -> Result<()> {
        Ok(())
    }

    /// Against a second database in this worker. Other tabs are kept out by the worker's Web Lock and
    /// by the handles themselves, which are exclusive.
    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        Directory::with(Directory::lock)?;
        Ok(Box::new(Lock))
    }

    fn identity(&self) -> Identity {
        Directory::with(|directory| directory.identity())
    }

    fn prepare(&self, name: FileName) -> Result<()> {
        Directory::with(|directory| directory.prepare(name))
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
        Directory::with(|directory| directory.entry_to_read(self.id)?.read(offset, buffer))
    }

    fn sync(&self) -> Result<()> {
        Directory::with(|directory| directory.entry(self.id)?.sync())
    }

    fn len(&self) -> Result<u64> {
        Directory::with(|directory| Ok(directory.entry(self.id)?.length.unwrap_or(0)))
    }
}
