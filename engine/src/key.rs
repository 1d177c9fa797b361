//! Internal keys: the order of every entry of the engine.
//!
//! ```text
//! user key (0..64 KiB) | trailer (8 bytes, little-endian): sequence << 8 | kind
//! ```
//!
//! Order: user key ascending, then trailer *descending*, so that the newest version of a key comes
//! first. A lookup of key `k` at sequence `s` seeks to `(k, s, KIND_SEEK)`.
//! Prior art: `dbformat.h` of `LevelDB`.

mod cut;
mod words;

pub use cut::Cut;
pub(crate) use cut::Span;
pub(crate) use words::{KeyWords, place_in};

use crate::limits::SEQUENCE_MAX;
use std::cmp::Ordering;

/// Commit order of a write; never reused, also not after a crash. 56 bits.
pub type SeqNo = u64;

/// Stands for "not committed yet" in a transaction's own iterators: newer than every entry of the database, because no
/// write is ever given the largest sequence number.
pub(crate) const SEQUENCE_UNCOMMITTED: SeqNo = SEQUENCE_MAX;

/// Bytes of the trailer after the user key.
pub const TRAILER_BYTES: usize = 8;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[repr(u8)]
pub enum ValueKind {
    /// A tombstone: the key is deleted as of this sequence number.
    Delete = 0,
    /// A value.
    Put = 1,
    /// A range tombstone: every key from this one up to the one in its value is deleted as of this
    /// sequence number. Only batches and the range delete blocks of tables have it, never a data block.
    RangeDelete = 2,
}

impl ValueKind {
    /// The kind with this tag; `None` for a tag that no version has written.
    #[doc(hidden)]
    pub fn from_tag(tag: u8) -> Option<Self> {
        match tag {
            0 => Some(Self::Delete),
            1 => Some(Self::Put),
            2 => Some(Self::RangeDelete),
            _ => None,
        }
    }

    /// The kind of an entry of one key with this tag.
    pub(crate) fn of_entry(tag: u8) -> Option<Self> {
        Self::from_tag(tag).filter(|kind| *kind != Self::RangeDelete)
    }
}

/// The largest kind of an entry: a seek target with it precedes every entry of the same key and sequence.
pub const KIND_SEEK: ValueKind = ValueKind::Put;

/// Packs sequence and kind into the trailer.
pub fn pack_trailer(sequence: SeqNo, kind: ValueKind) -> u64 {
    debug_assert!(sequence <= SEQUENCE_MAX, "sequence numbers have 56 bits");
    (sequence << 8) | u64::from(kind as u8)
}

/// Appends the internal key of `(user_key, sequence, kind)` to `out`.
pub fn append_internal_key(out: &mut Vec<u8>, user_key: &[u8], sequence: SeqNo, kind: ValueKind) {
    out.extend_from_slice(user_key);
    out.extend_from_slice(&pack_trailer(sequence, kind).to_le_bytes());
}

/// The internal key of `(user_key, sequence, kind)`.
pub(crate) fn internal_key(user_key: &[u8], sequence: SeqNo, kind: ValueKind) -> Vec<u8> {
    let mut out = Vec::with_capacity(user_key.len() + TRAILER_BYTES);
    append_internal_key(&mut out, user_key, sequence, kind);
    out
}

/// The internal key to seek to for the newest entry of `user_key` visible at `sequence`.
pub(crate) fn seek_key(user_key: &[u8], sequence: SeqNo) -> Vec<u8> {
    internal_key(user_key, sequence, KIND_SEEK)
}

/// An internal key in two parts, so that a lookup or an insertion need not put them together.
#[derive(Debug, Clone, Copy)]
pub struct SplitKey<'a> {
    /// The key without its trailer.
    pub user_key: &'a [u8],
    /// Sequence number and kind, packed.
    pub trailer: u64,
}

impl<'a> SplitKey<'a> {
    /// The parts of the internal `key`. One too short for a trailer comes before every entry of that user key.
    pub fn from_internal(key: &'a [u8]) -> Self {
        match key.split_last_chunk::<TRAILER_BYTES>() {
            Some((user_key, trailer)) => Self { user_key, trailer: u64::from_le_bytes(*trailer) },
            None => Self { user_key: key, trailer: u64::MAX },
        }
    }

    /// Whether the internal `key` comes before this one.
    #[inline]
    pub fn is_after(&self, key: &[u8]) -> bool {
        let Some((user_key, trailer)) = key.split_last_chunk::<TRAILER_BYTES>() else {
            return key < self.user_key;
        };
        match compare_keys(user_key, self.user_key) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => u64::from_le_bytes(*trailer) > self.trailer,
        }
    }
}

/// An internal key taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParsedKey<'a> {
    /// The caller's key.
    pub user_key: &'a [u8],
    /// Commit order.
    pub sequence: SeqNo,
    /// Put or tombstone.
    pub kind: ValueKind,
}

/// Takes the `key` of an entry apart; `None` when it is too short or its kind is none of an entry.
pub fn parse_internal_key(key: &[u8]) -> Option<ParsedKey<'_>> {
    parse_any_key(key).filter(|parsed| parsed.kind != ValueKind::RangeDelete)
}

/// Takes `key` apart, which may be that of a range tombstone; `None` when it is too short or its kind is
/// unknown.
pub(crate) fn parse_any_key(key: &[u8]) -> Option<ParsedKey<'_>> {
    let (user_key, trailer) = key.split_last_chunk::<TRAILER_BYTES>()?;
    let trailer = u64::from_le_bytes(*trailer);
    let kind = ValueKind::from_tag(trailer.to_le_bytes()[0])?;
    Some(ParsedKey { user_key, sequence: trailer >> 8, kind })
}

/// The user key of a well-formed internal key; all of `key` when it is too short to have a trailer.
pub fn user_key(key: &[u8]) -> &[u8] {
    key.split_last_chunk::<TRAILER_BYTES>().map_or(key, |(user_key, _)| user_key)
}

/// Compares two user keys as slices compare. They are short and mostly differ within their first words,
/// which costs less than the call of a general comparison.
#[inline]
pub(crate) fn compare_keys(mut left: &[u8], mut right: &[u8]) -> Ordering {
    while let (Some((left_word, left_rest)), Some((right_word, right_rest))) =
        (left.split_first_chunk::<8>(), right.split_first_chunk::<8>())
    {
        if left_word != right_word {
            let number = |word: &[u8; 8]| u64::from_le_bytes(*word).swap_bytes();
            return number(left_word).cmp(&number(right_word));
        }
        (left, right) = (left_rest, right_rest);
    }
    left.iter().cmp(right)
}

/// Whether two user keys are the same. Neighbours in sorted order mostly differ in their last bytes.
#[inline]
pub(crate) fn same_key(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len() && left.last() == right.last() && left == right
}

/// Compares two internal keys: user key ascending, trailer descending.
pub fn compare_internal(left: &[u8], right: &[u8]) -> Ordering {
    match (left.split_last_chunk::<TRAILER_BYTES>(), right.split_last_chunk::<TRAILER_BYTES>()) {
        (Some((left_key, left_trailer)), Some((right_key, right_trailer))) => {
            compare_keys(left_key, right_key).then_with(|| {
                u64::from_le_bytes(*right_trailer).cmp(&u64::from_le_bytes(*left_trailer))
            })
        }
        _ => left.cmp(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_version_comes_first() {
        let older = internal_key(b"a", 1, ValueKind::Put);
        let newer = internal_key(b"a", 2, ValueKind::Delete);
        let longer = internal_key(b"ab", 9, ValueKind::Put);
        assert_eq!(compare_internal(&newer, &older), Ordering::Less);
        assert_eq!(compare_internal(&older, &longer), Ordering::Less);
        assert!(compare_internal(&seek_key(b"a", 2), &newer).is_le());
        assert_eq!(compare_internal(&seek_key(b"a", 1), &newer), Ordering::Greater);
    }

    #[test]
    fn keys_compare_as_slices() {
        let ends = ["", "a", "b", "\u{e9}", "12345678", "1234567890123456", "1234567890123457"];
        let beginnings = ["", "0", "abcdefgh", "abcdefghi"];
        let keys = beginnings.iter().flat_map(|front| ends.map(|end| format!("{front}{end}")));
        let keys: Vec<String> = keys.collect();
        for left in &keys {
            for right in &keys {
                let (left, right) = (left.as_bytes(), right.as_bytes());
                assert_eq!(compare_keys(left, right), left.cmp(right), "{left:?} {right:?}");
                assert_eq!(same_key(left, right), left == right, "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn parts_round_trip() {
        let key = internal_key(b"", SEQUENCE_MAX, ValueKind::Delete);
        let parsed = parse_internal_key(&key).map(|key| (key.user_key, key.sequence, key.kind));
        assert_eq!(parsed, Some((&b""[..], SEQUENCE_MAX, ValueKind::Delete)));
        assert_eq!(parse_internal_key(&[0; 7]), None);
        assert_eq!(parse_internal_key(&[9, 0, 0, 0, 0, 0, 0, 0]), None);
        // A data block never has the key of a range tombstone.
        let range = internal_key(b"a", 7, ValueKind::RangeDelete);
        assert_eq!(parse_internal_key(&range), None);
        assert_eq!(parse_any_key(&range).map(|key| key.kind), Some(ValueKind::RangeDelete));
    }
}
