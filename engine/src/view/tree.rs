//! A bounded part of the tree of a memtable, around the path to one key.

use crate::event::{MemtableId, ShownKey};
use crate::key::{SeqNo, ValueKind};

/// The tree of one memtable, around the way to one key or to the first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MemtableTree {
    /// Which memtable.
    pub memtable: MemtableId,
    /// Entries in all.
    pub entries: u64,
    /// Leaves in all.
    pub leaves: usize,
    /// Inner nodes in all.
    pub inners: usize,
    /// The common prefix of all keys; searches compare it once.
    pub common: ShownKey,
    /// From the root down: the node on the way, between those that have the same parent.
    pub levels: Vec<Vec<TreeNode>>,
    /// The way down: one step for each level.
    pub path: Vec<TreeStep>,
    /// Comparisons of the whole path, including that of the common prefix.
    pub comparisons: u32,
    /// The entries of the leaf at the end of the way.
    pub window: Vec<MemtableEntry>,
    /// The versions of the key, newest first; some hundred at most.
    pub versions: Vec<MemtableEntry>,
}

/// One node.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TreeNode {
    /// Its number: leaves and inner nodes are numbered apart, in the order in which they were made.
    pub node: u32,
    /// Whether it holds entries; otherwise it holds separators, each the first key of a child.
    pub leaf: bool,
    /// Keys in it.
    pub slots: usize,
    /// Bytes that its keys share and that are not compared.
    pub skip: usize,
    /// Its first key.
    pub first: Option<ShownKey>,
    /// Whether it is on the way.
    pub on_path: bool,
}

/// One step down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TreeStep {
    /// The node.
    pub node: u32,
    /// How many of its keys come before the one sought: the child to go to, or the place in the leaf.
    pub position: usize,
    /// Comparisons in it.
    pub comparisons: u32,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MemtableEntry {
    /// Its key.
    pub key: ShownKey,
    /// Its sequence number.
    pub sequence: SeqNo,
    /// Put or tombstone.
    pub entry: ValueKind,
    /// Length of its value \[bytes\].
    pub value_bytes: usize,
}
