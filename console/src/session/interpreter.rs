//! A replica's interface to the console above it: lines that are run slice by slice.

use super::{Session, Task};
use crate::history::{Step, Stopped};
use crate::host::Host;
use crate::output::{Completion, Progress};
use levelscope::{Budget, Options, Result, StepOutcome};
use std::sync::Arc;

/// Makes an interpreter that goes on after `step`, calls no listener and writes no journal.
pub(crate) type NewInterpreter = fn(Arc<dyn Host>, Step) -> Box<dyn Interpreter>;

/// An interpreter of commands around one session.
pub(crate) trait Interpreter: Send {
    /// Opens the database; see [`Session::open`].
    fn open(&mut self, options: Options) -> Result<()>;

    /// Closes the database; entries that are not flushed stay in its log.
    fn close(&mut self) -> Result<()>;

    /// Begins `line`, which enters no history.
    fn start(&mut self, line: &str);

    /// Stops the command at work as soon as it is at `stopped`.
    fn stop_where(&mut self, stopped: Stopped);

    /// How far the command at work is.
    fn position(&self) -> Stopped;

    /// Does at most about `units` operations of the line at work.
    fn advance(&mut self, units: u32) -> Progress;

    /// Stops the line at work; the next [`Interpreter::advance`] reports it.
    fn cancel(&mut self);

    /// Does one step of background work.
    fn step(&mut self, budget: Budget) -> Result<StepOutcome>;

    /// Ways to go on at `cursor` \[bytes\] in `line`; looking at keys is an event.
    fn complete(&mut self, line: &str, cursor: usize) -> Vec<Completion>;

    /// Begins with `task`, whose answer is wanted; the line at work waits until [`Interpreter::answered`].
    fn ask(&mut self, task: Box<dyn Task>);

    /// Goes on with the line that waited.
    fn answered(&mut self);

    /// The session.
    fn session(&self) -> &Session;

    /// The session, to be prepared for a question.
    fn session_mut(&mut self) -> &mut Session;

    /// Takes the session out, for its database to go on as a branch.
    fn into_session(self: Box<Self>) -> Session;
}
