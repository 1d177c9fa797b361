//! The messages of the worker to a page.

use super::{MarkedStep, WireEvent};
use crate::history::{Breakpoint, Step};
#[cfg(feature = "typescript")]
use crate::output::{Answer, Completion, Failure, OutputLine};
#[cfg(feature = "typescript")]
use crate::result::PresetState;
use crate::result::{LessonState, OptionState};
use crate::session::BranchState;
use levelscope::view::View;
use serde::Serialize;

/// A message of the worker. A message with a number answers the request of that number.
///
/// The worker itself builds those of the feature `typescript`: the engine's module need not write them.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Message {
    /// The database is open.
    #[cfg(feature = "typescript")]
    Opened {
        /// The request.
        id: u64,
        /// Where the files are.
        storage: StorageKind,
        /// Why they are in memory, as a sentence; `null` when that was asked for, or they are not.
        why: Option<String>,
        /// The state.
        view: Box<View>,
        /// The last step of the sessions before this one, whose history is there again; 0: there is none.
        step: u64,
        /// Whether the history of this one will be there the next time.
        is_history_kept: bool,
        /// The options.
        options: Vec<OptionState>,
        /// The presets.
        presets: Vec<PresetState>,
        /// The preset that the options are equal to, or `custom`.
        preset: String,
        /// Whether the browser has promised not to clear the files by itself.
        persisted: bool,
    },
    /// Another tab owns the database; nothing was opened.
    #[cfg(feature = "typescript")]
    Owned {
        /// The request.
        id: u64,
    },
    /// Another tab took the database over; this one has closed it.
    #[cfg(feature = "typescript")]
    Lost {},
    /// What happened. After `opened` comes one with the events of recovery, whose view is that of `opened`. When `options` or
    /// `reset` opens the database anew, ids begin again at 1 and the view is there. Steps always go on.
    Events {
        /// The events.
        events: Vec<WireEvent>,
        /// Events that happened before these and are not sent.
        elided: u64,
        /// Whether all details since the last message are among them.
        detailed: bool,
        /// Landmarks since the last message, those among the elided events too.
        landmarks: Vec<MarkedStep>,
        /// Figures after calls since the last message.
        samples: Vec<Sample>,
        /// The view after these events; always present when `elided` is not 0.
        view: Option<Box<View>>,
        /// The next step of background work, as a sentence.
        next: Option<String>,
        /// All files of the database together \[bytes\].
        file_bytes: u64,
    },
    /// The options changed: `options` or `reset` was typed.
    #[cfg(feature = "typescript")]
    Options {
        /// The options.
        options: Vec<OptionState>,
        /// The preset that they are equal to, or `custom`.
        preset: String,
    },
    /// Lines for the terminal.
    #[cfg(feature = "typescript")]
    Output {
        /// The request; 0: background work.
        id: u64,
        /// The lines.
        lines: Vec<OutputLine>,
    },
    /// The progress of the command at work.
    #[cfg(feature = "typescript")]
    Progress {
        /// The request.
        id: u64,
        /// Operations done.
        done: u64,
        /// Operations in all, if that is known.
        total: Option<u64>,
        /// The work's name.
        label: String,
    },
    /// A command, a query or an import of files has ended.
    #[cfg(feature = "typescript")]
    Done {
        /// The request.
        id: u64,
        /// The results of its commands, in their order.
        answers: Vec<Answer>,
        /// Why it ended early.
        error: Option<Failure>,
    },
    /// The command `open` was typed without files: a person is to be asked for some.
    #[cfg(feature = "typescript")]
    Pick {},
    /// A file for the browser to save: `export` was typed.
    #[cfg(feature = "typescript")]
    Exported {
        /// Its name.
        name: String,
        /// All bytes of the file.
        #[ts(type = "Uint8Array<ArrayBuffer>")]
        bytes: Beside,
    },
    /// Ways to go on typing.
    #[cfg(feature = "typescript")]
    Completions {
        /// The request.
        id: u64,
        /// The ways; `from` counts UTF-16 units.
        items: Vec<Completion>,
    },
    /// Events of the past, in whole calls: `from` may be before the requested step; `to` may be before it, when there were too
    /// many events, or after it.
    Window {
        /// The request.
        id: u64,
        /// The first step.
        from: Step,
        /// The last step.
        to: Step,
        /// The events.
        events: Vec<WireEvent>,
        /// The view before the first of them.
        view: Box<View>,
    },
    /// Sent after `opened`, and whenever branches or the current one change.
    Branches {
        /// All branches.
        branches: Vec<BranchState>,
        /// The number of the current one.
        current: usize,
    },
    /// Another branch is the current one. Events that it has had after its last known step follow in `events`; those
    /// before are asked with `window`.
    Switched(Arrival),
    /// Another console is at work: that of a lesson, around an empty database in memory, or the visitor's own again.
    /// Branches, steps and breakpoints are its own; otherwise as `switched`.
    Entered {
        /// Whether it is that of a lesson.
        lesson: bool,
        /// Its state.
        #[serde(flatten)]
        #[cfg_attr(feature = "typescript", ts(flatten))]
        arrival: Arrival,
    },
    /// The lesson at work has changed.
    Lesson {
        /// Its state; `null`: it has ended.
        lesson: Option<Box<LessonState>>,
    },
    /// Breakpoints or crash points were set, deleted or struck.
    Breakpoints {
        /// Those that are set now.
        breakpoints: Vec<Breakpoint>,
    },
    /// A breakpoint struck: the command, or `play`, has ended after the call to which the step belongs.
    Break {
        /// The step to which the event belongs.
        step: Step,
        /// Its number.
        breakpoint: u64,
        /// The name of the event at `step`.
        name: String,
        /// Whether it asks for the moment just before that event.
        before: bool,
    },
    /// Background work goes on by itself from now on, or no longer.
    #[cfg(feature = "typescript")]
    Playing {
        /// Whether it does.
        playing: bool,
        /// Steps a second, 0 as many as possible; `null` when it does not.
        steps_per_second: Option<u32>,
    },
    /// The database is closed.
    #[cfg(feature = "typescript")]
    Closed {
        /// The request.
        id: u64,
    },
    /// A request could not be carried out, or the worker has stopped.
    Failed {
        /// The request; `null`: the worker as a whole.
        id: Option<u64>,
        /// An engine error kind, or `panic`, `protocol`, `closed`. After `panic` the worker is dead.
        kind: String,
        /// Why, as a sentence.
        message: String,
    },
}

/// The state of a console on a branch that the page comes to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Arrival {
    /// The number of the branch.
    pub branch: usize,
    /// Where its files are.
    pub storage: StorageKind,
    /// Its last step.
    pub step: Step,
    /// The view there.
    pub view: Box<View>,
    /// Its options.
    pub options: Vec<OptionState>,
    /// The preset that they are equal to, or `custom`.
    pub preset: String,
    /// The next step of background work, as a sentence.
    pub next: Option<String>,
    /// All its files together \[bytes\].
    pub file_bytes: u64,
    /// Whether events follow that lead to its last step; otherwise those that are missing have to be asked for.
    pub follows: bool,
}

/// Bytes that only the worker can put into a message: they are no JSON.
#[cfg(feature = "typescript")]
#[derive(Debug, Serialize)]
pub enum Beside {}

/// Where the files of a branch are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum StorageKind {
    /// In the browser's own storage of this origin.
    Opfs,
    /// In memory, until the page is reloaded.
    Memory,
}

/// Figures at one step, as `stats` prints them; a ratio is `null` while its denominator is 0.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    /// The step.
    pub step: Step,
    /// (log + flushes + compactions) ÷ keys and values that the caller wrote.
    pub write_amplification: Option<f64>,
    /// Tables searched ÷ lookups.
    pub read_amplification: Option<f64>,
    /// Bytes of all tables ÷ the estimate of the live data.
    pub space_amplification_estimate: Option<f64>,
    /// Table files of each level, L0 first \[bytes\].
    pub level_bytes: Vec<u64>,
    /// Times that writes had to wait.
    pub stalls: u64,
    /// Times that writes began to slow down.
    pub slowdowns: u64,
}
