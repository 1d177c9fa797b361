//! Report: the files that pile up in level 0.

use super::overlap::Segments;
use super::picture::Span;
use super::walk::{Moment, TableChange, job, walk};
use super::{Cell, Evidence, Picture, Question, Report};
use crate::events::{Events, Job, JobKind};
use crate::files::total;
use crate::options::{CompactionStyle, FamilyOptions};
use crate::text::plain;
use crate::text::{count, duration, key, listed, number};
use std::collections::BTreeMap;

/// Level 0 of one family over time.
#[derive(Default)]
struct Line {
    name: String,
    points: Vec<(u64, u64)>,
    most: u64,
    most_step: u64,
    now: u64,
    dropped: bool,
}

pub(super) fn report(evidence: &Evidence<'_>) -> Report {
    let columns = [
        ("step", ""),
        ("family", ""),
        ("kind", ""),
        ("files in level 0", ""),
        ("bytes in level 0", "bytes"),
        ("time", "µs since 1970"),
        ("reason", ""),
        ("duration", "µs"),
    ];
    let mut report = Report::new(Question::LevelZero, &columns);
    evidence.note_history(&mut report);
    evidence.note_options(&mut report, "triggers and limits of level 0 are unknown");
    evidence.note_log(&mut report, "reasons and durations of flushes and compactions are unknown");
    let lines = lines(evidence, &mut report);
    let lead = lines.iter().filter(|line| line.most > 0).rev();
    let Some(lead) = lead.max_by_key(|line| (line.most, !line.dropped)) else {
        report.answer = match evidence.manifest {
            Some(_) => "Level 0 held no file in the history that was kept.".into(),
            None => {
                "It is not known: only a manifest records the files of level 0 over time.".into()
            }
        };
        return report;
    };
    let options = evidence.options_of(&lead.name);
    report.figure("Family with the most files in level 0", lead.name.as_str(), "");
    report.figure("Most files in level 0", lead.most, "files");
    report.figure("Step with the most files", lead.most_step, "");
    report.figure("Files in level 0 now", lead.now, "files");
    report.answer = format!(
        "Level 0{} held {} at its fullest, after step {}{}{}. {}{}.{}",
        evidence.of_family(&lead.name),
        count(lead.most, "file"),
        number(lead.most_step),
        rank(&lines, lead),
        verdict(options.as_ref(), lead.most),
        now(lead, options.as_ref()),
        evidence
            .events
            .filter(|_| !stays(options.as_ref()))
            .map_or_else(String::new, |events| jobs(events, &lead.name, &mut report)),
        evidence.fifo(&mut report),
    );
    coverage(evidence, lead, &mut report);
    picture(evidence, &lines, lead, options.as_ref(), &mut report);
    report
}

fn lines(evidence: &Evidence<'_>, report: &mut Report) -> Vec<Line> {
    let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
    let walked = walk(evidence, &mut |moment| {
        for (id, changes) in moment.by_family() {
            note(evidence, moment, (id, changes), lines.entry(id).or_default(), report);
        }
    });
    if let Err(error) = walked {
        report.lacks(format!("The history could not be read to its end: {error}."));
    }
    lines.into_values().collect()
}

fn note(
    evidence: &Evidence<'_>,
    moment: &Moment<'_>,
    (id, changes): (u32, &[TableChange]),
    line: &mut Line,
    report: &mut Report,
) {
    let shape = moment.shape.family(id);
    let files = shape.map_or(0, |shape| shape.files(0));
    line.dropped = shape.is_none();
    if let Some(shape) = shape {
        line.name.clone_from(&shape.name);
    }
    let step = moment.step as u64;
    if files == line.now && !line.points.is_empty() {
        return;
    }
    line.now = files;
    line.points.push((step, files));
    if files > line.most {
        (line.most, line.most_step) = (files, step);
    }
    let job = job(evidence, moment.kind, changes);
    let bytes = shape.and_then(|shape| shape.sizes().first().copied()).unwrap_or(0);
    report.row(vec![
        step.into(),
        line.name.as_str().into(),
        moment.kind.word().into(),
        files.into(),
        bytes.into(),
        moment.micros.into(),
        job.and_then(|job| job.reason.as_deref()).into(),
        job.and_then(Job::duration_micros).into(),
    ]);
}

/// Whether files stay in level 0 by design.
fn stays(options: Option<&FamilyOptions>) -> bool {
    let style = options.and_then(|options| options.compaction_style.value());
    matches!(style, Some(CompactionStyle::Fifo | CompactionStyle::None))
}

/// Files in level 0 now.
fn now(lead: &Line, options: Option<&FamilyOptions>) -> String {
    if lead.dropped {
        return "The family was dropped since".to_owned();
    }
    let trigger = options.and_then(|options| options.l0_trigger.value().copied());
    let is_due = trigger.is_some_and(|trigger| trigger > 0 && lead.now >= trigger);
    let due = if is_due && !stays(options) { ", so a compaction of it is due" } else { "" };
    match lead.now {
        0 => "It is empty now".to_owned(),
        files => format!("It holds {} now{due}", count(files, "file")),
    }
}

/// Rank of the family among the others.
fn rank(lines: &[Line], lead: &Line) -> String {
    let others = || lines.iter().filter(|line| line.most > 0 && line.name != lead.name);
    let Some(most) = others().map(|line| line.most).max() else { return String::new() };
    if most < lead.most {
        return ", more than in any other family".to_owned();
    }
    let same = others().filter(|line| line.most == most);
    let same: Vec<String> = same.map(|line| key(line.name.as_bytes())).collect();
    match same.len() {
        0..=3 => format!(", as many as in {}", listed(&same)),
        more => format!(", as many as in {} other families", number(more as u64)),
    }
}

/// Compares `most` files with the limits: a sentence.
fn verdict(options: Option<&FamilyOptions>, most: u64) -> String {
    let unknown = || "; the compaction trigger is not known".to_owned();
    let Some(options) = options else { return unknown() };
    match options.compaction_style.value() {
        Some(CompactionStyle::Fifo) => {
            return ". In FIFO compaction all files stay in level 0".to_owned();
        }
        Some(CompactionStyle::None) => return ". Compactions are turned off".to_owned(),
        _ => {}
    }
    let limit = |setting: &crate::options::OptionValue<u64>| {
        setting.value().copied().filter(|limit| *limit > 0)
    };
    let limits = [
        ("stop of writes at", limit(&options.l0_stop)),
        ("slowdown of writes at", limit(&options.l0_slowdown)),
        ("compaction trigger of", limit(&options.l0_trigger)),
    ];
    let known = limits.into_iter().filter_map(|(words, limit)| Some((words, limit?)));
    let (reached, missed): (Vec<_>, Vec<_>) = known.partition(|(_, limit)| *limit <= most);
    let next = missed.last();
    match (reached.first(), next) {
        (Some((words, limit)), Some((above, far))) => {
            format!(". That reached the {words} {limit}, but not the {above} {far}")
        }
        (Some((words, limit)), None) => format!(". That reached the {words} {limit}"),
        (None, Some((words, limit))) => format!(". That is below the {words} {limit}"),
        (None, None) => unknown(),
    }
}

/// The compactions that took files out of level 0.
fn jobs(events: &Events, family: &str, report: &mut Report) -> String {
    let own = |job: &&Job| job.family.as_deref().is_none_or(|name| name == family);
    let out: Vec<&Job> = events.compactions_from(0).filter(own).collect();
    let flushes = events.jobs.iter().filter(|job| job.kind == JobKind::Flush).filter(own).count();
    let within = out.iter().filter(|job| job.output_level == Some(0)).count() as u64;
    let times: Vec<u64> = out.iter().filter_map(|job| job.duration_micros()).collect();
    report.figure("Flushes in the LOG", flushes, "");
    report.figure("Compactions from level 0 in the LOG", out.len(), "");
    report.figure("Compactions within level 0 in the LOG", within, "");
    if out.is_empty() {
        return "; the LOG has no compaction that took files out of it".to_owned();
    }
    let all = count(out.len() as u64, "compaction");
    let back = match within {
        0 => String::new(),
        1 => ", 1 of them into another file of level 0".to_owned(),
        more => format!(", {} of them into other files of level 0", number(more)),
    };
    let Some(mean) = total(times.iter().copied()).checked_div(times.len() as u64) else {
        return format!("; {all} took files out of it{back}");
    };
    report.figure("Mean duration of these compactions", mean, "µs");
    let each = if times.len() == 1 { "in" } else { "each on average in" };
    format!("; {all} took files out of it{back}, {each} {}", duration(mean))
}

/// The key that most files of level 0 lie over.
fn coverage(evidence: &Evidence<'_>, lead: &Line, report: &mut Report) {
    let mut families = evidence.state.families.values();
    let Some(family) = families.find(|family| family.name == lead.name) else { return };
    let segments = Segments::new(family, usize::MAX, |level| level == 0);
    let over = segments.over();
    let places = segments.keys().zip(&over);
    if let Some(((start, _), over)) = places.max_by_key(|(_, over)| over.level0) {
        report.figure("Most files of level 0 over one key", over.level0, "files");
        report.figure("Key under the most files of level 0", Cell::from(key(start)), "");
    }
}

fn picture(
    evidence: &Evidence<'_>,
    lines: &[Line],
    lead: &Line,
    options: Option<&FamilyOptions>,
    report: &mut Report,
) {
    let mut picture = Picture::new("Files in level 0", ("step", ""), ("files", ""));
    for line in lines.iter().filter(|line| line.most > 0) {
        // A family's level 0 is empty before its first table.
        let is_later = line.points.first().is_some_and(|point| point.0 > 0);
        let start = is_later.then_some((0, 0));
        let points: Vec<_> = start.into_iter().chain(line.points.iter().copied()).collect();
        picture.steps(line.name.as_str(), &points);
    }
    if let Some(options) = options {
        // Limits far above all files would flatten the picture.
        let near =
            |limit: Option<&u64>| limit.copied().filter(|limit| *limit <= lead.most.max(10) * 10);
        // FIFO compaction looks at bytes, not at the number of files.
        if !stays(Some(options)) {
            picture.reference("compaction trigger", near(options.l0_trigger.value()));
        }
        picture.reference("slowdown of writes", near(options.l0_slowdown.value()));
        picture.reference("stop of writes", near(options.l0_stop.value()));
    }
    report.pictures.push(picture);
    if let Some(events) = evidence.events {
        compactions(events, report);
    }
}

/// The compactions that read level 0, over time: below the files that they take.
fn compactions(events: &Events, report: &mut Report) {
    let title = "Compactions from level 0";
    let mut picture = Picture::new(title, ("time", "µs since 1970"), ("family", ""));
    let mut lanes: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for job in events.compactions_from(0) {
        let Some((start, end)) = job.started.zip(job.finished) else { continue };
        let reason = job.reason.as_deref().unwrap_or("compaction");
        let level = job.output_level.map_or_else(String::new, |level| format!(" to level {level}"));
        let span = Span { start: plain(start), end: plain(end), label: format!("{reason}{level}") };
        lanes.entry(job.family.as_deref().unwrap_or("default")).or_default().push(span);
    }
    for (family, spans) in lanes {
        picture.spans(family, spans);
    }
    if !picture.series.is_empty() {
        report.pictures.push(picture);
    }
}
