//! Matches LOG lines to a version edit.

use super::{Events, Job};
use crate::manifest::StepKind;

/// A table that a step added or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The level.
    pub level: u32,
    /// Its number.
    pub number: u64,
}

impl Events {
    /// The job that a step comes from, by the first table of it that LOG knows. A snapshot has none: jobs made its
    /// tables long before it was written.
    pub fn job_of_step(&self, kind: StepKind, added: &[Place], removed: &[Place]) -> Option<&Job> {
        match kind {
            StepKind::Flush | StepKind::Recovery | StepKind::Compaction => {
                added.iter().find_map(|table| self.job_of_table(table.number))
            }
            StepKind::Move => added.iter().find_map(|table| {
                let moves = self.moved(table.number).iter();
                let moved = moves.into_iter().find(|moved| moved.level == table.level)?;
                self.jobs.get(moved.job? as usize)
            }),
            StepKind::Deletion => removed.iter().find_map(|table| self.dropped(table.number)),
            _ => None,
        }
    }

    /// The time of a step, microseconds since 1970.
    pub fn time_of_step(&self, kind: StepKind, added: &[Place], removed: &[Place]) -> Option<u64> {
        if kind == StepKind::Snapshot {
            return None;
        }
        let logged = added.iter().find_map(|table| self.added_at(table.number, table.level));
        if logged.is_some() || !added.is_empty() || kind != StepKind::Deletion {
            return logged;
        }
        let job = self.job_of_step(kind, added, removed).and_then(|job| job.finished);
        job.or_else(|| removed.iter().find_map(|table| self.deleted(table.number)))
    }

    /// The FIFO compaction that dropped table `number`.
    fn dropped(&self, number: u64) -> Option<&Job> {
        self.jobs.get(*self.dropped.get(&number)? as usize)
    }
}
