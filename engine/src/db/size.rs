//! Counts of a database, and the size of a range of keys by the indexes of the tables: no data block is read.

use super::Db;
use crate::Result;
use crate::iter::{Cursor, KeyRange};
use crate::key::{Cut, Span, SplitKey, seek_key, user_key};
use crate::limits::SEQUENCE_MAX;
use crate::manifest::TableMeta;
use crate::memtable::{Memtable, entry_bytes, range_bytes};
use crate::ranges::RangeTombstone;
use crate::state::Stats;
use std::ops::Bound;
use std::sync::Arc;

/// The bytes of a range of keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub struct ApproximateSize {
    /// In table files, compressed as they are, all versions, tombstones and range tombstones \[bytes\].
    pub table_bytes: u64,
    /// In memtables, as they are counted against [`crate::Options::memtable_bytes`] \[bytes\].
    pub memtable_bytes: u64,
}

impl ApproximateSize {
    /// Tables and memtables together \[bytes\].
    pub fn total_bytes(&self) -> u64 {
        self.table_bytes.saturating_add(self.memtable_bytes)
    }
}

type KeyBound = Bound<Vec<u8>>;

/// # Measure
impl Db {
    /// Counts since opening, sizes of levels, and amplification with its terms.
    pub fn stats(&self) -> Stats {
        self.inner.shared.stats()
    }

    /// Estimates the bytes that a range of keys takes in tables and memtables.
    ///
    /// A table that lies in the range as a whole counts with its file. Of any other the data blocks count that can have
    /// keys of the range: never less than the blocks that do, and at most one block more at each end of the range; its
    /// index and filter do not count. The first and the last of these blocks count whole, although they may also have
    /// keys outside; range tombstones of such a table do not count. So the answer is too large by at most two blocks ([`crate::Options::block_bytes`], or
    /// one entry where that is longer) at each end of the range, for each run. Memtables count exactly, a range tombstone where it begins.
    ///
    /// Cost: for each run, a search in the index of the two tables at the ends of the range, which are opened if need be;
    /// no data block is read. Of each memtable that has keys outside the range, the entries inside are walked over.
    ///
    /// ```
    /// # use levelscope::{Db, storage::MemoryStorage};
    /// # let db = Db::builder().open_in(std::sync::Arc::new(MemoryStorage::default()))?;
    /// db.put("user/1", [0; 500])?;
    /// db.put("zebra", [0; 90])?;
    /// let users = db.approximate_size("user/".."user0")?;
    /// assert!((500..600).contains(&users.total_bytes()));
    /// # Ok::<(), levelscope::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Db::get`].
    pub fn approximate_size(&self, keys: impl KeyRange) -> Result<ApproximateSize> {
        let (lower, upper) = keys.into_bounds();
        let mut size = ApproximateSize::default();
        if is_empty(&lower, &upper) {
            return Ok(size);
        }
        let view = self.shared().read_view();
        for run in (0..view.version.level_count()).flat_map(|level| view.version.runs(level)) {
            for position in run.between(&lower, &upper) {
                let Some(table) = run.tables().get(position) else { continue };
                size.table_bytes += self.table_bytes(table, &lower, &upper)?;
            }
        }
        for memtable in &view.memtables {
            size.memtable_bytes += memtable_bytes(memtable, &lower, &upper)?;
        }
        Ok(size)
    }

    /// The bytes of the range in one table that reaches into it.
    fn table_bytes(&self, meta: &TableMeta, lower: &KeyBound, upper: &KeyBound) -> Result<u64> {
        let (from, to) = (Cut::lower(lower), Cut::upper(upper));
        let own = meta.span();
        if from.borrowed() <= own.from && own.to <= to.borrowed() {
            return Ok(meta.bytes);
        }
        let (smallest, largest) = (user_key(&meta.smallest), user_key(&meta.largest));
        if meta.entries == 0 || !is_within(smallest, upper) || !reaches(lower, largest) {
            return Ok(0);
        }
        let start = match lower {
            Bound::Unbounded => None,
            Bound::Included(key) => Some(SplitKey { user_key: key, trailer: u64::MAX }),
            Bound::Excluded(key) => Some(SplitKey { user_key: key, trailer: 0 }),
        };
        let end = match upper {
            Bound::Unbounded => None,
            Bound::Included(key) => Some(SplitKey { user_key: key, trailer: 0 }),
            Bound::Excluded(key) => Some(SplitKey { user_key: key, trailer: u64::MAX }),
        };
        Ok(self.shared().table(meta)?.data_bytes_between(start.as_ref(), end.as_ref()))
    }
}

/// Whether no key lies between the bounds.
fn is_empty(lower: &KeyBound, upper: &KeyBound) -> bool {
    match (lower, upper) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (Bound::Included(lower), Bound::Included(upper)) => lower > upper,
        (
            Bound::Included(lower) | Bound::Excluded(lower),
            Bound::Included(upper) | Bound::Excluded(upper),
        ) => lower >= upper,
    }
}

/// Whether `key` is at or after the lower bound.
fn reaches(lower: &KeyBound, key: &[u8]) -> bool {
    match lower {
        Bound::Unbounded => true,
        Bound::Included(lower) => lower.as_slice() <= key,
        Bound::Excluded(lower) => lower.as_slice() < key,
    }
}

/// Whether `key` is at or before the upper bound.
fn is_within(key: &[u8], upper: &KeyBound) -> bool {
    match upper {
        Bound::Unbounded => true,
        Bound::Included(upper) => key <= upper.as_slice(),
        Bound::Excluded(upper) => key < upper.as_slice(),
    }
}

/// The accounted size of a memtable's entries between the bounds \[bytes\].
fn memtable_bytes(memtable: &Arc<Memtable>, lower: &KeyBound, upper: &KeyBound) -> Result<u64> {
    let (from, to) = (Cut::lower(lower), Cut::upper(upper));
    let ranges =
        memtable.ranges_in(&Span { from: from.borrowed(), to: to.borrowed() }, SEQUENCE_MAX);
    let begins_inside =
        |range: &&RangeTombstone| reaches(lower, &range.begin) && is_within(&range.begin, upper);
    let begun = ranges.iter().filter(begins_inside);
    let mut bytes: u64 =
        begun.map(|range| range_bytes(&range.begin, range.stored_end()) as u64).sum();
    let mut cursor = memtable.cursor();
    cursor.seek_to_first()?;
    let first_inside = cursor.valid() && reaches(lower, user_key(cursor.key()));
    cursor.seek_to_last()?;
    // Without range tombstones all entries need no walk.
    let alone = memtable.range_count() == 0;
    if alone && first_inside && cursor.valid() && is_within(user_key(cursor.key()), upper) {
        return Ok(memtable.bytes() as u64);
    }
    match lower {
        Bound::Unbounded => cursor.seek_to_first()?,
        Bound::Included(key) | Bound::Excluded(key) => cursor.seek(&seek_key(key, SEQUENCE_MAX))?,
    }
    while cursor.valid() && is_within(user_key(cursor.key()), upper) {
        if reaches(lower, user_key(cursor.key())) {
            bytes += entry_bytes(user_key(cursor.key()), cursor.value()) as u64;
        }
        cursor.next()?;
    }
    Ok(bytes)
}
