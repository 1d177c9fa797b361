//! Report: the logs that are not deleted, and the families that hold them.

use super::{Cell, Evidence, Picture, Question, Report};
use crate::files::total;
use crate::name::FileName;
use crate::text::plain;
use crate::text::{bytes, count, key, listed, number};
use crate::{Engine, Family};
use std::collections::BTreeMap;

/// A log, with all its parts.
#[derive(Default)]
struct LogFile {
    bytes: u64,
    archived: bool,
    /// Entries that no table has, by family.
    entries: BTreeMap<u32, u64>,
    /// Ids of the transactions that were prepared in it, and neither committed nor rolled back.
    prepared: Vec<String>,
}

/// All logs by number.
type Logs = BTreeMap<u64, LogFile>;

pub(super) fn report(evidence: &Evidence<'_>) -> Report {
    let columns = [
        ("log", ""),
        ("size", "bytes"),
        ("needed", ""),
        ("families that may need it", ""),
        ("families with entries in it that no table has", ""),
        ("entries that no table has", ""),
        ("prepared transactions", ""),
        ("archived", ""),
        ("synced according to the manifest", "bytes"),
    ];
    let mut report = Report::new(Question::Logs, &columns);
    let logs = logs(evidence);
    let oldest = oldest_needed(evidence);
    for (number, log) in &logs {
        let needed = !log.archived && *number >= oldest;
        let names: Vec<&str> =
            families(evidence, *number, needed).map(|family| family.name.as_str()).collect();
        let synced = evidence.state.tracked_logs.get(number).copied().flatten();
        let read = evidence.logs.is_some() && needed;
        report.row(vec![
            (*number).into(),
            log.bytes.into(),
            if needed { "yes" } else { "no" }.into(),
            names.join(", ").into(),
            read.then(|| with_entries(evidence, log)).into(),
            read.then_some(log.entries.values().sum::<u64>()).into(),
            read.then_some(log.prepared.len()).into(),
            if log.archived { "yes" } else { "no" }.into(),
            synced.into(),
        ]);
    }
    if logs.is_empty() {
        report
            .lacks("No log is in the directory; logs may be in another one (the option wal_dir).");
    }
    if evidence.logs.is_none() {
        report.lacks("The logs could not be read: their entries are unknown.");
    }
    report.answer = sentence(evidence, &logs, oldest, &mut report);
    let mut picture = Picture::new("Logs", ("log", ""), ("size", "bytes"));
    let bars = logs.iter().map(|(number, log)| (number.to_string(), plain(log.bytes))).collect();
    picture.bars("size", bars);
    report.pictures.push(picture);
    report
}

fn logs(evidence: &Evidence<'_>) -> Logs {
    let mut logs = Logs::new();
    for file in evidence.files.list() {
        if let FileName::Log { number, archived, .. } = evidence.files.kind(&file.name) {
            let log = logs.entry(number).or_default();
            log.bytes = log.bytes.saturating_add(file.bytes);
            log.archived |= archived;
        }
    }
    let Some(read) = evidence.logs else { return logs };
    for file in &read.files {
        let Some(log) = logs.get_mut(&file.number) else { continue };
        for (family, (entries, _)) in &file.families {
            *log.entries.entry(*family).or_default() += *entries as u64;
        }
    }
    for pending in &read.pending {
        if let Some(log) = logs.get_mut(&pending.log) {
            log.prepared.push(key(&pending.id));
        }
    }
    logs
}

/// The oldest log that may hold entries of the family which no table has.
fn need(evidence: &Evidence<'_>, family: &Family) -> u64 {
    family.log_number.max(evidence.state.min_log_number)
}

/// The families that may have entries in log `number`, if it is `needed`.
fn families<'e>(
    evidence: &Evidence<'e>,
    number: u64,
    needed: bool,
) -> impl Iterator<Item = &'e Family> {
    let families = evidence.state.families.values();
    families.filter(move |family| needed && need(evidence, family) <= number)
}

/// The families whose entries in the log are in no table.
fn with_entries(evidence: &Evidence<'_>, log: &LogFile) -> String {
    let ids = log.entries.iter().filter(|(_, entries)| **entries > 0).map(|(id, _)| id);
    let names = ids.filter_map(|id| Some(evidence.state.families.get(id)?.name.as_str()));
    names.collect::<Vec<_>>().join(", ")
}

fn oldest_needed(evidence: &Evidence<'_>) -> u64 {
    let state = evidence.state;
    let oldest = state.families.values().map(|family| need(evidence, family)).min().unwrap_or(0);
    let prepared = evidence.logs.into_iter().flat_map(|logs| &logs.pending);
    let oldest = prepared.map(|pending| pending.log).fold(oldest, u64::min);
    // LevelDB still needs the log before, when it has one.
    match state.previous_log_number {
        0 => oldest,
        previous if state.engine == Engine::LevelDb => oldest.min(previous),
        _ => oldest,
    }
}

fn sentence(evidence: &Evidence<'_>, logs: &Logs, oldest: u64, report: &mut Report) -> String {
    let needed: Vec<_> = logs.iter().filter(|log| !log.1.archived && *log.0 >= oldest).collect();
    let obsolete: Vec<_> = logs.iter().filter(|log| log.1.archived || *log.0 < oldest).collect();
    let size = |logs: &[(&u64, &LogFile)]| total(logs.iter().map(|log| log.1.bytes));
    let all = total(logs.values().map(|log| log.bytes));
    let prepared: Vec<String> =
        needed.iter().flat_map(|log| log.1.prepared.iter().cloned()).collect();
    report.figure("Logs", logs.len(), "");
    report.figure("Size of all logs", all, "bytes");
    let first = needed.first().map_or_else(|| Cell::from("none"), |log| Cell::from(*log.0));
    report.figure("Oldest log that is needed", first, "");
    report.figure("Logs that are needed", needed.len(), "");
    report.figure("Size of the logs that are needed", size(&needed), "bytes");
    report.figure("Obsolete logs", obsolete.len(), "");
    report.figure("Size of the obsolete logs", size(&obsolete), "bytes");
    report.figure("Prepared transactions without an end", prepared.len(), "");
    let rest = match obsolete.len() as u64 {
        0 => String::new(),
        1 => format!(" 1 older log ({}) may be deleted.", bytes(size(&obsolete))),
        more => {
            format!(" {} ({}) may be deleted.", count(more, "older log"), bytes(size(&obsolete)))
        }
    };
    let Some(first) = needed.first() else {
        if logs.is_empty() {
            return "No log is in the directory, so none waits to be deleted.".to_owned();
        }
        return format!("No log in the directory is needed: the tables have it all.{rest}");
    };
    let mut holders: Vec<&Family> = families(evidence, *first.0, true).collect();
    if evidence.has_families() {
        let names: Vec<&str> = holders.iter().map(|family| family.name.as_str()).collect();
        report.figure("Families that may need the oldest log", names.join(", "), "");
        let with = evidence.logs.map(|_| with_entries(evidence, first.1));
        report.figure("Families with entries in it that no table has", with, "");
    }
    // Families without entries there may need the log by the manifest, but let go of it with the next flush of any.
    let has_entries = |family: &&Family| first.1.entries.contains_key(&family.id);
    if holders.iter().any(has_entries) {
        holders.retain(has_entries);
    }
    let what = match needed.as_slice() {
        [_] => format!("Log {} ({}) is needed", first.0, bytes(first.1.bytes)),
        _ => format!(
            "{} ({}) are needed, the oldest is {}",
            count(needed.len() as u64, "log"),
            bytes(size(&needed)),
            first.0
        ),
    };
    let is_newest = logs.keys().next_back() == Some(first.0);
    let held = held(evidence, first.1, &holders, is_newest);
    let frees = if is_newest { String::new() } else { freed(evidence, logs, *first.0, &holders) };
    format!("{what}: {held}.{frees}{}{rest}", waiting(&prepared))
}

/// Reason that the oldest needed log cannot be deleted.
fn held(evidence: &Evidence<'_>, log: &LogFile, holders: &[&Family], is_newest: bool) -> String {
    let families = &evidence.state.families;
    let with: Vec<String> = log
        .entries
        .iter()
        .filter_map(|(family, entries)| Some((families.get(family)?, *entries)))
        .filter(|(_, entries)| *entries > 0)
        .map(|(family, entries)| {
            format!("{}{}", count(entries, "entry"), evidence.of_family(&family.name))
        })
        .collect();
    match with.len() {
        0 => {}
        1..=3 => return format!("it holds {} that no table has", listed(&with)),
        many => {
            let entries = count(log.entries.values().sum::<u64>(), "entry");
            return format!("it holds {entries} of {many} families that no table has");
        }
    }
    if !log.prepared.is_empty() {
        return "of its entries only those of prepared transactions are not in tables".to_owned();
    }
    if is_newest && evidence.logs.is_some() {
        return "it is the newest one, and the tables have all of its entries".to_owned();
    }
    let names: Vec<String> =
        holders.iter().map(|family| evidence.family_or(&family.name, "the database")).collect();
    let who = match names.len() {
        0..=3 => listed(&names),
        many if many == families.len() => format!("each of the {} families", number(many as u64)),
        many => format!("each of {} families", number(many as u64)),
    };
    let rest =
        if evidence.logs.is_some() { ", although the tables have all of its entries" } else { "" };
    format!("the manifest does not record yet that {who} can do without it{rest}")
}

/// The prepared transactions, and how they let go of their logs.
fn waiting(prepared: &[String]) -> String {
    let shown: Vec<String> = prepared.iter().take(3).cloned().collect();
    match prepared.len() {
        0 => String::new(),
        1 => format!(
            " The prepared transaction {} keeps its log until it is committed or rolled back.",
            listed(&shown)
        ),
        many => format!(
            " {many} prepared transactions, such as {}, keep their logs until they are committed or \
             rolled back.",
            listed(&shown)
        ),
    }
}

/// Bytes of logs that a flush of the families with the oldest log would free.
fn freed(evidence: &Evidence<'_>, logs: &Logs, oldest: u64, holders: &[&Family]) -> String {
    let is_other = |family: u32| !holders.iter().any(|holder| holder.id == family);
    let newest = logs.keys().next_back().copied().unwrap_or(oldest);
    let next = if evidence.logs.is_some() {
        let stays = |log: &&(&u64, &LogFile)| {
            !log.1.prepared.is_empty() || log.1.entries.keys().any(|family| is_other(*family))
        };
        logs.range(oldest..).collect::<Vec<_>>().iter().find(stays).map_or(newest, |log| *log.0)
    } else {
        let others = evidence.state.families.values().filter(|family| is_other(family.id));
        others.map(|family| need(evidence, family)).min().unwrap_or(newest)
    };
    let range = logs.range(oldest..next.max(oldest));
    let bytes_freed = total(range.filter(|log| !log.1.archived).map(|log| log.1.bytes));
    if bytes_freed == 0 {
        return String::new();
    }
    let what = if evidence.has_families() {
        format!("flush of {}", them(holders))
    } else {
        "flush".into()
    };
    format!(" A {what} frees {}.", bytes(bytes_freed))
}

fn them(holders: &[&Family]) -> String {
    let names: Vec<String> = holders.iter().map(|holder| key(holder.name.as_bytes())).collect();
    if names.len() <= 3 { listed(&names) } else { format!("these {} families", names.len()) }
}
