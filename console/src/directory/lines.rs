//! Answers about a directory as lines of text.
#![expect(
    clippy::format_push_string,
    reason = "lines are short, and a write could fail in words only"
)]

use crate::{Failure, OutputLine, Style, text};
use levelscope_foreign::manifest::LifeEvent;
use levelscope_foreign::problem::Standing;
use levelscope_foreign::query::answer::{
    Facts, FamilyLine, Levels, LifeLine, LogLine, Overview, ShownKey, StepLine, TableLine,
};
use levelscope_foreign::text::duration;
use levelscope_foreign::{Error, ErrorKind, Problem, Severity};

/// Problems that are printed.
const PROBLEMS_MAX: usize = 100;
/// Tables of a level, logs, and blob files that are printed.
const TABLES_MAX: usize = 40;
/// Families of an overview that are printed.
pub const FAMILIES_MAX: usize = 100;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::Damaged => "corruption",
            ErrorKind::NotRead => "unsupportedFormat",
            ErrorKind::Missing => "notFound",
            ErrorKind::Io => "io",
            _ => "usage",
        };
        Self::new(kind, text::printable(&error.to_string()))
    }
}

/// The failure of what damage has made incomplete.
pub(super) fn damaged(message: String) -> Failure {
    Failure::new("corruption", message).hint("`report damage` lists the affected keys")
}

/// The engine, the history and the families.
pub fn overview(overview: &Overview) -> Vec<OutputLine> {
    let mut lines = vec![
        OutputLine::new().plain("A database of ").strong(overview.engine_name).plain(format!(
            ", {} in {}.",
            text::size(overview.bytes),
            files_of(overview)
        )),
    ];
    for evidence in &overview.evidence {
        lines.push(OutputLine::note(format!("  {}", text::printable(evidence))));
    }
    let kept =
        if overview.begins_empty { "from the beginning" } else { "history before it was not kept" };
    if let (Some(manifest), Some(last)) = (&overview.manifest, overview.last_sequence) {
        lines.push(OutputLine::text(format!(
            "{manifest}: {}{}, {kept}; last sequence number {}.",
            text::counted(overview.edits, "version edit"),
            not_applied(overview.edits_left),
            text::count(last)
        )));
    }
    let mut of_families = families(overview);
    let rest = more("    ", of_families.len(), FAMILIES_MAX, "more family");
    of_families.truncate(FAMILIES_MAX);
    lines.append(&mut of_families);
    lines.extend(rest);
    lines
}

/// A set of files in a line.
pub(super) fn files_in_short(overview: &Overview) -> Vec<OutputLine> {
    let line = OutputLine::new().strong(overview.engine_name);
    let (size, files) = (text::size(overview.bytes), files_of(overview));
    vec![line.plain(format!(", {size} in {files}."))]
}

/// `, 3 more were not applied`
pub(super) fn not_applied(left: u64) -> String {
    match left {
        0 => String::new(),
        1 => ", 1 more was not applied".to_owned(),
        more => format!(", {} more were not applied", text::count(more)),
    }
}

/// A line for the rest of a list, where `shown` of `all` are printed.
pub fn more(indent: &str, all: usize, shown: usize, what: &str) -> Option<OutputLine> {
    OutputLine::rest(indent, all, shown, what, ": --json has all")
}

fn files_of(overview: &Overview) -> String {
    text::counted(overview.files.len(), "file")
}

pub(super) fn families(overview: &Overview) -> Vec<OutputLine> {
    // Pebble and LevelDB have none: there the line is about the database.
    let is_named = overview.engine == "rocksdb";
    let line = |family: &FamilyLine| {
        let mut facts = format!(
            "{}, {}",
            text::counted(family.tables, "table"),
            text::size(family.table_bytes)
        );
        if family.blob_files > 0 {
            let (files, bytes) = (family.blob_files, text::size(family.blob_bytes));
            facts += &format!(", {} ({bytes})", text::counted(files, "blob file"));
        }
        if family.log_entries > 0 {
            facts += &format!(", {} in the logs", text::counted(family.log_entries, "entry"));
        }
        if let Some(style) = &family.compaction_style {
            facts += &format!(", {style} compaction");
        }
        let order = match (family.order_known, family.is_reverse) {
            (false, _) if family.comparator.is_empty() => ", order not known".into(),
            (false, _) => format!(", order \"{}\" not known", text::printable(&family.comparator)),
            (true, true) => ", keys descend".into(),
            (true, false) => String::new(),
        };
        let line = OutputLine::new();
        if !is_named {
            return line.plain(format!("  {facts}{order}"));
        }
        let name = text::printable(&family.name);
        line.dim(format!("{:>4} ", family.id)).strong(name).plain(format!("  {facts}{order}"))
    };
    overview.families.iter().map(line).collect()
}

pub(super) fn files(overview: &Overview) -> Vec<OutputLine> {
    let line = |file: &levelscope_foreign::query::answer::FileLine| {
        let mark = if file.counts { "counts " } else { "-      " };
        OutputLine::new()
            .dim(mark)
            .plain(format!("{:<28} {:>10}  ", text::printable(&file.name), text::size(file.bytes)))
            .dim(file.why.clone())
    };
    overview.files.iter().map(line).collect()
}

pub(super) fn problems(problems: &[Problem]) -> Vec<OutputLine> {
    let mut lines: Vec<OutputLine> = problems.iter().take(PROBLEMS_MAX).map(problem).collect();
    lines.extend(OutputLine::rest("", problems.len(), PROBLEMS_MAX, "more finding", ""));
    lines
}

pub(super) fn problem(problem: &Problem) -> OutputLine {
    let style = match problem.severity {
        Severity::Error => Style::Bad,
        Severity::NotRead => Style::Strong,
        Severity::Note => Style::Dim,
    };
    let word = match problem.state {
        Standing::InNoLevel => "no level".to_owned(),
        Standing::LeftOut => "left out".to_owned(),
        other => format!("{:<8}", other.word()),
    };
    let mut facts = format!("  {}", text::printable(&problem.file));
    if let Some(offset) = problem.offset {
        facts += &format!(" at offset {}", text::count(offset));
    }
    if let Some(family) = &problem.family {
        facts += &format!(", family {}", text::printable(family));
    }
    if let Some(level) = problem.level {
        facts += &format!(", L{level}");
    }
    if let Some((key, end)) = &problem.keys
        && key == end
    {
        facts += &format!(", key {}", levelscope_foreign::problem::key_text(key));
    }
    // The severity precedes it already.
    let message = match problem.severity {
        Severity::NotRead => problem.message.strip_prefix("not read: "),
        _ => None,
    };
    facts += &format!(": {}", text::printable(message.unwrap_or(&problem.message)));
    OutputLine::new().with(style, word).plain(facts)
}

/// Logs, and tables by level.
pub fn levels(levels: &Levels) -> Vec<OutputLine> {
    with_logs(levels, &levels.logs.iter().collect::<Vec<_>>())
}

/// The same of one family of several: logs without entries of it are left out, since all of them would be printed again
/// under every family.
pub fn levels_of_family(levels: &Levels) -> Vec<OutputLine> {
    let logs = levels.logs.iter().filter(|log| log.entries > 0);
    with_logs(levels, &logs.collect::<Vec<_>>())
}

fn with_logs(levels: &Levels, logs: &[&LogLine]) -> Vec<OutputLine> {
    let mut lines = log_lines(logs);
    lines.append(&mut level_lines(levels));
    if lines.is_empty() {
        lines.push(OutputLine::text("There are no tables here."));
    }
    lines
}

fn log_lines(logs: &[&LogLine]) -> Vec<OutputLine> {
    let mut lines = Vec::new();
    for log in logs.iter().take(TABLES_MAX) {
        lines.push(OutputLine::new().strong("log   ").plain(format!(
            "{}  {}, {}; it {}",
            text::printable(&log.file),
            text::size(log.bytes),
            text::counted(log.entries, "entry"),
            log.end
        )));
    }
    lines.extend(more("      ", logs.len(), TABLES_MAX, "more log"));
    lines
}

/// The levels and blob files.
fn level_lines(levels: &Levels) -> Vec<OutputLine> {
    let mut lines = Vec::new();
    for level in &levels.levels {
        let mut head = format!(
            "  {}, {}",
            text::counted(level.tables.len(), "table"),
            text::size(level.bytes)
        );
        if let Some(target) = level.target_bytes {
            head += &format!(" of {}", text::size(target));
        }
        lines.push(OutputLine::new().strong(format!("L{:<5}", level.level)).plain(head));
        lines.extend(level.tables.iter().take(TABLES_MAX).map(table));
        let all = level.tables.len();
        lines.extend(OutputLine::rest("        ", all, TABLES_MAX, "more table", ""));
    }
    for blob in levels.blob_files.iter().take(TABLES_MAX) {
        let values = blob.count.map(|count| format!(", {}", text::counted(count, "value")));
        lines.push(OutputLine::new().strong("blob  ").plain(format!(
            "{}  {}{}, garbage {}",
            blob.file,
            text::size(blob.bytes),
            values.unwrap_or_default(),
            text::size(blob.garbage_bytes)
        )));
    }
    lines.extend(more("      ", levels.blob_files.len(), TABLES_MAX, "more blob file"));
    lines
}

fn table(table: &TableLine) -> OutputLine {
    let mut line = OutputLine::new()
        .plain(format!("        {:>8}  {:>10}  ", table.number, text::size(table.bytes)))
        .with(Style::Key, short(&table.smallest))
        .plain(" … ")
        .with(Style::Key, short(&table.largest));
    if let (Some(smallest), Some(largest)) = (table.smallest_sequence, table.largest_sequence) {
        let (smallest, largest) = (text::count(smallest), text::count(largest));
        line = line.dim(format!("  sequences {smallest} to {largest}"));
    }
    if let Some(entries) = table.entries {
        let about = if table.is_virtual { "about " } else { "" };
        line = line.dim(format!(", {about}{}", text::counted(entries, "entry")));
    }
    if let Some(deletions) = table.deletions.filter(|deletions| *deletions > 0) {
        line = line.dim(format!(", {}", text::counted(deletions, "tombstone")));
    }
    if table.is_virtual {
        line = line.dim(format!(", a slice of {}", table.file));
    }
    if table.is_missing {
        line = line.with(Style::Bad, "  its file is not there");
    }
    if table.is_damaged {
        line = line.with(Style::Bad, "  its file is damaged");
    }
    line
}

/// A key or value, cut to what fits a line.
pub(super) fn short(key: &ShownKey) -> String {
    const CHARACTERS: usize = 48;
    let cut: String = key.text.chars().take(CHARACTERS).collect();
    let is_cut = cut.len() < key.text.len() || key.left_out > 0;
    if is_cut { format!("\"{cut}…\"") } else { format!("\"{cut}\"") }
}

pub(super) fn steps(steps: &[StepLine]) -> Vec<OutputLine> {
    let mut lines: Vec<OutputLine> = steps.iter().map(step).collect();
    if lines.is_empty() {
        lines.push(OutputLine::text("There are no more steps."));
    }
    lines
}

fn step(step: &StepLine) -> OutputLine {
    let mut line =
        OutputLine::new().dim(format!("{:>6} ", step.step)).plain(text::printable(&step.sentence));
    if let Some(reason) = &step.reason {
        line = line.dim(format!(" Reason: {}.", text::printable(reason)));
    }
    if let Some(micros) = step.duration_micros {
        line = line.dim(format!(" It took {}.", duration(micros)));
    }
    line
}

/// Facts of an object.
pub(super) fn facts(facts: &Facts) -> Vec<OutputLine> {
    let title = OutputLine::new().strong(text::printable(&facts.title));
    let mut lines = vec![match facts.what.as_str() {
        "" => title,
        what => title.dim(format!("  {what}")),
    }];
    lines.extend(facts.problems.iter().map(|one| OutputLine::new().with(Style::Bad, one.clone())));
    for row in &facts.rows {
        let line = OutputLine::text(format!("  {:<14}", row.label));
        lines.push(match &row.key {
            None => line.plain(text::printable(&row.text)),
            Some(key) if key.left_out > 0 => {
                let more = format!(" and {} more", text::counted(key.left_out, "byte"));
                line.with(Style::Key, key.text.clone()).dim(more)
            }
            Some(key) => line.with(Style::Key, key.text.clone()),
        });
    }
    lines.extend(facts.notes.iter().map(|note| OutputLine::note(format!("  {note}"))));
    lines.extend(facts.life.iter().map(life));
    lines
}

fn life(life: &LifeLine) -> OutputLine {
    let what = match life.event {
        LifeEvent::Born { level } => format!("born in L{level}"),
        LifeEvent::Moved { from, to } => format!("moved from L{from} to L{to}"),
        LifeEvent::Died { level } => format!("died in L{level}"),
        LifeEvent::NotApplied { level } => format!("added to L{level}"),
    };
    let Some(of) = &life.step else {
        let why = "by an edit that could not be applied";
        return OutputLine::new().strong(format!("{what:<24}")).plain(why);
    };
    OutputLine::new()
        .strong(format!("{what:<24}"))
        .plain(format!(
            "step {}, edit {}: ",
            text::count(of.step as u64),
            text::count(life.edit as u64)
        ))
        .plain(text::printable(&of.sentence))
}
