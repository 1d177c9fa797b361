//! The index of a table, and the metaindex and properties: what is where.

use super::block::{self, Block, TRAILER_BYTES};
use super::columns::Header;
use super::footer::Footer;
use crate::table::properties::{Budget, NAMES_BYTES_MAX};
use crate::table::{Layout, Names, Source};
use crate::{BlockHandle, DataBlock, Error, Result, key};
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

fn column_names(bytes: &[u8]) -> Result<Names> {
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

/// The data blocks of a table in order.
///
/// # Errors
/// The first damage in the index; also when the blocks do not lie one after the other, because an index may otherwise
/// name one block any number of times.
pub(super) fn data_blocks(
    source: &Source<'_>,
    footer: Footer,
    two_level: bool,
) -> Result<Vec<DataBlock>> {
    let mut failures = Vec::new();
    let (blocks, _) = sound_blocks(source, footer, two_level, &mut failures);
    failures.into_iter().next().map_or(Ok(blocks), Err)
}

/// The data blocks that the sound parts of the index name, and the bytes of the index that were read. What could not be
/// read is put into `failures`.
pub(super) fn sound_blocks(
    source: &Source<'_>,
    footer: Footer,
    two_level: bool,
    failures: &mut Vec<Error>,
) -> (Vec<DataBlock>, u64) {
    let mut top = Found::new(source);
    let mut read = Found::new(source);
    let mut bytes = footer.index.bytes.min(source.end()) + TRAILER_BYTES;
    failures.extend(entries(source, footer, footer.index, &mut top).err());
    if !two_level {
        return (top.blocks, bytes);
    }
    for partition in top.blocks {
        bytes += partition.handle.bytes + TRAILER_BYTES;
        failures.extend(entries(source, footer, partition.handle, &mut read).err());
    }
    (read.blocks, bytes)
}

/// The blocks that were found so far.
struct Found {
    blocks: Vec<DataBlock>,
    /// Where the last block of the file ends at most.
    limit: u64,
    /// The end of the last block that was found.
    end: u64,
    budget: Budget,
}

impl Found {
    fn new(source: &Source<'_>) -> Self {
        let budget = Budget::new(SEPARATOR_BYTES_MAX);
        Self { blocks: Vec::new(), limit: source.end(), end: 0, budget }
    }

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

/// Adds what the index block at `handle` names.
fn entries(
    source: &Source<'_>,
    footer: Footer,
    handle: BlockHandle,
    found: &mut Found,
) -> Result<()> {
    let block = Block::read(source, handle)?;
    let result = if footer.has_columns() {
        column_entries(&block.bytes, found).map_err(|error| block.blame(error))
    } else {
        row_entries(block, found)
    };
    result.map_err(|error| error.in_file(source.name()))
}

fn column_entries(bytes: &[u8], found: &mut Found) -> Result<()> {
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
fn row_entries(block: Block, found: &mut Found) -> Result<()> {
    let at = block.handle.offset;
    let mut rows = block.rows(ROWS)?;
    while rows.advance()? {
        let (separator, _, _) = key::split(rows.key()).map_err(|error| error.shifted(at))?;
        found
            .add(separator, rows.handle())
            .map_err(|error| Error::new(error.kind(), error.message()).at(at))?;
    }
    Ok(())
}
