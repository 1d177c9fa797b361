//! All versions of one key, and the places that hold them.

use crate::event::{MemtableId, ShownKey, ShownRange};
use crate::key::{SeqNo, ValueKind};
use crate::storage::FileNumber;

/// Every version of one user key in memtables, logs and live tables.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct KeyVersions {
    /// The key.
    pub key: ShownKey,
    /// The newest version first.
    pub versions: Vec<KeyVersion>,
    /// Older versions that are left out.
    pub more: u64,
    /// Tables whose key range has the key, but that hold no version of it, or cannot be read.
    pub without: Vec<TableWithout>,
}

/// One version of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct KeyVersion {
    /// Its sequence number.
    pub sequence: SeqNo,
    /// Put, tombstone, or a range tombstone over the key.
    pub entry: ValueKind,
    /// Its value, cut like a key; empty for a tombstone.
    pub value: ShownKey,
    /// The keys that it deletes, if it is a range tombstone; a table may have only a part of them.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub range: Option<ShownRange>,
    /// Which reads find it.
    pub verdict: VersionVerdict,
    /// The oldest snapshot or transaction that still reads it, as its sequence number.
    pub snapshot: Option<SeqNo>,
    /// The copies of it: memtables first, then logs, then tables from the top level down.
    pub places: Vec<VersionPlace>,
}

/// Which reads find a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum VersionVerdict {
    /// A read now finds this value.
    Found {},
    /// A read now finds this tombstone: the key is deleted.
    Deleted {},
    /// A newer value shadows it.
    Shadowed {
        /// The sequence number of the next newer version.
        by: SeqNo,
    },
    /// A newer tombstone covers it.
    Covered {
        /// The sequence number of the tombstone.
        by: SeqNo,
    },
    /// It is newer than the visible sequence number.
    Invisible {},
    /// Only an obsolete log record holds it: reads do not search logs.
    Logged {},
    /// A read searches a table before it that cannot be read.
    Unreached {
        /// The table that cannot be read.
        table: FileNumber,
    },
}

/// Where a copy of a version is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "in", rename_all = "camelCase", rename_all_fields = "camelCase")
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum VersionPlace {
    /// In a memtable.
    Memtable {
        /// The number of the memtable.
        memtable: MemtableId,
    },
    /// In a record of a log: `record:2/entry:1`.
    Log {
        /// The log.
        wal: FileNumber,
        /// The number of the record among the batches of the log, from 1.
        record: u32,
        /// The number of the entry in the record, from 1.
        entry: u32,
        /// Where the record begins \[bytes\].
        offset: u64,
        /// Length of the record \[bytes\].
        bytes: u64,
    },
    /// Among the range tombstones of a table: `ranges:1/entry:3`.
    Ranges {
        /// The level of the table.
        level: usize,
        /// The table.
        table: FileNumber,
        /// The number of the block among those of range tombstones, from 1.
        block: u32,
        /// The number of the entry in the block, from 1.
        entry: u32,
        /// Where the block begins \[bytes\].
        offset: u64,
        /// Length of the block as it is stored, without its trailer \[bytes\].
        bytes: u64,
    },
    /// In a data block of a table: `block:2/entry:5`.
    Table {
        /// The level of the table.
        level: usize,
        /// The table.
        table: FileNumber,
        /// The number of the block, from 1.
        block: u32,
        /// The number of the entry in the block, from 1.
        entry: u32,
        /// Where the block begins \[bytes\].
        offset: u64,
        /// Length of the block as it is stored, without its trailer \[bytes\].
        bytes: u64,
    },
}

/// A table whose key range has a key that the table does not hold, or that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TableWithout {
    /// Its level.
    pub level: usize,
    /// The table.
    pub table: FileNumber,
    /// The answer of its filter: `false` excludes the key, `true` is a false positive. `None`: it has no filter.
    pub maybe: Option<bool>,
    /// Why it cannot be read: then it may hold versions all the same.
    pub unread: Option<String>,
}
