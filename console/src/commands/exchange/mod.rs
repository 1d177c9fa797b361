//! Files that come in and go out: `open`, `import`, `export`.

mod export;
mod import;

pub(crate) use import::Importing;

use crate::commands::Command;
use crate::language::{Args, Effect, Statement, Verb, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::session::{Task, once};
use crate::text;

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "open",
        group: "files in and out",
        usage: "open",
        purpose: "In the page: asks for a directory or files, which open in a view of their own.",
        example: "open",
        ..Verb::SESSION
    }
    .starts(open),
    Verb {
        name: "import",
        group: "files in and out",
        usage: "import DIR|FILE [--skip-damage]",
        purpose: "Opens a database of Levelscope, or the entries of a log that export --entries writes, as a branch in memory.",
        example: "import mydb",
        flags: &[switch("--skip-damage", "leaves out damaged parts of the log")],
        ..Verb::SESSION
    }
    .starts(import::start),
    Verb {
        name: "export",
        group: "files in and out",
        usage: "export [--leveldb|--entries]",
        purpose: "In the page: downloads all files of the branch as a zip archive.",
        example: "export",
        flags: &[
            switch("--leveldb", "the data of the branch, as a LevelDB directory"),
            switch("--entries", "the data of the branch, as a log of format kvdb-log"),
        ],
        effect: |args| {
            let converts = args.has("--leveldb") || args.has("--entries");
            if converts { Effect::Read } else { Effect::Look }
        },
    }
    .starts(export::start),
];

/// Verbs on the files of a directory that is open beside the playground, and the one that does the same there.
const BESIDE: &[(&str, &str)] = &[
    ("opened", "files"),
    ("formats", "formats"),
    ("entries", "scan"),
    ("lookup", "explain get KEY"),
    ("convert", "convert"),
    ("kvdb", "kvdb"),
    ("save", "save"),
];

/// The hint for a verb on files from outside.
pub(super) fn beside(verb: &str) -> Option<String> {
    let (_, there) = BESIDE.iter().find(|(known, _)| *known == verb)?;
    Some(format!("it is `{there}` in an opened directory: {OPENED_BY}"))
}

/// Ways to open files of other programs, and single files.
const OPENED_BY: &str = "drop files on the page, or run `levelscope PATH --read-only`; `export` hands out those of this database";

fn open(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    if let Some(path) = args.words.first() {
        let shown = text::short_word(&path.bytes, 64);
        let failure = Failure::usage(format!("{shown} is not opened beside a database"));
        return Err(failure.hint(OPENED_BY));
    }
    Ok(once(|session| {
        if !session.host.pick_files() {
            return Err(Failure::usage("this program does not ask for files")
                .hint(OPENED_BY)
                .into());
        }
        session.print(OutputLine::note("Choose files; or drop some anywhere on the page."));
        Ok(Answer::other(()))
    }))
}
