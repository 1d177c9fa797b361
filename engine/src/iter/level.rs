//! One cursor over the tables of a level, which follow each other in key order.
//!
//! One table is open at a time. The next one is opened and positioned *before* the present one is left,
//! so that a table that would block leaves the cursor where it is. The manifest knows the first and the
//! last key of every table: a table that ends before its last key has lost entries, and that is an
//! error, never the end of the data.

use super::sticky::Sticky;
use super::{Cursor, HiddenSpan, PinnedValue};
use crate::key::{SeqNo, compare_internal};
use crate::manifest::{Run, RunTable, TableMeta};
use crate::storage::{FileName, FileNumber};
use crate::table::{SequentialTables, Table, TableCache, TableCursor};
use crate::{Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// Opens the tables that a [`LevelCursor`] needs.
pub(crate) trait OpenTable: Send + Sync {
    /// A cursor over one table.
    type Cursor: TableWalk;
    /// A new cursor over `table`.
    fn open_cursor(&self, table: RunTable<'_>) -> Result<Self::Cursor>;
}

/// A cursor over one table that knows where the table ends.
pub(crate) trait TableWalk: Cursor {
    /// Whether it stands on the last entry (going `forward`) or on the first one, or nowhere.
    fn at_end(&self, forward: bool) -> bool;
}

impl TableWalk for TableCursor {
    #[inline]
    fn at_end(&self, forward: bool) -> bool {
        if forward { self.at_last() } else { self.at_first() }
    }
}

impl OpenTable for TableCache {
    type Cursor = TableCursor;

    fn open_cursor(&self, table: RunTable<'_>) -> Result<TableCursor> {
        Ok(self.open_pinned(table.meta, table.pin)?.cursor())
    }
}

impl OpenTable for SequentialTables {
    type Cursor = TableCursor;

    fn open_cursor(&self, table: RunTable<'_>) -> Result<TableCursor> {
        Ok(self.0.open(table.meta)?.sequential_cursor())
    }
}

/// Walks tables that are ordered by key and do not overlap.
///
/// Cost: that of the table's cursor a step, a binary search a seek.
pub(crate) struct LevelCursor<T: OpenTable = TableCache> {
    run: Arc<Run>,
    /// Those of its tables that are walked.
    tables: Range<usize>,
    opener: Arc<T>,
    current: Option<(usize, T::Cursor)>,
    failure: Sticky,
}

impl LevelCursor {
    /// The table that it stands in.
    pub(crate) fn open_table(&self) -> Option<&Arc<Table>> {
        self.current.as_ref().map(|(_, cursor)| cursor.table())
    }

    /// See [`TableCursor::table_around`].
    pub(crate) fn table_around(&self, forward: bool) -> Option<&Arc<Table>> {
        self.current.as_ref().and_then(|(_, cursor)| cursor.table_around(forward))
    }
}

impl<T: OpenTable> LevelCursor<T> {
    /// A cursor over the tables of `run`, which `opener` opens.
    pub(crate) fn new(run: Arc<Run>, opener: Arc<T>) -> Self {
        let tables = 0..run.tables().len();
        Self::over(run, tables, opener)
    }

    /// A cursor over `tables` of `run`, which `opener` opens.
    pub(crate) fn over(run: Arc<Run>, tables: Range<usize>, opener: Arc<T>) -> Self {
        Self { run, tables, opener, current: None, failure: Sticky::default() }
    }

    /// The table that it stands in.
    pub(crate) fn table(&self) -> Option<FileNumber> {
        let (index, _) = self.current.as_ref()?;
        self.run.tables().get(*index).map(|table| table.number)
    }

    /// The largest sequence number of the table that it stands in.
    pub(crate) fn sequence_max(&self) -> Option<SeqNo> {
        let (index, _) = self.current.as_ref()?;
        self.run.tables().get(*index).map(|meta| meta.sequence_max)
    }

    /// Goes to the first entry from here on that `hidden` does not hide, or to the end of a table that may have
    /// something newer; no entry newer than its range tombstone is in the table of the cursor.
    pub(crate) fn skip_hidden(&mut self, hidden: &HiddenSpan<'_>) -> Result<()> {
        self.guarded(|this| {
            let forward = hidden.forward;
            let mut at = this.current.as_ref().map(|(index, _)| *index);
            let mut reached = None;
            while let Some(index) = this.with_entries(at, forward) {
                reached = this.run.tables().get(index).filter(|meta| !hidden.hides_table(meta));
                if reached.is_some() {
                    break;
                }
                at = if forward { index.checked_add(1) } else { index.checked_sub(1) };
            }
            let is_older = reached.is_some_and(|meta| meta.sequence_max < hidden.sequence);
            let end = hidden.end().filter(|_| is_older);
            let at = at.filter(|_| reached.is_some());
            this.place(at, forward, |cursor| match &end {
                Some(end) => hidden.leave(cursor, end),
                None if forward => cursor.seek_to_first(),
                None => cursor.seek_to_last(),
            })
        })
    }

    /// The first table with entries from `index` on, in this direction. Others have range tombstones only.
    fn with_entries(&self, mut index: Option<usize>, forward: bool) -> Option<usize> {
        loop {
            let at = index.filter(|at| self.tables.contains(at))?;
            if self.run.tables().get(at)?.entries > 0 {
                return Some(at);
            }
            index = if forward { at.checked_add(1) } else { at.checked_sub(1) };
        }
    }

    /// Goes to table `index`, or to the next one with entries, and places its cursor there; off the end when
    /// there is no such table.
    fn place(
        &mut self,
        index: Option<usize>,
        forward: bool,
        place: impl Fn(&mut T::Cursor) -> Result<()>,
    ) -> Result<()> {
        let index = self.with_entries(index, forward);
        let found = index.and_then(|index| Some((index, self.run.table(index)?)));
        let Some((index, table)) = found else {
            self.current = None;
            return Ok(());
        };
        let valid = match &mut self.current {
            Some((at, cursor)) if *at == index => {
                place(cursor)?;
                cursor.valid()
            }
            current => {
                let mut cursor = self.opener.open_cursor(table)?;
                place(&mut cursor)?;
                let valid = cursor.valid();
                *current = Some((index, cursor));
                valid
            }
        };
        if valid { Ok(()) } else { Err(lost_entries(table.meta)) }
    }

    #[inline]
    fn step(&mut self, forward: bool) -> Result<()> {
        match &mut self.current {
            Some((_, cursor)) if !cursor.at_end(forward) => {
                if forward {
                    cursor.next()
                } else {
                    cursor.prev()
                }
            }
            _ => self.leave_table(forward),
        }
    }

    /// Goes from the last entry of a table, which must be the one that the manifest names, to the next
    /// table.
    fn leave_table(&mut self, forward: bool) -> Result<()> {
        let Some((index, cursor)) = &self.current else { return Ok(()) };
        let Some(meta) = self.run.tables().get(*index) else { return Ok(()) };
        let end = if forward { &meta.largest } else { &meta.smallest };
        if cursor.key() != end {
            return Err(lost_entries(meta));
        }
        let index = *index;
        if forward {
            self.place(index.checked_add(1), true, Cursor::seek_to_first)
        } else {
            self.place(index.checked_sub(1), false, Cursor::seek_to_last)
        }
    }

    #[inline]
    fn guarded(&mut self, call: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.failure.check()?;
        call(self).map_err(|error| self.failed(error))
    }

    #[cold]
    fn failed(&mut self, error: Error) -> Error {
        if self.failure.keep(&error) {
            self.current = None;
        }
        error
    }
}

fn lost_entries(meta: &TableMeta) -> Error {
    Error::in_file(
        ErrorKind::Corruption,
        FileName::Table(meta.number),
        "the table ends before the first or last key that the manifest gives for it",
    )
}

impl<T: OpenTable> Cursor for LevelCursor<T> {
    #[inline]
    fn valid(&self) -> bool {
        self.current.is_some()
    }

    fn seek_to_first(&mut self) -> Result<()> {
        self.guarded(|this| this.place(Some(this.tables.start), true, Cursor::seek_to_first))
    }

    fn seek_to_last(&mut self) -> Result<()> {
        self.guarded(|this| this.place(this.tables.end.checked_sub(1), false, Cursor::seek_to_last))
    }

    fn seek(&mut self, target: &[u8]) -> Result<()> {
        self.guarded(|this| {
            let index = this.run.first_reaching(target).max(this.tables.start);
            this.place(Some(index), true, |cursor| cursor.seek(target))
        })
    }

    fn seek_before(&mut self, target: &[u8]) -> Result<()> {
        self.guarded(|this| {
            let reaching = this.run.first_reaching(target).min(this.tables.end);
            let meta = this.run.tables().get(reaching).filter(|_| reaching < this.tables.end);
            let begins_before =
                meta.is_some_and(|meta| compare_internal(&meta.smallest, target).is_lt());
            let index = if begins_before { Some(reaching) } else { reaching.checked_sub(1) };
            this.place(index, false, |cursor| cursor.seek_before(target))
        })
    }

    #[inline]
    fn next(&mut self) -> Result<()> {
        self.guarded(|this| this.step(true))
    }

    #[inline]
    fn prev(&mut self) -> Result<()> {
        self.guarded(|this| this.step(false))
    }

    #[inline]
    fn key(&self) -> &[u8] {
        self.current.as_ref().map_or(&[], |(_, cursor)| cursor.key())
    }

    #[inline]
    fn value(&self) -> &[u8] {
        self.current.as_ref().map_or(&[], |(_, cursor)| cursor.value())
    }

    #[inline]
    fn pin_value(&self, pinned: &mut PinnedValue) {
        match &self.current {
            Some((_, cursor)) => cursor.pin_value(pinned),
            None => pinned.clear(),
        }
    }
}
