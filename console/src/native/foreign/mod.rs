//! Directories of `RocksDB`, Pebble and `LevelDB`, looked at without being changed.

mod check;
mod copy;
mod export;
mod files;
mod import;
mod terminal;

pub(crate) use export::export;
pub(crate) use files::{NativeFiles, refusal};
pub(crate) use import::import;
pub(crate) use terminal::explored;

use super::arguments::InspectArguments;
use super::print::Printer;
use files::annexed;
use levelscope::internals::survey::Survey;
use levelscope::storage::NativeStorage;
use levelscope_console::directory::lines::{self, FAMILIES_MAX};
use levelscope_console::directory::{
    Depth, DirectorySession, FileSet, Opened, asks_directory, checked, errors_found,
};
use levelscope_console::text::printable;
use levelscope_console::{Failure, OutputLine, Response};
use levelscope_foreign::directory::{Basis, Directory};
use levelscope_foreign::files::total;
use levelscope_foreign::name::FileName;
use levelscope_foreign::recognize::names_manifest;
use levelscope_foreign::{
    CountedFiles, Engine, Error, ErrorKind, FileInfo, Files, LooseFiles, Problem, recognize,
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
    files.basis().is_ok_and(|basis| basis.engine() == Engine::Levelscope)
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
    let is_other = |basis: Basis<'_>| basis.engine() != Engine::Levelscope;
    files.basis().map_or_else(|error| is_unreadable(&error), is_other)
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
    let way = match files.basis() {
        Ok(_) => {
            "`levelscope DIR --read-only` looks into its tables, `levelscope import DIR NEW --skip-damage` saves \
             what they hold"
        }
        Err(_) => super::below::INSPECT_ALL,
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
    let is_one = |files: NativeFiles| files.basis().is_ok_and(|it| it.engine() == Engine::LevelDb);
    NativeFiles::open(path).is_ok_and(is_one)
}

/// The basis of files that have to be of the `format` `levelscope-table`, `-log`, `-manifest` or `-current`; `None` for
/// other words.
fn basis_as<'f>(files: &'f NativeFiles, format: &str) -> Option<Basis<'f>> {
    LooseFiles::own(files, format.strip_prefix("levelscope-")?).map(Basis::Single)
}

/// `levelscope inspect PATH`: whether it is sound; `None` when it is no database of an engine, and no file of one.
///
/// # Errors
/// Standard output cannot be written to.
pub(crate) fn inspect(
    path: &Path,
    arguments: &InspectArguments,
    printer: &mut Printer,
) -> io::Result<Option<bool>> {
    // A path that cannot be listed is no directory of theirs.
    let Ok(files) = NativeFiles::open(path) else { return Ok(None) };
    let command = format!("inspect {}", path.display());
    if let Some(error) = stand_in(path).filter(|_| arguments.format.is_none()) {
        printer.response(&command, &error.into())?;
        return Ok(Some(false));
    }
    // Tables without anything that names a manifest are a copy of some, not a database that lost one.
    let has_lost = |basis: &Basis<'_>| {
        matches!(basis, Basis::Remains(_)) && files.list().iter().any(names_manifest)
    };
    let basis = match &arguments.format {
        Some(format) => basis_as(&files, format),
        None => files.basis().ok().filter(|basis| !has_lost(basis)),
    };
    let Some(basis) = basis else { return Ok(None) };
    let read = basis.files(&files);
    let counted = CountedFiles::new(read);
    let opened = basis.open(&counted).map(|directory| Opened::Engine(Box::new(directory)));
    let layouts = opened.as_ref().map_or_else(|_| Vec::new(), |it| layouts(it, &files, arguments));
    if printer.is_json() {
        let mut summary = levelscope_foreign::summary::summarize(read);
        let results: Vec<_> = layouts.iter().map(Response::result).collect();
        if let (Some(fields), false) = (summary.as_object_mut(), results.is_empty()) {
            fields.insert("layouts".into(), results.into());
        }
        writeln!(io::stdout(), "{summary}")?;
        let problems = summary.get("problems").and_then(serde_json::Value::as_array);
        let is_error =
            |problem: &serde_json::Value| problem.get("severity") == Some(&"error".into());
        return Ok(Some(!problems.is_some_and(|problems| problems.iter().any(is_error))));
    }
    let response = match opened.as_ref().map(Opened::engine) {
        Ok(Ok(directory)) => overview(directory, &files, printer)?,
        Ok(Err(failure)) => failure.into(),
        Err(error) => Failure::from(error.clone()).into(),
    };
    printer.response(&command, &response)?;
    for response in layouts {
        printer.lines(&response.lines)?;
    }
    Ok(Some(response.error.is_none()))
}

/// The parts of a single file, and of each file of Levelscope.
fn layouts(
    opened: &Opened<'_>,
    files: &NativeFiles,
    arguments: &InspectArguments,
) -> Vec<Response> {
    let is_own = opened.engine().is_ok_and(|it| it.engine() == Engine::Levelscope);
    if !is_own && !files.is_single() {
        return Vec::new();
    }
    let deep = if is_own && arguments.deep { " -v" } else { "" };
    let mut session = DirectorySession::new(opened, files, arguments.json);
    let named = files.list().iter().filter(|it| FileName::parse(&it.name) != FileName::Ignored);
    let lines = named.map(|file| {
        let name = levelscope_console::text::word(file.name.as_bytes());
        format!("layout {name}{deep} --limit {}", arguments.limit)
    });
    lines.flat_map(|line| session.run(&line)).map(|(_, response)| response).collect()
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
    let depth = match directory.engine() {
        _ if overview.bytes > CHECKED_BYTES_MAX => Depth::Opened,
        Engine::Levelscope => Depth::Entries,
        _ => Depth::Checksums,
    };
    let mut problems = match depth {
        Depth::Opened => overview.problems.clone(),
        depth => check::check(directory, files, depth == Depth::Entries),
    };
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
    let rest = lines::more("", overview.families.len(), FAMILIES_MAX, "more family");
    printer.lines(rest.as_slice())?;
    let mut lines = checked(directory, &problems, depth).lines;
    let what = if files.is_single() { "FILE" } else { "DIR" };
    lines.push(OutputLine::note(format!(
        "`levelscope {what} --read-only` asks more: history, entries, reports. Nothing is ever written into it.",
    )));
    // An error found at opening fails the inspection of a directory that is too large for a check, too.
    let error = errors_found(&problems).map(|message| Failure::new("corruption", message));
    Ok(Response { error, ..lines.into() })
}
