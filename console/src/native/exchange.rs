//! `levelscope import LEVELDB_DIR DIR` and `levelscope export DIR LEVELDB_DIR`: databases of `LevelDB`.
//!
//! Both need two directories, so they are a matter of the native program; the page has archives instead.
#![expect(clippy::disallowed_types, reason = "files of others are no part of a database")]

use super::arguments::ImportArguments;
use super::leveldb_lock::LevelDbLock;
use super::new_directory::NewDirectory;
use levelscope::storage::{NativeStorage, Storage};
use levelscope::{Check, CheckReport, Db, Error, ErrorKind, Maintenance, NewDatabase, Options};
use levelscope_console::{Failure, MAY_BE_OLDER, OutputLine, Response, Style, text};
use levelscope_formats::exchange::{
    Export, ExportOptions, ExportReport, Import, ImportReport, refuse_other_formats,
};
use levelscope_formats::leveldb::{Damage, Database, Files};
use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of a directory.
struct NativeFiles(PathBuf);

impl Files for NativeFiles {
    fn names(&self) -> levelscope::Result<Vec<String>> {
        // Only regular files count, but for CURRENT: a pipe in its place is refused.
        let is_file = |name: &String| {
            name == "CURRENT" || fs::metadata(self.0.join(name)).is_ok_and(|found| found.is_file())
        };
        let text = |entry: fs::DirEntry| entry.file_name().into_string().ok().filter(is_file);
        let name = |entry: io::Result<fs::DirEntry>| Ok(text(entry?));
        let names: io::Result<Vec<Option<String>>> =
            fs::read_dir(&self.0).and_then(|entries| entries.map(name).collect());
        let mut names: Vec<String> =
            names.map_err(|error| failed(&self.0, &error))?.into_iter().flatten().collect();
        names.sort();
        Ok(names)
    }

    fn read(&self, name: &str) -> levelscope::Result<Cow<'_, [u8]>> {
        let path = self.0.join(name);
        // A pipe would be waited for.
        if fs::metadata(&path).is_ok_and(|what| !what.is_file()) {
            return Err(Error::new(ErrorKind::Io, format!("{name} is not a regular file")));
        }
        let file = super::files::content(&path).map(Cow::Owned);
        file.map_err(|error| {
            let (kind, reason) = said(&error);
            Error::new(kind, reason).in_foreign(name)
        })
    }
}

/// A failure at `path`, which is no file of a database that is read: none of its damage, which could be skipped.
fn failed(path: &Path, error: &io::Error) -> Error {
    let (kind, reason) = said(error);
    Error::new(kind, format!("{}: {reason}", path.display()))
}

fn said(error: &io::Error) -> (ErrorKind, String) {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        io::ErrorKind::StorageFull => ErrorKind::OutOfSpace,
        _ => ErrorKind::Io,
    };
    (kind, levelscope::text::system(error))
}

/// Imports a database of `LevelDB`, and tells what was written.
pub(super) fn import(arguments: &ImportArguments) -> Response {
    let ImportArguments { source, target, selection, .. } = arguments;
    let damage = if selection.skip_damage { Damage::Skip } else { Damage::Refuse };
    let options = arguments.options();
    match options.and_then(|options| imported(source, target, &options, damage)) {
        Ok((report, check)) => import_response(&report, &check),
        Err(failure) => failure.into(),
    }
}

fn imported(
    source: &Path,
    target: &Path,
    options: &Options,
    damage: Damage,
) -> Result<(ImportReport, Checked), Failure> {
    let target = NewDirectory::of(target)?;
    let files = NativeFiles(source.to_owned());
    // What it is comes first; nothing is made for a directory that cannot be imported.
    Database::open(&files, damage)?;
    let _lock = LevelDbLock::take(source)?;
    let lacks = super::foreign::lacks(source);
    if damage == Damage::Refuse {
        super::foreign::refuse_lacks(&lacks)?;
    }
    // There is no one else to step the jobs.
    let options = options.clone().maintenance(Maintenance::Inline);
    let mut unsaved = None;
    let filled = target.fill(|path| {
        let storage: Arc<dyn Storage> = Arc::new(NativeStorage::open(path)?);
        let new = NewDatabase::begin(Arc::clone(&storage), options)?;
        let done = fill(&new, &files, damage).and_then(|report| {
            let is_lost = report.values_may_be_older || !lacks.is_empty();
            let saves_nothing = report.entries == 0 && is_lost;
            if !saves_nothing {
                new.finish()?;
            }
            Ok((report, saves_nothing))
        });
        match done {
            Ok((report, false)) => Ok((report, Ok(Check::new(storage)?.run()?))),
            Ok((report, true)) => {
                let _ = new.abandon();
                unsaved = Some(report);
                Err(super::foreign::nothing_saved())
            }
            Err(error) => {
                // What cannot be deleted is marked as unfinished.
                let _ = new.abandon();
                Err(refused(error))
            }
        }
    });
    let (mut report, check) = match (filled, unsaved) {
        (Err(failure), Some(report)) => (report, Err(failure)),
        (filled, _) => filled?,
    };
    report.skipped.extend(lacks);
    Ok((report, check))
}

fn fill(
    new: &NewDatabase,
    files: &NativeFiles,
    damage: Damage,
) -> levelscope::Result<ImportReport> {
    let mut import = Import::new(new.db(), files, damage)?;
    while import.step()? {}
    new.db().request_flush()?;
    Ok(import.report())
}

/// Names the way out of entries that do not fit.
fn refused(error: Error) -> Failure {
    let too_long = error.kind() == ErrorKind::InvalidArgument;
    let failure = Failure::from(error);
    if too_long {
        failure.hint("--skip-damage leaves such entries out and reports them")
    } else {
        failure
    }
}

/// The check of the new database; an error: there is none, because no entry could be read.
type Checked = Result<CheckReport, Failure>;

fn import_response(report: &ImportReport, check: &Checked) -> Response {
    let mut lines = Vec::new();
    for what in &report.skipped {
        let line = OutputLine::new().with(Style::Bad, "skipped").plain("  ");
        lines.push(line.plain(text::printable(what)));
    }
    if report.values_may_be_older {
        let line = OutputLine::new().with(Style::Strong, "warning");
        lines.push(line.plain(format!("  {MAY_BE_OLDER}")));
    }
    let problems = check.as_ref().map(CheckReport::problems);
    let mut error = check.as_ref().err().cloned();
    if check.as_ref().is_ok_and(CheckReport::is_sound) {
        let told = format!(
            "       {} of {} from {} and {}; a check of the new database finds no damage.",
            text::counted(report.entries, "live entry"),
            text::size(report.bytes),
            text::counted(report.tables, "table"),
            text::counted(report.logs, "log"),
        );
        lines.push(OutputLine::new().with(Style::Good, "ok").plain(told));
    } else if let Ok(problems) = problems {
        let message = format!("the new database is damaged: {}", problems.join("; "));
        error = Some(Failure { kind: "corruption".into(), message, hint: None });
    }
    Response {
        lines,
        result: serde_json::to_value(report).unwrap_or_default(),
        error,
        ..Response::default()
    }
}

/// Exports, and tells what was written.
pub(super) fn export(source: &Path, target: &Path) -> Response {
    match exported(source, target) {
        Ok(report) => export_response(&report),
        Err(failure) => super::unopened(failure).into(),
    }
}

fn exported(source: &Path, target: &Path) -> Result<ExportReport, Failure> {
    let target = NewDirectory::of(target)?;
    let storage = Arc::new(NativeStorage::read_only(source)?);
    refuse_other_formats(&*storage)?;
    let db = Db::builder().read_only().open_in(storage)?;
    hand_out(&mut Export::new(&db, ExportOptions::default())?, &target, &NativeDisk)
}

/// What an export does to a directory; a test lets any of it fail.
trait Disk {
    /// Makes the directory.
    fn make(&self, path: &Path) -> io::Result<()>;

    /// Makes the file, which is durable then.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Makes the names in the directory durable.
    fn sync(&self, path: &Path) -> io::Result<()>;
}

struct NativeDisk;

impl Disk for NativeDisk {
    fn make(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = fs::File::create_new(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    #[cfg(unix)]
    fn sync(&self, path: &Path) -> io::Result<()> {
        fs::File::open(path)?.sync_all()
    }

    #[cfg(not(unix))]
    fn sync(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Writes all files of `export` into `target`, or none.
fn hand_out(
    export: &mut Export,
    target: &NewDirectory<'_>,
    disk: &dyn Disk,
) -> Result<ExportReport, Failure> {
    target.fill(|path| {
        disk.make(path).map_err(|error| failed(path, &error))?;
        let mut made = Vec::new();
        let written = write_all(export, path, disk, &mut made);
        if written.is_err() {
            // The newest first: without `CURRENT` what cannot be deleted is no database.
            for path in made.iter().rev() {
                let _ = fs::remove_file(path);
            }
        }
        written?;
        Ok(export.report())
    })
}

/// Writes all files into the directory `path`, and notes which were begun.
fn write_all(
    export: &mut Export,
    path: &Path,
    disk: &dyn Disk,
    made: &mut Vec<PathBuf>,
) -> levelscope::Result<()> {
    while let Some(file) = export.next_file()? {
        let path = path.join(&file.name);
        made.push(path.clone());
        disk.write(&path, &file.bytes).map_err(|error| failed(&path, &error))?;
    }
    disk.sync(path).map_err(|error| failed(path, &error))
}

fn export_response(report: &ExportReport) -> Response {
    let place = match report.tables {
        0 => "no table".to_owned(),
        count => format!("{} on level {}", text::counted(count, "table"), report.level),
    };
    let told = format!(
        "       {} in {place}, {} in all, last sequence number {}.",
        text::counted(report.entries, "live entry"),
        text::size(report.bytes),
        text::count(report.last_sequence),
    );
    let lines = vec![OutputLine::new().with(Style::Good, "ok").plain(told)];
    Response {
        lines,
        result: serde_json::to_value(report).unwrap_or_default(),
        ..Response::default()
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and a full disk leaves half a file"
)]
mod tests;
