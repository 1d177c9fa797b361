//! How each log must end.

use crate::event::WalEnd;
use crate::key::SeqNo;
use crate::manifest::ManifestState;
use crate::sorting;
use crate::storage::{File, FileName, FileNumber};
use crate::wal::file::Log;
use crate::wal::{EarlyLog, LogEnd, WalSummary};
use crate::{Error, ErrorKind, Result, text};
use std::collections::BTreeMap;

/// How logs must end, according to the manifest and to later logs: measure all of them first, then [`Self::learn`] from
/// the newest one, and read them from the oldest on, each followed by [`Self::ended`].
#[derive(Debug, Default)]
pub(crate) struct LogEnds {
    /// Logs that an earlier opening found without a clean end, and how much of each counts \[bytes\].
    sealed: BTreeMap<FileNumber, u64>,
    /// Logs with a clean end according to the manifest, and their length \[bytes\].
    closed: BTreeMap<FileNumber, u64>,
    /// Whether a manifest could be read; otherwise any log may have been sealed.
    known: bool,
    /// All that were measured, also those without a byte.
    measured: Vec<FileNumber>,
    /// The newest log with a byte.
    newest: Option<FileNumber>,
    /// The newest log was begun early.
    early: Option<EarlyNewest>,
}

/// The newest log, of which nothing proves that the log before it had its clean end.
#[derive(Debug)]
struct EarlyNewest {
    before: FileNumber,
    /// Sequence number of its first batch.
    first_sequence: Option<SeqNo>,
    /// Whether the log before has been read to a clean end, or to the batch before that one.
    continues: bool,
}

impl LogEnds {
    /// The rules for logs of a database with the manifest state `state`.
    pub(crate) fn of(state: Option<&ManifestState>) -> Self {
        let Some(state) = state else { return Self::default() };
        let sealed = sorting::map(state.sealed_logs.iter().copied());
        let closed = state.live_logs.iter().map(|(log, bytes)| (*log, *bytes));
        let closed = sorting::map(closed.filter(|(_, bytes)| *bytes > 0));
        Self { sealed, closed, known: true, ..Self::default() }
    }

    /// Notes that log `number` has `bytes`. Whether there is anything in it: a log begins with its first
    /// write, so an empty one may be young.
    ///
    /// # Errors
    /// `Corruption` when the log has bytes according to the manifest.
    pub(crate) fn measure(&mut self, number: FileNumber, bytes: u64) -> Result<bool> {
        self.measured.push(number);
        if bytes > 0 {
            self.newest = self.newest.max(Some(number));
            return Ok(true);
        }
        let counted = self.sealed.get(&number).or_else(|| self.closed.get(&number));
        let Some(counted) = counted.filter(|counted| **counted > 0) else { return Ok(false) };
        let counted = text::bytes(*counted);
        let message =
            format!("the log is empty, but the manifest records that {counted} of it count");
        Err(Error::in_file(ErrorKind::Corruption, FileName::Wal(number), message))
    }

    /// The newest log with a byte.
    pub(crate) fn newest(&self) -> Option<FileNumber> {
        self.newest
    }

    /// Learns from `file`, which is the newest log, whether the log before it may lack its clean end.
    ///
    /// # Errors
    /// Those of the file.
    pub(crate) fn learn(&mut self, file: &dyn File, log: Log) -> Result<()> {
        let Some(EarlyLog { before, first_sequence }) = EarlyLog::find(file, log)? else {
            return Ok(());
        };
        let older = self.measured.iter().copied().filter(|number| *number < log.number());
        let before = before.or_else(|| older.max());
        let before = before.filter(|before| self.measured.contains(before));
        let continues = false;
        self.early = before.map(|before| EarlyNewest { before, first_sequence, continues });
        Ok(())
    }

    /// How log `number` must end: where it was sealed; in a clean end, when the manifest records that, or unless it is
    /// the newest, or the newest was begun early after it. When its end is missing then, nothing of the newest counts.
    pub(crate) fn end(&self, number: FileNumber) -> LogEnd {
        match (self.sealed.get(&number), &self.early) {
            (Some(bytes), _) => LogEnd::Sealed { bytes: *bytes },
            _ if self.is_cut_off(number) => LogEnd::Sealed { bytes: 0 },
            _ if self.closed.contains_key(&number) => LogEnd::Clean,
            (_, Some(early)) if early.before == number => LogEnd::Newest,
            _ if self.newest == Some(number) || !self.known => LogEnd::Newest,
            _ => LogEnd::Clean,
        }
    }

    /// Notes the summary `found` of log `number`; `None` when it is damaged, so that its end is unknown.
    pub(crate) fn ended(&mut self, number: FileNumber, found: Option<&WalSummary>) {
        if let Some(early) = self.early.as_mut().filter(|early| early.before == number) {
            early.continues = found.is_none_or(|found| {
                let next = found.last_sequence.saturating_add(1);
                found.end == WalEnd::Clean || early.first_sequence == Some(next)
            });
        }
    }

    /// The log that must be there before log `number`, in which `found` was found. A newest log that was begun early
    /// and has no batch requires none: all of the log before may be gone, too.
    pub(crate) fn follows(&self, number: FileNumber, found: &WalSummary) -> Option<FileNumber> {
        let is_lost = |early: &EarlyNewest| !early.continues && found.records == 0;
        let requires_none = self.newest == Some(number) && self.early.as_ref().is_some_and(is_lost);
        found.follows.filter(|_| !requires_none)
    }

    /// Whether log `number` is the newest, and nothing of it counts because the end of the log before is missing.
    pub(crate) fn is_cut_off(&self, number: FileNumber) -> bool {
        let early = self.early.as_ref();
        self.newest == Some(number) && early.is_some_and(EarlyNewest::is_cut_off)
    }
}

impl EarlyNewest {
    fn is_cut_off(&self) -> bool {
        self.first_sequence.is_some() && !self.continues
    }
}
