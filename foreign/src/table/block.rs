//! A block of sorted entries: its parts, and the encoding of an entry.

use crate::bytes::Cursor;
use crate::entry::BlockHandle;
use crate::{Error, Result};
use std::ops::Range;

/// The number at the end of a block: restarts in the lower 28 bits, flags above.
const RESTARTS_MASK: u32 = (1 << 28) - 1;
/// The offset in a restart point.
const RESTART_MASK: u32 = u32::MAX >> 1;
/// Keys and values are apart.
const FLAG_APART: u32 = 1 << 28;
/// Reserved: no version writes it.
const FLAG_RESERVED: u32 = 1 << 30;
/// A hash index stands at the end.
const FLAG_HASH: u32 = 1 << 31;

/// Encoding of the entries of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Metaindex, properties, range deletions: any keys.
    Plain,
    /// Data blocks: internal keys.
    Data,
    /// Index blocks of any kind.
    Index {
        /// Keys are user keys, not internal keys.
        user_keys: bool,
        /// Handles are differences to the one before, and values have no length.
        deltas: bool,
        /// The first key of the block comes after its handle.
        first_keys: bool,
    },
}

impl Layout {
    /// Whether keys end in sequence number and kind.
    pub fn has_internal_keys(self) -> bool {
        match self {
            Self::Plain => false,
            Self::Data => true,
            Self::Index { user_keys, .. } => !user_keys,
        }
    }

    pub(crate) fn has_deltas(self) -> bool {
        matches!(self, Self::Index { deltas: true, .. })
    }
}

/// A block, decompressed, with the parts at its end located.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    bytes: Vec<u8>,
    pub(super) entries_end: usize,
    /// The range of the values, if they are apart from the keys.
    pub(super) values: Option<Range<usize>>,
    pub(super) restarts: Range<usize>,
    hash: Range<usize>,
    handle: BlockHandle,
    raw: bool,
}

impl Block {
    /// Locates the parts of `bytes`, the decompressed block at `handle`; `raw` when it was not compressed, so that
    /// offsets in it are offsets in the file.
    ///
    /// # Errors
    /// `Damaged` when the parts at the end do not fit, `NotRead` when a flag is not known.
    pub fn new(bytes: Vec<u8>, handle: BlockHandle, raw: bool) -> Result<Self> {
        let mut block =
            Self { bytes, entries_end: 0, values: None, restarts: 0..0, hash: 0..0, handle, raw };
        let end = block.bytes.len();
        let (packed_at, packed) = block.number_before(end)?;
        if packed & FLAG_RESERVED != 0 {
            let message = "not read: a block with a flag that is not known";
            return Err(Error::not_read(message).at(block.place(packed_at)));
        }
        let mut tail = packed_at;
        let mut values_at = None;
        if packed & FLAG_APART != 0 {
            let (at, offset) = block.number_before(tail)?;
            (tail, values_at) = (at, Some(offset as usize));
        }
        if packed & FLAG_HASH != 0 {
            let count = tail.checked_sub(2).and_then(|at| block.bytes.get(at..tail));
            let count =
                count.map_or(0, |pair| pair.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b)));
            let Some(at) = tail.checked_sub(2 + count) else {
                return Err(block.damaged(packed_at, "the hash index is longer than the block"));
            };
            block.hash = at..tail;
            tail = at;
        }
        let count = (packed & RESTARTS_MASK) as usize;
        let Some(at) = count.checked_mul(4).and_then(|bytes| tail.checked_sub(bytes)) else {
            let message = format!("{count} restart points are longer than the block");
            return Err(block.damaged(packed_at, message));
        };
        block.restarts = at..tail;
        block.entries_end = values_at.unwrap_or(at);
        if block.entries_end > at {
            return Err(block.damaged(packed_at, "its values begin after their end"));
        }
        block.values = values_at.map(|start| start..at);
        Ok(block)
    }

    fn number_before(&self, end: usize) -> Result<(usize, u32)> {
        let at = end.checked_sub(4);
        let number = at.and_then(|at| self.number(at));
        at.zip(number).ok_or_else(|| self.damaged(0, "the block is too short for its end"))
    }

    fn number(&self, at: usize) -> Option<u32> {
        let bytes = self.bytes.get(at..at.checked_add(4)?)?;
        bytes.try_into().ok().map(u32::from_le_bytes)
    }

    /// The decompressed bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its handle in the file.
    pub fn handle(&self) -> BlockHandle {
        self.handle
    }

    /// Number of restart points.
    pub fn restarts(&self) -> usize {
        self.restarts.len() / 4
    }

    /// Ranges of the entries, the values if they are apart, the restart points, the hash index.
    pub fn parts(&self) -> [Range<usize>; 4] {
        let values = self.values.clone().unwrap_or(self.entries_end..self.entries_end);
        [0..self.entries_end, values, self.restarts.clone(), self.hash.clone()]
    }

    /// Whether values are not in their entries but after all keys.
    pub fn has_values_apart(&self) -> bool {
        self.values.is_some()
    }

    /// Offset of restart point `index`. Its top bit is no part of it: Pebble notes there that no key since the last one
    /// has another prefix.
    pub fn restart(&self, index: usize) -> Option<usize> {
        let at = index.checked_mul(4).and_then(|at| at.checked_add(self.restarts.start))?;
        (at < self.restarts.end)
            .then(|| self.number(at))
            .flatten()
            .map(|offset| (offset & RESTART_MASK) as usize)
    }

    /// The offset in the file of byte `at`; of a compressed block that of its first byte.
    pub(super) fn place(&self, at: usize) -> u64 {
        if self.raw { self.handle.offset.saturating_add(at as u64) } else { self.handle.offset }
    }

    /// Damage at byte `at`.
    pub fn damaged(&self, at: usize, message: impl Into<String>) -> Error {
        let mut message = message.into();
        if !self.raw {
            message = format!("{message} (byte {at} of the decompressed block)");
        }
        Error::damaged(self.place(at), message)
    }

    pub(super) fn moved(&self, error: &Error) -> Error {
        let at = error.offset().and_then(|at| usize::try_from(at).ok()).unwrap_or_default();
        self.damaged(at, error.message())
    }

    /// The header of the entry at `at`, with the unshared part of its key.
    pub(super) fn header(&self, at: usize, at_restart: bool, layout: Layout) -> Result<Header> {
        let entries = self.bytes.get(..self.entries_end).unwrap_or_default();
        let mut cursor = Cursor::new(entries.get(at..).unwrap_or_default(), at as u64);
        let parsed = self.parse(&mut cursor, at_restart, layout);
        parsed.map_err(|error| self.moved(&error))
    }

    fn parse(&self, cursor: &mut Cursor, at_restart: bool, layout: Layout) -> Result<Header> {
        let shared = cursor.varint32()? as usize;
        let unshared = cursor.varint32()? as usize;
        let length = if layout.has_deltas() { 0 } else { cursor.varint32()? as usize };
        let value_at = match (&self.values, at_restart) {
            (Some(_), true) => Some(cursor.varint32()? as usize),
            _ => None,
        };
        let start = position(cursor);
        cursor.take(unshared)?;
        let key = start..position(cursor);
        if self.values.is_none() {
            cursor.take(length)?;
        }
        Ok(Header { shared, key, length, value_at, end: position(cursor) })
    }
}

pub(super) fn position(cursor: &Cursor) -> usize {
    usize::try_from(cursor.offset()).unwrap_or(usize::MAX)
}

/// The beginning of an entry.
pub(super) struct Header {
    pub(super) shared: usize,
    /// The range of the unshared key bytes.
    pub(super) key: Range<usize>,
    pub(super) length: usize,
    /// The offset of its value among the values; at restart points of blocks that keep them apart.
    pub(super) value_at: Option<usize>,
    pub(super) end: usize,
}

#[cfg(test)]
mod tests;
