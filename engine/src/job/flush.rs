//! Flush: one immutable memtable becomes one L0 table; then its log may go.

use super::output::OutputTable;
use super::{Advance, merge_event, range_event, update_view};
use crate::compaction::{RangeOutputs, Retain};
use crate::event::{EventId, EventKind, JobId, JobKind, MemtableId, TableAt, Verdict};
use crate::iter::Cursor;
use crate::manifest::{TableMeta, VersionEdit};
use crate::memtable::MemtableCursor;
use crate::state::{Immutable, Shared, apply_edit};
use crate::storage::{FileName, FileNumber};
use crate::table::BlockWritten;
use crate::text;
use crate::view::JobView;
use crate::{Error, ErrorKind, Result};
use std::sync::Arc;

#[derive(Debug)]
enum Stage {
    Begin,
    Create,
    Blocks(Box<Merge>),
    Finish(Box<OutputTable>),
    Append(Arc<TableMeta>),
    Sync(Arc<TableMeta>),
    Install(Arc<TableMeta>),
    DeleteLogs,
    Done,
}

/// The memtable on its way into the table.
#[derive(Debug)]
struct Merge {
    output: OutputTable,
    cursor: MemtableCursor,
    retain: Retain,
}

/// One flush.
#[derive(Debug)]
pub(crate) struct FlushJob {
    pub(crate) id: JobId,
    waiting: Immutable,
    begun: EventId,
    edit: VersionEdit,
    stage: Stage,
    /// Entries in the blocks so far.
    written: u64,
    /// Entries left out, because newer ones shadow them for every reader.
    shadowed: u64,
    /// Entries left out, because a range tombstone hides them from every reader.
    range_deleted: u64,
}

impl FlushJob {
    pub(crate) fn new(id: JobId, waiting: Immutable) -> Self {
        let edit = VersionEdit::default();
        let (written, shadowed, range_deleted) = (0, 0, 0);
        Self { id, waiting, begun: 0, edit, stage: Stage::Begin, written, shadowed, range_deleted }
    }

    /// One phase, or at most `entries_max` entries of one.
    pub(crate) fn advance(&mut self, shared: &Shared, entries_max: u64) -> Result<Advance> {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Begin => {
                self.begin(shared);
                Ok(())
            }
            Stage::Create => self.create(shared),
            Stage::Blocks(merge) => return self.write_blocks(shared, merge, entries_max),
            Stage::Finish(mut output) => {
                let (_, finished) = output.finish(shared)?;
                self.stage = match finished {
                    Some(meta) => Stage::Append(self.checked(meta)?),
                    None => Stage::Finish(output),
                };
                Ok(())
            }
            Stage::Append(meta) => return self.append(shared, meta),
            Stage::Sync(meta) => {
                shared.manifest_sync(|synced| {
                    self.emit(shared, || synced);
                })?;
                self.stage = Stage::Install(meta);
                Ok(())
            }
            Stage::Install(meta) => self.install(shared, &meta),
            Stage::DeleteLogs => return Ok(self.delete_one_log(shared)),
            Stage::Done => return Ok(Advance::DONE),
        }?;
        Ok(Advance::PHASE)
    }

    fn emit(&self, shared: &Shared, build: impl FnOnce() -> EventKind) -> EventId {
        shared.events.emit(Some(self.id), Some(self.begun), build)
    }

    fn begin(&mut self, shared: &Shared) {
        let memtable = &self.waiting.memtable;
        memtable.freeze();
        let (id, entries) = (memtable.id(), memtable.entries());
        let mut core = shared.core();
        core.jobs.push(JobView {
            job: self.id,
            what: JobKind::Flush,
            reason: self.waiting.reason.clone(),
            memtable: Some(id),
            inputs: Vec::new(),
            output_level: 0,
            outputs: Vec::new(),
            entries_done: 0,
            entries_total: entries,
        });
        let reason = self.waiting.reason.clone();
        self.begun = shared.events.emit(Some(self.id), self.waiting.cause, || {
            EventKind::FlushBegin { memtable: id, reason, entries }
        });
        drop(core);
        self.stage = Stage::Create;
    }

    fn create(&mut self, shared: &Shared) -> Result<()> {
        // A create that would block has changed nothing: stay here.
        self.stage = Stage::Create;
        let output = OutputTable::create(shared, self.id, self.begun, 0)?;
        let mut cursor = self.waiting.memtable.cursor();
        cursor.seek_to_first()?;
        // Under one lock, as for a compaction: no snapshot can be missed.
        let core = shared.core();
        let retain = Retain::for_flush(&core.snapshot_list(), shared.visible_sequence());
        drop(core);
        let retain = retain.with_ranges(self.waiting.memtable.ranges());
        self.stage = Stage::Blocks(Box::new(Merge { output, cursor, retain }));
        Ok(())
    }

    fn write_blocks(
        &mut self,
        shared: &Shared,
        mut merge: Box<Merge>,
        entries_max: u64,
    ) -> Result<Advance> {
        let mut advance = Advance::default();
        let Merge { output, cursor, retain } = &mut *merge;
        while cursor.valid() && advance.entries < entries_max && !advance.phase {
            let key = cursor.key();
            advance.entries += 1;
            let verdict = retain.judge(key)?;
            if matches!(verdict, Verdict::DroppedShadowed | Verdict::DroppedRangeDeleted) {
                let is_shadowed = verdict == Verdict::DroppedShadowed;
                self.shadowed += u64::from(is_shadowed);
                self.range_deleted += u64::from(!is_shadowed);
                let (job, cause) = (Some(self.id), Some(self.begun));
                shared.events.detail(job, cause, || merge_event(key, verdict, Vec::new()));
            } else if let Some(block) = output.add(key, cursor.value())? {
                self.report_block(shared, output, &block);
                advance.phase = true;
            }
            cursor.next()?;
        }
        // The last block is a separate call, so that a call of the smallest budget emits one event.
        if cursor.valid() || advance.phase || advance.entries >= entries_max {
            self.stage = Stage::Blocks(merge);
            return Ok(advance);
        }
        if let Some(block) = output.close_block()? {
            self.report_block(shared, output, &block);
        }
        let ranges = RangeOutputs::new(retain).end_output(None, retain);
        for range in &ranges {
            shared.events.detail(Some(self.id), Some(self.begun), || range_event(range));
        }
        output.set_ranges(ranges.into_iter().map(|(tombstone, _)| tombstone).collect());
        advance.phase = true;
        self.stage = Stage::Finish(Box::new(merge.output));
        Ok(advance)
    }

    fn report_block(&mut self, shared: &Shared, output: &mut OutputTable, block: &BlockWritten) {
        self.written += u64::from(block.entries);
        let read = self.written + self.shadowed + self.range_deleted;
        update_view(shared, self.id, |view| view.entries_done = read);
        output.announce(shared, block, read);
    }

    /// Checks that every entry of the memtable was written or shadowed: cheap, and finds lost entries.
    fn checked(&self, meta: TableMeta) -> Result<Arc<TableMeta>> {
        let entries = self.waiting.memtable.entries();
        let left_out = self.shadowed + self.range_deleted;
        if meta.entries + left_out != entries {
            let message = format!(
                "{} were written and {} left out, but the memtable has {}",
                text::counted(meta.entries, "entry"),
                text::count(left_out),
                text::count(entries)
            );
            let file = FileName::Table(meta.number);
            return Err(Error::in_file(ErrorKind::Corruption, file, message));
        }
        Ok(Arc::new(meta))
    }

    fn append(&mut self, shared: &Shared, meta: Arc<TableMeta>) -> Result<Advance> {
        // A new manifest comes first, as a separate phase; when it would block, stay here.
        self.stage = Stage::Append(Arc::clone(&meta));
        // Tables enter L0 in the order of their memtables, and logs go in that order (decision 68).
        if !shared.core().is_oldest(self.memtable()) {
            return Ok(Advance::WAITS);
        }
        // The edit makes the log needless: it has to have its end before it goes.
        if let Some(log) = &self.waiting.log {
            shared.end_log(log)?;
        }
        if shared.roll_manifest(self.id, self.begun)? {
            return Ok(Advance::PHASE);
        }
        let core = shared.core();
        let log_number = core
            .immutables
            .iter()
            .rev()
            .find(|other| other.memtable.id() > self.waiting.memtable.id())
            .map_or(core.active.wal(), |other| other.memtable.wal());
        self.edit = VersionEdit {
            log_number: Some(log_number),
            next_file: Some(core.next_file),
            last_sequence: Some(shared.visible_sequence()),
            added: vec![(0, Arc::clone(&meta))],
            ..VersionEdit::default()
        };
        drop(core);
        shared.core().name_tables(std::slice::from_ref(&meta));
        let added = vec![TableAt { level: 0, table: meta.number }];
        shared.manifest_append(&self.edit, |manifest, bytes| {
            self.emit(shared, || EventKind::ManifestAppend {
                manifest,
                added,
                removed: Vec::new(),
                bytes,
            });
        })?;
        self.stage = Stage::Sync(meta);
        Ok(Advance::PHASE)
    }

    fn install(&mut self, shared: &Shared, meta: &TableMeta) -> Result<()> {
        let memtable = self.waiting.memtable.id();
        let mut core = shared.core();
        let version = apply_edit(&core.version, &self.edit)?;
        core.install(version, &[]);
        core.immutables.retain(|other| other.memtable.id() != memtable);
        shared.publish(&core);
        let scores = core.scores(&shared.options);
        shared.counters.flushes.add(1);
        shared.counters.flush_bytes.add(meta.bytes);
        shared.counters.entries_shadowed.add(self.shadowed);
        shared.counters.entries_range_deleted.add(self.range_deleted);
        let table = Some(meta.info());
        // Emitted under the lock, so that events about later versions come after this one.
        let position = || core.version.position(0, meta.number);
        let id = self.emit(shared, || EventKind::FlushInstall {
            memtable,
            table,
            position: position(),
            scores,
        });
        core.last_install = Some(id);
        shared.update_pace(&mut core, Some(self.id), Some(id));
        drop(core);
        shared.changed.notify_all();
        self.stage = Stage::DeleteLogs;
        Ok(())
    }

    /// Deletes one log that tables have replaced. A failure is no loss: the next flush tries again.
    fn delete_one_log(&mut self, shared: &Shared) -> Advance {
        let needed = self.edit.log_number.unwrap_or(0);
        let oldest: Option<FileNumber> =
            shared.core().closed_wals.first().map(|log| log.wal).filter(|wal| *wal < needed);
        if let Some(wal) = oldest {
            let gone = match shared.storage.delete(FileName::Wal(wal)) {
                Ok(()) => true,
                Err(error) => error.kind() == ErrorKind::NotFound,
            };
            if gone {
                let mut core = shared.core();
                let listed = core.closed_wals.len();
                core.closed_wals.retain(|log| log.wal != wal);
                // Another flush may have deleted it at the same time.
                let is_own = core.closed_wals.len() < listed;
                drop(core);
                if is_own {
                    self.emit(shared, || EventKind::WalDelete { wal });
                }
                self.stage = Stage::DeleteLogs;
                return Advance::PHASE;
            }
        }
        let memtable = self.waiting.memtable.id();
        let (written, shadowed, range_deleted) = (self.written, self.shadowed, self.range_deleted);
        self.emit(shared, || EventKind::FlushDone { memtable, written, shadowed, range_deleted });
        Advance::DONE
    }

    /// The memtable that it writes.
    pub(crate) fn memtable(&self) -> MemtableId {
        self.waiting.memtable.id()
    }

    /// Average size of an entry \[bytes\].
    pub(crate) fn entry_bytes(&self) -> u64 {
        let memtable = &self.waiting.memtable;
        memtable.bytes() as u64 / memtable.entries().max(1)
    }

    /// Whether the next phase is an edit of the manifest.
    pub(crate) fn edits_next(&self) -> bool {
        matches!(self.stage, Stage::Append(_))
    }

    /// Describes the next phase in a sentence.
    pub(crate) fn next_step(&self) -> String {
        let memtable = self.waiting.memtable.id();
        let what = match &self.stage {
            Stage::Begin => {
                return format!("Flush job {} will begin with memtable {memtable}.", self.id);
            }
            Stage::Create => "create a table file in L0".to_owned(),
            Stage::Blocks(merge) => merge.output.next_step(true),
            Stage::Finish(output) => output.next_step(false),
            Stage::Append(meta) => {
                format!("append the edit that adds table {} to the manifest", meta.number)
            }
            Stage::Sync(_) => "sync the manifest".to_owned(),
            Stage::Install(meta) => {
                format!("let readers see table {} instead of the memtable", meta.number)
            }
            Stage::DeleteLogs => "delete the obsolete log, if there is one, and end".to_owned(),
            Stage::Done => "end".to_owned(),
        };
        format!("Flush job {} will {what}.", self.id)
    }
}
