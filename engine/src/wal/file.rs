//! Log files: which there are, and the header that each begins with.
//!
//! ```text
//!  0  magic                8 bytes: "lvsc.wal" or "lvsc.man"
//!  8  format version       u32
//! 12  file number          u64
//! 20  checksum of 0..20    u32
//! ```

use crate::coding::{Reader, crc32};
use crate::limits::{BATCH_BYTES_MAX, EDIT_BYTES_MAX};
use crate::storage::{FileName, FileNumber};
use crate::{Error, ErrorKind, Result};
use std::cmp::Ordering;

/// Length of the header of a log file \[bytes\].
pub(crate) const FILE_HEADER_BYTES: usize = 24;

/// The format of write-ahead logs that this version writes, and the only one that it reads.
const WAL_FORMAT: u32 = 1;
/// Likewise for manifests. Those of format 1 knew no runs.
const MANIFEST_FORMAT: u32 = 2;

/// Where the checksum of the file header stands, and the bytes that it covers \[bytes\].
const FILE_CHECKSUM_OFFSET: usize = FILE_HEADER_BYTES - 4;

/// Which log a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Log {
    /// A write-ahead log with this file number.
    Wal(FileNumber),
    /// A manifest with this file number.
    Manifest(FileNumber),
}

impl Log {
    /// The log with this name.
    ///
    /// # Errors
    /// `InvalidArgument` when files of that name are no logs.
    pub(crate) fn from_name(name: FileName) -> Result<Self> {
        match name {
            FileName::Wal(number) => Ok(Self::Wal(number)),
            FileName::Manifest(number) => Ok(Self::Manifest(number)),
            _ => Err(Error::invalid(format!("{name} is neither a log nor a manifest"))),
        }
    }

    /// Name of the file.
    pub(crate) fn name(self) -> FileName {
        match self {
            Self::Wal(number) => FileName::Wal(number),
            Self::Manifest(number) => FileName::Manifest(number),
        }
    }

    /// Number in the name.
    pub(crate) fn number(self) -> FileNumber {
        match self {
            Self::Wal(number) | Self::Manifest(number) => number,
        }
    }

    /// First bytes of the file.
    pub(crate) fn magic(self) -> &'static [u8; 8] {
        match self {
            Self::Wal(_) => b"lvsc.wal",
            Self::Manifest(_) => b"lvsc.man",
        }
    }

    fn format(self) -> u32 {
        match self {
            Self::Wal(_) => WAL_FORMAT,
            Self::Manifest(_) => MANIFEST_FORMAT,
        }
    }

    /// Longest body of a record \[bytes\].
    pub(crate) fn body_bytes_max(self) -> usize {
        match self {
            Self::Wal(_) => BATCH_BYTES_MAX,
            Self::Manifest(_) => EDIT_BYTES_MAX,
        }
    }

    /// Appends the file header.
    pub(crate) fn encode_header(self, out: &mut Vec<u8>) {
        let mut header = Vec::with_capacity(FILE_HEADER_BYTES);
        header.extend_from_slice(self.magic());
        header.extend_from_slice(&self.format().to_le_bytes());
        header.extend_from_slice(&self.number().to_le_bytes());
        let checksum = crc32(&[&header]);
        out.extend_from_slice(&header);
        out.extend_from_slice(&checksum.to_le_bytes());
    }

    /// Checks the file header at the start of `bytes`; `Ok(false)` when it is cut off or does not
    /// match its checksum, which the caller has to judge.
    ///
    /// # Errors
    /// For headers that are as they were written: `UnsupportedFormat` for another program or version,
    /// `Corruption` for another file number.
    pub(crate) fn check_header(self, bytes: &[u8]) -> Result<bool> {
        let Some(header) = bytes.first_chunk::<FILE_HEADER_BYTES>() else { return Ok(false) };
        let (covered, _) = header.split_at(FILE_CHECKSUM_OFFSET);
        let mut reader = Reader::new(header);
        let magic = reader.bytes(8);
        let (version, number, checksum) = (reader.u32(), reader.u64(), reader.u32());
        if checksum != Some(crc32(&[covered])) {
            return Ok(false);
        }
        let unsupported =
            |what: &str| Error::in_file(ErrorKind::UnsupportedFormat, self.name(), what.to_owned());
        if magic != Some(self.magic().as_slice()) {
            return Err(unsupported("this file is of another kind, or of another program"));
        }
        match version.cmp(&Some(self.format())) {
            Ordering::Equal => {}
            Ordering::Less => {
                return Err(unsupported("this file was written by an older version: use that one"));
            }
            Ordering::Greater => {
                return Err(unsupported(
                    "this file was written by a newer version: use that version",
                ));
            }
        }
        if number != Some(self.number()) {
            return Err(Error::corruption(
                self.name(),
                12,
                format!("the file says of itself that its number is {}", number.unwrap_or(0)),
            ));
        }
        Ok(true)
    }
}
