//! One file of the directory: its handle, its length and who still uses it.

use super::host::{Answer, Host};
use levelscope::storage::FileName;
use levelscope::{Error, ErrorKind, Result};
use std::sync::Arc;

/// Longest file \[bytes\]: JavaScript counts exactly up to here.
const FILE_BYTES_MAX: u64 = (1 << 53) - 1;

/// An open file; synchronous, and bound to the thread that opened it.
pub trait Handle {
    /// Reads into `buffer` from offset `at` \[bytes\]; fewer bytes at the end, or after a failure.
    ///
    /// # Errors
    /// What the browser or the system says.
    fn read(&self, at: u64, buffer: &mut [u8]) -> Answer<usize>;

    /// Writes at offset `at` \[bytes\]; may write only a part.
    ///
    /// # Errors
    /// What the browser or the system says.
    fn write(&self, at: u64, bytes: &[u8]) -> Answer<usize>;

    /// Makes the content durable, as far as the browser or the system can.
    ///
    /// # Errors
    /// What the browser or the system says.
    fn flush(&self) -> Answer<()>;

    /// Sets the length \[bytes\].
    ///
    /// # Errors
    /// What the browser or the system says.
    fn truncate(&self, bytes: u64) -> Answer<()>;

    /// Length \[bytes\].
    ///
    /// # Errors
    /// What the browser or the system says.
    fn size(&self) -> Answer<u64>;

    /// Gives the file back. Promises nothing about what was written.
    fn close(&self);
}

fn takes_nothing(file: FileName) -> Error {
    let message = "it takes no more bytes: free some space, then reopen";
    Error::in_file(ErrorKind::OutOfSpace, file, message)
}

/// What the engine knows about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Opened ahead, empty; to the engine it does not exist yet.
    Prepared,
    /// It exists.
    Present,
    /// The engine deleted it; the worker has not yet.
    Removed,
}

/// One file.
pub(super) struct Entry {
    pub(super) name: FileName,
    pub(super) state: State,
    pub(super) handle: Option<Box<dyn Handle>>,
    /// Length \[bytes\]; unknown until it was open once.
    pub(super) length: Option<u64>,
    /// Whether there are bytes that no sync covers.
    pub(super) dirty: bool,
    /// When it was last opened or read: the larger, the later.
    pub(super) touched: u64,
    /// Shared with every open [`super::storage::OriginFile`] of this entry.
    pub(super) users: Arc<()>,
}

impl Entry {
    pub(super) fn new(name: FileName, state: State) -> Self {
        let users = Arc::new(());
        Self { name, state, handle: None, length: None, dirty: false, touched: 0, users }
    }

    /// Whether the engine still holds the file open.
    pub(super) fn is_used(&self) -> bool {
        Arc::strong_count(&self.users) > 1
    }

    fn handle(&self) -> Result<&dyn Handle> {
        self.handle.as_deref().ok_or_else(|| Error::would_block(self.name))
    }

    /// Closes the handle; later reads answer `WouldBlock`.
    pub(super) fn close(&mut self) {
        if let Some(handle) = self.handle.take() {
            handle.close();
        }
    }

    /// Takes over a handle that the worker has opened.
    pub(super) fn attach(&mut self, handle: Box<dyn Handle>) -> Result<()> {
        let size = handle.size().map_err(|refusal| refusal.error(self.name, "measure"))?;
        self.length = Some(size);
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
            let cleared = self.handle()?.truncate(0);
            cleared.map_err(|refusal| refusal.error(self.name, "empty"))?;
            self.length = Some(0);
        }
        Ok(())
    }

    /// Fills `buffer` from `offset`; fewer bytes only at the end of the file.
    ///
    /// A browser that fails to read reports fewer bytes, as if the file had ended: within the known
    /// length that is an error.
    pub(super) fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let handle = self.handle()?;
        let left = self.length.unwrap_or(0).saturating_sub(offset);
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let mut done = 0;
        while done < wanted {
            let rest = buffer.get_mut(done..wanted).unwrap_or_default();
            let read = handle.read(offset + done as u64, rest);
            let count = read.map_err(|refusal| refusal.error(self.name, "read"))?;
            if count == 0 {
                let at = offset + done as u64;
                let message = format!("reading gives nothing at offset {at}, inside the file");
                return Err(Error::in_file(ErrorKind::Io, self.name, message));
            }
            done += count.min(wanted - done);
        }
        Ok(done)
    }

    /// Writes all of `bytes` at `offset`, or at the end.
    pub(super) fn write(&mut self, offset: Option<u64>, bytes: &[u8]) -> Result<()> {
        let start = offset.or(self.length).unwrap_or(0);
        if start.checked_add(bytes.len() as u64).is_none_or(|end| end > FILE_BYTES_MAX) {
            let bytes = levelscope::text::bytes(bytes.len());
            let message = format!("{bytes} at offset {start} are too many for a file");
            return Err(Error::in_file(ErrorKind::InvalidArgument, self.name, message));
        }
        self.dirty = true;
        let mut done = 0;
        let outcome = loop {
            let rest = bytes.get(done..).unwrap_or_default();
            if rest.is_empty() {
                break Ok(());
            }
            match self.handle()?.write(start + done as u64, rest) {
                Ok(0) => break Err(takes_nothing(self.name)),
                Ok(count) => done += count.min(rest.len()),
                Err(refusal) => break Err(refusal.error(self.name, "write")),
            }
        };
        if done > 0 {
            let end = start + done as u64;
            self.length = Some(self.length.unwrap_or(0).max(end));
        }
        outcome
    }

    /// Makes everything written durable.
    pub(super) fn sync(&mut self) -> Result<()> {
        let flushed = self.handle()?.flush();
        flushed.map_err(|refusal| refusal.error(self.name, "make durable what was written to"))?;
        self.dirty = false;
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
