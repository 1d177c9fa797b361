//! Writing a manifest: a snapshot of everything, then one record for each edit.

use super::edit::VersionEdit;
use crate::storage::Storage;
use crate::wal::LogWriter;
use crate::wal::file::Log;
use crate::wal::record::RecordKind;
use crate::{Error, Result};

/// Appends version edits to one manifest.
///
/// After a failed append or sync the edit may or may not be on disk. So the writer refuses everything
/// from then on, and the caller must keep every file that either outcome needs.
#[derive(Debug)]
pub(crate) struct ManifestWriter {
    log: LogWriter,
    edits: u64,
    synced_edits: u64,
}

impl ManifestWriter {
    /// Creates the manifest `log` and appends file header and `snapshot`, in one piece. Nothing is durable
    /// yet, not even the name.
    ///
    /// # Errors
    /// `InvalidArgument` when the snapshot lacks a counter; those of [`Storage::create`] (`WouldBlock`
    /// has changed nothing) and of [`crate::storage::File::append`].
    pub(crate) fn create(storage: &dyn Storage, log: Log, snapshot: &VersionEdit) -> Result<Self> {
        if !is_snapshot(snapshot) {
            return Err(Error::invalid(
                "the first edit of a manifest must set log number, next file and last sequence",
            ));
        }
        let log = LogWriter::create(storage, log)?;
        let mut writer = Self { log, edits: 0, synced_edits: 0 };
        writer.append(snapshot)?;
        Ok(writer)
    }

    /// Appends `edit`. It is durable only after [`Self::sync`] returned `Ok`.
    ///
    /// # Errors
    /// `InvalidArgument` when the edit is too long; those of [`crate::storage::File::append`], and
    /// `ReadOnly` ever after.
    pub(crate) fn append(&mut self, edit: &VersionEdit) -> Result<()> {
        let position = self.edits + 1;
        self.log.push(RecordKind::Edit, position, edit.count(), &edit.encode())?;
        self.log.write()?;
        self.edits = position;
        Ok(())
    }

    /// Makes every appended edit durable, and appends a mark of 32 bytes that proves it.
    ///
    /// Files that an edit made obsolete are deleted right after the sync. Without the mark, later damage to the edit
    /// would look like a write that a crash interrupted, and those files would be missed.
    ///
    /// # Errors
    /// Those of [`crate::storage::File::sync`] and [`crate::storage::File::append`], and `ReadOnly`
    /// ever after.
    pub(crate) fn sync(&mut self) -> Result<()> {
        if self.synced_edits < self.edits {
            self.log.sync_with_mark(self.edits + 1)?;
            self.synced_edits = self.edits;
        }
        Ok(())
    }

    /// Length of the file \[bytes\].
    pub(crate) fn bytes(&self) -> u64 {
        self.log.bytes()
    }

    /// How much of the file was synced \[bytes\]: not the mark that proves it.
    pub(crate) fn synced_bytes(&self) -> u64 {
        self.log.synced_bytes()
    }

    /// Edits that are not durable yet.
    pub(crate) fn unsynced_edits(&self) -> u64 {
        self.edits.saturating_sub(self.synced_edits)
    }

    /// Edits in the manifest, the snapshot included.
    #[cfg(test)]
    pub(crate) fn edits(&self) -> u64 {
        self.edits
    }
}

/// Whether `edit` can stand first: it has every field that a later edit may omit.
pub(super) fn is_snapshot(edit: &VersionEdit) -> bool {
    let counters = [edit.log_number, edit.next_file, edit.last_sequence];
    counters.iter().all(Option::is_some) && edit.removed.is_empty()
}
