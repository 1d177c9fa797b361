//! The output: the banner, a line a benchmark, and histograms.

use super::histogram::Histogram;
use super::settings::Settings;
use crate::commands::figures;
use crate::output::OutputLine;
use crate::result::BenchResult;
use crate::session::Session;
use crate::text;
use levelscope::Db;
use levelscope::view::View;

/// Characters of the longest bar of a histogram.
const BAR: u64 = 40;
/// Column in which figures begin.
const FIGURES: usize = 12;

/// Prints the settings of the measurement, before it begins.
pub(super) fn banner(session: &mut Session, settings: &Settings, place: &str) {
    let mut row = |name: &str, terms: String| {
        session.print(OutputLine::new().dim(name).pad_to(FIGURES).plain(terms));
    };
    let (value, compressed) = (settings.value_bytes as u64, settings.compressed_bytes());
    let estimated = |value: u64| {
        let bytes = settings.key_bytes().saturating_add(value).saturating_mul(settings.num);
        format!("about {}", text::size(bytes))
    };
    row("database", place.to_owned());
    row("keys", format!("{} each", text::bytes(settings.key_bytes())));
    row(
        "values",
        format!("{} each, about {} compressed", text::bytes(value), text::bytes(compressed)),
    );
    if settings.threads > 1 {
        row("threads", format!("{}, each with all entries", settings.threads));
    }
    row("entries", text::count(settings.num));
    row("raw size", estimated(value));
    row("file size", estimated(compressed));
    session.print(OutputLine::note("-".repeat(48)));
}

/// Prints the line of one benchmark.
pub(super) fn line(session: &mut Session, result: &BenchResult) {
    let picos = u128::from(result.nanos) * 1000;
    let each = u64::try_from(picos / u128::from(result.operations.max(1))).unwrap_or(u64::MAX);
    // Thousandths of a microsecond, rounded.
    let thousandths = (each + 500) / 1000;
    let micros = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    let mut line = OutputLine::new().strong(format!("{:<12}", result.name)).plain(" : ");
    if result.operations == 0 {
        session.print(line.plain("no operations: the database is empty"));
        return;
    }
    line = line.number(format!("{micros:>11}")).plain(" micros/op;");
    if result.bytes > 0 {
        let per_second =
            u128::from(result.bytes) * 1_000_000_000 / u128::from(result.elapsed_nanos.max(1));
        let shown = tenths(u64::try_from(per_second).unwrap_or(u64::MAX), 1 << 20);
        line = line.number(format!(" {shown:>6}")).plain(" MiB/s");
    }
    match (result.found, result.name.as_str()) {
        (Some(found), _) => {
            let [found, all] = [found, result.operations].map(text::count);
            line = line.plain(format!(" ({found} of {all} found)"));
        }
        (None, "crc32c") => line = line.dim(" (4 KiB an operation; CRC-32, the engine's checksum)"),
        (None, _) => {}
    }
    session.print(line);
    if let Some(comparisons) = result.comparisons {
        let line = OutputLine::text("    comparisons: ").number(text::count(comparisons));
        let each = tenths(comparisons, result.operations.max(1));
        session.print(line.plain(format!(", {each} a get (counting makes gets slower)")));
    }
}

/// Prints the tables of each level, as `leveldb.sstables` does: number, bytes, smallest and largest key.
pub(super) fn tables(session: &mut Session, view: &View) {
    for (level, tables) in view.levels.iter().enumerate() {
        session.print(OutputLine::text(format!("--- level {level} ---")));
        for table in &tables.tables {
            let line = OutputLine::text(" ").number(table.table.to_string()).plain(": ");
            let line = line.number(text::count(table.bytes)).plain(" [");
            let line = line.key(&table.smallest.head).plain(" .. ").key(&table.largest.head);
            session.print(line.plain("]"));
        }
    }
}

/// Prints how long single operations took.
pub(super) fn histogram(session: &mut Session, histogram: &Histogram) {
    let total = histogram.total();
    let micros = |nanos: u64| tenths(nanos, 1000);
    session.print(OutputLine::note(format!(
        "    {} measured, in microseconds: mean {}, longest {}",
        text::count(total),
        micros(histogram.mean_nanos()),
        micros(histogram.longest_nanos())
    )));
    let mut below = 0;
    for range in histogram.ranges() {
        below += range.count;
        let to = range.to.map_or_else(|| "more".to_owned(), |to| to.to_string());
        let bar = "#".repeat(usize::try_from(range.count * BAR / total.max(1)).unwrap_or(0));
        let line = OutputLine::text(format!("    {:>9} - {to:<9}", range.from));
        let line = line.number(format!("{:>11}", range.count));
        let line = line.plain(format!(
            " {:>6} % {:>6} % ",
            tenths(range.count * 100, total.max(1)),
            tenths(below * 100, total.max(1))
        ));
        session.print(line.dim(bar));
    }
}

/// Prints the figures of the database.
pub(super) fn stats(session: &mut Session, db: &Db) {
    figures::print(session, &figures::stats_of(db));
}

/// `part / unit` with one digit after the decimal point, rounded.
fn tenths(part: u64, unit: u64) -> String {
    let unit = u128::from(unit);
    let tenths = (u128::from(part) * 10 + unit / 2) / unit;
    format!("{}.{}", tenths / 10, tenths % 10)
}
