//! The set of live tables while a manifest is replayed.
//!
//! A version could be made of each edit, but at the cost of all tables for each; here one edit costs the
//! logarithm, so that a hostile manifest cannot keep the reader busy.

use super::edit::VersionEdit;
use super::version::{TableMeta, Version};
use crate::Result;
use crate::key::user_key;
use crate::storage::FileNumber;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Live tables by number, and those below L0 by their smallest user key.
#[derive(Debug, Default)]
pub(super) struct TableSet {
    tables: BTreeMap<FileNumber, (usize, Arc<TableMeta>)>,
    sorted: BTreeMap<(usize, Vec<u8>), Arc<TableMeta>>,
}

impl TableSet {
    /// Removes and adds what `edit` says.
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
                if level > 0 {
                    self.sorted.remove(&(level, user_key(&table.smallest).to_vec()));
                }
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
        if level > 0 {
            self.add_sorted(level, table)?;
        }
        self.tables.insert(number, (level, Arc::clone(table)));
        Ok(())
    }

    fn add_sorted(
        &mut self,
        level: usize,
        table: &Arc<TableMeta>,
    ) -> std::result::Result<(), String> {
        let smallest = user_key(&table.smallest);
        let largest = user_key(&table.largest);
        // Tables of a level are disjoint: only the last one that begins at or before the largest key
        // can reach into this one.
        let until = (level, largest.to_vec());
        let neighbour = self.sorted.range((level, Vec::new())..=until).next_back();
        if let Some((_, other)) = neighbour.filter(|(_, other)| other.overlaps(smallest, largest)) {
            return Err(format!(
                "table {} is added to level {level} but overlaps table {}",
                table.number, other.number
            ));
        }
        self.sorted.insert((level, smallest.to_vec()), Arc::clone(table));
        Ok(())
    }
}
