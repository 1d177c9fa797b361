//! A cursor over one table: the index leads to blocks, a block to entries.

use super::block::{Block, Damage};
use super::block_iter::BlockIter;
use super::block_search::search;
use super::fetch::Fetch;
use super::reader::Table;
use crate::iter::{Cursor, HiddenSpan, PinnedValue};
use crate::key::{SeqNo, SplitKey, compare_internal};
use crate::probe::NoProbe;
use crate::storage::FileNumber;
use crate::{Error, ErrorKind, Result};
use std::cmp::Ordering;
use std::sync::Arc;

/// A cursor over all entries of a table.
#[derive(Debug)]
pub(crate) struct TableCursor {
    table: Arc<Table>,
    fetch: Fetch,
    /// Position of the block in the index; meaningless without `entries`.
    position: usize,
    entries: Option<BlockIter>,
    failure: Option<Error>,
}

impl TableCursor {
    pub(super) fn new(table: Arc<Table>, fetch: Fetch) -> Self {
        Self { table, fetch, position: 0, entries: None, failure: None }
    }

    /// The table.
    pub(crate) fn number(&self) -> FileNumber {
        self.table.number
    }

    /// The table.
    pub(crate) fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// The table, when it has keys on both sides of the target of a seek, `forward` or to the entry before.
    pub(crate) fn table_around(&self, forward: bool) -> Option<&Arc<Table>> {
        let at_end = if forward { self.at_first() } else { self.at_last() };
        (self.valid() && !at_end).then_some(&self.table)
    }

    /// The largest sequence number of the table.
    pub(crate) fn sequence_max(&self) -> SeqNo {
        self.table.properties().sequence_max
    }

    /// Leaves the span of `hidden`, which hides all entries of the table there.
    pub(crate) fn skip_hidden(&mut self, hidden: &HiddenSpan<'_>) -> Result<()> {
        if let Some(end) = hidden.end() {
            return hidden.leave(self, &end);
        }
        self.entries = None;
        Ok(())
    }

    /// Whether it stands on the last entry of the table, or nowhere.
    #[inline]
    pub(crate) fn at_last(&self) -> bool {
        self.entries.as_ref().is_none_or(BlockIter::at_last)
            && self.position + 1 >= self.table.index().len()
    }

    /// Whether it stands on the first entry of the table, or nowhere.
    #[inline]
    pub(crate) fn at_first(&self) -> bool {
        self.position == 0 && self.entries.as_ref().is_none_or(BlockIter::at_first)
    }

    /// Refuses with the error that made this cursor useless.
    #[inline]
    fn usable(&self) -> Result<()> {
        match &self.failure {
            None => Ok(()),
            Some(failure) => Err(failure.clone()),
        }
    }

    /// Remembers an error for good, unless the same call may be made again.
    #[inline]
    fn settle(&mut self, result: Result<()>) -> Result<()> {
        result.map_err(|error| self.failed(error))
    }

    #[cold]
    fn failed(&mut self, error: Error) -> Error {
        if error.kind() != ErrorKind::WouldBlock {
            self.failure = Some(error.clone());
            self.entries = None;
        }
        error
    }

    #[cold]
    fn damaged(&self, position: usize, damage: Damage) -> Error {
        let handle = self.table.index().handle(position).unwrap_or_default();
        self.table.corrupt(handle, damage)
    }

    /// Makes `block`, which is at `position`, the current one.
    fn enter_block(&mut self, position: usize, block: Arc<Block>) -> &mut BlockIter {
        self.position = position;
        match &mut self.entries {
            Some(entries) => {
                entries.replace_block(block);
                entries
            }
            entries => entries.insert(BlockIter::new(block)),
        }
    }

    /// Makes the block `position` the current one, placed by `place`; nowhere without such a block.
    fn enter(
        &mut self,
        position: usize,
        place: impl FnOnce(&mut BlockIter) -> std::result::Result<(), Damage>,
    ) -> Result<()> {
        // Nothing changes before the block is here: reading it may have to be repeated.
        let Some(block) = self.fetch.block(&self.table, position)? else {
            self.entries = None;
            return Ok(());
        };
        place(self.enter_block(position, block)).map_err(|damage| self.damaged(position, damage))
    }

    fn seek_inner(&mut self, target: &[u8]) -> Result<()> {
        let target = SplitKey::from_internal(target);
        let index = self.table.index();
        if let Some(entries) = &mut self.entries
            && index.belongs_to(&target, self.position)
        {
            let position = self.position;
            let moved = entries.seek_here(&target, &mut NoProbe);
            if moved.map_err(|damage| self.damaged(position, damage))? {
                return Ok(());
            }
            return self.enter(position + 1, BlockIter::seek_to_first);
        }
        let position = self.table.find(&target, &mut NoProbe);
        let Some(block) = self.fetch.block(&self.table, position)? else {
            self.entries = None;
            return Ok(());
        };
        let found = search(&block, &target, &mut NoProbe)
            .map_err(|damage| self.damaged(position, damage))?;
        match found {
            Some(found) => self
                .enter_block(position, block)
                .stand_on(&found, &target)
                .map_err(|damage| self.damaged(position, damage)),
            // The target lies between the last key of the block and its index key.
            None => self.enter(position + 1, BlockIter::seek_to_first),
        }
    }

    fn seek_before_inner(&mut self, target: &[u8]) -> Result<()> {
        let target = SplitKey::from_internal(target);
        let position = self.table.find(&target, &mut NoProbe);
        if let Some(block) = self.fetch.block(&self.table, position)? {
            let found = search(&block, &target, &mut NoProbe)
                .map_err(|damage| self.damaged(position, damage))?;
            if found.is_none_or(|found| found.at > 0) {
                let entries = self.enter_block(position, block);
                let moved = match found {
                    Some(found) => entries.stand_before(&found),
                    None => entries.seek_to_last(),
                };
                return moved.map_err(|damage| self.damaged(position, damage));
            }
        }
        if let Some(before) = position.checked_sub(1) {
            return self.enter(before, BlockIter::seek_to_last);
        }
        self.entries = None;
        Ok(())
    }

    #[inline]
    fn next_inner(&mut self) -> Result<()> {
        let position = self.position;
        let Some(entries) = &mut self.entries else { return Ok(()) };
        if entries.at_last() {
            return self.next_block();
        }
        entries.next().map_err(|damage| self.damaged(position, damage))
    }

    fn next_block(&mut self) -> Result<()> {
        let position = self.position;
        let Some(entries) = &self.entries else { return Ok(()) };
        if !entries.valid() {
            return Ok(());
        }
        let separator = self.table.index().key(position).unwrap_or_default();
        let mut sound = compare_internal(entries.key(), separator) != Ordering::Greater;
        let next = self.fetch.block(&self.table, position + 1)?;
        if let Some(block) = next {
            let entries = self.enter_block(position + 1, block);
            entries.seek_to_first().map_err(|damage| self.damaged(position + 1, damage))?;
            let separator = self.table.index().key(position).unwrap_or_default();
            sound &= compare_internal(separator, self.key()) == Ordering::Less;
        } else {
            self.entries = None;
        }
        if sound {
            return Ok(());
        }
        let what = "the index key does not lie between this block and the next";
        Err(self.damaged(position, Damage { at: 0, what }))
    }

    #[inline]
    fn prev_inner(&mut self) -> Result<()> {
        let position = self.position;
        let Some(entries) = &mut self.entries else { return Ok(()) };
        if !entries.at_first() {
            return entries.prev().map_err(|damage| self.damaged(position, damage));
        }
        if let Some(before) = position.checked_sub(1).filter(|_| entries.valid()) {
            return self.enter(before, BlockIter::seek_to_last);
        }
        self.entries = None;
        Ok(())
    }
}

impl Cursor for TableCursor {
    #[inline]
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

    fn seek_before(&mut self, target: &[u8]) -> Result<()> {
        self.usable()?;
        let result = self.seek_before_inner(target);
        self.settle(result)
    }

    #[inline]
    fn next(&mut self) -> Result<()> {
        self.usable()?;
        let result = self.next_inner();
        self.settle(result)
    }

    #[inline]
    fn prev(&mut self) -> Result<()> {
        self.usable()?;
        let result = self.prev_inner();
        self.settle(result)
    }

    #[inline]
    fn key(&self) -> &[u8] {
        self.entries.as_ref().map_or(&[], BlockIter::key)
    }

    #[inline]
    fn value(&self) -> &[u8] {
        self.entries.as_ref().map_or(&[], BlockIter::value)
    }

    #[inline]
    fn pin_value(&self, pinned: &mut PinnedValue) {
        match &self.entries {
            Some(entries) => entries.pin_value(pinned),
            None => pinned.clear(),
        }
    }
}
