//! The index of a table: for each data block a key at or after its last key, and where it is.

use super::block::{Block, Damage, flat_entries};
use super::block_builder::BlockBuilder;
use super::format::{BLOCK_TRAILER_BYTES, Handle};
use crate::coding::shared_prefix;
use crate::event::ShownKey;
use crate::key::{
    KIND_SEEK, KeyWords, SplitKey, TRAILER_BYTES, compare_internal, internal_key, place_in,
    user_key,
};
use crate::limits::{KEY_BYTES_MAX, SEQUENCE_MAX};
use crate::probe::{Among, Probe};
use std::cmp::Ordering;
use std::ops::Range;

/// Collects index entries while data blocks are written.
#[derive(Debug)]
pub(super) struct IndexBuilder {
    block: BlockBuilder,
    value: Vec<u8>,
}

impl IndexBuilder {
    pub(super) fn new() -> Self {
        Self { block: BlockBuilder::new(1), value: Vec::new() }
    }

    /// Adds the data block at `handle`, which ends in `last_key`; `next_key` begins the next one.
    pub(super) fn add(&mut self, last_key: &[u8], next_key: Option<&[u8]>, handle: Handle) {
        self.value.clear();
        handle.encode(&mut self.value);
        match next_key.and_then(|next_key| separator(last_key, next_key)) {
            Some(key) => self.block.add(&key, &self.value),
            None => self.block.add(last_key, &self.value),
        }
    }

    /// Data blocks so far.
    pub(super) fn blocks(&self) -> u32 {
        self.block.entries()
    }

    /// Length of the index block \[bytes\].
    pub(super) fn bytes(&self) -> usize {
        self.block.finished_bytes()
    }

    /// The index block.
    pub(super) fn finish(&mut self) -> &[u8] {
        self.block.finish()
    }
}

/// An internal key with a user key shorter than that of `last`, from it on and before `next`, or `None`.
fn separator(last: &[u8], next: &[u8]) -> Option<Vec<u8>> {
    let (last, next) = (user_key(last), user_key(next));
    let shared = shared_prefix(last, next);
    // The separator is the shared prefix and the next byte of `last`, plus one. It must be shorter than `last`.
    let (below, above) = (*last.get(shared)?, *next.get(shared)?);
    let middle = below.checked_add(1).filter(|middle| *middle < above)?;
    let mut short = last.get(..shared)?.to_vec();
    short.push(middle);
    (short.len() < last.len()).then(|| internal_key(&short, SEQUENCE_MAX, KIND_SEEK))
}

/// The decoded index of an open table.
///
/// The fields that every search reads lie side by side, apart from the others: with many tables, searches wait for the
/// processor's cache.
#[derive(Debug)]
pub struct Index {
    block: Block,
    words: KeyWords,
    /// Where the keys are in `block`.
    keys: Vec<Range<u32>>,
    /// Where the data blocks end in the file; each begins where the one before ends.
    ends: Vec<u64>,
}

impl Index {
    /// Checks and decodes an index block: keys ascend, data blocks follow one another from 0 on. It is empty in a
    /// table that has range tombstones only.
    ///
    /// # Errors
    /// The flaw, and its offset in the block.
    pub fn decode(block: Block) -> Result<Self, Damage> {
        let (mut keys, mut ends): (Vec<Range<u32>>, Vec<u64>) = (Vec::new(), Vec::new());
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
            keys.push(start..stop);
            ends.push(end);
            previous = Some(key);
            expected_offset = end;
        }
        let index = Self { block, words: KeyWords::default(), keys, ends };
        let words = KeyWords::new(index.len(), |position| {
            user_key(index.key(position).unwrap_or_default())
        });
        Ok(Self { words, ..index })
    }

    /// Data blocks.
    #[expect(clippy::len_without_is_empty, reason = "callers compare it with a place in it")]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Where the block `position` is.
    pub fn handle(&self, position: usize) -> Option<Handle> {
        let end = *self.ends.get(position)?;
        let offset = self.start(position);
        Some(Handle { offset, bytes: (end - offset).saturating_sub(BLOCK_TRAILER_BYTES as u64) })
    }

    /// The index key of the block `position`: at or after its last key, before the next block.
    pub fn key(&self, position: usize) -> Option<&[u8]> {
        self.keys.get(position).map(|range| self.key_at(range))
    }

    /// The user key of the index key of the block `position`, to be shown.
    pub fn shown_key(&self, position: usize) -> ShownKey {
        ShownKey::new(user_key(self.key(position).unwrap_or_default()))
    }

    /// Where the data blocks end \[bytes\].
    pub fn data_end(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Length of the blocks `first` to `last`, both included, with their trailers; those after the last block count
    /// nothing \[bytes\].
    pub fn bytes_between(&self, first: usize, last: usize) -> u64 {
        if first > last || first >= self.len() {
            return 0;
        }
        let end = self.ends.get(last).copied().unwrap_or_else(|| self.data_end());
        end.saturating_sub(self.start(first))
    }

    /// The first block that can hold `target` or a later key; [`Self::len`] when none can.
    #[inline]
    pub fn find<P: Probe>(&self, target: &SplitKey<'_>, probe: &mut P) -> usize {
        probe.search(Among::Blocks, self.len());
        let unclear = self.words.unclear(target.user_key, |place, before| match place {
            Some(place) => probe.compared(before, || (place, self.shown_key(place))),
            None => probe.comparison(),
        });
        probe.narrow(unclear.clone());
        let keys = self.keys.get(unclear.clone()).unwrap_or_default();
        let before = keys.partition_point(|range| {
            let before = target.is_after(self.key_at(range));
            let place = || unclear.start + place_in(keys, range);
            probe.compared(before, || (place(), self.shown_key(place())));
            before
        });
        unclear.start + before
    }

    /// Whether `target`, or else the next key, can only be in the block `position`.
    pub fn belongs_to(&self, target: &SplitKey<'_>, position: usize) -> bool {
        let after_one_before = position
            .checked_sub(1)
            .is_none_or(|before| self.key(before).is_some_and(|key| target.is_after(key)));
        after_one_before && self.key(position).is_some_and(|key| !target.is_after(key))
    }

    /// How many blocks from `position` on fit `bytes_max` with their trailers; at least one.
    pub fn blocks_within(&self, position: usize, bytes_max: u64) -> usize {
        let end = self.start(position).saturating_add(bytes_max);
        let ends = self.ends.get(position..).unwrap_or_default();
        ends.partition_point(|at| *at <= end).max(1)
    }

    /// The first block with which a range up to the block `position` fits `bytes_max`.
    pub fn first_within(&self, position: usize, bytes_max: u64) -> usize {
        let end = self.ends.get(position).copied().unwrap_or(0);
        let start = end.saturating_sub(bytes_max);
        // The block after the last one that begins too early.
        let early = self.ends.partition_point(|at| *at < start);
        if start == 0 { 0 } else { (early + 1).min(position) }
    }

    /// Where the block `position` begins in the file.
    #[inline]
    fn start(&self, position: usize) -> u64 {
        position.checked_sub(1).and_then(|before| self.ends.get(before).copied()).unwrap_or(0)
    }

    /// Whether all of the block `position` comes before `target`.
    #[inline]
    pub fn is_before(&self, position: usize, target: &SplitKey<'_>) -> bool {
        self.key(position).is_some_and(|key| target.is_after(key))
    }

    #[inline]
    fn key_at(&self, range: &Range<u32>) -> &[u8] {
        self.block.slice(range.start as usize..range.end as usize)
    }
}
