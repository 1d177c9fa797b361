//! The edits of a manifest while it is being written, read from the appended bytes.

use crate::manifest::VersionEdit;
use crate::storage::{FileName, FileNumber};
use crate::wal::file::Log;
use crate::wal::record::{RECORD_HEADER_BYTES, Record, RecordKind};
use std::collections::BTreeSet;

/// The tables and the oldest log that the newest manifest names.
///
/// A table that an edit removes counts as named until that edit is synced: whatever becomes of the edit,
/// nothing that either outcome needs may go.
#[derive(Debug, Default)]
pub(super) struct Edits {
    manifest: FileNumber,
    bytes: Vec<u8>,
    read: usize,
    /// Edits that were read.
    count: u64,
    tables: BTreeSet<FileNumber>,
    removed: BTreeSet<FileNumber>,
    log_number: FileNumber,
    /// Of edits that are not synced yet.
    next_log_number: FileNumber,
}

impl Edits {
    /// Reads on; returns the numbers of the tables that are added.
    pub(super) fn append(&mut self, manifest: FileNumber, bytes: &[u8]) -> Vec<FileNumber> {
        if manifest != self.manifest {
            // The one before counts until this one is durable, and a needed log never comes back.
            let log_number = self.log_number;
            *self = Self { manifest, log_number, ..Self::default() };
        }
        self.bytes.extend_from_slice(bytes);
        let mut added = Vec::new();
        let name = FileName::Manifest(manifest);
        let Ok(log) = Log::claimed(name, &self.bytes) else { return added };
        self.read = self.read.max(log.header_bytes());
        while let Ok(record) = Record::read(&self.bytes, log, self.read) {
            self.read = record.end();
            if record.header.kind != RecordKind::Edit {
                continue;
            }
            let offset = (record.offset + RECORD_HEADER_BYTES) as u64;
            let Ok(edit) = VersionEdit::decode(record.body, name, offset) else { continue };
            self.count += 1;
            self.removed.extend(edit.removed.iter().map(|(_, number)| *number));
            for (_, table) in &edit.added {
                added.push(table.number);
                self.removed.remove(&table.number);
            }
            self.next_log_number = self.next_log_number.max(edit.log_number.unwrap_or(0));
        }
        self.tables.extend(&added);
        added
    }

    /// A manifest begins: one of this number that could not be finished does not count any more.
    pub(super) fn created(&mut self, manifest: FileNumber) {
        if manifest == self.manifest {
            *self = Self { log_number: self.log_number, ..Self::default() };
        }
    }

    /// Every edit so far is durable.
    pub(super) fn synced(&mut self, manifest: FileNumber) {
        if manifest == self.manifest {
            let removed = std::mem::take(&mut self.removed);
            self.tables.retain(|number| !removed.contains(number));
            self.log_number = self.next_log_number;
        }
    }

    /// Whether there is a manifest whose edits could be read.
    pub(super) fn is_known(&self) -> bool {
        self.count > 0
    }

    /// Whether the manifest names this table.
    pub(super) fn has_table(&self, number: FileNumber) -> bool {
        self.tables.contains(&number)
    }

    /// The oldest log that is needed once every edit so far is durable.
    pub(super) fn oldest_log(&self) -> FileNumber {
        self.next_log_number
    }

    /// Whether the manifest needs this log.
    pub(super) fn needs_log(&self, number: FileNumber) -> bool {
        self.is_known() && number >= self.log_number
    }
}
