//! Goes through all entries of a table, checking what it meets.

use super::block::{Block, LONG_KEYS, Values, Walk};
use super::frame::{Footer, corrupt};
use super::index::{Index, IndexedBlock};
use crate::Entry;
use levelscope::internals::key::{TRAILER_BYTES, compare_internal, user_key};
use levelscope::internals::table::Handle;
use levelscope::{Error, Result};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The order of the keys of a table, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Bytewise, as the table or the manifest says: another one is damage.
    Bytewise,
    /// Nothing says: a table of `LevelDB` names no comparator.
    Unknown,
}

/// An internal key taken apart, with kinds that the engine does not know.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ForeignKey<'a> {
    pub(crate) user_key: &'a [u8],
    pub(crate) sequence: u64,
    pub(crate) kind: u8,
}

/// Takes an internal key apart; `None` when it is too short.
pub(crate) fn parse(key: &[u8]) -> Option<ForeignKey<'_>> {
    let (user_key, trailer) = key.split_last_chunk::<TRAILER_BYTES>()?;
    let number = u64::from_le_bytes(*trailer);
    let [kind, ..] = number.to_le_bytes();
    Some(ForeignKey { user_key, sequence: number >> 8, kind })
}

/// Whether an entry of this kind, in the block at this offset, has a value.
pub(crate) type Kinds = fn(kind: u8, offset: u64) -> Result<bool>;

/// The kinds of `LevelDB`.
///
/// # Errors
/// `UnsupportedFormat`: the checksum of the block is right.
pub(crate) fn level_kinds(kind: u8, offset: u64) -> Result<bool> {
    match kind {
        0 => Ok(false),
        1 => Ok(true),
        kind => Err(unread_kind(kind, offset)),
    }
}

/// The error for an entry of a kind that is not read, in the block at `offset` \[bytes\].
pub(crate) fn unread_kind(kind: u8, offset: u64) -> Error {
    Error::not_read_at(offset, format!("an entry has kind {kind}, which is not read"))
}

/// The data block that is read.
#[derive(Debug)]
struct Current {
    handle: Handle,
    separator: Vec<u8>,
    block: Block,
    walk: Walk,
}

/// A walk over the entries of a table, whose bytes are handed in at each step.
#[derive(Debug)]
pub(crate) struct Cursor {
    footer: Footer,
    kinds: Kinds,
    order: Order,
    user_keys: bool,
    places: std::vec::IntoIter<IndexedBlock>,
    current: Option<Current>,
    last: Vec<u8>,
    other_order: Option<u64>,
}

impl Cursor {
    /// A cursor in front of the first entry.
    pub(crate) fn new(footer: Footer, index: Index, kinds: Kinds, order: Order) -> Self {
        let user_keys = index.layout.user_keys;
        let places = index.places.into_iter();
        let (current, last, other_order) = (None, Vec::new(), None);
        Self { footer, kinds, order, user_keys, places, current, last, other_order }
    }

    /// Offset of the first block \[bytes\], among those walked over, whose keys are not in bytewise order; `None`
    /// as long as all were, and where another order is an error.
    pub(crate) fn other_order(&self) -> Option<u64> {
        self.other_order
    }

    /// The next entry of `file`. An error costs the block that it is in; the next call continues after it.
    pub(crate) fn next(&mut self, file: &[u8]) -> Option<Result<Entry<'static>>> {
        loop {
            let Some(mut current) = self.current.take() else {
                match self.open(file)? {
                    Ok(current) => self.current = Some(current),
                    Err(error) => return Some(Err(error)),
                }
                continue;
            };
            match self.entry(&mut current) {
                Ok(Some(entry)) => {
                    self.current = Some(current);
                    return Some(Ok(entry));
                }
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn open(&mut self, file: &[u8]) -> Option<Result<Current>> {
        let IndexedBlock { separator, handle } = self.places.next()?;
        let block = self.footer.block(file, handle).and_then(|bytes| {
            Block::new(bytes, Values::Any).map_err(|damage| corrupt(handle.offset, damage))
        });
        Some(block.map(|block| Current { handle, separator, block, walk: Walk::default() }))
    }

    /// Compares the key walked over with the key before it and with the `separator` of its block.
    fn check_order(
        &mut self,
        key: &[u8],
        user_key: &[u8],
        separator: &[u8],
        at: u64,
    ) -> Result<()> {
        let before =
            if self.last.is_empty() { Ordering::Less } else { compare_internal(&self.last, key) };
        let is_after = if self.user_keys {
            user_key > separator
        } else {
            compare_internal(key, separator) == Ordering::Greater
        };
        let what = match (before, is_after) {
            (Ordering::Less, false) => return Ok(()),
            (Ordering::Less, true) => "a key is larger than the index says of its block",
            _ => "the keys are not in bytewise order",
        };
        // Every comparator sorts the versions of one key by their sequence numbers.
        let is_version = before != Ordering::Less && self::user_key(&self.last) == user_key;
        if self.order == Order::Bytewise || is_version {
            return Err(Error::damaged_at(at, what));
        }
        self.other_order = self.other_order.or(Some(at));
        Ok(())
    }

    fn entry(&mut self, current: &mut Current) -> Result<Option<Entry<'static>>> {
        let Current { handle, separator, block, walk } = current;
        let at = handle.offset;
        let Some(entry) = walk.next(block).map_err(|damage| corrupt(at, damage))? else {
            return Ok(None);
        };
        let damaged = |what: &str| Error::damaged_at(at, what);
        let key = walk.key();
        let parsed = parse(key).ok_or_else(|| damaged("a key has no sequence number"))?;
        self.check_order(key, parsed.user_key, separator, at)?;
        if walk.is_long(block) {
            return Err(Error::not_read_at(at, LONG_KEYS));
        }
        self.last.clear();
        self.last.extend_from_slice(key);
        let has_value = (self.kinds)(parsed.kind, at)?;
        let value = has_value.then(|| Cow::Owned(block.value(entry).to_vec()));
        let (key, sequence) = (Cow::Owned(user_key(key).to_vec()), Some(parsed.sequence));
        Ok(Some(Entry { key, value, sequence, offset: at }))
    }
}
