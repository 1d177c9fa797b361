//! The command that a statement means, and why there is none.

use super::verbs::{self, Command};
use crate::language::lexer::Statement;
use crate::language::{Args, closest, command};
use crate::output::Failure;
use crate::text;

/// The command of `statement`, with its arguments.
pub(super) fn of(statement: &Statement, engine: &str) -> Result<(&'static Command, Args), Failure> {
    let typed = statement.words().next().map(|word| word.bytes.as_slice()).unwrap_or_default();
    let known = std::str::from_utf8(typed).ok().and_then(verbs::find);
    let command = known.ok_or_else(|| unknown(typed, engine))?;
    Ok((command, Args::new(&command.verb, statement)?))
}

/// The failure for a verb that is not among these.
pub(super) fn unknown(typed: &[u8], engine: &str) -> Failure {
    let shown = text::short_word(typed, 32);
    let word = String::from_utf8_lossy(typed).to_lowercase();
    if CHANGES.contains(&word.as_str()) {
        let of = subject(engine);
        let message = format!("{shown} would change it: this is {of}, which is only read");
        return Failure::usage(message).hint(match engine {
            "Levelscope" => "`levelscope DIR` opens it to be written to; a page, as a branch",
            _ => "`levelscope import DIR NEW` makes a database of Levelscope of it, which can be written to",
        });
    }
    let of = subject(engine);
    let failure =
        Failure::usage(format!("there is no command {shown} for {of}, which is only read"));
    let meant = command::synonym(verbs::COMMANDS.iter(), &word)
        .or_else(|| closest(&word, verbs::verbs().map(|verb| verb.name)));
    failure.meant(meant, "`help` lists all commands")
}

/// The open directory in a sentence.
fn subject(engine: &str) -> String {
    match engine {
        "Files" => "a set of files".to_owned(),
        engine => format!("a database of {engine}"),
    }
}

/// Verbs that change a database of Levelscope.
const CHANGES: &[&str] = &[
    "put",
    "del",
    "delete-range",
    "batch",
    "snapshot",
    "release",
    "fill",
    "begin",
    "commit",
    "rollback",
    "flush",
    "compact",
    "rotate",
    "sync",
    "step",
    "run",
    "until",
    "corrupt",
    "reset",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The words are written down here, because the table of those verbs would bring their code into the page's module of
    /// directories.
    #[test]
    fn every_verb_that_changes_a_database_is_known_to_change_one() {
        let changes = crate::commands::verbs().filter(|verb| {
            let effect = (verb.effect)(&Args::none(verb));
            effect.changes() && verbs::find(verb.name).is_none()
        });
        let changes: Vec<&str> = changes.map(|verb| verb.name).collect();
        assert_eq!(changes, CHANGES);
    }
}
