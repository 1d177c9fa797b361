//! Log files: which there are, and the header that each begins with.
//!
//! ```text
//!  0  magic                8 bytes: "lvsc.wal" or "lvsc.man"
//!  8  format version       u32
//! 12  file number          u64
//! 20  identity             16 bytes; not in the older format
//! 36  checksum of 0..36    u32; in the older format at 20, of 0..20
//! ```

use super::record::RecordHeader;
use crate::coding::{Reader, crc32};
use crate::identity::{IDENTITY_BYTES, Identity, mismatch};
use crate::limits::{BATCH_BYTES_MAX, EDIT_BYTES_MAX};
use crate::storage::{FileName, FileNumber};
use crate::{Error, ErrorKind, Result};
use std::cmp::Ordering;

/// Where the identity stands \[bytes\]; in the older format the checksum does.
pub(crate) const IDENTITY_OFFSET: usize = 20;

/// Length of the header of a log file \[bytes\].
const FILE_HEADER_BYTES: usize = IDENTITY_OFFSET + IDENTITY_BYTES + 4;
/// Likewise of one without identity.
const OLD_FILE_HEADER_BYTES: usize = IDENTITY_OFFSET + 4;

/// The format of write-ahead logs with an identity; those of the format before have none.
const WAL_FORMAT: u32 = 2;
/// Likewise for manifests. Those of format 1 knew no runs.
const MANIFEST_FORMAT: u32 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Wal,
    Manifest,
}

/// Which log a file is, and whose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Log {
    kind: Kind,
    number: FileNumber,
    identity: Option<Identity>,
    /// Checksum of identity and number, with which those of all record headers begin.
    seed: u32,
}

/// A file header that matches its checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileHeader {
    magic: [u8; 8],
    version: u32,
    number: FileNumber,
    identity: Option<Identity>,
}

impl FileHeader {
    fn read(file: &[u8]) -> Option<Self> {
        [OLD_FILE_HEADER_BYTES, FILE_HEADER_BYTES].into_iter().find_map(|length| {
            let (covered, checksum) = file.get(..length)?.split_last_chunk::<4>()?;
            let mut reader = Reader::new(covered);
            let magic = *reader.bytes(8)?.first_chunk()?;
            let (version, number) = (reader.u32()?, reader.u64()?);
            let identity = covered.get(IDENTITY_OFFSET..).and_then(Identity::decode);
            let matches = u32::from_le_bytes(*checksum) == crc32(&[covered]);
            matches.then_some(Self { magic, version, number, identity })
        })
    }
}

impl Log {
    fn new(kind: Kind, number: FileNumber, identity: Option<Identity>) -> Self {
        let owner = identity.map(Identity::bytes);
        let owner = owner.as_ref().map_or(&[][..], |bytes| bytes);
        Self { kind, number, identity, seed: crc32(&[owner, &number.to_le_bytes()]) }
    }

    /// The write-ahead log `number` of the database `identity`; `None`: in the format without one.
    pub fn wal(number: FileNumber, identity: Option<Identity>) -> Self {
        Self::new(Kind::Wal, number, identity)
    }

    /// The manifest `number`, likewise.
    pub fn manifest(number: FileNumber, identity: Option<Identity>) -> Self {
        Self::new(Kind::Manifest, number, identity)
    }

    /// The log with this name, and with the identity that the header of `file` has: for those who do not know
    /// whose it should be. A damaged header is believed when it leads to a good first record.
    ///
    /// # Errors
    /// `InvalidArgument` when files of that name are no logs.
    pub fn claimed(name: FileName, file: &[u8]) -> Result<Self> {
        let (kind, number) = match name {
            FileName::Wal(number) => (Kind::Wal, number),
            FileName::Manifest(number) => (Kind::Manifest, number),
            _ => return Err(Error::invalid(format!("{name} is neither a log nor a manifest"))),
        };
        if let Some(header) = FileHeader::read(file) {
            return Ok(Self::new(kind, number, header.identity));
        }
        let identity = file.get(IDENTITY_OFFSET..).and_then(|rest| rest.first_chunk());
        let likely = Self::new(kind, number, identity.map(|bytes| Identity::from_bytes(*bytes)));
        let begin = likely.header_bytes();
        let first = file.get(begin..).and_then(|rest| rest.first_chunk());
        let leads = first.and_then(|first| RecordHeader::find(first, likely, begin as u64));
        Ok(if leads.is_some() { likely } else { Self::new(kind, number, None) })
    }

    /// The number and the identity that the header of `file` has; `None` when it is damaged.
    pub fn claims(file: &[u8]) -> Option<(FileNumber, Option<Identity>)> {
        FileHeader::read(file).map(|header| (header.number, header.identity))
    }

    /// Whether it is a write-ahead log and no manifest.
    pub fn is_wal(self) -> bool {
        self.kind == Kind::Wal
    }

    /// Name of the file.
    pub fn name(self) -> FileName {
        match self.kind {
            Kind::Wal => FileName::Wal(self.number),
            Kind::Manifest => FileName::Manifest(self.number),
        }
    }

    /// Number in the name.
    pub fn number(self) -> FileNumber {
        self.number
    }

    /// Whose it is.
    pub fn identity(self) -> Option<Identity> {
        self.identity
    }

    /// Checksum with which those of all record headers begin.
    pub(super) fn seed(self) -> u32 {
        self.seed
    }

    /// First bytes of the file.
    pub fn magic(self) -> &'static [u8; 8] {
        match self.kind {
            Kind::Wal => b"lvsc.wal",
            Kind::Manifest => b"lvsc.man",
        }
    }

    fn format(self) -> u32 {
        let newest = match self.kind {
            Kind::Wal => WAL_FORMAT,
            Kind::Manifest => MANIFEST_FORMAT,
        };
        if self.identity.is_some() { newest } else { newest - 1 }
    }

    /// Length of the file header, where the first record begins \[bytes\].
    pub fn header_bytes(self) -> usize {
        if self.identity.is_some() { FILE_HEADER_BYTES } else { OLD_FILE_HEADER_BYTES }
    }

    /// Longest body of a record \[bytes\].
    pub fn body_bytes_max(self) -> usize {
        match self.kind {
            Kind::Wal => BATCH_BYTES_MAX,
            Kind::Manifest => EDIT_BYTES_MAX,
        }
    }

    /// Appends the file header.
    pub fn encode_header(self, out: &mut Vec<u8>) {
        let mut header = Vec::with_capacity(FILE_HEADER_BYTES);
        header.extend_from_slice(self.magic());
        header.extend_from_slice(&self.format().to_le_bytes());
        header.extend_from_slice(&self.number.to_le_bytes());
        if let Some(identity) = self.identity {
            header.extend_from_slice(&identity.bytes());
        }
        let checksum = crc32(&[&header]);
        out.extend_from_slice(&header);
        out.extend_from_slice(&checksum.to_le_bytes());
    }

    /// Checks the file header at the start of `bytes`; `Ok(false)` when it is cut off or does not
    /// match its checksum, which the caller has to judge.
    ///
    /// # Errors
    /// For headers that are as they were written: `UnsupportedFormat` for another program or version,
    /// `Corruption` for another file number and for another database.
    pub fn check_header(self, bytes: &[u8]) -> Result<bool> {
        let Some(header) = FileHeader::read(bytes) else { return Ok(false) };
        let unsupported =
            |what: &str| Error::in_file(ErrorKind::UnsupportedFormat, self.name(), what.to_owned());
        if header.magic != *self.magic() {
            return Err(unsupported("this file is of another kind, or of another program"));
        }
        let claimed = Self { identity: header.identity, ..self };
        match header.version.cmp(&claimed.format()) {
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
        if let Some(what) = mismatch(self.identity, header.identity) {
            return Err(Error::corruption(self.name(), IDENTITY_OFFSET as u64, what));
        }
        if header.number != self.number {
            let number = header.number;
            let message = format!("its content carries the number {number}");
            return Err(Error::corruption(self.name(), 12, message));
        }
        Ok(true)
    }
}
