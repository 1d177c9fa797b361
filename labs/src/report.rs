//! Labs and their results as data: printed by the terminal, drawn by the page.

mod reference;

pub(crate) use reference::Reference;

use serde::Serialize;
use std::ops::RangeInclusive;

/// The description of a lab.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LabInfo {
    /// The word that is typed after `lab`.
    pub id: &'static str,
    /// A few words.
    pub title: &'static str,
    /// The question that it answers.
    pub question: &'static str,
    /// The claim; empty: none.
    pub claim: &'static str,
    /// The text that it stands in; `None` for a lab that repeats no text.
    pub source: Option<LabSource>,
    /// The figures of the original program when it was run to check the claim; empty: it was not run.
    pub original: &'static str,
    /// The words that it takes after its id, as its usage writes them; empty: none.
    pub words: &'static str,
    /// The default words.
    pub usual_words: &'static str,
    /// Its settings: `--NAME VALUE`.
    pub parameters: &'static [LabParameter],
    /// Whether it shows times too: they differ from machine to machine and are never judged.
    pub timed: bool,
}

impl LabInfo {
    /// A lab of no text, without words and times.
    pub(crate) const PLAIN: Self = Self {
        id: "",
        title: "",
        question: "",
        claim: "",
        source: None,
        original: "",
        words: "",
        usual_words: "",
        parameters: &[],
        timed: false,
    };
}

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LabSource {
    /// Its authors, as the text names them.
    pub authors: &'static str,
    /// Its title, and where it was published.
    pub title: &'static str,
    /// The section or the slide.
    pub place: &'static str,
}

impl LabSource {
    /// Another place of the same text.
    pub(crate) const fn at(self, place: &'static str) -> Self {
        Self { place, ..self }
    }
}

impl std::fmt::Display for LabSource {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}; {}", self.authors, self.title, self.place)
    }
}

/// A parameter of a lab.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LabParameter {
    /// Without its dashes.
    pub name: &'static str,
    /// Its effect.
    pub meaning: &'static str,
    /// The default: the number of the claim, or a smaller one if that would take long.
    pub default: u64,
    /// The smallest.
    pub min: u64,
    /// The largest.
    pub max: u64,
}

/// The value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LabSetting {
    /// The parameter.
    pub name: &'static str,
    /// Its number.
    pub value: u64,
}

/// The results of a lab.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LabReport {
    /// The lab.
    pub lab: &'static LabInfo,
    /// The values of its parameters, in their order.
    pub settings: Vec<LabSetting>,
    /// Its words, separated by spaces.
    pub words: String,
    /// Where files were, when they were not only in memory.
    pub place: Option<String>,
    /// Whether it was stopped before its end: it then has no results.
    pub stopped: bool,
    /// The findings, sentence by sentence.
    pub findings: Vec<String>,
    /// The figures that can be compared with the claim.
    pub figures: Vec<LabFigure>,
    /// All figures.
    pub tables: Vec<LabTable>,
    /// How to draw them.
    pub charts: Vec<LabChart>,
    /// How to get the same in a terminal.
    pub command: String,
}

/// One figure beside the claim.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LabFigure {
    /// The measured thing.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Significant digits after the decimal point.
    pub digits: usize,
    /// The claim in its own words; empty: none.
    pub claimed: &'static str,
    /// Whether ours meets the claim.
    pub claim_verdict: LabClaimVerdict,
    /// The figure of the original program; empty: there is none.
    pub original: &'static str,
    /// Whether ours agrees with it.
    pub original_verdict: LabOriginalVerdict,
    /// Our figure.
    pub ours: f64,
    /// Why it differs, or another remark; empty: none.
    pub note: &'static str,
}

/// Whether a figure of ours meets the claim of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum LabClaimVerdict {
    /// The text has no claim about this.
    None,
    /// It does.
    Met,
    /// It does not.
    NotMet,
    /// The claim is about a time, or about other parameters.
    NotComparable,
}

/// Whether a figure of ours agrees with that of the original program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum LabOriginalVerdict {
    /// There is no original figure.
    None,
    /// It is the same, or within the range of other seeds.
    Agrees,
    /// It is not.
    Differs,
    /// The original figure is a time, or of other parameters.
    NotComparable,
}

/// Rows of figures.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LabTable {
    /// Its subject.
    pub title: String,
    /// The columns of a row.
    pub columns: Vec<LabColumn>,
    /// The rows; each has as many cells as there are columns.
    pub rows: Vec<Vec<LabCell>>,
}

/// One column of a table.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LabColumn {
    /// Its name.
    pub name: String,
    /// Its unit; empty for counts and words.
    pub unit: &'static str,
    /// Significant digits after the decimal point.
    pub digits: usize,
    /// Whether these are times of this machine.
    pub timed: bool,
}

/// One cell of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum LabCell {
    /// A figure.
    Number(f64),
    /// Words.
    Text(String),
    /// Nothing.
    Empty,
}

/// How to draw a table.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LabChart {
    /// Its subject.
    pub title: String,
    /// Bars for single values, lines for series.
    pub kind: LabChartKind,
    /// Which of the tables it draws, from 0.
    pub table: usize,
    /// The column along the horizontal axis.
    pub x: usize,
    /// The columns that are drawn, one series each; they share a unit.
    pub series: Vec<usize>,
    /// Whether the horizontal axis is logarithmic; never for bars.
    pub x_logarithmic: bool,
    /// Whether the vertical axis is.
    pub y_logarithmic: bool,
}

/// The marks of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum LabChartKind {
    /// One group of bars a row.
    Bars,
    /// One line a series.
    Lines,
    /// One bar a row, the series on top of one another.
    Stacked,
}

/// A number of the engine as a figure.
#[expect(clippy::cast_precision_loss, reason = "figures for people need no more than 53 bits")]
pub(crate) fn real(number: u64) -> f64 {
    number as f64
}

/// `part` of `whole`; 0 of nothing.
pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { real(part) / real(whole) }
}

/// By how much `new` is larger than `old` \[%\]; 0 when that was nothing.
pub(crate) fn growth(old: u64, new: u64) -> f64 {
    if old == 0 { 0.0 } else { 100.0 * (ratio(new, old) - 1.0) }
}

impl From<f64> for LabCell {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<Option<f64>> for LabCell {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Self::Empty, Self::Number)
    }
}

impl From<u64> for LabCell {
    fn from(number: u64) -> Self {
        Self::Number(real(number))
    }
}

impl From<&str> for LabCell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for LabCell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// A parameter that takes the numbers of `range`.
pub(crate) const fn parameter(
    name: &'static str,
    meaning: &'static str,
    default: u64,
    range: RangeInclusive<u64>,
) -> LabParameter {
    LabParameter { name, meaning, default, min: *range.start(), max: *range.end() }
}

/// A column of counts or words.
pub(crate) fn column(name: impl Into<String>, unit: &'static str, digits: usize) -> LabColumn {
    LabColumn { name: name.into(), unit, digits, timed: false }
}

/// A column of times.
pub(crate) fn times(name: impl Into<String>, unit: &'static str) -> LabColumn {
    LabColumn { name: name.into(), unit, digits: 2, timed: true }
}

impl LabTable {
    /// A table without rows.
    pub(crate) fn new(title: impl Into<String>, columns: impl Into<Vec<LabColumn>>) -> Self {
        Self { title: title.into(), columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl Into<Vec<LabCell>>) {
        self.rows.push(cells.into());
    }
}

impl LabChart {
    /// A chart of the columns `series` of table `table` over its first column.
    pub(crate) fn new(
        kind: LabChartKind,
        title: &str,
        table: usize,
        series: impl Into<Vec<usize>>,
    ) -> Self {
        let (title, series) = (title.to_owned(), series.into());
        Self { title, kind, table, x: 0, series, x_logarithmic: false, y_logarithmic: false }
    }

    /// Bars of the columns `series` of table `table`.
    pub(crate) fn bars(title: &str, table: usize, series: impl Into<Vec<usize>>) -> Self {
        Self::new(LabChartKind::Bars, title, table, series)
    }

    /// Lines of the columns `series` of table `table`.
    pub(crate) fn lines(title: &str, table: usize, series: impl Into<Vec<usize>>) -> Self {
        Self::new(LabChartKind::Lines, title, table, series)
    }

    /// The same with logarithmic axes.
    pub(crate) fn logarithmic(mut self, x: bool, y: bool) -> Self {
        (self.x_logarithmic, self.y_logarithmic) = (x, y);
        self
    }
}
