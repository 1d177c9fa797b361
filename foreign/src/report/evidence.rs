//! Evidence of the reports.

use super::Report;
use super::shares::Shares;
use crate::directory::tables::file_name;
use crate::directory::unnamed::unnamed;
use crate::directory::{Checked, Logs};
use crate::events::Events;
use crate::files::total;
use crate::manifest::{CutCause, Manifest};
use crate::name::FileName;
use crate::options::{CompactionStyle, FamilyOptions, OptionsFile};
use crate::sorting::set;
use crate::text::{bytes, count, family, number, percent, share};
use crate::{Engine, Family, FileInfo, Files, Problem, Severity, State, TableFile, TableSummary};
use std::collections::BTreeMap;

/// Evidence of a report. Everything but the state may be missing; reports then name the consequences.
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
    /// Events in LOG files; `None` without a LOG.
    pub events: Option<&'a Events>,
    /// Properties of the tables that were read, by the number of the file.
    pub summaries: &'a BTreeMap<u64, TableSummary>,
    /// The parts of their files that virtual tables are.
    pub shares: &'a Shares,
    /// Content of the logs; `None` when they were not read.
    pub logs: Option<&'a Logs>,
    /// Extent of the checks.
    pub checked: Checked,
    /// Findings so far: of opening, of checks and of reads.
    pub problems: &'a [Problem],
}

/// Counts in the properties of a table. Of a virtual table the counts are estimates: the share of the counts of its
/// file that it has of the file's bytes. Added up over all slices of a file they are never more than the file has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    pub(super) entries: Option<u64>,
    pub(super) deletions: Option<u64>,
    pub(super) range_deletions: Option<u64>,
    pub(super) raw_key_bytes: Option<u64>,
    pub(super) raw_value_bytes: Option<u64>,
    pub(super) created_seconds: Option<u64>,
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

    /// Whether the database has column families: Pebble and LevelDB have none, and sentences do not mention them.
    pub(super) fn has_families(&self) -> bool {
        self.state.engine == Engine::RocksDb
    }

    /// ` of family "users"`; empty without families.
    pub(super) fn of_family(&self, name: &str) -> String {
        if self.has_families() { format!(" of {}", family(name)) } else { String::new() }
    }

    /// `family "users"`, or `otherwise` without families.
    pub(super) fn family_or(&self, name: &str, otherwise: &str) -> String {
        if self.has_families() { family(name) } else { otherwise.to_owned() }
    }

    /// All tables with their family and level, level 0 first.
    pub(super) fn tables(
        &self,
    ) -> impl Iterator<Item = (&'a Family, u32, &'a TableFile)> + use<'a> {
        let state = self.state;
        state.families.values().flat_map(|family| {
            family.tables().map(move |(level, table)| (family, level, table.as_ref()))
        })
    }

    /// The counts in the properties of the file of `table`, if it was read.
    pub(super) fn summary(&self, table: &TableFile) -> Option<Counts> {
        let summary = self.summaries.get(&table.backing)?;
        let share = self.shares.share(table);
        let part = |all: Option<u64>| all.map(|all| share.of(all));
        Some(Counts {
            entries: part(summary.entries),
            deletions: part(summary.deletions),
            range_deletions: part(summary.range_deletions),
            raw_key_bytes: part(summary.raw_key_bytes),
            raw_value_bytes: part(summary.raw_value_bytes),
            created_seconds: summary.created_seconds,
        })
    }

    /// The fill of level 0 under FIFO compaction: a sentence about the fullest family.
    pub(super) fn fifo(&self, report: &mut Report) -> String {
        let families = self.state.families.values();
        let limited = families.filter_map(|family| {
            let options = self.options_of(&family.name)?;
            let style = options.compaction_style.value().copied();
            let limit = options.fifo_bytes_max().filter(|limit| *limit > 0)?;
            let size = total(family.levels.values().flatten().map(|table| table.bytes));
            (style == Some(CompactionStyle::Fifo)).then_some((family, limit, size))
        });
        let fullest = limited.max_by(|a, b| share(a.2, a.1).total_cmp(&share(b.2, b.1)));
        let Some((family, limit, size)) = fullest else { return String::new() };
        report.figure("Limit of FIFO compaction", limit, "bytes");
        report.figure("Share of this limit", share(size, limit), "");
        let of = if self.state.families.len() > 1 {
            self.of_family(&family.name)
        } else {
            String::new()
        };
        format!(
            " FIFO compaction{of} drops the oldest tables when they take more than {} \
             (max_table_files_size); they take {} now ({}).",
            bytes(limit),
            bytes(size),
            percent(size, limit)
        )
    }

    /// The name of the file of `table`.
    pub(super) fn file_name(&self, table: &TableFile) -> String {
        file_name(self.files, self.state.engine, table.backing)
    }

    /// Whether the file of `table` is not in the directory.
    pub(super) fn is_missing(&self, table: &TableFile) -> bool {
        self.summary(table).is_none() && self.files.length(&self.file_name(table)).is_none()
    }

    /// Whether blob file `number` is not in the directory.
    pub(super) fn is_blob_missing(&self, number: u64) -> bool {
        self.files.length(&format!("{number:06}.blob")).is_none()
    }

    /// Number and size of the tables in the directory that are in no level.
    pub(super) fn left_over(&self) -> (u64, u64) {
        let known = set(self.tables().map(|(_, _, table)| table.backing));
        let is_left = |file: &&FileInfo| matches!(self.files.kind(&file.name), FileName::Table(number) if !known.contains(&number));
        let left = self.files.list().iter().filter(is_left);
        left.fold((0, 0), |sum: (u64, u64), file| (sum.0 + 1, sum.1.saturating_add(file.bytes)))
    }

    /// Whether the manifest, or the file that names it, is damaged.
    pub(super) fn is_manifest_damaged(&self) -> bool {
        let mut errors = self.problems.iter().filter(|problem| problem.severity == Severity::Error);
        let of_manifest = ["MANIFEST-", "CURRENT", "marker."];
        errors.any(|error| of_manifest.iter().any(|name| error.file.starts_with(name)))
    }

    /// Notes missing tables, and the number of tables that were not read.
    pub(super) fn note_unread(&self, report: &mut Report) {
        let (mut unread, mut all, mut missing) = (0u64, 0u64, Vec::new());
        for (_, _, table) in self.tables() {
            all += 1;
            if self.is_missing(table) {
                missing.push(table.number);
            } else {
                unread += u64::from(self.summary(table).is_none());
            }
        }
        match missing.as_slice() {
            [] => {}
            [one] => report.lacks(format!(
                "Table {one} is missing from the directory: its entries and tombstones are not counted."
            )),
            more => report.lacks(format!(
                "{} of {} are missing from the directory: their entries and tombstones are not \
                 counted.",
                number(more.len() as u64),
                count(all, "table")
            )),
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
                "Some tables are virtual: their entries and tombstones are estimated, by the share \
                 that each has of its file.",
            );
        }
        self.note_cut(report);
    }

    /// Notes that the history ends before the manifest does, and which files may belong to the edits that are missing.
    pub(super) fn note_cut(&self, report: &mut Report) {
        let Some((manifest, cut)) = self.manifest.and_then(|all| Some((all, all.cut()?))) else {
            return;
        };
        let files = unnamed(self.files, manifest);
        if cut.is_normal() && files.is_empty() {
            return;
        }
        let (edits, name) = (manifest.applied() as u64, manifest.name());
        let at =
            cut.offset.map_or_else(String::new, |offset| format!(" at offset {}", number(offset)));
        let why = match &cut.cause {
            CutCause::Damaged => format!("{name} cannot be read{at}"),
            CutCause::Torn => format!("the last record of {name} is cut off"),
            CutCause::Group { .. } => format!("the atomic group{at} of {name} is not finished"),
            CutCause::Empty => format!("{name} holds no edit"),
            CutCause::Absent => "no manifest is here".to_owned(),
            CutCause::StandIn { named } => {
                format!("{named} is missing and {name} was read in its place")
            }
        };
        let left = match files.len() as u64 {
            0 => "no table of the directory belongs to later edits".to_owned(),
            all => {
                let size = bytes(total(files.iter().filter_map(|file| file.bytes)));
                let (are, belong) = if all == 1 { ("is", "belongs") } else { ("are", "belong") };
                let is_known = files.iter().all(|file| file.left.is_some());
                let probably = if is_known { "" } else { "probably " };
                let kind = if files.iter().all(|file| file.is_table) { "table" } else { "file" };
                format!(
                    "{} ({size}) {are} in no level and {probably}{belong} to edits that were not applied",
                    count(all, kind)
                )
            }
        };
        report.lacks(format!(
            "The history ends after {}, because {why}: {left}.",
            count(edits, "edit")
        ));
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

    /// Notes a missing LOG, and the consequences.
    pub(super) fn note_log(&self, report: &mut Report, follows: &str) {
        if self.events.is_none() {
            let reason = match self.state.engine {
                Engine::Pebble => "Pebble writes no LOG by itself",
                Engine::Levelscope => "Levelscope writes no LOG",
                _ => "No LOG is there",
            };
            report.lacks(format!("{reason}: {follows}."));
        }
        let unread = self.events.into_iter().flat_map(|events| &events.problems);
        for problem in unread.filter(|problem| problem.severity == Severity::NotRead) {
            report.lacks(format!("{}: {}.", problem.file, problem.message));
        }
    }

    /// Notes a missing OPTIONS file, and the consequences.
    pub(super) fn note_options(&self, report: &mut Report, follows: &str) {
        if self.options.is_none() && self.state.engine != Engine::LevelDb {
            let reason = if self.state.engine == Engine::Levelscope {
                "No file of Levelscope holds its options"
            } else {
                "No OPTIONS file is there"
            };
            report.lacks(format!("{reason}: {follows}."));
        }
    }
}
