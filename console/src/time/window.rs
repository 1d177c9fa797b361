//! Events of the past again, with the view before them.

use super::ask::ReplicaRun;
use crate::history::{CALL_EVENTS_MAX, Capture, EVENTS_MAX, Step, Window, unavailable};
use crate::output::{Answer, Failure};
use crate::session::{Goal, Session, Stop, Task, Turn};
use crate::text;
use levelscope::view::View;

/// Calls that one unit makes.
const CALLS: u32 = 16;
/// How far before the first event wanted a view may lie: folding from there costs nothing \[steps\].
const NEAR: Step = 256;
/// Events that are held on the way there, in case that the next call makes the one wanted.
const FAR_EVENTS: usize = 4096;
/// Views are taken at most so often on the way there \[steps\].
const APART: Step = 64;

/// Goes over the past of one branch and takes down what happens.
pub(crate) struct WindowTask {
    /// `None`: the current one.
    branch: Option<usize>,
    from: Step,
    to: Step,
    details: bool,
    run: Option<ReplicaRun>,
    /// The last step before the events taken down, and the view there.
    start: Option<(Step, View)>,
}

impl WindowTask {
    pub(crate) fn new(branch: Option<usize>, from: Step, to: Step, details: bool) -> Self {
        Self { branch, from: from.max(1), to, details, run: None, start: None }
    }

    fn branch(&self, session: &Session) -> usize {
        self.branch.unwrap_or_else(|| session.time.current())
    }

    fn begin(&mut self, session: &mut Session) -> Result<ReplicaRun, Failure> {
        let branch = self.branch(session);
        let now = session.last_step(branch)?;
        self.to = self.to.min(now);
        if self.from > self.to {
            let message =
                format!("there are no steps {} to {}: the newest is {now}", self.from, self.to);
            return Err(Failure::usage(message));
        }
        let journal = session.journal_on(branch, self.from)?;
        // A window ends at a crash, because later steps belong to another journal.
        self.to = self.to.min(journal.end());
        let inputs = journal.entries().partition_point(|entry| entry.after < self.from);
        let run = ReplicaRun::new(session, branch, journal, Goal::Inputs(inputs));
        if run.replica.reached() < self.from {
            return Ok(run);
        }
        Ok(ReplicaRun::fresh(session, run.journal, Goal::Inputs(inputs)))
    }

    /// Begins to take down from here.
    fn start(&mut self, run: &ReplicaRun) {
        let view = run.replica.console.session().view();
        self.start = Some((run.replica.reached(), view));
        run.replica.console.session().tape.capture(Capture::events(self.details));
    }

    /// Makes one call; whether that was the last one needed.
    fn call(&mut self, run: &mut ReplicaRun) -> Result<bool, Failure> {
        let more = run.replica.call(&run.journal)?;
        let reached = run.replica.reached();
        let taken = run.replica.console.session().tape.captured(|capture| match capture {
            Capture::Events { events, .. } => events.len(),
            _ => 0,
        });
        // Details of the last step may come in later calls, up to the next step.
        let past = reached > self.to || reached == self.to && !self.details;
        let taken = taken.unwrap_or(0);
        // All details of a step are known when the next one is reached.
        let whole = self.from + Step::from(self.details);
        if !more || past || (reached >= whole && taken >= EVENTS_MAX) {
            return Ok(true);
        }
        let begun = self.start.as_ref().map_or(0, |(step, _)| *step);
        let near = reached + NEAR >= self.from && reached >= begun + APART;
        if reached < self.from && (near || taken >= FAR_EVENTS) {
            self.start(run);
        }
        Ok(false)
    }

    fn window(&mut self, run: &ReplicaRun) -> Result<Window, Failure> {
        let (before, view) = self.start.take().unwrap_or_default();
        let Some(Capture::Events { mut events, full, .. }) =
            run.replica.console.session().tape.take_capture()
        else {
            return Err(unavailable("no events were recorded"));
        };
        let mut to = run.replica.reached();
        if full {
            to = events.last().map_or(before, |(step, _)| *step);
        }
        if self.details && to > self.to {
            to = self.to;
        } else if self.details && to < self.to {
            // The last step may have more details in the next call.
            to = to.saturating_sub(1);
        }
        // Details of the step before belong to that step.
        events.retain(|(step, _)| (before + 1..=to).contains(step));
        if to < self.from {
            let message = format!(
                "step {} lies in a call with more than {} events, after those that can be shown",
                text::count(self.from),
                text::count(CALL_EVENTS_MAX as u64)
            );
            let hint = "with `options set maintenance manual` background work is many short calls";
            return Err(unavailable(&message).hint(hint));
        }
        Ok(Window { from: before + 1, to, events, view })
    }
}

impl Task for WindowTask {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let mut run = self.run.take().map_or_else(|| self.begin(session), Ok)?;
        if self.start.is_none() {
            if !run.advance()? {
                self.run = Some(run);
                return Ok(Turn::More);
            }
            self.start(&run);
        }
        for _ in 0..CALLS {
            if self.call(&mut run)? {
                let window = self.window(&run)?;
                session.time.window = Some(window);
                session.park(self.branch(session), run.replica);
                return Ok(Turn::Done(Answer::other(())));
            }
        }
        self.run = Some(run);
        Ok(Turn::More)
    }

    fn position(&self) -> (u64, Option<u64>) {
        let done = self.run.as_ref().map_or(0, |run| run.position().0);
        (done, Some(self.to))
    }
}
