//! Why are logs not deleted?

use super::picture::plain;
use super::{Cell, Evidence, Picture, Question, Report};
use crate::name::FileName;
use crate::text::{bytes, count, family as family_words, listed};
use crate::{Engine, Family};
use std::collections::BTreeMap;

/// A log, with all its parts.
#[derive(Default)]
struct LogFile {
    bytes: u64,
    archived: bool,
}

pub(super) fn report(evidence: &Evidence<'_>) -> Report {
    let columns = [
        ("log", ""),
        ("size", "bytes"),
        ("needed", ""),
        ("families that may need it", ""),
        ("archived", ""),
        ("synced according to the manifest", "bytes"),
    ];
    let mut report = Report::new(Question::Logs, &columns);
    let logs = logs(evidence);
    let oldest = oldest_needed(evidence);
    for (number, log) in &logs {
        let needed = !log.archived && *number >= oldest;
        let families = evidence.state.families.values();
        let names: Vec<&str> = families
            .filter(|family| needed && need(evidence, family) <= *number)
            .map(|family| family.name.as_str())
            .collect();
        let synced = evidence.state.tracked_logs.get(number).copied().flatten();
        report.row(vec![
            (*number).into(),
            log.bytes.into(),
            if needed { "yes" } else { "no" }.into(),
            names.join(", ").into(),
            if log.archived { "yes" } else { "no" }.into(),
            synced.into(),
        ]);
    }
    if logs.is_empty() {
        report
            .lacks("No log is in the directory; logs may be in another one (the option wal_dir).");
    }
    report.lacks(
        "Logs were not read: whether a family has entries in a log that it may need is not told.",
    );
    report.answer = sentence(evidence, &logs, oldest, &mut report);
    let mut picture = Picture::new("Logs", ("log", ""), ("size", "bytes"));
    let bars = logs.iter().map(|(number, log)| (number.to_string(), plain(log.bytes))).collect();
    picture.bars("size", bars);
    report.pictures.push(picture);
    report
}

fn logs(evidence: &Evidence<'_>) -> BTreeMap<u64, LogFile> {
    let mut logs: BTreeMap<u64, LogFile> = BTreeMap::new();
    for file in evidence.files.list() {
        if let FileName::Log { number, archived, .. } = FileName::parse(&file.name) {
            let log = logs.entry(number).or_default();
            log.bytes = log.bytes.saturating_add(file.bytes);
            log.archived |= archived;
        }
    }
    logs
}

/// The oldest log that may hold entries of the family which no table has.
fn need(evidence: &Evidence<'_>, family: &Family) -> u64 {
    family.log_number.max(evidence.state.min_log_number)
}

fn oldest_needed(evidence: &Evidence<'_>) -> u64 {
    let state = evidence.state;
    let oldest = state.families.values().map(|family| need(evidence, family)).min().unwrap_or(0);
    // LevelDB still needs the log before, when it has one.
    match state.previous_log_number {
        0 => oldest,
        previous if state.engine == Engine::LevelDb => oldest.min(previous),
        _ => oldest,
    }
}

fn sentence(
    evidence: &Evidence<'_>,
    logs: &BTreeMap<u64, LogFile>,
    oldest: u64,
    report: &mut Report,
) -> String {
    let needed: Vec<_> = logs.iter().filter(|log| !log.1.archived && *log.0 >= oldest).collect();
    let obsolete: Vec<_> = logs.iter().filter(|log| log.1.archived || *log.0 < oldest).collect();
    let size =
        |logs: &[(&u64, &LogFile)]| logs.iter().map(|log| log.1.bytes).fold(0, u64::saturating_add);
    let families = evidence.state.families.values();
    let holders: Vec<&Family> =
        families.filter(|family| need(evidence, family) <= oldest).collect();
    let all: u64 = logs.values().map(|log| log.bytes).fold(0, u64::saturating_add);
    report.figure("Logs", logs.len(), "");
    report.figure("Size of all logs", all, "bytes");
    report.figure("Oldest log that is needed", oldest, "");
    report.figure("Logs that are needed", needed.len(), "");
    report.figure("Size of the logs that are needed", size(&needed), "bytes");
    report.figure("Obsolete logs", obsolete.len(), "");
    report.figure("Size of the obsolete logs", size(&obsolete), "bytes");
    let names: Vec<String> = holders.iter().map(|family| family_words(&family.name)).collect();
    report.figure("Families that need the oldest log", Cell::from(names.join(", ")), "");
    if logs.is_empty() {
        return "No log is in the directory, so none waits to be deleted.".to_owned();
    }
    let rest = if obsolete.is_empty() {
        String::new()
    } else {
        format!(
            "; {} of {} may be deleted",
            count(obsolete.len() as u64, "older log"),
            bytes(size(&obsolete))
        )
    };
    let younger = evidence.state.families.len() - holders.len();
    match needed.as_slice() {
        [] => format!("No log in the directory is needed: all are older than log {oldest}{rest}."),
        [_] => format!(
            "Only one log of {} is needed, by {}{rest}.",
            bytes(size(&needed)),
            by(&names, younger)
        ),
        [first, ..] => format!(
            "{} of {} are needed, because {} {} not flushed what came since log {oldest}{}{}{rest}.",
            count(needed.len() as u64, "log"),
            bytes(size(&needed)),
            by(&names, younger),
            if holders.len() == 1 { "has" } else { "have" },
            if *first.0 == oldest { "" } else { ", which is not here itself" },
            freed(evidence, logs, &holders, oldest),
        ),
    }
}

/// Who holds the oldest log.
fn by(names: &[String], younger: usize) -> String {
    match (names, younger) {
        (names, _) if names.len() <= 3 => listed(names),
        (names, 0) => format!("each of the {} families", names.len()),
        (names, _) => format!("each of {} families", names.len()),
    }
}

/// How many bytes of logs a flush of the families that hold the oldest one would free.
fn freed(
    evidence: &Evidence<'_>,
    logs: &BTreeMap<u64, LogFile>,
    holders: &[&Family],
    oldest: u64,
) -> String {
    let others = evidence.state.families.values();
    let others = others.filter(|family| !holders.iter().any(|holder| holder.id == family.id));
    let newest = logs.keys().next_back().copied().unwrap_or(oldest);
    let next = others.map(|family| need(evidence, family)).min().unwrap_or(newest);
    let range = logs.range(oldest..next.max(oldest));
    let bytes_freed: u64 =
        range.filter(|log| !log.1.archived).map(|log| log.1.bytes).fold(0, u64::saturating_add);
    if bytes_freed == 0 {
        return String::new();
    }
    let them = if holders.len() == 1 { "it" } else { "them" };
    format!("; flushing {them} frees {}", bytes(bytes_freed))
}
