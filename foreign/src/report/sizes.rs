//! Report: the largest families and prefixes.

use super::overlap::{largest, smallest};
use super::{Evidence, Picture, Question, Report};
use crate::files::total;
use crate::text::plain;
use crate::text::{bytes, count, escaped, percent};
use crate::{Family, TableFile};
use std::collections::BTreeMap;

/// Bytes of one family, level and prefix.
#[derive(Default, Clone, Copy)]
struct Sum {
    tables: u64,
    bytes: u64,
    logical: u64,
    entries: u64,
    /// Tables whose properties were read.
    read: u64,
}

/// The name of the part whose tables begin and end in different prefixes.
const SEVERAL: &str = "several prefixes";

pub(super) fn report(evidence: &Evidence<'_>) -> Report {
    let columns = [
        ("family", ""),
        ("level", ""),
        ("prefix", ""),
        ("tables", ""),
        ("size", "bytes"),
        ("keys and values before compression", "bytes"),
        ("entries", ""),
    ];
    let mut report = Report::new(Question::Sizes, &columns);
    evidence.note_unread(&mut report);
    report.lacks(
        "No entry was read: a table whose first and last key have different prefixes counts under \
         \"several prefixes\".",
    );
    let sums = sums(evidence);
    for ((id, level, prefix), sum) in &sums {
        let name = evidence.state.families.get(id).map_or("", |family| &family.name);
        report.row(vec![
            name.into(),
            (*level).into(),
            prefix.as_str().into(),
            sum.tables.into(),
            sum.bytes.into(),
            (sum.read > 0).then_some(sum.logical).into(),
            (sum.read > 0).then_some(sum.entries).into(),
        ]);
    }
    report.answer = sentence(evidence, &sums, &mut report);
    picture(evidence, &sums, &mut report);
    report
}

type Sums = BTreeMap<(u32, u32, String), Sum>;

fn sums(evidence: &Evidence<'_>) -> Sums {
    let mut sums = Sums::new();
    let extractor = |family: &Family| {
        let options = evidence.options_of(&family.name)?;
        let own = options.prefix_extractor.value()?.as_ref()?;
        usize::try_from(own.bytes()?).ok()
    };
    let families = evidence.state.families.values();
    let extractors: BTreeMap<u32, Option<usize>> =
        families.map(|family| (family.id, extractor(family))).collect();
    for (family, level, table) in evidence.tables() {
        let prefix = prefix_of(family, table, extractors.get(&family.id).copied().flatten());
        let sum = sums.entry((family.id, level, prefix)).or_default();
        sum.tables += 1;
        sum.bytes = sum.bytes.saturating_add(table.bytes);
        if let Some(summary) = evidence.summary(table) {
            sum.read += 1;
            let raw = [summary.raw_key_bytes, summary.raw_value_bytes];
            let raw = total(raw.into_iter().flatten());
            sum.logical = sum.logical.saturating_add(raw);
            sum.entries = sum.entries.saturating_add(summary.entries.unwrap_or(0));
        }
    }
    sums
}

/// The prefix that all keys of a table share: of the length of the family's prefix extractor, else up to the first
/// separator, else two bytes.
fn prefix_of(family: &Family, table: &TableFile, extractor: Option<usize>) -> String {
    let order = family.comparator;
    let cut = |key: &'_ [u8]| -> String {
        let end = extractor.unwrap_or_else(|| {
            let separator = |byte: &u8| matches!(byte, b'/' | b':' | b'_' | b'-' | b'|' | b'.' | 0);
            key.iter().take(32).position(separator).map_or(2, |place| place + 1)
        });
        escaped(key.get(..end).unwrap_or(key))
    };
    let (first, last) = (cut(smallest(order, table)), cut(largest(order, table)));
    if first == last { first } else { SEVERAL.to_owned() }
}

fn sentence(evidence: &Evidence<'_>, sums: &Sums, report: &mut Report) -> String {
    let all = total(sums.values().map(|sum| sum.bytes));
    let blobs = |family: &Family| total(family.blob_files.values().map(|blob| blob.file_bytes));
    let all_blobs = total(evidence.state.families.values().map(blobs));
    report.figure("Size of all tables", all, "bytes");
    report.figure("Size of all blob files", all_blobs, "bytes");
    if all == 0 && all_blobs == 0 {
        return match evidence.left_over() {
            (files, size) if files > 0 && evidence.is_manifest_damaged() => format!(
                "No level holds a table, but {} of {} {} in the directory: the damaged manifest does \
                 not name {}.",
                count(files, "table"),
                bytes(size),
                if files == 1 { "is" } else { "are" },
                if files == 1 { "it" } else { "them" },
            ),
            _ => "There is no table and no blob file: all entries are in the logs.".into(),
        };
    }
    let tables = |id: u32| total(sums.iter().filter(|sum| sum.0.0 == id).map(|sum| sum.1.bytes));
    let families = evidence.state.families.values();
    let sized = families.map(|family| (tables(family.id).saturating_add(blobs(family)), family));
    let Some((size, family)) = sized.max_by_key(|sized| sized.0) else {
        return "No family is there.".to_owned();
    };
    report.figure("Largest family", family.name.as_str(), "");
    report.figure("Size of the largest family", size, "bytes");
    let largest = largest_parts(family.id, sums, report);
    let logical = total(sums.iter().filter(|sum| sum.0.0 == family.id).map(|sum| sum.1.logical));
    report.figure("Its keys and values before compression", logical, "bytes");
    let in_blobs = match blobs(family) {
        0 => String::new(),
        own => format!(", {} of it in blob files", bytes(own)),
    };
    let whole = all.saturating_add(all_blobs);
    let name = crate::text::key(family.name.as_bytes());
    let start = if !evidence.has_families() {
        format!("The database takes {} without its logs", bytes(size))
    } else if evidence.state.families.len() == 1 {
        format!("The only family, {name}, takes {}", bytes(size))
    } else {
        let (size, part) = (bytes(size), percent(size, whole));
        format!("The largest family is {name} with {size} of {} ({part})", bytes(whole))
    };
    let its = if largest.is_empty() {
        String::new()
    } else {
        format!(" Its {}.", largest.join(", its "))
    };
    format!("{start}{in_blobs}.{its}{}{}", evidence.fifo(report), missing(evidence, report))
}

/// The largest level of a family and its largest prefix, in words.
fn largest_parts(family: u32, sums: &Sums, report: &mut Report) -> Vec<String> {
    let mut prefixes: BTreeMap<&str, u64> = BTreeMap::new();
    let mut levels: BTreeMap<u32, u64> = BTreeMap::new();
    for ((_, level, prefix), sum) in sums.iter().filter(|sum| sum.0.0 == family) {
        let size = prefixes.entry(prefix).or_default();
        *size = size.saturating_add(sum.bytes);
        let size = levels.entry(*level).or_default();
        *size = size.saturating_add(sum.bytes);
    }
    let mut largest = Vec::new();
    if let Some((level, most)) = levels.iter().max_by_key(|level| level.1) {
        report.figure("Its largest level", *level, "");
        report.figure("Size of its largest level", *most, "bytes");
        largest.push(format!("largest level is {level} with {}", bytes(*most)));
    }
    let named = prefixes.iter().filter(|prefix| *prefix.0 != SEVERAL);
    if let Some((prefix, most)) = named.max_by_key(|prefix| prefix.1) {
        report.figure("Its largest prefix", *prefix, "");
        report.figure("Size of its largest prefix", *most, "bytes");
        largest.push(format!("largest prefix is \"{prefix}\" with {}", bytes(*most)));
    }
    largest
}

/// The tables and blob files of the sums that are not in the directory.
fn missing(evidence: &Evidence<'_>, report: &mut Report) -> String {
    let gone = evidence.tables().map(|(_, _, table)| table);
    let tables = gone.filter(|table| evidence.is_missing(table)).map(|table| table.bytes);
    let blobs = evidence.state.families.values().flat_map(|family| family.blob_files.values());
    let blobs = blobs.filter(|blob| evidence.is_blob_missing(blob.number));
    let mut words = String::new();
    for (word, sizes) in [
        ("table", tables.collect()),
        ("blob file", blobs.map(|blob| blob.file_bytes).collect::<Vec<_>>()),
    ] {
        let (files, size) = (sizes.len() as u64, total(sizes.into_iter()));
        if files > 0 {
            report.figure(format!("Size of missing {word}s"), size, "bytes");
            let are = if files == 1 { "is" } else { "are" };
            let (files, size) = (count(files, word), bytes(size));
            words = format!("{words} {files} ({size}) of it {are} missing from the directory.");
        }
    }
    words
}

fn picture(evidence: &Evidence<'_>, sums: &Sums, report: &mut Report) {
    let mut picture =
        Picture::new("Bytes by level and prefix", ("level and prefix", ""), ("size", "bytes"));
    for family in evidence.state.families.values() {
        let own = sums.iter().filter(|sum| sum.0.0 == family.id);
        let bars: Vec<_> = own
            .map(|((_, level, prefix), sum)| (format!("L{level} {prefix}"), plain(sum.bytes)))
            .collect();
        if !bars.is_empty() {
            picture.bars(evidence.family_or(&family.name, "tables"), bars);
        }
    }
    report.pictures.push(picture);
}
