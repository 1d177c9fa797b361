//! Records of log files: a header and a body, with a checksum each.
//!
//! ```text
//! record header, 32 bytes, then the body
//!  0  body length                u32
//!  4  body checksum              u32
//!  8  count                      u32
//! 12  synced bytes               u64
//! 20  number, 56 bits; kind, 8   u64
//! 28  header checksum            u32
//! ```
//!
//! The header checksum covers the identity of the database, the file number and the record's own offset (each as u64)
//! and then bytes 0..28. So a damaged length differs from a record that ends early, and a header proves that it was
//! written in this file at this place: a copy of a record inside a value, or in bytes left over from another file or
//! another database, is none. `synced bytes` is the length of the file that was durable when the record was written:
//! bad bytes before that place are damage and never a torn write ([`super::tail`]).
//!
//! Prior art: `LevelDB`'s `doc/log_format.md`; the synced length is Pebble's answer to the tail question.

use super::file::Log;
use crate::coding::{Reader, crc32, crc32_after};
use crate::key::SeqNo;
use crate::limits::{BATCH_COUNT_MAX, SEQUENCE_MAX};
use std::fmt;

/// Length of the header of a record \[bytes\].
pub const RECORD_HEADER_BYTES: usize = 32;

/// Where the checksum of a record header stands, and the bytes that it covers \[bytes\].
const HEADER_CHECKSUM_OFFSET: usize = RECORD_HEADER_BYTES - 4;

/// The kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum RecordKind {
    /// A batch; number: its first sequence number; count: its entries.
    Batch = 1,
    /// The end of a log that was closed in order; number: the sequence number that comes next.
    CleanEnd = 2,
    /// A version edit; number: 1, 2, 3 and so on in each manifest; count: tables removed and added.
    Edit = 3,
    /// Proof of a sync, which distinguishes damage from a torn tail (decision 4); number: as of the record that comes
    /// next.
    SyncMark = 4,
    /// First record of a log that has one before it; number: that of the log before; count: 1 when that had no clean
    /// end yet. Then another one follows later, with count 0, once it had.
    Follows = 5,
}

impl RecordKind {
    fn from_tag(tag: u8) -> Option<Self> {
        match tag {
            1 => Some(Self::Batch),
            2 => Some(Self::CleanEnd),
            3 => Some(Self::Edit),
            4 => Some(Self::SyncMark),
            5 => Some(Self::Follows),
            _ => None,
        }
    }

    /// Whether the record has no body.
    pub fn is_bare(self) -> bool {
        matches!(self, Self::CleanEnd | Self::SyncMark | Self::Follows)
    }

    fn belongs_to(self, log: Log) -> bool {
        match self {
            Self::Batch | Self::CleanEnd | Self::Follows => log.is_wal(),
            Self::Edit => !log.is_wal(),
            Self::SyncMark => true,
        }
    }
}

/// The header of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordHeader {
    /// Length of the body \[bytes\].
    pub body_bytes: u32,
    /// CRC-32 of the body.
    pub body_checksum: u32,
    /// Entries of a batch; tables removed and added by an edit; of [`RecordKind::Follows`] whether the log before had no
    /// clean end yet.
    pub count: u32,
    /// Bytes of the file that were durable when the record was written.
    pub synced_bytes: u64,
    /// First sequence number of a batch; position of an edit; a file number for [`RecordKind::Follows`];
    /// the next sequence number or position for other kinds.
    pub number: SeqNo,
    /// The kind of the record, which decides the form of its body.
    pub kind: RecordKind,
}

impl RecordHeader {
    /// Appends the header of a record that stands at `offset` \[bytes\] of `log`.
    pub fn encode(&self, log: Log, offset: u64, out: &mut Vec<u8>) {
        let fields = self.encode_fields();
        out.extend_from_slice(&fields);
        out.extend_from_slice(&header_checksum(log, offset, &fields).to_le_bytes());
    }

    /// Its checksum when it stands at `offset` \[bytes\] of `log`.
    pub fn checksum(&self, log: Log, offset: u64) -> u32 {
        header_checksum(log, offset, &self.encode_fields())
    }

    fn encode_fields(&self) -> [u8; HEADER_CHECKSUM_OFFSET] {
        let packed = (u64::from(self.kind as u8) << 56) | (self.number & SEQUENCE_MAX);
        let [b0, b1, b2, b3] = self.body_bytes.to_le_bytes();
        let [c0, c1, c2, c3] = self.body_checksum.to_le_bytes();
        let [n0, n1, n2, n3] = self.count.to_le_bytes();
        let [s0, s1, s2, s3, s4, s5, s6, s7] = self.synced_bytes.to_le_bytes();
        let [p0, p1, p2, p3, p4, p5, p6, p7] = packed.to_le_bytes();
        [
            b0, b1, b2, b3, c0, c1, c2, c3, n0, n1, n2, n3, s0, s1, s2, s3, s4, s5, s6, s7, p0, p1,
            p2, p3, p4, p5, p6, p7,
        ]
    }

    /// Reads a header that stands at `offset` \[bytes\] of `log`, whatever its checksum.
    ///
    /// # Errors
    /// The flaw of a field that no writer produces.
    fn fields(bytes: &[u8; RECORD_HEADER_BYTES], log: Log, offset: u64) -> Result<Self, Flaw> {
        let mut reader = Reader::new(bytes);
        let (Some(body_bytes), Some(body_checksum), Some(count), Some(synced_bytes), Some(packed)) =
            (reader.u32(), reader.u32(), reader.u32(), reader.u64(), reader.u64())
        else {
            return Err(Flaw::CutHeader);
        };
        let [.., tag] = packed.to_le_bytes();
        let kind = RecordKind::from_tag(tag).filter(|kind| kind.belongs_to(log));
        let kind = kind.ok_or(Flaw::Kind)?;
        let long = usize::try_from(body_bytes).map_or(true, |bytes| bytes > log.body_bytes_max());
        if long || (kind.is_bare() && body_bytes != 0) {
            return Err(Flaw::Length);
        }
        let counted = match kind {
            RecordKind::Batch => (1..=BATCH_COUNT_MAX).contains(&count),
            RecordKind::CleanEnd | RecordKind::SyncMark => count == 0,
            RecordKind::Follows => count <= 1,
            RecordKind::Edit => true,
        };
        if !counted {
            return Err(Flaw::Count);
        }
        if synced_bytes > offset {
            return Err(Flaw::Synced);
        }
        let number = packed & SEQUENCE_MAX;
        Ok(Self { body_bytes, body_checksum, count, synced_bytes, number, kind })
    }

    /// Length of the body \[bytes\].
    pub fn body_length(&self) -> usize {
        usize::try_from(self.body_bytes).unwrap_or(usize::MAX)
    }

    /// The header at `offset` \[bytes\] of `log` if there is a well-formed one whose checksum matches.
    /// The cheap tests come first: this is asked at every byte of a torn tail.
    pub fn find(bytes: &[u8; RECORD_HEADER_BYTES], log: Log, offset: u64) -> Option<Self> {
        let header = Self::fields(bytes, log, offset).ok()?;
        checksum_matches(bytes, log, offset).then_some(header)
    }
}

/// In one piece: two short ones would take the slow path of the checksum.
fn header_checksum(log: Log, offset: u64, covered: &[u8; HEADER_CHECKSUM_OFFSET]) -> u32 {
    let mut joined = [0; 8 + HEADER_CHECKSUM_OFFSET];
    let (at, fields) = joined.split_at_mut(8);
    at.copy_from_slice(&offset.to_le_bytes());
    fields.copy_from_slice(covered);
    crc32_after(log.seed(), &joined)
}

fn checksum_matches(bytes: &[u8; RECORD_HEADER_BYTES], log: Log, offset: u64) -> bool {
    let Some((covered, checksum)) = bytes.split_first_chunk::<HEADER_CHECKSUM_OFFSET>() else {
        return false;
    };
    checksum == header_checksum(log, offset, covered).to_le_bytes()
}

/// One whole record of a log, its checksums verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// Where its header begins \[bytes\].
    pub offset: usize,
    /// Its header.
    pub header: RecordHeader,
    /// Its body.
    pub body: &'a [u8],
}

impl<'a> Record<'a> {
    /// Reads the record at `offset` \[bytes\] of the log whose bytes are `file`.
    ///
    /// # Errors
    /// The flaw of the bytes there; the caller decides whether it is a torn tail or damage.
    pub fn read(file: &'a [u8], log: Log, offset: usize) -> Result<Self, BadRecord> {
        let bad = |flaw, resume| BadRecord { offset, flaw, resume };
        let after_offset = offset.saturating_add(1);
        let rest = file.get(offset..).unwrap_or_default();
        let Some((bytes, rest)) = rest.split_first_chunk::<RECORD_HEADER_BYTES>() else {
            return Err(bad(Flaw::CutHeader, after_offset));
        };
        if !checksum_matches(bytes, log, offset as u64) {
            return Err(bad(Flaw::HeaderChecksum, after_offset));
        }
        let header = RecordHeader::fields(bytes, log, offset as u64)
            .map_err(|flaw| bad(flaw, after_offset))?;
        let Some(body) = rest.get(..header.body_length()) else {
            return Err(bad(Flaw::CutBody, file.len()));
        };
        let record = Self { offset, header, body };
        if crc32(&[body]) != header.body_checksum {
            return Err(bad(Flaw::BodyChecksum, record.end()));
        }
        Ok(record)
    }

    /// Where the next record begins \[bytes\].
    pub fn end(&self) -> usize {
        self.offset.saturating_add(RECORD_HEADER_BYTES).saturating_add(self.body.len())
    }
}

/// A place of a log where no good record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadRecord {
    /// The place \[bytes\].
    pub offset: usize,
    /// The flaw.
    pub flaw: Flaw,
    /// Where a search for later records has to begin \[bytes\].
    pub resume: usize,
}

impl BadRecord {
    /// The offset of the first wrong byte \[bytes\]: a header whose checksum is right is none of them.
    pub fn first_bad(&self) -> usize {
        match self.flaw {
            Flaw::BodyChecksum => self.offset.saturating_add(RECORD_HEADER_BYTES),
            _ => self.offset,
        }
    }
}

/// The flaw of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// The file ends within its own header.
    CutFileHeader,
    /// The file header does not match its checksum.
    FileHeaderChecksum,
    /// The file ends within the header.
    CutHeader,
    /// The file ends within the body.
    CutBody,
    /// The header does not match its checksum.
    HeaderChecksum,
    /// The body does not match its checksum.
    BodyChecksum,
    /// The kind is unknown or does not belong into this log.
    Kind,
    /// The length exceeds the limit.
    Length,
    /// The count is impossible.
    Count,
    /// The synced length is after the record.
    Synced,
}

impl Flaw {
    /// Whether a write that a crash interrupted can look like this. For the other flaws the header matches
    /// its checksum, so it was written with the flaw.
    pub fn may_be_torn(self) -> bool {
        match self {
            Self::CutFileHeader
            | Self::FileHeaderChecksum
            | Self::CutHeader
            | Self::CutBody
            | Self::HeaderChecksum
            | Self::BodyChecksum => true,
            Self::Kind | Self::Length | Self::Count | Self::Synced => false,
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CutFileHeader => "the file ends within its own header",
            Self::FileHeaderChecksum => "the file header does not match its checksum",
            Self::CutHeader => "the file ends within the header of this record",
            Self::CutBody => "the file ends within the body of this record",
            Self::HeaderChecksum => "the header of this record does not match its checksum",
            Self::BodyChecksum => "the body of this record does not match its checksum",
            Self::Kind => "the kind of this record does not belong into this file",
            Self::Length => "this record has an impossible length",
            Self::Count => "this record has an impossible count",
            Self::Synced => "this record claims that bytes after it were durable before it",
        })
    }
}
