//! The threads that run one benchmark at once.
//!
//! Each thread has a run of its own and takes its own time. Between two units all of them wait for one
//! another, so that every host can stop. This waiting counts in the time by the clock, but in no thread's time.

use super::database::BenchDatabase;
use super::histogram::Histogram;
use super::run::{Clock, GROUP, Run};
use super::settings::Settings;
use super::suite::Benchmark;
use crate::output::Failure;
use crate::result::BenchResult;
use crate::session::Stop;
use levelscope::{Db, Result};

/// Operations of one unit of each thread: enough to make the cost of starting threads negligible.
const SHARE: u64 = 64 * GROUP;

/// One benchmark, run by one thread or by several.
pub(super) struct Team {
    first: Run,
    others: Vec<Run>,
    /// Time by the clock of the units of several threads \[ns\].
    elapsed: u64,
}

impl Team {
    /// Gets ready as the benchmark with this `number` of the command.
    ///
    /// # Errors
    /// Those of making an iterator.
    pub(super) fn new(
        benchmark: &'static Benchmark,
        settings: &Settings,
        place: &BenchDatabase,
        number: u64,
    ) -> Result<Self> {
        let run = |thread| Run::new(benchmark, settings, place, number | thread << 16);
        let others = (1..settings.threads).map(run).collect::<Result<_>>()?;
        Ok(Self { first: run(0)?, others, elapsed: 0 })
    }

    fn runs(&self) -> impl Iterator<Item = &Run> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Operations done, and in all.
    pub(super) fn position(&self) -> (u64, Option<u64>) {
        let (done, all) = self
            .runs()
            .map(Run::position)
            .fold((0, 0), |(done, all), run| (done + run.0, all + run.1));
        (done, Some(all))
    }

    /// Does a unit; whether the benchmark is over.
    ///
    /// # Errors
    /// Those of the engine; a thread could not be started.
    pub(super) fn step(
        &mut self,
        place: &mut BenchDatabase,
        settings: &Settings,
        clock: Clock<'_>,
    ) -> std::result::Result<bool, Stop> {
        if self.others.is_empty() {
            return Ok(self.first.step(place, settings, clock)?);
        }
        let start = clock();
        let runs = std::iter::once(&mut self.first).chain(&mut self.others);
        let over = side_by_side(runs, place.database()?, settings, clock)?;
        self.elapsed += clock().saturating_sub(start);
        Ok(over)
    }

    /// The figures of all threads.
    pub(super) fn result(&self) -> BenchResult {
        let mut all = self.first.result();
        for one in self.others.iter().map(Run::result) {
            all.operations += one.operations;
            all.nanos += one.nanos;
            all.bytes += one.bytes;
            all.found = all.found.zip(one.found).map(|(some, more)| some + more);
            all.comparisons = all.comparisons.zip(one.comparisons).map(|(some, more)| some + more);
        }
        all.threads = 1 + self.others.len() as u64;
        all.elapsed_nanos = if self.others.is_empty() { all.nanos } else { self.elapsed };
        all
    }

    /// How long single operations of all threads took.
    pub(super) fn histogram(&self) -> Histogram {
        let mut all = Histogram::default();
        for run in self.runs() {
            all.merge(run.histogram());
        }
        all
    }
}

/// A share of operations in a thread for each of `runs`; whether all are over.
fn side_by_side<'a>(
    runs: impl Iterator<Item = &'a mut Run>,
    db: &Db,
    settings: &Settings,
    clock: Clock<'_>,
) -> std::result::Result<bool, Stop> {
    let outcomes = std::thread::scope(|scope| {
        let threads = runs.map(|run| {
            let work = move || run.operations_of(db, settings, clock, SHARE);
            std::thread::Builder::new().spawn_scoped(scope, work)
        });
        // All are started before the first one is waited for.
        let threads: Vec<_> = threads.collect();
        let ended =
            threads.into_iter().map(|thread| thread.map(std::thread::ScopedJoinHandle::join));
        ended.collect::<Vec<_>>()
    });
    let mut over = true;
    for outcome in outcomes {
        match outcome {
            Ok(Ok(done)) => over &= done?,
            Ok(Err(_)) => return Err(Failure::new("io", "a thread of the benchmark failed").into()),
            Err(error) => {
                let message = format!("a thread cannot be started: {error}");
                return Err(Failure::new("io", message).into());
            }
        }
    }
    Ok(over)
}
