//! Report: the tables that cover a range of keys.

use super::overlap::{Segments, covering, runs};
use super::{Evidence, Focus, Picture, Question, Report};
use crate::files::total;
use crate::text::{bytes, count, key, listed, number};
use crate::{Family, TableFile};
use std::collections::BTreeMap;
use std::sync::Arc;

type CoveringTables<'e> = Vec<(u32, &'e Arc<TableFile>)>;

pub(super) fn report(evidence: &Evidence<'_>, focus: Option<&Focus>) -> Report {
    let columns = [
        ("level", ""),
        ("table", ""),
        ("size", "bytes"),
        ("smallest key", ""),
        ("largest key", ""),
        ("smallest sequence number", ""),
        ("largest sequence number", ""),
        ("entries", ""),
        ("tombstones", ""),
        ("created", "s since 1970"),
        ("added by edit", ""),
    ];
    let mut report = Report::new(Question::Cover, &columns);
    let is_asked = focus.is_some();
    let Some(focus) = focus.cloned().or_else(|| busiest(evidence)) else {
        report.answer = "No table with a known order of keys is there to cover a key.".into();
        return report;
    };
    let Some(family) = evidence.state.families.get(&focus.family) else {
        report.answer = format!("There is no family with the number {}.", focus.family);
        return report;
    };
    if !family.comparator.is_known() {
        report.answer = format!(
            "Which tables cover a key{} is not known, because its order of keys is not known.",
            evidence.of_family(&family.name)
        );
        let name = key(family.comparator_name.as_bytes());
        report.lacks(format!("The order of keys {name} is not known."));
        return report;
    }
    let tables = covering(family, &focus.start, &focus.end);
    for (level, table) in &tables {
        row(evidence, *level, table, &mut report);
    }
    evidence.note_unread(&mut report);
    report.lacks("Entries that are only in logs are not in these tables.");
    report.answer = sentence(evidence, family, (&focus, is_asked), &tables, &mut report);
    picture(&tables, &mut report);
    report
}

/// The key under the most sorted runs of all families.
fn busiest(evidence: &Evidence<'_>) -> Option<Focus> {
    let mut best: Option<(u64, Focus)> = None;
    for family in evidence.state.families.values() {
        let segments = Segments::new(family, usize::MAX, |_| true);
        for ((start, _), over) in segments.keys().zip(segments.over()) {
            if over.runs > best.as_ref().map_or(0, |best| best.0) {
                let key = start.to_vec();
                best = Some((over.runs, Focus { family: family.id, start: key.clone(), end: key }));
            }
        }
    }
    best.map(|best| best.1)
}

fn row(evidence: &Evidence<'_>, level: u32, table: &TableFile, report: &mut Report) {
    let summary = evidence.summary(table);
    report.row(vec![
        level.into(),
        table.number.into(),
        table.bytes.into(),
        key(&table.smallest.user_key).into(),
        key(&table.largest.user_key).into(),
        table.smallest_sequence.into(),
        table.largest_sequence.into(),
        summary.and_then(|summary| summary.entries).into(),
        summary.and_then(|summary| summary.deletions).into(),
        table.created_seconds.or_else(|| summary?.created_seconds).into(),
        table.added_by_edit.into(),
    ]);
}

fn sentence(
    evidence: &Evidence<'_>,
    family: &Family,
    (focus, is_asked): (&Focus, bool),
    tables: &CoveringTables<'_>,
    report: &mut Report,
) -> String {
    let size = total(tables.iter().map(|table| table.1.bytes));
    let runs = runs(evidence.state.engine, family.comparator, tables);
    report.figure("Family", family.name.as_str(), "");
    report.figure("Tables", tables.len(), "");
    report.figure("Size of these tables", size, "bytes");
    report.figure("Read amplification", runs, "sorted runs");
    let one = focus.start == focus.end;
    let of = evidence.of_family(&family.name);
    let what = if one {
        let start = if is_asked { "Key" } else { "The key under the most sorted runs," };
        let comma = if is_asked { "" } else { "," };
        format!("{start} {}{of}{comma}", key(&focus.start))
    } else {
        format!("The keys from {} to {}{of}", key(&focus.start), key(&focus.end))
    };
    let be = if one { "is" } else { "are" };
    if tables.is_empty() {
        return format!("{what} {be} in no table, so a read looks into no sorted run.");
    }
    let mut levels: BTreeMap<u32, u64> = BTreeMap::new();
    for (level, _) in tables {
        *levels.entry(*level).or_default() += 1;
    }
    let several = levels.len() > 1;
    let levels: Vec<String> = levels
        .iter()
        .map(|(level, tables)| {
            if several {
                format!("{} in level {level}", number(*tables))
            } else {
                format!("level {level}")
            }
        })
        .collect();
    format!(
        "{what} {be} covered by {} ({}){} {}. A read looks into {}{}.",
        count(tables.len() as u64, "table"),
        bytes(size),
        if several { ":" } else { " in" },
        listed(&levels),
        if runs > 1 { "up to " } else { "" },
        count(runs, "sorted run"),
    )
}

fn picture(tables: &CoveringTables<'_>, report: &mut Report) {
    let mut picture = Picture::new("Tables over the keys", ("table", ""), ("size", "bytes"));
    let mut levels: BTreeMap<u32, Vec<(String, f64)>> = BTreeMap::new();
    for (level, table) in tables {
        let bar = (table.number.to_string(), crate::text::plain(table.bytes));
        levels.entry(*level).or_default().push(bar);
    }
    for (level, bars) in levels {
        picture.bars(format!("level {level}"), bars);
    }
    report.pictures.push(picture);
}
