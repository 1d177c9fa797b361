//! Replaying a manifest.

use super::edit::VersionEdit;
use super::tables::TableSet;
use super::version::Version;
use super::writer::is_snapshot;
use crate::key::SeqNo;
use crate::storage::{FileName, FileNumber};
use crate::wal::file::Log;
use crate::wal::record::{RECORD_HEADER_BYTES, Record, RecordKind};
use crate::wal::tail;
use crate::{Error, Result};
use std::collections::BTreeMap;

/// The state after all edits of a manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ManifestState {
    /// The live tables.
    pub(crate) version: Version,
    /// Logs with smaller numbers hold nothing that tables do not hold.
    pub(crate) log_number: FileNumber,
    /// Every number below is taken.
    pub(crate) next_file: FileNumber,
    /// No sequence number above was given out when the last edit was written.
    pub(crate) last_sequence: SeqNo,
    /// Logs that a crash left without a clean end, and how much of each counts \[bytes\].
    pub(crate) sealed_logs: Vec<(FileNumber, u64)>,
    /// Logs and tables with smaller numbers carry no identity; 0: all carry that of the manifest.
    pub(crate) identified_from: FileNumber,
    /// Logs that exist, and where the clean end of each ends \[bytes\]; 0: it had none yet.
    pub(crate) live_logs: BTreeMap<FileNumber, u64>,
    /// Edits, the snapshot included.
    pub(crate) edits: u64,
    /// Where the last whole edit ends \[bytes\]; less than the file has when its tail is torn.
    pub(crate) valid_bytes: u64,
}

impl ManifestState {
    /// The state of a manifest with `snapshot` as its only edit; `version` holds the tables of `snapshot`.
    pub(crate) fn of_snapshot(version: Version, snapshot: &VersionEdit) -> Self {
        let mut state = Self { version, ..Self::default() };
        state.count(snapshot);
        state
    }

    /// Whether edits came after the snapshot: only a manifest that `CURRENT` names gets any.
    pub(crate) fn was_used(&self) -> bool {
        self.edits > 1
    }

    /// Applies every field of `edit` except the tables.
    ///
    /// Two jobs may log their edits in the other order than they read the counters: the larger wins.
    pub(crate) fn count(&mut self, edit: &VersionEdit) {
        let added = edit.added.iter().map(|(_, table)| table);
        let beyond_tables = added.clone().map(|table| table.number.saturating_add(1)).max();
        let newest = added.map(|table| table.sequence_max).max();
        self.next_file = self.next_file.max(edit.next_file.max(beyond_tables).unwrap_or(0));
        self.last_sequence = self.last_sequence.max(edit.last_sequence.max(newest).unwrap_or(0));
        self.log_number = self.log_number.max(edit.log_number.unwrap_or(0));
        self.sealed_logs.extend(&edit.sealed_logs);
        self.identified_from = self.identified_from.max(edit.identified_from.unwrap_or(0));
        for (log, bytes) in &edit.live_logs {
            let known = self.live_logs.entry(*log).or_default();
            *known = (*known).max(*bytes);
        }
        let oldest_log = self.log_number;
        self.live_logs.retain(|log, _| *log >= oldest_log);
        self.edits += 1;
    }
}

/// Reads the manifest `log`, whose bytes are `bytes`, in order.
///
/// The torn end of an edit that was not yet durable is ignored; every other difference from the written bytes is damage
/// ([`tail`]). The file header and the snapshot were durable before anything pointed here, so they are never torn.
///
/// # Errors
/// `Corruption` with file and offset; `UnsupportedFormat`.
///
/// Cost: one pass, and a logarithm for each table of an edit.
pub(crate) fn replay_bytes(bytes: &[u8], log: Log) -> Result<ManifestState> {
    let name = log.name();
    if !log.check_header(bytes)? {
        return Err(Error::corruption(name, 0, "the file header is cut off or damaged"));
    }
    let mut tables = TableSet::default();
    let mut state = ManifestState::default();
    let mut offset = log.header_bytes();
    while offset < bytes.len() {
        let record = match Record::read(bytes, log, offset) {
            Ok(record) => record,
            Err(bad) => match tail::damage(bytes, log, bad) {
                Some(error) => return Err(error),
                None => break,
            },
        };
        apply(&mut state, &mut tables, &record, name)?;
        offset = record.end();
    }
    if state.edits == 0 {
        let message = "the snapshot with which every manifest begins is missing";
        return Err(Error::corruption(name, offset as u64, message));
    }
    state.valid_bytes = offset as u64;
    let oldest_log = state.log_number;
    state.sealed_logs.retain(|(log, _)| *log >= oldest_log);
    state.version = tables
        .version()
        .map_err(|error| Error::corruption(name, offset as u64, error.to_string()))?;
    Ok(state)
}

fn apply(
    state: &mut ManifestState,
    tables: &mut TableSet,
    record: &Record<'_>,
    name: FileName,
) -> Result<()> {
    let damaged = |message: String| Error::corruption(name, record.offset as u64, message);
    let position = state.edits + 1;
    if record.header.number != position {
        let found = record.header.number;
        let message = format!("edit {position} should come here, but edit {found} does");
        return Err(damaged(message));
    }
    if record.header.kind == RecordKind::SyncMark {
        return Ok(());
    }
    let body_offset = (record.offset + RECORD_HEADER_BYTES) as u64;
    let edit = VersionEdit::decode(record.body, name, body_offset)?;
    if edit.count() != record.header.count {
        return Err(damaged("the header counts other tables than the edit has".to_owned()));
    }
    if position == 1 && !is_snapshot(&edit) {
        return Err(damaged("the first edit of a manifest must be a whole snapshot".to_owned()));
    }
    tables.apply(&edit).map_err(damaged)?;
    state.count(&edit);
    Ok(())
}
