//! The steps of the history, with their LOG lines.

use super::answer::StepLine;
use crate::Result;
use crate::directory::Directory;
use crate::events::Place;
use crate::files::total;
use crate::manifest::{ChangeKind, Edit, Manifest, Step, StepKind};
use crate::options::{CompactionStyle, FamilyOptions};
use crate::sorting::set;
use crate::text::{bytes, count, key, listed, number};
use std::collections::BTreeSet;

impl Directory<'_> {
    /// Steps from `from` on.
    ///
    /// # Errors
    /// The manifest cannot be read any more.
    pub fn step_lines(&self, from: usize, limit: usize) -> Result<Vec<StepLine>> {
        let steps = self.manifest().steps();
        let wanted = steps.iter().enumerate().skip(from).take(limit);
        let mut drafts: Vec<Draft> = wanted.map(|(place, step)| Draft::new(place, *step)).collect();
        let (Some(first), Some(last)) = (drafts.first(), drafts.last()) else {
            return Ok(Vec::new());
        };
        let (mut at, edits) = (0, first.step.first..last.step.end);
        self.manifest().read_edits(self.files(), edits, |index, edit| {
            while drafts.get(at).is_some_and(|draft| draft.step.end <= index) {
                at += 1;
            }
            if let Some(draft) = drafts.get_mut(at) {
                draft.add(&edit);
            }
        })?;
        Ok(drafts.into_iter().map(|draft| self.finished(draft)).collect())
    }

    /// One step.
    ///
    /// # Errors
    /// There is no such step, or the manifest cannot be read any more.
    pub fn step_line(&self, place: usize) -> Result<StepLine> {
        let count = self.manifest().steps().len();
        self.step_lines(place, 1)?.pop().ok_or_else(|| no_step(place, count))
    }

    /// The step with its reason, time and duration from LOG.
    fn finished(&self, draft: Draft) -> StepLine {
        let Draft { step, mut line, families, seconds, slices } = draft;
        line.families = families.into_iter().collect();
        let place = |(level, number): (u32, u64)| Place { level, number };
        let added: Vec<_> = line.added.iter().map(|table| place((table.0, table.1))).collect();
        let removed: Vec<_> = line.removed.iter().copied().map(place).collect();
        let events = self.events();
        if let Some(job) = events.and_then(|events| events.job_of_step(step.kind, &added, &removed))
        {
            line.reason = job.reason.as_deref().map(str::to_owned);
            line.duration_micros = job.duration_micros();
        }
        let logged = events.and_then(|events| events.time_of_step(step.kind, &added, &removed));
        line.micros = logged.or(seconds.map(|seconds| seconds.saturating_mul(1_000_000)));
        line.sentence = sentence(self, &line, step, &slices);
        line
    }
}

/// A step while its edits are read.
struct Draft {
    step: Step,
    line: StepLine,
    families: BTreeSet<u32>,
    seconds: Option<u64>,
    /// Tables added that are slices of other files.
    slices: BTreeSet<u64>,
}

impl Draft {
    fn new(place: usize, step: Step) -> Self {
        let line = StepLine {
            step: place,
            first_edit: step.first as usize,
            edits: (step.end - step.first) as usize,
            kind: word(step.kind),
            families: Vec::new(),
            added: Vec::new(),
            removed: Vec::new(),
            sentence: String::new(),
            micros: None,
            reason: None,
            duration_micros: None,
        };
        Self { step, line, families: BTreeSet::new(), seconds: None, slices: BTreeSet::new() }
    }

    fn add(&mut self, edit: &Edit) {
        let line = &mut self.line;
        if edit.changes_tables() || edit.family_added.is_some() || edit.family_dropped {
            self.families.insert(edit.family);
        }
        for (level, table) in &edit.added {
            line.added.push((*level, table.number, table.bytes));
            self.seconds = self.seconds.max(self.step.kind.created(table));
            if table.is_virtual() {
                self.slices.insert(table.number);
            }
        }
        line.removed.extend(edit.removed.iter().copied());
    }
}

fn no_step(place: usize, count: usize) -> crate::Error {
    let message = format!("there is no step {place}: the history has {count}");
    crate::Error::new(crate::ErrorKind::Invalid, message)
}

/// The word of a kind for programs.
fn word(kind: StepKind) -> &'static str {
    match kind {
        StepKind::FamilyCreated => "family_created",
        StepKind::FamilyDropped => "family_dropped",
        other => other.word(),
    }
}

/// The changes of a step, as a sentence.
fn sentence(
    directory: &Directory<'_>,
    line: &StepLine,
    step: Step,
    slices: &BTreeSet<u64>,
) -> String {
    let sizes = total(line.added.iter().map(|(_, _, bytes)| *bytes));
    let added = count(line.added.len() as u64, "table");
    let removed = count(line.removed.len() as u64, "table");
    let of = of_families(directory, line);
    let into = levels(line.added.iter().map(|(level, _, _)| *level));
    match step.kind {
        StepKind::Snapshot if line.added.is_empty() => {
            "The manifest begins with an empty database.".into()
        }
        StepKind::Snapshot => {
            format!("The manifest begins with {added}; history before this was not kept.")
        }
        StepKind::Flush => format!("A flush{of} wrote {added} to {into} ({}).", bytes(sizes)),
        StepKind::Recovery => {
            let size = bytes(sizes);
            format!("Recovery{of} wrote the entries of the logs to {added} in {into} ({size}).")
        }
        StepKind::Compaction if line.added.is_empty() => {
            format!("A compaction{of} removed {removed} and wrote none: no entry was left.")
        }
        StepKind::Compaction => {
            format!("A compaction{of} merged {removed} into {added} in {into} ({}).", bytes(sizes))
        }
        StepKind::Move => {
            let from = levels(line.removed.iter().map(|(level, _)| *level));
            format!("A trivial move{of} took {added} from {from} to {into}.")
        }
        StepKind::Ingestion => ingestion(line, slices, &of),
        StepKind::Excise => format!("An excise{of} cut {removed} into {added}."),
        StepKind::Deletion => deletion(directory, line, &of),
        StepKind::FamilyCreated => format!("{} was created.", family_of(directory, line)),
        StepKind::FamilyDropped => {
            let edits = step.first as usize..step.end as usize;
            let gone = edits.flat_map(|edit| directory.manifest().changes(edit));
            let with = match gone.filter(|gone| gone.kind == ChangeKind::TableRemoved).count() {
                0 => "; it had no table".to_owned(),
                1 => " with its only table".to_owned(),
                more => format!(" with its {}", count(more as u64, "table")),
            };
            format!("{} was dropped{with}.", family_of(directory, line))
        }
        StepKind::Bookkeeping => "Bookkeeping: no table changed.".into(),
    }
}

/// ` of "users" and "events"`; nothing where the database has had only one family.
fn of_families(directory: &Directory<'_>, line: &StepLine) -> String {
    let manifest = directory.manifest();
    if !manifest.has_had_families() || line.families.is_empty() {
        return String::new();
    }
    let names = line.families.iter().take(FAMILIES_NAMED + 1);
    let names: Vec<String> = names.map(|id| family_name(manifest, *id)).collect();
    if names.len() > FAMILIES_NAMED {
        return format!(" of {} families", number(line.families.len() as u64));
    }
    format!(" of {}", listed(&names))
}

/// Families that a sentence names.
const FAMILIES_NAMED: usize = 3;

fn family_name(manifest: &Manifest, id: u32) -> String {
    manifest.family_name(id).map_or_else(|| format!("#{id}"), |name| key(name.as_bytes()))
}

/// `Column family "side"`
fn family_of(directory: &Directory<'_>, line: &StepLine) -> String {
    let name = line.families.first().map(|id| family_name(directory.manifest(), *id));
    format!("Column family {}", name.unwrap_or_default())
}

/// `L0 and L1`
fn levels(levels: impl Iterator<Item = u32>) -> String {
    let levels: Vec<String> = set(levels).iter().map(|level| format!("L{level}")).collect();
    levels.join(" and ")
}

/// Tables that came in; a separate clause names those that Pebble cut to make room for them.
fn ingestion(line: &StepLine, slices: &BTreeSet<u64>, of: &str) -> String {
    let is_cut = |table: &&(u32, u64, u64)| !line.removed.is_empty() && slices.contains(&table.1);
    let (cut, came): (Vec<_>, Vec<_>) = line.added.iter().partition(is_cut);
    let cut = match (line.removed.as_slice(), cut.len()) {
        (_, 0) => String::new(),
        ([(_, number)], 2) => format!(" and cut table {number} in two"),
        ([(_, number)], _) => format!(" and cut its keys out of table {number}"),
        (tables, _) => format!(" and cut its keys out of {} tables", number(tables.len() as u64)),
    };
    let size = bytes(total(came.iter().map(|(_, _, bytes)| *bytes)));
    let into = levels(came.iter().map(|(level, _, _)| *level));
    let came = count(came.len() as u64, "table");
    format!("An ingestion{of} added {came} to {into} ({size}){cut}.")
}

/// Tables that were removed while none was written: by FIFO compaction, if LOG or the options show it.
fn deletion(directory: &Directory<'_>, line: &StepLine, of: &str) -> String {
    let what = match line.removed.as_slice() {
        [(_, number)] => format!("table {number}"),
        more => count(more.len() as u64, "table"),
    };
    let family = line.families.first().and_then(|id| directory.state().families.get(id));
    let options = family.and_then(|family| directory.family_options(family));
    let style = options.as_ref().and_then(|options| options.compaction_style.value().copied());
    let limit = options.as_ref().and_then(FamilyOptions::fifo_bytes_max);
    let limit = limit.map_or_else(String::new, |limit| format!(" ({})", bytes(limit)));
    let why = match line.reason.as_deref() {
        Some("FIFOMaxSize") => {
            format!(", because the tables took more than max_table_files_size{limit}")
        }
        Some("FIFOTtl") => ", because its entries were older than the ttl".to_owned(),
        _ => String::new(),
    };
    if style == Some(CompactionStyle::Fifo) || !why.is_empty() {
        return format!("FIFO compaction{of} dropped {what}{why}.");
    }
    match line.removed.as_slice() {
        [(level, number)] => {
            format!(
                "Table {number}{of} was removed from L{level}, and none was written in its place."
            )
        }
        _ => format!("{what}{of} were removed, and none was written in their place."),
    }
}
