//! A disk in memory that can return its content after a power failure.
//!
//! ```text
//! names:   live directory      -- sync_directory -->  durable directory
//! bytes:   contents as read    -- sync ----------->   durable contents
//! ```
//!
//! Clones share one disk. [`MemoryStorage::crash_image`] makes the disk that a machine would find after
//! losing power now; [`MemoryStorage::fork`] copies everything, synced or not.

mod content;
mod crash;
mod directory;
mod random;

pub use crash::Crash;
pub use random::Random;

use super::{File, FileName, LockGuard, Storage};
use crate::identity::Identity;
use crate::{Error, ErrorKind, Result, text};
use content::Content;
use directory::{Directory, Node};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A directory of files in memory; clones are handles of the same disk.
#[derive(Debug, Clone, Default)]
pub struct MemoryStorage {
    disk: Arc<Disk>,
}

#[derive(Debug)]
struct Disk {
    directory: Mutex<Directory>,
    operations: AtomicU64,
    locked: AtomicBool,
    /// Whether files are made longer ahead ([`File::reserve`]).
    reserves: bool,
    /// [`Storage::writes_in_order`].
    in_order: bool,
    identity: Identity,
}

impl Default for Disk {
    fn default() -> Self {
        Self {
            directory: Mutex::default(),
            operations: AtomicU64::new(0),
            locked: AtomicBool::new(false),
            reserves: false,
            in_order: true,
            identity: MemoryStorage::IDENTITY,
        }
    }
}

impl MemoryStorage {
    /// The identity of databases in memory: all have the same, so that the same commands make the same bytes.
    pub const IDENTITY: Identity = Identity::from_bytes(*b"memory database.");

    /// An empty disk.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty disk on which files have the length that was reserved for them, as native ones have.
    pub fn reserving() -> Self {
        Self { disk: Arc::new(Disk { reserves: true, ..Disk::default() }) }
    }

    /// An empty disk on which a database gets `identity` when it is created.
    pub fn with_identity(identity: Identity) -> Self {
        Self { disk: Arc::new(Disk { identity, ..Disk::default() }) }
    }

    /// An empty disk of the same identity whose bytes reach the medium in the order of `storage`: then the same commands
    /// make the same bytes as there.
    #[must_use]
    pub fn in_order_of(&self, storage: &dyn Storage) -> Self {
        let (identity, in_order) = (self.disk.identity, storage.writes_in_order());
        Self { disk: Arc::new(Disk { in_order, identity, ..Disk::default() }) }
    }

    /// A separate disk with the same files, unsynced bytes included. Its lock is free.
    #[must_use]
    pub fn fork(&self) -> Self {
        self.with_directory(self.directory().copy())
    }

    /// The disk as it would be found if the power failed now, or the process were killed.
    #[must_use]
    pub fn crash_image(&self, crash: Crash) -> Self {
        self.with_directory(self.directory().crash_image(crash))
    }

    /// Creations, deletions, appends, overwrites and syncs so far.
    pub fn operations(&self) -> u64 {
        self.disk.operations.load(Ordering::Relaxed)
    }

    /// A hash of all names and all bytes, except `LOCK`: equal disks have equal hashes.
    pub fn hash(&self) -> u64 {
        let directory = self.directory();
        let mut hash = random::HASH_SEED;
        for (name, node) in directory.live.iter().filter(|(name, _)| *name != "LOCK") {
            hash = random::hash(hash, name.as_bytes());
            hash = node.read(|content| {
                let hash = random::hash(hash, &content.len().to_le_bytes());
                random::hash(hash, content.bytes())
            });
        }
        hash
    }

    /// Sum of the lengths of all files \[bytes\].
    pub fn total_bytes(&self) -> u64 {
        self.directory().live.values().map(|node| node.read(Content::len)).sum()
    }

    /// All bytes of `name`.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn read(&self, name: FileName) -> Result<Vec<u8>> {
        Ok(self.node(name)?.read(|content| content.bytes().to_vec()))
    }

    /// How many bytes of `name` would survive a crash; 0 when its name would not \[bytes\].
    pub fn durable_bytes(&self, name: FileName) -> u64 {
        let directory = self.directory();
        let node = directory.durable.get(&name.to_string());
        node.map_or(0, |node| node.read(Content::durable_len))
    }

    /// Puts a file there, durably, as if it had always been; `name` may be foreign.
    pub fn put(&self, name: &str, bytes: &[u8]) {
        let mut directory = self.directory();
        let node = directory.add(name.to_owned());
        node.write(|content| *content = Content::durable(bytes.to_vec()));
        directory.durable.insert(name.to_owned(), node);
    }

    /// Damages one byte by XOR with `mask`.
    ///
    /// # Errors
    /// `NotFound`; `InvalidArgument` when the file has no byte at `offset`.
    pub fn corrupt(&self, name: FileName, offset: u64, mask: u8) -> Result<()> {
        let damaged = self.node(name)?.write(|content| content.corrupt(offset, mask));
        damaged.ok_or_else(|| {
            let message = format!("there is no byte at offset {} to damage", text::count(offset));
            Error::in_file(ErrorKind::InvalidArgument, name, message)
        })
    }

    /// Cuts `name` to `length` \[bytes\], or extends it with zeros; durable at once.
    ///
    /// # Errors
    /// `NotFound`; `InvalidArgument` when the length does not fit memory.
    pub fn truncate(&self, name: FileName, length: u64) -> Result<()> {
        let node = self.node(name)?;
        let length = usize::try_from(length).map_err(|_| too_long(name))?;
        node.write(|content| content.truncate(length));
        Ok(())
    }

    /// Has the effect of a failed `sync` of `name` on many systems: the unsynced bytes stay readable, but they are
    /// marked clean and will never reach the disk, although a later `sync` answers `Ok`.
    pub fn drop_unsynced(&self, name: FileName) {
        if let Ok(node) = self.node(name) {
            node.write(Content::drop_unsynced);
        }
    }

    /// Has the effect of a failed `sync_directory`: see [`MemoryStorage::drop_unsynced`].
    pub fn drop_unsynced_names(&self) {
        let mut directory = self.directory();
        let lost: Vec<String> =
            directory.names().into_iter().filter(|name| directory.differs(name)).cloned().collect();
        directory.lost.extend(lost);
    }

    /// Another disk of the same kind.
    fn with_directory(&self, directory: Directory) -> Self {
        let Disk { reserves, in_order, identity, .. } = *self.disk;
        let directory = Mutex::new(directory);
        Self { disk: Arc::new(Disk { directory, reserves, in_order, identity, ..Disk::default() }) }
    }

    fn directory(&self) -> MutexGuard<'_, Directory> {
        self.disk.directory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn node(&self, name: FileName) -> Result<Arc<Node>> {
        let node = self.directory().live.get(&name.to_string()).cloned();
        node.ok_or_else(|| missing(name))
    }

    fn count(&self) {
        self.disk.operations.fetch_add(1, Ordering::Relaxed);
    }

    fn handle(&self, name: FileName, node: Arc<Node>, writable: bool) -> Arc<dyn File> {
        Arc::new(MemoryFile { disk: self.clone(), node, name, writable })
    }
}

impl Storage for MemoryStorage {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.count();
        let mut directory = self.directory();
        let text = name.to_string();
        if directory.live.contains_key(&text) {
            let message = "this file exists already, so it cannot be created";
            return Err(Error::in_file(ErrorKind::InvalidArgument, name, message));
        }
        let node = directory.add(text);
        drop(directory);
        Ok(self.handle(name, node, true))
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        let writable = matches!(name, FileName::Current | FileName::Other(_));
        Ok(self.handle(name, self.node(name)?, writable))
    }

    fn delete(&self, name: FileName) -> Result<()> {
        self.count();
        let mut directory = self.directory();
        let text = name.to_string();
        directory.lost.remove(&text);
        directory.live.remove(&text).map(drop).ok_or_else(|| missing(name))
    }

    fn list(&self) -> Result<Vec<String>> {
        Ok(self.directory().live.keys().cloned().collect())
    }

    fn sync_directory(&self) -> Result<()> {
        self.count();
        self.directory().sync();
        Ok(())
    }

    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        if self.disk.locked.swap(true, Ordering::Acquire) {
            let message = "this database is open already; close it there first";
            return Err(Error::new(ErrorKind::Locked, message));
        }
        Ok(Box::new(MemoryLock { disk: Arc::clone(&self.disk) }))
    }

    fn identity(&self) -> Identity {
        self.disk.identity
    }

    fn writes_in_order(&self) -> bool {
        self.disk.in_order
    }
}

#[derive(Debug)]
struct MemoryLock {
    disk: Arc<Disk>,
}

impl LockGuard for MemoryLock {}

impl Drop for MemoryLock {
    fn drop(&mut self) {
        self.disk.locked.store(false, Ordering::Release);
    }
}

#[derive(Debug)]
struct MemoryFile {
    disk: MemoryStorage,
    node: Arc<Node>,
    name: FileName,
    writable: bool,
}

impl MemoryFile {
    fn begin_write(&self) -> Result<()> {
        self.disk.count();
        if self.writable { Ok(()) } else { Err(opened_for_reading(self.name)) }
    }
}

impl File for MemoryFile {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        self.begin_write()?;
        self.node.write(|content| content.append(bytes));
        Ok(())
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.begin_write()?;
        let written = self.node.write(|content| content.write_at(offset, bytes));
        written.ok_or_else(|| too_long(self.name))
    }

    fn truncate(&self, length: u64) -> Result<()> {
        self.begin_write()?;
        let length = length.min(self.len()?);
        self.disk.truncate(self.name, length)
    }

    fn reserve(&self, end: u64) {
        if self.disk.disk.reserves
            && self.writable
            && let Ok(end) = usize::try_from(end)
        {
            self.node.write(|content| content.reserve(end));
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        Ok(self.node.read(|content| content.read_at(offset, buffer)))
    }

    fn sync(&self) -> Result<()> {
        self.disk.count();
        self.node.write(Content::sync);
        Ok(())
    }

    fn len(&self) -> Result<u64> {
        Ok(self.node.read(Content::len))
    }
}

/// The error of a write through a handle that [`Storage::open`] gave out.
pub(super) fn opened_for_reading(name: FileName) -> Error {
    let message = "this file was opened for reading, so nothing can be written to it";
    Error::in_file(ErrorKind::InvalidArgument, name, message)
}

/// The error of an operation on a file that is not there.
pub(super) fn missing(name: FileName) -> Error {
    Error::in_file(ErrorKind::NotFound, name, "this file does not exist")
}

fn too_long(name: FileName) -> Error {
    Error::in_file(ErrorKind::OutOfSpace, name, "the file would not fit into memory")
}
