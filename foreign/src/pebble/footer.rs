//! The footer of a Pebble table: handles of index and metaindex, and the format of the blocks.
//!
//! ```text
//! u8 checksum type, metaindex handle, index handle, padding to 41 bytes   all formats
//! u32 attributes                                                          format 7
//! u32 masked crc32c of the footer without this field                      formats 6 and 7
//! u32 format, 8 bytes magic                                               all formats
//! ```

use crate::bytes::Cursor;
use crate::checksum::{Checksum, agree, masked_crc32c};
use crate::{BlockHandle, Error, Files, Result};

/// The last eight bytes of a Pebble table.
pub(super) const MAGIC: [u8; 8] = *b"\xf0\x9f\xaa\xb3\xf0\x9f\xaa\xb3";

/// Bytes of checksum type and handles at the start of the footer.
const HEAD_BYTES: usize = 41;
/// Bytes of the format number and the magic at its end.
const TAIL_BYTES: usize = 12;
/// Bytes of the longest footer.
const FOOTER_BYTES_MAX: usize = HEAD_BYTES + 8 + TAIL_BYTES;

/// A footer, decoded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Footer {
    /// The table format, 1 to 7.
    pub(super) format: u32,
    /// Checksum of the blocks.
    pub(super) checksum: Checksum,
    /// The metaindex block.
    pub(super) metaindex: BlockHandle,
    /// Offset of the footer, where blocks end.
    pub(super) offset: u64,
    /// The index block; of a two-level index the top one.
    pub(super) index: BlockHandle,
}

impl Footer {
    /// Whether data, index and span blocks are columnar.
    pub(super) fn has_columns(self) -> bool {
        self.format >= 5
    }

    /// Whether the metaindex is columnar.
    pub(super) fn has_column_metaindex(self) -> bool {
        self.format >= 6
    }

    /// Whether the properties are columnar.
    pub(super) fn has_column_properties(self) -> bool {
        self.format >= 7
    }

    /// Whether each put of a row block starts with a prefix byte.
    pub(super) fn has_value_prefixes(self) -> bool {
        matches!(self.format, 3 | 4)
    }
}

/// Reads the footer of `name`, a file of `length` bytes.
///
/// # Errors
/// `NotRead` for another magic or a newer format; `Damaged` when the checksum is wrong.
pub(super) fn read(files: &dyn Files, name: &str, length: u64) -> Result<Footer> {
    let wanted = length.min(FOOTER_BYTES_MAX as u64);
    let start = length - wanted;
    let bytes = files.read(name, start, usize::try_from(wanted).unwrap_or(FOOTER_BYTES_MAX))?;
    decode(&bytes, start)
}

fn decode(bytes: &[u8], start: u64) -> Result<Footer> {
    let end = start + bytes.len() as u64;
    let Some((before_magic, magic)) = bytes.split_last_chunk::<8>() else {
        return Err(Error::damaged(0, "the file is too short for the footer of a table"));
    };
    if *magic != MAGIC {
        return Err(Error::damaged(
            end - 8,
            "the file does not end in the magic of a Pebble table",
        ));
    }
    let format = before_magic.last_chunk::<4>().map_or(0, |number| u32::from_le_bytes(*number));
    let extra = match format {
        1..=5 => 0,
        6 => 4,
        7 => 8,
        _ => return Err(Error::not_read(format!("not read: table format {format} of Pebble"))),
    };
    let footer_bytes = HEAD_BYTES + extra + TAIL_BYTES;
    let footer = bytes
        .len()
        .checked_sub(footer_bytes)
        .and_then(|skip| bytes.get(skip..))
        .ok_or_else(|| Error::damaged(0, "the file is too short for the footer of a table"))?;
    let start = end - footer_bytes as u64;
    if format >= 6 {
        verify(footer, start)?;
    }
    let mut cursor = Cursor::new(footer, start);
    let number = cursor.u8()?;
    let checksum = checksum_of(number, start)?;
    let metaindex = BlockHandle::read(&mut cursor)?;
    let index = BlockHandle::read(&mut cursor)?;
    Ok(Footer { format, checksum, metaindex, offset: start, index })
}

/// The checksum stands before the format number and covers all other bytes.
fn verify(footer: &[u8], start: u64) -> Result<()> {
    let short = || Error::damaged(start, "the footer is cut short");
    let (head, tail) = footer.split_last_chunk::<TAIL_BYTES>().ok_or_else(short)?;
    let (head, stored) = head.split_last_chunk::<4>().ok_or_else(short)?;
    let computed = masked_crc32c(&[head, tail].concat());
    if !agree(computed, u32::from_le_bytes(*stored)) {
        return Err(Error::damaged(start, "the footer has a wrong checksum"));
    }
    Ok(())
}

/// The checksum that `number` in a footer at `start` stands for, in a table or a blob file.
pub(crate) fn checksum_of(number: u8, start: u64) -> Result<Checksum> {
    let known = Checksum::numbered(number);
    known.filter(|known| matches!(known, Checksum::Crc32c | Checksum::XxHash64)).ok_or_else(|| {
        Error::damaged(start, format!("checksum type {number}, which Pebble does not write"))
    })
}
