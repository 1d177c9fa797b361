//! A cursor over one memtable.

use super::tree::{Tree, TreePosition};
use super::{Memtable, Reading};
use crate::Result;
use crate::iter::{Cursor, HiddenSpan};
use crate::key::SplitKey;
use std::fmt;
use std::sync::Arc;

/// Stands on one entry of a memtable; never fails.
///
/// While the memtable takes writes, the cursor copies key and value and takes the lock only while it
/// moves. Of a frozen memtable it lends them as they lie there. Entries inserted later appear if they
/// lie ahead.
pub(crate) struct MemtableCursor {
    memtable: Arc<Memtable>,
    place: Option<TreePosition>,
    /// Entries of the tree when `place` was found: an insert since then may have moved it.
    entries: u64,
    copied: bool,
    key: Vec<u8>,
    value: Vec<u8>,
}

impl MemtableCursor {
    pub(super) fn new(memtable: Arc<Memtable>) -> Self {
        let (key, value) = (Vec::new(), Vec::new());
        Self { memtable, place: None, entries: 0, copied: false, key, value }
    }

    /// The memtable.
    pub(crate) fn memtable(&self) -> &Memtable {
        &self.memtable
    }

    /// Moves to the place that `choose` names.
    #[inline]
    fn move_to(&mut self, choose: impl FnOnce(&Tree) -> Option<TreePosition>) {
        let tree = self.memtable.read();
        self.place = choose(&tree);
        self.entries = tree.entries();
        self.copied = matches!(tree, Reading::Locked(_));
        if self.copied
            && let Some(place) = self.place
        {
            let entry = tree.entry(place.record);
            self.key.clear();
            self.key.extend_from_slice(entry.internal_key);
            self.value.clear();
            self.value.extend_from_slice(entry.value);
        }
    }

    /// Moves away from the present place.
    #[inline]
    fn step(&mut self, choose: impl FnOnce(&Tree, TreePosition) -> Option<TreePosition>) {
        let Some(place) = self.place else { return };
        let entries = self.entries;
        self.move_to(|tree| {
            let place = if tree.entries() == entries { place } else { tree.find(place.record)? };
            choose(tree, place)
        });
    }
}

impl MemtableCursor {
    /// Goes to the first entry from here on that `hidden` does not hide. Cost: a look at each leaf of the tree.
    pub(crate) fn skip_hidden(&mut self, hidden: &HiddenSpan<'_>) {
        let end = hidden.end();
        let end = end.as_deref().map(SplitKey::from_internal);
        // The lock is held for some leaves at a time.
        while self.place.is_some() && hidden.hides(self.key()) {
            self.step(|tree, place| {
                let end = end.as_ref().and_then(|end| {
                    if hidden.forward { tree.seek(end, || {}) } else { tree.before(end) }
                });
                tree.skip_older(place, end, hidden.sequence, hidden.forward)
            });
        }
    }
}

impl Cursor for MemtableCursor {
    fn valid(&self) -> bool {
        self.place.is_some()
    }

    fn seek_to_first(&mut self) -> Result<()> {
        self.move_to(Tree::first);
        Ok(())
    }

    fn seek_to_last(&mut self) -> Result<()> {
        self.move_to(Tree::last);
        Ok(())
    }

    fn seek(&mut self, target: &[u8]) -> Result<()> {
        self.move_to(|tree| tree.seek(&SplitKey::from_internal(target), || {}));
        Ok(())
    }

    fn seek_before(&mut self, target: &[u8]) -> Result<()> {
        self.move_to(|tree| tree.before(&SplitKey::from_internal(target)));
        Ok(())
    }

    fn next(&mut self) -> Result<()> {
        self.step(Tree::next);
        Ok(())
    }

    fn prev(&mut self) -> Result<()> {
        self.step(Tree::previous);
        Ok(())
    }

    #[inline]
    fn key(&self) -> &[u8] {
        match (self.place, self.memtable.frozen.get()) {
            (None, _) => &[],
            (Some(place), Some(tree)) if !self.copied => tree.entry(place.record).internal_key,
            _ => &self.key,
        }
    }

    #[inline]
    fn value(&self) -> &[u8] {
        match (self.place, self.memtable.frozen.get()) {
            (None, _) => &[],
            (Some(place), Some(tree)) if !self.copied => tree.entry(place.record).value,
            _ => &self.value,
        }
    }
}

impl fmt::Debug for MemtableCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemtableCursor")
            .field("memtable", &self.memtable)
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}
