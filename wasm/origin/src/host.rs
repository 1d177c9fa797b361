//! The calls of the storage to JavaScript, and their failures.

use super::open_handle::Handle;
use levelscope::storage::FileName;
use levelscope::{Error, ErrorKind};

/// The answer of JavaScript.
pub type Answer<T> = Result<T, Refusal>;

/// Opens and removes the files of one directory, each at once.
pub trait Host {
    /// Creates `name`, empty; it must not exist.
    ///
    /// # Errors
    /// The system's error.
    fn create(&self, name: &str) -> Answer<Box<dyn Handle>>;

    /// Opens `name`, which exists.
    ///
    /// # Errors
    /// The system's error.
    fn open(&self, name: &str) -> Answer<Box<dyn Handle>>;

    /// Removes `name`. Open handles go on.
    ///
    /// # Errors
    /// The system's error.
    fn remove(&self, name: &str) -> Answer<()>;

    /// Makes every creation and removal so far durable.
    ///
    /// # Errors
    /// The system's error.
    fn sync_directory(&self) -> Answer<()>;
}

/// Why JavaScript did not do something: name (or code) and message of its exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// For example `QuotaExceededError`, or `ENOSPC`. `NoModificationAllowedError` is the browsers' error for a file
    /// that is open elsewhere; the host of Node throws it when the lease of the database was lost.
    pub name: String,
    /// In the words of the browser or of the system.
    pub message: String,
}

impl Refusal {
    /// The engine's error for a refusal to `act` on `file`.
    pub(crate) fn error(&self, file: FileName, act: &str) -> Error {
        match self.name.as_str() {
            "QuotaExceededError" => {
                let message = "the browser gives this site no more space; free some, then reopen";
                Error::in_file(ErrorKind::OutOfSpace, file, message)
            }
            "ENOSPC" | "EDQUOT" => {
                let message = "the disk is full: free some space, then reopen";
                Error::in_file(ErrorKind::OutOfSpace, file, message)
            }
            "NoModificationAllowedError" => Error::in_file(
                ErrorKind::Locked,
                file,
                "another tab, window or program has the database open: close it there, then reopen",
            ),
            "ENOENT" => Error::in_file(ErrorKind::NotFound, file, "it does not exist"),
            name => {
                let message = format!("could not {act} it: {name}: {}", self.message);
                Error::in_file(ErrorKind::Io, file, message)
            }
        }
    }
}
