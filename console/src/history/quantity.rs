//! The few figures of a view that conditions of breakpoints compare.

use levelscope::view::View;

/// The figure that a condition compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// Tables of a level.
    Level(usize),
    /// Tables of all levels.
    Tables,
    /// Immutable memtables.
    Memtables,
    /// Jobs under way.
    Jobs,
    /// 1 while writes wait.
    Stall,
    /// 1 while writes are slowed down.
    Slowdown,
}

impl Quantity {
    /// The names, as they are typed; levels are `l0`, `l1`, ...
    pub(crate) const NAMES: &[&str] =
        &["l0", "l1", "l2", "tables", "memtables", "jobs", "stall", "slowdown"];

    pub(crate) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "tables" => Self::Tables,
            "memtables" => Self::Memtables,
            "jobs" => Self::Jobs,
            "stall" => Self::Stall,
            "slowdown" => Self::Slowdown,
            level => Self::Level(level.strip_prefix('l')?.parse().ok().filter(|l| *l < 32)?),
        })
    }

    /// How many there are in `view`.
    pub(crate) fn of(self, view: &View) -> u64 {
        let number = match self {
            Self::Level(level) => view.levels.get(level).map_or(0, |level| level.tables.len()),
            Self::Tables => view.levels.iter().map(|level| level.tables.len()).sum(),
            Self::Memtables => view.memtables.iter().filter(|memtable| memtable.immutable).count(),
            Self::Jobs => view.jobs.len(),
            Self::Stall => usize::from(view.stall.is_some()),
            Self::Slowdown => usize::from(view.slowdown.is_some()),
        };
        number as u64
    }
}
