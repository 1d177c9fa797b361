//! Writes a table of any step, also with other sizes than the usual ones.

use super::block::BlockWriter;
use super::coding::Coding;
use super::{UNSORTED, stored_value};
use crate::{Entry, u32_of};
use levelscope::{Error, Result};

/// A step of the table ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Entries with lengths of two bytes.
    Fixed,
    /// Entries with varint lengths.
    Varint,
    /// The same, with the offset of each entry.
    Indexed,
    /// Entries in blocks, with the last key of each block in an index.
    Blocks,
    /// Each block compressed with Snappy.
    Snappy,
    /// Keys without the prefix shared with the first key of their chunk, blocks compressed.
    Incremental,
    /// The same without compression.
    IncrementalRaw,
}

impl Step {
    /// All of them, in order.
    pub const ALL: [Self; 7] = [
        Self::Fixed,
        Self::Varint,
        Self::Indexed,
        Self::Blocks,
        Self::Snappy,
        Self::Incremental,
        Self::IncrementalRaw,
    ];

    pub(super) fn coding(self) -> Coding {
        match self {
            Self::Fixed => Coding::Fixed,
            Self::Varint | Self::Indexed | Self::Blocks | Self::Snappy => Coding::Varint,
            Self::Incremental | Self::IncrementalRaw => Coding::Shared,
        }
    }

    /// Whether blocks are compressed.
    pub(super) fn compressed(self) -> bool {
        matches!(self, Self::Snappy | Self::Incremental)
    }
}

/// Settings of a table of the ladder. Readers need none of them: the file records the differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableSettings {
    /// The step.
    pub step: Step,
    /// Size of a block \[bytes\]: it is closed when its entries take more than nine tenths of it.
    pub block_bytes: usize,
    /// Entries of a chunk, which share parts of its first key, from the incremental step on.
    pub chunk_entries: usize,
    /// Whether the index is written. Without it, a table whose entries are plain is one of the step
    /// before: `ladder-varint` reads what is left.
    pub index: bool,
}

impl TableSettings {
    /// The usual settings of a step: blocks of 4,096 bytes, chunks of 16 entries, with an index.
    pub fn new(step: Step) -> Self {
        Self { step, block_bytes: 4096, chunk_entries: 16, index: true }
    }

    /// A table with `entries`, which are in ascending order of their keys. Cost: their bytes, twice.
    ///
    /// # Errors
    /// `InvalidArgument` when the keys do not ascend, when the step cannot hold an entry or its offset, or
    /// when the settings are invalid.
    pub fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        self.validate()?;
        let sorted = entries.windows(2).all(|pair| match pair {
            [left, right] => left.key < right.key,
            _ => true,
        });
        if !sorted {
            return Err(Error::invalid(UNSORTED));
        }
        match self.step {
            Step::Fixed | Step::Varint | Step::Indexed => self.write_plain(entries),
            _ => self.write_blocks(entries),
        }
    }

    fn validate(&self) -> Result<()> {
        if self.block_bytes == 0 || self.chunk_entries == 0 {
            return Err(Error::invalid("a block and a chunk hold at least one entry"));
        }
        if !self.index
            && matches!(self.step, Step::Snappy | Step::Incremental | Step::IncrementalRaw)
        {
            let message = "without an index, the ends of this step's blocks would be unknown";
            return Err(Error::invalid(message));
        }
        Ok(())
    }

    fn write_plain(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        let mut offsets = Vec::new();
        for entry in entries {
            offsets.push(u32_of(file.len())?);
            let stored = stored_value(entry.value.as_deref());
            self.step.coding().put(&mut file, 0, &entry.key, &stored)?;
        }
        if self.step == Step::Indexed && self.index {
            put_numbers(&mut file, &offsets);
            put_numbers(&mut file, &[u32_of(offsets.len())?]);
        }
        Ok(file)
    }

    fn write_blocks(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        let mut index = BlockWriter::new(self.step.coding(), 1);
        let mut block = BlockWriter::new(self.step.coding(), self.chunk_entries);
        let mut entries = entries.iter().peekable();
        while let Some(entry) = entries.next() {
            block.add(&entry.key, &stored_value(entry.value.as_deref()))?;
            if block.entry_bytes() <= self.block_bytes / 10 * 9 + self.block_bytes % 10 * 9 / 10
                && entries.peek().is_some()
            {
                continue;
            }
            let content = match self.step.coding() {
                Coding::Shared => block.finish()?,
                _ => block.entries(),
            };
            let stored = if self.step.compressed() { compress(&content)? } else { content };
            let place = [u32_of(file.len())?, u32_of(stored.len())?];
            let mut handle = stored_value(Some(&[]));
            put_numbers(&mut handle, &place);
            index.add(&entry.key, &handle)?;
            file.extend_from_slice(&stored);
        }
        if self.index {
            file.extend_from_slice(&index.finish()?);
        }
        Ok(file)
    }
}

fn compress(content: &[u8]) -> Result<Vec<u8>> {
    let compressed = snap::raw::Encoder::new().compress_vec(content);
    compressed.map_err(|_| Error::invalid("a block is too large for Snappy"))
}

/// Appends numbers of four bytes.
pub(super) fn put_numbers(out: &mut Vec<u8>, numbers: &[u32]) {
    for number in numbers {
        out.extend_from_slice(&number.to_le_bytes());
    }
}
