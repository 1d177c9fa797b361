//! `bench`: the benchmarks of `LevelDB`'s `db_bench`, by the same names, on a database of their own.

mod database;
mod histogram;
mod report;
mod run;
mod settings;
mod suite;
mod team;
mod values;

use crate::commands::Command;
use crate::language::{Args, Statement, Verb, flag};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::BenchResult;
use crate::session::{Session, Stop, Task, Turn};
use database::BenchDatabase;
use settings::Settings;
use std::collections::VecDeque;
use std::sync::Arc;
use suite::Benchmark;
use team::Team;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "bench",
    group: "read and write",
    usage: "bench [BENCHMARK...] [--benchmarks=LIST] [--num=N] [--reads=N] [--value_size=BYTES] \
        [--compression_ratio=R] [--histogram=0|1] [--write_buffer_size=BYTES] \
        [--max_file_size=BYTES] [--block_size=BYTES] [--cache_size=BYTES] [--bloom_bits=N] \
        [--open_files=N] [--compression=0|1] [--db=DIR] [--use_existing_db=0|1] [--threads=N] \
        [--comparisons=0|1] [--key_prefix=BYTES] [--reuse_logs=0] [--seed=N]",
    purpose: "Runs LevelDB's benchmarks on a database of its own, never on the open one.",
    example: "bench fillrandom readrandom --num 1000",
    flags: &[
        flag(
            "--benchmarks",
            "list",
            "fillseq fillrandom fillbatch overwrite fillsync fill100K deleteseq deleterandom readseq \
         readreverse readrandom readmissing readhot seekrandom seekordered open crc32c compact \
         stats sstables; with commas between them",
        ),
        flag(
            "--num",
            "n",
            "entries; those of fillsync and fill100K are a thousandth of it (100000)",
        ),
        flag("--reads", "n", "reads of each read benchmark (as --num)"),
        flag("--value_size", "bytes", "length of the values (100)"),
        flag(
            "--compression_ratio",
            "r",
            "to which part of its size a value can be compressed (0.5)",
        ),
        flag("--histogram", "0|1", "print a histogram of the times of operations (0)"),
        flag("--write_buffer_size", "bytes", "size at which the memtable rotates (4m)"),
        flag("--max_file_size", "bytes", "size at which a compaction starts a new table (2m)"),
        flag("--block_size", "bytes", "target size of a data block (4k)"),
        flag("--cache_size", "bytes", "memory for decompressed blocks (8m)"),
        flag("--bloom_bits", "n", "filter bits a key; 0: no filter (10)"),
        flag("--open_files", "n", "tables kept open (500)"),
        flag("--compression", "0|1", "Snappy (1)"),
        flag(
            "--db",
            "dir",
            "where the files are made, and stay; else they are removed (in the browser: memory)",
        ),
        flag(
            "--use_existing_db",
            "0|1",
            "use what --db holds; benchmarks that begin empty are skipped (0)",
        ),
        flag(
            "--threads",
            "n",
            "threads that run each benchmark at once, each with all of --num (1)",
        ),
        flag("--comparisons", "0|1", "count the key comparisons of gets; they are slower then (0)"),
        flag("--key_prefix", "bytes", "letters before the 16 digits of each key (0)"),
        flag(
            "--reuse_logs",
            "0",
            "only 0: each opening begins a new log, so there are none to reuse",
        ),
        flag("--seed", "n", "another seed gives other keys and values (301)"),
    ],
    ..Verb::SESSION
}
.starts(bench)];

fn bench(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    let settings = Settings::read(args)?;
    let waiting = suite::chosen(args)?;
    if settings.threads > 1 && waiting.iter().any(|benchmark| benchmark.is_alone()) {
        let message = "open and compact run in one thread: leave --threads out for them";
        return Err(args.verb.misused(message));
    }
    let total = waiting.len() as u64;
    Ok(Box::new(Bench { settings, waiting, total, place: None, run: None, rows: Vec::new() }))
}

/// The benchmarks at work, one after the other.
struct Bench {
    settings: Settings,
    waiting: VecDeque<&'static Benchmark>,
    total: u64,
    run: Option<Team>,
    place: Option<BenchDatabase>,
    rows: Vec<BenchResult>,
}

impl Task for Bench {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some(place) = &mut self.place else {
            let place = BenchDatabase::find(session, &self.settings)?;
            report::banner(session, &self.settings, place.description());
            self.place = Some(place);
            return Ok(Turn::More);
        };
        if let Some(run) = &mut self.run {
            let host = Arc::clone(&session.host);
            let clock = || host.clock_nanos().unwrap_or_default();
            if !run.step(place, &self.settings, &clock)? {
                return Ok(Turn::More);
            }
            let row = run.result();
            report::line(session, &row);
            if self.settings.histogram {
                report::histogram(session, &run.histogram());
            }
            self.rows.push(row);
            self.run = None;
            return Ok(Turn::More);
        }
        let Some(benchmark) = self.waiting.pop_front() else {
            // The files go before the command is over.
            self.place = None;
            return Ok(Turn::Done(Answer::other(std::mem::take(&mut self.rows))));
        };
        if benchmark.is_fresh() && self.settings.use_existing {
            let name = format!("{:<12} : ", benchmark.name);
            let line = OutputLine::new().strong(name);
            session.print(line.plain("skipped, as it would delete what --use_existing_db uses"));
            return Ok(Turn::More);
        }
        if benchmark.name == "stats" {
            report::stats(session, place.database()?);
            return Ok(Turn::More);
        }
        if benchmark.name == "sstables" {
            report::tables(session, &place.database()?.view());
            return Ok(Turn::More);
        }
        if benchmark.is_fresh() {
            place.start_over()?;
        }
        self.run = Some(Team::new(benchmark, &self.settings, place, self.rows.len() as u64)?);
        Ok(Turn::More)
    }

    fn position(&self) -> (u64, Option<u64>) {
        match &self.run {
            Some(run) => run.position(),
            None => (self.total - self.waiting.len() as u64, Some(self.total)),
        }
    }
}
