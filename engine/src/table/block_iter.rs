//! A cursor over one data block.
//!
//! Forward it puts each key together from the one before. Backward it decodes a whole restart interval at once and
//! walks over the decoded entries, because a key can only be put together going forward.

use super::block::{Block, Damage, Entry};
use super::block_builder::RESTART_INTERVAL_MAX;
use super::block_search::{BlockPosition, checked_entry, search};
use super::key_buffer::KeyBuffer;
use crate::iter::PinnedValue;
use crate::key::{SplitKey, TRAILER_BYTES, compare_internal};
use crate::probe::Probe;
use std::cmp::Ordering;
use std::sync::Arc;

/// A cursor over a data block. After an error it is invalid.
#[derive(Debug)]
pub struct BlockIter {
    block: Arc<Block>,
    valid: bool,
    /// Where the entry under the cursor begins.
    current: usize,
    /// Where its value begins.
    value: usize,
    /// Where it ends and the next one begins.
    next: usize,
    /// The last restart point at or before `current`.
    restart: usize,
    /// Where its interval ends.
    interval_end: usize,
    /// Entries from there to `current`: more than the maximum would make `prev` slow.
    since_restart: usize,
    key: KeyBuffer,
    /// Entries before `current` in its interval, while the cursor goes backward.
    decoded: Decoded,
}

/// Entries of one restart interval, first to last; those that have been left are taken off.
#[derive(Debug, Default)]
struct Decoded {
    /// Whether the key under the cursor is the last one here, and not in the key buffer.
    in_use: bool,
    /// The whole keys, one after another.
    keys: Vec<u8>,
    entries: Vec<DecodedEntry>,
}

#[derive(Debug, Clone, Copy)]
struct DecodedEntry {
    /// Where its key begins among `keys`; it ends where the next one begins.
    key: usize,
    at: usize,
    value: usize,
    end: usize,
}

impl BlockIter {
    /// A cursor that is nowhere.
    pub fn new(block: Arc<Block>) -> Self {
        Self {
            block,
            valid: false,
            current: 0,
            value: 0,
            next: 0,
            restart: 0,
            interval_end: 0,
            since_restart: 0,
            key: KeyBuffer::default(),
            decoded: Decoded::default(),
        }
    }

    /// Goes over to `block`, where it is nowhere.
    pub(super) fn replace_block(&mut self, block: Arc<Block>) {
        self.valid = false;
        self.decoded.in_use = false;
        self.block = block;
    }

    /// Whether it stands on an entry.
    #[inline]
    pub fn valid(&self) -> bool {
        self.valid
    }

    /// Whether it stands on the first entry, or nowhere.
    #[inline]
    pub fn at_first(&self) -> bool {
        !self.valid || self.current == 0
    }

    /// Whether it stands on the last entry, or nowhere.
    #[inline]
    pub fn at_last(&self) -> bool {
        !self.valid || self.next >= self.block.entries_end()
    }

    /// The internal key; empty when invalid.
    #[inline]
    pub fn key(&self) -> &[u8] {
        if !self.valid {
            &[]
        } else if self.decoded.in_use {
            self.decoded.last_key()
        } else {
            self.key.as_slice()
        }
    }

    /// The value; empty when invalid.
    #[inline]
    pub fn value(&self) -> &[u8] {
        if self.valid { self.block.slice(self.value..self.next) } else { &[] }
    }

    /// Makes `pinned` the value.
    #[inline]
    pub fn pin_value(&self, pinned: &mut PinnedValue) {
        if self.valid {
            pinned.set_block(&self.block, self.value..self.next);
        } else {
            pinned.clear();
        }
    }

    /// Goes to the first entry, if any.
    pub fn seek_to_first(&mut self) -> Result<(), Damage> {
        self.jump(0);
        self.step()
    }

    /// Goes to the last entry, if any.
    pub fn seek_to_last(&mut self) -> Result<(), Damage> {
        self.enter_backward(self.block.restart_count() - 1, self.block.entries_end())
    }

    /// Moves to the first entry at or after `target`; when there is none, stays at its entry and returns false.
    pub fn seek_here<P: Probe>(
        &mut self,
        target: &SplitKey<'_>,
        probe: &mut P,
    ) -> Result<bool, Damage> {
        let Some(found) = search(&self.block, target, probe)? else { return Ok(false) };
        self.stand_on(&found, target)?;
        Ok(true)
    }

    /// Moves to the entry that a search for `target` in this block has found.
    pub(super) fn stand_on(
        &mut self,
        found: &BlockPosition,
        target: &SplitKey<'_>,
    ) -> Result<(), Damage> {
        self.jump(found.restart);
        if !found.shares_with_target {
            while self.next <= found.at {
                self.step()?;
            }
            return Ok(());
        }
        let whole = if found.same_user_key {
            self.key.set(target.user_key) && self.key.push(&found.trailer.to_le_bytes())
        } else {
            let suffix = self.block.slice(found.entry.suffix..found.entry.value);
            let shared = target.user_key.get(..found.entry.shared);
            shared.is_some_and(|shared| self.key.set(shared)) && self.key.push(suffix)
        };
        debug_assert!(whole, "a search finds what the target begins with");
        self.since_restart = found.since_restart;
        self.settle(found.at, &found.entry);
        Ok(())
    }

    /// Moves to the entry before one that a search in this block has found, which must not be the first.
    pub(super) fn stand_before(&mut self, found: &BlockPosition) -> Result<(), Damage> {
        self.enter_before(found.restart, found.at)
    }

    /// Moves to the entry after, which must have a larger key.
    #[inline]
    #[expect(
        clippy::should_implement_trait,
        reason = "a cursor, which stands on an entry between calls"
    )]
    pub fn next(&mut self) -> Result<(), Damage> {
        if !self.valid || self.next >= self.block.entries_end() {
            self.valid = false;
            return Ok(());
        }
        if self.decoded.in_use {
            self.key.set(self.decoded.last_key());
            self.decoded.in_use = false;
        }
        self.valid = false;
        let at = self.next;
        let entry = checked_entry(&self.block, at)?;
        let suffix = self.block.slice(entry.suffix..entry.value);
        if !ascends(self.key.as_slice(), entry.shared, suffix) {
            return Err(Damage { at, what: "the keys do not ascend" });
        }
        if !self.key.replace(entry.shared, suffix) {
            return Err(Damage { at, what: "an entry shares more than the key before has" });
        }
        self.count(at)?;
        self.settle(at, &entry);
        Ok(())
    }

    /// Moves to the entry before.
    pub fn prev(&mut self) -> Result<(), Damage> {
        if !self.valid || self.current == 0 {
            self.valid = false;
            return Ok(());
        }
        if self.decoded.in_use && self.decoded.entries.len() > 1 {
            self.decoded.pop();
            self.stand_on_decoded();
            return Ok(());
        }
        self.enter_before(self.restart, self.current)
    }

    /// Moves to the entry before the one at `end`, which lies after the restart point `restart` or there.
    fn enter_before(&mut self, restart: usize, end: usize) -> Result<(), Damage> {
        let at_restart = self.block.restart(restart) == end;
        self.enter_backward(if at_restart { restart.saturating_sub(1) } else { restart }, end)
    }

    /// Decodes the entries from a restart point to `end` and moves to the last one.
    fn enter_backward(&mut self, restart: usize, end: usize) -> Result<(), Damage> {
        self.jump(restart);
        self.decoded.keys.clear();
        self.decoded.entries.clear();
        while self.next < end {
            self.step()?;
            self.valid = false;
            let key = self.decoded.keys.len();
            self.decoded.keys.extend_from_slice(self.key.as_slice());
            self.decoded.entries.push(DecodedEntry {
                key,
                at: self.current,
                value: self.value,
                end: self.next,
            });
        }
        self.decoded.in_use = true;
        self.stand_on_decoded();
        Ok(())
    }

    /// Moves to the last entry that is still decoded.
    #[inline]
    fn stand_on_decoded(&mut self) {
        let last = self.decoded.entries.last().copied();
        self.valid = last.is_some();
        if let Some(entry) = last {
            (self.current, self.value, self.next) = (entry.at, entry.value, entry.end);
            self.since_restart = self.decoded.entries.len();
        }
    }

    /// Goes to the place before a restart point: the next step reads the entry there.
    fn jump(&mut self, restart: usize) {
        self.valid = false;
        self.decoded.in_use = false;
        self.restart = restart;
        self.interval_end = self.block.restart(restart + 1);
        self.since_restart = 0;
        self.next = self.block.restart(restart);
        self.key.clear();
    }

    /// Moves to the entry at `next`.
    #[inline]
    fn step(&mut self) -> Result<(), Damage> {
        self.valid = false;
        let at = self.next;
        let entry = checked_entry(&self.block, at)?;
        let suffix = self.block.slice(entry.suffix..entry.value);
        if !self.key.replace(entry.shared, suffix) {
            return Err(Damage { at, what: "an entry shares more than the key before has" });
        }
        self.count(at)?;
        self.settle(at, &entry);
        Ok(())
    }

    /// Counts the entry at `at` into its restart interval.
    #[inline]
    fn count(&mut self, at: usize) -> Result<(), Damage> {
        if at >= self.interval_end {
            self.restart += 1;
            self.interval_end = self.block.restart(self.restart + 1);
            self.since_restart = 0;
        }
        self.since_restart += 1;
        if self.since_restart > RESTART_INTERVAL_MAX {
            return Err(Damage { at, what: "too many entries follow a restart point" });
        }
        Ok(())
    }

    #[inline]
    fn settle(&mut self, at: usize, entry: &Entry) {
        (self.current, self.value, self.next) = (at, entry.value, entry.end);
        self.valid = true;
    }
}

impl Decoded {
    #[inline]
    fn last_key(&self) -> &[u8] {
        let start = self.entries.last().map_or(0, |entry| entry.key);
        self.keys.get(start..).unwrap_or_default()
    }

    #[inline]
    fn pop(&mut self) {
        if let Some(left) = self.entries.pop() {
            self.keys.truncate(left.key);
        }
    }
}

/// Whether the key that shares `shared` bytes with `old` and goes on with `suffix` comes after it.
#[inline]
fn ascends(old: &[u8], shared: usize, suffix: &[u8]) -> bool {
    let old_user_bytes = old.len().saturating_sub(TRAILER_BYTES);
    let new_user_bytes = (shared + suffix.len()).saturating_sub(TRAILER_BYTES);
    let common = old_user_bytes.min(new_user_bytes);
    if shared < common
        && let (Some(old), Some(new)) = (old.get(shared), suffix.first())
        && old != new
    {
        // As written: all that both keys share is shared.
        return old < new;
    }
    // The shared bytes do not decide the order, as long as both user keys have them.
    if shared <= common {
        let old_rest = old.get(shared..).unwrap_or_default();
        return compare_internal(old_rest, suffix) == Ordering::Less;
    }
    ascends_in_trailer(old, shared, suffix, old_user_bytes, new_user_bytes)
}

/// Whether the keys ascend when the new one shares more than one of the user keys.
#[inline(never)]
fn ascends_in_trailer(
    old: &[u8],
    shared: usize,
    suffix: &[u8],
    old_user_bytes: usize,
    new_user_bytes: usize,
) -> bool {
    match old_user_bytes.cmp(&new_user_bytes) {
        // One user key is the beginning of the other.
        Ordering::Less => return true,
        Ordering::Greater => return false,
        Ordering::Equal => {}
    }
    let old = old.get(old_user_bytes..).unwrap_or_default();
    let mut new = [0; TRAILER_BYTES];
    let kept = old.iter().take(shared.saturating_sub(old_user_bytes));
    for (place, byte) in new.iter_mut().zip(kept.chain(suffix)) {
        *place = *byte;
    }
    old.first_chunk().is_some_and(|old| u64::from_le_bytes(new) < u64::from_le_bytes(*old))
}
