//! Assigns a sequence of writes to memtables and tables.

use crate::Entry;
use levelscope::internals::sorting;
use std::collections::{BTreeMap, VecDeque};

/// Limits of memtables: their size, and the size at which they are flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemtableLimits {
    /// Size of one memtable \[bytes\]; another begins when an entry does not fit any more.
    pub memtable_bytes: usize,
    /// Size of all memtables at which all but the newest become tables \[bytes\].
    pub flush_bytes: usize,
}

impl Default for MemtableLimits {
    /// 4 KiB, written two at a time.
    fn default() -> Self {
        Self { memtable_bytes: 4 << 10, flush_bytes: 8 << 10 }
    }
}

/// One memtable, and its counted size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Memtable {
    entries: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    used_bytes: usize,
}

/// The memtables of the database that the tables were made for, with its own way of counting: a value
/// that is overwritten counts again, and a tombstone counts one byte, whatever its key.
///
/// An entry larger than a memtable gets one for itself; an empty one is never written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memtables {
    limits: MemtableLimits,
    /// The oldest first; the last one is written to.
    queue: VecDeque<Memtable>,
    tables: Vec<Vec<Entry<'static>>>,
}

impl Memtables {
    /// No entries yet.
    pub fn new(limits: MemtableLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Sets `key`, or deletes it.
    pub fn write(&mut self, key: &[u8], value: Option<&[u8]>) {
        let value_bytes = value.map_or(0, <[u8]>::len);
        let needed = key.len().saturating_add(value_bytes).saturating_add(1);
        let full = self.queue.back().is_none_or(|newest| {
            let room = self.limits.memtable_bytes.saturating_sub(newest.used_bytes);
            needed > room && !newest.entries.is_empty()
        });
        if full {
            self.queue.push_back(Memtable::default());
        }
        if let Some(newest) = self.queue.back_mut() {
            let counted = if value.is_some() { needed } else { 1 };
            newest.used_bytes = newest.used_bytes.saturating_add(counted);
            newest.entries.insert(key.to_vec(), value.map(<[u8]>::to_vec));
        }
        let used: usize = self.queue.iter().map(|memtable| memtable.used_bytes).sum();
        if used > self.limits.flush_bytes {
            self.flush();
        }
    }

    /// All memtables but the newest become tables.
    fn flush(&mut self) {
        while self.queue.len() > 1
            && let Some(oldest) = self.queue.pop_front()
        {
            let entries = oldest.entries.into_iter();
            let entries = entries.map(|(key, value)| {
                let value = value.map(Into::into);
                Entry { key: key.into(), value, sequence: None, offset: 0 }
            });
            self.tables.push(entries.collect());
        }
    }

    /// The entries of each table so far, the oldest table first, ready to be written.
    pub fn tables(&self) -> &[Vec<Entry<'static>>] {
        &self.tables
    }

    /// Writes in no table yet, which would be lost with the memory: keys with their newest values.
    pub fn in_memory(&self) -> BTreeMap<&[u8], Option<&[u8]>> {
        let entries = self.queue.iter().flat_map(|memtable| &memtable.entries);
        sorting::map(entries.map(|(key, value)| (key.as_slice(), value.as_deref())))
    }
}
