//! Where the bytes of a file come from.

use crate::Result;
use crate::storage::{File, FileName, FileNumber, read_at_most};
use crate::wal::read_log;
use std::borrow::Cow;
use std::fmt;

/// The bytes of one file: at hand, or read when they are needed.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// All of them.
    Bytes(&'a [u8]),
    /// An open file.
    File {
        /// Its handle.
        file: &'a dyn File,
        /// Its name, for errors.
        name: FileName,
        /// Its length when it was opened: later appends do not count \[bytes\].
        length: u64,
        /// The length that is known to be durable; 0 when only the file can prove it \[bytes\].
        synced: u64,
    },
    /// A file that a host reads by ranges.
    Ranges {
        /// Gives so many bytes from an offset on.
        read: &'a dyn Fn(u64, u64) -> Result<Vec<u8>>,
        /// Its length \[bytes\].
        length: u64,
    },
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.length())
    }
}

impl<'a> Source<'a> {
    /// An open file, as long as it is now.
    ///
    /// # Errors
    /// Those of [`File::len`].
    pub fn open(file: &'a dyn File, name: FileName) -> Result<Self> {
        Ok(Self::File { file, name, length: file.len()?, synced: 0 })
    }

    /// The same file, whose first `bytes` are known to be durable, because the caller synced them.
    #[must_use]
    pub fn known_synced(self, bytes: u64) -> Self {
        match self {
            Self::Bytes(_) | Self::Ranges { .. } => self,
            Self::File { file, name, length, .. } => {
                Self::File { file, name, length, synced: bytes }
            }
        }
    }

    /// The length that is known to be durable; 0 when only the file can prove it \[bytes\].
    pub(super) fn synced(&self) -> u64 {
        match self {
            Self::Bytes(_) | Self::Ranges { .. } => 0,
            Self::File { synced, .. } => *synced,
        }
    }

    /// Length of the file \[bytes\].
    pub fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File { length, .. } | Self::Ranges { length, .. } => *length,
        }
    }

    /// Up to `count` bytes from `offset` \[bytes\] on: fewer at the end of the file, also when it has become
    /// shorter since it was opened.
    ///
    /// # Errors
    /// `Io`; `WouldBlock`; `Corruption` when fewer bytes can be read than the file has.
    pub fn read(&self, offset: u64, count: u64) -> Result<Cow<'a, [u8]>> {
        let count = count.min(self.length().saturating_sub(offset));
        match self {
            Self::Bytes(bytes) => {
                let length = usize::try_from(count).unwrap_or(usize::MAX);
                let rest = usize::try_from(offset).ok().and_then(|begin| bytes.get(begin..));
                Ok(Cow::Borrowed(rest.and_then(|rest| rest.get(..length)).unwrap_or_default()))
            }
            Self::File { .. } | Self::Ranges { .. } if count == 0 => Ok(Cow::Borrowed(&[])),
            Self::File { file, name, .. } => {
                read_at_most(*file, *name, offset, count).map(Cow::Owned)
            }
            Self::Ranges { read, .. } => read(offset, count).map(Cow::Owned),
        }
    }

    /// The bytes of the write-ahead log `number`, but for zeros at its end that no record can have, and its length with
    /// them \[bytes\]: a rotation may have cut it meanwhile.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub(super) fn log(&self, number: FileNumber) -> Result<(Cow<'a, [u8]>, u64)> {
        match self {
            // Later appends do not count.
            Self::File { file, length, .. } => {
                let mut bytes = read_log(*file, number)?;
                let length = file.len()?.min(*length);
                bytes.truncate(usize::try_from(length).unwrap_or(usize::MAX));
                Ok((Cow::Owned(bytes), length))
            }
            Self::Bytes(bytes) => Ok((Cow::Borrowed(bytes), self.length())),
            Self::Ranges { length, .. } => Ok((self.all()?, *length)),
        }
    }

    /// All bytes.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn all(&self) -> Result<Cow<'a, [u8]>> {
        self.read(0, self.length())
    }
}
