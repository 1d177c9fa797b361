//! Applies the program's compaction filter to the entries of a merge, after the rule for versions.

use super::CompactJob;
use crate::compaction::{FilterHandle, Retain};
use crate::event::{EventKind, Verdict};
use crate::key::{internal_key, parse_internal_key};
use crate::state::Shared;
use crate::{FilterDecision, Result, ValueKind};

/// The entry that a filter makes of another.
#[derive(Debug)]
pub(super) struct Replaced {
    /// Its internal key.
    pub(super) key: Vec<u8>,
    pub(super) value: Vec<u8>,
}

/// The filter's decisions so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FilterTally {
    asked: u64,
    changed: u64,
    tombstones: u64,
    pub(super) dropped: u64,
}

impl FilterTally {
    /// The sum of both.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            asked: self.asked + other.asked,
            changed: self.changed + other.changed,
            tombstones: self.tombstones + other.tombstones,
            dropped: self.dropped + other.dropped,
        }
    }

    fn add(&mut self, verdict: Verdict) {
        self.asked += 1;
        self.changed += u64::from(verdict == Verdict::KeptChanged);
        self.tombstones += u64::from(verdict == Verdict::KeptAsTombstone);
        self.dropped += u64::from(verdict == Verdict::DroppedByFilter);
    }
}

impl CompactJob {
    /// Emits the filter's decisions once, if the job has a filter and has read entries; returns whether it did.
    pub(super) fn report_filter(&mut self, shared: &Shared) -> bool {
        let is_due = shared.filter.is_some() && !self.plan.trivial_move && !self.filter_reported;
        if is_due {
            self.filter_reported = true;
            let FilterTally { asked, changed, tombstones, dropped } = self.tally.filter;
            self.emit(shared, || EventKind::CompactionFiltered {
                asked,
                changed,
                tombstones,
                dropped,
            });
        }
        is_due
    }
}

/// The verdict on an entry of the merge, of which the rule for versions has given `verdict`, and its replacement.
///
/// # Errors
/// Those of [`FilterHandle::decide`].
#[inline(never)]
pub(super) fn filtered(
    filter: &FilterHandle,
    retain: &mut Retain,
    verdict: Verdict,
    (key, value): (&[u8], &[u8]),
    output_level: usize,
    tally: &mut FilterTally,
) -> Result<(Verdict, Option<Replaced>)> {
    let settled = parse_internal_key(key).filter(|key| retain.is_settled(key.sequence, verdict));
    let Some(entry) = settled else { return Ok((verdict, None)) };
    let with_kind = |kind| internal_key(entry.user_key, entry.sequence, kind);
    let decided = match filter.decide(entry.user_key, value, output_level)? {
        FilterDecision::Keep => (verdict, None),
        FilterDecision::Change(value) => {
            let replaced = Replaced { key: with_kind(ValueKind::Put), value };
            (Verdict::KeptChanged, Some(replaced))
        }
        FilterDecision::Remove => {
            let verdict = retain.judge_removed(&entry);
            let tombstone = Replaced { key: with_kind(ValueKind::Delete), value: Vec::new() };
            (verdict, (verdict == Verdict::KeptAsTombstone).then_some(tombstone))
        }
    };
    tally.add(decided.0);
    Ok(decided)
}
