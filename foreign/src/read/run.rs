//! A sorted run of several tables, opened one after the other.

use crate::{EntryCursor, EntryRef, Error, ErrorKind, Result, TableFile, Value};
use std::sync::Arc;

/// Gives the walk over a table with its true sequence numbers, and opens the table when that is its first use.
///
/// # Errors
/// The table is missing, damaged, or of a format that is not read.
pub type OpenTable<'a> = dyn Fn(&TableFile) -> Result<Box<dyn EntryCursor + 'a>> + 'a;

/// A walk over tables that do not overlap, in the order of keys.
pub struct RunCursor<'a> {
    tables: &'a [Arc<TableFile>],
    comparator: crate::Comparator,
    source: Box<OpenTable<'a>>,
    place: usize,
    current: Option<Box<dyn EntryCursor + 'a>>,
}

impl<'a> RunCursor<'a> {
    /// Over `tables`, which are in the order of keys.
    pub fn new(
        tables: &'a [Arc<TableFile>],
        comparator: crate::Comparator,
        source: Box<OpenTable<'a>>,
    ) -> Self {
        Self { tables, comparator, source, place: tables.len(), current: None }
    }

    /// Opens the table at `place`; past the last one it opens none.
    fn open(&mut self, place: usize) -> Result<()> {
        (self.place, self.current) = (place, None);
        if let Some(table) = self.tables.get(place) {
            self.current = Some((self.source)(table)?);
        }
        Ok(())
    }

    fn open_first(&mut self, place: usize) -> Result<()> {
        self.open(place)?;
        self.current.as_mut().map_or(Ok(()), |current| current.first())
    }

    /// While the current table has no more entries, goes to the first entry of the next.
    fn skip_ended(&mut self) -> Result<()> {
        while let Some(current) = &self.current {
            if current.entry().is_some() {
                return Ok(());
            }
            self.open_first(self.place + 1)?;
        }
        Ok(())
    }
}

impl EntryCursor for RunCursor<'_> {
    fn first(&mut self) -> Result<()> {
        self.open_first(0)?;
        self.skip_ended()
    }

    fn seek(&mut self, user_key: &[u8], sequence: u64) -> Result<()> {
        let comparator = self.comparator;
        let place = self.tables.partition_point(|table| table.ends_before(comparator, user_key));
        self.open(place)?;
        if let Some(current) = &mut self.current {
            current.seek(user_key, sequence)?;
        }
        self.skip_ended()
    }

    fn next(&mut self) -> Result<()> {
        match &mut self.current {
            Some(current) => current.next()?,
            // After a table that could not be opened, the next one.
            None if self.place < self.tables.len() => self.open_first(self.place + 1)?,
            None => {}
        }
        self.skip_ended()
    }

    fn entry(&self) -> Option<EntryRef<'_>> {
        self.current.as_ref().and_then(|current| current.entry())
    }

    fn value(&mut self) -> Result<Value> {
        match &mut self.current {
            Some(current) => current.value(),
            None => Err(Error::new(ErrorKind::Invalid, "there is no entry here")),
        }
    }
}
