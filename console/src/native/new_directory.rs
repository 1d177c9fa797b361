//! A directory that import, repair, export and checkpoint make: whole, or gone, or marked as unfinished.

use levelscope_console::Failure;
use std::fs;
use std::path::Path;

/// A directory that is absent or empty.
pub(super) struct NewDirectory<'a> {
    path: &'a Path,
    was_there: bool,
}

impl<'a> NewDirectory<'a> {
    /// # Errors
    /// A usage failure when it has files.
    pub(super) fn of(path: &'a Path) -> Result<Self, Failure> {
        let filled = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
        if filled {
            let message = format!("the directory {} is not empty", path.display());
            return Err(Failure::usage(message).hint("name a new or an empty directory"));
        }
        Ok(Self { path, was_there: path.exists() })
    }

    /// Fills it. When that fails, `fill` has deleted what it made, as far as it could; then the directory goes,
    /// too, if it was not there before. The failure names what could not be deleted.
    ///
    /// # Errors
    /// Those of `fill`.
    pub(super) fn fill<T>(
        &self,
        fill: impl FnOnce(&Path) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut failure = match fill(self.path) {
            Ok(filled) => return Ok(filled),
            Err(failure) => failure,
        };
        let names = fs::read_dir(self.path).map_or(0, Iterator::count);
        if names > 0 {
            let path = self.path.display();
            failure.message = format!(
                "{}; the incomplete files in {path} could not be deleted: delete the \
                 directory",
                failure.message
            );
        } else if !self.was_there {
            let _ = fs::remove_dir(self.path);
        }
        Err(failure)
    }
}
