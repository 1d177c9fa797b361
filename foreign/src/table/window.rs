//! Reads consecutive blocks in large pieces.

use super::source::Source;
use crate::Result;
use crate::entry::BlockHandle;

/// Bytes that are read at once. One read for each block of 4 KiB would cost more than its checksum.
const WINDOW_BYTES: usize = 1 << 20;

/// A piece of the file.
pub(crate) struct Window {
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    pub(crate) fn new() -> Self {
        Self { start: 0, bytes: Vec::new() }
    }

    /// The block at `handle` with its trailer, and how many bytes were read from the file for it.
    ///
    /// # Errors
    /// Those of [`Source::extent`] and of the files.
    pub(crate) fn block(&mut self, source: &Source, handle: BlockHandle) -> Result<(&[u8], u64)> {
        let extent = source.extent(handle)?;
        let mut read = 0;
        if self.place(handle, extent).is_none() {
            let left = usize::try_from(source.end() - handle.offset).unwrap_or(usize::MAX);
            let length = extent.max(WINDOW_BYTES).min(left);
            if length > self.bytes.capacity() {
                // The old buffer is given back before a larger one is allocated.
                self.bytes = Vec::new();
            }
            let filled = source.fill(handle.offset, length, &mut self.bytes);
            if let Err(error) = filled {
                self.bytes.clear();
                return Err(error);
            }
            self.start = handle.offset;
            read = length as u64;
        }
        let place = self.place(handle, extent).unwrap_or_default();
        Ok((self.bytes.get(place).unwrap_or_default(), read))
    }

    fn place(&self, handle: BlockHandle, extent: usize) -> Option<std::ops::Range<usize>> {
        let at = usize::try_from(handle.offset.checked_sub(self.start)?).ok()?;
        let end = at.checked_add(extent)?;
        (end <= self.bytes.len()).then_some(at..end)
    }
}
