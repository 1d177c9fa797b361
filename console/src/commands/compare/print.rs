//! A comparison as text: the commands, the figures in two columns, and both trees.

use crate::commands::levels;
use crate::output::OutputLine;
use crate::result::{CompareOutcome, CompareResult, CompareSide};
use crate::session::Session;
use crate::text;

/// Column in which the figures of the first side begin.
const MARGIN: usize = 34;
/// Least width of a column of figures.
const COLUMN: usize = 16;
/// Commands that are printed.
const COMMANDS_MAX: usize = 12;

/// A figure as text, and as the number that two sides are compared by.
type Figure = (&'static str, fn(&CompareOutcome) -> (String, Option<f64>));

const FIGURES: &[Figure] = &[
    ("written by the commands", |run| size(run.user_bytes)),
    ("written to logs", |run| size(run.wal_bytes)),
    ("written by flushes", |run| size(run.flush_bytes)),
    ("written by compactions", |run| size(run.compaction_bytes)),
    ("write amplification", |run| ratio(run.write_amplification)),
    ("tables", |run| count(run.tables)),
    ("levels with tables", |run| count(run.levels)),
    ("sorted runs", |run| count(run.runs)),
    ("tables searched, key present", |run| ratio(run.searched_present)),
    ("tables searched, key absent", |run| ratio(run.searched_absent)),
    ("all tables, after a flush", |run| size(run.flushed_bytes)),
    ("live data, fully compacted", |run| size(run.live_bytes)),
    ("space amplification", |run| ratio(run.space_amplification)),
];

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn size(bytes: u64) -> (String, Option<f64>) {
    (text::size(bytes), Some(bytes as f64))
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn count(number: u64) -> (String, Option<f64>) {
    (text::count(number), Some(number as f64))
}

fn ratio(ratio: Option<f64>) -> (String, Option<f64>) {
    (text::ratio(ratio), ratio)
}

/// Prints all of `result`.
pub(super) fn comparison(session: &mut Session, result: &CompareResult) {
    let [first, second] = result.sides.as_slice() else { return };
    let ran = text::counted(result.commands.len() as u64, "command");
    session.print(
        OutputLine::text("The same ")
            .number(ran)
            .plain(" ran on ")
            .strong(&first.title)
            .plain(" and on ")
            .strong(&second.title)
            .plain(", each from an empty database."),
    );
    print_commands(session, result);
    print_figures(session, first, second);
    for side in [first, second] {
        session.print(OutputLine::new());
        session.print(heading(side));
        levels::draw(session, &side.view);
    }
    session.print(OutputLine::new());
    session.lines.extend(result.notes.iter().map(OutputLine::note));
    let line = OutputLine::new().dim("Both are branches in memory: `branch ");
    let line = line.dim(&first.name).dim("` goes to one, `branch --drop ").dim(&first.name);
    session.print(line.dim("` deletes it."));
}

fn heading(side: &CompareSide) -> OutputLine {
    let options = side.options.iter().map(|option| format!("{} {}", option.name, option.value));
    let options: Vec<String> = options.collect();
    let line = OutputLine::new().strong(&side.name).plain(": ");
    line.plain(text::printable(&options.join(", ")))
}

fn print_commands(session: &mut Session, result: &CompareResult) {
    let mut from: Vec<u64> = result.sides.iter().map(|side| side.opened).collect();
    for command in result.commands.iter().take(COMMANDS_MAX) {
        let steps = from.iter().zip(&command.ends).map(|(from, end)| end.saturating_sub(*from));
        let steps: Vec<String> = steps.map(text::count).collect();
        let line = OutputLine::text("  ").plain(text::printable(&command.text)).pad_to(MARGIN);
        let line = line.dim(format!("steps: {}", steps.join(" and ")));
        session.print(match command.failures.iter().flatten().next() {
            Some(why) => line.dim(format!("; failed: {}", text::printable(why))),
            None => line,
        });
        from.clone_from(&command.ends);
    }
    let all = result.commands.len();
    session.lines.extend(OutputLine::rest("  ", all, COMMANDS_MAX, "more command", ""));
}

fn print_figures(session: &mut Session, first: &CompareSide, second: &CompareSide) {
    let titles = [&first.title, &second.title].map(|title| text::printable(title));
    let widths = titles.each_ref().map(|title| (title.chars().count() + 2).max(COLUMN));
    let [left, right] = widths;
    let [title, other] = &titles;
    session.print(OutputLine::new());
    let line = OutputLine::new().pad_to(MARGIN).strong(title).pad_to(MARGIN + left).strong(other);
    session.print(line.pad_to(MARGIN + left + right).dim("second / first"));
    for (name, figure) in FIGURES {
        let ((one, first), (two, second)) = (figure(&first.outcome), figure(&second.outcome));
        let line = OutputLine::text(*name).pad_to(MARGIN).number(one);
        let line = line.pad_to(MARGIN + left).number(two).pad_to(MARGIN + left + right);
        let times = first.zip(second).filter(|(first, _)| *first > 0.0);
        session.print(line.dim(times.map_or(String::new(), |(first, second)| {
            format!("{}×", text::decimal(second / first, 2))
        })));
    }
}
