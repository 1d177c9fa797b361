//! The answers of the engine's module to the worker that calls it.

use crate::host::PlayChange;
use crate::output::{Answer, Failure, OutputLine};
use crate::result::{OptionState, PresetState};
use serde::Serialize;

/// How a call of the engine ended.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum CallState {
    /// Nothing is left to do.
    Done {},
    /// There is more to do.
    More {},
    /// A breakpoint struck; the next slice reports it.
    Stopped {},
    /// This file has to be opened, then the call repeated.
    Blocked {
        /// Its name.
        file: String,
    },
    /// It failed.
    Failed {
        /// The reason, as a sentence.
        error: Failure,
    },
}

/// What a command can wait for, because the page does not fetch it before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Wanted {
    /// The module of experiments.
    Labs,
    /// The texts of the lessons.
    Lessons,
}

/// How a slice of work ended, and the next duties of the worker.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Work {
    /// Lines printed in it.
    pub lines: Vec<OutputLine>,
    /// Whether background work goes on by itself from now on; `null`: as before.
    pub play: Option<PlayChange>,
    /// Whether a person is to be asked for files.
    pub pick: bool,
    /// What the command waits for, and the worker fetches before the next slice.
    pub wants: Option<Wanted>,
    /// The name of the files that wait to be saved, if there are any.
    pub save: Option<String>,
    /// How it ended.
    #[serde(flatten)]
    pub state: SliceState,
}

/// How a slice ended.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum SliceState {
    /// Nothing is at work.
    Idle {},
    /// There is more to do.
    More {
        /// Operations done.
        done: u64,
        /// Operations in all, if that is known.
        total: Option<u64>,
        /// The work's name.
        label: String,
        /// Whether the events so far must be sent before the next slice.
        turns: bool,
    },
    /// This file has to be opened first.
    Blocked {
        /// Its name.
        file: String,
    },
    /// The work has ended.
    Done {
        /// The results of its commands, in their order.
        answers: Vec<Answer>,
        /// Why it ended early.
        error: Option<Failure>,
    },
}

/// The options as they are now.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CurrentOptions {
    /// Every option.
    pub options: Vec<OptionState>,
    /// Every preset.
    pub presets: Vec<PresetState>,
    /// The preset that the options are equal to, or `custom`.
    pub preset: String,
}
