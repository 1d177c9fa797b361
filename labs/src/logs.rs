//! L12 and L13: a database that is one log, as kvdb is.

use super::counted::{Counted, Counts};
use super::report::{
    LabCell, LabChart, LabInfo, LabReport, LabSource, LabTable, column, parameter, ratio, times,
};
use super::{Experiment, Reference, Settings};
use crate::generate::Random;
use crate::{Scratch, Surroundings};
use levelscope::Result;
use levelscope::text::decimal;
use levelscope_formats::kvdb::{FILE, Store, StoreSettings};
use std::sync::Arc;

/// The article is signed with the name of its author's account only.
pub(super) const SOURCE: LabSource = LabSource {
    authors: "olif (github.com/olif/kvdb)",
    title: "Implementing a key-value database in Golang, Part 2 - The append-only log",
    place: "",
};

pub(super) static L12: LabInfo = LabInfo {
    id: "L12",
    title: "What durability costs a log",
    question: "How much longer does a write take that is on the disk when it returns?",
    claim: "about 700 times as long, for records of 1 KiB",
    source: Some(SOURCE.at("section \"One does not simply write data to disk\"")),
    original: "1.56 to 3.33 ms instead of 1.95 to 2.13 µs: 730 to 1,700 times",
    parameters: &[
        parameter("records", "writes of each kind", 200, 10..=1_000_000),
        parameter("value-size", "length of the values [bytes]", 1_024, 0..=1 << 19),
    ],
    timed: true,
    ..LabInfo::PLAIN
};

pub(super) fn start_l12(settings: &Settings) -> Box<dyn Experiment> {
    let count = settings.number("records");
    Logs::begin(settings, vec![Run::new(count, true), Run::new(count, false)], report_syncs)
}

pub(super) static L13: LabInfo = LabInfo {
    id: "L13",
    title: "Reads and writes of a log that grows",
    question: "How do reads and writes of a log without an index grow with it?",
    claim: "a Get takes 39, 360, 13,300 and 95,150 µs with 100, 1,000, 10,000 and 100,000 records, a Put \
            always about 90 µs (the text timed 100 of each)",
    source: Some(SOURCE.at("section \"Performance\"")),
    original: "106, 1,326, 12,050 and 96,550 µs a Get; 9 to 13 µs a Put",
    parameters: &[
        parameter(
            "records",
            "records of the largest log; the others have a tenth, a hundredth, a thousandth",
            100_000,
            1_000..=1_000_000,
        ),
        parameter("reads", "lookups in each log", 20, 1..=10_000),
        parameter("value-size", "length of the values [bytes]", 16, 0..=1 << 16),
        parameter("seed", "of the lookups", 1, 0..=1 << 53),
    ],
    timed: true,
    ..LabInfo::PLAIN
};

pub(super) fn start_l13(settings: &Settings) -> Box<dyn Experiment> {
    let most = settings.number("records");
    let runs = [1000, 100, 10, 1].map(|part| Run::new(most / part, false));
    Logs::begin(settings, runs.into(), report_growth)
}

/// One log, and its measurements.
#[derive(Default)]
struct Run {
    records: u64,
    sync: bool,
    writes: u64,
    reads: u64,
    found: u64,
    bytes: u64,
    appended: u64,
    syncs: u64,
    accesses: u64,
    read_bytes: u64,
    write_nanos: u64,
    read_nanos: u64,
}

impl Run {
    fn new(records: u64, sync: bool) -> Self {
        Self { records, sync, ..Self::default() }
    }

    fn is_over(&self, reads: u64) -> bool {
        self.writes == self.records && self.reads == reads
    }
}

struct Logs {
    runs: Vec<Run>,
    /// Which of them is at work.
    at: usize,
    reads: u64,
    value: Vec<u8>,
    random: Random,
    store: Option<(Store, Arc<Counts>)>,
    /// Dropped after the store.
    place: Option<Scratch>,
    description: String,
    report: fn(&[Run], &mut LabReport),
}

/// Writes of one unit: with a sync each, and without.
const GROUPS: (u64, u64) = (4, 64);

fn key(number: u64) -> Vec<u8> {
    format!("key-{number:012}").into_bytes()
}

impl Logs {
    fn begin(
        settings: &Settings,
        runs: Vec<Run>,
        report: fn(&[Run], &mut LabReport),
    ) -> Box<dyn Experiment> {
        let value_bytes = usize::try_from(settings.number("value-size")).unwrap_or(0);
        Box::new(Self {
            runs,
            at: 0,
            reads: settings.number("reads"),
            value: vec![b'v'; value_bytes],
            random: Random::new(settings.number("seed")),
            store: None,
            place: None,
            description: String::new(),
            report,
        })
    }

    fn open(&mut self, around: &dyn Surroundings, sync: bool) -> Result<()> {
        if self.place.is_none() {
            let place = around.scratch()?;
            self.description.clone_from(&place.place);
            self.place = Some(place);
        }
        let Some(place) = &self.place else { return Ok(()) };
        let counts = Arc::new(Counts::default());
        let counted = Counted { inner: Arc::clone(&place.storage), counts: Arc::clone(&counts) };
        let settings = StoreSettings { sync, ..StoreSettings::default() };
        self.store = Some((Store::open(&counted, settings)?, counts));
        Ok(())
    }
}

impl Experiment for Logs {
    fn step(&mut self, around: &dyn Surroundings) -> Result<bool> {
        let clock = || around.clock_nanos().unwrap_or_default();
        let Some(run) = self.runs.get_mut(self.at) else { return Ok(true) };
        let Some((store, counts)) = &mut self.store else {
            let sync = run.sync;
            self.open(around, sync)?;
            return Ok(false);
        };
        if run.is_over(self.reads) {
            // The next run begins with an empty log.
            (self.store, self.at) = (None, self.at + 1);
            if let Some(place) = &self.place {
                place.storage.delete(FILE)?;
            }
            if self.at == self.runs.len() {
                self.place = None;
            }
            return Ok(false);
        }
        if run.writes < run.records {
            let group = if run.sync { GROUPS.0 } else { GROUPS.1 };
            let end = (run.writes + group).min(run.records);
            let start = clock();
            for number in run.writes..end {
                store.put(&key(number), &self.value)?;
            }
            run.write_nanos += clock().saturating_sub(start);
            run.writes = end;
            (run.bytes, run.appended, run.syncs) =
                (store.bytes(), counts.appended(), counts.syncs());
            return Ok(false);
        }
        let wanted = key(self.random.next() % run.records.max(1));
        let (before, start) = (counts.read(), clock());
        let found = store.get(&wanted)?;
        run.read_nanos += clock().saturating_sub(start);
        let after = counts.read();
        run.accesses += after.0 - before.0;
        run.read_bytes += after.1 - before.1;
        run.found += u64::from(found.is_some());
        run.reads += 1;
        Ok(false)
    }

    fn position(&self) -> (u64, Option<u64>) {
        let done = self.runs.iter().map(|run| run.writes + run.reads).sum();
        let total = self.runs.iter().map(|run| run.records + self.reads).sum();
        (done, Some(total))
    }

    fn report(&mut self, report: &mut LabReport) {
        report.place = Some(std::mem::take(&mut self.description));
        (self.report)(&self.runs, report);
    }
}

fn report_syncs(runs: &[Run], report: &mut LabReport) {
    let [durable, loose] = runs else { return };
    let columns = [
        column("write", "", 0),
        column("writes", "", 0),
        column("log", "bytes", 0),
        column("syncs", "", 0),
        times("time", "µs a write"),
    ];
    let mut table = LabTable::new("writes with and without a sync of their own", columns);
    let each = |run: &Run| ratio(run.write_nanos, run.writes) / 1000.0;
    for (name, run) in [("durable when it returns", durable), ("durable some time later", loose)] {
        table.row([
            name.into(),
            run.writes.into(),
            run.bytes.into(),
            run.syncs.into(),
            each(run).into(),
        ]);
    }
    report.tables.push(table);
    let chart = LabChart::bars("time of a write", 0, [4]);
    report.charts.push(chart.logarithmic(false, true));
    report.figure(
        "syncs a durable write",
        (ratio(durable.syncs, durable.writes), 2, ""),
        (Reference::Range("one", 1.0, 1.0), Reference::Range("1", 1.0, 1.0)),
        "",
    );
    report.figure(
        "bytes of a record",
        (ratio(durable.bytes, durable.writes), 0, "bytes"),
        (Reference::None, Reference::None),
        "13 of them are its header",
    );
    report.figure(
        "how much longer a durable write takes",
        (each(durable) / each(loose).max(0.001), 1, "times"),
        (Reference::Words("about 700"), Reference::Words("730-1,700")),
        "a time: it depends on the disk, and there is none in memory",
    );
    report.found(
        "Both logs have the same bytes; the sync after each record is the whole difference. A database that \
         lets writers share one sync pays it once for all of them.",
    );
}

fn report_growth(runs: &[Run], report: &mut LabReport) {
    // Records, and milliseconds of 100 Gets: claimed, and of the original. The time of 100 Gets, per Get [µs].
    const GETS: [(u64, f64, f64); 4] = [
        (100, 39.0, 106.0),
        (1_000, 360.0, 1_326.0),
        (10_000, 13_300.0, 12_050.0),
        (100_000, 95_150.0, 96_550.0),
    ];
    let columns = [
        column("records", "", 0),
        column("log", "bytes", 0),
        column("read", "bytes a Get", 0),
        column("accesses", "a Get", 1),
        column("appended", "bytes a Put", 0),
        times("time", "µs a Get"),
        column("claimed", "µs a Get", 0),
        column("original", "µs a Get", 0),
        times("time", "µs a Put"),
    ];
    let mut table = LabTable::new("reads and writes by number of records", columns);
    for run in runs {
        let known = GETS.iter().find(|(records, ..)| *records == run.records);
        let (claimed, original) = known.map(|known| (known.1, known.2)).unzip();
        let cell = |known: Option<f64>| known.map_or(LabCell::Empty, LabCell::from);
        table.row([
            run.records.into(),
            run.bytes.into(),
            ratio(run.read_bytes, run.reads).into(),
            ratio(run.accesses, run.reads).into(),
            ratio(run.appended, run.writes).into(),
            (ratio(run.read_nanos, run.reads) / 1e3).into(),
            cell(claimed),
            cell(original),
            (ratio(run.write_nanos, run.writes) / 1e3).into(),
        ]);
    }
    report.tables.push(table);
    let chart = |title, series: &[usize]| LabChart::lines(title, 0, series).logarithmic(true, true);
    report.charts.push(chart("bytes read by a Get, and appended by a Put", &[2, 4]));
    report.charts.push(chart("time of a Get", &[5, 6, 7]));
    let Some((first, last)) = runs.first().zip(runs.last()) else { return };
    report.figure(
        "share of the largest log that one Get reads",
        (100.0 * ratio(last.read_bytes, last.bytes * last.reads), 1, "%"),
        (Reference::Range("all of it", 100.0, 101.0), Reference::Range("100", 100.0, 101.0)),
        "",
    );
    let put = |run: &Run| ratio(run.appended, run.writes);
    report.figure(
        "bytes appended by a Put, largest to smallest log",
        (put(last) / put(first).max(1.0), 2, "times"),
        (Reference::Range("the same", 1.0, 1.0), Reference::Range("1", 1.0, 1.0)),
        "",
    );
    report.found(format!(
        "A Get reads the log to its end, because the newest record counts: {} times as many bytes with {} \
         times as many records. A Put appends {} bytes however long the log is.",
        decimal(ratio(last.read_bytes, last.reads) / ratio(first.read_bytes, first.reads).max(1.0), 0),
        decimal(ratio(last.records, first.records), 0),
        decimal(put(last), 0)
    ));
}
