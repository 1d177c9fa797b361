//! The walks of an iterator: from where a call begins to the next entry that a caller may see.
//!
//! A walk may block at any step. It keeps its position, so that the same call goes on from there; another call begins a
//! new walk.

use super::{Call, CursorPosition, DbIterator, Skipped};
use crate::iter::{Cursor, HiddenSpan, PinnedValue};
use crate::key::{
    Cut, ParsedKey, SEQUENCE_UNCOMMITTED, SeqNo, Span, ValueKind, internal_key, parse_internal_key,
    same_key, seek_key,
};
use crate::limits::SEQUENCE_MAX;
use crate::ranges::RangeTombstone;
use crate::{Error, ErrorKind, Result};
use std::ops::Bound;

/// After this many hidden versions in a row, a walk seeks past the remaining versions of the key instead of
/// stepping over each. Going backward it has to turn around for that, which costs more.
const JUMP_FORWARD_AFTER: u32 = 8;
const JUMP_BACKWARD_AFTER: u32 = 32;

/// After so many entries in a row that range tombstones hide, a walk tries to seek past them.
const SKIP_RANGE_AFTER: u32 = 8;

/// One in this many hidden entries decides which source is charged for the walk over all of them. A prime number, so
/// that sources whose entries alternate are charged in turn.
const CHARGED_TOGETHER: u32 = 31;

/// The state of a walk to the next visible entry.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) seen: WalkState,
    /// The entry under the cursor is done with: move before reading on.
    pub(super) judged: bool,
    /// Hidden entries in a row, of one key as a rule.
    hidden: u32,
    /// Hidden entries of any keys whose sources have not been charged yet.
    uncharged: u32,
    /// Entries in a row that range tombstones hide, of any keys.
    range_hidden: u32,
    pub(super) key: Vec<u8>,
    pub(super) value: PinnedValue,
    pub(super) skipped: Skipped,
}

impl Walk {
    /// Forgets the walk before.
    #[inline]
    pub(super) fn begin(&mut self) {
        (self.seen, self.judged, self.hidden, self.range_hidden) =
            (WalkState::Nothing, false, 0, 0);
        self.uncharged = 0;
        self.skipped = Skipped::default();
    }

    /// Counts entries in a row that range tombstones hide; whether one hides this entry.
    #[inline]
    fn note_hidden(&mut self, hiding: Option<&RangeTombstone>) -> bool {
        self.range_hidden = if hiding.is_some() { self.range_hidden + 1 } else { 0 };
        hiding.is_some()
    }

    /// Backward: counts the key before, of which all versions are known, and which has no value.
    #[inline]
    fn leave_deleted_key(&mut self) {
        self.skipped.tombstones += u64::from(self.seen == WalkState::Tombstone);
        self.skipped.range_deleted += u64::from(self.seen == WalkState::RangeDeleted);
        self.hidden = 0;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum WalkState {
    /// Nothing that matters.
    #[default]
    Nothing,
    /// Forward: versions of the key shown are shadowed.
    Shown,
    /// A tombstone of the walk's key. Forward: its older versions are shadowed.
    Tombstone,
    /// Backward: a range tombstone hides the newest version so far of the walk's key.
    RangeDeleted,
    /// Backward: the walk's key and value are the newest version so far.
    Put,
}

impl DbIterator {
    /// Puts the cursor where the walk begins. May be repeated after `WouldBlock`.
    pub(super) fn start(&mut self, call: Call<'_>) -> Result<()> {
        match call {
            Call::First => self.start_forward(self.lower.clone()),
            Call::Last => self.start_backward(&self.upper.clone()),
            Call::Seek(target) => match &self.lower {
                Bound::Included(lower) if lower.as_slice() > target => {
                    self.start_forward(self.lower.clone())
                }
                Bound::Excluded(lower) if lower.as_slice() >= target => {
                    self.start_forward(self.lower.clone())
                }
                _ => self.start_at(target),
            },
            Call::SeekForPrev(target) => self.start_backward(&match &self.upper {
                Bound::Included(upper) if upper.as_slice() < target => self.upper.clone(),
                Bound::Excluded(upper) if upper.as_slice() <= target => self.upper.clone(),
                _ => Bound::Included(target.to_vec()),
            }),
            Call::Next if self.place == CursorPosition::OnEntry => {
                self.walk.seen = WalkState::Shown;
                self.walk.judged = true;
                Ok(())
            }
            Call::Next => self.start_forward(Bound::Excluded(self.key.clone())),
            Call::Prev if self.place == CursorPosition::BeforeKey => Ok(()),
            Call::Prev => self.start_backward(&Bound::Excluded(self.key.clone())),
        }
    }

    /// Puts the cursor on the newest version that may be seen of `key`, or after it.
    fn start_at(&mut self, key: &[u8]) -> Result<()> {
        // The transaction's own writes come before the committed versions.
        let newest = if self.own_writes { SEQUENCE_UNCOMMITTED } else { self.sequence };
        self.cursor.seek(&seek_key(key, newest))?;
        self.charge();
        Ok(())
    }

    fn start_forward(&mut self, from: Bound<Vec<u8>>) -> Result<()> {
        match from {
            Bound::Unbounded => self.cursor.seek_to_first(),
            Bound::Included(key) => self.start_at(&key),
            Bound::Excluded(key) => {
                let oldest = internal_key(&key, 0, ValueKind::Delete);
                self.walk.key = key;
                self.walk.seen = WalkState::Tombstone;
                self.cursor.seek(&oldest)
            }
        }
    }

    fn start_backward(&mut self, from: &Bound<Vec<u8>>) -> Result<()> {
        // The smallest key after those of the walk: the walk begins before every version of it.
        let Some(after) = Cut::upper(from).next_key() else { return self.cursor.seek_to_last() };
        self.cursor.seek_before(&seek_key(&after, SEQUENCE_MAX))?;
        self.charge();
        Ok(())
    }

    /// Charges the seek that was just made to the newest of the tables that it had to search, if there were several.
    fn charge(&self) {
        if let Some(tables) = &self.tables
            && let Some(first) = self.cursor.first_of_several()
        {
            tables.charges().charge(first);
        }
    }

    /// Counts a hidden entry under the cursor. Entries that are too new are not hidden from others: no merge drops them.
    #[inline]
    fn note_walked(&mut self) {
        self.walk.uncharged += 1;
        if self.walk.uncharged == CHARGED_TOGETHER {
            self.walk.uncharged = 0;
            if let Some(tables) = &self.tables {
                self.cursor.charge_walk(tables.charges(), CHARGED_TOGETHER);
            }
        }
    }

    /// Walks to the first visible entry; false when there is none before the upper bound.
    pub(super) fn walk_forward(&mut self) -> Result<bool> {
        loop {
            if self.walk.judged {
                self.move_forward()?;
                self.walk.judged = false;
            }
            if !self.cursor.valid() {
                return Ok(false);
            }
            let entry = parse(self.cursor.key())?;
            let inside = match &self.upper {
                Bound::Unbounded => true,
                Bound::Included(upper) => entry.user_key <= upper.as_slice(),
                Bound::Excluded(upper) => entry.user_key < upper.as_slice(),
            };
            if !inside {
                return Ok(false);
            }
            let shadowed = match self.walk.seen {
                WalkState::Nothing | WalkState::Put | WalkState::RangeDeleted => false,
                WalkState::Shown => same_key(entry.user_key, &self.key),
                WalkState::Tombstone => same_key(entry.user_key, &self.walk.key),
            };
            let is_newer = self.is_newer(entry.sequence);
            if is_newer {
                self.walk.skipped.newer += 1;
            } else if shadowed {
                self.walk.skipped.shadowed += 1;
            } else if self.walk.note_hidden(self.cover.hides(entry.user_key, entry.sequence))
                || entry.kind == ValueKind::Delete
            {
                // A range tombstone hides the older versions, too.
                let is_tombstone = entry.kind == ValueKind::Delete;
                self.walk.skipped.tombstones += u64::from(is_tombstone);
                self.walk.skipped.range_deleted += u64::from(!is_tombstone);
                self.walk.seen = WalkState::Tombstone;
                self.walk.hidden = 0;
                replace(&mut self.walk.key, entry.user_key);
            } else {
                replace(&mut self.key, entry.user_key);
                self.cursor.pin_value(&mut self.value);
                return Ok(true);
            }
            self.walk.hidden += 1;
            self.walk.judged = true;
            if !is_newer {
                self.note_walked();
            }
        }
    }

    /// Whether an entry was committed after the iterator's sequence number. Own writes never are.
    #[inline]
    fn is_newer(&self, sequence: SeqNo) -> bool {
        sequence > self.sequence && sequence != SEQUENCE_UNCOMMITTED
    }

    /// Moves off an entry that is done with.
    #[inline]
    fn move_forward(&mut self) -> Result<()> {
        if self.walk.range_hidden >= SKIP_RANGE_AFTER && self.skip_range(true)? {
            return Ok(());
        }
        if self.walk.hidden < JUMP_FORWARD_AFTER {
            return self.cursor.next();
        }
        // Made again after it blocked, it finds the same entry under the cursor.
        let entry = parse(self.cursor.key())?;
        let target = if entry.sequence > self.sequence {
            seek_key(entry.user_key, self.sequence)
        } else {
            internal_key(entry.user_key, 0, ValueKind::Delete)
        };
        self.cursor.seek(&target)?;
        self.walk.hidden = 0;
        Ok(())
    }

    /// Goes past the entries that the range tombstone over the entry under the cursor hides; false when that is not
    /// possible at once, because something newer may come before.
    #[cold]
    fn skip_range(&mut self, forward: bool) -> Result<bool> {
        // Made again after it blocked, it finds the same entry under the cursor.
        let entry = parse(self.cursor.key())?;
        // Tables outside the bounds need not be opened.
        let (lower, upper) = (Cut::lower(&self.lower), Cut::upper(&self.upper));
        let skipped = match self.cover.hides(entry.user_key, entry.sequence) {
            None => false,
            Some(range) => {
                let Span { from, to } = range.span();
                let span = Span { from: from.max(lower.borrowed()), to: to.min(upper.borrowed()) };
                self.cursor.skip_hidden(&HiddenSpan { span, sequence: range.sequence, forward })?
            }
        };
        self.walk.range_hidden = 0;
        self.walk.hidden = if skipped { 0 } else { self.walk.hidden };
        Ok(skipped)
    }

    /// Moves off an entry that is done with, or to the newest version of the key that may be seen.
    #[inline]
    fn move_backward(&mut self) -> Result<()> {
        if self.walk.range_hidden >= SKIP_RANGE_AFTER && self.skip_range(false)? {
            return Ok(());
        }
        if self.walk.hidden < JUMP_BACKWARD_AFTER {
            return self.cursor.prev();
        }
        self.cursor.seek(&seek_key(&self.walk.key, self.sequence))?;
        self.walk.hidden = 0;
        Ok(())
    }

    /// Walks back over all versions of a visible key; false when there is none after the lower bound.
    pub(super) fn walk_backward(&mut self) -> Result<bool> {
        loop {
            if self.walk.judged {
                self.move_backward()?;
                self.walk.judged = false;
            }
            if !self.cursor.valid() {
                break;
            }
            let entry = parse(self.cursor.key())?;
            let inside = match &self.lower {
                Bound::Unbounded => true,
                Bound::Included(lower) => entry.user_key >= lower.as_slice(),
                Bound::Excluded(lower) => entry.user_key > lower.as_slice(),
            };
            if !inside {
                break;
            }
            if self.is_newer(entry.sequence) {
                self.walk.skipped.newer += 1;
            } else {
                if self.walk.seen == WalkState::Nothing {
                    replace(&mut self.walk.key, entry.user_key);
                } else if same_key(entry.user_key, &self.walk.key) {
                    self.walk.skipped.shadowed += 1;
                    self.walk.hidden += 1;
                } else if self.walk.seen == WalkState::Put {
                    break;
                } else {
                    self.walk.leave_deleted_key();
                    replace(&mut self.walk.key, entry.user_key);
                }
                let hiding = self.cover.hides(entry.user_key, entry.sequence);
                let is_hidden = self.walk.note_hidden(hiding);
                if entry.kind != ValueKind::Put {
                    self.walk.seen = WalkState::Tombstone;
                } else if is_hidden {
                    self.walk.seen = WalkState::RangeDeleted;
                } else {
                    self.walk.seen = WalkState::Put;
                    self.cursor.pin_value(&mut self.walk.value);
                }
                if self.walk.seen != WalkState::Put {
                    self.note_walked();
                }
            }
            self.walk.judged = true;
        }
        if self.walk.seen == WalkState::Put {
            std::mem::swap(&mut self.key, &mut self.walk.key);
            std::mem::swap(&mut self.value, &mut self.walk.value);
            return Ok(true);
        }
        self.walk.leave_deleted_key();
        Ok(false)
    }
}

fn parse(key: &[u8]) -> Result<ParsedKey<'_>> {
    parse_internal_key(key).ok_or_else(|| {
        Error::new(ErrorKind::Corruption, "an entry was read whose key has no valid trailer")
    })
}

fn replace(buffer: &mut Vec<u8>, bytes: &[u8]) {
    buffer.clear();
    buffer.extend_from_slice(bytes);
}
