//! A lesson that is played, as a page or a terminal shows it. It holds no answer before the engine has given it.

use crate::history::Step;
use crate::prose::Prose;
use serde::Serialize;

/// A lesson that can be played.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LessonHead {
    /// Its id for `lesson start`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How long it takes \[minutes\].
    pub minutes: u64,
    /// 1 to 3.
    pub level: u64,
    /// The skill that a learner has after it.
    pub goal: String,
    /// Lessons that come before it, by id.
    pub needs: Vec<String>,
    /// Where the subject comes from.
    pub source: Option<String>,
}

/// The lesson at work.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LessonState {
    /// Its head.
    pub head: LessonHead,
    /// A hash of its text: progress in another text does not fit.
    pub text_hash: u32,
    /// Whether it is a lesson.
    pub kind: LessonKind,
    /// Its scenes, in order; what stands before the first one comes first, without a title.
    pub scenes: Vec<LessonScene>,
    /// The scene on show, from 0.
    pub scene: usize,
    /// The items of that scene up to the current act.
    pub items: Vec<LessonItem>,
    /// The event that the lesson waits for.
    pub waits: LessonWaits,
    /// Whether commands of the visitor's own have changed its database.
    pub strayed: bool,
    /// The current act: `lesson start ID --at` goes there.
    pub at: usize,
    /// The number of acts.
    pub end: usize,
}

/// The source of the lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum LessonKind {
    /// A lesson of the library.
    Lesson,
    /// A lesson that came in a file or a link: its id may be that of one of the library.
    Read,
    /// A script that was shared.
    Script,
    /// One question of a lesson, asked again.
    Recap,
}

/// A scene of a lesson.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LessonScene {
    /// Its title.
    pub title: Prose,
    /// Where it begins, for `lesson start ID --at`.
    pub at: usize,
}

/// The event that a lesson waits for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "until", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum LessonWaits {
    /// The learner has read what is shown, or thought about an answer.
    Read {
        /// Whether another scene comes.
        scene: bool,
    },
    /// This line is typed.
    Typed {
        /// The line, or what is left of it.
        line: String,
    },
    /// The question of this name is answered.
    Answered {
        /// Its name.
        name: String,
    },
    /// The task of this name is done.
    Done {
        /// Its name.
        name: String,
    },
    /// Nothing: the lesson is over.
    Over {},
}

/// Something of a scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LessonItem {
    /// Its number in the lesson, from 0.
    pub number: usize,
    /// The block of the lesson.
    pub what: LessonPart,
}

/// A block of a scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum LessonPart {
    /// A paragraph.
    #[serde(rename = "say")]
    Paragraph {
        /// Its text.
        prose: Prose,
    },
    /// A list.
    List {
        /// Whether its items have numbers.
        ordered: bool,
        /// Its items.
        items: Vec<Prose>,
    },
    /// For the presenter.
    Note {
        /// Its paragraphs.
        paragraphs: Vec<Prose>,
    },
    /// Commands.
    Run {
        /// Its lines.
        lines: Vec<String>,
        /// How many of them have run.
        ran: usize,
        /// The last step of each of these.
        ends: Vec<Step>,
        /// Claims that the engine contradicts.
        wrong: Vec<String>,
    },
    /// A question.
    Ask(LessonQuestion),
    /// Claims that were tested.
    Check {
        /// The number of claims.
        claims: usize,
        /// Claims that the engine contradicts.
        wrong: Vec<String>,
    },
    /// A task.
    Try(LessonTask),
    /// An object to look at.
    Show {
        /// The object, as a selection.
        object: String,
        /// `grain phase`, `tab why`, `bytes`, `spotlight level:1`.
        views: Vec<String>,
    },
    /// An empty database for what follows.
    Start {},
}

/// A question of a lesson.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LessonQuestion {
    /// Its name.
    pub name: String,
    /// The question.
    pub text: Prose,
    /// The form of its answer.
    pub kind: LessonAnswerKind,
    /// The choices.
    pub choices: Vec<Prose>,
    /// The answer: the number of a choice from 1, or a value; empty: "I do not know".
    pub given: Option<String>,
    /// The engine's answer, once it has given it.
    pub revealed: Option<LessonReveal>,
}

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum LessonAnswerKind {
    /// One of some choices.
    Choice,
    /// A number.
    Number,
    /// A word.
    Word,
    /// An object, which can also be selected.
    Pick,
}

/// The engine's answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LessonReveal {
    /// The number of the choice that holds, from 1.
    pub choice: Option<usize>,
    /// The answer, in words.
    pub words: String,
    /// Whether the answer given agrees with it; `null`: "I do not know", or none was given.
    pub right: Option<bool>,
    /// Why it is so.
    pub because: Option<Prose>,
}

/// A task of a lesson.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LessonTask {
    /// Its name.
    pub name: String,
    /// The task.
    pub text: Prose,
    /// How it came out, if it did.
    pub outcome: Option<LessonOutcome>,
    /// The words of the goals that do not hold yet; empty before the first command.
    pub missing: Vec<Prose>,
    /// Whether more commands were typed than a solution has: the learner may want a fresh start.
    pub starts_over: bool,
    /// The hints that were asked for.
    pub hints: Vec<Prose>,
    /// The number of further hints.
    pub hints_left: usize,
    /// Commands that do it, once they were asked for or the task is over.
    pub solution: Vec<String>,
}

/// How a task came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum LessonOutcome {
    /// The learner has done it.
    Done,
    /// The lesson has done it.
    Shown,
}
