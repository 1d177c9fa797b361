//! Labs and their results, as lines.

use crate::output::{OutputLine, Style};
use crate::text::{self, decimal};
use levelscope_labs::{
    LABS, LabCell, LabClaimVerdict, LabColumn, LabFigure, LabInfo, LabOriginalVerdict, LabReport,
    LabTable,
};

/// Column in which figures begin.
const MARGIN: usize = 10;
/// Rows of a table that are printed.
const ROWS_MAX: usize = 20;
/// Characters of a line of prose.
const WIDTH: usize = 100;

/// All labs, one line each.
pub(crate) fn list() -> Vec<OutputLine> {
    let line = |lab: &&LabInfo| {
        let line = OutputLine::text("  ").strong(lab.id).pad_to(MARGIN);
        line.plain(lab.title)
    };
    let mut lines = vec![OutputLine::new().dim("experiments from texts")];
    lines.extend(LABS.iter().filter(|lab| lab.source.is_some()).map(line));
    lines.push(OutputLine::new().dim("measurements of your own"));
    lines.extend(LABS.iter().filter(|lab| lab.source.is_none()).map(line));
    let how = "`lab L8` runs one of them; `help lab` lists what can be changed.";
    lines.push(OutputLine::note(how));
    lines
}

/// The whole report.
pub(crate) fn text(report: &LabReport) -> Vec<OutputLine> {
    let lab = report.lab;
    let mut lines = vec![OutputLine::new().strong(lab.id).pad_to(MARGIN).strong(lab.title)];
    prose(&mut lines, "question", lab.question);
    if !lab.claim.is_empty() {
        prose(&mut lines, "claim", lab.claim);
    }
    if let Some(source) = lab.source {
        prose(&mut lines, "text", &source.to_string());
    }
    if !lab.original.is_empty() {
        prose(&mut lines, "original", lab.original);
    }
    let settings = report.settings.iter();
    let values: Vec<String> = settings
        .map(|setting| format!("{} {}", setting.name, text::count(setting.value)))
        .collect();
    let words = [report.words.clone(), values.join(", ")].join(" ");
    prose(&mut lines, "with", words.trim());
    if let Some(place) = &report.place {
        prose(&mut lines, "where", place);
    }
    for table in &report.tables {
        lines.push(OutputLine::new());
        rows(&mut lines, table);
    }
    lines.push(OutputLine::new());
    if !report.figures.is_empty() {
        for figure in &report.figures {
            figure_lines(&mut lines, figure);
        }
        lines.push(OutputLine::new());
    }
    for finding in &report.findings {
        prose(&mut lines, "found", finding);
    }
    if report.tables.iter().any(|table| table.columns.iter().any(|column| column.timed)) {
        prose(&mut lines, "", "* times of this machine: shown, never judged");
    }
    lines.push(OutputLine::new().dim("repeat").pad_to(MARGIN).dim(&report.command));
    lines
}

/// The tables, one after the other, for other programs.
pub(crate) fn csv(report: &LabReport) -> Vec<OutputLine> {
    let mut lines = Vec::new();
    for table in &report.tables {
        if !lines.is_empty() {
            lines.push(OutputLine::new());
        }
        let names = table.columns.iter().map(|column| quoted(&heading(column)));
        lines.push(OutputLine::text(names.collect::<Vec<_>>().join(",")));
        for row in &table.rows {
            let cells = row.iter().map(|cell| match cell {
                LabCell::Number(number) => number.to_string(),
                LabCell::Text(text) => quoted(text),
                LabCell::Empty => String::new(),
            });
            lines.push(OutputLine::text(cells.collect::<Vec<_>>().join(",")));
        }
    }
    lines
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

fn heading(column: &LabColumn) -> String {
    if column.unit.is_empty() {
        return column.name.clone();
    }
    format!("{} [{}]", column.name, column.unit)
}

/// `word`, then `sentence`, in lines that are not too long.
fn prose(lines: &mut Vec<OutputLine>, word: &str, sentence: &str) {
    let mut line = OutputLine::new().dim(word).pad_to(MARGIN);
    for word in sentence.split(' ') {
        if line.width() + word.chars().count() > WIDTH {
            lines.push(line);
            line = OutputLine::new().pad_to(MARGIN);
        }
        line = if line.width() > MARGIN { line.plain(" ") } else { line }.plain(word);
    }
    lines.push(line);
}

/// `unit` as it stands after `number`: one of them is singular, symbols stay as they are.
fn unit_of<'a>(number: &str, unit: &'a str) -> &'a str {
    let is_word = unit.chars().count() > 2;
    unit.strip_suffix('s').filter(|_| number == "1" && is_word).unwrap_or(unit)
}

fn cell_text(cell: &LabCell, digits: usize) -> String {
    match cell {
        LabCell::Number(number) => decimal(*number, digits),
        LabCell::Text(text) => text.clone(),
        LabCell::Empty => "–".to_owned(),
    }
}

/// Three lines of headings: names up to a comma, the rest of the names, and units. Empty lines are left out.
fn head(table: &LabTable) -> Vec<Vec<String>> {
    let parts = table.columns.iter().map(|column| {
        let (name, more) = column.name.split_once(", ").unwrap_or((&column.name, ""));
        let star = if column.timed { "*" } else { "" };
        [name.to_owned(), more.to_owned(), format!("{}{star}", column.unit)]
    });
    let parts: Vec<[String; 3]> = parts.collect();
    let line = |place: usize| parts.iter().filter_map(|part| part.get(place).cloned()).collect();
    let lines = (0..3).map(line);
    lines.filter(|line: &Vec<String>| line.iter().any(|word| !word.is_empty())).collect()
}

fn rows(lines: &mut Vec<OutputLine>, table: &LabTable) {
    lines.push(OutputLine::new().strong(&table.title));
    let mut cells = head(table);
    let heads = cells.len();
    for row in &table.rows {
        let pairs = row.iter().zip(&table.columns);
        cells.push(pairs.map(|(cell, column)| cell_text(cell, column.digits)).collect());
    }
    let width = |column: usize| {
        let widths = cells.iter().filter_map(|row| row.get(column));
        widths.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let every = table.rows.len().div_ceil(ROWS_MAX);
    for (number, row) in cells.iter().enumerate() {
        let place = number.saturating_sub(heads);
        if number >= heads && every > 1 && !(place + 1).is_multiple_of(every) {
            continue;
        }
        let mut line = OutputLine::text(" ");
        let figures = number.checked_sub(heads).and_then(|number| table.rows.get(number));
        for (place, (text, width)) in row.iter().zip(&widths).enumerate() {
            let is_text = figures
                .or(table.rows.first())
                .and_then(|row| row.get(place))
                .is_some_and(|cell| matches!(cell, LabCell::Text(_)));
            let space = " ".repeat(width - text.chars().count().min(*width));
            let text = if is_text { format!(" {text}{space}") } else { format!(" {space}{text}") };
            line = match number {
                _ if number < heads => line.dim(text),
                _ if is_text => line.plain(text),
                _ => line.number(text),
            }
            .plain(" ");
        }
        lines.push(line);
    }
    if every > 1 {
        let (shown, all) = (table.rows.len() / every, text::counted(table.rows.len(), "row"));
        lines.push(OutputLine::note(format!("  {shown} of {all} are shown; --csv prints all")));
    }
}

/// Ours, then one line each for the claim and for the original program.
fn figure_lines(lines: &mut Vec<OutputLine>, figure: &LabFigure) {
    let line = OutputLine::text("  ").plain(format!("{:<42} ", figure.name));
    let ours = decimal(figure.ours, figure.digits);
    lines.push(line.number(match unit_of(&ours, figure.unit) {
        "" => ours,
        unit => format!("{ours} {unit}"),
    }));
    let judged = |what: &str, value: &str, (style, verdict): (Style, &str)| {
        let line = OutputLine::text("    ").dim(format!("{what:<17}"));
        let line = if value.is_empty() { line } else { line.plain(format!("{value}: ")) };
        line.with(style, verdict)
    };
    lines.push(judged("claim", figure.claimed, claim_words(figure.claim_verdict)));
    lines.push(judged(
        "original program",
        figure.original,
        original_words(figure.original_verdict),
    ));
    if !figure.note.is_empty() {
        lines.push(OutputLine::text("    ").dim(figure.note));
    }
}

fn claim_words(verdict: LabClaimVerdict) -> (Style, &'static str) {
    match verdict {
        LabClaimVerdict::None => (Style::Dim, "none"),
        LabClaimVerdict::Met => (Style::Good, "met"),
        LabClaimVerdict::NotMet => (Style::Bad, "not met"),
        LabClaimVerdict::NotComparable => (Style::Dim, "not judged"),
    }
}

fn original_words(verdict: LabOriginalVerdict) -> (Style, &'static str) {
    match verdict {
        LabOriginalVerdict::None => (Style::Dim, "no original figure"),
        LabOriginalVerdict::Agrees => (Style::Good, "agrees"),
        LabOriginalVerdict::Differs => (Style::Bad, "differs"),
        LabOriginalVerdict::NotComparable => (Style::Dim, "not judged"),
    }
}
