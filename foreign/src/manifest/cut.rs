//! A history that ends before its manifest does, and the edits after its end.

use super::open::Reader;
use super::{Edit, Manifest};
use crate::{Engine, Error, Problem, Severity, State, TableFile};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Tables that are kept one by one.
const TABLES_MAX: usize = 10_000;

/// Cause of a history's end.
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
    /// The manifest is missing.
    Absent,
    /// It was read in the place of another one, which is missing.
    StandIn {
        /// The name of that one.
        named: String,
    },
}

/// The end of a history that goes on.
#[derive(Debug, Clone)]
pub struct Cut {
    /// Its cause.
    pub cause: CutCause,
    /// Its offset in the manifest \[bytes\].
    pub offset: Option<u64>,
    /// Edits after it that can be read, those of an unfinished group included. None of them is applied.
    pub edits: u64,
    /// Tables that these edits add and do not remove again, by number, with their levels; at most 10,000.
    pub added: BTreeMap<u64, (u32, Arc<TableFile>)>,
    /// Whether the damage reads as the end of the file, because a record claims more bytes than there are.
    pub reads_as_end: bool,
    /// Whether the snapshot that the manifest begins with may be cut, too: then any table may be live.
    pub hides_snapshot: bool,
    /// Numbers of the families of these tables, by the number of the table.
    owners: BTreeMap<u64, u64>,
    /// Numbers of the tables that they remove.
    removed: BTreeSet<u64>,
    /// Families that they create: number and name.
    families: Vec<(u32, String)>,
}

impl Cut {
    pub(super) fn new(cause: CutCause, offset: Option<u64>) -> Self {
        Self {
            cause,
            offset,
            edits: 0,
            added: BTreeMap::new(),
            hides_snapshot: false,
            reads_as_end: false,
            owners: BTreeMap::new(),
            removed: BTreeSet::new(),
            families: Vec::new(),
        }
    }

    /// Takes in an edit that is not applied.
    pub(super) fn take(&mut self, edit: Edit) {
        self.edits += 1;
        if let Some(name) = edit.family_added {
            self.families.push((edit.family, name));
        }
        for (_, number) in edit.removed {
            if self.added.remove(&number).is_none() && self.removed.len() < TABLES_MAX {
                self.removed.insert(number);
            }
        }
        for (level, table) in edit.added {
            if self.added.len() < TABLES_MAX {
                self.owners.insert(table.number, edit.family.into());
                self.added.insert(table.number, (level, Arc::new(table)));
            }
        }
    }

    /// Adds the changes of `later`, which come after its own.
    pub(super) fn follow(&mut self, later: Self) {
        self.edits += later.edits;
        for number in later.removed {
            if self.added.remove(&number).is_none() {
                self.removed.insert(number);
            }
        }
        self.added.extend(later.added);
        self.owners.extend(later.owners);
        self.families.extend(later.families);
    }

    /// The number of the family that an edit adds table `number` to, and its name when an edit creates it.
    pub(crate) fn family_of(&self, number: u64) -> (u64, Option<&str>) {
        let id = self.owners.get(&number).copied().unwrap_or(0);
        let created = self.families.iter().find(|(of, _)| u64::from(*of) == id);
        (id, created.map(|(_, name)| name.as_str()))
    }

    /// The families that the edits create: number and name.
    pub(crate) fn families(&self) -> &[(u32, String)] {
        &self.families
    }

    /// Whether the edits remove table `number` and do not enter it in another level.
    pub fn removes(&self, number: u64) -> bool {
        self.removed.contains(&number) && !self.added.contains_key(&number)
    }

    /// Whether a crash alone explains it.
    pub fn is_normal(&self) -> bool {
        self.cause == CutCause::Torn
    }
}

impl Reader {
    /// The file ends inside of a record.
    pub(super) fn torn(&mut self, offset: u64, bytes: u64) {
        let is_rocksdb = self.manifest.engine == Engine::RocksDb;
        if self.manifest.edits.is_empty() || (self.in_snapshot && is_rocksdb) {
            // CURRENT names a manifest only when the snapshot and an edit after it are on the disk.
            let message = format!(
                "it is cut off after {bytes} bytes of a record of the snapshot that it begins with, which no crash leaves"
            );
            let mut cut = Cut::new(CutCause::Damaged, Some(offset));
            cut.hides_snapshot = true;
            cut.reads_as_end = self.manifest.engine != Engine::Levelscope;
            return self.damaged(&Error::damaged(offset, message), cut);
        }
        let message =
            format!("the last record is cut off after {bytes} bytes; the state is that before it");
        let problem = Problem::new(Severity::Note, &self.manifest.name, message);
        self.manifest.problems.push(problem.at(offset));
        self.manifest.cut = Some(Cut::new(CutCause::Torn, Some(offset)));
    }
}

impl Manifest {
    /// A manifest that is not there.
    pub(crate) fn absent(engine: Engine) -> Self {
        Self { cut: Some(Cut::new(CutCause::Absent, None)), ..Self::of_none(engine) }
    }

    /// In the place of a manifest where there need not be one: it has no history.
    pub(crate) fn of_none(engine: Engine) -> Self {
        Reader::new("MANIFEST", engine).manifest
    }

    /// With another last state.
    pub(crate) fn with_last(mut self, state: State) -> Self {
        self.last = Arc::new(state);
        self
    }

    /// The cut of the history before the end of the manifest; `None` for a whole one.
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
