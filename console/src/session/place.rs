//! The files of the current branch: where they are, what they are, and their bytes, whether the database is
//! open or could not be opened.

use super::{Session, Stop};
use levelscope::inspect::Source;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{FileEntry, Result};
use std::sync::Arc;

impl Session {
    /// Where the files of the current branch are.
    pub(crate) fn storage(&self) -> Arc<dyn Storage> {
        match &self.disk {
            Some(disk) => Arc::new(disk.clone()),
            None => self.host.storage(),
        }
    }

    /// The disk of the current branch, where it is in memory.
    pub(crate) fn memory(&self) -> Option<MemoryStorage> {
        self.disk.clone().or_else(|| self.host.disk())
    }

    /// The hint at the command that shows the bytes of a file, as a clause.
    pub(crate) fn bytes_shown_by(&self) -> &'static str {
        self.host.bytes_shown_by()
    }

    /// The hint after damage of the current branch's files; `None` for files in memory.
    pub(crate) fn advice(&self) -> Option<&'static str> {
        self.host.advice().filter(|_| self.disk.is_none())
    }

    /// Where they are, in words.
    pub(crate) fn place(&self) -> String {
        match self.disk {
            Some(_) => format!("memory ({}, not saved)", self.time.current_name()),
            None => self.host.place(),
        }
    }

    /// Every file of the database and what it is, whether it is open or could not be opened.
    pub(crate) fn files(&self) -> std::result::Result<Vec<FileEntry>, Stop> {
        if self.database().is_none() && !self.is_absent() {
            return Ok(FileEntry::list(&*self.storage())?);
        }
        Ok(self.db()?.files()?)
    }

    /// Length of all files of the database, as [`Self::files`] lists them \[bytes\].
    pub(crate) fn file_bytes(&self) -> std::result::Result<u64, Stop> {
        match self.database() {
            Some(db) => Ok(db.file_bytes()?),
            None => Ok(total(&self.files()?)),
        }
    }

    /// Gives `look` the bytes of one file of the database, whether it is open or could not be opened.
    pub(crate) fn look_into<T>(
        &self,
        name: FileName,
        look: impl FnOnce(&Source<'_>) -> Result<T>,
    ) -> Result<T> {
        if let Some(db) = self.database() {
            return db.look_into(name, look);
        }
        if name == FileName::Lock {
            return look(&Source::Bytes(&[]));
        }
        let file = self.storage().open(name)?;
        look(&Source::open(&*file, name)?)
    }
}

/// Length of all `files` \[bytes\].
pub(crate) fn total(files: &[FileEntry]) -> u64 {
    files.iter().fold(0, |sum, file| sum.saturating_add(file.bytes))
}

/// Closes `db`. A failure that made it read-only was reported when it happened, and closing is the way out of it.
///
/// # Errors
/// Those of [`Db::close`] that are news.
pub(crate) fn close_known(db: &levelscope::Db) -> Result<()> {
    let is_known = db.view().read_only.is_some();
    match db.close() {
        Err(error) if is_known && error.kind() != levelscope::ErrorKind::WouldBlock => Ok(()),
        outcome => outcome,
    }
}
