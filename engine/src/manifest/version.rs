//! Versions: which tables make up the database at one moment.
//!
//! A version never changes; an edit makes the next one. Readers, iterators and jobs hold the version
//! that they read, so a table file may go only when no version in use names it.

use super::edit::VersionEdit;
use crate::event::ShownKey;
use crate::key::{SeqNo, compare_internal, user_key};
use crate::limits::LEVEL_COUNT_MAX;
use crate::storage::FileNumber;
use crate::view::TableInfo;
use crate::{Error, Result};
use std::cmp::Ordering;
use std::sync::Arc;

/// What the manifest says of one table file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableMeta {
    /// Number in the file name.
    pub(crate) number: FileNumber,
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

/// The tables of a database, level by level.
///
/// Invariants: L0 is ordered newest first (by largest sequence number, then by number). Every deeper
/// level is ordered by key and no two of its tables share a user key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Version {
    levels: Vec<Vec<Arc<TableMeta>>>,
}

impl Version {
    /// The tables of `level`; none for a level that does not exist.
    pub(crate) fn level(&self, level: usize) -> &[Arc<TableMeta>] {
        self.levels.get(level).map_or(&[], Vec::as_slice)
    }

    /// Levels that may hold tables: the deepest one with tables, plus one.
    pub(crate) fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// Every table with its level, L0 first.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (usize, &Arc<TableMeta>)> {
        self.levels
            .iter()
            .enumerate()
            .flat_map(|(level, tables)| tables.iter().map(move |table| (level, table)))
    }

    /// Sum of the table files of `level` \[bytes\].
    pub(crate) fn level_bytes(&self, level: usize) -> u64 {
        self.level(level).iter().map(|table| table.bytes).sum()
    }

    /// Tables of `level` that have keys in `smallest..=largest` (user keys).
    pub(crate) fn overlapping(
        &self,
        level: usize,
        smallest: &[u8],
        largest: &[u8],
    ) -> Vec<Arc<TableMeta>> {
        let tables = self.level(level).iter();
        tables.filter(|table| table.overlaps(smallest, largest)).cloned().collect()
    }

    /// The version after `edit`.
    ///
    /// # Errors
    /// `InvalidArgument` (a sentence without a file) when the edit removes what is not there, adds a
    /// number twice, or breaks the order of a level: the manifest reader turns it into corruption.
    pub(crate) fn apply(&self, edit: &VersionEdit) -> Result<Self> {
        let mut levels = self.levels.clone();
        for &(level, number) in &edit.removed {
            let tables = levels.get_mut(level).ok_or_else(|| missing(level, number))?;
            let position = tables.iter().position(|table| table.number == number);
            tables.remove(position.ok_or_else(|| missing(level, number))?);
        }
        for (level, meta) in &edit.added {
            if *level >= LEVEL_COUNT_MAX {
                return Err(Error::invalid(format!("level {level} does not exist")));
            }
            if levels.len() <= *level {
                levels.resize_with(*level + 1, Vec::new);
            }
            if let Some(tables) = levels.get_mut(*level) {
                tables.push(Arc::clone(meta));
            }
        }
        let changed: std::collections::BTreeSet<usize> =
            edit.added.iter().map(|(level, _)| *level).collect();
        for (level, tables) in levels.iter_mut().enumerate().filter(|(l, _)| changed.contains(l)) {
            order_level(level, tables)?;
        }
        while levels.last().is_some_and(Vec::is_empty) {
            levels.pop();
        }
        Ok(Self { levels })
    }
}

fn missing(level: usize, number: FileNumber) -> Error {
    Error::invalid(format!("table {number} is removed from level {level} but is not there"))
}

fn order_level(level: usize, tables: &mut [Arc<TableMeta>]) -> Result<()> {
    if level == 0 {
        tables.sort_by_key(|t| std::cmp::Reverse((t.sequence_max, t.number)));
        return Ok(());
    }
    tables.sort_by(|left, right| compare_internal(&left.smallest, &right.smallest));
    for pair in tables.windows(2) {
        let [left, right] = pair else { continue };
        if user_key(&left.largest).cmp(user_key(&right.smallest)) != Ordering::Less {
            return Err(Error::invalid(format!(
                "tables {} and {} of level {level} overlap",
                left.number, right.number
            )));
        }
    }
    Ok(())
}
