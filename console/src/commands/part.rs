//! The part of the program that the page fetches after the engine is ready: files of other programs, experiments,
//! lessons, and all that no first visit runs.
//!
//! `wasm/wbg` divides the module; memory, stack and functions are shared, so that nothing is copied or translated
//! between the two. A function that is missing fetches its part by itself, but the engine stands still meanwhile, and
//! is lost if the part does not come. A command that is known to need it therefore asks first, and answers `absent`.
//! Everywhere else the part is always there.

use super::{Command, REST};
use crate::language::Args;
use crate::language::lexer::Statement;
use crate::output::{Answer, Failure};
use crate::session::{Session, Stop, Task, Turn};
use crate::shelf::Foreign;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes the task of one command, or says how to use the verb.
pub(super) type Start = fn(&Args, &Statement) -> Result<Box<dyn Task>, Failure>;

/// All that the first part may call of the second one.
pub(crate) struct Rest {
    pub(crate) open: Start,
    pub(crate) close: Start,
    pub(crate) entries: Start,
    pub(crate) lookup: Start,
    pub(crate) import: Start,
    pub(crate) export: Start,
    pub(crate) convert: Start,
    pub(crate) kvdb: Start,
    pub(crate) lab: Start,
    pub(crate) compare: Start,
    pub(crate) expect: Start,
    pub(crate) until: Start,
    pub(crate) share: Start,
    /// Opens files that the host has read.
    pub(crate) open_files: fn(Vec<Foreign>) -> Box<dyn Task>,
}

/// Whether the host has yet to fetch the second part.
static IS_AWAITED: AtomicBool = AtomicBool::new(false);

/// Says whether the second part of the program has yet to be fetched; without a call it is there.
pub fn await_part(is_awaited: bool) {
    IS_AWAITED.store(is_awaited, Ordering::Relaxed);
}

/// Whether the second part is there.
pub(crate) fn is_there() -> bool {
    !IS_AWAITED.load(Ordering::Relaxed)
}

/// What the second part has for the first one; `None`: the host has not fetched it yet.
pub(crate) fn there<Part>(part: &'static Part) -> Option<&'static Part> {
    is_there().then_some(part)
}

/// Verbs whose code the first part has, as far as a first visit uses it (`wasm/first-visit.txt`).
const FIRST: &[&str] = &["put", "get", "del", "scan", "fill", "step", "run", "mem", "now"];

/// The task of a command; one whose code the host may have to fetch waits for it.
pub(crate) fn begin(
    command: &Command,
    args: &Args,
    statement: &Statement,
) -> Result<Box<dyn Task>, Failure> {
    if FIRST.contains(&command.verb.name) || is_there() {
        return (command.start)(args, statement);
    }
    let start = command.start;
    let (args, statement) = (args.clone(), statement.clone());
    Ok(once_there(move |_| start(&args, &statement)))
}

/// A command of the second part.
pub(super) fn later(
    command: fn(&Rest) -> Start,
    args: &Args,
    statement: &Statement,
) -> Box<dyn Task> {
    let (args, statement) = (args.clone(), statement.clone());
    once_there(move |rest| command(rest)(&args, &statement))
}

/// The task that `begin` makes, once the second part is there.
pub(crate) fn once_there(
    begin: impl FnOnce(&Rest) -> Result<Box<dyn Task>, Failure> + Send + 'static,
) -> Box<dyn Task> {
    Box::new(Later { begin: Some(Box::new(begin)), task: None })
}

type Begin = Box<dyn FnOnce(&Rest) -> Result<Box<dyn Task>, Failure> + Send>;

/// A task whose code may have to be fetched first.
struct Later {
    begin: Option<Begin>,
    task: Option<Box<dyn Task>>,
}

impl Task for Later {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        if self.begin.is_some() {
            let Some(rest) = there(&REST) else { return Ok(Turn::Absent) };
            self.task = self.begin.take().map(|begin| begin(rest)).transpose()?;
        }
        match &mut self.task {
            Some(task) => task.step(session),
            None => Ok(Turn::Done(Value::Null.into())),
        }
    }

    fn position(&self) -> (u64, Option<u64>) {
        self.task.as_ref().map_or((0, None), |task| task.position())
    }

    fn stopped(&mut self) -> Option<(String, Answer)> {
        self.task.as_mut()?.stopped()
    }
}
