//! Why are scans slow here?

use super::overlap::{Segment, meets, runs, segments};
use super::picture::plain;
use super::{Evidence, Focus, Picture, Question, Report};
use crate::Family;
use crate::text::{count, family as family_words, key, percent, share};
use std::collections::BTreeMap;

/// A segment with its estimated entries.
struct Part<'e> {
    family: &'e Family,
    segment: Segment<'e>,
    runs: u64,
    entries: f64,
    tombstones: f64,
}

impl Part<'_> {
    fn share(&self) -> f64 {
        if self.entries > 0.0 { (self.tombstones / self.entries).min(1.0) } else { 0.0 }
    }

    /// Entries that a scan reads for each one that is no tombstone.
    fn read_per_returned(&self) -> Option<f64> {
        let left = self.entries - self.tombstones;
        (left > 0.0).then(|| self.entries / left)
    }
}

pub(super) fn report(evidence: &Evidence<'_>, focus: Option<&Focus>) -> Report {
    let columns = [
        ("family", ""),
        ("first key", ""),
        ("next key", ""),
        ("tables", ""),
        ("sorted runs", ""),
        ("entries, estimated", ""),
        ("tombstones, estimated", ""),
        ("share of tombstones", ""),
        ("entries read for each returned, at least", ""),
    ];
    let mut report = Report::new(Question::Scans, &columns);
    evidence.note_unread(&mut report);
    report.lacks(
        "Entries were not read: versions of a key that a newer one shadows are not counted, and \
         the entries of a table are taken to be spread evenly over its keys.",
    );
    let parts = parts(evidence, focus, &mut report);
    for part in &parts {
        report.row(vec![
            part.family.name.as_str().into(),
            key(part.segment.start).into(),
            key(part.segment.end).into(),
            part.segment.tables.len().into(),
            part.runs.into(),
            part.entries.round().into(),
            part.tombstones.round().into(),
            part.share().into(),
            part.read_per_returned().into(),
        ]);
    }
    report.answer = sentence(evidence, &parts, &mut report);
    picture(&parts, &mut report);
    report
}

fn parts<'e>(evidence: &Evidence<'e>, focus: Option<&Focus>, report: &mut Report) -> Vec<Part<'e>> {
    let mut parts = Vec::new();
    for family in evidence.state.families.values() {
        if focus.is_some_and(|focus| focus.family != family.id) {
            continue;
        }
        if !family.comparator.is_known() {
            report.lacks(format!(
                "The order of keys of {} is unknown: it is left out.",
                family_words(&family.name)
            ));
            continue;
        }
        let mut segments = segments(family);
        let pieces = pieces(&segments);
        if let Some(focus) = focus {
            let order = family.comparator;
            segments.retain(|segment| {
                order.compare_keys(segment.start, &focus.end).is_le()
                    && order.compare_keys(segment.end, &focus.start).is_ge()
            });
        }
        parts.extend(segments.into_iter().map(|segment| part(evidence, family, segment, &pieces)));
    }
    parts
}

/// Over how many segments each table is spread.
fn pieces(segments: &[Segment<'_>]) -> BTreeMap<u64, u64> {
    let mut pieces = BTreeMap::new();
    for (_, table) in segments.iter().flat_map(|segment| &segment.tables) {
        *pieces.entry(table.number).or_insert(0) += 1;
    }
    pieces
}

fn part<'e>(
    evidence: &Evidence<'e>,
    family: &'e Family,
    segment: Segment<'e>,
    pieces: &BTreeMap<u64, u64>,
) -> Part<'e> {
    let (mut entries, mut tombstones) = (0.0, 0.0);
    for (_, table) in &segment.tables {
        let Some(summary) = evidence.summary(table) else { continue };
        let over = plain(pieces.get(&table.number).copied().unwrap_or(1));
        entries += plain(summary.entries.unwrap_or(0)) / over;
        tombstones += plain(summary.deletions.unwrap_or(0)) / over;
    }
    let runs = runs(evidence.state.engine, family.comparator, &segment.tables);
    Part { family, segment, runs, entries, tombstones }
}

fn sentence(evidence: &Evidence<'_>, parts: &[Part<'_>], report: &mut Report) -> String {
    let Some(most) = parts.iter().max_by_key(|part| part.runs).filter(|part| part.runs > 0) else {
        return "No table with a known order of keys is here, so a scan reads no table.".to_owned();
    };
    report.figure("Family with the most sorted runs", most.family.name.as_str(), "");
    report.figure("Sorted runs over one key, at most", most.runs, "");
    report.figure("Such a key", key(most.segment.start), "");
    let merges = format!(
        "A scan of {} {} {}, such as at the key {}",
        family_words(&most.family.name),
        if most.runs == 1 { "reads" } else { "merges up to" },
        count(most.runs, "sorted run"),
        key(most.segment.start)
    );
    // Of this family alone, each table once.
    let (mut entries, mut tombstones) = (0u64, 0u64);
    let segments: Vec<_> = parts.iter().filter(|part| part.family.id == most.family.id).collect();
    let ends = segments.first().zip(segments.last());
    for table in most.family.levels.values().flatten() {
        let within = ends.is_none_or(|(first, last)| {
            let order = most.family.comparator;
            meets(order, table, first.segment.start, last.segment.end)
        });
        if let Some(summary) = evidence.summary(table).filter(|_| within) {
            entries = entries.saturating_add(summary.entries.unwrap_or(0));
            tombstones = tombstones.saturating_add(summary.deletions.unwrap_or(0));
        }
    }
    report.figure("Entries in its tables", entries, "");
    report.figure("Tombstones in its tables", tombstones, "");
    report.figure("Share of tombstones", share(tombstones, entries), "");
    if entries == 0 {
        return format!(
            "{merges}; how many entries it skips is unknown, because no table was read."
        );
    }
    let densest = segments.iter().max_by(|a, b| a.share().total_cmp(&b.share()));
    let Some(densest) = densest.filter(|_| tombstones > 0) else {
        return format!(
            "{merges}; none of the {} in its tables is a tombstone.",
            count(entries, "entry")
        );
    };
    report.figure("Largest share of tombstones", densest.share(), "");
    report.figure(
        "Entries read for each returned there, at least",
        densest.read_per_returned(),
        "",
    );
    let read = densest.read_per_returned().map_or_else(
        || "almost nothing that is read there is returned".to_owned(),
        |read| format!("at least {read:.1} entries are read there for each one returned"),
    );
    format!(
        "{merges}; {} of the {} in its tables are tombstones, most densely between {} and {} \
         ({:.0} %), so {read}.",
        percent(tombstones, entries),
        count(entries, "entry"),
        key(densest.segment.start),
        key(densest.segment.end),
        densest.share() * 100.0,
    )
}

fn picture(parts: &[Part<'_>], report: &mut Report) {
    let mut families: BTreeMap<u32, Vec<&Part<'_>>> = BTreeMap::new();
    for part in parts {
        families.entry(part.family.id).or_default().push(part);
    }
    for own in families.into_values() {
        let Some(first) = own.first() else { continue };
        let title = format!("Sorted runs and tombstones of {}", family_words(&first.family.name));
        let mut picture = Picture::new(title, ("first key", ""), ("sorted runs", ""));
        let bar = |part: &Part<'_>, value: f64| (key(part.segment.start), value);
        let runs = own.iter().map(|part| bar(part, plain(part.runs))).collect();
        let shares = own.iter().map(|part| bar(part, part.share())).collect();
        picture.bars("sorted runs", runs);
        picture.bars("share of tombstones", shares);
        report.pictures.push(picture);
    }
}
