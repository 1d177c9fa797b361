//! The prefix filter and the prefix index of a table, each optional.

use super::builder::TableOptions;
use super::index::Index;
use super::prefix_index::{Candidates, PrefixCollector, PrefixIndex};
use crate::filter::{Filter, FilterBuilder, hash};
use crate::key::SplitKey;
use crate::probe::{Among, FilterAnswer, NoProbe, Probe};
use crate::{PrefixExtractor, PrefixIndexForm};
use std::ops::Range;

/// Name of the filter of prefixes in the meta index.
pub(crate) const PREFIX_FILTER_NAME: &[u8] = b"filter.prefix";

/// Collects the prefix filter and index of a new table.
#[derive(Debug)]
pub(super) struct PrefixesBuilder {
    extractor: PrefixExtractor,
    collector: PrefixCollector,
    filter: Option<FilterBuilder>,
    written: bool,
}

impl PrefixesBuilder {
    pub(super) fn new(options: &TableOptions) -> Self {
        let wanted = options.prefix_filter || options.prefix_index;
        let extractor = if wanted { options.prefix } else { PrefixExtractor::None };
        Self {
            extractor,
            collector: PrefixCollector::new(extractor, options.prefix_index),
            filter: options.prefix_filter.then(FilterBuilder::default),
            written: false,
        }
    }

    /// Notes that `user_key` is in data block `position`.
    #[inline]
    pub(super) fn add(&mut self, user_key: &[u8], position: u32) {
        if self.extractor == PrefixExtractor::None {
            return;
        }
        if let Some(prefix) = self.collector.add(user_key, position)
            && let Some(filter) = &mut self.filter
        {
            filter.add(prefix);
        }
    }

    /// The filter block, unless there is nothing to filter.
    pub(super) fn filter(&mut self, bits_per_key: usize) -> Option<Vec<u8>> {
        let filter = self.filter.as_ref().filter(|filter| filter.keys() > 0)?;
        self.written = true;
        Some(filter.finish(bits_per_key))
    }

    /// The block of prefixes, unless there are none or far too many.
    pub(super) fn index(&mut self) -> Option<Vec<u8>> {
        let block = self.collector.finish()?;
        self.written = true;
        Some(block)
    }

    /// The extractor of the written blocks; `None` when none was written.
    pub(super) fn extractor(&self) -> Option<PrefixExtractor> {
        self.written.then_some(self.extractor)
    }
}

/// The prefix filter and the prefix index of an open table.
#[derive(Debug, Default)]
pub(crate) struct Prefixes {
    pub(super) extractor: PrefixExtractor,
    pub(super) filter: Option<Filter>,
    pub(super) index: Option<PrefixIndex>,
}

/// The block of a key, as far as its prefix decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Located {
    /// The entry sought can only be in this block; the first key after the target is in it, or begins the
    /// next one.
    Block(usize),
    /// The table has no key with this prefix.
    Absent,
    /// Nothing: the ordinary index has to be searched.
    Unknown,
}

impl Prefixes {
    /// Whether the table may have keys that begin with `beginning`; false is certain.
    pub(crate) fn may_have(&self, beginning: &[u8]) -> bool {
        // Every key that begins so has the same prefix, if this much already decides it.
        let Some(prefix) = self.extractor.prefix_of(beginning) else { return true };
        let indexed = self.index.as_ref().and_then(|index| index.find(prefix));
        indexed != Some(Candidates::Absent)
            && self.filter.as_ref().is_none_or(|filter| filter.may_contain(hash(prefix)))
    }

    /// The form of the prefix index that a search for `user_key` uses; `None` when it uses none.
    pub(crate) fn form_for(&self, user_key: &[u8]) -> PrefixIndexForm {
        let index = self.index.as_ref().filter(|_| self.extractor.prefix_of(user_key).is_some());
        index.map_or(PrefixIndexForm::None, PrefixIndex::form)
    }

    /// The answer of the filter for all keys that begin with `beginning`, if there is such a filter.
    pub(crate) fn explain_filter(&self, beginning: &[u8]) -> Option<FilterAnswer> {
        let prefix = self.extractor.prefix_of(beginning)?;
        self.filter.as_ref().map(|filter| filter.explain(hash(prefix)))
    }

    /// Memory of the prefix index \[bytes\].
    pub(crate) fn memory_bytes(&self) -> usize {
        self.index.as_ref().map_or(0, PrefixIndex::memory_bytes)
    }

    /// Whether the entry with this internal key, which is in the block `position`, is found there.
    pub(crate) fn leads_to(&self, key: &[u8], index: &Index, position: usize) -> bool {
        match self.locate(&SplitKey::from_internal(key), index, &mut NoProbe) {
            Located::Block(found) => found == position,
            Located::Unknown => true,
            Located::Absent => false,
        }
    }

    /// The block for `target`, as far as its prefix decides it.
    #[inline]
    pub(super) fn locate<P: Probe>(
        &self,
        target: &SplitKey<'_>,
        index: &Index,
        probe: &mut P,
    ) -> Located {
        let found = self.index.as_ref().and_then(|prefixes| prefixes.find(target.user_key));
        match found {
            None => Located::Unknown,
            Some(Candidates::Absent) => Located::Absent,
            Some(Candidates::Range(blocks)) => Located::Block(within(blocks, target, index, probe)),
            Some(Candidates::One(block)) => among(&[block], target, index, probe),
            Some(Candidates::Among(blocks)) => among(blocks, target, index, probe),
        }
    }
}

/// The first of `blocks`, which hold all keys with the prefix of the target, that can hold it. The last
/// block need not be compared: a key that is not in it is absent.
fn within<P: Probe>(
    blocks: Range<u32>,
    target: &SplitKey<'_>,
    index: &Index,
    probe: &mut P,
) -> usize {
    let (mut low, mut high) = (blocks.start as usize, (blocks.end as usize).saturating_sub(1));
    probe.search(Among::Blocks, index.len());
    probe.narrow(low..high);
    while low < high {
        let middle = low + (high - low) / 2;
        let before = index.is_before(middle, target);
        probe.compared(before, || (middle, index.shown_key(middle)));
        if before {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The one of `blocks`, among which are all that hold keys with the prefix of the target, that holds it.
fn among<P: Probe>(blocks: &[u32], target: &SplitKey<'_>, index: &Index, probe: &mut P) -> Located {
    probe.search(Among::Blocks, index.len());
    let position = blocks.partition_point(|block| {
        let block = *block as usize;
        let before = index.is_before(block, target);
        probe.compared(before, || (block, index.shown_key(block)));
        before
    });
    let Some(block) = blocks.get(position).map(|block| *block as usize) else {
        return Located::Absent;
    };
    // The block before it, if it is not among these, may be where the target belongs: then the
    // target's neighbours have other prefixes, and no key has the target's.
    let before = position.checked_sub(1).and_then(|before| blocks.get(before));
    let follows = before.is_some_and(|before| *before as usize + 1 == block);
    if block == 0 || follows {
        return Located::Block(block);
    }
    let before = index.is_before(block - 1, target);
    probe.compared(before, || (block - 1, index.shown_key(block - 1)));
    if before { Located::Block(block) } else { Located::Absent }
}
