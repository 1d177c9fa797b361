//! One decoded block: entries and restart points, checked so far that searching cannot go wrong.
//!
//! ```text
//! entry:  varint shared | varint unshared | varint value length | key suffix | value
//! block:  entry ... | restart offset u32 ... | restart count u32
//! ```
//! An entry shares its first bytes with the entry before it; at a restart point it shares none.

use super::spare;
use crate::coding::Reader;
use std::ops::Range;

/// The flaw of a block, and its offset in the decompressed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// Offset in the block, decompressed \[bytes\].
    pub at: usize,
    /// The flaw, as a clause.
    pub what: &'static str,
}

/// A decompressed block. Restart offsets are known to ascend and to lie among the entries.
#[derive(Debug)]
pub struct Block {
    bytes: Vec<u8>,
    entries_end: usize,
    restart_count: usize,
}

/// Where the parts of one entry are in the block.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Bytes of the key that are those of the key before.
    pub shared: usize,
    /// Where the other bytes of the key begin.
    pub suffix: usize,
    /// Where the value begins.
    pub value: usize,
    /// Where the next entry begins.
    pub end: usize,
}

const NO_RESTART_POINT: &str = "the block has no restart point";

impl Block {
    /// Checks the frame of a decompressed block that may have no entry: the index of a table without data
    /// blocks.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn new_or_empty(bytes: Vec<u8>) -> Result<Self, Damage> {
        if bytes == [0; 4] {
            return Ok(Self { entries_end: 0, restart_count: 0, bytes });
        }
        Self::new(bytes)
    }

    /// Checks the frame of a decompressed block.
    ///
    /// # Errors
    /// The flaw of the restart points.
    pub fn new(bytes: Vec<u8>) -> Result<Self, Damage> {
        let damage = |at, what| Err(Damage { at, what });
        let Some((front, count)) = bytes.split_last_chunk::<4>() else {
            return damage(0, "the block is too short for its restart count");
        };
        let count_at = front.len();
        let restart_count = usize::try_from(u32::from_le_bytes(*count)).ok();
        let tail = restart_count.and_then(|count| count.checked_mul(4));
        let Some(entries_end) = tail.and_then(|tail| count_at.checked_sub(tail)) else {
            return damage(count_at, "the block is too short for its restart points");
        };
        let block = Self { entries_end, restart_count: restart_count.unwrap_or(0), bytes };
        if block.restart_count == 0 {
            return damage(count_at, NO_RESTART_POINT);
        }
        let mut next_min = 0;
        for index in 0..block.restart_count {
            let restart = block.restart(index);
            let first = index != 0 || restart == 0;
            if !first || restart < next_min || restart >= entries_end {
                return damage(entries_end + 4 * index, "a restart point is out of order");
            }
            next_min = restart + 1;
        }
        Ok(block)
    }

    /// The whole block.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A range of the block; empty when it is outside.
    #[inline]
    pub fn slice(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// Where the entries end and the restart points begin.
    #[inline]
    pub fn entries_end(&self) -> usize {
        self.entries_end
    }

    /// How many restart points there are; at least one, unless the block has no entry.
    pub fn restart_count(&self) -> usize {
        self.restart_count
    }

    /// Offset of the restart point `index`; the end of the entries for an index after the last one.
    pub fn restart(&self, index: usize) -> usize {
        if index >= self.restart_count {
            return self.entries_end;
        }
        let at = self.entries_end + 4 * index;
        let word = self.bytes.get(at..).and_then(<[u8]>::first_chunk::<4>);
        word.map_or(self.entries_end, |word| {
            usize::try_from(u32::from_le_bytes(*word)).unwrap_or(usize::MAX)
        })
    }

    /// The entry at `at`, which must be where an entry begins.
    #[inline]
    pub fn entry(&self, at: usize) -> Result<Entry, Damage> {
        self.parse_entry(at).ok_or(Damage { at, what: "an entry is cut off" })
    }

    #[inline]
    fn parse_entry(&self, at: usize) -> Option<Entry> {
        let bytes = self.bytes.get(at..self.entries_end)?;
        // Nearly every length is below 128, one byte each.
        let (shared, unshared, value_bytes, header) = match bytes {
            [shared, unshared, value, ..] if (shared | unshared | value) < 0x80 => {
                (usize::from(*shared), usize::from(*unshared), usize::from(*value), 3)
            }
            _ => {
                let mut reader = Reader::new(bytes);
                let mut length = || usize::try_from(reader.varint()?).ok();
                let lengths = (length()?, length()?, length()?);
                (lengths.0, lengths.1, lengths.2, reader.position())
            }
        };
        let suffix = at + header;
        let value = suffix.checked_add(unshared)?;
        let end = value.checked_add(value_bytes).filter(|end| *end <= self.entries_end)?;
        // The key before cannot be longer than all the bytes before.
        (shared <= at).then_some(Entry { shared, suffix, value, end })
    }

    /// The key at the restart point `index`, which shares nothing and so lies in the block.
    #[inline]
    pub fn restart_key(&self, index: usize) -> Result<&[u8], Damage> {
        let at = self.restart(index);
        let entry = self.entry(at)?;
        if entry.shared != 0 {
            return Err(Damage { at, what: "an entry at a restart point shares a prefix" });
        }
        Ok(self.slice(entry.suffix..entry.value))
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        spare::give(std::mem::take(&mut self.bytes));
    }
}

/// The entries of a block with restart interval 1: keys and values as they lie there.
///
/// # Errors
/// Items may be errors; iteration ends after the first.
pub(crate) fn flat_entries(
    block: &Block,
) -> impl Iterator<Item = Result<(Entry, &[u8], &[u8]), Damage>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= block.entries_end {
            return None;
        }
        let entry = block.entry(at).and_then(|entry| {
            if entry.shared == 0 {
                Ok(entry)
            } else {
                Err(Damage { at, what: "an entry shares a prefix where none may" })
            }
        });
        at = entry.map_or(block.entries_end, |entry| entry.end);
        Some(entry.map(|entry| {
            (entry, block.slice(entry.suffix..entry.value), block.slice(entry.value..entry.end))
        }))
    })
}
