//! Lessons: one Markdown file each, with prose to read and fenced `levelscope` blocks to run.
//!
//! ```text
//! text ── parse ──▶ Lesson ── Runner ──▶ commands for a console, and what came out of them
//!           │          └── Display: the text again
//!           └── complaints, each with its line
//! ```
//!
//! The answer to a question stands in the file once, as the author's mark. The engine computes it, and the check
//! compares the two.

mod ask;
mod block;
mod check;
mod head;
mod inline;
mod library;
mod lines;
mod parse;
mod player;
mod print;
mod room;
mod run;
mod shared;
mod tutor;

pub use check::{Report, check, outline};
pub use library::LIBRARY;
pub use parse::parse;
pub use run::{Advance, Happened, Moment, Runner};
pub use tutor::Tutor;

use crate::language::{Condition, Script, Test};
pub use crate::prose::{Inline, Prose};
use crate::result::LessonHead;
use levelscope::Options;

/// Length of a lesson \[bytes\].
pub const BYTES_MAX: usize = Script::BYTES_MAX;
/// Blocks of a lesson.
pub const BLOCKS_MAX: usize = 200;
/// Questions and tasks of a lesson.
pub const TASKS_MAX: usize = 40;
/// Units of work of a lesson: puts, entries and phases.
pub const UNITS_MAX: u64 = Script::UNITS_MAX;
/// Records of an experiment in a lesson.
pub const LAB_RECORDS_MAX: u64 = 20_000;
/// Errors reported of one lesson.
pub const COMPLAINTS_MAX: usize = 100;
/// Log buffer of every host while a lesson runs, so that its steps are the same everywhere \[bytes\].
pub const WAL_BUFFER_BYTES: u64 = 64 << 10;

/// A line of the file, from 1. Lessons are equal wherever their lines stand.
#[derive(Debug, Clone, Copy, Default)]
pub struct Line(pub u32);

impl PartialEq for Line {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A mistake in a lesson, and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The line, from 1.
    pub line: u32,
    /// The mistake, and the way out.
    pub message: String,
}

impl Complaint {
    fn new(line: Line, message: impl Into<String>) -> Self {
        Self { line: line.0, message: message.into() }
    }
}

/// A lesson.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lesson {
    /// The names and values between the two `---`, but for the preset.
    pub head: LessonHead,
    /// The options that it begins with.
    pub preset: String,
    /// The items before the first scene.
    pub opening: Vec<Item>,
    /// Its scenes.
    pub scenes: Vec<Scene>,
}

impl Lesson {
    /// Everything, in order.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.opening.iter().chain(self.scenes.iter().flat_map(|scene| &scene.items))
    }

    /// The options that it begins with: the same on every host.
    pub fn options(&self) -> Options {
        options(&self.preset).unwrap_or_default()
    }
}

/// The options of a preset in a lesson: what a host would preset otherwise is set.
fn options(preset: &str) -> Option<Options> {
    Some(Options::preset(preset)?.wal_buffer_bytes(WAL_BUFFER_BYTES))
}

/// One screen of text.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Where it begins.
    pub line: Line,
    /// Its title.
    pub title: Prose,
    /// Its items.
    pub items: Vec<Item>,
}

/// Something of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Where it begins.
    pub line: Line,
    /// The words of the block.
    pub what: What,
}

/// Content of an item.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// A paragraph.
    Paragraph(Prose),
    /// A list.
    List {
        /// Whether its items have numbers.
        ordered: bool,
        /// Its items.
        items: Vec<Prose>,
    },
    /// Paragraphs for the presenter.
    Note(Vec<Prose>),
    /// Commands.
    Run(Vec<RunLine>),
    /// A question.
    Ask(Ask),
    /// Claims.
    Check(Vec<Claim>),
    /// A task.
    Try(Try),
    /// Something to look at.
    Show(Show),
    /// An empty database for what follows.
    Start(Start),
}

/// One line of commands.
#[derive(Debug, Clone, PartialEq)]
pub struct RunLine {
    /// Where it stands.
    pub line: Line,
    /// As it is typed.
    pub command: String,
    /// Claims about it.
    pub claims: Vec<RunClaim>,
}

/// A claim about the command above it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunClaim {
    /// Where it stands.
    pub line: Line,
    /// Its subject.
    pub what: RunClaimKind,
}

/// The subject of a claim about a command.
#[derive(Debug, Clone, PartialEq)]
pub enum RunClaimKind {
    /// A part of its result.
    Result(Test),
    /// The database after it.
    Database(Condition),
    /// It fails, with this kind of failure.
    Fails(String),
}

/// A condition and its line.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Where it stands.
    pub line: Line,
    /// The condition.
    pub condition: Condition,
}

/// A question, which the engine answers after the next commands.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// Its name.
    pub name: String,
    /// The question.
    pub text: Prose,
    /// How it is answered.
    pub answer: Answer,
    /// Why it is so.
    pub because: Option<Prose>,
}

/// How a question is answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// By one of some choices.
    Choices(Vec<Choice>),
    /// By a value.
    Value {
        /// Of which kind.
        kind: ValueKind,
        /// The author's answer.
        expected: Option<(Line, String)>,
        /// The engine's answer: the value at the end of the path.
        of: Box<Claim>,
        /// How far a number may be off; in the lesson's own digits.
        within: Option<String>,
    },
}

/// The kind of an answer's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// A number.
    Number,
    /// A word.
    Word,
    /// An object, which can also be selected.
    Pick,
}

/// One of the answers of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Where it stands.
    pub line: Line,
    /// Whether the author marks it as right.
    pub marked: bool,
    /// Its text.
    pub text: Prose,
    /// When it is right: all hold.
    pub conditions: Vec<Claim>,
}

/// A task.
#[derive(Debug, Clone, PartialEq)]
pub struct Try {
    /// Its name.
    pub name: String,
    /// The task.
    pub text: Prose,
    /// When it is done: all hold.
    pub done: Vec<Goal>,
    /// Hints, one after the other.
    pub hints: Vec<Prose>,
    /// Commands that do it.
    pub solution: Vec<(Line, String)>,
}

/// One of the conditions of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// The claim about the database, or about the command that the learner typed last.
    pub claim: RunClaim,
    /// Shown while it does not hold.
    pub missing: Prose,
}

/// An object to look at, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Show {
    /// The object, as a selection: `table:8/block:1/entry:1`.
    pub object: String,
    /// `grain phase`, `tab why`, `bytes`, `spotlight level:1`.
    pub views: Vec<(Line, String)>,
}

/// An empty database.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// The preset; `None`: that of the lesson.
    pub preset: Option<String>,
    /// Options and their values.
    pub settings: Vec<(String, String)>,
}

impl Start {
    /// The options of the database, in this lesson.
    fn options(&self, lesson: &Lesson) -> Options {
        let preset = self.preset.as_deref().unwrap_or(&lesson.preset);
        let mut options = options(preset).unwrap_or_default();
        for (name, value) in &self.settings {
            // They were tried when the lesson was parsed.
            let _ = options.set(name, value);
        }
        options
    }
}
