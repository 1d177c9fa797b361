//! How each log must end.

use crate::manifest::ManifestState;
use crate::storage::{FileName, FileNumber};
use crate::wal::LogEnd;
use crate::{Error, ErrorKind, Result, text};
use std::collections::BTreeMap;

/// How logs must end, as far as the manifest and the logs after them say: measure all of them first.
#[derive(Debug, Default)]
pub(crate) struct LogEnds {
    /// Logs that an earlier opening found without a clean end, and how much of each counts \[bytes\].
    sealed: BTreeMap<FileNumber, u64>,
    /// Whether a manifest could be read; otherwise any log may have been sealed.
    known: bool,
    /// The newest log with a byte.
    newest: Option<FileNumber>,
}

impl LogEnds {
    /// The rules for logs of a database whose manifest says `state`.
    pub(crate) fn of(state: Option<&ManifestState>) -> Self {
        let sealed = state.map(|state| state.sealed_logs.iter().copied().collect());
        Self { sealed: sealed.unwrap_or_default(), known: state.is_some(), newest: None }
    }

    /// Notes that log `number` has `bytes`. Whether there is anything in it: a log begins with its first
    /// write, so an empty one may be young.
    ///
    /// # Errors
    /// `Corruption` when the manifest says that it had bytes.
    pub(crate) fn measure(&mut self, number: FileNumber, bytes: u64) -> Result<bool> {
        if bytes > 0 {
            self.newest = self.newest.max(Some(number));
            return Ok(true);
        }
        let Some(counted) = self.sealed.get(&number).filter(|counted| **counted > 0) else {
            return Ok(false);
        };
        let counted = text::bytes(*counted);
        let message = format!("the log is empty, but the manifest says that {counted} of it count");
        Err(Error::in_file(ErrorKind::Corruption, FileName::Wal(number), message))
    }

    /// How log `number` must end: where it was sealed; in a clean end, unless it is the newest.
    pub(crate) fn end(&self, number: FileNumber) -> LogEnd {
        match self.sealed.get(&number) {
            Some(bytes) => LogEnd::Sealed { bytes: *bytes },
            None if self.newest == Some(number) || !self.known => LogEnd::Newest,
            None => LogEnd::Clean,
        }
    }
}
