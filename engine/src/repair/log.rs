//! Salvages one log: the batches up to its first damage, and on request those after it.

use super::report::{NewLoss, RepairReport};
use crate::event::WalEnd;
use crate::memtable::Memtable;
use crate::storage::{FileName, FileNumber, Storage};
use crate::survey::Belonging;
use crate::wal::chain::Link;
use crate::wal::file::Log;
use crate::wal::record::RecordKind;
use crate::wal::salvage::{Piece, pieces};
use crate::wal::{self, LogEnd, LogFlaw, Replay, WalRecord, WalSummary};
use crate::{Result, text};
use std::sync::Arc;

/// How a log is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogRequest {
    /// Which log.
    pub(super) number: FileNumber,
    /// The file in which it is.
    pub(super) file: FileName,
    /// Whose it has to be.
    pub(super) belonging: Belonging,
    /// How it must end.
    pub(super) end: LogEnd,
    /// Whether no log comes after it.
    pub(super) newest: bool,
    /// Whether batches after damage are wanted too.
    pub(super) after_holes: bool,
}

/// The batches of a log.
#[derive(Debug)]
pub(super) struct SavedLog {
    pub(super) memtable: Arc<Memtable>,
    pub(super) link: Link,
    /// That of the first batch; `None` without one.
    pub(super) first_sequence: Option<u64>,
    /// No sequence number above is proved by it.
    pub(super) last_sequence: u64,
    /// How it ends; `None` when it is damaged.
    pub(super) summary: Option<WalSummary>,
}

/// Reads one log; `None` when nothing is there.
///
/// # Errors
/// `WouldBlock`.
pub(super) fn save(
    storage: &dyn Storage,
    wanted: LogRequest,
    report: &mut RepairReport,
) -> Result<Option<SavedLog>> {
    let name = wanted.file;
    let bytes = match storage.open(name).and_then(|file| wal::read_log(&*file, wanted.number)) {
        Ok(bytes) => bytes,
        Err(error) if error.blocked_on().is_some() => return Err(error),
        Err(error) => {
            report.lose(NewLoss::bytes(name, 0, 0, error.message()));
            return Ok(None);
        }
    };
    if bytes.is_empty() {
        return Ok(None);
    }
    let log = wanted.belonging.wal(wanted.number, &bytes);
    let memtable = Arc::new(Memtable::new(1, wanted.number, usize::MAX));
    let lost_before = report.losses.len() as u64 + report.left_out;
    let mut reading =
        Reading { wanted, log, bytes: &bytes, memtable, first_sequence: None, report };
    let summary = wal::walk(&bytes, log, wanted.end, &mut reading)?;
    let Reading { memtable, first_sequence, report, .. } = reading;
    let is_whole = lost_before == report.losses.len() as u64 + report.left_out;
    if is_whole && wanted.end == LogEnd::Newest && matches!(summary.end, WalEnd::Torn { .. }) {
        // Nothing proves that it was durable: the log ends here.
        report.torn_tails += 1;
    }
    let begin = log.header_bytes() as u64;
    let link =
        Link { log: wanted.number, records: summary.records, follows: summary.follows, begin };
    let last_sequence = summary.last_sequence;
    let summary = is_whole.then_some(summary);
    Ok(Some(SavedLog { memtable, link, first_sequence, last_sequence, summary }))
}

/// Keeps the batches, and writes down the losses.
struct Reading<'a> {
    wanted: LogRequest,
    log: Log,
    bytes: &'a [u8],
    memtable: Arc<Memtable>,
    first_sequence: Option<u64>,
    report: &'a mut RepairReport,
}

impl Replay for Reading<'_> {
    fn batch(&mut self, record: &WalRecord<'_>) -> Result<()> {
        // All of it first: a batch is saved whole or not at all.
        record.entries().try_for_each(|entry| entry.map(drop))?;
        self.memtable.insert_batch(record.first_sequence, record.entries())?;
        self.first_sequence.get_or_insert(record.first_sequence);
        Ok(())
    }

    /// Without batches after holes, all bytes from the first one on are lost.
    fn flaw(&mut self, flaw: LogFlaw) -> Result<bool> {
        let LogRequest { file, end, newest, after_holes, .. } = self.wanted;
        let counted = match end {
            LogEnd::Sealed { bytes } => usize::try_from(bytes).unwrap_or(usize::MAX),
            LogEnd::Clean | LogEnd::Newest => self.bytes.len(),
        };
        let counted = self.bytes.get(..counted).unwrap_or(self.bytes);
        let later = batches_after(counted, self.log, flaw.end);
        let message = flaw.error.message();
        let fate = if after_holes { "saved" } else { "left out" };
        let what = if later == 0 {
            message.to_owned()
        } else {
            let later = text::count(later as u64);
            format!("{message}; good batches after it, which were {fate}: {later}")
        };
        self.report.holes |= later > 0 && after_holes || !newest;
        let is_gap = flaw.begin == flaw.end;
        let lost_to = if after_holes || is_gap { flaw.end } else { counted.len() };
        let bytes = lost_to.saturating_sub(flaw.begin) as u64;
        self.report.lose(NewLoss::bytes(file, flaw.begin as u64, bytes, what));
        Ok(after_holes || is_gap)
    }

    fn wants_torn(&self) -> bool {
        self.wanted.after_holes
    }
}

/// Good batches from `from` on.
fn batches_after(bytes: &[u8], log: Log, from: usize) -> usize {
    let good = pieces(bytes, log).filter(|piece| match piece {
        Piece::Record(record) => record.offset >= from && record.header.kind == RecordKind::Batch,
        Piece::Hole { .. } => false,
    });
    good.count()
}
