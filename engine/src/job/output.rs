//! One table being written by a job, phase by phase.

use super::{Advance, update_view};
use crate::event::{EventId, EventKind, JobId, ShownKey};
use crate::manifest::TableMeta;
use crate::ranges::RangeTombstone;
use crate::state::Shared;
use crate::storage::{FileName, FileNumber};
use crate::table::{BlockWritten, TableBuilder, TableOptions};
use crate::{ErrorKind, Result};

/// The part that the next call of [`OutputTable::finish`] writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Filter,
    Ranges,
    Index,
    Footer,
    Sync,
}

/// A table between its creation and its sync.
#[derive(Debug)]
pub(crate) struct OutputTable {
    job: JobId,
    cause: EventId,
    number: FileNumber,
    level: usize,
    stage: Stage,
    builder: TableBuilder,
    blocks: u32,
}

impl OutputTable {
    /// Creates the file of the next table and emits `table.create`.
    ///
    /// # Errors
    /// Those of [`crate::storage::Storage::create`]; `WouldBlock` has changed nothing.
    pub(crate) fn create(
        shared: &Shared,
        job: JobId,
        cause: EventId,
        level: usize,
    ) -> Result<Self> {
        let number = shared.core().take_table_number();
        let created = FileName::Table(number).usable().and_then(|name| shared.storage.create(name));
        let file = created.inspect_err(|error| {
            if error.kind() == ErrorKind::WouldBlock {
                shared.core().return_table_number(number);
            }
        })?;
        let builder =
            TableBuilder::new(file, number, TableOptions::new(&shared.options, shared.identity));
        update_view(shared, job, |view| view.outputs.push(number));
        shared
            .events
            .emit(Some(job), Some(cause), || EventKind::TableCreate { table: number, level });
        Ok(Self { job, cause, number, level, stage: Stage::Filter, builder, blocks: 0 })
    }

    /// Estimated length of the file so far \[bytes\].
    pub(crate) fn estimated_bytes(&self) -> u64 {
        self.builder.estimated_bytes()
    }

    /// The user key added last.
    pub(crate) fn last_user_key(&self) -> &[u8] {
        self.builder.last_user_key()
    }

    /// Adds one entry; the block that this closed, if it did.
    pub(crate) fn add(&mut self, key: &[u8], value: &[u8]) -> Result<Option<Box<BlockWritten>>> {
        self.builder.add(key, value)
    }

    /// Emits `table.block` for a closed block; the job has read so many entries.
    pub(crate) fn announce(&mut self, shared: &Shared, block: &BlockWritten, read: u64) {
        self.blocks += 1;
        let table = self.number;
        shared.events.emit(Some(self.job), Some(self.cause), || EventKind::TableBlock {
            table,
            index: block.index + 1,
            entries: block.entries,
            raw_bytes: block.raw_bytes,
            stored_bytes: block.stored_bytes,
            offset: block.offset,
            first: ShownKey::new(&block.first),
            last: ShownKey::new(&block.last),
            read,
        });
    }

    /// Gives the table its range tombstones, before [`Self::finish`] is first called.
    pub(crate) fn set_ranges(&mut self, tombstones: Vec<RangeTombstone>) {
        self.builder.set_ranges(tombstones);
    }

    /// Closes the last open block without announcing it. Returns `None` if none is open.
    pub(crate) fn close_block(&mut self) -> Result<Option<Box<BlockWritten>>> {
        self.builder.finish_block()
    }

    /// Does the next phase after the blocks; returns the finished table after the last phase.
    ///
    /// # Errors
    /// Those of the file; the table is then worthless.
    pub(crate) fn finish(&mut self, shared: &Shared) -> Result<(Advance, Option<TableMeta>)> {
        let (job, cause, table) = (Some(self.job), Some(self.cause), self.number);
        match self.stage {
            Stage::Filter => {
                let filter = self.builder.write_filter()?;
                let has_ranges = self.builder.has_ranges();
                self.stage = if has_ranges { Stage::Ranges } else { Stage::Index };
                shared.events.emit(job, cause, || EventKind::TableFilter {
                    table,
                    keys: filter.keys,
                    bytes: filter.bytes,
                });
            }
            Stage::Ranges => {
                let (count, bytes) = self.builder.write_ranges()?;
                self.stage = Stage::Index;
                let build = || EventKind::TableRanges { table, count, bytes };
                shared.events.emit(job, cause, build);
            }
            Stage::Index => {
                let index = self.builder.write_index()?;
                self.stage = Stage::Footer;
                shared.events.emit(job, cause, || EventKind::TableIndex {
                    table,
                    blocks: index.blocks,
                    bytes: index.bytes,
                });
            }
            Stage::Footer => {
                let bytes = self.builder.write_footer()?;
                self.stage = Stage::Sync;
                shared.events.emit(job, cause, || EventKind::TableFooter { table, bytes });
            }
            Stage::Sync => {
                let meta = self.builder.sync()?;
                shared.sync_directory()?;
                shared.tables.note(table, self.builder.properties());
                let level = self.level;
                shared
                    .events
                    .emit(job, cause, || EventKind::TableSync { info: meta.info(), level });
                return Ok((Advance::PHASE, Some(meta)));
            }
        }
        Ok((Advance::PHASE, None))
    }

    /// Describes the next phase, as a sentence without a subject.
    pub(crate) fn next_step(&self, entries_left: bool) -> String {
        let (table, block) = (self.number, self.blocks + 1);
        match self.stage {
            _ if entries_left => format!("write data block {block} of table {table}"),
            Stage::Filter => format!("build the filter of table {table}"),
            Stage::Ranges => format!("write the range tombstones of table {table}"),
            Stage::Index => format!("write properties and index of table {table}"),
            Stage::Footer => format!("write the footer of table {table}"),
            Stage::Sync => format!("sync table {table}, which makes it durable"),
        }
    }
}
