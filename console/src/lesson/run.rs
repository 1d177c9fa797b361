//! The runner: one state, and what comes next. The same for a check, a terminal and a page.
//!
//! A lesson becomes a list of acts. Each act types a line into a console or asks conditions of it, one after the other,
//! and then reports the outcome. The caller owns the console: where the lesson wants an empty database, it makes one.

pub(super) mod acts;
pub(super) mod settle;

use super::{Complaint, Item, Lesson, Line, UNITS_MAX, What};
use crate::console::Console;
use crate::language::{Condition, Script};
use crate::output::{Failure, Progress, Response};
use acts::{Act, acts};
use levelscope::Options;
use levelscope::internals::Few;
use levelscope::storage::FileName;
use serde_json::Value;
use std::collections::VecDeque;

/// The state after [`Runner::advance`].
#[derive(Debug)]
pub enum Advance {
    /// There is more to do: call again.
    More,
    /// The host must open this file, then call again.
    Blocked(FileName),
    /// The host must make a console around an empty database with these options, then call again.
    Fresh(Box<Options>),
    /// Something has happened.
    Moment(Moment),
    /// The lesson is over.
    Over,
}

/// Something that has happened.
#[derive(Debug)]
pub struct Moment {
    /// The number of the item, counted as [`Lesson::items`] does.
    pub item: usize,
    /// Its line, from 1.
    pub line: u32,
    /// The event.
    pub what: Happened,
}

/// An event.
#[derive(Debug)]
pub enum Happened {
    /// Prose to be read, or an object to look at.
    Shown,
    /// A question was put.
    Asked,
    /// A line of commands has run.
    Ran(Box<Response>),
    /// A claim was tested.
    Tested,
    /// The engine has answered a question.
    Answered {
        /// The choice that holds, from 0; of a question for a value, none.
        choice: Option<usize>,
        /// The answer, in words.
        words: String,
        /// The answer to a question for a value.
        value: Value,
    },
    /// A task was solved.
    Solved,
}

/// One step of an act.
enum Job {
    Type(String),
    Ask(Condition, Option<Value>),
}

/// Result of a job.
pub(super) struct Outcome {
    value: Value,
    failure: Option<Failure>,
    response: Option<Response>,
}

impl Outcome {
    pub(super) fn of(mut response: Response) -> Self {
        let failure = response.error.clone();
        let value = response.answers.last().map(|answer| answer.value.value()).unwrap_or_default();
        response.lines.clear();
        Self { value, failure, response: Some(response) }
    }

    /// Whether the condition held; what is the case, and whether it could be tested.
    pub(super) fn verdict(&self) -> (bool, String, bool) {
        if let Some(failure) = &self.failure {
            return (false, failure.message.clone(), false);
        }
        let flag = |name| self.value.get(name).and_then(Value::as_bool).unwrap_or(false);
        let sentence = self.value.get("sentence").and_then(Value::as_str).unwrap_or("");
        (flag("holds"), sentence.to_owned(), flag("testable"))
    }

    /// The part of the result that the condition looked at.
    fn part(&self) -> Value {
        self.value.get("value").cloned().unwrap_or_default()
    }
}

/// An act at work.
struct Work {
    act: Act,
    jobs: VecDeque<Job>,
    /// Whether the first of them is at work in the console.
    begun: bool,
    outcomes: Vec<Outcome>,
}

/// A lesson at work.
pub struct Runner {
    items: Vec<Item>,
    acts: VecDeque<Act>,
    work: Option<Work>,
    /// The result of the line that was typed last, and its failure.
    last: (Value, Option<Failure>),
    /// Values when a question was put, by the lines of the conditions that compare them.
    before: Few<u32, Value>,
    complaints: Vec<Complaint>,
    claims: u64,
    units: u64,
}

impl Runner {
    /// A lesson that has not begun: its first console is around an empty database with [`Lesson::options`].
    pub fn new(lesson: &Lesson) -> Self {
        let acts = acts(lesson);
        Self {
            items: lesson.items().cloned().collect(),
            acts,
            work: None,
            last: (Value::Null, None),
            before: Few::new(),
            complaints: Vec::new(),
            claims: 0,
            units: 0,
        }
    }

    /// The contradicted claims so far; each is reported once.
    pub fn take_complaints(&mut self) -> Vec<Complaint> {
        std::mem::take(&mut self.complaints)
    }

    /// The act that comes next.
    pub(super) fn next_act(&self) -> Option<&Act> {
        self.acts.front()
    }

    /// Whether an act has begun.
    pub(super) fn is_at_work(&self) -> bool {
        self.work.is_some()
    }

    /// Leaves out the next `count` acts.
    pub(super) fn skip(&mut self, count: usize) {
        self.acts.drain(..count.min(self.acts.len()));
    }

    /// The line that comes next has been typed elsewhere, with this `response`.
    pub(super) fn has_typed(&mut self, response: Response, console: &Console) -> Option<Moment> {
        let act = self.acts.pop_front()?;
        let outcomes = vec![Outcome::of(response)];
        Some(self.settle(&act, outcomes, console))
    }

    /// The learner has typed a line of their own for a task, with this `response`.
    pub(super) fn has_tried(&mut self, response: Response) {
        let outcome = Outcome::of(response);
        self.last = (outcome.value, outcome.failure);
    }

    /// The value of a condition, by its line, when the task began.
    pub(super) fn before(&self, line: Line) -> Option<Value> {
        self.before.get(&line.0).cloned()
    }

    /// Claims that were tested.
    pub fn claims(&self) -> u64 {
        self.claims
    }

    /// Goes on, with at most about `units` operations of a command.
    pub fn advance(&mut self, console: &mut Console, units: u32) -> Advance {
        let mut work = if let Some(work) = self.work.take() {
            work
        } else {
            let Some(act) = self.acts.pop_front() else { return Advance::Over };
            if let Act::Fresh(_, options) = act {
                self.last = (Value::Null, None);
                return Advance::Fresh(options);
            }
            let jobs = self.jobs(&act, console);
            Work { act, jobs, begun: false, outcomes: Vec::new() }
        };
        let Some(job) = work.jobs.front() else {
            return Advance::Moment(self.settle(&work.act, work.outcomes, console));
        };
        if !work.begun {
            match job {
                Job::Type(line) => console.start_quietly(line),
                Job::Ask(condition, before) => {
                    console.start_condition(condition.clone(), before.clone());
                }
            }
            work.begun = true;
        }
        let over = match console.advance(units) {
            Progress::Done(response) => Some(response),
            Progress::Idle => Some(Response::default()),
            Progress::More { .. } => {
                self.units = self.units.saturating_add(u64::from(units));
                None
            }
            Progress::Blocked(file, _) => {
                self.work = Some(work);
                return Advance::Blocked(file);
            }
        };
        if let Some(response) = over {
            work.jobs.pop_front();
            work.begun = false;
            work.outcomes.push(Outcome::of(response));
        } else if let Some(message) = self.too_much(console) {
            console.cancel();
            self.wrong(self.line(&work.act), message);
            (self.acts, self.work) = (VecDeque::new(), None);
            return Advance::Over;
        }
        self.work = Some(work);
        Advance::More
    }

    /// Why it goes no further.
    fn too_much(&self, console: &Console) -> Option<String> {
        if self.units > UNITS_MAX {
            let most = crate::text::count(UNITS_MAX);
            return Some(format!("more than {most} units of work are needed up to here"));
        }
        let most = Script::FILE_BYTES_MAX;
        let is_large = console.file_bytes().is_some_and(|bytes| bytes > most);
        let most = crate::text::size(most);
        is_large.then(|| {
            format!("the files have more than {most} here, and a lesson has no room for more")
        })
    }

    fn wrong(&mut self, line: Line, message: impl Into<String>) {
        self.complaints.push(Complaint::new(line, message));
    }

    /// The item with this number.
    fn what(&self, item: usize) -> Option<&What> {
        self.items.get(item).map(|item| &item.what)
    }

    /// Where the item of `act` begins.
    fn line(&self, act: &Act) -> Line {
        self.items.get(act.item()).map(|item| item.line).unwrap_or_default()
    }
}
