//! `reset`: an empty database in place of this one.

use crate::commands::Command;
use crate::language::{Args, Statement, Verb, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::ResetResult;
use crate::session::{Session, Stop, Task, once, total};
use crate::text;
use levelscope::ErrorKind;
use levelscope::internals::sorting;
use levelscope::storage::FileName;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "reset",
    group: "settings",
    usage: "reset --yes",
    purpose: "Deletes all files of the database and begins with an empty one.",
    example: "reset --yes",
    flags: &[switch("--yes", "really delete everything")],
    ..Verb::CHANGE
}
.starts(reset)];

fn reset(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing but --yes")?;
    if !args.has("--yes") {
        return Ok(once(|session| {
            if session.host.read_only() {
                return Err(read_only().into());
            }
            Err(Stop::Failed(refusal(session)?))
        }));
    }
    let mut deleted = None;
    Ok(once(move |session| {
        let count = match deleted {
            Some(count) => count,
            None if session.host.read_only() => return Err(read_only().into()),
            None => delete_all(session)?,
        };
        // Deleted once: when the host has to open a file, only the opening is tried again.
        deleted = Some(count);
        session.open(session.options.clone())?;
        let files = text::counted(count, "file");
        session.print(OutputLine::text(format!("{files} deleted; the database is empty.")));
        Ok(Answer::other(ResetResult { files_deleted: count }))
    }))
}

fn read_only() -> levelscope::Error {
    let message = "the database was opened for reading only, so it is not deleted";
    levelscope::Error::new(ErrorKind::ReadOnly, message)
}

fn own_files(session: &Session) -> Result<Vec<FileName>, Stop> {
    let names = session.storage().list()?;
    let names = names.iter().filter_map(|name| FileName::parse(name));
    Ok(names.filter(|name| *name != FileName::Lock).collect())
}

/// The files and entries that `reset` would delete, and the way back.
fn refusal(session: &Session) -> Result<Failure, Stop> {
    let (all, own) = (session.files()?, own_files(session)?.len() as u64);
    let mut lost = match all.len() as u64 {
        all if all > own => format!("{} of {}", text::count(own), text::counted(all, "file")),
        _ => text::counted(own, "file"),
    };
    if let Some(db) = session.database() {
        let view = db.view();
        let in_tables = view.levels.iter().flat_map(|level| &level.tables).map(|t| t.entries);
        let in_memory = view.memtables.iter().map(|memtable| memtable.entries);
        let versions: u64 = in_tables.chain(in_memory).sum();
        lost = format!("{lost} with {}", text::counted(versions, "key version"));
    }
    let (size, place) = (text::size(total(&all)), text::printable(&session.place()));
    let message = format!("reset would delete {lost} ({size}) in {place}");
    let past = session.journal_of(session.tape.step()).is_ok();
    Ok(Failure::new("confirm", message).hint(if past {
        "reset --yes does it; until this session ends, `fork STEP` brings back what was before"
    } else {
        "reset --yes does it, for good"
    }))
}

/// Deletes every file of the database, and none that has another name.
fn delete_all(session: &mut Session) -> Result<u64, Stop> {
    match session.close() {
        Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(error.into()),
        // Bytes that could not be written at closing are deleted with everything else.
        _ => {}
    }
    let storage = session.storage();
    session.host.open_policy().check(&*storage)?;
    let lock = storage.lock()?;
    let mut names = own_files(session)?;
    // CURRENT goes first: without it nothing that is left over is taken for a database.
    sorting::sort_by_key(&mut names, |name| *name != FileName::Current);
    let mut count = 0;
    for name in names {
        match storage.delete(name) {
            Ok(()) => count += 1,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
    }
    storage.sync_directory()?;
    drop(lock);
    Ok(count)
}
