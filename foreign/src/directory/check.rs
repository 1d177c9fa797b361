//! The check of a whole directory, in parts that a host may spread over threads.

use super::{BlobFiles, Directory, Tables};
use crate::problem::hex;
use crate::sorting::sort_by_key;
use crate::{Files, Problem, Severity, State, TableFile};
use std::sync::Arc;

/// One part of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A table of a family.
    Table {
        /// Number of the family.
        family: u32,
        /// Number of the table.
        number: u64,
        /// Bytes of its file.
        bytes: u64,
    },
    /// A blob file of a family.
    Blob {
        /// Number of the family.
        family: u32,
        /// Number of the file.
        number: u64,
        /// Bytes of the file.
        bytes: u64,
    },
}

impl Target {
    /// Bytes that it reads.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Table { bytes, .. } | Self::Blob { bytes, .. } => *bytes,
        }
    }
}

impl Directory<'_> {
    /// The parts of a check, the largest first; a file that several virtual tables share stands once.
    pub fn check_targets(&self) -> Vec<Target> {
        let mut targets = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for family in self.state().families.values() {
            for table in family.levels.values().flatten() {
                if seen.insert(table.backing) {
                    let (family, number) = (family.id, table.number);
                    targets.push(Target::Table { family, number, bytes: table.bytes });
                }
            }
            for blob in family.blob_files.values() {
                let (family, number, bytes) = (family.id, blob.number, blob.file_bytes);
                targets.push(Target::Blob { family, number, bytes });
            }
        }
        sort_by_key(&mut targets, |target| std::cmp::Reverse(target.bytes()));
        targets
    }

    /// Checks one part: its checksums, and with `deep` its content. Returns the bytes that were read.
    pub fn check(&self, target: &Target, deep: bool, tell: &mut dyn FnMut(Problem)) -> u64 {
        Parts { state: self.state(), tables: self.tables(), blobs: self.blobs() }
            .check(target, deep, tell)
    }

    /// What the names and lengths of the files alone tell: tables, blob files and logs that are missing, or that
    /// have another length than the manifest says.
    pub(super) fn compare_files(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for family in self.state().families.values() {
            for (level, tables) in &family.levels {
                for table in tables {
                    let file = super::tables::file_name(self.files(), table.backing);
                    let length = self.files().length(&file);
                    let Some(message) = wrong_length("table", length, table) else { continue };
                    let mut problem = Problem::new(Severity::Error, &file, message);
                    locate(&mut problem, &family.name, *level, table);
                    problems.push(problem);
                }
            }
            for blob in family.blob_files.values() {
                let file = format!("{:06}.blob", blob.number);
                if self.files().length(&file).is_none() {
                    let message = format!(
                        "the blob file is missing: up to {} values of it cannot be read",
                        blob.count.saturating_sub(blob.garbage_count)
                    );
                    let mut problem = Problem::new(Severity::Error, &file, message);
                    problem.family = Some(family.name.clone());
                    problems.push(problem);
                }
            }
        }
        problems
    }
}

/// Checks parts of a directory without the rest of it: each thread of a host has one, on files of its own.
pub struct Checker<'f> {
    state: Arc<State>,
    tables: Tables<'f>,
    blobs: BlobFiles<'f>,
}

impl<'f> Checker<'f> {
    /// For the files of `state`; nothing is read yet.
    pub fn new(files: &'f dyn Files, state: Arc<State>) -> Self {
        let tables = Tables::new(files, &state);
        Self { tables, blobs: BlobFiles::new(files, Arc::clone(&state)), state }
    }

    /// As [`Directory::check`].
    pub fn check(&self, target: &Target, deep: bool, tell: &mut dyn FnMut(Problem)) -> u64 {
        Parts { state: &self.state, tables: &self.tables, blobs: &self.blobs }
            .check(target, deep, tell)
    }
}

/// What a check of a part needs.
struct Parts<'a, 'f> {
    state: &'a State,
    tables: &'a Tables<'f>,
    blobs: &'a BlobFiles<'f>,
}

impl Parts<'_, '_> {
    fn check(&self, target: &Target, deep: bool, tell: &mut dyn FnMut(Problem)) -> u64 {
        match target {
            Target::Table { family, number, .. } => {
                let place = self.place_of(*family, *number);
                self.tables.check(*family, *number, deep, &mut |mut problem| {
                    if let Some((name, level, table)) = &place {
                        locate(&mut problem, name, *level, table);
                    }
                    tell(problem);
                })
            }
            Target::Blob { family, number, bytes } => {
                let name = self.state.families.get(family).map(|family| family.name.clone());
                self.blobs.check(*number, deep, &mut |mut problem| {
                    problem.family.clone_from(&name);
                    tell(problem);
                });
                *bytes
            }
        }
    }

    /// The name of the family and the level of a table, and the table.
    fn place_of(&self, family: u32, number: u64) -> Option<(&str, u32, &TableFile)> {
        let (level, table) = self.tables.place(family, number)?;
        Some((self.state.families.get(&family)?.name.as_str(), level, table))
    }
}

/// What is wrong with the length of a table's file, if anything.
fn wrong_length(what: &str, length: Option<u64>, table: &TableFile) -> Option<String> {
    match length {
        None => Some(format!("the {what} is missing: its {} bytes cannot be read", table.bytes)),
        Some(length) if !table.is_virtual() && length != table.bytes && table.bytes > 0 => {
            Some(format!("the manifest says {} bytes, the file has {length}", table.bytes))
        }
        Some(_) => None,
    }
}

/// Adds the place of the table to a finding.
fn locate(problem: &mut Problem, family: &str, level: u32, table: &TableFile) {
    problem.family.get_or_insert_with(|| family.to_owned());
    problem.level.get_or_insert(level);
    let keys = (hex(&table.smallest.user_key), hex(&table.largest.user_key));
    problem.keys.get_or_insert(keys);
}
