//! A part of a file in memory, for readers that were given bytes instead of a storage.

use super::File;
use crate::{Error, Result};

/// Bytes of a file, which can only be read; all others of the file count as unreadable.
#[derive(Debug, Clone, Copy)]
pub struct FilePart<'a> {
    bytes: &'a [u8],
    from: u64,
    length: u64,
}

impl<'a> FilePart<'a> {
    /// `bytes`, which begin at `from` of a file with `length` \[bytes\].
    pub fn part(bytes: &'a [u8], from: u64, length: u64) -> Self {
        Self { bytes, from, length }
    }
}

fn only_read<T>() -> Result<T> {
    Err(Error::invalid("this file is only read"))
}

impl File for FilePart<'_> {
    fn append(&self, _: &[u8]) -> Result<()> {
        only_read()
    }

    fn write_at(&self, _: u64, _: &[u8]) -> Result<()> {
        only_read()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let at = offset.checked_sub(self.from).and_then(|at| usize::try_from(at).ok());
        let rest = at.and_then(|at| self.bytes.get(at..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        Ok(count)
    }

    fn sync(&self) -> Result<()> {
        only_read()
    }

    fn len(&self) -> Result<u64> {
        Ok(self.length)
    }
}
