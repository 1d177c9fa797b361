//! The index of a table, and the metaindex and properties.

use super::block::{self, Block, TRAILER_BYTES};
use super::columns::Header;
use super::footer::Footer;
use crate::table::properties::{Budget, NAMES_BYTES_MAX};
use crate::table::{Layout, Names, Source};
use crate::{BlockHandle, Comparator, DataBlock, Error, Result, key};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Most bytes of separators that are held at once: prefix compression of a damaged index can make many of few.
const SEPARATOR_BYTES_MAX: usize = 64 << 20;
/// The keys of an index in rows are internal keys.
const ROWS: Layout = Layout::Index { user_keys: false, deltas: false, first_keys: false };

/// Names and values of the metaindex or properties block at `handle`.
pub(super) fn names(source: &Source<'_>, handle: BlockHandle, columnar: bool) -> Result<Names> {
    let block = Block::read(source, handle)?;
    if !columnar {
        return block.rows(Layout::Plain).and_then(Names::read);
    }
    column_names(&block.bytes).map_err(|error| block.blame(error))
}

pub(crate) fn column_names(bytes: &[u8]) -> Result<Names> {
    let header = Header::decode(bytes, 0)?;
    let names = header.strings(bytes, 0, header.rows)?;
    let values = header.strings(bytes, 1, header.rows)?;
    let mut found = BTreeMap::new();
    let mut budget = Budget::new(NAMES_BYTES_MAX);
    for row in 0..header.rows {
        let (name, value) = (names.get(bytes, row)?, values.get(bytes, row)?);
        budget.take(name.len() + value.len(), "the names of a table")?;
        found.insert(String::from_utf8_lossy(name).into_owned(), value.to_vec());
    }
    Ok(Names(found))
}

/// A walk over the data blocks of a table. Of an index with two levels it holds the upper one and one partition.
pub(super) struct BlockWalk {
    /// The partitions of an index with two levels.
    partitions: Vec<DataBlock>,
    next_partition: usize,
    blocks: Vec<DataBlock>,
    next_block: usize,
    /// The end of the last block that was named in order.
    end: u64,
    /// Bytes of the index that were read.
    pub(super) read: u64,
}

impl BlockWalk {
    /// Before the first data block.
    ///
    /// # Errors
    /// Damage in the index block, of two levels in the upper one.
    pub(super) fn new(source: &Source<'_>, footer: Footer, two_level: bool) -> Result<Self> {
        let mut walk = Self {
            partitions: Vec::new(),
            next_partition: 0,
            blocks: Vec::new(),
            next_block: 0,
            end: 0,
            read: footer.index.bytes + TRAILER_BYTES,
        };
        let (blocks, end) = entries(source, footer, footer.index, 0)?;
        if two_level {
            walk.partitions = blocks;
        } else {
            (walk.blocks, walk.end) = (blocks, end);
        }
        Ok(walk)
    }

    /// The next data block, `None` at the end.
    ///
    /// # Errors
    /// Damage in a partition of the index, which then counts as passed.
    pub(super) fn next(
        &mut self,
        source: &Source<'_>,
        footer: Footer,
    ) -> Result<Option<DataBlock>> {
        loop {
            if let Some(block) = self.blocks.get(self.next_block) {
                self.next_block += 1;
                return Ok(Some(block.clone()));
            }
            if !self.next_partition(source, footer)? {
                return Ok(None);
            }
        }
    }

    fn next_partition(&mut self, source: &Source<'_>, footer: Footer) -> Result<bool> {
        let Some(partition) = self.partitions.get(self.next_partition) else { return Ok(false) };
        self.next_partition += 1;
        (self.blocks, self.next_block) = (Vec::new(), 0);
        self.read += partition.handle.bytes + TRAILER_BYTES;
        (self.blocks, self.end) = entries(source, footer, partition.handle, self.end)?;
        Ok(true)
    }

    /// Goes before the first block whose separator is not less than `user_key`.
    ///
    /// # Errors
    /// Damage in the partition that leads there.
    pub(super) fn seek(
        &mut self,
        source: &Source<'_>,
        footer: Footer,
        comparator: Comparator,
        user_key: &[u8],
    ) -> Result<()> {
        let is_before =
            |block: &DataBlock| comparator.compare(&block.separator, user_key) == Ordering::Less;
        if !self.partitions.is_empty() {
            self.next_partition = self.partitions.partition_point(is_before);
            self.end = 0;
            (self.blocks, self.next_block) = (Vec::new(), 0);
            self.next_partition(source, footer)?;
        }
        self.next_block = self.blocks.partition_point(is_before);
        Ok(())
    }

    /// Goes before the first block.
    pub(super) fn rewind(&mut self) {
        self.next_block = 0;
        if !self.partitions.is_empty() {
            (self.blocks, self.next_partition, self.end) = (Vec::new(), 0, 0);
        }
    }
}

/// The blocks that were found so far.
struct IndexedBlocks {
    blocks: Vec<DataBlock>,
    /// Largest end of the last block of the file.
    limit: u64,
    /// The end of the last block that was found.
    end: u64,
    budget: Budget,
}

impl IndexedBlocks {
    /// Adds a block. They must lie one after the other: a damaged index could name one any number of times.
    fn add(&mut self, separator: &[u8], handle: BlockHandle) -> Result<()> {
        let end = block::end(handle);
        if handle.offset < self.end || end > self.limit {
            let message = format!(
                "the index names a block of {} bytes at {}, which overlaps others or ends after the file",
                handle.bytes, handle.offset
            );
            return Err(Error::damaged(0, message));
        }
        self.end = end;
        self.budget.take(separator.len(), "the keys of an index")?;
        self.blocks.push(DataBlock { handle, separator: separator.to_vec() });
        Ok(())
    }
}

/// The blocks in the index block at `handle`, and the end of the last of them; the first one begins at `from` or later.
fn entries(
    source: &Source<'_>,
    footer: Footer,
    handle: BlockHandle,
    from: u64,
) -> Result<(Vec<DataBlock>, u64)> {
    let budget = Budget::new(SEPARATOR_BYTES_MAX);
    let mut found = IndexedBlocks { blocks: Vec::new(), limit: source.end(), end: from, budget };
    let block = Block::read(source, handle)?;
    let result = if footer.has_columns() {
        column_entries(&block.bytes, &mut found).map_err(|error| block.blame(error))
    } else {
        row_entries(block, &mut found)
    };
    result.map_err(|error| error.in_file(source.name()))?;
    Ok((found.blocks, found.end))
}

fn column_entries(bytes: &[u8], found: &mut IndexedBlocks) -> Result<()> {
    let header = Header::decode(bytes, 0)?;
    let separators = header.strings(bytes, 0, header.rows)?;
    let offsets = header.uints(bytes, 1, header.rows)?;
    let lengths = header.uints(bytes, 2, header.rows)?;
    for row in 0..header.rows {
        let (offset, bytes_there) = (offsets.get(bytes, row)?, lengths.get(bytes, row)?);
        found.add(separators.get(bytes, row)?, BlockHandle { offset, bytes: bytes_there })?;
    }
    Ok(())
}

/// Properties of the data block may follow each handle.
fn row_entries(block: Block, found: &mut IndexedBlocks) -> Result<()> {
    let at = block.handle.offset;
    let mut rows = block.rows(ROWS)?;
    while rows.advance()? {
        let (separator, _, _) = key::split(rows.key()).map_err(|error| error.shifted(at))?;
        found.add(separator, rows.handle()).map_err(|error| error.moved(at))?;
    }
    Ok(())
}
