//! Writing logs: records gather in a buffer that is appended in one piece; silence after the first failure.

#[cfg(not(target_arch = "wasm32"))]
use super::ahead::{Ahead, AheadSyncs};
use super::file::Log;
use super::record::{RECORD_HEADER_BYTES, RecordHeader, RecordKind};
use crate::coding::crc32;
use crate::storage::{File, FileName, Storage};
use crate::text;
use crate::{Error, ErrorKind, Result};
use std::sync::Arc;

/// Capacity that the buffer of a writer keeps between two records \[bytes\].
const KEPT_BUFFER_BYTES: usize = 1024 * 1024;

/// A sync has little to do when it has at most this part of a step of reserved space to make durable: above
/// that, writing the space twice costs more than it saves.
const SMALL_SYNC_SHARE: u64 = 16;

/// Appends records to a log file: the common part of the write-ahead log and the manifest.
///
/// After a failed append or sync the file may end in part of a record, and the durable length is unknown; so the writer
/// refuses everything from then on.
#[derive(Debug)]
pub(crate) struct LogWriter {
    log: Log,
    file: Arc<dyn File>,
    buffer: Vec<u8>,
    bytes: u64,
    synced_bytes: u64,
    /// Steps by which the file is made longer ahead when it is synced often; 0: never.
    reserve_bytes: u64,
    synced_often: bool,
    /// Length that it has so \[bytes\].
    reserved_end: u64,
    failure: Option<Error>,
    /// Where a thread syncs it ahead.
    #[cfg(not(target_arch = "wasm32"))]
    ahead: Option<Ahead>,
}

impl LogWriter {
    /// Creates the file and puts its header into the buffer: nothing is written before [`Self::write`].
    ///
    /// # Errors
    /// Those of [`Storage::create`]; `WouldBlock` has changed nothing.
    pub(crate) fn create(storage: &dyn Storage, log: Log) -> Result<Self> {
        let file = storage.create(log.name().usable()?)?;
        let mut buffer = Vec::new();
        log.encode_header(&mut buffer);
        Ok(Self {
            log,
            file,
            buffer,
            bytes: 0,
            synced_bytes: 0,
            reserve_bytes: 0,
            synced_often: false,
            reserved_end: 0,
            failure: None,
            #[cfg(not(target_arch = "wasm32"))]
            ahead: None,
        })
    }

    /// Lets the thread of `syncs` sync it ahead, from now on.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn sync_ahead(&mut self, syncs: Arc<AheadSyncs>) {
        self.ahead = Some(Ahead::new(syncs, Arc::clone(&self.file)));
    }

    /// Nothing of it is left to sync.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn end_ahead(&self) {
        if let Some(ahead) = &self.ahead {
            ahead.end();
        }
    }

    /// Who syncs it ahead.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn ahead(&self) -> Option<&Arc<AheadSyncs>> {
        self.ahead.as_ref().map(Ahead::syncs)
    }

    /// Lets the file be longer than its content, by steps of `bytes`, once syncs turn out to have little to do: on most
    /// file systems an append that does not change the length is synced without a commit of the journal.
    pub(super) fn reserve_by(&mut self, bytes: u64) {
        self.reserve_bytes = bytes;
    }

    /// Makes the file longer when the buffer would.
    fn reserve(&mut self) {
        let end = self.appended_bytes();
        if self.synced_often && self.reserve_bytes > 0 && end > self.reserved_end {
            self.reserved_end = end.div_ceil(self.reserve_bytes).saturating_mul(self.reserve_bytes);
            self.file.reserve(self.reserved_end);
        }
    }

    /// Gives back reserved and unused space.
    pub(super) fn give_back(&mut self) {
        if self.reserved_end > self.bytes {
            self.file.reserve(self.bytes);
            self.reserved_end = self.bytes;
        }
    }

    /// Frames `body` as a record and appends it to the buffer.
    ///
    /// # Errors
    /// `InvalidArgument` when the body is too long; `ReadOnly` after a failure. Nothing was changed.
    pub(crate) fn push(
        &mut self,
        kind: RecordKind,
        number: u64,
        count: u32,
        body: &[u8],
    ) -> Result<()> {
        self.writable()?;
        let limit = self.log.body_bytes_max();
        let body_bytes = u32::try_from(body.len()).ok().filter(|_| body.len() <= limit);
        let body_bytes = body_bytes.ok_or_else(|| {
            let (bytes, limit) = (text::bytes(body.len()), text::count(limit as u64));
            Error::invalid(format!("a record of {bytes} is too long: the limit is {limit}"))
        })?;
        let header = RecordHeader {
            body_bytes,
            body_checksum: crc32(&[body]),
            count,
            synced_bytes: self.synced_bytes,
            number,
            kind,
        };
        let offset = self.appended_bytes();
        self.buffer.reserve(RECORD_HEADER_BYTES + body.len());
        header.encode(self.log, offset, &mut self.buffer);
        self.buffer.extend_from_slice(body);
        Ok(())
    }

    /// Appends the buffer to the file, in one piece; an empty one costs nothing.
    ///
    /// # Errors
    /// Those of [`File::append`]; `ReadOnly` after a failure.
    pub(crate) fn write(&mut self) -> Result<()> {
        self.writable()?;
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.reserve();
        let appended = self.file.append(&self.buffer);
        self.noted(appended)?;
        self.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        self.buffer.shrink_to(KEPT_BUFFER_BYTES);
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(ahead) = &mut self.ahead {
            ahead.offer(self.bytes, self.synced_bytes);
        }
        Ok(())
    }

    fn sync_file(&self) -> Result<()> {
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(ahead) = &self.ahead {
            return ahead.sync();
        }
        self.file.sync()
    }

    /// Writes the buffer and makes everything durable.
    ///
    /// # Errors
    /// Those of [`Self::write`] and [`File::sync`]; `ReadOnly` after a failure: a failed sync is never
    /// tried again.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.write()?;
        let synced = self.sync_file();
        self.noted(synced)?;
        self.synced_often |=
            self.bytes - self.synced_bytes <= self.reserve_bytes / SMALL_SYNC_SHARE;
        self.synced_bytes = self.bytes;
        Ok(())
    }

    /// [`Self::sync`], and then a mark that proves it to a later reader.
    ///
    /// The mark itself is not synced: a crash may lose it, but then no other damage is to be expected.
    ///
    /// # Errors
    /// Those of [`Self::sync`] and [`Self::write`].
    pub(crate) fn sync_with_mark(&mut self, next_number: u64) -> Result<()> {
        self.sync()?;
        self.push(RecordKind::SyncMark, next_number, 0, &[])?;
        self.write()
    }

    /// Name of the file.
    pub(crate) fn name(&self) -> FileName {
        self.log.name()
    }

    /// Length of the file \[bytes\].
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How much of the file was synced \[bytes\].
    pub(crate) fn synced_bytes(&self) -> u64 {
        self.synced_bytes
    }

    /// Length of the file once the buffer is written \[bytes\].
    pub(crate) fn appended_bytes(&self) -> u64 {
        self.bytes + self.buffer.len() as u64
    }

    /// Refuses after a failure.
    ///
    /// # Errors
    /// `ReadOnly`, with the failure in the sentence.
    pub(super) fn writable(&self) -> Result<()> {
        let Some(failure) = &self.failure else { return Ok(()) };
        Err(Error::in_file(
            ErrorKind::ReadOnly,
            self.log.name(),
            format!("nothing more is written here, because an earlier write failed: {failure}"),
        ))
    }

    fn noted(&mut self, result: Result<()>) -> Result<()> {
        if let Err(error) = &result {
            self.failure = Some(error.clone());
        }
        result
    }
}
