//! One live entry.

use crate::{Result, TableFile};

/// The value that a read of a key returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowValue {
    /// A value.
    Bytes(Vec<u8>),
    /// Columns, names ascending; a plain read returns the one with the empty name.
    Columns(Vec<(Vec<u8>, Vec<u8>)>),
    /// Operands of a merge operator that is not known, oldest first, and the value before them.
    Merge {
        /// The value that they are merged into, if any.
        base: Option<Vec<u8>>,
        /// The operands, the oldest first.
        operands: Vec<Vec<u8>>,
    },
}

/// One live entry of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The key without its timestamp.
    pub key: Vec<u8>,
    /// The timestamp of the newest version, where the comparator has one.
    pub timestamp: Option<u64>,
    /// Sequence number of the newest entry that it was made from.
    pub sequence: u64,
    /// Place of the layer that holds it.
    pub layer: usize,
    /// Its value.
    pub value: RowValue,
}

/// A value of Pebble in a blob file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PebbleHandle {
    /// Place in the table's list of blob references.
    pub reference: u32,
    /// Bytes of the value.
    pub bytes: u32,
    /// Number of the block in the blob file.
    pub block: u32,
    /// Number of the value in the block.
    pub value: u32,
}

/// Reads values that are not in tables.
pub trait Blobs {
    /// The value that RocksDB's blob index names.
    ///
    /// # Errors
    /// The blob file is missing or damaged, or the index is malformed.
    fn rocksdb(&self, user_key: &[u8], index: &[u8]) -> Result<Vec<u8>>;

    /// The value that a handle in a Pebble table names.
    ///
    /// # Errors
    /// The blob file is missing or damaged.
    fn pebble(&self, table: &TableFile, handle: PebbleHandle) -> Result<Vec<u8>>;

    /// The columns of RocksDB's wide-column value.
    ///
    /// # Errors
    /// The value is malformed.
    fn columns(&self, user_key: &[u8], value: &[u8]) -> Result<Vec<(Vec<u8>, Vec<u8>)>>;
}
