//! Files that are imported, read whole, and files that are written.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "files of others are no part of a database"
)]

use levelscope_console::{Failure, Foreign};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

/// Largest file \[bytes\].
const BYTES_MAX: u64 = 4 << 30;

/// Files of one directory.
const FILES_MAX: usize = 1000;

/// The file at `path`, or the files of the directory there, without those in directories of it.
///
/// # Errors
/// The system's error; neither file nor directory; too much.
pub(crate) fn read(path: &Path) -> Result<Vec<Foreign>, Failure> {
    let what = fs::metadata(path).map_err(|error| unread(path, &error))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    if !what.is_dir() {
        return Ok(vec![Foreign { name: name.unwrap_or_default(), bytes: read_one(path)? }]);
    }
    let directory = name.map_or_else(String::new, |name| format!("{name}/"));
    let file = |entry: &std::ffi::OsString| {
        let name = format!("{directory}{}", entry.to_string_lossy());
        Ok(Foreign { name, bytes: read_one(&path.join(entry))? })
    };
    names(path)?.iter().map(file).collect()
}

/// The names of the files of the directory at `path`, without those in directories of it.
fn names(path: &Path) -> Result<Vec<std::ffi::OsString>, Failure> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| unread(path, &error))? {
        let entry = entry.map_err(|error| unread(path, &error))?;
        let what = fs::metadata(entry.path());
        if what.as_ref().is_ok_and(fs::Metadata::is_file) {
            entries.push(entry.file_name());
        } else if what.is_ok_and(|what| !what.is_dir()) {
            let message = format!("{} is not a regular file", entry.path().display());
            let failure = Failure::usage(levelscope_console::text::printable(&message));
            return Err(failure.hint("name the files that you want to see"));
        }
        if entries.len() > FILES_MAX {
            let message = format!(
                "{} has more than {}",
                path.display(),
                levelscope_console::text::counted(FILES_MAX, "file")
            );
            return Err(Failure::usage(message).hint("name the files that you want to see"));
        }
    }
    if entries.is_empty() {
        return Err(Failure::usage(format!("{} has no files", path.display())));
    }
    entries.sort();
    Ok(entries)
}

/// Refuses what is no regular file and no directory of some.
///
/// # Errors
/// The system's error; something is neither file nor directory; too many files, or none.
pub(super) fn regular(path: &Path) -> Result<(), Failure> {
    let what = fs::metadata(path).map_err(|error| unread(path, &error))?;
    if what.is_dir() {
        return names(path).map(|_| ());
    }
    if what.is_file() {
        return Ok(());
    }
    Err(Failure::usage(format!("{} is neither a file nor a directory", path.display())))
}

/// Writes the file at `path`; one that is there stays, unless `force`.
///
/// # Errors
/// The system's error.
pub(crate) fn write(path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    let mut how = fs::OpenOptions::new();
    how.write(true).truncate(force).create(force).create_new(!force);
    let written = how.open(path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            let failure = Failure::usage(format!("{} is there already", path.display()));
            return failure.hint("--force replaces it");
        }
        failed(path, "written", &error)
    })
}

fn read_one(path: &Path) -> Result<Vec<u8>, Failure> {
    let what = fs::metadata(path).map_err(|error| unread(path, &error))?;
    if !what.is_file() {
        let message = format!("{} is neither a file nor a directory", path.display());
        return Err(Failure::usage(message));
    }
    if what.len() > BYTES_MAX {
        let message = format!("{} is larger than {} GiB", path.display(), BYTES_MAX >> 30);
        let failure = Failure::new("tooLarge", message);
        return Err(failure.hint("files are read whole: cut it into parts"));
    }
    content(path).map_err(|error| unread(path, &error))
}

/// Files up to here are read at once; longer ones in windows of this length \[bytes\].
const WINDOW_BYTES: usize = 4 << 20;

/// All bytes of the file at `path`. Windows that hold only zeros are not written to memory, which the system gives as
/// zeros when it is asked for it: so a sparse file takes the memory of what it holds.
///
/// # Errors
/// The system's error; `OutOfMemory` when the file does not fit the memory.
pub(super) fn content(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = fs::File::open(path)?;
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    // Asked for first, because `vec!` would end the program.
    let room = Vec::<u8>::new().try_reserve_exact(length);
    room.map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    if length > WINDOW_BYTES {
        bytes = vec![0; length];
        let mut window = vec![0; WINDOW_BYTES];
        for place in bytes.chunks_mut(WINDOW_BYTES) {
            let Some(window) = window.get_mut(..place.len()) else { continue };
            file.read_exact(window)?;
            if window.iter().any(|byte| *byte != 0) {
                place.copy_from_slice(window);
            }
        }
    }
    // A file may have grown since it was measured.
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unread(path: &Path, error: &io::Error) -> Failure {
    let kind = if error.kind() == io::ErrorKind::NotFound { "notFound" } else { "io" };
    Failure { kind: kind.into(), ..failed(path, "read", error) }
}

/// The failure of a file that cannot be `done`: read, written or locked.
pub(super) fn failed(path: &Path, done: &str, error: &io::Error) -> Failure {
    let reason = levelscope::text::system(error);
    let message = format!("{} cannot be {done}: {reason}", path.display());
    Failure::new("io", levelscope_console::text::printable(&message))
}
