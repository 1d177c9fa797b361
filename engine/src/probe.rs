//! Probes: how a hot path explains itself at no cost when nobody asks.
//!
//! Point lookups take a generic [`Probe`]; with [`NoProbe`] every call compiles away, with
//! [`ReadPath`] the same code tells each stop of the lookup and what it cost.

use crate::PrefixIndexForm;
use crate::event::MemtableId;
use crate::key::{SeqNo, ValueKind};
use crate::storage::FileNumber;

/// What a lookup found in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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
        /// Which one.
        memtable: MemtableId,
        /// Key comparisons.
        comparisons: u32,
        /// What it had.
        hit: Option<Hit>,
    },
    /// Tables were passed over because the key is outside their range.
    OutOfRange {
        /// Their level.
        level: usize,
        /// How many.
        tables: usize,
    },
    /// The filter of a table said that the key is not in it.
    Filtered {
        /// Its level.
        level: usize,
        /// Which one.
        table: FileNumber,
    },
    /// The prefix index of a table said that no key in it begins so.
    NoPrefix {
        /// Its level.
        level: usize,
        /// Which one.
        table: FileNumber,
    },
    /// A table was searched.
    Table {
        /// Its level.
        level: usize,
        /// Which one.
        table: FileNumber,
        /// Whether a filter said "maybe" (false: the table has none).
        filter: bool,
        /// What found the block: the prefix index of this form, or a search of the ordinary index.
        prefix_index: PrefixIndexForm,
        /// Blocks looked into.
        blocks: Vec<BlockStop>,
        /// Key comparisons, in the index and in blocks.
        comparisons: u32,
        /// What it had; `None` behind a filter's "maybe" is a false positive.
        hit: Option<Hit>,
    },
}

/// One block that a lookup looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BlockStop {
    /// Offset in the file \[bytes\].
    pub offset: u64,
    /// Stored length \[bytes\].
    pub bytes: u32,
    /// Whether it was in the cache.
    pub cached: bool,
}

/// Told by lookups what they do.
pub(crate) trait Probe {
    /// One key was compared.
    fn comparison(&mut self) {}
    /// One block was looked into.
    fn block(&mut self, stop: impl FnOnce() -> BlockStop) {
        let _ = stop;
    }
    /// A stop is complete; `stop` gets the comparisons and blocks since the last one.
    fn stop(&mut self, stop: impl FnOnce(u32, Vec<BlockStop>) -> ReadStop) {
        let _ = stop;
    }
}

/// Nobody asks: everything compiles away.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NoProbe;

impl Probe for NoProbe {}

/// The path of one lookup, stop by stop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadPath {
    /// The stops, in order.
    pub stops: Vec<ReadStop>,
    comparisons: u32,
    blocks: Vec<BlockStop>,
}

impl Probe for ReadPath {
    fn comparison(&mut self) {
        self.comparisons += 1;
    }

    fn block(&mut self, stop: impl FnOnce() -> BlockStop) {
        self.blocks.push(stop());
    }

    fn stop(&mut self, stop: impl FnOnce(u32, Vec<BlockStop>) -> ReadStop) {
        let comparisons = std::mem::take(&mut self.comparisons);
        let blocks = std::mem::take(&mut self.blocks);
        self.stops.push(stop(comparisons, blocks));
    }
}
