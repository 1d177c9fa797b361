//! The frame of a table file: handles, block trailers and the footer.
//!
//! ```text
//! block | trailer: compression tag u8, crc32 u32 over block and tag       (little-endian)
//! footer (56 bytes):
//!  0            16         32             40        44     48        56
//!  ├ metaindex ─┼ index ───┼ table number ┼ version ┼ crc ─┼ magic ──┤
//!  handles are offset u64, length u64 (without trailer); crc covers bytes 0..44
//! ```

use crate::coding::{Reader, crc32, put_varint};
use crate::limits::BLOCK_BYTES_MAX;
use crate::storage::{FileName, FileNumber};
use crate::{Compression, Error, ErrorKind, Result};

/// The version of tables without range tombstones.
pub(super) const FORMAT_VERSION: u32 = 1;
/// The version of tables with range tombstones: programs that do not know of them refuse it.
pub(super) const RANGES_FORMAT_VERSION: u32 = 2;
/// The last eight bytes of every table file: `lvsc.sst` in ASCII.
pub const MAGIC: [u8; 8] = *b"lvsc.sst";
/// Bytes of the trailer of each block: compression tag and checksum.
pub const BLOCK_TRAILER_BYTES: usize = 5;
/// Bytes of the footer.
pub const FOOTER_BYTES: usize = 56;

/// Bytes of the footer before its checksum.
const FOOTER_CHECKED_BYTES: usize = 44;
/// Snappy cannot do better than 64 bytes from 3; a block that claims more is damaged.
const RATIO_MAX: usize = 32;

/// Where a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Handle {
    /// Offset in the file \[bytes\].
    pub offset: u64,
    /// Stored length without the trailer \[bytes\].
    pub bytes: u64,
}

impl Handle {
    /// Where the next block begins; `None` when that is beyond any file.
    pub fn end(self) -> Option<u64> {
        self.offset.checked_add(self.bytes)?.checked_add(BLOCK_TRAILER_BYTES as u64)
    }

    /// Stored length with the trailer; `None` when no block is that long.
    pub fn sealed_bytes(self) -> Option<usize> {
        let bytes = usize::try_from(self.bytes).ok().filter(|bytes| *bytes <= BLOCK_BYTES_MAX)?;
        Some(bytes + BLOCK_TRAILER_BYTES)
    }

    /// Appends offset and length as varints.
    pub fn encode(self, out: &mut Vec<u8>) {
        put_varint(out, self.offset);
        put_varint(out, self.bytes);
    }

    /// Decodes the output of [`Self::encode`]; `None` when there is less or more.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let handle = Self { offset: reader.varint()?, bytes: reader.varint()? };
        reader.is_empty().then_some(handle)
    }
}

/// The last bytes of a table file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footer {
    /// Where the block lies that names the others.
    pub meta_index: Handle,
    /// Where the index of the data blocks lies.
    pub index: Handle,
    /// Number of the table, so that a file under a wrong name is noticed.
    pub number: FileNumber,
    /// Whether the table has range tombstones, which its format version records.
    pub ranges: bool,
}

impl Footer {
    /// The footer as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(FOOTER_BYTES);
        let Self { meta_index, index, number, ranges } = *self;
        for field in [meta_index.offset, meta_index.bytes, index.offset, index.bytes, number] {
            out.extend_from_slice(&field.to_le_bytes());
        }
        out.extend_from_slice(&format_version(ranges).to_le_bytes());
        out.extend_from_slice(&crc32(&[&out]).to_le_bytes());
        out.extend_from_slice(&MAGIC);
        out
    }

    /// Reads the footer `bytes` of `file`, which begin at `offset` \[bytes\].
    ///
    /// # Errors
    /// `Corruption`; `UnsupportedFormat` for a sound footer of another version.
    pub fn decode(bytes: &[u8], file: FileName, offset: u64) -> Result<Self> {
        let damaged = |what: &str| Error::corruption(file, offset, what);
        let short = || damaged("the footer is cut off");
        if bytes.len() != FOOTER_BYTES {
            return Err(short());
        }
        if !bytes.ends_with(&MAGIC) {
            let magic_at = offset.saturating_add((FOOTER_BYTES - MAGIC.len()) as u64);
            let what = "the file does not end in the magic of a table file";
            return Err(Error::corruption(file, magic_at, what));
        }
        let checked = bytes.get(..FOOTER_CHECKED_BYTES).ok_or_else(short)?;
        let mut reader = Reader::new(bytes);
        let mut word = || reader.u64().ok_or_else(short);
        let meta_index = Handle { offset: word()?, bytes: word()? };
        let index = Handle { offset: word()?, bytes: word()? };
        let number = word()?;
        let version = reader.u32().ok_or_else(short)?;
        if reader.u32() != Some(crc32(&[checked])) {
            return Err(damaged("the footer does not match its checksum"));
        }
        if version != FORMAT_VERSION && version != RANGES_FORMAT_VERSION {
            let message = format!(
                "the table has format {version}; this program reads {FORMAT_VERSION} and \
                 {RANGES_FORMAT_VERSION}"
            );
            return Err(Error::in_file(ErrorKind::UnsupportedFormat, file, message));
        }
        Ok(Self { meta_index, index, number, ranges: version == RANGES_FORMAT_VERSION })
    }
}

/// The format version of a table with or without range tombstones.
pub(super) fn format_version(ranges: bool) -> u32 {
    if ranges { RANGES_FORMAT_VERSION } else { FORMAT_VERSION }
}

/// The tag of `compression` in a block trailer.
pub(super) fn compression_tag(compression: Compression) -> u8 {
    match compression {
        Compression::None => 0,
        Compression::Snappy => 1,
    }
}

/// The trailer of a stored block.
pub(super) fn seal(stored: &[u8], compression: Compression) -> [u8; BLOCK_TRAILER_BYTES] {
    let tag = compression_tag(compression);
    let [a, b, c, d] = crc32(&[stored, &[tag]]).to_le_bytes();
    [tag, a, b, c, d]
}

/// Checks the trailer at the end of `sealed`: the stored block and its compression tag.
///
/// # Errors
/// The flaw, as a sentence.
fn check(sealed: &[u8]) -> std::result::Result<(&[u8], u8), &'static str> {
    let (checked, crc) = sealed.split_last_chunk::<4>().ok_or("the block has no trailer")?;
    let (tag, block) = checked.split_last().ok_or("the block has no trailer")?;
    if u32::from_le_bytes(*crc) != crc32(&[checked]) {
        return Err("the block does not match its checksum");
    }
    Ok((block, *tag))
}

/// The decompressed block that is `sealed`, in memory of its length that `take` gives.
///
/// # Errors
/// The flaw, as a sentence.
pub(super) fn unseal_into(
    sealed: &[u8],
    take: impl FnOnce(usize) -> Vec<u8>,
) -> std::result::Result<Vec<u8>, &'static str> {
    match check(sealed)? {
        (block, 0) => {
            let mut buffer = take(block.len());
            buffer.copy_from_slice(block);
            Ok(buffer)
        }
        (block, 1) => decompress_into(block, take),
        _ => Err(UNKNOWN_TAG),
    }
}

/// The decompressed block that is `sealed`; without compression it stays where it is.
///
/// # Errors
/// The flaw, as a sentence.
pub(super) fn unseal(mut sealed: Vec<u8>) -> std::result::Result<Vec<u8>, &'static str> {
    match check(&sealed)? {
        (block, 0) => {
            let length = block.len();
            sealed.truncate(length);
            Ok(sealed)
        }
        (block, 1) => decompress(block),
        _ => Err(UNKNOWN_TAG),
    }
}

const UNKNOWN_TAG: &str = "the block has an unknown compression tag";

/// Compresses `raw` by means of `buffer`; `None` when that saves less than an eighth.
pub(super) fn compress<'a>(
    compressor: &mut snap::raw::Encoder,
    raw: &[u8],
    buffer: &'a mut Vec<u8>,
) -> Option<&'a [u8]> {
    // Never made shorter: clearing the same bytes for every block would cost more than the checksum.
    let bytes_max = snap::raw::max_compress_len(raw.len());
    if buffer.len() < bytes_max {
        buffer.resize(bytes_max, 0);
    }
    let count = compressor.compress(raw, buffer).ok()?;
    buffer.get(..count).filter(|_| count <= raw.len() - raw.len() / 8)
}

/// Decompresses a stored block that is marked as compressed.
///
/// # Errors
/// The flaw, as a sentence.
pub fn decompress(stored: &[u8]) -> std::result::Result<Vec<u8>, &'static str> {
    decompress_into(stored, fresh)
}

/// Memory for long-lived data: zeroed by the allocator, which knows when it is zero already.
pub(super) fn fresh(bytes: usize) -> Vec<u8> {
    vec![0; bytes]
}

fn decompress_into(
    stored: &[u8],
    take: impl FnOnce(usize) -> Vec<u8>,
) -> std::result::Result<Vec<u8>, &'static str> {
    let damaged = "the block cannot be decompressed";
    let bytes = snap::raw::decompress_len(stored).map_err(|_| damaged)?;
    if bytes > BLOCK_BYTES_MAX || bytes / RATIO_MAX > stored.len() {
        return Err("the block claims to be larger than a block can be");
    }
    let mut buffer = take(bytes);
    match snap::raw::Decoder::new().decompress(stored, &mut buffer) {
        Ok(count) if count == bytes => Ok(buffer),
        _ => Err(damaged),
    }
}
