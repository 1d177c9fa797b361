//! The logs: each one by itself, and that they follow one another without a gap.

use super::frame::torn;
use super::report::{Severity, UnitReport};
use super::source::ReadOnlyStorage;
use crate::event::WalEnd;
use crate::key::SeqNo;
use crate::manifest::ManifestState;
use crate::storage::{FileName, FileNumber, Storage};
use crate::survey::{Belonging, Frame, LogEnds};
use crate::wal::chain::{self, Link};
use crate::wal::{self, LogEnd, LogFlaw, Replay, WalRecord, WalSummary};
use crate::{Error, ErrorKind, Result, text};
use std::collections::VecDeque;

/// Asks whether a log is still needed, for a database that is open: a flush may have deleted it.
pub(super) type StillNeeded<'a> = &'a dyn Fn(FileNumber) -> bool;

/// Checks the logs, oldest first, and keeps the findings that need a later log.
#[derive(Debug, Default)]
pub(super) struct LogCheck {
    belonging: Belonging,
    /// Logs whose length is not known yet.
    unmeasured: VecDeque<FileNumber>,
    /// Logs that are to be read; in an open database with the bytes that were written.
    waiting: VecDeque<(FileNumber, Option<u64>)>,
    ends: LogEnds,
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
    /// Gaps between logs, reported after the missing files that explain them.
    gaps: UnitReport,
}

impl LogCheck {
    /// The logs of a closed database.
    pub(super) fn new(frame: &Frame) -> Self {
        let state = frame.state.as_ref();
        Self {
            unmeasured: frame.logs().into(),
            ..Self::over(frame, frame.manifest_number(), state)
        }
    }

    /// The logs of an open database with the manifest state `state`, and the written length of each, without its
    /// reserved space.
    pub(super) fn of_open(
        logs: Vec<(FileNumber, u64)>,
        manifest: FileNumber,
        state: &ManifestState,
        frame: &Frame,
    ) -> Self {
        let needed = logs.into_iter().filter(|(number, _)| *number >= state.log_number);
        let waiting = needed.map(|(number, bytes)| (number, Some(bytes))).collect();
        Self { waiting, ..Self::over(frame, manifest, Some(state)) }
    }

    fn over(frame: &Frame, manifest: FileNumber, state: Option<&ManifestState>) -> Self {
        let tables = state.map(|state| state.version.tables());
        let newest = tables.and_then(|tables| tables.map(|(_, meta)| meta.sequence_max).max());
        Self {
            belonging: frame.belonging,
            session: manifest,
            ends: LogEnds::of(state),
            oldest: state.map(|state| state.log_number),
            // Logs that are needed are newer than all tables.
            expected: newest.map(|newest| (newest.saturating_add(1), None)),
            ..Self::default()
        }
    }

    /// Measures or reads one log; false at the end.
    ///
    /// # Errors
    /// `WouldBlock` has changed nothing.
    pub(super) fn step(
        &mut self,
        storage: &ReadOnlyStorage,
        needed: StillNeeded<'_>,
        found: &mut UnitReport,
    ) -> Result<bool> {
        if let Some(number) = self.unmeasured.front().copied() {
            let name = FileName::Wal(number);
            let length = storage.open(name).and_then(|file| file.len());
            if let Some(length) = found.take(name, length)? {
                match found.take(name, self.ends.measure(number, length))? {
                    Some(true) => self.waiting.push_back((number, None)),
                    Some(false) => {
                        let what =
                            "the log is empty: no write was made to it, or all of them are lost";
                        found.add(Severity::Note, &name, None, what);
                    }
                    None => {}
                }
            }
            self.unmeasured.pop_front();
            if self.unmeasured.is_empty()
                && let Some(newest) = self.ends.newest()
            {
                self.learn(storage, newest, found)?;
            }
            return Ok(true);
        }
        let Some((number, written)) = self.waiting.front().copied() else {
            self.chain(found);
            return Ok(false);
        };
        let name = FileName::Wal(number);
        match storage.open(name).and_then(|file| wal::read_log(&*file, number)) {
            // Flushed and deleted since the database listed it.
            Err(error) if error.kind() == ErrorKind::NotFound && !needed(number) => {
                self.oldest = self.oldest.map(|_| number.saturating_add(1));
                self.expected = self.expected.map(|(expected, _)| (expected, None));
            }
            read => {
                if let Some(bytes) = found.take(name, read)? {
                    let length = bytes.len() as u64;
                    found.read_whole(name, written.map_or(length, |written| written.min(length)));
                    let end = written
                        .map_or_else(|| self.ends.end(number), |bytes| LogEnd::Sealed { bytes });
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

    /// Reads from the newest log how the log before it has to end.
    fn learn(
        &mut self,
        storage: &ReadOnlyStorage,
        newest: FileNumber,
        found: &mut UnitReport,
    ) -> Result<()> {
        let name = FileName::Wal(newest);
        let learnt = storage.open(name).and_then(|file| {
            let log = self.belonging.wal_in(newest, &*file, name)?;
            self.ends.learn(&*file, log)
        });
        found.take(name, learnt)?;
        Ok(())
    }

    fn log(&mut self, number: FileNumber, end: LogEnd, bytes: &[u8], found: &mut UnitReport) {
        let log = self.belonging.wal(number, bytes);
        let name = log.name();
        let mut reading = Reading::default();
        // Nothing fails here: every flaw is a finding.
        let Ok(summary) = wal::walk(bytes, log, end, &mut reading) else { return };
        let is_cut_off = self.ends.is_cut_off(number);
        self.ends.ended(number, reading.flaws.is_empty().then_some(&summary));
        found.batches += summary.records;
        for flaw in &reading.flaws {
            // Never `WouldBlock`: the bytes are here.
            let _ = found.damage(name, flaw);
        }
        if let Some((offset, sequence)) = reading.first {
            self.continuity(name, offset, sequence);
        }
        if let Some(flaw) = reading.flaws.first() {
            self.expected = None;
            if reading.later > 0 {
                let later = text::count(reading.later);
                let what = format!("batches after the damage that can still be read: {later}");
                found.add(Severity::Note, &name, flaw.offset().unwrap_or(0), what);
            }
        } else if is_cut_off {
            let what = "nothing of it counts: a crash took the end of the log before it, and nothing in it was durable";
            found.add(Severity::Warning, &name, None, what);
        } else {
            self.ended(name, end, &summary, found);
        }
        let (begin, records, follows) =
            (log.header_bytes() as u64, summary.records, self.ends.follows(number, &summary));
        self.links.push(Link { log: number, records, follows, begin });
    }

    /// Compares the first batch of a log with the batches before it.
    fn continuity(&mut self, name: FileName, offset: u64, sequence: SeqNo) {
        let Some((expected, exactly)) = self.expected else { return };
        let found = &mut self.gaps;
        if sequence < expected {
            let (sequence, expected) = (text::count(sequence), text::count(expected));
            let what = format!(
                "it begins with sequence number {sequence}, but those below {expected} are taken"
            );
            found.error(name, offset, what);
        } else if let Some(session) = exactly.filter(|_| sequence > expected) {
            let gap = format!(
                "it begins with sequence number {}, but the log before ends in {}",
                text::count(sequence),
                text::count(expected.saturating_sub(1))
            );
            if session {
                found.error(name, offset, format!("{gap}: writes are missing between them"));
            } else {
                let what = format!("{gap}: a crash took what was between them and not yet durable");
                found.add(Severity::Note, &name, offset, what);
            }
        }
    }

    fn ended(&mut self, name: FileName, end: LogEnd, summary: &WalSummary, found: &mut UnitReport) {
        match (summary.end, end) {
            (WalEnd::Torn { bytes }, LogEnd::Newest) => {
                let what = format!("{}: the log ends before them", torn(bytes));
                found.add(Severity::Warning, &name, summary.valid_bytes, what);
            }
            (WalEnd::Open, LogEnd::Newest) => {
                let what = "it was not closed: the process that wrote it ended early";
                found.add(Severity::Note, &name, summary.valid_bytes, what);
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

    fn chain(&mut self, found: &mut UnitReport) {
        if let Some(oldest) = self.oldest.filter(|_| !self.broken)
            && let Err(error) = chain::require_whole(oldest, &self.links)
        {
            let _ = found.damage(FileName::Wal(oldest), &error);
        }
        found.findings.append(&mut self.gaps.findings);
    }
}

/// The content of one log.
#[derive(Debug, Default)]
struct Reading {
    /// Place and sequence number of the first batch, unless a flaw comes before it.
    first: Option<(u64, SeqNo)>,
    flaws: Vec<Error>,
    /// Good batches after the first flaw.
    later: u64,
}

impl Replay for Reading {
    fn batch(&mut self, record: &WalRecord<'_>) -> Result<()> {
        record.entries().try_for_each(|entry| entry.map(drop))?;
        if self.flaws.is_empty() {
            self.first.get_or_insert((record.offset, record.first_sequence));
        } else {
            self.later += 1;
        }
        Ok(())
    }

    fn flaw(&mut self, flaw: LogFlaw) -> Result<bool> {
        self.flaws.push(flaw.error);
        Ok(true)
    }
}
