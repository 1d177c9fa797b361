//! A walk over the entries of a table, one block in memory at a time.

use super::block::Layout;
use super::entries::{BlockCursor, advance};
use super::index::{IndexCursor, Target};
use super::reader::BlockTable;
use crate::entry::{EntryCursor, EntryRef, Value};
use crate::key::{Kind, SEQUENCE_MAX, split};
use crate::{Error, ErrorKind, Result};

/// Stands at an entry of a [`BlockTable`].
pub(super) struct TableCursor<'t, 'f> {
    table: &'t BlockTable<'f>,
    index: Option<IndexCursor<'t, 'f>>,
    data: Option<BlockCursor>,
    /// The user key with the timestamp of zeros that the table leaves out.
    padded: Vec<u8>,
}

impl<'t, 'f> TableCursor<'t, 'f> {
    pub(super) fn new(table: &'t BlockTable<'f>) -> Self {
        Self { table, index: None, data: None, padded: Vec::new() }
    }

    /// Goes to the next entry, in the block at hand or in a later one.
    fn forward(&mut self) -> Result<()> {
        loop {
            if advance(&mut self.data)? {
                return self.pad();
            }
            let Some(index) = &mut self.index else { return Ok(()) };
            if !index.advance()? {
                return Ok(());
            }
            self.data = Some(self.table.data_block(index.handle())?);
        }
    }

    fn pad(&mut self) -> Result<()> {
        let zeros = self.table.left_out();
        if let (Some(data), true) = (&self.data, zeros > 0) {
            let (user_key, ..) = split(data.key())?;
            self.padded.clear();
            self.padded.extend_from_slice(user_key);
            self.padded.resize(user_key.len() + zeros, 0);
        }
        Ok(())
    }

    fn restart(&mut self) -> Result<()> {
        (self.data, self.index) = (None, None);
        self.index = Some(self.table.index()?);
        Ok(())
    }

    fn seek_inside(&mut self, user_key: &[u8], sequence: u64) -> Result<()> {
        let order = self.table.order();
        let target = self.table.target(user_key, sequence);
        // The index block is read once: a cursor that searches again keeps it.
        if self.index.is_none() {
            self.restart()?;
        }
        self.data = None;
        let Some(index) = &mut self.index else { return Ok(()) };
        if !index.seek(target)? {
            return Ok(());
        }
        let mut data = self.table.data_block(index.handle())?;
        if data.seek(|key| target.is_after(order, Layout::Data, key))? {
            self.data = Some(data);
            return self.pad();
        }
        self.forward()
    }
}

impl EntryCursor for TableCursor<'_, '_> {
    fn first(&mut self) -> Result<()> {
        let done = self.restart().and_then(|()| self.forward());
        done.map_err(|error| error.in_file(self.table.name()))
    }

    fn seek(&mut self, user_key: &[u8], sequence: u64) -> Result<()> {
        if !self.table.order().is_known() {
            let message = "keys of an unknown order cannot be searched";
            return Err(Error::new(ErrorKind::Invalid, message).in_file(self.table.name()));
        }
        let done = self.seek_inside(user_key, sequence);
        done.map_err(|error| error.in_file(self.table.name()))
    }

    fn next(&mut self) -> Result<()> {
        self.forward().map_err(|error| error.in_file(self.table.name()))
    }

    fn entry(&self) -> Option<EntryRef<'_>> {
        let data = self.data.as_ref().filter(|data| data.is_valid())?;
        let (user_key, sequence, kind) = split(data.key()).ok()?;
        let user_key = if self.table.left_out() > 0 { &self.padded } else { user_key };
        Some(EntryRef { user_key, sequence, kind: Kind::of(self.table.engine(), kind) })
    }

    fn value(&mut self) -> Result<Value> {
        match self.data.as_ref().filter(|data| data.is_valid()) {
            Some(data) => Ok(Value::Bytes(data.value().to_vec())),
            None => Err(Error::new(ErrorKind::Invalid, "the cursor stands at no entry")),
        }
    }
}

/// The search target of `user_key` in a table that leaves out timestamps: the key without its own. A timestamp that is
/// not 0 is newer than all in the table.
pub(super) fn without_timestamp(user_key: &[u8], bytes: usize, sequence: u64) -> Target<'_> {
    let at = user_key.len().saturating_sub(bytes);
    let (key, timestamp) = user_key.split_at_checked(at).unwrap_or((user_key, &[]));
    let is_oldest = timestamp.iter().all(|byte| *byte == 0);
    Target { user_key: key, sequence: if is_oldest { sequence } else { SEQUENCE_MAX } }
}
