//! Inserting: where an entry belongs, and making room there.

use super::{
    DEPTH_MAX, Fences, Inner, Leaf, NOWHERE, NodeId, Path, Record, SKIP_GAIN_MIN, Slots, Step, Tree,
};
use crate::coding::shared_prefix;
use crate::key::SplitKey;

impl Tree {
    /// Adds an entry, which must be new.
    pub(in super::super) fn insert(&mut self, target: SplitKey<'_>, value: &[u8]) {
        self.note_common(target.user_key);
        let record = self.records.append(target, value);
        let leaf = match self.run.filter(|leaf| self.covers(*leaf, &target)) {
            Some(leaf) => leaf,
            None => self.descend(&target),
        };
        self.run = (leaf == self.last_insert).then_some(leaf);
        self.last_insert = leaf;
        self.entries += 1;
        let Some(found) = self.leaves.get_mut(leaf as usize) else { return };
        found.newest = found.newest.max(target.trailer >> 8);
        let position = found.slots.before(&target, &self.records, &mut || {});
        if found.slots.is_full() {
            self.split_leaf(&target, position, record);
        } else {
            found.slots.insert(position, target.user_key, record);
        }
    }

    /// Shortens the common prefix when `user_key` does not have it.
    fn note_common(&mut self, user_key: &[u8]) {
        if self.entries == 0 {
            self.common = user_key.to_vec();
            if let Some(leaf) = self.leaves.first_mut() {
                leaf.slots.set_skip(user_key.len(), &self.records);
            }
        }
        if user_key.starts_with(&self.common) {
            return;
        }
        let shared = shared_prefix(&self.common, user_key);
        self.common.truncate(shared);
        // Only nodes at either end of the tree depend on the common prefix.
        for last in [false, true] {
            let mut node = self.root;
            for _ in 0..self.depth {
                let Some(inner) = self.inners.get_mut(node as usize) else { return };
                if inner.separators.skip() > shared {
                    inner.separators.set_skip(shared, &self.records);
                }
                let child = if last { inner.children.last() } else { inner.children.first() };
                node = child.copied().unwrap_or(NOWHERE);
            }
            let Some(leaf) = self.leaves.get_mut(node as usize) else { return };
            if leaf.slots.skip() > shared {
                leaf.slots.set_skip(shared, &self.records);
            }
        }
    }

    /// Whether `target` belongs in `leaf`.
    fn covers(&self, leaf: NodeId, target: &SplitKey<'_>) -> bool {
        let Some(leaf) = self.leaf(leaf) else { return false };
        let before = |record: Option<Record>| {
            record.is_some_and(|record| self.records.is_before(record, target))
        };
        // The last key first: that decides for a run at the end of the tree.
        let after_last = before(leaf.slots.len().checked_sub(1).and_then(|i| leaf.slots.record(i)));
        let after_first = after_last || leaf.previous == NOWHERE || before(leaf.slots.record(0));
        let next = self.leaf(leaf.next);
        after_first && !next.is_some_and(|next| before(next.slots.record(0)))
    }

    /// The leaf in which `target` belongs.
    fn descend(&self, target: &SplitKey<'_>) -> NodeId {
        let mut node = self.root;
        for _ in 0..self.depth {
            let Some(inner) = self.inner(node) else { return NOWHERE };
            let child = inner.separators.before(target, &self.records, &mut || {});
            node = inner.children.get(child).copied().unwrap_or(NOWHERE);
        }
        node
    }

    /// The way to the leaf in which `target` belongs.
    fn path(&self, target: &SplitKey<'_>) -> Path {
        let mut path = Path { leaf: self.root, ..Path::default() };
        for step in path.steps.iter_mut().take(self.depth) {
            let Some(inner) = self.inner(path.leaf) else { break };
            let child = inner.separators.before(target, &self.records, &mut || {});
            *step = Step { node: path.leaf, child, fences: path.fences };
            path.leaf = inner.children.get(child).copied().unwrap_or(NOWHERE);
            let before = child.checked_sub(1).and_then(|i| inner.separators.record(i));
            path.fences.from = before.or(path.fences.from);
            path.fences.to = inner.separators.record(child).or(path.fences.to);
            path.depth += 1;
        }
        path
    }

    /// Splits the full leaf of `target` and puts `record` into the half where it belongs.
    fn split_leaf(&mut self, target: &SplitKey<'_>, position: usize, record: Record) {
        let path = self.path(target);
        let new = node_id(self.leaves.len());
        let Some(left) = self.leaves.get_mut(path.leaf as usize) else { return };
        let count = left.slots.len();
        // A leaf that is filled from one end stays full; only one that is hit inside is halved.
        let cut = if position == 0 || position == count { position } else { count / 2 };
        let mut right = Leaf {
            slots: left.slots.split_off(cut),
            newest: left.newest,
            next: std::mem::replace(&mut left.next, new),
            previous: path.leaf,
        };
        let goes_right = cut > 0 && (position > cut || cut == count);
        if goes_right {
            right.slots.insert(position - cut, target.user_key, record);
        } else {
            left.slots.insert(position, target.user_key, record);
        }
        let separator = right.slots.record(0).unwrap_or(record);
        let next = right.next;
        match self.leaves.get_mut(next as usize) {
            Some(next) => next.previous = new,
            None => self.last_leaf = new,
        }
        self.leaves.push(Box::new(right));
        if goes_right {
            self.last_insert = new;
            self.run = self.run.map(|_| new);
        }
        let halves = [
            (path.leaf, Fences { to: Some(separator), ..path.fences }),
            (new, Fences { from: Some(separator), ..path.fences }),
        ];
        for (leaf, fences) in halves {
            let skip = self.skip_within(fences);
            let Some(leaf) = self.leaves.get_mut(leaf as usize) else { continue };
            if skip >= leaf.slots.skip() + SKIP_GAIN_MIN {
                leaf.slots.set_skip(skip, &self.records);
            }
        }
        self.insert_child(&path, separator, new);
    }

    /// Length of the common prefix of all keys within `fences` \[bytes\].
    fn skip_within(&self, fences: Fences) -> usize {
        let (Some(from), Some(to)) = (fences.from, fences.to) else { return self.common.len() };
        let (from, to) = (self.records.target(from), self.records.target(to));
        shared_prefix(from.user_key, to.user_key)
    }

    /// Inserts `child`, whose keys begin at `separator`, into the inner nodes above, after the node at the
    /// end of `path`.
    fn insert_child(&mut self, path: &Path, mut separator: Record, mut child: NodeId) {
        for step in path.steps.iter().take(path.depth).rev() {
            let new = node_id(self.inners.len());
            let Some(inner) = self.inners.get_mut(step.node as usize) else { return };
            let user_key = self.records.target(separator).user_key;
            if !inner.separators.is_full() {
                inner.separators.insert(step.child, user_key, separator);
                inner.children.insert(step.child + 1, child);
                return;
            }
            let count = inner.separators.len();
            let cut = if step.child == count { count - 1 } else { count / 2 };
            let mut right = Inner {
                separators: inner.separators.split_off(cut + 1),
                children: inner.children.split_off(cut + 1),
            };
            let raised = inner.separators.record(cut).unwrap_or(separator);
            inner.separators.pop();
            let half = if step.child > cut { &mut right } else { &mut **inner };
            let at = if step.child > cut { step.child - cut - 1 } else { step.child };
            half.separators.insert(at, user_key, separator);
            half.children.insert(at + 1, child);
            self.inners.push(Box::new(right));
            let halves = [
                (step.node, Fences { to: Some(raised), ..step.fences }),
                (new, Fences { from: Some(raised), ..step.fences }),
            ];
            for (node, fences) in halves {
                let skip = self.skip_within(fences);
                let Some(inner) = self.inners.get_mut(node as usize) else { continue };
                if skip >= inner.separators.skip() + SKIP_GAIN_MIN {
                    inner.separators.set_skip(skip, &self.records);
                }
            }
            (separator, child) = (raised, new);
        }
        self.grow(separator, child);
    }

    /// Makes a new root above the old one and `child`.
    fn grow(&mut self, separator: Record, child: NodeId) {
        assert!(self.depth < DEPTH_MAX, "a memtable is never so deep");
        let mut separators = Slots::new(self.common.len());
        separators.insert(0, self.records.target(separator).user_key, separator);
        let root = node_id(self.inners.len());
        self.inners.push(Box::new(Inner { separators, children: vec![self.root, child] }));
        self.root = root;
        self.depth += 1;
    }
}

/// The number of a node. There are fewer nodes than records.
fn node_id(count: usize) -> NodeId {
    NodeId::try_from(count).unwrap_or(NOWHERE)
}
