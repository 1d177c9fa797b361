//! L8 to L11: the questions of a study of `LevelDB` about its tables, for our engine.

use super::report::{
    LabCell, LabChart, LabInfo, LabParameter, LabReport, LabSource, LabTable, column, growth,
    parameter, ratio, real, times,
};
use super::slides::slides_measured;
use super::trial::{Outcome, Trials, Workload, Writes, scaled};
use super::{Experiment, Reference, Settings};
use levelscope::{Compression, Options};

const SOURCE: LabSource = LabSource {
    authors: "Jongki Park, Sanghyun Cho and Jayoung Cho",
    title: "SSTable (slides of a LevelDB study, 2022)",
    place: "",
};
const ENTRY_SIZE: LabSource = SOURCE.at("slides \"Entry size in SSTable\"");
const FILTER_BLOCK: LabSource = SOURCE.at("slides \"Filter block in SSTable\"");

/// Entries of the runs of the original program that the sizes are scaled from.
const WHOLE: u64 = 200_000;

const RECORDS: LabParameter = parameter(
    "records",
    "writes; memtable, tables and levels shrink with them, and are LevelDB's at 200,000",
    20_000,
    1_000..=2_000_000,
);
const READS: LabParameter =
    parameter("reads", "lookups of keys drawn at random", 5_000, 100..=1_000_000);
const RUNS: LabParameter =
    parameter("runs", "how often each fill is timed; the fills take turns", 3, 1..=100);
const SEED: LabParameter = parameter("seed", "of keys and values", 1, 0..=1 << 53);

pub(super) static L8: LabInfo = LabInfo {
    id: "L8",
    title: "Value size and the number of tables",
    question: "The same number of entries with longer values: how many more tables?",
    claim: "longer values, fewer entries in a file, more files (2,000,000 entries)",
    source: Some(ENTRY_SIZE),
    original: "LevelDB, 200,000 random writes without compression: 3, 12, 31, 75, 148 files; \
               `lab L8 --records 200000` makes as many writes",
    parameters: &[RECORDS, SEED],
    ..LabInfo::PLAIN
};

pub(super) fn start_l8(settings: &Settings) -> Box<dyn Experiment> {
    sizes(settings, report_tables)
}

pub(super) static L9: LabInfo = LabInfo {
    id: "L9",
    title: "Value size and random reads",
    question: "Does a lookup take longer when the same number of entries fills more tables?",
    claim: "reads depend on the number of files more than on anything else",
    source: Some(ENTRY_SIZE),
    original: "LevelDB: 5.3, 12.6, 30.2, 28.1, 21.0 µs a read: more files are slower than few, but not \
               in order",
    parameters: &[RECORDS, READS, SEED],
    timed: true,
    ..LabInfo::PLAIN
};

pub(super) fn start_l9(settings: &Settings) -> Box<dyn Experiment> {
    sizes(settings, report_reads)
}

pub(super) static L10: LabInfo = LabInfo {
    id: "L10",
    title: "Tables in L0 and random reads",
    question: "What does each table in L0 add to a lookup, with and without filters?",
    claim: "none: the slides have an agenda line, \"Compare when less files exists in L0\", and no slide of it",
    source: Some(SOURCE.at("the agenda, line 2")),
    original: "LevelDB, seek compaction off, 0 to 3 files: 1.31, 1.41, 1.83, 2.22 µs; with filters 1.22, \
               1.17, 1.40, 1.75 µs. With seek compaction it removes the files while they are read",
    parameters: &[RECORDS, READS, SEED],
    timed: true,
    ..LabInfo::PLAIN
};

pub(super) static L11: LabInfo = LabInfo {
    id: "L11",
    title: "What a bloom filter costs the writer",
    question: "By how much do filters of 10 bits a key make files larger, and writes slower?",
    claim: "10.674 µs a write and 180.24 MB/s with filters, 11.183 µs and 172.92 MB/s without: faster, \
            against the slides' own expectation; a trace of 832 calls of TableBuilder::Add takes longer \
            with filters",
    source: Some(FILTER_BLOCK),
    original: "LevelDB: files 0.34 % larger with values of 2,000 bytes, 1.3 % with 100; 10.8 to 16.5 µs a \
               write with filters, 11.7 to 15.8 µs without: the ranges overlap",
    parameters: &[RECORDS, RUNS, SEED],
    timed: true,
    ..LabInfo::PLAIN
};

/// Lengths of values, and files that the original program made of 200,000 entries of them.
const VALUES: [(usize, u64); 5] = [(16, 3), (100, 12), (400, 31), (1000, 75), (2000, 148)];

/// The same in words.
const ORIGINALS: [&str; 5] = ["3", "12", "31", "75", "148"];

fn sizes(settings: &Settings, report: fn(&[Outcome], &mut LabReport)) -> Box<dyn Experiment> {
    let options =
        scaled(settings.number("records"), WHOLE).compression(Compression::None).bloom_bits(0);
    let trial = |(bytes, _)| (options.clone(), Workload::of(settings, Writes::Drawn, bytes));
    Trials::begin(VALUES.map(trial), report)
}

fn report_tables(outcomes: &[Outcome], report: &mut LabReport) {
    let columns = [
        column("value", "bytes", 0),
        column("tables", "", 0),
        column("LevelDB, 200,000 writes", "tables", 0),
        column("levels", "", 0),
        column("files", "bytes", 0),
        column("entries a table", "", 0),
    ];
    let writes = report.setting("records");
    let title =
        format!("tables by length of the values, {} writes", levelscope::text::count(writes));
    let mut table = LabTable::new(title, columns);
    let mut counts = Vec::new();
    for (number, ((bytes, original), outcome)) in VALUES.iter().zip(outcomes).enumerate() {
        let (tables, stats) = (outcome.tables(), &outcome.stats);
        counts.push(tables);
        table.row([
            (*bytes as u64).into(),
            tables.into(),
            (*original).into(),
            outcome.levels().into(),
            stats.table_bytes.into(),
            ratio(stats.table_entries, tables).into(),
        ]);
        let words = ORIGINALS.get(number).copied().unwrap_or_default();
        let (low, high) = (real(*original) * 0.75 - 1.0, real(*original) * 1.25 + 1.0);
        report.judged_figure(
            format!("tables, values of {}", levelscope::text::bytes(*bytes)),
            (real(tables), 0, ""),
            (Reference::None, Reference::Range(words, low, high)),
            writes == WHOLE,
            "ours after the last compaction; LevelDB's at the end of a run of 200,000 writes",
        );
    }
    let steps = counts.windows(2).filter(|pair| matches!(pair, [less, more] if less < more));
    let steps = steps.count() as u64;
    let all = real(counts.len() as u64 - u64::from(!counts.is_empty()));
    report.judged_figure(
        "steps to longer values that give more tables",
        (real(steps), 0, "of 4"),
        (Reference::Range("all", all, all), Reference::Range("4", all, all)),
        true,
        "",
    );
    report.tables.push(table);
    // LevelDB's counts stand in the chart only beside as many writes.
    let series = if writes == WHOLE { vec![1, 2] } else { vec![1] };
    let chart = LabChart::lines("tables by length of the values", 0, series);
    report.charts.push(chart.logarithmic(true, true));
    let grows = real(steps) >= all;
    report.found(if grows {
        "Each longer value gives more tables: a table ends at a number of bytes, not of entries."
    } else {
        "A longer value did not always give more tables: the last compaction of each fill stops at \
         another moment."
    });
}

fn report_reads(outcomes: &[Outcome], report: &mut LabReport) {
    let columns = [
        column("value", "bytes", 0),
        column("tables", "", 0),
        column("sorted runs", "", 0),
        column("tables searched", "a read", 2),
        column("blocks", "a read", 2),
        column("comparisons", "a read", 1),
        times("time", "µs a read"),
    ];
    let mut table = LabTable::new("reads by length of the values", columns);
    for ((bytes, _), outcome) in VALUES.iter().zip(outcomes) {
        table.row([
            (*bytes as u64).into(),
            outcome.tables().into(),
            outcome.stats.sorted_runs.into(),
            outcome.each_read(outcome.searched).into(),
            outcome.each_read(outcome.blocks).into(),
            outcome.each_read(outcome.comparisons).into(),
            outcome.read_micros().into(),
        ]);
    }
    report.tables.push(table);
    let chart = |title, column| LabChart {
        x: 1,
        ..LabChart::lines(title, 0, [column]).logarithmic(true, false)
    };
    report.charts.push(chart("tables searched a read, by number of tables", 3));
    report.charts.push(chart("time a read, by number of tables", 6));
    let searched = |outcome: &Outcome| outcome.each_read(outcome.searched);
    if let Some((few, many)) = outcomes.first().zip(outcomes.last()) {
        report.figure(
            "tables searched a read, most files to fewest",
            (searched(many) / searched(few).max(0.01), 2, "times"),
            (
                Reference::Words("more files, slower reads"),
                Reference::Words("5.3, 12.6, 30.2, 28.1, 21.0 µs"),
            ),
            "claim and original are times, and this is a count",
        );
    }
    let ends = outcomes.first().zip(outcomes.last());
    let Some((few, many)) = ends else { return };
    report.found(format!(
        "With {} tables instead of {}, a lookup searches {:.2} tables instead of {:.2}: what counts is how \
         many sorted runs overlap, because within a run only one table can have the key.",
        levelscope::text::count(many.tables()),
        levelscope::text::count(few.tables()),
        searched(many),
        searched(few)
    ));
}

pub(super) fn recent(settings: &Settings) -> Box<dyn Experiment> {
    let trials = [0, 10].into_iter().flat_map(|bloom_bits| {
        (0..4).map(move |overlays| {
            let options = Options::default()
                .bloom_bits(bloom_bits)
                .compression(Compression::None)
                .l0_trigger(100)
                .l0_slowdown(200)
                .l0_stall(300);
            (options, overlays)
        })
    });
    let trials: Vec<_> = trials
        .map(|(options, overlays)| {
            let usual = Workload::of(settings, Writes::Ascending, 100);
            (options, Workload { compacts: true, overlays, ..usual })
        })
        .collect();
    Trials::begin(trials, report_recent)
}

fn report_recent(outcomes: &[Outcome], report: &mut LabReport) {
    let columns = [
        column("tables in L0", "", 0),
        column("searched", "a read", 2),
        column("searched, filters", "a read", 2),
        column("comparisons", "a read", 1),
        column("comparisons, filters", "a read", 1),
        times("time", "µs a read"),
        times("time, filters", "µs a read"),
        column("LevelDB", "µs a read", 2),
        column("LevelDB, filters", "µs a read", 2),
    ];
    let originals = [(1.31, 1.22), (1.41, 1.17), (1.83, 1.40), (2.22, 1.75)];
    let mut table = LabTable::new("reads by number of tables in L0", columns);
    let (plain, filtered) = outcomes.split_at(outcomes.len() / 2);
    for ((plain, filtered), (original, with)) in plain.iter().zip(filtered).zip(originals) {
        table.row([
            plain.recent_tables().into(),
            plain.each_read(plain.searched).into(),
            filtered.each_read(filtered.searched).into(),
            plain.each_read(plain.comparisons).into(),
            filtered.each_read(filtered.comparisons).into(),
            plain.read_micros().into(),
            filtered.read_micros().into(),
            LabCell::Number(original),
            LabCell::Number(with),
        ]);
    }
    report.tables.push(table);
    report.charts.push(LabChart::lines("tables searched a read", 0, [1, 2]));
    report.charts.push(LabChart::lines("time a read", 0, [5, 6]));
    if let (Some(most), Some(with)) = (plain.last(), filtered.last()) {
        report.found(format!(
            "With three tables in L0 a lookup searches {:.2} tables, because each of them may have the key; \
             with filters it searches {:.2}. The tables stay until a compaction is due: here reads cause no \
             compaction, in LevelDB they do.",
            most.each_read(most.searched),
            with.each_read(with.searched)
        ));
    }
}

pub(super) fn filters(settings: &Settings) -> Box<dyn Experiment> {
    let trials = VALUES_FILTERED.into_iter().flat_map(|(value_bytes, ..)| {
        (0..settings.number("runs")).flat_map(move |_| {
            [0, 10].map(|bloom_bits| {
                let options =
                    Options::default().bloom_bits(bloom_bits).compression(Compression::None);
                (options, Workload::of(settings, Writes::Ascending, value_bytes))
            })
        })
    });
    Trials::begin(trials.collect::<Vec<_>>(), report_filters)
}

/// Lengths of values, and by how much the original's files grow with filters: words, number, range.
const VALUES_FILTERED: [(usize, &str, f64, f64, f64); 2] =
    [(2000, "0.34", 0.34, 0.3, 0.4), (100, "1.3", 1.3, 1.2, 1.4)];

/// The least and the most time of a write of some fills \[µs\].
fn range<'a>(fills: impl Iterator<Item = &'a Outcome>) -> (f64, f64) {
    fills
        .map(Outcome::write_micros)
        .fold((f64::MAX, 0.0), |(least, most), micros| (least.min(micros), most.max(micros)))
}

fn report_filters(outcomes: &[Outcome], report: &mut LabReport) {
    let columns = [
        column("value", "bytes", 0),
        column("files without", "bytes", 0),
        column("files with filters", "bytes", 0),
        column("more", "%", 2),
        column("LevelDB", "%", 2),
        times("least without", "µs a write"),
        times("most without", "µs a write"),
        times("least with", "µs a write"),
        times("most with", "µs a write"),
    ];
    let mut table = LabTable::new("files and writes with and without filters", columns);
    let fills = outcomes.len() / VALUES_FILTERED.len();
    let mut verdicts = Vec::new();
    for (pairs, (bytes, words, original, low, high)) in
        outcomes.chunks(fills.max(1)).zip(VALUES_FILTERED)
    {
        let [without, with, ..] = pairs else { continue };
        let grown = growth(without.stats.table_bytes, with.stats.table_bytes);
        let plain = range(pairs.iter().step_by(2));
        let filtered = range(pairs.iter().skip(1).step_by(2));
        table.row([
            (bytes as u64).into(),
            without.stats.table_bytes.into(),
            with.stats.table_bytes.into(),
            grown.into(),
            original.into(),
            plain.0.into(),
            plain.1.into(),
            filtered.0.into(),
            filtered.1.into(),
        ]);
        report.figure(
            format!("files larger with filters, values of {}", levelscope::text::bytes(bytes)),
            (grown, 2, "%"),
            (Reference::None, Reference::Range(words, low, high)),
            "LevelDB makes a filter for every 2 KiB of a file, this engine one for each table",
        );
        verdicts.push(match () {
            () if plain.1 < filtered.0 => {
                "every fill with filters took longer than every one without"
            }
            () if filtered.1 < plain.0 => {
                "every fill with filters took less than every one without"
            }
            () => "the ranges overlap, so no direction can be concluded",
        });
    }
    report.tables.push(table);
    report.tables.push(slides_measured());
    report.charts.push(LabChart::bars("files larger with filters", 0, [3, 4]));
    report.found(
        "A filter costs ten bits a key whatever the value, so its share falls as values grow. No time is \
         judged.",
    );
    if let [long, short] = verdicts[..] {
        let runs = fills / 2;
        report.found(format!(
            "Times of {runs} fills of each kind. With values of 2,000 bytes, {long}. With values of 100 bytes, \
             {short}."
        ));
    }
}
