//! Reads a log into memory, but for the zeros that it ends in.

use super::record::RECORD_HEADER_BYTES;
use super::tail::used_end;
use crate::limits::BATCH_BYTES_MAX;
use crate::storage::{File, FileName, FileNumber, read_at_most, read_whole};
use crate::{Error, Result};

/// Logs up to here are read at once, and the zeros that longer ones end in are looked for in windows of this length
/// \[bytes\].
const WINDOW_BYTES: u64 = 4 << 20;

/// No log is so long: its memtable of at most 1 GiB is full before \[bytes\].
const LOG_BYTES_MAX: u64 = 4 << 30;

/// Longest record of a log, with its header \[bytes\].
const RECORD_BYTES_MAX: u64 = (RECORD_HEADER_BYTES + BATCH_BYTES_MAX) as u64;

/// The bytes of the write-ahead log `number` in `file`. Of the zeros that it ends in, no more are kept than the longest
/// record has: it may end in zeros of its own, and all further ones are space that was reserved, or a sparse file.
/// Without them, a walk over the bytes finds the same.
///
/// # Errors
/// Those of the file; `Corruption` when it is longer than any log; `Io` when the used part does not fit the memory.
pub(crate) fn read_log(file: &dyn File, number: FileNumber) -> Result<Vec<u8>> {
    read_used(file, FileName::Wal(number), RECORD_BYTES_MAX)
}

/// The bytes of `file`, and of the zeros that it ends in at most `zeros_max`.
fn read_used(file: &dyn File, name: FileName, zeros_max: u64) -> Result<Vec<u8>> {
    let length = file.len()?;
    if length <= WINDOW_BYTES {
        return read_whole(file, name);
    }
    if length > LOG_BYTES_MAX {
        let why = format!("the file has {length} bytes, and no log has more than {LOG_BYTES_MAX}");
        return Err(Error::corruption(name, LOG_BYTES_MAX, why));
    }
    let mut end = length;
    let mut window = vec![0; usize::try_from(WINDOW_BYTES).unwrap_or(0)];
    let used = loop {
        let begin = end.saturating_sub(WINDOW_BYTES);
        window.truncate(usize::try_from(end.saturating_sub(begin)).unwrap_or(0));
        // A log becomes shorter when it is rotated: then the file ends before this window, or in it.
        let read = file.read_at(begin, &mut window)?;
        let used = used_end(window.get(..read).unwrap_or_default()) as u64;
        if used > 0 || begin == 0 {
            break begin.saturating_add(used);
        }
        end = begin;
    };
    let zeros = length.saturating_sub(used).min(zeros_max);
    let mut bytes = read_at_most(file, name, 0, used)?;
    bytes.resize(bytes.len().saturating_add(usize::try_from(zeros).unwrap_or(0)), 0);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::storage::{MemoryStorage, Storage};
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// A file that holds these bytes, and then zeros up to its length.
    #[derive(Debug)]
    struct Sparse {
        used: Vec<u8>,
        length: u64,
        /// Longest read \[bytes\].
        most: AtomicU64,
    }

    impl File for Sparse {
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
            self.most.fetch_max(buffer.len() as u64, Relaxed);
            let count = self.length.saturating_sub(offset).min(buffer.len() as u64);
            let count = usize::try_from(count).unwrap();
            buffer[..count].fill(0);
            let offset = usize::try_from(offset).unwrap();
            for (byte, used) in buffer[..count].iter_mut().zip(self.used.iter().skip(offset)) {
                *byte = *used;
            }
            Ok(count)
        }

        fn len(&self) -> Result<u64> {
            Ok(self.length)
        }

        fn append(&self, _: &[u8]) -> Result<()> {
            unreachable!()
        }

        fn write_at(&self, _: u64, _: &[u8]) -> Result<()> {
            unreachable!()
        }

        fn truncate(&self, _: u64) -> Result<()> {
            unreachable!()
        }

        fn sync(&self) -> Result<()> {
            unreachable!()
        }
    }

    #[test]
    fn the_zeros_that_a_long_log_ends_in_are_not_held() {
        for used in [0, 1, 5000] {
            let used = vec![7; used];
            let (length, most) = (5 * WINDOW_BYTES + 99, AtomicU64::new(0));
            let file = Sparse { used: used.clone(), length, most };
            let bytes = read_used(&file, FileName::Wal(3), 1000).unwrap();
            assert_eq!((bytes.len(), used_end(&bytes)), (used.len() + 1000, used.len()));
            assert!(bytes.starts_with(&used));
            assert!(file.most.load(Relaxed) <= WINDOW_BYTES);
        }
    }

    #[test]
    fn a_long_log_that_is_used_to_its_end_is_read_whole() {
        let storage = MemoryStorage::new();
        let length = usize::try_from(WINDOW_BYTES).unwrap() + 3;
        let mut bytes: Vec<u8> = (1..=251).cycle().take(length).collect();
        for zeros in [0, 1, 1000] {
            bytes[length - zeros..].fill(0);
            storage.put("000003.wal", &bytes);
            let file = storage.open(FileName::Wal(3)).unwrap();
            assert!(read_log(&*file, 3).unwrap() == bytes, "{zeros} zeros");
        }
    }

    #[test]
    fn a_file_that_is_longer_than_any_log_is_refused_at_once() {
        let sparse = |length| Sparse { used: vec![1], length, most: AtomicU64::new(0) };
        let file = sparse(LOG_BYTES_MAX + 1);
        let error = read_log(&file, 3).unwrap_err();
        assert_eq!((error.kind(), file.most.load(Relaxed)), (ErrorKind::Corruption, 0));
    }
}
