//! The verbs; one file a group.

mod batch;
mod bench;
mod buckets;
mod bytes;
mod check;
mod compare;
mod contents;
mod data;
mod exchange;
mod expect;
mod explain;
mod figures;
mod fill;
mod follow;
mod help;
mod hex;
mod jobs;
mod lab;
mod layout;
mod lessons;
mod levels;
mod logs;
mod measure;
mod memtree;
mod options;
mod page;
mod plan;
mod query;
mod refresh;
mod scan;
mod settings;
mod share;
mod snapshots;
mod time;
mod transactions;
mod until;
mod work;

pub(crate) use exchange::Importing;
pub(crate) use expect::{Asking, judge, may_ask, shown};
#[cfg(feature = "typescript")]
pub use query::Answers;
pub use query::Query;
pub(crate) use time::{crash_at, print_hit};

use crate::glossary;
use crate::language::{self, Args, Statement, Verb, closest};
use crate::output::Failure;
use crate::session::Task;

/// Makes the task of one command, or fails with the verb's usage.
type Start = fn(&Args, &Statement) -> Result<Box<dyn Task>, Failure>;

/// One verb, and the task that it begins.
pub(crate) type Command = language::command::Command<Start>;

impl Verb {
    /// The command of this verb, whose task `start` makes.
    const fn starts(self, start: Start) -> Command {
        Command::new(self, start)
    }
}

/// All commands, group by group, in the order of help.
pub(crate) const TABLES: &[&[Command]] = &[
    data::VERBS,
    scan::VERBS,
    batch::VERBS,
    snapshots::VERBS,
    fill::VERBS,
    measure::VERBS,
    bench::VERBS,
    lab::VERBS,
    compare::VERBS,
    transactions::VERBS,
    jobs::VERBS,
    work::VERBS,
    until::VERBS,
    levels::VERBS,
    buckets::VERBS,
    contents::VERBS,
    logs::VERBS,
    layout::VERBS,
    hex::VERBS,
    figures::VERBS,
    check::VERBS,
    expect::VERBS,
    explain::VERBS,
    follow::VERBS,
    exchange::VERBS,
    time::cursor::VERBS,
    time::forks::VERBS,
    time::points::VERBS,
    time::crash::VERBS,
    time::why::VERBS,
    time::merge::VERBS,
    options::VERBS,
    settings::VERBS,
    refresh::VERBS,
    lessons::VERBS,
    share::VERBS,
    page::VERBS,
    help::VERBS,
];

/// All commands, in the order of help.
pub(crate) fn all() -> impl Iterator<Item = &'static Command> {
    TABLES.iter().copied().flatten()
}

/// All verbs, in the order of help.
pub fn verbs() -> impl Iterator<Item = &'static Verb> {
    all().map(|command| &command.verb)
}

/// The command whose verb is `name`, in any case, or has it as an alias.
pub(crate) fn find(name: &str) -> Option<&'static Command> {
    language::command::find(all(), name)
}

/// The command of `statement`, with its arguments.
pub(crate) fn of(statement: &Statement) -> Result<(&'static Command, Args), Failure> {
    let word = statement.words().next().map(|word| word.bytes.as_slice()).unwrap_or_default();
    let command = named(word)?;
    Ok((command, Args::new(&command.verb, statement)?))
}

/// The command of a typed verb.
pub(crate) fn named(typed: &[u8]) -> Result<&'static Command, Failure> {
    std::str::from_utf8(typed).ok().and_then(find).ok_or_else(|| unknown(typed))
}

/// The failure for a verb that does not exist.
fn unknown(typed: &[u8]) -> Failure {
    let shown = crate::text::short_word(typed, 32);
    let failure = Failure::usage(format!("there is no command {shown}"));
    let text = String::from_utf8_lossy(typed).to_lowercase();
    if text == "preset" {
        return failure.hint("did you mean options preset NAME? `options` lists the presets");
    }
    if let Some(hint) = exchange::beside(&text) {
        return failure.hint(hint);
    }
    match synonym(&text).or_else(|| closest(&text, verbs().map(|verb| verb.name))) {
        None if glossary::find(&text).is_some() => {
            failure.hint(format!("`help {text}` explains the term; `help` lists all commands"))
        }
        meant => failure.meant(meant, "`help` lists all commands"),
    }
}

/// The verb that does what `text` does in other programs.
fn synonym(text: &str) -> Option<&'static str> {
    language::command::synonym(all(), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_word_means_one_verb() {
        let mut words = BTreeSet::new();
        for Command { verb, typing, .. } in all() {
            let others = typing.aliases.iter().chain(typing.synonyms).copied();
            for word in [verb.name].into_iter().chain(others) {
                assert!(words.insert(word), "{word} means two verbs");
            }
        }
    }
}
