//! The skiplist inside a memtable: entries in order, in two growing arenas, nothing ever removed.
//!
//! ```text
//! values: value | value | …                       in order of insertion
//! nodes:  head | record | record | …              a node is the offset of the fixed part of its record
//!
//!      node-4h           node   4         12        16        20       24
//! record: ├ next h-1 … next 0 ┼ previous ┼ trailer ┼ value at ┼ value n ┼ key n ┼ user key ─┤
//!           4 bytes each        4          8         4          4         4     little-endian, h = 1..=12
//! ```
//!
//! Links grow downwards from the node and the key upwards, so a search that compares keys stays within
//! one or two cache lines of each record, and values do not spread the records out.
//!
//! Invariants
//! - `HEAD` closes every chain in both directions; it holds no entry.
//! - Along `next` 0 the order is user key ascending, then trailer descending; `previous` is its mirror.
//! - Nothing moves within its arena, so a node stays valid as long as the list.
//! - Both arenas stay below 4 GiB: see [`super::Memtable`].
//!
//! Cost: an insert behind the last one takes one or two comparisons, any other about 2·log₂ n;
//! stepping to either side takes none.
//! Prior art: Pugh 1990; `LevelDB` `skiplist.h`; `RocksDB` `inlineskiplist.h` (links below the node,
//! insertion with a hint).

use super::random::SplitMix64;
use std::cmp::Ordering;

/// Offset of the fixed part of a record.
pub(super) type Node = u32;

/// The node before the first and after the last entry.
pub(super) const HEAD: Node = 48;

/// Most levels of links, 12: the head has them all before it; enough for 4¹² entries at one in four.
const HEIGHT_MAX: usize = HEAD as usize / 4;

/// Bytes of a record between its links and its key.
const FIXED_BYTES: usize = 24;

/// One entry, borrowed from the arenas.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) user_key: &'a [u8],
    pub(super) trailer: u64,
    pub(super) value: &'a [u8],
}

/// An ordered, growing set of entries.
pub(super) struct SkipList {
    nodes: Vec<u8>,
    values: Vec<u8>,
    height: usize,
    random: SplitMix64,
    /// The node inserted last and what came before it at each height: where the next key of a
    /// sequential load belongs.
    last: Node,
    last_height: usize,
    before_last: [Node; HEIGHT_MAX],
}

impl SkipList {
    /// An empty list with room for about `capacity` \[bytes\] of keys and values.
    pub(super) fn new(capacity: usize, seed: u64) -> Self {
        let mut nodes = Vec::with_capacity(capacity / 2 + FIXED_BYTES + 4 * HEIGHT_MAX);
        for _ in 0..HEIGHT_MAX {
            nodes.extend_from_slice(&HEAD.to_le_bytes());
        }
        nodes.extend_from_slice(&HEAD.to_le_bytes());
        nodes.resize(HEAD as usize + FIXED_BYTES, 0);
        Self {
            nodes,
            values: Vec::with_capacity(capacity),
            height: 1,
            random: SplitMix64::new(seed),
            last: HEAD,
            last_height: 0,
            before_last: [HEAD; HEIGHT_MAX],
        }
    }

    /// The first node; `HEAD` when the list is empty.
    pub(super) fn first(&self) -> Node {
        self.next(HEAD)
    }

    /// The last node; `HEAD` when the list is empty.
    pub(super) fn last(&self) -> Node {
        self.previous(HEAD)
    }

    /// The node after `node`; `HEAD` at the end.
    pub(super) fn next(&self, node: Node) -> Node {
        self.link(node, 0)
    }

    /// The node before `node`; `HEAD` at the beginning.
    pub(super) fn previous(&self, node: Node) -> Node {
        self.word(node as usize)
    }

    /// The entry of `node`; `None` for `HEAD`.
    pub(super) fn entry(&self, node: Node) -> Option<Entry<'_>> {
        if node == HEAD {
            return None;
        }
        let (user_key, trailer) = self.key(node);
        let offset = self.word(node as usize + 12) as usize;
        let length = self.word(node as usize + 16) as usize;
        let value = self.values.get(offset..)?.get(..length)?;
        Some(Entry { user_key, trailer, value })
    }

    /// The first node at or after `(user_key, trailer)`, telling `compared` of each comparison.
    pub(super) fn seek(&self, user_key: &[u8], trailer: u64, mut compared: impl FnMut()) -> Node {
        self.search(user_key, trailer, &mut [HEAD; HEIGHT_MAX], &mut compared)
    }

    /// Adds an entry.
    pub(super) fn insert(&mut self, user_key: &[u8], trailer: u64, value: &[u8]) {
        let mut before = [HEAD; HEIGHT_MAX];
        if self.follows_last(user_key, trailer) {
            before = self.before_last;
            before.iter_mut().take(self.last_height).for_each(|node| *node = self.last);
        } else {
            self.search(user_key, trailer, &mut before, &mut || {});
        }
        let height = self.random_height();
        let node = self.append(user_key, trailer, value, &before, height);
        for (level, previous) in before.iter().enumerate().take(height) {
            self.set_word(link_offset(*previous, level), node);
        }
        self.set_word(self.next(node) as usize, node);
        self.height = self.height.max(height);
        self.last = node;
        self.last_height = height;
        self.before_last = before;
    }

    /// Appends the record and the value; only the neighbours do not know the new node yet.
    fn append(
        &mut self,
        user_key: &[u8],
        trailer: u64,
        value: &[u8],
        before: &[Node; HEIGHT_MAX],
        height: usize,
    ) -> Node {
        for level in (0..height).rev() {
            let next = before.get(level).map_or(HEAD, |previous| self.link(*previous, level));
            self.nodes.extend_from_slice(&next.to_le_bytes());
        }
        let node = arena_word(self.nodes.len());
        let [previous, ..] = before;
        let mut fixed = [0; FIXED_BYTES];
        let parts: [&[u8]; 5] = [
            &previous.to_le_bytes(),
            &trailer.to_le_bytes(),
            &arena_word(self.values.len()).to_le_bytes(),
            &arena_word(value.len()).to_le_bytes(),
            &arena_word(user_key.len()).to_le_bytes(),
        ];
        for (slot, byte) in fixed.iter_mut().zip(parts.into_iter().flatten()) {
            *slot = *byte;
        }
        self.nodes.extend_from_slice(&fixed);
        self.nodes.extend_from_slice(user_key);
        self.values.extend_from_slice(value);
        node
    }

    /// Whether an entry belongs right behind the one inserted last.
    fn follows_last(&self, user_key: &[u8], trailer: u64) -> bool {
        if self.last == HEAD || !self.is_before(self.last, user_key, trailer) {
            return false;
        }
        let next = self.next(self.last);
        next == HEAD || !self.is_before(next, user_key, trailer)
    }

    /// The first node at or after the target; `before` gets the last node before it at each height.
    fn search(
        &self,
        user_key: &[u8],
        trailer: u64,
        before: &mut [Node; HEIGHT_MAX],
        compared: &mut impl FnMut(),
    ) -> Node {
        let mut node = HEAD;
        // Known to be at or after the target, so never compared twice.
        let mut bound = HEAD;
        for (level, slot) in before.iter_mut().enumerate().take(self.height).rev() {
            loop {
                let next = self.link(node, level);
                if next == bound {
                    break;
                }
                compared();
                if !self.is_before(next, user_key, trailer) {
                    bound = next;
                    break;
                }
                node = next;
            }
            *slot = node;
        }
        bound
    }

    /// Whether the entry of `node` comes before `(user_key, trailer)`.
    fn is_before(&self, node: Node, user_key: &[u8], trailer: u64) -> bool {
        let (key, key_trailer) = self.key(node);
        match compare(key, user_key) {
            Ordering::Less => true,
            Ordering::Equal => key_trailer > trailer,
            Ordering::Greater => false,
        }
    }

    /// User key and trailer of `node`.
    fn key(&self, node: Node) -> (&[u8], u64) {
        let record = self.nodes.get(node as usize..).unwrap_or_default();
        let Some((fixed, rest)) = record.split_first_chunk::<FIXED_BYTES>() else {
            return (&[], 0);
        };
        let [_, _, _, _, t0, t1, t2, t3, t4, t5, t6, t7, .., k0, k1, k2, k3] = *fixed;
        let length = u32::from_le_bytes([k0, k1, k2, k3]) as usize;
        let trailer = u64::from_le_bytes([t0, t1, t2, t3, t4, t5, t6, t7]);
        (rest.get(..length).unwrap_or_default(), trailer)
    }

    fn link(&self, node: Node, level: usize) -> Node {
        self.word(link_offset(node, level))
    }

    fn word(&self, offset: usize) -> u32 {
        let bytes = self.nodes.get(offset..).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(HEAD, |bytes| u32::from_le_bytes(*bytes))
    }

    fn set_word(&mut self, offset: usize, word: u32) {
        let bytes = self.nodes.get_mut(offset..).and_then(|bytes| bytes.first_chunk_mut());
        if let Some(bytes) = bytes {
            *bytes = word.to_le_bytes();
        }
    }

    /// What the records take beside the keys \[bytes\].
    #[cfg(test)]
    pub(super) fn record_bytes(&self, key_bytes: usize) -> usize {
        self.nodes.len() - key_bytes
    }

    /// One, and one more for each time that a draw of one in four succeeds.
    fn random_height(&mut self) -> usize {
        let pairs = self.random.next_u64().trailing_zeros() as usize / 2;
        (1 + pairs).min(HEIGHT_MAX)
    }
}

fn link_offset(node: Node, level: usize) -> usize {
    (node as usize).saturating_sub(4 * (level + 1))
}

/// A length or offset as stored. The limits of keys, values, batches and memtables keep it far below
/// 2³²; one that wrapped around would lose data.
fn arena_word(length: usize) -> u32 {
    let word = u32::try_from(length).unwrap_or(u32::MAX);
    assert!(word < u32::MAX, "a memtable never reaches 4 GiB");
    word
}

/// The order of slices, eight bytes at a time: on short keys a sixth faster than calling `memcmp`.
fn compare(mut left: &[u8], mut right: &[u8]) -> Ordering {
    while let (Some((a, left_rest)), Some((b, right_rest))) =
        (left.split_first_chunk::<8>(), right.split_first_chunk::<8>())
    {
        if a != b {
            return u64::from_le_bytes(*a).swap_bytes().cmp(&u64::from_le_bytes(*b).swap_bytes());
        }
        (left, right) = (left_rest, right_rest);
    }
    left.cmp(right)
}
