//! Where a history ends before its manifest does, and what the edits after that place say.

use super::{Edit, Manifest};
use crate::TableFile;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Tables that are kept one by one.
const TABLES_MAX: usize = 10_000;

/// Why the history ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CutCause {
    /// A record is damaged, or of a kind that is not known.
    Damaged,
    /// The manifest ends inside of a record, as a crash leaves it.
    Torn,
    /// Its last edits are an atomic group that is not whole.
    Group {
        /// Edits of the group that are there.
        found: usize,
        /// Edits that it should have.
        expected: u64,
    },
    /// It holds no edit.
    Empty,
    /// It was read in the place of another one, which is missing.
    StandIn {
        /// The name of that one.
        named: String,
    },
}

/// A table that an edit adds which could not be applied.
#[derive(Debug, Clone)]
pub struct LeftTable {
    /// Number of its family.
    pub family: u32,
    /// Its level.
    pub level: u32,
    /// The table.
    pub table: Arc<TableFile>,
}

/// The end of a history that goes on.
#[derive(Debug, Clone)]
pub struct Cut {
    /// Why it ends.
    pub cause: CutCause,
    /// Where it ends, in bytes of the manifest.
    pub offset: Option<u64>,
    /// Edits after it that can be read, those of an unfinished group included. None of them is applied.
    pub edits: u64,
    /// Tables that these edits add and do not remove again, by number; at most 10,000.
    pub added: BTreeMap<u64, LeftTable>,
    /// Tables that they remove: family, level and number.
    pub removed: BTreeSet<(u32, u32, u64)>,
    /// Names of families that they create.
    pub families: BTreeMap<u32, String>,
}

impl Cut {
    pub(super) fn new(cause: CutCause, offset: Option<u64>) -> Self {
        Self {
            cause,
            offset,
            edits: 0,
            added: BTreeMap::new(),
            removed: BTreeSet::new(),
            families: BTreeMap::new(),
        }
    }

    /// Takes in an edit that is not applied.
    pub(super) fn take(&mut self, edit: Edit) {
        self.edits += 1;
        if let Some(name) = edit.family_added {
            self.families.insert(edit.family, name);
        }
        for (level, number) in edit.removed {
            if self.added.remove(&number).is_none() && self.removed.len() < TABLES_MAX {
                self.removed.insert((edit.family, level, number));
            }
        }
        for (level, table) in edit.added {
            if self.added.len() < TABLES_MAX {
                let (family, table) = (edit.family, Arc::new(table));
                self.added.insert(table.number, LeftTable { family, level, table });
            }
        }
    }

    /// Takes in what the edits of `later` do, which come after its own.
    pub(super) fn follow(&mut self, later: Self) {
        self.edits += later.edits;
        for removed in later.removed {
            if self.added.remove(&removed.2).is_none() {
                self.removed.insert(removed);
            }
        }
        self.added.extend(later.added);
        self.families.extend(later.families);
    }

    /// Whether the edits remove a table and do not enter it in another level.
    pub fn removes(&self, family: u32, level: u32, number: u64) -> bool {
        self.removed.contains(&(family, level, number)) && !self.added.contains_key(&number)
    }

    /// Whether a crash alone explains it.
    pub fn is_normal(&self) -> bool {
        self.cause == CutCause::Torn
    }
}

impl Manifest {
    /// Where the history ends before the manifest does; `None` for a whole one.
    pub fn cut(&self) -> Option<&Cut> {
        self.cut.as_ref()
    }

    /// Edits that were applied.
    pub fn applied(&self) -> usize {
        self.steps.last().map_or(0, |step| step.end as usize)
    }

    /// Notes that it was read in the place of the missing manifest `named`.
    pub(crate) fn stand_in_for(&mut self, named: &str) {
        let cause = CutCause::StandIn { named: named.to_owned() };
        self.cut.get_or_insert_with(|| Cut::new(cause, None));
    }
}
