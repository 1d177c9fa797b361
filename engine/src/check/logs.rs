//! The logs: each one by itself, and that they follow one another without a gap.

use super::frame::{Belonging, torn};
use super::report::{Found, Severity};
use super::source::Evidence;
use crate::event::WalEnd;
use crate::key::SeqNo;
use crate::manifest::ManifestState;
use crate::storage::{FileName, FileNumber, Storage, read_whole};
use crate::text;
use crate::wal::chain::{self, Link};
use crate::wal::file::Log;
use crate::wal::record::RecordKind;
use crate::wal::salvage::{Piece, pieces};
use crate::wal::{self, LogEnd, WalSummary};
use crate::{ErrorKind, Result};
use std::collections::{BTreeMap, VecDeque};

/// Asks whether a log is still needed, for a database that is open: a flush may have deleted it.
pub(super) type StillNeeded<'a> = &'a dyn Fn(FileNumber) -> bool;

/// The logs that are to be read, oldest first, and what those that were read said.
#[derive(Debug, Default)]
pub(super) struct LogCheck {
    belonging: Belonging,
    /// Logs whose length is not known yet.
    unmeasured: VecDeque<FileNumber>,
    waiting: VecDeque<(FileNumber, LogEnd)>,
    sealed: BTreeMap<FileNumber, u64>,
    /// Logs that the manifest needs begin here; `None` when no manifest can be read.
    oldest: Option<FileNumber>,
    links: Vec<Link>,
    /// The sequence number that the next batch must have at least; when the log before has a clean end it
    /// should be just that, and must be if both are of one session.
    expected: Option<(SeqNo, Option<bool>)>,
    /// Logs above this number are of one session: it begins with a manifest.
    session: FileNumber,
    /// A log before could not be read to its end.
    broken: bool,
    /// The database is open: the written bytes of a log count, and not the space that it has reserved.
    open: bool,
}

impl LogCheck {
    /// The logs `numbers` (ascending) of a database that nobody has open.
    pub(super) fn new(
        numbers: Vec<FileNumber>,
        manifest: FileNumber,
        state: Option<&ManifestState>,
        belonging: Belonging,
    ) -> Self {
        let sealed = state.map(|state| state.sealed_logs.iter().copied().collect());
        let tables = state.map(|state| state.version.tables());
        let newest = tables.and_then(|tables| tables.map(|(_, meta)| meta.sequence_max).max());
        Self {
            belonging,
            unmeasured: numbers.into(),
            session: manifest,
            sealed: sealed.unwrap_or_default(),
            oldest: state.map(|state| state.log_number),
            // Logs that are needed are newer than all tables.
            expected: newest.map(|newest| (newest.saturating_add(1), None)),
            ..Self::default()
        }
    }

    /// The logs of an open database, and how much of each has been written.
    pub(super) fn of_open(
        logs: Vec<(FileNumber, u64)>,
        manifest: FileNumber,
        state: &ManifestState,
        belonging: Belonging,
    ) -> Self {
        let needed = logs.into_iter().filter(|(number, _)| *number >= state.log_number);
        let waiting = needed.map(|(number, bytes)| (number, LogEnd::Sealed { bytes })).collect();
        Self { waiting, open: true, ..Self::new(Vec::new(), manifest, Some(state), belonging) }
    }

    /// Measures or reads one log; false at the end.
    ///
    /// # Errors
    /// `WouldBlock` has changed nothing.
    pub(super) fn step(
        &mut self,
        storage: &Evidence,
        needed: StillNeeded<'_>,
        found: &mut Found,
    ) -> Result<bool> {
        if let Some(number) = self.unmeasured.front().copied() {
            let name = FileName::Wal(number);
            let length = storage.open(name).and_then(|file| file.len());
            match found.take(name, length)? {
                Some(0) => self.empty(number, found),
                Some(_) => self.waiting.push_back((number, LogEnd::Newest)),
                None => {}
            }
            self.unmeasured.pop_front();
            if self.unmeasured.is_empty() {
                self.decide_ends();
            }
            return Ok(true);
        }
        let Some((number, end)) = self.waiting.front().copied() else {
            self.chain(found);
            return Ok(false);
        };
        let name = FileName::Wal(number);
        match storage.open(name).and_then(|file| read_whole(&*file, name)) {
            // Flushed and deleted since the database said that it has it.
            Err(error) if error.kind() == ErrorKind::NotFound && !needed(number) => {
                self.oldest = self.oldest.map(|_| number.saturating_add(1));
                self.expected = self.expected.map(|(expected, _)| (expected, None));
            }
            read => {
                if let Some(bytes) = found.take(name, read)? {
                    let length = bytes.len() as u64;
                    let counted = match end {
                        LogEnd::Sealed { bytes } if self.open => bytes.min(length),
                        _ => length,
                    };
                    found.read_whole(name, counted);
                    self.log(number, end, &bytes, found);
                } else {
                    self.broken = true;
                    self.expected = None;
                }
            }
        }
        self.waiting.pop_front();
        Ok(true)
    }

    /// A log without a byte: a log begins with its first write, so it may be young.
    fn empty(&self, number: FileNumber, found: &mut Found) {
        let name = FileName::Wal(number);
        match self.sealed.get(&number) {
            Some(bytes) if *bytes > 0 => {
                let what = format!(
                    "the log is empty, but the manifest says that {} of it count",
                    text::bytes(*bytes)
                );
                found.error(name, None, what);
            }
            _ => {
                let what = "the log is empty: no write was made to it, or all of them are lost";
                found.say(Severity::Note, &name, None, what);
            }
        }
    }

    /// How each log must end, now that it is known which are empty: as recovery has it.
    fn decide_ends(&mut self) {
        let newest = self.waiting.back().map(|(number, _)| *number);
        for (number, end) in &mut self.waiting {
            *end = match self.sealed.get(number) {
                Some(bytes) => LogEnd::Sealed { bytes: *bytes },
                None if Some(*number) == newest || self.oldest.is_none() => LogEnd::Newest,
                None => LogEnd::Clean,
            };
        }
    }

    fn log(&mut self, number: FileNumber, end: LogEnd, bytes: &[u8], found: &mut Found) {
        let log = self.belonging.wal(number, bytes);
        let name = log.name();
        let mut first: Option<(u64, SeqNo)> = None;
        let replayed = wal::replay_bytes(bytes, log, end, &mut |record| {
            first.get_or_insert((record.offset, record.first_sequence));
            record.entries().try_for_each(|entry| entry.map(drop))
        });
        if let Some((offset, sequence)) = first {
            self.continuity(name, offset, sequence, found);
        }
        match replayed {
            Ok(summary) => {
                found.batches += summary.records;
                self.ended(name, end, &summary, found);
                self.links.push(Link {
                    log: number,
                    records: summary.records,
                    follows: summary.follows,
                    begin: log.header_bytes() as u64,
                });
            }
            Err(error) => {
                // Never `WouldBlock`: the bytes are here.
                let _ = found.damage(name, &error);
                self.beyond(log, error.offset().unwrap_or(0), bytes, found);
            }
        }
    }

    /// Compares the first batch of a log with what came before it.
    fn continuity(&mut self, name: FileName, offset: u64, sequence: SeqNo, found: &mut Found) {
        let Some((expected, exactly)) = self.expected else { return };
        if sequence < expected {
            let what = format!(
                "it begins with sequence number {sequence}, but those below {expected} are taken"
            );
            found.error(name, offset, what);
        } else if let Some(session) = exactly.filter(|_| sequence > expected) {
            let gap = format!(
                "it begins with sequence number {sequence}, but the log before ends in {}",
                expected.saturating_sub(1)
            );
            if session {
                found.error(name, offset, format!("{gap}: writes are missing between them"));
            } else {
                let what = format!("{gap}: a crash took what was between them and not yet durable");
                found.say(Severity::Note, &name, offset, what);
            }
        }
    }

    fn ended(&mut self, name: FileName, end: LogEnd, summary: &WalSummary, found: &mut Found) {
        match (summary.end, end) {
            (WalEnd::Torn { bytes }, LogEnd::Newest) => {
                let what = format!("{}: the log ends before them", torn(bytes));
                found.say(Severity::Warning, &name, summary.valid_bytes, what);
            }
            (WalEnd::Open, LogEnd::Newest) => {
                let what = "it was not closed: the process that wrote it ended early";
                found.say(Severity::Note, &name, summary.valid_bytes, what);
            }
            _ => {}
        }
        if summary.records > 0 {
            let clean = summary.end == WalEnd::Clean;
            let session = name.number().is_some_and(|number| number > self.session);
            let next = summary.last_sequence.saturating_add(1);
            self.expected = Some((next, clean.then_some(session)));
        } else if summary.end != WalEnd::Clean {
            self.expected = self.expected.map(|(expected, _)| (expected, None));
        }
    }

    /// What lies behind the damage at `offset`: other damage, and records that could still be read.
    fn beyond(&mut self, log: Log, offset: u64, bytes: &[u8], found: &mut Found) {
        let (mut batches, mut behind, mut follows) = (0, 0_u64, None);
        for piece in pieces(bytes, log) {
            match piece {
                Piece::Record(record) => {
                    let later = record.offset as u64 > offset;
                    match record.header.kind {
                        RecordKind::Batch if later => behind += 1,
                        RecordKind::Batch => batches += 1,
                        RecordKind::Follows => follows = Some(record.header.number),
                        _ => {}
                    }
                }
                Piece::Hole { begin, end, flaw } => {
                    if begin as u64 > offset && end < bytes.len() {
                        found.error(log.name(), begin as u64, flaw.to_string());
                    }
                }
            }
        }
        found.batches += batches + behind;
        if behind > 0 {
            let what = format!("batches after the damage that can still be read: {behind}");
            found.say(Severity::Note, &log.name(), offset, what);
        }
        let (begin, records) = (log.header_bytes() as u64, batches + behind);
        self.links.push(Link { log: log.number(), records, follows, begin });
        self.expected = None;
    }

    fn chain(&self, found: &mut Found) {
        let Some(oldest) = self.oldest.filter(|_| !self.broken) else { return };
        if let Err(error) = chain::require_whole(oldest, &self.links) {
            let file = error.file().unwrap_or(FileName::Wal(oldest));
            found.error(file, error.offset(), error.message());
        }
    }
}
