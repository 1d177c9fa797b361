//! The end of a table file, read at once: opening asks for footer, index and meta blocks, which stand there one
//! after the other, and in a browser each read costs about a millisecond.

use crate::Result;
use crate::storage::{File, FileName, read_exactly};

/// Least and greatest length that is read \[bytes\].
const BYTES: std::ops::RangeInclusive<u64> = 4 << 10..=64 << 10;
/// The end of a table with everything but data is a part of it that is smaller than this one.
const SHARE: u64 = 32;

/// A file whose end is in memory.
#[derive(Debug)]
pub(super) struct Tail<'a> {
    file: &'a dyn File,
    /// Where the bytes begin \[bytes\].
    from: u64,
    bytes: Vec<u8>,
}

impl<'a> Tail<'a> {
    /// Reads the end of the file `name`, which should have `file_bytes`: nothing of one that has another length,
    /// about which the footer's reader has an error of its own.
    ///
    /// # Errors
    /// Those of [`read_exactly`].
    pub(super) fn read(file: &'a dyn File, name: FileName, file_bytes: u64) -> Result<Self> {
        let wanted = (file_bytes / SHARE).clamp(*BYTES.start(), *BYTES.end()).min(file_bytes);
        let from = file_bytes - wanted;
        let length =
            if file.len()? == file_bytes { usize::try_from(wanted).unwrap_or(0) } else { 0 };
        Ok(Self { file, from, bytes: read_exactly(file, name, from, length)? })
    }

    /// The bytes in memory that a read of `length` at `offset` asks for.
    fn held(&self, offset: u64, length: usize) -> Option<&[u8]> {
        let at = usize::try_from(offset.checked_sub(self.from)?).ok()?;
        self.bytes.get(at..at.checked_add(length)?)
    }
}

impl File for Tail<'_> {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        self.file.append(bytes)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_at(offset, bytes)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let Some(held) = self.held(offset, buffer.len()) else {
            return self.file.read_at(offset, buffer);
        };
        buffer.copy_from_slice(held);
        Ok(held.len())
    }

    fn sync(&self) -> Result<()> {
        self.file.sync()
    }

    fn len(&self) -> Result<u64> {
        self.file.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{MemoryStorage, Storage};

    #[test]
    fn reads_are_those_of_the_file_wherever_they_begin_and_end() {
        let disk = MemoryStorage::default();
        for length in [0_usize, 1, 100, 4096, 4097, 200_000, 3_000_000] {
            let content: Vec<u8> =
                (0..length).map(|at| u8::try_from(at * 31 % 251).unwrap()).collect();
            disk.put("000007.sst", &content);
            let file = disk.open(FileName::Table(7)).unwrap();
            // A file may be shorter than it should be.
            for claimed in [length, length / 2, length + 10] {
                let tail = Tail::read(&*file, FileName::Table(7), claimed as u64).unwrap();
                assert!(tail.bytes.len() <= 64 << 10);
                for offset in [0, 1, length / 2, length.saturating_sub(4097), length, length + 5] {
                    for wanted in [0, 1, 48, 4096, 70_000] {
                        let (mut found, mut known) = (vec![7; wanted], vec![7; wanted]);
                        let read = tail.read_at(offset as u64, &mut found).unwrap();
                        assert_eq!(read, file.read_at(offset as u64, &mut known).unwrap());
                        assert_eq!(found, known, "{wanted} bytes at {offset} of {length}");
                    }
                }
            }
        }
    }
}
