//! A question to the past, which a replica answers.

use crate::history::{Journal, Step, unavailable};
use crate::output::{Answer, Failure, OutputLine, Progress};
use crate::session::{Goal, Replica, Session, Stop, Task, Turn};
use crate::text;
use levelscope::Error;
use std::sync::Arc;

/// Units of the command that one unit of the question does.
const UNITS: u32 = 16;

/// Brings a replica of the current branch somewhere, slice by slice.
pub(crate) struct ReplicaRun {
    pub(crate) journal: Arc<Journal>,
    pub(crate) replica: Replica,
    goal: Goal,
}

impl ReplicaRun {
    /// Begins with the newest replica of `branch`, where that can get there.
    pub(crate) fn new(
        session: &mut Session,
        branch: usize,
        journal: Arc<Journal>,
        goal: Goal,
    ) -> Self {
        let replica = session.replica(branch, &journal, goal);
        Self { journal, replica, goal }
    }

    /// Begins with a new replica, which has answered no command.
    pub(crate) fn fresh(session: &Session, journal: Arc<Journal>, goal: Goal) -> Self {
        let replica = Replica::new(session, &journal);
        Self { journal, replica, goal }
    }

    /// Goes on; whether it is there.
    ///
    /// # Errors
    /// The journal cannot be followed.
    pub(crate) fn advance(&mut self) -> Result<bool, Failure> {
        self.replica.advance(&self.journal, self.goal)
    }

    /// The step that it goes to, where it goes to one.
    pub(crate) fn step(&self) -> Option<Step> {
        match self.goal {
            Goal::Step(step) => Some(step),
            Goal::End | Goal::Inputs(_) => None,
        }
    }

    /// Where it is, and where it goes.
    pub(crate) fn position(&self) -> (u64, Option<u64>) {
        let end = match self.goal {
            Goal::Step(step) => step,
            Goal::End | Goal::Inputs(_) => self.journal.end(),
        };
        (self.replica.reached(), Some(end))
    }
}

/// One command that only looks, about the past.
pub(crate) struct Question {
    /// The command, until the replica is there and is asked.
    task: Option<Box<dyn Task>>,
    /// The step of the state; `None`: it is the one on show when the question begins.
    step: Option<Step>,
    run: Option<ReplicaRun>,
    /// Whether the answer leaves traces, in figures or in the cache, so that its replica is used once.
    reads: bool,
}

impl Question {
    /// Asks the current branch as it was at `step`, or is on show; only commands that change nothing. `reads`: it leaves traces.
    pub(crate) fn new(task: Box<dyn Task>, step: Option<Step>, reads: bool) -> Self {
        Self { task: Some(task), step, run: None, reads }
    }

    /// The first line of an answer of the past; `now`: the newest step.
    fn moment(&self, run: &ReplicaRun, now: Step) -> Option<String> {
        let (reached, step) = (run.replica.reached(), self.step?);
        let [reached_text, step_text] = [reached, step].map(text::count);
        if reached > step {
            return Some(format!(
                "as of step {reached_text}, the end of the call that contains step {step_text}:"
            ));
        }
        (step < now).then(|| format!("as of step {step_text}:"))
    }

    fn begin(&mut self, session: &mut Session) -> Result<ReplicaRun, Stop> {
        if self.step.is_none() {
            session.db()?;
        }
        let newest = session.tape.step();
        let step = self.step.or(session.time.moment()).unwrap_or(newest);
        self.step = Some(step);
        let journal = session.journal_of(step)?;
        // An input without a step, such as damage, belongs to the newest one.
        let goal = if step == newest { Goal::End } else { Goal::Step(step) };
        Ok(if self.reads {
            ReplicaRun::fresh(session, journal, goal)
        } else {
            ReplicaRun::new(session, session.time.current(), journal, goal)
        })
    }
}

impl Question {
    /// Does one unit; `None`: there is more to do.
    ///
    /// # Errors
    /// The journal cannot be followed. A failure of the command is an answer.
    pub(crate) fn ask(
        &mut self,
        session: &mut Session,
    ) -> Result<Option<Result<Answer, Failure>>, Stop> {
        let mut run = match self.run.take() {
            Some(run) => run,
            None => self.begin(session)?,
        };
        if let Some(task) = self.task.take() {
            if !run.advance()? {
                (self.task, self.run) = (Some(task), Some(run));
                return Ok(None);
            }
            if let Some(moment) = self.moment(&run, session.tape.step()) {
                session.print(OutputLine::note(moment));
            }
            // The command under way in the replica waits.
            run.replica.ask(task);
        }
        match run.replica.console.advance(UNITS) {
            Progress::More { lines, .. } => {
                session.lines.extend(lines);
                self.run = Some(run);
                Ok(None)
            }
            Progress::Done(mut response) => {
                session.lines.append(&mut response.lines);
                run.replica.answered();
                if !self.reads {
                    session.park(session.time.current(), run.replica);
                }
                if let Some(failure) = response.error.take() {
                    return Ok(Some(Err(failure)));
                }
                let answer = response.answers.pop();
                Ok(Some(Ok(answer.unwrap_or_else(|| Answer::other(())))))
            }
            Progress::Blocked(file, _) => {
                self.run = Some(run);
                Err(Error::would_block(file).into())
            }
            Progress::Idle => Err(unavailable("the replica has no answer").into()),
        }
    }
}

impl Task for Question {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        match self.ask(session)? {
            None => Ok(Turn::More),
            Some(answer) => Ok(Turn::Done(answer?)),
        }
    }

    fn position(&self) -> (u64, Option<u64>) {
        self.run.as_ref().map_or((0, None), ReplicaRun::position)
    }
}
