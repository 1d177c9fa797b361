//! `levels`: the whole tree in text, all levels on one key axis.

use crate::commands::Command;
use crate::language::{Args, Statement, Verb};
use crate::output::{Answer, Failure, OutputLine};
use crate::session::{Session, Task, once};
use crate::text;
use levelscope::event::ShownKey;
use levelscope::internals::sorting;
use levelscope::storage::FileName;
use levelscope::view::{LevelView, MemtableView, ScoreUnit, TableInfo, View, WalView};

/// Columns of the key axis.
const AXIS: usize = 64;
/// Columns before the axis.
const MARGIN: usize = 6;
/// Runs of a level that get a row, and tables of a run that are drawn one by one.
const TABLES_MAX: usize = 24;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "levels",
    group: "look inside",
    usage: "levels",
    purpose: "Draws memory, logs and all levels on one key axis.",
    example: "levels",
    ..Verb::LOOK
}
.starts(levels)
.aliases(&["lsm"])
.synonyms(&["tables"])];

fn levels(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(once(|session| {
        let view = session.db()?.view();
        draw(session, &view);
        Ok(Answer::other(view))
    }))
}

/// One memtable in a line.
pub(super) fn memtable_line(memtable: &MemtableView) -> OutputLine {
    let line = OutputLine::new().memtable(memtable.memtable).pad_to(14);
    let line = line.plain(if memtable.immutable { "immutable  " } else { "active     " });
    let line = line.number(text::counted(memtable.entries, "entry"));
    let line = if memtable.tombstones > 0 {
        line.plain(", ").number(text::counted(memtable.tombstones, "tombstone"))
    } else {
        line
    };
    let line = ranges(line, memtable.ranges.as_ref().map_or(0, |ranges| ranges.count));
    let line = line.plain(", ").number(text::size(memtable.bytes as u64));
    let line = line.dim(format!(" of {}", text::size(memtable.limit_bytes as u64)));
    line.plain("  log ").file(FileName::Wal(memtable.wal))
}

/// Adds the number of range tombstones, if there are any.
fn ranges(line: OutputLine, count: u64) -> OutputLine {
    match count {
        0 => line,
        _ => line.plain(", ").number(text::counted(count, "range tombstone")),
    }
}

/// One log in a line.
pub(super) fn wal_line(wal: &WalView) -> OutputLine {
    let line = OutputLine::new().file(FileName::Wal(wal.wal)).pad_to(14);
    let line = line.plain(if wal.closed { "closed     " } else { "active     " });
    let line = line.number(text::counted(wal.records, "record")).plain(", ");
    let line = line.number(text::size(wal.bytes));
    let unsynced = wal.records.saturating_sub(wal.synced_records);
    match (unsynced, wal.bytes > wal.synced_bytes) {
        (0, false) => line.plain(", all durable"),
        (0, true) => line.plain(", all records durable"),
        (records, _) => {
            let records = text::counted(records, "record");
            let line = line.plain(", ").strong(format!("{records} not yet durable"));
            match wal.bytes.saturating_sub(wal.written_bytes) {
                0 => line,
                waiting => line.plain(format!(", {} still in memory", text::size(waiting))),
            }
        }
    }
}

/// Prints memory, logs and all levels.
pub(super) fn draw(session: &mut Session, view: &View) {
    session.lines.extend(view.memtables.iter().map(memtable_line));
    session.print(OutputLine::note(format!(
        "{:-<1$}",
        "-- durable below this line ",
        AXIS + MARGIN
    )));
    session.lines.extend(view.wals.iter().map(wal_line));
    session.lines.extend(view.levels.iter().map(level_line));
    draw_axis(session, view);
    for job in &view.jobs {
        let line = OutputLine::new().strong(format!("job {}", job.job)).plain("  ");
        let line = line.plain(text::printable(&job.reason)).dim(format!(
            "  {} of {}",
            text::count(job.entries_done),
            text::counted(job.entries_total, "entry")
        ));
        session.print(line);
    }
    if let Some(stall) = view.stall {
        session.print(OutputLine::new().strong("write stall: ").plain(stall.to_string()));
    } else if let Some(slowdown) = view.slowdown {
        session.print(OutputLine::new().strong("write slowdown: ").plain(slowdown.to_string()));
    }
    if let Some(why) = &view.read_only {
        let line = OutputLine::new().with(crate::output::Style::Bad, "read-only: ");
        session.print(line.plain(text::printable(&why.error)));
    }
}

fn level_line(level: &LevelView) -> OutputLine {
    let number = level.score.level;
    let line = OutputLine::new().level(number);
    let count = level.tables.len() as u64;
    if count == 0 {
        return line.pad_to(MARGIN).dim("empty");
    }
    let line = line.pad_to(MARGIN).number(text::counted(count, "table")).pad_to(20);
    let line = line.number(text::size(level.score.bytes));
    let limit = match (level.score.limit, level.score.unit) {
        (0, _) => String::new(),
        (limit, ScoreUnit::Runs) if number == 0 => {
            format!("compaction at {}", text::counted(limit, "table"))
        }
        (limit, ScoreUnit::Runs) => format!("compaction at {}", text::counted(limit, "run")),
        (limit, ScoreUnit::Bytes) => format!("compaction at {}", text::size(limit)),
    };
    let entries: u64 = level.tables.iter().map(|table| table.entries).sum();
    let line = line.pad_to(31).number(text::counted(entries, "entry"));
    let of_table = |table: &TableInfo| table.ranges.as_ref().map_or(0, |ranges| ranges.count);
    let count = level.tables.iter().map(of_table).sum();
    if level.score.limit == 0 {
        return ranges(line, count);
    }
    let line = line.pad_to(46).plain(format!("score {:.2}", level.score.score));
    let line = ranges(line, count);
    line.pad_to(58).dim(limit)
}

/// The axis: every smallest and largest key of any table gets a place, in order, evenly apart.
struct Axis<'a> {
    keys: Vec<&'a ShownKey>,
}

impl<'a> Axis<'a> {
    fn new(view: &'a View) -> Self {
        let tables = view.levels.iter().flat_map(|level| &level.tables);
        let mut keys: Vec<_> = tables.flat_map(|t| [&t.smallest, &t.largest]).collect();
        sorting::sort(&mut keys);
        keys.dedup();
        Self { keys }
    }

    fn column(&self, key: &ShownKey) -> usize {
        let place = self.keys.binary_search(&key).unwrap_or_else(|place| place);
        match self.keys.len() {
            0 | 1 => 0,
            count => place * (AXIS - 1) / (count - 1),
        }
    }
}

fn draw_axis(session: &mut Session, view: &View) {
    let axis = Axis::new(view);
    let (Some(first), Some(last)) = (axis.keys.first(), axis.keys.last()) else {
        return;
    };
    let (first, last) = (&first.head, &last.head);
    let left = text::short_word(first, 24);
    let right = text::short_word(last, 24);
    let gap = AXIS.saturating_sub(left.chars().count() + right.chars().count()).max(1);
    let line = OutputLine::new().pad_to(MARGIN).with(crate::output::Style::Key, left);
    let line = line.dim(format!(" {:.<1$} ", "", gap.saturating_sub(2)));
    session.print(line.with(crate::output::Style::Key, right));
    for level in &view.levels {
        draw_level(session, &axis, level);
    }
}

fn draw_level(session: &mut Session, axis: &Axis<'_>, level: &LevelView) {
    let number = level.score.level;
    let rows: Vec<&[TableInfo]> =
        level.tables.chunk_by(|left, right| left.run == right.run).collect();
    for (index, row) in rows.iter().take(TABLES_MAX).enumerate() {
        let line = OutputLine::new();
        let line = match index {
            0 => line.level(number),
            _ => line,
        };
        session.print(if row.len() > TABLES_MAX {
            coverage(line, axis, row)
        } else {
            row.iter().fold(line, |line, table| interval(line, axis, table))
        });
    }
    session.lines.extend(OutputLine::rest("      ", rows.len(), TABLES_MAX, "older run", ""));
}

/// Adds one bar over the places that any of many tables covers, and their number.
fn coverage(line: OutputLine, axis: &Axis<'_>, tables: &[TableInfo]) -> OutputLine {
    let mut covered = [false; AXIS];
    for table in tables {
        let (from, to) = (axis.column(&table.smallest), axis.column(&table.largest));
        if let Some(places) = covered.get_mut(from..=to) {
            places.fill(true);
        }
    }
    let bar: String = covered.iter().map(|covered| if *covered { '=' } else { ' ' }).collect();
    let line = line.pad_to(MARGIN).plain(bar);
    line.dim(format!("  {}", text::counted(tables.len() as u64, "table")))
}

/// Adds `[12-----]` from the place of the smallest key to that of the largest.
fn interval(line: OutputLine, axis: &Axis<'_>, table: &TableInfo) -> OutputLine {
    let from = MARGIN + axis.column(&table.smallest);
    let to = MARGIN + axis.column(&table.largest);
    // Where many tables share few columns each still gets one, after the one before.
    let line = line.pad_to(from);
    let width = (to + 1).saturating_sub(line.width()).max(1);
    let number = table.table.to_string();
    let bar = match width {
        1 => "|".to_owned(),
        2 => "[]".to_owned(),
        _ if number.len() <= width - 2 => format!("[{number:-<0$}]", width - 2),
        _ => format!("[{}]", "-".repeat(width - 2)),
    };
    line.link(format!("table:{}", table.table), bar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use levelscope::view::LevelScore;

    fn table(number: u64, smallest: &str, largest: &str) -> TableInfo {
        TableInfo {
            table: number,
            run: 1,
            bytes: 1000,
            entries: 20,
            tombstones: 0,
            ranges: None,
            blocks: 4,
            smallest: ShownKey::new(smallest.as_bytes()),
            largest: ShownKey::new(largest.as_bytes()),
            sequence_min: 1,
            sequence_max: 20,
        }
    }

    fn level(level: usize, limit: u64, tables: Vec<TableInfo>) -> LevelView {
        let bytes = 1000 * tables.len() as u64;
        let unit = if level == 0 { ScoreUnit::Runs } else { ScoreUnit::Bytes };
        let (score, due, can_compact) = (0.5, false, true);
        let score = LevelScore { level, bytes, runs: 1, unit, limit, score, due, can_compact };
        LevelView { score, tables }
    }

    #[test]
    fn all_levels_share_one_axis() {
        let view = View {
            levels: vec![
                level(0, 2, vec![table(9, "b", "y"), table(7, "a", "c")]),
                level(1, 3000, vec![table(5, "a", "f"), table(6, "g", "z")]),
                level(2, 0, Vec::new()),
            ],
            ..View::default()
        };
        let axis = Axis::new(&view);
        let row = |level: usize, tables: &[TableInfo]| {
            let line = OutputLine::text(format!("L{level}"));
            tables.iter().fold(line, |line, table| interval(line, &axis, table)).to_text()
        };
        // Seven keys, a b c f g y z, ten and a half columns apart.
        assert_eq!(row(0, &view.levels[0].tables[..1]).find('['), Some(MARGIN + 10));
        let deeper = row(1, &view.levels[1].tables);
        assert_eq!(deeper.find("[6--"), Some(MARGIN + 42));
        assert_eq!(deeper.chars().count(), MARGIN + AXIS);
        assert_eq!(level_line(&view.levels[2]).to_text(), "L2    empty");
    }

    #[test]
    fn many_tables_become_one_bar() {
        let keys: Vec<String> = (0..400).map(|number| format!("{number:04}")).collect();
        let tables: Vec<TableInfo> = keys.iter().map(|key| table(1, key, key)).collect();
        let view = View { levels: vec![level(1, 1, tables)], ..View::default() };
        let line = coverage(OutputLine::new(), &Axis::new(&view), &view.levels[0].tables);
        assert_eq!(line.to_text(), format!("{:6}{}  400 tables", "", "=".repeat(AXIS)));
    }
}
