#![doc = include_str!("../README.md")]

mod mapping;

use levelscope::storage::{File, FileName, LockGuard, NativeStorage, Storage};
use levelscope::{Identity, Result};
use mapping::{Mapping, Places};
use std::path::Path;
use std::sync::Arc;

/// Longer reads than this go to the file: they are rare, and the system reads ahead for them \[bytes\].
const READ_BYTES_MAX: usize = 64 << 10;

/// A directory of the file system whose tables are mapped into memory for reading; all other files are those of
/// [`NativeStorage`]. Clones are handles of the same directory.
///
/// Reading a block of a table costs no system call while its bytes are in memory. **A read error ends the program
/// here**: when the disk cannot read a page of a mapped table, or another program has made the table shorter meanwhile,
/// the system sends the signal `SIGBUS`.
#[derive(Debug, Clone)]
pub struct MappedStorage {
    native: NativeStorage,
    places: Places,
}

impl MappedStorage {
    /// The directory of `native`.
    pub fn new(native: NativeStorage) -> Self {
        Self { native, places: Places::default() }
    }

    /// The same, where `path` is the database directory.
    ///
    /// # Errors
    /// As [`NativeStorage::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Ok(Self::new(NativeStorage::open(path)?))
    }
}

impl Storage for MappedStorage {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.native.create(name)
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        let file = self.native.open(name)?;
        if !matches!(name, FileName::Table(_)) {
            return Ok(file);
        }
        let path = self.native.path().join(name.to_string());
        Ok(match Mapping::of(&path, file.len()?, &self.places) {
            Some(mapping) => Arc::new(MappedTable { file, mapping }),
            None => file,
        })
    }

    fn delete(&self, name: FileName) -> Result<()> {
        self.native.delete(name)
    }

    fn list(&self) -> Result<Vec<String>> {
        self.native.list()
    }

    fn sync_directory(&self) -> Result<()> {
        self.native.sync_directory()
    }

    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.native.lock()
    }

    fn identity(&self) -> Identity {
        self.native.identity()
    }

    fn has_threads(&self) -> bool {
        self.native.has_threads()
    }

    fn prepare(&self, name: FileName) -> Result<()> {
        self.native.prepare(name)
    }

    fn link(&self, name: FileName, into: &dyn Storage) -> Result<bool> {
        self.native.link(name, into)
    }

    fn open_files_max(&self) -> Option<usize> {
        self.native.open_files_max()
    }

    fn directory(&self) -> Option<&Path> {
        self.native.directory()
    }
}

/// A table that is open for reading.
#[derive(Debug)]
struct MappedTable {
    file: Arc<dyn File>,
    mapping: Mapping,
}

impl File for MappedTable {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        self.file.append(bytes)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_at(offset, bytes)
    }

    fn truncate(&self, length: u64) -> Result<()> {
        self.file.truncate(length)
    }

    fn reserve(&self, end: u64) {
        self.file.reserve(end);
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        if buffer.len() <= READ_BYTES_MAX && self.mapping.copy(offset, buffer) {
            return Ok(buffer.len());
        }
        self.file.read_at(offset, buffer)
    }

    fn sync(&self) -> Result<()> {
        self.file.sync()
    }

    fn len(&self) -> Result<u64> {
        self.file.len()
    }
}
