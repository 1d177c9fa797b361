//! The few figures that conditions of breakpoints compare, folded from events.

use levelscope::event::{Event, EventKind};
use levelscope::view::{LevelView, View};

/// How many there are of what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tables of each level.
    tables: Vec<u64>,
    immutables: u64,
    jobs: u64,
    stalled: bool,
    slowed: bool,
}

/// What a condition compares.
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
}

impl Tally {
    /// The figures of a database that looks so.
    pub(crate) fn of(view: &View) -> Self {
        let immutables = view.memtables.iter().filter(|memtable| memtable.immutable).count();
        Self {
            tables: counts(&view.levels),
            immutables: immutables as u64,
            jobs: view.jobs.len() as u64,
            stalled: view.stall.is_some(),
            slowed: view.slowdown.is_some(),
        }
    }

    pub(crate) fn get(&self, quantity: Quantity) -> u64 {
        match quantity {
            Quantity::Level(level) => self.tables.get(level).copied().unwrap_or(0),
            Quantity::Tables => self.tables.iter().sum(),
            Quantity::Memtables => self.immutables,
            Quantity::Jobs => self.jobs,
            Quantity::Stall => u64::from(self.stalled),
            Quantity::Slowdown => u64::from(self.slowed),
        }
    }

    /// The figures after `event`.
    pub(crate) fn fold(&mut self, event: &Event) {
        match &event.kind {
            EventKind::RecoveryBegin { levels, .. } => {
                *self = Self { tables: counts(levels), ..Self::default() };
            }
            EventKind::RecoveryManifest { levels, .. } => self.tables = counts(levels),
            EventKind::RecoveryWal { kept: Some(_), .. } | EventKind::MemtableRotate { .. } => {
                self.immutables += 1;
            }
            EventKind::FlushBegin { .. } | EventKind::CompactionPick { .. } => self.jobs += 1,
            EventKind::FlushDone { .. }
            | EventKind::CompactionDone { .. }
            | EventKind::JobFailed { .. } => self.jobs = self.jobs.saturating_sub(1),
            EventKind::FlushInstall { table, .. } => {
                self.immutables = self.immutables.saturating_sub(1);
                if table.is_some() {
                    self.add(0, 1);
                }
            }
            EventKind::CompactionInstall { removed, added, output_level, .. } => {
                for table in removed {
                    if let Some(count) = self.tables.get_mut(table.level) {
                        *count = count.saturating_sub(1);
                    }
                }
                self.add(*output_level, added.len() as u64);
            }
            EventKind::StallBegin { .. } => self.stalled = true,
            EventKind::StallEnd {} => self.stalled = false,
            EventKind::SlowdownBegin { .. } => self.slowed = true,
            EventKind::SlowdownEnd {} => self.slowed = false,
            _ => {}
        }
    }

    fn add(&mut self, level: usize, tables: u64) {
        if self.tables.len() <= level {
            self.tables.resize(level + 1, 0);
        }
        if let Some(count) = self.tables.get_mut(level) {
            *count += tables;
        }
    }
}

fn counts(levels: &[LevelView]) -> Vec<u64> {
    levels.iter().map(|level| level.tables.len() as u64).collect()
}
