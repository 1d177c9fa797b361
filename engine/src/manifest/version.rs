//! Versions: which tables make up the database at one moment.
//!
//! A version never changes; an edit makes the next one. Readers, iterators and jobs hold the version
//! that they read, so a table file may go only when no version in use names it.

use super::edit::VersionEdit;
use super::run::{Run, RunNumber};
use crate::event::{ShownKey, ShownRange};
use crate::few::Few;
use crate::key::{Cut, SeqNo, Span, user_key};
use crate::limits::LEVEL_COUNT_MAX;
use crate::storage::FileNumber;
use crate::view::{RangesView, TableInfo};
use crate::{Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The manifest's record of one table file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableMeta {
    /// Number in the file name.
    pub number: FileNumber,
    /// The run that it belongs to. A table of L0 is a separate run, with its largest sequence number.
    pub run: RunNumber,
    /// Length of the file \[bytes\].
    pub bytes: u64,
    /// Entries, all versions and tombstones.
    pub entries: u64,
    /// Tombstones among the entries.
    pub tombstones: u64,
    /// Data blocks.
    pub blocks: u32,
    /// Smallest internal key of its entries; empty when it has none, only range tombstones.
    pub smallest: Vec<u8>,
    /// Largest internal key of its entries; empty when it has none.
    pub largest: Vec<u8>,
    /// The record of its range tombstones, if it has any.
    pub ranges: Option<RangesMeta>,
    /// Smallest sequence number.
    pub sequence_min: SeqNo,
    /// Largest sequence number.
    pub sequence_max: SeqNo,
}

/// The manifest's record of the range tombstones of one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangesMeta {
    /// How many there are, at least one.
    pub count: u64,
    /// The first key that any of them deletes.
    pub begin: Vec<u8>,
    /// Where the one ends that reaches furthest: before a key, or after all keys.
    pub end: Cut,
}

impl TableMeta {
    /// The keys from its first to its last, be it one of an entry or one of a range tombstone.
    ///
    /// Everything that asks whether tables share keys asks here: a range tombstone belongs to all keys that
    /// it deletes, whether the table has entries for them or not.
    pub(crate) fn span(&self) -> Span<'_> {
        let entries = || Span::inclusive(user_key(&self.smallest), user_key(&self.largest));
        let Some(ranges) = &self.ranges else { return entries() };
        let ranges = Span { from: Cut::At(&ranges.begin, false), to: ranges.end.borrowed() };
        if self.entries == 0 { ranges } else { ranges.hull(entries()) }
    }

    /// Its first key.
    pub(crate) fn first_key(&self) -> &[u8] {
        match self.span().from {
            Cut::At(key, _) => key,
            Cut::End => &[],
        }
    }

    /// Whether `key` lies in its span.
    pub(crate) fn covers(&self, key: &[u8]) -> bool {
        self.span().holds(key)
    }

    /// Whether it ends before `key`.
    #[inline]
    pub(crate) fn ends_before(&self, key: &[u8]) -> bool {
        !self.span().to.is_after(key)
    }

    /// Whether its span has keys in common with `span`.
    pub(crate) fn overlaps(&self, span: &Span<'_>) -> bool {
        self.span().overlaps(span)
    }

    /// Tombstones, and range tombstones.
    pub(crate) fn has_tombstones(&self) -> bool {
        self.tombstones > 0 || self.ranges.is_some()
    }

    /// Its range tombstones as events and views show them.
    fn ranges_view(&self) -> Option<RangesView> {
        let RangesMeta { count, begin, end } = self.ranges.as_ref()?;
        let over = ShownRange::new(begin, end.key().unwrap_or_default());
        Some(RangesView { count: *count, over })
    }

    /// Its last key but for that of a range tombstone without an end.
    fn last_known_key(&self) -> &[u8] {
        if self.entries > 0 { user_key(&self.largest) } else { self.first_key() }
    }

    /// The table as events and views show it.
    pub(crate) fn info(&self) -> TableInfo {
        TableInfo {
            table: self.number,
            run: self.run,
            bytes: self.bytes,
            entries: self.entries,
            tombstones: self.tombstones,
            ranges: self.ranges_view(),
            blocks: self.blocks,
            smallest: ShownKey::new(self.first_key()),
            largest: ShownKey::new(self.span().to.key().unwrap_or_else(|| self.last_known_key())),
            sequence_min: self.sequence_min,
            sequence_max: self.sequence_max,
        }
    }
}

/// The tables of a database: levels of runs of tables.
///
/// Invariants: the runs of a level are ordered newest first. The first run that has a key, in the order of levels and
/// runs, has its newest version. A table of L0 is a separate run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Version {
    levels: Vec<Vec<Arc<Run>>>,
}

impl Version {
    /// The runs of `level`, newest first; none for a level that does not exist.
    pub(crate) fn runs(&self, level: usize) -> &[Arc<Run>] {
        self.levels.get(level).map_or(&[], Vec::as_slice)
    }

    /// The tables of `level`, run by run.
    pub(crate) fn level(&self, level: usize) -> impl Iterator<Item = &Arc<TableMeta>> {
        self.runs(level).iter().flat_map(|run| run.tables())
    }

    /// How many tables of `level` stand before the table `number`, as views list them.
    pub(crate) fn position(&self, level: usize, number: FileNumber) -> usize {
        self.level(level).take_while(|table| table.number != number).count()
    }

    /// Levels that may hold tables: the deepest one with tables, plus one.
    pub(crate) fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// Every table with its level, L0 first, newer runs first.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (usize, &Arc<TableMeta>)> {
        (0..self.levels.len()).flat_map(|level| self.level(level).map(move |table| (level, table)))
    }

    /// Sum of the table files of `level` \[bytes\].
    pub(crate) fn level_bytes(&self, level: usize) -> u64 {
        self.level(level).map(|table| table.bytes).sum()
    }

    /// Tables of `level` that have keys in common with `span`.
    pub(crate) fn overlapping(&self, level: usize, span: &Span<'_>) -> Vec<Arc<TableMeta>> {
        self.level(level).filter(|table| table.overlaps(span)).cloned().collect()
    }

    /// The version after `edit`.
    ///
    /// # Errors
    /// `Corruption` (a sentence without a file) when the edit removes an absent table, adds a number twice, or breaks a
    /// rule of its run.
    pub(crate) fn apply(&self, edit: &VersionEdit) -> Result<Self> {
        let mut levels = self.levels.clone();
        remove(&mut levels, &edit.removed)?;
        let mut added = BTreeSet::new();
        for (_, meta) in &edit.added {
            if !added.insert(meta.number) {
                return Err(twice(meta.number));
            }
        }
        let there = levels.iter().flatten().flat_map(|run| run.tables()).map(|table| table.number);
        if let Some(number) = there.into_iter().find(|number| added.contains(number)) {
            return Err(twice(number));
        }
        let mut grown: Few<(usize, RunNumber), Vec<Arc<TableMeta>>> = Few::new();
        for (level, meta) in &edit.added {
            grown.or_default((*level, meta.run)).push(Arc::clone(meta));
        }
        for ((level, number), tables) in grown {
            let run = run_for(&mut levels, level, number)?;
            *run = Arc::new(Run::new(number, [run.tables(), &tables].concat()));
            check_order(level, run)?;
        }
        for runs in &mut levels {
            runs.retain(|run| !run.tables().is_empty());
        }
        while levels.last().is_some_and(Vec::is_empty) {
            levels.pop();
        }
        Ok(Self { levels })
    }
}

/// Refuses a run in which two tables share a user key.
fn check_order(level: usize, run: &Run) -> Result<()> {
    for pair in run.tables().windows(2) {
        let [left, right] = pair else { continue };
        let (left_number, right_number, run) = (left.number, right.number, run.number());
        if level == 0 {
            return Err(broken(format!(
                "tables {left_number} and {right_number} are one run of L0, where each table \
                 is a run of its own"
            )));
        }
        if left.span().to > right.span().from {
            return Err(broken(format!(
                "tables {left_number} and {right_number} of run {run} of L{level} overlap"
            )));
        }
    }
    Ok(())
}

/// Takes tables out of their runs, which may be empty then. Each run is made anew once.
fn remove(levels: &mut [Vec<Arc<Run>>], removed: &[(usize, FileNumber)]) -> Result<()> {
    let mut gone: Few<usize, BTreeSet<FileNumber>> = Few::new();
    for &(level, number) in removed {
        let mut there = levels.get(level).into_iter().flatten().flat_map(|run| run.tables());
        if !there.any(|table| table.number == number) || !gone.or_default(level).insert(number) {
            return Err(broken(format!(
                "table {number} is removed from level {level} but is not there"
            )));
        }
    }
    for (level, gone) in gone {
        for run in levels.get_mut(level).into_iter().flatten() {
            let stays = |table: &&Arc<TableMeta>| !gone.contains(&table.number);
            let kept: Vec<_> = run.tables().iter().filter(stays).cloned().collect();
            if kept.len() < run.tables().len() {
                *run = Arc::new(Run::new(run.number(), kept));
            }
        }
    }
    Ok(())
}

/// The run `number` of `level`, made in its place if there is none.
fn run_for(
    levels: &mut Vec<Vec<Arc<Run>>>,
    level: usize,
    number: RunNumber,
) -> Result<&mut Arc<Run>> {
    let missing = || broken(format!("level {level} does not exist"));
    if level >= LEVEL_COUNT_MAX {
        return Err(missing());
    }
    if levels.len() <= level {
        levels.resize_with(level + 1, Vec::new);
    }
    let runs = levels.get_mut(level).ok_or_else(missing)?;
    let place = runs.partition_point(|run| run.number() > number);
    if runs.get(place).is_none_or(|run| run.number() != number) {
        runs.insert(place, Arc::new(Run::new(number, Vec::new())));
    }
    runs.get_mut(place).ok_or_else(missing)
}

fn twice(number: FileNumber) -> Error {
    broken(format!("table {number} is added but is there already"))
}

fn broken(message: String) -> Error {
    Error::new(ErrorKind::Corruption, message)
}
