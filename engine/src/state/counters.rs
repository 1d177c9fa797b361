//! Counters since the database was opened. Relaxed: they are for people, never for decisions.

use std::sync::atomic::{AtomicU64, Ordering};

/// One counter.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    /// Adds `count`.
    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    /// Adds `count` to a counter that changes only under one lock, which the caller holds. Half the cost of [`Self::add`].
    pub(crate) fn add_locked(&self, count: u64) {
        self.0.store(self.get().wrapping_add(count), Ordering::Relaxed);
    }

    /// The sum so far.
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counts since the opening; names that end in `bytes` count bytes.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) puts: Counter,
    pub(crate) deletes: Counter,
    pub(crate) range_deletes: Counter,
    pub(crate) user_bytes: Counter,
    pub(crate) wal_bytes: Counter,
    pub(crate) wal_syncs: Counter,
    pub(crate) gets_found: Counter,
    pub(crate) gets_absent: Counter,
    pub(crate) tables_searched: Counter,
    pub(crate) flushes: Counter,
    pub(crate) flush_bytes: Counter,
    pub(crate) compactions: Counter,
    pub(crate) trivial_moves: Counter,
    pub(crate) compaction_read_bytes: Counter,
    pub(crate) compaction_write_bytes: Counter,
    pub(crate) entries_shadowed: Counter,
    pub(crate) tombstones_dropped: Counter,
    pub(crate) entries_range_deleted: Counter,
    pub(crate) range_tombstones_dropped: Counter,
    /// Entries of compactions that were not in the oldest run.
    pub(crate) merged_newer: Counter,
    /// Entries that were hidden by one of those.
    pub(crate) merged_hidden: Counter,
    pub(crate) transactions_begun: Counter,
    pub(crate) transactions_committed: Counter,
    pub(crate) transactions_rolled_back: Counter,
    pub(crate) conflicts: Counter,
    pub(crate) stalls: Counter,
    pub(crate) slowdowns: Counter,
    pub(crate) slowdown_waits: Counter,
    pub(crate) prefix_skips: Counter,
}
