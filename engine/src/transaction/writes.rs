//! The writes of a transaction before it commits: of each key the last one, and ranges that are deleted.
//!
//! Iterators see them as entries with [`SEQUENCE_UNCOMMITTED`], which hide every version below them.

use super::ranges::Ranges;
use crate::batch::{check_lengths, entry_bytes};
use crate::iter::Cursor;
use crate::key::{
    Cut, SEQUENCE_UNCOMMITTED, SplitKey, ValueKind, append_internal_key, pack_trailer,
};
use crate::limits::{BATCH_BYTES_MAX, BATCH_COUNT_MAX};
use crate::ranges::RangeTombstone;
use crate::text;
use crate::{Error, Result, WriteBatch};
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::sync::Arc;

/// The write of one key: a value, or a delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Write(Option<Arc<[u8]>>);

impl Write {
    /// The value; `None` for a delete.
    pub(crate) fn value(&self) -> Option<&[u8]> {
        self.0.as_deref()
    }

    fn kind(&self) -> ValueKind {
        if self.0.is_some() { ValueKind::Put } else { ValueKind::Delete }
    }
}

type Writes = BTreeMap<Arc<[u8]>, Write>;

/// Puts and deletes by key, and the ranges that were deleted before them. They always fit one [`WriteBatch`].
///
/// Cost: the logarithm a call. The first write after a cursor was made copies the list of keys, not
/// keys and values themselves.
#[derive(Debug, Clone)]
pub(crate) struct WriteSet {
    writes: Arc<Writes>,
    /// Deleted ranges; entries of `writes` in them were written later.
    ranges: Ranges,
    /// Length of the writes as the body of a batch, without the ranges \[bytes\].
    bytes: usize,
}

impl Default for WriteSet {
    fn default() -> Self {
        Self { writes: Arc::default(), ranges: Ranges::new(range_bytes), bytes: 0 }
    }
}

/// Length of a deleted range in the body of a batch \[bytes\].
fn range_bytes(from: &Cut, to: &Cut) -> usize {
    entry_bytes(from.key().unwrap_or_default(), to.key())
}

impl WriteSet {
    /// Sets the write of `key`: a value, or deleted.
    ///
    /// # Errors
    /// `InvalidArgument` when key or value are too long or the writes would no longer fit one batch;
    /// then nothing has changed.
    pub(crate) fn set(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<()> {
        check_lengths(key.len(), value.map_or(0, <[u8]>::len))?;
        let before = self.writes.get(key);
        if before.is_none() {
            self.has_room()?;
        }
        let replaced = before.map_or(0, |before| entry_bytes(key, before.value()));
        let bytes = self.bytes - replaced + entry_bytes(key, value);
        self.fits(bytes.saturating_add(self.ranges.bytes()))?;
        self.bytes = bytes;
        Arc::make_mut(&mut self.writes).insert(Arc::from(key), Write(value.map(Arc::from)));
        Ok(())
    }

    /// Deletes the keys from `begin` up to `end`, which is the end of all keys or lies before a key; earlier writes to
    /// them are forgotten. Nothing happens when there are no such keys.
    ///
    /// Cost: that of the writes that it forgets.
    ///
    /// # Errors
    /// As [`Self::set`].
    pub(crate) fn delete_range(&mut self, begin: &[u8], end: &Cut) -> Result<()> {
        let stored_end = end.key().unwrap_or_default();
        check_lengths(begin.len(), 0)?;
        check_lengths(stored_end.len(), 0)?;
        if !end.is_after(begin) {
            return Ok(());
        }
        self.has_room()?;
        self.fits(self.bytes().saturating_add(entry_bytes(begin, Some(stored_end))))?;
        let upper = end.key().map_or(Unbounded, Excluded);
        let inside = self.writes.range::<[u8], _>((Included(begin), upper));
        let gone: Vec<Arc<[u8]>> = inside.map(|(key, _)| Arc::clone(key)).collect();
        if !gone.is_empty() {
            let writes = Arc::make_mut(&mut self.writes);
            for key in gone {
                if let Some(write) = writes.remove(&key) {
                    self.bytes -= entry_bytes(&key, write.value());
                }
            }
        }
        self.ranges.add(Cut::before(begin), end.clone());
        Ok(())
    }

    fn has_room(&self) -> Result<()> {
        if self.len() < BATCH_COUNT_MAX as usize {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "a transaction writes at most {}: commit it and begin another",
            text::counted(BATCH_COUNT_MAX, "key")
        )))
    }

    fn fits(&self, bytes: usize) -> Result<()> {
        if bytes <= BATCH_BYTES_MAX {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "a transaction writes at most {} and this one has {}: commit it and begin another",
            text::bytes(BATCH_BYTES_MAX),
            text::count(self.bytes() as u64)
        )))
    }

    /// The write of `key`, if it is written or in a deleted range.
    pub(crate) fn get(&self, key: &[u8]) -> Option<Write> {
        let written = self.writes.get(key).cloned();
        written.or_else(|| self.ranges.holds(key).then_some(Write(None)))
    }

    /// A key between two cuts that is written or in a deleted range.
    pub(crate) fn first_in(&self, from: &Cut, to: &Cut) -> Option<Vec<u8>> {
        let begin = from.next_key()?;
        let mut written = self.writes.range::<[u8], _>((Included(&*begin), Unbounded));
        let key = written.next().map(|(key, _)| key.to_vec()).filter(|key| to.is_after(key));
        key.or_else(|| self.ranges.first_in(from, to))
    }

    /// The deleted ranges in order: where each begins and ends.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (&Cut, &Cut)> {
        self.ranges.iter()
    }

    /// The deleted ranges as tombstones that hide every committed entry.
    pub(crate) fn range_tombstones(&self) -> Vec<RangeTombstone> {
        let tombstone = |(from, to): (&Cut, &Cut)| {
            let end = to.key().unwrap_or_default();
            RangeTombstone::new(from.key()?, end, SEQUENCE_UNCOMMITTED)
        };
        self.ranges().filter_map(tombstone).collect()
    }

    /// The keys in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &[u8]> {
        self.writes.keys().map(|key| &**key)
    }

    /// Number of keys and deleted ranges.
    pub(crate) fn len(&self) -> usize {
        self.writes.len() + self.ranges.len()
    }

    /// Length as the body of a batch \[bytes\].
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.saturating_add(self.ranges.bytes())
    }

    /// All writes as one batch: the deleted ranges, then the written keys, each in the order of the keys.
    ///
    /// # Errors
    /// None that [`Self::set`] would not have found.
    pub(crate) fn batch(&self) -> Result<WriteBatch> {
        let mut batch = WriteBatch::new();
        for (from, to) in self.ranges() {
            let begin = from.key().unwrap_or_default();
            match to.key() {
                Some(end) => batch.delete_range(begin, end)?,
                None => batch.delete_from(begin)?,
            }
        }
        for (key, write) in &*self.writes {
            match write.value() {
                Some(value) => batch.put(key, value)?,
                None => batch.delete(key)?,
            }
        }
        Ok(batch)
    }

    /// A cursor over the writes as they are now.
    pub(crate) fn cursor(&self) -> WritesCursor {
        let (key, write) = (Vec::new(), Write(None));
        WritesCursor { writes: Arc::clone(&self.writes), valid: false, key, write }
    }
}

/// Stands on one write; never fails.
#[derive(Debug)]
pub(crate) struct WritesCursor {
    writes: Arc<Writes>,
    valid: bool,
    /// The internal key of the write.
    key: Vec<u8>,
    write: Write,
}

impl WritesCursor {
    fn place(&mut self, choose: impl FnOnce(&Writes) -> Option<(&Arc<[u8]>, &Write)>) {
        let writes = Arc::clone(&self.writes);
        let chosen = choose(&writes);
        self.valid = chosen.is_some();
        let Some((key, write)) = chosen else { return };
        self.key.clear();
        append_internal_key(&mut self.key, key, SEQUENCE_UNCOMMITTED, write.kind());
        self.write.clone_from(write);
    }

    fn user_key(&self) -> Arc<[u8]> {
        Arc::from(crate::key::user_key(&self.key))
    }
}

/// Whether the entry of a write comes before `target`.
fn is_before((key, write): (&Arc<[u8]>, &Write), target: &SplitKey<'_>) -> bool {
    let trailer = pack_trailer(SEQUENCE_UNCOMMITTED, write.kind());
    &**key < target.user_key || (&**key == target.user_key && trailer > target.trailer)
}

impl Cursor for WritesCursor {
    fn valid(&self) -> bool {
        self.valid
    }

    fn seek_to_first(&mut self) -> Result<()> {
        self.place(Writes::first_key_value);
        Ok(())
    }

    fn seek_to_last(&mut self) -> Result<()> {
        self.place(Writes::last_key_value);
        Ok(())
    }

    fn seek(&mut self, target: &[u8]) -> Result<()> {
        let target = SplitKey::from_internal(target);
        self.place(|writes| {
            let mut from = writes.range::<[u8], _>((Included(target.user_key), Unbounded));
            from.find(|write| !is_before(*write, &target))
        });
        Ok(())
    }

    fn seek_before(&mut self, target: &[u8]) -> Result<()> {
        let target = SplitKey::from_internal(target);
        self.place(|writes| {
            let mut to = writes.range::<[u8], _>((Unbounded, Included(target.user_key))).rev();
            to.find(|write| is_before(*write, &target))
        });
        Ok(())
    }

    fn next(&mut self) -> Result<()> {
        if self.valid {
            let key = self.user_key();
            self.place(|writes| writes.range::<[u8], _>((Excluded(&*key), Unbounded)).next());
        }
        Ok(())
    }

    fn prev(&mut self) -> Result<()> {
        if self.valid {
            let key = self.user_key();
            self.place(|writes| writes.range::<[u8], _>((Unbounded, Excluded(&*key))).next_back());
        }
        Ok(())
    }

    fn key(&self) -> &[u8] {
        if self.valid { &self.key } else { &[] }
    }

    fn value(&self) -> &[u8] {
        self.write.value().filter(|_| self.valid).unwrap_or_default()
    }
}
