//! The console: takes lines, runs them in slices, hands out what was printed.

mod complete;
mod keeping;
mod opening;
mod replay;
mod running;

use crate::commands::{Asking, Query};
use crate::history::{Breakpoint, BreakpointHit, Input, Keeper, Step, Window};
use crate::host::Host;
use crate::language::Condition;
use crate::language::lexer::lex;
use crate::output::{Completion, OutputLine, Progress, Response};
use crate::session::{BranchState, LessonRequest, Session, Stepping, Task};
use crate::time::{Question, WindowTask};
pub use keeping::Resumed;
use levelscope::{Budget, Db, Error, Options, Result, StepOutcome};
pub(crate) use running::CANCELLED;
use running::{Running, Slice};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;

/// A command interpreter around one database.
pub struct Console {
    session: Session,
    running: Option<Running>,
    /// The line that is suspended while a question is answered.
    waiting: replay::Waiting,
    /// Encodes the history for a host that stores it.
    keeper: Option<Keeper>,
}

impl Console {
    /// A console without a database; call [`Console::open`] next.
    pub fn new(host: Box<dyn Host>) -> Self {
        Self::on(host.into())
    }

    /// As [`Console::new`], on a shared host.
    pub fn on(host: Arc<dyn Host>) -> Self {
        Self::around(Session::new(host, replay::interpreter))
    }

    fn around(session: Session) -> Self {
        Self { session, running: None, waiting: replay::Waiting::default(), keeper: None }
    }

    /// Opens the database of the host with `options`; when it is open, closes it first.
    ///
    /// # Errors
    /// Those of [`Db::open`]; after `WouldBlock` the host opens the file and calls again.
    pub fn open(&mut self, options: Options) -> Result<()> {
        self.session.begin(options)
    }

    /// As [`Console::open`], but leaves an empty directory empty: the first command that changes something makes the
    /// database, and commands that only read report that there is none.
    ///
    /// # Errors
    /// Those of [`Console::open`].
    pub fn open_existing(&mut self, options: Options) -> Result<()> {
        self.session.begin_existing(options)
    }

    /// Whether [`Console::open_existing`] found no database and no command has made one since.
    pub fn is_absent(&self) -> bool {
        self.session.is_absent()
    }

    /// Closes the database; what is not flushed stays in its log. A branch in memory ends with its session, which is no
    /// part of its history: the next session brings it back open.
    ///
    /// # Errors
    /// Those of [`Db::close`].
    pub fn close(&mut self) -> Result<()> {
        self.drop_line();
        self.session.close_others()?;
        let was_open = self.db().is_some();
        let closed = self.session.close();
        if was_open && self.db().is_none() && self.session.time.current() == 0 {
            self.session.note(Input::Close);
        }
        closed
    }

    /// The last step of the current branch.
    pub fn steps(&self) -> Step {
        self.session.tape.step()
    }

    /// Does one step of background work, as the page's Play does; it ends early at a breakpoint.
    ///
    /// # Errors
    /// Those of [`Db::step`].
    pub fn step(&mut self, budget: Budget) -> Result<StepOutcome> {
        let mut unit = Stepping::default();
        loop {
            let before = self.session.tape.step();
            let outcome = self.session.work_on_record();
            let after = self.session.tape.step();
            if let Some(hit) = self.session.time.points.take_hit() {
                let mut running = Running::new(String::new(), VecDeque::new(), None);
                running.stop_at(hit, &mut self.session);
                self.running = Some(running);
                return outcome;
            }
            match outcome {
                Ok(StepOutcome::More) if !unit.count(budget, before, after) => {}
                _ => return outcome,
            }
        }
    }

    /// Begins `line` on the state of the current branch at `step`. A replica answers commands that only look. A line
    /// that would change something is refused as a whole, with a failure of the kind `past`.
    pub fn start_at(&mut self, line: &str, step: Step) {
        self.start_quietly(line);
        self.session.time.asked_at = Some(step);
        self.running.iter_mut().for_each(|running| running.refuse_changes(step));
    }

    /// Begins to answer `query`, as of `step` of the current branch, or of now: the result is the answer. It leaves
    /// no trace in the database, and enters no history.
    pub fn start_query(&mut self, query: Query, step: Option<Step>) {
        self.drop_line();
        self.session.lines.clear();
        self.session.time.asked_at = step;
        let moment = self.session.time.moment().filter(|_| !query.is_timeless());
        let task: Box<dyn Task> = Box::new(query);
        let task = match moment {
            Some(_) => Box::new(Question::new(task, moment, false)),
            None => task,
        };
        self.running = Some(Running::of("the question", task, true));
    }

    /// As [`Console::start_query`], to its end.
    pub fn answer(&mut self, query: Query, step: Option<Step>) -> Response {
        self.start_query(query, step);
        self.finish()
    }

    /// Begins to ask whether `condition` holds, where `before` is its earlier value: the result is an
    /// [`crate::result::ExpectResult`], also where it does not hold.
    pub(crate) fn start_condition(&mut self, condition: Condition, before: Option<Value>) {
        match Asking::new(condition, before) {
            Ok(asking) => self.begin("expect", Box::new(asking)),
            Err(failure) => {
                self.drop_line();
                self.running = Some(Running::new(String::new(), VecDeque::new(), Some(failure)));
            }
        }
    }

    /// Begins to replay the events `from` to `to` of a branch, of the current one without a number;
    /// [`Console::take_window`] has them when that is done.
    pub fn start_window(&mut self, branch: Option<usize>, from: Step, to: Step, details: bool) {
        self.begin("replay", Box::new(WindowTask::new(branch, from, to, details)));
    }

    /// The events that were replayed.
    pub fn take_window(&mut self) -> Option<Window> {
        self.session.time.window.take()
    }

    /// Breakpoints that struck since the last call.
    pub fn take_hits(&mut self) -> Vec<BreakpointHit> {
        std::mem::take(&mut self.session.time.hits)
    }

    /// All branches; the second is the number of the current one.
    pub fn branches(&self) -> (Vec<BranchState>, usize) {
        (self.session.branches(), self.session.time.current())
    }

    /// The number of the current branch.
    pub fn branch(&self) -> usize {
        self.session.time.current()
    }

    /// The last line's request to a lesson.
    pub(crate) fn take_lesson_request(&mut self) -> Option<LessonRequest> {
        self.session.asked_lesson.take()
    }

    /// Whether branches changed since the last call, and whether another became the current one.
    pub fn take_branch_changes(&mut self) -> (bool, bool) {
        self.session.time.take_changes()
    }

    /// All breakpoints and crash points.
    pub fn breakpoints(&self) -> Vec<Breakpoint> {
        self.session.time.points.list()
    }

    /// Whether breakpoints were set, deleted or struck since the last call.
    pub fn take_breakpoint_changes(&mut self) -> bool {
        self.session.time.points.take_changed()
    }

    /// Whether a line is at work.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Length of all files of the database, as `files` counts them \[bytes\]; `None` without a database, or
    /// while the host has to open one of them.
    pub fn file_bytes(&self) -> Option<u64> {
        self.session.file_bytes().ok()
    }

    /// A hash of the state: of the view, and of the bytes of every file.
    ///
    /// # Errors
    /// Those of the storage.
    pub fn state_hash(&self) -> Result<u64> {
        self.session.state_hash()
    }

    fn begin(&mut self, label: &str, task: Box<dyn Task>) {
        self.drop_line();
        self.running = Some(Running::of(label, task, false));
    }

    /// Stops the line at work, for good.
    fn drop_line(&mut self) {
        self.session.time.asked_at = None;
        if self.running.is_some() {
            self.cancel();
            self.advance(1);
        }
    }

    /// Whether `exit` ended the last line; a program ends then.
    pub fn has_ended(&self) -> bool {
        self.session.ended
    }

    /// The open database.
    pub fn db(&self) -> Option<&Db> {
        self.session.database()
    }

    /// The transaction of commands that name no transaction: for the prompt.
    pub fn current_transaction(&self) -> Option<u64> {
        self.session.current
    }

    /// The step of the past at which commands look: for the prompt. `None`: now.
    pub fn looks_at(&self) -> Option<Step> {
        self.session.time.looks_at
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

    /// As [`Console::start`], for lines that were not typed: they do not enter the history.
    pub fn start_quietly(&mut self, line: &str) {
        self.drop_line();
        self.session.lines.clear();
        self.session.ended = false;
        let (waiting, failure) = match lex(line) {
            Ok(statements) => (VecDeque::from(statements), None),
            Err(error) => (VecDeque::new(), Some(error.into())),
        };
        self.running = Some(Running::new(line.to_owned(), waiting, failure));
    }

    /// Does at most about `units` operations (puts, entries, phases) of the line at work.
    ///
    /// The log's buffer is written before the end of a command is reported, so that it survives the
    /// death of the program. Never at the end of a slice: events and bytes do not depend on slices.
    pub fn advance(&mut self, units: u32) -> Progress {
        let Some(mut running) = self.running.take() else {
            return Progress::Idle;
        };
        let branch = self.session.time.current();
        let mut turns = false;
        for _ in 0..units.max(1) {
            let slice = running.slice(&mut self.session);
            let breath = matches!(slice, Slice::Breath);
            match slice {
                Slice::More | Slice::Breath => {
                    if self.session.stepping.calls() == 0 {
                        running.units += 1;
                    }
                    if let Some(hit) = self.session.time.points.take_hit() {
                        running.stop_at(hit, &mut self.session);
                    }
                    turns = breath || self.session.time.current() != branch;
                    if turns {
                        break;
                    }
                }
                Slice::Blocked(file) => {
                    self.running = Some(running);
                    return Progress::Blocked(file, self.take_lines());
                }
                Slice::End => {
                    // Work before a failure or a cancellation is kept as well.
                    if let Some(failure) = running.write_out(&self.session) {
                        running.failure.get_or_insert(failure);
                    }
                    running.task = None;
                    running.close_entry(&mut self.session);
                    return Progress::Done(running.response(self.take_lines()));
                }
            }
        }
        let position = running.task.as_ref().map(|task| task.position());
        let (done, total) = position.unwrap_or((0, None));
        let label = running.label.clone();
        self.running = Some(running);
        Progress::More { done, total, label, lines: self.take_lines(), turns }
    }

    /// Runs `line` to its end: for hosts and tests that never have to wait.
    ///
    /// All lines are in the response. It fails if it needs a file that only the host can open.
    pub fn run(&mut self, line: &str) -> Response {
        self.start(line);
        self.finish()
    }

    /// Brings what is at work to its end.
    fn finish(&mut self) -> Response {
        let mut printed = Vec::new();
        loop {
            match self.advance(1024) {
                Progress::Idle => return printed.into(),
                Progress::More { lines, .. } => printed.extend(lines),
                Progress::Blocked(file, lines) => {
                    printed.extend(lines);
                    self.cancel();
                    let error = Some(Error::would_block(file).into());
                    return Response { error, ..printed.into() };
                }
                Progress::Done(mut response) => {
                    printed.append(&mut response.lines);
                    response.lines = printed;
                    return response;
                }
            }
        }
    }

    /// Stops the line at work; the next [`Console::advance`] reports it.
    pub fn cancel(&mut self) {
        if let Some(running) = &mut self.running {
            let here = running.position(&self.session);
            running.cancel(here);
        }
    }

    /// Ways to go on at `cursor` \[bytes\] in `line`.
    ///
    /// Keys are offered only while no line is at work: looking at them is an event.
    pub fn complete(&mut self, line: &str, cursor: usize) -> Vec<Completion> {
        let before = self.steps();
        let items = complete::complete(&self.session, line, cursor, self.running.is_none());
        if self.steps() != before {
            self.session.note(Input::Complete { line: line.into(), cursor });
        }
        items
    }

    fn take_lines(&mut self) -> Vec<OutputLine> {
        std::mem::take(&mut self.session.lines)
    }
}
