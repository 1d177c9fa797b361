//! The iterator for callers: user keys and their values as of one sequence number, between two bounds.
//!
//! Going forward the cursor below stands on the entry that is shown; going backward it stands before
//! all versions of it, because the newest version of a key comes first and is met last. The key is a
//! copy and the value is pinned, so a call that would block leaves them as they are; made again, it goes
//! on from where the cursor had to stop.

use super::sticky::Sticky;
use super::{MergingCursor, PinnedValue, Source};
use crate::key::{Cut, SeqNo};
use crate::ranges::Cover;
use crate::table::TableCache;
use crate::transaction::ReadWatch;
use crate::{Error, ErrorKind, Result};
use std::any::Any;
use std::fmt;
use std::ops::Bound;
use std::sync::Arc;
use walk::{Walk, WalkState};

mod walk;

#[cfg(test)]
mod tests;

/// Entries that an iterator walked over without showing them. Long runs of versions of one key are jumped over; entries
/// in between are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Skipped {
    /// Hidden by a newer version or tombstone of their key.
    pub shadowed: u64,
    /// Tombstones that were the newest version of their key.
    pub tombstones: u64,
    /// Newer than the iterator.
    pub newer: u64,
    /// Hidden by a range tombstone.
    pub range_deleted: u64,
}

/// An iterator over user keys, forward and backward.
///
/// It stands nowhere until it is positioned. After an error it is not valid and every call returns
/// that error again; only `WouldBlock` changes nothing, and the same call may be made again.
pub struct DbIterator {
    cursor: MergingCursor<Source>,
    sequence: SeqNo,
    lower: Bound<Vec<u8>>,
    upper: Bound<Vec<u8>>,
    valid: bool,
    key: Vec<u8>,
    value: PinnedValue,
    place: CursorPosition,
    walk: Walk,
    /// The call that blocked in the middle of its walk.
    blocked: Option<BlockedCall>,
    skipped: Skipped,
    /// The range tombstones that hide entries from it.
    cover: Cover,
    failure: Sticky,
    /// It reads for a transaction, whose own writes are one of the sources.
    own_writes: bool,
    /// Records the scanned ranges, for a transaction that must check them at its commit.
    watch: Option<ReadWatch>,
    /// Where its seeks are charged that had to search several tables.
    tables: Option<Arc<TableCache>>,
    /// Keeps the view that the cursor reads.
    _keep: Arc<dyn Any + Send + Sync>,
}

/// Where the cursor stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CursorPosition {
    /// On the entry shown.
    OnEntry,
    /// Before every version of the key shown.
    BeforeKey,
    /// Somewhere.
    Unknown,
}

/// One call of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call<'a> {
    First,
    Last,
    Seek(&'a [u8]),
    SeekForPrev(&'a [u8]),
    Next,
    Prev,
}

/// A call that is to be made again.
#[derive(Debug)]
struct BlockedCall {
    /// The call, with an empty target.
    kind: Call<'static>,
    target: Vec<u8>,
}

impl DbIterator {
    /// Shows the entries of `cursor` as of `sequence` between `lower` and `upper`; `keep` lives as long.
    pub(crate) fn new(
        cursor: MergingCursor<Source>,
        sequence: SeqNo,
        lower: Bound<Vec<u8>>,
        upper: Bound<Vec<u8>>,
        keep: Arc<dyn Any + Send + Sync>,
    ) -> Self {
        Self {
            cursor,
            sequence,
            lower,
            upper,
            valid: false,
            key: Vec::new(),
            value: PinnedValue::default(),
            place: CursorPosition::Unknown,
            walk: Walk::default(),
            blocked: None,
            skipped: Skipped::default(),
            cover: Cover::default(),
            failure: Sticky::default(),
            own_writes: false,
            watch: None,
            tables: None,
            _keep: keep,
        }
    }

    /// The same iterator without the entries that `cover` hides.
    pub(crate) fn covered(self, cover: Cover) -> Self {
        Self { cover, ..self }
    }

    /// The same iterator, whose seeks are charged to `tables`.
    pub(crate) fn charging(self, tables: &Arc<TableCache>) -> Self {
        let tables = tables.charges().is_on().then(|| Arc::clone(tables));
        Self { tables, ..self }
    }

    /// The same iterator for a transaction: uncommitted entries are shown, and `watch` learns where it
    /// has been.
    pub(crate) fn for_transaction(self, watch: Option<ReadWatch>) -> Self {
        Self { own_writes: true, watch, ..self }
    }

    /// Whether it stands on an entry.
    pub fn valid(&self) -> bool {
        self.valid
    }

    /// The user key; empty while not valid.
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// The value; empty while not valid.
    pub fn value(&self) -> &[u8] {
        &self.value
    }

    /// The value, to be kept when the iterator has moved on; not a copy where that can be avoided.
    pub fn pinned_value(&self) -> PinnedValue {
        self.value.clone()
    }

    /// Entries walked over so far without showing them.
    pub fn skipped(&self) -> Skipped {
        self.skipped
    }

    /// Moves to the first key within the bounds.
    ///
    /// # Errors
    /// `Corruption` with file and offset; `Io`; `WouldBlock`.
    pub fn seek_to_first(&mut self) -> Result<()> {
        self.run(Call::First)
    }

    /// Moves to the last key within the bounds.
    ///
    /// # Errors
    /// As [`DbIterator::seek_to_first`].
    pub fn seek_to_last(&mut self) -> Result<()> {
        self.run(Call::Last)
    }

    /// Moves to the first key at or after `user_key`, within the bounds.
    ///
    /// # Errors
    /// As [`DbIterator::seek_to_first`].
    pub fn seek(&mut self, user_key: &[u8]) -> Result<()> {
        self.run(Call::Seek(user_key))
    }

    /// Moves to the last key at or before `user_key`, within the bounds.
    ///
    /// # Errors
    /// As [`DbIterator::seek_to_first`].
    pub fn seek_for_prev(&mut self, user_key: &[u8]) -> Result<()> {
        self.run(Call::SeekForPrev(user_key))
    }

    /// Moves to the next key. After the last key it is not valid, and stays so.
    ///
    /// # Errors
    /// As [`DbIterator::seek_to_first`].
    #[expect(clippy::should_implement_trait, reason = "steps can fail and go both ways")]
    #[inline]
    pub fn next(&mut self) -> Result<()> {
        if self.valid && self.place == CursorPosition::OnEntry && self.blocked.is_none() {
            self.walk.begin();
            (self.walk.seen, self.walk.judged) = (WalkState::Shown, true);
            let walked = self.walk_forward();
            return self.finish(true, walked, Call::Next);
        }
        self.run(Call::Next)
    }

    /// Moves to the key before; not valid before the first one, where it stays.
    ///
    /// # Errors
    /// As [`DbIterator::seek_to_first`].
    #[inline]
    pub fn prev(&mut self) -> Result<()> {
        if self.valid && self.place == CursorPosition::BeforeKey && self.blocked.is_none() {
            self.walk.begin();
            let walked = self.walk_backward();
            return self.finish(false, walked, Call::Prev);
        }
        self.run(Call::Prev)
    }

    fn run(&mut self, call: Call<'_>) -> Result<()> {
        self.failure.check()?;
        if !self.valid && matches!(call, Call::Next | Call::Prev) {
            return Ok(());
        }
        if !self.blocked.take().is_some_and(|blocked| blocked.call() == call) {
            self.walk.begin();
            self.start(call).map_err(|error| self.failed(error))?;
        }
        let forward = call.is_forward();
        let walked = if forward { self.walk_forward() } else { self.walk_backward() };
        self.finish(forward, walked, call)
    }

    /// Ends a call whose walk found an entry, or none, or had to stop.
    #[inline]
    fn finish(&mut self, forward: bool, walked: Result<bool>, call: Call<'_>) -> Result<()> {
        let found = match walked {
            Ok(found) => found,
            Err(error) => {
                if error.kind() == ErrorKind::WouldBlock {
                    self.blocked = Some(BlockedCall::new(call));
                }
                return Err(self.failed(error));
            }
        };
        self.place = if forward { CursorPosition::OnEntry } else { CursorPosition::BeforeKey };
        self.skipped.add(self.walk.skipped);
        if self.watch.is_some() {
            self.note_walk(call, found).map_err(|error| self.failed(error))?;
        }
        self.valid = found;
        if !found {
            self.key.clear();
            self.value.clear();
        }
        Ok(())
    }

    /// Reports the range of keys that the call has read to the watch.
    #[cold]
    fn note_walk(&mut self, call: Call<'_>, found: bool) -> Result<()> {
        let Some(watch) = &mut self.watch else { return Ok(()) };
        let key = found.then_some(self.key.as_slice());
        let lower = || Cut::lower(&self.lower);
        let upper = || Cut::upper(&self.upper);
        let (from, to) = match call {
            Call::First => (lower(), key.map_or_else(upper, Cut::after)),
            Call::Seek(target) => {
                (lower().max(Cut::before(target)), key.map_or_else(upper, Cut::after))
            }
            Call::Next => (Cut::after(watch.at()), key.map_or_else(upper, Cut::after)),
            Call::Last => (key.map_or_else(lower, Cut::before), upper()),
            Call::SeekForPrev(target) => {
                (key.map_or_else(lower, Cut::before), upper().min(Cut::after(target)))
            }
            Call::Prev => (key.map_or_else(lower, Cut::before), Cut::before(watch.at())),
        };
        watch.walked(from, to, key)
    }

    /// The cursor may be anywhere now; anything but `WouldBlock` ends the iterator.
    fn failed(&mut self, error: Error) -> Error {
        self.place = CursorPosition::Unknown;
        if self.failure.keep(&error) {
            self.valid = false;
            self.key.clear();
            self.value.clear();
        }
        error
    }
}

impl Call<'_> {
    fn is_forward(self) -> bool {
        matches!(self, Self::First | Self::Seek(_) | Self::Next)
    }
}

impl BlockedCall {
    fn new(call: Call<'_>) -> Self {
        let (kind, target) = match call {
            Call::Seek(target) => (Call::Seek(&[]), target),
            Call::SeekForPrev(target) => (Call::SeekForPrev(&[]), target),
            Call::First => (Call::First, &[][..]),
            Call::Last => (Call::Last, &[][..]),
            Call::Next => (Call::Next, &[][..]),
            Call::Prev => (Call::Prev, &[][..]),
        };
        Self { kind, target: target.to_vec() }
    }

    fn call(&self) -> Call<'_> {
        match self.kind {
            Call::Seek(_) => Call::Seek(&self.target),
            Call::SeekForPrev(_) => Call::SeekForPrev(&self.target),
            kind => kind,
        }
    }
}

impl Skipped {
    fn add(&mut self, other: Self) {
        self.shadowed += other.shadowed;
        self.tombstones += other.tombstones;
        self.newer += other.newer;
        self.range_deleted += other.range_deleted;
    }
}

impl fmt::Debug for DbIterator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DbIterator")
            .field("sequence", &self.sequence)
            .field("lower", &self.lower)
            .field("upper", &self.upper)
            .field("valid", &self.valid)
            .field("key", &self.key)
            .field("skipped", &self.skipped)
            .finish_non_exhaustive()
    }
}
