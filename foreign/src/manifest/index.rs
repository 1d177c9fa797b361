//! The index of a manifest: edits, steps, changes, and checkpoints of states.

use super::decode::decode;
use super::{Cut, Edit, StepKind, apply::Builder};
use crate::frame::{LogKind, Record, Records};
use crate::{Engine, Error, ErrorKind, Files, Problem, Result, State};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// One record of a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditEntry {
    /// Offset of its first frame.
    pub offset: u64,
    /// Bytes of the edit, without headers of frames.
    pub bytes: u32,
    /// The family that it is about.
    pub family: u32,
    /// Kind of the step.
    pub kind: StepKind,
    /// Place of its first change in the list of changes.
    pub(super) changes: u32,
}

/// A change of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// Number of the file.
    pub number: u64,
    /// The level; 0 for blob files.
    pub level: u32,
    /// Kind of the change.
    pub kind: ChangeKind,
}

/// Kind of a change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// A table was added to the level.
    TableAdded,
    /// A table was removed from the level.
    TableRemoved,
    /// A blob file was added.
    BlobAdded,
    /// A blob file was removed (Pebble; RocksDB does not write it).
    BlobRemoved,
}

/// Unit of the slider: one edit, an atomic group, the snapshot, or a row of edits that change no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Index of its first edit.
    pub first: u32,
    /// Index after its last edit.
    pub end: u32,
    /// Kind of the step.
    pub kind: StepKind,
}

/// A state, and how many edits led to it.
#[derive(Debug, Clone)]
pub(super) struct Checkpoint {
    pub(super) edits: u32,
    pub(super) state: Arc<State>,
}

/// A manifest that was read once from its beginning to its end. It keeps offsets, not contents.
#[derive(Debug, Clone)]
pub struct Manifest {
    pub(super) name: String,
    pub(super) engine: Engine,
    pub(super) edits: Vec<EditEntry>,
    pub(super) changes: Vec<Change>,
    pub(super) steps: Vec<Step>,
    pub(super) checkpoints: Vec<Checkpoint>,
    pub(super) last: Arc<State>,
    pub(super) problems: Vec<Problem>,
    pub(super) cut: Option<Cut>,
    pub(super) names: BTreeMap<u32, String>,
}

impl Manifest {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The engine that wrote it.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Its records up to the first damage. Those of an unfinished group are here, but in no step.
    pub fn edits(&self) -> &[EditEntry] {
        &self.edits
    }

    /// Its steps. Step 0 is the snapshot that it begins with; history before that was not kept.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The state after the last step.
    pub fn last(&self) -> &Arc<State> {
        &self.last
    }

    /// Damage and contradictions of it.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Files that the edit with this index added and removed, in the order of the edit, removals first.
    pub fn changes(&self, edit: usize) -> &[Change] {
        self.changes.get(self.change_range(edit)).unwrap_or_default()
    }

    fn change_range(&self, edit: usize) -> Range<usize> {
        let start = |edit: usize| self.edits.get(edit).map(|entry| entry.changes as usize);
        let end = start(edit + 1).unwrap_or(self.changes.len());
        start(edit).unwrap_or(end)..end
    }

    /// The name that family `id` had when it was created; it stays known after the family was dropped.
    pub fn family_name(&self, id: u32) -> Option<&str> {
        let name = self.names.get(&id).map(String::as_str);
        name.or_else(|| (id == 0).then_some("default"))
    }

    /// Whether it ever had a family beside `default`.
    pub fn has_had_families(&self) -> bool {
        self.names.keys().any(|id| *id != 0)
    }

    /// The step that the edit with this index is in.
    pub fn step_of(&self, edit: usize) -> Option<usize> {
        let place = self.steps.partition_point(|step| (step.end as usize) <= edit);
        self.steps.get(place).map(|_| place)
    }

    /// The edit with this index and its record, read again.
    ///
    /// # Errors
    /// `Invalid` when there is no such edit; those of the host; `Damaged` when the file has changed since.
    pub fn edit(&self, files: &dyn Files, index: usize) -> Result<(Record, Edit)> {
        let entry = self.edits.get(index).ok_or_else(|| {
            let message =
                format!("there is no edit {index}: the manifest has {}", self.edits.len());
            Error::new(ErrorKind::Invalid, message).in_file(&self.name)
        })?;
        let kind = LogKind::Manifest(self.engine);
        let mut records = Records::open_at(files, &self.name, kind, entry.offset)?;
        self.read_edit(&mut records)
    }

    fn read_edit(&self, records: &mut Records<'_>) -> Result<(Record, Edit)> {
        let at = records.position();
        let record = records
            .read()?
            .ok_or_else(|| Error::damaged(at, "the edit is gone").in_file(&self.name))?;
        let edit = decode(self.engine, &record.data, None)
            .map_err(|error| record.located(&error).in_file(&self.name))?;
        Ok((record, edit))
    }

    /// The edits of `range` in order, read in one go: [`Manifest::edit`] for each of them would read the same ranges of
    /// the file again and again.
    ///
    /// # Errors
    /// Those of the host; `Damaged` when the file has changed since.
    pub fn read_edits(
        &self,
        files: &dyn Files,
        range: Range<u32>,
        mut visit: impl FnMut(u32, Edit),
    ) -> Result<()> {
        let offset = self.edits.get(range.start as usize).map_or(0, |entry| entry.offset);
        let kind = LogKind::Manifest(self.engine);
        let mut records = Records::open_at(files, &self.name, kind, offset)?;
        for index in range {
            visit(index, self.read_edit(&mut records)?.1);
        }
        Ok(())
    }

    /// The state after `step`: from the nearest state that was kept, edits are read again. There are 256 between two
    /// kept states, more when tables change so much that the kept states would take too much memory.
    ///
    /// # Errors
    /// `Invalid` when there is no such step; those of [`Manifest::edit`].
    pub fn state_at(&self, files: &dyn Files, step: usize) -> Result<Arc<State>> {
        self.state_near(files, step, None)
    }

    /// The same, with a state that the caller still has and the step after which it is: a slider that moves one step
    /// on reads one edit.
    ///
    /// # Errors
    /// Those of [`Manifest::state_at`].
    pub fn state_near(
        &self,
        files: &dyn Files,
        step: usize,
        known: Option<(usize, &Arc<State>)>,
    ) -> Result<Arc<State>> {
        let end = self.steps.get(step).map(|step| step.end).ok_or_else(|| {
            let message = format!("there is no step {step}: the manifest has {}", self.steps.len());
            Error::new(ErrorKind::Invalid, message).in_file(&self.name)
        })?;
        if step + 1 == self.steps.len() {
            return Ok(Arc::clone(&self.last));
        }
        let after = self.checkpoints.partition_point(|kept| kept.edits <= end);
        let kept = after.checked_sub(1).and_then(|place| self.checkpoints.get(place));
        let kept = kept.map(|kept| (kept.edits, &kept.state));
        let known = known
            .and_then(|(step, state)| self.steps.get(step).map(|step| (step.end, state)))
            .filter(|(edits, _)| *edits <= end);
        let nearest = kept.into_iter().chain(known).max_by_key(|(edits, _)| *edits);
        let (from, mut builder) = match nearest {
            Some((edits, state)) if edits == end => return Ok(Arc::clone(state)),
            Some((edits, state)) => (edits, Builder::from_state(state)),
            None => (0, Builder::new(self.engine)),
        };
        // Contradictions were reported when the manifest was opened.
        self.read_edits(files, from..end, |index, edit| {
            builder.apply(edit, index);
        })?;
        Ok(Arc::new(builder.state()))
    }
}
