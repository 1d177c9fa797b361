//! Memtables: the newest writes, sorted, in memory; each has a log that holds the same writes.
//!
//! The active memtable takes writes while readers look; an immutable one waits for its flush. One
//! writer inserts at a time (its lock orders inserts), any number of readers and cursors read.

mod iter;
mod random;
mod skiplist;

#[cfg(test)]
mod tests;

pub(crate) use iter::MemtableCursor;
#[cfg(test)]
pub(crate) use random::{SplitMix64, for_seeds};

use crate::event::MemtableId;
use crate::key::{KIND_SEEK, SeqNo, ValueKind, pack_trailer};
use crate::probe::{Hit, Probe, ReadStop};
use crate::storage::FileNumber;
use skiplist::SkipList;
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// What one entry takes beside its key and value \[bytes\]: the fixed part of its skiplist record (24)
/// and a third more than one link on average (5.3), rounded up.
pub(crate) const ENTRY_OVERHEAD_BYTES: usize = 32;

/// Room reserved at once for keys and values \[bytes\].
const CAPACITY_BYTES_MAX: usize = 64 * 1024;

/// The accounted size of one entry \[bytes\]: what a memtable compares with its limit.
pub(crate) fn entry_bytes(user_key: &[u8], value: &[u8]) -> usize {
    user_key.len().saturating_add(value.len()).saturating_add(ENTRY_OVERHEAD_BYTES)
}

/// One memtable.
///
/// Invariant: each arena of the skiplist stays below 4 GiB. The limit is at most 1 GiB, the one batch
/// that may exceed it has at most 128 MiB and 16 million entries, so at most 1.7 GB are accounted for;
/// and a record, were its tower as high as can be, takes 72 bytes where 32 are charged.
pub(crate) struct Memtable {
    id: MemtableId,
    wal: FileNumber,
    limit_bytes: usize,
    list: RwLock<SkipList>,
    // Changed under the write lock; read without it.
    bytes: AtomicUsize,
    entries: AtomicU64,
    tombstones: AtomicU64,
}

impl Memtable {
    /// An empty memtable whose writes are in log `wal`; `seed` decides the heights of its towers.
    pub(crate) fn new(id: MemtableId, wal: FileNumber, limit_bytes: usize, seed: u64) -> Self {
        Self {
            id,
            wal,
            limit_bytes,
            list: RwLock::new(SkipList::new(limit_bytes.min(CAPACITY_BYTES_MAX), seed)),
            bytes: AtomicUsize::new(0),
            entries: AtomicU64::new(0),
            tombstones: AtomicU64::new(0),
        }
    }

    /// Adds one entry; `(user_key, sequence)` must be new.
    pub(crate) fn insert(&self, user_key: &[u8], sequence: SeqNo, kind: ValueKind, value: &[u8]) {
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        list.insert(user_key, pack_trailer(sequence, kind), value);
        self.bytes.fetch_add(entry_bytes(user_key, value), Ordering::Relaxed);
        self.entries.fetch_add(1, Ordering::Relaxed);
        self.tombstones.fetch_add(u64::from(kind == ValueKind::Delete), Ordering::Relaxed);
    }

    /// The newest entry of `user_key` at or before `sequence`.
    pub(crate) fn get<P: Probe>(
        &self,
        user_key: &[u8],
        sequence: SeqNo,
        probe: &mut P,
    ) -> Option<(SeqNo, ValueKind, Vec<u8>)> {
        let list = self.read();
        let node = list.seek(user_key, pack_trailer(sequence, KIND_SEEK), || probe.comparison());
        let entry = list.entry(node);
        if entry.is_some() {
            probe.comparison();
        }
        let found = entry.filter(|entry| entry.user_key == user_key).and_then(|entry| {
            let (sequence, kind) = parts(entry.trailer)?;
            Some((sequence, kind, entry.value.to_vec()))
        });
        drop(list);
        probe.stop(|comparisons, _| ReadStop::Memtable {
            memtable: self.id,
            comparisons,
            hit: found
                .as_ref()
                .map(|(sequence, kind, _)| Hit { sequence: *sequence, entry: *kind }),
        });
        found
    }

    /// A cursor over all entries, also those that are inserted while it lives.
    pub(crate) fn cursor(self: &Arc<Self>) -> MemtableCursor {
        MemtableCursor::new(Arc::clone(self))
    }

    /// Sum of [`entry_bytes`] over all entries.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Entries, all versions and tombstones.
    pub(crate) fn entries(&self) -> u64 {
        self.entries.load(Ordering::Relaxed)
    }

    /// Tombstones among the entries.
    pub(crate) fn tombstones(&self) -> u64 {
        self.tombstones.load(Ordering::Relaxed)
    }

    /// Whether it has no entry.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries() == 0
    }

    /// Whether `extra_bytes` more would keep it within its limit.
    pub(crate) fn fits(&self, extra_bytes: usize) -> bool {
        self.bytes().checked_add(extra_bytes).is_some_and(|bytes| bytes <= self.limit_bytes)
    }

    /// Its number.
    pub(crate) fn id(&self) -> MemtableId {
        self.id
    }

    /// The log that holds the same writes.
    pub(crate) fn wal(&self) -> FileNumber {
        self.wal
    }

    /// Where it rotates \[bytes\].
    pub(crate) fn limit_bytes(&self) -> usize {
        self.limit_bytes
    }

    fn read(&self) -> RwLockReadGuard<'_, SkipList> {
        self.list.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Memtable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memtable")
            .field("id", &self.id)
            .field("wal", &self.wal)
            .field("bytes", &self.bytes())
            .field("entries", &self.entries())
            .finish_non_exhaustive()
    }
}

fn parts(trailer: u64) -> Option<(SeqNo, ValueKind)> {
    let kind = ValueKind::from_tag(trailer.to_le_bytes()[0])?;
    Some((trailer >> 8, kind))
}
