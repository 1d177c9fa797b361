//! One database that is written, settled and read, with its outcome: the real engine, in memory.
//!
//! Background work is done as soon as it is due, a phase a unit: on every host the same files.

use super::report::{LabReport, ratio};
use super::{Experiment, Settings};
use crate::Surroundings;
use crate::generate::Random;
use crate::settling::FullCompaction;
use levelscope::Result;
use levelscope::storage::MemoryStorage;
use levelscope::view::View;
use levelscope::{
    Budget, Db, Maintenance, Options, ReadPath, ReadStop, Stats, StepOutcome, WalSync,
};
use std::collections::VecDeque;
use std::sync::Arc;

/// Writes or reads of one unit.
const GROUP: u64 = 64;

/// In which order keys are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writes {
    /// Ascending, each once.
    Ascending,
    /// Drawn one by one: some come twice, some never.
    Drawn,
}

/// The workload of a database.
#[derive(Debug, Clone)]
pub(super) struct Workload {
    pub(super) writes: Writes,
    /// Writes, deletes included.
    pub(super) records: u64,
    /// Different keys that they are about.
    pub(super) keys: u64,
    /// Length of each value \[bytes\].
    pub(super) value_bytes: usize,
    /// How many of a hundred writes delete.
    pub(super) deletes: u64,
    /// Whether everything is brought into the deepest level then.
    pub(super) compacts: bool,
    /// Tables that are flushed on top of that, each with a tenth of as many writes.
    pub(super) overlays: u64,
    /// Keys that are looked up at the end.
    pub(super) reads: u64,
    /// Points of the timeline; 0: none.
    pub(super) points: u64,
    /// Whether a full compaction at the very end measures the live data.
    pub(super) measures_live: bool,
    pub(super) seed: u64,
}

impl Workload {
    /// Writes of `settings`, each of another key, and reads.
    pub(super) fn of(settings: &Settings, writes: Writes, value_bytes: usize) -> Self {
        let (records, reads) = (settings.number("records"), settings.number("reads"));
        Self {
            writes,
            records,
            keys: records,
            value_bytes,
            deletes: 0,
            compacts: false,
            overlays: 0,
            reads,
            points: 0,
            measures_live: false,
            seed: settings.number("seed"),
        }
    }
}

/// The state of the database after some of its writes.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) writes: u64,
    pub(super) stats: Stats,
    pub(super) tables: u64,
}

/// The outcome of one workload.
#[derive(Debug, Clone, Default)]
pub(super) struct Outcome {
    /// Its state before the reads.
    pub(super) view: View,
    /// Its figures before the reads.
    pub(super) stats: Stats,
    pub(super) points: Vec<Point>,
    /// Reads, and their costs.
    pub(super) reads: u64,
    pub(super) found: u64,
    pub(super) searched: u64,
    pub(super) filtered: u64,
    pub(super) blocks: u64,
    pub(super) comparisons: u64,
    /// Time of all writes with the work that they caused \[ns\].
    pub(super) write_nanos: u64,
    /// Time of all reads \[ns\].
    pub(super) read_nanos: u64,
    pub(super) writes: u64,
    /// Bytes of all tables after a full compaction; 0 when that was not measured.
    pub(super) live_bytes: u64,
}

impl Outcome {
    /// Bytes of all tables before the reads ÷ bytes of the live data; none without live data.
    pub(super) fn space_amplification(&self) -> Option<f64> {
        (self.live_bytes > 0).then(|| ratio(self.stats.table_bytes, self.live_bytes))
    }

    /// Tables of all levels.
    pub(super) fn tables(&self) -> u64 {
        tables(&self.view)
    }

    /// Tables of L0.
    pub(super) fn recent_tables(&self) -> u64 {
        self.view.levels.first().map_or(0, |level| level.tables.len() as u64)
    }

    /// Levels that have tables.
    pub(super) fn levels(&self) -> u64 {
        self.view.levels.iter().filter(|level| !level.tables.is_empty()).count() as u64
    }

    /// `part` of each read.
    pub(super) fn each_read(&self, part: u64) -> f64 {
        ratio(part, self.reads)
    }

    /// Time of one read \[µs\].
    pub(super) fn read_micros(&self) -> f64 {
        ratio(self.read_nanos, self.reads) / 1000.0
    }

    /// Time of one write \[µs\].
    pub(super) fn write_micros(&self) -> f64 {
        ratio(self.write_nanos, self.writes) / 1000.0
    }
}

fn tables(view: &View) -> u64 {
    view.levels.iter().map(|level| level.tables.len() as u64).sum()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Write,
    Compact(u8),
    Overlay(u64),
    Time,
    Count,
    Live,
}

/// One database at work.
pub(super) struct Trial {
    workload: Workload,
    db: Db,
    stage: Stage,
    done: u64,
    random: Random,
    value: Vec<u8>,
    outcome: Outcome,
    full: FullCompaction,
}

impl Trial {
    fn new(mut options: Options, workload: Workload) -> Result<Self> {
        options.maintenance = Maintenance::Manual;
        options.wal_sync = WalSync::None;
        let db = Db::builder().options(options).open_in(Arc::new(MemoryStorage::default()))?;
        let random = Random::new(workload.seed);
        let (stage, outcome) = (Stage::Write, Outcome::default());
        let full = FullCompaction::default();
        Ok(Self { workload, db, stage, done: 0, random, value: Vec::new(), outcome, full })
    }

    /// Does one unit; whether that was the last one.
    fn step(&mut self, clock: &dyn Fn() -> u64) -> Result<bool> {
        let start = clock();
        let is_write = matches!(self.stage, Stage::Write | Stage::Overlay(_));
        if self.db.has_work() && self.db.step(Budget::Phase)? != StepOutcome::Idle {
            self.outcome.write_nanos += if is_write { clock().saturating_sub(start) } else { 0 };
            return Ok(false);
        }
        match self.stage {
            Stage::Write => {
                self.write(self.workload.records, true)?;
                self.outcome.write_nanos += clock().saturating_sub(start);
                if self.done == self.workload.records {
                    (self.stage, self.done) = (Stage::Compact(0), 0);
                }
            }
            Stage::Compact(asked) => self.settle(asked)?,
            Stage::Overlay(number) if number == self.workload.overlays => {
                (self.outcome.view, self.outcome.stats) = (self.db.view(), self.db.stats());
                self.stage = Stage::Time;
                self.start_reads();
            }
            Stage::Overlay(number) => {
                let count = self.workload.records / 10;
                self.write(count, false)?;
                if self.done >= count {
                    self.db.request_flush()?;
                    (self.stage, self.done) = (Stage::Overlay(number + 1), 0);
                }
            }
            Stage::Time | Stage::Count => return self.read(clock),
            Stage::Live => {
                if !self.full.step(&self.db)? {
                    return Ok(false);
                }
                self.outcome.live_bytes = self.db.stats().table_bytes;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Some writes of a whole of `count`, until there is work or time to breathe.
    fn write(&mut self, count: u64, sampled: bool) -> Result<()> {
        let end = (self.done + GROUP).min(count);
        while self.done < end && !self.db.has_work() {
            let number = match self.workload.writes {
                // The tables on top overlap all others.
                Writes::Ascending if sampled => self.done,
                _ => self.random.next() % self.workload.keys.max(1),
            };
            let key = key(number);
            if self.workload.deletes > 0 && self.random.next() % 100 < self.workload.deletes {
                self.db.delete(&key)?;
            } else {
                fill(&mut self.value, self.workload.value_bytes, &mut self.random);
                self.db.put(&key, &self.value)?;
            }
            self.done += 1;
            self.outcome.writes += 1;
            let every = self.workload.records / self.workload.points.max(1);
            if sampled && self.workload.points > 0 && self.done.is_multiple_of(every.max(1)) {
                let (stats, tables) = (self.db.stats(), tables(&self.db.view()));
                self.outcome.points.push(Point { writes: self.done, stats, tables });
            }
        }
        Ok(())
    }

    /// Requests the last flush, and the compaction if the workload has one; the following units do them.
    fn settle(&mut self, asked: u8) -> Result<()> {
        match asked {
            0 => self.db.request_flush().map(|_| ())?,
            1 if self.workload.compacts => self.db.request_compaction(None).map(|_| ())?,
            _ => {}
        }
        self.stage = if asked < 2 { Stage::Compact(asked + 1) } else { Stage::Overlay(0) };
        Ok(())
    }

    fn start_reads(&mut self) {
        self.done = 0;
        self.random = Random::new(self.workload.seed ^ 0x5eed);
    }

    /// Some reads: first with a look at the clock, then the same ones with a look at their ways.
    fn read(&mut self, clock: &dyn Fn() -> u64) -> Result<bool> {
        let end = (self.done + GROUP).min(self.workload.reads);
        let keys: Vec<Vec<u8>> =
            (self.done..end).map(|_| key(self.random.next() % self.workload.keys.max(1))).collect();
        if self.stage == Stage::Time {
            let start = clock();
            for key in &keys {
                self.db.get(key)?;
            }
            self.outcome.read_nanos += clock().saturating_sub(start);
        } else {
            for key in &keys {
                let (value, path) = self.db.explain_get(key, None)?;
                self.outcome.found += u64::from(value.is_some());
                self.outcome.reads += 1;
                self.outcome.count(&path);
            }
        }
        self.done = end;
        if end < self.workload.reads {
            return Ok(false);
        }
        let counted = self.stage == Stage::Count;
        self.stage = if counted { Stage::Live } else { Stage::Count };
        self.start_reads();
        Ok(counted && !self.workload.measures_live)
    }
}

impl Outcome {
    fn count(&mut self, path: &ReadPath) {
        for stop in &path.stops {
            match stop {
                ReadStop::Memtable { comparisons, .. } => {
                    self.comparisons += u64::from(*comparisons);
                }
                ReadStop::Filtered { .. } => self.filtered += 1,
                ReadStop::Table { blocks, comparisons, .. } => {
                    self.searched += 1;
                    self.blocks += blocks.len() as u64;
                    self.comparisons += u64::from(*comparisons);
                }
                _ => {}
            }
        }
    }
}

/// A key: 16 decimal digits.
fn key(number: u64) -> Vec<u8> {
    format!("{number:016}").into_bytes()
}

/// Letters that no compression makes shorter.
fn fill(value: &mut Vec<u8>, bytes: usize, random: &mut Random) {
    value.clear();
    while value.len() < bytes {
        let drawn = random.next().to_le_bytes();
        value.extend_from_slice(drawn.get(..(bytes - value.len()).min(8)).unwrap_or_default());
    }
}

/// Databases one after the other, and the report on them at the end.
pub(super) struct Trials {
    waiting: VecDeque<(Options, Workload)>,
    running: Option<Trial>,
    outcomes: Vec<Outcome>,
    total: u64,
    report: fn(&[Outcome], &mut LabReport),
}

impl Trials {
    /// A lab of `trials`; `report` gets their outcomes, in their order.
    pub(super) fn begin(
        trials: impl Into<VecDeque<(Options, Workload)>>,
        report: fn(&[Outcome], &mut LabReport),
    ) -> Box<dyn Experiment> {
        let waiting = trials.into();
        let total = waiting.iter().map(|(_, workload)| units(workload)).sum();
        Box::new(Self { waiting, running: None, outcomes: Vec::new(), total, report })
    }
}

/// Writes and reads of one trial.
fn units(workload: &Workload) -> u64 {
    workload.records + 2 * workload.reads
}

impl Experiment for Trials {
    fn step(&mut self, around: &dyn Surroundings) -> Result<bool> {
        let Some(trial) = &mut self.running else {
            let Some((options, workload)) = self.waiting.pop_front() else { return Ok(true) };
            self.running = Some(Trial::new(options, workload)?);
            return Ok(false);
        };
        if trial.step(&|| around.clock_nanos().unwrap_or_default())? {
            self.outcomes.push(std::mem::take(&mut trial.outcome));
            self.running = None;
        }
        Ok(false)
    }

    fn position(&self) -> (u64, Option<u64>) {
        let waiting: u64 = self.waiting.iter().map(|(_, workload)| units(workload)).sum();
        let running = self.running.as_ref().map_or(0, |trial| {
            let reads = trial.workload.reads;
            units(&trial.workload).saturating_sub(match trial.stage {
                Stage::Write => trial.done,
                Stage::Compact(_) | Stage::Overlay(_) => trial.workload.records,
                Stage::Time => trial.workload.records + trial.done,
                Stage::Count => trial.workload.records + reads + trial.done,
                Stage::Live => units(&trial.workload),
            })
        });
        (self.total.saturating_sub(waiting + running), Some(self.total))
    }

    fn report(&mut self, report: &mut LabReport) {
        (self.report)(&self.outcomes, report);
    }
}

/// Options whose sizes stand to the defaults as `records` to `whole`, as far as options allow it.
pub(super) fn scaled(records: u64, whole: u64) -> Options {
    let usual = Options::default();
    let part = |bytes: u64, least: u64| (bytes * records / whole).max(least);
    usual
        .clone()
        .memtable_bytes(usize::try_from(part(usual.memtable_bytes as u64, 4096)).unwrap_or(4096))
        .table_bytes(part(usual.table_bytes, 2048))
        .level_base_bytes(part(usual.level_base_bytes, 10 << 10))
}
