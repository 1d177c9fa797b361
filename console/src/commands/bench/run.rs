//! One benchmark at work: operations in small groups, timed group by group or one by one.

use super::database::BenchDatabase;
use super::histogram::Histogram;
use super::settings::Settings;
use super::suite::{Benchmark, Keys, Kind};
use super::values::Values;
use crate::result::BenchResult;
use levelscope::{Db, DbIterator, ErrorKind, ReadStop, Result, ScanOptions, WriteBatch};
use levelscope_labs::generate::Random;

/// Operations of one unit of work: between two units every host can stop.
pub(super) const GROUP: u64 = 16;
/// Puts of one batch of `fillbatch`.
const BATCH: u64 = 1000;
/// Length of the values of `fill100K` \[bytes\].
const LARGE_BYTES: usize = 100_000;
/// Length of the block that `crc32c` takes the checksum of \[bytes\].
const CHECKED_BYTES: usize = 4096;

/// Nanoseconds since some moment.
pub(super) type Clock<'a> = &'a (dyn Fn() -> u64 + Sync);

/// A running benchmark, and its figures so far.
pub(super) struct Run {
    benchmark: &'static Benchmark,
    count: u64,
    done: u64,
    nanos: u64,
    bytes: u64,
    found: u64,
    comparisons: u64,
    /// Whether comparisons are counted.
    counts: bool,
    histogram: Histogram,
    timed_singly: bool,
    random: Random,
    values: Values,
    batch: WriteBatch,
    iterator: Option<DbIterator>,
    /// Where `seekordered` stands.
    position: u64,
    /// The requests that `compact` has made so far.
    asked: u32,
}

impl Run {
    /// Gets ready as the benchmark with this `number` of the command; nothing is timed yet.
    ///
    /// # Errors
    /// Those of making an iterator.
    pub(super) fn new(
        benchmark: &'static Benchmark,
        settings: &Settings,
        place: &BenchDatabase,
        number: u64,
    ) -> Result<Self> {
        let iterator = match benchmark.kind {
            Kind::Scan { .. } | Kind::Seek { ordered: true } => {
                Some(place.database()?.iter(&ScanOptions::default())?)
            }
            _ => None,
        };
        let longest = match benchmark.kind {
            Kind::PutLarge => LARGE_BYTES,
            Kind::Checksum => CHECKED_BYTES,
            _ => settings.value_bytes,
        };
        Ok(Self {
            benchmark,
            count: benchmark.operations(settings),
            done: 0,
            nanos: 0,
            bytes: 0,
            found: 0,
            comparisons: 0,
            counts: settings.comparisons && matches!(benchmark.kind, Kind::Get { .. }),
            histogram: Histogram::default(),
            timed_singly: settings.histogram,
            // Each benchmark draws other keys: a read that repeats the order of its fill is no test.
            random: Random::new(settings.seed.wrapping_add(number << 32)),
            values: Values::new(longest, settings.ratio_thousandths, settings.seed),
            batch: WriteBatch::new(),
            iterator,
            position: 0,
            asked: 0,
        })
    }

    /// Operations done, and in all.
    pub(super) fn position(&self) -> (u64, u64) {
        (self.done, self.count)
    }

    /// Does a group of operations, or a phase of background work; whether the benchmark is over.
    ///
    /// # Errors
    /// Those of the engine.
    pub(super) fn step(
        &mut self,
        place: &mut BenchDatabase,
        settings: &Settings,
        clock: Clock<'_>,
    ) -> Result<bool> {
        let start = clock();
        if place.work()? {
            self.nanos += clock().saturating_sub(start);
            return Ok(false);
        }
        if self.benchmark.kind == Kind::Compact {
            let over = self.compact(place.database()?);
            self.nanos += clock().saturating_sub(start);
            return over;
        }
        if self.benchmark.kind == Kind::Open {
            place.reopen()?;
            self.done += 1;
            let now = clock();
            if self.timed_singly {
                self.histogram.add(now.saturating_sub(start));
            }
            self.nanos += now.saturating_sub(start);
            return Ok(self.done >= self.count);
        }
        self.operations_of(place.database()?, settings, clock, GROUP)
    }

    /// Does `count` operations on `db`; whether the benchmark is over.
    ///
    /// # Errors
    /// Those of the engine.
    pub(super) fn operations_of(
        &mut self,
        db: &Db,
        settings: &Settings,
        clock: Clock<'_>,
        count: u64,
    ) -> Result<bool> {
        let start = clock();
        let mut last = start;
        let end = (self.done + count).min(self.count);
        let mut over = false;
        while self.done < end && !over {
            match self.operate(db, settings) {
                Ok(done) => {
                    over = done == 0;
                    self.done += done;
                }
                // Background work of the next units makes room.
                Err(error) if error.kind() == ErrorKind::Stalled => break,
                Err(error) => return Err(error),
            }
            if self.timed_singly && !over {
                let now = clock();
                self.histogram.add(now.saturating_sub(last));
                last = now;
            }
        }
        self.nanos += clock().saturating_sub(start);
        Ok(over || self.done >= self.count)
    }

    /// Does one operation; returns the number of operations that it counts as, 0 when none is left.
    fn operate(&mut self, db: &Db, settings: &Settings) -> Result<u64> {
        let num = settings.num;
        match self.benchmark.kind {
            Kind::Put { keys, sync, .. } => {
                let key = self.key(keys, num, settings);
                self.put(db, &key, settings.value_bytes, sync)
            }
            Kind::PutLarge => {
                let key = self.key(Keys::Random, num, settings);
                self.put(db, &key, LARGE_BYTES, false)
            }
            Kind::Batch => self.put_batch(db, settings),
            Kind::Delete(keys) => {
                self.batch.clear();
                let key = self.key(keys, num, settings);
                self.batch.delete(&key)?;
                db.write(&self.batch, None)?;
                Ok(1)
            }
            Kind::Scan { reverse } => self.walk(reverse),
            Kind::Get { missing, hot } => {
                let range = if hot { num.div_ceil(100) } else { num };
                let mut key = self.key(Keys::Random, range, settings);
                if missing {
                    key.push(b'.');
                }
                self.found += u64::from(self.get(db, &key)?);
                Ok(1)
            }
            Kind::Seek { ordered } => self.seek(db, ordered, settings),
            Kind::Checksum => {
                let checksum = crc32fast::hash(self.values.next(CHECKED_BYTES));
                self.found = self.found.wrapping_add(u64::from(std::hint::black_box(checksum)));
                self.bytes += CHECKED_BYTES as u64;
                Ok(1)
            }
            Kind::Open | Kind::Compact | Kind::Stats | Kind::Tables => Ok(0),
        }
    }

    /// Whether the database has `key`.
    fn get(&mut self, db: &Db, key: &[u8]) -> Result<bool> {
        if !self.counts {
            return Ok(db.get(key)?.is_some());
        }
        let (value, path) = db.explain_get(key, None)?;
        let comparisons = path.stops.iter().map(|stop| match stop {
            ReadStop::Memtable { comparisons, .. } | ReadStop::Table { comparisons, .. } => {
                u64::from(*comparisons)
            }
            _ => 0,
        });
        self.comparisons += comparisons.sum::<u64>();
        Ok(value.is_some())
    }

    fn key(&mut self, keys: Keys, range: u64, settings: &Settings) -> Vec<u8> {
        let number = match keys {
            Keys::Sequential => self.done,
            Keys::Random => self.random.next() % range.max(1),
        };
        settings.key(number)
    }

    fn put(&mut self, db: &Db, key: &[u8], value_bytes: usize, sync: bool) -> Result<u64> {
        self.batch.clear();
        self.batch.put(key, self.values.next(value_bytes))?;
        db.write(&self.batch, Some(sync))?;
        self.bytes += (key.len() + value_bytes) as u64;
        Ok(1)
    }

    fn put_batch(&mut self, db: &Db, settings: &Settings) -> Result<u64> {
        let value_bytes = settings.value_bytes;
        let last = (self.done + BATCH).min(self.count);
        self.batch.clear();
        let mut bytes = 0;
        for number in self.done..last {
            let key = settings.key(number);
            self.batch.put(&key, self.values.next(value_bytes))?;
            bytes += (key.len() + value_bytes) as u64;
        }
        db.write(&self.batch, None)?;
        self.bytes += bytes;
        Ok(last - self.done)
    }

    fn walk(&mut self, reverse: bool) -> Result<u64> {
        let Some(iterator) = &mut self.iterator else { return Ok(0) };
        match (self.done, reverse) {
            (0, false) => iterator.seek_to_first()?,
            (0, true) => iterator.seek_to_last()?,
            (_, false) => iterator.next()?,
            (_, true) => iterator.prev()?,
        }
        if !iterator.valid() {
            return Ok(0);
        }
        self.bytes += (iterator.key().len() + iterator.value().len()) as u64;
        Ok(1)
    }

    fn seek(&mut self, db: &Db, ordered: bool, settings: &Settings) -> Result<u64> {
        let num = settings.num;
        let drawn = self.random.next();
        let number =
            if ordered { (self.position + drawn % 100) % num.max(1) } else { drawn % num.max(1) };
        self.position = number;
        let key = settings.key(number);
        let mut seek = |iterator: &mut DbIterator| -> Result<()> {
            iterator.seek(&key)?;
            self.found += u64::from(iterator.valid() && iterator.key() == key);
            Ok(())
        };
        match &mut self.iterator {
            Some(iterator) => seek(iterator)?,
            None => seek(&mut db.iter(&ScanOptions::default())?)?,
        }
        Ok(1)
    }

    /// Asks for a flush, then for the compaction; the units in between do the work, where it is not
    /// done inside the calls.
    fn compact(&mut self, db: &Db) -> Result<bool> {
        match self.asked {
            0 => db.request_flush().map(|_| ())?,
            1 => db.request_compaction(None).map(|_| ())?,
            _ => self.done = 1,
        }
        self.asked += 1;
        Ok(self.done == 1)
    }

    /// The figures.
    pub(super) fn result(&self) -> BenchResult {
        let read = matches!(self.benchmark.kind, Kind::Get { .. } | Kind::Seek { .. });
        BenchResult {
            name: self.benchmark.name.to_owned(),
            operations: self.done,
            nanos: self.nanos,
            bytes: self.bytes,
            found: read.then_some(self.found),
            comparisons: self.counts.then_some(self.comparisons),
            threads: 1,
            elapsed_nanos: self.nanos,
        }
    }

    /// How long single operations took; empty unless that was asked for.
    pub(super) fn histogram(&self) -> &Histogram {
        &self.histogram
    }
}
