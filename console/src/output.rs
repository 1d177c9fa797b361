//! A command's response: lines of styled text, a structured result, and failures with a hint.

mod json;

pub use json::Json;

use levelscope::storage::FileName;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a piece of text is meant; the host chooses the colours.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Style {
    /// Ordinary text.
    #[default]
    Plain,
    /// Less important.
    Dim,
    /// More important.
    Strong,
    /// A user key.
    Key,
    /// A value.
    Value,
    /// A figure.
    Number,
    /// It went well.
    Good,
    /// It did not.
    Bad,
    /// Names something that can be selected: `table:12`, `wal:7`, `memtable:3`, `level:1`.
    Link(String),
}

/// A piece of text in one style; printable: see [`crate::text::escape`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Span {
    /// The text.
    pub text: String,
    /// How it is meant.
    pub style: Style,
}

/// One line of output.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutputLine {
    /// Its pieces, left to right.
    pub spans: Vec<Span>,
}

impl OutputLine {
    /// An empty line to add pieces to.
    pub fn new() -> Self {
        Self::default()
    }

    /// A line of plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new().plain(text)
    }

    /// A line of dim text.
    pub fn note(text: impl Into<String>) -> Self {
        Self::new().dim(text)
    }

    /// Adds `text` in `style`.
    #[must_use]
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Self {
        let text = text.into();
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.text.push_str(&text),
            _ => self.spans.push(Span { text, style }),
        }
        self
    }

    /// Adds plain text.
    #[must_use]
    pub fn plain(self, text: impl Into<String>) -> Self {
        self.with(Style::Plain, text)
    }

    /// Adds dim text.
    #[must_use]
    pub fn dim(self, text: impl Into<String>) -> Self {
        self.with(Style::Dim, text)
    }

    /// Adds strong text.
    #[must_use]
    pub fn strong(self, text: impl Into<String>) -> Self {
        self.with(Style::Strong, text)
    }

    /// Adds a figure.
    #[must_use]
    pub fn number(self, text: impl Into<String>) -> Self {
        self.with(Style::Number, text)
    }

    /// Adds a user key, cut to what fits a line.
    #[must_use]
    pub fn key(self, key: &[u8]) -> Self {
        self.with(Style::Key, crate::text::short_word(key, 64))
    }

    /// Adds a value, cut to `limit` bytes.
    #[must_use]
    pub fn value(self, value: &[u8], limit: usize) -> Self {
        self.with(Style::Value, crate::text::short_word(value, limit))
    }

    /// Adds the name of something that can be selected.
    #[must_use]
    pub fn link(self, target: impl Into<String>, text: impl Into<String>) -> Self {
        self.with(Style::Link(target.into()), text)
    }

    /// Adds the name of a file, selectable where it can be.
    #[must_use]
    pub fn file(self, name: FileName) -> Self {
        self.link(selection(name), name.to_string())
    }

    /// Adds the name of a memtable.
    #[must_use]
    pub(crate) fn memtable(self, number: u64) -> Self {
        self.link(format!("memtable:{number}"), format!("memtable {number}"))
    }

    /// Adds the name of a level.
    #[must_use]
    pub(crate) fn level(self, level: usize) -> Self {
        self.link(format!("level:{level}"), format!("L{level}"))
    }

    /// The rest of a list of `all`, where at most `shown` are printed, and the way to it.
    pub fn rest(indent: &str, all: usize, shown: usize, what: &str, way: &str) -> Option<Self> {
        let rest = all.checked_sub(shown).filter(|rest| *rest > 0)?;
        Some(Self::note(format!("{indent}and {}{way}", crate::text::counted(rest, what))))
    }

    /// The text without its styles.
    pub fn to_text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// Characters in the line.
    pub(crate) fn width(&self) -> usize {
        self.spans.iter().map(|span| span.text.chars().count()).sum()
    }

    /// Adds spaces up to `column`; at least one after text that reaches it, so that columns never run
    /// together.
    #[must_use]
    pub(crate) fn pad_to(self, column: usize) -> Self {
        let width = self.width();
        let missing = column.saturating_sub(width).max(usize::from(width > 0));
        if missing == 0 { self } else { self.plain(" ".repeat(missing)) }
    }
}

/// The selection string of a file: `table:12`, `wal:7`, `manifest:3`, `current`, `lock`.
pub fn selection(name: FileName) -> String {
    match name {
        FileName::Table(number) => format!("table:{number}"),
        FileName::Wal(number) => format!("wal:{number}"),
        FileName::Manifest(number) => format!("manifest:{number}"),
        FileName::Current => "current".into(),
        FileName::Lock => "lock".into(),
        FileName::Other(name) => name.into(),
    }
}

/// The effect of skipped damage on an import.
pub const MAY_BE_OLDER: &str = "what was skipped may have held newer values and deletes: keys may have older \
     values, and deleted keys may be back";

/// Why a command did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Failure {
    /// `usage`, `cancelled`, `confirm`, or the engine's error kind: `corruption`, `locked`, ...
    pub kind: String,
    /// The reason, as a sentence.
    pub message: String,
    /// The way out.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure without advice.
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), message: message.into(), hint: None }
    }

    /// The command was not understood.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new("usage", message)
    }

    /// The same failure with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl Failure {
    /// The same failure, and where it is damage, what helps against that.
    #[must_use]
    pub fn advised(mut self, advice: Option<&str>) -> Self {
        let damaged = self.kind == levelscope::ErrorKind::Corruption.name();
        if let (true, Some(hint), Some(advice)) = (damaged, &mut self.hint, advice) {
            hint.push_str("; ");
            hint.push_str(advice);
        }
        self
    }
}

/// The kind of failure of a command that was not run because one before it failed.
const NOT_RUN: &str = "notRun";

impl Failure {
    /// The failure of a command that was not run.
    #[must_use]
    pub fn not_run() -> Self {
        Self::new(NOT_RUN, "not run, because a command before it failed")
    }

    /// Whether it is that of a command that was not run.
    pub fn is_not_run(&self) -> bool {
        self.kind == NOT_RUN
    }

    /// Names in the hint the commands that it leaves undone.
    pub(crate) fn name_not_run(&mut self, left: &[String]) {
        if left.is_empty() {
            return;
        }
        let count = crate::text::counted(left.len(), "command");
        let left = crate::text::printable(&left.join("; "));
        let not_run = format!("{count} after it not run: {left}");
        self.hint = Some(match self.hint.take() {
            Some(hint) => format!("{hint}; {not_run}"),
            None => not_run,
        });
    }
}

impl Failure {
    /// With a hint that names the word that was probably meant, if there is one, and then `rest`.
    pub(crate) fn meant(self, meant: Option<&str>, rest: &str) -> Self {
        match meant {
            Some(meant) => self.hint(format!("did you mean {meant}? {rest}")),
            None => self.hint(rest),
        }
    }
}

impl From<levelscope::Error> for Failure {
    fn from(error: levelscope::Error) -> Self {
        use levelscope::ErrorKind as Kind;
        let hint = match error.kind() {
            Kind::Locked => Some("one process at a time: close the other one, then try again"),
            Kind::OutOfSpace => Some("free some space, then reopen the database"),
            Kind::Corruption | Kind::NotFound if error.foreign_file().is_some() => Some(
                "--skip-damage imports the rest; where a block, a table or a part of a log is lost, \
                 older values and deleted keys can come back",
            ),
            Kind::Corruption if error.file().is_some() => Some(
                "nothing was changed; `check` reports all damage, `layout` and `hex` show the bytes of a file",
            ),
            Kind::ReadOnly => Some("reads go on; reopen the database to write again"),
            _ => None,
        };
        Self {
            kind: error.kind().name().into(),
            message: crate::text::printable(&error.to_string()),
            hint: hint.map(str::to_owned),
        }
    }
}

/// The result of a command for programs, with the name of its type: a kind has one type only, which the list of
/// questions names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(type = "{ [Kind in keyof Answers]: { kind: Kind; value: Answers[Kind] } }[keyof Answers] \
               | { kind: 'other'; value: unknown }")
)]
pub struct Answer {
    /// The name of its type; [`Answer::OTHER`] for types that no program asks for.
    pub kind: &'static str,
    /// The result itself.
    pub value: Json,
}

impl Answer {
    /// The kind of results that have no name.
    pub const OTHER: &'static str = "other";

    /// A result that no program asks for by its kind.
    pub(crate) fn other(result: impl Serialize) -> Self {
        Self { kind: Self::OTHER, value: Json::of(result) }
    }
}

/// Everything that one line of commands gave back.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Response {
    /// Lines that were not handed out with [`Progress::More`] or [`Progress::Blocked`].
    pub lines: Vec<OutputLine>,
    /// The results of the commands, in order.
    pub answers: Vec<Answer>,
    /// Why the line stopped early.
    pub error: Option<Failure>,
    /// Whether the line had several commands.
    pub several: bool,
}

impl From<Failure> for Response {
    fn from(failure: Failure) -> Self {
        Self { error: Some(failure), ..Self::default() }
    }
}

impl From<Vec<OutputLine>> for Response {
    fn from(lines: Vec<OutputLine>) -> Self {
        Self { lines, ..Self::default() }
    }
}

impl Response {
    /// The printed lines of a command, and its result for programs.
    pub fn of(lines: Vec<OutputLine>, result: impl Serialize) -> Self {
        Self { lines, answers: vec![Answer::other(result)], ..Self::default() }
    }

    /// The result of the command; of several commands, the list of their results.
    pub fn result(&self) -> Value {
        let mut values = self.answers.iter().map(|answer| answer.value.value());
        if self.several { values.collect() } else { values.next_back().unwrap_or_default() }
    }
}

/// The progress of a line of commands.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// Nothing was started.
    Idle,
    /// There is more to do: call `advance` again.
    More {
        /// Operations done.
        done: u64,
        /// Operations in all, if that is known.
        total: Option<u64>,
        /// The work's name.
        label: String,
        /// Lines printed since the last call.
        lines: Vec<OutputLine>,
        /// Whether another branch is about to become the current one, or has: what happened so far belongs
        /// to the one before.
        turns: bool,
    },
    /// The host must open this file, then call `advance` again.
    Blocked(FileName, Vec<OutputLine>),
    /// The line is done.
    Done(Response),
}

/// One way to go on typing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Completion {
    /// The replacement of the line from `from` to the cursor.
    pub text: String,
    /// `verb`, `word`, `option`, `key`, `file` or `preset`.
    pub kind: String,
    /// Where the replaced text begins \[bytes\].
    pub from: usize,
}
