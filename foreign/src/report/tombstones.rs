//! I deleted data: why is the space not back?

use super::overlap::overlap;
use super::{Evidence, Picture, Question, Report};
use crate::sorting::sort_by_key;
use crate::text::{bytes, count, number, percent, share};
use crate::{Family, TableFile};
use std::collections::{BTreeMap, BTreeSet};

/// Tombstones of one table.
struct Row<'e> {
    family: &'e Family,
    level: u32,
    table: &'e TableFile,
    entries: u64,
    tombstones: u64,
    /// Tables with older entries that overlap it, in deeper levels and in level 0: level, number, bytes.
    below: Vec<(u32, u64, u64)>,
}

pub(super) fn report(evidence: &Evidence<'_>) -> Report {
    let columns = [
        ("family", ""),
        ("level", ""),
        ("table", ""),
        ("entries", ""),
        ("tombstones", ""),
        ("share of tombstones", ""),
        ("size", "bytes"),
        ("older tables that it overlaps", "bytes"),
        ("largest sequence number", ""),
        ("created", "s since 1970"),
    ];
    let mut report = Report::new(Question::Tombstones, &columns);
    evidence.note_unread(&mut report);
    let rows = rows(evidence, &mut report);
    for row in &rows {
        let summary = evidence.summary(row.table);
        let created = row.table.created_seconds.or_else(|| summary?.created_seconds);
        report.row(vec![
            row.family.name.as_str().into(),
            row.level.into(),
            row.table.number.into(),
            row.entries.into(),
            row.tombstones.into(),
            share(row.tombstones, row.entries).into(),
            row.table.bytes.into(),
            row.below.iter().map(|below| below.2).fold(0, u64::saturating_add).into(),
            row.table.largest_sequence.into(),
            created.into(),
        ]);
    }
    report.answer = sentence(evidence, &rows, &mut report);
    picture(&rows, &mut report);
    report
}

/// Tables with tombstones: those over the most bytes first, then the bottommost ones, the oldest first.
fn rows<'e>(evidence: &Evidence<'e>, report: &mut Report) -> Vec<Row<'e>> {
    let mut rows = Vec::new();
    let mut unknown = false;
    for (family, level, table) in evidence.tables() {
        let Some(summary) = evidence.summary(table) else { continue };
        let tombstones = summary.deletions.unwrap_or(0);
        if tombstones == 0 {
            continue;
        }
        unknown |= !family.comparator.is_known();
        let below = below(family, level, table);
        let entries = summary.entries.unwrap_or(tombstones);
        rows.push(Row { family, level, table, entries, tombstones, below });
    }
    if unknown {
        report.lacks("An order of keys is not known: there it is not known which tables overlap.");
    }
    let size = |row: &Row<'_>| row.below.iter().map(|below| below.2).fold(0, u64::saturating_add);
    sort_by_key(&mut rows, |row| {
        (std::cmp::Reverse(size(row)), row.table.largest_sequence, row.table.number)
    });
    rows
}

fn below(family: &Family, level: u32, table: &TableFile) -> Vec<(u32, u64, u64)> {
    if !family.comparator.is_known() {
        return Vec::new();
    }
    // In level 0 the newest table stands first: those after it are older.
    let own = family.levels.get(&level).filter(|_| level == 0).into_iter().flatten();
    let older = own.skip_while(|other| other.number != table.number).skip(1);
    let older = older.map(|other| (level, other));
    let deeper = family.levels.range(level.saturating_add(1)..);
    let all = deeper.flat_map(|(level, tables)| tables.iter().map(move |other| (*level, other)));
    older
        .chain(all)
        .filter(|(_, other)| overlap(family.comparator, table, other))
        .map(|(level, other)| (level, other.number, other.bytes))
        .collect()
}

fn sentence(evidence: &Evidence<'_>, rows: &[Row<'_>], report: &mut Report) -> String {
    let read = evidence.tables().filter_map(|(_, _, table)| evidence.summary(table));
    let (mut entries, mut tables, mut counted) = (0u64, 0u64, 0u64);
    for summary in read {
        entries = entries.saturating_add(summary.entries.unwrap_or(0));
        tables += 1;
        counted += u64::from(summary.deletions.is_some());
    }
    let tombstones: u64 = rows.iter().map(|row| row.tombstones).fold(0, u64::saturating_add);
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
    let (upper, bottom): (Vec<_>, Vec<_>) = rows.iter().partition(|row| !row.below.is_empty());
    let covered: BTreeSet<_> = upper
        .iter()
        .flat_map(|row| row.below.iter().map(|below| (row.family.id, *below)))
        .collect();
    let covered_bytes: u64 = covered.iter().map(|(_, below)| below.2).fold(0, u64::saturating_add);
    let sum =
        |rows: &[&Row<'_>]| rows.iter().map(|row| row.tombstones).fold(0, u64::saturating_add);
    report.figure("Tombstones over older tables", sum(&upper), "");
    report.figure("Size of the older tables below them", covered_bytes, "bytes");
    report.figure("Tombstones with no table below", sum(&bottom), "");
    report.figure("Tables with such tombstones", bottom.len(), "");
    format!(
        "{} of {} in the tables {} ({}){}. {}",
        number(tombstones),
        count(entries, "entry"),
        if tombstones == 1 { "is a tombstone" } else { "are tombstones" },
        percent(tombstones, entries),
        lead(evidence, rows),
        consequences(sum(&upper), covered_bytes, sum(&bottom), bottom.len() as u64),
    )
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

/// What has to happen before the space comes back: a sentence for those over older tables, and one for the rest.
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
