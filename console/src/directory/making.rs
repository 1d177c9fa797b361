//! The verbs that make files beside those of a directory, and write them out.

use super::fileset::{FileSet, Write, format_list};
use super::{DirectorySession, Opened, answers, name_of, reads};
use crate::language::Args;
use crate::output::{Failure, OutputLine, Response};
use crate::text;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::key::SEQUENCE_MAX;
use levelscope_foreign::name::plain;
use levelscope_foreign::{
    CountedFiles, EntryCursor, EntryRef, Kind, LooseFiles, MemoryFiles, Severity, Value,
};
use levelscope_formats::Entry;
use levelscope_formats::kvdb::{FILE, RECORD_BYTES_MAX, StoreSettings};
use std::borrow::Cow;

type Session<'d, 'f> = DirectorySession<'d, 'f>;
type Answered = Result<Response, Failure>;

pub(super) fn formats(_: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 0, "nothing")?;
    Ok(format_list().into())
}

pub(super) fn open(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 1, "a file")?;
    let typed = args.text(0).ok_or_else(|| args.verb.misused("a name of a file is text"))?;
    let format = args.value("--as").ok_or_else(|| args.verb.misused("open needs --as"))?;
    let lines = session.directory.files()?.read_as(name_of(typed), &format.bytes)?;
    session.last.has_checked = true;
    Ok(lines.into())
}

pub(super) fn convert(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 2, "a format, and perhaps a file")?;
    let (format, name) = (args.bytes(0), args.string("--name"));
    let directory = match session.directory {
        Opened::Engine(directory) => directory,
        Opened::Files(files) => {
            let file = match args.text(1) {
                Some(typed) => files.file(name_of(typed))?,
                None => files.family(session.cursor.family)?,
            };
            let lines = files.convert(&format, name, files.entries(&file)?)?;
            session.last.has_checked = true;
            return Ok(lines.into());
        }
    };
    // The new file goes to a path of the host: beside an engine's files nothing is kept in memory.
    let none = MemoryFiles::default();
    let set = FileSet::new(&none, None)?;
    let entries = entries(directory, session.cursor.family, args.text(1))?;
    let mut lines = set.convert(&format, name, entries)?;
    if let Some((made, content)) = set.last_made() {
        session.host.save(&made, &content, false)?;
        lines.push(OutputLine::note(format!("{} is saved.", text::printable(&made))));
    }
    Ok(lines.into())
}

/// The entries of a family or, if that is given, of one file of `directory` by itself, in the order in which they were
/// written. One that a range deletion deletes is a tombstone.
fn entries(
    directory: &Directory<'_>,
    family: u32,
    file: Option<&str>,
) -> Result<Vec<Entry<'static>>, Failure> {
    if let Some(typed) = file {
        let name = name_of(typed);
        let content = directory.files().read_whole(name, super::fileset::FILE_BYTES_MAX)?;
        let alone = MemoryFiles::new([(name.to_owned(), content)]);
        let loose = LooseFiles::of(&alone).filter(LooseFiles::has_entries);
        let loose = loose.ok_or_else(|| Failure::usage("the file holds no entries"))?;
        let counted = CountedFiles::new(&loose);
        let alone = Directory::open(&counted)?;
        let family = alone.state().families.keys().next().copied();
        return entries(&alone, family.unwrap_or(0), None);
    }
    let (mut merged, deletions, mut problems) = directory.versions(family)?;
    let order = directory.family(family)?.comparator;
    let mut entries = Vec::new();
    merged.first()?;
    loop {
        let value = merged.value();
        let Some(EntryRef { user_key, sequence, kind }) = merged.entry() else { break };
        let value = match value? {
            _ if kind.is_delete()
                || deletions.covering(user_key, SEQUENCE_MAX, order) > sequence =>
            {
                None
            }
            Value::Bytes(value) if kind == Kind::Put => Some(Cow::Owned(value)),
            _ => return Err(Failure::usage("an entry is neither a plain value nor a delete")),
        };
        let key = Cow::Owned(user_key.to_vec());
        entries.push(Entry { key, value, sequence: Some(sequence), offset: 0 });
        merged.next()?;
    }
    problems.extend(merged.problems().into_iter().chain(directory.problems()));
    if let Some(problem) = problems.iter().find(|it| it.severity == Severity::Error) {
        let message = format!("{}: {}", text::printable(&problem.file), problem.message);
        return Err(super::lines::damaged(message));
    }
    entries.sort_by_key(|entry| entry.sequence);
    Ok(entries)
}

pub(super) fn kvdb(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    let files = session.directory.files()?;
    let operation = args.text(0).map(str::to_ascii_lowercase);
    let write = match (operation.as_deref(), args.words.len()) {
        (Some("put" | "set"), 3) => Some(Write::Put(args.bytes(1), args.bytes(2))),
        (Some("del"), 2) => Some(Write::Delete(args.bytes(1))),
        (Some("get"), 2) => None,
        _ => return Err(args.verb.misused("kvdb takes put KEY VALUE, get KEY or del KEY")),
    };
    let is_sync = args.has("--sync");
    let is_async = args.has("--async");
    if is_sync && is_async {
        let message = "a record is synced or it is not: one of --sync and --async";
        return Err(args.verb.misused(message));
    }
    let name = args.string("--file").unwrap_or_else(|| FILE.to_string());
    let name = name_of(&name);
    let Some(write) = write else {
        if is_sync || is_async {
            return Err(args.verb.misused("--sync and --async are for put and del"));
        }
        let file = files.file(name)?;
        let answer = files.lookup(&file, &args.bytes(1), None, answers::way(args)?)?;
        return Ok(reads::lookup(&answer).into());
    };
    let limit = args.number("--record-limit")?.unwrap_or(RECORD_BYTES_MAX as u64);
    let record_bytes_max = usize::try_from(limit).unwrap_or(usize::MAX);
    let settings = StoreSettings { record_bytes_max, sync: !is_async };
    let lines = files.append(name, settings, &write)?;
    session.last.has_checked = true;
    Ok(lines.into())
}

pub(super) fn save(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 2, "a file, and perhaps a path")?;
    let typed = args.text(0).ok_or_else(|| args.verb.misused("a name of a file is text"))?;
    let name = name_of(typed);
    let content = match session.directory {
        Opened::Files(files) => files.content(name)?,
        Opened::Engine(directory) => {
            directory.files().read_whole(name, super::fileset::FILE_BYTES_MAX)?.into()
        }
    };
    let path = args.text(1).unwrap_or_else(|| plain(name));
    session.host.save(path, &content, args.has("--force"))?;
    let (shown, bytes) = (text::short_word(path.as_bytes(), 64), text::size(content.len() as u64));
    Ok(vec![OutputLine::note(format!("{shown} written: {bytes}."))].into())
}
