//! The sorted slots of one node: four bytes of each key beside its record, so that most comparisons
//! touch neither the record nor another cache line.
//!
//! ```text
//! slot: head u32 | record u32        head = bytes skip..skip+4 of the user key, zeros where it ends
//! ```
//!
//! All keys of a node, and all that may come to it, share their first `skip` bytes; so heads ascend with the keys, and
//! the records order keys with equal heads.

use super::records::{Record, Records};
use crate::key::SplitKey;

/// Most slots of a node.
pub(super) const CAPACITY: usize = 64;

/// Slots of one node, in order.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    places: [u64; CAPACITY],
    count: usize,
    skip: usize,
}

impl Slots {
    /// No slots, for keys that share their first `skip` bytes.
    pub(super) fn new(skip: usize) -> Self {
        Self { places: [0; CAPACITY], count: 0, skip }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn is_full(&self) -> bool {
        self.count == CAPACITY
    }

    pub(super) fn skip(&self) -> usize {
        self.skip
    }

    /// The record at `position`.
    #[inline]
    pub(super) fn record(&self, position: usize) -> Option<Record> {
        self.used().get(position).map(|slot| record_of(*slot))
    }

    #[inline]
    fn used(&self) -> &[u64] {
        self.places.get(..self.count).unwrap_or_default()
    }

    /// The number of slots before `target`; calls `compared` for each comparison.
    #[inline]
    pub(super) fn before(
        &self,
        target: &SplitKey<'_>,
        records: &Records,
        compared: &mut impl FnMut(),
    ) -> usize {
        let head = u64::from(head(target.user_key, self.skip));
        let slots = self.used();
        let start = slots.partition_point(|slot| {
            compared();
            slot >> 32 < head
        });
        let rest = slots.get(start..).unwrap_or_default();
        if rest.first().is_none_or(|slot| slot >> 32 != head) {
            return start;
        }
        let ties = rest.partition_point(|slot| {
            compared();
            slot >> 32 == head && records.is_before(record_of(*slot), target)
        });
        start + ties
    }

    /// Puts `record` with its `user_key` at `position`; the node must not be full.
    pub(super) fn insert(&mut self, position: usize, user_key: &[u8], record: Record) {
        debug_assert!(!self.is_full() && position <= self.count, "no room");
        let slot = slot(user_key, self.skip, record);
        if let Some(tail) = self.places.get_mut(position..=self.count) {
            tail.copy_within(..tail.len() - 1, 1);
            if let Some(place) = tail.first_mut() {
                *place = slot;
            }
            self.count += 1;
        }
    }

    /// Moves the slots from `position` on to a new node.
    pub(super) fn split_off(&mut self, position: usize) -> Self {
        let mut right = Self::new(self.skip);
        let tail = self.used().get(position..).unwrap_or_default();
        if let Some(place) = right.places.get_mut(..tail.len()) {
            place.copy_from_slice(tail);
        }
        right.count = tail.len();
        self.count -= right.count;
        right
    }

    /// Removes the last slot.
    pub(super) fn pop(&mut self) {
        self.count = self.count.saturating_sub(1);
    }

    /// Takes the heads from byte `skip` of the keys on.
    pub(super) fn set_skip(&mut self, skip: usize, records: &Records) {
        self.skip = skip;
        for place in self.places.iter_mut().take(self.count) {
            let record = record_of(*place);
            *place = slot(records.target(record).user_key, skip, record);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half of a slot is the record")]
fn record_of(slot: u64) -> Record {
    slot as Record
}

fn slot(user_key: &[u8], skip: usize, record: Record) -> u64 {
    (u64::from(head(user_key, skip)) << 32) | u64::from(record)
}

#[inline]
fn head(user_key: &[u8], skip: usize) -> u32 {
    let rest = user_key.get(skip..).unwrap_or_default();
    let bytes = rest.first_chunk::<4>().copied().unwrap_or_else(|| {
        let mut bytes = [0; 4];
        bytes.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        bytes
    });
    u32::from_le_bytes(bytes).swap_bytes()
}
