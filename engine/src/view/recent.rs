//! The newest writes as a picture of memtables and logs shows them.

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
