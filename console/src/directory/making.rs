//! The verbs that make files beside those of a directory, and write them out.

use super::fileset::{FileSet, Write, format_list};
use super::{DirectorySession, Opened, answers, name_of, reads};
use crate::language::Args;
use crate::output::{Failure, OutputLine, Response};
use crate::text;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::{Engine, MemoryFiles};
use levelscope_formats::kvdb::{FILE, RECORD_BYTES_MAX, StoreSettings};

type Session<'d, 'f> = DirectorySession<'d, 'f>;
type Answered = Result<Response, Failure>;

fn printed(lines: Vec<OutputLine>) -> Response {
    Response { lines, ..Response::default() }
}

pub(super) fn formats(_: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 0, "nothing")?;
    Ok(printed(format_list()))
}

pub(super) fn open(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 1, "a file")?;
    let typed = args.text(0).ok_or_else(|| args.verb.misused("a name of a file is text"))?;
    let format = args.value("--as").ok_or_else(|| args.verb.misused("open needs --as"))?;
    let lines = session.directory.files()?.read_as(name_of(typed), &format.bytes)?;
    session.last.has_checked = true;
    Ok(printed(lines))
}

pub(super) fn convert(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 2, "a format, and perhaps a file")?;
    if let (Opened::Engine(directory), Some(typed)) = (session.directory, args.text(1))
        && directory.engine() == Engine::Levelscope
    {
        return convert_own(session, directory, name_of(typed), args);
    }
    let files = session.directory.files()?;
    let file = match args.text(1) {
        Some(typed) => files.file(name_of(typed))?,
        None => files.family(session.cursor.family)?,
    };
    let lines = files.convert(&file, &args.bytes(0), args.string("--name"))?;
    session.last.has_checked = true;
    Ok(printed(lines))
}

/// Writes the entries of a file of a directory of Levelscope in another format, to a path of the host.
fn convert_own(
    session: &Session<'_, '_>,
    directory: &Directory<'_>,
    name: &str,
    args: &Args,
) -> Answered {
    let content = directory.files().read_whole(name, super::fileset::FILE_BYTES_MAX)?;
    let alone = MemoryFiles::new([(name.to_owned(), content)]);
    let set = FileSet::new(&alone, None)?;
    let mut lines = set.convert(&*set.file(name)?, &args.bytes(0), args.string("--name"))?;
    if let Some((made, content)) = set.last_made() {
        session.host.save(&made, &content, false)?;
        lines.push(OutputLine::note(format!("{} is saved.", text::printable(&made))));
    }
    Ok(printed(lines))
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
        return Ok(printed(reads::lookup(&answer)));
    };
    let limit = args.number("--record-limit")?.unwrap_or(RECORD_BYTES_MAX as u64);
    let record_bytes_max = usize::try_from(limit).unwrap_or(usize::MAX);
    let settings = StoreSettings { record_bytes_max, sync: !is_async };
    let lines = files.append(name, settings, &write)?;
    session.last.has_checked = true;
    Ok(printed(lines))
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
    let path = args.text(1).unwrap_or_else(|| super::fileset::plain(name));
    session.host.save(path, &content, args.has("--force"))?;
    let (shown, bytes) = (text::short_word(path.as_bytes(), 64), text::size(content.len() as u64));
    Ok(printed(vec![OutputLine::note(format!("{shown} written: {bytes}."))]))
}
