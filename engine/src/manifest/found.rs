//! What lies in the directory, and what it proves about what should lie there.

use super::current::{self, Slot};
use super::reader::{ManifestState, replay};
use crate::storage::{FileName, FileNumber, Storage};
use crate::{Error, ErrorKind, Result};

/// The database files in the directory.
pub(crate) struct Found<'a> {
    pub(crate) storage: &'a dyn Storage,
    pub(crate) names: Vec<FileName>,
}

impl Found<'_> {
    /// A number above that of every file, whatever it is.
    pub(crate) fn next_number(&self) -> FileNumber {
        self.names.iter().filter_map(|name| name.number()).max().unwrap_or(0) + 1
    }

    /// Whether the file is there.
    pub(crate) fn has(&self, name: FileName) -> bool {
        self.names.contains(&name)
    }

    /// A log or table with bytes in it and a number above `above`.
    ///
    /// # Errors
    /// Those of the storage.
    pub(crate) fn data_file(&self, above: FileNumber) -> Result<Option<FileName>> {
        for name in &self.names {
            if let FileName::Wal(number) | FileName::Table(number) = name
                && *number > above
                && !self.storage.open(*name)?.is_empty()?
            {
                return Ok(Some(*name));
            }
        }
        Ok(None)
    }

    /// Refuses to go by `slot`, the only valid one of `CURRENT`, when it is older than the database.
    ///
    /// A torn switch leaves the old slot, and new manifests with nothing but their snapshots: edits are
    /// appended only once `CURRENT` names a manifest. So a newer one that has any proves that the other
    /// slot was good once. (Should that manifest be damaged too: tables and logs that went since then
    /// are missed by [`Self::require_log`] and by the manifest that `slot` names.)
    ///
    /// # Errors
    /// `Corruption`; those of the storage.
    pub(crate) fn refuse_stale(&self, slot: Slot) -> Result<()> {
        let newer = self
            .names
            .iter()
            .filter(|name| matches!(name, FileName::Manifest(number) if *number > slot.manifest));
        for name in newer {
            let used = match replay(&*self.storage.open(*name)?, *name) {
                Ok(state) => state.edits > 1,
                Err(error) if error.kind() == ErrorKind::Corruption => false,
                Err(error) => return Err(error),
            };
            if used {
                return Err(Error::corruption(
                    FileName::Current,
                    current::slot_offset(slot.epoch.wrapping_add(1)),
                    format!(
                        "the slot that named {name} is damaged, and the older slot is out of date"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Checks that the oldest log that the manifest needs is there.
    ///
    /// Every edit names a log that exists. Only the snapshot of an opening may name the log that is
    /// created right afterwards; then nothing newer is there either. If something is, the last edit of
    /// the manifest is gone: the one behind which the log was deleted.
    ///
    /// # Errors
    /// `Corruption` that names the log; those of the storage.
    pub(crate) fn require_log(&self, slot: Slot, state: &ManifestState) -> Result<()> {
        let name = FileName::Wal(state.log_number);
        if self.has(name) {
            return Ok(());
        }
        let missing = |why: String| {
            Err(Error::corruption(name, 0, format!("the manifest needs this log; {why}")))
        };
        if state.edits > 1 || state.log_number < slot.manifest {
            return missing("it existed, and does not any more".to_owned());
        }
        match self.data_file(state.log_number)? {
            Some(newer) => missing(format!("it does not exist, although {newer} does")),
            None => Ok(()),
        }
    }
}
