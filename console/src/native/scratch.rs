//! Directories for databases that are measured: made empty, and removed afterwards.

use levelscope::storage::NativeStorage;
use levelscope::{Error, ErrorKind, Result};
use levelscope_console::Scratch;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A place in the directory that was named, else in the `usual` one, else in memory.
///
/// # Errors
/// The usual directory is there already; the system's error.
pub(crate) fn make(named: Option<&str>, usual: Option<&Path>) -> Result<Scratch> {
    let (path, guard) = match (named, usual) {
        (Some(named), _) => (PathBuf::from(named), None),
        (None, Some(usual)) => (usual.to_owned(), Some(made(usual)?)),
        (None, None) => return Ok(Scratch::memory()),
    };
    let storage = Arc::new(NativeStorage::open(&path)?);
    let place = format!("files in {}", path.display());
    Ok(Scratch { storage, place, guard: guard.map(|guard| Box::new(guard) as Box<dyn Send>) })
}

/// Where benchmarks go that belong to no database.
pub(crate) fn temporary() -> PathBuf {
    std::env::temp_dir().join(format!("levelscope-bench-{}", std::process::id()))
}

/// Makes a directory that must not exist yet, so that all files in it are ours to delete.
fn made(path: &Path) -> Result<Removed> {
    match std::fs::create_dir(path) {
        Ok(()) => Ok(Removed(path.to_owned())),
        Err(error) => {
            let why = match error.kind() {
                std::io::ErrorKind::AlreadyExists => {
                    "it exists: another benchmark is at work there, or one was killed; then remove the directory"
                        .to_owned()
                }
                _ => levelscope::text::system(&error),
            };
            let message = format!("{} cannot be made: {why}", path.display());
            Err(Error::new(ErrorKind::Io, message).caused_by(error))
        }
    }
}

/// A directory that goes when this is dropped.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        // The next benchmark names a directory that cannot be removed.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
