//! The command language: from a line of text to verbs with their arguments.
//!
//! This layer does not know what a verb does, only how it is written and which effect it has.

pub(crate) mod args;
pub(crate) mod command;
mod complete;
pub mod condition;
mod effect;
pub(crate) mod help;
pub mod lexer;
mod script;
mod suggest;
mod typing;
mod verb;

pub use args::Flag;
pub(crate) use args::{Args, flag, parse_number, switch};
pub(crate) use complete::Unfinished;
pub(crate) use condition::{
    Arithmetic, Condition, Fold, Number, Op, Operand, Path, PathStep, Test,
};
pub(crate) use effect::Effect;
pub(crate) use lexer::Statement;
pub(crate) use script::{Script, no_preset, presets};
pub use suggest::closest;
pub(crate) use typing::{At, Offer, Typing, What, offer};
pub use verb::Verb;
