//! The prefix index: from the prefix of a key straight to the data blocks that hold it.
//!
//! A meta block of a table may list the blocks that hold the keys of each prefix. When the table is opened, the reader
//! builds one of two forms from it, both with a hash of the prefix in front:
//!
//! - *exact*: open addressing over the prefixes themselves; knows which prefixes are absent;
//! - *compact*: only block numbers, four bytes a bucket. Prefixes that share a bucket share its
//!   blocks, so a search compares the index keys of these few blocks; an absent prefix may cost a
//!   look at a block.
//!
//! ```text
//! exact    slots:   | prefix number or free u32 | …        at least two slots a prefix
//! compact  buckets: | u32 | …                              one more than prefixes
//!                   bit 31 clear: a block number; 0x7fffffff: nothing
//!                   bit 31 set:   where in `lists`: count, block numbers in ascending order
//! ```
//! Prior art: `RocksDB`'s `block_prefix_index` (compact), and the map that it replaced (exact).

use super::block::{Block, Damage, flat_entries};
use super::block_builder::BlockBuilder;
use crate::coding::{Reader, put_varint};
use crate::filter::hash;
use crate::limits::BLOCK_BYTES_MAX;
use crate::{PrefixExtractor, PrefixIndexForm};
use std::ops::Range;

/// Name of the block of prefixes in the meta index.
pub(crate) const PREFIX_INDEX_NAME: &[u8] = b"index.prefix";

/// A bucket without blocks, and a slot without prefix.
pub(super) const FREE: u32 = 0x7fff_ffff;
/// Set in a bucket that has more than one block.
pub(super) const LIST: u32 = 0x8000_0000;

/// Collects the prefixes of one table while it is written.
#[derive(Debug)]
pub(crate) struct PrefixCollector {
    extractor: PrefixExtractor,
    prefix: Vec<u8>,
    /// The blocks of `prefix`, the last one included; empty before the first prefix.
    blocks: Range<u32>,
    /// `None`: the options ask for no block of prefixes.
    block: Option<BlockBuilder>,
    value: Vec<u8>,
}

impl PrefixCollector {
    /// A collector of the prefixes that `extractor` finds; it keeps the blocks of each prefix only if they are wanted
    /// for an index.
    pub(crate) fn new(extractor: PrefixExtractor, wants_index: bool) -> Self {
        Self {
            extractor,
            prefix: Vec::new(),
            blocks: 0..0,
            block: wants_index.then(|| BlockBuilder::new(1)),
            value: Vec::new(),
        }
    }

    /// Notes that `user_key` is in data block `position`; its prefix when that is a new one.
    pub(crate) fn add<'a>(&mut self, user_key: &'a [u8], position: u32) -> Option<&'a [u8]> {
        let prefix = self.extractor.prefix_of(user_key)?;
        if !self.blocks.is_empty() && prefix == self.prefix {
            self.blocks.end = position.saturating_add(1);
            return None;
        }
        self.end_prefix();
        self.prefix.clear();
        self.prefix.extend_from_slice(prefix);
        self.blocks = position..position.saturating_add(1);
        Some(prefix)
    }

    fn end_prefix(&mut self) {
        if let Some(block) = self.block.as_mut().filter(|_| !self.blocks.is_empty()) {
            self.value.clear();
            put_varint(&mut self.value, u64::from(self.blocks.start));
            put_varint(&mut self.value, self.blocks.len() as u64);
            block.add(&self.prefix, &self.value);
        }
    }

    /// The block of prefixes; `None` when it is not wanted, without any prefix, or when it would
    /// exceed a block: the table then does with its ordinary index.
    pub(crate) fn finish(&mut self) -> Option<Vec<u8>> {
        self.end_prefix();
        self.blocks = 0..0;
        let block = self.block.as_mut()?;
        let fits = !block.is_empty() && block.finished_bytes() <= BLOCK_BYTES_MAX;
        fits.then(|| block.finish().to_vec())
    }
}

/// Where the keys of a prefix are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Candidates<'a> {
    /// No key of the table has the prefix.
    Absent,
    /// In these blocks and in no others.
    Range(Range<u32>),
    /// Among these blocks, in ascending order; perhaps nowhere.
    Among(&'a [u32]),
    /// Perhaps in this block; otherwise nowhere.
    One(u32),
}

/// The prefix index of an open table.
#[derive(Debug)]
pub(crate) struct PrefixIndex {
    extractor: PrefixExtractor,
    form: Form,
}

#[derive(Debug)]
pub(super) enum Form {
    Exact { slots: Vec<u32>, prefixes: Vec<u8>, spans: Vec<Span> },
    Compact { buckets: Vec<u32>, lists: Vec<u32> },
}

/// One prefix: where it ends in the arena of prefixes, and its blocks.
#[derive(Debug, Clone)]
pub(super) struct Span {
    prefix_end: u32,
    pub(super) blocks: Range<u32>,
}

impl PrefixIndex {
    /// Reads the block of prefixes of a table with `data_blocks` blocks, and builds `form` from it.
    ///
    /// # Errors
    /// The flaw, and its offset in the block.
    pub(crate) fn decode(
        block: &Block,
        extractor: PrefixExtractor,
        form: PrefixIndexForm,
        data_blocks: usize,
    ) -> Result<Option<Self>, Damage> {
        let (prefixes, spans) = read_spans(block, extractor, data_blocks)?;
        let form = match form {
            PrefixIndexForm::None => return Ok(None),
            PrefixIndexForm::Exact => build_exact(prefixes, spans),
            PrefixIndexForm::Compact => build_compact(&prefixes, &spans),
        };
        Ok(Some(Self { extractor, form }))
    }

    /// The words of its slots or buckets, in their order.
    pub(super) fn words(&self) -> &[u32] {
        match &self.form {
            Form::Exact { slots, .. } => slots,
            Form::Compact { buckets, .. } => buckets,
        }
    }

    /// Its form in memory.
    pub(super) fn parts(&self) -> &Form {
        &self.form
    }

    /// The form that this is.
    pub(crate) fn form(&self) -> PrefixIndexForm {
        match self.form {
            Form::Exact { .. } => PrefixIndexForm::Exact,
            Form::Compact { .. } => PrefixIndexForm::Compact,
        }
    }

    /// The memory that it takes \[bytes\].
    pub(crate) fn memory_bytes(&self) -> usize {
        match &self.form {
            Form::Exact { slots, prefixes, spans } => {
                4 * slots.capacity() + prefixes.capacity() + size_of::<Span>() * spans.capacity()
            }
            Form::Compact { buckets, lists } => 4 * (buckets.capacity() + lists.capacity()),
        }
    }

    /// Where the keys with the prefix of `user_key` are; `None` when it has no prefix.
    pub(crate) fn find(&self, user_key: &[u8]) -> Option<Candidates<'_>> {
        let prefix = self.extractor.prefix_of(user_key)?;
        Some(match &self.form {
            Form::Exact { slots, prefixes, spans } => find_exact(slots, prefixes, spans, prefix),
            Form::Compact { buckets, lists } => find_compact(buckets, lists, prefix),
        })
    }
}

/// The bytes of prefix `number`.
pub(super) fn prefix_at<'a>(prefixes: &'a [u8], spans: &[Span], number: usize) -> &'a [u8] {
    let begin = number.checked_sub(1).and_then(|before| spans.get(before));
    let begin = begin.map_or(0, |span| span.prefix_end) as usize;
    let end = spans.get(number).map_or(begin, |span| span.prefix_end as usize);
    prefixes.get(begin..end).unwrap_or_default()
}

/// All prefixes, concatenated, and their blocks.
pub(super) fn read_spans(
    block: &Block,
    extractor: PrefixExtractor,
    data_blocks: usize,
) -> Result<(Vec<u8>, Vec<Span>), Damage> {
    let mut prefixes: Vec<u8> = Vec::new();
    let mut spans: Vec<Span> = Vec::new();
    let mut previous: Option<&[u8]> = None;
    for item in flat_entries(block) {
        let (entry, prefix, value) = item?;
        let damage = |what| Damage { at: entry.suffix, what };
        if extractor.prefix_of(prefix) != Some(prefix) {
            return Err(damage("what should be a prefix is none"));
        }
        if previous.is_some_and(|before| before >= prefix) {
            return Err(damage("the prefixes do not ascend"));
        }
        let mut reader = Reader::new(value);
        let mut number = || reader.varint().and_then(|number| u32::try_from(number).ok());
        let (first, count) = (number(), number());
        let blocks =
            first.zip(count).and_then(|(first, count)| Some(first..first.checked_add(count)?));
        // Prefixes are in the order of their keys, so a block ends no later than the next begins.
        let begin_min = spans.last().map_or(0, |span| span.blocks.end - 1);
        let blocks = blocks.filter(|blocks| {
            reader.is_empty()
                && !blocks.is_empty()
                && blocks.start >= begin_min
                && blocks.end as usize <= data_blocks
                && blocks.end < FREE
        });
        let blocks = blocks.ok_or(damage("a prefix has impossible blocks"))?;
        prefixes.extend_from_slice(prefix);
        let prefix_end = u32::try_from(prefixes.len()).map_err(|_| damage("too many prefixes"))?;
        spans.push(Span { prefix_end, blocks });
        previous = Some(prefix);
    }
    prefixes.shrink_to_fit();
    spans.shrink_to_fit();
    Ok((prefixes, spans))
}

pub(super) fn slot_of(hash: u64, count: usize) -> usize {
    // The high half times the count, halved again: even without a division.
    let scaled = u128::from(hash) * count as u128;
    usize::try_from(scaled >> 64).unwrap_or(0)
}

fn build_exact(prefixes: Vec<u8>, spans: Vec<Span>) -> Form {
    let mut slots = vec![FREE; spans.len() * 2];
    for (number, stored) in (0..).zip(0..spans.len()) {
        let mut slot = slot_of(hash(prefix_at(&prefixes, &spans, stored)), slots.len());
        while slots.get(slot).is_some_and(|taken| *taken != FREE) {
            slot = (slot + 1) % slots.len();
        }
        if let Some(slot) = slots.get_mut(slot) {
            *slot = number;
        }
    }
    Form::Exact { slots, prefixes, spans }
}

fn find_exact<'a>(slots: &[u32], prefixes: &[u8], spans: &[Span], prefix: &[u8]) -> Candidates<'a> {
    let mut slot = slot_of(hash(prefix), slots.len());
    // Half of the slots are free, so this ends.
    while let Some(&number) = slots.get(slot).filter(|number| **number != FREE) {
        let number = number as usize;
        if prefix_at(prefixes, spans, number) == prefix
            && let Some(span) = spans.get(number)
        {
            return Candidates::Range(span.blocks.clone());
        }
        slot = (slot + 1) % slots.len();
    }
    Candidates::Absent
}

fn build_compact(prefixes: &[u8], spans: &[Span]) -> Form {
    let count = spans.len() + 1;
    // (bucket, blocks), grouped by bucket; within one the blocks ascend, as the prefixes do.
    let mut placed: Vec<(usize, Range<u32>)> = (0..spans.len())
        .zip(spans)
        .map(|(number, span)| {
            (slot_of(hash(prefix_at(prefixes, spans, number)), count), span.blocks.clone())
        })
        .collect();
    placed.sort_by_key(|(bucket, blocks)| (*bucket, blocks.start));
    let mut buckets = vec![FREE; count];
    let mut lists = Vec::new();
    let mut blocks: Vec<u32> = Vec::new();
    for group in placed.chunk_by(|left, right| left.0 == right.0) {
        blocks.clear();
        for block in group.iter().flat_map(|(_, blocks)| blocks.clone()) {
            if blocks.last() != Some(&block) {
                blocks.push(block);
            }
        }
        let place = group.first().and_then(|(bucket, _)| buckets.get_mut(*bucket));
        let Some(place) = place else { continue };
        match blocks.as_slice() {
            [block] => *place = *block,
            many => {
                // A table has fewer prefixes and blocks than bytes, so both numbers are small.
                *place = u32::try_from(lists.len()).unwrap_or(0) | LIST;
                lists.push(u32::try_from(many.len()).unwrap_or(0));
                lists.extend_from_slice(many);
            }
        }
    }
    lists.shrink_to_fit();
    Form::Compact { buckets, lists }
}

fn find_compact<'a>(buckets: &[u32], lists: &'a [u32], prefix: &[u8]) -> Candidates<'a> {
    match buckets.get(slot_of(hash(prefix), buckets.len())) {
        None | Some(&FREE) => Candidates::Absent,
        Some(block) if block & LIST == 0 => Candidates::One(*block),
        Some(list) => {
            let list = lists.get((list & !LIST) as usize..).unwrap_or_default();
            let blocks = list.split_first().and_then(|(count, rest)| rest.get(..*count as usize));
            blocks.map_or(Candidates::Absent, Candidates::Among)
        }
    }
}
