//! Places between user keys, and the spans of keys between two such places.

use crate::Bound;
use crate::limits::KEY_BYTES_MAX;
use crate::prefix::after_prefix;
use std::ops::Bound::{Excluded, Included, Unbounded};

/// A place between two user keys. Places are ordered as keys are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut<K = Vec<u8>> {
    /// Right before the key or, when the second field is true, right after it.
    At(K, bool),
    /// After every key.
    End,
}

impl Cut {
    /// Right before `key`.
    pub(crate) fn before(key: &[u8]) -> Self {
        Self::At(key.to_vec(), false)
    }

    /// Right after `key`.
    pub(crate) fn after(key: &[u8]) -> Self {
        Self::At(key.to_vec(), true)
    }

    /// Where a range with this lower bound begins.
    pub(crate) fn lower(bound: &Bound<Vec<u8>>) -> Self {
        match bound {
            Unbounded => Self::before(b""),
            Included(key) => Self::before(key),
            Excluded(key) => Self::after(key),
        }
    }

    /// Where a range with this upper bound ends.
    pub(crate) fn upper(bound: &Bound<Vec<u8>>) -> Self {
        match bound {
            Unbounded => Self::End,
            Included(key) => Self::after(key),
            Excluded(key) => Self::before(key),
        }
    }
}

impl<K: AsRef<[u8]>> Cut<K> {
    /// The same place, borrowed.
    pub(crate) fn borrowed(&self) -> Cut<&[u8]> {
        match self {
            Self::At(key, after) => Cut::At(key.as_ref(), *after),
            Self::End => Cut::End,
        }
    }

    /// The same place, with a key of its own.
    pub(crate) fn owned(&self) -> Cut {
        match self {
            Self::At(key, after) => Cut::At(key.as_ref().to_vec(), *after),
            Self::End => Cut::End,
        }
    }

    /// Whether it lies after `key`.
    #[inline]
    pub(crate) fn is_after(&self, key: &[u8]) -> bool {
        match self {
            Self::At(at, false) => key < at.as_ref(),
            Self::At(at, true) => key <= at.as_ref(),
            Self::End => true,
        }
    }

    /// The key beside it; none at the end.
    pub fn key(&self) -> Option<&[u8]> {
        match self {
            Self::At(key, _) => Some(key.as_ref()),
            Self::End => None,
        }
    }

    /// The smallest key after it, so that it lies right before this key; none when there is no key after it.
    pub(crate) fn next_key(&self) -> Option<Vec<u8>> {
        match self {
            Self::At(key, false) => Some(key.as_ref().to_vec()),
            Self::At(key, true) if key.as_ref().len() < KEY_BYTES_MAX => {
                Some([key.as_ref(), &[0]].concat())
            }
            // No longer key begins with the longest one.
            Self::At(key, true) => after_prefix(key.as_ref()),
            Self::End => None,
        }
    }
}

/// The keys between two places; none unless the first comes before the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span<'a> {
    pub(crate) from: Cut<&'a [u8]>,
    pub(crate) to: Cut<&'a [u8]>,
}

impl<'a> Span<'a> {
    /// The keys from `smallest` to `largest`, both included.
    pub(crate) fn inclusive(smallest: &'a [u8], largest: &'a [u8]) -> Self {
        Self { from: Cut::At(smallest, false), to: Cut::At(largest, true) }
    }

    /// Whether both have a key, or a place for one, in common.
    pub(crate) fn overlaps(&self, other: &Span<'_>) -> bool {
        self.from < other.to && other.from < self.to
    }

    /// Whether `key` lies within.
    pub(crate) fn holds(&self, key: &[u8]) -> bool {
        !self.from.is_after(key) && self.to.is_after(key)
    }

    /// The smallest span with all keys of both.
    pub(crate) fn hull(self, other: Self) -> Self {
        Self { from: self.from.min(other.from), to: self.to.max(other.to) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_ordered_as_keys_are() {
        let places = [
            Cut::before(b""),
            Cut::after(b""),
            Cut::before(b"a"),
            Cut::after(b"a"),
            Cut::before(b"a\0"),
            Cut::End,
        ];
        assert!(places.is_sorted());
        assert!(!Cut::before(b"a").is_after(b"a") && Cut::after(b"a").is_after(b"a"));
        assert!(Cut::<Vec<u8>>::End.is_after(&[0xff; 9]));
    }

    #[test]
    fn every_place_but_the_end_lies_before_a_key() {
        assert_eq!(Cut::before(b"a").next_key(), Some(b"a".to_vec()));
        assert_eq!(Cut::after(b"a").next_key(), Some(b"a\0".to_vec()));
        let longest = vec![7; KEY_BYTES_MAX];
        let next = Cut::after(&longest).next_key().unwrap();
        assert!(next.len() <= KEY_BYTES_MAX && next > longest);
        assert_eq!(Cut::after(&vec![0xff; KEY_BYTES_MAX]).next_key(), None);
    }

    #[test]
    fn spans_that_only_touch_do_not_overlap() {
        let half_open = Span { from: Cut::At(b"a", false), to: Cut::At(b"m", false) };
        let next = Span::inclusive(b"m", b"p");
        assert!(!half_open.overlaps(&next) && !next.overlaps(&half_open));
        assert!(next.overlaps(&Span::inclusive(b"p", b"p")));
        assert!(half_open.holds(b"a") && !half_open.holds(b"m") && next.holds(b"p"));
        assert!(half_open.hull(next).holds(b"n"));
    }
}
