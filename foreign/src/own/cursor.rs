//! A walk over the entries of a table, one block in memory at a time.

use super::table::Table;
use super::trace::access;
use crate::key::SEQUENCE_MAX;
use crate::{EntryCursor, EntryRef, Error, ErrorKind, Kind, Result, Value};
use levelscope::internals::key::{
    KIND_SEEK, SplitKey, ValueKind, compare_internal, pack_trailer, parse_internal_key,
};
use levelscope::internals::probe::{NoProbe, Probe};
use levelscope::internals::table::{BlockIter, Damage, Handle, Index, corrupt};
use std::cmp::Ordering;
use std::sync::Arc;

/// Stands at an entry of a table.
pub(super) struct TableCursor<'t, 'f> {
    table: &'t Table<'f>,
    index: Index,
    /// The place in the index of the block at hand; of the next one when there is none.
    place: usize,
    block: Option<(Handle, BlockIter)>,
    /// The failure to read the end of the table, until it was reported.
    damage: Option<Error>,
    /// Whether the entry at hand is that of a report.
    is_held: bool,
}

impl<'t, 'f> TableCursor<'t, 'f> {
    /// A walk that stands nowhere. Cost: reads the index.
    pub(super) fn new(table: &'t Table<'f>) -> Result<Self> {
        let index = table.index()?;
        let place = index.len();
        let damage = table.damage.clone();
        Ok(Self { table, index, place, block: None, damage, is_held: false })
    }

    /// Opens the block at `place`: none after the last one.
    fn open(&mut self, place: usize) -> Result<()> {
        (self.place, self.block) = (place, None);
        let Some(handle) = self.index.handle(place) else { return Ok(()) };
        // After damage the next call goes on with the next block.
        self.place = place + 1;
        let block = self.table.data_block(handle)?;
        self.place = place;
        self.block = Some((handle, BlockIter::new(Arc::new(block))));
        Ok(())
    }

    /// Moves in the block at hand; damage ends it. Keys lie on the right side of the separators of the index.
    fn within(
        &mut self,
        step: impl FnOnce(&mut BlockIter) -> std::result::Result<(), Damage>,
    ) -> Result<()> {
        let Some((handle, entries)) = &mut self.block else { return Ok(()) };
        let offset = handle.offset;
        let mut moved =
            step(entries).map_err(|damage| Error::from(corrupt(self.table.number, offset, damage)));
        let key = entries.key();
        if moved.is_ok() && entries.valid() && !is_inside(&self.index, self.place, key) {
            let message = "an entry is none of this block, by its key and the index";
            moved = Err(Error::damaged(offset, message));
        }
        if moved.is_err() {
            (self.place, self.block) = (self.place + 1, None);
        }
        moved.map_err(|error| error.in_file(&self.table.name))
    }

    /// As [`EntryCursor::seek`], with each comparison for `probe`.
    pub(super) fn find<P: Probe>(
        &mut self,
        user_key: &[u8],
        sequence: u64,
        probe: &mut P,
    ) -> Result<()> {
        let trailer = pack_trailer(sequence.min(SEQUENCE_MAX), KIND_SEEK);
        let target = SplitKey { user_key, trailer };
        let place = self.index.find(&target, probe);
        access(probe, "data block", self.index.handle(place));
        self.open(place)?;
        let mut is_found = true;
        self.within(|entries| {
            is_found = entries.seek_here(&target, probe)?;
            Ok(())
        })?;
        if !is_found {
            // The separator of a block may be larger than its last key.
            self.open(self.place + 1)?;
            self.within(BlockIter::seek_to_first)?;
            self.skip_ended()?;
        }
        self.arrived()
    }

    /// Reports once that the table has lost its end; the next step arrives where this one has.
    fn arrived(&mut self) -> Result<()> {
        self.is_held = self.damage.is_some();
        self.damage.take().map_or(Ok(()), Err)
    }

    /// While the block at hand has no entry, goes to the first of the next one.
    fn skip_ended(&mut self) -> Result<()> {
        while self.block.as_ref().is_some_and(|(_, entries)| !entries.valid()) {
            self.open(self.place + 1)?;
            self.within(BlockIter::seek_to_first)?;
        }
        Ok(())
    }
}

/// Whether `key` is an internal one between the separators around the block at `place`.
pub(super) fn is_inside(index: &Index, place: usize, key: &[u8]) -> bool {
    let is_after = |before: &[u8]| compare_internal(before, key) == Ordering::Less;
    let before = place.checked_sub(1).and_then(|before| index.key(before));
    let is_until = |last: &[u8]| compare_internal(key, last) != Ordering::Greater;
    parse_internal_key(key).is_some()
        && before.is_none_or(is_after)
        && index.key(place).is_some_and(is_until)
}

impl EntryCursor for TableCursor<'_, '_> {
    fn first(&mut self) -> Result<()> {
        self.open(0)?;
        self.within(BlockIter::seek_to_first)?;
        self.skip_ended()?;
        self.arrived()
    }

    fn seek(&mut self, user_key: &[u8], sequence: u64) -> Result<()> {
        self.find(user_key, sequence, &mut NoProbe)
    }

    fn next(&mut self) -> Result<()> {
        if std::mem::take(&mut self.is_held) {
            return Ok(());
        }
        if self.block.is_none() {
            // After a block that could not be read, the next one.
            self.open(self.place)?;
            self.within(BlockIter::seek_to_first)?;
        } else {
            self.within(BlockIter::next)?;
        }
        self.skip_ended()
    }

    fn entry(&self) -> Option<EntryRef<'_>> {
        let (_, entries) = self.block.as_ref().filter(|(_, entries)| entries.valid())?;
        let key = parse_internal_key(entries.key())?;
        let kind = if key.kind == ValueKind::Delete { Kind::Delete } else { Kind::Put };
        Some(EntryRef { user_key: key.user_key, sequence: key.sequence, kind })
    }

    fn value(&mut self) -> Result<Value> {
        match self.block.as_ref().filter(|(_, entries)| entries.valid()) {
            Some((_, entries)) => Ok(Value::Bytes(entries.value().to_vec())),
            None => Err(Error::new(ErrorKind::Invalid, "there is no entry here")),
        }
    }
}
