//! Models `FroopyDB`'s memtable size accounting.

use super::{STAMP_BYTES, TOMBSTONE, split_stamp, stamped};
use crate::Entry;
use std::collections::BTreeMap;

/// A memtable with the way of counting of the original program: keys with their time stamps, and
/// values; a tombstone is a value of one byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memtable {
    max_bytes: usize,
    bytes: usize,
    entries: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl Memtable {
    /// An empty one that is full at `max_bytes` \[bytes\].
    pub fn new(max_bytes: usize) -> Self {
        Self { max_bytes, bytes: 0, entries: BTreeMap::new() }
    }

    /// Whether a write of `key` comes after a flush: with it, the memtable would *reach* its limit. An
    /// empty one is never full.
    pub fn full_for(&self, key: &[u8], value: Option<&[u8]>) -> bool {
        !self.entries.is_empty()
            && self.max_bytes <= self.bytes.saturating_add(entry_bytes(key, value))
    }

    /// Adds a version of `key`; `None` deletes it.
    pub fn write(&mut self, key: &[u8], time: u64, value: Option<&[u8]>) {
        self.bytes = self.bytes.saturating_add(entry_bytes(key, value));
        let replaced = self.entries.insert(stamped(key, time), value.map(<[u8]>::to_vec));
        if let Some(replaced) = replaced {
            self.bytes = self.bytes.saturating_sub(entry_bytes(key, replaced.as_deref()));
        }
    }

    /// Size of its entries, as counted \[bytes\].
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The entries of the table that it becomes; it is empty then.
    pub fn flush(&mut self) -> Vec<Entry<'static>> {
        self.bytes = 0;
        let entries = std::mem::take(&mut self.entries).into_iter();
        let entry = |(stamped, value): (Vec<u8>, Option<Vec<u8>>)| {
            let (key, time) = split_stamp(&stamped)?;
            let value = value.map(Into::into);
            Some(Entry { key: key.to_vec().into(), value, sequence: Some(time), offset: 0 })
        };
        entries.filter_map(entry).collect()
    }
}

fn entry_bytes(key: &[u8], value: Option<&[u8]>) -> usize {
    key.len().saturating_add(STAMP_BYTES).saturating_add(value.unwrap_or(TOMBSTONE).len())
}
