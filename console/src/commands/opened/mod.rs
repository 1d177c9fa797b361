//! Files of other programs, and of this one, outside the database: `open`, `opened`, `formats`,
//! `entries`, `lookup`, `close`.

pub(super) mod database;
pub(super) mod entries;
pub(super) mod export;
pub(super) mod lookup;
pub(super) mod open;

pub(super) use entries::searchable;
pub(crate) use open::{Opening, format_called};

use crate::commands::Command;
use crate::commands::part::later;
use crate::language::lexer::Statement;
use crate::language::{Args, At, Effect, Typing, Verb, What, flag, offer, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::{FormatGuess, FormatState, OpenResult, OpenedState, PlaceOfDamage};
use crate::session::{Session, Task, once, structured};
use crate::shelf::{Defect, OpenedFile};
use crate::text;
use levelscope_formats::{Format, FormatInfo, Likeness, SearchMethod, infos};
use std::sync::Arc;

pub(super) const VERBS: &[Command] = &[
    Command {
        verb: Verb {
            name: "open",
            group: "open files",
            usage: "open [FILE...] [--as FORMAT]",
            purpose: "Opens files of other programs, or of this one, for inspection; a directory opens all its files.",
            example: "open",
            flags: &[flag("--as", "format", "reads it as this format, without recognition")
                .offering(What::Formats)],
            effect: |_| Effect::Session,
        },
        typing: Typing { offers: &[offer(At::Any, What::Opened)], ..Typing::NONE },
        start: |args, statement| Ok(later(|rest| rest.open, args, statement)),
    },
    Command {
        verb: Verb {
            name: "opened",
            group: "open files",
            usage: "opened [@FILE]",
            purpose: "Lists the opened files, each with its recognized format and its first damage.",
            example: "opened",
            flags: &[],
            effect: |_| Effect::Session,
        },
        typing: Typing { offers: &[offer(At::Words(&[]), What::Opened)], ..Typing::NONE },
        start: opened,
    },
    Command {
        verb: Verb {
            name: "formats",
            group: "open files",
            usage: "formats",
            purpose: "Lists the formats of other programs that can be opened.",
            example: "formats",
            flags: &[],
            effect: |_| Effect::Session,
        },
        typing: Typing::NONE,
        start: list_formats,
    },
    Command {
        verb: Verb {
            name: "entries",
            group: "open files",
            usage: "entries @FILE [--skip N] [--limit N]",
            purpose: "Lists the entries of an opened file in the order of the file.",
            example: "entries @demo.table",
            flags: &[
                flag("--limit", "n", "most entries (20)"),
                flag("--skip", "n", "number of entries to skip (0)"),
            ],
            effect: |_| Effect::Session,
        },
        typing: Typing { offers: &[offer(At::Words(&[]), What::Opened)], ..Typing::NONE },
        start: |args, statement| Ok(later(|rest| rest.entries, args, statement)),
    },
    Command {
        verb: Verb {
            name: "lookup",
            group: "open files",
            usage: "lookup @FILE KEY [--search sequential|binary|hash] [--detail]",
            purpose: "Looks a key up in an opened file, and prints each read and comparison.",
            example: "lookup @demo.table bar",
            flags: &[
                flag(
                    "--search",
                    "sequential|binary|hash",
                    "the search (as the file's own program does)",
                ),
                switch("--detail", "also each comparison and each entry scanned"),
            ],
            effect: |_| Effect::Session,
        },
        typing: Typing { offers: &[offer(At::Words(&[]), What::Opened)], ..Typing::NONE },
        start: |args, statement| Ok(later(|rest| rest.lookup, args, statement)),
    },
    Command {
        verb: Verb {
            name: "import",
            group: "open files",
            usage: "import @DIR [--skip-damage]",
            purpose: "Opens the database of Levelscope or LevelDB whose files are open under @DIR/, as a branch in memory.",
            example: "import @demo",
            flags: &[switch("--skip-damage", "leaves out damaged parts of a LevelDB database")],
            effect: |_| Effect::Session,
        },
        typing: Typing::NONE,
        start: |args, statement| Ok(later(|rest| rest.import, args, statement)),
    },
    Command {
        verb: Verb {
            name: "export",
            group: "open files",
            usage: "export [@FILE...] [--leveldb]",
            purpose: "In the page: saves all files of the branch, or opened ones; several as one zip archive.",
            example: "export",
            flags: &[switch("--leveldb", "the data of the branch, as a LevelDB directory")],
            effect: |args| if args.has("--leveldb") { Effect::Read } else { Effect::Look },
        },
        typing: Typing::NONE,
        start: export::start,
    },
    Command {
        verb: Verb {
            name: "close",
            group: "open files",
            usage: "close @FILE... | close --all",
            purpose: "Closes opened files; the files themselves stay as they are.",
            example: "close --all",
            flags: &[switch("--all", "all of them")],
            effect: |_| Effect::Session,
        },
        typing: Typing { offers: &[offer(At::Any, What::Opened)], ..Typing::NONE },
        start: close,
    },
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

/// The word for a way of searching.
pub(super) fn search_word(search: SearchMethod) -> &'static str {
    match search {
        SearchMethod::Sequential => "sequential",
        SearchMethod::Binary => "binary",
        SearchMethod::PrefixHash => "hash",
    }
}

fn opened(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "an opened file, or nothing")?;
    let args = args.clone();
    Ok(once(move |session| {
        let files = if args.words.is_empty() {
            session.shelf.all()
        } else {
            vec![file_at(session, &args, 0)?]
        };
        Ok(list(session, &files))
    }))
}

fn list(session: &mut Session, files: &[Arc<OpenedFile>]) -> Answer {
    for file in files {
        tell(session, file);
    }
    if files.is_empty() {
        session.say(OutputLine::note("No file is open: `open FILE` opens some."));
    }
    let files = files.iter().map(|file| state(file)).collect();
    Answer::opened(OpenResult { files })
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

fn close(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    let all = args.has("--all");
    if all != args.words.is_empty() {
        return Err(args.verb.misused("close needs opened files, or --all"));
    }
    let args = args.clone();
    Ok(once(move |session| {
        let mut closed = 0;
        if all {
            closed = session.shelf.clear();
        }
        let files: Result<Vec<_>, _> =
            (0..args.words.len()).map(|position| file_at(session, &args, position)).collect();
        for file in files? {
            closed += u64::from(session.shelf.close(&file.id()));
        }
        session.say(OutputLine::note(format!("{} closed.", text::counted(closed, "file"))));
        Ok(structured(closed))
    }))
}

/// A file in some lines: what it is, how sure that is, what is wrong.
pub(super) fn tell(session: &mut Session, file: &OpenedFile) {
    let state = state(file);
    let line = OutputLine::new().link(state.id.clone(), state.id.clone()).plain("  ");
    let line = line.number(text::size(state.bytes)).plain("  ");
    session.say(line.plain(state.what.clone()));
    if !state.others.is_empty() {
        let others: Vec<String> = state
            .others
            .iter()
            .map(|guess| format!("{} ({})", guess.format, likeness_words(guess.likeness, "")))
            .collect();
        session.say(OutputLine::note(format!("    it could also be: {}", others.join(", "))));
    }
    if let Some(damage) = &state.damage {
        let line = OutputLine::text("    ").with(crate::output::Style::Bad, "damaged");
        session.say(with_damage(file, line, damage));
    }
    if let Some(unread) = &state.unread {
        session.say(with_damage(file, OutputLine::text("    ").strong("not read"), unread));
    }
}

/// A place of a file for programs.
fn place(place: &Defect) -> PlaceOfDamage {
    PlaceOfDamage { offset: place.offset, why: text::printable(&place.why) }
}

/// `line`, followed by the offset, with a link to the byte, and the reason.
fn with_damage(file: &OpenedFile, line: OutputLine, place: &PlaceOfDamage) -> OutputLine {
    let line = match place.offset {
        Some(offset) => {
            let target = format!("{}/bytes:{offset}-{offset}", file.id());
            line.plain(" at ").link(target, format!("offset {}", text::count(offset)))
        }
        None => line,
    };
    line.plain(format!(": {}", place.why))
}

/// How certain the format of a file is; `proof`: the evidence that makes it certain.
fn likeness_words(likeness: Likeness, proof: &str) -> String {
    match likeness {
        Likeness::None => "nothing speaks for it".into(),
        Likeness::Perhaps => "perhaps".into(),
        Likeness::Likely => "likely: all its bytes fit this format".into(),
        Likeness::Certain if proof.is_empty() => "certain".into(),
        Likeness::Certain => format!("certain: {proof}"),
    }
}

/// The description of an opened file, for programs and people.
pub(crate) fn state(file: &OpenedFile) -> OpenedState {
    let info = file.format.map(Format::info);
    let format = info.map(|info| {
        let name = info.name_in(file.directory.program, file.unread.is_some());
        FormatState { name, ..described(info) }
    });
    let sure = match file.likeness {
        Some(likeness) => likeness_words(likeness, info.map_or("", |info| info.proof)),
        None => "as you said with --as".into(),
    };
    let mut what = match &format {
        Some(format) => format!("{} ({}), {sure}", format.name, format.id),
        None if file.bytes.is_empty() => "an empty file".to_owned(),
        None => "of no known format: shown as plain bytes".to_owned(),
    };
    if let Some(entries) = file.entries {
        let readable = if file.unread.is_some() { " can be read" } else { "" };
        what = format!("{what}; {}{readable}", text::counted(entries, "entry"));
    }
    OpenedState {
        id: file.id(),
        name: file.name.clone(),
        bytes: file.bytes.len() as u64,
        format,
        likeness: file.likeness,
        others: file
            .others
            .iter()
            .map(|found| FormatGuess {
                format: found.format.info().id.to_owned(),
                likeness: found.likeness,
            })
            .collect(),
        damage: file.damage.as_ref().map(place),
        unread: file.unread.as_ref().map(place),
        entries: file.entries,
        database: file.database(),
        what,
    }
}

fn described(info: &FormatInfo) -> FormatState {
    FormatState {
        id: info.id.to_owned(),
        name: info.name.to_owned(),
        purpose: info.purpose.to_owned(),
        holds: info.holds,
        searches: info.searches.iter().map(|search| search_word(*search).to_owned()).collect(),
    }
}
