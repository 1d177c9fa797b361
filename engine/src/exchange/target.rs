//! A new database that is whole or refused: an import writes into it.

use crate::storage::{FileName, Storage};
use crate::survey::{Survey, UNFINISHED};
use crate::{Db, ErrorKind, Options, Result};
use std::sync::Arc;

/// What the mark says to a person who looks into the directory.
const TEXT: &[u8] =
    b"An import into this directory has not finished, so the database is incomplete.\n\
Delete the directory and import again.\n";

/// A database that is being filled. Until [`Self::finish`] has returned, also after a crash, opening, checking
/// and repairing its directory are refused with a sentence.
#[derive(Debug)]
pub struct NewDatabase {
    storage: Arc<dyn Storage>,
    db: Db,
}

impl NewDatabase {
    /// Makes an empty database in an empty or absent directory, and marks it as unfinished.
    ///
    /// # Errors
    /// `InvalidArgument` or `UnsupportedFormat` when the directory has files; those of the storage and of
    /// [`Db::open`].
    pub fn begin(storage: Arc<dyn Storage>, options: Options) -> Result<Self> {
        options.validate()?;
        Survey::of(&*storage)?.allow_new()?;
        // Durable before the first file of the database is.
        let mark = storage.create(FileName::Other(UNFINISHED))?;
        mark.append(TEXT)?;
        mark.sync()?;
        storage.sync_directory()?;
        let db = Db::open_surveyed(Arc::clone(&storage), options, None)?;
        Ok(Self { storage, db })
    }

    /// The database, to be written to.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Closes the database, which is whole from now on.
    ///
    /// # Errors
    /// Those of [`Db::close`] and of the storage; then the mark may be left.
    pub fn finish(self) -> Result<()> {
        self.db.sync()?;
        self.db.close()?;
        self.storage.sync_directory()?;
        self.storage.delete(FileName::Other(UNFINISHED))?;
        self.storage.sync_directory()
    }

    /// Deletes all that was made; the mark goes last, so that nothing incomplete is ever without it.
    ///
    /// # Errors
    /// Those of the storage; then the mark is left.
    pub fn abandon(self) -> Result<()> {
        // It is deleted, so it does not matter what could not be written.
        let _ = self.db.close();
        let names = self.storage.list()?;
        for name in names.iter().filter_map(|name| FileName::parse(name)) {
            match self.storage.delete(name) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        self.storage.sync_directory()?;
        self.storage.delete(FileName::Other(UNFINISHED))?;
        self.storage.sync_directory()
    }
}
