//! The tree inside a memtable: a B+ tree over records, in which nothing is ever removed.
//!
//! ```text
//! inner:  child 0 | separator 1 | child 1 | …        separator i: the first record below child i
//! leaf:   record | record | …                        leaves are linked both ways
//! ```
//!
//! Invariants
//! - Order: user key ascending, then trailer descending. Records never move, so a separator is a record.
//! - No leaf but the only one of an empty tree is empty; all leaves have the same depth.
//! - A key that belongs in a node shares the first `skip` bytes of its keys: those that the separators
//!   on both sides of the node share, or at either end of the tree those that all keys share.
//!
//! Cost: an insert or a search compares log₂ n heads and about one record; stepping to either side
//! compares nothing. A leaf that is filled from one end stays full when it is split.
//! Prior art: Bayer and Unterauer 1977 (prefix B-trees); Graefe and Larson 2001 (heads of keys in slots).

use super::node::Slots;
use super::recent::Batches;
use super::records::{Entry, Record, Records};
use crate::key::{SeqNo, SplitKey};

/// A chain of 16 inner nodes would have more leaves than memory has bytes.
const DEPTH_MAX: usize = 16;

/// Heads are taken anew only when they get so many bytes better: that looks at every record.
const SKIP_GAIN_MIN: usize = 2;

/// Leaves that [`Tree::skip_older`] passes in one call: some microseconds.
const SKIP_LEAVES_MAX: usize = 64;

type NodeId = u32;
const NOWHERE: NodeId = NodeId::MAX;

/// A place in a tree: valid until the next insert, its record as long as the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreePosition {
    leaf: NodeId,
    position: usize,
    pub(super) record: Record,
}

struct Leaf {
    slots: Slots,
    /// No entry of the leaf is newer.
    newest: SeqNo,
    next: NodeId,
    previous: NodeId,
}

struct Inner {
    separators: Slots,
    children: Vec<NodeId>,
}

/// A step on the way down: the node, which of its children, and the separators around the node.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    node: NodeId,
    child: usize,
    fences: Fences,
}

/// The keys below a node are at or after `from` and before `to`; `None`: no such bound.
#[derive(Debug, Clone, Copy, Default)]
struct Fences {
    from: Option<Record>,
    to: Option<Record>,
}

/// The way from the root to a leaf.
#[derive(Debug, Default)]
struct Path {
    steps: [Step; DEPTH_MAX],
    depth: usize,
    leaf: NodeId,
    fences: Fences,
}

/// An ordered, growing set of entries.
pub(super) struct Tree {
    records: Records,
    batches: Batches,
    #[expect(clippy::vec_box, reason = "growing must not move the nodes, half a kilobyte each")]
    leaves: Vec<Box<Leaf>>,
    #[expect(clippy::vec_box, reason = "as above")]
    inners: Vec<Box<Inner>>,
    root: NodeId,
    /// Levels of inner nodes; 0: the root is a leaf.
    depth: usize,
    last_leaf: NodeId,
    /// The common prefix of all keys.
    common: Vec<u8>,
    entries: u64,
    /// The leaf of the last insert, when the one before went there too: a run of ascending keys.
    run: Option<NodeId>,
    last_insert: NodeId,
}

impl Tree {
    /// An empty tree.
    pub(super) fn new() -> Self {
        let leaf = Leaf { slots: Slots::new(0), newest: 0, next: NOWHERE, previous: NOWHERE };
        Self {
            records: Records::default(),
            batches: Batches::default(),
            leaves: vec![Box::new(leaf)],
            inners: Vec::new(),
            root: 0,
            depth: 0,
            last_leaf: 0,
            common: Vec::new(),
            entries: 0,
            run: None,
            last_insert: NOWHERE,
        }
    }

    /// Notes that the next entries are a batch whose first sequence number is `first`.
    pub(super) fn begin_batch(&mut self, first: SeqNo) {
        self.batches.begin(first);
    }

    /// The batches inserted last.
    pub(super) fn batches(&self) -> &Batches {
        &self.batches
    }

    /// See [`Records::newest`].
    pub(super) fn newest(&self, limit: usize) -> Vec<Entry<'_>> {
        self.records.newest(limit)
    }

    /// The number of entries. None is ever removed, so an equal number also proves that places are still valid.
    pub(super) fn entries(&self) -> u64 {
        self.entries
    }

    /// The entry of `record`.
    #[inline]
    pub(super) fn entry(&self, record: Record) -> Entry<'_> {
        self.records.entry(record)
    }

    pub(super) fn first(&self) -> Option<TreePosition> {
        // The first leaf is never split to its left: it keeps its number.
        self.at(0, 0)
    }

    pub(super) fn last(&self) -> Option<TreePosition> {
        let count = self.leaf(self.last_leaf)?.slots.len();
        self.at(self.last_leaf, count.checked_sub(1)?)
    }

    #[inline]
    pub(super) fn next(&self, place: TreePosition) -> Option<TreePosition> {
        self.at_or_next(place.leaf, place.position + 1)
    }

    #[inline]
    pub(super) fn previous(&self, place: TreePosition) -> Option<TreePosition> {
        if let Some(position) = place.position.checked_sub(1) {
            return self.at(place.leaf, position);
        }
        let previous = self.leaf(place.leaf)?.previous;
        self.at(previous, self.leaf(previous)?.slots.len().checked_sub(1)?)
    }

    /// Where `record` is now.
    pub(super) fn find(&self, record: Record) -> Option<TreePosition> {
        self.seek(&self.records.target(record), || {})
    }

    /// The first place at or after `target`; calls `compared` for each comparison.
    pub(super) fn seek(
        &self,
        target: &SplitKey<'_>,
        mut compared: impl FnMut(),
    ) -> Option<TreePosition> {
        if !self.common.is_empty() {
            compared();
        }
        if !target.user_key.starts_with(&self.common) {
            return if target.user_key < self.common.as_slice() { self.first() } else { None };
        }
        let mut node = self.root;
        for _ in 0..self.depth {
            let inner = self.inner(node)?;
            let child = inner.separators.before(target, &self.records, &mut compared);
            node = *inner.children.get(child)?;
        }
        let position = self.leaf(node)?.slots.before(target, &self.records, &mut compared);
        self.at_or_next(node, position)
    }

    /// The last place before `target`.
    pub(super) fn before(&self, target: &SplitKey<'_>) -> Option<TreePosition> {
        match self.seek(target, || {}) {
            Some(place) => self.previous(place),
            None => self.last(),
        }
    }

    /// The first place from `place` on that is `end` or has an entry as new as `sequence`; or the one that is reached
    /// after some leaves. Leaves with nothing so new are passed without a look at their entries.
    pub(super) fn skip_older(
        &self,
        mut place: TreePosition,
        end: Option<TreePosition>,
        sequence: SeqNo,
        forward: bool,
    ) -> Option<TreePosition> {
        let step = |place| if forward { self.next(place) } else { self.previous(place) };
        for _ in 0..SKIP_LEAVES_MAX {
            let leaf = self.leaf(place.leaf)?;
            if leaf.newest < sequence {
                if let Some(end) = end.filter(|end| end.leaf == place.leaf) {
                    return Some(end);
                }
                place.position = if forward { leaf.slots.len().checked_sub(1)? } else { 0 };
                place = step(place)?;
                continue;
            }
            let here = place.leaf;
            while place.leaf == here {
                let is_older = self.entry(place.record).trailer >> 8 < sequence;
                if Some(place) == end || !is_older {
                    return Some(place);
                }
                place = step(place)?;
            }
        }
        Some(place)
    }

    /// Memory of records and nodes \[bytes\].
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let inner = size_of::<Inner>() + 4 * super::node::CAPACITY;
        self.records.bytes() + self.leaves.len() * size_of::<Leaf>() + self.inners.len() * inner
    }

    fn leaf(&self, leaf: NodeId) -> Option<&Leaf> {
        self.leaves.get(leaf as usize).map(|leaf| &**leaf)
    }

    fn inner(&self, inner: NodeId) -> Option<&Inner> {
        self.inners.get(inner as usize).map(|inner| &**inner)
    }

    #[inline]
    fn at(&self, leaf: NodeId, position: usize) -> Option<TreePosition> {
        let record = self.leaf(leaf)?.slots.record(position)?;
        Some(TreePosition { leaf, position, record })
    }

    #[inline]
    fn at_or_next(&self, leaf: NodeId, position: usize) -> Option<TreePosition> {
        self.at(leaf, position).or_else(|| self.at(self.leaf(leaf)?.next, 0))
    }
}

mod insert;
mod look;
