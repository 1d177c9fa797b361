//! Repair: salvages the verified data of a damaged database into a new one.
//!
//! ```text
//! good blocks of tables ┐
//! good batches of logs  ┴→ merged by key, newest version first → tables → manifest → CURRENT
//! ```
//!
//! The new database has for each key the newest version that was saved, by sequence number: these decide, not levels,
//! so it does not matter in which table something was found. Range tombstones hide older entries. The manifest is
//! needed only to know which tables and logs count. Where it cannot be read or trusted all of them are taken, and the
//! report warns that deleted entries which compactions had removed may be back.

mod log;
mod places;
mod ranges;
mod report;
mod saved;
mod table;
mod writer;

pub use report::{Loss, RepairReport};

use self::saved::Saved;
use self::table::SavedCursor;
use self::writer::DatabaseWriter;
use crate::check::{Check, ReadOnlyStorage};
use crate::iter::Cursor;
use crate::key::{SeqNo, compare_internal, parse_internal_key, user_key};
use crate::memtable::MemtableCursor;
use crate::ranges::RangeSet;
use crate::sorting;
use crate::storage::{FileName, Storage};
use crate::survey::{Survey, Unfinished};
use crate::{Error, Options, Result, ValueKind};
use std::sync::Arc;

/// How a repair is done. Each is a field, and a method that sets it.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RepairOptions {
    /// How the new tables are written.
    pub options: Options,
    /// Batches after damage in a log are saved too, although earlier ones are missing.
    pub after_holes: bool,
}

impl RepairOptions {
    /// Sets how the new tables are written.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Sets whether batches after damage in a log are saved too.
    #[must_use]
    pub fn after_holes(mut self, after_holes: bool) -> Self {
        self.after_holes = after_holes;
        self
    }
}

/// Salvages the verified data of `source` into `target`, which must be empty. Nothing in `source` is changed.
///
/// Both must be storage that opens files at once: a repair is not done in slices.
///
/// Cost: reads the source twice and writes as much as is good; memory for the logs, a block and the places
/// of the blocks of each table.
///
/// # Errors
/// `Locked` when another handle has the source open; `InvalidArgument` when the target has files; `NotFound` when the
/// source has no files of a database, `UnsupportedFormat` when it is one of another program; those of the storages.
/// Then the target is empty again, or marked as unfinished and refused. The report lists damage in the source.
pub fn repair(
    source: Arc<dyn Storage>,
    target: Arc<dyn Storage>,
    options: &RepairOptions,
) -> Result<RepairReport> {
    options.options.validate()?;
    if target.list()?.iter().any(|name| FileName::parse(name) != Some(FileName::Lock)) {
        return Err(Error::invalid("the directory for the repaired database is not empty"));
    }
    let survey = Survey::of(&*source)?;
    survey.allow_reading()?;
    let _source_lock = source.lock()?;
    let source = ReadOnlyStorage::new(source);
    let mut report =
        RepairReport { not_understood: survey.not_understood(), ..RepairReport::default() };
    let saved = Saved::collect(&source, options.after_holes, &mut report)?;
    let mark = Unfinished::begin(Arc::clone(&target))?;
    let written = write(&source, saved, &*target, options, &mut report);
    if let Err(error) = written.and_then(|()| mark.finish()) {
        // Files that cannot be deleted stay marked.
        let _ = mark.abandon();
        return Err(error);
    }
    report.check = Check::new(target)?.run()?;
    Ok(report)
}

/// Writes the saved data as a database.
fn write(
    source: &ReadOnlyStorage,
    saved: Saved,
    target: &dyn Storage,
    options: &RepairOptions,
    report: &mut RepairReport,
) -> Result<()> {
    let _lock = target.lock()?;
    let last_sequence = saved.last_sequence;
    let mut writer = DatabaseWriter::new(target, options);
    merge(source, saved, &mut writer, report)?;
    writer.finish(last_sequence, report)
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

/// Writes the newest version of each key that no range tombstone hides; tombstones of both kinds have nothing
/// left to hide.
fn merge(
    source: &ReadOnlyStorage,
    saved: Saved,
    target: &mut DatabaseWriter<'_>,
    report: &mut RepairReport,
) -> Result<()> {
    // Opened when the merge gets there, so that few are open at once; the first one at the end.
    let ranges = saved.tables.iter().flat_map(|table| table.ranges.iter().cloned());
    let ranges = ranges.chain(saved.logs.iter().flat_map(|log| log.memtable.ranges())).collect();
    let ranges = RangeSet::new(ranges);
    let mut waiting = saved.tables;
    sorting::sort_by(&mut waiting, |left, right| compare_internal(&right.first, &left.first));
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
                inputs.push(Input::Table(Box::new(SavedCursor::open(source, table)?)));
                continue;
            }
        }
        let Some(input) = first.and_then(|index| inputs.get_mut(index)) else { return Ok(()) };
        let Some(key) = input.key() else { return Ok(()) };
        report.entries_read += 1;
        if last.as_deref() != Some(user_key(key)) {
            last = Some(user_key(key).to_vec());
            let put = parse_internal_key(key).is_some_and(|key| {
                let covering = ranges.covering(key.user_key, SeqNo::MAX);
                let is_hidden = covering.is_some_and(|range| range.sequence > key.sequence);
                key.kind == ValueKind::Put && !is_hidden
            });
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
