//! The answer in one sentence: first the manifest, on which everything else depends, then tables, logs, blob files and
//! the rest.

use super::{BlobHit, Losses, Place};
use crate::directory::check::hull;
use crate::directory::losses::sequences_words;
use crate::files::total;
use crate::manifest::CutCause;
use crate::name::FileName;
use crate::problem::{Standing, key_text};
use crate::report::Evidence;
use crate::sorting::set;
use crate::text::{self, bytes, count, key, number, percent};
use crate::{Problem, Severity, TableFile};
use std::collections::BTreeSet;

/// Things of one kind that the sentence names.
const NAMED: usize = 3;

pub(super) fn answer(evidence: &Evidence<'_>, losses: &Losses<'_>) -> String {
    if losses.errors.is_empty() {
        return sound(evidence, losses);
    }
    let mut parts = Vec::new();
    parts.extend(manifest(evidence, losses));
    parts.extend(newer(evidence, losses));
    if !losses.tables.is_empty() {
        parts.push(tables(evidence, losses));
    }
    parts.extend(super::logs::words(evidence, losses));
    parts.extend(blobs(evidence, losses));
    parts.extend(others(evidence, losses));
    format!("{}.", parts.join("; "))
}

/// Without an error: how much was read, and remarks.
fn sound(evidence: &Evidence<'_>, losses: &Losses<'_>) -> String {
    let with = |severity| evidence.problems.iter().filter(move |one| one.severity == severity);
    let unread = with(Severity::NotRead).count() as u64;
    let cut: Vec<String> = with(Severity::Note)
        .filter(|note| note.message.contains("cut off") && note.offset.is_some())
        .map(|note| note.file.clone())
        .collect();
    let mut parts = Vec::new();
    if let [first, ..] = cut.as_slice() {
        let others = if cut.len() > 1 {
            format!(" and of {}", count(cut.len() as u64 - 1, "other file"))
        } else {
            String::new()
        };
        let and = if losses.unnamed.is_empty() {
            String::new()
        } else {
            format!(", and {}", unnamed_words(losses))
        };
        let words =
            format!("the last record of {first}{others} is cut off, as a crash leaves it{and}");
        parts.push(words);
    }
    if unread > 0 {
        let are = if unread == 1 { "is" } else { "are" };
        let unread = count(unread, "part");
        parts.push(format!("{unread} of the database {are} not read by this version"));
    }
    let checked = evidence.checked;
    let how = match checked.tables + checked.blobs {
        all if all > 0 && checked.decoded >= all => " by a deep check",
        all if all > 0 && checked.compared >= all => " by a check of all checksums",
        _ => " in the parts read so far",
    };
    let is_whole = evidence.tables().all(|(_, _, table)| !evidence.is_missing(table));
    let whole = if is_whole && evidence.manifest.is_some() {
        ", and every table of the manifest is there in full length"
    } else {
        ""
    };
    parts.insert(0, format!("No damage was found{how}{whole}"));
    format!("{}.", parts.join("; "))
}

/// `2 tables (8.1 KiB) of the directory are in no level`
fn unnamed_words(losses: &Losses<'_>) -> String {
    let all = losses.unnamed.len() as u64;
    let kind = if losses.unnamed.iter().all(|file| file.is_table) { "table" } else { "file" };
    let there = losses.unnamed.iter().filter_map(|file| file.bytes);
    let names = losses.unnamed.iter().map(|file| file.name.clone());
    let are = if all == 1 { "is" } else { "are" };
    format!(
        "{} ({}: {}) {are} in no level{}{}",
        count(all, kind),
        bytes(total(there)),
        few(names.collect()),
        held_words(losses),
        live_words(losses)
    )
}

/// `; 3 of them (135.7 KiB) are whole and may be live: the damaged record may name them`
fn live_words(losses: &Losses<'_>) -> String {
    let hidden = losses.unnamed.iter().filter(|file| file.is_table && file.left.is_none());
    let is_whole = |name: &str| losses.outside.iter().any(|one| one.is_whole && one.name == name);
    let whole: Vec<u64> =
        hidden.filter(|file| is_whole(&file.name)).filter_map(|file| file.bytes).collect();
    if whole.is_empty() || !losses.hides_snapshot {
        return String::new();
    }
    let (is, it) = if whole.len() == 1 { ("is", "it") } else { ("are", "them") };
    let part = if whole.len() == losses.unnamed.len() {
        "all of them".to_owned()
    } else {
        format!("{} of them", number(whole.len() as u64))
    };
    let size = bytes(total(whole.into_iter()));
    format!("; {part} ({size}) {is} whole and may be live: the damaged record may name {it}")
}

/// `, but nothing of it is lost: the logs hold sequence numbers 310 to 419`, or the sequence numbers that are in no
/// level.
fn held_words(losses: &Losses<'_>) -> String {
    let hull = |all: &mut dyn Iterator<Item = (u64, u64)>| {
        all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).map(sequences_words)
    };
    let sequences = losses.outside.iter().map(|table| table.sequences);
    let all: Option<Vec<(u64, u64)>> = sequences.collect();
    let Some(all) = all.filter(|all| all.len() == losses.unnamed.len()) else {
        return String::new();
    };
    let Some(words) = hull(&mut all.into_iter()) else { return String::new() };
    let held = losses.outside.iter().filter(|table| table.in_logs).count();
    if held == losses.outside.len() {
        let them = if held == 1 { "it" } else { "them" };
        return format!(", but nothing of {them} is lost: the logs hold {words}");
    }
    format!(", with {words}")
}

/// The first names, and how many more there are.
pub(super) fn few(names: Vec<String>) -> String {
    text::few(names, NAMED)
}

pub(super) fn offset_words(problem: &Problem) -> String {
    problem.offset.map_or_else(String::new, |offset| format!(" at offset {}", number(offset)))
}

fn manifest(evidence: &Evidence<'_>, losses: &Losses<'_>) -> Option<String> {
    let manifest = evidence.manifest?;
    let own = losses.errors.iter().find(|problem| problem.file == manifest.name());
    let Some(cut) = manifest.cut().filter(|cut| !cut.is_normal()) else {
        let own = own?;
        return Some(format!(
            "{} contradicts itself{}, so the levels may be wrong",
            own.file,
            offset_words(own)
        ));
    };
    let (name, edits) = (manifest.name(), count(manifest.applied() as u64, "edit"));
    let at = cut.offset.map_or_else(String::new, |offset| format!(" at offset {}", number(offset)));
    let ends = match &cut.cause {
        CutCause::Damaged | CutCause::Torn => {
            format!("{name} is damaged{at}, so the history ends after {edits}")
        }
        CutCause::Group { found, expected } => format!(
            "{name} ends in an atomic group{at} that is not finished ({found} of {expected} edits), so the \
             history ends before it, after {edits}"
        ),
        CutCause::Empty => format!("{name} holds no edit, so no level is known"),
        CutCause::Absent => {
            "no manifest is here, so all tables and logs count, obsolete ones too".to_owned()
        }
        CutCause::StandIn { named } => format!(
            "{named}, which CURRENT names, is missing: {name} was read in its place, and later edits \
             are not shown"
        ),
    };
    let readable = match (&cut.cause, cut.edits) {
        (CutCause::Damaged, 1) => ", though 1 later edit can be read".to_owned(),
        (CutCause::Damaged, more) if more > 0 => {
            format!(", though {} can be read", count(more, "later edit"))
        }
        _ => String::new(),
    };
    if losses.unnamed.is_empty() {
        return Some(format!("{ends}{readable}"));
    }
    Some(format!("{ends}{readable}: {}", unnamed_words(losses)))
}

/// Tables that the manifest does not know, where no damage cuts it off.
fn newer(evidence: &Evidence<'_>, losses: &Losses<'_>) -> Option<String> {
    let manifest = evidence.manifest?;
    if manifest.cut().is_some_and(|cut| !cut.is_normal()) {
        return None;
    }
    let newer = losses.errors.iter().filter(|problem| problem.state == Standing::InNoLevel);
    let newer: BTreeSet<&str> = set(newer.map(|problem| problem.file.as_str()));
    let (is, it) = match newer.len() {
        0 => return None,
        1 => ("is", "it"),
        _ => ("are", "them"),
    };
    Some(format!(
        "{} {is} newer than {}: {} deletes {it} when it opens the directory",
        few(newer.iter().map(|file| (*file).to_owned()).collect()),
        manifest.name(),
        evidence.state.engine.name()
    ))
}

fn tables(evidence: &Evidence<'_>, losses: &Losses<'_>) -> String {
    let hit = &losses.tables;
    let Some((family, level, table)) = hit.first().copied() else { return String::new() };
    let missing = hit.iter().filter(|hit| evidence.is_missing(hit.2)).count();
    let how = match missing {
        0 => "damaged",
        1 if hit.len() == 1 && is_odd(evidence, table) => "not a regular file",
        all if all == hit.len() => "missing",
        _ => "damaged or missing",
    };
    let what = if hit.len() == 1 {
        let of = evidence.of_family(&family.name);
        format!("Table {} in level {level}{of} is {how}", table.number)
    } else {
        let names = hit.iter().map(|(_, _, table)| table.number.to_string()).collect();
        format!("{} are {how} ({})", count(hit.len() as u64, "table"), few(names))
    };
    if let Some(part) = only_a_part(evidence, losses, (family, level, table)) {
        return format!("{what}{part}");
    }
    let lost = total(hit.iter().map(|(_, _, table)| table.bytes));
    let all = total(evidence.tables().map(|(_, _, table)| table.bytes));
    let keys = if hit.iter().all(|other| other.0.id == family.id) {
        let (start, end) = hull(family, hit.iter().map(|(_, _, table)| *table));
        let their = if hit.len() == 1 { "its" } else { "their" };
        format!("{their} keys lie between {} and {}", key(start), key(end))
    } else {
        "they belong to several families".to_owned()
    };
    format!(
        "{what}, so up to {} of {} in tables are lost ({}): {keys}",
        bytes(lost),
        bytes(all),
        percent(lost, all)
    )
}

/// Whether something else than a file has the name of the table.
fn is_odd(evidence: &Evidence<'_>, table: &TableFile) -> bool {
    let name = evidence.file_name(table);
    evidence.files.left_out().iter().any(|entry| entry.name == name)
}

/// If the one damaged table lost single blocks only: their keys.
fn only_a_part(
    evidence: &Evidence<'_>,
    losses: &Losses<'_>,
    (_, _, table): Place<'_>,
) -> Option<String> {
    let whole = crate::problem::bounds(&table.smallest.user_key, &table.largest.user_key);
    let name = evidence.file_name(table);
    let of_table = losses.errors.iter().filter(|problem| problem.file == name);
    let blocks: Vec<&&Problem> = of_table.collect();
    let is_block = |problem: &&&Problem| {
        problem.offset.is_some() && problem.keys.as_ref().is_some_and(|keys| *keys != whole)
    };
    if losses.tables.len() > 1 || !blocks.iter().all(is_block) {
        return None;
    }
    let (first, last) = (blocks.first()?, blocks.last()?);
    let (start, _) = first.keys.as_ref()?;
    let (_, end) = last.keys.as_ref()?;
    // The first block begins at the first key of the table.
    let start = if start.is_empty() { &whole.0 } else { start };
    let places = match blocks.len() {
        1 => format!("{}: 1 block", offset_words(first)),
        all => format!(": {}", count(all as u64, "block")),
    };
    let lie = if blocks.len() == 1 { "its" } else { "their" };
    Some(format!(
        "{places} cannot be read, {lie} keys lie between {} and {}; the rest of its {} can be read",
        key_text(start),
        key_text(end),
        bytes(table.bytes)
    ))
}

fn blobs(evidence: &Evidence<'_>, losses: &Losses<'_>) -> Option<String> {
    let first = losses.blobs.first()?;
    let name = |hit: &BlobHit<'_>| crate::directory::values::blob_name(hit.blob.number);
    let missing =
        losses.blobs.iter().filter(|hit| evidence.files.length(&name(hit)).is_none()).count();
    let names = few(losses.blobs.iter().map(name).collect());
    let how = match missing {
        0 => "damaged",
        all if all == losses.blobs.len() => "missing",
        _ => "damaged or missing",
    };
    if losses.blobs.len() > 1 {
        let live = total(losses.blobs.iter().map(|hit| hit.blob.live_bytes()));
        let tables: BTreeSet<u64> = set(losses
            .blobs
            .iter()
            .flat_map(|hit| hit.tables.iter().map(|(_, table, _)| table.number)));
        let tables = count(tables.len() as u64, "table");
        return Some(format!(
            "{names} are {how}, so up to {} of live values are lost, to which {tables} may refer",
            bytes(live)
        ));
    }
    let live = bytes(first.blob.live_bytes());
    let values = match first.blob.live_count() {
        None => format!("{live} of live values"),
        Some(left) => format!("{} ({live})", count(left, "live value")),
    };
    let file = name(first);
    let own = losses.errors.iter().find(|problem| problem.file == file);
    let at = own.map_or_else(String::new, |problem| offset_words(problem));
    let of = evidence.of_family(&first.family.name);
    let loss = format!("{names}{of} is {how}{at}, so up to {values} are lost");
    if first.tables.is_empty() {
        return Some(loss);
    }
    let (start, end) = hull(first.family, first.tables.iter().map(|(_, table, _)| *table));
    let tables = few(first.tables.iter().map(|(_, table, _)| table.number.to_string()).collect());
    let is_certain = first.tables.iter().all(|(_, _, certain)| *certain);
    let (noun, refer) = match (first.tables.len(), is_certain) {
        (1, true) => ("table", "refers"),
        (1, false) => ("table", "may refer"),
        (_, true) => ("tables", "refer"),
        (_, false) => ("tables", "may refer"),
    };
    Some(format!(
        "{loss}: {noun} {tables} {refer} to it, with keys between {} and {}",
        key(start),
        key(end)
    ))
}

/// Damaged or missing files that no other part of the sentence names.
fn others(evidence: &Evidence<'_>, losses: &Losses<'_>) -> Option<String> {
    let own: BTreeSet<String> =
        set(losses.tables.iter().map(|(_, _, table)| evidence.file_name(table)));
    let unnamed: BTreeSet<&str> = set(losses.unnamed.iter().map(|file| file.name.as_str()));
    let blobs: BTreeSet<String> =
        set(losses.blobs.iter().map(|hit| crate::directory::values::blob_name(hit.blob.number)));
    let is_other = |file: &&&str| {
        let is_named = match FileName::parse(file) {
            FileName::Manifest(_) | FileName::Log { .. } => true,
            // The sentence about the manifest names it.
            FileName::Current => losses.errors.iter().any(|problem| {
                problem.file != **file
                    && matches!(FileName::parse(&problem.file), FileName::Manifest(_))
            }),
            _ => false,
        };
        !is_named && !own.contains(**file) && !unnamed.contains(**file) && !blobs.contains(**file)
    };
    let others: Vec<&str> = losses.files.iter().filter(is_other).copied().collect();
    let [first, ..] = others.as_slice() else { return None };
    let missing = others.iter().filter(|file| evidence.files.length(file).is_none()).count();
    let how = match missing {
        0 => "damaged",
        all if all == others.len() => "missing",
        _ => "damaged or missing",
    };
    let is = if others.len() == 1 { "is" } else { "are" };
    let names_manifest =
        matches!(FileName::parse(first), FileName::Current | FileName::Marker { .. });
    let follows = match evidence.manifest.filter(|_| names_manifest) {
        Some(manifest) => format!(
            ", so {}, the newest manifest, was read: if it is the right one, no data is lost",
            manifest.name()
        ),
        None => String::new(),
    };
    Some(format!(
        "{} {is} {how}{follows}",
        few(others.iter().map(|file| (*file).to_owned()).collect())
    ))
}
