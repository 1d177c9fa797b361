//! Probes: a hot path explains itself through a probe, and without one it costs nothing.
//!
//! Point lookups take a generic [`Probe`]; with [`NoProbe`] every call compiles away, with [`ReadPath`] the same code
//! records each stop of the lookup and its cost.

mod path;

pub use path::ReadPath;

use crate::PrefixIndexForm;
use crate::event::{MemtableId, ShownKey, ShownRange};
use crate::key::{SeqNo, ValueKind};
use crate::storage::FileNumber;
use std::ops::Range;

/// The entry that a lookup found in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct Hit {
    /// Sequence number of the entry found.
    pub sequence: SeqNo,
    /// Put or tombstone.
    pub entry: ValueKind,
}

/// One stop of a lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "stop", rename_all = "camelCase", rename_all_fields = "camelCase")
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ReadStop {
    /// A memtable was searched.
    Memtable {
        /// Number of the memtable.
        memtable: MemtableId,
        /// Key comparisons.
        comparisons: u32,
        /// The entry that was found.
        hit: Option<Hit>,
    },
    /// Tables were skipped because the key is outside their range.
    OutOfRange {
        /// Level of the tables.
        level: usize,
        /// Number of tables.
        tables: usize,
    },
    /// The filter of a table excluded the key.
    Filtered {
        /// Level of the table.
        level: usize,
        /// Number of the table.
        table: FileNumber,
        /// The bits of its filter that were tested, and the answer.
        filter: FilterAnswer,
    },
    /// The prefix index of a table has no key with this prefix.
    NoPrefix {
        /// Level of the table.
        level: usize,
        /// Number of the table.
        table: FileNumber,
    },
    /// A range tombstone hides everything older: the search ends here.
    RangeDelete {
        /// The memtable that has it; none when a table has it.
        memtable: Option<MemtableId>,
        /// The level of the table that has it.
        level: Option<usize>,
        /// The table that has it.
        table: Option<FileNumber>,
        /// The keys that it deletes; in a table, those of the part that the table has.
        range: ShownRange,
        /// Its sequence number.
        sequence: SeqNo,
    },
    /// A table was searched.
    Table {
        /// Level of the table.
        level: usize,
        /// Number of the table.
        table: FileNumber,
        /// The probes of its filter, which answered "maybe"; none when the table has no filter.
        filter: Option<FilterAnswer>,
        /// The form of the prefix index that found the block; `None`: a search of the ordinary index found it.
        prefix_index: PrefixIndexForm,
        /// The binary searches that led to the blocks, in order.
        searches: Vec<Search>,
        /// Blocks looked into.
        blocks: Vec<BlockStop>,
        /// Key comparisons, in the index and in blocks.
        comparisons: u32,
        /// The entry that was found.
        hit: Option<Hit>,
        /// How the search ended.
        verdict: TableVerdict,
    },
}

impl ReadStop {
    /// The entry of the stop, if it was searched and has the key.
    pub fn hit(&self) -> Option<Hit> {
        match self {
            Self::Memtable { hit, .. } | Self::Table { hit, .. } => *hit,
            Self::RangeDelete { sequence, .. } => {
                Some(Hit { sequence: *sequence, entry: ValueKind::RangeDelete })
            }
            Self::OutOfRange { .. } | Self::Filtered { .. } | Self::NoPrefix { .. } => None,
        }
    }
}

/// How the search of one table ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum TableVerdict {
    /// The table has the entry.
    Hit,
    /// The table does not have the key.
    Absent,
    /// The table has the key, but only versions that are newer than the reader's snapshot.
    OnlyNewer,
    /// The table does not have the key, although its filter answered "maybe".
    FalsePositive,
}

/// The bits that a filter read for one key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct FilterAnswer {
    /// Bits of the filter.
    pub bits: u64,
    /// Bits that each key of the table has set.
    pub probes: u32,
    /// The bits looked at, in order: all, or up to the first one that is not set.
    pub asked: Vec<FilterBit>,
    /// Whether all were set, so that the key may be there.
    pub maybe: bool,
}

impl FilterAnswer {
    /// The answer of a filter with these `bits` and `probes`, after it read the bits `asked`.
    #[doc(hidden)]
    pub fn new(bits: u64, probes: u32, asked: Vec<FilterBit>, maybe: bool) -> Self {
        Self { bits, probes, asked, maybe }
    }
}

/// One bit of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct FilterBit {
    /// Its number, from 0.
    pub bit: u64,
    /// Whether it is set.
    pub set: bool,
    /// The byte that it is in; its number there is `bit % 8`, 0 is the least significant.
    pub byte: u8,
}

impl FilterBit {
    /// The bit with this number, in this `byte`.
    #[doc(hidden)]
    pub fn new(bit: u64, byte: u8) -> Self {
        Self { bit, set: byte & (1 << (bit % 8)) != 0, byte }
    }
}

/// The sorted items of a binary search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Among {
    /// The tables of a run, by their largest keys.
    Tables,
    /// The index of a table: one key for each block, at or after its last key.
    Blocks,
    /// The restart points of a block, by their keys.
    Restarts,
    /// The entries of a file that lists the offset of each entry, by their keys.
    Entries,
}

/// One binary search: for the first place that does not come before the key sought.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct Search {
    /// The items that were searched.
    pub among: Among,
    /// Places in all.
    pub count: usize,
    /// Comparisons, in order.
    pub turns: Vec<Turn>,
    /// The place found; `count` when all come before the key.
    pub found: usize,
}

impl Search {
    /// A search that has compared nothing yet.
    #[doc(hidden)]
    pub fn new(among: Among, count: usize) -> Self {
        Self { among, count, turns: Vec::new(), found: 0 }
    }
}

/// One comparison of a binary search.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct Turn {
    /// The first position that the search can still return.
    pub low: usize,
    /// The position after the last one that the search can still return.
    pub high: usize,
    /// The place that was compared.
    pub middle: usize,
    /// Its key.
    pub key: ShownKey,
    /// Whether it comes before the key sought; the search goes on to its right.
    pub before: bool,
    /// Whether the result was already known: a branchless search may compare a key a second time.
    pub again: bool,
}

impl Turn {
    /// A comparison with the `key` at `middle`, among the `places` that are left.
    #[doc(hidden)]
    pub fn new(places: &Range<usize>, middle: usize, key: ShownKey, before: bool) -> Self {
        let again = !places.contains(&middle);
        Self { low: places.start, high: places.end, middle, key, before, again }
    }

    /// The places that are left after it.
    pub fn left(&self) -> Range<usize> {
        match (self.again, self.before) {
            (true, _) => self.low..self.high,
            (false, true) => self.middle + 1..self.high,
            (false, false) => self.low..self.middle,
        }
    }
}

/// How an entry of a block lies to the key sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum EntryOrder {
    /// Before it: another key, or a version that is too new.
    Before,
    /// It is the entry sought.
    Found,
    /// After it: the entry sought is not here.
    After,
}

/// One entry of a block that a search walked over.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct EntryStop {
    /// Where it begins in the decompressed block \[bytes\].
    pub offset: usize,
    /// Bytes of its key that are not stored, because the key before has them.
    pub shared: usize,
    /// Its key.
    pub key: ShownKey,
    /// Its sequence number.
    pub sequence: SeqNo,
    /// Where it lies.
    pub order: EntryOrder,
}

impl EntryStop {
    /// An entry at `offset` \[bytes\], whose key shares so many bytes with the one before.
    #[doc(hidden)]
    pub fn new(
        offset: usize,
        shared: usize,
        key: ShownKey,
        sequence: SeqNo,
        order: EntryOrder,
    ) -> Self {
        Self { offset, shared, key, sequence, order }
    }
}

/// One block that a lookup looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct BlockStop {
    /// Offset in the file \[bytes\].
    pub offset: u64,
    /// Stored length \[bytes\].
    pub bytes: u32,
    /// Whether it was in the cache.
    pub cached: bool,
    /// The search among its restart points.
    pub restarts: Option<Search>,
    /// Entries walked over, from a restart point on.
    pub entries: Vec<EntryStop>,
}

impl BlockStop {
    /// A block that nothing has been looked for in yet.
    pub(crate) fn new(offset: u64, bytes: u64, cached: bool) -> Self {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        Self { offset, bytes, cached, restarts: None, entries: Vec::new() }
    }
}

/// An entry as a block stores it.
#[derive(Debug, Clone, Copy)]
pub struct Walked<'a> {
    pub offset: usize,
    pub shared: usize,
    /// The rest of the internal key.
    pub suffix: &'a [u8],
    pub order: EntryOrder,
}

/// The steps of a lookup since its last stop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LookupTrace {
    pub comparisons: u32,
    pub searches: Vec<Search>,
    pub blocks: Vec<BlockStop>,
}

/// Receives the steps of a lookup.
pub trait Probe {
    /// One key was compared.
    fn comparison(&mut self) {}
    /// A binary search among `count` places begins.
    fn search(&mut self, among: Among, count: usize) {
        let _ = (among, count);
    }
    /// Narrows the search to these places, independently of its range before.
    fn narrow(&mut self, places: Range<usize>) {
        let _ = places;
    }
    /// The search compared the key at `place`, which comes `before` the one sought or not.
    fn compared(&mut self, before: bool, place: impl FnOnce() -> (usize, ShownKey)) {
        let _ = (before, place);
    }
    /// A part of a foreign file was read; what follows happens in it.
    fn access(&mut self, what: &'static str, offset: u64, bytes: u64) {
        let _ = (what, offset, bytes);
    }
    /// The filter in that part was asked.
    fn filtered(&mut self, answer: impl FnOnce() -> FilterAnswer) {
        let _ = answer;
    }
    /// One entry of a foreign file was walked over.
    fn walked(&mut self, entry: impl FnOnce() -> EntryStop) {
        let _ = entry;
    }
    /// One block was looked into.
    fn block(&mut self, stop: impl FnOnce() -> BlockStop) {
        let _ = stop;
    }
    /// One entry of that block was walked over.
    fn entry<'a>(&mut self, entry: impl FnOnce() -> Walked<'a>) {
        let _ = entry;
    }
    /// A stop is complete; `stop` gets the steps since the last one.
    fn stop(&mut self, stop: impl FnOnce(LookupTrace) -> ReadStop) {
        let _ = stop;
    }
}

/// No probe: every call compiles away.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProbe;

impl Probe for NoProbe {}
