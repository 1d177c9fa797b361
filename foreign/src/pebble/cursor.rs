//! A walk over the entries of a table, block by block.

use super::entries::Entries;
use super::index::BlockWalk;
use super::table::Table;
use super::values::ValueBlocks;
use crate::{EntryCursor, EntryRef, Error, ErrorKind, Result, Value};

/// A cursor over a table. It holds a part of the index, one data block and at most one value block.
pub(super) struct TableCursor<'t> {
    table: &'t Table<'t>,
    blocks: BlockWalk,
    entries: Option<Entries>,
    values: ValueBlocks,
}

impl<'t> TableCursor<'t> {
    /// Before the first entry of `table`.
    pub(super) fn new(table: &'t Table<'t>) -> Result<Self> {
        Ok(Self { table, blocks: table.walk()?, entries: None, values: ValueBlocks::default() })
    }

    /// Opens the next block; `None` at the end. After damage the block counts as passed.
    fn open_next(&mut self) -> Result<Option<Entries>> {
        self.entries = None;
        let block = self.blocks.next(&self.table.source, self.table.footer)?;
        block.map(|block| self.table.entries(&block)).transpose()
    }

    fn in_file(&self, error: Error) -> Error {
        error.in_file(self.table.source.name())
    }
}

impl EntryCursor for TableCursor<'_> {
    fn first(&mut self) -> Result<()> {
        self.blocks.rewind();
        self.entries = None;
        self.next()
    }

    fn seek(&mut self, user_key: &[u8], sequence: u64) -> Result<()> {
        self.entries = None;
        let comparator = self.table.comparator;
        if !comparator.is_known() {
            let message = "the order of keys is not known, so nothing is searched by key";
            return Err(self.in_file(Error::new(ErrorKind::Invalid, message)));
        }
        // A separator is not less than any key of its block; versions of one key may go on in the next.
        self.blocks.seek(&self.table.source, self.table.footer, comparator, user_key)?;
        while let Some(mut entries) = self.open_next()? {
            let found = entries.seek(comparator, user_key, sequence);
            if found.map_err(|error| self.in_file(error))? {
                self.entries = Some(entries);
                return Ok(());
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<()> {
        loop {
            if let Some(entries) = &mut self.entries {
                match entries.next() {
                    Ok(true) => return Ok(()),
                    Ok(false) => {}
                    Err(error) => {
                        self.entries = None;
                        return Err(self.in_file(error));
                    }
                }
            }
            let Some(entries) = self.open_next()? else { return Ok(()) };
            self.entries = Some(entries);
        }
    }

    fn entry(&self) -> Option<EntryRef<'_>> {
        self.entries.as_ref().and_then(Entries::entry)
    }

    fn value(&mut self) -> Result<Value> {
        let Some(entries) = &self.entries else {
            return Err(Error::new(ErrorKind::Invalid, "the cursor stands at no entry"));
        };
        let stored = entries.stored().map_err(|error| self.in_file(error))?;
        self.table.value(stored, &mut self.values)
    }
}
