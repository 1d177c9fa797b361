//! The workloads: their operations, their databases and their measurements.

use crate::data::{Random, Shuffle, Values, key, missing_key};
use crate::engine::Engine;
use crate::failure::Outcome;
use crate::process::{Clock, processor_seconds};
use crate::settings::Settings;
use crate::timing::Latencies;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// One workload, as given with `--workloads`.
#[derive(Debug, Serialize)]
pub struct Workload {
    /// Its name; those that LevelDB's db_bench has mean the same here.
    pub name: &'static str,
    /// Its description.
    pub purpose: &'static str,
}

const fn workload(name: &'static str, purpose: &'static str) -> Workload {
    Workload { name, purpose }
}

/// All workloads, in the order of the tables.
pub const WORKLOADS: &[Workload] = &[
    workload("fillseq", "single puts in key order into an empty database"),
    workload("fillbatch", "batches of 1,000 puts in key order into an empty database"),
    workload("fillsync", "single puts in random order, each durable before the next"),
    workload("fillsync/4", "fillsync by four threads that share the keys"),
    workload("fillsync/16", "fillsync by 16 threads that share the keys"),
    workload("fillsync/64", "fillsync by 64 threads that share the keys"),
    workload("fillrandom", "single puts in random order, every key once, into an empty database"),
    workload(
        "seekcold",
        "a new iterator, a seek to a random key and ten steps forward, right after the filled database was opened",
    ),
    workload("seekrandom", "seekcold again, with the same keys"),
    workload("readcold", "gets of random keys, right after the filled database was opened"),
    workload("readrandom", "gets of random keys, all of which are there: those of readcold again"),
    workload("readrandom/2threads", "readrandom by two threads that share the gets"),
    workload("readmissing", "gets of keys that were never written but lie between written ones"),
    workload("readhot", "gets of random keys out of one hundredth of all"),
    workload("readseq", "one scan over everything, forward"),
    workload("readreverse", "one scan over everything, backward"),
    workload("readcached", "readrandom with a cache that holds all data"),
    workload("overwrite", "single puts in another random order over the filled database"),
    workload("readwhilewriting", "readrandom while another thread puts at a fixed rate"),
    workload("compact", "merging everything into the deepest level"),
    workload("readrandom/compacted", "readrandom after compact"),
    workload("readmissing/compacted", "readmissing after compact"),
    workload("seekrandom/compacted", "seekrandom after compact"),
    workload("readseq/compacted", "readseq after compact"),
    workload("readreverse/compacted", "readreverse after compact"),
    workload("deleteseq", "single deletes in key order of everything that fillseq wrote"),
    workload("deleterandom", "single deletes in random order of everything that is there"),
];

/// The measurements of one workload.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Measure {
    /// Operations done (entries visited by a scan).
    pub operations: u64,
    /// Wall time \[seconds\].
    pub seconds: f64,
    /// Processor time of the calling threads \[seconds\].
    pub thread_seconds: f64,
    /// Processor time of all threads \[seconds\].
    pub process_seconds: f64,
    /// 50th, 99th and 99.9th percentile \[microseconds\]; none for whole scans.
    pub percentiles: Option<[f64; 3]>,
    /// Keys and values written \[bytes\].
    pub user_bytes: u64,
}

/// Runs `name` on `engine`.
///
/// # Errors
/// Errors of the engine; a read with a wrong result.
pub fn run(name: &str, engine: &dyn Engine, settings: &Settings) -> Outcome<Measure> {
    let bench = Bench { engine, settings };
    let (base, variant) = name.split_once('/').unwrap_or((name, ""));
    let threads = variant.strip_suffix("threads").unwrap_or(variant).parse().unwrap_or(1);
    match base {
        "fillseq" => bench.fill(|at| at),
        "fillbatch" => bench.fill_batch(),
        "fillsync" => bench.fill_sync(threads),
        "fillrandom" => bench.fill_shuffled(1),
        "overwrite" => bench.fill_shuffled(2),
        "readrandom" if threads > 1 => bench.read_shared(threads),
        "readcold" | "readrandom" | "readcached" => bench.read(settings.entries),
        "readhot" => bench.read(settings.entries.div_ceil(100)),
        "readmissing" => bench.read_missing(),
        "readwhilewriting" => bench.read_while_writing(),
        "seekcold" | "seekrandom" => bench.seek(),
        "readseq" => bench.scan(false),
        "readreverse" => bench.scan(true),
        "compact" => bench.timed(0, |_| engine.compact().map(|()| settings.entries)),
        "deleteseq" => bench.delete(|at| at),
        "deleterandom" => {
            let shuffle = Shuffle::new(settings.entries, settings.seed + 3);
            bench.delete(|at| shuffle.at(at))
        }
        _ => Err(format!("there is no workload {name:?}").into()),
    }
}

struct Bench<'a> {
    engine: &'a dyn Engine,
    settings: &'a Settings,
}

impl Bench<'_> {
    fn timed(
        &self,
        user_bytes: u64,
        work: impl FnOnce(&mut Latencies) -> Outcome<u64>,
    ) -> Outcome<Measure> {
        let thread = processor_seconds(Clock::Thread);
        let process = processor_seconds(Clock::Process);
        let mut latencies = Latencies::start();
        let start = Instant::now();
        let operations = work(&mut latencies)?;
        Ok(Measure {
            operations,
            seconds: start.elapsed().as_secs_f64(),
            thread_seconds: processor_seconds(Clock::Thread) - thread,
            process_seconds: processor_seconds(Clock::Process) - process,
            percentiles: latencies.percentiles(),
            user_bytes,
        })
    }

    /// `threads` times `work` side by side; together they do `operations`.
    fn timed_threads(
        &self,
        threads: u64,
        user_bytes: u64,
        operations: u64,
        work: impl Fn(&mut Latencies) -> Outcome<()> + Sync,
    ) -> Outcome<Measure> {
        if threads == 1 {
            return self.timed(user_bytes, |latencies| work(latencies).map(|()| operations));
        }
        let process = processor_seconds(Clock::Process);
        let start = Instant::now();
        let one = || {
            let mut latencies = Latencies::start();
            work(&mut latencies).map(|()| (latencies, processor_seconds(Clock::Thread)))
        };
        let ended: Outcome<Vec<_>> = std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
            running.into_iter().map(|thread| thread.join().map_err(|_| "a thread died")?).collect()
        });
        let seconds = start.elapsed().as_secs_f64();
        let mut latencies = Latencies::start();
        let mut thread_seconds = 0.0;
        for (of_thread, processor) in ended? {
            latencies.add(&of_thread);
            thread_seconds += processor;
        }
        Ok(Measure {
            operations,
            seconds,
            thread_seconds,
            process_seconds: processor_seconds(Clock::Process) - process,
            percentiles: latencies.percentiles(),
            user_bytes,
        })
    }

    fn values(&self) -> Values {
        Values::new(self.settings.value_bytes, self.settings.seed)
    }

    fn fill(&self, order: impl Fn(u64) -> u64) -> Outcome<Measure> {
        let mut values = self.values();
        self.timed(self.settings.raw_bytes(), |latencies| {
            for at in 0..self.settings.entries {
                self.engine.put(&key(order(at)), values.next())?;
                latencies.lap();
            }
            Ok(self.settings.entries)
        })
    }

    fn fill_shuffled(&self, seed: u64) -> Outcome<Measure> {
        let shuffle = Shuffle::new(self.settings.entries, self.settings.seed + seed);
        self.fill(|at| shuffle.at(at))
    }

    fn fill_batch(&self) -> Outcome<Measure> {
        const BATCH: u64 = 1000;
        let mut values = self.values();
        self.timed(self.settings.raw_bytes(), |latencies| {
            let mut at = 0;
            while at < self.settings.entries {
                let end = (at + BATCH).min(self.settings.entries);
                let pairs: Vec<_> = (at..end).map(|at| (key(at), values.next().to_vec())).collect();
                self.engine.put_batch(&pairs)?;
                latencies.lap();
                at = end;
            }
            Ok(self.settings.entries)
        })
    }

    /// Each of several threads does more of them than it would alone, so that the run is not too short.
    fn fill_sync(&self, threads: u64) -> Outcome<Measure> {
        let count = (self.settings.entries / 100).clamp(100, 10_000) * threads.min(4);
        let shuffle = Shuffle::new(self.settings.entries, self.settings.seed + 4);
        let user_bytes = self.settings.raw_bytes() / self.settings.entries * count;
        let next = AtomicU64::new(0);
        let values = self.values();
        let work = |latencies: &mut Latencies| {
            let mut values = values.clone();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= count {
                    return Ok(());
                }
                let index = shuffle.at(at % self.settings.entries);
                self.engine.put_synced(&key(index), values.next())?;
                latencies.lap();
            }
        };
        self.timed_threads(threads, user_bytes, count, work)
    }

    fn delete(&self, order: impl Fn(u64) -> u64) -> Outcome<Measure> {
        let user_bytes = self.settings.entries * crate::data::KEY_BYTES as u64;
        self.timed(user_bytes, |latencies| {
            for at in 0..self.settings.entries {
                self.engine.delete(&key(order(at)))?;
                latencies.lap();
            }
            Ok(self.settings.entries)
        })
    }

    /// Gets that must all find a value, of keys below `range`.
    fn read(&self, range: u64) -> Outcome<Measure> {
        let mut random = Random::new(self.settings.seed + 5);
        self.timed(0, |latencies| {
            for _ in 0..self.settings.reads {
                self.get(random.below(range))?;
                latencies.lap();
            }
            Ok(self.settings.reads)
        })
    }

    /// As [`Self::read`] of all keys, by several threads.
    fn read_shared(&self, threads: u64) -> Outcome<Measure> {
        let (next, seeds) = (AtomicU64::new(0), AtomicU64::new(self.settings.seed + 5));
        let work = |latencies: &mut Latencies| {
            let mut random = Random::new(seeds.fetch_add(100, Ordering::Relaxed));
            // A hundred at a time, so that the threads do not wait for one counter.
            while next.fetch_add(100, Ordering::Relaxed) + 100 <= self.settings.reads {
                for _ in 0..100 {
                    self.get(random.below(self.settings.entries))?;
                    latencies.lap();
                }
            }
            Ok(())
        };
        let operations = self.settings.reads / 100 * 100;
        self.timed_threads(threads, 0, operations, work)
    }

    fn get(&self, index: u64) -> Outcome<()> {
        match self.engine.get(&key(index))? {
            Some(length) if length == self.settings.value_bytes => Ok(()),
            Some(length) => Err(format!("entry {index} has a value of {length} bytes").into()),
            None => Err(format!("entry {index} is gone").into()),
        }
    }

    fn read_missing(&self) -> Outcome<Measure> {
        let mut random = Random::new(self.settings.seed + 6);
        self.timed(0, |latencies| {
            for _ in 0..self.settings.reads {
                let key = missing_key(random.below(self.settings.entries));
                if self.engine.get(&key)?.is_some() {
                    return Err("a key that was never written has a value".into());
                }
                latencies.lap();
            }
            Ok(self.settings.reads)
        })
    }

    fn seek(&self) -> Outcome<Measure> {
        let mut random = Random::new(self.settings.seed + 7);
        let count = self.settings.reads / 2;
        self.timed(0, |latencies| {
            for _ in 0..count {
                let start = key(random.below(self.settings.entries));
                if self.engine.scan(Some(&start), false, 11)? == 0 {
                    return Err("a seek to an entry found nothing".into());
                }
                latencies.lap();
            }
            Ok(count)
        })
    }

    fn scan(&self, reverse: bool) -> Outcome<Measure> {
        self.timed(0, |_| {
            let count = self.engine.scan(None, reverse, u64::MAX >> 1)?;
            if count == self.settings.entries {
                Ok(count)
            } else {
                Err(format!("a scan found {count} of {} entries", self.settings.entries).into())
            }
        })
    }

    /// The writer keeps to a fixed rate, so that an engine that writes slowly is not given faster reads.
    fn read_while_writing(&self) -> Outcome<Measure> {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| self.write_until(&stop));
            let measure = self.read(self.settings.entries);
            stop.store(true, Ordering::Relaxed);
            let written = writer.join().map_err(|_| "the writing thread died")??;
            let mut measure = measure?;
            measure.user_bytes = self.settings.raw_bytes() / self.settings.entries * written;
            Ok(measure)
        })
    }

    fn write_until(&self, stop: &AtomicBool) -> Outcome<u64> {
        let mut random = Random::new(self.settings.seed + 8);
        let mut values = self.values();
        let start = Instant::now();
        let mut count = 0;
        while !stop.load(Ordering::Relaxed) {
            let due = start.elapsed().as_secs_f64() * self.settings.write_rate as f64;
            if count as f64 >= due {
                std::thread::sleep(Duration::from_micros(500));
                continue;
            }
            self.engine.put(&key(random.below(self.settings.entries)), values.next())?;
            count += 1;
        }
        Ok(count)
    }
}
