//! Versions: which tables make up the database at one moment.
//!
//! A version never changes; an edit makes the next one. Readers, iterators and jobs hold the version
//! that they read, so a table file may go only when no version in use names it.

use super::edit::VersionEdit;
use crate::canary::Canary;
use crate::event::ShownKey;
use crate::key::{SeqNo, user_key};
use crate::limits::LEVEL_COUNT_MAX;
use crate::storage::FileNumber;
use crate::view::TableInfo;
use crate::{Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Number of a run within its level: of two runs of one level the one with the larger number is newer.
pub(crate) type RunNumber = u64;

/// What the manifest says of one table file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableMeta {
    /// Number in the file name.
    pub(crate) number: FileNumber,
    /// The run that it belongs to. A table of L0 is a run of its own, with its largest sequence number.
    pub(crate) run: RunNumber,
    /// Length of the file \[bytes\].
    pub(crate) bytes: u64,
    /// Entries, all versions and tombstones.
    pub(crate) entries: u64,
    /// Tombstones among the entries.
    pub(crate) tombstones: u64,
    /// Data blocks.
    pub(crate) blocks: u32,
    /// Smallest internal key.
    pub(crate) smallest: Vec<u8>,
    /// Largest internal key.
    pub(crate) largest: Vec<u8>,
    /// Smallest sequence number.
    pub(crate) sequence_min: SeqNo,
    /// Largest sequence number.
    pub(crate) sequence_max: SeqNo,
}

impl TableMeta {
    /// Whether `key` lies between the smallest and the largest user key.
    pub(crate) fn covers(&self, key: &[u8]) -> bool {
        user_key(&self.smallest) <= key && key <= user_key(&self.largest)
    }

    /// Whether the table has keys in `smallest..=largest` (user keys).
    pub(crate) fn overlaps(&self, smallest: &[u8], largest: &[u8]) -> bool {
        user_key(&self.smallest) <= largest && smallest <= user_key(&self.largest)
    }

    /// The table as events and views show it.
    pub(crate) fn info(&self) -> TableInfo {
        TableInfo {
            table: self.number,
            run: self.run,
            bytes: self.bytes,
            entries: self.entries,
            tombstones: self.tombstones,
            blocks: self.blocks,
            smallest: ShownKey::new(user_key(&self.smallest)),
            largest: ShownKey::new(user_key(&self.largest)),
            sequence_min: self.sequence_min,
            sequence_max: self.sequence_max,
        }
    }
}

/// Tables that follow each other in key order; no two of them share a user key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    number: RunNumber,
    tables: Vec<Arc<TableMeta>>,
}

impl Run {
    /// Its number: newer runs of a level have larger ones.
    pub(crate) fn number(&self) -> RunNumber {
        self.number
    }

    /// Its tables, in key order.
    pub(crate) fn tables(&self) -> &[Arc<TableMeta>] {
        &self.tables
    }

    /// The one table whose range holds `key`; `compared` is called for each step of the search.
    pub(crate) fn find(&self, key: &[u8], mut compared: impl FnMut()) -> Option<&Arc<TableMeta>> {
        let found = match self.tables.as_slice() {
            [only] => Some(only),
            tables => {
                let position = tables.partition_point(|meta| {
                    compared();
                    user_key(&meta.largest) < key
                });
                tables.get(position)
            }
        };
        found.filter(|meta| meta.covers(key))
    }

    /// Puts the tables in key order.
    ///
    /// # Errors
    /// A sentence about the first two that share a user key.
    fn order(&mut self, level: usize) -> Result<()> {
        self.tables.sort_by(|left, right| user_key(&left.smallest).cmp(user_key(&right.smallest)));
        for pair in self.tables.windows(2) {
            let [left, right] = pair else { continue };
            let (left_number, right_number, run) = (left.number, right.number, self.number);
            if level == 0 {
                return Err(broken(format!(
                    "tables {left_number} and {right_number} are one run of L0, where each table \
                     is a run of its own"
                )));
            }
            if user_key(&left.largest) >= user_key(&right.smallest) {
                return Err(broken(format!(
                    "tables {left_number} and {right_number} of run {run} of L{level} overlap"
                )));
            }
        }
        Ok(())
    }
}

/// The tables of a database: levels of runs of tables.
///
/// Invariants: the runs of a level are ordered newest first. The first run that has a key, in the order
/// of levels and runs, has its newest version. A table of L0 is a run of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Version {
    levels: Vec<Vec<Run>>,
}

impl Version {
    /// The runs of `level`, newest first; none for a level that does not exist.
    pub(crate) fn runs(&self, level: usize) -> &[Run] {
        self.levels.get(level).map_or(&[], Vec::as_slice)
    }

    /// The tables of `level`, run by run.
    pub(crate) fn level(&self, level: usize) -> impl Iterator<Item = &Arc<TableMeta>> {
        self.runs(level).iter().flat_map(Run::tables)
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

    /// Tables of `level` that have keys in `smallest..=largest` (user keys).
    pub(crate) fn overlapping(
        &self,
        level: usize,
        smallest: &[u8],
        largest: &[u8],
    ) -> Vec<Arc<TableMeta>> {
        let tables = self.level(level);
        tables.filter(|table| table.overlaps(smallest, largest)).cloned().collect()
    }

    /// The version after `edit`.
    ///
    /// # Errors
    /// `Corruption` (a sentence without a file) when the edit removes what is not there, adds a number
    /// twice, or breaks a rule of its run.
    pub(crate) fn apply(&self, edit: &VersionEdit) -> Result<Self> {
        let mut levels = self.levels.clone();
        for &(level, number) in &edit.removed {
            remove(&mut levels, level, number)?;
        }
        let (mut added, mut changed) = (BTreeSet::new(), BTreeSet::new());
        for (_, meta) in &edit.added {
            if !added.insert(meta.number) {
                return Err(twice(meta.number));
            }
        }
        let there = levels.iter().flatten().flat_map(Run::tables).map(|table| table.number);
        if let Some(number) = there.into_iter().find(|number| added.contains(number)) {
            return Err(twice(number));
        }
        for (level, meta) in &edit.added {
            run_for(&mut levels, *level, meta.run)?.tables.push(Arc::clone(meta));
            changed.insert((*level, meta.run));
        }
        for (level, runs) in levels.iter_mut().enumerate() {
            runs.retain(|run| !run.tables.is_empty());
            for run in runs.iter_mut().filter(|run| changed.contains(&(level, run.number))) {
                run.order(level)?;
            }
        }
        while levels.last().is_some_and(Vec::is_empty) {
            levels.pop();
        }
        Ok(Self { levels })
    }
}

fn remove(levels: &mut [Vec<Run>], level: usize, number: FileNumber) -> Result<()> {
    for run in levels.get_mut(level).into_iter().flatten() {
        if let Some(position) = run.tables.iter().position(|table| table.number == number) {
            run.tables.remove(position);
            return Ok(());
        }
    }
    Err(broken(format!("table {number} is removed from level {level} but is not there")))
}

/// The run `number` of `level`, made in its place if there is none.
fn run_for(levels: &mut Vec<Vec<Run>>, level: usize, number: RunNumber) -> Result<&mut Run> {
    let missing = || broken(format!("level {level} does not exist"));
    if level >= LEVEL_COUNT_MAX {
        return Err(missing());
    }
    if levels.len() <= level {
        levels.resize_with(level + 1, Vec::new);
    }
    let runs = levels.get_mut(level).ok_or_else(missing)?;
    let place = if Canary::RunsReversed.sings() {
        runs.partition_point(|run| run.number < number)
    } else {
        runs.partition_point(|run| run.number > number)
    };
    if runs.get(place).is_none_or(|run| run.number != number) {
        runs.insert(place, Run { number, tables: Vec::new() });
    }
    runs.get_mut(place).ok_or_else(missing)
}

fn twice(number: FileNumber) -> Error {
    broken(format!("table {number} is added but is there already"))
}

fn broken(message: String) -> Error {
    Error::new(ErrorKind::Corruption, message)
}
