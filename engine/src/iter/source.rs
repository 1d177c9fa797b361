//! The sources of iterators and merges, as an enum without dynamic dispatch.

use super::{Cursor, LevelCursor, PinnedValue};
use crate::Result;
use crate::memtable::MemtableCursor;
use crate::storage::FileNumber;
use crate::table::{SequentialTables, TableCursor};
use crate::transaction::WritesCursor;

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
    /// The table that an input of a compaction stands in.
    pub(crate) fn table(&self) -> Option<FileNumber> {
        match self {
            Self::Table(cursor) => Some(cursor.number()),
            Self::Sequential(cursor) => cursor.table(),
            _ => None,
        }
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
