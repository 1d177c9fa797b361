//! The check of a whole directory, in parts that a host may spread over threads.

use super::{BlobFiles, Directory, Tables};
use crate::files::Reason;
use crate::name::FileName;
use crate::problem::{Standing, bounds};
use crate::sorting::sort_by_key;
use crate::text::{bytes, count, number};
use crate::{BlobFile, Engine, Examined, Family, Files, Problem, Severity, State, TableFile};
use std::sync::Arc;

/// Missing tables that are reported one by one. A manifest of a few megabytes may name very many, and every answer with
/// findings would repeat them all.
const MISSING_MAX: usize = 1_000;

/// One part of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Whether it is a blob file; otherwise it is a table.
    pub is_blob: bool,
    /// Number of its family.
    pub family: u32,
    /// Number of the table or blob file: both take theirs from the same counter.
    pub number: u64,
    /// Bytes that it reads.
    pub bytes: u64,
}

impl Directory<'_> {
    /// The parts of a check, the largest first; a file that several virtual tables share stands once.
    pub fn check_targets(&self) -> Vec<Target> {
        let mut targets = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for family in self.state().families.values() {
            for table in family.levels.values().flatten() {
                if seen.insert(table.backing) {
                    let (family, number, bytes) = (family.id, table.number, table.bytes);
                    targets.push(Target { is_blob: false, family, number, bytes });
                }
            }
            for blob in family.blob_files.values() {
                let (family, number, bytes) = (family.id, blob.number, blob.file_bytes);
                targets.push(Target { is_blob: true, family, number, bytes });
            }
        }
        // No manifest names the blob files among single files.
        let loose = self.files().list().iter().filter(|_| self.files().loose().is_some());
        targets.extend(loose.filter_map(|file| match self.files().kind(&file.name) {
            FileName::Blob(number) => {
                Some(Target { is_blob: true, family: 0, number, bytes: file.bytes })
            }
            _ => None,
        }));
        sort_by_key(&mut targets, |target| std::cmp::Reverse(target.bytes));
        targets
    }

    /// The name of the file that a part of a check is about.
    pub fn name_of(&self, target: &Target) -> String {
        if target.is_blob {
            self.blobs().name_of(target.number)
        } else {
            self.tables().name_of(target.family, target.number)
        }
    }

    /// Checks one part: its checksums, and with `deep` its content. Keeps the findings for later questions, see
    /// [`Directory::findings`]. Returns the extent of the check.
    pub fn check(&self, target: &Target, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined {
        let mut found = Vec::new();
        let examined = self.checker.check(target, deep, &mut |problem| found.push(problem));
        self.keep(target, deep, examined, &found);
        found.into_iter().for_each(report);
        examined
    }

    /// Findings from the names and lengths of the files alone: tables and blob files that are missing, and tables whose
    /// length differs from the manifest.
    pub(super) fn compare_files(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let cut = self.manifest().cut();
        let catalog = self.remote_catalog();
        let mut missing = 0;
        for family in self.state().families.values() {
            for (level, table) in family.tables() {
                let file = super::tables::file_name(self.files(), self.engine(), table.backing);
                let is_missing = self.files().length(&file).is_none();
                missing += usize::from(is_missing);
                if is_missing && missing > MISSING_MAX {
                    continue;
                }
                let Some(message) = self.wrong_length(&file, table) else { continue };
                let is_removed = is_missing && cut.is_some_and(|cut| cut.removes(table.number));
                let mut problem = Problem::new(Severity::Error, &file, message);
                if is_removed {
                    problem.state = Standing::Note;
                    problem.severity = Severity::Note;
                    problem.message =
                            "the table is missing, because an edit after the end of the history removes it".into();
                }
                if let Some(catalog) = catalog.filter(|_| is_missing && !is_removed) {
                    problem.state = Standing::NotRead;
                    problem.severity = Severity::NotRead;
                    problem.message = format!(
                        "it is not here: {catalog} lists objects in remote storage, and it may be one of them"
                    );
                }
                locate(&mut problem, &family.name, level, table);
                problems.push(problem);
            }
            for blob in family.blob_files.values() {
                let file = super::values::blob_name(blob.number);
                if self.files().length(&file).is_none() {
                    let message = self.absent(&file, "blob file", &values_words(blob));
                    let mut problem = Problem::new(Severity::Error, &file, message);
                    locate_blob(&mut problem, self.engine(), family, blob);
                    problems.push(problem);
                }
            }
        }
        if missing > MISSING_MAX {
            let more = count((missing - MISSING_MAX) as u64, "more table");
            let are = if missing - MISSING_MAX == 1 { "is" } else { "are" };
            let message = format!("{more} that the levels name {are} missing and not listed");
            problems.push(Problem::new(Severity::Error, self.manifest().name(), message));
        }
        problems
    }

    /// Pebble's list of tables in remote storage.
    fn remote_catalog(&self) -> Option<&str> {
        let mut names = self.files().list().iter().map(|file| file.name.as_str());
        let found = names.find(|name| name.starts_with("REMOTE-OBJ-CATALOG-"));
        found.filter(|_| self.engine() == Engine::Pebble)
    }

    /// A wrong length of a table's file, if any.
    fn wrong_length(&self, file: &str, table: &TableFile) -> Option<String> {
        match self.files().length(file) {
            None => {
                let lost = format!("its {} cannot be read", bytes(table.bytes));
                let message = self.absent(file, "table", &lost);
                // With db_paths it may be in a directory that is not here.
                let follows =
                    if table.path > 0 { "; it is in another directory of db_paths" } else { "" };
                Some(message + follows)
            }
            Some(length) if !table.is_virtual() && length != table.bytes && table.bytes > 0 => {
                let recorded = number(table.bytes);
                Some(format!(
                    "the manifest records {recorded} bytes, the file has {}",
                    number(length)
                ))
            }
            Some(_) => None,
        }
    }

    /// Whether nothing in the directory has this name.
    pub(super) fn is_absent(&self, file: &str) -> bool {
        let is_there = |entry: &crate::files::LeftOut| {
            entry.reason == Reason::NotRegular && entry.name == file
        };
        self.files().length(file).is_none() && !self.files().left_out().iter().any(is_there)
    }

    /// A sentence: `file`, which is not in the list of files, is missing; and the consequences.
    fn absent(&self, file: &str, what: &str, lost: &str) -> String {
        let how = if self.is_absent(file) { "missing" } else { "not a regular file" };
        format!("the {what} is {how}: {lost}")
    }
}

/// The values of a blob file that are lost without it.
fn values_words(blob: &BlobFile) -> String {
    let live = bytes(blob.live_bytes());
    match blob.live_count() {
        None => format!("up to {live} of values cannot be read"),
        Some(values) => format!("up to {} of it ({live}) cannot be read", count(values, "value")),
    }
}

/// The tables of `family` that refer to `blob`, with their levels, and whether they do for certain: RocksDB notes only
/// the oldest blob file of a table, and a table may have values in every later one.
pub(crate) fn referring<'a>(
    engine: Engine,
    family: &'a Family,
    blob: &BlobFile,
) -> Vec<(u32, &'a TableFile, bool)> {
    let refers = |table: &TableFile| match engine {
        Engine::Pebble => {
            let is_named = table.blob_references.iter().any(|(id, _)| *id == blob.id);
            is_named.then_some(true)
        }
        _ => match table.oldest_blob_file {
            Some(oldest) if oldest <= blob.number => Some(oldest == blob.number),
            _ => None,
        },
    };
    let tables = family.tables();
    tables.filter_map(|(level, table)| Some((level, table.as_ref(), refers(table)?))).collect()
}

/// Checks parts of a directory: the directory has one, and each thread of a host, on files of its own.
pub struct Checker<'f> {
    state: Arc<State>,
    pub(super) tables: Tables<'f>,
    pub(super) blobs: BlobFiles<'f>,
}

impl<'f> Checker<'f> {
    /// For the files of `state`; nothing is read yet.
    pub fn new(files: &'f dyn Files, state: Arc<State>) -> Self {
        let tables = Tables::new(files, &state);
        Self { tables, blobs: BlobFiles::new(files, Arc::clone(&state)), state }
    }

    /// As [`Directory::check`], but nothing is kept. A file that is not there is no finding of a check: it was found
    /// before, by its name.
    pub fn check(&self, target: &Target, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined {
        if !self.is_there(target) {
            return Examined::unopened();
        }
        let Target { is_blob, family, number, .. } = *target;
        if is_blob {
            let family = self.state.families.get(&family);
            let blob = family.and_then(|family| family.blob_files.get(&number));
            return self.blobs.check(number, deep, &mut |mut problem| {
                if let (Some(family), Some(blob)) = (family, blob) {
                    locate_blob(&mut problem, self.state.engine, family, blob);
                }
                report(problem);
            });
        }
        let place = self.place_of(family, number);
        self.tables.check(family, number, deep, &mut |mut problem| {
            if let Some((name, level, table)) = &place {
                self.tables.locate_block(family, number, &mut problem);
                locate(&mut problem, name, *level, table);
            }
            report(problem);
        })
    }

    /// Whether the file is in the directory.
    pub(super) fn is_there(&self, target: &Target) -> bool {
        if target.is_blob {
            self.blobs.is_there(target.number)
        } else {
            self.tables.is_there(target.family, target.number)
        }
    }

    /// The name of the family and the level of a table, and the table.
    fn place_of(&self, family: u32, number: u64) -> Option<(&str, u32, &TableFile)> {
        let (level, table) = self.tables.place(family, number)?;
        Some((self.state.families.get(&family)?.name.as_str(), level, table))
    }
}

/// Adds the place of the table to a finding.
pub(super) fn locate(problem: &mut Problem, family: &str, level: u32, table: &TableFile) {
    problem.family.get_or_insert_with(|| family.to_owned());
    problem.level.get_or_insert(level);
    let whole = bounds(&table.smallest.user_key, &table.largest.user_key);
    match &mut problem.keys {
        // The index does not hold the first key of the first block.
        Some((smallest, _)) if smallest.is_empty() => *smallest = whole.0,
        Some(_) => {}
        none => *none = Some(whole).filter(|_| table.has_bounds),
    }
}

/// Adds the family of a blob file to a finding, and level and bounds of the tables that refer to it.
fn locate_blob(problem: &mut Problem, engine: Engine, family: &Family, blob: &BlobFile) {
    problem.family = Some(family.name.clone());
    let tables = referring(engine, family, blob);
    let Some((level, _, _)) = tables.first() else { return };
    if tables.iter().all(|(other, _, _)| other == level) {
        problem.level = Some(*level);
    }
    let (smallest, largest) = hull(family, tables.iter().map(|(_, table, _)| *table));
    problem.keys = Some(bounds(smallest, largest));
}

/// The smallest and the largest key of `tables`.
pub(crate) fn hull<'a>(
    family: &Family,
    tables: impl Iterator<Item = &'a TableFile>,
) -> (&'a [u8], &'a [u8]) {
    let order = family.comparator;
    let bounds = tables.map(TableFile::user_keys);
    let joined = bounds.reduce(|(start, end), (smallest, largest)| {
        let is_before = order.compare(smallest, start).is_lt();
        let is_after = order.compare(largest, end).is_gt();
        (if is_before { smallest } else { start }, if is_after { largest } else { end })
    });
    joined.unwrap_or_default()
}
