//! The levels of a family at a step, for a picture.

use super::answer::{BlobLine, LevelLine, Levels, LogLine, TableLine};
use super::shown::shown;
use crate::directory::Directory;
use crate::directory::axis::Axis;
use crate::directory::values::blob_name;
use crate::files::total;
use crate::frame::End;
use crate::manifest::{ChangeKind, StepKind, sublevels};
use crate::options::{CompactionStyle, level_bytes};
use crate::report::Shares;
use crate::sorting::set;
use crate::{Engine, Family, Result, State, TableFile, TableReader};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Keys on the axis.
const TICKS: usize = 5;
/// States that the axis is made from, spread over the history.
const AXIS_STATES: usize = 12;

/// Marks of tables.
struct Marks {
    /// Numbers of those that the step added.
    new: BTreeSet<u64>,
    /// Files in which damage was found.
    damaged: Rc<BTreeSet<String>>,
    shares: Shares,
}

impl Directory<'_> {
    /// The levels of family `id` after `step`, the last one when it is `None`.
    ///
    /// # Errors
    /// There is no such family or step.
    pub fn levels(&self, id: u32, step: Option<usize>) -> Result<Levels> {
        let last = self.manifest().steps().len().saturating_sub(1);
        let step = step.unwrap_or(last);
        let is_last = step == last;
        let state = if is_last {
            Arc::clone(self.manifest().last())
        } else {
            self.manifest().state_at(self.files(), step)?
        };
        let axis = self.axis(id)?;
        let Some(family) = state.families.get(&id) else {
            let name = self.state().families.get(&id).map(|family| family.name.clone());
            return Ok(Levels {
                step,
                family: id,
                name: name.unwrap_or_default(),
                levels: Vec::new(),
                logs: Vec::new(),
                blob_files: Vec::new(),
                axis: Vec::new(),
                by_rank: !axis.is_ordered(),
                style: None,
            });
        };
        let marks = Marks {
            new: self.new_tables(step),
            damaged: self.damaged_files(),
            shares: Shares::of(&state),
        };
        let options = self.family_options(family);
        let sizes = level_bytes(family, 7);
        let targets = options.as_ref().and_then(|options| options.targets(state.engine, &sizes));
        let depth = family.levels.keys().next_back().copied().unwrap_or(0);
        let style = options.as_ref().and_then(|options| options.compaction_style.value().copied());
        let style = style.map(style_word);
        let line = |level: u32| {
            let target_bytes = targets.as_ref().and_then(|targets| targets.of(level));
            let tables = family.levels.get(&level).into_iter().flatten();
            LevelLine {
                level,
                bytes: total(tables.map(|table| table.bytes)),
                target_bytes,
                no_target: target_bytes.is_none().then(|| no_target(level, style)),
                tables: self.table_lines(family, level, &axis, &marks, &state),
            }
        };
        Ok(Levels {
            step,
            family: id,
            name: family.name.clone(),
            levels: (0..=depth).map(line).collect(),
            logs: if is_last { self.log_lines(family, &marks.damaged)? } else { Vec::new() },
            blob_files: family
                .blob_files
                .values()
                .map(|blob| self.blob_line(blob, &marks.damaged))
                .collect(),
            axis: axis.ticks(TICKS).into_iter().map(|(at, key)| (at, shown(key))).collect(),
            by_rank: !axis.is_ordered(),
            style: style.map(str::to_owned),
        })
    }

    /// The axis of a family, over states from the whole history.
    fn axis(&self, id: u32) -> Result<Rc<Axis>> {
        // It takes several states of the history, and a slider asks for it at every step.
        let made = self.axes.borrow().get(&id).map(Rc::clone);
        if let Some(axis) = made {
            return Ok(axis);
        }
        if !self.axes.borrow().is_empty() {
            // No state that counts for the axes has the family.
            return Ok(Rc::default());
        }
        let count = self.manifest().steps().len();
        let mut states: Vec<Arc<State>> = Vec::new();
        let mut known: Option<(usize, Arc<State>)> = None;
        for part in 0..AXIS_STATES {
            let step = part * count / AXIS_STATES;
            if step + 1 < count {
                // States that follow each other share their tables, and with them the keys.
                let near = known.as_ref().map(|(step, state)| (*step, state));
                let state = self.manifest().state_near(self.files(), step, near)?;
                known = Some((step, Arc::clone(&state)));
                states.push(state);
            }
        }
        states.push(Arc::clone(self.manifest().last()));
        // All families at once: one after the other would ask for the states as often as there are families.
        let ids = set(states.iter().flat_map(|state| state.families.keys().copied()));
        let axis = |id| Rc::new(Axis::new(states.iter().map(AsRef::as_ref), id));
        let mut axes = self.axes.borrow_mut();
        axes.extend(ids.into_iter().map(|id| (id, axis(id))));
        Ok(axes.get(&id).map(Rc::clone).unwrap_or_default())
    }

    /// Numbers of the tables that `step` added.
    fn new_tables(&self, step: usize) -> BTreeSet<u64> {
        let manifest = self.manifest();
        let Some(step) = manifest.steps().get(step).filter(|_| step > 0) else {
            return BTreeSet::new();
        };
        // There may be any number of edits in such a step, and every family asks.
        if step.kind == StepKind::Bookkeeping {
            return BTreeSet::new();
        }
        let changes = (step.first..step.end).flat_map(|edit| manifest.changes(edit as usize));
        let added = changes.filter(|change| change.kind == ChangeKind::TableAdded);
        set(added.map(|change| change.number))
    }

    fn table_lines(
        &self,
        family: &Family,
        level: u32,
        axis: &Axis,
        marks: &Marks,
        state: &State,
    ) -> Vec<TableLine> {
        let empty = Vec::new();
        let tables = family.levels.get(&level).unwrap_or(&empty);
        let mut of_sublevel = vec![None; tables.len()];
        if level == 0 && state.engine == Engine::Pebble && family.comparator.is_known() {
            for (sublevel, places) in sublevels(tables, family.comparator).iter().enumerate() {
                for place in places {
                    if let Some(slot) = of_sublevel.get_mut(*place) {
                        *slot = Some(sublevel);
                    }
                }
            }
        }
        let runs = || family.runs(level);
        if level > 0 && runs().nth(1).is_some() {
            let (count, runs) = (runs().count(), runs().enumerate());
            let lanes = runs.flat_map(|(place, run)| run.iter().map(move |_| count - 1 - place));
            of_sublevel = lanes.map(Some).collect();
        }
        let lines = tables.iter().zip(of_sublevel).enumerate();
        lines
            .map(|(rank, (table, sublevel))| {
                let (from, to) = axis.places(table, rank, tables.len());
                TableLine { from, to, sublevel, ..self.table_line(family, table, marks) }
            })
            .collect()
    }

    /// A table without its place. Properties are read only of tables that are there and still count.
    fn table_line(&self, family: &Family, table: &TableFile, marks: &Marks) -> TableLine {
        let file = crate::directory::tables::file_name(self.files(), self.engine(), table.backing);
        let is_missing = self.files().length(&file).is_none();
        // A failure to open it would be kept for every table that is missing.
        let there = (!is_missing).then(|| self.tables().reader(family.id, table.number).ok());
        let reader = there.flatten();
        let summary = reader.map(TableReader::summary);
        let (order, share) = (family.comparator, marks.shares.share(table));
        TableLine {
            number: table.number,
            is_damaged: !is_missing && marks.damaged.contains(&file),
            file,
            is_virtual: table.is_virtual(),
            is_missing,
            bytes: table.bytes,
            from: 0.0,
            to: 0.0,
            smallest: shown(order.parts(&table.smallest.user_key).0),
            largest: shown(order.parts(&table.largest.user_key).0),
            smallest_sequence: table.smallest_sequence,
            largest_sequence: table.largest_sequence,
            entries: summary.and_then(|summary| summary.entries).map(|all| share.of(all)),
            deletions: summary.and_then(|summary| summary.deletions).map(|all| share.of(all)),
            created_seconds: table.created_seconds,
            epoch: table.epoch,
            oldest_blob_file: table.oldest_blob_file,
            sublevel: None,
            is_new: marks.new.contains(&table.number),
        }
    }

    fn blob_line(&self, blob: &crate::BlobFile, damaged: &BTreeSet<String>) -> BlobLine {
        let file = blob_name(blob.number);
        let is_missing = self.files().length(&file).is_none();
        BlobLine {
            number: blob.number,
            is_missing,
            is_damaged: !is_missing && damaged.contains(&file),
            file,
            bytes: blob.file_bytes,
            count: blob.count,
            total_bytes: blob.total_bytes,
            garbage_count: blob.garbage_count,
            garbage_bytes: blob.garbage_bytes,
        }
    }

    fn log_lines(&self, family: &Family, damaged: &BTreeSet<String>) -> Result<Vec<LogLine>> {
        let logs = self.logs()?;
        let counted = logs.files.iter().filter(|file| file.counts);
        let line = |file: &crate::directory::LogFile| {
            let (entries, deletes) = file.families.get(&family.id).copied().unwrap_or_default();
            LogLine {
                file: file.name.clone(),
                bytes: file.bytes,
                entries,
                deletes,
                end: end_word(file.end.as_ref()).to_owned(),
                is_damaged: damaged.contains(&file.name),
            }
        };
        Ok(counted.map(line).collect())
    }
}

fn end_word(end: Option<&End>) -> &'static str {
    match end {
        None => "not read",
        Some(End::Clean) => "ends after a whole record",
        Some(End::Torn { .. }) => "ends in a record that was cut off",
        Some(End::Recycled { .. }) => "ends here; the rest is left from an earlier use of the file",
        Some(End::Damaged(_)) => "is damaged",
    }
}

/// Reason that a level has no size at which its compaction begins.
fn no_target(level: u32, style: Option<&str>) -> String {
    match style {
        _ if level == 0 => "no target: level 0 is compacted by the number of its tables".to_owned(),
        None => "target not known: no file holds the options".to_owned(),
        Some("leveled") => {
            "no target: it lies above the base level, where the targets begin".to_owned()
        }
        Some(style) => format!("no target: {style} compaction gives levels none"),
    }
}

/// The compaction style in words.
pub(super) fn style_word(style: CompactionStyle) -> &'static str {
    match style {
        CompactionStyle::Level => "leveled",
        CompactionStyle::Universal => "universal",
        CompactionStyle::Fifo => "FIFO",
        CompactionStyle::None => "none",
    }
}
