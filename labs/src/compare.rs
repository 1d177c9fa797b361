//! `compare` and `sweep`: configurations of the engine side by side, on the caller's data.

use super::report::{
    LabCell, LabChart, LabInfo, LabParameter, LabReport, LabTable, column, growth, parameter,
    ratio, real, times,
};
use super::trial::{Outcome, Point, Trials, Workload, Writes};
use super::{Begun, Refused, Settings};
use levelscope::{OPTION_INFOS, Options};

const RECORDS: LabParameter = parameter("records", "writes", 20_000, 1_000..=2_000_000);
const READS: LabParameter =
    parameter("reads", "lookups of keys drawn at random, at the end", 2_000, 10..=1_000_000);
const VALUE_SIZE: LabParameter =
    parameter("value-size", "length of the values [bytes]", 100, 0..=100_000);
const DELETES: LabParameter =
    parameter("deletes", "how many of a hundred writes delete", 5, 0..=90);
const SEED: LabParameter = parameter("seed", "of keys and values", 1, 0..=1 << 53);

pub(super) static COMPARE: LabInfo = LabInfo {
    id: "compare",
    title: "Two configurations of the engine, the same writes and reads",
    question: "What does one configuration do better than the other, and what does it pay? Both have, unless \
               set otherwise, memtables and tables of 32 KiB and an L1 of 128 KiB.",
    words: "[NAME=VALUE...] vs [NAME=VALUE...]",
    usual_words: "strategy=leveled vs strategy=tiered",
    parameters: &[
        RECORDS,
        parameter(
            "keys",
            "different keys: fewer than records means that some are written again",
            10_000,
            1..=2_000_000,
        ),
        READS,
        VALUE_SIZE,
        DELETES,
        SEED,
    ],
    timed: true,
    ..LabInfo::PLAIN
};

pub(super) static SWEEP: LabInfo = LabInfo {
    id: "sweep",
    title: "One configuration, more and more data",
    question: "How do tables and amplification grow with the length of values or the number of keys?",
    words: "value-size|keys [NAME=VALUE...]",
    usual_words: "value-size",
    parameters: &[LabParameter { default: 8_000, ..RECORDS }, READS, SEED],
    timed: true,
    ..LabInfo::PLAIN
};

/// Points of the timeline.
const POINTS: u64 = 40;
/// Lengths of values \[bytes\].
const VALUE_SIZES: [usize; 7] = [16, 50, 100, 200, 400, 800, 1600];
/// Eighths of the records.
const EIGHTHS: [u64; 6] = [1, 2, 4, 8, 16, 32];

/// Small enough that the usual number of writes fills some levels.
fn base() -> Options {
    Options::default()
        .memtable_bytes(32 << 10)
        .table_bytes(32 << 10)
        .level_base_bytes(128 << 10)
        .level_multiplier(4)
}

/// The base with the settings `words`.
fn configured(words: &[String]) -> Result<Options, Refused> {
    let mut options = base();
    for word in words {
        let (name, value) = word.split_once('=').ok_or_else(|| {
            let shown = levelscope::text::printable(word);
            let names: Vec<&str> = OPTION_INFOS.iter().map(|info| info.name).collect();
            let failure = Refused::new(format!("NAME=VALUE is expected, not {shown}"));
            failure.hint(format!("names are: preset {}", names.join(" ")))
        })?;
        if name == "preset" {
            let none = || Refused::new(format!("there is no preset {value}"));
            options = Options::preset(value).ok_or_else(none)?;
        } else {
            options.set(name, value)?;
        }
    }
    options.validate()?;
    Ok(options)
}

pub(super) fn compare(settings: &Settings) -> Begun {
    let mut sides = settings.words.split(|word| word == "vs").map(configured);
    let (Some(first), Some(second), None) = (sides.next(), sides.next(), sides.next()) else {
        let message = "two configurations are compared, with `vs` between them";
        let hint = "for example: lab compare strategy=tiered vs strategy=leveled bloom_bits=0";
        return Err(Refused::new(message).hint(hint));
    };
    let (first, second) = (first?, second?);
    let value_bytes = usize::try_from(settings.number("value-size")).unwrap_or(0);
    let workload = Workload {
        keys: settings.number("keys"),
        deletes: settings.number("deletes"),
        points: POINTS,
        measures_live: true,
        ..Workload::of(settings, Writes::Drawn, value_bytes)
    };
    Ok(Trials::begin([(first, workload.clone()), (second, workload)], report_both))
}

fn written(outcome: &Outcome) -> u64 {
    let stats = &outcome.stats;
    stats.wal_bytes + stats.flush_bytes + stats.compaction_write_bytes
}

/// One figure of an outcome.
type Figure = (&'static str, &'static str, fn(&Outcome) -> Option<f64>);

const COUNTS: &[Figure] = &[
    ("written by the user", "bytes", |run| Some(real(run.stats.user_bytes))),
    ("written to logs", "bytes", |run| Some(real(run.stats.wal_bytes))),
    ("written by flushes", "bytes", |run| Some(real(run.stats.flush_bytes))),
    ("written by compactions", "bytes", |run| Some(real(run.stats.compaction_write_bytes))),
    ("read by compactions", "bytes", |run| Some(real(run.stats.compaction_read_bytes))),
    ("flushes", "", |run| Some(real(run.stats.flushes))),
    ("compactions", "", |run| Some(real(run.stats.compactions))),
    ("trivial moves", "", |run| Some(real(run.stats.trivial_moves))),
    ("tables", "", |run| Some(real(run.tables()))),
    ("table files", "bytes", |run| Some(real(run.stats.table_bytes))),
    ("live data, after a full compaction", "bytes", |run| Some(real(run.live_bytes))),
    ("levels", "", |run| Some(real(run.levels()))),
    ("sorted runs", "", |run| Some(real(run.stats.sorted_runs))),
];

const RATIOS: &[Figure] = &[
    ("write amplification", "times", |run| run.stats.write_amplification),
    ("space amplification", "times", Outcome::space_amplification),
    ("tables searched", "a read", |run| Some(run.each_read(run.searched))),
    ("tables skipped by filter", "a read", |run| Some(run.each_read(run.filtered))),
    ("blocks", "a read", |run| Some(run.each_read(run.blocks))),
    ("comparisons", "a read", |run| Some(run.each_read(run.comparisons))),
    ("keys found", "a read", |run| Some(run.each_read(run.found))),
];

/// A table of `figures` of both.
fn beside(title: &str, digits: usize, figures: &[Figure], outcomes: [&Outcome; 2]) -> LabTable {
    let columns = [
        column("", "", 0),
        column("unit", "", 0),
        column("A", "", digits),
        column("B", "", digits),
        column("from A to B", "%", 1),
    ];
    let mut table = LabTable::new(title, columns);
    for (name, unit, figure) in figures {
        let [a, b] = outcomes.map(figure);
        let more = match (a, b) {
            (Some(a), Some(b)) if a != 0.0 => (100.0 * (b / a - 1.0)).into(),
            _ => LabCell::Empty,
        };
        table.row([(*name).into(), (*unit).into(), a.into(), b.into(), more]);
    }
    table
}

fn report_both(outcomes: &[Outcome], report: &mut LabReport) {
    let [first, second] = outcomes else { return };
    let both = [first, second];
    report.tables.push(beside("A and B after all writes", 0, COUNTS, both));
    report.tables.push(beside("amplification, and one read", 2, RATIOS, both));
    let mut clocks = LabTable::new(
        "times of a write and a read",
        [column("", "", 0), times("A", "µs"), times("B", "µs")],
    );
    clocks.row(["a write".into(), first.write_micros().into(), second.write_micros().into()]);
    clocks.row(["a read".into(), first.read_micros().into(), second.read_micros().into()]);
    report.tables.push(clocks);
    report.tables.push(timeline(first, second));
    for (title, place) in [
        ("bytes written, logs included", 1),
        ("tables", 3),
        ("sorted runs", 5),
        ("bytes of all tables", 7),
    ] {
        report.charts.push(LabChart::lines(title, 3, [place, place + 1]));
    }
    let words = |outcome: &Outcome| {
        format!(
            "writes {} bytes for each byte of the user, keeps {} for each byte of the live data and \
             searches {:.2} tables for each read",
            levelscope::text::ratio(outcome.stats.write_amplification),
            levelscope::text::ratio(outcome.space_amplification()),
            outcome.each_read(outcome.searched)
        )
    };
    report.found(format!(
        "A {}. B {}. B writes {} and keeps {} on disk.",
        words(first),
        words(second),
        than(growth(written(first), written(second)), "A"),
        than(growth(first.stats.table_bytes, second.stats.table_bytes), "A")
    ));
}

/// A growth in percent as words: `9.1 % less than A`.
fn than(percent: f64, other: &str) -> String {
    match format!("{:.1}", percent.abs()).as_str() {
        "0.0" => format!("as much as {other}"),
        size if percent < 0.0 => format!("{size} % less than {other}"),
        size => format!("{size} % more than {other}"),
    }
}

fn timeline(first: &Outcome, second: &Outcome) -> LabTable {
    let columns = [
        column("writes", "", 0),
        column("written, A", "bytes", 0),
        column("written, B", "bytes", 0),
        column("tables, A", "", 0),
        column("tables, B", "", 0),
        column("runs, A", "", 0),
        column("runs, B", "", 0),
        column("table files, A", "bytes", 0),
        column("table files, B", "bytes", 0),
    ];
    let mut table = LabTable::new("while the writes are made", columns);
    for (a, b) in first.points.iter().zip(&second.points) {
        let bytes = |point: &Point| -> LabCell {
            let stats = &point.stats;
            (stats.wal_bytes + stats.flush_bytes + stats.compaction_write_bytes).into()
        };
        table.row([
            a.writes.into(),
            bytes(a),
            bytes(b),
            a.tables.into(),
            b.tables.into(),
            a.stats.sorted_runs.into(),
            b.stats.sorted_runs.into(),
            a.stats.table_bytes.into(),
            b.stats.table_bytes.into(),
        ]);
    }
    table
}

pub(super) fn sweep(settings: &Settings) -> Begun {
    let (what, words) = settings.words.split_first().unzip();
    let (what, words) = (what.map_or("", String::as_str), words.unwrap_or_default());
    let options = configured(words)?;
    match what {
        "value-size" => {
            let trial = |bytes| {
                let usual = Workload::of(settings, Writes::Drawn, bytes);
                (options.clone(), Workload { measures_live: true, ..usual })
            };
            Ok(Trials::begin(VALUE_SIZES.map(trial), |outcomes, report| {
                let points = VALUE_SIZES.iter().map(|bytes| *bytes as u64).collect();
                report_sweep(outcomes, report, points, ("value", "bytes"));
            }))
        }
        "keys" => {
            let trial = |eighths: u64| {
                let usual = Workload::of(settings, Writes::Drawn, 100);
                let records = (settings.number("records") * eighths / 8).max(1);
                (options.clone(), Workload { records, keys: records, measures_live: true, ..usual })
            };
            Ok(Trials::begin(EIGHTHS.map(trial), |outcomes, report| {
                let points = outcomes.iter().map(|outcome| outcome.writes).collect();
                report_sweep(outcomes, report, points, ("keys", ""));
            }))
        }
        other => {
            let shown = levelscope::text::printable(other);
            let message = format!("value-size or keys can be swept over, not {shown}");
            Err(Refused::new(message))
        }
    }
}

fn report_sweep(
    outcomes: &[Outcome],
    report: &mut LabReport,
    points: Vec<u64>,
    (name, unit): (&'static str, &'static str),
) {
    let columns = [
        column(name, unit, 0),
        column("tables", "", 0),
        column("levels", "", 0),
        column("files", "bytes", 0),
        column("live data", "bytes", 0),
        column("write amp.", "times", 2),
        column("space amp.", "times", 2),
        column("runs", "", 0),
        column("searched", "a read", 2),
        column("blocks", "a read", 2),
        column("comparisons", "a read", 1),
        times("write", "µs"),
        times("read", "µs"),
    ];
    let mut table = LabTable::new(format!("by {name}"), columns);
    for (point, outcome) in points.into_iter().zip(outcomes) {
        let stats = &outcome.stats;
        table.row([
            point.into(),
            outcome.tables().into(),
            outcome.levels().into(),
            stats.table_bytes.into(),
            outcome.live_bytes.into(),
            stats.write_amplification.into(),
            outcome.space_amplification().into(),
            stats.sorted_runs.into(),
            outcome.each_read(outcome.searched).into(),
            outcome.each_read(outcome.blocks).into(),
            outcome.each_read(outcome.comparisons).into(),
            outcome.write_micros().into(),
            outcome.read_micros().into(),
        ]);
    }
    report.tables.push(table);
    for (title, place) in [
        ("tables", 1),
        ("write amplification", 5),
        ("space amplification", 6),
        ("comparisons a read", 10),
    ] {
        let chart = LabChart::lines(title, 0, [place]);
        report.charts.push(chart.logarithmic(true, place == 1));
    }
    let Some((first, last)) = outcomes.first().zip(outcomes.last()) else { return };
    report.found(format!(
        "From the first row to the last the files become {:.1} times as large and the tables {:.1} times as \
         many. Write amplification goes from {} to {}.",
        ratio(last.stats.table_bytes, first.stats.table_bytes),
        ratio(last.tables(), first.tables()),
        levelscope::text::ratio(first.stats.write_amplification),
        levelscope::text::ratio(last.stats.write_amplification)
    ));
}

#[cfg(test)]
mod tests {
    use super::than;

    #[test]
    fn a_growth_is_printed_with_more_or_less() {
        assert_eq!(than(-9.12, "A"), "9.1 % less than A");
        assert_eq!(than(56.8, "A"), "56.8 % more than A");
        assert_eq!(than(-0.04, "A"), "as much as A");
    }
}
