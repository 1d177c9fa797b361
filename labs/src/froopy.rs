//! L15: how many tables a small memtable makes, and how far the way to a key is then.

use super::report::{
    LabCell, LabChart, LabInfo, LabSource, LabTable, column, parameter, ratio, real, times,
};
use super::{Experiment, LabReport, Reference, Settings};
use crate::Surroundings;
use crate::generate::Random;
use levelscope::Result;
use levelscope::text::decimal;
use levelscope_formats::froopy::{Memtable, Table, TableNumber};
use levelscope_formats::{self as formats, SearchMethod, Trail};

pub(super) static L15: LabInfo = LabInfo {
    id: "L15",
    title: "FroopyDB: memtable size and the number of tables",
    question: "How many tables does a small memtable leave, and how many of them does a Get ask then?",
    claim: "1,657 tables with a memtable of 1 KiB; a Get takes 263 µs, and 2.3 µs after filters, \
            binary search and mapped files",
    source: Some(LabSource {
        authors: "the author of FroopyDB, whom the text does not name",
        title: "README of FroopyDB, a persistent LSM-tree based key-value database",
        place: "the benchmarks of BenchmarkDBGet",
    }),
    original: "exactly 1,657 tables at 1 KiB, 103 at 16 KiB, 25 at 64 KiB; a Get takes 116.4, 19.0, 6.5 \
               and, at 1 MiB, 5.4 µs",
    parameters: &[
        parameter(
            "records",
            "keys written: the numbers from 0 on, each with the value `load`",
            100_000,
            100..=1_000_000,
        ),
        parameter("reads", "lookups of keys drawn at random", 40, 1..=10_000),
        parameter("seed", "of the lookups", 1, 0..=1 << 53),
    ],
    timed: true,
    ..LabInfo::PLAIN
};

/// Keys that one unit writes.
const GROUP: u64 = 1_000;
/// The value of every key.
const VALUE: &[u8] = b"load";

/// One size of the memtable, and the tables that it left.
struct Run {
    limit: usize,
    /// Tables of the original program, also in words, and the time of a Get \[µs\].
    original: Option<(f64, &'static str, f64)>,
    memtable: Memtable,
    /// The oldest first.
    files: Vec<Vec<u8>>,
    /// Keys in them.
    keys: u64,
    /// Keys that were found in a table, and the cost of that.
    found: u64,
    tables: u64,
    indexes: u64,
    comparisons: u64,
    nanos: u64,
}

struct Froopy {
    records: u64,
    done: u64,
    reads: u64,
    seed: u64,
    runs: Vec<Run>,
    /// Lookups with a recorded search path, over all runs.
    traced: u64,
    /// Runs whose lookups were timed.
    timed: usize,
}

pub(super) fn start(settings: &Settings) -> Box<dyn Experiment> {
    let sizes = [
        (1 << 10, Some((1657.0, "1,657", 116.35))),
        (4 << 10, None),
        (16 << 10, Some((103.0, "103", 19.04))),
        (64 << 10, Some((25.0, "25", 6.49))),
        (1 << 20, Some((1.0, "1", 5.41))),
    ];
    let run = |(limit, original)| Run {
        limit,
        original,
        memtable: Memtable::new(limit),
        files: Vec::new(),
        keys: 0,
        found: 0,
        tables: 0,
        indexes: 0,
        comparisons: 0,
        nanos: 0,
    };
    Box::new(Froopy {
        records: settings.number("records"),
        done: 0,
        reads: settings.number("reads"),
        seed: settings.number("seed"),
        runs: sizes.map(run).into(),
        traced: 0,
        timed: 0,
    })
}

impl Run {
    fn write(&mut self, key: &[u8]) -> Result<()> {
        if self.memtable.full_for(key, Some(VALUE)) {
            let increment = u16::try_from(self.files.len()).unwrap_or(u16::MAX);
            let number = TableNumber { level: 0, increment };
            let entries = self.memtable.flush();
            self.keys += entries.len() as u64;
            self.files.push(number.write(&entries)?);
        }
        self.memtable.write(key, 1, Some(VALUE));
        Ok(())
    }

    /// Keys to look for, none of those that are still in memory.
    fn keys(&self, seed: u64, count: u64) -> Vec<Vec<u8>> {
        let mut random = Random::new(seed);
        (0..count).map(|_| (random.next() % self.keys.max(1)).to_string().into_bytes()).collect()
    }

    /// One lookup with all that it does: the newest table first, filter before index.
    fn explain(&mut self, key: &[u8]) -> Result<()> {
        let Some(format) = formats::find("froopy-table") else { return Ok(()) };
        for file in self.files.iter().rev() {
            let mut trail = Trail::default();
            let found = format.explain(file, key, SearchMethod::Binary, &mut trail)?.is_some();
            self.tables += 1;
            self.comparisons += u64::from(trail.comparisons);
            let indexes = trail.accesses.iter().filter(|access| access.what == "index");
            self.indexes += indexes.count() as u64;
            if found {
                self.found += 1;
                break;
            }
        }
        Ok(())
    }

    /// The same lookups in tables that are open.
    fn time(&mut self, keys: &[Vec<u8>], clock: &dyn Fn() -> u64) -> Result<()> {
        let tables = self.files.iter().rev().map(|file| Table::open(file));
        let tables: Vec<Table<'_>> = tables.collect::<Result<_>>()?;
        let start = clock();
        for key in keys {
            for table in &tables {
                if table.get(key, u64::MAX)?.is_some() {
                    break;
                }
            }
        }
        self.nanos = clock().saturating_sub(start);
        Ok(())
    }
}

impl Experiment for Froopy {
    fn step(&mut self, around: &dyn Surroundings) -> Result<bool> {
        if self.done < self.records {
            let end = (self.done + GROUP).min(self.records);
            for number in self.done..end {
                let key = number.to_string().into_bytes();
                for run in &mut self.runs {
                    run.write(&key)?;
                }
            }
            self.done = end;
            return Ok(false);
        }
        let place = usize::try_from(self.traced / self.reads.max(1)).unwrap_or(usize::MAX);
        if let Some(run) = self.runs.get_mut(place) {
            let key = usize::try_from(self.traced % self.reads).unwrap_or(0);
            if let Some(key) = run.keys(self.seed, self.reads).get(key) {
                run.explain(key)?;
            }
            self.traced += 1;
            return Ok(false);
        }
        let Some(run) = self.runs.get_mut(self.timed) else { return Ok(true) };
        let keys = run.keys(self.seed, self.reads);
        run.time(&keys, &|| around.clock_nanos().unwrap_or_default())?;
        self.timed += 1;
        Ok(false)
    }

    fn position(&self) -> (u64, Option<u64>) {
        // A lookup in a thousand tables takes as long as some writes.
        let reads = self.reads * self.runs.len() as u64;
        (self.done + 100 * self.traced, Some(self.records + 100 * reads))
    }

    fn report(&mut self, report: &mut LabReport) {
        let columns = [
            column("memtable", "bytes", 0),
            column("tables", "", 0),
            column("files", "bytes", 0),
            column("keys", "a table", 0),
            column("tables asked", "a Get", 1),
            column("indexes searched", "a Get", 2),
            column("comparisons", "a Get", 1),
            times("time", "µs a Get"),
            column("original", "µs a Get", 2),
        ];
        let mut table = LabTable::new("tables and lookups by size of the memtable", columns);
        for run in &self.runs {
            let (count, limit) = (run.files.len() as u64, run.limit as u64);
            let each = |part| ratio(part, self.reads);
            table.row([
                limit.into(),
                count.into(),
                run.files.iter().map(|file| file.len() as u64).sum::<u64>().into(),
                ratio(run.keys, count).into(),
                each(run.tables).into(),
                each(run.indexes).into(),
                each(run.comparisons).into(),
                (each(run.nanos) / 1000.0).into(),
                run.original.map_or(LabCell::Empty, |(_, _, micros)| micros.into()),
            ]);
            let Some((tables, words, _)) = run.original else { continue };
            let original = Reference::Range(words, tables, tables);
            report.figure(
                format!("tables with a memtable of {}", memtable_size(limit)),
                (real(count), 0, ""),
                (if limit == 1024 { original } else { Reference::None }, original),
                "",
            );
        }
        report.tables.push(table);
        let chart =
            |title, series: &[usize]| LabChart::lines(title, 0, series).logarithmic(true, true);
        report.charts.push(chart("tables", &[1, 4, 5]));
        report.charts.push(chart("time of a Get", &[7, 8]));
        let Some((least, most)) = self.runs.first().zip(self.runs.last()) else { return };
        report.found(format!(
            "Without compaction the tables of small memtables stay: a Get asks {} of {}, and their filters \
             leave {:.1} indexes to search. With memtables of {} it asks {:.1}.",
            decimal(ratio(least.tables, self.reads), 0),
            levelscope::text::counted(least.files.len(), "table"),
            ratio(least.indexes, self.reads),
            memtable_size(most.limit as u64),
            ratio(most.tables, self.reads)
        ));
    }
}

/// The size of a memtable, a power of two, as the text writes it: `16 KiB`.
fn memtable_size(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{} KiB", bytes >> 10) }
}
