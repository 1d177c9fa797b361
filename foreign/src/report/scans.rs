//! Report: the entries that slow scans down.

use super::overlap::{Over, Segments, meets};
use super::{Evidence, Focus, Picture, Question, Report};
use crate::Family;
use crate::text::plain;
use crate::text::{count, key, number, percent, percentage, share};
use std::collections::BTreeMap;

/// Segments that are looked at of each family; those of families with more tables are sampled.
const SEGMENTS_MAX: usize = 2000;

/// A segment with its estimated entries.
struct Part<'e> {
    family: &'e Family,
    start: &'e [u8],
    end: &'e [u8],
    over: Over,
    entries: f64,
    tombstones: f64,
    /// Whether a table over it has range deletions.
    has_ranges: bool,
}

impl Part<'_> {
    fn share(&self) -> f64 {
        if self.entries > 0.0 { (self.tombstones / self.entries).min(1.0) } else { 0.0 }
    }

    /// Entries that a scan reads for each one that is no tombstone.
    fn read_per_returned(&self) -> Option<f64> {
        let left = self.entries - self.tombstones;
        (left > 0.0 && !self.has_ranges).then(|| self.entries / left)
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
            key(part.start).into(),
            key(part.end).into(),
            part.over.tables.into(),
            part.over.runs.into(),
            part.entries.round().into(),
            part.tombstones.round().into(),
            part.share().into(),
            part.read_per_returned().into(),
        ]);
    }
    report.answer = sentence(evidence, &parts, &mut report);
    picture(evidence, &parts, &mut report);
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
                "The order of keys{} is not known: its scans are left out.",
                evidence.of_family(&family.name)
            ));
            continue;
        }
        let mut own = parts_of(evidence, family);
        if let Some(focus) = focus {
            let order = family.comparator;
            own.retain(|part| {
                order.compare_keys(part.start, &focus.end).is_le()
                    && order.compare_keys(part.end, &focus.start).is_ge()
            });
        }
        parts.append(&mut own);
    }
    parts
}

fn parts_of<'e>(evidence: &Evidence<'e>, family: &'e Family) -> Vec<Part<'e>> {
    let segments = Segments::new(family, SEGMENTS_MAX, |_| true);
    let part = |((start, end), over)| Part {
        family,
        start,
        end,
        over,
        entries: 0.0,
        tombstones: 0.0,
        has_ranges: false,
    };
    let mut parts: Vec<Part<'_>> = segments.keys().zip(segments.over()).map(part).collect();
    for table in family.levels.values().flatten() {
        let Some(summary) = evidence.summary(table) else { continue };
        let under = parts.get_mut(segments.under(table)).unwrap_or_default();
        // Spread evenly over the segments that the table lies over.
        let pieces = plain(under.len().max(1) as u64);
        let entries = plain(summary.entries.unwrap_or(0)) / pieces;
        let tombstones = plain(summary.deletions.unwrap_or(0)) / pieces;
        for part in under {
            part.entries += entries;
            part.tombstones += tombstones;
            part.has_ranges |= summary.range_deletions.unwrap_or(0) > 0;
        }
    }
    parts
}

fn sentence(evidence: &Evidence<'_>, parts: &[Part<'_>], report: &mut Report) -> String {
    let Some(most) =
        parts.iter().rev().max_by_key(|part| part.over.runs).filter(|part| part.over.runs > 0)
    else {
        return "No table with a known order of keys is here, so a scan reads no table.".to_owned();
    };
    report.figure("Family with the most sorted runs", most.family.name.as_str(), "");
    report.figure("Sorted runs over one key, at most", most.over.runs, "");
    report.figure("Key under the most sorted runs", key(most.start), "");
    let merges = format!(
        "A scan{} {}, for example at the key {}.",
        evidence.of_family(&most.family.name),
        if most.over.runs == 1 {
            "reads 1 sorted run".to_owned()
        } else {
            format!("merges up to {}", count(most.over.runs, "sorted run"))
        },
        key(most.start)
    );
    // Of this family alone, each table once.
    let (mut entries, mut tombstones, mut ranges, mut is_read) = (0u64, 0u64, 0u64, false);
    let segments: Vec<_> = parts.iter().filter(|part| part.family.id == most.family.id).collect();
    let ends = segments.first().zip(segments.last());
    for table in most.family.levels.values().flatten() {
        let within = ends.is_none_or(|(first, last)| {
            let order = most.family.comparator;
            meets(order, table, first.start, last.end)
        });
        if let Some(summary) = evidence.summary(table).filter(|_| within) {
            is_read = true;
            entries = entries.saturating_add(summary.entries.unwrap_or(0));
            tombstones = tombstones.saturating_add(summary.deletions.unwrap_or(0));
            ranges = ranges.saturating_add(summary.range_deletions.unwrap_or(0));
        }
    }
    report.figure("Entries in its tables", entries, "");
    report.figure("Tombstones in its tables", tombstones, "");
    report.figure("Share of tombstones", share(tombstones, entries), "");
    if entries == 0 {
        let why = if is_read { "its tables do not count them" } else { "no table was read" };
        return format!("{merges} How many entries it skips is not known, because {why}.");
    }
    let densest = segments.iter().max_by(|a, b| a.share().total_cmp(&b.share()));
    let Some(densest) = densest.filter(|_| tombstones > 0) else {
        return format!(
            "{merges} None of the {} in the tables is a tombstone.",
            count(entries, "entry")
        );
    };
    if ranges > 0 {
        return ranges_words(&merges, (entries, tombstones, ranges), report);
    }
    report.figure("Largest share of tombstones", densest.share(), "");
    report.figure(
        "Entries read for each returned there, at least",
        densest.read_per_returned(),
        "",
    );
    let read = densest.read_per_returned().map_or_else(
        || "almost nothing that is read is returned".to_owned(),
        |read| format!("at least {read:.1} entries are read for each one returned"),
    );
    format!(
        "{merges} Of the {} in the tables {} are tombstones; they are densest between {} and {} ({}), \
         where {}.",
        count(entries, "entry"),
        percent(tombstones, entries),
        key(densest.start),
        key(densest.end),
        percentage(densest.share()),
        read,
    )
}

/// Range deletions hide entries that no property counts.
fn ranges_words(
    merges: &str,
    (entries, tombstones, ranges): (u64, u64, u64),
    report: &mut Report,
) -> String {
    report.figure("Range deletions in its tables", ranges, "");
    let which = match ranges {
        1 => "1 of the tombstones is a range deletion, which hides all older entries in its range"
            .to_owned(),
        more => format!(
            "{} of the tombstones are range deletions, which hide all older entries in their ranges",
            number(more)
        ),
    };
    format!(
        "{merges} Of the {} in the tables {} are tombstones. {which}: how many entries a scan reads for \
         each one returned is not known. A scan counts them.",
        count(entries, "entry"),
        percent(tombstones, entries),
    )
}

fn picture(evidence: &Evidence<'_>, parts: &[Part<'_>], report: &mut Report) {
    let mut families: BTreeMap<u32, Vec<&Part<'_>>> = BTreeMap::new();
    for part in parts {
        families.entry(part.family.id).or_default().push(part);
    }
    for own in families.into_values() {
        let Some(first) = own.first() else { continue };
        let of = evidence.of_family(&first.family.name);
        let title = format!("Sorted runs and tombstones{of}");
        let mut picture = Picture::new(title, ("first key", ""), ("sorted runs", ""));
        let bar = |part: &Part<'_>, value: f64| (key(part.start), value);
        let runs = own.iter().map(|part| bar(part, plain(part.over.runs))).collect();
        let shares = own.iter().map(|part| bar(part, part.share())).collect();
        picture.bars("sorted runs", runs);
        picture.bars("share of tombstones", shares);
        report.pictures.push(picture);
    }
}
