//! Logs that were begun early: before the earlier log had its clean end.
//!
//! The first record of such a log marks it, and a later record follows once that end was durable. Nothing in the log
//! was promised to be durable before. If this second record is missing, a crash may have lost the end of the earlier
//! log (decision 67).

use super::file::Log;
use super::record::{RECORD_HEADER_BYTES, Record, RecordHeader, RecordKind};
use super::tail::{next_header, used};
use super::whole::read_log;
use crate::Result;
use crate::key::SeqNo;
use crate::storage::{File, FileNumber, read_full};

/// A log of which nothing proves that the log before it had its clean end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EarlyLog {
    /// The log before; `None` when the beginning cannot be read.
    pub(crate) before: Option<FileNumber>,
    /// Sequence number of its first batch; `None` without one that can be read.
    pub(crate) first_sequence: Option<SeqNo>,
}

impl EarlyLog {
    /// Reads the beginning of `log` in `file`, and all of it when the beginning is missing or marks the log as begun
    /// early. `None` when the log before must have its clean end.
    ///
    /// # Errors
    /// Those of the file.
    ///
    /// Cost: one read of some 100 bytes for a log that was not begun early, and otherwise a look at each record.
    pub(crate) fn find(file: &dyn File, log: Log) -> Result<Option<Self>> {
        let begin_bytes = (log.header_bytes() + RECORD_HEADER_BYTES) as u64;
        let mut begin = vec![0; usize::try_from(begin_bytes.min(file.len()?)).unwrap_or(0)];
        read_full(file, log.name(), 0, &mut begin)?;
        match first_record(&begin, log) {
            Some(first) if !is_early(&first) => Ok(None),
            _ => Ok(Self::of(&read_log(file, log.number())?, log)),
        }
    }

    /// The same for a log whose bytes are `file`.
    fn of(file: &[u8], log: Log) -> Option<Self> {
        let first = first_record(file, log);
        if first.is_some_and(|first| !is_early(&first)) || is_proved(file, log) {
            return None;
        }
        let second = first.and_then(|_| {
            let second = log.header_bytes() + RECORD_HEADER_BYTES;
            Record::read(file, log, second).ok()
        });
        let batch = second.filter(|record| record.header.kind == RecordKind::Batch);
        Some(Self {
            before: first.map(|first| first.number),
            first_sequence: batch.map(|record| record.header.number),
        })
    }
}

/// The header of the first record; `None` when it or the file header is not as it was written.
fn first_record(file: &[u8], log: Log) -> Option<RecordHeader> {
    if !matches!(log.check_header(file), Ok(true)) {
        return None;
    }
    let at = log.header_bytes();
    RecordHeader::find(file.get(at..)?.first_chunk()?, log, at as u64)
}

fn is_early(first: &RecordHeader) -> bool {
    first.kind == RecordKind::Follows && first.count > 0
}

/// Whether any record proves that the log before had ended, or that a part of this log had been synced, which comes
/// later.
fn is_proved(file: &[u8], log: Log) -> bool {
    let (file, mut from) = (used(file), 0);
    while let Some((offset, header)) = next_header(file, log, from) {
        let ended = header.kind == RecordKind::Follows && header.count == 0;
        if ended || header.synced_bytes > 0 {
            return true;
        }
        from = offset.saturating_add(RECORD_HEADER_BYTES).saturating_add(header.body_length());
    }
    false
}
