//! One file of the directory: its handle, its length and who still uses it.

use super::host::Host;
use super::open_handle::{FILE_BYTES_MAX, Handle, OpenHandle};
use super::staging::Piece;
use levelscope::storage::FileName;
use levelscope::{Error, ErrorKind, Result};
use std::sync::Arc;

/// The state of a file for the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Opened ahead, empty; to the engine it does not exist yet.
    Prepared,
    /// It exists.
    Present,
    /// The engine deleted it; the worker has not yet.
    Removed,
}

/// The state of a file on the medium.
#[derive(Default)]
pub(super) struct Medium {
    /// Whether it has the file.
    pub(super) made: bool,
    /// The part of the file's length that it has \[bytes\].
    settled: u64,
    /// Whether its bytes are those of a deleted file of this name.
    stale: bool,
}

/// One file.
pub(super) struct Entry {
    pub(super) name: FileName,
    pub(super) state: State,
    pub(super) handle: Option<OpenHandle>,
    /// Length \[bytes\]; unknown until it was open once.
    pub(super) length: Option<u64>,
    /// Whether there are bytes that no sync covers.
    pub(super) dirty: bool,
    /// Bytes that wait for the worker, in the order of writing.
    pub(super) staged: Vec<Piece>,
    /// Whether a sync waits, too.
    sync_waits: bool,
    pub(super) medium: Medium,
    /// When it was last opened or read: the larger, the later.
    pub(super) touched: u64,
    /// Shared with every open [`super::storage::OriginFile`] of this entry.
    pub(super) users: Arc<()>,
}

impl Entry {
    pub(super) fn new(name: FileName, state: State) -> Self {
        Self {
            name,
            state,
            handle: None,
            length: None,
            dirty: false,
            staged: Vec::new(),
            sync_waits: false,
            medium: Medium::default(),
            touched: 0,
            users: Arc::new(()),
        }
    }

    /// Whether the engine still holds the file open.
    pub(super) fn is_used(&self) -> bool {
        Arc::strong_count(&self.users) > 1
    }

    fn handle(&self) -> Result<&OpenHandle> {
        self.handle.as_ref().ok_or_else(|| Error::would_block(self.name))
    }

    /// Closes the handle; later reads answer `WouldBlock`.
    pub(super) fn close(&mut self) {
        if let Some(handle) = self.handle.take() {
            handle.close();
        }
    }

    /// Takes over a handle that the worker has opened.
    pub(super) fn attach(&mut self, handle: Box<dyn Handle>) -> Result<()> {
        let handle = OpenHandle::new(self.name, handle);
        let size = handle.size()?;
        if self.state == State::Present && !self.medium.made {
            self.medium.stale = size > 0;
        } else {
            self.length = Some(size);
            self.medium.settled = size;
        }
        self.medium.made = true;
        self.handle = Some(handle);
        Ok(())
    }

    /// Opens it once more; its bytes are as they were.
    pub(super) fn open(&mut self, host: &dyn Host) -> Result<()> {
        let opened = host.open(&self.name.to_string());
        self.attach(opened.map_err(|refusal| refusal.error(self.name, "open"))?)
    }

    /// Makes the file empty.
    pub(super) fn clear(&mut self) -> Result<()> {
        if self.length != Some(0) {
            self.handle()?.clear()?;
            self.length = Some(0);
            self.medium.settled = 0;
        }
        Ok(())
    }

    /// As [`Self::clear`], in memory.
    pub(super) fn clear_staged(&mut self) {
        self.medium.stale = self.medium.stale || self.medium.settled > 0;
        self.medium.settled = 0;
        self.length = Some(0);
        self.staged.clear();
        self.sync_waits = false;
    }

    /// Whether there are bytes that wait for the worker.
    pub(super) fn is_waiting(&self) -> bool {
        self.state == State::Present && !self.staged.is_empty()
    }

    /// Whether the medium has bytes of it.
    pub(super) fn is_settled(&self) -> bool {
        self.medium.settled > 0
    }

    /// Keeps `bytes` for `offset`, or for the end, until [`Self::settle`].
    pub(super) fn stage(&mut self, offset: Option<u64>, bytes: &[u8]) -> Result<()> {
        let start = self.start(offset, bytes)?;
        if bytes.is_empty() {
            return Ok(());
        }
        self.dirty = true;
        match self.staged.last_mut() {
            Some(last) if last.end() == start => last.bytes.extend_from_slice(bytes),
            _ => self.staged.push(Piece { offset: start, bytes: bytes.to_vec() }),
        }
        let end = start + bytes.len() as u64;
        self.length = Some(self.length.unwrap_or(0).max(end));
        Ok(())
    }

    /// Lets the next [`Self::settle`] make everything written so far durable.
    pub(super) fn stage_sync(&mut self) {
        self.sync_waits = true;
    }

    /// Forgets everything that the medium does not have.
    pub(super) fn return_to_medium(&mut self) {
        let stale = self
            .handle
            .as_ref()
            .filter(|_| self.medium.stale)
            .and_then(|handle| handle.size().ok());
        self.medium.settled = stale.unwrap_or(self.medium.settled);
        if self.length.is_some() {
            self.length = Some(self.medium.settled);
        }
        self.staged.clear();
        (self.state, self.medium.stale, self.sync_waits) = (State::Present, false, false);
    }

    /// Writes waiting data in order, and makes it durable if that was asked for; whether there was anything to do.
    pub(super) fn settle(&mut self) -> Result<bool> {
        let works = self.medium.stale || self.sync_waits || !self.staged.is_empty();
        if self.medium.stale {
            self.handle()?.clear()?;
            self.medium.stale = false;
        }
        let mut pieces = std::mem::take(&mut self.staged).into_iter();
        while let Some(piece) = pieces.next() {
            let written = self.write(Some(piece.offset), &piece.bytes);
            // The slots of `CURRENT` are written in turn: one is durable before the other is touched.
            let synced = if self.name == FileName::Current { self.sync() } else { Ok(()) };
            if let Err(error) = written.and(synced) {
                // It can still be read.
                self.staged = std::iter::once(piece).chain(pieces).collect();
                return Err(error);
            }
        }
        if self.sync_waits {
            self.sync()?;
        }
        Ok(works)
    }

    /// Fills `buffer` from `offset`; fewer bytes only at the end of the file.
    pub(super) fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let left = self.length.unwrap_or(0).saturating_sub(offset);
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if cfg!(feature = "staging") && !(self.staged.is_empty() && self.medium.made) {
            let buffer = buffer.get_mut(..wanted).unwrap_or_default();
            return self.read_staged(offset, buffer);
        }
        self.read_settled(offset, buffer.get_mut(..wanted).unwrap_or_default())
    }

    /// As [`Self::read`], of a file of which a part is in memory.
    fn read_staged(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let settled = self.medium.settled.saturating_sub(offset);
        let settled = buffer.len().min(usize::try_from(settled).unwrap_or(usize::MAX));
        if settled > 0 {
            self.read_settled(offset, buffer.get_mut(..settled).unwrap_or_default())?;
        }
        buffer.get_mut(settled..).unwrap_or_default().fill(0);
        for piece in &self.staged {
            piece.copy_to(offset, buffer);
        }
        Ok(buffer.len())
    }

    /// Fills `buffer` with the medium's bytes from `offset` on.
    fn read_settled(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let handle = self.handle()?;
        let wanted = buffer.len();
        let mut done = 0;
        while done < wanted {
            let rest = buffer.get_mut(done..wanted).unwrap_or_default();
            done += handle.read(offset + done as u64, rest)?;
        }
        Ok(done)
    }

    /// Where `bytes` go that are for `offset`, or for the end.
    fn start(&self, offset: Option<u64>, bytes: &[u8]) -> Result<u64> {
        let start = offset.or(self.length).unwrap_or(0);
        if start.checked_add(bytes.len() as u64).is_none_or(|end| end > FILE_BYTES_MAX) {
            let bytes = levelscope::text::bytes(bytes.len());
            let message = format!("{bytes} at offset {start} are too many for a file");
            return Err(Error::in_file(ErrorKind::InvalidArgument, self.name, message));
        }
        Ok(start)
    }

    /// Writes all of `bytes` at `offset`, or at the end.
    pub(super) fn write(&mut self, offset: Option<u64>, bytes: &[u8]) -> Result<()> {
        let start = self.start(offset, bytes)?;
        self.dirty = true;
        let mut done = 0;
        let outcome = loop {
            let rest = bytes.get(done..).unwrap_or_default();
            if rest.is_empty() {
                break Ok(());
            }
            match self.handle()?.write(start + done as u64, rest) {
                Ok(count) => done += count,
                Err(error) => break Err(error),
            }
        };
        if done > 0 {
            let end = start + done as u64;
            self.length = Some(self.length.unwrap_or(0).max(end));
            self.medium.settled = self.medium.settled.max(end);
        }
        outcome
    }

    /// Makes everything written durable.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.handle()?.flush(self.medium.settled)?;
        self.dirty = false;
        self.sync_waits = false;
        Ok(())
    }

    /// Whether the handle can be closed because it is not needed soon.
    pub(super) fn is_cold_candidate(&self) -> bool {
        self.state == State::Present
            && matches!(self.name, FileName::Table(_))
            && self.handle.is_some()
            && !self.dirty
            && self.length.unwrap_or(0) > 0
    }
}
