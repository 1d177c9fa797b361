//! A blob file of Pebble: blocks of values, an index of the blocks, and a footer.
//!
//! ```text
//! value blocks   columnar: one column of strings
//! index          u32 virtual blocks; columns: virtual blocks, offsets of the blocks and of their end
//! footer         u32 checksum, u64 offset and u64 length of the index, u8 checksum type, u8 format,
//!                u64 number of the file when it was written, format 2: 32 bytes more, 8 bytes magic
//! ```
//!
//! When Pebble rewrites a file to drop garbage, tables keep their old numbers of blocks, now called virtual: each
//! leads to a block of the new file and the place of its first value there.

use super::rocksdb::FINDINGS_MAX;
use crate::bytes::Cursor;
use crate::checksum::{Checksum, agree, masked_crc32c};
use crate::compression::Form;
use crate::files::missing;
use crate::pebble::block::{Block, Reader, TRAILER_BYTES};
use crate::pebble::columns::{Header, Uints};
use crate::pebble::footer::checksum_of;
use crate::table::Source;
use crate::{BlockHandle, Error, ErrorKind, Examined, Files, Gap, Problem, Result};

const MAGIC_1: &[u8; 8] = b"\xf0\x9f\xaa\xb3\xf0\x9f\xa6\x80";
const MAGIC_2: &[u8; 8] = b"\xf0\x9f\xaa\xb3\xf0\x9f\xa6\x82";
const FOOTER_BYTES_1: usize = 38;
const FOOTER_BYTES_2: usize = 70;
/// A virtual block without any value left.
const NO_BLOCK: u64 = 0xffff_ffff;

/// A blob file of Pebble, opened: footer and index are read.
pub struct PebbleBlobFile<'f> {
    source: Source<'f>,
    format: u8,
    index_handle: BlockHandle,
    index: Block,
    blocks: usize,
    virtual_blocks: Option<Uints>,
    offsets: Uints,
    /// The value block that was read last.
    kept: Option<(usize, Block)>,
}

impl<'f> PebbleBlobFile<'f> {
    /// Opens the blob file `name`.
    ///
    /// # Errors
    /// Damage in footer or index; `NotRead` for a newer format.
    pub fn open(files: &'f dyn Files, name: &str) -> Result<Self> {
        Self::try_open(files, name).map_err(|error| error.in_file(name))
    }

    fn try_open(files: &'f dyn Files, name: &str) -> Result<Self> {
        let length = files.length(name).ok_or_else(|| missing(name))?;
        let (format, checksum, index_handle, end) = read_footer(files, name, length)?;
        let source = Source::of_blocks(files, name, end, checksum, Form::Pebble);
        let index = Block::read(&source, index_handle)?;
        let (blocks, virtual_blocks, offsets) =
            decode_index(&index.bytes).map_err(|error| index.blame(error))?;
        let kept = None;
        Ok(Self { source, format, index_handle, index, blocks, virtual_blocks, offsets, kept })
    }

    /// The format in the footer, 1 or 2.
    pub fn format(&self) -> u8 {
        self.format
    }

    /// Offset of the footer.
    pub(crate) fn end(&self) -> u64 {
        self.source.end()
    }

    /// The number of value blocks.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// The value that a table names by `block` and `value`, which has `bytes` bytes there.
    ///
    /// # Errors
    /// `Damaged` when there is no such value, it has another length, or its block is damaged.
    pub fn value(&mut self, block: u32, value: u32, bytes: u32) -> Result<Vec<u8>> {
        self.try_value(block, value, bytes).map_err(|error| error.in_file(self.source.name()))
    }

    fn try_value(&mut self, block: u32, value: u32, bytes: u32) -> Result<Vec<u8>> {
        let (place, first) = self.place(block).map_err(|error| self.index.blame(error))?;
        let row = (first as usize).saturating_add(value as usize);
        if self.kept.as_ref().is_none_or(|kept| kept.0 != place) {
            let handle = self.handle(place).map_err(|error| self.index.blame(error))?;
            self.kept = Some((place, Block::read(&self.source, handle)?));
        }
        let Some((_, kept)) = &self.kept else { return Ok(Vec::new()) };
        let found = value_of(&kept.bytes, row).map_err(|error| kept.blame(error))?;
        if found.len() != bytes as usize {
            let message = format!(
                "value {value} of block {block} has {} bytes, its table records {bytes}",
                found.len()
            );
            return Err(kept.blame(Error::damaged(0, message)));
        }
        Ok(found.to_vec())
    }

    /// The number of the block that is called `block`, and the row of its first value there.
    fn place(&self, block: u32) -> Result<(usize, u32)> {
        let none = |what: &str| Error::damaged(0, format!("there is no {what}block {block}"));
        let Some(virtual_blocks) = self.virtual_blocks else {
            let place = block as usize;
            return if place < self.blocks { Ok((place, 0)) } else { Err(none("")) };
        };
        let mapped =
            virtual_blocks.get(&self.index.bytes, block as usize).map_err(|_| none("virtual "))?;
        let (place, first) = (mapped & 0xffff_ffff, mapped >> 32);
        if place == NO_BLOCK || place >= self.blocks as u64 {
            return Err(none("value left in virtual "));
        }
        let place = usize::try_from(place).map_err(|_| none(""))?;
        Ok((place, u32::try_from(first).map_err(|_| none(""))?))
    }

    /// Handle of value block `place`.
    pub(crate) fn handle(&self, place: usize) -> Result<BlockHandle> {
        let index = self.index.bytes.as_slice();
        let (offset, end) = (self.offsets.get(index, place)?, self.offsets.get(index, place + 1)?);
        let bytes = end.checked_sub(offset).and_then(|bytes| bytes.checked_sub(TRAILER_BYTES));
        let bytes = bytes.ok_or_else(|| {
            Error::damaged(0, format!("block {place} would reach from {offset} to {end}"))
        })?;
        Ok(BlockHandle { offset, bytes })
    }

    /// Compares the checksum of every block; with `deep` decodes each value. Reports each finding and returns the
    /// number of bytes that it read.
    pub fn check(&self, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined {
        let mut reader = Reader::new(&self.source);
        let (mut findings, most) = (0, self.source.end().saturating_mul(4).saturating_add(1 << 24));
        let (mut gap, mut undecoded) = (None, false);
        for place in 0..self.blocks {
            let handle = self.handle(place).map_err(|error| self.index.blame(error));
            if handle.is_err() {
                gap = Some(Gap::Index);
            }
            let result = handle.and_then(|handle| {
                if !deep {
                    return reader.verify(handle);
                }
                let block = reader.block(handle)?;
                each_value(&block.bytes).map_err(|error| block.blame(error))
            });
            if let Err(error) = result {
                undecoded |= error.kind() == ErrorKind::NotRead;
                report(Problem::of(&error, self.source.name()));
                findings += 1;
            }
            // A damaged index may name the same blocks again and again.
            if findings == FINDINGS_MAX || reader.read > most {
                gap.get_or_insert(Gap::Findings);
                break;
            }
        }
        let bytes = reader.read + self.index_handle.bytes + TRAILER_BYTES;
        Examined { bytes, gap, undecoded }
    }
}

/// Whether the file ends in the footer of a blob file.
pub(super) fn is_one(files: &dyn Files, name: &str) -> bool {
    let start = files.length(name).and_then(|length| length.checked_sub(8));
    let end = start.and_then(|start| files.read(name, start, 8).ok());
    end.is_some_and(|end| end == MAGIC_1 || end == MAGIC_2)
}

/// Format, checksum, the handle of the index, and the offset of the footer.
pub(crate) fn read_footer(
    files: &dyn Files,
    name: &str,
    length: u64,
) -> Result<(u8, Checksum, BlockHandle, u64)> {
    let short = || Error::damaged(0, "the file is too short for a blob file");
    let wanted = length.min(FOOTER_BYTES_2 as u64);
    let bytes = files.read(name, length - wanted, usize::try_from(wanted).unwrap_or_default())?;
    let magic = bytes.last_chunk::<8>().ok_or_else(short)?;
    let footer_bytes = match magic {
        MAGIC_1 => FOOTER_BYTES_1,
        MAGIC_2 => FOOTER_BYTES_2,
        _ => {
            let message = "the file does not end in the magic of a blob file of Pebble";
            return Err(Error::damaged(length - 8, message));
        }
    };
    let skip = bytes.len().checked_sub(footer_bytes).ok_or_else(short)?;
    let start = length - footer_bytes as u64;
    let mut cursor = Cursor::new(bytes.get(skip..).unwrap_or_default(), start);
    let stored = cursor.u32()?;
    if !agree(masked_crc32c(cursor.rest()), stored) {
        return Err(Error::damaged(start, "the footer has a wrong checksum"));
    }
    let index = BlockHandle { offset: cursor.u64()?, bytes: cursor.u64()? };
    let number = cursor.u8()?;
    let checksum = checksum_of(number, start)?;
    let format = cursor.u8()?;
    if !matches!((magic, format), (MAGIC_1, 1) | (MAGIC_2, 2)) {
        return Err(Error::not_read(format!("not read: a blob file of format {format}")));
    }
    Ok((format, checksum, index, start))
}

fn decode_index(bytes: &[u8]) -> Result<(usize, Option<Uints>, Uints)> {
    let virtual_blocks = Cursor::new(bytes, 0).u32()? as usize;
    let header = Header::decode(bytes, 4)?;
    let mapped = match virtual_blocks {
        0 => None,
        count => Some(header.uints(bytes, 0, count)?),
    };
    let offsets = header.uints(bytes, 1, header.rows + 1)?;
    Ok((header.rows, mapped, offsets))
}

fn value_of(bytes: &[u8], row: usize) -> Result<&[u8]> {
    let header = Header::decode(bytes, 0)?;
    if row >= header.rows {
        return Err(Error::damaged(
            0,
            format!("there is no value {row}: the block has {}", header.rows),
        ));
    }
    header.strings(bytes, 0, header.rows)?.get(bytes, row)
}

fn each_value(bytes: &[u8]) -> Result<()> {
    let header = Header::decode(bytes, 0)?;
    let values = header.strings(bytes, 0, header.rows)?;
    (0..header.rows).try_for_each(|row| values.get(bytes, row).map(|_| ()))
}
