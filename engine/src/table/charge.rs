//! Charges: reads that had to search several tables, counted at the first of them, and reads that walked over
//! hidden entries, counted where these are.
//!
//! A table with many charges makes reads slower than they need to be, because its keys are in other tables
//! too. Merging it with those is worth a compaction once it has been charged often enough. A memtable is worth a
//! rotation in the same way: the flush drops its hidden entries. Charges are in memory only: a table that is
//! closed and opened again begins anew.

use super::reader::Table;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A table needs at least so many charges: a compaction costs more than a few reads can save.
const READS_MIN: u32 = 100;

/// Below L0, this number of charges is worth one in L0: a merge there spares some reads one search, not every read
/// several (decision 81).
const READS_BELOW_L0: u64 = 16;

/// To walk over so many hidden entries counts as one charged read: it takes as long as merging the bytes that
/// a read is worth. A power of two.
const WALKED_A_READ: u64 = 2048;

/// The charges of one open table, or of one memtable.
#[derive(Debug)]
pub(crate) struct ReadCharge {
    reads: AtomicU32,
    /// At so many reads it is decided whether the table is to be compacted; `u32::MAX`: never.
    limit: AtomicU32,
    /// Hidden entries that reads walked over.
    walked: AtomicU64,
}

impl Default for ReadCharge {
    fn default() -> Self {
        Self::up_to(u32::MAX)
    }
}

impl ReadCharge {
    /// The charges of a new memtable.
    pub(crate) fn of_memtable() -> Self {
        Self::up_to(READS_MIN)
    }

    fn up_to(limit: u32) -> Self {
        Self { reads: AtomicU32::new(0), limit: AtomicU32::new(limit), walked: AtomicU64::new(0) }
    }

    /// Whether the limit was reached, and [`Self::go_on`] not called since.
    #[inline]
    pub(crate) fn is_reached(&self) -> bool {
        self.limit.load(Ordering::Relaxed) == u32::MAX
    }

    /// Hidden entries that reads walked over so far.
    pub(crate) fn walked(&self) -> u64 {
        self.walked.load(Ordering::Relaxed)
    }

    /// The same, if most of the reads counted so far are such walks; otherwise 0.
    pub(crate) fn mostly_walked(&self) -> u64 {
        let walked = self.walked();
        if walked / WALKED_A_READ > self.reads() / 2 { walked } else { 0 }
    }

    /// Counts `entries` hidden ones that a read walked over; true for the walk that reaches the limit.
    pub(crate) fn add_walked(&self, entries: u32) -> bool {
        let entries = u64::from(entries);
        let before = self.walked.fetch_add(entries, Ordering::Relaxed) % WALKED_A_READ;
        before + entries >= WALKED_A_READ && self.add()
    }

    /// Reads counted so far.
    pub(crate) fn reads(&self) -> u64 {
        u64::from(self.reads.load(Ordering::Relaxed))
    }

    /// Goes on counting up to `limit` reads.
    pub(crate) fn go_on(&self, limit: u64) {
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        self.limit.store(limit, Ordering::Relaxed);
    }

    /// Begins anew, up to `limit` reads.
    pub(crate) fn begin(&self, limit: u64) {
        self.reads.store(0, Ordering::Relaxed);
        self.walked.store(0, Ordering::Relaxed);
        self.go_on(limit);
    }

    /// Counts one read; true for the one that reaches the limit.
    fn add(&self) -> bool {
        let reads = self.reads.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        // Of several threads that reach it, one finds the limit still there.
        reads >= self.limit.load(Ordering::Relaxed)
            && self.limit.swap(u32::MAX, Ordering::Relaxed) != u32::MAX
    }
}

/// The charges of one database: the worth of a read, and the tables that have reached their limits.
#[derive(Debug, Default)]
pub(crate) struct ReadCharges {
    /// Bytes of compaction that one charged read is worth; 0: nothing is charged \[bytes\].
    bytes_a_read: AtomicU64,
    reached: Mutex<Vec<Arc<Table>>>,
    any_reached: AtomicBool,
}

impl ReadCharges {
    /// Charges of which each is worth `bytes_a_read` of compaction; 0: no charges.
    pub(crate) fn new(bytes_a_read: u64) -> Self {
        Self { bytes_a_read: bytes_a_read.into(), ..Self::default() }
    }

    /// Whether reads are charged.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.bytes_a_read.load(Ordering::Relaxed) > 0
    }

    /// Charges from now on, each read as worth `bytes_a_read`.
    pub(crate) fn turn_on(&self, bytes_a_read: u64) {
        self.bytes_a_read.store(bytes_a_read, Ordering::Relaxed);
    }

    /// How many charged reads of a table in L0 a compaction of `bytes` is worth.
    pub(crate) fn reads_for(&self, bytes: u64) -> u64 {
        let bytes_a_read = self.bytes_a_read.load(Ordering::Relaxed);
        bytes.checked_div(bytes_a_read).map_or(u64::MAX, |reads| reads.max(READS_MIN.into()))
    }

    /// The same of a table in `level`.
    pub(crate) fn reads_for_level(&self, level: usize, bytes: u64) -> u64 {
        let weight = if level == 0 { 1 } else { READS_BELOW_L0 };
        self.reads_for(bytes.saturating_mul(weight))
    }

    /// Counts a read that had to search `table` and others.
    pub(crate) fn charge(&self, table: &Arc<Table>) {
        if table.reads.add() {
            self.note_reached(table);
        }
    }

    /// Counts `entries` of `table` that are hidden, and that a read walked over.
    pub(crate) fn charge_walk(&self, table: &Arc<Table>, entries: u32) {
        if table.reads.add_walked(entries) {
            self.note_reached(table);
        }
    }

    fn note_reached(&self, table: &Arc<Table>) {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(table));
        self.any_reached.store(true, Ordering::Release);
    }

    /// Whether a table has reached its limit.
    #[inline]
    pub(crate) fn any_reached(&self) -> bool {
        self.any_reached.load(Ordering::Acquire)
    }

    /// The tables that have reached their limits since the last call.
    pub(crate) fn take_reached(&self) -> Vec<Arc<Table>> {
        self.any_reached.store(false, Ordering::Release);
        std::mem::take(&mut *self.reached.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The first table that a lookup searched without finding its key there. It is charged when the lookup has
/// to go on to another table.
///
/// A table whose filter ends the search costs next to nothing, and is not charged.
#[derive(Debug)]
pub(crate) struct FirstMiss<'a> {
    charges: &'a ReadCharges,
    table: Option<Arc<Table>>,
    charged: bool,
}

impl<'a> FirstMiss<'a> {
    /// A lookup that has searched nothing yet.
    pub(crate) fn new(charges: &'a ReadCharges) -> Self {
        Self { charges, table: None, charged: !charges.is_on() }
    }

    /// A block of `table` was searched, and the key was not there.
    #[inline]
    pub(crate) fn missed(&mut self, table: &Arc<Table>) {
        if !self.charged && self.table.is_none() {
            self.table = Some(Arc::clone(table));
        }
    }

    /// Another table has to be searched.
    #[inline]
    pub(crate) fn goes_on(&mut self) {
        if let Some(table) = self.table.take() {
            self.charges.charge(&table);
            self.charged = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_read_reaches_the_limit() {
        let charge = ReadCharge::default();
        charge.begin(3);
        let reached: Vec<bool> = (0..6).map(|_| charge.add()).collect();
        assert_eq!(reached, [false, false, true, false, false, false]);
        assert_eq!(charge.reads(), 6);
        charge.go_on(8);
        assert_eq!([charge.add(), charge.add(), charge.add()], [false, true, false]);
        charge.begin(1);
        assert_eq!([charge.add(), charge.add()], [true, false]);
    }

    #[test]
    fn a_limit_that_was_passed_meanwhile_is_reached_by_the_next_read() {
        let charge = ReadCharge::default();
        charge.begin(2);
        assert_eq!([charge.add(), charge.add(), charge.add()], [false, true, false]);
        charge.go_on(2);
        assert_eq!([charge.add(), charge.add()], [true, false]);
    }

    #[test]
    fn charges_are_worth_bytes_of_compaction() {
        let charges = ReadCharges::new(1000);
        assert_eq!(charges.reads_for(250_000), 250);
        assert_eq!(charges.reads_for(1), u64::from(READS_MIN));
        assert_eq!(charges.reads_for_level(0, 250_000), 250);
        assert_eq!(charges.reads_for_level(1, 250_000), 250 * READS_BELOW_L0);
        assert_eq!(
            charges.reads_for_level(2, 0),
            u64::from(READS_MIN),
            "moving a table costs nothing"
        );
        assert_eq!(ReadCharges::new(0).reads_for(1), u64::MAX);
    }

    #[test]
    fn a_walk_over_many_hidden_entries_counts_as_a_read() {
        let charge = ReadCharge::up_to(2);
        assert!(!charge.add_walked(2047) && charge.reads() == 0);
        assert!(!charge.add_walked(31) && charge.reads() == 1);
        assert!(!charge.add_walked(2048 - 31) && !charge.is_reached());
        assert!(charge.add_walked(1) && charge.is_reached());
        assert_eq!((charge.walked(), charge.mostly_walked()), (4096, 4096));
        assert!(!charge.add() && !charge.add() && charge.mostly_walked() == 0);
    }

    #[test]
    fn without_a_limit_nothing_is_reached() {
        let charge = ReadCharge::default();
        assert!((0..1000).all(|_| !charge.add()));
    }
}
