//! Directories of `RocksDB`, Pebble and `LevelDB`, looked at without being changed.

mod check;
mod copy;
mod export;
mod files;
mod import;
mod lacks;
mod terminal;

pub(crate) use export::export;
pub(crate) use files::refusal;
pub(crate) use import::import;
pub(crate) use lacks::{lacks, nothing_saved, refuse_lacks};
pub(crate) use terminal::explore;

use super::print::Printer;
use files::{NativeFiles, annexed};
use levelscope_console::directory::lines::{self, FAMILIES_MAX};
use levelscope_console::directory::{Depth, checked};
use levelscope_console::text::printable;
use levelscope_console::{Failure, OutputLine, Response};
use levelscope_foreign::directory::{Directory, engine_of as engine_of_files};
use levelscope_foreign::name::FileName;
use levelscope_foreign::{
    CountedFiles, Engine, ErrorKind, FileInfo, Files, Problem, Severity, recognize,
};
use std::io::{self, Write};
use std::path::Path;

/// Directories up to this size are checked when they are inspected.
const CHECKED_BYTES_MAX: u64 = 256 << 20;

/// Whether the directory at `path` is a database of another engine.
pub(crate) fn is_foreign(path: &Path) -> bool {
    // One whose manifest cannot be read is one, too: then that is told.
    let is_told = |error: levelscope_foreign::Error| {
        matches!(error.kind(), ErrorKind::Io | ErrorKind::NotRead)
    };
    NativeFiles::open(path).is_ok_and(|files| recognize(&files).map_or_else(is_told, |_| true))
}

/// Whether it can be looked into: also where only its tables are left.
pub(crate) fn can_explore(path: &Path) -> bool {
    is_foreign(path) || engine_of(path).is_some()
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
    let files = NativeFiles::open(path).ok()?;
    let error = recognize(&files).err().filter(|error| error.kind() == ErrorKind::Missing)?;
    let names_one = |file: &FileInfo| match FileName::parse(&file.name) {
        FileName::Current => true,
        FileName::Marker { kind, .. } => kind == "manifest",
        _ => false,
    };
    files.list().iter().find(|file| names_one(file))?;
    let way = match engine_of_files(&files) {
        Some(_) => {
            "`levelscope DIR --read-only` looks into its tables, `levelscope import DIR NEW --skip-damage` saves \
             what they hold"
        }
        None => "`levelscope inspect DIR` tells what its files are",
    };
    Some(Failure::from(error).hint(way))
}

/// The failure of a directory that has files of another engine, none of which holds an entry or names one that does.
pub(crate) fn remnants(path: &Path) -> Option<Failure> {
    let files = NativeFiles::open(path).ok()?;
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
    let kind = levelscope::ErrorKind::UnsupportedFormat.name().into();
    let failure = Failure { kind, message, hint: None };
    Some(failure.hint("look for the directory that these files were copied from"))
}

/// Whether it is one of `RocksDB` or Pebble, which the import of `LevelDB` directories does not read.
pub(crate) fn is_foreign_only(path: &Path) -> bool {
    engine_of(path).is_some_and(|engine| engine != Engine::LevelDb)
}

fn engine_of(path: &Path) -> Option<Engine> {
    let files = NativeFiles::open(path).ok()?;
    engine_of_files(&files)
}

/// `levelscope inspect DIR`: whether it is sound; `None` when it is no database of these engines.
///
/// # Errors
/// Standard output cannot be written to.
pub(crate) fn inspect(path: &Path, printer: &mut Printer) -> io::Result<Option<bool>> {
    // A path that cannot be listed is no directory of theirs.
    let Ok(files) = NativeFiles::open(path) else { return Ok(None) };
    if let Some(error) = stand_in(path) {
        let response = error.into();
        printer.response(&format!("inspect {}", path.display()), &response)?;
        return Ok(Some(false));
    }
    if recognize(&files).is_err() {
        return Ok(None);
    }
    if printer.is_json() {
        let summary = levelscope_foreign::summary::summarize(&files);
        writeln!(io::stdout(), "{summary}")?;
        let problems = summary.get("problems").and_then(serde_json::Value::as_array);
        let is_error =
            |problem: &serde_json::Value| problem.get("severity") == Some(&"error".into());
        return Ok(Some(!problems.is_some_and(|problems| problems.iter().any(is_error))));
    }
    let counted = CountedFiles::new(&files);
    let response = match Directory::open(&counted) {
        Ok(directory) => overview(&directory, &files, printer)?,
        Err(error) => Failure::from(error).into(),
    };
    printer.response(&format!("inspect {}", path.display()), &response)?;
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
        Err(error) => {
            return Ok(Failure::from(error).into());
        }
    };
    let is_checked = overview.bytes <= CHECKED_BYTES_MAX;
    let problems =
        if is_checked { check::check(directory, files, false) } else { overview.problems.clone() };
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
    lines.push(OutputLine::note(
        "`levelscope DIR --read-only` asks more: history, entries, reports. Nothing is ever written into it.",
    ));
    // What is wrong on the first look makes the directory unsound, too, where it is too large for a check.
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    let error = problems.iter().find(is_error).map(|first| {
        let count =
            levelscope_console::text::counted(problems.iter().filter(is_error).count(), "error");
        let message = format!("{count} found, the first in {}", first.file);
        Failure { kind: "corruption".into(), message, hint: None }
    });
    Ok(Response { lines, error, ..Response::default() })
}
