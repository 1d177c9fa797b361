//! Everything good of the source: the tables and logs that are taken, and the missing ones.
//!
//! The manifest decides which tables and logs count, unless it cannot be read or must be doubted. It is doubted when
//! its end is torn, or when a table or log that it needs is lost, and there are sound tables of this database that it
//! does not name: its last edits may then be lost, and all tables and logs are taken.

use super::log::{self, LogRequest, SavedLog};
use super::places::{Place, Places};
use super::report::{NewLoss, RepairReport};
use super::table::{self, SavedTable};
use crate::check::ReadOnlyStorage;
use crate::flaw::{pass, salvage};
use crate::key::{SeqNo, user_key};
use crate::manifest::{ManifestState, TableMeta};
use crate::sorting;
use crate::storage::{FileName, FileNumber, Storage};
use crate::survey::{BEGUN, Frame, LogEnds, missing_table};
use crate::wal::{LogEnd, chain};
use crate::{Error, ErrorKind, Result, text};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Everything good.
#[derive(Debug, Default)]
pub(super) struct Saved {
    pub(super) tables: Vec<SavedTable>,
    pub(super) logs: Vec<SavedLog>,
    pub(super) last_sequence: SeqNo,
}

/// A table that the manifest names, as it was found.
struct Named {
    meta: Arc<TableMeta>,
    saved: Option<SavedTable>,
    losses: RepairReport,
}

impl Saved {
    /// Surveys the tables and logs of `source`.
    ///
    /// # Errors
    /// `NotFound` when nothing was ever in the database; `WouldBlock`; those of listing the directory.
    pub(super) fn collect(
        source: &ReadOnlyStorage,
        after_holes: bool,
        report: &mut RepairReport,
    ) -> Result<Self> {
        let listed = source.list()?;
        let names = listed.iter().filter_map(|name| FileName::parse(name)).collect();
        let mut frame = Frame::read(source, names, &mut salvage)?;
        frame.require_log(source, &mut salvage)?;
        if frame.begun {
            let message = format!("there is nothing to repair: {BEGUN}");
            return Err(Error::new(ErrorKind::NotFound, message));
        }
        report.manifest_read = frame.state.is_some();
        report.torn_tails += u64::from(frame.torn_bytes() > 0);
        let places = Places::read(source, &frame.names, frame.belonging)?;
        report.notes = places.notes();
        let mut saved = Self::default();
        if let Some(state) = &frame.state {
            saved.last_sequence = state.last_sequence;
            saved.tables_of(source, &frame, state, &places, report)?;
        } else {
            saved.spare(source, &places, &BTreeSet::new(), report)?;
        }
        for table in &saved.tables {
            saved.last_sequence = saved.last_sequence.max(table.last_sequence);
        }
        saved.logs_of(source, &frame, &places, after_holes, report)?;
        report.tables = saved.tables.len() as u64;
        report.logs = saved.logs.len() as u64;
        Ok(saved)
    }

    /// Takes the tables that the manifest names, and all others as well when it is doubted.
    fn tables_of(
        &mut self,
        source: &ReadOnlyStorage,
        frame: &Frame,
        state: &ManifestState,
        places: &Places,
        report: &mut RepairReport,
    ) -> Result<()> {
        let mut named = Vec::new();
        for (level, meta) in state.version.tables() {
            self.last_sequence = self.last_sequence.max(meta.sequence_max);
            let name = FileName::Table(meta.number);
            let place = match places.place_of(name) {
                Place::File(file) if !frame.has(file) => {
                    Place::Elsewhere(missing_table(level, meta.number).message().to_owned())
                }
                place => place,
            };
            let mut losses = RepairReport::default();
            let saved = table::survey(source, meta.number, place, Some(meta), &mut losses)?;
            named.push(Named { meta: Arc::clone(meta), saved, losses });
        }
        let numbers = sorting::set(named.iter().map(|table| table.meta.number));
        if is_spare(places, &numbers)
            && let Some(doubt) = doubt(frame, state, &named)
        {
            report.manifest_read = false;
            report.manifest_doubt = Some(doubt);
            self.spare(source, places, &numbers, report)?;
        }
        for Named { meta, saved, losses } in named {
            let replaced = saved.is_none() && self.may_have_replaced(&meta);
            self.tables.extend(saved);
            if replaced {
                report.notes.push(format!(
                    "{} is lost, but newer tables that the manifest does not name have keys of its range, \
                     and may have replaced it",
                    FileName::Table(meta.number)
                ));
            } else {
                report.absorb(losses);
            }
        }
        Ok(())
    }

    /// Takes every table except those with a number in `named`.
    fn spare(
        &mut self,
        source: &ReadOnlyStorage,
        places: &Places,
        named: &BTreeSet<FileNumber>,
        report: &mut RepairReport,
    ) -> Result<()> {
        for name in places.all() {
            let FileName::Table(number) = name else { continue };
            if named.contains(&number) {
                continue;
            }
            // A replaced table may have keys that a tombstone removed.
            report.deletes_may_be_undone = true;
            let place = places.place_of(name);
            self.tables.extend(table::survey(source, number, place, None, report)?);
        }
        Ok(())
    }

    /// Whether a compaction may have replaced the table by one that the manifest does not name: its output
    /// has a larger number and keys of the same range.
    fn may_have_replaced(&self, meta: &TableMeta) -> bool {
        self.tables.iter().any(|table| {
            table.is_spare()
                && table.number > meta.number
                && user_key(&table.first) <= user_key(&meta.largest)
                && user_key(&table.last) >= user_key(&meta.smallest)
        })
    }

    fn logs_of(
        &mut self,
        source: &ReadOnlyStorage,
        frame: &Frame,
        places: &Places,
        after_holes: bool,
        report: &mut RepairReport,
    ) -> Result<()> {
        let trusted = frame.state.as_ref().filter(|_| report.manifest_read);
        let oldest = trusted.map_or(0, |state| state.log_number);
        let belonging = places.belonging();
        let mut ends = LogEnds::of(frame.state.as_ref());
        let mut logs = Vec::new();
        for name in places.all() {
            let FileName::Wal(number) = name else { continue };
            if number < oldest {
                continue;
            }
            match places.place_of(name) {
                Place::File(file) => {
                    // A file that cannot be measured is reported when reading it fails.
                    let bytes = source.open(file).and_then(|file| file.len());
                    let bytes = pass(bytes, &mut salvage)?.unwrap_or(1);
                    match ends.measure(number, bytes) {
                        Ok(true) => logs.push((number, file)),
                        Ok(false) => {}
                        Err(flaw) => report.lose(NewLoss::bytes(name, 0, 0, flaw.message())),
                    }
                }
                Place::Elsewhere(what) => report.lose(NewLoss::bytes(name, 0, 0, what)),
            }
        }
        if let Some((number, file)) = logs.iter().find(|log| Some(log.0) == ends.newest()) {
            let learnt = source.open(*file).and_then(|opened| {
                let log = belonging.wal_in(*number, &*opened, *file)?;
                ends.learn(&*opened, log)
            });
            pass(learnt, &mut salvage)?;
        }
        for (number, file) in logs {
            let is_cut_off = ends.is_cut_off(number);
            report.holes |= is_cut_off && after_holes;
            report.torn_tails += u64::from(is_cut_off && !after_holes);
            let end = if is_cut_off && after_holes { LogEnd::Newest } else { ends.end(number) };
            let newest = ends.newest() == Some(number) || frame.state.is_none();
            let wanted = LogRequest { number, file, belonging, end, newest, after_holes };
            let saved = log::save(source, wanted, report)?;
            ends.ended(number, saved.as_ref().and_then(|log| log.summary.as_ref()));
            self.logs.extend(saved.map(|mut log| {
                if let Some(found) = &log.summary {
                    log.link.follows = ends.follows(number, found);
                }
                log
            }));
        }
        match trusted {
            Some(_) => self.missing_logs(frame, oldest, report),
            None => self.gaps(report),
        }
        for log in &self.logs {
            self.last_sequence = self.last_sequence.max(log.last_sequence);
        }
        Ok(())
    }

    fn missing_logs(&self, frame: &Frame, oldest: FileNumber, report: &mut RepairReport) {
        let links: Vec<chain::Link> = self.logs.iter().map(|log| log.link).collect();
        let flaw = match &frame.missing_log {
            Some(flaw) if links.iter().all(|link| flaw.file() != Some(FileName::Wal(link.log))) => {
                Some(flaw.clone())
            }
            _ => chain::require_whole(oldest, &links).err(),
        };
        if let Some(flaw) = flaw {
            let file = flaw.file().unwrap_or(FileName::Wal(oldest));
            // Without a log after it, it is the end that is missing.
            report.holes |= links.iter().any(|link| FileName::Wal(link.log) > file);
            report.lose(NewLoss::bytes(file, 0, 0, flaw.message()));
        }
    }

    /// Reports the sequence numbers that are missing before a log, without a manifest that lists the flushed logs: the
    /// log before each log must be in the tables or in the directory.
    fn gaps(&self, report: &mut RepairReport) {
        let mut last = self.tables.iter().map(|table| table.last_sequence).max().unwrap_or(0);
        for log in &self.logs {
            let is_there = |number| self.logs.iter().any(|other| other.link.log == number);
            let before = log.link.follows.filter(|previous| !is_there(*previous));
            let gap = log.first_sequence.map(|first| (last.saturating_add(1), first));
            let gap = gap.filter(|(from, first)| from < first);
            let name = FileName::Wal(log.link.log);
            let numbers = |(from, first): (SeqNo, SeqNo)| match first.saturating_sub(1) {
                until if until == from => format!("sequence number {} is", text::count(from)),
                until => {
                    format!("sequence numbers {} to {} are", text::count(from), text::count(until))
                }
            };
            let lost = match (before, gap) {
                (Some(before), Some(gap)) => {
                    let numbers = numbers(gap);
                    let what = format!(
                        "{name} continues this log; it does not exist, or is empty, and {numbers} in no \
                         table and no other log"
                    );
                    Some((FileName::Wal(before), what))
                }
                (Some(before), None) if last == 0 && log.first_sequence.is_none() => {
                    let what = format!(
                        "{name} continues this log; it does not exist, or is empty, and no table has its writes"
                    );
                    Some((FileName::Wal(before), what))
                }
                (None, Some(gap)) if last == 0 => {
                    let numbers = numbers(gap);
                    Some((name, format!("{numbers} missing before it, and there is no table")))
                }
                _ => None,
            };
            if let Some((file, what)) = lost {
                report.holes = true;
                report.lose(NewLoss::bytes(file, 0, 0, what));
            }
            last = last.max(log.last_sequence);
        }
    }
}

/// Whether there is a table that proves to be of this database and has no number in `named`.
fn is_spare(places: &Places, named: &BTreeSet<FileNumber>) -> bool {
    places.all().into_iter().any(|name| match name {
        FileName::Table(number) => !named.contains(&number) && places.is_proved(name),
        _ => false,
    })
}

/// Why the last edits of the manifest may be lost, as clauses.
fn doubt(frame: &Frame, state: &ManifestState, named: &[Named]) -> Option<String> {
    let mut reasons = Vec::new();
    if frame.torn_bytes() > 0 {
        reasons.push("its end is torn".to_owned());
    }
    if let Some(missing) = &frame.missing_log {
        let log = missing.file().unwrap_or(FileName::Wal(state.log_number));
        reasons.push(format!("{log}, which it needs, does not exist"));
    }
    let mut lost = named.iter().filter(|table| table.saved.is_none());
    if let Some(first) = lost.next() {
        let name = FileName::Table(first.meta.number);
        reasons.push(match lost.count() {
            0 => format!("{name}, which it names, is lost"),
            1 => format!("{name} and another table, which it names, are lost"),
            more => format!("{name} and {more} other tables, which it names, are lost"),
        });
    }
    (!reasons.is_empty()).then(|| reasons.join("; "))
}
