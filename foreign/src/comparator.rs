//! Orders of keys.

use std::cmp::Ordering;

/// An order of user keys, known by the name in the manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparator {
    /// By bytes, ascending.
    Bytewise,
    /// By bytes, descending.
    ReverseBytewise,
    /// By bytes, ascending; keys end in a timestamp of eight bytes, the newest first.
    BytewiseTimestamp,
    /// By bytes, descending; keys end in a timestamp of eight bytes, the newest first.
    ReverseBytewiseTimestamp,
    /// A name that is not known: the order of the files is kept, and nothing is searched by key.
    Unknown,
}

/// The name that stands for the order of keys of Levelscope, whose files name none.
pub(crate) const LEVELSCOPE: &[u8] = b"levelscope.Bytewise";

/// Bytes of a timestamp.
const TIMESTAMP_BYTES: usize = 8;

impl Comparator {
    /// The order called `name`.
    pub fn named(name: &[u8]) -> Self {
        match name {
            b"leveldb.BytewiseComparator" | b"pebble.BytewiseComparator" | LEVELSCOPE => {
                Self::Bytewise
            }
            b"rocksdb.ReverseBytewiseComparator" => Self::ReverseBytewise,
            b"leveldb.BytewiseComparator.u64ts" => Self::BytewiseTimestamp,
            b"rocksdb.ReverseBytewiseComparator.u64ts" => Self::ReverseBytewiseTimestamp,
            _ => Self::Unknown,
        }
    }

    /// Bytes of the timestamp at the end of each user key: 0 or 8.
    pub fn timestamp_bytes(self) -> usize {
        match self {
            Self::BytewiseTimestamp | Self::ReverseBytewiseTimestamp => TIMESTAMP_BYTES,
            _ => 0,
        }
    }

    /// Whether keys descend, so that the axis of a picture runs the other way.
    pub fn is_reverse(self) -> bool {
        matches!(self, Self::ReverseBytewise | Self::ReverseBytewiseTimestamp)
    }

    /// Whether keys can be compared.
    pub fn is_known(self) -> bool {
        self != Self::Unknown
    }

    /// The order of two user keys, timestamps included. An unknown order compares bytes, which callers must not
    /// rely on to search; see [`Comparator::is_known`].
    pub fn compare(self, a: &[u8], b: &[u8]) -> Ordering {
        let ((a_key, a_time), (b_key, b_time)) = (self.parts(a), self.parts(b));
        self.compare_keys(a_key, b_key).then_with(|| number(b_time).cmp(&number(a_time)))
    }

    /// The order of two user keys without timestamps.
    pub fn compare_keys(self, a: &[u8], b: &[u8]) -> Ordering {
        if self.is_reverse() { b.cmp(a) } else { a.cmp(b) }
    }

    /// Whether a key of `from` to `to`, both included, may lie between the user keys `smallest` and `largest`.
    pub(crate) fn meets(
        self,
        (smallest, largest): (&[u8], &[u8]),
        (from, to): (Option<&[u8]>, Option<&[u8]>),
    ) -> bool {
        let order = |user_key, key| self.compare_keys(self.parts(user_key).0, key);
        from.is_none_or(|from| order(largest, from).is_ge())
            && to.is_none_or(|to| order(smallest, to).is_le())
    }

    /// A user key without its timestamp, and the timestamp (empty when the order has none or the key is too
    /// short for one).
    pub fn parts(self, key: &[u8]) -> (&[u8], &[u8]) {
        let bytes = self.timestamp_bytes();
        key.len().checked_sub(bytes).and_then(|at| key.split_at_checked(at)).unwrap_or((key, &[]))
    }
}

fn number(timestamp: &[u8]) -> u64 {
    timestamp.try_into().map_or(0, u64::from_le_bytes)
}
