//! Experiments at work, in this program or in a module of the host; `lab` drives them unit by unit.

mod print;

pub(crate) use print::list;

use crate::output::{Failure, Json, OutputLine};
use crate::text::word;
use levelscope_labs::{Experiment, LabReport, Refused, begin};
pub use levelscope_labs::{Scratch, Settings, Surroundings};
use std::fmt::Write as _;

/// How a unit of an experiment ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// There is more to do.
    More,
    /// The host was asked to do something before the next one.
    Waits,
    /// That was the last one.
    Done,
}

/// The report of an experiment.
#[derive(Debug)]
pub struct Reported {
    /// As the terminal prints it.
    pub lines: Vec<OutputLine>,
    /// As programs get it: a [`LabReport`].
    pub report: Json,
}

/// An experiment at work.
pub trait Running: Send {
    /// Does one unit.
    ///
    /// # Errors
    /// The experiment makes no sense with its settings; those of the engine, and of the place where files are made.
    fn step(&mut self, around: &dyn Surroundings) -> Result<Unit, Failure>;

    /// Units done, and units in all if that is known.
    fn position(&self) -> (u64, Option<u64>);

    /// Its findings, or a note that it was `stopped`; `None` where it had not begun.
    fn report(&mut self, stopped: bool) -> Option<Reported>;
}

/// Begins an experiment in this program; `csv`: only tables are printed.
///
/// # Errors
/// When `settings` make no sense to it.
pub fn begin_here(settings: &Settings, csv: bool) -> Result<Box<dyn Running>, Failure> {
    let experiment = begin(settings)?;
    let report = LabReport::new(settings, &command(settings));
    Ok(Box::new(Here { experiment, report, csv }))
}

struct Here {
    experiment: Box<dyn Experiment>,
    report: LabReport,
    csv: bool,
}

impl Running for Here {
    fn step(&mut self, around: &dyn Surroundings) -> Result<Unit, Failure> {
        let done = self.experiment.step(around)?;
        Ok(if done { Unit::Done } else { Unit::More })
    }

    fn position(&self) -> (u64, Option<u64>) {
        self.experiment.position()
    }

    fn report(&mut self, stopped: bool) -> Option<Reported> {
        let report = &mut self.report;
        report.stopped = stopped;
        if !stopped {
            self.experiment.report(report);
        }
        let lines = if self.csv { print::csv(report) } else { print::text(report) };
        Some(Reported { lines, report: Json::of(report) })
    }
}

/// The command for the same run.
fn command(settings: &Settings) -> String {
    let mut command = format!("lab {}", settings.lab.id);
    for text in &settings.words {
        command.push(' ');
        command.push_str(&word(text.as_bytes()));
    }
    for setting in &settings.numbers {
        let _ = write!(command, " --{} {}", setting.name, setting.value);
    }
    command
}

impl From<Refused> for Failure {
    fn from(Refused { message, hint }: Refused) -> Self {
        Self { hint, ..Self::usage(message) }
    }
}
