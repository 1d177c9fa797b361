//! The command language of Levelscope: the same in the page, the native program, scripts and tests.
//!
//! A line goes through [`lexer`] into statements; each statement's verb is looked up in the table of its
//! subject ([`verbs()`], or that of an opened directory) and becomes a task that works in small units. It
//! prints [`OutputLine`]s of styled, printable text, and its result is structured data for programs ([`result`]).
//!
//! The library owns no effects: files, threads and the clock belong to the [`Host`].

mod commands;
mod console;
pub mod directory;
pub mod experiments;
pub mod glossary;
mod history;
mod host;
mod language;
pub mod lesson;
mod nodes;
mod output;
pub mod prose;
pub mod protocol;
pub mod result;
mod session;
pub mod text;
mod time;

#[cfg(feature = "typescript")]
pub use commands::Answers;
pub use commands::{Query, verbs};
pub use console::{Console, Resumed};
pub use history::{
    Breakpoint, BreakpointHit, Damage, HistoryUpdate, Listener, PowerLoss, Step, Window,
};
pub use host::{BYTES_SHOWN_BY, Foreign, Host, PLAY_RATE, PlayChange, SPEEDS, Scratch, Speed};
pub use language::condition;
pub use language::lexer::{self, unfinished};
pub use language::{Flag, Verb, closest};
pub use output::{
    Answer, Completion, Failure, Json, MAY_BE_OLDER, OutputLine, Progress, Response, Span, Style,
    selection,
};
pub use session::BranchState;

/// The example of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
