//! The index of a table: for each data block a key at or after its last key, and where it is.

use super::block::{Block, Damage, flat_entries};
use super::block_builder::BlockBuilder;
use super::block_search::Target;
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
///
/// A search looks at eight bytes of each key, which lie side by side; only where these are the same
/// does it look at whole keys.
#[derive(Debug)]
pub(crate) struct Index {
    block: Block,
    entries: Vec<IndexEntry>,
    /// Bytes that all user keys share.
    shared_bytes: usize,
    /// The next eight bytes of each user key as a number that orders like them.
    words: Vec<u64>,
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
        let mut index = Self { block, entries, shared_bytes: 0, words: Vec::new() };
        // Keys ascend, so what the first and the last share is shared by all.
        index.shared_bytes = shared_prefix(index.user_key(0), index.user_key(index.len() - 1));
        let words = (0..index.len()).map(|at| order_word(index.user_key(at), index.shared_bytes));
        index.words = words.collect();
        Ok(index)
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
        let shared = self.user_key(0).get(..self.shared_bytes).unwrap_or_default();
        if !target.user_key.starts_with(shared) {
            probe.comparison();
            return if target.user_key < shared { 0 } else { self.len() };
        }
        let word = order_word(target.user_key, self.shared_bytes);
        let first = self.words.partition_point(|other| {
            probe.comparison();
            *other < word
        });
        let same = self.entries.get(first..).unwrap_or_default();
        let words = self.words.get(first..).unwrap_or_default();
        if words.first() != Some(&word) {
            return first;
        }
        let same_count = words.partition_point(|other| *other == word);
        let same = same.get(..same_count).unwrap_or_default();
        let before = same.partition_point(|entry| {
            probe.comparison();
            target.is_after(self.key_of(entry))
        });
        first + before
    }

    /// Whether `target`, or else what comes after, can only be in the block `position`.
    pub(crate) fn belongs_to(&self, target: &Target<'_>, position: usize) -> bool {
        let after_one_before = position
            .checked_sub(1)
            .is_none_or(|before| self.key(before).is_some_and(|key| target.is_after(key)));
        after_one_before && self.key(position).is_some_and(|key| !target.is_after(key))
    }

    /// How many blocks from `position` on fit `bytes_max` with their trailers; at least one.
    pub(crate) fn blocks_within(&self, position: usize, bytes_max: u64) -> usize {
        let entries = self.entries.get(position..).unwrap_or_default();
        let start = entries.first().map_or(0, |entry| entry.handle.offset);
        let end = start.saturating_add(bytes_max);
        entries.partition_point(|entry| entry.handle.end().is_some_and(|at| at <= end)).max(1)
    }

    /// The first block with which a range up to the block `position` fits `bytes_max`.
    pub(crate) fn first_within(&self, position: usize, bytes_max: u64) -> usize {
        let entries = self.entries.get(..=position).unwrap_or_default();
        let end = entries.last().and_then(|entry| entry.handle.end()).unwrap_or(0);
        let start = end.saturating_sub(bytes_max);
        entries.partition_point(|entry| entry.handle.offset < start).min(position)
    }

    fn user_key(&self, position: usize) -> &[u8] {
        user_key(self.key(position).unwrap_or_default())
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

/// Eight bytes of `key` from `skip` on, as a number that orders like them; zeros stand for what is
/// missing.
#[inline]
fn order_word(key: &[u8], skip: usize) -> u64 {
    let rest = key.get(skip..).unwrap_or_default();
    let bytes = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        bytes
    });
    u64::from_le_bytes(bytes).swap_bytes()
}
