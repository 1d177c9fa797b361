//! Write batches: one record of a log holds one batch.

mod decode;
mod transaction;

pub use decode::Items;
pub use transaction::{Pending, Replay, Written};

use crate::bytes::Cursor;
use crate::{Engine, Kind, Result};

/// Bytes of a batch before its operations.
pub const HEADER_BYTES: usize = 12;

/// A batch, not yet taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batch<'a> {
    /// The engine that wrote it.
    pub engine: Engine,
    /// Sequence number of its first operation.
    pub sequence: u64,
    /// Operations on keys, as its header counts them; do not allocate by it.
    pub count: u32,
    body: &'a [u8],
}

/// An operation on a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation<'a> {
    /// The family.
    pub family: u32,
    /// Kind of the operation.
    pub kind: Kind,
    /// The number of the kind, as in tables.
    pub number: u8,
    /// The key, with its timestamp; the start of a range.
    pub key: &'a [u8],
    /// The value; the end of a range; of Pebble's range keys the end, the suffixes and the values.
    pub value: &'a [u8],
    /// Its sequence number.
    pub sequence: u64,
}

/// One item of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item<'a> {
    /// An operation on a key.
    Operation(Operation<'a>),
    /// Bytes that are only in the log.
    Note(&'a [u8]),
    /// A mark without a meaning for readers.
    Noop,
    /// The operations after it are prepared, not yet visible. Type of the mark: 9, 18 or 19.
    BeginPrepare(u8),
    /// The prepared part with this id ends.
    EndPrepare(&'a [u8]),
    /// Operations prepared with this id become visible.
    Commit {
        /// The id.
        id: &'a [u8],
        /// The timestamp of the commit, empty where it has none.
        timestamp: &'a [u8],
    },
    /// Operations prepared with this id are dropped.
    Rollback(&'a [u8]),
    /// Pebble: the table with this number was ingested.
    Ingested {
        /// Number of the table.
        number: u64,
        /// Its sequence number.
        sequence: u64,
    },
    /// Pebble: all keys in [start, end) were cut out.
    Excised {
        /// The first key.
        start: &'a [u8],
        /// The key after the last.
        end: &'a [u8],
        /// Its sequence number.
        sequence: u64,
    },
}

/// An item, and where it lies in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemSpan<'a> {
    /// The item.
    pub item: Item<'a>,
    /// Offset of its type.
    pub offset: usize,
    /// Bytes from its type to its end.
    pub bytes: usize,
}

impl<'a> Batch<'a> {
    /// The batch that `record` is. Offsets of failures count from the start of the record.
    ///
    /// # Errors
    /// `Damaged` when the record has fewer than 12 bytes.
    pub fn open(engine: Engine, record: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(record, 0);
        let short = |error: crate::Error| {
            crate::Error::damaged(error.offset().unwrap_or(0), "a batch has fewer than 12 bytes")
        };
        let sequence = cursor.u64().map_err(short)?;
        let count = cursor.u32().map_err(short)?;
        Ok(Self { engine, sequence, count, body: cursor.rest() })
    }

    /// Its items, in order.
    pub fn items(&self) -> Items<'a> {
        Items::new(*self)
    }

    /// The largest sequence number that it takes: that before its own when it writes nothing.
    pub fn last_sequence(&self) -> u64 {
        self.sequence.saturating_add(u64::from(self.count)).saturating_sub(1)
    }
}
