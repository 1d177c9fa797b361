//! The sources of iterators and merges, as an enum without dynamic dispatch.

use super::{Cursor, LevelCursor, MergingCursor, PinnedValue};
use crate::Result;
use crate::key::{SeqNo, seek_key};
use crate::limits::SEQUENCE_MAX;
use crate::memtable::MemtableCursor;
use crate::storage::FileNumber;
use crate::table::{SequentialTables, Table, TableCursor};
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
    /// The largest sequence number that an entry from here to `end` may have; none when that is not known.
    fn newest_before(&self, end: &[u8]) -> Option<SeqNo> {
        match self {
            Self::Table(cursor) => Some(cursor.sequence_max()),
            Self::Level(cursor) => cursor.newest_before(end),
            _ => None,
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
        let forward = self.is_forward();
        let around = |source: &'a Source| source.table_around(forward);
        let mut tables = self.children().iter().filter_map(around);
        let first = tables.next()?;
        tables.next().map(|_| first)
    }

    /// Going forward, moves what has nothing newer than `sequence` before `end` to the first entry of `end` or a
    /// later key: a range tombstone hides it. False, and nothing has moved, when the entry under the cursor
    /// is of a source that may have.
    ///
    /// Tables that lie between as a whole are not opened.
    ///
    /// # Errors
    /// As [`Cursor::seek`].
    pub(crate) fn skip_hidden(&mut self, end: &[u8], sequence: SeqNo) -> Result<bool> {
        let is_older = |source: &Source| source.newest_before(end).is_some_and(|it| it < sequence);
        if !self.heads().any(|(source, first)| first && is_older(source)) {
            return Ok(false);
        }
        self.seek_ahead(&seek_key(end, SEQUENCE_MAX), is_older)?;
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
