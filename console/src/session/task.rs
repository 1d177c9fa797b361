//! Commands at work: a task does one small unit a call, so that every host can stop in between.

use super::Session;
use crate::output::{Answer, Failure};
use levelscope::storage::FileName;

/// How a unit of work ended.
#[derive(Debug)]
pub(crate) enum Turn {
    /// There is more to do.
    More,
    /// There is more to do, but the host first reports the events so far.
    Breath,
    /// The host must open this file first.
    Blocked(FileName),
    /// The command is done, with this result.
    Done(Answer),
}

/// Why a task cannot go on.
///
/// `WouldBlock` and `Stalled` of the engine are not failures: lines printed by the unit are taken
/// back, the cause is removed, and the same unit runs again. A unit therefore makes its one engine
/// call that can fail before it changes anything of its own.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The engine failed.
    Engine(levelscope::Error),
    /// The command failed.
    Failed(Failure),
}

impl From<levelscope::Error> for Stop {
    fn from(error: levelscope::Error) -> Self {
        Self::Engine(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A command at work.
pub(crate) trait Task: Send {
    /// Does one unit.
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop>;

    /// Units done, and units in all if that is known.
    fn position(&self) -> (u64, Option<u64>) {
        (0, None)
    }

    /// Its work when it is stopped here: the end of a sentence, and its result. `None`: its printed lines
    /// contain all of it.
    fn stopped(&mut self) -> Option<(String, Answer)> {
        None
    }
}

struct Once<F>(F);

impl<F: FnMut(&mut Session) -> Result<Answer, Stop> + Send> Task for Once<F> {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        (self.0)(session).map(Turn::Done)
    }
}

/// A command of a single unit.
pub(crate) fn once(
    run: impl FnMut(&mut Session) -> Result<Answer, Stop> + Send + 'static,
) -> Box<dyn Task> {
    Box::new(Once(run))
}
