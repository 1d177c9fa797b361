//! The newest entries of a memtable, and the records of its log that hold them.

use super::tree::Tree;
use super::{Memtable, parts};
use crate::event::ShownKey;
use crate::key::{SeqNo, ValueKind};
use crate::ranges::RangeTombstone;
use crate::sorting;
use crate::view::{RecentEntry, RecentWrites};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Batches whose first sequence numbers are remembered.
const BATCHES_MAX: usize = 64;

/// The batches inserted last; each is one record of the log.
#[derive(Default)]
pub(super) struct Batches {
    count: u64,
    /// First sequence numbers, oldest first.
    firsts: VecDeque<SeqNo>,
}

impl Batches {
    pub(super) fn begin(&mut self, first: SeqNo) {
        self.count += 1;
        if self.firsts.len() >= BATCHES_MAX {
            self.firsts.pop_front();
        }
        // Batches of two writers may come in any order.
        let after = self.firsts.iter().rev().take_while(|known| **known > first).count();
        self.firsts.insert(self.firsts.len() - after, first);
    }

    /// The number of the record that holds `sequence`, from 1; `None` when it is older than those remembered.
    fn record_of(&self, sequence: SeqNo) -> Option<u64> {
        let after = self.firsts.iter().rev().take_while(|first| **first > sequence).count();
        (after < self.firsts.len()).then(|| self.count.saturating_sub(after as u64))
    }
}

impl Memtable {
    /// Its newest entries, at most `limit`. Cost: see [`Tree::newest`].
    pub(crate) fn recent(&self, limit: usize) -> RecentWrites {
        let tree = self.read();
        let mut entries = shown(&tree, limit);
        if self.range_count() > 0 {
            let ranges = self.read_ranges();
            entries.extend(ranges.all().map(|tombstone| shown_range(&tree, tombstone)));
            sorting::sort_by_key(&mut entries, |entry| Reverse(entry.sequence));
            entries.truncate(limit);
        }
        drop(tree);
        RecentWrites { memtable: self.id(), wal: self.wal(), entries }
    }
}

fn shown_range(tree: &Tree, tombstone: &RangeTombstone) -> RecentEntry {
    RecentEntry {
        key: ShownKey::new(&tombstone.begin),
        sequence: tombstone.sequence,
        entry: ValueKind::RangeDelete,
        value: ShownKey::new(tombstone.stored_end()),
        record: tree.batches().record_of(tombstone.sequence),
    }
}

fn shown(tree: &Tree, limit: usize) -> Vec<RecentEntry> {
    let mut newest = tree.newest(limit);
    sorting::sort_by_key(&mut newest, |entry| Reverse(entry.trailer));
    let shown = newest.iter().take(limit).filter_map(|entry| {
        let (sequence, kind) = parts(entry.trailer)?;
        Some(RecentEntry {
            key: ShownKey::new(entry.user_key),
            sequence,
            entry: kind,
            value: ShownKey::new(entry.value),
            record: tree.batches().record_of(sequence),
        })
    });
    shown.collect()
}
