//! Directories of `RocksDB`, Pebble and `LevelDB`, looked at without being changed.

mod check;
mod copy;
mod export;
mod files;
mod import;
mod terminal;

pub(crate) use export::export;
pub(crate) use files::refusal;
pub(crate) use import::import;
pub(crate) use terminal::{explore, explored};

use super::print::Printer;
use files::{NativeFiles, annexed};
use levelscope::internals::survey::Survey;
use levelscope::storage::NativeStorage;
use levelscope_console::directory::lines::{self, FAMILIES_MAX};
use levelscope_console::directory::{
    Depth, DirectorySession, FileSet, Opened, asks_directory, checked,
};
use levelscope_console::text::printable;
use levelscope_console::{Failure, OutputLine, Response};
use levelscope_foreign::directory::{Basis, Directory, engine_of as engine_of_files};
use levelscope_foreign::files::total;
use levelscope_foreign::name::FileName;
use levelscope_foreign::recognize::names_manifest;
use levelscope_foreign::{
    CountedFiles, Engine, Error, ErrorKind, FileInfo, Files, Problem, Severity, recognize,
};
use std::io::{self, Write};
use std::path::Path;

/// Directories up to this size are checked when they are inspected.
const CHECKED_BYTES_MAX: u64 = 256 << 20;

/// Whether the directory at `path` is a database of another engine.
pub(crate) fn is_foreign(path: &Path) -> bool {
    NativeFiles::open(path).is_ok_and(|files| is_database(&files))
}

fn is_database(files: &NativeFiles) -> bool {
    recognize(files)
        .map_or_else(|error| is_unreadable(&error), |known| known.engine != Engine::Levelscope)
}

/// Whether it is a directory of Levelscope, which the engine itself opens.
fn is_own(files: &NativeFiles) -> bool {
    recognize(files).is_ok_and(|known| known.engine == Engine::Levelscope)
}

/// Whether this is a database whose manifest cannot be read; opening it reports why.
fn is_unreadable(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io | ErrorKind::NotRead)
}

/// Whether it is a directory of Levelscope, and `commands` are questions to its files that no open database answers.
pub(crate) fn asks_files(path: &Path, commands: &str) -> bool {
    let is_verb = |word: &str| levelscope_console::verbs().any(|verb| verb.name == word);
    asks_directory(commands, is_verb) && NativeFiles::open(path).is_ok_and(|files| is_own(&files))
}

/// Whether it can be looked into: a database of another engine, also where only its tables are left, a single file, and a
/// directory with files of the experiments.
pub(crate) fn can_explore(path: &Path) -> bool {
    let has_formats = |files: &NativeFiles| {
        let is_own = |file: &FileInfo| file.name == "CURRENT" || names_manifest(file);
        let is_small = total(files.list().iter().map(|file| file.bytes)) <= CHECKED_BYTES_MAX;
        let set = FileSet::new(files, None).ok();
        set.filter(|_| is_small && !files.list().iter().any(is_own))
            .is_some_and(|set| set.has_experiments())
    };
    NativeFiles::open(path)
        .is_ok_and(|files| files.is_single() || is_readable(&files) || has_formats(&files))
}

fn is_readable(files: &NativeFiles) -> bool {
    files.basis().map_or_else(|error| is_unreadable(&error), |_| !is_own(files))
}

/// Why a directory is not read whose files are no database, but stand in place of one: pointers, links that lead nowhere,
/// or encrypted bytes.
pub(crate) fn stand_in(path: &Path) -> Option<Failure> {
    let files = NativeFiles::open(path).ok()?;
    let error = recognize(&files).err()?;
    if error.kind() == ErrorKind::NotRead {
        return Some(Failure::from(error));
    }
    let links = if files.list().is_empty() { annexed(path) } else { 0 };
    (links > 0).then(|| {
        let links = levelscope_console::text::counted(links, "link");
        Failure::usage(format!(
            "{} has {links} of git-annex to files that are not here",
            path.display()
        ))
        .hint("`git annex get` in the repository fetches them")
    })
}

/// The failure of a database whose manifest is missing, though a file is there that names it.
pub(crate) fn lost_manifest(path: &Path) -> Option<Failure> {
    let files = NativeFiles::open(path).ok().filter(|files| !files.is_single())?;
    let error = recognize(&files).err().filter(|error| error.kind() == ErrorKind::Missing)?;
    files.list().iter().find(|file| names_manifest(file))?;
    let way = match engine_of_files(&files) {
        Some(_) => {
            "`levelscope DIR --read-only` looks into its tables, `levelscope import DIR NEW --skip-damage` saves \
             what they hold"
        }
        None => "`levelscope inspect DIR` identifies its files",
    };
    Some(Failure::from(error).hint(way))
}

/// The failure of a directory that has files of another engine, none of which holds an entry or names one that does.
pub(crate) fn remnants(path: &Path) -> Option<Failure> {
    let files = NativeFiles::open(path).ok().filter(|files| !files.is_single())?;
    let empty = |name: &str| {
        use FileName::{Current, Identity, Ignored, InfoLog, Options};
        matches!(FileName::parse(name), Current | Identity | Ignored | InfoLog { .. } | Options(_))
    };
    let names: Vec<&str> = files.list().iter().map(|file| file.name.as_str()).collect();
    if names.is_empty() || !names.iter().all(|name| empty(name)) {
        return None;
    }
    let names: Vec<_> = names.iter().take(8).map(|name| printable(name)).collect();
    let message = format!(
        "of a database of RocksDB or LevelDB there are only {} here, and no manifest, table or log that could be read",
        names.join(", ")
    );
    let failure = Failure::new(levelscope::ErrorKind::UnsupportedFormat.name(), message);
    Some(failure.hint("look for the directory that these files were copied from"))
}

/// Why the directory at `path` is no database of these engines, whose database it is, or what it has instead; `None` when
/// it is one, or cannot be listed.
pub(crate) fn refused(path: &Path) -> Option<Failure> {
    let files = NativeFiles::open(path).ok()?;
    if is_readable(&files) {
        return None;
    }
    let survey = NativeStorage::read_only(path).and_then(|storage| Survey::of(&storage));
    if let Ok(Err(error)) = survey.map(|survey| survey.allow_import()) {
        return Some(error.into());
    }
    let message = Failure::from(recognize(&files).err()?).message;
    Some(Failure::new(levelscope::ErrorKind::NotFound.name(), message))
}

/// Whether it is one of `LevelDB`.
pub(crate) fn is_leveldb(path: &Path) -> bool {
    let engine = NativeFiles::open(path).ok().and_then(|files| engine_of_files(&files));
    engine == Some(Engine::LevelDb)
}

/// The regular files at `path`, for a look at each.
///
/// # Errors
/// The system cannot list them.
pub(crate) fn files_at(path: &Path) -> io::Result<NativeFiles> {
    NativeFiles::open(path)
}

/// `levelscope inspect PATH`: whether it is sound; `None` when it is no database of these engines, and no file of one.
///
/// # Errors
/// Standard output cannot be written to.
pub(crate) fn inspect(path: &Path, limit: u64, printer: &mut Printer) -> io::Result<Option<bool>> {
    // A path that cannot be listed is no directory of theirs.
    let Ok(files) = NativeFiles::open(path) else { return Ok(None) };
    if let Some(error) = stand_in(path) {
        let response = error.into();
        printer.response(&format!("inspect {}", path.display()), &response)?;
        return Ok(Some(false));
    }
    // Tables without anything that names a manifest are a copy of some, not a database that lost one.
    let has_lost = |basis: &Basis<'_>| {
        matches!(basis, Basis::Remains(_)) && files.list().iter().any(names_manifest)
    };
    // Of a directory of Levelscope each file is looked at by itself.
    let is_theirs = |basis: &Basis<'_>| !has_lost(basis) && !is_own(&files);
    let Some(basis) = files.basis().ok().filter(is_theirs) else {
        return Ok(None);
    };
    let read = basis.files(&files);
    if printer.is_json() {
        let summary = levelscope_foreign::summary::summarize(read);
        writeln!(io::stdout(), "{summary}")?;
        let problems = summary.get("problems").and_then(serde_json::Value::as_array);
        let is_error =
            |problem: &serde_json::Value| problem.get("severity") == Some(&"error".into());
        return Ok(Some(!problems.is_some_and(|problems| problems.iter().any(is_error))));
    }
    let counted = CountedFiles::new(read);
    let opened = basis.open(&counted);
    let response = match &opened {
        Ok(directory) => overview(directory, &files, printer)?,
        Err(error) => Failure::from(error.clone()).into(),
    };
    printer.response(&format!("inspect {}", path.display()), &response)?;
    if let (Ok(directory), Some(file), true) = (opened, files.list().first(), files.is_single()) {
        let name = levelscope_console::text::word(file.name.as_bytes());
        let opened = Opened::Engine(Box::new(directory));
        let mut session = DirectorySession::new(&opened, &files, false);
        for (_, response) in session.run(&format!("layout {name} --limit {limit}")) {
            printer.lines(&response.lines)?;
        }
    }
    Ok(Some(response.error.is_none()))
}

/// Overview, levels and findings; a small directory is checked, too. What comes before the findings is printed at
/// once.
fn overview(
    directory: &Directory<'_>,
    files: &NativeFiles,
    printer: &mut Printer,
) -> io::Result<Response> {
    let overview = match directory.overview() {
        Ok(overview) => overview,
        Err(error) => return Ok(Failure::from(error).into()),
    };
    let is_checked = overview.bytes <= CHECKED_BYTES_MAX;
    let mut problems =
        if is_checked { check::check(directory, files, false) } else { overview.problems.clone() };
    // A manifest by itself lacks all that it names, which is no damage of it.
    let is_own = |problem: &Problem| files.length(&problem.file).is_some();
    problems.retain(|problem| !files.is_single() || is_own(problem));
    printer.lines(&lines::overview(&overview))?;
    let is_one = overview.families.len() < 2;
    for family in overview.families.iter().take(FAMILIES_MAX) {
        let mut lines = Vec::new();
        if !is_one {
            let name = printable(&family.name);
            lines.push(OutputLine::new().strong(format!("column family {name}")));
        }
        match directory.levels(family.id, None) {
            Ok(levels) if is_one => lines.append(&mut lines::levels(&levels)),
            Ok(levels) => lines.append(&mut lines::levels_of_family(&levels)),
            Err(error) => lines.push(OutputLine::text(Failure::from(error).message)),
        }
        printer.lines(&lines)?;
    }
    if let Some(rest) = overview.families.len().checked_sub(FAMILIES_MAX + 1) {
        printer.lines(&[lines::more("", rest + 1, "more family")])?;
    }
    let mut lines = Vec::new();
    let depth = if is_checked { Depth::Checksums } else { Depth::Opened };
    let mut findings = checked(directory, &problems, depth);
    lines.append(&mut findings.lines);
    let what = if files.is_single() { "FILE" } else { "DIR" };
    lines.push(OutputLine::note(format!(
        "`levelscope {what} --read-only` asks more: history, entries, reports. Nothing is ever written into it.",
    )));
    // An error found at opening fails the inspection of a directory that is too large for a check, too.
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    let error = problems.iter().find(is_error).map(|first| {
        let count =
            levelscope_console::text::counted(problems.iter().filter(is_error).count(), "error");
        let message = format!("{count} found, the first in {}", first.file);
        Failure::new("corruption", message)
    });
    Ok(Response { lines, error, ..Response::default() })
}
