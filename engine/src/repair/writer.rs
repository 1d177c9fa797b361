//! The new database: tables in key order, a manifest, and `CURRENT` at the very end.

use super::RepairOptions;
use super::report::RepairReport;
use crate::key::{SeqNo, user_key};
use crate::manifest::current::{self, Slot};
use crate::manifest::{ManifestWriter, TableMeta, VersionEdit};
use crate::storage::{FileName, FileNumber, Storage};
use crate::table::{TableBuilder, TableOptions};
use crate::wal::file::Log;
use crate::{Options, Result};
use std::sync::Arc;

/// The one run of the new database.
const RUN: u64 = 1;

/// A database that is being written.
#[derive(Debug)]
pub(super) struct DatabaseWriter<'a> {
    storage: &'a dyn Storage,
    options: &'a Options,
    next_file: FileNumber,
    table: Option<TableBuilder>,
    tables: Vec<TableMeta>,
}

impl<'a> DatabaseWriter<'a> {
    pub(super) fn new(storage: &'a dyn Storage, options: &'a RepairOptions) -> Self {
        Self { storage, options: &options.options, next_file: 1, table: None, tables: Vec::new() }
    }

    fn take_number(&mut self) -> FileNumber {
        let number = self.next_file;
        self.next_file += 1;
        number
    }

    /// Adds the entry that comes next; each user key comes once.
    ///
    /// # Errors
    /// Those of the storage.
    pub(super) fn add(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        let full = self.options.table_bytes;
        if self.table.as_ref().is_some_and(|table| table.estimated_bytes() >= full) {
            self.finish_table()?;
        }
        let table = match &mut self.table {
            Some(table) => table,
            none => {
                let number = self.next_file;
                self.next_file += 1;
                let file = self.storage.create(FileName::Table(number).usable()?)?;
                let identity = Some(self.storage.identity());
                let options = TableOptions::new(self.options, identity);
                none.insert(TableBuilder::new(file, number, options))
            }
        };
        table.add(key, value).map(drop)
    }

    fn finish_table(&mut self) -> Result<()> {
        let Some(mut table) = self.table.take() else { return Ok(()) };
        table.finish_block()?;
        table.write_filter()?;
        table.write_index()?;
        table.write_footer()?;
        self.tables.push(TableMeta { run: RUN, ..table.sync()? });
        Ok(())
    }

    /// Makes it a database.
    ///
    /// # Errors
    /// Those of the storage. Without `CURRENT` it is none.
    pub(super) fn finish(mut self, last_sequence: SeqNo, report: &mut RepairReport) -> Result<()> {
        self.finish_table()?;
        let bytes: u64 = self.tables.iter().map(|table| table.bytes).sum();
        report.tables_written = self.tables.len() as u64;
        report.bytes_written = bytes;
        self.storage.sync_directory()?;
        let manifest = self.take_number();
        let log_number = self.next_file;
        let level = level_for(self.options, bytes);
        let tables = std::mem::take(&mut self.tables);
        debug_assert!(tables.is_sorted_by(|a, b| user_key(&a.largest) < user_key(&b.smallest)));
        let snapshot = VersionEdit {
            log_number: Some(log_number),
            next_file: Some(log_number),
            last_sequence: Some(last_sequence),
            added: tables.into_iter().map(|table| (level, Arc::new(table))).collect(),
            ..VersionEdit::default()
        };
        let identity = Some(self.storage.identity());
        let log = Log::manifest(manifest, identity);
        let mut writer = ManifestWriter::create(self.storage, log, &snapshot)?;
        writer.sync()?;
        self.storage.sync_directory()?;
        current::write(self.storage, Slot { epoch: 1, manifest, identity })
    }
}

/// The first level in which so many bytes are not too many: there is nothing to compact then.
fn level_for(options: &Options, bytes: u64) -> usize {
    let last = options.level_count.saturating_sub(1).max(1);
    let (mut level, mut limit) = (1, options.level_base_bytes);
    while level < last && bytes > limit {
        level += 1;
        limit = limit.saturating_mul(options.level_multiplier);
    }
    level
}
