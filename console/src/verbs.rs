//! The table of verbs: it drives parsing, help, completion and usage errors alike.

use crate::args::{Args, Flag};
use crate::commands;
use crate::lexer::Statement;
use crate::output::Failure;
use crate::task::Task;

/// Makes the task of one command, or says how to use the verb.
pub(crate) type Start = fn(&Args, &Statement) -> Result<Box<dyn Task>, Failure>;

/// One verb of the command language.
#[derive(Debug)]
pub struct Verb {
    /// What is typed.
    pub name: &'static str,
    /// Under which heading help lists it.
    pub group: &'static str,
    /// Its forms.
    pub usage: &'static str,
    /// What it does, in one sentence.
    pub purpose: &'static str,
    /// Something to try; runs without an error, also on an empty database, where a file that it names is open.
    pub example: &'static str,
    /// Its options.
    pub flags: &'static [Flag],
    pub(crate) start: Start,
}

impl Verb {
    /// A usage error with the usage as its hint.
    pub(crate) fn misused(&self, message: impl Into<String>) -> Failure {
        Failure::usage(message).hint(format!("usage: {}", self.usage))
    }
}

/// All verbs, in the order of help.
pub fn verbs() -> impl Iterator<Item = &'static Verb> {
    commands::TABLES.iter().copied().flatten()
}

/// Other names of verbs: those of the programs whose texts this repeats.
const ALIASES: &[(&str, &str)] = &[("set", "put"), ("quit", "exit")];

/// The verb `name`, in any case, or the one that it is another name of.
pub(crate) fn find(name: &str) -> Option<&'static Verb> {
    let name = name.to_ascii_lowercase();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, verb)| *verb);
    let name = alias.unwrap_or(&name);
    verbs().find(|verb| verb.name == name)
}

/// What people type who come from elsewhere.
const SYNONYMS: &[(&str, &str)] = &[
    ("transaction", "begin"),
    ("start", "begin"),
    ("abort", "rollback"),
    ("undo", "rollback"),
    ("insert", "put"),
    ("delete", "del"),
    ("remove", "del"),
    ("rm", "del"),
    ("list", "scan"),
    ("ls", "files"),
    ("range", "scan"),
    ("levels", "lsm"),
    ("tables", "lsm"),
    ("seed", "fill"),
    ("memtable", "mem"),
    ("fsync", "sync"),
    ("dump", "hex"),
    ("inspect", "layout"),
    ("verify", "check"),
    ("man", "help"),
    ("?", "help"),
    ("breakpoint", "break"),
    ("checkout", "branch"),
    ("damage", "corrupt"),
    ("info", "stats"),
    ("jump", "goto"),
    ("previous", "back"),
    ("next", "forward"),
];

/// The failure for a verb that does not exist.
pub(crate) fn unknown(typed: &[u8]) -> Failure {
    let shown = crate::text::short_word(typed, 32);
    let failure = Failure::usage(format!("there is no command {shown}"));
    let text = String::from_utf8_lossy(typed).to_lowercase();
    let synonym = SYNONYMS.iter().find(|(word, _)| *word == text).map(|(_, verb)| *verb);
    match synonym.or_else(|| crate::suggest::closest(&text, verbs().map(|verb| verb.name))) {
        Some(verb) => failure.hint(format!("did you mean {verb}? `help` lists all commands")),
        None => failure.hint("`help` lists all commands"),
    }
}
