//! Looks for a key in a table: index, filter, block, restart point, entry.

use super::block::{Block, Values, Walk};
use super::cursor::{Cursor, Kinds, Order, parse};
use super::filter::{FILTER_NAME, FilterBlock, ask};
use super::frame::{Footer, corrupt, sealed_bytes};
use super::index::{Index, IndexedBlock, meta};
use crate::Entry;
use levelscope::event::ShownKey;
use levelscope::internals::key::user_key;
use levelscope::internals::probe::{Among, EntryOrder, EntryStop, Probe};
use levelscope::internals::table::Handle;
use levelscope::{Error, Result};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

/// A table that is searched.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    pub(crate) file: &'a [u8],
    pub(crate) footer: Footer,
    pub(crate) metas: Vec<(Vec<u8>, Handle)>,
    pub(crate) index: Index,
    pub(crate) kinds: Kinds,
    pub(crate) order: Order,
}

/// The first place among `places` whose key does not come before; `before` compares.
pub(crate) fn first_not_before<P: Probe>(
    among: Among,
    places: Range<usize>,
    probe: &mut P,
    mut before: impl FnMut(usize) -> Result<(bool, ShownKey)>,
) -> Result<usize> {
    probe.search(among, places.len());
    let Range { start: mut low, end: mut high } = places;
    let base = low;
    while low < high {
        let middle = low + (high - low) / 2;
        let (is_before, key) = before(middle)?;
        probe.compared(is_before, || (middle - base, key));
        if is_before {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

impl Table<'_> {
    /// The newest entry for `key`, by binary search.
    ///
    /// # Errors
    /// `Corruption` with the offset; `UnsupportedFormat`.
    pub(crate) fn binary<P: Probe>(
        &self,
        key: &[u8],
        probe: &mut P,
    ) -> Result<Option<Entry<'static>>> {
        let index = &self.index;
        probe.access("index block", self.footer.index.offset, sealed_bytes(self.footer.index));
        let found = first_not_before(Among::Blocks, 0..index.places.len(), probe, |middle| {
            let separator = index.places.get(middle).map(|place| place.separator.as_slice());
            let upper = index.upper(separator.unwrap_or_default());
            Ok((upper < key, ShownKey::new(upper)))
        })?;
        let Some(place) = index.places.get(found) else { return Ok(None) };
        if !self.filter_says_maybe(place, key, probe)? {
            return Ok(None);
        }
        self.in_block(place, key, probe)
    }

    /// Whether the filter does not rule out that the block at `place` has `key`.
    fn filter_says_maybe<P: Probe>(
        &self,
        place: &IndexedBlock,
        key: &[u8],
        probe: &mut P,
    ) -> Result<bool> {
        let Some(handle) = meta(&self.metas, FILTER_NAME) else { return Ok(true) };
        probe.access("filter block", handle.offset, sealed_bytes(handle));
        let block = self.footer.block(self.file, handle)?;
        let filters = FilterBlock::new(&block);
        let filters =
            filters.ok_or_else(|| Error::damaged_at(handle.offset, "the filter is malformed"))?;
        let Some(filter) = filters.of(place.handle.offset) else { return Ok(true) };
        let answer = ask(filter, key);
        let maybe = answer.maybe;
        probe.filtered(|| answer);
        Ok(maybe)
    }

    /// The newest entry for `key` in the block at `place`.
    ///
    /// # Errors
    /// As [`Self::binary`].
    pub(crate) fn in_block<P: Probe>(
        &self,
        place: &IndexedBlock,
        key: &[u8],
        probe: &mut P,
    ) -> Result<Option<Entry<'static>>> {
        let IndexedBlock { handle, .. } = *place;
        probe.access("data block", handle.offset, sealed_bytes(handle));
        let damaged = |damage| corrupt(handle.offset, damage);
        let block = Block::new(self.footer.block(self.file, handle)?, Values::Any);
        let block = block.map_err(damaged)?;
        if block.entries_end() == 0 {
            return Ok(None);
        }
        let next = first_not_before(Among::Restarts, 0..block.restart_count(), probe, |at| {
            let found = user_key(block.restart_key(at).map_err(damaged)?);
            Ok((found < key, ShownKey::new(found)))
        })?;
        // The entry sought can be after the last restart point that comes before it.
        let mut walk = Walk::from(block.restart(next.saturating_sub(1)));
        while let Some(stored) = walk.next(&block).map_err(damaged)? {
            let short = || Error::damaged_at(handle.offset, "a key has no sequence number");
            let parsed = parse(walk.key()).ok_or_else(short)?;
            probe.comparison();
            let order = match parsed.user_key.cmp(key) {
                Ordering::Less => EntryOrder::Before,
                Ordering::Equal => EntryOrder::Found,
                Ordering::Greater => EntryOrder::After,
            };
            let stop = || {
                EntryStop::new(
                    stored.begin,
                    stored.shared,
                    ShownKey::new(parsed.user_key),
                    parsed.sequence,
                    order,
                )
            };
            probe.walked(stop);
            match order {
                EntryOrder::Before => {}
                EntryOrder::After => return Ok(None),
                EntryOrder::Found => {
                    let has_value = (self.kinds)(parsed.kind, handle.offset)?;
                    let value = has_value.then(|| Cow::Owned(block.value(stored).to_vec()));
                    return Ok(Some(Entry {
                        key: Cow::Owned(key.to_vec()),
                        value,
                        sequence: Some(parsed.sequence),
                        offset: handle.offset,
                    }));
                }
            }
        }
        Ok(None)
    }

    /// The newest entry for `key`, by a linear scan.
    ///
    /// # Errors
    /// As [`Self::binary`].
    pub(crate) fn sequential<P: Probe>(
        &self,
        key: &[u8],
        probe: &mut P,
    ) -> Result<Option<Entry<'static>>> {
        probe.access("data blocks", 0, self.footer.body_bytes(self.file));
        let mut cursor = Cursor::new(self.footer, self.index.clone(), self.kinds, self.order);
        let mut is_passed = false;
        while let Some(entry) = cursor.next(self.file) {
            // What follows a larger key counts only where the order turns out to be another one.
            let is_past = is_passed && cursor.other_order().is_none();
            let entry = match entry {
                Err(_) if is_past => continue,
                entry => entry?,
            };
            if !is_past {
                probe.comparison();
            }
            match entry.key.as_ref().cmp(key) {
                Ordering::Less => {}
                Ordering::Equal => return Ok(Some(entry)),
                Ordering::Greater if self.order == Order::Bytewise => return Ok(None),
                Ordering::Greater => is_passed = true,
            }
        }
        Ok(None)
    }
}
