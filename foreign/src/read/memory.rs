//! The logs' entries of one family, sorted as in a memtable.

use crate::key::Kind;
use crate::sorting::sort_by;
use crate::{Comparator, EntryCursor, EntryRef, Error, ErrorKind, Result, Value};
use std::cmp::Reverse;

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryEntry {
    /// The key of the user.
    pub user_key: Vec<u8>,
    /// Its sequence number.
    pub sequence: u64,
    /// Its kind.
    pub kind: Kind,
    /// Its value.
    pub value: Vec<u8>,
}

/// Entries in the order of internal keys.
#[derive(Debug, Clone)]
pub struct MemoryRun {
    entries: Vec<MemoryEntry>,
    comparator: Comparator,
}

impl MemoryRun {
    pub(super) const EMPTY: Self = Self { entries: Vec::new(), comparator: Comparator::Bytewise };

    /// Sorts `entries`; a later one with the same key and sequence number comes first, as it was written last.
    pub fn new(mut entries: Vec<MemoryEntry>, comparator: Comparator) -> Self {
        entries.reverse();
        sort_by(&mut entries, |a, b| {
            comparator
                .compare(&a.user_key, &b.user_key)
                .then(Reverse(a.sequence).cmp(&Reverse(b.sequence)))
        });
        Self { entries, comparator }
    }

    /// The entries in order.
    pub fn entries(&self) -> &[MemoryEntry] {
        &self.entries
    }

    /// A walk over them.
    pub fn cursor(&self) -> MemoryCursor<'_> {
        MemoryCursor { run: self, place: self.entries.len() }
    }
}

/// A walk over a [`MemoryRun`].
#[derive(Debug, Clone)]
pub struct MemoryCursor<'a> {
    run: &'a MemoryRun,
    place: usize,
}

impl EntryCursor for MemoryCursor<'_> {
    fn first(&mut self) -> Result<()> {
        self.place = 0;
        Ok(())
    }

    fn seek(&mut self, user_key: &[u8], sequence: u64) -> Result<()> {
        let comparator = self.run.comparator;
        self.place = self.run.entries.partition_point(|entry| {
            comparator
                .compare(&entry.user_key, user_key)
                .then(Reverse(entry.sequence).cmp(&Reverse(sequence)))
                .is_lt()
        });
        Ok(())
    }

    fn next(&mut self) -> Result<()> {
        self.place = (self.place + 1).min(self.run.entries.len());
        Ok(())
    }

    fn entry(&self) -> Option<EntryRef<'_>> {
        let entry = self.run.entries.get(self.place)?;
        let MemoryEntry { user_key, sequence, kind, .. } = entry;
        Some(EntryRef { user_key, sequence: *sequence, kind: *kind })
    }

    fn value(&mut self) -> Result<Value> {
        let entry = self.run.entries.get(self.place);
        let entry =
            entry.ok_or_else(|| Error::new(ErrorKind::Invalid, "there is no entry here"))?;
        Ok(Value::Bytes(entry.value.clone()))
    }
}
