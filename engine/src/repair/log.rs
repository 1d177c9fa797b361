//! What can be saved of one log: the batches up to its first damage, and on request those behind it.

use super::report::{Lost, RepairReport};
use crate::check::Belonging;
use crate::memtable::Memtable;
use crate::storage::{FileName, FileNumber, Storage, read_whole};
use crate::wal::chain::Link;
use crate::wal::file::Log;
use crate::wal::record::{BadRecord, Record, RecordKind};
use crate::wal::salvage::{Piece, pieces};
use crate::wal::tail;
use crate::{Result, batch};
use std::sync::Arc;

/// How a log is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// Which log.
    pub(super) number: FileNumber,
    /// The file in which it is.
    pub(super) file: FileName,
    /// Whose it has to be.
    pub(super) belonging: Belonging,
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
    /// That of the first batch; `None` without one.
    pub(super) first_sequence: Option<u64>,
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
    let name = wanted.file;
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
    let log = wanted.belonging.wal(wanted.number, &bytes);
    let begin = log.header_bytes() as u64;
    let link = Link { log: wanted.number, records: 0, follows: None, begin };
    let mut reading = Reading {
        wanted,
        log,
        bytes: &bytes,
        memtable,
        link,
        next: None,
        first_sequence: None,
        last_sequence: 0,
        ended: false,
    };
    reading.run(report)?;
    let Reading { memtable, link, first_sequence, last_sequence, .. } = reading;
    Ok(Some(SavedLog { memtable, link, first_sequence, last_sequence }))
}

struct Reading<'a> {
    wanted: Wanted,
    log: Log,
    bytes: &'a [u8],
    memtable: Arc<Memtable>,
    link: Link,
    /// The sequence number that must come next.
    next: Option<u64>,
    first_sequence: Option<u64>,
    last_sequence: u64,
    /// A clean end was read.
    ended: bool,
}

impl Reading<'_> {
    fn run(&mut self, report: &mut RepairReport) -> Result<()> {
        let (log, name, length) = (self.log, self.wanted.file, self.bytes.len());
        let sealed = self.wanted.sealed.and_then(|sealed| usize::try_from(sealed).ok());
        let counted = self.bytes.get(..sealed.unwrap_or(length)).unwrap_or(self.bytes);
        if sealed.is_some_and(|sealed| sealed > length) {
            let what = "the file ends here, but more of it was recovered before";
            report.lose(Lost::bytes(name, length as u64, 0, what));
        }
        if let Err(error) = log.check_header(counted) {
            report.lose(Lost::bytes(name, 0, length as u64, error.message()));
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
                        // Nothing says that it was durable: this is where the log ends.
                        report.torn_tails += 1;
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
            report.lose(Lost::bytes(name, counted.len() as u64, 0, what));
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
        let log = self.log;
        let behind = self.bytes.get(..length).map_or(0, |bytes| batches_behind(bytes, log, end));
        let end = if self.wanted.after_holes { end } else { length };
        let what = match behind {
            0 => flaw,
            _ if self.wanted.after_holes => {
                format!("{flaw}; good batches after it, which were saved: {behind}")
            }
            _ => format!("{flaw}; good batches after it, which were left out: {behind}"),
        };
        report.holes |= behind > 0 && self.wanted.after_holes || !self.wanted.newest;
        report.lose(Lost::bytes(
            self.wanted.file,
            begin as u64,
            end.saturating_sub(begin) as u64,
            what,
        ));
    }

    /// Takes a good record; what is wrong when it does not belong here.
    fn record(&mut self, record: &Record<'_>) -> Result<Option<String>> {
        let header = record.header;
        match header.kind {
            RecordKind::Batch => {}
            RecordKind::Follows => {
                if record.offset == self.log.header_bytes() {
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
        self.first_sequence.get_or_insert(first);
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
