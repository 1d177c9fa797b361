//! The report of a repair: saved entries and losses.

use crate::check::CheckReport;
use crate::event::ShownKey;
use crate::key::user_key;
use crate::storage::FileName;
use crate::text;
use std::fmt;

/// Losses that a report keeps; more are counted.
const LOSSES_MAX: usize = 1000;

/// Bytes that could not be saved.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct Loss {
    /// Name of the file.
    pub file: String,
    /// Where the lost bytes begin \[bytes\].
    pub offset: u64,
    /// How many they are; 0 when that is not known.
    pub bytes: u64,
    /// No key below this one was among them; `None`: not known.
    pub smallest: Option<ShownKey>,
    /// No key above this one was among them; `None`: not known.
    pub largest: Option<ShownKey>,
    /// The flaw, as a sentence without its full stop.
    pub what: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        match self.bytes {
            0 => {}
            bytes => write!(f, ", {} at offset {}", text::bytes(bytes), text::count(self.offset))?,
        }
        match (&self.smallest, &self.largest) {
            (Some(smallest), Some(largest)) => write!(f, ", keys {smallest} to {largest}")?,
            (Some(smallest), None) => write!(f, ", keys from {smallest} on")?,
            (None, Some(largest)) => write!(f, ", keys up to {largest}")?,
            (None, None) => {}
        }
        write!(f, ": {}", self.what)
    }
}

/// The report of a repair: saved entries and losses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct RepairReport {
    /// Whether the manifest could be read and trusted. Otherwise every table and log in the directory was taken, also
    /// replaced ones, and losses beyond `losses` are unknown.
    pub manifest_read: bool,
    /// Why a manifest that could be read was not trusted, as clauses.
    pub manifest_doubt: Option<String>,
    /// Ends of logs and manifests that are no whole record and that nothing proves to have been durable:
    /// they were dropped.
    pub torn_tails: u64,
    /// Tables of which something was saved.
    pub tables: u64,
    /// Logs of which something was saved.
    pub logs: u64,
    /// Entries that were read: all versions, tombstones among them.
    pub entries_read: u64,
    /// Keys with a value that the new database has.
    pub keys: u64,
    /// Tables of the new database.
    pub tables_written: u64,
    /// Their length \[bytes\].
    pub bytes_written: u64,
    /// The losses; no more than a thousand.
    pub losses: Vec<Loss>,
    /// Files that were set aside, because they belong elsewhere, or taken under another name; as sentences.
    pub notes: Vec<String>,
    /// Losses beyond that.
    pub left_out: u64,
    /// Files whose names are not those of the engine: their content was not read.
    pub not_understood: Vec<String>,
    /// Writes are missing in the middle of a log, while newer ones were saved.
    pub holes: bool,
    /// Tombstones may be among the losses: deleted keys may be back.
    pub deletes_may_be_undone: bool,
    /// The check of the new database.
    pub check: CheckReport,
}

impl RepairReport {
    /// Whether the new database has all that the old one provably had: the manifest could be trusted, no
    /// loss is known, and no file was left unread. A torn tail that was dropped proves no loss.
    pub fn is_complete(&self) -> bool {
        self.losses.is_empty() && self.manifest_read && self.not_understood.is_empty()
    }

    /// Whether keys may have older values, because newer ones may be lost.
    pub fn values_may_be_older(&self) -> bool {
        !self.losses.is_empty()
    }

    /// Adds the losses of `part`.
    pub(super) fn absorb(&mut self, part: Self) {
        self.deletes_may_be_undone |= part.deletes_may_be_undone;
        self.left_out += part.left_out;
        for loss in part.losses {
            self.keep(loss);
        }
    }

    fn keep(&mut self, loss: Loss) {
        if self.losses.len() == LOSSES_MAX {
            self.left_out += 1;
        } else {
            self.losses.push(loss);
        }
    }

    /// Adds a loss of `bytes` at `offset` of `file`, which lay between two keys.
    pub(super) fn lose(&mut self, loss: NewLoss) {
        self.deletes_may_be_undone |= loss.tombstones;
        let NewLoss { file, offset, bytes, smallest, largest, what, .. } = loss;
        self.keep(Loss { file: file.to_string(), offset, bytes, smallest, largest, what });
    }
}

/// A loss, before it is written down.
#[derive(Debug)]
pub(super) struct NewLoss {
    pub(super) file: FileName,
    pub(super) offset: u64,
    pub(super) bytes: u64,
    pub(super) smallest: Option<ShownKey>,
    pub(super) largest: Option<ShownKey>,
    /// Whether tombstones may be lost.
    pub(super) tombstones: bool,
    pub(super) what: String,
}

/// How an internal key is shown in a loss.
pub(super) fn shown(key: &[u8]) -> ShownKey {
    ShownKey::new(user_key(key))
}

impl NewLoss {
    /// A loss of unknown keys.
    pub(super) fn bytes(file: FileName, offset: u64, bytes: u64, what: impl Into<String>) -> Self {
        let (smallest, largest) = (None, None);
        Self { file, offset, bytes, smallest, largest, tombstones: true, what: what.into() }
    }
}
