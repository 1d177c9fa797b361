//! The history step by step, with the sizes of levels after each.

use super::Evidence;
use crate::Result;
use crate::events::{Job, Place};
use crate::manifest::{Edit, LEVELS_MAX, Manifest, StepKind};
use crate::sorting::sort_by_key;
use std::collections::{BTreeMap, BTreeSet};

/// One table that a step added or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TableChange {
    /// Number of the family.
    pub(super) family: u32,
    /// The level.
    pub(super) level: u32,
    /// Number of the table.
    pub(super) number: u64,
    /// Its length.
    pub(super) bytes: u64,
    /// Whether it was added; else removed.
    pub(super) added: bool,
    /// Whether it is a slice of another file.
    pub(super) is_slice: bool,
}

/// A step of the history.
pub(super) struct Moment<'w> {
    /// Its index.
    pub(super) step: usize,
    /// Its kind.
    pub(super) kind: StepKind,
    /// Edits in it.
    pub(super) edits: u64,
    /// The families that it creates or drops, and those whose tables change.
    pub(super) families: &'w BTreeSet<u32>,
    /// Tables that came and went, those of one family side by side.
    pub(super) changes: &'w [TableChange],
    /// Its time, in microseconds since 1970: from the LOG, or the second in which its tables were created.
    pub(super) micros: Option<u64>,
    /// All families after it.
    pub(super) shape: &'w Shape,
}

impl<'w> Moment<'w> {
    /// The families that changed, with their changes: a step of one family must not visit all of them.
    pub(super) fn by_family(&self) -> impl Iterator<Item = (u32, &'w [TableChange])> + use<'w> {
        let groups = self.changes.chunk_by(|a, b| a.family == b.family);
        groups.filter_map(|group| Some((group.first()?.family, group)))
    }
}

/// Sizes of all levels.
#[derive(Debug, Default)]
pub(super) struct Shape {
    families: BTreeMap<u32, FamilyShape>,
    /// Tables and bytes of all of them: a sum over very many families at each step would take long.
    sum: (u64, u128),
}

/// Sizes of the levels of a family.
#[derive(Debug, Default)]
pub(super) struct FamilyShape {
    /// Its name.
    pub(super) name: String,
    tables: BTreeMap<(u32, u64), u64>,
    levels: Vec<(u64, u64)>,
}

impl Shape {
    /// The family with this number.
    pub(super) fn family(&self, id: u32) -> Option<&FamilyShape> {
        self.families.get(&id)
    }

    /// Tables and bytes of all levels of all families.
    pub(super) fn total(&self) -> (u64, u64) {
        (self.sum.0, u64::try_from(self.sum.1).unwrap_or(u64::MAX))
    }

    fn apply(&mut self, edit: &Edit, changes: &mut Vec<TableChange>) {
        let id = edit.family;
        let family = self.families.entry(id).or_insert_with(|| FamilyShape {
            name: if id == 0 { "default".to_owned() } else { format!("#{id}") },
            ..FamilyShape::default()
        });
        let before = family.sum();
        if let Some(name) = &edit.family_added {
            family.name.clone_from(name);
        }
        let change = |level, number, bytes, added| TableChange {
            family: id,
            level,
            number,
            bytes,
            added,
            is_slice: false,
        };
        for (level, number) in &edit.removed {
            let bytes = family.remove(*level, *number);
            changes.push(change(*level, *number, bytes, false));
        }
        for (level, table) in &edit.added {
            family.add(*level, table.number, table.bytes);
            let change = change(*level, table.number, table.bytes, true);
            changes.push(TableChange { is_slice: table.is_virtual(), ..change });
        }
        let mut after = family.sum();
        if edit.family_dropped {
            after = (0, 0);
            let gone = std::mem::take(&mut family.tables);
            let gone = gone.iter().map(|((level, number), bytes)| (*level, *number, *bytes));
            changes.extend(gone.map(|(level, number, bytes)| change(level, number, bytes, false)));
            self.families.remove(&id);
        }
        self.sum.0 = (self.sum.0 + after.0).saturating_sub(before.0);
        self.sum.1 = (self.sum.1 + after.1).saturating_sub(before.1);
    }
}

impl FamilyShape {
    /// Tables in `level`.
    pub(super) fn files(&self, level: u32) -> u64 {
        self.levels.get(level as usize).map_or(0, |level| level.0)
    }

    /// Bytes in each level.
    pub(super) fn sizes(&self) -> Vec<u64> {
        self.levels.iter().map(|level| level.1).collect()
    }

    fn sum(&self) -> (u64, u128) {
        let levels = self.levels.iter();
        levels.fold((0, 0), |sum, level| (sum.0 + level.0, sum.1 + u128::from(level.1)))
    }

    fn slot(&mut self, level: u32) -> Option<&mut (u64, u64)> {
        let place = level as usize;
        if level < LEVELS_MAX && place >= self.levels.len() {
            self.levels.resize(place + 1, (0, 0));
        }
        self.levels.get_mut(place)
    }

    fn add(&mut self, level: u32, number: u64, bytes: u64) {
        if self.tables.insert((level, number), bytes).is_none()
            && let Some(slot) = self.slot(level)
        {
            *slot = (slot.0 + 1, slot.1.saturating_add(bytes));
        }
    }

    fn remove(&mut self, level: u32, number: u64) -> u64 {
        let Some(bytes) = self.tables.remove(&(level, number)) else { return 0 };
        if let Some(slot) = self.slot(level) {
            *slot = (slot.0.saturating_sub(1), slot.1.saturating_sub(bytes));
        }
        bytes
    }
}

/// Whether the snapshot at the beginning of the manifest already holds tables.
pub(super) fn starts_with_tables(manifest: &Manifest) -> bool {
    let Some(first) = manifest.steps().first().filter(|step| step.kind == StepKind::Snapshot)
    else {
        return false;
    };
    (first.first..first.end).any(|edit| !manifest.changes(edit as usize).is_empty())
}

/// Calls `visit` for every step of the manifest, in order. Reads the manifest once.
///
/// # Errors
/// Those of the host; `Damaged` when the manifest has changed since it was opened.
pub(super) fn walk(evidence: &Evidence<'_>, visit: &mut dyn FnMut(&Moment<'_>)) -> Result<()> {
    let Some(manifest) = evidence.manifest else { return Ok(()) };
    let (mut shape, mut at, mut seconds) = (Shape::default(), 0, None);
    let (mut changes, mut families) = (Vec::new(), BTreeSet::new());
    let end = manifest.steps().last().map_or(0, |step| step.end);
    manifest.read_edits(evidence.files, 0..end, |index, edit| {
        let Some(step) = manifest.steps().get(at).filter(|step| step.first <= index) else {
            return;
        };
        if edit.family_added.is_some() || edit.family_dropped {
            families.insert(edit.family);
        }
        let added = edit.added.iter();
        seconds = seconds.max(added.filter_map(|(_, table)| step.kind.created(table)).max());
        shape.apply(&edit, &mut changes);
        if index + 1 < step.end {
            return;
        }
        let seconds = seconds.take().map(|seconds: u64| seconds.saturating_mul(1_000_000));
        let micros = time(evidence, step.kind, &changes).or(seconds);
        families.extend(changes.iter().map(|change| change.family));
        if changes.windows(2).any(|pair| matches!(pair, [a, b] if a.family > b.family)) {
            sort_by_key(&mut changes, |change| change.family);
        }
        visit(&Moment {
            step: at,
            kind: step.kind,
            edits: u64::from(step.end.saturating_sub(step.first)),
            families: &families,
            changes: &changes,
            micros,
            shape: &shape,
        });
        at += 1;
        changes.clear();
        families.clear();
    })
}

/// The tables that changes added, and those that they removed.
fn places(changes: &[TableChange]) -> (Vec<Place>, Vec<Place>) {
    let (added, removed): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.added);
    let place = |change: &TableChange| Place { level: change.level, number: change.number };
    (added.into_iter().map(place).collect(), removed.into_iter().map(place).collect())
}

/// The job that these changes of a step come from.
pub(super) fn job<'e>(
    evidence: &Evidence<'e>,
    kind: StepKind,
    changes: &[TableChange],
) -> Option<&'e Job> {
    let (added, removed) = places(changes);
    evidence.events?.job_of_step(kind, &added, &removed)
}

fn time(evidence: &Evidence<'_>, kind: StepKind, changes: &[TableChange]) -> Option<u64> {
    let (added, removed) = places(changes);
    evidence.events?.time_of_step(kind, &added, &removed)
}
