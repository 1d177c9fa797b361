//! Report: the history that led to the present levels.

use super::walk::{Moment, TableChange, job, walk};
use super::{Cell, Evidence, Picture, Question, Report};
use crate::events::Job;
use crate::files::total;
use crate::manifest::StepKind;
use crate::text::plain;
use crate::text::{bytes, count, listed, number};
use std::collections::BTreeMap;

/// Sums over all steps.
#[derive(Default)]
struct Sums {
    steps: u64,
    edits: u64,
    /// Whether the time of a step is known.
    timed: bool,
    kinds: BTreeMap<StepKind, u64>,
    flushed: u64,
    ingested: u64,
    compacted: u64,
    tables: Vec<(u64, u64)>,
    bytes: Vec<(u64, u64)>,
}

pub(super) fn report(evidence: &Evidence<'_>) -> Report {
    let columns = [
        ("step", ""),
        ("kind", ""),
        ("edits", ""),
        ("families", ""),
        ("tables added", ""),
        ("bytes added", "bytes"),
        ("tables removed", ""),
        ("bytes removed", "bytes"),
        ("to level", ""),
        ("time", "µs since 1970"),
        ("reason", ""),
        ("duration", "µs"),
        ("tables after it", ""),
        ("bytes after it", "bytes"),
    ];
    let mut report = Report::new(Question::Replay, &columns);
    evidence.note_history(&mut report);
    evidence.note_cut(&mut report);
    let mut sums = Sums::default();
    let walked = walk(evidence, &mut |moment| {
        sums.add(moment);
        row(evidence, moment, &mut report);
    });
    if let Err(error) = walked {
        report.lacks(format!("The history could not be read to its end: {error}."));
    }
    evidence.note_log(
        &mut report,
        if sums.timed {
            "times are those at which tables were created, to the second; reasons and durations are unknown"
        } else {
            "times, reasons and durations are unknown"
        },
    );
    let answer = sentence(evidence, &sums, &mut report);
    report.answer = format!("{answer}{}", evidence.fifo(&mut report));
    let mut picture = Picture::new("Size of all tables", ("step", ""), ("size", "bytes"));
    picture.steps("bytes", &sums.bytes);
    report.pictures.push(picture);
    let mut picture = Picture::new("Tables", ("step", ""), ("tables", ""));
    picture.steps("tables", &sums.tables);
    report.pictures.push(picture);
    report
}

impl Sums {
    fn add(&mut self, moment: &Moment<'_>) {
        self.steps += 1;
        self.edits += moment.edits;
        self.timed |= moment.micros.is_some();
        *self.kinds.entry(moment.kind).or_default() += 1;
        let added = moment.changes.iter().filter(|change| change.added);
        let added = total(added.map(|change| change.bytes));
        match moment.kind {
            StepKind::Flush | StepKind::Recovery => {
                self.flushed = self.flushed.saturating_add(added);
            }
            StepKind::Ingestion => {
                // Pebble cuts tables where others come in: these slices were there before.
                let is_cut = moment.changes.iter().any(|change| !change.added);
                let cut = moment.changes.iter().filter(|change| is_cut && change.is_slice);
                let cut = total(cut.map(|change| change.bytes));
                self.ingested = self.ingested.saturating_add(added.saturating_sub(cut));
            }
            StepKind::Compaction => self.compacted = self.compacted.saturating_add(added),
            _ => {}
        }
        let (tables, bytes) = moment.shape.total();
        self.tables.push((moment.step as u64, tables));
        self.bytes.push((moment.step as u64, bytes));
    }
}

fn row(evidence: &Evidence<'_>, moment: &Moment<'_>, report: &mut Report) {
    let (added, removed): (Vec<_>, Vec<_>) = moment.changes.iter().partition(|change| change.added);
    let size = |changes: &[&TableChange]| total(changes.iter().map(|c| c.bytes));
    let name = |id: &u32| {
        let known = evidence.manifest.and_then(|manifest| manifest.family_name(*id));
        known.map_or_else(|| format!("#{id}"), str::to_owned)
    };
    let names: Vec<String> = moment.families.iter().map(name).collect();
    let job = job(evidence, moment.kind, moment.changes);
    let (tables, bytes) = moment.shape.total();
    report.row(vec![
        moment.step.into(),
        moment.kind.word().into(),
        moment.edits.into(),
        names.join(", ").into(),
        added.len().into(),
        size(&added).into(),
        removed.len().into(),
        size(&removed).into(),
        added.iter().map(|change| change.level).max().into(),
        moment.micros.into(),
        job.and_then(|job| job.reason.as_deref()).into(),
        job.and_then(Job::duration_micros).into(),
        tables.into(),
        bytes.into(),
    ]);
}

/// The steps that change tables, in the order in which a sentence lists them.
const LISTED: [(StepKind, &str); 8] = [
    (StepKind::Flush, "flush"),
    (StepKind::Recovery, "recovery"),
    (StepKind::Compaction, "compaction"),
    (StepKind::Move, "trivial move"),
    (StepKind::Ingestion, "ingestion"),
    (StepKind::Excise, "excise"),
    (StepKind::Deletion, "deletion of tables"),
    (StepKind::FamilyDropped, "drop of a family"),
];

fn sentence(evidence: &Evidence<'_>, sums: &Sums, report: &mut Report) -> String {
    let all = evidence.manifest.map_or(sums.edits, |manifest| manifest.edits().len() as u64);
    report.figure("Edits", all, "");
    if all > sums.edits {
        report.figure("Edits that were not applied", all - sums.edits, "");
    }
    report.figure("Steps", sums.steps, "");
    let of = |kind| sums.kinds.get(&kind).copied().unwrap_or(0);
    for (kind, word) in LISTED {
        report.figure(format!("Steps: {word}"), of(kind), "");
    }
    report.figure("Bytes flushed", sums.flushed, "bytes");
    report.figure("Bytes ingested", sums.ingested, "bytes");
    report.figure("Bytes written by compactions", sums.compacted, "bytes");
    let came = sums.flushed.saturating_add(sums.ingested);
    let amplification =
        (came > 0).then(|| plain(came.saturating_add(sums.compacted)) / plain(came));
    report.figure("Write amplification of tables", Cell::from(amplification), "times");
    if evidence.manifest.is_none() {
        return "Without a manifest it is not known how it got like this.".to_owned();
    }
    let counted: Vec<String> = LISTED
        .into_iter()
        .filter(|(kind, _)| of(*kind) > 0)
        .map(|(kind, word)| plural(of(kind), word))
        .collect();
    let edits = match all {
        all if all > sums.edits => format!("{} of {}", number(sums.edits), count(all, "edit")),
        _ => count(sums.edits, "edit"),
    };
    if counted.is_empty() {
        return format!("No table came or went in the {edits} of the manifest.");
    }
    let (tables, size) = evidence
        .tables()
        .fold((0u64, 0u64), |sum, table| (sum.0 + 1, sum.1.saturating_add(table.2.bytes)));
    let wrote = match amplification {
        Some(times) if sums.compacted > 0 => format!(
            " Compactions wrote {}, so each byte that came into tables was written {times:.1} times, not counting \
             logs and blob files.",
            bytes(sums.compacted)
        ),
        _ => " No compaction wrote a table.".to_owned(),
    };
    format!(
        "In {edits} the database did {}. It has {} of {} now.{wrote}",
        listed(&counted),
        count(tables, "table"),
        bytes(size),
    )
}

fn plural(times: u64, word: &str) -> String {
    match word {
        _ if times == 1 => format!("1 {word}"),
        "deletion of tables" => format!("{} deletions of tables", number(times)),
        "drop of a family" => format!("{} drops of a family", number(times)),
        _ => count(times, word),
    }
}
