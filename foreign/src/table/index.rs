//! The index: rows of separator and handle, in one block or in partitions.

use super::block::Layout;
use super::entries::{BlockCursor, advance};
use super::reader::BlockTable;
use crate::entry::BlockHandle;
use crate::{Comparator, Error, Result};
use std::cmp::Ordering;

/// Target of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) user_key: &'a [u8],
    pub(super) sequence: u64,
}

impl Target<'_> {
    /// Whether `key`, internal or of the user, is before the target.
    pub(super) fn is_after(&self, order: Comparator, layout: Layout, key: &[u8]) -> bool {
        if !layout.has_internal_keys() {
            return order.compare(key, self.user_key) == Ordering::Less;
        }
        let Ok((user_key, sequence, _)) = crate::key::split(key) else { return false };
        match order.compare(user_key, self.user_key) {
            Ordering::Less => true,
            Ordering::Equal => sequence > self.sequence,
            Ordering::Greater => false,
        }
    }
}

/// A walk over the rows of an index. Partitions are read when it gets there.
pub(super) struct IndexCursor<'t, 'f> {
    table: &'t BlockTable<'f>,
    top: BlockCursor,
    part: Option<BlockCursor>,
    two_level: bool,
    /// Offset that the next block must not be before. Blocks are written in the order of the index; a damaged index
    /// that names blocks again and again would be walked for hours.
    floor: u64,
    part_floor: u64,
}

impl<'t, 'f> IndexCursor<'t, 'f> {
    /// Before the first row.
    pub(super) fn new(table: &'t BlockTable<'f>, top: BlockCursor, two_level: bool) -> Self {
        Self { table, top, part: None, two_level, floor: 0, part_floor: 0 }
    }

    /// Goes to the next row; returns false at the end.
    ///
    /// # Errors
    /// Damage in the index; called again it goes on with the next row or partition.
    pub(super) fn advance(&mut self) -> Result<bool> {
        loop {
            if advance(&mut self.part)? {
                return self.ascending();
            }
            if !self.top.advance()? {
                return Ok(false);
            }
            if !self.two_level {
                return self.ascending();
            }
            let part = self.load()?;
            self.part = Some(part);
        }
    }

    fn load(&mut self) -> Result<BlockCursor> {
        let handle = self.top.handle();
        self.part_floor = climb(self.part_floor, handle)?;
        self.table.index_block(handle)
    }

    fn ascending(&mut self) -> Result<bool> {
        self.floor = climb(self.floor, self.handle())?;
        Ok(true)
    }

    /// Goes to the first row whose block may hold `target`.
    pub(super) fn seek(&mut self, target: Target) -> Result<bool> {
        let (order, layout) = (self.table.order(), self.table.index_layout());
        let before = |key: &[u8]| target.is_after(order, layout, key);
        (self.floor, self.part_floor, self.part) = (0, 0, None);
        if !self.top.seek(before)? {
            return Ok(false);
        }
        if !self.two_level {
            return self.ascending();
        }
        let mut part = self.load()?;
        if part.seek(before)? {
            self.part = Some(part);
            return self.ascending();
        }
        self.advance()
    }

    fn row(&self) -> &BlockCursor {
        self.part.as_ref().unwrap_or(&self.top)
    }

    /// The block of the row.
    pub(super) fn handle(&self) -> BlockHandle {
        self.row().handle()
    }

    /// The separator of the row.
    pub(super) fn separator(&self) -> &[u8] {
        self.row().key()
    }

    /// The partition that the row is in.
    pub(super) fn partition(&self) -> Option<BlockHandle> {
        self.part.as_ref().map(|part| part.block().handle())
    }
}

fn climb(floor: u64, handle: BlockHandle) -> Result<u64> {
    if handle.offset < floor {
        let message = format!(
            "the index names a block at offset {} after one that ends at {floor}",
            handle.offset
        );
        return Err(Error::damaged(handle.offset, message));
    }
    Ok(handle.offset.saturating_add(handle.bytes).saturating_add(super::TRAILER_BYTES))
}
