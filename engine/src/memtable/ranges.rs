//! The range tombstones of a memtable.

use super::{Memtable, range_bytes};
use crate::event::ShownRange;
use crate::key::{SeqNo, Span};
use crate::probe::{Probe, ReadStop};
use crate::ranges::{RangeStack, RangeTombstone};
use crate::view::RangesView;
use std::sync::atomic::Ordering;
use std::sync::{PoisonError, RwLockReadGuard};

impl Memtable {
    /// Adds a range tombstone; the caller holds the lock that orders writers.
    pub(super) fn insert_range(&self, begin: &[u8], end: &[u8], sequence: SeqNo) {
        // A batch has none without keys.
        let Some(tombstone) = RangeTombstone::new(begin, end, sequence) else { return };
        let mut ranges = self.ranges.write().unwrap_or_else(PoisonError::into_inner);
        ranges.push(tombstone);
        drop(ranges);
        let bytes = self.bytes().saturating_add(range_bytes(begin, end));
        self.bytes.store(bytes, Ordering::Relaxed);
        self.range_count.store(self.range_count() + 1, Ordering::Relaxed);
    }

    /// Range tombstones.
    #[inline]
    pub(crate) fn range_count(&self) -> u64 {
        self.range_count.load(Ordering::Relaxed)
    }

    /// The sequence number of the newest range tombstone over `user_key` at or before `sequence`, if it is newer
    /// than `newest`, the newest entry of the key. Cost without range tombstones: one load.
    #[inline]
    pub(super) fn hiding<P: Probe>(
        &self,
        user_key: &[u8],
        newest: Option<SeqNo>,
        sequence: SeqNo,
        probe: &mut P,
    ) -> Option<SeqNo> {
        if self.range_count() == 0 {
            return None;
        }
        let ranges = self.read_ranges();
        let hiding = ranges.covering(user_key, sequence);
        let hiding =
            hiding.filter(|hiding| newest.is_none_or(|newest| newest < hiding.sequence))?;
        probe.stop(|_| ReadStop::RangeDelete {
            memtable: Some(self.id),
            level: None,
            table: None,
            range: ShownRange::new(&hiding.begin, hiding.stored_end()),
            sequence: hiding.sequence,
        });
        Some(hiding.sequence)
    }

    /// The range tombstones at or before `sequence` that overlap `span`.
    pub(crate) fn ranges_in(&self, span: &Span<'_>, sequence: SeqNo) -> Vec<RangeTombstone> {
        if self.range_count() == 0 {
            return Vec::new();
        }
        let ranges = self.read_ranges();
        let visible = ranges.overlapping(span).filter(|tombstone| tombstone.sequence <= sequence);
        visible.cloned().collect()
    }

    /// All range tombstones, in no order.
    pub(crate) fn ranges(&self) -> Vec<RangeTombstone> {
        self.read_ranges().all().cloned().collect()
    }

    /// Its range tombstones as views show them; none without any.
    pub(crate) fn ranges_view(&self) -> Option<RangesView> {
        let count = self.range_count();
        if count == 0 {
            return None;
        }
        let (begin, end) = self.read_ranges().span()?;
        let over = ShownRange::new(&begin, end.key().unwrap_or_default());
        Some(RangesView { count, over })
    }

    pub(super) fn read_ranges(&self) -> RwLockReadGuard<'_, RangeStack> {
        self.ranges.read().unwrap_or_else(PoisonError::into_inner)
    }
}
