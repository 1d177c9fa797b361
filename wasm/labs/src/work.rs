//! An experiment at work: JSON in and out.

use levelscope::Error;
use levelscope_console::Failure;
use levelscope_console::experiments::{Running, Scratch, Settings, Surroundings, Unit, begin_here};

/// How a unit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// There is more to do.
    More,
    /// That was the last one.
    Done,
    /// It failed; [`Lab::failure`] returns the reason.
    Failed,
}

/// The surroundings of an experiment in the worker: its clock, and files in memory.
struct Worker {
    nanos: fn() -> u64,
}

impl Surroundings for Worker {
    fn clock_nanos(&self) -> Option<u64> {
        Some((self.nanos)())
    }

    fn scratch(&self) -> levelscope::Result<Scratch> {
        Ok(Scratch::memory())
    }
}

/// One experiment.
pub struct Lab {
    running: Result<Box<dyn Running>, Failure>,
    worker: Worker,
}

impl Lab {
    /// Begins the experiment that `settings` describe: a list of its id, its numbers, its words, and whether only tables are
    /// printed. `nanos` is the clock.
    pub fn begin(settings: &str, nanos: fn() -> u64) -> Self {
        Self { running: read(settings), worker: Worker { nanos } }
    }

    /// Does one unit.
    pub fn step(&mut self) -> State {
        let Ok(running) = &mut self.running else { return State::Failed };
        match running.step(&self.worker) {
            Ok(Unit::Done) => State::Done,
            Ok(_) => State::More,
            Err(failure) => {
                self.running = Err(failure);
                State::Failed
            }
        }
    }

    /// Units done, and units in all if that is known.
    pub fn position(&self) -> (u64, Option<u64>) {
        self.running.as_ref().map_or((0, None), |running| running.position())
    }

    /// The lines and the report, as a list; `stopped`: before it has a result.
    pub fn report(&mut self, stopped: bool) -> Option<String> {
        let reported = self.running.as_mut().ok()?.report(stopped)?;
        serde_json::to_string(&(reported.lines, reported.report)).ok()
    }

    /// Why it failed: the kind, the message and the hint, as a list.
    pub fn failure(&self) -> Option<String> {
        let Failure { kind, message, hint } = self.running.as_ref().err()?;
        serde_json::to_string(&(kind, message, hint)).ok()
    }
}

fn read(settings: &str) -> Result<Box<dyn Running>, Failure> {
    let wrong = |error: serde_json::Error| Failure::from(Error::invalid(error.to_string()));
    let (id, numbers, words, csv): (String, Vec<u64>, Vec<String>, bool) =
        serde_json::from_str(settings).map_err(wrong)?;
    let unknown = || Failure::usage(format!("there is no experiment {id}"));
    begin_here(&Settings::of(&id, &numbers, words).ok_or_else(unknown)?, csv)
}
