//! Entries as pictures show them: the newest writes of memtables, and the contents of tables.

use crate::event::{MemtableId, ShownKey};
use crate::key::{SeqNo, ValueKind};
use crate::storage::FileNumber;

/// The newest entries of one memtable.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecentWrites {
    /// Which memtable.
    pub memtable: MemtableId,
    /// The log that holds the same writes.
    pub wal: FileNumber,
    /// The newest entry first.
    pub entries: Vec<RecentEntry>,
}

/// One of the newest entries of a memtable.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecentEntry {
    /// Its key; of a range tombstone the first one.
    pub key: ShownKey,
    /// Its sequence number.
    pub sequence: SeqNo,
    /// Put, tombstone or range tombstone.
    pub entry: ValueKind,
    /// Its value, cut like a key; empty for a tombstone. Of a range tombstone the key before which it ends;
    /// empty when it has no end.
    pub value: ShownKey,
    /// The number of the log's record that holds it, from 1; `None` when the memtable no longer knows.
    pub record: Option<u64>,
}

/// The entries of one table, in the order of their keys.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TableContents {
    /// Number in the file name.
    pub table: FileNumber,
    /// The entries, as many as were asked for; of a key the newest version first.
    pub entries: Vec<TableEntry>,
    /// Whether the table has more.
    pub more: bool,
}

/// One entry of a table. Its value is not read out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TableEntry {
    /// Its key.
    pub key: ShownKey,
    /// Its sequence number.
    pub sequence: SeqNo,
    /// Put or tombstone; range tombstones are in separate blocks.
    pub entry: ValueKind,
    /// The number of its block, from 1.
    pub block: u32,
}
