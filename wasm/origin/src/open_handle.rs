//! A handle whose every answer is checked, because a browser may return numbers that cannot be true.
//!
//! At its quota, Chromium's private window does not refuse a write: it returns 4,294,967,288 as the count of bytes written.

use super::host::Answer;
use levelscope::storage::FileName;
use levelscope::text::count;
use levelscope::{Error, ErrorKind, Result};

/// An open file; synchronous, and bound to the thread that opened it.
pub trait Handle {
    /// Reads into `buffer` from offset `at` \[bytes\]; returns the count as the platform reports it.
    ///
    /// # Errors
    /// The error of the browser or the system.
    fn read(&self, at: u64, buffer: &mut [u8]) -> Answer<f64>;

    /// Writes at offset `at` \[bytes\]; may write only a part. Returns the count as the platform reports it.
    ///
    /// # Errors
    /// The error of the browser or the system.
    fn write(&self, at: u64, bytes: &[u8]) -> Answer<f64>;

    /// Makes the content durable, as far as the browser or the system can.
    ///
    /// # Errors
    /// The error of the browser or the system.
    fn flush(&self) -> Answer<()>;

    /// Sets the length \[bytes\].
    ///
    /// # Errors
    /// The error of the browser or the system.
    fn truncate(&self, bytes: u64) -> Answer<()>;

    /// Length \[bytes\], as the platform reports it.
    ///
    /// # Errors
    /// The error of the browser or the system.
    fn size(&self) -> Answer<f64>;

    /// Gives the file back. Promises nothing about the written bytes.
    fn close(&self);
}

/// Longest file \[bytes\]: JavaScript counts exactly up to here.
pub(super) const FILE_BYTES_MAX: u64 = (1 << 53) - 1;

/// `reported` as a number of bytes from 0 to `most`; `None` if it is no such number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a whole number from 0 to `most`, which is below 2^53"
)]
fn bytes_of(reported: f64, most: u64) -> Option<u64> {
    let possible = reported >= 0.0 && reported <= most as f64 && reported.fract() == 0.0;
    possible.then_some(reported as u64)
}

/// As [`bytes_of`], of a call that must move at least one and at most `most` bytes.
fn progress_of(reported: f64, most: usize) -> Option<usize> {
    let moved = bytes_of(reported, most as u64)?;
    usize::try_from(moved).ok().filter(|moved| *moved > 0)
}

/// The open handle of the file `name`.
pub(super) struct OpenHandle {
    name: FileName,
    handle: Box<dyn Handle>,
}

impl OpenHandle {
    pub(super) fn new(name: FileName, handle: Box<dyn Handle>) -> Self {
        Self { name, handle }
    }

    /// Reads at least one byte at `offset`, and at most as many as `buffer` has.
    ///
    /// A browser that fails to read reports fewer bytes, as if the file had ended: callers ask only within
    /// the known length.
    pub(super) fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let reported = self.handle.read(offset, buffer);
        let reported = reported.map_err(|refusal| refusal.error(self.name, "read"))?;
        progress_of(reported, buffer.len()).ok_or_else(|| {
            let at = count(offset);
            let message = format!("reading gives nothing at offset {at}, inside the file");
            Error::in_file(ErrorKind::Io, self.name, message)
        })
    }

    /// Writes at least one of `bytes` at `offset`.
    pub(super) fn write(&self, offset: u64, bytes: &[u8]) -> Result<usize> {
        let reported = self.handle.write(offset, bytes);
        let reported = reported.map_err(|refusal| refusal.error(self.name, "write"))?;
        progress_of(reported, bytes.len()).ok_or_else(|| {
            let message = "it takes no more bytes: free some space, then reopen";
            Error::in_file(ErrorKind::OutOfSpace, self.name, message)
        })
    }

    /// Makes the content durable, at least `length` \[bytes\]: a write that failed may have left more.
    pub(super) fn flush(&self, length: u64) -> Result<()> {
        let flushed = self.handle.flush();
        flushed.map_err(|refusal| refusal.error(self.name, "make durable what was written to"))?;
        let size = self.size()?;
        if size >= length {
            return Ok(());
        }
        let (size, length) = (count(size), count(length));
        let message = format!(
            "it has only {size} of the {length} bytes written to it: free some space, then reopen"
        );
        Err(Error::in_file(ErrorKind::Io, self.name, message))
    }

    /// Makes the file empty.
    pub(super) fn clear(&self) -> Result<()> {
        let cleared = self.handle.truncate(0);
        cleared.map_err(|refusal| refusal.error(self.name, "empty"))?;
        let size = self.size()?;
        if size == 0 {
            return Ok(());
        }
        let message = format!("it still has {} bytes after it was emptied", count(size));
        Err(Error::in_file(ErrorKind::Io, self.name, message))
    }

    /// Length \[bytes\].
    pub(super) fn size(&self) -> Result<u64> {
        let reported = self.handle.size();
        let reported = reported.map_err(|refusal| refusal.error(self.name, "measure"))?;
        bytes_of(reported, FILE_BYTES_MAX).ok_or_else(|| {
            let message = "its length is reported as a number that no file can have";
            Error::in_file(ErrorKind::Io, self.name, message)
        })
    }

    /// Gives the file back.
    pub(super) fn close(&self) {
        self.handle.close();
    }
}
