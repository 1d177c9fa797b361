//! A new database that is whole or refused: an import writes into it.

use super::Db;
use crate::storage::Storage;
use crate::survey::{Survey, Unfinished};
use crate::{Options, Result};
use std::sync::Arc;

/// A database that is being filled. Until [`Self::finish`] has returned, also after a crash, opening, checking
/// and repairing its directory are refused with a sentence.
#[derive(Debug)]
pub struct NewDatabase {
    mark: Unfinished,
    db: Db,
}

impl NewDatabase {
    /// Makes an empty database in an empty or absent directory, and marks it as unfinished.
    ///
    /// # Errors
    /// `InvalidArgument` or `UnsupportedFormat` when the directory has files; those of the storage and of
    /// [`Db::open`], and then nothing is left that can be deleted.
    pub fn begin(storage: Arc<dyn Storage>, options: Options) -> Result<Self> {
        options.validate()?;
        Survey::of(&*storage)?.allow_new()?;
        // Durable before the first file of the database is.
        let mark = Unfinished::begin(Arc::clone(&storage))?;
        match Db::open_surveyed(storage, options, None, None) {
            Ok(db) => Ok(Self { mark, db }),
            Err(error) => {
                let _ = mark.abandon();
                Err(error)
            }
        }
    }

    /// The database, to be written to.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// Closes the database, which is whole from now on.
    ///
    /// # Errors
    /// Those of [`Db::close`] and of the storage; then the mark may be left.
    pub fn finish(&self) -> Result<()> {
        self.db.sync()?;
        self.db.close()?;
        self.mark.finish()
    }

    /// Deletes all that was made; the mark goes last, so that nothing incomplete is ever without it.
    ///
    /// # Errors
    /// Those of the storage; then the mark is left.
    pub fn abandon(self) -> Result<()> {
        // It is deleted, so failed writes do not matter.
        let _ = self.db.close();
        self.mark.abandon()
    }
}
