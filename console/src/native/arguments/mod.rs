//! The command line of the program.

mod exchange;
mod inspect;
mod repair;
mod run;

pub(crate) use exchange::{CopyArguments, ExportArguments, ImportArguments, Selection};
pub(crate) use inspect::InspectArguments;
pub(crate) use repair::RepairArguments;
pub(crate) use run::{Arguments, Location};

use super::lesson;
use levelscope_console::{Failure, closest};
use lexopt::{Arg, Parser, ValueExt};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// The hint of every wrong command line.
const TRY: &str = "levelscope --help lists all options";

/// The first words that are no directory.
const VERBS: [&str; 8] =
    ["bench", "check", "checkpoint", "export", "import", "inspect", "lesson", "repair"];

/// A wrong command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct WrongLine {
    message: String,
    hint: String,
}

impl WrongLine {
    fn hint(self, hint: String) -> Self {
        Self { hint, ..self }
    }
}

impl<T: fmt::Display> From<T> for WrongLine {
    fn from(message: T) -> Self {
        Self { message: message.to_string(), hint: TRY.to_owned() }
    }
}

impl From<WrongLine> for Failure {
    fn from(wrong: WrongLine) -> Self {
        Self::usage(wrong.message).hint(wrong.hint)
    }
}

/// The request of a command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Help,
    Version,
    Run(Arguments),
    Repair(RepairArguments),
    Inspect(InspectArguments),
    Import(ImportArguments),
    Export(ExportArguments),
    Checkpoint(CopyArguments),
    Lesson(lesson::Arguments),
}

/// Reads the command line; the first word is the program itself.
///
/// # Errors
/// An unknown or missing argument, or a value that its option does not take.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Request, WrongLine> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let first = words.get(1).and_then(|word| word.to_str()).unwrap_or_default().to_owned();
    match first.as_str() {
        "bench" => return Ok(run::benchmark(words.split_off(1))),
        "check" => return run::check(words.split_off(1)),
        "repair" => return repair::repair(words.split_off(1)),
        "import" => return exchange::import(words.split_off(1)),
        "export" => return exchange::export(words.split_off(1)),
        "checkpoint" => return exchange::checkpoint(words.split_off(1)),
        "inspect" => return inspect::inspect(words.split_off(1)),
        "lesson" => return lesson::arguments(words.split_off(1)),
        _ => {}
    }
    run::run(words).map_err(|wrong| match misspelt(&first) {
        Some(verb) => wrong.hint(format!("did you mean {verb}? {TRY}")),
        None => wrong,
    })
}

/// The verb that `first` was probably meant to be.
fn misspelt(first: &str) -> Option<&'static str> {
    closest(first, VERBS.into_iter()).filter(|_| !Path::new(first).is_dir())
}

/// Takes a flag of a verb, such as `--set` or `-v`, and what follows it; whether it is one of the verb.
type Own<'o> = dyn FnMut(&str, &mut Parser) -> Result<bool, lexopt::Error> + 'o;

/// Reads the words of a verb: its paths, and whether JSON is wanted. `None`: help is wanted.
fn words_of(
    words: Vec<OsString>,
    own: &mut Own<'_>,
) -> Result<Option<(Vec<PathBuf>, bool)>, WrongLine> {
    let (mut paths, mut json) = (Vec::new(), false);
    let mut parser = Parser::from_iter(words);
    while let Some(argument) = parser.next()? {
        let flag = match argument {
            Arg::Value(path) => {
                paths.push(PathBuf::from(path));
                continue;
            }
            Arg::Long(flag) => format!("--{flag}"),
            Arg::Short(letter) => format!("-{letter}"),
        };
        match flag.as_str() {
            "--help" | "-h" => return Ok(None),
            "--json" => json = true,
            known if own(known, &mut parser)? => {}
            _ => return Err(lexopt::Error::UnexpectedOption(flag).into()),
        }
    }
    Ok(Some((paths, json)))
}

/// The value of a flag.
fn value(parser: &mut Parser) -> Result<String, lexopt::Error> {
    parser.value().and_then(ValueExt::string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Request, WrongLine> {
        parse(std::iter::once("levelscope").chain(words.iter().copied()).map(OsString::from))
    }

    #[test]
    fn the_command_line() {
        let Ok(Request::Run(run)) =
            parsed(&["dir", "-c", "get a", "--set", "bloom_bits=0", "-c", "get b"])
        else {
            panic!("this command line is right")
        };
        assert_eq!(run.place, Location::Directory("dir".into()));
        assert_eq!(run.commands.as_deref(), Some("get a\nget b"));
        assert_eq!(run.options.bloom_bits, 0);
        assert_eq!(parsed(&["--help"]), Ok(Request::Help));
        let words = ["bench", "--benchmarks=open,stats", "--json", "--db", "a b", "--num=9"];
        let Ok(Request::Run(bench)) = parsed(&words) else { panic!("this command line is right") };
        assert_eq!((bench.place, bench.json), (Location::Benchmark, true));
        let line = "bench --benchmarks open,stats --db \"a b\" --num 9";
        assert_eq!(bench.commands.as_deref(), Some(line));
        for wrong in [
            &[][..],
            &["a", "b"],
            &["a", "--memory"],
            &["--memory", "--nope"],
            &["-c"],
            &["--memory", "--read-only"],
        ] {
            assert!(parsed(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_command_line_of_copies() {
        let words = ["import", "a", "--family", "users", "b", "--lossy", "--set", "bloom_bits=0"];
        let Ok(Request::Import(import)) = parsed(&words) else { panic!("it is right") };
        assert_eq!((import.copy.source, import.copy.target), ("a".into(), "b".into()));
        let selection = Selection { family: Some("users".into()), lossy: true, skip_damage: false };
        assert_eq!(import.selection, selection);
        let words = ["export", "a", "b.sst", "--skip-damage", "--json"];
        let Ok(Request::Export(export)) = parsed(&words) else { panic!("it is right") };
        assert_eq!((export.selection.skip_damage, export.copy.json), (true, true));
        assert_eq!(parsed(&["export", "-h"]), Ok(Request::Help));
        assert!(matches!(parsed(&["checkpoint", "a", "b"]), Ok(Request::Checkpoint(_))));
        for wrong in [
            &["import", "a"][..],
            &["import", "a", "b", "c"],
            &["import", "a", "b", "--family"],
            &["import", "a", "b", "-x"],
            &["export", "a", "b", "--preset", "article"],
            &["checkpoint", "a", "b", "--lossy"],
        ] {
            assert!(parsed(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn wrong_options_are_refused() {
        for (wrong, hint) in [
            (["--preset", "clasroom"], "did you mean classroom? there are: default,"),
            (["--preset", "x"], "there are: default, article, classroom"),
            (["--set", "memtable_byte=1"], "did you mean memtable_bytes? `levelscope --memory"),
            (["--set", "nope=1"], "`levelscope --memory -c options` lists all"),
            (["--set", "memtable_bytes=xx"], TRY),
            (["--set", "bloom_bits"], TRY),
        ] {
            for first in [&["--memory"][..], &["repair", "a", "b"], &["import", "a", "b"]] {
                let words: Vec<&str> = first.iter().chain(&wrong).copied().collect();
                let found = parsed(&words).map_err(|wrong| wrong.hint);
                assert!(found.as_ref().is_err_and(|it| it.starts_with(hint)), "{found:?}");
            }
        }
    }

    #[test]
    fn a_misspelt_verb_is_recognized() {
        for (words, meant) in [
            (&["chek", "./x"][..], "check"),
            (&["checks", "good/db"], "check"),
            (&["imprt", "a", "b"], "import"),
            (&["--memory", "x"], ""),
            (&["data/db", "x"], ""),
        ] {
            let hint = match meant {
                "" => TRY.to_owned(),
                meant => format!("did you mean {meant}? {TRY}"),
            };
            assert_eq!(parsed(words).map_err(|wrong| wrong.hint), Err(hint), "{words:?}");
        }
    }
}
