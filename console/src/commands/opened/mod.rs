//! Files of other programs, and of this one, outside the database: `open`, `opened`, `formats`,
//! `entries`, `lookup`, `close`.

mod close;
mod database;
mod entries;
mod export;
pub(super) mod lookup;
pub(super) mod newest;
mod open;
mod state;
mod telling;

use state::described;
use telling::told;

pub(super) use entries::searchable;
pub(crate) use open::{Opening, format_called};
pub(super) use state::state as state_of;
pub(super) use telling::tell;

use crate::commands::Command;
use crate::language::{Args, At, Effect, Statement, Verb, What, flag, offer, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::FormatState;
use crate::session::{Session, Task, once};
use crate::shelf::OpenedFile;
use crate::text;
use levelscope_formats::{SearchMethod, infos};
use std::sync::Arc;

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "open",
        group: "open files",
        usage: "open [FILE...] [--as FORMAT]",
        purpose: "Opens files of other programs, or of this one, for inspection; a directory opens all its files.",
        example: "open",
        flags: &[flag("--as", "format", "reads it as this format, without recognition")
            .offering(What::Formats)],
        ..Verb::SESSION
    }
    .starts(open::start)
    .offers(&[offer(At::Any, What::Opened)]),
    Verb {
        name: "opened",
        group: "open files",
        usage: "opened [@FILE|@DIR]",
        purpose: "Lists the opened directories and files, each with what it is and what is damaged in it.",
        example: "opened",
        ..Verb::SESSION
    }
    .starts(opened)
    .offers(&[offer(At::Words(&[]), What::Opened)]),
    Verb {
        name: "formats",
        group: "open files",
        usage: "formats",
        purpose: "Lists the formats of other programs that can be opened.",
        example: "formats",
        ..Verb::SESSION
    }
    .starts(list_formats),
    Verb {
        name: "entries",
        group: "open files",
        usage: "entries @FILE [--skip N] [--limit N]",
        purpose: "Lists the entries of an opened file in the order of the file.",
        example: "entries @demo.table",
        flags: &[
            flag("--limit", "n", "most entries (20)"),
            flag("--skip", "n", "number of entries to skip (0)"),
        ],
        ..Verb::SESSION
    }
    .starts(entries::start)
    .offers(&[offer(At::Words(&[]), What::Opened)]),
    Verb {
        name: "lookup",
        group: "open files",
        usage: "lookup @FILE KEY [--search sequential|binary] [--detail]",
        purpose: "Looks a key up in an opened file, and prints each read and comparison.",
        example: "lookup @demo.table bar",
        flags: &[
            flag(
                "--search",
                "sequential|binary",
                "the search (as the file's own program does)",
            ),
            switch("--detail", "also each comparison and each entry scanned"),
        ],
        ..Verb::SESSION
    }
    .starts(lookup::start)
    .offers(&[offer(At::Words(&[]), What::Opened)]),
    Verb {
        name: "import",
        group: "open files",
        usage: "import @DIR|@FILE [--skip-damage]",
        purpose: "Opens the database of Levelscope whose files are open under @DIR/, or the entries of one file, as a branch in memory.",
        example: "import @demo",
        flags: &[switch("--skip-damage", "leaves out damaged parts of the file")],
        ..Verb::SESSION
    }
    .starts(database::start),
    Verb {
        name: "export",
        group: "open files",
        usage: "export [@FILE|@DIR...] [--leveldb]",
        purpose: "In the page: saves all files of the branch, or opened ones; several as one zip archive.",
        example: "export",
        flags: &[switch("--leveldb", "the data of the branch, as a LevelDB directory")],
        effect: |args| if args.has("--leveldb") { Effect::Read } else { Effect::Look },
    }
    .starts(export::start),
    Verb {
        name: "close",
        group: "open files",
        usage: "close @FILE|@DIR... | close --all",
        purpose: "Closes opened files, or all of a directory; the files themselves stay as they are.",
        example: "close --all",
        flags: &[switch("--all", "all of them")],
        ..Verb::SESSION
    }
    .starts(close::start)
    .offers(&[offer(At::Any, What::Opened)]),
];

/// The opened file that the word at `position` names.
pub(super) fn file_at(
    session: &Session,
    args: &Args,
    position: usize,
) -> Result<Arc<OpenedFile>, Failure> {
    let typed = args.text(position).unwrap_or("");
    let found = session.shelf.find(typed);
    found.or_else(|| session.shelf.find(&format!("@{typed}"))).ok_or_else(|| {
        let shown = text::short_word(&args.bytes(position), 64);
        let failure = Failure::usage(format!("no file {shown} is open"));
        failure.hint("`opened` lists the opened files, `open` opens some")
    })
}

/// The opened files that the words name: each a file, or a directory with all its files.
pub(super) fn files_named(session: &Session, args: &Args) -> Result<Vec<Arc<OpenedFile>>, Failure> {
    let mut files = Vec::new();
    for position in 0..args.words.len() {
        match file_at(session, args, position) {
            Ok(file) => files.push(file),
            Err(failure) => {
                let of = session.shelf.of_directory(args.text(position).unwrap_or_default());
                if of.is_empty() {
                    return Err(failure);
                }
                files.extend(of);
            }
        }
    }
    Ok(files)
}

/// The word for a way of searching.
pub(super) fn search_word(search: SearchMethod) -> &'static str {
    match search {
        SearchMethod::Sequential => "sequential",
        SearchMethod::Binary => "binary",
    }
}

fn opened(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "an opened file or directory, or nothing")?;
    let args = args.clone();
    Ok(once(move |session| {
        if args.words.is_empty() {
            return Ok(list(session));
        }
        let files = files_named(session, &args)?;
        let whole = args.text(0).and_then(|id| session.shelf.directory(id));
        Ok(told(session, &files, whole.as_slice()))
    }))
}

/// All that is open.
fn list(session: &mut Session) -> Answer {
    let (files, directories) = (session.shelf.all(), session.shelf.directories());
    if files.is_empty() {
        session.say(OutputLine::note("No file is open: `open FILE` opens some."));
    }
    told(session, &files, &directories)
}

fn list_formats(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(once(|session| {
        let formats: Vec<FormatState> = infos().map(described).collect();
        let width = formats.iter().map(|format| format.id.len()).max().unwrap_or(0) + 2;
        for format in &formats {
            let line = OutputLine::new().strong(format.id.clone()).pad_to(width);
            session.say(line.plain(format!("{}. ", format.name)).dim(format.purpose.clone()));
        }
        session.say(OutputLine::note("`open FILE --as FORMAT` does not guess."));
        Ok(Answer::formats(formats))
    }))
}
