//! Findings of checks and reads so far, kept for later questions.

use super::{Directory, Target};
use crate::name::FileName;
use crate::problem::{self, Problem};
use crate::sorting::set;
use crate::text::{count, number as number_words};
use crate::{Examined, Family, Gap, TableFile};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Findings that are kept; a directory with more is reported as damaged all the same.
const KEPT_MAX: usize = 100_000;

/// Counts of the tables and blob files in the directory that were checked.
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
    /// Whether a deep check ran on any of them.
    pub is_deep: bool,
    /// Tables and blob files whose check did not reach every block, by [`Gap`].
    pub unreached: [usize; GAPS.len()],
    /// Tables and blob files with entries that a deep check did not decode, though it reached every block.
    pub undecoded: usize,
}

/// Reasons that checks do not reach every block.
const GAPS: [Gap; 4] = [Gap::File, Gap::Index, Gap::Metaindex, Gap::Findings];

impl Checked {
    /// `3 tables and 1 blob file`
    pub fn files_words(&self) -> String {
        let tables = count(self.tables as u64, "table");
        match self.blobs as u64 {
            0 => tables,
            blobs => format!("{tables} and {}", count(blobs, "blob file")),
        }
    }

    /// `2 of 3 tables`
    pub(crate) fn part_words(&self, part: usize) -> String {
        format!("{} of {}", number_words(part as u64), self.files_words())
    }

    /// Whether a check ended on every file.
    pub fn is_over(&self) -> bool {
        self.compared + self.unreached.iter().sum::<usize>() >= self.tables + self.blobs
    }

    /// The extent of a check that is over: `every checksum was compared and every entry decoded`, or less.
    pub fn extent(&self, deep: bool) -> String {
        let left_out = self.left_out();
        let all = self.tables + self.blobs;
        let of = |part: usize| {
            if part < all { format!(" of {}", self.part_words(part)) } else { String::new() }
        };
        let mut clauses = Vec::new();
        if self.compared > 0 || left_out.is_empty() {
            let compared = of(self.compared);
            clauses.push(if !deep {
                format!("every checksum{compared} was compared")
            } else if self.decoded == self.compared {
                format!("every checksum{compared} was compared and every entry decoded")
            } else {
                let decoded = of(self.decoded);
                format!(
                    "every checksum{compared} was compared, and every entry{decoded} was decoded"
                )
            });
        }
        clauses.extend(left_out);
        clauses.join("; ")
    }

    /// Parts that checks left out, one clause for each reason: `1 of 3 tables was not checked: its index cannot be
    /// read`.
    pub fn left_out(&self) -> Vec<String> {
        let words = |all: usize| if all == 1 { ("was", "its") } else { ("were", "their") };
        let reasons = GAPS.iter().zip(self.unreached).filter(|(_, all)| *all > 0);
        let mut clauses: Vec<String> = reasons
            .map(|(gap, all)| {
                let (was, its) = words(all);
                let whole = if *gap > Gap::Index { " whole" } else { "" };
                let part = self.part_words(all);
                format!("{part} {was} not checked{whole}: {}", gap.words(its))
            })
            .collect();
        if self.undecoded > 0 {
            clauses.push(format!(
                "entries of {} were not decoded, because this version does not read their blocks",
                self.part_words(self.undecoded)
            ));
        }
        clauses
    }
}

/// Extent of the checks of one file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reach {
    /// Whether every checksum was compared.
    pub compared: bool,
    /// Whether every entry was decoded, too.
    pub decoded: bool,
    /// Whether a deep check ran.
    is_deep: bool,
    /// Reason that not every checksum was compared.
    gap: Option<Gap>,
}

/// Findings, each once, and the parts that were checked.
#[derive(Debug, Default)]
pub(super) struct Findings {
    kept: RefCell<Vec<Problem>>,
    seen: RefCell<BTreeSet<(String, Option<u64>, String)>>,
    /// The parts that were checked, by the number of the file.
    checked: RefCell<BTreeMap<u64, Reach>>,
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

impl Directory<'_> {
    /// Keeps the findings of a check of `target`, for [`Directory::check`] and for hosts that check on their own
    /// threads.
    pub fn keep(&self, target: &Target, deep: bool, examined: Examined, problems: &[Problem]) {
        for problem in problems {
            self.found.add(problem);
        }
        let mut checked = self.found.checked.borrow_mut();
        let mut reach = checked.get(&target.number).copied().unwrap_or_default();
        reach.compared |= examined.gap.is_none();
        reach.decoded |= deep && examined.gap.is_none() && !examined.undecoded;
        reach.is_deep |= deep;
        reach.gap = examined.gap;
        checked.insert(target.number, reach);
    }

    /// Extent of the checks of `target`; `None` without a check.
    pub fn reach(&self, target: &Target) -> Option<Reach> {
        self.found.checked.borrow().get(&target.number).copied()
    }

    /// Keeps the damage that a read of `family` met.
    pub(crate) fn keep_unread(&self, family: &Family, problems: &[Problem]) {
        for problem in problems {
            let mut problem = problem.clone();
            problem.family.get_or_insert_with(|| family.name.clone());
            if let Some((level, table)) = table_of(family, &problem.file) {
                self.tables().locate_block(family.id, table.number, &mut problem);
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
        let errors = errors.filter(Problem::is_damage);
        let files = Rc::new(set(errors.map(|problem| problem.file)));
        *known = Some((count, Rc::clone(&files)));
        files
    }

    /// Extent of the checks so far, of the tables and blob files that are there.
    pub fn checked(&self) -> Checked {
        let mut count = Checked::default();
        for target in self.check_targets() {
            if !self.checker.is_there(&target) {
                continue;
            }
            count.blobs += usize::from(target.is_blob);
            count.tables += usize::from(!target.is_blob);
            let Some(reach) = self.reach(&target) else { continue };
            count.is_deep |= reach.is_deep;
            count.compared += usize::from(reach.compared);
            count.decoded += usize::from(reach.decoded);
            count.undecoded += usize::from(reach.compared && reach.is_deep && !reach.decoded);
            let gap = reach.gap.filter(|_| !reach.compared);
            let place = GAPS.iter().position(|one| Some(*one) == gap);
            if let Some(all) = place.and_then(|place| count.unreached.get_mut(place)) {
                *all += 1;
            }
        }
        count
    }
}

/// The first table of `family` that is in `file`, with its level.
fn table_of<'a>(family: &'a Family, file: &str) -> Option<(u32, &'a TableFile)> {
    let FileName::Table(number) = FileName::parse(file) else { return None };
    let (level, table) = family.tables().find(|(_, table)| table.backing == number)?;
    Some((level, table))
}
