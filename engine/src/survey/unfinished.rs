//! The mark of a new database that is not whole yet: imports, repairs and checkpoints write one.

use super::names::UNFINISHED;
use crate::storage::{FileName, Storage};
use crate::{ErrorKind, Result};
use std::sync::Arc;

/// The content of the mark, for a person who looks into the directory.
const TEXT: &[u8] =
    b"An import, a repair or a checkpoint into this directory has not finished, so the database is incomplete.\n\
Delete the directory, then do it again.\n";

/// A mark in an empty directory. While it is there, also after a crash, opening, checking and repairing the
/// directory are refused with a sentence.
#[derive(Debug)]
pub(crate) struct Unfinished {
    storage: Arc<dyn Storage>,
}

impl Unfinished {
    /// Its file.
    pub(crate) const NAME: FileName = FileName::Other(UNFINISHED);

    /// Puts the mark there, durably: nothing else may be in the directory yet.
    ///
    /// # Errors
    /// Those of the storage; then no mark is left, unless that fails, too.
    pub(crate) fn begin(storage: Arc<dyn Storage>) -> Result<Self> {
        let mark = Self { storage };
        match mark.write() {
            Ok(()) => Ok(mark),
            Err(error) => {
                let _ = mark.abandon();
                Err(error)
            }
        }
    }

    /// The directory that is marked.
    pub(crate) fn storage(&self) -> &dyn Storage {
        &*self.storage
    }

    fn write(&self) -> Result<()> {
        let mark = self.storage.create(Self::NAME)?;
        mark.append(TEXT)?;
        mark.sync()?;
        self.storage.sync_directory()
    }

    /// Deletes the mark: all that was written is durable, and whole.
    ///
    /// # Errors
    /// Those of the storage; then the mark may be left.
    pub(crate) fn finish(&self) -> Result<()> {
        self.storage.sync_directory()?;
        self.storage.delete(Self::NAME)?;
        self.storage.sync_directory()
    }

    /// Deletes all files of a database that were made; the mark goes last, so that nothing incomplete is ever
    /// without it. They must be closed.
    ///
    /// # Errors
    /// Those of the storage; then the mark is left.
    pub(crate) fn abandon(&self) -> Result<()> {
        // Without it nothing is a database any more.
        self.delete(FileName::Current)?;
        let names = self.storage.list()?;
        for name in names.iter().filter_map(|name| FileName::parse(name)) {
            self.delete(name)?;
        }
        self.storage.sync_directory()?;
        self.delete(Self::NAME)?;
        self.storage.sync_directory()
    }

    fn delete(&self, name: FileName) -> Result<()> {
        match self.storage.delete(name) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
