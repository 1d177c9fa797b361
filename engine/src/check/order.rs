//! Whether the order of levels and runs tells the truth: the first that has a key has its newest version.

use super::report::UnitReport;
use crate::cache::BlockCache;
use crate::event::ShownKey;
use crate::identity::Owner;
use crate::iter::{Cursor, LevelCursor};
use crate::key::{compare_internal, parse_internal_key};
use crate::manifest::{Run, TableMeta, Version};
use crate::storage::{FileName, FileNumber, Storage};
use crate::table::{SequentialTables, TableCache};
use crate::{PrefixIndexForm, Result, text};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Open tables that the walk keeps beside those that it reads.
const OPEN_TABLES_MAX: usize = 4;

/// One run, and where it is.
struct Source {
    level: usize,
    run: Arc<Run>,
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
            let placed = cursor.seek_to_first();
            if found.take(FileName::Table(table), placed)?.is_some() {
                self.sources.push(Source { level, run, cursor });
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

/// The source whose entry comes first.
fn smallest(sources: &[Source]) -> Option<usize> {
    let valid = sources.iter().enumerate().filter(|(_, source)| source.cursor.valid());
    let first = valid
        .min_by(|(_, left), (_, right)| compare_internal(left.cursor.key(), right.cursor.key()));
    first.map(|(index, _)| index)
}
