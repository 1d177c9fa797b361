//! Replaying a write-ahead log.

use super::file::Log;
use super::record::{BadRecord, Flaw, Record, RecordKind};
use super::tail;
use crate::batch::{self, BatchEntries};
use crate::canary::Canary;
use crate::event::WalEnd;
use crate::key::SeqNo;
use crate::limits::SEQUENCE_MAX;
use crate::storage::{File, FileNumber, read_whole};
use crate::text;
use crate::{Error, ErrorKind, Result};

/// How a log is expected to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogEnd {
    /// In a clean-end record: a newer log exists.
    Clean,
    /// Anyhow, also in a torn record: it is the newest log.
    Newest,
    /// After so many bytes: an earlier recovery found it without a clean end, and the manifest has
    /// kept how much of it counts. What lies behind is ignored.
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

/// What a replay found.
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

/// Hands every batch of the log to `apply`, in the order in which they were written.
///
/// Batches are handed out before the whole file is known to be good: after an error the caller must
/// forget all of them. Sequence numbers have no gaps within a log. Only the newest log may end in a
/// torn record, and [`tail`] decides what is torn. A file of 0 bytes was created and never written, one of
/// zeros likewise; zeros behind the last record are space that was reserved.
///
/// # Errors
/// `Corruption` with file and offset; `UnsupportedFormat`; those of the file; those of `apply`, where a
/// `Corruption` without a file gets name and offset of the record.
///
/// Cost: memory for the whole file, and one pass over it.
pub(crate) fn replay(
    file: &dyn File,
    log: Log,
    end: LogEnd,
    apply: &mut dyn FnMut(WalRecord<'_>) -> Result<()>,
) -> Result<WalSummary> {
    let bytes = read_whole(file, log.name())?;
    replay_bytes(&bytes, log, end, apply)
}

/// [`replay`] of a log that is in memory.
pub(crate) fn replay_bytes(
    file: &[u8],
    log: Log,
    end: LogEnd,
    apply: &mut dyn FnMut(WalRecord<'_>) -> Result<()>,
) -> Result<WalSummary> {
    let sealed = match end {
        LogEnd::Sealed { bytes } => usize::try_from(bytes).unwrap_or(usize::MAX),
        LogEnd::Clean | LogEnd::Newest => file.len(),
    };
    let bytes = file.get(..sealed).ok_or_else(|| {
        let (length, sealed) = (file.len(), text::bytes(sealed));
        let message = format!("the file ends here, but {sealed} of it were recovered before");
        Error::corruption(log.name(), length as u64, message)
    })?;
    let summary = WalSummary {
        records: 0,
        valid_bytes: 0,
        end: WalEnd::Open,
        last_sequence: 0,
        follows: None,
    };
    let mut replay = Replay { bytes, log, end, next_sequence: None, summary };
    replay.run(apply)?;
    let ignored = tail::used_end(file).saturating_sub(sealed);
    if ignored > 0 {
        replay.summary.end = WalEnd::Torn { bytes: ignored as u64 };
    }
    Ok(replay.summary)
}

struct Replay<'a> {
    bytes: &'a [u8],
    log: Log,
    end: LogEnd,
    next_sequence: Option<SeqNo>,
    summary: WalSummary,
}

impl Replay<'_> {
    fn run(&mut self, apply: &mut dyn FnMut(WalRecord<'_>) -> Result<()>) -> Result<()> {
        if self.is_over(0) {
            return self.end_at(0);
        }
        if !self.log.check_header(self.bytes)? {
            return self.bad_file_header();
        }
        let mut offset = self.log.header_bytes();
        while offset < self.bytes.len() {
            let record = match Record::read(self.bytes, self.log, offset) {
                Ok(record) => record,
                Err(_) if self.is_over(offset) => break,
                Err(bad) => return self.bad_record(bad),
            };
            offset = record.end();
            match record.header.kind {
                RecordKind::CleanEnd => return self.clean_end(&record),
                RecordKind::SyncMark => self.check_next(&record)?,
                RecordKind::Follows => self.follow(&record)?,
                RecordKind::Batch | RecordKind::Edit => self.batch(&record, apply)?,
            }
        }
        self.end_at(offset)
    }

    /// Whether nothing was written from `offset` on. What a recovery has sealed was all written.
    fn is_over(&self, offset: usize) -> bool {
        match self.end {
            LogEnd::Sealed { .. } => offset >= self.bytes.len(),
            LogEnd::Clean | LogEnd::Newest => tail::is_unused(self.bytes, self.log, offset),
        }
    }

    fn batch(
        &mut self,
        record: &Record<'_>,
        apply: &mut dyn FnMut(WalRecord<'_>) -> Result<()>,
    ) -> Result<()> {
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
        apply(WalRecord { offset, first_sequence, count, body: record.body })
            .map_err(|error| self.placed(record.offset, error))?;
        self.next_sequence = Some(next);
        self.summary.records += 1;
        self.summary.last_sequence = next - 1;
        Ok(())
    }

    /// Notes which log comes before this one: an older one, named at the beginning.
    fn follow(&mut self, record: &Record<'_>) -> Result<()> {
        let previous = record.header.number;
        if record.offset != self.log.header_bytes() || !(1..self.log.number()).contains(&previous) {
            let message = "only the first record names the log before, which has a smaller number";
            return Err(self.corruption(record.offset, message));
        }
        self.summary.follows = Some(previous);
        Ok(())
    }

    /// Sequence numbers have no gaps within a log.
    fn check_next(&self, record: &Record<'_>) -> Result<()> {
        let found = record.header.number;
        match self.next_sequence.filter(|expected| *expected != found) {
            None => Ok(()),
            Some(expected) => Err(self.corruption(
                record.offset,
                format!("sequence number {expected} should come here, but {found} does"),
            )),
        }
    }

    /// Gives a corruption without a place the place of the record.
    fn placed(&self, offset: usize, error: Error) -> Error {
        if error.kind() == ErrorKind::Corruption && error.file().is_none() {
            return self.corruption(offset, error.to_string());
        }
        error
    }

    fn bad_record(&mut self, bad: BadRecord) -> Result<()> {
        if self.end != LogEnd::Newest || Canary::TornTailIsDamage.sings() {
            return Err(self.corruption(bad.first_bad(), bad.flaw.to_string()));
        }
        if let Some(error) = tail::damage(self.bytes, self.log, bad)
            && !Canary::DamageIsTornTail.sings()
        {
            return Err(error);
        }
        self.torn_at(bad.offset);
        Ok(())
    }

    /// A file header that is cut off or damaged: tolerable only when the log was never used.
    fn bad_file_header(&mut self) -> Result<()> {
        let flaw = if self.bytes.len() < self.log.header_bytes() {
            Flaw::CutFileHeader
        } else {
            Flaw::FileHeaderChecksum
        };
        self.bad_record(BadRecord { offset: 0, flaw, resume: 1 })
    }

    fn clean_end(&mut self, record: &Record<'_>) -> Result<()> {
        self.check_next(record)?;
        if !self.is_over(record.end()) {
            return Err(self.corruption(record.end(), "bytes follow the end of the log"));
        }
        self.summary.valid_bytes = record.end() as u64;
        self.summary.end = WalEnd::Clean;
        Ok(())
    }

    /// The log ends here without a clean-end record.
    fn end_at(&mut self, offset: usize) -> Result<()> {
        if self.end == LogEnd::Clean {
            return Err(self.corruption(
                offset,
                "a newer log exists, so this one should end in a clean-end record; \
                 its last batches may be missing",
            ));
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
