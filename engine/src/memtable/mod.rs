//! Memtables: the newest writes, sorted, in memory; each has a log that holds the same writes.
//!
//! The active memtable takes writes while readers read it; an immutable one waits for its flush. One
//! writer inserts at a time (its lock orders inserts), any number of readers and cursors read. The lock
//! is held for a few entries at a time, so that no reader waits for a large batch. A frozen memtable
//! needs no lock.

mod iter;
mod node;
#[cfg(test)]
mod random;
mod ranges;
mod recent;
mod records;
mod tree;

#[cfg(test)]
mod tests;

pub(crate) use iter::MemtableCursor;
#[cfg(test)]
pub(crate) use random::{SplitMix64, for_seeds};

use crate::Result;
use crate::event::MemtableId;
use crate::iter::Cursor;
use crate::key::{
    KIND_SEEK, SeqNo, SplitKey, ValueKind, pack_trailer, parse_internal_key, user_key,
};
use crate::limits::SEQUENCE_MAX;
use crate::live::{LiveEntries, part_of};
use crate::probe::{Hit, LookupTrace, Probe, ReadStop};
use crate::ranges::RangeStack;
use crate::storage::FileNumber;
use crate::table::ReadCharge;
use crate::view::MemtableTree;
use crate::view::MemtableView;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tree::Tree;

/// Memory of one entry beside its key and value \[bytes\]: lengths and trailer of its record (16), padding (1.5 on
/// average), and its slot in a node (8) that is two thirds full or more.
pub(crate) const ENTRY_OVERHEAD_BYTES: usize = 32;

/// Memory of one range tombstone beside its keys \[bytes\]: itself and its places in the search trees.
pub(crate) const RANGE_OVERHEAD_BYTES: usize = 256;

/// Entries and bytes inserted under one hold of the lock: about a microsecond.
const ENTRIES_PER_HOLD: usize = 8;
const BYTES_PER_HOLD: usize = 16 * 1024;

/// Entries that [`Memtable::held`] looks at.
const HELD_ENTRIES: u64 = 1024;

/// The accounted size of one entry \[bytes\]: a memtable compares it with its limit.
pub(crate) fn entry_bytes(user_key: &[u8], value: &[u8]) -> usize {
    user_key.len().saturating_add(value.len()).saturating_add(ENTRY_OVERHEAD_BYTES)
}

/// The accounted size of one range tombstone \[bytes\].
pub(crate) fn range_bytes(begin: &[u8], end: &[u8]) -> usize {
    begin.len().saturating_add(end.len()).saturating_add(RANGE_OVERHEAD_BYTES)
}

/// One memtable.
///
/// Invariant: it never has more records than the tree can number. The limit is at most 1 GiB, the one
/// batch that may exceed it has at most 128 MiB and 16 million entries, so at most 1.7 GB are
/// accounted for, and chunks of records together hold 16 GiB.
pub(crate) struct Memtable {
    id: MemtableId,
    wal: FileNumber,
    limit_bytes: usize,
    /// Empty once it is frozen.
    active: RwLock<Tree>,
    /// The reads that walked over its hidden entries.
    reads: ReadCharge,
    frozen: OnceLock<Tree>,
    /// Range tombstones: beside the entries, with a separate lock that is only taken when there are any.
    ranges: RwLock<RangeStack>,
    // Changed under the write lock; read without it.
    bytes: AtomicUsize,
    entries: AtomicU64,
    tombstones: AtomicU64,
    range_count: AtomicU64,
}

/// The tree of a memtable, to be read.
enum Reading<'a> {
    Locked(RwLockReadGuard<'a, Tree>),
    Frozen(&'a Tree),
}

impl Deref for Reading<'_> {
    type Target = Tree;

    #[inline]
    fn deref(&self) -> &Tree {
        match self {
            Self::Locked(guard) => guard,
            Self::Frozen(tree) => tree,
        }
    }
}

impl Memtable {
    /// An empty memtable whose writes are in log `wal`.
    pub(crate) fn new(id: MemtableId, wal: FileNumber, limit_bytes: usize) -> Self {
        Self {
            id,
            wal,
            limit_bytes,
            active: RwLock::new(Tree::new()),
            reads: ReadCharge::of_memtable(),
            frozen: OnceLock::new(),
            ranges: RwLock::default(),
            bytes: AtomicUsize::new(0),
            entries: AtomicU64::new(0),
            tombstones: AtomicU64::new(0),
            range_count: AtomicU64::new(0),
        }
    }

    /// Adds one entry; `(user_key, sequence)` must be new.
    #[cfg(test)]
    pub(crate) fn insert(&self, user_key: &[u8], sequence: SeqNo, kind: ValueKind, value: &[u8]) {
        let mut active = self.write();
        self.insert_locked(&mut active, user_key, sequence, kind, value);
    }

    /// Adds `entries` with ascending sequence numbers from `first` on, which must be new.
    ///
    /// # Errors
    /// The first that `entries` gives; those before it are inserted.
    pub(crate) fn insert_batch<'a>(
        &self,
        first: SeqNo,
        entries: impl Iterator<Item = Result<(ValueKind, &'a [u8], &'a [u8])>>,
    ) -> Result<()> {
        let mut numbered = (first..).zip(entries).peekable();
        let mut begun = false;
        while numbered.peek().is_some() {
            let mut active = self.write();
            if !std::mem::replace(&mut begun, true) {
                active.begin_batch(first);
            }
            let bytes_max = self.bytes().saturating_add(BYTES_PER_HOLD);
            for (sequence, entry) in numbered.by_ref().take(ENTRIES_PER_HOLD) {
                let (kind, user_key, value) = entry?;
                self.insert_locked(&mut active, user_key, sequence, kind, value);
                if self.bytes() > bytes_max {
                    break;
                }
            }
        }
        Ok(())
    }

    fn insert_locked(
        &self,
        active: &mut Tree,
        user_key: &[u8],
        sequence: SeqNo,
        kind: ValueKind,
        value: &[u8],
    ) {
        assert!(self.frozen.get().is_none(), "the write would be lost: {self:?} is frozen");
        if kind == ValueKind::RangeDelete {
            return self.insert_range(user_key, value, sequence);
        }
        active.insert(SplitKey { user_key, trailer: pack_trailer(sequence, kind) }, value);
        // The lock orders writers: no need for an addition that others could interrupt.
        let bytes = self.bytes().saturating_add(entry_bytes(user_key, value));
        self.bytes.store(bytes, Ordering::Relaxed);
        self.entries.store(self.entries() + 1, Ordering::Relaxed);
        let tombstones = self.tombstones() + u64::from(kind == ValueKind::Delete);
        self.tombstones.store(tombstones, Ordering::Relaxed);
    }

    /// Takes no more writes from now on: reading needs no lock, and cursors need not copy.
    pub(crate) fn freeze(&self) {
        let mut active = self.write();
        if self.frozen.get().is_none() {
            // Set before the lock is released: a reader that then finds the empty tree reads the frozen one.
            let _ = self.frozen.set(std::mem::replace(&mut *active, Tree::new()));
        }
    }

    /// The newest entry of `user_key` at or before `sequence`; or the range tombstone that hides it, of kind
    /// [`ValueKind::RangeDelete`].
    pub(crate) fn get<P: Probe>(
        &self,
        user_key: &[u8],
        sequence: SeqNo,
        probe: &mut P,
    ) -> Option<(SeqNo, ValueKind, Vec<u8>)> {
        let target = SplitKey { user_key, trailer: pack_trailer(sequence, KIND_SEEK) };
        // Entries are counted before they become visible: an empty memtable needs no lock.
        let found = if self.entries() == 0 { None } else { self.search(&target, probe) };
        probe.stop(|LookupTrace { comparisons, .. }| ReadStop::Memtable {
            memtable: self.id,
            comparisons,
            hit: found
                .as_ref()
                .map(|(sequence, kind, _)| Hit { sequence: *sequence, entry: *kind }),
        });
        let newest = found.as_ref().map(|(sequence, _, _)| *sequence);
        match self.hiding(user_key, newest, sequence, probe) {
            Some(hiding) => Some((hiding, ValueKind::RangeDelete, Vec::new())),
            None => found,
        }
    }

    fn search<P: Probe>(
        &self,
        target: &SplitKey<'_>,
        probe: &mut P,
    ) -> Option<(SeqNo, ValueKind, Vec<u8>)> {
        let tree = self.read();
        let place = tree.seek(target, || probe.comparison())?;
        probe.comparison();
        let entry = tree.entry(place.record);
        let (sequence, kind) =
            parts(entry.trailer).filter(|_| entry.user_key == target.user_key)?;
        Some((sequence, kind, entry.value.to_vec()))
    }

    /// Its tree around the way to the newest version of `user_key`, or to the first entry.
    pub(crate) fn look(&self, user_key: Option<&[u8]>) -> MemtableTree {
        let trailer = pack_trailer(SEQUENCE_MAX, KIND_SEEK);
        let target = user_key.map(|user_key| SplitKey { user_key, trailer });
        let tree = self.read().look(target.as_ref());
        MemtableTree { memtable: self.id, ..tree }
    }

    /// A cursor over all entries, also those that are inserted while it lives.
    pub(crate) fn cursor(self: &Arc<Self>) -> MemtableCursor {
        MemtableCursor::new(Arc::clone(self))
    }

    /// Its smallest and largest user key, and the size of its newest versions: of the first entries exactly, and the
    /// others are taken to be like them. `None` when it is empty. Cost: a walk over so many entries.
    pub(crate) fn held(self: &Arc<Self>) -> Option<(Vec<u8>, Vec<u8>, LiveEntries)> {
        let (entries, bytes) = (self.entries(), self.bytes() as u64);
        let mut cursor = self.cursor();
        cursor.seek_to_last().ok()?;
        let largest = cursor.valid().then(|| user_key(cursor.key()).to_vec())?;
        cursor.seek_to_first().ok()?;
        let smallest = user_key(cursor.key()).to_vec();
        let (mut key, mut walked, mut held) = (None, 0, LiveEntries::default());
        while cursor.valid() && walked < HELD_ENTRIES {
            walked += 1;
            let newest = parse_internal_key(cursor.key())
                .filter(|entry| key.as_deref() != Some(entry.user_key));
            if let Some(entry) = newest {
                match entry.kind {
                    ValueKind::Delete => held.tombstones += 1,
                    ValueKind::Put => {
                        held.values += 1;
                        held.bytes += (entry.user_key.len() + cursor.value().len()) as u64;
                    }
                    // No cursor stands on one.
                    ValueKind::RangeDelete => {}
                }
                key = Some(entry.user_key.to_vec());
            }
            cursor.next().ok()?;
        }
        let all = |of_walked: u64| part_of(of_walked, entries.max(walked), walked);
        let most = bytes.saturating_sub(entries.saturating_mul(ENTRY_OVERHEAD_BYTES as u64));
        let held = LiveEntries {
            values: all(held.values),
            tombstones: all(held.tombstones),
            bytes: all(held.bytes).min(most),
        };
        Some((smallest, largest, held))
    }

    /// Sum of [`entry_bytes`] over all entries, and of [`range_bytes`] over all range tombstones.
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

    /// Whether it has neither an entry nor a range tombstone.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries() == 0 && self.range_count() == 0
    }

    /// Whether `extra_bytes` more would keep it within its limit.
    pub(crate) fn fits(&self, extra_bytes: usize) -> bool {
        self.bytes().checked_add(extra_bytes).is_some_and(|bytes| bytes <= self.limit_bytes)
    }

    /// The reads that walked over its hidden entries.
    pub(crate) fn reads(&self) -> &ReadCharge {
        &self.reads
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

    /// It as views show it.
    pub(crate) fn view(&self, immutable: bool) -> MemtableView {
        MemtableView {
            memtable: self.id(),
            wal: self.wal(),
            bytes: self.bytes(),
            limit_bytes: self.limit_bytes,
            entries: self.entries(),
            tombstones: self.tombstones(),
            ranges: self.ranges_view(),
            immutable,
        }
    }

    #[inline]
    fn read(&self) -> Reading<'_> {
        if let Some(tree) = self.frozen.get() {
            return Reading::Frozen(tree);
        }
        let active = self.active.read().unwrap_or_else(PoisonError::into_inner);
        match self.frozen.get() {
            Some(tree) => Reading::Frozen(tree),
            None => Reading::Locked(active),
        }
    }

    fn write(&self) -> RwLockWriteGuard<'_, Tree> {
        self.active.write().unwrap_or_else(PoisonError::into_inner)
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
    let kind = ValueKind::of_entry(trailer.to_le_bytes()[0])?;
    Some((trailer >> 8, kind))
}
