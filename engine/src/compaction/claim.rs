//! The inputs and outputs that running compactions claim, so that no two compactions overlap.

use super::Plan;
use crate::event::{EventId, JobId};
use crate::few::Few;
use crate::key::{Cut, Span};
use crate::manifest::RunNumber;
use crate::storage::FileNumber;

/// The inputs of one running compaction, and the place of its outputs.
#[derive(Debug, Clone)]
struct Claim {
    /// The event that made it necessary.
    cause: Option<EventId>,
    inputs: Vec<FileNumber>,
    level: usize,
    run: RunNumber,
    from: Cut,
    to: Cut,
}

impl Claim {
    /// The claim of `plan`; `None` for a plan without inputs.
    fn of(plan: &Plan, cause: Option<EventId>) -> Option<Self> {
        let span = plan.span()?;
        let (from, to) = (span.from.owned(), span.to.owned());
        let inputs = plan.inputs.iter().map(|(_, table)| table.number).collect();
        let (level, run) = (plan.output_level, plan.output_run);
        Some(Self { cause, inputs, level, run, from, to })
    }

    fn span(&self) -> Span<'_> {
        Span { from: self.from.borrowed(), to: self.to.borrowed() }
    }
}

/// The claims of all compactions under way.
///
/// Two compactions may run at once when they share no input, and their outputs do not meet in one run.
/// Older tables of a level always go down before or with newer ones that overlap them (`Plan`), so the
/// order of installing does not matter.
#[derive(Debug, Clone, Default)]
pub(crate) struct Claims {
    by_job: Few<JobId, Claim>,
    /// Claims reserved for more urgent compactions that wait for the running ones.
    reserved: Vec<Claim>,
}

impl Claims {
    /// Records that `job` runs `plan` because of the event `cause`.
    pub(crate) fn add(&mut self, job: JobId, plan: &Plan, cause: Option<EventId>) {
        if let Some(claim) = Claim::of(plan, cause) {
            self.by_job.insert(job, claim);
        }
    }

    /// Reserves the claim of `plan`, which waits: no new compaction may make it wait longer.
    pub(crate) fn reserve(&mut self, plan: &Plan) {
        self.reserved.extend(Claim::of(plan, None));
    }

    /// Removes the claim of `job`.
    pub(crate) fn release(&mut self, job: JobId) {
        self.by_job.remove(&job);
    }

    /// Whether a compaction is under way because of the event `cause`.
    pub(crate) fn work_for(&self, cause: EventId) -> bool {
        self.by_job.values().any(|claim| claim.cause == Some(cause))
    }

    /// Whether no compaction is under way.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_job.is_empty()
    }

    /// Whether `plan` cannot begin before one of these is done.
    pub(crate) fn forbid(&self, plan: &Plan) -> bool {
        let Some(span) = plan.span() else { return true };
        self.by_job.values().chain(&self.reserved).any(|claim| {
            let meets = (claim.level, claim.run) == (plan.output_level, plan.output_run)
                && claim.span().overlaps(&span);
            meets || plan.inputs.iter().any(|(_, table)| claim.inputs.contains(&table.number))
        })
    }
}
