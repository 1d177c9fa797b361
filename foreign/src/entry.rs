//! Entries, range deletions and summary: the interface of tables of every format.

use crate::bytes::Cursor;
use crate::key::Kind;
use crate::{Examined, Problem, Result};
use std::collections::BTreeMap;

/// Position of a cursor: one entry of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryRef<'a> {
    /// The key of the user, with its timestamp where the comparator has one.
    pub user_key: &'a [u8],
    /// The sequence number as stored; ingested tables store 0, see [`TableSummary::global_sequence`].
    pub sequence: u64,
    /// Kind of the entry.
    pub kind: Kind,
}

/// The value of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// The user's bytes; for other kinds than puts the end of a range deletion, RocksDB's blob index, or the columns.
    Bytes(Vec<u8>),
    /// A value in a blob file of Pebble.
    PebbleBlob {
        /// Place in the table's list of blob references.
        reference: u32,
        /// Bytes of the value.
        bytes: u32,
        /// Number of the block in the blob file.
        block: u32,
        /// Number of the value in the block.
        value: u32,
    },
}

/// A walk over the entries of one table, ascending in the order of internal keys.
pub trait EntryCursor {
    /// Goes to the first entry.
    ///
    /// # Errors
    /// Damage on the way; the cursor then stands nowhere.
    fn first(&mut self) -> Result<()>;

    /// Goes to the first entry whose internal key is not less than (`user_key`, `sequence`), where larger sequence
    /// numbers come first.
    ///
    /// # Errors
    /// Damage on the way; `Invalid` when the order of keys is unknown.
    fn seek(&mut self, user_key: &[u8], sequence: u64) -> Result<()>;

    /// Goes to the next entry; at the end it stays there.
    ///
    /// # Errors
    /// Damage on the way. Calling it again after damage goes to the first entry after the damaged block.
    fn next(&mut self) -> Result<()>;

    /// The entry at the cursor, `None` before `first` or `seek` and at the end.
    fn entry(&self) -> Option<EntryRef<'_>>;

    /// The value of the entry, read from a value block where it is in one.
    ///
    /// # Errors
    /// Damage in the value block; `Invalid` at the end.
    fn value(&mut self) -> Result<Value>;
}

/// All keys in [start, end) that are older than it are deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeDeletion {
    /// First user key that is deleted.
    pub start: Vec<u8>,
    /// First user key that is not deleted any more; `None`: it has no end.
    pub end: Option<Vec<u8>>,
    /// Its sequence number as stored.
    pub sequence: u64,
}

/// A range key of Pebble.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeKey {
    /// First user key that it covers.
    pub start: Vec<u8>,
    /// First user key that it does not cover any more.
    pub end: Vec<u8>,
    /// Its sequence number as stored.
    pub sequence: u64,
    /// Set, unset or delete.
    pub kind: Kind,
    /// Its suffix; empty for a delete.
    pub suffix: Vec<u8>,
    /// Its value; empty for an unset or a delete.
    pub value: Vec<u8>,
}

/// A range of bytes of a file that holds one block; the trailer of five bytes comes after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct BlockHandle {
    /// Offset of its first byte.
    pub offset: u64,
    /// Bytes without the trailer.
    pub bytes: u64,
}

impl BlockHandle {
    /// The next two numbers.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self> {
        Ok(Self { offset: cursor.varint()?, bytes: cursor.varint()? })
    }
}

/// A data block, as the index knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataBlock {
    /// Its handle.
    pub handle: BlockHandle,
    /// A user key that is not less than any in the block and less than all of the next one, as the index stores it.
    pub separator: Vec<u8>,
}

/// The properties of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableSummary {
    /// Its format in words, such as `RocksDB block-based table, version 7`.
    pub format: String,
    /// The checksum of its blocks: `none`, `crc32`, `crc32c`, `xxhash`, `xxhash64`, `xxh3`.
    pub checksum: &'static str,
    /// The compression in words, from the properties; the blocks decide.
    pub compression: String,
    /// All properties by name, with the user's own, as stored.
    pub properties: BTreeMap<String, Vec<u8>>,
    /// Entries, tombstones and range deletions included, if a property counts them.
    pub entries: Option<u64>,
    /// Tombstones, range deletions included, if a property counts them.
    pub deletions: Option<u64>,
    /// Range deletions, if a property counts them.
    pub range_deletions: Option<u64>,
    /// Merge operands, if a property counts them.
    pub merge_operands: Option<u64>,
    /// Bytes of all user keys before compression, if a property counts them.
    pub raw_key_bytes: Option<u64>,
    /// Bytes of all values before compression, if a property counts them.
    pub raw_value_bytes: Option<u64>,
    /// Name of the comparator, if a property holds it.
    pub comparator: Option<String>,
    /// Of an ingested table: the sequence number of all entries, 0 when the manifest has it.
    pub global_sequence: Option<u64>,
    /// When the table was made, in seconds since 1970, if a property holds it.
    pub created_seconds: Option<u64>,
}

impl TableSummary {
    /// The sequence number that every entry has in truth, for a table that was ingested: its own, or the largest
    /// sequence number in the manifest. `None` for all other tables.
    pub fn ingested_sequence(&self, manifest_largest: Option<u64>) -> Option<u64> {
        match self.global_sequence {
            None => None,
            Some(0) => manifest_largest,
            Some(own) => Some(own),
        }
    }
}

/// A table of any format, opened: footer, properties and index location are read, blocks only when asked for.
pub trait TableReader {
    /// Its properties.
    fn summary(&self) -> &TableSummary;

    /// A walk over its point entries.
    ///
    /// # Errors
    /// Damage in the index.
    fn cursor(&self) -> Result<Box<dyn EntryCursor + '_>>;

    /// Its range deletions as stored, overlaps included.
    ///
    /// # Errors
    /// Damage in their block.
    fn range_deletions(&self) -> Result<Vec<RangeDeletion>>;

    /// Its range keys; only Pebble has any.
    ///
    /// # Errors
    /// Damage in their block.
    fn range_keys(&self) -> Result<Vec<RangeKey>> {
        Ok(Vec::new())
    }

    /// Its data blocks in order, from the index alone.
    ///
    /// # Errors
    /// Damage in the index.
    fn data_blocks(&self) -> Result<Vec<DataBlock>>;

    /// Verifies the checksum of every block and that the entries are in order; reports each finding once and goes on
    /// after it. With `deep` every block is decompressed and decoded, otherwise only checksums are compared.
    /// Returns how far it came.
    fn check(&self, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined;
}
