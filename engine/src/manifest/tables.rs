//! The set of live tables while a manifest is replayed.
//!
//! A version could be made of each edit, but at the cost of all tables for each; here one edit costs the
//! logarithm, so that a hostile manifest cannot keep the reader busy.

use super::edit::VersionEdit;
use super::run::RunNumber;
use super::version::{TableMeta, Version};
use crate::key::Cut;
use crate::storage::FileNumber;
use crate::{Bound, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A place in the order of all tables: level, run and first key.
type SortKey = (usize, RunNumber, Vec<u8>);

/// Live tables by number, and by their place.
#[derive(Debug, Default)]
pub(super) struct TableSet {
    tables: BTreeMap<FileNumber, (usize, Arc<TableMeta>)>,
    sorted: BTreeMap<SortKey, Arc<TableMeta>>,
}

fn sort_key(level: usize, table: &TableMeta) -> SortKey {
    (level, table.run, table.first_key().to_vec())
}

impl TableSet {
    /// Removes and adds the tables of `edit`.
    ///
    /// # Errors
    /// A sentence about the first table that contradicts the set.
    pub(super) fn apply(&mut self, edit: &VersionEdit) -> std::result::Result<(), String> {
        for &(level, number) in &edit.removed {
            self.remove(level, number)?;
        }
        for (level, table) in &edit.added {
            self.add(*level, table)?;
        }
        Ok(())
    }

    /// The version that these tables make up.
    ///
    /// # Errors
    /// None that [`Self::apply`] would not have found.
    pub(super) fn version(&self) -> Result<Version> {
        let added = self.tables.values().cloned().collect();
        Version::default().apply(&VersionEdit { added, ..VersionEdit::default() })
    }

    fn remove(&mut self, level: usize, number: FileNumber) -> std::result::Result<(), String> {
        match self.tables.remove(&number) {
            Some((found, table)) if found == level => {
                self.sorted.remove(&sort_key(level, &table));
                Ok(())
            }
            _ => Err(format!("table {number} is removed from level {level} but is not there")),
        }
    }

    fn add(&mut self, level: usize, table: &Arc<TableMeta>) -> std::result::Result<(), String> {
        let number = table.number;
        if let Some((other, _)) = self.tables.get(&number) {
            return Err(format!(
                "table {number} is added to level {level} but is already in level {other}"
            ));
        }
        if let Some(other) = self.in_the_way(level, table) {
            let (run, other) = (table.run, other.number);
            return Err(format!(
                "table {number} is added to run {run} of level {level} but overlaps table {other}"
            ));
        }
        self.sorted.insert(sort_key(level, table), Arc::clone(table));
        self.tables.insert(number, (level, Arc::clone(table)));
        Ok(())
    }

    /// The table that keeps `table` out of its run: in L0 any other one, deeper one that shares a key.
    fn in_the_way(&self, level: usize, table: &TableMeta) -> Option<&Arc<TableMeta>> {
        let span = table.span();
        let first = (level, table.run, Vec::new());
        if level == 0 {
            let next = self.sorted.range(first..).next();
            return next
                .filter(|((l, run, _), _)| (*l, *run) == (level, table.run))
                .map(|(_, t)| t);
        }
        // Tables of a run are disjoint: only the last one that begins before the end of this one can reach
        // into it.
        let until = match span.to {
            Cut::At(key, true) => Bound::Included((level, table.run, key.to_vec())),
            Cut::At(key, false) => Bound::Excluded((level, table.run, key.to_vec())),
            Cut::End => Bound::Excluded((level, table.run.saturating_add(1), Vec::new())),
        };
        let before = self.sorted.range((Bound::Included(first), until)).next_back();
        before.map(|(_, other)| other).filter(|other| other.overlaps(&span))
    }
}
