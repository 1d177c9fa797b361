//! Entries as an iterator of Rust, from both ends.

use super::{DbIterator, PinnedValue};
use crate::{ErrorKind, Result};
use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// A key and its value.
pub type Entry = (Vec<u8>, PinnedValue);

/// The end that the cursor stands at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Front,
    Back,
}

/// Entries in the order of their keys, of one moment; from both ends, as `.rev()` needs.
///
/// After an error there are no more entries, but for `WouldBlock`, after which the same call may be made
/// again. Taking entries from both ends in turn costs a search each time.
#[derive(Debug)]
pub struct Entries {
    cursor: DbIterator,
    at: Option<End>,
    /// The last key returned at this end, while the cursor stands at the other one.
    front: Option<Vec<u8>>,
    back: Option<Vec<u8>>,
    ended: bool,
}

impl Entries {
    pub(crate) fn new(cursor: DbIterator) -> Self {
        Self { cursor, at: None, front: None, back: None, ended: false }
    }

    /// The next entry at one end.
    fn advance(&mut self, end: End) -> Option<Result<Entry>> {
        if self.ended {
            return None;
        }
        if let Err(error) = self.step(end) {
            self.ended = error.kind() != ErrorKind::WouldBlock;
            return Some(Err(error));
        }
        let key = self.cursor.key();
        let have_met = match end {
            End::Front => self.back.as_deref().is_some_and(|back| key >= back),
            End::Back => self.front.as_deref().is_some_and(|front| key <= front),
        };
        if !self.cursor.valid() || have_met {
            self.ended = true;
            return None;
        }
        Some(Ok((key.to_vec(), self.cursor.pinned_value())))
    }

    /// Moves the cursor to the next entry at one end; where that blocks, nothing has changed.
    fn step(&mut self, end: End) -> Result<()> {
        if self.at == Some(end) {
            return match end {
                End::Front => self.cursor.next(),
                End::Back => self.cursor.prev(),
            };
        }
        // Remembered before the cursor leaves it.
        let here = self.at.map(|_| self.cursor.key().to_vec()).filter(|_| self.cursor.valid());
        match self.at {
            Some(End::Front) if here.is_some() => self.front = here,
            Some(End::Back) if here.is_some() => self.back = here,
            _ => {}
        }
        self.at = None;
        match end {
            End::Front => match &self.front {
                None => self.cursor.seek_to_first()?,
                Some(last) => {
                    self.cursor.seek(last)?;
                    if self.cursor.key() == last.as_slice() {
                        self.cursor.next()?;
                    }
                }
            },
            End::Back => match &self.back {
                None => self.cursor.seek_to_last()?,
                Some(last) => {
                    self.cursor.seek_for_prev(last)?;
                    if self.cursor.key() == last.as_slice() {
                        self.cursor.prev()?;
                    }
                }
            },
        }
        self.at = Some(end);
        Ok(())
    }
}

impl Iterator for Entries {
    type Item = Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance(End::Front)
    }
}

impl DoubleEndedIterator for Entries {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.advance(End::Back)
    }
}

/// A range of keys, as `"a".."c"`, `..=b"z"`, `..` or a pair of bounds. One whose end comes before its
/// beginning is empty.
pub trait KeyRange {
    /// Its lower and its upper bound.
    fn into_bounds(self) -> (Bound<Vec<u8>>, Bound<Vec<u8>>);
}

fn owned(key: impl AsRef<[u8]>) -> Vec<u8> {
    key.as_ref().to_vec()
}

impl KeyRange for RangeFull {
    fn into_bounds(self) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
        (Bound::Unbounded, Bound::Unbounded)
    }
}

impl<K: AsRef<[u8]>> KeyRange for Range<K> {
    fn into_bounds(self) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
        (Bound::Included(owned(self.start)), Bound::Excluded(owned(self.end)))
    }
}

impl<K: AsRef<[u8]>> KeyRange for RangeInclusive<K> {
    fn into_bounds(self) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
        let (start, end) = self.into_inner();
        (Bound::Included(owned(start)), Bound::Included(owned(end)))
    }
}

impl<K: AsRef<[u8]>> KeyRange for RangeFrom<K> {
    fn into_bounds(self) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
        (Bound::Included(owned(self.start)), Bound::Unbounded)
    }
}

impl<K: AsRef<[u8]>> KeyRange for RangeTo<K> {
    fn into_bounds(self) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
        (Bound::Unbounded, Bound::Excluded(owned(self.end)))
    }
}

impl<K: AsRef<[u8]>> KeyRange for RangeToInclusive<K> {
    fn into_bounds(self) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
        (Bound::Unbounded, Bound::Included(owned(self.end)))
    }
}

impl<K: AsRef<[u8]>> KeyRange for (Bound<K>, Bound<K>) {
    fn into_bounds(self) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
        (self.0.map(owned), self.1.map(owned))
    }
}
