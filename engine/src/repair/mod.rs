//! Repair: what can be proved good of a damaged database, written as a new one.
//!
//! ```text
//! good blocks of tables ┐
//! good batches of logs  ┴→ merged by key, newest version first → tables → manifest → CURRENT
//! ```
//!
//! The new database has for each key the newest version that was saved, by sequence number: these decide,
//! not levels, so it does not matter in which table something was found. The manifest is needed only to
//! know which tables and logs count. Where it cannot be read all of them are taken, and the report says
//! that what had been deleted and compacted away may be back.

mod log;
mod places;
mod report;
mod table;
mod target;

pub use report::{Loss, RepairReport};

use self::log::{SavedLog, Wanted};
use self::places::{Place, Places};
use self::report::Lost;
use self::table::{SavedCursor, SavedTable};
use self::target::Target;
use crate::check::{Belonging, Check, Evidence, Frame};
use crate::iter::Cursor;
use crate::key::{SeqNo, compare_internal, parse_internal_key, user_key};
use crate::manifest::ManifestState;
use crate::memtable::MemtableCursor;
use crate::storage::{FileName, FileNumber, Storage};
use crate::survey::Survey;
use crate::wal::chain;
use crate::{Error, ErrorKind, Options, Result, ValueKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a repair is done.
#[derive(Debug, Clone, Default)]
pub struct RepairOptions {
    /// How the new tables are written.
    pub options: Options,
    /// Batches behind damage in a log are saved too, although those before them are missing.
    pub after_holes: bool,
}

/// Saves what can be proved good in `source` into `target`, which must be empty. Nothing in `source` is
/// changed.
///
/// Both must be storage that opens files at once: a repair is not done in slices.
///
/// Cost: reads the source twice and writes as much as is good; memory for the logs, a block and the places
/// of the blocks of each table.
///
/// # Errors
/// `Locked` when another handle has the source open; `InvalidArgument` when the target has files; `NotFound`
/// when the source has no files of a database, `UnsupportedFormat` when it is one of another program; those of the storages. A target that was begun and has no
/// `CURRENT` is no database. Damage in the source is told in the report.
pub fn repair(
    source: Arc<dyn Storage>,
    target: Arc<dyn Storage>,
    options: &RepairOptions,
) -> Result<RepairReport> {
    options.options.validate()?;
    if !target.list()?.is_empty() {
        return Err(Error::invalid("the directory for the repaired database is not empty"));
    }
    let survey = Survey::of(&*source)?;
    survey.allow_reading()?;
    let _source_lock = source.lock()?;
    let evidence = Evidence::new(source);
    let mut report =
        RepairReport { not_understood: survey.not_understood(), ..RepairReport::default() };
    let saved = Saved::collect(&evidence, options.after_holes, &mut report)?;
    let target_lock = target.lock()?;
    let last_sequence = saved.last_sequence;
    let mut writer = Target::new(&*target, options);
    merge(&evidence, saved, &mut writer, &mut report)?;
    writer.finish(last_sequence, &mut report)?;
    drop(target_lock);
    report.check = Check::new(target)?.run()?;
    Ok(report)
}

/// Everything good.
#[derive(Debug, Default)]
struct Saved {
    tables: Vec<SavedTable>,
    logs: Vec<SavedLog>,
    last_sequence: SeqNo,
}

impl Saved {
    fn collect(evidence: &Evidence, after_holes: bool, report: &mut RepairReport) -> Result<Self> {
        let frame = Frame::read_quietly(evidence)?;
        if frame.unfinished {
            let message = "a crash interrupted the creation of this database, and nothing was in it: there \
                           is nothing to repair, and opening it begins anew";
            return Err(Error::new(ErrorKind::NotFound, message));
        }
        report.manifest_read = frame.state.is_some();
        let belonging = match &frame.state {
            Some(_) => frame.belonging,
            None => Belonging::of_most(evidence, &frame.names)?,
        };
        let places = Places::read(evidence, &frame.names, belonging)?;
        report.notes = places.notes();
        let mut saved = Self::default();
        if let Some(state) = &frame.state {
            saved.last_sequence = state.last_sequence;
            saved.tables_of(evidence, state, &places, report)?;
        } else {
            for name in places.all() {
                if let FileName::Table(number) = name {
                    // A table that had been replaced may have what a tombstone removed.
                    report.deletes_may_be_undone = true;
                    let place = places.place_of(name);
                    saved.tables.extend(table::survey(evidence, number, place, None, report)?);
                }
            }
        }
        saved.logs_of(evidence, &frame, &places, after_holes, report)?;
        report.tables = saved.tables.len() as u64;
        report.logs = saved.logs.len() as u64;
        Ok(saved)
    }

    fn tables_of(
        &mut self,
        evidence: &Evidence,
        state: &ManifestState,
        places: &Places,
        report: &mut RepairReport,
    ) -> Result<()> {
        for (_, meta) in state.version.tables() {
            self.last_sequence = self.last_sequence.max(meta.sequence_max);
            let place = places.place_of(FileName::Table(meta.number));
            let surveyed = table::survey(evidence, meta.number, place, Some(meta), report)?;
            self.tables.extend(surveyed);
        }
        Ok(())
    }

    fn logs_of(
        &mut self,
        evidence: &Evidence,
        frame: &Frame,
        places: &Places,
        after_holes: bool,
        report: &mut RepairReport,
    ) -> Result<()> {
        let oldest = frame.state.as_ref().map_or(0, |state| state.log_number);
        let sealed: BTreeMap<FileNumber, u64> =
            frame.state.iter().flat_map(|state| state.sealed_logs.iter().copied()).collect();
        let belonging = places.belonging();
        let mut logs = Vec::new();
        for name in places.all() {
            let FileName::Wal(number) = name else { continue };
            if number < oldest {
                continue;
            }
            match places.place_of(name) {
                Place::File(file) => logs.push((number, file)),
                Place::Elsewhere(what) => report.lose(Lost::bytes(name, 0, 0, what)),
            }
        }
        let mut newest = logs.last().copied();
        // As in recovery: logs without a byte do not count.
        for log in logs.iter().rev() {
            newest = Some(*log);
            match evidence.open(log.1).and_then(|file| file.is_empty()) {
                Ok(true) => {}
                Err(error) if error.blocked_on().is_some() => return Err(error),
                _ => break,
            }
        }
        for (number, file) in logs {
            let sealed = sealed.get(&number).copied();
            let newest = Some((number, file)) == newest;
            let wanted = Wanted { number, file, belonging, sealed, newest, after_holes };
            self.logs.extend(log::save(evidence, wanted, report)?);
        }
        if frame.state.is_some() {
            self.missing_logs(frame, oldest, report);
        }
        for log in &self.logs {
            self.last_sequence = self.last_sequence.max(log.last_sequence);
        }
        Ok(())
    }

    fn missing_logs(&self, frame: &Frame, oldest: FileNumber, report: &mut RepairReport) {
        let links: Vec<chain::Link> = self.logs.iter().map(|log| log.link).collect();
        if let Err(error) = chain::require_whole(oldest, &links) {
            let file = error.file().unwrap_or(FileName::Wal(oldest));
            report.holes = true;
            report.lose(Lost::bytes(file, 0, 0, error.message()));
        } else if frame.missing_log && !links.iter().any(|link| link.log == oldest) {
            let what = "the manifest needs this log, but it does not exist";
            report.holes |= !links.is_empty();
            report.lose(Lost::bytes(FileName::Wal(oldest), 0, 0, what));
        }
    }
}

/// Where the next entry may come from.
enum Input {
    Table(Box<SavedCursor>),
    Log(MemtableCursor),
}

impl Input {
    fn key(&self) -> Option<&[u8]> {
        match self {
            Self::Table(cursor) => cursor.key(),
            Self::Log(cursor) => cursor.valid().then(|| cursor.key()),
        }
    }

    fn value(&self) -> &[u8] {
        match self {
            Self::Table(cursor) => cursor.value(),
            Self::Log(cursor) => cursor.value(),
        }
    }

    fn next(&mut self) -> Result<()> {
        match self {
            Self::Table(cursor) => cursor.next(),
            Self::Log(cursor) => cursor.next(),
        }
    }
}

/// Writes the newest version of each key; tombstones have nothing left to hide.
fn merge(
    evidence: &Evidence,
    saved: Saved,
    target: &mut Target<'_>,
    report: &mut RepairReport,
) -> Result<()> {
    // Opened when the merge gets there, so that few are open at once; the first one at the end.
    let mut waiting = saved.tables;
    waiting.sort_by(|left, right| compare_internal(&right.first, &left.first));
    let mut inputs: Vec<Input> = Vec::new();
    for log in &saved.logs {
        let mut cursor = log.memtable.cursor();
        cursor.seek_to_first()?;
        inputs.push(Input::Log(cursor));
    }
    let mut last: Option<Vec<u8>> = None;
    loop {
        inputs.retain(|input| input.key().is_some());
        let first = smallest(&inputs);
        if let Some(table) = waiting.last() {
            let head = first.and_then(|index| inputs.get(index)).and_then(Input::key);
            if head.is_none_or(|head| compare_internal(&table.first, head).is_le())
                && let Some(table) = waiting.pop()
            {
                inputs.push(Input::Table(Box::new(SavedCursor::open(evidence, table)?)));
                continue;
            }
        }
        let Some(input) = first.and_then(|index| inputs.get_mut(index)) else { return Ok(()) };
        let Some(key) = input.key() else { return Ok(()) };
        report.entries_read += 1;
        if last.as_deref() != Some(user_key(key)) {
            last = Some(user_key(key).to_vec());
            let put = parse_internal_key(key).is_some_and(|key| key.kind == ValueKind::Put);
            if put {
                target.add(key, input.value())?;
                report.keys += 1;
            }
        }
        input.next()?;
    }
}

/// The input whose entry comes first.
fn smallest(inputs: &[Input]) -> Option<usize> {
    let keys = inputs.iter().enumerate().filter_map(|(at, input)| Some((at, input.key()?)));
    keys.min_by(|(_, left), (_, right)| compare_internal(left, right)).map(|(at, _)| at)
}
