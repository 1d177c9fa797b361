//! The console: takes lines, runs them in slices, hands out what was printed.

use crate::args::Args;
use crate::lexer::{LexError, Statement, lex};
use crate::output::{Completion, Failure, OutputLine, Progress, Response};
use crate::session::{Host, Session};
use crate::task::{Stop, Task, Turn};
use crate::{complete, verbs};
use levelscope::storage::FileName;
use levelscope::{Budget, Db, ErrorKind, Options, Result, StepOutcome};
use serde_json::Value;
use std::collections::VecDeque;

/// A command interpreter around one database.
pub struct Console {
    session: Session,
    running: Option<Running>,
}

/// One line at work.
struct Running {
    waiting: VecDeque<Statement>,
    task: Option<Box<dyn Task>>,
    label: String,
    results: Vec<Value>,
    /// Whether the line has several commands, so that the result is a list.
    several: bool,
    failure: Option<Failure>,
    relief: Relief,
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
    /// There was no job to step: if the write still waits, it would wait for ever.
    Useless,
}

/// What one unit of work led to.
enum Slice {
    More,
    Blocked(FileName),
    End,
}

impl Console {
    /// A console without a database: [`Console::open`] comes next.
    pub fn new(host: Box<dyn Host>) -> Self {
        Self { session: Session::new(host), running: None }
    }

    /// Opens the database of the host with `options`; when it is open, closes it first.
    ///
    /// # Errors
    /// Those of [`Db::open`]; after `WouldBlock` the host opens the file and calls again.
    pub fn open(&mut self, options: Options) -> Result<()> {
        self.session.open(options)
    }

    /// Closes the database; what is not flushed stays in its log.
    ///
    /// # Errors
    /// Those of [`Db::close`].
    pub fn close(&mut self) -> Result<()> {
        self.running = None;
        self.session.close()
    }

    /// The open database.
    pub fn db(&self) -> Option<&Db> {
        self.session.database()
    }

    /// The transaction that commands go into that name none: for the prompt.
    pub fn current_transaction(&self) -> Option<u64> {
        self.session.current
    }

    /// The options in use.
    pub fn options(&self) -> &Options {
        &self.session.options
    }

    /// Lines typed so far, oldest first.
    pub fn history(&self) -> impl Iterator<Item = &str> {
        self.session.history.iter().map(String::as_str)
    }

    /// Begins a line: one command, or several separated by `;` or line ends.
    ///
    /// A line that is still at work is cancelled. The work itself is done by [`Console::advance`].
    pub fn start(&mut self, line: &str) {
        self.session.remember(line);
        self.start_quietly(line);
    }

    /// As [`Console::start`], for lines that nobody typed: they do not enter the history.
    pub fn start_quietly(&mut self, line: &str) {
        self.session.lines.clear();
        let (waiting, failure) = match lex(line) {
            Ok(statements) => (VecDeque::from(statements), None),
            Err(LexError::Wrong(failure)) => (VecDeque::new(), Some(failure)),
            Err(LexError::Unfinished(what)) => {
                let message = format!("the command is not finished: {what}");
                (VecDeque::new(), Some(Failure::usage(message)))
            }
        };
        self.running = Some(Running {
            several: waiting.len() > 1,
            waiting,
            task: None,
            label: String::new(),
            results: Vec::new(),
            failure,
            relief: Relief::None,
        });
    }

    /// Does at most about `units` operations (puts, entries, phases) of the line at work.
    ///
    /// What a command has done survives the death of the program when the command is over: what the log
    /// still holds in memory is written before the end is told. Never at the end of a slice, so that
    /// events and bytes do not depend on how a line is sliced.
    pub fn advance(&mut self, units: u32) -> Progress {
        let Some(mut running) = self.running.take() else {
            return Progress::Idle;
        };
        for _ in 0..units.max(1) {
            match running.slice(&mut self.session) {
                Slice::More => {}
                Slice::Blocked(file) => {
                    self.running = Some(running);
                    return Progress::Blocked(file, self.take_lines());
                }
                Slice::End => {
                    // What a command did before it failed or was cancelled is kept as well.
                    if let Some(failure) = write_out(&self.session) {
                        running.failure.get_or_insert(failure);
                    }
                    return Progress::Done(running.response(self.take_lines()));
                }
            }
        }
        let position = running.task.as_ref().map(|task| task.position());
        let (done, total) = position.unwrap_or((0, None));
        let label = running.label.clone();
        self.running = Some(running);
        Progress::More { done, total, label, lines: self.take_lines() }
    }

    /// Runs `line` to its end: for hosts and tests that never have to wait.
    ///
    /// Lines are all in the response. A file that only the host could open ends it as a failure.
    pub fn run(&mut self, line: &str) -> Response {
        self.start(line);
        let mut printed = Vec::new();
        loop {
            match self.advance(1024) {
                Progress::Idle => {
                    return Response { lines: printed, ..Response::default() };
                }
                Progress::More { lines, .. } => printed.extend(lines),
                Progress::Blocked(file, lines) => {
                    printed.extend(lines);
                    self.cancel();
                    let error = Some(levelscope::Error::would_block(file).into());
                    return Response { lines: printed, result: Value::Null, error };
                }
                Progress::Done(mut response) => {
                    printed.append(&mut response.lines);
                    response.lines = printed;
                    return response;
                }
            }
        }
    }

    /// Stops the line at work; the next [`Console::advance`] says so. What was done stays done.
    pub fn cancel(&mut self) {
        if let Some(running) = &mut self.running {
            let what = if running.label.is_empty() { "command" } else { &running.label };
            let message = format!("{what} was stopped; what it had done stays done");
            running.failure = Some(Failure { kind: "cancelled".into(), message, hint: None });
        }
    }

    /// Ways to go on at `cursor` \[bytes\] in `line`.
    pub fn complete(&self, line: &str, cursor: usize) -> Vec<Completion> {
        complete::complete(&self.session, line, cursor)
    }

    fn take_lines(&mut self) -> Vec<OutputLine> {
        std::mem::take(&mut self.session.lines)
    }
}

/// Hands over what the log holds in memory, at the end of a command; says why it could not, unless
/// the command that made the database read-only has said it already.
fn write_out(session: &Session) -> Option<Failure> {
    let error = session.database()?.write_out().err()?;
    (error.kind() != ErrorKind::ReadOnly).then(|| error.into())
}

impl Running {
    /// Does one unit.
    fn slice(&mut self, session: &mut Session) -> Slice {
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
            return match self.begin(&statement) {
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
            Ok(Turn::Blocked(file)) => Slice::Blocked(file),
            Ok(Turn::Done(result)) => {
                self.results.push(result);
                self.task = None;
                match write_out(session) {
                    Some(failure) => self.fail(failure),
                    None => self.finish_leftovers(session),
                }
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
                        session.say(OutputLine::note(format!(
                            "{}: background work is done first.",
                            crate::text::printable(&error.to_string())
                        )));
                    }
                    self.relief = Relief::Stepping;
                    return Slice::More;
                }
                self.fail(error.into())
            }
        }
    }

    fn begin(&mut self, statement: &Statement) -> std::result::Result<Box<dyn Task>, Failure> {
        self.relief = Relief::None;
        let typed = statement.words().next().map(|word| word.bytes.as_slice()).unwrap_or_default();
        let name = std::str::from_utf8(typed).ok();
        let verb = name.and_then(verbs::find).ok_or_else(|| verbs::unknown(typed))?;
        verb.name.clone_into(&mut self.label);
        (verb.start)(&Args::new(verb, statement)?, statement)
    }

    /// Where the host wants slices, inline work follows the step that made it.
    fn finish_leftovers(&mut self, session: &Session) -> Slice {
        if session.has_leftovers() {
            self.relief = Relief::Finishing;
        }
        Slice::More
    }

    /// Steps the jobs that a stalled write waits for, or that inline maintenance has left over.
    fn relieve(&mut self, session: &mut Session) -> Slice {
        let step = match session.db() {
            Ok(db) => db.step(Budget::Phase),
            Err(Stop::Engine(error)) => Err(error),
            Err(Stop::Failed(failure)) => return self.fail(failure),
        };
        match step {
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

    fn fail(&mut self, mut failure: Failure) -> Slice {
        let left = self.waiting.len() as u64;
        if left > 0 {
            let not_run = format!("{} behind it not run", crate::text::counted(left, "command"));
            failure.hint = Some(match failure.hint {
                Some(hint) => format!("{hint}; {not_run}"),
                None => not_run,
            });
        }
        self.failure = Some(failure);
        Slice::End
    }

    fn response(mut self, lines: Vec<OutputLine>) -> Response {
        let result = if self.several {
            Value::Array(self.results)
        } else {
            self.results.pop().unwrap_or(Value::Null)
        };
        Response { lines, result, error: self.failure }
    }
}
