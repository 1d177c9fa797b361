//! Checks the order of levels and runs: the first run that has a key must have its newest version, an entry or a range
//! tombstone over the key.

use super::report::UnitReport;
use crate::cache::BlockCache;
use crate::event::ShownKey;
use crate::identity::Owner;
use crate::iter::{Cursor, LevelCursor};
use crate::key::{SeqNo, compare_internal, parse_internal_key};
use crate::manifest::{Run, TableMeta, Version};
use crate::ranges::RangeSet;
use crate::storage::{FileName, FileNumber, Storage};
use crate::table::{SequentialTables, TableCache};
use crate::{PrefixIndexForm, Result, text};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Open tables that the walk keeps beside those that it reads.
const OPEN_TABLES_MAX: usize = 4;

/// One run, and where it is.
struct Source {
    level: usize,
    run: Arc<Run>,
    /// The range tombstones of all its tables.
    ranges: RangeSet,
    cursor: LevelCursor<SequentialTables>,
}

/// A walk over all runs side by side.
pub(super) struct OrderWalk {
    tables: Arc<SequentialTables>,
    /// Runs that are not open yet, the oldest first.
    waiting: Vec<(usize, Arc<Run>)>,
    /// Newest first: level by level, run by run.
    sources: Vec<Source>,
    /// The user key of the entry before, and the deepest source that had a newer version of it.
    last: Option<(Vec<u8>, usize)>,
}

impl OrderWalk {
    /// A walk over the tables of `version`, a database of `owner`, that are not in `damaged`.
    pub(super) fn new(
        storage: Arc<dyn Storage>,
        version: &Version,
        damaged: &BTreeSet<FileNumber>,
        owner: Owner,
    ) -> Self {
        let blocks = Arc::new(BlockCache::new(0));
        let form = PrefixIndexForm::None;
        let cache = TableCache::new(storage, OPEN_TABLES_MAX, blocks, form, owner);
        let mut waiting = Vec::new();
        for level in 0..version.level_count() {
            for run in version.runs(level) {
                let sound = run.tables().iter().filter(|meta| !damaged.contains(&meta.number));
                let sound: Vec<Arc<TableMeta>> = sound.cloned().collect();
                if !sound.is_empty() {
                    waiting.push((level, Arc::new(Run::new(run.number(), sound))));
                }
            }
        }
        waiting.reverse();
        let tables = Arc::new(SequentialTables(Arc::new(cache)));
        Self { tables, waiting, sources: Vec::new(), last: None }
    }

    /// Opens one run, or compares one entry; false at the end.
    ///
    /// # Errors
    /// `WouldBlock` has changed nothing. Other errors are damage not found before: the run is left out.
    pub(super) fn step(&mut self, found: &mut UnitReport) -> Result<bool> {
        if let Some((level, run)) = self.waiting.last() {
            let (level, run) = (*level, Arc::clone(run));
            let table = run.tables().first().map_or(0, |meta| meta.number);
            let mut cursor = LevelCursor::new(Arc::clone(&run), Arc::clone(&self.tables));
            let placed = cursor.seek_to_first().and_then(|()| self.ranges_of(&run));
            if let Some(ranges) = found.take(FileName::Table(table), placed)? {
                self.sources.push(Source { level, run, ranges, cursor });
            }
            self.waiting.pop();
            return Ok(true);
        }
        let Some(index) = smallest(&self.sources) else { return Ok(false) };
        let Some(source) = self.sources.get_mut(index) else { return Ok(false) };
        let Some(entry) = parse_internal_key(source.cursor.key()) else { return Ok(false) };
        // Versions come newest first: each must lie as deep as the one before, or deeper.
        let newer = self.last.as_ref().filter(|(key, _)| key == entry.user_key);
        let before = newer.map_or(0, |(_, index)| *index);
        let (level, run, sequence) = (source.level, source.run.number(), entry.sequence);
        let table = source.run.tables().iter().find(|meta| meta.covers(entry.user_key));
        let table = table.map_or(0, |meta| meta.number);
        let (key, shown) = (entry.user_key.to_vec(), ShownKey::new(entry.user_key));
        self.check_ranges(index, &key, sequence, table, found);
        let Some(source) = self.sources.get_mut(index) else { return Ok(false) };
        let moved = source.cursor.next();
        if found.take(FileName::Table(table), moved)?.is_none() {
            self.sources.remove(index);
            // Positions have changed, so the deeper position is no longer known.
            self.last = None;
            return Ok(true);
        }
        if before > index {
            let deeper =
                self.sources.get(before).map_or((0, 0), |deep| (deep.level, deep.run.number()));
            let sequence = text::count(sequence);
            let what = format!(
                "in run {run} of L{level} it has {shown} with sequence number {sequence} and hides \
                 a newer version in run {} of L{}",
                deeper.1, deeper.0
            );
            found.error(FileName::Table(table), None, what);
        }
        self.last = Some((key, before.max(index)));
        Ok(true)
    }
}

impl OrderWalk {
    /// The range tombstones of the tables of `run`.
    fn ranges_of(&self, run: &Run) -> Result<RangeSet> {
        let mut all = Vec::new();
        for meta in run.tables().iter().filter(|meta| meta.ranges.is_some()) {
            all.extend(self.tables.0.open(meta)?.ranges().all().iter().cloned());
        }
        Ok(RangeSet::new(all))
    }

    /// Compares an entry of the source `index` with the range tombstones over its key: those of sources before
    /// it must be newer, those of sources after it older.
    fn check_ranges(
        &self,
        index: usize,
        key: &[u8],
        sequence: SeqNo,
        table: FileNumber,
        found: &mut UnitReport,
    ) {
        for (other, source) in self.sources.iter().enumerate() {
            let covering = source.ranges.covering(key, SeqNo::MAX);
            let wrong = covering.filter(|range| match other.cmp(&index) {
                Ordering::Less => range.sequence < sequence,
                Ordering::Equal => false,
                Ordering::Greater => range.sequence > sequence,
            });
            let Some(range) = wrong else { continue };
            let relation = if other < index { "is hidden by an older" } else { "hides a newer" };
            let what = format!(
                "its entry {} with sequence number {} {relation} range tombstone, with sequence number {}, \
                 in run {} of L{}",
                ShownKey::new(key),
                text::count(sequence),
                text::count(range.sequence),
                source.run.number(),
                source.level
            );
            found.error(FileName::Table(table), None, what);
        }
    }
}

/// The source whose entry comes first.
fn smallest(sources: &[Source]) -> Option<usize> {
    let valid = sources.iter().enumerate().filter(|(_, source)| source.cursor.valid());
    let first = valid
        .min_by(|(_, left), (_, right)| compare_internal(left.cursor.key(), right.cursor.key()));
    first.map(|(index, _)| index)
}
