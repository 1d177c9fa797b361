//! Cursors over internal keys, and how they are put together.
//!
//! block → table → level (one table after another) → merging → visible (hides shadowed versions and
//! tombstones) → bounds. Every layer keeps the same contract:
//!
//! - A new cursor is nowhere; `valid()` is false until it is positioned.
//! - `key()` and `value()` may be called only while `valid()`; otherwise they are empty.
//! - `next()` and `prev()` on an invalid cursor leave it invalid.
//! - After an error the cursor is invalid, and every further call returns that error again. The one
//!   exception is `WouldBlock`: nothing has changed, and the same call may be made again.

mod entries;
mod hidden;
mod level;
mod merging;
mod pinned;
mod source;
mod sticky;
#[cfg(test)]
pub(crate) mod testing;
mod visible;

pub use entries::{Entries, Entry, KeyRange};
pub(crate) use hidden::HiddenSpan;
pub(crate) use level::LevelCursor;
pub(crate) use merging::MergingCursor;
pub use pinned::PinnedValue;
pub(crate) use source::Source;
pub use visible::{DbIterator, Skipped};

use crate::Result;

/// A cursor over entries in internal-key order.
pub(crate) trait Cursor: Send {
    /// Whether it stands on an entry.
    fn valid(&self) -> bool;
    /// Moves to the first entry.
    fn seek_to_first(&mut self) -> Result<()>;
    /// Moves to the last entry.
    fn seek_to_last(&mut self) -> Result<()>;
    /// Moves to the first entry whose internal key is at or after `target`.
    fn seek(&mut self, target: &[u8]) -> Result<()>;
    /// Moves to the last entry whose internal key is before `target`.
    ///
    /// One call, not a seek and a step: a memtable may take a write between two calls.
    fn seek_before(&mut self, target: &[u8]) -> Result<()>;
    /// Moves to the entry after.
    fn next(&mut self) -> Result<()>;
    /// Moves to the entry before.
    fn prev(&mut self) -> Result<()>;
    /// The internal key.
    fn key(&self) -> &[u8];
    /// The value; empty for a tombstone.
    fn value(&self) -> &[u8];
    /// Makes `pinned` the value, so that it can still be read when the cursor has moved.
    fn pin_value(&self, pinned: &mut PinnedValue) {
        pinned.set_copy(self.value());
    }
}
