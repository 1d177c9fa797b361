//! A table as bytes.
//!
//! ```text
//! values | index items | offset u32 of each item | filter | metadata, 16 bytes
//! ```

use super::filter::{BITS_MAX, Filter};
use super::{length, live, split_stamp};
use crate::Entry;
use levelscope::internals::coding::Reader;
use levelscope::{Error, Result};
use std::borrow::Cow;
use std::ops::Range;

/// Bytes of the metadata.
pub(super) const METADATA_BYTES: usize = 16;
/// Least bytes of an index item: a length, a time stamp, an offset.
const ITEM_BYTES_MIN: usize = 14;

/// The numbers at the end of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// The level: the first part of the name of the file.
    pub level: u16,
    /// Number of the table in its level: the second part.
    pub increment: u16,
    /// Versions of keys.
    pub keys: u32,
    /// Offset of the index \[bytes\].
    pub index_offset: u32,
    /// Offset of the filter \[bytes\].
    pub filter_offset: u32,
}

/// Usefulness of the filter of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterState {
    /// It has every key of the table, and is asked.
    Good,
    /// It has 65,536 bits or more, of which only few are used, so it excludes almost no key.
    Overflown,
    /// It denies a key that the table has: it is not asked.
    Wrong,
}

/// Offsets of the parts of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) file: &'a [u8],
    pub(super) metadata: Metadata,
    /// Offsets of the index items, their offsets, and the filter.
    pub(super) items_at: usize,
    pub(super) starts_at: usize,
    pub(super) filter_at: usize,
    pub(super) keys: usize,
}

/// One item of the index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) at: usize,
    /// Key and time stamp together.
    pub(super) stamped: &'a [u8],
    pub(super) key: &'a [u8],
    pub(super) stamp: u64,
    pub(super) value_at: usize,
    pub(super) next: usize,
}

impl<'a> Frame<'a> {
    pub(super) fn read(file: &'a [u8]) -> Result<Self> {
        let at = file.len().saturating_sub(METADATA_BYTES);
        let damaged = |what: &str| Error::damaged_at(at as u64, what);
        let mut reader = Reader::new(file.get(at..).unwrap_or_default());
        let mut number = |bytes| {
            let number = reader.bytes(bytes)?.iter().rev();
            Some(number.fold(0_u32, |number, byte| (number << 8) | u32::from(*byte)))
        };
        let mut read = || Some((number(2)?, number(2)?, number(4)?, number(4)?, number(4)?));
        let (level, increment, keys, index_offset, filter_offset) =
            read().ok_or_else(|| damaged("the file is too short for the metadata"))?;
        let metadata = Metadata {
            level: u16::try_from(level).unwrap_or(u16::MAX),
            increment: u16::try_from(increment).unwrap_or(u16::MAX),
            keys,
            index_offset,
            filter_offset,
        };
        let places = || {
            let size = |number| usize::try_from(number).ok();
            let (keys, items_at, filter_at) =
                (size(keys)?, size(index_offset)?, size(filter_offset)?);
            let starts_at = filter_at.checked_sub(keys.checked_mul(4)?)?;
            let items_bytes = starts_at.checked_sub(items_at)?;
            let fits = filter_at <= at && keys.checked_mul(ITEM_BYTES_MIN)? <= items_bytes;
            fits.then_some(Self { file, metadata, items_at, starts_at, filter_at, keys })
        };
        places().ok_or_else(|| damaged("the parts would overlap in the file"))
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'a [u8] {
        self.file.get(range).unwrap_or_default()
    }

    /// Offset of the metadata.
    pub(super) fn metadata_at(&self) -> usize {
        self.file.len().saturating_sub(METADATA_BYTES)
    }

    pub(super) fn filter(&self) -> Filter<'a> {
        Filter::new(self.slice(self.filter_at..self.metadata_at()), self.keys)
    }

    /// The index item at `at`.
    pub(super) fn item(&self, at: usize) -> Result<Item<'a>> {
        let mut reader = Reader::new(self.slice(at..self.starts_at));
        let mut read = || {
            let bytes = length(&mut reader)?;
            let stamped = reader.bytes(bytes)?;
            let (key, stamp) = split_stamp(stamped)?;
            let value_at = usize::try_from(reader.u32()?).ok()?;
            Some(Item { at, stamped, key, stamp, value_at, next: at + reader.position() })
        };
        let what = "this is no item of an index: a length, a key with its time, an offset";
        read().ok_or_else(|| Error::damaged_at(at as u64, what))
    }

    /// Offset of index item number `index`.
    pub(super) fn start(&self, index: usize) -> Result<usize> {
        let at = self.starts_at.saturating_add(index.saturating_mul(4));
        let start = Reader::new(self.slice(at..self.filter_at)).u32();
        let start = start.and_then(|start| usize::try_from(start).ok());
        let found = start.filter(|start| (self.items_at..self.starts_at).contains(start));
        found.ok_or_else(|| {
            Error::damaged_at(at as u64, "this offset leads to no item of the index")
        })
    }

    /// Number of index items that begin at their listed offset and end at the next one: structure to the end, which
    /// other bytes do not have.
    pub(super) fn linked_items(&self) -> usize {
        let end_of = |index: usize| match index.checked_add(1).filter(|next| *next < self.keys) {
            Some(next) => self.start(next),
            None => Ok(self.starts_at),
        };
        let linked = |index: usize| {
            let item = self.start(index).and_then(|start| self.item(start));
            item.is_ok_and(|item| end_of(index).is_ok_and(|end| end == item.next))
        };
        (0..self.keys).filter(|index| linked(*index)).count()
    }

    /// The stored value at `at`, and its end.
    pub(super) fn stored(&self, at: usize) -> Result<(&'a [u8], usize)> {
        let mut reader = Reader::new(self.slice(at..self.items_at));
        let mut read = || {
            let bytes = length(&mut reader)?;
            Some((reader.bytes(bytes)?, at.saturating_add(reader.position())))
        };
        let what = "the value does not end in front of the index";
        read().ok_or_else(|| Error::damaged_at(at as u64, what))
    }

    /// The value of an item; `None` for a tombstone.
    pub(super) fn value(&self, item: &Item<'_>) -> Result<Option<&'a [u8]>> {
        self.stored(item.value_at).map(|(stored, _)| live(stored))
    }

    pub(super) fn entry(&self, item: &Item<'a>) -> Result<Entry<'a>> {
        let (key, value) = (Cow::Borrowed(item.key), self.value(item)?.map(Cow::Borrowed));
        Ok(Entry { key, value, sequence: Some(item.stamp), offset: item.at as u64 })
    }
}

/// A table that can be searched.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) sorted: bool,
    pub(super) filter: FilterState,
}

impl<'a> Table<'a> {
    /// Reads the index of `file` once, and finds out whether its order and its filter can be relied on.
    ///
    /// # Errors
    /// `Corruption` with the offset when the metadata or the index is damaged.
    pub fn open(file: &'a [u8]) -> Result<Self> {
        let frame = Frame::read(file)?;
        let overflown = frame.metadata_at().saturating_sub(frame.filter_at) >= BITS_MAX / 8;
        let filter = frame.filter();
        let (mut sorted, mut complete, mut at) = (true, true, frame.items_at);
        let mut last: Option<Item<'_>> = None;
        for index in 0..frame.keys {
            if frame.start(index)? != at {
                let what = "the list of offsets does not lead to this item of the index";
                return Err(Error::damaged_at(at as u64, what));
            }
            let item = frame.item(at)?;
            sorted &= last.is_none_or(|last| last.stamped < item.stamped);
            complete &= overflown || filter.may_contain(item.key);
            at = item.next;
            last = Some(item);
        }
        if at != frame.starts_at {
            let what = "these bytes belong to no item of the index";
            return Err(Error::damaged_at(at as u64, what));
        }
        let filter = match (overflown, complete) {
            (true, _) => FilterState::Overflown,
            (false, true) => FilterState::Good,
            (false, false) => FilterState::Wrong,
        };
        Ok(Self { frame, sorted, filter })
    }

    /// The numbers at its end.
    pub fn metadata(&self) -> Metadata {
        self.frame.metadata
    }

    /// Whether keys and times are in order. Tables that a compaction has made often are not: they are
    /// searched by a linear scan.
    pub fn is_sorted(&self) -> bool {
        self.sorted
    }

    /// Usefulness of its filter.
    pub fn filter(&self) -> FilterState {
        self.filter
    }
}
