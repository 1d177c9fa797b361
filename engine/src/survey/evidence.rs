//! Recognizes a file by its first and last bytes.

use super::names::Program;
use crate::manifest::current;
use crate::storage::{FileName, Storage, read_at_most};
use crate::table;
use crate::{ErrorKind, Result};

/// So much is read from the beginning \[bytes\]: both magic numbers of `CURRENT` are in it.
const HEAD_BYTES: usize = 2 * current::SLOT_BYTES;

/// So much from the end \[bytes\].
const TAIL_BYTES: usize = 8;

/// How logs and manifests of the engine begin.
const LOG_MAGICS: [&[u8]; 2] = [b"lvsc.wal", b"lvsc.man"];

/// The end of every table of `LevelDB`, and of old ones of `RocksDB`.
pub const LEVEL_MAGIC: [u8; 8] = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb];

/// The end of other tables of `RocksDB`.
pub(super) const ROCKS_MAGIC: [u8; 8] = [0xf7, 0xcf, 0xf4, 0x85, 0xb7, 0x41, 0xe2, 0x88];

/// Beginning and end of a file.
#[derive(Debug, Clone, Default)]
pub struct Sample {
    head: Vec<u8>,
    tail: Vec<u8>,
}

/// Whose content it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// No bytes, or zeros: a crash of any program leaves that.
    Blank,
    /// The engine's.
    Own,
    /// This program's.
    Of(Program),
    /// Nothing that is known.
    Unknown,
}

/// Reads a sample of `name`.
///
/// # Errors
/// `WouldBlock`, and those of reading. A file that has gone meanwhile is empty.
pub(super) fn sample(storage: &dyn Storage, name: FileName) -> Result<Sample> {
    let file = match storage.open(name) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Sample::default()),
        Err(error) => return Err(error),
    };
    // The owner may cut the file meanwhile, so only the bytes that are still there are read.
    let head = read_at_most(&*file, name, 0, HEAD_BYTES as u64)?;
    let length = file.len()?;
    if length <= HEAD_BYTES as u64 {
        return Ok(Sample::of(&head));
    }
    let tail = read_at_most(&*file, name, length - TAIL_BYTES as u64, TAIL_BYTES as u64)?;
    Ok(Sample { head, tail })
}

impl Sample {
    /// Of a file that is in memory.
    pub fn of(file: &[u8]) -> Self {
        let head = file.get(..file.len().min(HEAD_BYTES)).unwrap_or_default();
        let tail = file.get(file.len().saturating_sub(TAIL_BYTES)..).unwrap_or_default();
        Self { head: head.to_vec(), tail: tail.to_vec() }
    }

    /// Whose the bytes of the file `name` are.
    pub(super) fn content(&self, name: FileName) -> Content {
        if self.head.iter().all(|byte| *byte == 0) && self.tail.iter().all(|byte| *byte == 0) {
            return Content::Blank;
        }
        match name {
            FileName::Current => self.current(),
            FileName::Manifest(_) => self.manifest(),
            FileName::Table(_) => self.table(),
            FileName::Wal(_) if self.begins_as_ours() => Content::Own,
            FileName::Wal(_) | FileName::Lock | FileName::Other(_) => Content::Unknown,
        }
    }

    /// The engine writes slots, the others the name of a manifest.
    fn current(&self) -> Content {
        let second = self.head.get(current::SLOT_BYTES..).unwrap_or_default();
        if self.head.starts_with(current::MAGIC) || second.starts_with(current::MAGIC) {
            return Content::Own;
        }
        if self.head.starts_with(b"MANIFEST-") {
            return Content::Of(Program::LevelDb);
        }
        Content::Unknown
    }

    /// The first edit of the others names the order of the keys.
    fn manifest(&self) -> Content {
        let names = |what: &[u8]| self.head.windows(what.len()).any(|bytes| bytes == what);
        if self.begins_as_ours() {
            Content::Own
        } else if names(b"rocksdb.") {
            Content::Of(Program::RocksDb)
        } else if names(b"leveldb.") || names(b"BytewiseComparator") {
            Content::Of(Program::LevelDb)
        } else {
            Content::Unknown
        }
    }

    fn table(&self) -> Content {
        if self.tail == table::MAGIC {
            Content::Own
        } else if self.tail == ROCKS_MAGIC {
            Content::Of(Program::RocksDb)
        } else if self.tail == LEVEL_MAGIC {
            Content::Of(Program::LevelDb)
        } else {
            Content::Unknown
        }
    }

    /// Whether it may be a table of the engine that a crash cut short.
    pub(super) fn may_begin_table(&self) -> bool {
        table::may_begin(&self.head)
    }

    fn begins_as_ours(&self) -> bool {
        LOG_MAGICS.iter().any(|magic| self.head.starts_with(magic))
    }
}
