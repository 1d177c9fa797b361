//! A cursor over one data block.

use super::block::{Block, Damage, Entry};
use super::block_builder::RESTART_INTERVAL_MAX;
use crate::canary::Canary;
use crate::key::{TRAILER_BYTES, compare_internal};
use crate::limits::KEY_BYTES_MAX;
use crate::probe::Probe;
use std::cmp::Ordering;
use std::sync::Arc;

/// Keys up to this length \[bytes\] need no allocation.
const INLINE_BYTES: usize = 120;

/// What to look for: an internal key in two parts, so that a lookup need not build one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) user_key: &'a [u8],
    pub(crate) trailer: u64,
}

impl<'a> Target<'a> {
    /// The target of an internal key.
    pub(crate) fn from_internal(key: &'a [u8]) -> Self {
        match key.split_last_chunk::<TRAILER_BYTES>() {
            Some((user_key, trailer)) => Self { user_key, trailer: u64::from_le_bytes(*trailer) },
            None => Self { user_key: key, trailer: u64::MAX },
        }
    }

    /// Whether the internal `key` comes before the target.
    #[inline]
    pub(crate) fn is_after(&self, key: &[u8]) -> bool {
        let Some((user_key, trailer)) = key.split_last_chunk::<TRAILER_BYTES>() else {
            return key < self.user_key;
        };
        match user_key.cmp(self.user_key) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => u64::from_le_bytes(*trailer) > self.trailer,
        }
    }
}

/// The key under the cursor, put together from shared prefixes.
#[derive(Debug)]
struct KeyBuffer {
    inline: [u8; INLINE_BYTES],
    length: usize,
    /// Used instead of `inline`, and not empty, while the key is longer than that.
    heap: Vec<u8>,
}

impl KeyBuffer {
    #[inline]
    fn as_slice(&self) -> &[u8] {
        if self.heap.is_empty() {
            self.inline.get(..self.length).unwrap_or_default()
        } else {
            &self.heap
        }
    }

    /// Keeps the first `shared` bytes and appends `suffix`; false when there are fewer.
    #[inline]
    fn replace(&mut self, shared: usize, suffix: &[u8]) -> bool {
        if shared > self.length {
            return false;
        }
        let length = shared + suffix.len();
        if length <= INLINE_BYTES && self.heap.is_empty() {
            if let Some(place) = self.inline.get_mut(shared..length) {
                place.copy_from_slice(suffix);
            }
        } else {
            self.replace_on_heap(shared, suffix);
        }
        self.length = length;
        true
    }

    #[cold]
    fn replace_on_heap(&mut self, shared: usize, suffix: &[u8]) {
        if self.heap.is_empty() {
            self.heap.extend_from_slice(self.inline.get(..shared).unwrap_or_default());
        }
        self.heap.truncate(shared);
        self.heap.extend_from_slice(suffix);
    }
}

/// A cursor over a data block. After an error it is invalid.
#[derive(Debug)]
pub(crate) struct BlockIter {
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
    /// Entries from there to `current`: more than the maximum would make `prev` slow.
    since_restart: usize,
    key: KeyBuffer,
}

impl BlockIter {
    /// A cursor that is nowhere.
    pub(crate) fn new(block: Arc<Block>) -> Self {
        let key = KeyBuffer { inline: [0; INLINE_BYTES], length: 0, heap: Vec::new() };
        Self {
            block,
            valid: false,
            current: 0,
            value: 0,
            next: 0,
            restart: 0,
            since_restart: 0,
            key,
        }
    }

    pub(crate) fn valid(&self) -> bool {
        self.valid
    }

    /// Whether it stands on the first entry, or nowhere.
    pub(crate) fn at_first(&self) -> bool {
        !self.valid || self.current == 0
    }

    /// Whether it stands on the last entry, or nowhere.
    #[inline]
    pub(crate) fn at_last(&self) -> bool {
        !self.valid || self.next >= self.block.entries_end()
    }

    /// The internal key; empty when invalid.
    #[inline]
    pub(crate) fn key(&self) -> &[u8] {
        if self.valid { self.key.as_slice() } else { &[] }
    }

    /// The value; empty when invalid.
    #[inline]
    pub(crate) fn value(&self) -> &[u8] {
        if self.valid { self.block.slice(self.value..self.next) } else { &[] }
    }

    pub(crate) fn seek_to_first(&mut self) -> Result<(), Damage> {
        self.jump(0)
    }

    pub(crate) fn seek_to_last(&mut self) -> Result<(), Damage> {
        self.jump(self.block.restart_count() - 1)?;
        while self.next < self.block.entries_end() {
            self.step()?;
        }
        Ok(())
    }

    /// Moves to the first entry at or after `target`; invalid when there is none.
    pub(crate) fn seek<P: Probe>(
        &mut self,
        target: &Target<'_>,
        probe: &mut P,
    ) -> Result<(), Damage> {
        self.valid = false;
        // How many restart points come before the target.
        let (mut low, mut high) = (0, self.block.restart_count());
        while low < high {
            let middle = low + (high - low) / 2;
            probe.comparison();
            if target.is_after(self.block.restart_key(middle)?) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low == 0 {
            return self.jump(0);
        }
        // The first entry of the interval is before the target, the first one behind it is not.
        self.jump(if Canary::RestartOffByOne.sings() { low } else { low - 1 })?;
        let interval_end = self.block.restart(low);
        while self.next < interval_end {
            self.step()?;
            probe.comparison();
            if !target.is_after(self.key.as_slice()) {
                return Ok(());
            }
        }
        if interval_end < self.block.entries_end() { self.step() } else { self.leave() }
    }

    /// Moves to the entry after, which must have a larger key.
    pub(crate) fn next(&mut self) -> Result<(), Damage> {
        if !self.valid || self.next >= self.block.entries_end() {
            return self.leave();
        }
        let entry = self.block.entry(self.next).inspect_err(|_| self.valid = false)?;
        let old = self.key.as_slice();
        let (old_user_bytes, new_user_bytes) = (
            old.len().saturating_sub(TRAILER_BYTES),
            (entry.shared + (entry.value - entry.suffix)).saturating_sub(TRAILER_BYTES),
        );
        // What both keys share says nothing about their order, as long as both user keys have it.
        let ascends = if entry.shared <= old_user_bytes.min(new_user_bytes) {
            let new_rest = self.block.slice(entry.suffix..entry.value);
            compare_internal(old.get(entry.shared..).unwrap_or_default(), new_rest)
                == Ordering::Less
        } else {
            self.ascends_in_trailer(&entry, old_user_bytes, new_user_bytes)
        };
        if !ascends {
            self.valid = false;
            return Err(Damage { at: self.next, what: "the keys do not ascend" });
        }
        self.step()
    }

    /// Whether the keys ascend when the new one shares more than one of the user keys.
    #[cold]
    fn ascends_in_trailer(
        &self,
        entry: &Entry,
        old_user_bytes: usize,
        new_user_bytes: usize,
    ) -> bool {
        match old_user_bytes.cmp(&new_user_bytes) {
            // One user key is the beginning of the other.
            Ordering::Less => return true,
            Ordering::Greater => return false,
            Ordering::Equal => {}
        }
        let old = self.key.as_slice().get(old_user_bytes..).unwrap_or_default();
        let mut new = [0; TRAILER_BYTES];
        let shared = old.iter().take(entry.shared.saturating_sub(old_user_bytes));
        let suffix = self.block.slice(entry.suffix..entry.value);
        for (place, byte) in new.iter_mut().zip(shared.chain(suffix)) {
            *place = *byte;
        }
        old.first_chunk().is_some_and(|old| u64::from_le_bytes(new) < u64::from_le_bytes(*old))
    }

    /// Moves to the entry before.
    pub(crate) fn prev(&mut self) -> Result<(), Damage> {
        let end = self.current;
        if !self.valid || end == 0 {
            return self.leave();
        }
        let at_restart = self.block.restart(self.restart) == end;
        self.jump(if at_restart { self.restart.saturating_sub(1) } else { self.restart })?;
        while self.next < end {
            self.step()?;
        }
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "keeps its callers free of a second Ok(())")]
    fn leave(&mut self) -> Result<(), Damage> {
        self.valid = false;
        Ok(())
    }

    fn jump(&mut self, restart: usize) -> Result<(), Damage> {
        self.restart = restart;
        self.since_restart = 0;
        self.next = self.block.restart(restart);
        self.key.length = 0;
        self.key.heap.clear();
        self.step()
    }

    /// Moves to the entry at `next`.
    #[inline]
    fn step(&mut self) -> Result<(), Damage> {
        self.valid = false;
        let at = self.next;
        let entry = self.block.entry(at)?;
        let suffix = self.block.slice(entry.suffix..entry.value);
        let key_bytes = entry.shared + suffix.len();
        if !(TRAILER_BYTES..=KEY_BYTES_MAX + TRAILER_BYTES).contains(&key_bytes) {
            return Err(Damage { at, what: "a key is too short or too long" });
        }
        if !self.key.replace(entry.shared, suffix) {
            return Err(Damage { at, what: "an entry shares more than the key before has" });
        }
        if at >= self.block.restart(self.restart + 1) {
            self.restart += 1;
            self.since_restart = 0;
        }
        self.since_restart += 1;
        if self.since_restart > RESTART_INTERVAL_MAX {
            return Err(Damage { at, what: "too many entries follow a restart point" });
        }
        (self.current, self.value, self.next) = (at, entry.value, entry.end);
        self.valid = true;
        Ok(())
    }
}
