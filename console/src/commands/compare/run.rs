//! One side of a comparison: commands on an engine of its own, and its figures on the way.

use super::measure::Measuring;
use crate::history::{Image, Input, Journal, Step};
use crate::output::{Failure, Progress};
use crate::result::{CompareMoment, CompareOption, CompareOutcome, CompareSide};
use crate::session::{Replica, Session};
use levelscope::storage::MemoryStorage;
use levelscope::{Db, Error, Options};
use std::sync::Arc;

/// Figures that are kept besides those at the ends of commands.
const MOMENTS_MAX: usize = 2048;

/// An engine that runs the commands.
pub(super) struct Runner {
    /// The side, as it was typed.
    pub(super) title: String,
    /// The last step of each command that has run, and why it failed.
    pub(super) ends: Vec<Step>,
    pub(super) failures: Vec<Option<String>>,
    options: Options,
    replica: Replica,
    journal: Journal,
    opened: Option<Step>,
    /// How far the command at work is; `None`: none is.
    at_work: Option<(u64, Option<u64>)>,
    moments: Moments,
}

impl Runner {
    /// An engine on an empty disk in memory; the first unit opens it.
    pub(super) fn new(session: &Session, title: String, options: Options) -> Self {
        let journal = Journal::new(Image::of(&MemoryStorage::new()), 0, None);
        let replica = Replica::new(session, &journal);
        Self {
            title,
            ends: Vec::new(),
            failures: Vec::new(),
            options,
            replica,
            journal,
            opened: None,
            at_work: None,
            moments: Moments::default(),
        }
    }

    /// Does one unit of `commands`; whether all of them have run.
    ///
    /// # Errors
    /// The database cannot be opened. A command that fails is noted, and the next one runs.
    pub(super) fn step(&mut self, commands: &[Arc<str>]) -> Result<bool, Failure> {
        if self.opened.is_none() {
            self.replica.console.open(self.options.clone())?;
            let step = self.steps();
            self.journal.push(Input::Open(Box::new(self.options.clone())), step);
            self.opened = Some(step);
            self.note(true);
            return Ok(false);
        }
        let Some(text) = commands.get(self.ends.len()) else { return Ok(true) };
        if self.at_work.is_none() {
            self.replica.console.start(text);
        }
        match self.replica.console.advance(1) {
            Progress::More { done, total, .. } => {
                self.at_work = Some((done, total));
                self.note(false);
            }
            Progress::Blocked(file, _) => return Err(Error::would_block(file).into()),
            Progress::Done(response) => {
                self.end(text, response.error.map(|failure| failure.message));
            }
            Progress::Idle => self.end(text, None),
        }
        Ok(false)
    }

    fn end(&mut self, text: &Arc<str>, failure: Option<String>) {
        let step = self.steps();
        self.journal.push(Input::Line { text: Arc::clone(text), stopped: None }, step);
        self.ends.push(step);
        self.failures.push(failure);
        self.at_work = None;
        self.note(true);
    }

    fn note(&mut self, end: bool) {
        let step = self.steps();
        if let Some(db) = self.replica.console.session().database() {
            self.moments.note(step, end, || moment(step, db));
        }
    }

    /// Its last step.
    pub(super) fn steps(&self) -> Step {
        self.replica.console.session().tape.step()
    }

    /// Its options.
    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    /// Hundredths of `count` commands that have run.
    pub(super) fn percent(&self, count: usize) -> u64 {
        let part = match self.at_work {
            Some((done, Some(total))) if total > 0 => done.min(total) * 100 / total,
            _ => 0,
        };
        (self.ends.len() as u64 * 100 + part) / (count as u64).max(1)
    }

    /// Begins to measure a copy of its files.
    ///
    /// # Errors
    /// Those of opening the copy.
    pub(super) fn measure(&self) -> Result<Measuring, Failure> {
        let session = self.replica.console.session();
        let Some(db) = session.database() else {
            return Err(crate::history::unavailable("no database is open on one of the sides"));
        };
        let disk = self.replica.disk.fork();
        Ok(Measuring::new(disk, &self.options, (db.stats(), db.view()))?)
    }

    /// Becomes a branch of `session`, which stays where it is.
    pub(super) fn adopt(
        self,
        session: &mut Session,
        options: Vec<CompareOption>,
        outcome: CompareOutcome,
    ) -> CompareSide {
        let steps = self.steps();
        let Replica { console, disk, .. } = self.replica;
        let view = console.session().view();
        console.session().tape.attach(session.outside());
        let own = console.into_session().into_workspace(disk, self.journal);
        let name = crate::text::printable(&self.title);
        let branch = session.add_branch(&name, None, own);
        CompareSide {
            title: self.title,
            branch,
            name: format!("{name} {branch}"),
            options,
            opened: self.opened.unwrap_or_default(),
            steps,
            moments: self.moments.list.into_iter().map(|(moment, _)| moment).collect(),
            view,
            outcome,
        }
    }
}

fn moment(step: Step, db: &Db) -> CompareMoment {
    let (stats, view) = (db.stats(), db.view());
    CompareMoment {
        step,
        user_bytes: stats.user_bytes,
        written_bytes: stats.wal_bytes + stats.flush_bytes + stats.compaction_write_bytes,
        tables: view.levels.iter().map(|level| level.tables.len() as u64).sum(),
        table_bytes: stats.table_bytes,
        runs: view.levels.iter().map(|level| level.score.runs as u64).sum(),
    }
}

/// Figures by step: those at the ends of commands, and some in between.
struct Moments {
    /// Each with whether it is at an end.
    list: Vec<(CompareMoment, bool)>,
    /// One of so many steps is kept in between.
    apart: Step,
}

impl Default for Moments {
    fn default() -> Self {
        Self { list: Vec::new(), apart: 1 }
    }
}

impl Moments {
    fn note(&mut self, step: Step, end: bool, figures: impl FnOnce() -> CompareMoment) {
        let last = self.list.last().map(|(moment, _)| moment.step);
        if !end && last.is_some_and(|last| last / self.apart == step / self.apart) {
            return;
        }
        if last == Some(step) {
            self.list.pop();
        }
        self.list.push((figures(), end));
        if !end && self.list.iter().filter(|(_, end)| !end).count() > MOMENTS_MAX {
            self.thin();
        }
    }

    /// Keeps every second one of those in between.
    fn thin(&mut self) {
        self.apart *= 2;
        let (apart, mut before) = (self.apart, None);
        self.list.retain(|(moment, end)| {
            let part = Some(moment.step / apart);
            let keep = *end || part != before;
            before = part;
            keep
        });
    }
}
