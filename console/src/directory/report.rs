//! The answer to a question as text: sentences, figures, and the rows as a table for people.

use crate::{OutputLine, text};
use levelscope_foreign::report::{Cell, Column, Report, Table};

/// Rows that are printed.
const ROWS_MAX: usize = 40;
/// Characters of a cell that are printed.
const CELL_MAX: usize = 44;
/// A head is broken into lines where it is longer than this and than the cells below it.
const HEAD_MAX: usize = 12;

pub(super) fn lines(report: &Report) -> Vec<OutputLine> {
    let mut lines = vec![
        OutputLine::new().strong(report.question),
        OutputLine::text(text::printable(&report.answer)),
    ];
    for figure in &report.figures {
        lines.push(
            OutputLine::new()
                .dim(format!("  {}: ", text::printable(&figure.label)))
                .number(text::printable(&figure.words())),
        );
    }
    lines.extend(table(&report.table));
    let rows = report.table.rows.len();
    lines.extend(OutputLine::rest("", rows, ROWS_MAX, "more row", ": --csv prints all"));
    let missing = report.missing.iter().map(|missing| OutputLine::note(text::printable(missing)));
    lines.extend(missing);
    lines
}

/// A column with its cells as text.
struct Printed {
    head: Vec<String>,
    cells: Vec<String>,
    width: usize,
    is_number: bool,
}

/// The first rows, each column as wide as it has to be; columns without any value are left out.
fn table(table: &Table) -> Vec<OutputLine> {
    let rows = table.rows.get(..ROWS_MAX.min(table.rows.len())).unwrap_or_default();
    let columns = table.columns.iter().enumerate();
    let columns: Vec<Printed> = columns
        .map(|(place, column)| (column, rows.iter().filter_map(|row| row.get(place)).collect()))
        .filter(|(_, cells): &(_, Vec<&Cell>)| cells.iter().any(|cell| **cell != Cell::Unknown))
        .map(|(column, cells)| printed(column, &cells))
        .collect();
    let height = columns.iter().map(|column| column.head.len()).max().unwrap_or(0);
    let head = (0..height).map(|line| {
        let words = columns.iter().map(|column| {
            // Short heads stand directly above their cells.
            let first = height - column.head.len();
            let word = line.checked_sub(first).and_then(|line| column.head.get(line));
            padded(column, word.map_or("", String::as_str))
        });
        OutputLine::new().dim(words.collect::<String>().trim_end().to_owned())
    });
    let body = (0..rows.len()).map(|row| {
        let words = columns
            .iter()
            .map(|column| padded(column, column.cells.get(row).map_or("", String::as_str)));
        OutputLine::text(words.collect::<String>().trim_end().to_owned())
    });
    head.chain(body).collect()
}

fn printed(column: &Column, cells: &[&Cell]) -> Printed {
    let cells_of = |cell: &&Cell| cut(&text::printable(&column.words(cell)));
    let is_number = cells.iter().all(|cell| !matches!(cell, Cell::Text(_)));
    let cells: Vec<String> = cells.iter().map(cells_of).collect();
    let widest = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let head = broken(column.name, widest.max(HEAD_MAX));
    let width = head.iter().map(|line| line.chars().count()).max().unwrap_or(0).max(widest);
    Printed { head, cells, width, is_number }
}

/// `words` in lines of at most `width` characters, where no word is longer.
fn broken(words: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Numbers to the right, words to the left, two spaces between columns.
fn padded(column: &Printed, word: &str) -> String {
    let width = column.width;
    if column.is_number { format!("  {word:>width$}") } else { format!("  {word:<width$}") }
}

fn cut(cell: &str) -> String {
    if cell.chars().count() <= CELL_MAX {
        return cell.to_owned();
    }
    let cut: String = cell.chars().take(CELL_MAX - 1).collect();
    format!("{cut}…")
}

#[cfg(test)]
mod tests {
    use super::table;
    use crate::OutputLine;
    use levelscope_foreign::report::{Cell, Column, Table};

    #[test]
    fn cells_stand_below_their_heads() {
        let columns = vec![
            Column { name: "first key", unit: "" },
            Column { name: "keys and values before compression", unit: "bytes" },
            Column { name: "reason", unit: "" },
        ];
        let row = |key: &str, bytes: u64| vec![key.into(), bytes.into(), Cell::Unknown];
        let rows = vec![row("\"a\"", 12_345), row("\"bcd\"", 7)];
        let lines: Vec<String> =
            table(&Table { columns, rows }).iter().map(OutputLine::to_text).collect();
        let expected = [
            "                keys and",
            "                  values",
            "                  before",
            "  first key  compression",
            "  \"a\"           12.0 KiB",
            "  \"bcd\"              7 B",
        ];
        assert_eq!(lines, expected);
    }
}
