//! Applies edits one after the other, and returns the state after any of them.

use super::edit::Edit;
use super::{blobs, order};
use crate::{BlobFile, Comparator, Engine, Family, Severity, State, TableFile};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Levels that a family may have: 0 to 63. RocksDB's `num_levels` is 7 unless set, and has no limit; but
/// even where each level is only twice as large as the one above it, 64 of them hold more than any disk.
pub(crate) const LEVELS_MAX: u32 = 64;

/// A contradiction between an edit and the state, as a sentence, and the family that it concerns.
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) family: Option<String>,
    pub(super) severity: Severity,
}

impl Fault {
    /// One that concerns no family that is there.
    fn new(message: String) -> Self {
        Self { message, family: None, severity: Severity::Error }
    }
}

/// The state that edits are applied to.
pub(super) struct Builder {
    /// Everything but the families.
    rest: State,
    families: BTreeMap<u32, Building>,
    /// Tables of all families.
    tables: usize,
    /// The family that each name belongs to.
    names: BTreeMap<String, u32>,
}

/// A family that edits are applied to.
struct Building {
    /// Everything but the tables and blob files.
    rest: Family,
    tables: BTreeMap<u64, (u32, Arc<TableFile>)>,
    /// Tables by level in order, as of the last state.
    levels: BTreeMap<u32, Vec<Arc<TableFile>>>,
    /// Tables added since then.
    added: BTreeMap<u32, Vec<Arc<TableFile>>>,
    /// Levels with changes since then.
    changed: BTreeSet<u32>,
    /// Levels that tables have left since then.
    left: BTreeSet<u32>,
    blobs: BTreeMap<u64, BlobFile>,
}

impl Builder {
    /// Before the first edit.
    pub(super) fn new(engine: Engine) -> Self {
        let rest = State {
            engine,
            families: BTreeMap::new(),
            next_file: 0,
            last_sequence: 0,
            min_log_number: 0,
            previous_log_number: 0,
            tracked_logs: BTreeMap::new(),
            sealed_logs: BTreeMap::new(),
            backings: BTreeMap::new(),
        };
        let families = BTreeMap::from([(0, Building::new(0, "default".to_owned()))]);
        let names = BTreeMap::from([("default".to_owned(), 0)]);
        Self { rest, families, tables: 0, names }
    }

    /// After the edits that led to `state`.
    pub(super) fn from_state(state: &State) -> Self {
        let families =
            state.families.iter().map(|(id, family)| (*id, Building::from_family(family)));
        let families: BTreeMap<u32, Building> = families.collect();
        let tables = families.values().map(|family| family.tables.len()).sum();
        let names = state.families.values().map(|family| (family.name.clone(), family.id));
        Self { rest: without_families(state), families, tables, names: names.collect() }
    }

    /// Levels and numbers of all tables of a family.
    pub(super) fn tables_of(&self, id: u32) -> impl Iterator<Item = (u32, u64)> {
        let tables = self.families.get(&id).into_iter().flat_map(|family| &family.tables);
        tables.map(|(number, (level, _))| (*level, *number))
    }

    /// Whether the family has a table with this number.
    pub(super) fn has_table(&self, family: u32, number: u64) -> bool {
        self.families.get(&family).is_some_and(|family| family.tables.contains_key(&number))
    }

    /// Number of tables of all families.
    pub(super) fn tables(&self) -> usize {
        self.tables
    }

    /// Whether any family has a table.
    pub(super) fn has_tables(&self) -> bool {
        self.tables > 0
    }

    /// Applies the edit with this index. Reports and leaves out changes that do not fit.
    pub(super) fn apply(&mut self, edit: Edit, index: u32) -> Vec<Fault> {
        self.apply_shared(&edit);
        let mut faults = Vec::new();
        if let Some(name) = edit.family_added.clone() {
            faults.extend(self.add_family(edit.family, name));
        }
        if edit.family_dropped {
            if let Some(family) = self.families.remove(&edit.family) {
                self.tables = self.tables.saturating_sub(family.tables.len());
                let name = &family.rest.name;
                if self.names.get(name) == Some(&edit.family) {
                    self.names.remove(name);
                }
            } else {
                let message = format!("family {} is dropped, but does not exist", edit.family);
                faults.push(Fault::new(message));
            }
            return faults;
        }
        let Some(family) = self.families.get_mut(&edit.family) else {
            let message = format!("the edit is about family {}, which does not exist", edit.family);
            faults.push(Fault::new(message));
            return faults;
        };
        let before = family.tables.len();
        let messages = family.apply(edit, index, self.rest.engine);
        self.tables = (self.tables + family.tables.len()).saturating_sub(before);
        let name = &family.rest.name;
        let named = |message| Fault { family: Some(name.clone()), ..Fault::new(message) };
        faults.extend(messages.into_iter().map(named));
        faults
    }

    /// Adds a family, unless there is one with its number: RocksDB opens no such database. Families with the same name
    /// are odd, but each is found by its number.
    fn add_family(&mut self, id: u32, name: String) -> Option<Fault> {
        if let Some(family) = self.families.get(&id) {
            let first = &family.rest.name;
            let message = format!(
                "family {id} is added as \"{name}\", but is there already as \"{first}\", which it stays"
            );
            return Some(Fault { family: Some(first.clone()), ..Fault::new(message) });
        }
        let other = self.names.get(&name).copied();
        let fault = other.map(|other| Fault {
            message: format!("family {id} has the name \"{name}\", which family {other} has, too"),
            family: Some(name.clone()),
            severity: Severity::Note,
        });
        self.names.entry(name.clone()).or_insert(id);
        self.families.insert(id, Building::new(id, name));
        fault
    }

    /// Applies the fields of an edit that concern the whole database.
    fn apply_shared(&mut self, edit: &Edit) {
        let state = &mut self.rest;
        // Two jobs of Levelscope may log their edits in the other order than they read the counters.
        let grows = |known: u64, edited: Option<u64>| match edited {
            Some(edited) if state.engine == Engine::Levelscope => edited.max(known),
            Some(edited) => edited,
            None => known,
        };
        let (next_file, last) = (
            grows(state.next_file, edit.next_file),
            grows(state.last_sequence, edit.last_sequence),
        );
        (state.next_file, state.last_sequence) = (next_file, last);
        state.previous_log_number = edit.previous_log.unwrap_or(state.previous_log_number);
        state.min_log_number = state.min_log_number.max(edit.min_log.unwrap_or(0));
        for (number, synced) in &edit.logs_added {
            let known = state.tracked_logs.entry(*number).or_default();
            *known =
                if state.engine == Engine::Levelscope { (*known).max(*synced) } else { *synced };
        }
        state.sealed_logs.extend(edit.logs_sealed.iter().copied());
        if let Some(first) = edit.logs_deleted_below {
            state.tracked_logs = state.tracked_logs.split_off(&first);
        }
        for (number, bytes) in &edit.backings_added {
            state.backings.insert(*number, *bytes);
        }
        for number in &edit.backings_removed {
            state.backings.remove(number);
        }
    }

    /// The state after the edits so far. Tables are shared with other states.
    pub(super) fn state(&mut self) -> State {
        let engine = self.rest.engine;
        let families = self.families.iter_mut();
        let families = families.map(|(id, family)| (*id, family.family(engine))).collect();
        State { families, ..self.rest.clone() }
    }
}

/// A copy of everything but the families.
fn without_families(state: &State) -> State {
    State {
        engine: state.engine,
        families: BTreeMap::new(),
        next_file: state.next_file,
        last_sequence: state.last_sequence,
        min_log_number: state.min_log_number,
        previous_log_number: state.previous_log_number,
        tracked_logs: state.tracked_logs.clone(),
        sealed_logs: state.sealed_logs.clone(),
        backings: state.backings.clone(),
    }
}

impl Building {
    fn new(id: u32, name: String) -> Self {
        Self {
            rest: Family::new(id, name),
            tables: BTreeMap::new(),
            levels: BTreeMap::new(),
            added: BTreeMap::new(),
            changed: BTreeSet::new(),
            left: BTreeSet::new(),
            blobs: BTreeMap::new(),
        }
    }

    fn from_family(family: &Family) -> Self {
        let mut building = Self::new(family.id, family.name.clone());
        building.rest.comparator_name.clone_from(&family.comparator_name);
        building.rest.comparator = family.comparator;
        building.rest.log_number = family.log_number;
        building.blobs = family.blob_files.clone();
        building.levels = family.levels.clone();
        let all = family.tables();
        let all = all.map(|(level, table)| (table.number, (level, Arc::clone(table))));
        // Collecting sorts once, which is faster than one insertion after the other.
        building.tables = all.collect();
        building
    }

    /// Removals come before additions: a table that only changes its level is in both.
    fn apply(&mut self, edit: Edit, index: u32, engine: Engine) -> Vec<String> {
        if let Some(name) = &edit.comparator {
            self.rest.comparator_name = String::from_utf8_lossy(name).into_owned();
            self.rest.comparator = Comparator::named(name);
            // The order of the present tables may change.
            self.changed.extend(self.levels.keys().copied());
        }
        self.rest.log_number = match edit.log_number {
            Some(edited) if engine == Engine::Levelscope => edited.max(self.rest.log_number),
            edited => edited.unwrap_or(self.rest.log_number),
        };
        let mut faults = blobs::apply(&mut self.blobs, &edit);
        for (level, number) in edit.removed {
            match self.tables.get(&number) {
                Some((found, _)) if *found == level => {
                    self.tables.remove(&number);
                    self.changed.insert(level);
                    self.left.insert(level);
                }
                Some((found, _)) => faults.push(format!(
                    "table {number} is removed from level {level}, but is in level {found}"
                )),
                None => faults.push(format!(
                    "table {number} is removed from level {level}, but is not there"
                )),
            }
        }
        for (level, mut table) in edit.added {
            let number = table.number;
            // RocksDB opens no database with a table below the last of its levels.
            if level >= LEVELS_MAX {
                faults.push(format!(
                    "table {number} is added to level {level}, but a family has at most \
                     {LEVELS_MAX} levels; it is left out"
                ));
                continue;
            }
            table.added_by_edit = index;
            // goleveldb writes a table that its recovery made twice; LevelDB's set of tables has it once.
            if engine == Engine::LevelDb && self.is_same(level, &table) {
                continue;
            }
            let table = Arc::new(table);
            self.added.entry(level).or_default().push(Arc::clone(&table));
            self.changed.insert(level);
            if let Some((found, _)) = self.tables.insert(number, (level, table)) {
                self.changed.insert(found);
                self.left.insert(found);
                faults.push(format!(
                    "table {number} is added to level {level}, but is in level {found} already"
                ));
            }
        }
        faults
    }

    /// Whether the level has this very table already.
    fn is_same(&self, level: u32, table: &TableFile) -> bool {
        self.tables.get(&table.number).is_some_and(|(found, known)| {
            let known = TableFile { added_by_edit: table.added_by_edit, ..TableFile::clone(known) };
            *found == level && known == *table
        })
    }

    fn family(&mut self, engine: Engine) -> Family {
        for level in std::mem::take(&mut self.changed) {
            self.sort_level(engine, level);
        }
        self.added.clear();
        self.left.clear();
        let tables = self.levels.values().flatten().map(AsRef::as_ref);
        let blob_files = blobs::counting(engine, &self.blobs, tables);
        Family { levels: self.levels.clone(), blob_files, ..self.rest.clone() }
    }

    /// Brings one level up to date. Most of it is in order already, which makes sorting cheap.
    fn sort_level(&mut self, engine: Engine, level: u32) {
        let mut tables = self.levels.remove(&level).unwrap_or_default();
        tables.extend(self.added.remove(&level).unwrap_or_default());
        let current = |table: &Arc<TableFile>| {
            let found = self.tables.get(&table.number);
            found.is_some_and(|(_, current)| Arc::ptr_eq(current, table))
        };
        if self.left.contains(&level) {
            tables.retain(current);
        }
        order::sort(engine, level, self.rest.comparator, &mut tables);
        if !tables.is_empty() {
            self.levels.insert(level, tables);
        }
    }
}
