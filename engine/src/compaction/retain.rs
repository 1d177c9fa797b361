//! The rule for the entries of a merge: it keeps versions that a reader can still see, and tombstones that still shadow.
//!
//! Readers see the database at a snapshot or at some moment from now on. Snapshots and the newest
//! sequence number at the start cut the sequence numbers into stripes:
//!
//! ```text
//!   1 … s1 | s1+1 … s2 | … | … last | last+1 | last+2 | …      a stripe ends where a reader looks
//! ```
//!
//! Of the versions of one key in one stripe only the newest can be seen; the others are shadowed. Versions newer than
//! the start are never dropped: a snapshot may be taken between any two of them.
//!
//! A tombstone is dropped when both hold: no run that may be older than the output has a table whose
//! range covers the key, and it lies in the first stripe, so that every older version in this merge is
//! dropped with it. Which runs those are, the plan knows.
//!
//! A range tombstone hides an entry when it covers its key and lies in the same stripe. It is dropped under the
//! same two conditions as a tombstone, asked for all of its keys.

use super::filter::settled_from;
use crate::event::Verdict;
use crate::key::{ParsedKey, SeqNo, Span, ValueKind, compare_keys, parse_internal_key, user_key};
use crate::limits::SEQUENCE_MAX;
use crate::manifest::TableMeta;
use crate::ranges::{RangeSet, RangeTombstone};
use crate::sorting;
use crate::{Error, ErrorKind, Result};
use std::cmp::Ordering;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// Judges the entries of one merge, in merge order.
#[derive(Debug)]
pub(crate) struct Retain {
    /// Ends of the stripes up to the start: the snapshots and the newest sequence number, ascending.
    stripe_ends: Vec<SeqNo>,
    last_sequence: SeqNo,
    /// No snapshot reads an entry from this sequence number on.
    settled_from: SeqNo,
    /// Tables that stay and may hold older versions: disjoint ones in key order, list by list, each
    /// with the count of those that end before the key. Keys only ascend, so it only grows.
    older: Vec<(Vec<Arc<TableMeta>>, usize)>,
    /// Keeps every tombstone, because the older runs are not known.
    keep_tombstones: bool,
    /// The range tombstones of all inputs.
    ranges: RangeSet,
    key: Vec<u8>,
    /// Sequence number of the version of `key` before; `None` before the first entry of all.
    newer: Option<SeqNo>,
}

impl Retain {
    /// For a merge without the older runs `older`; `snapshots` ascending, `last_sequence` the newest
    /// sequence number that readers can see now.
    pub(crate) fn new(
        snapshots: &[SeqNo],
        last_sequence: SeqNo,
        older: Vec<Vec<Arc<TableMeta>>>,
    ) -> Self {
        let mut stripe_ends: Vec<SeqNo> = snapshots.to_vec();
        stripe_ends.push(last_sequence);
        sorting::sort(&mut stripe_ends);
        stripe_ends.dedup();
        let older = older.into_iter().map(|tables| (tables, 0)).collect();
        Self {
            stripe_ends,
            last_sequence,
            settled_from: settled_from(snapshots),
            older,
            keep_tombstones: false,
            ranges: RangeSet::default(),
            key: Vec::new(),
            newer: None,
        }
    }

    /// For the flush of one memtable, which keeps the newest entry of every key, tombstone or not.
    pub(crate) fn for_flush(snapshots: &[SeqNo], last_sequence: SeqNo) -> Self {
        Self { keep_tombstones: true, ..Self::new(snapshots, last_sequence, Vec::new()) }
    }

    /// The same rule for inputs that have the range tombstones `ranges`, too.
    pub(crate) fn with_ranges(self, ranges: Vec<RangeTombstone>) -> Self {
        Self { ranges: RangeSet::new(ranges), ..self }
    }

    /// The range tombstones of all inputs.
    pub(crate) fn ranges(&self) -> &RangeSet {
        &self.ranges
    }

    /// The verdict on a range tombstone, or on a part of one.
    pub(crate) fn judge_range(&self, tombstone: &RangeTombstone) -> Verdict {
        let span = tombstone.span();
        let older = || self.older.iter().flat_map(|(tables, _)| tables);
        let hides_older = self.keep_tombstones || older().any(|table| table.overlaps(&span));
        match (hides_older, self.in_first_stripe(tombstone.sequence)) {
            (false, true) => Verdict::DroppedTombstone,
            (true, _) => Verdict::KeptTombstone,
            (false, false) => Verdict::KeptForSnapshot,
        }
    }

    /// The range tombstone that hides all entries of a table from every reader, so that it need not be read.
    pub(crate) fn hides_table(&self, table: &TableMeta) -> Option<RangeTombstone> {
        if self.ranges.is_empty() || table.entries == 0 {
            return None;
        }
        let entries = Span::inclusive(user_key(&table.smallest), user_key(&table.largest));
        let end = self.stripe_end(table.sequence_min);
        let hides = |tombstone: &&RangeTombstone| {
            let span = tombstone.span();
            let is_newer = (table.sequence_max + 1..=end).contains(&tombstone.sequence);
            is_newer && span.from <= entries.from && entries.to <= span.to
        };
        self.ranges.overlapping(&entries).find(hides).cloned()
    }

    fn in_first_stripe(&self, sequence: SeqNo) -> bool {
        self.stripe_ends.first().is_some_and(|end| sequence <= *end)
    }

    /// Whether a range tombstone at or before `sequence` hides an entry.
    fn is_range_deleted(&self, entry: &ParsedKey<'_>, sequence: SeqNo) -> bool {
        if self.ranges.is_empty() {
            return false;
        }
        let covering = self.ranges.covering(entry.user_key, sequence);
        covering.is_some_and(|tombstone| tombstone.sequence > entry.sequence)
    }

    /// The verdict on the next entry of the merge.
    ///
    /// # Errors
    /// `Corruption` when the key has no valid trailer or comes out of order: the merge must stop, since
    /// its verdicts rest on the order.
    pub(crate) fn judge(&mut self, internal_key: &[u8]) -> Result<Verdict> {
        let entry = parse_internal_key(internal_key)
            .ok_or_else(|| broken("an input of the merge has a key without a valid trailer"))?;
        let newer = self.advance(&entry)?;
        if newer.is_some_and(|newer| newer <= self.stripe_end(entry.sequence)) {
            return Ok(Verdict::DroppedShadowed);
        }
        if self.is_range_deleted(&entry, self.stripe_end(entry.sequence)) {
            return Ok(Verdict::DroppedRangeDeleted);
        }
        if entry.kind == ValueKind::Put {
            let newest = newer.is_none() && !self.is_range_deleted(&entry, SEQUENCE_MAX);
            return Ok(if newest { Verdict::KeptNewest } else { Verdict::KeptForSnapshot });
        }
        Ok(match self.tombstone(&entry) {
            (false, true) => Verdict::DroppedTombstone,
            (true, _) if newer.is_none() => Verdict::KeptTombstone,
            _ => Verdict::KeptForSnapshot,
        })
    }

    /// Whether a compaction filter may decide on an entry with this verdict: it is a value that is kept as
    /// the newest version, no range tombstone of the inputs hides it, and neither a snapshot of now nor one that begins meanwhile at an older moment
    /// reads it.
    pub(crate) fn is_settled(&self, sequence: SeqNo, verdict: Verdict) -> bool {
        let settled = self.settled_from..=self.last_sequence;
        verdict == Verdict::KeptNewest && settled.contains(&sequence)
    }

    /// The verdict on the last judged entry after the filter has removed it: the rule for tombstones.
    pub(crate) fn judge_removed(&mut self, entry: &ParsedKey<'_>) -> Verdict {
        match self.tombstone(entry) {
            (false, true) => Verdict::DroppedByFilter,
            _ => Verdict::KeptAsTombstone,
        }
    }

    /// Whether a tombstone in the place of `entry` would hide data of older runs, and whether every older
    /// version in this merge is dropped.
    fn tombstone(&mut self, entry: &ParsedKey<'_>) -> (bool, bool) {
        let hides_older = self.keep_tombstones || self.older_data(entry.user_key);
        let first_stripe = self.stripe_ends.first().is_some_and(|end| entry.sequence <= *end);
        (hides_older, first_stripe)
    }

    /// Notes the entry; the sequence number of the next newer version of the same key, if any.
    fn advance(&mut self, entry: &ParsedKey<'_>) -> Result<Option<SeqNo>> {
        let before = self.newer.replace(entry.sequence);
        let order = before.map_or(Ordering::Less, |_| compare_keys(&self.key, entry.user_key));
        match (order, before) {
            (Ordering::Less, _) => {
                self.key.clear();
                self.key.extend_from_slice(entry.user_key);
                Ok(None)
            }
            (Ordering::Equal, Some(newer)) if newer > entry.sequence => Ok(Some(newer)),
            _ => Err(broken("the inputs of the merge are not in order")),
        }
    }

    /// The smallest sequence number from `sequence` on at which a reader may look.
    pub(crate) fn stripe_end(&self, sequence: SeqNo) -> SeqNo {
        if sequence > self.last_sequence {
            return sequence;
        }
        let position = self.stripe_ends.partition_point(|end| *end < sequence);
        self.stripe_ends.get(position).copied().unwrap_or(sequence)
    }

    /// Whether an older run has a table whose range covers `key`.
    fn older_data(&mut self, key: &[u8]) -> bool {
        for (tables, passed) in &mut self.older {
            while tables.get(*passed).is_some_and(|table| table.ends_before(key)) {
                *passed += 1;
            }
            if tables.get(*passed).is_some_and(|table| table.covers(key)) {
                return true;
            }
        }
        false
    }
}

fn broken(message: &str) -> Error {
    Error::new(ErrorKind::Corruption, format!("{message}: no input is deleted"))
}
