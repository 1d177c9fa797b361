//! Compaction: tables of one level and those below that overlap them become new tables below.

use super::output::OutputTable;
use super::{Advance, update_view};
use crate::compaction::{self, Plan, Retain};
use crate::event::{EventId, EventKind, JobId, JobKind, ShownKey, TableAt, Verdict};
use crate::iter::{Cursor, LevelCursor, MergingCursor};
use crate::key::{parse_internal_key, user_key};
use crate::manifest::{TableMeta, Version, VersionEdit};
use crate::state::{Core, Shared, apply_edit};
use crate::storage::FileNumber;
use crate::table::Table;
use crate::view::{JobView, TableInfo};
use crate::{Error, ErrorKind, Options, Result};
use std::sync::Arc;

/// Entries handled in one phase when no block gets full meanwhile.
const ENTRIES_PER_PHASE_MAX: u64 = 4096;

/// What to compact next and the event that made it necessary; `None` when nothing needs it.
pub(super) fn choose(core: &mut Core, options: &Options) -> Option<(Plan, Option<EventId>)> {
    while let Some(asked) = core.asked.first().cloned() {
        if let Some(plan) = compaction::manual(&core.version, options, asked.level, None) {
            core.asked.remove(0);
            return Some((plan, Some(asked.cause)));
        }
        core.asked.remove(0);
    }
    let plan = compaction::pick(&core.version, options, &core.compaction_cursors)?;
    Some((plan, core.last_install))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Pick,
    Begin,
    Merge,
    Finish,
    Append,
    Sync,
    Install,
    DeleteInputs,
    Done,
}

/// Entries so far.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    read: u64,
    written: u64,
    shadowed: u64,
    tombstones_dropped: u64,
}

/// What the merge reads; dropped before the input files are deleted.
struct Merge {
    cursor: MergingCursor,
    retain: Retain,
    /// Keeps the input files open.
    _inputs: Vec<Arc<Table>>,
    /// The entry under the cursor is done with: move before reading on.
    consumed: bool,
    /// The verdict on the entry under the cursor; given once, also when writing it has to wait.
    verdict: Option<Verdict>,
    /// The user key written last: an output is never cut inside the versions of one key.
    last_key: Vec<u8>,
}

impl std::fmt::Debug for Merge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Merge").field("consumed", &self.consumed).finish_non_exhaustive()
    }
}

/// One compaction.
#[derive(Debug)]
pub(crate) struct CompactJob {
    pub(crate) id: JobId,
    plan: Plan,
    cause: Option<EventId>,
    picked: EventId,
    version: Option<Arc<Version>>,
    stage: Stage,
    merge: Option<Merge>,
    output: Option<OutputTable>,
    number: Option<FileNumber>,
    finished: Vec<Arc<TableMeta>>,
    /// Entries handled since the last phase, over all calls: how finely a host steps, or how often it
    /// has to wait for a file, must not change what is told.
    quiet: u64,
    edit: VersionEdit,
    tally: Tally,
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
            plan,
            cause,
            picked: 0,
            version: Some(version),
            stage: Stage::Pick,
            merge: None,
            output: None,
            number: None,
            finished: Vec::new(),
            quiet: 0,
            edit: VersionEdit::default(),
            tally: Tally::default(),
        }
    }

    /// One phase, or at most `entries_max` entries of one.
    pub(crate) fn advance(&mut self, shared: &Shared, entries_max: u64) -> Result<Advance> {
        match self.stage {
            Stage::Pick => self.pick(shared),
            Stage::Begin => self.begin(shared)?,
            Stage::Merge => return self.merge_some(shared, entries_max),
            Stage::Finish => self.finish_output(shared)?,
            Stage::Append => self.append(shared)?,
            Stage::Sync => {
                let (manifest, bytes) = shared.manifest_sync()?;
                self.emit(shared, || EventKind::ManifestSync { manifest, bytes });
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
        shared.core().jobs.push(JobView {
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
        self.stage = Stage::Begin;
    }

    /// Opens the inputs. When a file would block, nothing has changed and the next call tries again.
    fn begin(&mut self, shared: &Shared) -> Result<()> {
        let entries = self.plan.inputs.iter().map(|(_, meta)| meta.entries).sum();
        let bytes = self.plan.inputs.iter().map(|(_, meta)| meta.bytes).sum();
        if self.plan.trivial_move {
            self.stage = Stage::Append;
        } else {
            self.merge = Some(self.open_merge(shared)?);
            self.stage = Stage::Merge;
        }
        update_view(shared, self.id, |view| view.entries_total = entries);
        self.emit(shared, || EventKind::CompactionBegin { entries, bytes });
        Ok(())
    }

    fn open_merge(&mut self, shared: &Shared) -> Result<Merge> {
        let mut sources: Vec<Box<dyn Cursor>> = Vec::new();
        let mut inputs = Vec::new();
        let mut deeper: Vec<(usize, Vec<Arc<TableMeta>>)> = Vec::new();
        for (level, meta) in &self.plan.inputs {
            let table = shared.table(meta)?;
            if *level == 0 {
                sources.push(Box::new(table.cursor()));
            } else if let Some((_, tables)) = deeper.iter_mut().find(|(known, _)| known == level) {
                tables.push(Arc::clone(meta));
            } else {
                deeper.push((*level, vec![Arc::clone(meta)]));
            }
            inputs.push(table);
        }
        for (_, tables) in deeper {
            sources.push(Box::new(LevelCursor::new(tables, Arc::clone(&shared.tables))));
        }
        let mut cursor = MergingCursor::new(sources);
        cursor.seek_to_first()?;
        let core = shared.core();
        let snapshots = core.snapshot_list();
        let version = self.version.get_or_insert_with(|| Arc::clone(&core.version));
        let retain = Retain::new(
            &snapshots,
            shared.visible_sequence(),
            Arc::clone(version),
            self.plan.output_level,
        );
        Ok(Merge {
            cursor,
            retain,
            _inputs: inputs,
            consumed: false,
            verdict: None,
            last_key: Vec::new(),
        })
    }

    fn merge_some(&mut self, shared: &Shared, entries_max: u64) -> Result<Advance> {
        let mut advance = Advance::default();
        let entries_max = entries_max.min(ENTRIES_PER_PHASE_MAX.saturating_sub(self.quiet).max(1));
        while advance.entries < entries_max {
            let Some(merge) = self.merge.as_mut() else { break };
            if merge.consumed {
                merge.cursor.next()?;
                merge.consumed = false;
            }
            if !merge.cursor.valid() {
                self.quiet = 0;
                self.end_of_merge(shared)?;
                return Ok(Advance { phase: true, ..advance });
            }
            match self.merge_one(shared)? {
                Merged::Entry => {
                    advance.entries += 1;
                    self.quiet += 1;
                }
                Merged::Block => {
                    self.quiet = 0;
                    advance.entries += 1;
                    advance.phase = true;
                    return Ok(advance);
                }
                Merged::Phase => {
                    self.quiet = 0;
                    advance.phase = true;
                    return Ok(advance);
                }
            }
        }
        if self.quiet >= ENTRIES_PER_PHASE_MAX {
            self.quiet = 0;
            self.progress(shared);
            advance.phase = true;
        }
        Ok(advance)
    }

    /// Judges the entry under the cursor and writes or drops it.
    fn merge_one(&mut self, shared: &Shared) -> Result<Merged> {
        let Some(merge) = self.merge.as_mut() else { return Ok(Merged::Entry) };
        let key = merge.cursor.key();
        let verdict = if let Some(verdict) = merge.verdict {
            verdict
        } else {
            let verdict = merge.retain.judge(key)?;
            let (job, cause) = (Some(self.id), Some(self.picked));
            shared.events.detail(job, cause, || merge_event(key, verdict));
            *merge.verdict.insert(verdict)
        };
        if matches!(verdict, Verdict::DroppedShadowed | Verdict::DroppedTombstone) {
            merge.consumed = true;
            merge.verdict = None;
            self.tally.read += 1;
            self.tally.shadowed += u64::from(verdict == Verdict::DroppedShadowed);
            self.tally.tombstones_dropped += u64::from(verdict == Verdict::DroppedTombstone);
            return Ok(Merged::Entry);
        }
        let Some(output) = self.output.as_mut() else {
            let number = *self.number.get_or_insert_with(|| shared.core().take_table_number());
            let level = self.plan.output_level;
            self.output = Some(OutputTable::create(shared, self.id, self.picked, level, number)?);
            self.number = None;
            return Ok(Merged::Phase);
        };
        let full = output.estimated_bytes() >= shared.options.table_bytes;
        if full && merge.last_key != user_key(key) {
            self.stage = Stage::Finish;
            return self.close_output_block(shared);
        }
        let closed = output.add(key, merge.cursor.value())?;
        merge.last_key.clear();
        merge.last_key.extend_from_slice(user_key(key));
        merge.consumed = true;
        merge.verdict = None;
        self.tally.read += 1;
        self.tally.written += 1;
        if let Some(block) = closed {
            self.progress(shared);
            if let Some(output) = self.output.as_mut() {
                output.announce(shared, &block);
            }
            return Ok(Merged::Block);
        }
        Ok(Merged::Entry)
    }

    fn end_of_merge(&mut self, shared: &Shared) -> Result<()> {
        if self.output.is_some() {
            self.stage = Stage::Finish;
            self.close_output_block(shared)?;
        } else {
            self.progress(shared);
            self.stage = Stage::Append;
        }
        Ok(())
    }

    fn close_output_block(&mut self, shared: &Shared) -> Result<Merged> {
        let closed = match self.output.as_mut() {
            Some(output) => output.close_block()?,
            None => None,
        };
        self.progress(shared);
        if let (Some(block), Some(output)) = (closed, self.output.as_mut()) {
            output.announce(shared, &block);
        }
        Ok(Merged::Phase)
    }

    fn progress(&self, shared: &Shared) {
        let Tally { read, written, shadowed, tombstones_dropped } = self.tally;
        update_view(shared, self.id, |view| view.entries_done = read);
        self.emit(shared, || EventKind::CompactionProgress {
            read,
            written,
            shadowed,
            tombstones_dropped,
        });
    }

    fn finish_output(&mut self, shared: &Shared) -> Result<()> {
        let Some(output) = self.output.as_mut() else {
            self.stage = Stage::Append;
            return Ok(());
        };
        let (_, finished) = output.finish(shared)?;
        if let Some(meta) = finished {
            shared.counters.compaction_write_bytes.add(meta.bytes);
            self.finished.push(Arc::new(meta));
            self.output = None;
            let more = self.merge.as_ref().is_some_and(|m| m.cursor.valid() && !m.consumed);
            self.stage = if more { Stage::Merge } else { Stage::Append };
        }
        Ok(())
    }

    /// What was read must have been written or dropped for a reason, all of it.
    fn check_tally(&self) -> Result<()> {
        let expected: u64 = self.plan.inputs.iter().map(|(_, meta)| meta.entries).sum();
        let written: u64 = self.finished.iter().map(|meta| meta.entries).sum();
        let Tally { read, shadowed, tombstones_dropped, .. } = self.tally;
        if read == expected && written + shadowed + tombstones_dropped == read {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Corruption,
            format!(
                "compaction job {} read {read} of {expected} entries, wrote {written} and dropped \
                 {}: its inputs are kept",
                self.id,
                shadowed + tombstones_dropped
            ),
        ))
    }

    fn append(&mut self, shared: &Shared) -> Result<()> {
        let level = self.plan.output_level;
        if self.plan.trivial_move {
            self.finished = self.plan.inputs.iter().map(|(_, meta)| Arc::clone(meta)).collect();
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
        let (manifest, bytes) = shared.manifest_append(&self.edit)?;
        let removed = self.inputs();
        let added = self.finished.iter().map(|meta| TableAt { level, table: meta.number });
        let added = added.collect();
        self.emit(shared, || EventKind::ManifestAppend { manifest, added, removed, bytes });
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
        shared.publish(&core);
        let scores = core.scores(&shared.options);
        drop(core);
        self.count(shared);
        let removed = self.inputs();
        let added: Vec<TableInfo> = self.finished.iter().map(|meta| meta.info()).collect();
        let output_level = self.plan.output_level;
        let id = self.emit(shared, || EventKind::CompactionInstall {
            removed,
            added,
            output_level,
            scores,
        });
        shared.core().last_install = Some(id);
        shared.changed.notify_all();
        // The files can go only when this job itself no longer reads them.
        self.merge = None;
        self.version = None;
        self.stage = Stage::DeleteInputs;
        Ok(())
    }

    /// The next compaction of this level takes the table behind these.
    fn move_round_robin(&self, core: &mut Core) {
        let level = self.plan.level;
        let inputs = self.plan.inputs.iter().filter(|(from, _)| *from == level);
        let Some(largest) = inputs.map(|(_, meta)| user_key(&meta.largest)).max() else { return };
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
    }

    /// Deletes one table that nobody reads. A failure is no loss: the next compaction tries again.
    fn delete_one_input(&mut self, shared: &Shared) -> Advance {
        if let Ok(Some(table)) = shared.delete_one_obsolete() {
            self.emit(shared, || EventKind::TableDelete { table });
            return Advance::PHASE;
        }
        let Tally { read, written, shadowed, tombstones_dropped } = self.tally;
        self.emit(shared, || EventKind::CompactionDone {
            read,
            written,
            shadowed,
            tombstones_dropped,
        });
        self.stage = Stage::Done;
        Advance::DONE
    }

    /// What the next phase will do, as a sentence.
    pub(crate) fn next_step(&self) -> String {
        let (id, from, to) = (self.id, self.plan.level, self.plan.output_level);
        let what = match (self.stage, &self.output) {
            (Stage::Pick, _) => {
                return format!("Compaction job {id} will begin: {}.", self.plan.reason);
            }
            (Stage::Begin, _) => format!("open its {} input tables", self.plan.inputs.len()),
            (Stage::Merge, None) => format!("create a table file in L{to}"),
            (Stage::Merge, Some(output)) => output.next_step(true),
            (Stage::Finish, Some(output)) => output.next_step(false),
            (Stage::Append | Stage::Finish, _) => {
                format!("tell the manifest which tables leave L{from} and enter L{to}")
            }
            (Stage::Sync, _) => "sync the manifest".to_owned(),
            (Stage::Install, _) => "let readers see its outputs instead of its inputs".to_owned(),
            (Stage::DeleteInputs | Stage::Done, _) => {
                "delete an input that nobody reads, or be done".to_owned()
            }
        };
        format!("Compaction job {id} will {what}.")
    }
}

/// What [`CompactJob::merge_one`] did.
enum Merged {
    /// One entry, written or dropped.
    Entry,
    /// One entry, and a block became full.
    Block,
    /// A phase without an entry.
    Phase,
}

fn merge_event(key: &[u8], verdict: Verdict) -> EventKind {
    let (sequence, kind) = parse_internal_key(key)
        .map_or((0, crate::ValueKind::Put), |parsed| (parsed.sequence, parsed.kind));
    EventKind::MergeEntry { key: ShownKey::new(user_key(key)), sequence, entry: kind, verdict }
}
