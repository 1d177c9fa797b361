//! A cursor over one table: the index leads to blocks, a block to entries.

use super::block::Damage;
use super::block_iter::{BlockIter, Target};
use super::reader::Table;
use crate::iter::Cursor;
use crate::key::compare_internal;
use crate::probe::NoProbe;
use crate::{Error, ErrorKind, Result};
use std::cmp::Ordering;
use std::sync::Arc;

/// A cursor over all entries of a table.
#[derive(Debug)]
pub(crate) struct TableCursor {
    table: Arc<Table>,
    /// Position of the block in the index; meaningless without `entries`.
    position: usize,
    entries: Option<BlockIter>,
    failure: Option<Error>,
}

impl TableCursor {
    pub(super) fn new(table: Arc<Table>) -> Self {
        Self { table, position: 0, entries: None, failure: None }
    }

    /// A cursor over the block `position`, which is nowhere; `None` behind the last block.
    fn load(&self, position: usize) -> Result<Option<BlockIter>> {
        let Some(handle) = self.table.index().handle(position) else { return Ok(None) };
        Ok(Some(BlockIter::new(self.table.block(handle, &mut NoProbe)?)))
    }

    /// Refuses with the error that made this cursor useless.
    fn usable(&self) -> Result<()> {
        self.failure.clone().map_or(Ok(()), Err)
    }

    /// Remembers an error for good, unless the same call may be made again.
    fn settle(&mut self, result: Result<()>) -> Result<()> {
        if let Err(error) = &result
            && error.kind() != ErrorKind::WouldBlock
        {
            self.failure = Some(error.clone());
            self.entries = None;
        }
        result
    }

    fn damaged(&self, position: usize, damage: Damage) -> Error {
        let handle = self.table.index().handle(position).unwrap_or_default();
        self.table.corrupt(handle, damage)
    }

    /// Makes the block `position` the current one, placed by `place`; nowhere without such a block.
    fn enter(
        &mut self,
        position: usize,
        place: impl FnOnce(&mut BlockIter) -> std::result::Result<(), Damage>,
    ) -> Result<()> {
        // Nothing changes before the block is here: reading it may have to be repeated.
        let mut entries = self.load(position)?;
        if let Some(entries) = &mut entries {
            place(entries).map_err(|damage| self.damaged(position, damage))?;
        }
        self.position = position;
        self.entries = entries;
        Ok(())
    }

    fn seek_inner(&mut self, target: &[u8]) -> Result<()> {
        let target = Target::from_internal(target);
        let position = self.table.find(&target, &mut NoProbe);
        let Some(mut entries) = self.load(position)? else {
            self.entries = None;
            return Ok(());
        };
        entries.seek(&target, &mut NoProbe).map_err(|damage| self.damaged(position, damage))?;
        if !entries.valid() {
            // The target lies between the last key of the block and its index key.
            return self.enter(position + 1, BlockIter::seek_to_first);
        }
        self.position = position;
        self.entries = Some(entries);
        Ok(())
    }

    fn next_inner(&mut self) -> Result<()> {
        let position = self.position;
        let Some(entries) = &mut self.entries else { return Ok(()) };
        if !entries.at_last() {
            let moved = entries.next();
            return moved.map_err(|damage| self.damaged(position, damage));
        }
        let separator = self.table.index().key(position).unwrap_or_default();
        let mut sound = compare_internal(entries.key(), separator) != Ordering::Greater;
        let mut next = self.load(position + 1)?;
        if let Some(next) = &mut next {
            next.seek_to_first().map_err(|damage| self.damaged(position + 1, damage))?;
            sound &= compare_internal(separator, next.key()) == Ordering::Less;
        }
        if !sound {
            let what = "the index key does not lie between this block and the next";
            return Err(self.damaged(position, Damage { at: 0, what }));
        }
        self.position = position + 1;
        self.entries = next;
        Ok(())
    }

    fn prev_inner(&mut self) -> Result<()> {
        let position = self.position;
        let Some(entries) = &mut self.entries else { return Ok(()) };
        if !entries.at_first() {
            let moved = entries.prev();
            return moved.map_err(|damage| self.damaged(position, damage));
        }
        if let Some(before) = position.checked_sub(1) {
            return self.enter(before, BlockIter::seek_to_last);
        }
        self.entries = None;
        Ok(())
    }
}

impl Cursor for TableCursor {
    fn valid(&self) -> bool {
        self.entries.as_ref().is_some_and(BlockIter::valid)
    }

    fn seek_to_first(&mut self) -> Result<()> {
        self.usable()?;
        let result = self.enter(0, BlockIter::seek_to_first);
        self.settle(result)
    }

    fn seek_to_last(&mut self) -> Result<()> {
        self.usable()?;
        let last = self.table.index().len().saturating_sub(1);
        let result = self.enter(last, BlockIter::seek_to_last);
        self.settle(result)
    }

    fn seek(&mut self, target: &[u8]) -> Result<()> {
        self.usable()?;
        let result = self.seek_inner(target);
        self.settle(result)
    }

    fn next(&mut self) -> Result<()> {
        self.usable()?;
        let result = self.next_inner();
        self.settle(result)
    }

    fn prev(&mut self) -> Result<()> {
        self.usable()?;
        let result = self.prev_inner();
        self.settle(result)
    }

    fn key(&self) -> &[u8] {
        self.entries.as_ref().map_or(&[], BlockIter::key)
    }

    fn value(&self) -> &[u8] {
        self.entries.as_ref().map_or(&[], BlockIter::value)
    }
}
