//! A handle for reading beside the owner of the database: how old its state is, and moving to a newer one.

use super::open::{Parts, read_state};
use super::{Db, closed};
use crate::event::EventKind;
use crate::key::SeqNo;
use crate::storage::FileNumber;
use crate::{Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// How much newer the files are than the state that a handle for reading shows. The engine has no clock: this is
/// counted in writes and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub struct Lag {
    /// The sequence number of the newest write that the handle shows.
    pub sequence: SeqNo,
    /// The sequence number of the newest write in the files. Writes that the owner keeps in memory
    /// ([`crate::Options::wal_buffer_bytes`]) are not among them.
    pub file_sequence: SeqNo,
    /// Bytes appended to logs since the handle read them, new logs included.
    pub log_bytes: u64,
    /// Bytes appended to the manifest since; its length when another manifest is in use.
    pub manifest_bytes: u64,
}

impl Lag {
    /// Operations that the files have and the handle does not show.
    pub fn writes(&self) -> u64 {
        self.file_sequence.saturating_sub(self.sequence)
    }

    /// Whether [`Db::refresh`] would find nothing new: neither a write nor another set of tables.
    pub fn is_none(&self) -> bool {
        self.writes() == 0 && self.log_bytes == 0 && self.manifest_bytes == 0
    }
}

/// # Read beside a writer
impl Db {
    /// Moves a handle for reading to the current state of the files. Returns whether anything was new.
    ///
    /// All clones of the handle move together. Earlier snapshots, iterators and transactions keep their state: their
    /// tables stay open and their memtables in memory. Reads that are under way end in the state in which they began.
    ///
    /// Cost: as opening for reading: the manifest and the logs are read, and tables that are new are opened.
    ///
    /// # Errors
    /// `InvalidArgument` on a handle that writes, because it always shows the newest state; `Closed`; those of opening.
    /// `WouldBlock`: call again; without [`Error::blocked_on`] the owner changed the files during every attempt to read
    /// them. After an error the handle keeps its state.
    pub fn refresh(&self) -> Result<bool> {
        let shared = self.shared();
        // One at a time. There is no other use of the writer of such a handle.
        let _alone = self.writer();
        self.must_read_files()?;
        let (parts, events) = read_state(&shared.storage, &shared.options, |parts, _| {
            self.must_be_same(&parts)?;
            if !self.lag_to(&parts).is_none() {
                shared.hold_tables(&parts.core.version)?;
            }
            Ok(parts)
        })?;
        if self.lag_to(&parts).is_none() {
            return Ok(false);
        }
        let Parts { core: newer, manifest, last_sequence, .. } = parts;
        let mut core = shared.core();
        core.refresh(newer);
        let from = shared.visible_sequence();
        // Before the view, because reads take the view first: a new view is never read as of an old number.
        shared.last_sequence.store(last_sequence, Ordering::Release);
        *shared.manifest() = manifest;
        shared.publish(&core);
        // Under the lock, so that events have the order of the changes.
        for event in events {
            shared.events.emit(None, None, || event.kind);
        }
        shared.events.emit(None, None, || EventKind::RefreshDone {
            from,
            to: last_sequence,
            snapshots: core.snapshots.keys().copied().collect(),
        });
        let wanted: BTreeSet<FileNumber> =
            core.version.tables().map(|(_, meta)| meta.number).collect();
        drop(core);
        shared.tables.close_all_but(&wanted);
        Ok(true)
    }

    /// Returns how much older the state of a handle for reading is than the files.
    ///
    /// Cost: as [`Db::refresh`], but no table is opened.
    ///
    /// # Errors
    /// As [`Db::refresh`].
    pub fn lag(&self) -> Result<Lag> {
        let shared = self.shared();
        self.must_read_files()?;
        let read = read_state(&shared.storage, &shared.options, |parts, _| {
            self.must_be_same(&parts)?;
            Ok(self.lag_to(&parts))
        });
        read.map(|(lag, _)| lag)
    }

    fn must_read_files(&self) -> Result<()> {
        if self.shared().core().closing {
            return Err(closed());
        }
        if self.is_read_only() {
            return Ok(());
        }
        Err(Error::invalid(
            "only a database that was opened for reading can be older than its files: this one shows \
             every write at once",
        ))
    }

    /// Refuses files of another database in the same place.
    fn must_be_same(&self, parts: &Parts) -> Result<()> {
        if parts.manifest.owner().identity == self.shared().identity {
            return Ok(());
        }
        let message =
            "the directory holds another database now, or this one got an identity: open it again";
        Err(Error::new(ErrorKind::Corruption, message))
    }

    /// How much newer `parts` is than the shown state.
    fn lag_to(&self, parts: &Parts) -> Lag {
        let shared = self.shared();
        let core = shared.core();
        let known = |log: FileNumber| {
            let mut logs = core.closed_wals.iter();
            logs.find(|known| known.wal == log).map_or(0, |known| known.bytes)
        };
        let logs = parts.core.closed_wals.iter();
        let log_bytes = logs.map(|log| log.bytes.saturating_sub(known(log.wal))).sum();
        let manifest = shared.manifest();
        let read = parts.manifest.bytes();
        let manifest_bytes = if manifest.number() == parts.manifest.number() {
            read.saturating_sub(manifest.bytes())
        } else {
            read
        };
        Lag {
            sequence: shared.visible_sequence(),
            file_sequence: parts.last_sequence,
            log_bytes,
            manifest_bytes,
        }
    }
}
