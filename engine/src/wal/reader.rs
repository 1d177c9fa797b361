//! Replaying a write-ahead log.

use super::file::Log;
use super::record::{BadRecord, Flaw, Record, RecordKind};
use super::tail;
use super::whole::read_log;
use crate::batch::{self, BatchEntries};
use crate::event::WalEnd;
use crate::key::SeqNo;
use crate::limits::SEQUENCE_MAX;
use crate::storage::{File, FileNumber};
use crate::text;
use crate::{Error, ErrorKind, Result};

/// How a log is expected to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogEnd {
    /// In a clean-end record: it was closed, or a newer log exists.
    Clean,
    /// Anyhow, also in a torn record: it is the newest log.
    Newest,
    /// At this length: an earlier recovery found it without a clean end, and the manifest has recorded how
    /// many bytes of it count. Later bytes are ignored.
    Sealed {
        /// Length that counts \[bytes\].
        bytes: u64,
    },
}

/// One batch of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WalRecord<'a> {
    /// Where the record begins \[bytes\].
    pub(crate) offset: u64,
    /// Sequence number of its first entry.
    pub(crate) first_sequence: SeqNo,
    /// Number of its entries.
    pub(crate) count: u32,
    /// The entries, encoded.
    pub(crate) body: &'a [u8],
}

impl<'a> WalRecord<'a> {
    /// The operations of the batch, in order.
    pub(crate) fn entries(&self) -> BatchEntries<'a> {
        batch::decode(self.body, self.count)
    }
}

/// The result of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WalSummary {
    /// Batches.
    pub(crate) records: u64,
    /// Where the last whole record ends \[bytes\]; 0 when not even the file header is whole.
    pub(crate) valid_bytes: u64,
    /// How the log ended.
    pub(crate) end: WalEnd,
    /// Largest sequence number in the log; 0 when it has no batch.
    pub(crate) last_sequence: SeqNo,
    /// The log that must be replayed before this one; none for the first log of a database, and for one
    /// that was begun when all others were flushed.
    pub(crate) follows: Option<FileNumber>,
}

/// A place of a log that is not as it was written.
#[derive(Debug)]
pub(crate) struct LogFlaw {
    /// Where the bad bytes begin; as far as is known, they were durable \[bytes\].
    pub(crate) begin: usize,
    /// Where the next good record may begin \[bytes\]; `begin` when bytes are missing there.
    pub(crate) end: usize,
    /// The error that opening returns for it.
    pub(crate) error: Error,
}

/// Receives the batches and the flaws of a log.
pub(crate) trait Replay {
    /// Takes a batch. Batches are handed out before the whole file is known to be good.
    ///
    /// # Errors
    /// The flaw of the batch. A `Corruption` without a file gets name and offset of the record.
    fn batch(&mut self, record: &WalRecord<'_>) -> Result<()>;

    /// Hears of a flaw. Whether to go on after it: otherwise the log ends before it.
    ///
    /// # Errors
    /// That nothing is to be read any more.
    fn flaw(&mut self, flaw: LogFlaw) -> Result<bool>;

    /// Whether a torn tail is a flaw, too: good records may come after it, although nothing proves that they were
    /// durable.
    fn wants_torn(&self) -> bool {
        false
    }
}

/// Fails with the first flaw.
struct Strict<'a>(&'a mut dyn FnMut(&WalRecord<'_>) -> Result<()>);

impl Replay for Strict<'_> {
    fn batch(&mut self, record: &WalRecord<'_>) -> Result<()> {
        (self.0)(record)
    }

    fn flaw(&mut self, flaw: LogFlaw) -> Result<bool> {
        Err(flaw.error)
    }
}

/// Hands every batch of the log to `apply`, in the order in which they were written. After an error the caller must
/// forget all of them.
///
/// # Errors
/// The first flaw: `Corruption` with file and offset; `UnsupportedFormat`. Those of the file and of `apply`.
///
/// Cost: memory for the content of the file before its trailing zeros, and one pass over it.
pub(crate) fn replay(
    file: &dyn File,
    log: Log,
    end: LogEnd,
    apply: &mut dyn FnMut(&WalRecord<'_>) -> Result<()>,
) -> Result<WalSummary> {
    walk(&read_log(file, log.number())?, log, end, &mut Strict(apply))
}

/// Hands `replay` all batches and flaws of the log with the bytes `file`.
///
/// Sequence numbers have no gaps within a log. Only the newest log may end in a torn record, and [`tail`] decides
/// whether it is torn. A file of 0 bytes was created and never written, one of zeros likewise; zeros after the last
/// record are space that was reserved.
///
/// # Errors
/// Those of `replay`.
pub(crate) fn walk(
    file: &[u8],
    log: Log,
    end: LogEnd,
    replay: &mut dyn Replay,
) -> Result<WalSummary> {
    let counted = match end {
        LogEnd::Sealed { bytes } => usize::try_from(bytes).unwrap_or(usize::MAX),
        LogEnd::Clean | LogEnd::Newest => file.len(),
    };
    let bytes = file.get(..counted).unwrap_or(file);
    let summary = WalSummary {
        records: 0,
        valid_bytes: 0,
        end: WalEnd::Open,
        last_sequence: 0,
        follows: None,
    };
    let mut walk = Walk {
        bytes,
        used: tail::used(bytes),
        log,
        end,
        replay,
        next_sequence: None,
        flawed: false,
        begun_early: false,
        summary,
    };
    if counted > file.len() {
        let counted = text::bytes(counted);
        let message = format!("the file ends here, but {counted} of it were recovered before");
        walk.flaw(file.len(), file.len(), walk.corruption(file.len(), message))?;
    }
    walk.run()?;
    let ignored = tail::used_end(file).saturating_sub(counted);
    if ignored > 0 {
        walk.summary.end = WalEnd::Torn { bytes: ignored as u64 };
    }
    Ok(walk.summary)
}

struct Walk<'a> {
    bytes: &'a [u8],
    /// Those of them in which a header can begin.
    used: &'a [u8],
    log: Log,
    end: LogEnd,
    replay: &'a mut dyn Replay,
    next_sequence: Option<SeqNo>,
    /// There was a flaw.
    flawed: bool,
    /// The log before had no clean end when this one was begun, and no record so far proves one.
    begun_early: bool,
    summary: WalSummary,
}

impl Walk<'_> {
    fn run(&mut self) -> Result<()> {
        if self.is_over(0) {
            return self.end_at(0);
        }
        let mut next = match self.log.check_header(self.bytes) {
            Ok(true) => Some(self.log.header_bytes()),
            Ok(false) => self.bad_file_header()?,
            // Whatever such a file holds is not of this log.
            Err(error) => self.flaw(0, self.bytes.len(), error)?.then_some(self.bytes.len()),
        };
        while let Some(offset) = next {
            if offset >= self.bytes.len() {
                return self.end_at(offset);
            }
            next = match Record::read(self.bytes, self.log, offset) {
                Ok(record) => match self.record(&record) {
                    Ok(true) => return Ok(()),
                    Ok(false) => Some(record.end()),
                    Err(error) => self.flaw(offset, record.end(), error)?.then_some(record.end()),
                },
                Err(_) if self.is_over(offset) => return self.end_at(offset),
                Err(bad) => self.bad_record(bad)?,
            };
        }
        Ok(())
    }

    /// Takes a record; whether it is the end of the log.
    fn record(&mut self, record: &Record<'_>) -> Result<bool> {
        match record.header.kind {
            RecordKind::CleanEnd => self.clean_end(record).map(|()| true),
            RecordKind::SyncMark => self.check_next(record).map(|()| false),
            RecordKind::Follows => self.follow(record).map(|()| false),
            RecordKind::Batch | RecordKind::Edit => self.batch(record).map(|()| false),
        }
    }

    /// Reports a flaw. Returns whether to go on after it; otherwise the log ends before it.
    fn flaw(&mut self, begin: usize, end: usize, error: Error) -> Result<bool> {
        (self.flawed, self.next_sequence) = (true, None);
        let goes_on = self.replay.flaw(LogFlaw { begin, end, error })?;
        if !goes_on {
            self.torn_at(begin);
        }
        Ok(goes_on)
    }

    /// Whether nothing was written from `offset` on. All bytes that a recovery has sealed were written.
    fn is_over(&self, offset: usize) -> bool {
        match self.end {
            LogEnd::Sealed { .. } => offset >= self.bytes.len(),
            LogEnd::Clean | LogEnd::Newest => tail::is_unused(self.bytes, self.log, offset),
        }
    }

    fn batch(&mut self, record: &Record<'_>) -> Result<()> {
        self.check_next(record)?;
        let first_sequence = record.header.number;
        let count = record.header.count;
        let next = first_sequence.saturating_add(u64::from(count));
        if first_sequence == 0 || next > SEQUENCE_MAX {
            return Err(
                self.corruption(record.offset, "this batch has impossible sequence numbers")
            );
        }
        let offset = record.offset as u64;
        self.replay
            .batch(&WalRecord { offset, first_sequence, count, body: record.body })
            .map_err(|error| self.placed(record.offset, error))?;
        self.next_sequence = Some(next);
        self.summary.records += 1;
        self.summary.last_sequence = self.summary.last_sequence.max(next - 1);
        Ok(())
    }

    /// Notes which log comes before this one: an older one, named at the beginning, and again once it had its clean end
    /// if it had none then.
    fn follow(&mut self, record: &Record<'_>) -> Result<()> {
        let previous = record.header.number;
        let is_again = self.begun_early && record.header.count == 0;
        // Where the first such record is damaged, it is unknown whether a second one had to follow.
        let may_be_again = self.flawed && record.header.count == 0;
        if may_be_again || is_again && self.summary.follows == Some(previous) {
            self.begun_early = false;
            return Ok(());
        }
        if record.offset != self.log.header_bytes() || !(1..self.log.number()).contains(&previous) {
            let message = "only the first record names the log before, which has a smaller number";
            return Err(self.corruption(record.offset, message));
        }
        self.summary.follows = Some(previous);
        self.begun_early = record.header.count > 0;
        Ok(())
    }

    /// Sequence numbers have no gaps within a log.
    fn check_next(&self, record: &Record<'_>) -> Result<()> {
        let found = record.header.number;
        match self.next_sequence.filter(|expected| *expected != found) {
            None => Ok(()),
            Some(expected) => {
                let (expected, found) = (text::count(expected), text::count(found));
                let what = format!("sequence number {expected} should come here, but {found} does");
                Err(self.corruption(record.offset, what))
            }
        }
    }

    /// Gives a corruption without a place the place of the record.
    fn placed(&self, offset: usize, error: Error) -> Error {
        if error.kind() == ErrorKind::Corruption && error.file().is_none() {
            return self.corruption(offset, error.to_string());
        }
        error
    }

    /// Decides about a bad record; where to go on, if anywhere \[bytes\].
    fn bad_record(&mut self, bad: BadRecord) -> Result<Option<usize>> {
        let damage = || Some(self.corruption(bad.first_bad(), bad.flaw.to_string()));
        let error = if self.end == LogEnd::Newest {
            let proved = tail::damage(self.bytes, self.log, bad);
            proved.or_else(|| damage().filter(|_| self.replay.wants_torn()))
        } else {
            damage()
        };
        let Some(error) = error else {
            self.torn_at(bad.offset);
            return Ok(None);
        };
        let later = tail::next_header(self.used, self.log, bad.resume);
        let end = later.map_or(self.bytes.len(), |(offset, _)| offset);
        Ok(self.flaw(bad.offset, end, error)?.then_some(end))
    }

    /// A file header that is cut off or damaged: tolerable only when the log was never used.
    fn bad_file_header(&mut self) -> Result<Option<usize>> {
        let flaw = if self.bytes.len() < self.log.header_bytes() {
            Flaw::CutFileHeader
        } else {
            Flaw::FileHeaderChecksum
        };
        self.bad_record(BadRecord { offset: 0, flaw, resume: 1 })
    }

    fn clean_end(&mut self, record: &Record<'_>) -> Result<()> {
        self.check_next(record)?;
        let is_last = match self.end {
            // Every byte of it counts.
            LogEnd::Sealed { .. } => self.is_over(record.end()),
            LogEnd::Clean | LogEnd::Newest => {
                tail::is_unwritten(self.bytes, self.log, record.end())
            }
        };
        if !is_last {
            return Err(self.corruption(record.end(), "records follow the end of the log"));
        }
        self.summary.valid_bytes = record.end() as u64;
        self.summary.end = WalEnd::Clean;
        Ok(())
    }

    /// The log ends here without a clean-end record. After a flaw the verdict is known already.
    fn end_at(&mut self, offset: usize) -> Result<()> {
        if self.end == LogEnd::Clean && !self.flawed {
            let message = "this log was closed, or a newer one exists, so it should end in a \
                           clean-end record; its last batches may be missing";
            self.flaw(offset, offset, self.corruption(offset, message))?;
        }
        self.summary.valid_bytes = offset as u64;
        self.summary.end = WalEnd::Open;
        Ok(())
    }

    fn torn_at(&mut self, offset: usize) {
        self.summary.valid_bytes = offset as u64;
        let bytes = tail::used_end(self.bytes).saturating_sub(offset) as u64;
        self.summary.end = WalEnd::Torn { bytes };
    }

    fn corruption(&self, offset: usize, message: impl Into<String>) -> Error {
        Error::corruption(self.log.name(), offset as u64, message)
    }
}
