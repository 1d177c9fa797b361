//! The skiplist inside a memtable: entries in order, in two growing arenas, nothing ever removed.
//!
//! ```text
//! bytes: user key | value | user key | value | …            in order of insertion
//! words: head record | record | record | …                  u32 each; a node is the index of its record
//!
//! record:  0       2          3            4        6          7        7+h
//!          ├ offset ┼ key bytes ┼ value bytes ┼ trailer ┼ previous ┼ next × h ─┤     h = 1..=12
//! ```
//!
//! Invariants
//! - `HEAD` (0) closes every chain in both directions; it holds no entry.
//! - Along `next` 0 the order is user key ascending, then trailer descending; `previous` is its mirror.
//! - Records and bytes never move within their arena, so a node stays valid as long as the list.
//!
//! Cost: an insert behind the last one takes one or two comparisons, any other about 2·log₂ n;
//! stepping to either side takes none.
//! Prior art: Pugh 1990; LevelDB `skiplist.h`; `RocksDB` `inlineskiplist.h` (insertion with a hint).

use super::random::SplitMix64;
use std::cmp::Ordering;

/// Index of a record in the words of the list.
pub(super) type Node = u32;

/// The node before the first and after the last entry.
pub(super) const HEAD: Node = 0;

/// Most levels of links: enough for 4¹² entries at one in four.
const HEIGHT_MAX: usize = 12;

/// Words of a record before its links.
const RECORD_WORDS: usize = 7;
const PREVIOUS_WORD: usize = 6;

/// One entry, borrowed from the arena.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) user_key: &'a [u8],
    pub(super) trailer: u64,
    pub(super) value: &'a [u8],
}

/// An ordered, growing set of entries.
pub(super) struct SkipList {
    bytes: Vec<u8>,
    words: Vec<u32>,
    height: usize,
    random: SplitMix64,
    /// The node inserted last and what came before it at each height: where the next key of a
    /// sequential load belongs.
    last: Node,
    last_height: usize,
    before_last: [Node; HEIGHT_MAX],
}

impl SkipList {
    /// An empty list with room for `capacity` \[bytes\] of keys and values.
    pub(super) fn new(capacity: usize, seed: u64) -> Self {
        let mut words = Vec::with_capacity(capacity / 8 + RECORD_WORDS + HEIGHT_MAX);
        words.resize(RECORD_WORDS + HEIGHT_MAX, HEAD);
        Self {
            bytes: Vec::with_capacity(capacity),
            words,
            height: 1,
            random: SplitMix64::new(seed),
            last: HEAD,
            last_height: 0,
            before_last: [HEAD; HEIGHT_MAX],
        }
    }

    /// The first node; `HEAD` when the list is empty.
    pub(super) fn first(&self) -> Node {
        self.link(HEAD, 0)
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
        self.words.get(node as usize + PREVIOUS_WORD).copied().unwrap_or(HEAD)
    }

    /// The entry of `node`; `None` for `HEAD`.
    pub(super) fn entry(&self, node: Node) -> Option<Entry<'_>> {
        if node == HEAD {
            return None;
        }
        let [offset_low, offset_high, key_bytes, value_bytes, trailer_low, trailer_high, _] =
            *self.record(node)?;
        let offset = usize::try_from(join(offset_low, offset_high)).ok()?;
        let (user_key, rest) = self.bytes.get(offset..)?.split_at_checked(key_bytes as usize)?;
        let value = rest.get(..value_bytes as usize)?;
        Some(Entry { user_key, trailer: join(trailer_low, trailer_high), value })
    }

    /// The first node at or after `(user_key, trailer)`, telling `compared` of each comparison.
    pub(super) fn seek(
        &self,
        user_key: &[u8],
        trailer: u64,
        mut compared: impl FnMut(),
    ) -> Node {
        self.search(user_key, trailer, &mut [HEAD; HEIGHT_MAX], &mut compared)
    }

    /// Adds an entry.
    pub(super) fn insert(&mut self, user_key: &[u8], trailer: u64, value: &[u8]) {
        let mut before = [HEAD; HEIGHT_MAX];
        if self.follows_last(user_key, trailer) {
            before = self.before_last;
            for link in before.iter_mut().take(self.last_height) {
                *link = self.last;
            }
        } else {
            self.search(user_key, trailer, &mut before, &mut || {});
        }
        let height = self.random_height();
        let node = self.append_record(user_key, trailer, value, before[0]);
        for (level, previous) in before.iter().enumerate().take(height) {
            let next = self.link(*previous, level);
            self.words.push(next);
            self.set_word(*previous as usize + RECORD_WORDS + level, node);
        }
        let next = self.next(node);
        self.set_word(next as usize + PREVIOUS_WORD, node);
        self.height = self.height.max(height);
        self.last = node;
        self.last_height = height;
        self.before_last = before;
    }

    /// Appends key, value and the fixed part of the record; the caller pushes its links.
    fn append_record(
        &mut self,
        user_key: &[u8],
        trailer: u64,
        value: &[u8],
        previous: Node,
    ) -> Node {
        // The limits of a memtable and of a batch keep the words far below 2³² (see `Memtable`);
        // a node number that wrapped around would lose data.
        let node = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        assert!(node < u32::MAX, "a memtable never has 2^32 words of records");
        let [offset_low, offset_high] = split(self.bytes.len() as u64);
        let [trailer_low, trailer_high] = split(trailer);
        self.bytes.extend_from_slice(user_key);
        self.bytes.extend_from_slice(value);
        self.words.extend_from_slice(&[
            offset_low,
            offset_high,
            length_word(user_key),
            length_word(value),
            trailer_low,
            trailer_high,
            previous,
        ]);
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
        let Some([offset_low, offset_high, key_bytes, _, trailer_low, trailer_high, _]) =
            self.record(node)
        else {
            return false;
        };
        let offset = usize::try_from(join(*offset_low, *offset_high)).unwrap_or(usize::MAX);
        let key = self
            .bytes
            .get(offset..)
            .and_then(|bytes| bytes.get(..*key_bytes as usize))
            .unwrap_or_default();
        match key.cmp(user_key) {
            Ordering::Less => true,
            Ordering::Equal => join(*trailer_low, *trailer_high) > trailer,
            Ordering::Greater => false,
        }
    }

    /// The fixed part of a record.
    fn record(&self, node: Node) -> Option<&[u32; RECORD_WORDS]> {
        self.words.get(node as usize..)?.first_chunk()
    }

    fn link(&self, node: Node, level: usize) -> Node {
        self.words.get(node as usize + RECORD_WORDS + level).copied().unwrap_or(HEAD)
    }

    fn set_word(&mut self, index: usize, word: u32) {
        if let Some(slot) = self.words.get_mut(index) {
            *slot = word;
        }
    }

    /// One, and one more for each time that a draw of one in four succeeds.
    fn random_height(&mut self) -> usize {
        let pairs = self.random.next_u64().trailing_zeros() as usize / 2;
        (1 + pairs).min(HEIGHT_MAX)
    }
}

/// Low and high half.
fn split(value: u64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | (u64::from(high) << 32)
}

/// A length as stored: keys and values have limits far below 4 GiB.
fn length_word(bytes: &[u8]) -> u32 {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    assert!(length < u32::MAX, "the limits of keys and values are far below 4 GiB");
    length
}
