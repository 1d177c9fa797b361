//! The files that a session began with.

use levelscope::storage::{FileName, MemoryStorage, Storage, read_whole};
use levelscope::{ErrorKind, Identity, Result};

/// The files of a database at one moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Image {
    /// The identity of a database that is created on the disk; `None` before a copy was taken.
    identity: Option<Identity>,
    files: Vec<(String, Vec<u8>)>,
}

impl Image {
    /// These files, by name.
    pub(crate) fn new(identity: Option<Identity>, files: Vec<(String, Vec<u8>)>) -> Self {
        Self { identity, files }
    }

    /// The identity of a database that is created on the disk.
    pub(crate) fn identity(&self) -> Option<Identity> {
        self.identity
    }

    /// All files, by name.
    pub(crate) fn files(&self) -> &[(String, Vec<u8>)] {
        &self.files
    }

    /// A disk with these files, all of them durable, in place of `storage`.
    pub(crate) fn disk(&self, storage: &dyn Storage) -> MemoryStorage {
        let disk = self.identity.map_or_else(MemoryStorage::new, MemoryStorage::with_identity);
        let disk = disk.in_order_of(storage);
        for (name, bytes) in &self.files {
            disk.put(name, bytes);
        }
        disk
    }

    /// The files whose bytes matter to the engine, by name.
    pub(crate) fn into_files(self) -> impl Iterator<Item = (String, Vec<u8>)> {
        self.files.into_iter().filter(|(name, _)| content(name).is_some())
    }

    /// Whether it has none of the files whose bytes matter to the engine.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.iter().all(|(name, _)| content(name).is_none())
    }

    /// Everything on `disk`.
    pub(crate) fn of(disk: &MemoryStorage) -> Self {
        let names = disk.list().unwrap_or_default();
        let bytes = |name: &str| FileName::parse(name).and_then(|name| disk.read(name).ok());
        let files = names.into_iter().map(|name| (bytes(&name).unwrap_or_default(), name));
        let files = files.map(|(bytes, name)| (name, bytes)).collect();
        Self { identity: Some(disk.identity()), files }
    }
}

/// A copy under way: the host may have to open one file after the other.
#[derive(Debug, Default)]
pub(crate) struct Copying {
    names: Option<Vec<String>>,
    lengths: Vec<u64>,
    image: Image,
}

/// The outcome of a copy.
#[derive(Debug)]
pub(crate) enum Copied {
    /// All files.
    Whole(Image),
    /// None, and why, as a clause.
    Refused(String),
}

impl Copying {
    /// Goes on copying the files of `storage`, if all together have at most `bytes_max`.
    ///
    /// # Errors
    /// `WouldBlock`: the same call goes on. Any other error is a refusal.
    pub(crate) fn copy(&mut self, storage: &dyn Storage, bytes_max: u64) -> Result<Copied> {
        match self.attempt(storage, bytes_max) {
            Err(error) if error.kind() != ErrorKind::WouldBlock => {
                Ok(Copied::Refused(format!("the files could not be copied at the start: {error}")))
            }
            outcome => outcome,
        }
    }

    fn attempt(&mut self, storage: &dyn Storage, bytes_max: u64) -> Result<Copied> {
        if self.names.is_none() {
            self.names = Some(storage.list()?);
        }
        let names = self.names.as_deref().unwrap_or_default();
        for name in names.iter().skip(self.lengths.len()) {
            let length = match content(name) {
                Some(file) => storage.open(file)?.len()?,
                None => 0,
            };
            self.lengths.push(length);
        }
        let total = self.lengths.iter().fold(0_u64, |sum, length| sum.saturating_add(*length));
        if total > bytes_max {
            let (total, most) = (crate::text::size(total), crate::text::size(bytes_max));
            return Ok(Copied::Refused(format!(
                "the database had {total} at the start, and at most {most} are kept for replaying"
            )));
        }
        for name in names.iter().skip(self.image.files.len()) {
            let bytes = match content(name) {
                // As long as it is now: its owner may have cut it since it was measured.
                Some(file) => read_whole(&*storage.open(file)?, file)?,
                None => Vec::new(),
            };
            self.image.files.push((name.clone(), bytes));
        }
        self.image.identity = Some(storage.identity());
        Ok(Copied::Whole(std::mem::take(&mut self.image)))
    }
}

/// The file `name` when its bytes matter to the engine: foreign files and the lock only have names.
fn content(name: &str) -> Option<FileName> {
    FileName::parse(name).filter(|name| *name != FileName::Lock)
}
