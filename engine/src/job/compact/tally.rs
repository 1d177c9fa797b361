//! Counts the fates of the entries of a compaction.

use super::filtered::FilterTally;
use crate::event::Verdict;

/// Entries so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) read: u64,
    pub(super) written: u64,
    pub(super) shadowed: u64,
    pub(super) tombstones_dropped: u64,
    /// Entries that range tombstones hide.
    pub(super) range_deleted: u64,
    pub(super) ranges_read: u64,
    /// Range tombstones dropped, or parts of them.
    pub(super) ranges_dropped: u64,
    pub(super) filter: FilterTally,
}

impl Tally {
    /// Counts the entry if `verdict` drops it; whether it does.
    #[inline]
    pub(super) fn drops(&mut self, verdict: Verdict) -> bool {
        match verdict {
            Verdict::DroppedShadowed => self.shadowed += 1,
            Verdict::DroppedTombstone => self.tombstones_dropped += 1,
            Verdict::DroppedRangeDeleted => self.range_deleted += 1,
            // The filter has counted it.
            Verdict::DroppedByFilter => {}
            _ => return false,
        }
        self.read += 1;
        true
    }
}

impl<'a> std::iter::Sum<&'a Self> for Tally {
    fn sum<I: Iterator<Item = &'a Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            read: sum.read + part.read,
            written: sum.written + part.written,
            shadowed: sum.shadowed + part.shadowed,
            tombstones_dropped: sum.tombstones_dropped + part.tombstones_dropped,
            range_deleted: sum.range_deleted + part.range_deleted,
            ranges_read: sum.ranges_read + part.ranges_read,
            ranges_dropped: sum.ranges_dropped + part.ranges_dropped,
            filter: sum.filter.plus(part.filter),
        })
    }
}
