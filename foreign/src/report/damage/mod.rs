//! Report: damaged and missing files, and the lost data.

mod logs;
mod next;
mod opening;
mod sentence;

use super::{Evidence, Picture, Question, Report};
use crate::directory::Checked;
use crate::directory::check::referring;
use crate::directory::outside::{Outside, outside};
use crate::directory::unnamed::{Unnamed, unnamed};
use crate::directory::values::blob_name;
use crate::files::total;
use crate::problem::key_text;
use crate::sorting::set;
use crate::{BlobFile, Family, Problem, Severity, TableFile};
use std::collections::BTreeSet;

/// A table, with its family and level.
type Place<'e> = (&'e Family, u32, &'e TableFile);

/// A damaged or missing blob file, and the tables that refer to it.
struct BlobHit<'e> {
    family: &'e Family,
    blob: &'e BlobFile,
    tables: Vec<(u32, &'e TableFile, bool)>,
}

/// The damaged and missing files, and the data that they concern.
struct Losses<'e> {
    errors: Vec<&'e Problem>,
    files: BTreeSet<&'e str>,
    tables: Vec<Place<'e>>,
    blobs: Vec<BlobHit<'e>>,
    unnamed: Vec<Unnamed<'e>>,
    /// Whether damage in the manifest may hide live tables of its snapshot.
    hides_snapshot: bool,
    /// Content of these tables.
    outside: Vec<Outside>,
}

pub(super) fn report(evidence: &Evidence<'_>) -> Report {
    let columns = [
        ("file", ""),
        ("offset", "bytes"),
        ("state", ""),
        ("message", ""),
        ("family", ""),
        ("level", ""),
        ("smallest key", ""),
        ("largest key", ""),
    ];
    let mut report = Report::new(Question::Damage, &columns);
    for finding in evidence.problems {
        let keys = finding.keys.as_ref();
        let (smallest, largest) = keys.map(|(start, end)| (key_text(start), key_text(end))).unzip();
        report.row(vec![
            finding.file.as_str().into(),
            finding.offset.into(),
            finding.state.word().into(),
            finding.message.as_str().into(),
            finding.family.as_deref().into(),
            finding.level.into(),
            smallest.into(),
            largest.into(),
        ]);
    }
    let losses = Losses::of(evidence);
    losses.figures(evidence, &mut report);
    evidence.note_cut(&mut report);
    let opening = opening::Opening::of(evidence, &losses);
    if let Some(words) = opening.words(evidence) {
        report.lacks(words);
    }
    for words in checked_words(evidence.checked, !losses.tables.is_empty()) {
        report.lacks(words);
    }
    picture(&losses.tables, &mut report);
    if let Some(words) = next::words(evidence, &losses, &opening) {
        report.lacks(words);
    }
    report.answer = sentence::answer(evidence, &losses);
    report
}

/// Extent and depth of the checks.
fn checked_words(checked: Checked, is_damaged: bool) -> Vec<String> {
    let Checked { tables, blobs, compared, decoded, .. } = checked;
    let all = tables + blobs;
    let what = checked.files_words();
    if all == 0 {
        return vec!["There is no table or blob file to check.".to_owned()];
    }
    let part = |done: usize| checked.part_words(done);
    let left_out = checked.left_out();
    if compared == 0 && left_out.is_empty() {
        return vec![format!(
            "No check ran: the blocks of {what} were not checked and may be damaged. Only the \
             manifest, the logs, the lengths of files and the parts read so far are known."
        )];
    }
    let mut words = vec![match compared {
        _ if !checked.is_over() => {
            format!("A check compared the checksums of {}, then it was stopped.", part(compared))
        }
        some if some < all => format!("A check compared the checksums of {}.", part(some)),
        _ => format!("A check compared the checksums of all blocks of {what}."),
    }];
    words.push(match decoded {
        _ if !checked.is_deep => "A deep check, which decodes every entry, did not run.".to_owned(),
        some if some < all => format!("A deep check decoded the entries of {}.", part(some)),
        _ if is_damaged => "A deep check decoded every entry beside the damage.".to_owned(),
        _ => "A deep check decoded every entry of them.".to_owned(),
    });
    words.extend(left_out.iter().map(|clause| sentence_of(clause)));
    words
}

/// A clause as a sentence.
fn sentence_of(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

impl<'e> Losses<'e> {
    fn of(evidence: &Evidence<'e>) -> Self {
        let all = evidence.problems.iter();
        let errors: Vec<&Problem> =
            all.filter(|problem| problem.severity == Severity::Error).collect();
        let files = errors.iter().filter(|problem| problem.is_damage());
        let files: BTreeSet<&str> = set(files.map(|problem| problem.file.as_str()));
        let is_hit = |table: &TableFile| files.contains(&*evidence.file_name(table));
        let tables = evidence.tables().filter(|(_, _, table)| is_hit(table)).collect();
        let mut blobs = Vec::new();
        for family in evidence.state.families.values() {
            for blob in family.blob_files.values() {
                if files.contains(blob_name(blob.number).as_str()) {
                    let tables = referring(evidence.state.engine, family, blob);
                    blobs.push(BlobHit { family, blob, tables });
                }
            }
        }
        let unnamed =
            evidence.manifest.map(|manifest| unnamed(evidence.files, manifest)).unwrap_or_default();
        let outside = evidence
            .manifest
            .filter(|_| !unnamed.is_empty())
            .map(|manifest| outside(evidence.files, manifest, evidence.logs))
            .unwrap_or_default();
        let cut = evidence.manifest.and_then(|manifest| manifest.cut());
        let hides_snapshot = cut.is_some_and(|cut| cut.hides_snapshot);
        Self { errors, files, tables, blobs, unnamed, hides_snapshot, outside }
    }

    fn figures(&self, evidence: &Evidence<'_>, report: &mut Report) {
        let unread = evidence.problems.iter().filter(|one| one.severity == Severity::NotRead);
        let referring = self.blobs.iter().flat_map(|hit| &hit.tables);
        let referring: BTreeSet<u64> = set(referring.map(|(_, table, _)| table.number));
        let mut concerned = referring.clone();
        concerned.extend(self.tables.iter().map(|(_, _, table)| table.number));
        let all = total(evidence.tables().map(|(_, _, table)| table.bytes));
        report.figure("Damaged or missing files", self.files.len(), "");
        report.figure("Errors", self.errors.len(), "");
        report.figure("Findings left out", unread.count(), "");
        report.figure("Tables concerned", concerned.len(), "");
        report.figure("Damaged or missing tables", self.tables.len(), "");
        let lost = total(self.tables.iter().map(|(_, _, table)| table.bytes));
        report.figure("Size of these tables", lost, "bytes");
        report.figure("Size of all tables", all, "bytes");
        if !self.blobs.is_empty() {
            report.figure("Damaged or missing blob files", self.blobs.len(), "");
            report.figure("Tables that refer to these blob files", referring.len(), "");
        }
        let logs = evidence.logs.into_iter().flat_map(|logs| &logs.files);
        let left = logs.flat_map(|file| &file.left_out.families);
        let left = total(left.map(|(_, entries)| entries.entries));
        if left > 0 {
            report.figure("Entries of logs that recovery leaves out", left, "");
        }
        if !self.unnamed.is_empty() {
            let size = total(self.unnamed.iter().filter_map(|file| file.bytes));
            report.figure("Files in no level, because the history ends", self.unnamed.len(), "");
            report.figure("Size of these files", size, "bytes");
        }
        let Checked { tables, blobs, compared, decoded, .. } = evidence.checked;
        report.figure("Tables and blob files", tables + blobs, "");
        report.figure("Of these, checksums compared", compared, "");
        report.figure("Of these, entries decoded", decoded, "");
    }
}

fn picture(hit: &[Place<'_>], report: &mut Report) {
    let mut picture = Picture::new("Damaged or missing tables", ("table", ""), ("size", "bytes"));
    let bar = |(_, level, table): &Place<'_>| {
        (format!("{} L{level}", table.number), crate::text::plain(table.bytes))
    };
    picture.bars("size", hit.iter().map(bar).collect());
    if !hit.is_empty() {
        report.pictures.push(picture);
    }
}
