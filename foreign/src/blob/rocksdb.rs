//! A blob file of RocksDB: a header, records of key and value, and a footer.
//!
//! ```text
//! header   u32 magic, u32 version 1, u32 family, u8 flags, u8 compression, u64 × 2 expiration range
//! record   u64 bytes of the key, u64 bytes of the value, u64 expiration,
//!          u32 checksum of these, u32 checksum of key and value, key, value
//! footer   u32 magic, u64 count, u64 × 2 expiration range, u32 checksum; missing if the file was not closed
//! ```

use super::records::{RECORD_BYTES, Records, read_head};
use crate::bytes::Cursor;
use crate::checksum::{agree, masked_crc32c};
use crate::compression::{self, BLOCK_BYTES_MAX, Form};
use crate::files::missing;
use crate::{Error, ErrorKind, Examined, Files, Gap, Problem, Result, Severity};

const MAGIC: u32 = 0x0024_8f37;
/// Bytes of the header.
pub(super) const HEADER_BYTES: usize = 30;
const FOOTER_BYTES: usize = 32;
/// Findings that are reported of one file.
pub(super) const FINDINGS_MAX: usize = 1000;

/// A blob file of RocksDB, opened.
pub struct RocksBlobFile<'f> {
    pub(super) files: &'f dyn Files,
    pub(super) name: String,
    /// Number of the compression of its values.
    compression: u8,
    /// The number of records in the footer; `None` when there is no footer.
    count: Option<u64>,
    /// Offset of the end of the records.
    pub(super) end: u64,
}

impl<'f> RocksBlobFile<'f> {
    /// Opens the blob file `name`.
    ///
    /// # Errors
    /// Damage in header or footer; `NotRead` for another version.
    pub fn open(files: &'f dyn Files, name: &str) -> Result<Self> {
        let length = files.length(name).ok_or_else(|| missing(name))?;
        let open = || {
            let compression = read_header(files, name)?;
            let count = read_footer(files, name, length)?;
            let end = if count.is_some() { length - FOOTER_BYTES as u64 } else { length };
            Ok(Self { files, name: name.to_owned(), compression, count, end })
        };
        open().map_err(|error: Error| error.in_file(name))
    }

    /// The number of records in the footer; `None` when the file was not closed.
    pub fn count(&self) -> Option<u64> {
        self.count
    }

    /// The value of `bytes` stored bytes at `offset`, which belongs to `user_key`, decompressed. Compares every field
    /// of the record.
    ///
    /// # Errors
    /// `Damaged` when the record does not belong to the key, or a checksum or the compression is wrong; `NotRead` when
    /// it is larger than the limit.
    pub fn value(
        &self,
        user_key: &[u8],
        offset: u64,
        bytes: u64,
        compression: u8,
    ) -> Result<Vec<u8>> {
        self.try_value(user_key, offset, bytes, compression)
            .map_err(|error| error.in_file(&self.name))
    }

    fn try_value(
        &self,
        user_key: &[u8],
        offset: u64,
        bytes: u64,
        compression: u8,
    ) -> Result<Vec<u8>> {
        let before = (RECORD_BYTES + user_key.len()) as u64;
        let start = offset.checked_sub(before).filter(|&start| start >= HEADER_BYTES as u64);
        let end = offset.checked_add(bytes).filter(|&end| end <= self.end);
        let (Some(start), Some(end)) = (start, end) else {
            let message = format!("a value of {bytes} bytes does not end inside of the file");
            return Err(Error::damaged(offset.min(self.end), message));
        };
        let record = self.files.read(&self.name, start, within_limit(end - start, start)?)?;
        let mut cursor = Cursor::new(&record, start);
        let head = read_head(&mut cursor)?;
        if (head.key_bytes, head.value_bytes) != (user_key.len() as u64, bytes) {
            let message = "the record and the blob index have different lengths";
            return Err(Error::damaged(start, message));
        }
        let both = cursor.rest();
        if !agree(masked_crc32c(both), head.checksum) {
            return Err(Error::damaged(start, "the record has a wrong checksum"));
        }
        let Some(value) = both.strip_prefix(user_key) else {
            return Err(Error::damaged(start, "the record has another key than the blob index"));
        };
        decompressed(compression, value, offset)
    }

    /// A walk over all records.
    pub fn records(&self) -> Records<'_> {
        Records::new(self)
    }

    /// Compares the checksums of all records and their number with the footer; with `deep` decompresses each value.
    /// Reports each finding and returns the number of bytes that it read.
    pub fn check(&self, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined {
        let mut records = self.records();
        let (mut found, mut findings) = (0, 0);
        let mut examined = Examined { bytes: self.end, ..Examined::default() };
        loop {
            match records.next_record() {
                Ok(None) => break,
                Ok(Some((record, value))) => {
                    found += 1;
                    if !deep {
                        continue;
                    }
                    let value = decompressed(self.compression, &value, record.value_offset);
                    if let Err(error) = value {
                        examined.undecoded |= error.kind() == ErrorKind::NotRead;
                        report(Problem::of(&error, &self.name));
                        findings += 1;
                    }
                }
                Err(error) => {
                    report(Problem::of(&error, &self.name));
                    (found, findings) = (found + 1, findings + 1);
                }
            }
            if records.is_stuck() || findings == FINDINGS_MAX {
                examined.gap = Some(Gap::Findings);
                return examined;
            }
        }
        match self.count {
            Some(count) if count != found => {
                let message = format!("{found} records, the footer counts {count}");
                report(Problem::new(Severity::Error, &self.name, message));
            }
            Some(_) => {}
            None => {
                let message = "the file has no footer: it was not closed";
                report(Problem::new(Severity::Note, &self.name, message));
            }
        }
        examined
    }
}

/// Whether the file begins with the header of a blob file.
pub(super) fn is_one(files: &dyn Files, name: &str) -> bool {
    files.read(name, 0, HEADER_BYTES).is_ok_and(|bytes| bytes.starts_with(&MAGIC.to_le_bytes()))
}

fn read_header(files: &dyn Files, name: &str) -> Result<u8> {
    let bytes = files.read(name, 0, HEADER_BYTES)?;
    let mut cursor = Cursor::new(&bytes, 0);
    if cursor.u32()? != MAGIC {
        return Err(Error::damaged(0, "the file does not start as a blob file"));
    }
    let version = cursor.u32()?;
    if version != 1 {
        return Err(Error::not_read(format!("not read: a blob file of version {version}")));
    }
    // The family and whether values expire come before it, the range of expirations after it.
    cursor.take(5)?;
    cursor.u8()
}

/// The number of records in the footer; `None` when the file does not end in one.
fn read_footer(files: &dyn Files, name: &str, length: u64) -> Result<Option<u64>> {
    let start =
        length.checked_sub(FOOTER_BYTES as u64).filter(|&start| start >= HEADER_BYTES as u64);
    let Some(start) = start else { return Ok(None) };
    let bytes = files.read(name, start, FOOTER_BYTES)?;
    let Some((covered, stored)) = bytes.split_last_chunk::<4>() else { return Ok(None) };
    let mut cursor = Cursor::new(covered, start);
    if cursor.u32()? != MAGIC {
        return Ok(None);
    }
    if !agree(masked_crc32c(covered), u32::from_le_bytes(*stored)) {
        return Err(Error::damaged(start, "the footer has a wrong checksum"));
    }
    cursor.u64().map(Some)
}

/// `bytes` as a length in memory.
pub(super) fn within_limit(bytes: u64, at: u64) -> Result<usize> {
    usize::try_from(bytes).ok().filter(|&bytes| bytes <= BLOCK_BYTES_MAX).ok_or_else(|| {
        let message =
            format!("not read: a record of {bytes} bytes, the limit is {BLOCK_BYTES_MAX}");
        Error::not_read(message).at(at)
    })
}

fn decompressed(number: u8, value: &[u8], offset: u64) -> Result<Vec<u8>> {
    compression::decompress(Form::RocksDb, number, value, &[])
        .map(std::borrow::Cow::into_owned)
        .map_err(|error| error.moved(offset))
}
