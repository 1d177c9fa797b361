//! What can be saved of one log: the batches up to its first damage, and on request those behind it.

use super::report::{Lost, RepairReport};
use crate::memtable::Memtable;
use crate::storage::{FileName, FileNumber, Storage, read_whole};
use crate::wal::chain::Link;
use crate::wal::file::{FILE_HEADER_BYTES, Log};
use crate::wal::record::{BadRecord, Record, RecordKind};
use crate::wal::salvage::{Piece, pieces};
use crate::wal::tail;
use crate::{Result, batch};
use std::sync::Arc;

/// How a log is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) number: FileNumber,
    /// So much of it counts \[bytes\]; `None`: all.
    pub(super) sealed: Option<u64>,
    /// Whether its tail may be torn.
    pub(super) newest: bool,
    /// Whether batches behind damage are wanted too.
    pub(super) after_holes: bool,
}

/// What a log has.
#[derive(Debug)]
pub(super) struct SavedLog {
    pub(super) memtable: Arc<Memtable>,
    pub(super) link: Link,
    /// No sequence number above is proved by it.
    pub(super) last_sequence: u64,
}

/// Reads one log; `None` when nothing is there.
///
/// # Errors
/// `WouldBlock`.
pub(super) fn save(
    storage: &dyn Storage,
    wanted: Wanted,
    report: &mut RepairReport,
) -> Result<Option<SavedLog>> {
    let name = FileName::Wal(wanted.number);
    let bytes = match storage.open(name).and_then(|file| read_whole(&*file, name)) {
        Ok(bytes) => bytes,
        Err(error) if error.blocked_on().is_some() => return Err(error),
        Err(error) => {
            report.lose(Lost::bytes(name, 0, 0, error.message()));
            return Ok(None);
        }
    };
    if bytes.is_empty() {
        return Ok(None);
    }
    let memtable = Arc::new(Memtable::new(1, wanted.number, usize::MAX));
    let link = Link { log: wanted.number, records: 0, follows: None };
    let mut reading = Reading {
        wanted,
        bytes: &bytes,
        memtable,
        link,
        next: None,
        last_sequence: 0,
        ended: false,
    };
    reading.run(report)?;
    let Reading { memtable, link, last_sequence, .. } = reading;
    Ok(Some(SavedLog { memtable, link, last_sequence }))
}

struct Reading<'a> {
    wanted: Wanted,
    bytes: &'a [u8],
    memtable: Arc<Memtable>,
    link: Link,
    /// The sequence number that must come next.
    next: Option<u64>,
    last_sequence: u64,
    /// A clean end was read.
    ended: bool,
}

impl Reading<'_> {
    fn run(&mut self, report: &mut RepairReport) -> Result<()> {
        let (log, length) = (Log::Wal(self.wanted.number), self.bytes.len());
        let sealed = self.wanted.sealed.and_then(|sealed| usize::try_from(sealed).ok());
        let counted = self.bytes.get(..sealed.unwrap_or(length)).unwrap_or(self.bytes);
        if sealed.is_some_and(|sealed| sealed > length) {
            let what = "the file ends here, but more of it was recovered before";
            report.lose(Lost::bytes(log.name(), length as u64, 0, what));
        }
        if let Err(error) = log.check_header(counted) {
            report.lose(Lost::bytes(log.name(), 0, length as u64, error.message()));
            return Ok(());
        }
        let mut hole = false;
        for piece in pieces(counted, log) {
            let bad = match piece {
                Piece::Record(record) => match self.record(&record)? {
                    None => continue,
                    Some(what) => (record.offset, record.end(), what),
                },
                Piece::Hole { begin, end, flaw } => {
                    let bad = BadRecord { offset: begin, flaw, resume: begin.saturating_add(1) };
                    let torn = self.wanted.newest && tail::damage(counted, log, bad).is_none();
                    if torn && !self.wanted.after_holes {
                        // Never durable: this is where the log ends, and nothing is lost.
                        return Ok(());
                    }
                    (begin, end, flaw.to_string())
                }
            };
            hole = true;
            self.lose(bad, counted.len(), report);
            if !self.wanted.after_holes {
                return Ok(());
            }
            self.next = None;
        }
        let open = !self.ended && !self.wanted.newest && sealed.is_none();
        if open && !hole {
            let what = "it does not end in a clean end: its last batches may be missing";
            report.lose(Lost::bytes(log.name(), counted.len() as u64, 0, what));
            report.holes = true;
        }
        Ok(())
    }

    /// Writes down that the bytes from `begin` to `end` are lost, and all behind them if they are not
    /// wanted.
    fn lose(
        &self,
        (begin, end, flaw): (usize, usize, String),
        length: usize,
        report: &mut RepairReport,
    ) {
        let log = Log::Wal(self.wanted.number);
        let behind = self.bytes.get(..length).map_or(0, |bytes| batches_behind(bytes, log, end));
        let end = if self.wanted.after_holes { end } else { length };
        let what = match behind {
            0 => flaw,
            _ if self.wanted.after_holes => {
                format!("{flaw}; good batches behind it, which were saved: {behind}")
            }
            _ => format!("{flaw}; good batches behind it, which were left out: {behind}"),
        };
        report.holes |= behind > 0 && self.wanted.after_holes || !self.wanted.newest;
        report.lose(Lost::bytes(log.name(), begin as u64, end.saturating_sub(begin) as u64, what));
    }

    /// Takes a good record; what is wrong when it does not belong here.
    fn record(&mut self, record: &Record<'_>) -> Result<Option<String>> {
        let header = record.header;
        match header.kind {
            RecordKind::Batch => {}
            RecordKind::Follows => {
                if record.offset == FILE_HEADER_BYTES {
                    self.link.follows = Some(header.number);
                }
                return Ok(None);
            }
            kind => {
                self.ended |= kind == RecordKind::CleanEnd;
                return Ok(None);
            }
        }
        let first = header.number;
        let end = first.saturating_add(u64::from(header.count));
        if first == 0 || end > crate::limits::SEQUENCE_MAX {
            return Ok(Some("a batch has impossible sequence numbers".to_owned()));
        }
        if self.next.is_some_and(|next| next != first) {
            return Ok(Some("a batch does not continue the one before".to_owned()));
        }
        // All of it first: a batch is saved whole or not at all.
        for entry in batch::decode(record.body, header.count) {
            if let Err(error) = entry {
                return Ok(Some(error.message().to_owned()));
            }
        }
        self.memtable.insert_batch(first, batch::decode(record.body, header.count))?;
        self.link.records += 1;
        self.next = Some(end);
        self.last_sequence = self.last_sequence.max(end - 1);
        Ok(None)
    }
}

/// Good batches from `from` on.
fn batches_behind(bytes: &[u8], log: Log, from: usize) -> usize {
    let good = pieces(bytes, log).filter(|piece| match piece {
        Piece::Record(record) => record.offset >= from && record.header.kind == RecordKind::Batch,
        Piece::Hole { .. } => false,
    });
    good.count()
}
