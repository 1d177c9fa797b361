//! What a report is made from.

use super::Report;
use crate::directory::Logs;
use crate::events::Events;
use crate::manifest::Manifest;
use crate::options::{FamilyOptions, OptionsFile};
use crate::text::{count, family, number};
use crate::{Engine, Family, Files, Problem, Severity, State, TableFile, TableSummary};
use std::collections::BTreeMap;

/// What is at hand. Everything but the state may be missing; reports then say what follows from that.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// The files of the directory.
    pub files: &'a dyn Files,
    /// The manifest, for the history.
    pub manifest: Option<&'a Manifest>,
    /// The state that the reports are about.
    pub state: &'a State,
    /// The OPTIONS file.
    pub options: Option<&'a OptionsFile>,
    /// What LOG files tell; `None` when there is no LOG.
    pub events: Option<&'a Events>,
    /// What tables say of themselves, by the number of the file, as far as they were read.
    pub summaries: &'a BTreeMap<u64, TableSummary>,
    /// The logs that a recovery reads; `None` when they were not read.
    pub logs: Option<&'a Logs>,
    /// Findings of a check, and those of opening the manifest.
    pub problems: &'a [Problem],
}

impl std::fmt::Debug for Evidence<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evidence").field("engine", &self.state.engine).finish_non_exhaustive()
    }
}

/// Keys of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Focus {
    /// Number of the family.
    pub family: u32,
    /// The first key.
    pub start: Vec<u8>,
    /// The last key; the same as the first for one key.
    pub end: Vec<u8>,
}

impl<'a> Evidence<'a> {
    /// The options of a family; LevelDB's are built in.
    pub(super) fn options_of(&self, family: &str) -> Option<FamilyOptions> {
        match self.options {
            Some(options) => options.family(family),
            None if self.state.engine == Engine::LevelDb => Some(FamilyOptions::leveldb()),
            None => None,
        }
    }

    /// Whether the database has column families: Pebble and LevelDB have none, and sentences do not speak of them.
    pub(super) fn has_families(&self) -> bool {
        self.state.engine == Engine::RocksDb
    }

    /// ` of family "users"`; nothing where there are no families.
    pub(super) fn of_family(&self, name: &str) -> String {
        if self.has_families() { format!(" of {}", family(name)) } else { String::new() }
    }

    /// `family "users"`, or `otherwise` where there are no families.
    pub(super) fn family_or(&self, name: &str, otherwise: &str) -> String {
        if self.has_families() { family(name) } else { otherwise.to_owned() }
    }

    /// All tables with their family and level, level 0 first.
    pub(super) fn tables(
        &self,
    ) -> impl Iterator<Item = (&'a Family, u32, &'a TableFile)> + use<'a> {
        let state = self.state;
        state.families.values().flat_map(|family| {
            family.levels.iter().flat_map(move |(level, tables)| {
                tables.iter().map(move |table| (family, *level, table.as_ref()))
            })
        })
    }

    /// What the file of `table` says of itself, when it was read. Of a virtual table it is about the whole file.
    pub(super) fn summary(&self, table: &TableFile) -> Option<&'a TableSummary> {
        self.summaries.get(&table.backing)
    }

    /// Notes how many tables were not read, when there are any.
    pub(super) fn note_unread(&self, report: &mut Report) {
        let (mut unread, mut all) = (0u64, 0u64);
        for (_, _, table) in self.tables() {
            all += 1;
            unread += u64::from(self.summary(table).is_none());
        }
        let (unread, of) = match (unread, all) {
            (0, _) => (String::new(), String::new()),
            (1, 1) => ("the only table".to_owned(), "its".to_owned()),
            (1, _) => (format!("1 of {}", count(all, "table")), "its".to_owned()),
            _ => (format!("{} of {}", number(unread), count(all, "table")), "their".to_owned()),
        };
        if !unread.is_empty() {
            report.lacks(format!(
                "The properties of {unread} were not read: {of} entries and tombstones are not \
                 counted."
            ));
        }
        if self.tables().any(|(_, _, table)| table.is_virtual()) {
            report.lacks(
                "Some tables are virtual: their entries are counted for the whole file that they are \
                 a slice of.",
            );
        }
    }

    /// Notes that history before the manifest was not kept, or that there is no manifest.
    pub(super) fn note_history(&self, report: &mut Report) {
        let Some(manifest) = self.manifest else {
            report.lacks("No manifest was read: there is no history.");
            return;
        };
        if super::walk::starts_with_tables(manifest) {
            report.lacks("The manifest begins with a snapshot: history before it was not kept.");
        }
    }

    /// Notes that there is no LOG, and what follows.
    pub(super) fn note_log(&self, report: &mut Report, follows: &str) {
        if self.events.is_none() {
            let reason = if self.state.engine == Engine::Pebble {
                "Pebble writes no LOG by itself"
            } else {
                "No LOG is there"
            };
            report.lacks(format!("{reason}: {follows}."));
        }
        let unread = self.events.into_iter().flat_map(|events| &events.problems);
        for problem in unread.filter(|problem| problem.severity == Severity::NotRead) {
            report.lacks(format!("{}: {}.", problem.file, problem.message));
        }
    }

    /// Notes that there is no OPTIONS file, and what follows.
    pub(super) fn note_options(&self, report: &mut Report, follows: &str) {
        if self.options.is_none() && self.state.engine != Engine::LevelDb {
            report.lacks(format!("No OPTIONS file is there: {follows}."));
        }
    }
}
