//! The frame of a table file: footers, handles and stored blocks.
//!
//! ```text
//! block | trailer: compression u8, masked checksum u32 over block and compression
//! footer, 48 bytes: handle of the meta index | handle of the index | zeros | magic
//! footer, 53 bytes: checksum type u8 | both handles | zeros | format version u32 | other magic
//! ```
//! A handle is two varints, offset and length; the length does not count the trailer.

use super::crc::{crc32c, masked};
use levelscope::internals::coding::Reader;
use levelscope::internals::filter::hash as xxh64;
pub(crate) use levelscope::internals::survey::{LEVEL_MAGIC, ROCKS_MAGIC};
use levelscope::internals::table::{BLOCK_TRAILER_BYTES, Damage, Handle, decompress};
use levelscope::limits::BLOCK_BYTES_MAX;
use levelscope::{Error, Result, text};

/// Bytes that both handles have in a footer.
pub(crate) const HANDLES_BYTES: usize = 40;
/// The newest format version that is understood.
const VERSION_MAX: u32 = 5;
/// What newer footers of `RocksDB` have in the place of the handles: no older one can have it there.
const EXTENDED_MAGIC: [u8; 4] = [0x3e, 0x00, 0x7a, 0x00];

/// How blocks are protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checksum {
    None,
    Crc32c,
    XxHash32,
    XxHash64,
    Xxh3,
}

impl Checksum {
    fn from_tag(tag: u8) -> Option<Self> {
        match tag {
            0 => Some(Self::None),
            1 => Some(Self::Crc32c),
            2 => Some(Self::XxHash32),
            3 => Some(Self::XxHash64),
            4 => Some(Self::Xxh3),
            _ => None,
        }
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Crc32c => "CRC-32C",
            Self::XxHash32 => "XXH32",
            Self::XxHash64 => "XXH64",
            Self::Xxh3 => "XXH3",
        }
    }

    /// The name of the checksum with this tag.
    pub(crate) fn name_of(tag: u8) -> &'static str {
        Self::from_tag(tag).map_or("unknown", Self::name)
    }

    /// The stored checksum of `covered`, block and compression; `None` for a checksum that we cannot compute.
    pub(crate) fn of(self, covered: &[u8]) -> Option<u32> {
        match self {
            Self::Crc32c => Some(masked(crc32c(&[covered]))),
            Self::XxHash64 => {
                let [a, b, c, d, ..] = xxh64(covered).to_le_bytes();
                Some(u32::from_le_bytes([a, b, c, d]))
            }
            Self::None | Self::XxHash32 | Self::Xxh3 => None,
        }
    }
}

/// The end of a table file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) meta_index: Handle,
    pub(crate) index: Handle,
    pub(crate) checksum: Checksum,
    /// 0 for tables of `LevelDB`.
    pub(crate) version: u32,
    /// Its own length \[bytes\].
    pub(crate) bytes: usize,
}

/// Length of the footer that `file` should have \[bytes\]; `None` without a magic.
pub(crate) fn footer_bytes(file: &[u8]) -> Option<usize> {
    match file.last_chunk::<8>()? {
        magic if *magic == LEVEL_MAGIC => Some(HANDLES_BYTES + 8),
        magic if *magic == ROCKS_MAGIC => Some(1 + HANDLES_BYTES + 4 + 8),
        _ => None,
    }
}

impl Footer {
    /// The footer of `file`.
    ///
    /// # Errors
    /// `Corruption` with its offset; `UnsupportedFormat` for versions of the future.
    pub(crate) fn of(file: &[u8]) -> Result<Self> {
        let bytes = footer_bytes(file).ok_or_else(|| without_magic(file))?;
        let begin = file.len().checked_sub(bytes);
        let short = || Error::damaged_at(0, "the file is too short for a footer");
        let begin = begin.ok_or_else(short)?;
        let damaged = |what: &str| Error::damaged_at(begin as u64, what);
        let mut reader = Reader::new(file.get(begin..).unwrap_or_default());
        let is_level = bytes == HANDLES_BYTES + 8;
        let checksum = if is_level {
            Some(Checksum::Crc32c)
        } else {
            reader.u8().and_then(Checksum::from_tag)
        };
        let checksum = checksum.ok_or_else(|| damaged("the checksum type is unknown"))?;
        let handles = reader.bytes(HANDLES_BYTES).unwrap_or_default();
        let is_newer = is_newer(handles);
        let mut handles = Reader::new(handles);
        let mut handle = || Some(Handle { offset: handles.varint()?, bytes: handles.varint()? });
        let handles = handle().zip(handle());
        let version_at = begin.saturating_add(reader.position()) as u64;
        let version = if is_level { 0 } else { reader.u32().unwrap_or(0) };
        if version > VERSION_MAX && is_newer {
            return Err(Error::not_read_at(
                version_at,
                format!("the table has format {version}; formats up to {VERSION_MAX} are read"),
            ));
        }
        if version > VERSION_MAX {
            let what = format!("the footer is older than the format {version} that it names");
            return Err(Error::damaged_at(version_at, what));
        }
        let (meta_index, index) = handles.ok_or_else(|| damaged("the footer is malformed"))?;
        Ok(Self { meta_index, index, checksum, version, bytes })
    }

    /// The block at `handle` as it is stored, and how it is compressed.
    ///
    /// # Errors
    /// `Corruption` with the offset, when it is not in the file or not what its checksum says.
    pub(crate) fn stored<'a>(&self, file: &'a [u8], handle: Handle) -> Result<(&'a [u8], u8)> {
        let damaged = |what: &str| Error::damaged_at(handle.offset, what);
        let length = file.len() as u64;
        if handle.offset >= length {
            let what = format!("a block should begin at offset {}", text::count(handle.offset));
            return Err(Error::ends_at(length, what));
        }
        let body = file.get(..file.len().saturating_sub(self.bytes)).unwrap_or_default();
        let sealed = sealed(body, handle);
        let sealed =
            sealed.ok_or_else(|| damaged("a block is said to be here, outside the file"))?;
        let trailer = "the block has no trailer";
        let (covered, crc) = sealed.split_last_chunk::<4>().ok_or_else(|| damaged(trailer))?;
        let (tag, stored) = covered.split_last().ok_or_else(|| damaged(trailer))?;
        let computed = self.checksum.of(covered);
        if computed.is_some_and(|computed| computed != u32::from_le_bytes(*crc)) {
            return Err(damaged("the block does not match its checksum"));
        }
        Ok((stored, *tag))
    }

    /// The block at `handle`, decompressed.
    ///
    /// # Errors
    /// As [`Self::stored`]; `UnsupportedFormat` when it is compressed in another way than by Snappy.
    pub(crate) fn block(&self, file: &[u8], handle: Handle) -> Result<Vec<u8>> {
        let (stored, tag) = self.stored(file, handle)?;
        match tag {
            0 if stored.len() <= BLOCK_BYTES_MAX => Ok(stored.to_vec()),
            0 => Err(Error::damaged_at(handle.offset, "the block is larger than a block can be")),
            1 => decompress(stored).map_err(|what| Error::damaged_at(handle.offset, what)),
            tag => {
                let (way, offset) = (compression(self.is_level(), tag, stored), handle.offset);
                let message = format!("the block is compressed by {way}, which is not read");
                Err(Error::not_read_at(offset, message))
            }
        }
    }

    /// Whether it is one as `LevelDB` writes them.
    pub(crate) fn is_level(&self) -> bool {
        self.bytes <= HANDLES_BYTES + 8
    }

    /// Bytes in front of the footer of `file`.
    pub(crate) fn body_bytes(&self, file: &[u8]) -> u64 {
        file.len().saturating_sub(self.bytes) as u64
    }
}

/// Whether a footer has no handles, but what newer ones have in their place.
pub(crate) fn is_newer(handles: &[u8]) -> bool {
    handles.starts_with(&EXTENDED_MAGIC)
}

/// The error for a table that does not end in a magic.
fn without_magic(file: &[u8]) -> Error {
    let what = "the file does not end in the magic of a table";
    match file.len().checked_sub(LEVEL_MAGIC.len()) {
        Some(at) => Error::damaged_at(at as u64, what),
        None => Error::ends_at(file.len() as u64, "a table ends in a footer"),
    }
}

/// The block at `handle` with its trailer; `None` when it is not in the file.
fn sealed(body: &[u8], handle: Handle) -> Option<&[u8]> {
    let end = usize::try_from(handle.end()?).ok()?;
    body.get(usize::try_from(handle.offset).ok()?..end)
}

/// What the compression tag of the block `stored` stands for.
pub(crate) fn compression(is_level: bool, tag: u8, stored: &[u8]) -> String {
    let name = match (tag, is_level) {
        (0, _) => "none",
        (1, _) => "snappy",
        // Minecraft's LevelDB wrote zlib first, and later raw deflate.
        (2, true) if begins_as_zlib(stored) => "zlib",
        (4, true) => "raw deflate",
        (2, true) | (7, false) => "zstd",
        (2, false) => "zlib",
        (3, false) => "bzip2",
        (4, false) => "LZ4",
        (5, false) => "LZ4 HC",
        (6, false) => "XPRESS",
        _ => return format!("an unknown method ({tag})"),
    };
    name.to_owned()
}

/// Whether a block has the two bytes with which zlib begins, for deflate with a window of 32 KiB; zstd begins with 0x28.
fn begins_as_zlib(stored: &[u8]) -> bool {
    matches!(stored, [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..])
}

/// The error for damage in the decompressed block that is stored at `offset`.
pub(crate) fn corrupt(offset: u64, damage: Damage) -> Error {
    let message = format!("{} (at byte {} of the decoded block)", damage.what, damage.at);
    Error::damaged_at(offset, message)
}

/// Bytes of a block with its trailer.
pub(crate) fn sealed_bytes(handle: Handle) -> u64 {
    handle.bytes.saturating_add(BLOCK_TRAILER_BYTES as u64)
}

#[cfg(test)]
mod tests {
    use super::compression;

    #[test]
    fn the_blocks_of_minecraft_are_named_by_their_compression() {
        for (tag, stored, name) in [
            (2, [0x78, 0x9c], "zlib"),
            (2, [0x78, 0x01], "zlib"),
            (2, [0x78, 0xda], "zlib"),
            (2, [0x28, 0xb5], "zstd"),
            (4, [0xed, 0x9b], "raw deflate"),
        ] {
            assert_eq!(compression(true, tag, &stored), name, "{stored:?}");
        }
        assert_eq!(compression(false, 2, &[0x78, 0x9c]), "zlib");
        assert_eq!(compression(false, 4, &[0xed, 0x9b]), "LZ4");
    }
}
