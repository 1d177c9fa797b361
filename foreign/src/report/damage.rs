//! Which files are damaged or missing, and which data is lost?

use super::{Evidence, Picture, Question, Report};
use crate::sorting::{set, sort_by_key};
use crate::text::{bytes, count, key, listed, number, percent};
use crate::{Severity, TableFile};
use std::collections::BTreeSet;

/// A finding: of the check, or of comparing the state with the list of files.
struct Finding {
    file: String,
    offset: Option<u64>,
    severity: Severity,
    message: String,
    family: Option<String>,
    level: Option<u32>,
    keys: Option<(String, String)>,
}

pub(super) fn report(evidence: &Evidence<'_>) -> Report {
    let columns = [
        ("file", ""),
        ("offset", "bytes"),
        ("severity", ""),
        ("message", ""),
        ("family", ""),
        ("level", ""),
        ("smallest key", ""),
        ("largest key", ""),
    ];
    let mut report = Report::new(Question::Damage, &columns);
    let findings = findings(evidence);
    for finding in &findings {
        let (smallest, largest) = finding.keys.clone().unzip();
        report.row(vec![
            finding.file.as_str().into(),
            finding.offset.into(),
            word(finding.severity).into(),
            finding.message.as_str().into(),
            finding.family.as_deref().into(),
            finding.level.into(),
            smallest.into(),
            largest.into(),
        ]);
    }
    report.lacks(
        "Only findings of checks that ran and the lengths of files are here: other files may be \
         damaged, too.",
    );
    report.answer = sentence(evidence, &findings, &mut report);
    report
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::NotRead => "not read",
        Severity::Note => "note",
    }
}

/// The errors first; a missing file that the check told already is not told again.
fn findings(evidence: &Evidence<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = evidence
        .problems
        .iter()
        .map(|problem| Finding {
            file: problem.file.clone(),
            offset: problem.offset,
            severity: problem.severity,
            message: problem.message.clone(),
            family: problem.family.clone(),
            level: problem.level,
            keys: problem.keys.as_ref().map(|(start, end)| (from_hex(start), from_hex(end))),
        })
        .collect();
    let known: BTreeSet<String> = set(findings.iter().map(|finding| finding.file.clone()));
    for (family, level, table) in evidence.tables() {
        let Some((file, message)) = lost(evidence, table) else { continue };
        if known.contains(&file) {
            continue;
        }
        findings.push(Finding {
            file,
            offset: None,
            severity: Severity::Error,
            message,
            family: Some(family.name.clone()),
            level: Some(level),
            keys: Some((key(&table.smallest.user_key), key(&table.largest.user_key))),
        });
    }
    for family in evidence.state.families.values() {
        for blob in family.blob_files.values() {
            let file = format!("{:06}.blob", blob.number);
            if evidence.files.length(&file).is_none() && !known.contains(&file) {
                findings.push(Finding {
                    message: format!(
                        "the blob file is missing: {} of values are lost",
                        bytes(blob.total_bytes)
                    ),
                    file,
                    offset: None,
                    severity: Severity::Error,
                    family: Some(family.name.clone()),
                    level: None,
                    keys: None,
                });
            }
        }
    }
    sort_by_key(&mut findings, |finding| std::cmp::Reverse(finding.severity));
    findings
}

/// A key that a finding gives as hexadecimal digits, as all other tables write keys.
fn from_hex(digits: &str) -> String {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = digits.as_bytes().chunks(2).map(byte).collect();
    bytes.map_or_else(|| digits.to_owned(), |bytes| key(&bytes))
}

/// The file of a table, when it is missing or has another length than the manifest says.
fn lost(evidence: &Evidence<'_>, table: &TableFile) -> Option<(String, String)> {
    let name = table.file_name();
    let older = format!("{:06}.ldb", table.backing);
    let (name, length) = match (evidence.files.length(&name), evidence.files.length(&older)) {
        (Some(length), _) => (name, length),
        (None, Some(length)) => (older, length),
        (None, None) => {
            // With db_paths it may be in a directory that is not here.
            let follows =
                if table.path > 0 { "; it is in another directory of db_paths" } else { "" };
            let message = format!("the table is missing: {}{follows}", bytes(table.bytes));
            return Some((name, message));
        }
    };
    if table.is_virtual() || length == table.bytes {
        return None;
    }
    let (length, told) = (number(length), number(table.bytes));
    let message = format!("the table has {length} bytes, the manifest says {told}");
    Some((name, message))
}

fn sentence(evidence: &Evidence<'_>, findings: &[Finding], report: &mut Report) -> String {
    let errors: Vec<&Finding> =
        findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
    let unread = findings.iter().filter(|finding| finding.severity == Severity::NotRead).count();
    let files: BTreeSet<&str> = set(errors.iter().map(|finding| finding.file.as_str()));
    let all: u64 = evidence.tables().map(|(_, _, table)| table.bytes).fold(0, u64::saturating_add);
    let hit: Vec<_> = evidence.tables().filter(|(_, _, table)| is_hit(table, &files)).collect();
    let lost: u64 = hit.iter().map(|(_, _, table)| table.bytes).fold(0, u64::saturating_add);
    report.figure("Damaged or missing files", files.len(), "");
    report.figure("Errors", errors.len(), "");
    report.figure("Findings that were not read", unread, "");
    report.figure("Tables concerned", hit.len(), "");
    report.figure("Size of these tables", lost, "bytes");
    report.figure("Size of all tables", all, "bytes");
    if errors.is_empty() {
        let notes = findings.len() - unread;
        let more = match (unread, notes) {
            (0, 0) => String::new(),
            (0, 1) => "; 1 finding is normal".to_owned(),
            (0, notes) => format!("; {notes} findings are normal"),
            (1, _) => "; 1 part of the database is not read by this version".to_owned(),
            (unread, _) => format!("; {unread} parts of the database are not read by this version"),
        };
        return format!(
            "No damage was found in the parts read so far, and every table of the manifest is there in \
             full length{more}."
        );
    }
    picture(&hit, report);
    let mut parts = Vec::new();
    if !hit.is_empty() {
        parts.push(tables_words(evidence, &hit, lost, all));
    }
    if let Some(manifest) = errors.iter().find(|finding| finding.file.starts_with("MANIFEST-")) {
        let at = manifest.offset.map_or_else(String::new, |offset| format!(" at offset {offset}"));
        parts.push(format!(
            "{} is damaged{at}, so what came after that is not shown",
            manifest.file
        ));
    }
    let table_files: BTreeSet<String> = set(hit.iter().flat_map(|(_, _, table)| names(table)));
    let others: Vec<String> = files
        .iter()
        .filter(|file| !file.starts_with("MANIFEST-") && !table_files.contains(**file))
        .map(|file| (*file).to_owned())
        .collect();
    if !others.is_empty() {
        let first: Vec<String> = others.iter().take(3).cloned().collect();
        let missing = others.iter().filter(|file| evidence.files.length(file).is_none()).count();
        let how = match missing {
            0 => "damaged",
            all if all == others.len() => "missing",
            _ => "damaged or missing",
        };
        let is = if others.len() == 1 { "is" } else { "are" };
        let more = others.len() - first.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let values = lost_values(evidence, &files);
        parts.push(format!("{}{more} {is} {how}{values}", listed(&first)));
    }
    format!("{}.", parts.join("; "))
}

/// The values in blob files among `files`.
fn lost_values(evidence: &Evidence<'_>, files: &BTreeSet<&str>) -> String {
    let families = evidence.state.families.values();
    let blobs = families.flat_map(|family| family.blob_files.values());
    let hit = blobs.filter(|blob| files.contains(format!("{:06}.blob", blob.number).as_str()));
    let live = hit
        .map(|blob| blob.total_bytes.saturating_sub(blob.garbage_bytes))
        .fold(0, u64::saturating_add);
    if live == 0 {
        String::new()
    } else {
        format!(", so up to {} of live values are lost", bytes(live))
    }
}

fn names(table: &TableFile) -> [String; 2] {
    [table.file_name(), format!("{:06}.ldb", table.backing)]
}

fn is_hit(table: &TableFile, files: &BTreeSet<&str>) -> bool {
    names(table).iter().any(|name| files.contains(name.as_str()))
}

fn is_missing(evidence: &Evidence<'_>, table: &TableFile) -> bool {
    names(table).iter().all(|name| evidence.files.length(name).is_none())
}

type Hit<'e> = (&'e crate::Family, u32, &'e TableFile);

fn tables_words(evidence: &Evidence<'_>, hit: &[Hit<'_>], lost: u64, all: u64) -> String {
    let Some((family, level, table)) = hit.first() else { return String::new() };
    let missing = hit.iter().filter(|hit| is_missing(evidence, hit.2)).count();
    let how = match missing {
        0 => "damaged",
        all if all == hit.len() => "missing",
        _ => "damaged or missing",
    };
    let what = if hit.len() == 1 {
        let of = evidence.of_family(&family.name);
        format!("Table {} in level {level}{of} is {how}", table.number)
    } else {
        format!("{} are {how}", count(hit.len() as u64, "table"))
    };
    let order = family.comparator;
    let same = hit.iter().all(|other| other.0.id == family.id);
    let mut start = &table.smallest.user_key;
    let mut end = &table.largest.user_key;
    for (_, _, other) in hit {
        if order.compare(&other.smallest.user_key, start).is_lt() {
            start = &other.smallest.user_key;
        }
        if order.compare(&other.largest.user_key, end).is_gt() {
            end = &other.largest.user_key;
        }
    }
    let keys = if same {
        format!("its keys lie between {} and {}", key(start), key(end))
    } else {
        "they belong to several families".to_owned()
    };
    let keys = if hit.len() > 1 { keys.replace("its keys", "their keys") } else { keys };
    format!(
        "{what}, so up to {} of {} in tables are lost ({}): {keys}",
        bytes(lost),
        bytes(all),
        percent(lost, all)
    )
}

fn picture(hit: &[Hit<'_>], report: &mut Report) {
    let mut picture = Picture::new("Damaged or missing tables", ("table", ""), ("size", "bytes"));
    let bar = |(_, level, table): &Hit<'_>| {
        (format!("{} L{level}", table.number), super::picture::plain(table.bytes))
    };
    picture.bars("size", hit.iter().map(bar).collect());
    if !hit.is_empty() {
        report.pictures.push(picture);
    }
}
