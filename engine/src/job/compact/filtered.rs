//! The verdict on each entry of a merge: the rule for versions first, then the filter of the program.

use super::CompactJob;
use super::merge::{Merge, Tally};
use crate::compaction::{FilterHandle, Retain};
use crate::event::{EventKind, Verdict};
use crate::iter::Cursor;
use crate::key::{ParsedKey, internal_key, parse_internal_key};
use crate::state::Shared;
use crate::{FilterDecision, Result, ValueKind};

/// What becomes of one entry. Given once, also when writing it has to wait.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    /// What is written in its place.
    pub(super) replaced: Option<Replaced>,
}

/// The entry that a filter makes of another.
#[derive(Debug)]
pub(super) struct Replaced {
    /// Its internal key.
    pub(super) key: Vec<u8>,
    pub(super) value: Vec<u8>,
}

/// What the filter has decided so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FilterTally {
    asked: u64,
    changed: u64,
    tombstones: u64,
    pub(super) dropped: u64,
}

impl FilterTally {
    fn add(&mut self, verdict: Verdict) {
        self.asked += 1;
        self.changed += u64::from(verdict == Verdict::KeptChanged);
        self.tombstones += u64::from(verdict == Verdict::KeptAsTombstone);
        self.dropped += u64::from(verdict == Verdict::DroppedByFilter);
    }
}

impl Merge {
    /// The verdict on the entry under the cursor, whose output goes to `output_level`.
    ///
    /// # Errors
    /// Those of [`Retain::judge`] and [`FilterHandle::decide`].
    pub(super) fn judge(
        &mut self,
        shared: &Shared,
        output_level: usize,
        tally: &mut Tally,
    ) -> Result<Judged> {
        let key = self.cursor.key();
        let verdict = self.retain.judge(key)?;
        let kept = Judged { verdict, replaced: None };
        let (Some(filter), Some(entry)) = (&shared.filter, parse_internal_key(key)) else {
            return Ok(kept);
        };
        if !self.retain.is_settled(entry.sequence, verdict) {
            return Ok(kept);
        }
        let value = self.cursor.value();
        let decided = decided(filter, &mut self.retain, &entry, value, output_level)?;
        let judged = decided.unwrap_or(kept);
        tally.filter.add(judged.verdict);
        Ok(judged)
    }
}

impl CompactJob {
    /// Tells once what the filter has decided, when there is one and the job has read entries; whether it
    /// did.
    pub(super) fn tell_filter(&mut self, shared: &Shared) -> bool {
        let untold = shared.filter.is_some() && !self.plan.trivial_move && !self.filter_told;
        if untold {
            self.filter_told = true;
            let FilterTally { asked, changed, tombstones, dropped } = self.tally.filter;
            self.emit(shared, || EventKind::CompactionFiltered {
                asked,
                changed,
                tombstones,
                dropped,
            });
        }
        untold
    }
}

/// What the filter makes of a settled value; `None`: it stays.
fn decided(
    filter: &FilterHandle,
    retain: &mut Retain,
    entry: &ParsedKey<'_>,
    value: &[u8],
    output_level: usize,
) -> Result<Option<Judged>> {
    let with_kind = |kind| internal_key(entry.user_key, entry.sequence, kind);
    Ok(match filter.decide(entry.user_key, value, output_level)? {
        FilterDecision::Keep => None,
        FilterDecision::Change(value) => {
            let replaced = Some(Replaced { key: with_kind(ValueKind::Put), value });
            Some(Judged { verdict: Verdict::KeptChanged, replaced })
        }
        FilterDecision::Remove => {
            let verdict = retain.judge_removed(entry);
            let tombstone = Replaced { key: with_kind(ValueKind::Delete), value: Vec::new() };
            let replaced = (verdict == Verdict::KeptAsTombstone).then_some(tombstone);
            Some(Judged { verdict, replaced })
        }
    })
}
