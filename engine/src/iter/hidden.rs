//! Goes past the entries that a range tombstone hides, with a seek instead of a step for each entry.

use super::Cursor;
use crate::Result;
use crate::key::{SeqNo, Span, parse_internal_key, seek_key, user_key};
use crate::limits::SEQUENCE_MAX;
use crate::manifest::TableMeta;

/// Keys of which a range tombstone hides the older entries, and the direction in which cursors go past them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HiddenSpan<'a> {
    pub(crate) span: Span<'a>,
    /// It hides entries with smaller sequence numbers.
    pub(crate) sequence: SeqNo,
    pub(crate) forward: bool,
}

impl HiddenSpan<'_> {
    /// Whether it hides the entry with this internal key.
    pub(crate) fn hides(&self, key: &[u8]) -> bool {
        let entry = parse_internal_key(key).filter(|entry| entry.sequence < self.sequence);
        entry.is_some_and(|entry| self.span.holds(entry.user_key))
    }

    /// Whether it hides all entries of a table, but for those that lie before the span in this direction.
    pub(super) fn hides_table(&self, meta: &TableMeta) -> bool {
        let holds_end = if self.forward {
            self.span.to.is_after(user_key(&meta.largest))
        } else {
            !self.span.from.is_after(user_key(&meta.smallest))
        };
        holds_end && meta.sequence_max < self.sequence
    }

    /// The internal key at which, or right before which, the next entry after the span in this direction begins; `None`
    /// when there is no next entry.
    pub(crate) fn end(&self) -> Option<Vec<u8>> {
        let cut = if self.forward { &self.span.to } else { &self.span.from };
        Some(seek_key(&cut.next_key()?, SEQUENCE_MAX))
    }

    /// Moves `cursor` to `end`, that of this span.
    pub(crate) fn leave(&self, cursor: &mut impl Cursor, end: &[u8]) -> Result<()> {
        if self.forward { cursor.seek(end) } else { cursor.seek_before(end) }
    }
}
