//! Files that the console makes: `convert`, `kvdb`, `save`. They are opened files like others.

mod convert;
mod store;

use super::opened;
use crate::commands::Command;
use crate::language::{At, Verb, What, flag, offer, switch};
use crate::output::{Answer, Failure};
use crate::session::{Session, Task, once, structured};
use crate::shelf::OpenedFile;
use crate::text;
use std::sync::Arc;

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "convert",
        group: "open files",
        usage: "convert FORMAT [@FILE] [--name NAME]",
        purpose: "Writes the entries of the database, or of an opened file, in another format, and opens the new file.",
        example: "convert ladder-varint",
        flags: &[flag("--name", "name", "name of the new file")],
        ..Verb::READ
    }
    .starts(convert::start)
    .offers(&[
        offer(At::Words(&[]), What::WritableFormats),
        offer(At::Words(&["*"]), What::Opened),
    ]),
    Verb {
        name: "kvdb",
        group: "open files",
        usage: "kvdb put KEY VALUE [--sync|--async] [--record-limit BYTES] [--file @FILE] \
            | kvdb del KEY [--sync|--async] [--file @FILE] | kvdb get KEY [--file @FILE]",
        purpose: "Uses a database that is a single log: a write appends a record to an opened file, a read scans all of it.",
        example: "kvdb put key1 value1",
        flags: &[
            flag("--file", "@file", "the log (@store.db, made when it is not there)"),
            switch("--sync", "syncs the record before the command returns (the usual way)"),
            switch("--async", "leaves the record to the operating system, without a sync"),
            flag("--record-limit", "bytes", "longest record with its header (1 MiB)"),
        ],
        ..Verb::SESSION
    }
    .starts(store::start)
    .offers(&[offer(At::Words(&[]), What::Words(&["put", "get", "del"]))]),
    Verb {
        name: "save",
        group: "open files",
        usage: "save @FILE PATH [--force]",
        purpose: "Writes an opened file to a path of this machine.",
        example: "save @demo.table /dev/null --force",
        flags: &[switch("--force", "replaces an existing file")],
        ..Verb::SESSION
    }
    .starts(save)
    .offers(&[offer(At::Words(&[]), What::Opened)]),
];

/// Puts `file` among the opened ones, when there is room, and says what it is.
fn shelve(session: &mut Session, file: OpenedFile) -> Result<Answer, Failure> {
    let old = session.shelf.find(&file.id()).map_or(0, |old| old.bytes.len() as u64);
    let more = (file.bytes.len() as u64).saturating_sub(old);
    session.shelf.room(&file.name, more, session.host.opened_bytes_max())?;
    let file = Arc::new(file);
    session.shelf.put(Arc::clone(&file));
    opened::tell(session, &file);
    Ok(structured(opened::state_of(&file)))
}

fn save(
    args: &crate::language::Args,
    _: &crate::language::lexer::Statement,
) -> Result<Box<dyn Task>, Failure> {
    args.expect(2, 2, "an opened file and a path")?;
    let (force, args) = (args.has("--force"), args.clone());
    Ok(once(move |session| {
        let file = opened::file_at(session, &args, 0)?;
        let path = args.text(1).ok_or_else(|| args.verb.misused("a path is text"))?;
        session.host.write_file(path, &file.bytes, force)?;
        let bytes = text::size(file.bytes.len() as u64);
        let shown = text::short_word(path.as_bytes(), 64);
        session.say(crate::output::OutputLine::note(format!("{shown} written: {bytes}.")));
        Ok(structured(path))
    }))
}
