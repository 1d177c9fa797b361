//! Range tombstones that grow in number: sets whose sizes at least double from each to the one before.
//!
//! A new one is a separate set; two sets of about the same size become one. So each tombstone is sorted log *n* times
//! in all, and a search looks into log *n* sets.

use super::{RangeSet, RangeTombstone};
use crate::key::{Cut, SeqNo, Span};

/// The range tombstones of a memtable.
#[derive(Debug, Default)]
pub(crate) struct RangeStack {
    /// The largest first.
    sets: Vec<RangeSet>,
}

impl RangeStack {
    /// Adds one. Cost: log² *n* on average, *n* log² *n* at worst.
    pub(crate) fn push(&mut self, tombstone: RangeTombstone) {
        let mut set = RangeSet::new(vec![tombstone]);
        while let Some(last) = self.sets.pop() {
            if last.len() > set.len() {
                self.sets.push(last);
                break;
            }
            set = last.merged(&set);
        }
        self.sets.push(set);
    }

    /// The newest one at or before `sequence` that covers `key`.
    pub(crate) fn covering(&self, key: &[u8], sequence: SeqNo) -> Option<&RangeTombstone> {
        let found = self.sets.iter().filter_map(|set| set.covering(key, sequence));
        found.max_by_key(|tombstone| tombstone.sequence)
    }

    /// Those that overlap `span`.
    pub(crate) fn overlapping<'a>(
        &'a self,
        span: &Span<'a>,
    ) -> impl Iterator<Item = &'a RangeTombstone> + use<'a> {
        let span = *span;
        self.sets.iter().flat_map(move |set| set.overlapping(&span))
    }

    /// All of them, in no order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &RangeTombstone> {
        self.sets.iter().flat_map(RangeSet::all)
    }

    /// The smallest span with all keys that any of them deletes.
    pub(crate) fn span(&self) -> Option<(Vec<u8>, Cut)> {
        let hull = self.sets.iter().filter_map(RangeSet::span).reduce(Span::hull)?;
        Some((hull.from.next_key()?, hull.to.owned()))
    }
}
