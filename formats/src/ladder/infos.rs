//! Infos of the steps.

use super::Step;
use crate::{FormatInfo, Holds, SearchMethod};

const SEQUENTIAL: &[SearchMethod] = &[SearchMethod::Sequential];
const BOTH: &[SearchMethod] = &[SearchMethod::Binary, SearchMethod::Sequential];

const fn table(
    id: &'static str,
    name: &'static str,
    purpose: &'static str,
    searches: &'static [SearchMethod],
) -> FormatInfo {
    FormatInfo { id, name, purpose, holds: Holds::Table, searches }
}

pub(super) static FIXED: FormatInfo = table(
    "ladder-fixed",
    "table with fixed lengths",
    "Entries in the order of their keys, each after two lengths of two bytes.",
    SEQUENTIAL,
);
pub(super) static VARINT: FormatInfo = table(
    "ladder-varint",
    "table with varint lengths",
    "Entries in the order of their keys; most lengths take one byte instead of two.",
    SEQUENTIAL,
);
pub(super) static INDEXED: FormatInfo = table(
    "ladder-indexed",
    "table with an index of entries",
    "The offset of every entry follows the entries, so that binary search is possible.",
    BOTH,
);
pub(super) static BLOCKS: FormatInfo = table(
    "ladder-blocks",
    "table with blocks",
    "Entries in blocks of about 4 KiB, and a small index with the last key of each block.",
    BOTH,
);
pub(super) static SNAPPY: FormatInfo = table(
    "ladder-snappy",
    "table with compressed blocks",
    "As with blocks, each of them compressed with Snappy.",
    BOTH,
);
pub(super) static INCREMENTAL: FormatInfo = table(
    "ladder-incremental",
    "table with incremental keys",
    "Keys leave out what they share with the first key of their chunk of 16, blocks are compressed.",
    BOTH,
);
pub(super) static INCREMENTAL_RAW: FormatInfo = table(
    "ladder-incremental-raw",
    "table with incremental keys, not compressed",
    "Keys leave out what they share with the first key of their chunk of 16.",
    BOTH,
);

impl Step {
    pub(super) fn info(self) -> &'static FormatInfo {
        match self {
            Self::Fixed => &FIXED,
            Self::Varint => &VARINT,
            Self::Indexed => &INDEXED,
            Self::Blocks => &BLOCKS,
            Self::Snappy => &SNAPPY,
            Self::Incremental => &INCREMENTAL,
            Self::IncrementalRaw => &INCREMENTAL_RAW,
        }
    }

    /// The word of its format: see [`crate::find`].
    pub fn id(self) -> &'static str {
        self.info().id
    }
}
