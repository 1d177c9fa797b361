//! Lookups and scans, with every read of a file.

use super::answer::{Lookup, LookupStop, Rows};
use super::shown::{bytes_of, row_line, shown};
use crate::directory::Directory;
use crate::key::{Kind, SEQUENCE_MAX};
use crate::name::FileName;
use crate::read::deletions::Cut;
use crate::read::{Deletions, Snapshot};
use crate::sorting::sort_by_key;
use crate::text::count;
use crate::{Family, Problem, Result};
use std::collections::BTreeSet;

/// Rows of one answer.
const ROWS_MAX: usize = 10_000;
/// Findings of one answer; one more counts the rest.
const PROBLEMS_MAX: usize = 100;

/// The part of a family to read.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// The first key; the family's first one when absent.
    pub from: Option<Vec<u8>>,
    /// The key to stop before.
    pub to: Option<Vec<u8>>,
    /// At most so many entries.
    pub limit: usize,
    /// Sequence number to read at; the newest when absent.
    pub sequence: Option<u64>,
}

impl Part {
    /// The part between two keys as hexadecimal digits.
    ///
    /// # Errors
    /// They are no such digits.
    pub fn of(keys: [&Option<String>; 2], limit: usize, sequence: Option<u64>) -> Result<Self> {
        let [from, to] = keys.map(|digits| digits.as_deref().map(bytes_of).transpose());
        Ok(Self { from: from?, to: to?, limit, sequence })
    }
}

fn snapshot(sequence: Option<u64>) -> Snapshot {
    Snapshot { sequence: sequence.unwrap_or(SEQUENCE_MAX) }
}

impl Directory<'_> {
    /// Live entries of a family.
    ///
    /// # Errors
    /// There is no such family, or its order of keys is not known.
    pub fn rows(&self, family: u32, part: &Part) -> Result<Rows> {
        self.counted().begin();
        let (from, to) = (part.from.as_deref(), part.to.as_deref());
        let mut scan = self.scan(family, from, to, snapshot(part.sequence))?.until(to);
        match from {
            Some(from) => scan.seek(from)?,
            None => scan.first()?,
        }
        let (mut rows, mut next, mut last) = (Vec::new(), None, None);
        let mut passed;
        loop {
            // Without the row that only shows that there are more.
            passed = scan.passed();
            let Some(row) = scan.next_row()? else {
                passed = scan.passed();
                break;
            };
            if rows.len() >= part.limit.min(ROWS_MAX) {
                next = Some(shown(&row.key));
                break;
            }
            let layer = scan.merged().layers().get(row.layer);
            let found_in = layer.map(|layer| layer.name.clone()).unwrap_or_default();
            rows.push(row_line(&row, found_in));
            last = Some(row.key);
        }
        let problems = first_problems(scan.problems());
        self.keep_unread(self.family(family)?, &problems);
        let reads = self.counted().end();
        let read_bytes = reads.iter().map(|(_, _, bytes)| bytes).sum();
        // An answer that ends early holds nothing about the keys after it.
        let end = last.as_deref().filter(|_| next.is_some()).or(to);
        let cautions = self.cautions(family, from, end, snapshot(part.sequence))?;
        Ok(Rows { rows, next, passed, read_bytes, reads: reads.len(), problems, cautions })
    }

    /// The lookup of `key`: first every place by itself, with what it reads, then the answer.
    ///
    /// # Errors
    /// There is no such family, or its order of keys is not known.
    pub fn lookup(&self, id: u32, key: &[u8], sequence: Option<u64>) -> Result<Lookup> {
        let family = self.family(id)?;
        let (order, limit) = (family.comparator, snapshot(sequence).sequence);
        let covering = |cuts: Vec<Cut>| Deletions::new(&cuts, order).covering(key, limit, order);
        let mut stops = Vec::new();
        let mut is_settled = false;
        if let Some(run) = self.logs()?.runs.get(&id) {
            let cursor = Box::new(run.cursor());
            let outcome = first_version(cursor, family, key, limit);
            let deleted = covering(self.log_cuts(family)?);
            stops.push(stop(("logs", None, None), outcome, deleted, Vec::new()));
            is_settled = settles(&stops);
        }
        for (level, table) in family.tables() {
            let name = match level {
                0 => format!("L0 table {}", table.number),
                level => format!("L{level} table {}", table.number),
            };
            let place = (name.as_str(), Some(level), Some(table.number));
            if table.has_bounds && !order.meets(table.user_keys(), (Some(key), Some(key))) {
                if level == 0 {
                    let why = "its key range does not include the key";
                    stops.push(skipped(place, why));
                }
                continue;
            }
            // Without a manifest nothing is known to be older.
            if is_settled && self.has_manifest() {
                stops.push(skipped(place, "the answer is known from a newer place"));
                continue;
            }
            self.counted().begin();
            let outcome = self
                .tables()
                .cursor(id, table.number)
                .and_then(|cursor| first_version(cursor, family, key, limit));
            let deleted = self.tables().cut_deletions(family, table).map_or(0, covering);
            stops.push(stop(place, outcome, deleted, self.counted().end()));
            is_settled = settles(&stops);
        }
        let left_out = stops.iter().filter(|stop| stop.outcome == "skipped");
        let left_out: Vec<u64> = left_out.filter_map(|stop| stop.table).collect();
        self.counted().begin();
        let mut scan = self.scan_key(id, key, &left_out, snapshot(sequence))?;
        let row = scan.row_of(key)?;
        let reads = self.counted().end();
        let row = row.map(|row| {
            let layer = scan.merged().layers().get(row.layer);
            row_line(&row, layer.map(|layer| layer.name.clone()).unwrap_or_default())
        });
        let problems = first_problems(scan.problems());
        self.keep_unread(family, &problems);
        let (outcome, answer) = outcome(row.is_some(), &stops, &problems);
        stops.extend(self.value_stops(reads));
        let read_bytes = stops.iter().flat_map(|stop| &stop.reads).map(|(_, _, bytes)| bytes).sum();
        let cautions = self.cautions(id, Some(key), Some(key), snapshot(sequence))?;
        let key = shown(key);
        Ok(Lookup { key, outcome, answer, row, stops, read_bytes, problems, cautions })
    }

    /// The blob files among `reads`: what the tables led to.
    fn value_stops(&self, reads: Vec<(String, u64, u64)>) -> Vec<LookupStop> {
        let mut stops: Vec<LookupStop> = Vec::new();
        for read in reads {
            let FileName::Blob(number) = self.files().kind(&read.0) else { continue };
            let place = format!("blob file {number}");
            match stops.iter_mut().find(|stop| stop.place == place) {
                Some(stop) => stop.reads.push(read),
                None => stops.push(LookupStop {
                    place,
                    level: None,
                    table: None,
                    outcome: "found",
                    sentence: "It has a value that an entry above leads to.".to_owned(),
                    reads: vec![read],
                }),
            }
        }
        stops
    }
}

/// Each finding about a key once, since a table that is missing is met by the reader of range deletions and by the walk;
/// the first ones only, and how many there are besides.
fn first_problems(mut problems: Vec<Problem>) -> Vec<Problem> {
    let mut seen = BTreeSet::new();
    problems.retain(|found| {
        let Problem { file, offset, message, keys, .. } = found;
        seen.insert((file.clone(), *offset, message.clone(), keys.clone()))
    });
    sort_by_key(&mut problems, |found| std::cmp::Reverse(found.severity));
    let rest = problems.len().saturating_sub(PROBLEMS_MAX);
    if rest > 0 {
        problems.truncate(PROBLEMS_MAX);
        if let Some(first) = problems.first() {
            let message = format!("{} besides could not be read", count(rest as u64, "part"));
            let rest = Problem::new(first.severity, &first.file, message);
            problems.push(rest);
        }
    }
    problems
}

/// The newest visible version of `key` in one place: its sequence number and kind.
fn first_version(
    mut cursor: Box<dyn crate::EntryCursor + '_>,
    family: &Family,
    key: &[u8],
    limit: u64,
) -> Result<Option<(u64, Kind)>> {
    let order = family.comparator;
    let mut target = key.to_vec();
    target.extend(std::iter::repeat_n(0xff, order.timestamp_bytes()));
    cursor.seek(&target, SEQUENCE_MAX)?;
    while let Some(entry) = cursor.entry() {
        if order.parts(entry.user_key).0 != key {
            return Ok(None);
        }
        if entry.sequence <= limit {
            let found = (entry.sequence, entry.kind);
            cursor.value()?;
            return Ok(Some(found));
        }
        cursor.next()?;
    }
    Ok(None)
}

/// Result of a lookup: its word, and the end of a sentence that begins with the key.
fn outcome(has_row: bool, stops: &[LookupStop], problems: &[Problem]) -> (&'static str, String) {
    let mut read = stops.iter().filter(|stop| stop.outcome != "skipped");
    let failed = read.clone().any(|stop| stop.outcome == "failed");
    let is_deleted =
        read.next_back().is_some_and(|stop| matches!(stop.outcome, "deleted" | "rangeDeleted"));
    let why = problems.first().map_or_else(String::new, |problem| {
        let is = if problem.message == "the file is missing" { " is missing" } else { ": " };
        let message = if is == ": " { problem.message.as_str() } else { "" };
        format!(": {}{is}{message}", problem.file)
    });
    let has_entry = stops.iter().any(|stop| matches!(stop.outcome, "found" | "operand"));
    match (has_row, failed) {
        (true, false) => ("value", "has a value".to_owned()),
        (true, true) => {
            let follows = "the value that was found may be older or a part";
            ("unknown", format!("is not known{why}; {follows}"))
        }
        (false, false) if is_deleted || problems.is_empty() => {
            ("none", "has no value at this sequence number".to_owned())
        }
        (false, false) if has_entry => {
            ("unreadable", format!("has a value that cannot be read{why}"))
        }
        (false, _) => ("unknown", format!("is not known{why}")),
    }
}

fn settles(stops: &[LookupStop]) -> bool {
    stops.last().is_some_and(|stop| matches!(stop.outcome, "found" | "deleted" | "rangeDeleted"))
}

type Place<'a> = (&'a str, Option<u32>, Option<u64>);

fn skipped((place, level, table): Place<'_>, why: &str) -> LookupStop {
    LookupStop {
        place: place.to_owned(),
        level,
        table,
        outcome: "skipped",
        sentence: format!("Not read: {why}."),
        reads: Vec::new(),
    }
}

fn stop(
    (place, level, table): Place<'_>,
    found: Result<Option<(u64, Kind)>>,
    deleted: u64,
    reads: Vec<(String, u64, u64)>,
) -> LookupStop {
    let (outcome, sentence) = match found {
        Err(error) => ("failed", format!("It cannot be read: {error}.")),
        Ok(Some((sequence, _))) if sequence < deleted => (
            "rangeDeleted",
            format!("A range deletion, sequence {deleted}, hides sequence {sequence}."),
        ),
        Ok(None) if deleted > 0 => {
            ("rangeDeleted", format!("A range deletion, sequence {deleted}, covers the key."))
        }
        Ok(None) => ("nothing", "The key is not in it.".to_owned()),
        Ok(Some((sequence, kind))) if kind.is_delete() => {
            ("deleted", format!("The newest entry is a tombstone, sequence {sequence}."))
        }
        Ok(Some((sequence, Kind::Merge))) => {
            ("operand", format!("A merge operand, sequence {sequence}: older entries are needed."))
        }
        Ok(Some((sequence, kind))) => {
            ("found", format!("The newest entry is a {}, sequence {sequence}.", kind.word()))
        }
    };
    LookupStop { place: place.to_owned(), level, table, outcome, sentence, reads }
}
