//! What lies in the directory, and what it proves about what should lie there.

use super::current::{self, Slot};
use super::reader::{ManifestState, replay_bytes};
use crate::identity::{Identity, Owner, mismatch};
use crate::storage::{FileName, FileNumber, Storage, read_at_most, read_whole};
use crate::table;
use crate::wal::file::Log;
use crate::{Error, ErrorKind, Result};

/// The number and the identity that the log, manifest or table `name` says of itself; `None` when it is
/// damaged, or says nothing.
///
/// # Errors
/// Those of the storage.
pub(crate) fn claims(
    storage: &dyn Storage,
    name: FileName,
) -> Result<Option<(FileNumber, Option<Identity>)>> {
    match name {
        FileName::Wal(_) | FileName::Manifest(_) => {
            let file = storage.open(name)?;
            Ok(Log::claims(&read_at_most(&*file, name, 0, 64)?))
        }
        FileName::Table(_) => table::claims(&*storage.open(name)?, name),
        FileName::Current | FileName::Lock | FileName::Other(_) => Ok(None),
    }
}

/// What is wrong with a spare file that carries the identity `found`: only another database's is.
pub(crate) fn stranger(owner: Owner, found: Option<Identity>) -> Option<String> {
    let found = found.filter(|_| owner.identity.is_some());
    found.and_then(|found| mismatch(owner.identity, Some(found)))
}

/// The database files in the directory.
pub(crate) struct Found<'a> {
    pub(crate) storage: &'a dyn Storage,
    pub(crate) names: Vec<FileName>,
    /// Files that nothing needs and of which nothing says that they are the engine's: they stay.
    pub(crate) left_alone: Vec<FileName>,
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

    /// Refuses to go on when a file that would be swept belongs to another database: it may be the only copy
    /// of what is in it.
    ///
    /// A database without an identity cannot tell; what a crash tore does not say whose it is.
    ///
    /// # Errors
    /// `Corruption` that names the file; those of the storage.
    pub(crate) fn refuse_strangers(
        &self,
        owner: Owner,
        is_kept: &dyn Fn(FileName) -> bool,
    ) -> Result<()> {
        for name in self.names.iter().filter(|name| !is_kept(**name)) {
            let Some((_, found)) = claims(self.storage, *name)? else { continue };
            let Some(what) = stranger(owner, found) else { continue };
            let message =
                format!("{what}; opening would delete it as needless: move it away first");
            return Err(Error::corruption(*name, 0, message));
        }
        Ok(())
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
            let bytes = read_whole(&*self.storage.open(*name)?, *name)?;
            let log = Log::claimed(*name, &bytes)?;
            let owner = Owner { identity: slot.identity, from: 0 };
            if stranger(owner, log.identity()).is_some() {
                continue;
            }
            let used = match replay_bytes(&bytes, log) {
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
