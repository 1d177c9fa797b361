//! Results of reads of another program's directory, as lines of a terminal.

use super::fileset::{Way, stops_of};
use super::lines::{damaged, problem, short};
use crate::{Failure, OutputLine, Style, text};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::query::answer::{Lookup, RowLine, Rows};
use levelscope_foreign::read::scan::Passed;
use levelscope_foreign::{Problem, Severity, trace};
use levelscope_formats::{SearchMethod, Trail};

pub(super) fn rows(rows: &Rows) -> Vec<OutputLine> {
    let mut lines: Vec<OutputLine> = rows.rows.iter().flat_map(row).collect();
    let passed = rows.passed;
    lines.push(OutputLine::note(format!(
        "{} of {} read: {}, {} range-deleted, {} shadowed{}; {} in {}",
        text::counted(rows.rows.len(), "live entry"),
        text::count(passed.entries),
        text::counted(passed.tombstones, "tombstone"),
        text::count(passed.range_deleted),
        text::count(passed.shadowed),
        others(passed),
        text::size(rows.read_bytes),
        text::counted(rows.reads, "read"),
    )));
    if let Some(next) = &rows.next {
        lines.push(OutputLine::note(format!("there are more from {}", short(next))));
    }
    lines.extend(rows.problems.iter().map(problem));
    lines.extend(cautions(&rows.cautions));
    lines
}

/// Warnings about an answer.
fn cautions(cautions: &[String]) -> impl Iterator<Item = OutputLine> {
    let line = |caution: &String| {
        OutputLine::new()
            .with(Style::Bad, "caution ")
            .plain(format!("  {}", text::printable(caution)))
    };
    cautions.iter().map(line)
}

/// Counts of a scan that are printed only if they are above 0.
fn others(passed: Passed) -> String {
    let parts = [(passed.joined, "joined"), (passed.unread, "that could not be read")];
    let met = parts.into_iter().filter(|(number, _)| *number > 0);
    let words: Vec<String> =
        met.map(|(number, how)| format!(", {} {how}", text::count(number))).collect();
    words.concat()
}

fn row(row: &RowLine) -> Vec<OutputLine> {
    let mut line = OutputLine::new().with(Style::Key, short(&row.key)).plain("  ");
    if row.kind == "merge" {
        line = line.dim("merge operands of an operator that is not known");
    } else {
        line = line.with(Style::Value, short(&row.value));
    }
    line = line.dim(format!("  sequence {}, {}", text::count(row.sequence), row.found_in));
    if let Some(timestamp) = row.timestamp {
        line = line.dim(format!(", timestamp {timestamp}"));
    }
    let mut lines = vec![line];
    for (name, value) in &row.parts {
        let line = OutputLine::new().plain("    ");
        let line = if row.kind == "columns" {
            line.with(Style::Key, short(name)).plain(" = ")
        } else {
            line.dim("operand ")
        };
        lines.push(line.with(Style::Value, short(value)));
    }
    lines
}

/// Every place that was asked, and the answer.
pub(super) fn lookup(lookup: &Lookup) -> Vec<OutputLine> {
    let mut lines = Vec::new();
    for stop in &lookup.stops {
        let bytes: u64 = stop.reads.iter().map(|(_, _, bytes)| bytes).sum();
        let mut line = OutputLine::new()
            .strong(format!("{:<16}", stop.place))
            .plain(text::printable(&stop.sentence));
        if !stop.reads.is_empty() {
            let reads = text::counted(stop.reads.len(), "read");
            line = line.dim(format!("  {reads}, {}", text::size(bytes)));
        }
        lines.push(line);
    }
    lines.extend(value(lookup));
    lines
}

/// Adds to the stops of a lookup in tables of Levelscope the reads and comparisons of each, as far as they can be read.
pub(super) fn trace_stops(
    directory: &Directory<'_>,
    family: u32,
    key: &[u8],
    way: Way,
    answer: &mut Lookup,
) {
    let is_sequential = way.method == Some(SearchMethod::Sequential);
    for stop in std::mem::take(&mut answer.stops) {
        let table = stop.table.filter(|_| stop.outcome != "skipped");
        answer.stops.push(stop);
        let Some(number) = table else { continue };
        let name = directory.tables().name_of(family, number);
        let mut trail = Trail::default();
        // The stop reports damage already.
        let _ = trace(directory.files(), &name, key, is_sequential, &mut trail);
        answer.stops.extend(trail.accesses.iter().flat_map(|it| stops_of(&name, it, way)));
    }
}

/// The answer, and what it may lack.
pub(super) fn value(lookup: &Lookup) -> Vec<OutputLine> {
    let mut lines = Vec::new();
    if let Some(found) = &lookup.row {
        lines.append(&mut row(found));
    } else if lookup.outcome == "none" {
        lines.push(OutputLine::text("not found"));
    }
    lines.extend(lookup.problems.iter().map(problem));
    lines.extend(cautions(&lookup.cautions));
    lines
}

/// The failure of an unreadable or unknown lookup.
pub(super) fn unread(lookup: &Lookup) -> Option<Failure> {
    let message = format!("the key {} {}", short(&lookup.key), text::printable(&lookup.answer));
    matches!(lookup.outcome, "unreadable" | "unknown").then(|| damaged(message))
}

/// The failure of a scan that lacks rows of what could not be read.
pub(super) fn incomplete(rows: &Rows) -> Option<Failure> {
    let errors: Vec<&Problem> =
        rows.problems.iter().filter(|problem| problem.severity == Severity::Error).collect();
    let first = errors.first()?;
    let message = format!(
        "rows may be missing: {} could not be read, the first in {}",
        text::counted(errors.len(), "place"),
        text::printable(&first.file)
    );
    Some(damaged(message))
}
