//! A walk over the entries of a block, forward from any restart point.

use super::block::{Block, Layout, position};
use crate::bytes::Cursor;
use crate::entry::BlockHandle;
use crate::{Error, Result};
use std::ops::Range;

/// The most bytes of keys, counted with their shared prefixes, that one walk over a block decodes. A block of valid
/// size whose entries share one long prefix would take hours otherwise.
const WALK_BYTES_MAX: usize = 1 << 30;

/// A walk over the entries of one block.
#[derive(Debug, Clone)]
pub struct BlockCursor {
    block: Block,
    layout: Layout,
    at: usize,
    next: usize,
    /// The restart point that has not been passed yet.
    restart: usize,
    valid: bool,
    key: Vec<u8>,
    shared: usize,
    value: Range<usize>,
    handle: BlockHandle,
    walked: usize,
}

impl BlockCursor {
    /// Before the first entry of `block`.
    pub fn new(block: Block, layout: Layout) -> Self {
        Self {
            block,
            layout,
            at: 0,
            next: 0,
            restart: 0,
            valid: false,
            key: Vec::new(),
            shared: 0,
            value: 0..0,
            handle: BlockHandle { offset: 0, bytes: 0 },
            walked: 0,
        }
    }

    /// Goes to the next entry; returns false at the end.
    ///
    /// # Errors
    /// `Damaged` when it does not decode; the cursor is then at the end.
    pub fn advance(&mut self) -> Result<bool> {
        if self.next >= self.block.entries_end {
            self.valid = false;
            return Ok(false);
        }
        let result = self.decode();
        self.valid = result.is_ok();
        if result.is_err() {
            self.next = self.block.entries_end;
        }
        result.map(|()| true)
    }

    fn decode(&mut self) -> Result<()> {
        let at = self.next;
        if self.layout.has_deltas() && self.block.values.is_some() {
            let message =
                "not read: an index whose handles are differences and apart from the keys";
            return Err(Error::not_read(message).at(self.block.place(at)));
        }
        let at_restart = self.block.restart(self.restart) == Some(at);
        let header = self.block.header(at, at_restart, self.layout)?;
        if header.shared > self.key.len() || (at_restart && header.shared > 0) {
            return Err(self
                .block
                .damaged(at, "a key shares more bytes than the key before it has"));
        }
        self.restart += usize::from(at_restart);
        self.key.truncate(header.shared);
        self.key.extend_from_slice(self.block.bytes().get(header.key).unwrap_or_default());
        (self.at, self.shared, self.next) = (at, header.shared, header.end);
        if self.layout.has_internal_keys() && self.key.len() < 8 {
            return Err(self.block.damaged(at, "an internal key has fewer than 8 bytes"));
        }
        self.walked = self.walked.saturating_add(self.key.len());
        if self.walked > WALK_BYTES_MAX {
            let message = "not read: a block whose keys have more than 1 GiB";
            return Err(Error::not_read(message).at(self.block.place(at)));
        }
        self.value = self.value_of(at, header.length, header.value_at)?;
        match self.layout {
            Layout::Index { deltas, first_keys, .. } => self.decode_handle(deltas, first_keys),
            _ => Ok(()),
        }
    }

    /// The range of the value: before the next entry, or among the values after the one before it.
    fn value_of(&self, at: usize, length: usize, value_at: Option<usize>) -> Result<Range<usize>> {
        let Some(values) = &self.block.values else {
            return Ok(self.next.saturating_sub(length)..self.next);
        };
        let start = match value_at {
            Some(offset) => values.start.saturating_add(offset),
            None if self.restart == 0 => values.start,
            None => self.value.end,
        };
        let end = start.saturating_add(length);
        if end > values.end || start < values.start {
            return Err(self.block.damaged(at, "a value is outside of the values"));
        }
        Ok(start..end)
    }

    /// Reads the handle of an index entry; in a block of differences the entry ends after it.
    fn decode_handle(&mut self, deltas: bool, first_keys: bool) -> Result<()> {
        let (start, end) = if deltas {
            (self.next, self.block.entries_end)
        } else {
            (self.value.start, self.value.end)
        };
        let bytes = self.block.bytes().get(start..end).unwrap_or_default();
        let mut cursor = Cursor::new(bytes, start as u64);
        let before = (deltas && self.shared > 0).then_some(self.handle);
        let parsed = handle_and_key(&mut cursor, before, first_keys);
        self.handle = parsed.map_err(|error| self.block.moved(&error))?;
        if deltas {
            self.next = position(&cursor);
            self.value = start..self.next;
        }
        Ok(())
    }

    /// Goes to the first entry that `before` does not hold for; it must hold for a number of entries from the start
    /// on and for no other. Returns false if there is none.
    ///
    /// # Errors
    /// `Damaged` when an entry on the way does not decode.
    pub fn seek(&mut self, before: impl Fn(&[u8]) -> bool) -> Result<bool> {
        let (mut low, mut high) = (0, self.block.restarts());
        // The last restart point whose key is before the target, if any, is in [low, high).
        while low + 1 < high {
            let middle = low.midpoint(high);
            if before(self.restart_key(middle)?) { low = middle } else { high = middle }
        }
        self.restart = low;
        self.next = self.block.restart(low).unwrap_or_default();
        self.key.clear();
        self.walked = 0;
        while self.advance()? {
            if !before(&self.key) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn restart_key(&self, index: usize) -> Result<&[u8]> {
        let block = &self.block;
        let at = block.restart(index).unwrap_or(usize::MAX);
        if at >= block.entries_end {
            return Err(
                block.damaged(block.restarts.start, "a restart point is outside of the entries")
            );
        }
        let header = block.header(at, true, self.layout)?;
        if header.shared != 0 {
            return Err(block.damaged(at, "the key at a restart point shares bytes"));
        }
        let key = block.bytes().get(header.key).unwrap_or_default();
        if self.layout.has_internal_keys() && key.len() < 8 {
            return Err(block.damaged(at, "an internal key has fewer than 8 bytes"));
        }
        Ok(key)
    }

    /// Whether all restart points were passed, as they are at the end of a sound block.
    pub fn restarts_agree(&self) -> bool {
        let restarts = self.block.restarts();
        self.restart == restarts || (self.block.entries_end == 0 && restarts <= 1)
    }

    /// Whether it stands at an entry.
    pub fn is_valid(&self) -> bool {
        self.valid
    }

    /// The key of the entry.
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// Bytes that the key shares with the one before it.
    pub fn shared(&self) -> usize {
        self.shared
    }

    /// The value of the entry; of index entries the encoded handle.
    pub fn value(&self) -> &[u8] {
        self.block.bytes().get(self.value.clone()).unwrap_or_default()
    }

    /// The range of the entry in the decompressed block, without a value that is apart.
    pub fn entry_range(&self) -> Range<usize> {
        self.at..self.next
    }

    /// The range of its value in the decompressed block.
    pub fn value_range(&self) -> Range<usize> {
        self.value.clone()
    }

    /// The handle in an index entry.
    pub fn handle(&self) -> BlockHandle {
        self.handle
    }

    /// The block, without the cursor.
    pub fn into_block(self) -> Block {
        self.block
    }

    /// The block.
    pub fn block(&self) -> &Block {
        &self.block
    }
}

/// Goes to the next row of the block at hand: there is none after its end, or after damage.
pub(super) fn advance(block: &mut Option<BlockCursor>) -> Result<bool> {
    let advanced = block.as_mut().map_or(Ok(false), BlockCursor::advance);
    if !matches!(advanced, Ok(true)) {
        *block = None;
    }
    advanced
}

/// A handle, or its difference to the one `before`, and where the key after it is.
fn handle_and_key(
    cursor: &mut Cursor,
    before: Option<BlockHandle>,
    first_keys: bool,
) -> Result<BlockHandle> {
    let at = *cursor;
    let handle = if let Some(before) = before {
        let zigzag = cursor.varint()?;
        let difference = (zigzag >> 1) ^ (zigzag & 1).wrapping_neg();
        let end = before
            .offset
            .checked_add(before.bytes)
            .and_then(|end| end.checked_add(super::TRAILER_BYTES));
        let Some(offset) = end else { return Err(at.damaged("a handle is too large")) };
        BlockHandle { offset, bytes: before.bytes.wrapping_add(difference) }
    } else {
        BlockHandle::read(cursor)?
    };
    if first_keys {
        cursor.prefixed()?;
    }
    Ok(handle)
}
