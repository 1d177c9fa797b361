//! `levelscope export DIR NEW`: a database as a directory of `LevelDB`, or as a log of entries.
//!
//! It needs two directories, so it is a matter of the native program; the page has archives instead.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "files of others are no part of a database"
)]

use super::new_directory::NewDirectory;
use levelscope::storage::{NativeStorage, Storage};
use levelscope::{Db, Error, ErrorKind};
use levelscope_console::{Failure, OutputLine, Response, Style, text};
use levelscope_formats::exchange::{Export, ExportOptions, ExportReport, refuse_other_formats};
use levelscope_formats::kvdb;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A failure at `path`, which is no file of a database that is read: none of its damage, which could be skipped.
fn failed(path: &Path, error: &io::Error) -> Error {
    let (kind, reason) = cause(error);
    Error::new(kind, format!("{}: {reason}", path.display()))
}

fn cause(error: &io::Error) -> (ErrorKind, String) {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        io::ErrorKind::StorageFull => ErrorKind::OutOfSpace,
        _ => ErrorKind::Io,
    };
    (kind, levelscope::text::system(error))
}

/// Exports, and returns the report.
pub(super) fn export(source: &Path, target: &Path) -> Response {
    let exported = exported(source, target).map_err(super::unopened);
    exported.map_or_else(Response::from, |report| export_response(&report))
}

/// The database that is handed out: it is only read.
pub(super) fn opened(source: &Path) -> Result<Db, Failure> {
    let storage = Arc::new(NativeStorage::read_only(source)?);
    refuse_other_formats(&*storage)?;
    Ok(Db::builder().read_only().open_in(storage)?)
}

fn exported(source: &Path, target: &Path) -> Result<ExportReport, Failure> {
    let target = NewDirectory::of(target)?;
    let db = opened(source)?;
    hand_out(&mut Export::new(&db, ExportOptions::default())?, &target, &NativeDisk)
}

/// Exports the live entries as a log of format `kvdb-log`.
pub(super) fn export_log(source: &Path, target: &Path) -> Response {
    let written = log_of(source).and_then(|(log, count)| {
        super::files::write(target, &log, false)?;
        make_durable(target).map_err(|error| failed(target, &error))?;
        Ok((log.len() as u64, count))
    });
    match written.map_err(super::unopened) {
        Ok((bytes, count)) => {
            let (count, bytes) = (text::counted(count, "live entry"), text::size(bytes));
            let line = OutputLine::new().with(Style::Good, "ok");
            vec![line.plain(format!("       {count} in a log of {bytes}."))].into()
        }
        Err(failure) => failure.into(),
    }
}

/// Syncs a new file, and its name.
fn make_durable(path: &Path) -> io::Result<()> {
    // Windows syncs only files that are opened for writing.
    fs::OpenOptions::new().write(true).open(path)?.sync_all()?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    NativeDisk.sync(parent.unwrap_or(Path::new(".")))
}

/// The log, and the number of its entries.
fn log_of(source: &Path) -> Result<(Vec<u8>, u64), Failure> {
    let db = opened(source)?;
    let (mut log, mut count) = (Vec::new(), 0);
    for entry in db.range(..)? {
        let (key, value) = entry?;
        kvdb::put(&mut log, &key, Some(&value))?;
        count += 1;
    }
    Ok((log, count))
}

/// File operations of an export; a test lets any of it fail.
trait Disk {
    /// Makes the directory, and makes its name durable.
    fn make(&self, path: &Path) -> levelscope::Result<()>;

    /// Makes the file, which is durable then.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Makes the names in the directory durable.
    fn sync(&self, path: &Path) -> io::Result<()>;
}

struct NativeDisk;

impl Disk for NativeDisk {
    fn make(&self, path: &Path) -> levelscope::Result<()> {
        NativeStorage::open(path)?.sync_directory()
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
        disk.make(path)?;
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
    let counts = format!(
        "       {} in {place}, {} in all, last sequence number {}.",
        text::counted(report.entries, "live entry"),
        text::size(report.bytes),
        text::count(report.last_sequence),
    );
    let lines = vec![OutputLine::new().with(Style::Good, "ok").plain(counts)];
    Response::of(lines, report)
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
