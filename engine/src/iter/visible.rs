//! What callers iterate: user keys and their values as of one sequence number, between two bounds.
//!
//! Going forward the cursor below stands on the entry that is shown; going backward it stands before
//! all versions of it, because the newest version of a key comes first and is met last. Key and value
//! are copies, so a call that would block leaves them as they are; made again, it goes on from where
//! the cursor had to stop.

use super::Cursor;
use super::sticky::Sticky;
use crate::key::{ParsedKey, SeqNo, ValueKind, internal_key, parse_internal_key, seek_key, user_key};
use crate::limits::SEQUENCE_MAX;
use crate::{Error, ErrorKind, Result};
use std::any::Any;
use std::fmt;
use std::ops::Bound;
use std::sync::Arc;

/// Entries that an iterator walked over without showing them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Skipped {
    /// Hidden by a newer version or tombstone of their key.
    pub shadowed: u64,
    /// Tombstones that were the newest version of their key.
    pub tombstones: u64,
    /// Newer than the iterator.
    pub newer: u64,
}

/// An iterator over user keys, forward and backward.
///
/// It stands nowhere until it is positioned. After an error it is not valid and every call returns
/// that error again; only `WouldBlock` changes nothing, and the same call may be made again.
pub struct DbIterator {
    cursor: Box<dyn Cursor>,
    sequence: SeqNo,
    lower: Bound<Vec<u8>>,
    upper: Bound<Vec<u8>>,
    valid: bool,
    key: Vec<u8>,
    value: Vec<u8>,
    place: Place,
    walk: Walk,
    /// The call that blocked in the middle of its walk.
    blocked: Option<Call>,
    skipped: Skipped,
    failure: Sticky,
    /// Keeps what the cursor reads.
    _keep: Arc<dyn Any + Send + Sync>,
}

/// Where the cursor stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// On the entry shown.
    OnEntry,
    /// Before every version of the key shown.
    BeforeKey,
    /// Somewhere.
    Unknown,
}

/// One call of a caller.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Call {
    First,
    Last,
    Seek(Vec<u8>),
    SeekForPrev(Vec<u8>),
    Next,
    Prev,
}

/// What a walk to the next visible entry has seen so far.
#[derive(Debug, Default)]
struct Walk {
    seen: Seen,
    /// The entry under the cursor is done with: move before reading on.
    judged: bool,
    key: Vec<u8>,
    value: Vec<u8>,
    skipped: Skipped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Seen {
    /// Nothing that matters.
    #[default]
    Nothing,
    /// Forward: versions of the key shown are shadowed.
    Shown,
    /// A tombstone of the walk's key. Forward: its older versions are shadowed.
    Tombstone,
    /// Backward: the walk's key and value are the newest version so far.
    Put,
}

impl DbIterator {
    /// Shows what `cursor` has as of `sequence` between `lower` and `upper`; `keep` lives as long.
    pub(crate) fn new(
        cursor: Box<dyn Cursor>,
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
            value: Vec::new(),
            place: Place::Unknown,
            walk: Walk::default(),
            blocked: None,
            skipped: Skipped::default(),
            failure: Sticky::default(),
            _keep: keep,
        }
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
        self.run(Call::Seek(user_key.to_vec()))
    }

    /// Moves to the last key at or before `user_key`, within the bounds.
    ///
    /// # Errors
    /// As [`DbIterator::seek_to_first`].
    pub fn seek_for_prev(&mut self, user_key: &[u8]) -> Result<()> {
        self.run(Call::SeekForPrev(user_key.to_vec()))
    }

    /// Moves to the next key; not valid behind the last one, where it stays.
    ///
    /// # Errors
    /// As [`DbIterator::seek_to_first`].
    #[expect(clippy::should_implement_trait, reason = "steps can fail and go both ways")]
    pub fn next(&mut self) -> Result<()> {
        self.run(Call::Next)
    }

    /// Moves to the key before; not valid before the first one, where it stays.
    ///
    /// # Errors
    /// As [`DbIterator::seek_to_first`].
    pub fn prev(&mut self) -> Result<()> {
        self.run(Call::Prev)
    }

    fn run(&mut self, call: Call) -> Result<()> {
        self.failure.check()?;
        if !self.valid && matches!(call, Call::Next | Call::Prev) {
            return Ok(());
        }
        if self.blocked.take().as_ref() != Some(&call) {
            self.walk.seen = Seen::Nothing;
            self.walk.judged = false;
            self.walk.skipped = Skipped::default();
            self.start(&call).map_err(|error| self.failed(error))?;
        }
        let forward = matches!(call, Call::First | Call::Seek(_) | Call::Next);
        let walked = if forward { self.walk_forward() } else { self.walk_backward() };
        self.valid = walked.map_err(|error| {
            if error.kind() == ErrorKind::WouldBlock {
                self.blocked = Some(call);
            }
            self.failed(error)
        })?;
        self.place = if forward { Place::OnEntry } else { Place::BeforeKey };
        self.skipped.add(self.walk.skipped);
        if !self.valid {
            self.key.clear();
            self.value.clear();
        }
        Ok(())
    }

    /// Puts the cursor where the walk begins. May be repeated after `WouldBlock`.
    fn start(&mut self, call: &Call) -> Result<()> {
        match call {
            Call::First => self.start_forward(self.lower.clone()),
            Call::Last => self.start_backward(self.upper.clone()),
            Call::Seek(target) => self.start_forward(match &self.lower {
                Bound::Included(lower) if lower > target => self.lower.clone(),
                Bound::Excluded(lower) if lower >= target => self.lower.clone(),
                _ => Bound::Included(target.clone()),
            }),
            Call::SeekForPrev(target) => self.start_backward(match &self.upper {
                Bound::Included(upper) if upper < target => self.upper.clone(),
                Bound::Excluded(upper) if upper <= target => self.upper.clone(),
                _ => Bound::Included(target.clone()),
            }),
            Call::Next if self.place == Place::OnEntry => {
                self.walk.seen = Seen::Shown;
                self.walk.judged = true;
                Ok(())
            }
            Call::Next => self.start_forward(Bound::Excluded(self.key.clone())),
            Call::Prev if self.place == Place::BeforeKey => Ok(()),
            Call::Prev => self.start_backward(Bound::Excluded(self.key.clone())),
        }
    }

    fn start_forward(&mut self, from: Bound<Vec<u8>>) -> Result<()> {
        match from {
            Bound::Unbounded => self.cursor.seek_to_first(),
            Bound::Included(key) => self.cursor.seek(&seek_key(&key, self.sequence)),
            Bound::Excluded(key) => {
                let oldest = internal_key(&key, 0, ValueKind::Delete);
                self.walk.key = key;
                self.walk.seen = Seen::Tombstone;
                self.cursor.seek(&oldest)
            }
        }
    }

    fn start_backward(&mut self, from: Bound<Vec<u8>>) -> Result<()> {
        match from {
            Bound::Unbounded => return self.cursor.seek_to_last(),
            Bound::Included(key) => {
                self.cursor.seek(&internal_key(&key, 0, ValueKind::Delete))?;
                if self.cursor.valid() && user_key(self.cursor.key()) == key {
                    return Ok(());
                }
            }
            Bound::Excluded(key) => self.cursor.seek(&seek_key(&key, SEQUENCE_MAX))?,
        }
        if self.cursor.valid() { self.cursor.prev() } else { self.cursor.seek_to_last() }
    }

    /// Walks to the first visible entry; false when there is none before the upper bound.
    fn walk_forward(&mut self) -> Result<bool> {
        loop {
            if self.walk.judged {
                self.cursor.next()?;
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
                Seen::Nothing | Seen::Put => false,
                Seen::Shown => entry.user_key == self.key,
                Seen::Tombstone => entry.user_key == self.walk.key,
            };
            if entry.sequence > self.sequence {
                self.walk.skipped.newer += 1;
            } else if shadowed {
                self.walk.skipped.shadowed += 1;
            } else if entry.kind == ValueKind::Delete {
                self.walk.skipped.tombstones += 1;
                self.walk.seen = Seen::Tombstone;
                replace(&mut self.walk.key, entry.user_key);
            } else {
                replace(&mut self.key, entry.user_key);
                replace(&mut self.value, self.cursor.value());
                return Ok(true);
            }
            self.walk.judged = true;
        }
    }

    /// Walks back over all versions of a visible key; false when there is none after the lower bound.
    fn walk_backward(&mut self) -> Result<bool> {
        loop {
            if self.walk.judged {
                self.cursor.prev()?;
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
            if entry.sequence > self.sequence {
                self.walk.skipped.newer += 1;
            } else {
                if self.walk.seen == Seen::Nothing {
                    replace(&mut self.walk.key, entry.user_key);
                } else if entry.user_key == self.walk.key {
                    self.walk.skipped.shadowed += 1;
                } else if self.walk.seen == Seen::Put {
                    break;
                } else {
                    self.walk.skipped.tombstones += 1;
                    replace(&mut self.walk.key, entry.user_key);
                }
                if entry.kind == ValueKind::Put {
                    self.walk.seen = Seen::Put;
                    replace(&mut self.walk.value, self.cursor.value());
                } else {
                    self.walk.seen = Seen::Tombstone;
                }
            }
            self.walk.judged = true;
        }
        if self.walk.seen == Seen::Put {
            std::mem::swap(&mut self.key, &mut self.walk.key);
            std::mem::swap(&mut self.value, &mut self.walk.value);
            return Ok(true);
        }
        self.walk.skipped.tombstones += u64::from(self.walk.seen == Seen::Tombstone);
        Ok(false)
    }

    /// The cursor may be anywhere now; anything but `WouldBlock` ends the iterator.
    fn failed(&mut self, error: Error) -> Error {
        self.place = Place::Unknown;
        if self.failure.keep(&error) {
            self.valid = false;
            self.key.clear();
            self.value.clear();
        }
        error
    }
}

impl Skipped {
    fn add(&mut self, other: Self) {
        self.shadowed += other.shadowed;
        self.tombstones += other.tombstones;
        self.newer += other.newer;
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

fn parse(key: &[u8]) -> Result<ParsedKey<'_>> {
    parse_internal_key(key).ok_or_else(|| {
        Error::new(ErrorKind::Corruption, "an entry was read whose key has no valid trailer")
    })
}

fn replace(buffer: &mut Vec<u8>, bytes: &[u8]) {
    buffer.clear();
    buffer.extend_from_slice(bytes);
}
