//! Range tombstones: one record that deletes every key of a range.
//!
//! A range tombstone with sequence number *s* over [begin, end) hides every entry of these keys whose
//! sequence number is smaller than *s*, from all readers at *s* or later. It is no entry of its own: it
//! stands beside the entries of a memtable or a table, and readers ask for both.

mod flatten;
mod set;
mod stack;
#[cfg(test)]
mod tests;

pub(crate) use flatten::{Cover, flatten_stripes};
pub(crate) use set::RangeSet;
pub(crate) use stack::RangeStack;

use crate::key::{Cut, SeqNo, Span};
use std::cmp::Ordering;

/// One range tombstone.
///
/// Invariant: `end` is [`Cut::End`] or lies right before a key; it comes after `begin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeTombstone {
    /// The first key that it deletes.
    pub begin: Vec<u8>,
    /// Where it ends.
    pub end: Cut,
    /// It hides entries with smaller sequence numbers.
    pub sequence: SeqNo,
}

impl RangeTombstone {
    /// One over [`begin`, `end`); an empty `end` stands for the end of all keys. `None` when it has no keys.
    pub(crate) fn new(begin: &[u8], end: &[u8], sequence: SeqNo) -> Option<Self> {
        let end = if end.is_empty() { Cut::End } else { Cut::before(end) };
        end.is_after(begin).then(|| Self { begin: begin.to_vec(), end, sequence })
    }

    /// Where it ends as files have it: the first key that it does not delete, empty when there is none.
    pub(crate) fn stored_end(&self) -> &[u8] {
        self.end.key().unwrap_or_default()
    }

    /// The order in which files have them: by their beginnings, the newest of each first.
    pub(crate) fn order(left: &Self, right: &Self) -> Ordering {
        left.begin.cmp(&right.begin).then(right.sequence.cmp(&left.sequence))
    }

    /// The keys that it deletes.
    pub(crate) fn span(&self) -> Span<'_> {
        Span { from: Cut::At(&self.begin, false), to: self.end.borrowed() }
    }

    /// The part of it within `span`, whose ends lie before keys, or `None`.
    pub(crate) fn clipped(&self, span: &Span<'_>) -> Option<Self> {
        let own = self.span();
        let (from, to) = (own.from.max(span.from), own.to.min(span.to));
        let begin = from.next_key()?;
        (from < to).then(|| Self { begin, end: to.owned(), sequence: self.sequence })
    }
}
