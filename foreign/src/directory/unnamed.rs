//! Tables and blob files that no level has because the history ends too early.

use crate::manifest::{ChangeKind, Cut, CutCause, Manifest};
use crate::name::FileName;
use crate::problem::{Standing, bounds};
use crate::sorting::set;
use crate::text::{bytes, count, family as family_words, few};
use crate::{Engine, Files, Problem, Severity, TableFile};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Files that are reported one by one.
const LISTED_MAX: usize = 1_000;
/// Tables that a sentence names.
const NAMED: usize = 5;

/// A file that belongs, or may belong, to edits that were not applied.
#[derive(Debug, Clone)]
pub(crate) struct Unnamed<'m> {
    /// The file.
    pub(crate) name: String,
    /// Its length; `None` when it is not in the directory.
    pub(crate) bytes: Option<u64>,
    /// Whether it is a table, not a blob file.
    pub(crate) is_table: bool,
    /// The level and the table that a readable edit adds.
    pub(crate) left: Option<&'m (u32, Arc<TableFile>)>,
}

/// The files of `files` that are not in the state because the history of `manifest` is cut: those that a readable
/// edit after the cut adds, and those that no applied edit names although they are newer than the manifest.
pub(crate) fn unnamed<'m>(files: &dyn Files, manifest: &'m Manifest) -> Vec<Unnamed<'m>> {
    let Some(cut) = manifest.cut() else { return Vec::new() };
    // Older files were obsolete when the manifest was begun, or stand in its snapshot.
    let own = match FileName::parse(manifest.name()) {
        FileName::Manifest(own) => own,
        _ => 0,
    };
    let is_hidden = matches!(cut.cause, CutCause::Empty | CutCause::Absent) || cut.hides_snapshot;
    let own = if is_hidden { 0 } else { own };
    let tables = manifest.last().families.values().flat_map(|family| family.levels.values());
    let mut known: BTreeSet<u64> = set(tables.flatten().map(|table| table.backing));
    let steps = 0..manifest.applied();
    let changes = steps
        .flat_map(|edit| manifest.changes(edit))
        .filter(|change| matches!(change.kind, ChangeKind::TableAdded | ChangeKind::BlobAdded));
    known.extend(changes.map(|change| change.number));
    let mut found = Vec::new();
    let mut there = BTreeSet::new();
    let mut added = BTreeMap::new();
    added.extend(cut.added.values().map(|(_, table)| (table.backing, table.number)));
    for file in files.list() {
        let (number, is_table) = match files.kind(&file.name) {
            FileName::Table(number) => (number, true),
            FileName::Blob(number) => (number, false),
            _ => continue,
        };
        there.insert(number);
        let left = added.get(&number).filter(|_| is_table);
        let left = left.and_then(|number| cut.added.get(number));
        // A file that a later edit removes is obsolete.
        let is_obsolete = left.is_none() && (number <= own || cut.removes(number));
        if known.contains(&number) || is_obsolete {
            continue;
        }
        found.push(Unnamed { name: file.name.clone(), bytes: Some(file.bytes), is_table, left });
    }
    for (backing, number) in added {
        let Some(left) = cut.added.get(&number) else { continue };
        if !there.contains(&backing) && !known.contains(&backing) {
            let name = super::tables::file_name(files, manifest.engine(), backing);
            found.push(Unnamed { name, bytes: None, is_table: true, left: Some(left) });
        }
    }
    found
}

/// The name of the family that an edit after the cut adds table `number` to.
pub(super) fn family_name(manifest: &Manifest, cut: &Cut, number: u64) -> String {
    let (id, created) = cut.family_of(number);
    let known = manifest.last().families.values().find(|family| u64::from(family.id) == id);
    let name = known.map(|family| family.name.as_str()).or(created);
    name.map_or_else(|| id.to_string(), str::to_owned)
}

/// A finding for each of them.
pub(super) fn problems(files: &dyn Files, manifest: &Manifest) -> Vec<Problem> {
    let Some(cut) = manifest.cut() else { return Vec::new() };
    let severity = if cut.is_normal() { Severity::Note } else { Severity::Error };
    let all = unnamed(files, manifest);
    let listed = all.iter().take(LISTED_MAX).map(|file| {
        let what = if file.is_table { "table" } else { "blob file" };
        let Some((level, table)) = file.left else {
            let may = match cut.cause {
                CutCause::Torn => "the record that is cut off may have added it",
                CutCause::Empty | CutCause::Absent | CutCause::StandIn { .. } => {
                    "the manifest that named it may be lost"
                }
                _ if cut.hides_snapshot => "it may be live, the damaged record may name it",
                _ => "a record that cannot be read may have added it",
            };
            let size = bytes(file.bytes.unwrap_or(0));
            let message = format!("no level has this {what} of {size}: {may}");
            return Problem::new(severity, &file.name, message).standing(Standing::InNoLevel);
        };
        let family = family_name(manifest, cut, table.number);
        // Only RocksDB has column families.
        let place = match manifest.engine() {
            Engine::RocksDb => format!("level {level} of {}", family_words(&family)),
            _ => format!("level {level}"),
        };
        let size = bytes(table.bytes);
        let message = match file.bytes {
            Some(_) => format!(
                "no level has this {what} of {size}: the edit that adds it to {place} could not be applied"
            ),
            None => format!(
                "the {what} is missing; the edit that adds it to {place} ({size}) could not be applied"
            ),
        };
        let state =
            if file.bytes.is_some() { Standing::InNoLevel } else { Standing::Missing };
        let mut problem = Problem::new(severity, &file.name, message).standing(state);
        problem.family = Some(family);
        problem.level = Some(*level);
        problem.keys =
            Some(bounds(&table.smallest.user_key, &table.largest.user_key));
        problem
    });
    let mut problems: Vec<Problem> = listed.collect();
    if all.len() > LISTED_MAX {
        let more = count((all.len() - LISTED_MAX) as u64, "more file");
        let message = format!("{more} of the directory are in no level and are not listed");
        problems.push(Problem::new(severity, manifest.name(), message));
    }
    problems.extend(still_there(manifest, cut, severity));
    problems
}

/// A finding: the levels have tables which edits after the cut remove.
fn still_there(manifest: &Manifest, cut: &Cut, severity: Severity) -> Option<Problem> {
    let mut all = Vec::new();
    for family in manifest.last().families.values() {
        let gone = family.tables().filter(|(_, table)| cut.removes(table.number));
        all.extend(gone.map(|(level, table)| format!("{} of level {level}", table.number)));
    }
    if all.is_empty() {
        return None;
    }
    let tables = if all.len() == 1 { "table" } else { "tables" };
    let message = format!(
        "the levels still have {tables} {}, which an edit removes that could not be applied",
        few(all, NAMED)
    );
    Some(Problem::new(severity, manifest.name(), message).at(cut.offset))
}
