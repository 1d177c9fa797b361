//! The steps of the history, with what LOG tells of them.

use super::answer::StepLine;
use crate::directory::Directory;
use crate::events::{Events, Job};
use crate::files::total;
use crate::manifest::{Edit, Step, StepKind};
use crate::sorting::set;
use crate::text::{bytes, count};
use crate::{Result, State};
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

    /// The step with what LOG tells of it.
    fn finished(&self, draft: Draft) -> StepLine {
        let Draft { step, mut line, families, seconds } = draft;
        line.families = families.into_iter().collect();
        let events = self.events();
        if let Some(job) = events.and_then(|events| job_of(events, &line)) {
            line.reason = job.reason.as_deref().map(str::to_owned);
            line.duration_micros = job.duration_micros();
        }
        let first = line.added.first();
        let told = first.and_then(|(level, number, _)| events?.added_at(*number, *level));
        let gone = line.removed.first().filter(|_| line.added.is_empty());
        let deleted = gone.and_then(|(_, number)| events?.deleted(*number));
        line.micros = told.or(deleted).or(seconds.map(|seconds| seconds.saturating_mul(1_000_000)));
        line.sentence = sentence(&line, step, self.state());
        line
    }
}

/// A step while its edits are read.
struct Draft {
    step: Step,
    line: StepLine,
    families: BTreeSet<u32>,
    seconds: Option<u64>,
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
        Self { step, line, families: BTreeSet::new(), seconds: None }
    }

    fn add(&mut self, edit: &Edit) {
        let line = &mut self.line;
        if edit.changes_tables() || edit.family_added.is_some() || edit.family_dropped {
            self.families.insert(edit.family);
        }
        for (level, table) in &edit.added {
            line.added.push((*level, table.number, table.bytes));
            // A moved table keeps the time of its creation.
            if line.kind != "move" {
                let created = table.created_seconds.filter(|seconds| *seconds > 0);
                self.seconds = self.seconds.max(created);
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

/// The job that made the first table that has one.
fn job_of<'e>(events: &'e Events, line: &StepLine) -> Option<&'e Job> {
    if line.kind == "move" {
        let (level, number, _) = line.added.first()?;
        let moved = events.moved(*number).iter().find(|moved| moved.level == *level)?;
        return events.jobs.get(moved.job? as usize);
    }
    line.added.iter().find_map(|(_, number, _)| events.job_of_table(*number))
}

/// What a step does, as a sentence.
fn sentence(line: &StepLine, step: Step, state: &State) -> String {
    let sizes = total(line.added.iter().map(|(_, _, bytes)| *bytes));
    let added = count(line.added.len() as u64, "table");
    let removed = count(line.removed.len() as u64, "table");
    let family = line.families.first().and_then(|id| state.families.get(id));
    let family = family.filter(|_| state.families.len() > 1);
    let of = family.map(|family| format!(" of \"{}\"", family.name)).unwrap_or_default();
    let into = |lines: &[(u32, u64, u64)]| {
        let levels: BTreeSet<u32> = set(lines.iter().map(|(level, _, _)| *level));
        let levels: Vec<String> = levels.iter().map(|level| format!("L{level}")).collect();
        levels.join(" and ")
    };
    match step.kind {
        StepKind::Snapshot if line.added.is_empty() => {
            "The manifest begins with an empty database.".into()
        }
        StepKind::Snapshot => {
            format!("The manifest begins with {added}; history before this was not kept.")
        }
        StepKind::Flush => {
            format!("A flush{of} wrote {added} to {} ({}).", into(&line.added), bytes(sizes))
        }
        StepKind::Recovery => {
            format!(
                "Recovery{of} wrote what the logs held to {added} in {} ({}).",
                into(&line.added),
                bytes(sizes)
            )
        }
        StepKind::Compaction if line.added.is_empty() => {
            format!("A compaction{of} removed {removed} and wrote none: no entry was left.")
        }
        StepKind::Compaction => format!(
            "A compaction{of} merged {removed} into {added} in {} ({}).",
            into(&line.added),
            bytes(sizes)
        ),
        StepKind::Move => {
            let from: BTreeSet<u32> = set(line.removed.iter().map(|(level, _)| *level));
            let from: Vec<String> = from.iter().map(|level| format!("L{level}")).collect();
            format!(
                "A trivial move{of} took {added} from {} to {}.",
                from.join(" and "),
                into(&line.added)
            )
        }
        StepKind::Ingestion => {
            format!("An ingestion{of} added {added} to {} ({}).", into(&line.added), bytes(sizes))
        }
        StepKind::Excise => format!("An excise{of} cut {removed} into {added}."),
        StepKind::Deletion => format!("{removed}{of} left the levels without a compaction."),
        StepKind::FamilyCreated => format!("A column family was created{of}."),
        StepKind::FamilyDropped => "A column family was dropped with all its tables.".into(),
        StepKind::Bookkeeping => "Bookkeeping: no table changed.".into(),
    }
}
