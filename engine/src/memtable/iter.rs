//! A cursor over one memtable.

use super::Memtable;
use super::skiplist::{HEAD, Node, SkipList};
use crate::Result;
use crate::iter::Cursor;
use crate::key::TRAILER_BYTES;
use std::fmt;
use std::sync::Arc;

/// Stands on one entry of a memtable; never fails.
///
/// It holds the memtable, a node (nodes never move) and copies of the key and the value, so it takes
/// the lock only while it moves. Entries inserted later appear if they lie ahead.
pub(crate) struct MemtableCursor {
    memtable: Arc<Memtable>,
    node: Node,
    key: Vec<u8>,
    value: Vec<u8>,
}

impl MemtableCursor {
    pub(super) fn new(memtable: Arc<Memtable>) -> Self {
        Self { memtable, node: HEAD, key: Vec::new(), value: Vec::new() }
    }

    /// Moves to the node that `choose` names and copies its entry.
    fn move_to(&mut self, choose: impl FnOnce(&SkipList, Node) -> Node) {
        let list = self.memtable.read();
        self.node = choose(&list, self.node);
        self.key.clear();
        self.value.clear();
        if let Some(entry) = list.entry(self.node) {
            self.key.extend_from_slice(entry.user_key);
            self.key.extend_from_slice(&entry.trailer.to_le_bytes());
            self.value.extend_from_slice(entry.value);
        }
    }
}

impl Cursor for MemtableCursor {
    fn valid(&self) -> bool {
        self.node != HEAD
    }

    fn seek_to_first(&mut self) -> Result<()> {
        self.move_to(|list, _| list.first());
        Ok(())
    }

    fn seek_to_last(&mut self) -> Result<()> {
        self.move_to(|list, _| list.last());
        Ok(())
    }

    fn seek(&mut self, target: &[u8]) -> Result<()> {
        // A target too short for a trailer comes before every entry of that user key.
        let (user_key, trailer) = target
            .split_last_chunk::<TRAILER_BYTES>()
            .map_or((target, u64::MAX), |(key, trailer)| (key, u64::from_le_bytes(*trailer)));
        self.move_to(|list, _| list.seek(user_key, trailer, || {}));
        Ok(())
    }

    fn next(&mut self) -> Result<()> {
        if self.valid() {
            self.move_to(SkipList::next);
        }
        Ok(())
    }

    fn prev(&mut self) -> Result<()> {
        if self.valid() {
            self.move_to(SkipList::previous);
        }
        Ok(())
    }

    fn key(&self) -> &[u8] {
        &self.key
    }

    fn value(&self) -> &[u8] {
        &self.value
    }
}

impl fmt::Debug for MemtableCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemtableCursor")
            .field("memtable", &self.memtable)
            .field("node", &self.node)
            .finish_non_exhaustive()
    }
}
