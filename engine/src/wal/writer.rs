//! The write-ahead log as its writer sees it: batches, their sequence numbers, and how many of them are durable.

#[cfg(not(target_arch = "wasm32"))]
use super::ahead::AheadSyncs;
use super::file::Log;
use super::log::LogWriter;
use super::record::RecordKind;
use crate::key::SeqNo;
use crate::limits::SEQUENCE_MAX;
use crate::storage::{FileNumber, Storage};
use crate::view::WalView;
use crate::{Error, ErrorKind, Result};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::Arc;

/// The log before a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Before {
    /// Its number.
    pub(crate) log: FileNumber,
    /// Whether it has its clean end, or the manifest records its length. Otherwise the new log records the end later:
    /// [`WalWriter::record_previous_end`].
    pub(crate) ended: bool,
}

impl Before {
    /// The log `log`, which has ended.
    pub(crate) fn ended(log: FileNumber) -> Self {
        Self { log, ended: true }
    }
}

/// Writes one write-ahead log.
///
/// Sequence numbers have no gaps within a log: the reader refuses a log that has one.
#[derive(Debug)]
pub(crate) struct WalWriter {
    log: LogWriter,
    number: FileNumber,
    records: u64,
    written_records: u64,
    synced_records: u64,
    synced_bytes: u64,
    /// Whether the last sync made several batches durable, and no record has followed that proves it.
    unproven: bool,
    next_sequence: Option<SeqNo>,
    closed: bool,
}

impl WalWriter {
    /// A log that comes after no other.
    #[cfg(test)]
    pub(crate) fn create(storage: &dyn Storage, number: FileNumber) -> Result<Self> {
        Self::create_after(storage, Log::wal(number, Some(storage.identity())), None, 0)
    }

    /// Creates the write-ahead log `log` and appends its file header, and a record that names the log that has to be
    /// replayed before it, `before`, if any. Nothing is durable yet, not even the name.
    ///
    /// When it is synced often, the file is made longer ahead by steps of `reserve_bytes`, unless that is 0.
    ///
    /// # Errors
    /// Those of [`Storage::create`] (`WouldBlock` has changed nothing) and of [`File::append`].
    pub(crate) fn create_after(
        storage: &dyn Storage,
        log: Log,
        before: Option<Before>,
        reserve_bytes: u64,
    ) -> Result<Self> {
        let mut log = Self::create_empty(storage, log, before, reserve_bytes)?;
        log.write()?;
        Ok(log)
    }

    /// The same, but the file has no byte before the next [`Self::write`].
    ///
    /// # Errors
    /// Those of [`Storage::create`].
    pub(crate) fn create_empty(
        storage: &dyn Storage,
        log: Log,
        before: Option<Before>,
        reserve_bytes: u64,
    ) -> Result<Self> {
        let number = log.number();
        let mut log = LogWriter::create(storage, log)?;
        log.reserve_by(reserve_bytes);
        if let Some(before) = before {
            log.push(RecordKind::Follows, before.log, u32::from(!before.ended), &[])?;
        }
        Ok(Self {
            log,
            number,
            records: 0,
            written_records: 0,
            synced_records: 0,
            synced_bytes: 0,
            unproven: false,
            next_sequence: None,
            closed: false,
        })
    }

    /// Appends a record of the clean end of log `before`, which had not ended when this one was begun.
    ///
    /// # Errors
    /// `ReadOnly` after a failure.
    pub(crate) fn record_previous_end(&mut self, before: FileNumber) -> Result<()> {
        self.log.push(RecordKind::Follows, before, 0, &[])
    }

    /// The same log, which the thread of `syncs` syncs ahead of need.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn synced_ahead(mut self, syncs: Option<Arc<AheadSyncs>>) -> Self {
        if let Some(syncs) = syncs {
            self.log.sync_ahead(syncs);
        }
        self
    }

    /// Who syncs the log ahead.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn ahead(&self) -> Option<Arc<AheadSyncs>> {
        self.log.ahead().cloned()
    }

    /// Appends one batch, whose entries have the sequence numbers from `first_sequence` on. It is in the
    /// file only after [`Self::write`], and durable only after [`Self::sync`] returned `Ok`.
    ///
    /// # Errors
    /// `InvalidArgument` (nothing was changed) for an empty or too long batch, or a sequence number
    /// that does not follow the last one; `Closed` after [`Self::close`]; `ReadOnly` after a failure.
    ///
    /// Cost: one copy of the body; no allocation unless the buffer is the longest yet.
    pub(crate) fn append(&mut self, first_sequence: SeqNo, count: u32, body: &[u8]) -> Result<()> {
        if self.closed {
            return Err(Error::in_file(ErrorKind::Closed, self.log.name(), "this log was closed"));
        }
        self.log.writable()?;
        if count == 0 || first_sequence == 0 {
            let message =
                "a logged batch has an operation at least, and sequence numbers from 1 on";
            return Err(Error::invalid(message));
        }
        let next = first_sequence.saturating_add(u64::from(count));
        if next > SEQUENCE_MAX {
            return Err(Error::invalid("there are no sequence numbers left"));
        }
        if let Some(expected) = self.next_sequence.filter(|expected| *expected != first_sequence) {
            return Err(Error::invalid(format!(
                "sequence number {expected} must be logged next, not {first_sequence}"
            )));
        }
        self.log.push(RecordKind::Batch, first_sequence, count, body)?;
        self.records += 1;
        self.unproven = false;
        self.next_sequence = Some(next);
        Ok(())
    }

    /// Writes every appended batch to the file, in one piece. They survive the death of the process
    /// from then on, not that of the machine.
    ///
    /// # Errors
    /// Those of [`File::append`], and `ReadOnly` ever after.
    pub(crate) fn write(&mut self) -> Result<()> {
        self.log.write()?;
        self.written_records = self.records;
        Ok(())
    }

    /// [`Self::sync_without_mark`], and then [`Self::mark_sync`].
    #[cfg(test)]
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.sync_without_mark()?;
        self.mark_sync()
    }

    /// Writes every appended batch and makes it durable.
    ///
    /// Of several batches that were not, all but the last lack a proof that they are now, until another record or
    /// [`Self::mark_sync`] follows.
    ///
    /// # Errors
    /// Those of [`File::sync`] and [`File::append`], and `ReadOnly` ever after.
    pub(crate) fn sync_without_mark(&mut self) -> Result<()> {
        self.log.sync()?;
        self.unproven = self.records - self.synced_records > 1;
        self.written_records = self.records;
        self.synced_records = self.records;
        self.synced_bytes = self.log.bytes();
        Ok(())
    }

    /// Appends a mark of 32 bytes, when the last sync made several batches durable and no record has followed.
    ///
    /// The mark itself is not synced: a crash may lose it, but then no other damage is to be expected.
    ///
    /// # Errors
    /// Those of [`File::append`], and `ReadOnly` ever after.
    pub(crate) fn mark_sync(&mut self) -> Result<()> {
        if std::mem::take(&mut self.unproven) {
            self.log.push(RecordKind::SyncMark, self.next_number(), 0, &[])?;
            self.log.write()?;
            self.synced_bytes = self.log.bytes();
        }
        Ok(())
    }

    /// Whether a write or a sync of it has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.log.writable().is_err()
    }

    /// Whether it has its clean end.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Ends the log with a clean-end record and makes all of it durable. A second call does nothing.
    ///
    /// The log is synced before the record is written, so that the record proves the sync.
    ///
    /// # Errors
    /// Those of [`File::append`] and [`File::sync`], and `ReadOnly` ever after.
    pub(crate) fn close(&mut self) -> Result<()> {
        if self.closed {
            return Ok(());
        }
        self.log.reserve_by(0);
        if self.synced_records < self.records {
            self.log.sync()?;
        }
        self.log.push(RecordKind::CleanEnd, self.next_number(), 0, &[])?;
        self.log.sync()?;
        #[cfg(not(target_arch = "wasm32"))]
        self.log.end_ahead();
        // Not synced: zeros after the clean end are allowed.
        self.log.give_back();
        self.written_records = self.records;
        self.synced_records = self.records;
        self.synced_bytes = self.log.bytes();
        self.closed = true;
        Ok(())
    }

    /// The log as views show it.
    pub(crate) fn view(&self) -> WalView {
        WalView {
            wal: self.number,
            bytes: self.bytes(),
            written_bytes: self.written_bytes(),
            synced_bytes: self.durable_bytes(),
            records: self.records,
            written_records: self.written_records,
            synced_records: self.synced_records,
            closed: self.closed,
        }
    }

    /// The next sequence number for a record that is no batch: 0 when it is unknown.
    fn next_number(&self) -> SeqNo {
        self.next_sequence.unwrap_or(0)
    }

    /// Number in the file name.
    pub(crate) fn number(&self) -> FileNumber {
        self.number
    }

    /// Length of the log, the bytes still in the buffer included \[bytes\].
    pub(crate) fn bytes(&self) -> u64 {
        self.log.appended_bytes()
    }

    /// Length of the file \[bytes\]. Records after this length are in memory only; a killed process loses them.
    pub(crate) fn written_bytes(&self) -> u64 {
        self.log.bytes()
    }

    /// Bytes that are in memory only \[bytes\].
    pub(crate) fn buffered_bytes(&self) -> u64 {
        self.bytes() - self.written_bytes()
    }

    /// Batches in the log, those in the buffer included.
    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    /// Length at the last sync, with the mark that was written afterwards \[bytes\].
    pub(crate) fn synced_bytes(&self) -> u64 {
        self.synced_bytes
    }

    /// Length after which a crash may lose something \[bytes\].
    pub(crate) fn durable_bytes(&self) -> u64 {
        self.log.synced_bytes()
    }

    /// Batches known to be durable.
    #[cfg(test)]
    pub(crate) fn synced_records(&self) -> u64 {
        self.synced_records
    }
}
