//! Compaction: tables of one level and those below that overlap them become new tables below.

mod filtered;
#[cfg(not(target_arch = "wasm32"))]
mod lend;
mod merge;
mod part;
mod tally;

pub(crate) use self::part::Part;
use self::part::Task;
use self::tally::Tally;
use super::{Advance, update_view};
use crate::compaction::Plan;
use crate::event::{EventId, EventKind, JobId, JobKind, TableAt};
use crate::manifest::{TableMeta, Version, VersionEdit};
use crate::state::{Core, Shared, apply_edit};
use crate::storage::FileNumber;
use crate::text;
use crate::view::{JobView, TableInfo};
use crate::{Error, ErrorKind, Options, Result};
use std::sync::Arc;

/// The next compaction and the event that caused it; `None` when no level is due.
pub(super) fn choose(core: &mut Core, options: &Options) -> Option<(Plan, Option<EventId>)> {
    while let Some(asked) = core.asked.first().cloned() {
        let plan = asked.plan(&core.picker(options));
        // Requested compactions come first: no other one begins while the requested one has to wait.
        if plan.as_ref().is_some_and(|plan| core.claims.forbid(plan)) {
            return None;
        }
        core.asked.remove(0);
        if let Some(plan) = plan {
            return Some((plan, Some(asked.cause)));
        }
    }
    let plan = core.picker(options).pick()?;
    Some((plan, core.last_install))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Pick,
    Begin,
    Merge,
    Append,
    Sync,
    Install,
    DeleteInputs,
    Done,
}

/// One compaction.
#[derive(Debug)]
pub(crate) struct CompactJob {
    pub(crate) id: JobId,
    plan: Arc<Plan>,
    cause: Option<EventId>,
    picked: EventId,
    version: Option<Arc<Version>>,
    stage: Stage,
    /// Its parts in key order, once it has begun; none for one that another thread steps.
    parts: Vec<Option<Part>>,
    finished: Vec<Arc<TableMeta>>,
    edit: VersionEdit,
    /// Of all parts, once they are done.
    tally: Tally,
    /// The filter's decisions have been reported.
    filter_reported: bool,
}

impl CompactJob {
    pub(crate) fn new(
        id: JobId,
        plan: Plan,
        cause: Option<EventId>,
        version: Arc<Version>,
    ) -> Self {
        Self {
            id,
            plan: Arc::new(plan),
            cause,
            picked: 0,
            version: Some(version),
            stage: Stage::Pick,
            parts: Vec::new(),
            finished: Vec::new(),
            edit: VersionEdit::default(),
            tally: Tally::default(),
            filter_reported: false,
        }
    }

    /// One phase, or at most `entries_max` entries of one.
    pub(crate) fn advance(&mut self, shared: &Shared, entries_max: u64) -> Result<Advance> {
        match self.stage {
            Stage::Pick => self.pick(shared),
            Stage::Begin => self.begin(shared)?,
            Stage::Merge => return self.advance_part(shared, entries_max),
            Stage::Append => self.append(shared)?,
            Stage::Sync => {
                shared.manifest_sync(|synced| {
                    self.emit(shared, || synced);
                })?;
                self.stage = Stage::Install;
            }
            Stage::Install => self.install(shared)?,
            Stage::DeleteInputs => return Ok(self.delete_one_input(shared)),
            Stage::Done => return Ok(Advance::DONE),
        }
        Ok(Advance::PHASE)
    }

    fn emit(&self, shared: &Shared, build: impl FnOnce() -> EventKind) -> EventId {
        shared.events.emit(Some(self.id), Some(self.picked), build)
    }

    fn inputs(&self) -> Vec<TableAt> {
        let inputs = self.plan.inputs.iter();
        inputs.map(|(level, meta)| TableAt { level: *level, table: meta.number }).collect()
    }

    fn pick(&mut self, shared: &Shared) {
        let inputs = self.inputs();
        let mut core = shared.core();
        core.jobs.push(JobView {
            job: self.id,
            what: JobKind::Compaction,
            reason: self.plan.reason.clone(),
            memtable: None,
            inputs: inputs.iter().map(|input| input.table).collect(),
            output_level: self.plan.output_level,
            outputs: Vec::new(),
            entries_done: 0,
            entries_total: 0,
        });
        let plan = &self.plan;
        self.picked = shared.events.emit(Some(self.id), self.cause, || EventKind::CompactionPick {
            level: plan.level,
            output_level: plan.output_level,
            reason: plan.reason.clone(),
            inputs,
            trivial_move: plan.trivial_move,
        });
        drop(core);
        self.stage = Stage::Begin;
    }

    /// Opens the inputs. When a file would block, nothing has changed and the next call tries again.
    fn begin(&mut self, shared: &Shared) -> Result<()> {
        let entries = self.plan.inputs.iter().map(|(_, meta)| meta.entries).sum();
        let bytes = self.plan.inputs.iter().map(|(_, meta)| meta.bytes).sum();
        let trivial_move = self.plan.trivial_move;
        if trivial_move {
            self.stage = Stage::Append;
        } else if let Some(version) = &self.version {
            let task = Task::open(shared, (self.id, self.picked), &self.plan, version)?;
            let task = Arc::new(task);
            let mut first = Part::new(&task, 0);
            first.open(shared)?;
            let others = (1..=self.plan.boundaries.len()).map(|number| Part::new(&task, number));
            self.parts = std::iter::once(first).chain(others).map(Some).collect();
            self.stage = Stage::Merge;
        }
        // A trivial move reads no entry.
        let total = if trivial_move { 0 } else { entries };
        update_view(shared, self.id, |view| view.entries_total = total);
        self.emit(shared, || EventKind::CompactionBegin { entries, bytes, trivial_move });
        for part in self.parts.iter_mut().flatten() {
            for skipped in std::mem::take(&mut part.skipped) {
                shared.events.emit(Some(self.id), Some(self.picked), || skipped);
            }
        }
        Ok(())
    }

    /// Goes on with the first part that is not done. When all that are left are stepped by other threads, nothing
    /// happens: [`Self::waits_for_parts`].
    fn advance_part(&mut self, shared: &Shared, entries_max: u64) -> Result<Advance> {
        let mut present = self.parts.iter_mut().flatten();
        let Some(part) = present.find(|part| !part.is_done()) else { return Ok(Advance::WAITS) };
        let advance = part.advance(shared, entries_max)?;
        self.end_parts();
        Ok(advance)
    }

    /// Goes on to the edit when all parts are done.
    fn end_parts(&mut self) {
        let is_done = |part: &Option<Part>| part.as_ref().is_some_and(Part::is_done);
        if self.stage != Stage::Merge || !self.parts.iter().all(is_done) {
            return;
        }
        let parts: Vec<Part> = std::mem::take(&mut self.parts).into_iter().flatten().collect();
        self.tally = parts.iter().map(|part| &part.tally).sum();
        self.finished = parts.into_iter().flat_map(|part| part.finished).collect();
        self.stage = Stage::Append;
    }

    /// Checks that every entry read was written or dropped for a reason.
    fn check_tally(&self) -> Result<()> {
        let expected: u64 = self.plan.inputs.iter().map(|(_, meta)| meta.entries).sum();
        let written: u64 = self.finished.iter().map(|meta| meta.entries).sum();
        let Tally { read, shadowed, tombstones_dropped, range_deleted, filter, .. } = self.tally;
        let dropped = shadowed + tombstones_dropped + range_deleted + filter.dropped;
        if read == expected && written + dropped == read {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Corruption,
            format!(
                "compaction job {} read {} of {}, wrote {} and dropped {}: its inputs are kept",
                self.id,
                text::count(read),
                text::counted(expected, "entry"),
                text::count(written),
                text::count(dropped)
            ),
        ))
    }

    fn append(&mut self, shared: &Shared) -> Result<()> {
        // A new manifest comes first, as a separate phase.
        if shared.roll_manifest(self.id, self.picked)? {
            return Ok(());
        }
        let level = self.plan.output_level;
        if self.plan.trivial_move {
            let moved = self.plan.inputs.iter().map(|(_, meta)| self.plan.in_output_run(meta));
            self.finished = moved.collect();
        } else {
            self.check_tally()?;
        }
        self.edit = VersionEdit {
            next_file: Some(shared.core().next_file),
            last_sequence: Some(shared.visible_sequence()),
            removed: self.plan.inputs.iter().map(|(from, meta)| (*from, meta.number)).collect(),
            added: self.finished.iter().map(|meta| (level, Arc::clone(meta))).collect(),
            ..VersionEdit::default()
        };
        shared.core().name_tables(&self.finished);
        let removed = self.inputs();
        let added = self.finished.iter().map(|meta| TableAt { level, table: meta.number });
        let added = added.collect();
        shared.manifest_append(&self.edit, |manifest, bytes| {
            self.emit(shared, || EventKind::ManifestAppend { manifest, added, removed, bytes });
        })?;
        self.stage = Stage::Sync;
        Ok(())
    }

    fn install(&mut self, shared: &Shared) -> Result<()> {
        let mut core = shared.core();
        let version = apply_edit(&core.version, &self.edit)?;
        let gone: Vec<FileNumber> = if self.plan.trivial_move {
            Vec::new()
        } else {
            self.plan.inputs.iter().map(|(_, meta)| meta.number).collect()
        };
        core.install(version, &gone);
        self.move_round_robin(&mut core);
        core.forget_reads(&self.plan);
        shared.publish(&core);
        let scores = core.scores(&shared.options);
        self.count(shared);
        let removed = self.inputs();
        let added: Vec<TableInfo> = self.finished.iter().map(|meta| meta.info()).collect();
        let output_level = self.plan.output_level;
        let position = |info: &TableInfo| core.version.position(output_level, info.table);
        // Emitted under the lock, so that events about later versions come after this one.
        let id = self.emit(shared, || EventKind::CompactionInstall {
            removed,
            positions: added.iter().map(position).collect(),
            added,
            output_level,
            scores,
        });
        core.last_install = Some(id);
        shared.update_pace(&mut core, Some(self.id), Some(id));
        drop(core);
        shared.changed.notify_all();
        // The files can go only when this job itself no longer reads them.
        self.version = None;
        self.stage = Stage::DeleteInputs;
        Ok(())
    }

    /// The next compaction of this level takes the table after these.
    fn move_round_robin(&self, core: &mut Core) {
        let level = self.plan.level;
        let inputs = self.plan.inputs.iter().filter(|(from, _)| *from == level);
        let Some(end) = inputs.map(|(_, meta)| meta.span().to).max() else { return };
        // After the end of all keys the level begins anew.
        let largest = end.key().unwrap_or_default();
        if core.compaction_cursors.len() <= level {
            core.compaction_cursors.resize_with(level + 1, Vec::new);
        }
        if let Some(cursor) = core.compaction_cursors.get_mut(level) {
            *cursor = largest.to_vec();
        }
    }

    fn count(&self, shared: &Shared) {
        if self.plan.trivial_move {
            shared.counters.trivial_moves.add(1);
            return;
        }
        let read_bytes = self.plan.inputs.iter().map(|(_, meta)| meta.bytes).sum();
        shared.counters.compactions.add(1);
        shared.counters.compaction_read_bytes.add(read_bytes);
        shared.counters.entries_shadowed.add(self.tally.shadowed);
        shared.counters.tombstones_dropped.add(self.tally.tombstones_dropped);
        shared.counters.entries_range_deleted.add(self.tally.range_deleted);
        shared.counters.range_tombstones_dropped.add(self.tally.ranges_dropped);
        // Inputs stand in order, the oldest run last.
        let run = |input: &(usize, Arc<TableMeta>)| (input.0, input.1.run);
        let oldest = self.plan.inputs.last().map(run);
        let newer = self.plan.inputs.iter().filter(|input| Some(run(input)) != oldest);
        shared.counters.merged_newer.add(newer.map(|(_, meta)| meta.entries).sum());
        shared.counters.merged_hidden.add(self.tally.shadowed);
    }

    /// Deletes one obsolete table. A failure is no loss: the next compaction tries again.
    fn delete_one_input(&mut self, shared: &Shared) -> Advance {
        if let Ok(Some(table)) = shared.delete_one_obsolete() {
            self.emit(shared, || EventKind::TableDelete { table });
            return Advance::PHASE;
        }
        if self.report_filter(shared) {
            return Advance::PHASE;
        }
        let Tally { read, written, shadowed, tombstones_dropped, filter, .. } = self.tally;
        let Tally { range_deleted, ranges_read, ranges_dropped, .. } = self.tally;
        self.emit(shared, || EventKind::CompactionDone {
            read,
            written,
            shadowed,
            tombstones_dropped,
            range_deleted,
            ranges_read,
            ranges_dropped,
            filtered: filter.dropped,
        });
        self.stage = Stage::Done;
        Advance::DONE
    }

    /// Average size of an entry of the inputs \[bytes\].
    pub(crate) fn entry_bytes(&self) -> u64 {
        self.plan.entry_bytes()
    }

    /// Whether the next phase is an edit of the manifest.
    pub(crate) fn edits_next(&self) -> bool {
        self.stage == Stage::Append
    }

    /// Describes the next phase in a sentence.
    pub(crate) fn next_step(&self) -> String {
        let (id, from, to) = (self.id, self.plan.level, self.plan.output_level);
        let mut parts = self.parts.iter().flatten();
        let what = match (self.stage, parts.find(|part| !part.is_done())) {
            (Stage::Pick, _) => {
                return format!("Compaction job {id} will begin: {}.", self.plan.reason);
            }
            (Stage::Begin, _) if self.plan.trivial_move => "begin a trivial move".to_owned(),
            (Stage::Begin, _) => format!("open its {} input tables", self.plan.inputs.len()),
            (Stage::Merge, Some(part)) => part.next_step(),
            (Stage::Append | Stage::Merge, _) => {
                format!(
                    "append an edit to the manifest: the tables that leave L{from} and enter L{to}"
                )
            }
            (Stage::Sync, _) => "sync the manifest".to_owned(),
            (Stage::Install, _) => "let readers see its outputs instead of its inputs".to_owned(),
            (Stage::DeleteInputs | Stage::Done, _) => {
                "delete an obsolete input table, or end".to_owned()
            }
        };
        format!("Compaction job {id} will {what}.")
    }
}
