//! A version edit: one record of a manifest.

use crate::TableFile;

/// A version edit, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edit {
    /// Name of the order of keys of the family.
    pub comparator: Option<Vec<u8>>,
    /// Logs with smaller numbers hold nothing for the family.
    pub log_number: Option<u64>,
    /// LevelDB's log before the current one.
    pub previous_log: Option<u64>,
    /// Numbers below it are taken.
    pub next_file: Option<u64>,
    /// Largest sequence number in tables.
    pub last_sequence: Option<u64>,
    /// Logs with smaller numbers do not count for any family.
    pub min_log: Option<u64>,
    /// Tables removed: level, number.
    pub removed: Vec<(u32, u64)>,
    /// Tables added, with their levels.
    pub added: Vec<(u32, TableFile)>,
    /// The family that the edit is about.
    pub family: u32,
    /// The name of the family that is created.
    pub family_added: Option<String>,
    /// Whether the family is dropped.
    pub family_dropped: bool,
    /// Edits of the same atomic group that follow.
    pub group_left: Option<u32>,
    /// RocksDB's blob files added.
    pub blobs_added: Vec<BlobValues>,
    /// Garbage added to RocksDB's blob files.
    pub blob_garbage: Vec<BlobValues>,
    /// Pebble's blob files added.
    pub pebble_blobs_added: Vec<PebbleBlob>,
    /// Pebble's blob files removed: id, file number.
    pub pebble_blobs_removed: Vec<(u64, u64)>,
    /// Pebble's files that virtual tables share: number, bytes.
    pub backings_added: Vec<(u64, u64)>,
    /// Numbers of those that are gone.
    pub backings_removed: Vec<u64>,
    /// The id of the database.
    pub database_id: Option<String>,
    /// Logs that are tracked, with the bytes that were synced.
    pub logs_added: Vec<(u64, Option<u64>)>,
    /// Levelscope's logs of which only the first bytes count: a crash left them without an end.
    pub logs_sealed: Vec<(u64, u64)>,
    /// Tracked logs with smaller numbers are deleted.
    pub logs_deleted_below: Option<u64>,
}

impl Edit {
    /// Whether tables or blob files change.
    pub fn changes_tables(&self) -> bool {
        !(self.added.is_empty()
            && self.removed.is_empty()
            && self.blobs_added.is_empty()
            && self.blob_garbage.is_empty()
            && self.pebble_blobs_added.is_empty()
            && self.pebble_blobs_removed.is_empty())
    }
}

/// Values of a blob file of RocksDB: those of a file that is added, or those that no table refers to any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlobValues {
    /// Number of the blob file.
    pub number: u64,
    /// Values.
    pub count: u64,
    /// Bytes of their records, without header and footer of the file.
    pub bytes: u64,
}

/// A blob file of Pebble that is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PebbleBlob {
    /// The id that tables name it by.
    pub id: u64,
    /// Number of the file.
    pub number: u64,
    /// Length of the file.
    pub bytes: u64,
    /// Bytes of the values in it.
    pub value_bytes: u64,
    /// When it was made, in seconds since 1970.
    pub created_seconds: u64,
}
