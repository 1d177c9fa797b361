//! The sources of iterators and merges, as an enum without dynamic dispatch.

use super::{Cursor, HiddenSpan, LevelCursor, MergingCursor, PinnedValue};
use crate::Result;
use crate::memtable::MemtableCursor;
use crate::storage::FileNumber;
use crate::table::{ReadCharges, SequentialTables, Table, TableCursor};
use crate::transaction::WritesCursor;
use std::sync::Arc;

/// One source of entries.
pub(crate) enum Source {
    Memtable(MemtableCursor),
    Table(TableCursor),
    Level(LevelCursor),
    /// A level that is read once from end to end.
    Sequential(LevelCursor<SequentialTables>),
    /// The uncommitted writes of a transaction.
    Writes(WritesCursor),
    /// Any other.
    #[cfg(test)]
    Other(Box<dyn Cursor>),
}

impl Source {
    /// Whether it stands on an entry that `hidden` hides, and can go past all such entries without a step for each.
    fn can_skip(&self, hidden: &HiddenSpan<'_>) -> bool {
        match self {
            _ if !hidden.hides(self.key()) => false,
            Self::Memtable(_) => true,
            Self::Table(cursor) => cursor.sequence_max() < hidden.sequence,
            Self::Level(cursor) => cursor.sequence_max() < Some(hidden.sequence),
            _ => false,
        }
    }

    /// Goes past the entries that `hidden` hides from here on, as far as that is possible without a step for each
    /// entry.
    fn skip_hidden(&mut self, hidden: &HiddenSpan<'_>) -> Result<()> {
        match self {
            _ if !self.can_skip(hidden) => Ok(()),
            Self::Memtable(cursor) => {
                cursor.skip_hidden(hidden);
                Ok(())
            }
            Self::Table(cursor) => cursor.skip_hidden(hidden),
            Self::Level(cursor) => cursor.skip_hidden(hidden),
            _ => Ok(()),
        }
    }

    /// The table in which a seek, `forward` or to the entry before, has found keys on both sides of its target.
    fn table_around(&self, forward: bool) -> Option<&Arc<Table>> {
        match self {
            Self::Table(cursor) => cursor.table_around(forward),
            Self::Level(cursor) => cursor.table_around(forward),
            _ => None,
        }
    }

    /// The table that an input of a compaction stands in.
    pub(crate) fn table(&self) -> Option<FileNumber> {
        match self {
            Self::Table(cursor) => Some(cursor.number()),
            Self::Sequential(cursor) => cursor.table(),
            _ => None,
        }
    }
}

impl MergingCursor<Source> {
    /// After a seek: the newest table with keys around the target, when it is not the only one.
    ///
    /// Cost: at most a look at each source.
    pub(crate) fn first_of_several<'a>(&'a self) -> Option<&'a Arc<Table>> {
        let forward = self.goes(true);
        let around = |source: &'a Source| source.table_around(forward);
        let mut tables = self.children().iter().filter_map(around);
        let first = tables.next()?;
        tables.next().map(|_| first)
    }

    /// Charges a walk over `entries` hidden ones to where the cursor stands: the active memtable or a table.
    #[cold]
    pub(crate) fn charge_walk(&self, charges: &ReadCharges, entries: u32) {
        let table = match self.current() {
            Some(Source::Memtable(cursor)) => {
                cursor.memtable().reads().add_walked(entries);
                None
            }
            Some(Source::Table(cursor)) => Some(cursor.table()),
            Some(Source::Level(cursor)) => cursor.open_table(),
            _ => None,
        };
        if let Some(table) = table {
            charges.charge_walk(table, entries);
        }
    }

    /// Goes past the entries that `hidden` hides. False, and nothing has moved, when the cursor goes in the other
    /// direction, or when the entry under it is of a table that may have something newer: it has to be stepped over.
    ///
    /// Tables that are hidden as a whole are not opened.
    ///
    /// # Errors
    /// As [`Cursor::seek`].
    pub(crate) fn skip_hidden(&mut self, hidden: &HiddenSpan<'_>) -> Result<bool> {
        if self.goes(!hidden.forward)
            || !self.heads().any(|(source, first)| first && source.can_skip(hidden))
        {
            return Ok(false);
        }
        self.place_ahead(hidden.forward, |source| source.skip_hidden(hidden))?;
        Ok(true)
    }
}

macro_rules! each {
    ($source:expr, $cursor:ident => $call:expr) => {
        match $source {
            Source::Memtable($cursor) => $call,
            Source::Table($cursor) => $call,
            Source::Level($cursor) => $call,
            Source::Sequential($cursor) => $call,
            Source::Writes($cursor) => $call,
            #[cfg(test)]
            Source::Other($cursor) => $call,
        }
    };
}

impl Cursor for Source {
    #[inline]
    fn valid(&self) -> bool {
        each!(self, cursor => cursor.valid())
    }

    fn seek_to_first(&mut self) -> Result<()> {
        each!(self, cursor => cursor.seek_to_first())
    }

    fn seek_to_last(&mut self) -> Result<()> {
        each!(self, cursor => cursor.seek_to_last())
    }

    fn seek(&mut self, target: &[u8]) -> Result<()> {
        each!(self, cursor => cursor.seek(target))
    }

    fn seek_before(&mut self, target: &[u8]) -> Result<()> {
        each!(self, cursor => cursor.seek_before(target))
    }

    #[inline]
    fn next(&mut self) -> Result<()> {
        each!(self, cursor => cursor.next())
    }

    #[inline]
    fn prev(&mut self) -> Result<()> {
        each!(self, cursor => cursor.prev())
    }

    #[inline]
    fn key(&self) -> &[u8] {
        each!(self, cursor => cursor.key())
    }

    #[inline]
    fn value(&self) -> &[u8] {
        each!(self, cursor => cursor.value())
    }

    #[inline]
    fn pin_value(&self, pinned: &mut PinnedValue) {
        each!(self, cursor => cursor.pin_value(pinned));
    }
}
