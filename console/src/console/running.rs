//! One line at work: its commands one after the other, in units, with what the journal has to know.

use crate::commands;
use crate::history::{ASTRAY, BreakpointHit, Input, Step, Stopped};
use crate::language::{Effect, Statement, Verb};
use crate::output::{Answer, Failure, OutputLine, Response};
use crate::session::{Session, Stop, Task, Turn};
use crate::time::{Question, Renewal};
use levelscope::storage::FileName;
use levelscope::{Budget, ErrorKind, StepOutcome};
use std::collections::VecDeque;
use std::sync::Arc;

/// The kind of failure of a command that was stopped.
pub(crate) const CANCELLED: &str = "cancelled";

/// One line at work.
pub(crate) struct Running {
    text: String,
    waiting: VecDeque<Statement>,
    pub(crate) task: Option<Box<dyn Task>>,
    pub(crate) label: String,
    answers: Vec<Answer>,
    /// Whether the line has several commands, so that the result is a list.
    several: bool,
    pub(crate) failure: Option<Failure>,
    relief: Relief,
    /// Units done of the command at work.
    pub(crate) units: u64,
    /// Where it was stopped.
    pub(crate) stopped: Option<Stopped>,
    recording: Recording,
    /// Whether it is a question of a program or to a replica, which leaves no trace.
    asking: bool,
    /// The effect of the command; [`Effect::Host`] without one.
    effect: Effect,
}

/// How the journal records the running command.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Recording {
    /// Its entry has begun, and ends with it.
    Begun,
    /// It is written down at its end if it has made steps after this one.
    IfStepped(Step, Arc<str>),
    /// It is not written down.
    None,
}

/// Whether background work is being done so that a stalled write can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relief {
    /// No write has waited in this command.
    None,
    /// Jobs are stepped.
    Stepping,
    /// Inline work that had to wait for a file is finished.
    Finishing,
    /// A job was finished: the write is tried again.
    Helped,
    /// There was no job to step: a write that still waits would wait forever.
    Useless,
}

/// The outcome of one unit of work.
pub(crate) enum Slice {
    More,
    Breath,
    Blocked(FileName),
    End,
}

impl Running {
    pub(crate) fn new(
        text: String,
        waiting: VecDeque<Statement>,
        failure: Option<Failure>,
    ) -> Self {
        Self {
            text,
            several: waiting.len() > 1,
            waiting,
            task: None,
            label: String::new(),
            answers: Vec::new(),
            failure,
            relief: Relief::None,
            units: 0,
            stopped: None,
            recording: Recording::None,
            asking: false,
            effect: Effect::Host,
        }
    }

    /// A task without a line; `asking`: a question of a program or to a replica.
    pub(crate) fn of(label: &str, task: Box<dyn Task>, asking: bool) -> Self {
        let line = Self::new(String::new(), VecDeque::new(), None);
        Self { label: label.into(), task: Some(task), asking, ..line }
    }

    /// Writes out the log's buffer at the end of a command; returns the failure, unless
    /// the command that made the database read-only has reported it already.
    pub(crate) fn write_out(&self, session: &Session) -> Option<Failure> {
        if self.asking {
            return None;
        }
        let error = session.database()?.write_out().err()?;
        (error.kind() != ErrorKind::ReadOnly).then(|| error.into())
    }

    /// Records the end of the running command in the journal.
    pub(crate) fn close_entry(&mut self, session: &mut Session) {
        let after = session.tape.step();
        let stopped = self.stopped.take();
        match std::mem::replace(&mut self.recording, Recording::None) {
            Recording::Begun => session.with_journal(|journal| journal.end_line(stopped, after)),
            Recording::IfStepped(before, text) if before != after => {
                session.note(Input::Line { text, stopped });
            }
            Recording::IfStepped(..) | Recording::None => {}
        }
        session.stepping.reset();
    }

    /// Refuses the whole line, before anything of it has run, when one of its commands would change what happened up
    /// to `step`: a page then asks whether all of it is to run on a fork.
    pub(crate) fn refuse_changes(&mut self, step: Step) {
        for statement in &self.waiting {
            // An error in a command is reported when it is its turn.
            let Ok((command, args)) = commands::of(statement) else { return };
            if (command.verb.effect)(&args).changes() {
                self.failure = Some(only_the_past(&command.verb, step));
            }
            if self.failure.is_some() || command.verb.leaves_branch() {
                return;
            }
        }
    }

    /// Stops the line `here`; the next slice reports it. What was done stays done.
    pub(crate) fn cancel(&mut self, here: Stopped) {
        if self.failure.as_ref().is_some_and(|failure| failure.kind == CANCELLED) {
            return;
        }
        let what = if self.label.is_empty() { "the command" } else { &self.label };
        let done = self.task.as_mut().and_then(|task| task.stopped());
        let message = match &done {
            Some((done, _)) => format!("{what} was stopped; {done}"),
            None if self.effect.changes() => {
                format!("{what} was stopped; what it had done stays done")
            }
            None => format!("{what} was stopped"),
        };
        self.answers.extend(done.map(|(_, answer)| answer));
        let failure = Failure::new(CANCELLED, message);
        self.failure = Some(self.end_with(failure));
        self.stopped.get_or_insert(here);
    }

    /// How far the command at work is.
    pub(crate) fn position(&self, session: &Session) -> Stopped {
        Stopped { units: self.units, calls: session.stepping.calls() }
    }

    /// A breakpoint struck in the last call: the line ends here, or a crash comes.
    pub(crate) fn stop_at(&mut self, hit: BreakpointHit, session: &mut Session) {
        if let Some(failure) = self.write_out(session) {
            self.failure.get_or_insert(failure);
        }
        let task = self.task.take();
        if task.is_some() || self.relief != Relief::None {
            self.stopped = Some(self.position(session));
        }
        let done = task.and_then(|mut task| task.stopped());
        self.close_entry(session);
        // The entry is closed: no work of the line may follow it, also not while a crash is prepared.
        (self.relief, self.effect) = (Relief::None, Effect::Host);
        commands::print_hit(session, &hit, self.waiting.len() as u64);
        if let Some((done, answer)) = done {
            session.print(OutputLine::note(format!("({} ended there: {done})", self.label)));
            self.answers.push(answer);
        }
        self.waiting.clear();
        if let Some(crash) = hit.crash {
            self.task = Some(commands::crash_at(&hit, crash));
            "crash".clone_into(&mut self.label);
        }
        session.time.hits.push(hit);
    }

    /// Does one unit.
    pub(crate) fn slice(&mut self, session: &mut Session) -> Slice {
        if self.failure.is_some() {
            return Slice::End;
        }
        if matches!(self.relief, Relief::Stepping | Relief::Finishing) {
            return self.relieve(session);
        }
        let Some(task) = &mut self.task else {
            let Some(statement) = self.waiting.pop_front() else {
                return Slice::End;
            };
            return match self.begin(&statement, session) {
                Ok(task) => {
                    self.task = Some(task);
                    Slice::More
                }
                Err(failure) => self.fail(failure),
            };
        };
        let printed = session.lines.len();
        match task.step(session) {
            Ok(Turn::More) => {
                if self.relief == Relief::Useless {
                    self.relief = Relief::Helped;
                }
                self.finish_leftovers(session)
            }
            Ok(Turn::Breath) => Slice::Breath,
            Ok(Turn::Blocked(file)) => Slice::Blocked(file),
            Ok(Turn::Done(answer)) => {
                self.answers.push(answer);
                self.task = None;
                if session.ended {
                    self.waiting.clear();
                }
                match self.write_out(session) {
                    Some(failure) => self.fail(failure),
                    None => self.finish_leftovers(session),
                }
            }
            Err(Stop::Failed(failure)) if failure.kind == ASTRAY => {
                self.task = Some(Box::new(Renewal::new(failure)));
                Slice::More
            }
            Err(Stop::Failed(failure)) => self.fail(failure),
            Err(Stop::Engine(error)) => {
                if let Some(file) = error.blocked_on() {
                    session.lines.truncate(printed);
                    return Slice::Blocked(file);
                }
                if error.kind() == ErrorKind::Stalled && self.relief != Relief::Useless {
                    session.lines.truncate(printed);
                    if self.relief == Relief::None {
                        session.print(OutputLine::note(format!(
                            "{}. The command does that work and then goes on.",
                            crate::text::printable(&error.to_string())
                        )));
                    }
                    self.relief = Relief::Stepping;
                    return Slice::More;
                }
                self.fail(Failure::from(error).advised(session.advice()))
            }
        }
    }

    fn begin(
        &mut self,
        statement: &Statement,
        session: &mut Session,
    ) -> Result<Box<dyn Task>, Failure> {
        self.close_entry(session);
        (self.relief, self.units) = (Relief::None, 0);
        let (command, args) = commands::of(statement)?;
        command.verb.name.clone_into(&mut self.label);
        let effect = (command.verb.effect)(&args);
        self.effect = effect;
        let text = self.text.get(statement.start..statement.end).unwrap_or_default();
        let moment = session.time.moment();
        if let Some(step) = moment.filter(|_| effect.changes()) {
            return Err(only_the_past(args.verb, step));
        }
        let task = (command.start)(&args, statement)?;
        if moment.is_some() && matches!(effect, Effect::Read | Effect::Look) {
            return Ok(Box::new(Question::new(task, moment, effect == Effect::Read)));
        }
        if effect == Effect::Change && session.is_absent() {
            session.begin(session.options.clone()).map_err(Failure::from)?;
        }
        if session.journal.is_some() {
            self.recording = match effect {
                Effect::Change | Effect::Read => {
                    session.note(Input::Line { text: text.into(), stopped: None });
                    Recording::Begun
                }
                Effect::Look => Recording::IfStepped(session.tape.step(), text.into()),
                Effect::Recorded | Effect::Session | Effect::Host => Recording::None,
            };
        }
        Ok(task)
    }

    /// Where the host wants slices, inline work follows the step that made it.
    fn finish_leftovers(&mut self, session: &Session) -> Slice {
        let works = matches!(self.effect, Effect::Change | Effect::Read);
        if works && session.has_leftovers() {
            self.relief = Relief::Finishing;
        }
        Slice::More
    }

    /// Steps the jobs that a stalled write waits for, or that inline maintenance has left over.
    fn relieve(&mut self, session: &mut Session) -> Slice {
        match session.work(Budget::Phase) {
            Ok(StepOutcome::More) => {}
            Ok(StepOutcome::Finished(_)) if self.relief == Relief::Finishing => {}
            Ok(StepOutcome::Idle) if self.relief == Relief::Finishing => {
                self.relief = Relief::None;
            }
            Ok(StepOutcome::Finished(_)) => self.relief = Relief::Helped,
            Ok(StepOutcome::Idle) => self.relief = Relief::Useless,
            Ok(StepOutcome::Blocked(file)) => return Slice::Blocked(file),
            Err(error) => match error.blocked_on() {
                Some(file) => return Slice::Blocked(file),
                None => return self.fail(error.into()),
            },
        }
        Slice::More
    }

    fn fail(&mut self, failure: Failure) -> Slice {
        self.failure = Some(self.end_with(failure));
        Slice::End
    }

    /// `failure`, with the commands of the line that it leaves undone.
    fn end_with(&self, mut failure: Failure) -> Failure {
        let left = self.waiting.len() as u64;
        if left > 0 {
            let not_run = format!("{} after it not run", crate::text::counted(left, "command"));
            failure.hint = Some(match failure.hint {
                Some(hint) => format!("{hint}; {not_run}"),
                None => not_run,
            });
        }
        failure
    }

    pub(crate) fn response(self, lines: Vec<OutputLine>) -> Response {
        Response { lines, answers: self.answers, error: self.failure, several: self.several }
    }
}

/// Refuses a command that would change what has already happened.
fn only_the_past(verb: &Verb, step: Step) -> Failure {
    let message = format!(
        "{} would change the past: commands are asked about step {}",
        verb.name,
        crate::text::count(step)
    );
    Failure::new("past", message)
        .hint("`fork` makes a branch that goes on from there; `now` leaves the past")
}
