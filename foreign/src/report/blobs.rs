//! Report: the garbage in blob files.

use super::{Cell, Evidence, Picture, Question, Report};
use crate::sorting::set;
use crate::text::plain;
use crate::text::{bytes, count, number, percent, share};
use crate::{BlobFile, Engine, Family};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn report(evidence: &Evidence<'_>) -> Report {
    let columns = [
        ("family", ""),
        ("blob file", ""),
        ("size", "bytes"),
        ("values", ""),
        ("value bytes", "bytes"),
        ("garbage values", ""),
        ("garbage", "bytes"),
        ("live", "bytes"),
        ("share of garbage", ""),
        ("tables that need it", ""),
        ("older than the age cutoff", ""),
        ("file is there", ""),
    ];
    let mut report = Report::new(Question::Blobs, &columns);
    let families = evidence.state.families.values();
    let any = families.into_iter().any(|family| !family.blob_files.is_empty());
    if any && evidence.state.engine == Engine::RocksDb {
        report.lacks("Of RocksDB's tables only the oldest blob file that each one needs is known.");
        evidence.note_options(&mut report, "whether garbage is collected is unknown");
    }
    let mut files = Vec::new();
    for family in evidence.state.families.values() {
        let (old, needed) = (old_files(evidence, family), needed(family));
        for (place, blob) in family.blob_files.values().enumerate() {
            let is_old = old.map(|old| place < old);
            let tables = needed.get(&blob.number).copied().unwrap_or(0);
            row(evidence, (family, blob), (tables, is_old), &mut report);
            files.push((family, blob));
        }
    }
    report.answer = sentence(evidence, &files, &mut report);
    let mut picture = Picture::new("Blob files", ("blob file", ""), ("size", "bytes"));
    let is_missing = |blob: &BlobFile| evidence.is_blob_missing(blob.number);
    let bars = |missing: bool, value: fn(&BlobFile) -> u64| {
        let bar = |(_, blob): &(&Family, &BlobFile)| {
            let value = if is_missing(blob) == missing { value(blob) } else { 0 };
            (blob.number.to_string(), plain(value))
        };
        files.iter().map(bar).collect()
    };
    picture.bars("live", bars(false, BlobFile::live_bytes));
    picture.bars("garbage", bars(false, |blob| blob.garbage_bytes));
    if files.iter().any(|(_, blob)| is_missing(blob)) {
        picture.bars("missing", bars(true, |blob| blob.file_bytes));
    }
    if !files.is_empty() {
        report.pictures.push(picture);
    }
    report
}

/// Number of the oldest blob files that a compaction empties: RocksDB's `blob_garbage_collection_age_cutoff`. `None`
/// when it does not collect, or when that is unknown.
fn old_files(evidence: &Evidence<'_>, family: &Family) -> Option<usize> {
    let options = evidence.options_of(&family.name)?;
    let collects = *options.blob_collection.value()?;
    let cutoff =
        options.blob_age_cutoff.value().copied().filter(|cutoff| (0.0..=1.0).contains(cutoff))?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a number of files"
    )]
    let files = (cutoff * plain(family.blob_files.len() as u64)) as usize;
    collects.then_some(files)
}

/// Tables that are known to need each blob file, by its number: of RocksDB those whose oldest blob file it is.
fn needed(family: &Family) -> BTreeMap<u64, u64> {
    let numbers: BTreeMap<u64, u64> =
        family.blob_files.values().map(|blob| (blob.id, blob.number)).collect();
    let mut needed = BTreeMap::new();
    for table in family.levels.values().flatten() {
        let by_id = table.blob_references.iter().filter_map(|reference| numbers.get(&reference.0));
        let own: BTreeSet<u64> = set(table.oldest_blob_file.into_iter().chain(by_id.copied()));
        for number in own {
            *needed.entry(number).or_default() += 1;
        }
    }
    needed
}

fn row(
    evidence: &Evidence<'_>,
    (family, blob): (&Family, &BlobFile),
    (tables, is_old): (u64, Option<bool>),
    report: &mut Report,
) {
    let there = !evidence.is_blob_missing(blob.number);
    let word = |yes: bool| Cell::from(if yes { "yes" } else { "no" });
    report.row(vec![
        family.name.as_str().into(),
        blob.number.into(),
        blob.file_bytes.into(),
        blob.count.into(),
        blob.total_bytes.into(),
        blob.garbage_count.into(),
        blob.garbage_bytes.into(),
        blob.live_bytes().into(),
        share(blob.garbage_bytes, blob.total_bytes).into(),
        // Of RocksDB's tables more may need it than those whose oldest blob file it is.
        (tables > 0 || evidence.state.engine != Engine::RocksDb).then_some(tables).into(),
        is_old.map(word).into(),
        word(there),
    ]);
}

fn sentence(
    evidence: &Evidence<'_>,
    files: &[(&Family, &BlobFile)],
    report: &mut Report,
) -> String {
    if files.is_empty() {
        return "The database uses no blob file: all values are in tables and logs.".to_owned();
    }
    let total: u64 = files.iter().map(|(_, blob)| blob.total_bytes).fold(0, u64::saturating_add);
    let garbage: u64 =
        files.iter().map(|(_, blob)| blob.garbage_bytes).fold(0, u64::saturating_add);
    let alive: u64 = files.iter().map(|(_, blob)| blob.live_bytes()).fold(0, u64::saturating_add);
    report.figure("Blob files", files.len(), "");
    report.figure("Bytes of values", total, "bytes");
    report.figure("Garbage", garbage, "bytes");
    report.figure("Share of garbage", share(garbage, total), "");
    let amplification = (alive > 0).then(|| plain(total) / plain(alive));
    report.figure("Space amplification of blob files, estimated", amplification, "times");
    let start = format!(
        "{} {} {} of values, {}",
        count(files.len() as u64, "blob file"),
        if files.len() == 1 { "holds" } else { "hold" },
        bytes(total),
        match garbage {
            0 => "none of it garbage".to_owned(),
            _ => format!("{} of it garbage ({})", bytes(garbage), percent(garbage, total)),
        },
    );
    let (gone, there): (Vec<_>, Vec<_>) =
        files.iter().partition(|(_, blob)| evidence.is_blob_missing(blob.number));
    let missing = missing(&gone, report);
    let Some((family, most)) = there
        .iter()
        .max_by_key(|(_, blob)| blob.garbage_bytes)
        .filter(|all| all.1.garbage_bytes > 0)
    else {
        return format!("{start}.{missing}");
    };
    report.figure("Blob file with the most garbage", most.number, "");
    format!(
        "{start}. The most is in blob file {}{} ({} of {}){}.{missing}",
        most.number,
        evidence.of_family(&family.name),
        bytes(most.garbage_bytes),
        bytes(most.total_bytes),
        collection(evidence, family, most),
    )
}

/// The blob files that are not in the directory, and the bytes of their live values.
fn missing(gone: &[&(&Family, &BlobFile)], report: &mut Report) -> String {
    if gone.is_empty() {
        return String::new();
    }
    report.figure("Missing blob files", gone.len(), "");
    let lost = bytes(gone.iter().map(|(_, blob)| blob.live_bytes()).fold(0, u64::saturating_add));
    match gone {
        [(_, blob)] => format!(
            " Blob file {} is missing from the directory: its {lost} of live values cannot be read.",
            blob.number
        ),
        more => format!(
            " {} are missing from the directory: their {lost} of live values cannot be read.",
            count(more.len() as u64, "blob file")
        ),
    }
}

/// A sentence: can compactions drop the garbage of this file?
fn collection(evidence: &Evidence<'_>, family: &Family, blob: &BlobFile) -> String {
    if evidence.state.engine != Engine::RocksDb {
        return String::new();
    }
    let Some(options) = evidence.options_of(&family.name) else { return String::new() };
    match (options.blob_collection.value(), old_files(evidence, family)) {
        (Some(false), _) => {
            ", and it stays until the whole file is garbage, because garbage collection of blob \
             files is off"
                .to_owned()
        }
        (_, Some(old)) => {
            let place = family.blob_files.keys().position(|number| *number == blob.number);
            if place.is_some_and(|place| place < old) {
                ", which is old enough for the next compaction to empty it".to_owned()
            } else if old == 0 {
                ", and it stays: the age cutoff lets compactions empty no blob file".to_owned()
            } else {
                format!(
                    ", which is too young to be emptied: compactions empty the oldest {} of {}",
                    number(old as u64),
                    count(family.blob_files.len() as u64, "blob file")
                )
            }
        }
        _ => String::new(),
    }
}
