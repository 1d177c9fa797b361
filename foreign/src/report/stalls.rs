//! Report: the causes of write stalls, and their families.

use super::picture::Span;
use super::walk::walk;
use super::{Evidence, Picture, Question, Report};
use crate::events::{Events, StallCause, StallSpan};
use crate::options::{FamilyOptions, pending_compaction_bytes};
use crate::text::plain;
use crate::text::{bytes, count, duration, number};
use std::collections::BTreeMap;

/// The estimated debt of one family over time.
#[derive(Default)]
struct Debt {
    name: String,
    points: Vec<(u64, u64)>,
    /// Files in level 0.
    files: Vec<(u64, u64)>,
    most: u64,
    most_step: u64,
    now: u64,
}

pub(super) fn report(evidence: &Evidence<'_>) -> Report {
    let columns = [
        ("family", ""),
        ("strength", ""),
        ("cause", ""),
        ("start", "µs since 1970"),
        ("end", "µs since 1970"),
        ("duration", "µs"),
        ("largest number", ""),
        ("lowest rate", "bytes/s"),
        ("lines", ""),
    ];
    let mut report = Report::new(Question::Stalls, &columns);
    evidence.note_log(&mut report, "write stalls are unknown");
    evidence.note_options(&mut report, "the compaction debt cannot be estimated");
    let spans = evidence.events.map(Events::stalls);
    let debts = debts(evidence, &mut report);
    let debt = debts.iter().max_by_key(|debt| debt.most);
    for span in spans.iter().flatten() {
        report.row(vec![
            (&*span.family).into(),
            strength(span).into(),
            span.cause.words().into(),
            span.started.into(),
            span.ended.into(),
            span.duration_micros().into(),
            span.largest.into(),
            span.rate.into(),
            span.lines.into(),
        ]);
    }
    let stalls = match (evidence.events, &spans) {
        (Some(_), Some(spans)) if !spans.is_empty() => stalled(evidence, spans, &mut report),
        (Some(events), _) => format!(
            "The LOG, which covers {} of the database, has no line about writes that slowed down or \
             stopped.",
            count(events.openings.len() as u64, "opening")
        ),
        (None, _) => "Without a LOG it is not known whether writes stalled.".to_owned(),
    };
    let debt_words = debt.map(|debt| debt_words(evidence, debt));
    report.answer = format!("{stalls}{}", debt_words.unwrap_or_default());
    if let Some(debt) = debt {
        report.figure("Largest compaction debt, estimated", debt.most, "bytes");
        report.figure("Step with the largest debt", debt.most_step, "");
        report.figure("Compaction debt now, estimated", debt.now, "bytes");
    }
    pictures(evidence, spans.as_deref().unwrap_or_default(), &debts, &mut report);
    report
}

fn strength(span: &StallSpan) -> &'static str {
    if span.stop { "stopped" } else { "slowed down" }
}

/// The stalls in words: first the family that waited longest.
fn stalled(evidence: &Evidence<'_>, spans: &[StallSpan], report: &mut Report) -> String {
    let mut families: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    let mut causes: BTreeMap<StallCause, u64> = BTreeMap::new();
    for span in spans {
        let sums = families.entry(&span.family).or_default();
        sums.0 += 1;
        sums.1 += u64::from(span.stop);
        sums.2 = sums.2.saturating_add(span.duration_micros());
    }
    let lead = families.iter().max_by_key(|(_, sums)| (sums.2, sums.0));
    let Some((name, (times, stops, micros))) = lead.map(|(name, sums)| (*name, *sums)) else {
        return String::new();
    };
    for span in spans.iter().filter(|span| &*span.family == name) {
        *causes.entry(span.cause).or_default() += 1;
    }
    let cause = causes.iter().max_by_key(|(_, times)| **times).map(|(cause, _)| *cause);
    let cause = cause.unwrap_or(StallCause::Other);
    let largest = spans.iter().filter(|span| &*span.family == name && span.cause == cause);
    let largest = largest.filter_map(|span| span.largest).max();
    report.figure("Stalls", spans.len(), "");
    report.figure("Family that waited longest", name, "");
    report.figure("Stalls of this family", times, "");
    report.figure("Stalls of this family that stopped writes", stops, "");
    report.figure("Time stalled in this family", micros, "µs");
    let at_most = match (cause, largest) {
        (_, None) => String::new(),
        (StallCause::PendingBytes, Some(most)) => format!(", at most {}", bytes(most)),
        (_, Some(most)) => format!(", at most {}", number(most)),
    };
    let others = (families.len() - 1) as u64;
    let others = match others {
        0 => String::new(),
        more => format!(" {} stalled, too.", count(more, "other family")),
    };
    let unended = spans.iter().any(|span| span.ended.is_none());
    if unended {
        report.lacks(
            "Some stalls have no line that shows their end: they count until the last line about \
             them.",
        );
    }
    format!(
        "Writes{} {} {}{}, for {}{} in all, mostly because of {}{at_most}.{others}",
        evidence.of_family(name),
        match stops {
            0 => "slowed down",
            stops if stops == times => "stopped",
            _ => "stalled",
        },
        count(times, "time"),
        if stops > 0 && stops < times {
            format!(", {} of them to a full stop", number(stops))
        } else {
            String::new()
        },
        if unended { "at least " } else { "" },
        duration(micros),
        cause.words(),
    )
}

fn debt_words(evidence: &Evidence<'_>, debt: &Debt) -> String {
    if debt.most == 0 {
        return " No level was ever over its target.".to_owned();
    }
    let now = if debt.now == 0 {
        "there is none now".to_owned()
    } else {
        format!("it is {} now", bytes(debt.now))
    };
    format!(
        " The estimated compaction debt{} was {} at most, after step {}; {now}.",
        evidence.of_family(&debt.name),
        bytes(debt.most),
        number(debt.most_step)
    )
}

/// The debt after each step, by the rule of `estimated pending compaction bytes`.
fn debts(evidence: &Evidence<'_>, report: &mut Report) -> Vec<Debt> {
    let mut options: BTreeMap<String, Option<FamilyOptions>> = BTreeMap::new();
    let mut debts: BTreeMap<u32, Debt> = BTreeMap::new();
    let engine = evidence.state.engine;
    let walked = walk(evidence, &mut |moment| {
        for (id, _) in moment.by_family() {
            let Some(shape) = moment.shape.family(id) else { continue };
            let own = options
                .entry(shape.name.clone())
                .or_insert_with(|| evidence.options_of(&shape.name));
            let Some(own) = own else { continue };
            let sizes = shape.sizes();
            let Some(targets) = own.targets(engine, &sizes) else { continue };
            let pending = pending_compaction_bytes(own, &targets, shape.files(0), &sizes);
            let debt = debts.entry(id).or_default();
            debt.name.clone_from(&shape.name);
            debt.points.push((moment.step as u64, pending));
            debt.files.push((moment.step as u64, shape.files(0)));
            debt.now = pending;
            if pending > debt.most {
                (debt.most, debt.most_step) = (pending, moment.step as u64);
            }
        }
    });
    if let Err(error) = walked {
        report.lacks(format!("The history could not be read to its end: {error}."));
    }
    if debts.is_empty() && evidence.manifest.is_some() {
        report.lacks("No family has targets for its levels: there is no debt to estimate.");
    }
    debts.into_values().collect()
}

/// Immutable memtables after each flush.
fn memtables(events: &Events, report: &mut Report) {
    let title = "Immutable memtables after flushes";
    let mut picture = Picture::new(title, ("time", "µs since 1970"), ("memtables", ""));
    let mut lines: BTreeMap<&str, Vec<(u64, u64)>> = BTreeMap::new();
    for job in &events.jobs {
        if let (Some(at), Some(waiting)) = (job.finished, job.immutable_memtables) {
            lines
                .entry(job.family.as_deref().unwrap_or("default"))
                .or_default()
                .push((at, waiting));
        }
    }
    for (family, points) in lines {
        picture.steps(family, &points);
    }
    if !picture.series.is_empty() {
        report.pictures.push(picture);
    }
}

fn pictures(evidence: &Evidence<'_>, spans: &[StallSpan], debts: &[Debt], report: &mut Report) {
    if !spans.is_empty() {
        let mut picture = Picture::new("Stalls", ("time", "µs since 1970"), ("family", ""));
        let mut lanes: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
        for span in spans {
            let label = format!("{}: {}", strength(span), span.cause.words());
            let end = plain(span.ended.unwrap_or(span.last));
            let span_of = Span { start: plain(span.started), end, label };
            lanes.entry(&span.family).or_default().push(span_of);
        }
        for (family, spans) in lanes {
            picture.spans(family, spans);
        }
        report.pictures.push(picture);
    }
    if let Some(events) = evidence.events {
        memtables(events, report);
    }
    if debts.iter().any(|debt| !debt.points.is_empty()) {
        let title = "Estimated compaction debt";
        let mut picture = Picture::new(title, ("step", ""), ("debt", "bytes"));
        let lead = debts.iter().max_by_key(|debt| debt.most);
        for debt in debts {
            picture.steps(debt.name.as_str(), &debt.points);
        }
        if let Some(options) = lead.and_then(|debt| evidence.options_of(&debt.name)) {
            let near = |limit: Option<&u64>| {
                let most = lead.map_or(0, |debt| debt.most);
                limit.copied().filter(|limit| *limit > 0 && *limit / 10 <= most)
            };
            picture.reference("slowdown of writes", near(options.soft_pending_bytes.value()));
            picture.reference("stop of writes", near(options.hard_pending_bytes.value()));
        }
        report.pictures.push(picture);
        let mut picture = Picture::new("Files in level 0", ("step", ""), ("files", ""));
        for debt in debts {
            picture.steps(debt.name.as_str(), &debt.files);
        }
        report.pictures.push(picture);
    }
}
