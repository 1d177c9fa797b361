//! One record.
//!
//! ```text
//! checksum u32 | kind u8 | key length u32 | value length u32 | key | value      (big-endian)
//! ```

use crate::Entry;
use levelscope::internals::coding::crc32;
use levelscope::{Error, Result};
use std::borrow::Cow;

/// Bytes in front of the key.
pub(super) const HEADER_BYTES: usize = 13;
/// First byte under the checksum, which reaches to the end of the record.
pub(super) const CHECKED_AT: usize = 4;
/// A record with a value.
pub(super) const VALUE: u8 = 0;
/// A record that deletes its key.
pub(super) const TOMBSTONE: u8 = 1;

/// The numbers in front of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) checksum: u32,
    pub(super) kind: u8,
    pub(super) key_bytes: u32,
    pub(super) value_bytes: u32,
}

impl Header {
    /// The header at the start of `bytes`; `None` when it is cut off.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (checksum, rest) = bytes.split_first_chunk::<4>()?;
        let (kind, rest) = rest.split_first()?;
        let (key_bytes, rest) = rest.split_first_chunk::<4>()?;
        let (value_bytes, _) = rest.split_first_chunk::<4>()?;
        Some(Self {
            checksum: number(*checksum),
            kind: *kind,
            key_bytes: number(*key_bytes),
            value_bytes: number(*value_bytes),
        })
    }

    /// Length of the whole record \[bytes\].
    pub(super) fn record_bytes(self) -> u64 {
        HEADER_BYTES as u64 + u64::from(self.key_bytes) + u64::from(self.value_bytes)
    }

    /// Whether the original program can have written it.
    pub(super) fn plausible(self) -> bool {
        match self.kind {
            VALUE => self.key_bytes > 0,
            TOMBSTONE => self.key_bytes > 0 && self.value_bytes == 0,
            _ => false,
        }
    }
}

/// A number of four bytes, the most significant first.
pub(super) fn number(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes).swap_bytes()
}

fn put_number(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.swap_bytes().to_le_bytes());
}

/// A record that is as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Record<'a> {
    pub(super) offset: usize,
    pub(super) key: &'a [u8],
    pub(super) value: Option<&'a [u8]>,
    /// Offset of the next one.
    pub(super) end: usize,
}

impl<'a> Record<'a> {
    pub(super) fn entry(self) -> Entry<'a> {
        Entry {
            key: Cow::Borrowed(self.key),
            value: self.value.map(Cow::Borrowed),
            sequence: None,
            offset: self.offset as u64,
        }
    }
}

/// The record at `offset` of `file`, whose checksum is right; otherwise its flaw.
pub(super) fn read(file: &[u8], offset: usize) -> std::result::Result<Record<'_>, Flaw> {
    let rest = file.get(offset..).unwrap_or_default();
    let header = Header::read(rest).ok_or(Flaw::Cut { needed: HEADER_BYTES as u64 })?;
    if !header.plausible() {
        return Err(Flaw::Header);
    }
    let bytes = usize::try_from(header.record_bytes()).ok().and_then(|bytes| rest.get(..bytes));
    let bytes = bytes.ok_or(Flaw::Cut { needed: header.record_bytes() })?;
    if crc32(&[bytes.get(CHECKED_AT..).unwrap_or_default()]) != header.checksum {
        return Err(Flaw::Checksum);
    }
    let content = bytes.get(HEADER_BYTES..).unwrap_or_default();
    let key_bytes = usize::try_from(header.key_bytes).unwrap_or(usize::MAX);
    let (key, value) = content.split_at_checked(key_bytes).ok_or(Flaw::Header)?;
    let value = (header.kind == VALUE).then_some(value);
    Ok(Record { offset, key, value, end: offset.saturating_add(bytes.len()) })
}

/// Why some bytes are no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    /// The file ends before it does.
    Cut {
        /// Bytes that it would take, as far as that is known.
        needed: u64,
    },
    /// Kind and lengths are impossible: no writer produces them.
    Header,
    /// The bytes do not match the checksum.
    Checksum,
}

/// Appends the record of one write.
///
/// # Errors
/// `InvalidArgument` when the key is empty, or a length does not fit four bytes.
pub fn put(out: &mut Vec<u8>, key: &[u8], value: Option<&[u8]>) -> Result<()> {
    let length = |bytes: &[u8]| {
        u32::try_from(bytes.len()).map_err(|_| Error::invalid("a length must fit four bytes"))
    };
    if key.is_empty() {
        return Err(Error::invalid("a key must have at least one byte"));
    }
    let (key_bytes, value_bytes) = (length(key)?, length(value.unwrap_or_default())?);
    let mut checked = vec![if value.is_some() { VALUE } else { TOMBSTONE }];
    put_number(&mut checked, key_bytes);
    put_number(&mut checked, value_bytes);
    checked.extend_from_slice(key);
    checked.extend_from_slice(value.unwrap_or_default());
    put_number(out, crc32(&[&checked]));
    out.extend_from_slice(&checked);
    Ok(())
}
