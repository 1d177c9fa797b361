//! The state after one edit of the manifest: families, levels, tables, blob files, logs.

use crate::files::total;
use crate::key::Engine;
use crate::{Comparator, InternalKey};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A table of a level. A virtual table of Pebble is a slice of the file that its `backing` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFile {
    /// Its number in the manifest.
    pub number: u64,
    /// Number of the file that holds it; another one than `number` for a virtual table.
    pub backing: u64,
    /// Its length in bytes; of a virtual table the estimate in the manifest.
    pub bytes: u64,
    /// Index of its directory in the option `db_paths`.
    pub path: u32,
    /// Its smallest key.
    pub smallest: InternalKey,
    /// Its largest key; see [`TableFile::largest_is_exclusive`].
    pub largest: InternalKey,
    /// Whether these keys are known: of a table that is damaged, a rescue does not know them, so it may hold any key.
    pub has_bounds: bool,
    /// Smallest sequence number, if the manifest records it.
    pub smallest_sequence: Option<u64>,
    /// Largest sequence number, if the manifest records it.
    pub largest_sequence: Option<u64>,
    /// Number of the oldest blob file that its values are in.
    pub oldest_blob_file: Option<u64>,
    /// When the file was made, in seconds since 1970.
    pub created_seconds: Option<u64>,
    /// RocksDB's epoch number: the larger, the newer in level 0.
    pub epoch: Option<u64>,
    /// Number of its run among those of its level, the larger the newer: only Levelscope has several in a deeper level,
    /// in the others it is 0.
    pub run: u64,
    /// Whether it holds range keys of Pebble.
    pub has_range_keys: bool,
    /// Bytes that each key of the backing file gets in front.
    pub synthetic_prefix: Vec<u8>,
    /// Bytes that replace the suffix of each key of the backing file.
    pub synthetic_suffix: Vec<u8>,
    /// Pebble's blob files that its values are in: id of the blob file, bytes of values there. The place in this
    /// list is the reference in the values.
    pub blob_references: Vec<(u64, u64)>,
    /// Index of the edit that added it to its level, for "born in".
    pub added_by_edit: u32,
}

impl TableFile {
    /// The user keys of its bounds.
    pub(crate) fn user_keys(&self) -> (&[u8], &[u8]) {
        (&self.smallest.user_key, &self.largest.user_key)
    }

    /// Whether its last key is known to come before `user_key`.
    pub(crate) fn ends_before(&self, order: Comparator, user_key: &[u8]) -> bool {
        self.has_bounds && order.compare(&self.largest.user_key, user_key).is_lt()
    }

    /// A table of which no more is known than its number, its length \[bytes\] and its bounds.
    pub(crate) fn new(
        number: u64,
        bytes: u64,
        smallest: InternalKey,
        largest: InternalKey,
    ) -> Self {
        Self {
            number,
            backing: number,
            bytes,
            path: 0,
            smallest,
            largest,
            has_bounds: true,
            smallest_sequence: None,
            largest_sequence: None,
            oldest_blob_file: None,
            created_seconds: None,
            epoch: None,
            run: 0,
            has_range_keys: false,
            synthetic_prefix: Vec::new(),
            synthetic_suffix: Vec::new(),
            blob_references: Vec::new(),
            added_by_edit: 0,
        }
    }

    /// Whether it is a slice of another file.
    pub fn is_virtual(&self) -> bool {
        self.number != self.backing
    }

    /// Whether the largest key itself is not in it: the bound comes from a range deletion or a range key.
    pub fn largest_is_exclusive(&self) -> bool {
        self.largest.sequence == crate::key::SEQUENCE_MAX
    }
}

/// A file of values outside of tables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlobFile {
    /// Its number (of Pebble: the number of the file that holds it).
    pub number: u64,
    /// Pebble's id, by which tables name it; 0 in RocksDB.
    pub id: u64,
    /// Values in it; Pebble does not count them.
    pub count: Option<u64>,
    /// Bytes of the records (RocksDB) or of the values (Pebble).
    pub total_bytes: u64,
    /// Length of the file in the manifest \[bytes\]: of RocksDB `total_bytes` + 62.
    pub file_bytes: u64,
    /// Values that no table refers to any more, where they are counted.
    pub garbage_count: Option<u64>,
    /// Bytes of these.
    pub garbage_bytes: u64,
    /// When it was made, in seconds since 1970, if the manifest records it.
    pub created_seconds: Option<u64>,
}

impl BlobFile {
    /// Values that tables still need, where they are counted.
    pub fn live_count(&self) -> Option<u64> {
        Some(self.count?.saturating_sub(self.garbage_count?))
    }

    /// Bytes of values that tables still need.
    pub fn live_bytes(&self) -> u64 {
        self.total_bytes.saturating_sub(self.garbage_bytes)
    }
}

/// A column family. Pebble and LevelDB have one, `default`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// Its number; 0 is `default`.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Name of its order of keys, empty until an edit records it.
    pub comparator_name: String,
    /// The order itself.
    pub comparator: Comparator,
    /// Tables by level. In level 0 the newest stands first; deeper levels are in the order of keys.
    pub levels: BTreeMap<u32, Vec<Arc<TableFile>>>,
    /// Blob files that count, by number.
    pub blob_files: BTreeMap<u64, BlobFile>,
    /// Logs with smaller numbers hold nothing for this family.
    pub log_number: u64,
}

impl Family {
    /// The sorted runs of a level, the newest first: in level 0 each table is one.
    pub fn runs(&self, level: u32) -> impl Iterator<Item = &[Arc<TableFile>]> + Clone {
        let tables = self.levels.get(&level).map_or(&[][..], Vec::as_slice);
        tables.chunk_by(move |a, b| level > 0 && a.run == b.run)
    }

    /// Its tables with their levels, the newest first in level 0.
    pub fn tables(&self) -> impl Iterator<Item = (u32, &Arc<TableFile>)> {
        self.levels.iter().flat_map(|(level, tables)| tables.iter().map(|table| (*level, table)))
    }

    /// Bytes of its tables and blob files.
    pub fn bytes(&self) -> u64 {
        let tables = self.levels.values().flatten().map(|table| table.bytes);
        total(tables.chain(self.blob_files.values().map(|blob| blob.file_bytes)))
    }

    /// A family without tables whose order of keys is not known yet.
    pub(crate) fn new(id: u32, name: String) -> Self {
        Self {
            id,
            name,
            comparator_name: String::new(),
            comparator: Comparator::Unknown,
            levels: BTreeMap::new(),
            blob_files: BTreeMap::new(),
            log_number: 0,
        }
    }
}

/// The database after an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The engine that wrote the manifest.
    pub engine: Engine,
    /// Families by number, without those that were dropped.
    pub families: BTreeMap<u32, Family>,
    /// Numbers below it are taken.
    pub next_file: u64,
    /// Largest sequence number in tables.
    pub last_sequence: u64,
    /// Logs with smaller numbers do not count for any family.
    pub min_log_number: u64,
    /// LevelDB's log before the current one (0: none).
    pub previous_log_number: u64,
    /// Logs that the manifest tracks, with their synced bytes, if recorded.
    pub tracked_logs: BTreeMap<u64, Option<u64>>,
    /// Levelscope's logs of which only the first bytes count, because a crash left them without an end.
    pub sealed_logs: BTreeMap<u64, u64>,
    /// Pebble's files that virtual tables share: number, bytes.
    pub backings: BTreeMap<u64, u64>,
}
