//! Looking at the tree: the way to a key, and the nodes on both sides of it.

use super::super::parts;
use super::{NodeId, Tree, TreePosition};
use crate::event::ShownKey;
use crate::key::SplitKey;
use crate::view::{MemtableEntry, MemtableTree, TreeNode, TreeStep};

/// Versions of one key that are shown.
const VERSIONS_MAX: usize = 100;

impl Tree {
    /// The nodes on the way to `target`, or to the first entry, each with its siblings.
    pub(in super::super) fn look(&self, target: Option<&SplitKey<'_>>) -> MemtableTree {
        let mut out = MemtableTree {
            entries: self.entries,
            leaves: self.leaves.len(),
            inners: self.inners.len(),
            common: ShownKey::new(&self.common),
            ..MemtableTree::default()
        };
        let (mut siblings, mut node) = (vec![self.root], self.root);
        for depth in 0..=self.depth {
            let leaf = depth == self.depth;
            let nodes =
                siblings.iter().map(|sibling| self.tree_node(*sibling, leaf, node)).collect();
            out.levels.push(nodes);
            let slots = if leaf {
                self.leaf(node).map(|leaf| &leaf.slots)
            } else {
                self.inner(node).map(|inner| &inner.separators)
            };
            let Some(slots) = slots else { break };
            let mut comparisons = 0;
            let position = target
                .map_or(0, |target| slots.before(target, &self.records, &mut || comparisons += 1));
            out.path.push(TreeStep { node, position, comparisons });
            if let Some(inner) = self.inner(node).filter(|_| !leaf) {
                siblings.clone_from(&inner.children);
                node = siblings.get(position).copied().unwrap_or(node);
            }
        }
        let place = self.at(node, 0);
        out.window = self.walk(place, |place| place.leaf == node);
        if let Some(target) = target {
            let newest = SplitKey { trailer: u64::MAX, ..*target };
            let place = self.seek(&newest, || out.comparisons += 1);
            let same = |place: &TreePosition| self.entry(place.record).user_key == target.user_key;
            out.versions = self.walk(place, same);
        }
        out
    }

    fn tree_node(&self, node: NodeId, leaf: bool, on_path: NodeId) -> TreeNode {
        let slots = if leaf {
            self.leaf(node).map(|leaf| &leaf.slots)
        } else {
            self.inner(node).map(|inner| &inner.separators)
        };
        let first = slots.and_then(|slots| slots.record(0)).map(|record| self.entry(record));
        TreeNode {
            node,
            leaf,
            slots: slots.map_or(0, super::Slots::len),
            skip: slots.map_or(0, super::Slots::skip),
            first: first.map(|entry| ShownKey::new(entry.user_key)),
            on_path: node == on_path,
        }
    }

    /// The entries from `place` on, while `wanted`.
    fn walk(
        &self,
        place: Option<TreePosition>,
        wanted: impl Fn(&TreePosition) -> bool,
    ) -> Vec<MemtableEntry> {
        let mut entries = Vec::new();
        let mut next = place.filter(|place| wanted(place));
        while let Some(place) = next.filter(|_| entries.len() < VERSIONS_MAX) {
            let entry = self.entry(place.record);
            if let Some((sequence, kind)) = parts(entry.trailer) {
                let (key, value_bytes) = (ShownKey::new(entry.user_key), entry.value.len());
                entries.push(MemtableEntry { key, sequence, entry: kind, value_bytes });
            }
            next = self.next(place).filter(|place| wanted(place));
        }
        entries
    }
}
