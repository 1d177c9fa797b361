//! The index of a table: for each data block a key at or after its last key, and where it is.

use super::block::{Block, Damage, flat_entries};
use super::block_builder::BlockBuilder;
use super::block_iter::Target;
use super::format::Handle;
use crate::coding::shared_prefix;
use crate::key::{KIND_SEEK, TRAILER_BYTES, compare_internal, internal_key, user_key};
use crate::limits::{KEY_BYTES_MAX, SEQUENCE_MAX};
use crate::probe::Probe;
use std::cmp::Ordering;
use std::ops::Range;

/// Collects index entries while data blocks are written.
#[derive(Debug)]
pub(crate) struct IndexBuilder {
    block: BlockBuilder,
    value: Vec<u8>,
}

impl IndexBuilder {
    pub(crate) fn new() -> Self {
        Self { block: BlockBuilder::new(1), value: Vec::new() }
    }

    /// Adds the data block at `handle`, which ends in `last_key`; `next_key` begins the next one.
    pub(crate) fn add(&mut self, last_key: &[u8], next_key: Option<&[u8]>, handle: Handle) {
        self.value.clear();
        handle.encode(&mut self.value);
        match next_key.and_then(|next_key| separator(last_key, next_key)) {
            Some(key) => self.block.add(&key, &self.value),
            None => self.block.add(last_key, &self.value),
        }
    }

    /// Data blocks so far.
    pub(crate) fn blocks(&self) -> u32 {
        self.block.entries()
    }

    /// Length of the index block \[bytes\].
    pub(crate) fn bytes(&self) -> usize {
        self.block.finished_bytes()
    }

    /// The index block.
    pub(crate) fn finish(&mut self) -> &[u8] {
        self.block.finish()
    }
}

/// An internal key with a user key shorter than that of `last`, from it on and before `next`;
/// `None` when there is none.
fn separator(last: &[u8], next: &[u8]) -> Option<Vec<u8>> {
    let (last, next) = (user_key(last), user_key(next));
    let shared = shared_prefix(last, next);
    // Only what is cut off makes room: the byte behind the shared part, made larger by one.
    let (below, above) = (*last.get(shared)?, *next.get(shared)?);
    let middle = below.checked_add(1).filter(|middle| *middle < above)?;
    let mut short = last.get(..shared)?.to_vec();
    short.push(middle);
    (short.len() < last.len()).then(|| internal_key(&short, SEQUENCE_MAX, KIND_SEEK))
}

/// The decoded index of an open table.
#[derive(Debug)]
pub(crate) struct Index {
    block: Block,
    entries: Vec<IndexEntry>,
}

#[derive(Debug)]
struct IndexEntry {
    key: Range<u32>,
    handle: Handle,
}

impl Index {
    /// Checks and decodes an index block: keys ascend, data blocks follow one another from 0 on.
    ///
    /// # Errors
    /// What is wrong, and where in the block.
    pub(crate) fn decode(block: Block) -> Result<Self, Damage> {
        let mut entries: Vec<IndexEntry> = Vec::new();
        let mut previous: Option<&[u8]> = None;
        let mut expected_offset = 0;
        for item in flat_entries(&block) {
            let (entry, key, value) = item?;
            let damage = |what| Err(Damage { at: entry.suffix, what });
            if !(TRAILER_BYTES..=KEY_BYTES_MAX + TRAILER_BYTES).contains(&key.len()) {
                return damage("an index key is too short or too long");
            }
            if previous.is_some_and(|before| compare_internal(before, key) != Ordering::Less) {
                return damage("the index keys do not ascend");
            }
            let handle = Handle::decode(value).filter(|handle| handle.sealed_bytes().is_some());
            let Some((handle, end)) = handle.and_then(|handle| Some((handle, handle.end()?)))
            else {
                return damage("the index has an impossible block handle");
            };
            if handle.offset != expected_offset {
                return damage("the data blocks do not follow one another");
            }
            let (Ok(start), Ok(stop)) = (u32::try_from(entry.suffix), u32::try_from(entry.value))
            else {
                return damage("the index is too large");
            };
            entries.push(IndexEntry { key: start..stop, handle });
            previous = Some(key);
            expected_offset = end;
        }
        if entries.is_empty() {
            return Err(Damage { at: 0, what: "the index is empty" });
        }
        Ok(Self { block, entries })
    }

    /// Data blocks.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Where the block `position` is.
    pub(crate) fn handle(&self, position: usize) -> Option<Handle> {
        self.entries.get(position).map(|entry| entry.handle)
    }

    /// The index key of the block `position`: at or after its last key, before the next block.
    pub(crate) fn key(&self, position: usize) -> Option<&[u8]> {
        self.entries.get(position).map(|entry| self.key_of(entry))
    }

    /// Where the data blocks end \[bytes\].
    pub(crate) fn data_end(&self) -> u64 {
        self.entries.last().and_then(|entry| entry.handle.end()).unwrap_or(0)
    }

    /// The first block that can hold `target` or what comes after; [`Self::len`] when none can.
    #[inline]
    pub(crate) fn find<P: Probe>(&self, target: &Target<'_>, probe: &mut P) -> usize {
        self.entries.partition_point(|entry| {
            probe.comparison();
            target.is_after(self.key_of(entry))
        })
    }

    /// Whether all of the block `position` comes before `target`.
    #[inline]
    pub(crate) fn is_before(&self, position: usize, target: &Target<'_>) -> bool {
        self.key(position).is_some_and(|key| target.is_after(key))
    }

    #[inline]
    fn key_of(&self, entry: &IndexEntry) -> &[u8] {
        self.block.slice(entry.key.start as usize..entry.key.end as usize)
    }
}
