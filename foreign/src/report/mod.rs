//! Reports: answers to the questions that people ask about a directory.
//!
//! Each report is a function of [`Evidence`]: a few sentences that answer the question, figures, a table for CSV, data
//! for pictures, and a list of missing evidence. No report reads entries of tables; the manifest is read once more
//! where sizes over time are needed.

mod blobs;
mod cover;
mod csv;
mod damage;
mod evidence;
mod level0;
mod logs;
mod older;
mod overlap;
mod picture;
mod replay;
mod scans;
mod shares;
mod sizes;
mod stalls;
mod tombstones;
mod walk;
mod words;

pub use evidence::{Evidence, Focus};
pub use picture::{Axis, Picture, Reference, Series, SeriesData, Span};
pub use shares::Shares;

use std::collections::BTreeSet;

/// A question with a report for its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Files in level 0.
    LevelZero,
    /// Write stalls.
    Stalls,
    /// Tombstones.
    Tombstones,
    /// Scans.
    Scans,
    /// Sizes by family, level and prefix.
    Sizes,
    /// The tables over a key.
    Cover,
    /// The history.
    Replay,
    /// Blob files.
    Blobs,
    /// Write-ahead logs.
    Logs,
    /// Damage.
    Damage,
}

impl Question {
    /// Each with its word and its text, in their order.
    const TEXTS: [(Self, &str, &str); 10] = [
        (Self::LevelZero, "level0", "Why do files pile up in level 0?"),
        (Self::Stalls, "stalls", "What made writes stall, and in which family?"),
        (Self::Tombstones, "tombstones", "I deleted data: why is the space not back?"),
        (Self::Scans, "scans", "Why are scans slow here?"),
        (Self::Sizes, "sizes", "Which family and which prefix is large?"),
        (Self::Cover, "cover", "Which tables cover this part of the keys?"),
        (Self::Replay, "replay", "How did it get like this?"),
        (Self::Blobs, "blobs", "Where is the garbage in blob files?"),
        (Self::Logs, "logs", "Why are logs not deleted?"),
        (Self::Damage, "damage", "Which files are damaged or missing, and which data is lost?"),
    ];

    /// All of them, in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::TEXTS.into_iter().map(|(question, ..)| question)
    }

    /// Whether the answer can be about keys of a family; the others are about the whole database.
    pub fn is_about_keys(self) -> bool {
        matches!(self, Self::Cover | Self::Scans)
    }

    fn texts(self) -> (&'static str, &'static str) {
        let own = Self::TEXTS.into_iter().find(|(question, ..)| *question == self);
        own.map_or(("", ""), |(_, id, text)| (id, text))
    }

    /// The word for it in commands and file names.
    pub fn id(self) -> &'static str {
        self.texts().0
    }

    /// The question with this word.
    pub fn named(id: &str) -> Option<Self> {
        Self::all().find(|question| question.id() == id)
    }

    /// The question in words.
    pub fn text(self) -> &'static str {
        self.texts().1
    }
}

/// Answers `question`. `focus` narrows [`Question::Cover`] and [`Question::Scans`] to keys of a family.
pub fn answer(question: Question, evidence: &Evidence<'_>, focus: Option<&Focus>) -> Report {
    let mut report = match question {
        Question::LevelZero => level0::report(evidence),
        Question::Stalls => stalls::report(evidence),
        Question::Tombstones => tombstones::report(evidence),
        Question::Scans => scans::report(evidence, focus),
        Question::Sizes => sizes::report(evidence),
        Question::Cover => cover::report(evidence, focus),
        Question::Replay => replay::report(evidence),
        Question::Blobs => blobs::report(evidence),
        Question::Logs => logs::report(evidence),
        Question::Damage => damage::report(evidence),
    };
    if !evidence.has_families() {
        report.leave_out_families();
    }
    report
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Report {
    /// The word for the question.
    pub id: &'static str,
    /// The question.
    pub question: &'static str,
    /// A few sentences that answer it.
    pub answer: String,
    /// The numbers in it and some more.
    pub figures: Vec<Figure>,
    /// The rows that the numbers come from.
    pub table: Table,
    /// Data for pictures.
    pub pictures: Vec<Picture>,
    /// Missing evidence, and its consequences.
    pub missing: Vec<String>,
}

/// A number with its name.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Figure {
    /// Its name.
    pub label: String,
    /// The number, or a word.
    pub value: Cell,
    /// The unit, empty when it has none.
    pub unit: &'static str,
}

/// Columns and rows.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Table {
    /// Names and units of the columns.
    pub columns: Vec<Column>,
    /// The rows; each has one cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The unit of its numbers, empty when they have none.
    pub unit: &'static str,
}

/// A value in a table.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Cell {
    /// Not known.
    Unknown,
    /// A whole number.
    Number(u64),
    /// A number with decimals.
    Decimal(f64),
    /// Text; keys are escaped.
    Text(String),
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        if number.is_finite() { Self::Decimal(number) } else { Self::Unknown }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Unknown, Into::into)
    }
}

/// Most rows of a table; `missing` counts the others.
const ROWS_MAX: usize = 100_000;

impl Report {
    fn new(question: Question, columns: &[(&'static str, &'static str)]) -> Self {
        let columns = columns.iter().map(|(name, unit)| Column { name, unit }).collect();
        Self {
            id: question.id(),
            question: question.text(),
            answer: String::new(),
            figures: Vec::new(),
            table: Table { columns, rows: Vec::new() },
            pictures: Vec::new(),
            missing: Vec::new(),
        }
    }

    fn figure(&mut self, label: impl Into<String>, value: impl Into<Cell>, unit: &'static str) {
        self.figures.push(Figure { label: label.into(), value: value.into(), unit });
    }

    fn row(&mut self, cells: Vec<Cell>) {
        if self.table.rows.len() < ROWS_MAX {
            self.table.rows.push(cells);
        } else if self.table.rows.len() == ROWS_MAX {
            let message =
                format!("The table ends after {} rows.", crate::text::number(ROWS_MAX as u64));
            if self.missing.last() != Some(&message) {
                self.missing.push(message);
            }
        }
    }

    /// Drops columns, figures and names of series about things that only RocksDB has: column families.
    fn leave_out_families(&mut self) {
        // Nor have they transactions that are prepared.
        let of_families =
            |name: &str| ["famil", "Famil", "repared tr"].iter().any(|part| name.contains(part));
        let mut seen = BTreeSet::new();
        for figure in &mut self.figures {
            figure.label =
                figure.label.replace(" in this family", "").replace(" of this family", "");
        }
        self.figures
            .retain(|figure| !of_families(&figure.label) && seen.insert(figure.label.clone()));
        for place in (0..self.table.columns.len()).rev() {
            if self.table.columns.get(place).is_some_and(|column| of_families(column.name)) {
                self.table.columns.remove(place);
                for row in self.table.rows.iter_mut().filter(|row| row.len() > place) {
                    row.remove(place);
                }
            }
        }
        for picture in &mut self.pictures {
            for series in picture.series.iter_mut().filter(|series| series.label == "default") {
                series.label = picture.y.label.replace("family", "writes");
            }
        }
    }

    fn lacks(&mut self, message: impl Into<String>) {
        self.missing.push(message.into());
    }

    /// The figure with this name.
    pub fn figure_named(&self, label: &str) -> Option<&Cell> {
        self.figures.iter().find(|figure| figure.label == label).map(|figure| &figure.value)
    }
}
