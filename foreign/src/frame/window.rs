//! The part of a file that is in memory: up to 32 blocks.

use super::header::BLOCK_BYTES;
use crate::files::missing;
use crate::{Error, Files, Result};

/// Bytes of one read.
const WINDOW_BYTES: u64 = 1 << 20;

pub(super) struct Window<'f> {
    files: &'f dyn Files,
    name: String,
    length: u64,
    start: u64,
    bytes: Vec<u8>,
}

impl<'f> Window<'f> {
    pub(super) fn open(files: &'f dyn Files, name: &str) -> Result<Self> {
        let length = files.length(name).ok_or_else(|| missing(name))?;
        Ok(Self { files, name: name.to_owned(), length, start: 0, bytes: Vec::new() })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Length of the file when it was opened.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// The bytes from `at` to the end of its block or of the file.
    pub(super) fn block_from(&mut self, at: u64) -> Result<&[u8]> {
        let block = at - at % BLOCK_BYTES;
        let end = (block + BLOCK_BYTES).min(self.length);
        let loaded = block >= self.start && end <= self.start + self.bytes.len() as u64;
        if !loaded {
            self.load(block)?;
        }
        let place = |offset: u64| usize::try_from(offset.saturating_sub(self.start)).ok();
        let range = place(at).zip(place(end));
        Ok(range.and_then(|(from, to)| self.bytes.get(from..to)).unwrap_or_default())
    }

    fn load(&mut self, start: u64) -> Result<()> {
        let wanted = self.length.saturating_sub(start).min(WINDOW_BYTES);
        self.bytes.resize(usize::try_from(wanted).unwrap_or(0), 0);
        self.start = start;
        let named = |error: Error| error.in_file(&self.name);
        let read = self.files.read_at(&self.name, start, &mut self.bytes).map_err(named)?;
        if (read as u64) < wanted {
            // The file has become shorter since its length was taken.
            self.bytes.truncate(read);
            self.length = start + read as u64;
        }
        Ok(())
    }
}
