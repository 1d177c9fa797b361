//! The lock of `LevelDB`: held while its files are read, refused while another program has them open.
//!
//! `LevelDB` locks the file `LOCK` with `fcntl`. That lock and the one of the standard library (`flock`) do not
//! see each other. An `fcntl` lock ends with the first handle of the file that the process closes, so the file
//! is opened here and nowhere else. A `LOCK` that does not exist is not made: then no program has the database
//! open, and the directory is not ours to write to.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "files of others are no part of a database"
)]

use super::files::failed;
use levelscope_console::Failure;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Held until it is dropped; `None` where there is nothing to lock.
pub(super) struct LevelDbLock {
    _file: Option<File>,
}

impl LevelDbLock {
    /// Takes the lock of the database in `directory`.
    ///
    /// # Errors
    /// Another program has it; the system's error.
    pub(super) fn take(directory: &Path) -> Result<Self, Failure> {
        let path = directory.join("LOCK");
        if std::fs::metadata(&path).is_ok_and(|what| !what.is_file()) {
            return Err(failed(&path, "locked", &io::Error::other("it is not a regular file")));
        }
        let writable = OpenOptions::new().read(true).write(true).open(&path);
        let (file, exclusive) = match writable {
            Ok(file) => (file, true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { _file: None });
            }
            // A medium that is only read: a shared lock shows a writer, too.
            Err(_) => (File::open(&path).map_err(|error| failed(&path, "locked", &error))?, false),
        };
        lock(&file, exclusive).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::PermissionDenied => in_use(directory),
            _ => failed(&path, "locked", &error),
        })?;
        Ok(Self { _file: Some(file) })
    }
}

#[cfg(unix)]
fn lock(file: &File, exclusive: bool) -> io::Result<()> {
    use rustix::fs::FlockOperation::{NonBlockingLockExclusive, NonBlockingLockShared};
    let operation = if exclusive { NonBlockingLockExclusive } else { NonBlockingLockShared };
    rustix::fs::fcntl_lock(file, operation).map_err(io::Error::from)
}

/// Elsewhere the system refuses to open the file while another program has it.
#[cfg(not(unix))]
fn lock(_: &File, _: bool) -> io::Result<()> {
    Ok(())
}

fn in_use(directory: &Path) -> Failure {
    let message = format!("the database in {} is in use by another program", directory.display());
    let message = levelscope_console::text::printable(&message);
    Failure::new("locked", message)
        .hint("close it there first, or import a copy that was made while it was closed")
}
