//! Doors for measuring: single parts of the engine, called as the engine calls them (`cargo bench`).
//!
//! Nothing is implemented here. Only benchmarks may use these signatures: they change with the parts.

use crate::coding::{Reader, put_varint};
use crate::filter::{FilterBuilder, hash};
use crate::iter::{Cursor, MergingCursor};
use crate::key::internal_key;
use crate::probe::NoProbe;
use crate::storage::Storage;
use crate::table::{BlockBuilder, search_block};
use crate::wal::WalWriter;
use crate::wal::file;
use crate::{Error, Result, SeqNo, ValueKind, WriteBatch};
use std::fmt;
use std::sync::Arc;

/// Appends `numbers` as varints.
pub fn encode_varints(numbers: &[u64], out: &mut Vec<u8>) {
    for number in numbers {
        put_varint(out, *number);
    }
}

/// The sum of the varints in `bytes`.
pub fn sum_varints(bytes: &[u8]) -> u64 {
    let mut reader = Reader::new(bytes);
    let mut sum = 0_u64;
    while let Some(number) = reader.varint() {
        sum = sum.wrapping_add(number);
    }
    sum
}

/// A block of a table, as a reader holds it.
#[derive(Debug)]
pub struct Block(crate::table::Block);

impl Block {
    /// The block of the pairs, which come in order; each is version 1 of its key.
    ///
    /// # Errors
    /// `InvalidArgument` for a block without pairs.
    pub fn build(pairs: &[(Vec<u8>, Vec<u8>)], restart_interval: usize) -> Result<Self> {
        let mut builder = BlockBuilder::new(restart_interval);
        for (key, value) in pairs {
            builder.add(&internal_key(key, 1, ValueKind::Put), value);
        }
        let block = crate::table::Block::new(builder.finish().to_vec());
        block.map(Self).map_err(|_| Error::invalid("not a block"))
    }

    /// Whether a search for `user_key` ends on an entry.
    pub fn search(&self, user_key: &[u8]) -> bool {
        search_block(&self.0, &internal_key(user_key, 1, ValueKind::Put))
    }
}

/// A Bloom filter.
#[derive(Debug)]
pub struct Filter(crate::filter::Filter);

impl Filter {
    /// The filter of `keys`; `None` when `bits_per_key` is 0.
    pub fn build(keys: &[Vec<u8>], bits_per_key: usize) -> Option<Self> {
        let mut builder = FilterBuilder::default();
        for key in keys {
            builder.add(key);
        }
        crate::filter::Filter::decode(builder.finish(bits_per_key)).map(Self)
    }

    /// Whether `key` may be among the keys.
    pub fn may_contain(&self, key: &[u8]) -> bool {
        self.0.may_contain(hash(key))
    }
}

/// A memtable.
#[derive(Debug)]
pub struct Memtable(Arc<crate::memtable::Memtable>);

impl Memtable {
    /// An empty one for about `limit_bytes`.
    pub fn new(limit_bytes: usize) -> Self {
        Self(Arc::new(crate::memtable::Memtable::new(1, 1, limit_bytes)))
    }

    /// Inserts the operations of `batch`, the first with the sequence number `first`.
    ///
    /// # Errors
    /// None for a batch that was made by its own methods.
    pub fn insert(&self, first: SeqNo, batch: &WriteBatch) -> Result<()> {
        self.0.insert_batch(first, batch.entries())
    }

    /// Whether `key` has a value or a tombstone at or before `sequence`.
    pub fn has(&self, key: &[u8], sequence: SeqNo) -> bool {
        self.0.get(key, sequence, &mut NoProbe).is_some()
    }
}

/// Walks over all of `memtables` in one order; returns the number of entries.
///
/// # Errors
/// None: memtables cannot fail.
pub fn merge(memtables: &[Memtable]) -> Result<u64> {
    let cursors = memtables.iter().map(|memtable| memtable.0.cursor());
    let mut merged = MergingCursor::new(cursors.collect());
    merged.seek_to_first()?;
    let mut count = 0;
    while merged.valid() {
        count += 1;
        merged.next()?;
    }
    Ok(count)
}

/// A write-ahead log.
pub struct Log(WalWriter);

impl Log {
    /// Log 1 in `storage`.
    ///
    /// # Errors
    /// Those of [`Storage::create`].
    pub fn create(storage: &dyn Storage) -> Result<Self> {
        WalWriter::create_after(storage, file::Log::wal(1, Some(storage.identity())), None, 0)
            .map(Self)
    }

    /// Appends `batch` and writes it out, the first operation with the sequence number `first`.
    ///
    /// # Errors
    /// Those of appending; `InvalidArgument` for numbers that do not follow each other.
    pub fn append(&mut self, first: SeqNo, batch: &WriteBatch) -> Result<()> {
        self.0.append(first, batch.len(), batch.body())?;
        self.0.write()
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Log").field(&self.0.number()).finish()
    }
}
