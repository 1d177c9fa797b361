//! The figures of one side at its end, taken from a copy of its files: the branch itself stays as it is.

use crate::output::Failure;
use crate::result::CompareOutcome;
use levelscope::storage::MemoryStorage;
use levelscope::view::View;
use levelscope::{
    Budget, Db, DbIterator, Maintenance, Options, ReadStop, ScanOptions, Stats, StepOutcome,
    WalSync,
};
use levelscope_labs::FullCompaction;
use std::sync::Arc;

/// Lookups of each kind.
const LOOKUPS: usize = 256;
/// Entries or lookups of one unit.
const UNIT: usize = 64;

/// The keys that are looked up on both sides: those that the first side has, evenly apart.
#[derive(Debug)]
pub(super) struct Probes {
    keys: Vec<Vec<u8>>,
    /// One of so many is kept, and how many were seen.
    apart: u64,
    seen: u64,
    whole: bool,
}

impl Default for Probes {
    fn default() -> Self {
        Self { keys: Vec::new(), apart: 1, seen: 0, whole: false }
    }
}

impl Probes {
    fn add(&mut self, key: &[u8]) {
        if self.seen.is_multiple_of(self.apart) {
            self.keys.push(key.to_vec());
        }
        self.seen += 1;
        if self.keys.len() > LOOKUPS {
            let mut number = 0;
            self.keys.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.apart *= 2;
        }
    }
}

enum Stage {
    Keys(Option<Box<DbIterator>>),
    Lookups(usize),
    Flush { asked: bool },
    Live(FullCompaction),
}

/// A copy of the files at work.
pub(super) struct Measuring {
    db: Db,
    stage: Stage,
    /// Tables searched by lookups of present keys, and of absent ones.
    searched: [u64; 2],
    outcome: CompareOutcome,
}

impl Measuring {
    /// Opens `disk`, a copy; `now` are the figures of the side itself.
    ///
    /// # Errors
    /// Those of [`Db::open`].
    pub(super) fn new(
        disk: MemoryStorage,
        options: &Options,
        now: (Stats, View),
    ) -> levelscope::Result<Self> {
        let mut options = options.clone();
        options.maintenance = Maintenance::Manual;
        options.wal_sync = WalSync::None;
        let db = Db::builder().options(options).open_in(Arc::new(disk))?;
        let (stats, view) = now;
        let filled = view.levels.iter().filter(|level| !level.tables.is_empty());
        let outcome = CompareOutcome {
            user_bytes: stats.user_bytes,
            wal_bytes: stats.wal_bytes,
            flush_bytes: stats.flush_bytes,
            compaction_bytes: stats.compaction_write_bytes,
            write_amplification: stats.write_amplification,
            tables: view.levels.iter().map(|level| level.tables.len() as u64).sum(),
            levels: filled.count() as u64,
            runs: view.levels.iter().map(|level| level.score.runs as u64).sum(),
            ..CompareOutcome::default()
        };
        Ok(Self { db, stage: Stage::Keys(None), searched: [0; 2], outcome })
    }

    /// Does one unit; the figures when that was the last one.
    ///
    /// # Errors
    /// Those of the engine.
    pub(super) fn step(&mut self, probes: &mut Probes) -> Result<Option<CompareOutcome>, Failure> {
        match &mut self.stage {
            Stage::Keys(_) if probes.whole => self.stage = Stage::Lookups(0),
            Stage::Keys(iterator) => collect(&self.db, iterator, probes)?,
            Stage::Lookups(from) => {
                let keys = probes.keys.iter().skip(*from).take(UNIT);
                *from += UNIT;
                for key in keys {
                    // No other key lies between a key and the same with one byte more.
                    let absent = [key.as_slice(), &[0]].concat();
                    let [present, missing] = &mut self.searched;
                    *present += searched(&self.db, key)?;
                    *missing += searched(&self.db, &absent)?;
                }
                if *from >= probes.keys.len() {
                    self.outcome.lookups = probes.keys.len() as u64;
                    let [present, missing] = self.searched;
                    self.outcome.searched_present = ratio(present, self.outcome.lookups);
                    self.outcome.searched_absent = ratio(missing, self.outcome.lookups);
                    self.stage = Stage::Flush { asked: false };
                }
            }
            Stage::Flush { asked: false } => {
                self.db.request_flush()?;
                self.stage = Stage::Flush { asked: true };
            }
            Stage::Flush { asked: true } => {
                // Flushes come before compactions, so that nothing else changes the tables.
                let held = self.db.view().memtables.iter().any(|memtable| memtable.entries > 0);
                if !held || self.db.step(Budget::Phase)? == StepOutcome::Idle {
                    self.outcome.flushed_bytes = self.db.stats().table_bytes;
                    self.stage = Stage::Live(FullCompaction::default());
                }
            }
            Stage::Live(full) => {
                if full.step(&self.db)? {
                    let outcome = &mut self.outcome;
                    outcome.live_bytes = self.db.stats().table_bytes;
                    outcome.space_amplification = ratio(outcome.flushed_bytes, outcome.live_bytes);
                    return Ok(Some(outcome.clone()));
                }
            }
        }
        Ok(None)
    }
}

/// Takes some more keys.
fn collect(
    db: &Db,
    iterator: &mut Option<Box<DbIterator>>,
    probes: &mut Probes,
) -> levelscope::Result<()> {
    let iterator = match iterator {
        Some(iterator) => iterator,
        none => {
            let mut first = db.iter(&ScanOptions::default())?;
            first.seek_to_first()?;
            none.insert(Box::new(first))
        }
    };
    for _ in 0..UNIT {
        if !iterator.valid() {
            probes.whole = true;
            return Ok(());
        }
        probes.add(iterator.key());
        iterator.next()?;
    }
    Ok(())
}

/// Tables that a lookup of `key` searches, after range and filter.
fn searched(db: &Db, key: &[u8]) -> levelscope::Result<u64> {
    let (_, path) = db.explain_get(key, None)?;
    let tables = path.stops.iter().filter(|stop| matches!(stop, ReadStop::Table { .. }));
    Ok(tables.count() as u64)
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    (whole > 0).then(|| part as f64 / whole as f64)
}
