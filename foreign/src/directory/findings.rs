//! What checks and reads have found so far, kept for later questions.

use super::{Directory, Target};
use crate::name::FileName;
use crate::problem::{self, Problem, Standing};
use crate::sorting::set;
use crate::{Family, Severity, TableFile};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Findings that are kept; a directory with more is told as damaged all the same.
const KEPT_MAX: usize = 100_000;

/// How many of the tables and blob files that are in the directory were checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// Files of tables, a file that several virtual tables share once.
    pub tables: usize,
    /// Blob files.
    pub blobs: usize,
    /// Tables and blob files whose checksums were compared.
    pub compared: usize,
    /// Of these, those whose entries were decoded, too.
    pub decoded: usize,
}

/// Findings, each once, and the parts that were checked.
#[derive(Debug, Default)]
pub(super) struct Findings {
    kept: RefCell<Vec<Problem>>,
    seen: RefCell<BTreeSet<(String, Option<u64>, String)>>,
    /// The parts that were checked, by the number of the file: 2 when the check was deep, otherwise 1.
    checked: RefCell<BTreeMap<u64, u64>>,
    /// Files with damage, as of so many findings: a slider asks for them at every step.
    damaged: RefCell<Option<(usize, Rc<BTreeSet<String>>)>>,
}

impl Findings {
    fn add(&self, problem: &Problem) {
        let mut kept = self.kept.borrow_mut();
        let identity = (problem.file.clone(), problem.offset, problem.message.clone());
        if kept.len() < KEPT_MAX && self.seen.borrow_mut().insert(identity) {
            kept.push(problem.clone());
        }
    }
}

/// Tables and blob files take their numbers from the same counter.
fn number(target: &Target) -> u64 {
    match target {
        Target::Table { number, .. } | Target::Blob { number, .. } => *number,
    }
}

impl Directory<'_> {
    /// Keeps what a check of `target` has found. [`Directory::check`] does it; a host that checks on threads of its
    /// own calls it.
    pub fn keep(&self, target: &Target, deep: bool, problems: &[Problem]) {
        for problem in problems {
            self.found.add(problem);
        }
        let mut checked = self.found.checked.borrow_mut();
        let before = checked.get(&number(target)).copied().unwrap_or(0);
        checked.insert(number(target), before.max(1 + u64::from(deep)));
    }

    /// Keeps what a read of `family` could not read.
    pub(crate) fn keep_unread(&self, family: &Family, problems: &[Problem]) {
        for problem in problems {
            let mut problem = problem.clone();
            problem.family.get_or_insert_with(|| family.name.clone());
            if let Some((level, table)) = table_of(family, &problem.file) {
                self.tables.locate_block(family.id, table.number, &mut problem);
                super::check::locate(&mut problem, &family.name, level, table);
            }
            self.found.add(&problem);
        }
    }

    /// Everything that was found so far: while opening, by checks, and by reads.
    pub fn findings(&self) -> Vec<Problem> {
        let mut problems = self.problems();
        problems.extend_from_slice(&self.found.kept.borrow());
        problem::distinct(problems, self.files())
    }

    /// Files in which damage was found so far.
    pub(crate) fn damaged_files(&self) -> Rc<BTreeSet<String>> {
        let count = self.found.kept.borrow().len();
        let mut known = self.found.damaged.borrow_mut();
        if let Some((_, files)) = known.as_ref().filter(|(of, _)| *of == count) {
            return Rc::clone(files);
        }
        let errors = self.findings().into_iter();
        let errors = errors.filter(|problem| {
            problem.severity == Severity::Error && problem.state != Standing::InNoLevel
        });
        let files = Rc::new(set(errors.map(|problem| problem.file)));
        *known = Some((count, Rc::clone(&files)));
        files
    }

    /// How much was checked so far, of the tables and blob files that are there.
    pub fn checked(&self) -> Checked {
        let checked = self.found.checked.borrow();
        let mut count = Checked::default();
        for target in self.check_targets() {
            let is_there = match &target {
                Target::Table { family, number, .. } => self.tables.is_there(*family, *number),
                Target::Blob { number, .. } => self.blobs.is_there(*number),
            };
            if !is_there {
                continue;
            }
            match target {
                Target::Table { .. } => count.tables += 1,
                Target::Blob { .. } => count.blobs += 1,
            }
            let depth = checked.get(&number(&target)).copied().unwrap_or(0);
            count.compared += usize::from(depth > 0);
            count.decoded += usize::from(depth > 1);
        }
        count
    }
}

/// The first table of `family` that is in `file`, with its level.
fn table_of<'a>(family: &'a Family, file: &str) -> Option<(u32, &'a TableFile)> {
    let FileName::Table(number) = FileName::parse(file) else { return None };
    let mut levels = family.levels.iter();
    levels.find_map(|(level, tables)| {
        let table = tables.iter().find(|table| table.backing == number)?;
        Some((*level, table.as_ref()))
    })
}
