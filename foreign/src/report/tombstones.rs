//! Report: deleted data whose space is not back yet.

use super::older::{Older, ages};
use super::{Evidence, Picture, Question, Report};
use crate::files::total;
use crate::sorting::sort_by_key;
use crate::text::{bytes, count, number, percent, share};
use crate::{Family, TableFile};
use std::collections::BTreeMap;

/// Tombstones of one table.
struct Row<'e> {
    family: &'e Family,
    level: u32,
    table: &'e TableFile,
    entries: u64,
    tombstones: u64,
    /// Range deletions among them, where the table counts them.
    ranges: Option<u64>,
    /// Tables with older entries that overlap it, in deeper levels and in level 0.
    below: Older,
}

pub(super) fn report(evidence: &Evidence<'_>) -> Report {
    let columns = [
        ("family", ""),
        ("level", ""),
        ("table", ""),
        ("entries", ""),
        ("tombstones", ""),
        ("range deletions", ""),
        ("share of tombstones", ""),
        ("size", "bytes"),
        ("older tables that it overlaps", "bytes"),
        ("largest sequence number", ""),
        ("created", "s since 1970"),
    ];
    let mut report = Report::new(Question::Tombstones, &columns);
    evidence.note_unread(&mut report);
    let (rows, covered) = rows(evidence, &mut report);
    for row in &rows {
        let summary = evidence.summary(row.table);
        let created = row.table.created_seconds.or_else(|| summary?.created_seconds);
        report.row(vec![
            row.family.name.as_str().into(),
            row.level.into(),
            row.table.number.into(),
            row.entries.into(),
            row.tombstones.into(),
            row.ranges.into(),
            share(row.tombstones, row.entries).into(),
            row.table.bytes.into(),
            row.below.bytes.into(),
            row.table.largest_sequence.into(),
            created.into(),
        ]);
    }
    let answer = sentence(evidence, &rows, covered, &mut report);
    report.answer = format!("{answer}{}", elsewhere(evidence, &mut report));
    picture(&rows, &mut report);
    report
}

/// Tables with tombstones: those over the most bytes first, then the bottommost ones, the oldest first; and the bytes
/// of all tables that lie below one of them.
fn rows<'e>(evidence: &Evidence<'e>, report: &mut Report) -> (Vec<Row<'e>>, u64) {
    let mut rows = Vec::new();
    let mut covered = 0u64;
    let mut unknown = false;
    let of = |table: &TableFile| evidence.summary(table).and_then(|summary| summary.deletions);
    for family in evidence.state.families.values() {
        let ages = ages(family, |table| of(table).unwrap_or(0) > 0);
        covered = covered.saturating_add(ages.covered_bytes);
        for (level, table) in family.tables() {
            let (Some(summary), Some(tombstones)) = (evidence.summary(table), of(table)) else {
                continue;
            };
            if tombstones == 0 {
                continue;
            }
            unknown |= !family.comparator.is_known();
            let below = ages.below.get(&table.number).copied().unwrap_or_default();
            let entries = summary.entries.unwrap_or(tombstones);
            let ranges = summary.range_deletions;
            rows.push(Row { family, level, table, entries, tombstones, ranges, below });
        }
    }
    if unknown {
        report.lacks("An order of keys is not known: there it is not known which tables overlap.");
    }
    sort_by_key(&mut rows, |row| {
        (std::cmp::Reverse(row.below.bytes), row.table.largest_sequence, row.table.number)
    });
    (rows, covered)
}

fn sentence(
    evidence: &Evidence<'_>,
    rows: &[Row<'_>],
    covered_bytes: u64,
    report: &mut Report,
) -> String {
    let read = evidence.tables().filter_map(|(_, _, table)| evidence.summary(table));
    let (mut entries, mut tables, mut counted) = (0u64, 0u64, 0u64);
    for summary in read {
        entries = entries.saturating_add(summary.entries.unwrap_or(0));
        tables += 1;
        counted += u64::from(summary.deletions.is_some());
    }
    let tombstones = total(rows.iter().map(|row| row.tombstones));
    report.figure("Tables read", tables, "");
    report.figure("Entries", entries, "");
    report.figure("Tombstones", tombstones, "");
    report.figure("Share of tombstones", share(tombstones, entries), "");
    if tables == 0 {
        let none = evidence.tables().next().is_none();
        return if none {
            "No table is there, so no deleted data takes space in tables.".to_owned()
        } else {
            "How many tombstones there are is not known, because no table was read.".to_owned()
        };
    }
    if counted == 0 {
        return "How many tombstones there are is not known, because these tables do not count them. A \
                scan does."
            .to_owned();
    }
    if counted < tables {
        report.lacks("Some tables do not count their tombstones: these are left out.");
    }
    if tombstones == 0 {
        return format!(
            "None of the {} in the tables is a tombstone, so no delete waits for a compaction.",
            count(entries, "entry")
        );
    }
    let (upper, bottom): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.below.tables > 0);
    let sum = |rows: &[&Row<'_>]| total(rows.iter().map(|row| row.tombstones));
    report.figure("Tombstones over older tables", sum(&upper), "");
    report.figure("Size of the older tables below them", covered_bytes, "bytes");
    report.figure("Tombstones with no table below", sum(&bottom), "");
    report.figure("Tables with such tombstones", bottom.len(), "");
    format!(
        "{} of {} in the tables {} ({}){}.{} {}",
        number(tombstones),
        count(entries, "entry"),
        if tombstones == 1 { "is a tombstone" } else { "are tombstones" },
        percent(tombstones, entries),
        lead(evidence, rows),
        ranges(rows, tombstones, report),
        consequences(sum(&upper), covered_bytes, sum(&bottom), bottom.len() as u64),
    )
}

/// Space of deleted data that no tombstone shows: garbage in blob files, and tables that were left over.
fn elsewhere(evidence: &Evidence<'_>, report: &mut Report) -> String {
    let families = evidence.state.families.values();
    let garbage = families.flat_map(|family| family.blob_files.values());
    let garbage = total(garbage.map(|blob| blob.garbage_bytes));
    let (files, size) = evidence.left_over();
    report.figure("Garbage in blob files", garbage, "bytes");
    report.figure("Tables that the manifest does not name", files, "");
    report.figure("Size of the tables that the manifest does not name", size, "bytes");
    let mut words = String::new();
    if garbage > 0 {
        words = format!(" Besides, blob files hold {} of garbage.", bytes(garbage));
    }
    if files > 0 {
        let (name, be) = if files == 1 { ("it", "is") } else { ("them", "are") };
        let tables = format!(" {} of {} {be} in the directory", count(files, "table"), bytes(size));
        // A part of the manifest that cannot be read may name them.
        let left = if evidence.is_manifest_damaged() {
            format!("{tables}, but the damaged manifest does not name {name}: keep {name}.")
        } else {
            format!(
                "{tables} without being part of the database, which deletes {name} when it opens, or when \
                 no reader needs {name} any more."
            )
        };
        words.push_str(&left);
    }
    words
}

/// The range deletions among the tombstones; the number of entries that they delete is unknown.
fn ranges(rows: &[Row<'_>], tombstones: u64, report: &mut Report) -> String {
    let ranges = total(rows.iter().filter_map(|row| row.ranges));
    report.figure("Range deletions", ranges, "");
    let which = match (ranges, tombstones) {
        (0, _) => return String::new(),
        (1, 1) => "It is a range deletion: it".to_owned(),
        (1, _) => "1 of them is a range deletion: it".to_owned(),
        (all, more) if all == more => "All of them are range deletions: each one".to_owned(),
        (some, _) => format!("{} of them are range deletions: each one", number(some)),
    };
    format!(" {which} deletes all older entries in its range.")
}

/// The family with the most tombstones, when there are several.
fn lead(evidence: &Evidence<'_>, rows: &[Row<'_>]) -> String {
    let mut families: BTreeMap<u32, (u64, &str)> = BTreeMap::new();
    for row in rows {
        let sum = families.entry(row.family.id).or_insert((0, &row.family.name));
        sum.0 = sum.0.saturating_add(row.tombstones);
    }
    match families.values().max_by_key(|sum| sum.0) {
        Some((most, name)) if families.len() > 1 => {
            format!(", {} of them in {}", number(*most), evidence.family_or(name, "the database"))
        }
        _ => String::new(),
    }
}

/// Conditions for the return of the space: a sentence for tombstones over older tables, and one for the rest.
fn consequences(upper: u64, covered: u64, bottom: u64, bottom_tables: u64) -> String {
    let lie = if upper == 1 { "lies" } else { "lie" };
    let who = match (upper, bottom) {
        (1, 0) => "It".to_owned(),
        (_, 0) => "All of them".to_owned(),
        (some, _) => format!("{} of them", number(some)),
    };
    let over = format!(
        "{who} {lie} over older tables of {}, whose space comes back when compactions merge them.",
        bytes(covered),
    );
    let who = match (upper, bottom) {
        (0, 1) => "It".to_owned(),
        (0, _) => "All of them".to_owned(),
        (_, some) => number(some),
    };
    let (be, stay) = if bottom == 1 { ("is", "it stays") } else { ("are", "they stay") };
    let under = format!(
        "{who} {be} in {} with no older table below: {stay} until that table is compacted and no older \
         snapshot needs them.",
        count(bottom_tables, "table"),
    );
    let under = if bottom == 1 { under.replace("needs them", "needs it") } else { under };
    let under =
        if bottom_tables > 1 { under.replace("that table is", "these tables are") } else { under };
    match (upper, bottom) {
        (0, _) => under,
        (_, 0) => over,
        _ => format!("{over} {under}"),
    }
}

/// The name of a family and the bars of its tables.
type Bars<'n> = (&'n str, Vec<(String, f64)>);

fn picture(rows: &[Row<'_>], report: &mut Report) {
    let mut picture = Picture::new("Share of tombstones by table", ("table", ""), ("share", ""));
    let mut families: BTreeMap<u32, Bars<'_>> = BTreeMap::new();
    for row in rows {
        let bars = families.entry(row.family.id).or_insert((&row.family.name, Vec::new()));
        let label = format!("{} L{}", row.table.number, row.level);
        bars.1.push((label, share(row.tombstones, row.entries)));
    }
    for (name, bars) in families.into_values() {
        picture.bars(name, bars);
    }
    if !picture.series.is_empty() {
        report.pictures.push(picture);
    }
}
