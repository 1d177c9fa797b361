//! Strategies: everything in which they differ.
//!
//! One invariant holds for all of them: for every key, the first run that has it, in the order of levels and runs,
//! has its newest version. Three rules follow:
//!
//! - Tables move down only together with all tables that overlap them in older runs of their level.
//! - Outputs join a run in which no other table overlaps them, or begin a newer run.
//! - A tombstone is dropped only when no older run can have its key.

use crate::Strategy;
use crate::manifest::Version;

/// The shape of a level below L0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// One run, up to a size.
    Leveled,
    /// Runs, up to a number of them.
    Tiered,
}

impl Strategy {
    /// The shape that the strategy gives `level`, which is not L0.
    pub(super) fn shape(self, version: &Version, level: usize) -> Shape {
        match self {
            Self::Leveled => Shape::Leveled,
            Self::LazyLeveled if level == last_level(version) => Shape::Leveled,
            Self::Tiered | Self::LazyLeveled => Shape::Tiered,
        }
    }

    /// Whether a compaction takes all tables of its level, not one after the other.
    pub(super) fn takes_whole_level(self) -> bool {
        match self {
            Self::Leveled => false,
            Self::Tiered | Self::LazyLeveled => true,
        }
    }
}

/// The deepest level with tables, at least L1.
fn last_level(version: &Version) -> usize {
    version.level_count().saturating_sub(1).max(1)
}
