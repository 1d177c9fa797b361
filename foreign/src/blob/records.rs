//! A walk over the records of a blob file of RocksDB.

use super::rocksdb::{HEADER_BYTES, RocksBlobFile, within_limit};
use crate::bytes::Cursor;
use crate::checksum::{agree, masked_crc32c};
use crate::{Error, Result};

/// Bytes of a record before its key.
pub(super) const RECORD_BYTES: usize = 32;
/// Bytes that a walk reads at once, if no record is larger.
const WINDOW_BYTES: u64 = 64 << 10;

/// A record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Offset of its first byte.
    pub offset: u64,
    /// Bytes of the key.
    pub key_bytes: u64,
    /// Offset of the value, by which a blob index names it.
    pub value_offset: u64,
    /// Stored bytes of the value.
    pub value_bytes: u64,
}

/// The numbers before a key.
pub(super) struct Head {
    pub(super) key_bytes: u64,
    pub(super) value_bytes: u64,
    /// The checksum of key and value.
    pub(super) checksum: u32,
}

/// Reads the numbers of a record and compares their checksum.
pub(super) fn read_head(cursor: &mut Cursor<'_>) -> Result<Head> {
    let at = *cursor;
    let (key_bytes, value_bytes, _expiration) = (cursor.u64()?, cursor.u64()?, cursor.u64()?);
    let covered = at.rest().get(..24).unwrap_or_default();
    if !agree(masked_crc32c(covered), cursor.u32()?) {
        return Err(at.damaged("the head of a record has a wrong checksum"));
    }
    Ok(Head { key_bytes, value_bytes, checksum: cursor.u32()? })
}

/// A walk over records, in the order of the file.
pub struct Records<'f> {
    file: &'f RocksBlobFile<'f>,
    next: u64,
    stuck: bool,
    window: Vec<u8>,
    window_start: u64,
}

impl<'f> Records<'f> {
    pub(super) fn new(file: &'f RocksBlobFile<'f>) -> Self {
        Self { file, next: HEADER_BYTES as u64, stuck: false, window: Vec::new(), window_start: 0 }
    }

    /// Whether the walk cannot go on after damage, because the length of a record is lost.
    pub fn is_stuck(&self) -> bool {
        self.stuck
    }

    /// The next record and its stored value; `None` at the end.
    ///
    /// # Errors
    /// Damage in the head of the record, after which the walk is at its end; a wrong checksum of key and value, after
    /// which it goes on.
    pub fn next_record(&mut self) -> Result<Option<(Record, Vec<u8>)>> {
        let Some((record, checksum)) = self.advance()? else { return Ok(None) };
        let name = self.file.name.as_str();
        let value = || {
            let start = record.offset + RECORD_BYTES as u64;
            let bytes = within_limit(record.key_bytes + record.value_bytes, record.offset)?;
            let both = self.read(start, bytes)?;
            if !agree(masked_crc32c(both), checksum) {
                return Err(Error::damaged(record.offset, "the record has a wrong checksum"));
            }
            let key_bytes = usize::try_from(record.key_bytes).unwrap_or(usize::MAX);
            Ok(both.get(key_bytes..).unwrap_or_default().to_vec())
        };
        let mut value = value;
        value().map(|value| Some((record, value))).map_err(|error| error.in_file(name))
    }

    /// The next record and the checksum of its key and value.
    fn advance(&mut self) -> Result<Option<(Record, u32)>> {
        let (start, end) = (self.next, self.file.end);
        if start >= end || self.stuck {
            return Ok(None);
        }
        self.stuck = true;
        let head = self.head(start).map_err(|error| error.in_file(&self.file.name))?;
        let key_end = (start + RECORD_BYTES as u64).checked_add(head.key_bytes);
        let value_end = key_end.and_then(|at| at.checked_add(head.value_bytes));
        let (Some(value_offset), Some(next)) = (key_end, value_end.filter(|&at| at <= end)) else {
            let message = "a record does not end inside of the file";
            return Err(Error::damaged(start, message).in_file(&self.file.name));
        };
        self.stuck = false;
        self.next = next;
        let record = Record {
            offset: start,
            key_bytes: head.key_bytes,
            value_offset,
            value_bytes: head.value_bytes,
        };
        Ok(Some((record, head.checksum)))
    }

    fn head(&mut self, start: u64) -> Result<Head> {
        if self.file.end - start < RECORD_BYTES as u64 {
            return Err(Error::damaged(start, "the head of a record is cut short"));
        }
        let head = self.read(start, RECORD_BYTES)?;
        read_head(&mut Cursor::new(head, start))
    }

    /// Bytes of the file, which reach no further than the records.
    fn read(&mut self, start: u64, bytes: usize) -> Result<&[u8]> {
        let inside = start.checked_sub(self.window_start).and_then(|at| usize::try_from(at).ok());
        let inside = inside.filter(|at| at.saturating_add(bytes) <= self.window.len());
        let at = if let Some(at) = inside {
            at
        } else {
            let left = self.file.end - start;
            let count = WINDOW_BYTES.min(left).max(bytes as u64);
            self.window.clear();
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            self.window = self.file.files.read(&self.file.name, start, count)?;
            self.window_start = start;
            0
        };
        Ok(self.window.get(at..at + bytes).unwrap_or_default())
    }
}
