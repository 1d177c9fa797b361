//! A verb, as it is written and explained.

use super::args::{Args, Flag};
use super::effect::Effect;
use crate::output::Failure;

/// One verb of the command language.
#[derive(Debug)]
pub struct Verb {
    /// The typed word.
    pub name: &'static str,
    /// Its heading in help.
    pub group: &'static str,
    /// Its forms.
    pub usage: &'static str,
    /// Its purpose, in one sentence.
    pub purpose: &'static str,
    /// Something to try; runs without an error, also on an empty database, where a file that it names is open.
    pub example: &'static str,
    /// Its options.
    pub flags: &'static [Flag],
    /// Its effect on the database with these arguments.
    pub(crate) effect: fn(&Args) -> Effect,
}

impl Verb {
    /// A verb without options that leaves no trace: what the others begin with.
    pub(crate) const LOOK: Self = Self {
        name: "",
        group: "",
        usage: "",
        purpose: "",
        example: "",
        flags: &[],
        effect: |_| Effect::Look,
    };
    /// The same with another effect, whatever the arguments.
    pub(crate) const CHANGE: Self = Self { effect: |_| Effect::Change, ..Self::LOOK };
    pub(crate) const READ: Self = Self { effect: |_| Effect::Read, ..Self::LOOK };
    pub(crate) const RECORDED: Self = Self { effect: |_| Effect::Recorded, ..Self::LOOK };
    pub(crate) const SESSION: Self = Self { effect: |_| Effect::Session, ..Self::LOOK };
    pub(crate) const HOST: Self = Self { effect: |_| Effect::Host, ..Self::LOOK };

    /// A usage error with the usage as its hint.
    pub(crate) fn misused(&self, message: impl Into<String>) -> Failure {
        let usage = format!("usage: {}", self.usage);
        Failure::usage(message).hint(if self.usage == self.example {
            usage
        } else {
            format!("{usage}; for example: {}", self.example)
        })
    }

    /// Whether a page does it itself: the console does not know where a page looks.
    #[must_use]
    pub fn is_of_page(&'static self) -> bool {
        (self.effect)(&Args::none(self)) == Effect::Host
    }

    /// Whether a whole command stands among its words: options in it are not its own.
    pub(crate) fn takes_command(&self) -> bool {
        self.name == "expect"
    }

    /// Whether it may switch to another branch, and so to the newest step of that branch.
    pub(crate) fn leaves_branch(&self) -> bool {
        matches!(self.name, "fork" | "crash" | "branch" | "import")
    }
}
