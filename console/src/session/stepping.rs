//! Background work in the smallest calls that the engine takes, gathered to units.
//!
//! A call of the engine with a large budget may have to wait for a file in its middle, or reach a breakpoint
//! there. What it did until then would be in no journal. So each call handles one entry or one phase: one
//! that has to wait has changed nothing, and a unit that was left in its middle is recorded as so many calls.

use super::Session;
use crate::history::Step;
use levelscope::{Budget, Result, StepOutcome};

/// The unit under way.
#[derive(Debug, Default)]
pub(crate) struct Stepping {
    /// Calls made since the last whole unit.
    calls: u64,
    /// Their cost, as [`Budget::Entries`] counts.
    cost: u64,
    /// A replica leaves the unit after so many calls, where the session left it.
    limit: Option<u64>,
}

/// A phase costs as much as so many entries, as in the engine.
const PHASE_COST: u64 = 16;

impl Stepping {
    /// Calls made since the last whole unit; more than none only when a unit was left in its middle.
    pub(crate) fn calls(&self) -> u64 {
        self.calls
    }

    /// Leaves the next unit after `calls` calls, even if more would belong to it.
    pub(crate) fn leave_after(&mut self, calls: u64) {
        self.limit = Some(calls);
    }

    /// The next call begins a unit.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Counts one call that moved the history from `before` to `after`; whether `budget` is spent.
    pub(crate) fn count(&mut self, budget: Budget, before: Step, after: Step) -> bool {
        let phase = before != after;
        self.calls += 1;
        self.cost += if phase { PHASE_COST } else { 1 };
        match budget {
            Budget::Entry => true,
            Budget::Phase => phase,
            Budget::Entries(count) => self.cost >= u64::from(count),
            Budget::Job => false,
        }
    }
}

impl Session {
    /// Does the smallest unit of background work, and writes it down in the journal as such.
    ///
    /// # Errors
    /// Those of [`levelscope::Db::step`].
    pub(crate) fn work_on_record(&mut self) -> Result<StepOutcome> {
        let outcome = self.work(Budget::Entry);
        let after = self.tape.step();
        if !matches!(outcome, Ok(StepOutcome::Idle | StepOutcome::Blocked(_))) {
            self.with_journal(|journal| journal.work(after));
        }
        outcome
    }

    /// Does one unit of background work of the size `budget`, or goes on with the one that had to wait.
    ///
    /// It is left in its middle at a breakpoint; [`Stepping::calls`] counts its calls so far.
    ///
    /// # Errors
    /// Those of [`levelscope::Db::step`].
    pub(crate) fn work(&mut self, budget: Budget) -> Result<StepOutcome> {
        let Some(db) = self.database().cloned() else { return Ok(StepOutcome::Idle) };
        loop {
            if self.stepping.limit.is_some_and(|limit| self.stepping.calls >= limit) {
                return Ok(StepOutcome::More);
            }
            let before = self.tape.step();
            let outcome = db.step(Budget::Entry).inspect_err(|_| self.stepping.reset())?;
            match outcome {
                StepOutcome::Blocked(_) => return Ok(outcome),
                StepOutcome::Idle | StepOutcome::Finished(_) => {
                    self.stepping.reset();
                    return Ok(outcome);
                }
                StepOutcome::More => {}
            }
            if self.stepping.count(budget, before, self.tape.step()) {
                self.stepping.reset();
                return Ok(outcome);
            }
            if self.time.points.has_struck() {
                return Ok(outcome);
            }
        }
    }
}
