//! The command language of Levelscope: the same in the page, the native program, scripts and tests.
//!
//! A line goes through [`lexer`] into statements; each statement's verb is looked up in one table
//! ([`verbs()`]) and becomes a task that works in small units. It prints [`OutputLine`]s of styled,
//! printable text, and its result is structured data for programs ([`result`]).
//!
//! The library owns no effects: files, threads and the clock belong to the [`Host`].

mod args;
mod commands;
mod complete;
mod console;
mod generate;
mod host;
mod lab;
pub mod lexer;
mod output;
pub mod protocol;
pub mod result;
mod running;
mod session;
mod shelf;
mod stepping;
mod suggest;
mod tape;
mod task;
pub mod text;
mod time;
mod verbs;

pub use args::Flag;
pub use console::Console;
pub use host::{Host, Scratch};
pub use lexer::unfinished;
pub use output::{
    Completion, Failure, MAY_BE_OLDER, OutputLine, Progress, Response, Span, Style, selection,
};
pub use shelf::Foreign;
pub use tape::Listener;
pub use time::{BranchState, Breakpoint, Damage, Hit, Step, Window};
pub use verbs::{Verb, verbs};
