//! How a cursor gets its blocks: from the cache, one by one, or many with one read when it walks.

use super::block::Block;
use super::format::Handle;
use super::reader::Table;
use super::spare::AheadBuffer;
use crate::Result;
use std::sync::Arc;

/// A walk into a second block is expected to take so many entries more.
const WALK_ENTRIES: u64 = 16;
/// The largest read ahead \[bytes\].
const AHEAD_BYTES_MAX: usize = 128 << 10;

/// The blocks of one table for one cursor.
///
/// At the second block a walk reads some entries ahead, which makes a difference where a block holds few of them. From
/// the third on it reads ahead as many bytes as it has read so far: one that ends soon has read at most twice the bytes
/// that it needed, and one that goes on reads more each time.
///
/// Blocks that were read ahead are cached only while the cache has room: a long scan must not evict blocks
/// that lookups need, but a small database should end up in memory.
#[derive(Debug)]
pub(super) struct Fetch {
    /// Looks into the cache, and reads ahead only when it sees a walk.
    cached: bool,
    /// The block handed out last.
    last: Option<usize>,
    /// Blocks handed out in a row, in one direction.
    walked: u32,
    /// Their stored length \[bytes\].
    walked_bytes: usize,
    /// Stored blocks that lie in the file from `ahead_offset` on.
    ahead: AheadBuffer,
    ahead_offset: u64,
    /// Whether blocks read ahead go to the cache.
    keep_ahead: bool,
}

impl Fetch {
    /// Blocks through the cache.
    pub(super) fn cached() -> Self {
        Self {
            cached: true,
            last: None,
            walked: 0,
            walked_bytes: 0,
            ahead: AheadBuffer::default(),
            ahead_offset: 0,
            keep_ahead: false,
        }
    }

    /// Blocks for a walk over the whole table, past the cache.
    pub(super) fn sequential() -> Self {
        Self { cached: false, ..Self::cached() }
    }

    /// The block `position` of `table`; `None` after the last one. An error changes nothing that a
    /// later call could see.
    pub(super) fn block(&mut self, table: &Table, position: usize) -> Result<Option<Arc<Block>>> {
        let Some(handle) = table.index().handle(position) else { return Ok(None) };
        let forward = self.last.is_some_and(|last| last + 1 == position);
        let backward = self.last.is_some_and(|last| position + 1 == last);
        let (walked, before) =
            if forward || backward { (self.walked + 1, self.walked_bytes) } else { (0, 0) };
        let window = match walked {
            _ if !self.cached => Some(AHEAD_BYTES_MAX),
            0 => None,
            1 => short_walk_bytes(table, position, backward),
            _ => Some(before.min(AHEAD_BYTES_MAX)),
        };
        let block = self.find(table, position, handle, window, backward)?;
        self.last = Some(position);
        self.walked = walked;
        self.walked_bytes = before.saturating_add(handle.sealed_bytes().unwrap_or(0));
        Ok(Some(block))
    }

    /// The block at `handle`; `window`: read it with those that come next, up to so many bytes.
    fn find(
        &mut self,
        table: &Table,
        position: usize,
        handle: Handle,
        window: Option<usize>,
        backward: bool,
    ) -> Result<Arc<Block>> {
        if let Some(block) = self.cached.then(|| table.cached_block(handle)).flatten() {
            return Ok(block);
        }
        if self.ahead_range(handle).is_none() {
            let Some(window) = window.filter(|_| handle.bytes <= AHEAD_BYTES_MAX as u64) else {
                return if self.cached { table.load(handle) } else { table.read(handle) };
            };
            self.read_ahead(table, position, handle, window as u64, backward)?;
        }
        let sealed = self.ahead_range(handle).and_then(|range| self.ahead.bytes().get(range));
        let block = table.unseal(handle, sealed.unwrap_or_default())?;
        if self.keep_ahead {
            table.cache_block(handle, &block);
        }
        Ok(block)
    }

    /// Where the stored block is among the bytes read ahead, if all of it is there.
    fn ahead_range(&self, handle: Handle) -> Option<std::ops::Range<usize>> {
        let start = usize::try_from(handle.offset.checked_sub(self.ahead_offset)?).ok()?;
        let end = start.checked_add(handle.sealed_bytes()?)?;
        (end <= self.ahead.bytes().len()).then_some(start..end)
    }

    /// Reads the block and those that come next.
    fn read_ahead(
        &mut self,
        table: &Table,
        position: usize,
        handle: Handle,
        window: u64,
        backward: bool,
    ) -> Result<()> {
        let index = table.index();
        let (first, last) = if backward {
            (index.first_within(position, window), position)
        } else {
            (position, position + index.blocks_within(position, window) - 1)
        };
        let start = index.handle(first).unwrap_or(handle).offset;
        let end = index.handle(last).unwrap_or(handle).end().unwrap_or(start);
        let bytes = usize::try_from(end - start).unwrap_or(0);
        let mut buffer = self.ahead.take();
        table.read_ahead(start, bytes, &mut buffer)?;
        self.ahead.set(buffer);
        self.ahead_offset = start;
        self.keep_ahead = self.cached && table.cache_has_room(2 * bytes);
        Ok(())
    }
}

/// The stored length of the blocks from `position` on, or before it, that hold as many entries as a short walk may
/// take \[bytes\]; `None` when one block holds as many.
fn short_walk_bytes(table: &Table, position: usize, backward: bool) -> Option<usize> {
    let index = table.index();
    let entries = table.properties().entries.max(1);
    let blocks = WALK_ENTRIES.saturating_mul(index.len() as u64) / entries;
    let more = usize::try_from(blocks).ok()?.checked_sub(1).filter(|more| *more > 0)?;
    let bytes = if backward {
        index.bytes_between(position.saturating_sub(more), position)
    } else {
        index.bytes_between(position, position.saturating_add(more))
    };
    Some(usize::try_from(bytes).unwrap_or(usize::MAX).min(AHEAD_BYTES_MAX))
}
