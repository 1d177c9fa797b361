//! The last bytes of a table.

use super::source::TRAILER_BYTES;
use crate::bytes::Cursor;
use crate::checksum::{Checksum, agree, context};
use crate::entry::BlockHandle;
use crate::files::missing;
use crate::{Error, Files, Result};

/// Bytes of the longest footer that RocksDB writes.
pub const FOOTER_BYTES_MAX: usize = 53;
const LEVELDB_BYTES: usize = 48;
const MAGIC_BYTES: usize = 8;

/// RocksDB since format version 1.
pub(crate) const MAGIC_ROCKSDB: u64 = 0x88e2_41b7_85f4_cff7;
/// LevelDB, and RocksDB's format version 0.
pub(crate) const MAGIC_LEVELDB: u64 = 0xdb47_7524_8b80_fb57;
/// Pebble.
pub(crate) const MAGIC_PEBBLE: u64 = u64::from_le_bytes(*b"\xf0\x9f\xaa\xb3\xf0\x9f\xaa\xb3");
/// RocksDB's plain tables, with the older and the newer footer.
pub(crate) const MAGIC_PLAIN_OLD: u64 =
    u64::from_le_bytes([0xb8, 0x13, 0x8f, 0x7a, 0xeb, 0x18, 0x34, 0x4f]);
pub(crate) const MAGIC_PLAIN: u64 =
    u64::from_le_bytes([0x64, 0x95, 0xbf, 0x63, 0x96, 0x22, 0x42, 0x82]);
/// RocksDB's cuckoo tables.
pub(crate) const MAGIC_CUCKOO: u64 =
    u64::from_le_bytes([0x73, 0x78, 0xf1, 0xc5, 0xd0, 0x89, 0x67, 0x92]);

/// The newest format version that is read.
pub(crate) const VERSION_MAX: u32 = 7;
/// From here on checksums have a context, and the metaindex names the index.
pub(crate) const VERSION_CONTEXT: u32 = 6;
/// First bytes of part two of a footer with context.
const EXTENDED: [u8; 4] = [0x3e, 0, 0x7a, 0];

/// The footer of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footer {
    /// Whether it is LevelDB's, without version and kind of checksum.
    pub leveldb: bool,
    /// The format version; 0 with LevelDB's magic number.
    pub version: u32,
    /// The checksum of the blocks.
    pub checksum: Checksum,
    /// The number that checksums of versions 6 and 7 mix with the offset; 0 in older ones.
    pub base: u32,
    /// Handle of the metaindex.
    pub metaindex: BlockHandle,
    /// Handle of the index; versions 6 and 7 keep it in the metaindex.
    pub index: Option<BlockHandle>,
    /// Offset of the footer, where blocks end.
    pub offset: u64,
    /// Bytes of the footer.
    pub bytes: usize,
}

/// The magic number at the end of `name`.
pub(super) fn magic(files: &dyn Files, name: &str) -> Result<u64> {
    let length = files.length(name).ok_or_else(|| missing(name))?;
    let Some(offset) = length.checked_sub(MAGIC_BYTES as u64) else {
        return Err(too_short(name, length));
    };
    let bytes = files.read(name, offset, MAGIC_BYTES)?;
    Cursor::new(&bytes, offset).u64()
}

fn too_short(name: &str, length: u64) -> Error {
    let message =
        format!("a table of {length} bytes has no footer: it was cut off or never finished");
    Error::damaged(0, message).in_file(name)
}

impl Footer {
    /// Reads the footer of `name`.
    ///
    /// # Errors
    /// `NotRead` for other formats and newer versions, `Damaged` when it is no footer or its checksum is wrong.
    pub fn read(files: &dyn Files, name: &str) -> Result<Self> {
        let length = files.length(name).ok_or_else(|| missing(name))?;
        let magic = magic(files, name)?;
        let bytes = match magic {
            MAGIC_ROCKSDB => FOOTER_BYTES_MAX,
            MAGIC_LEVELDB => LEVELDB_BYTES,
            other => return Err(unknown(other, length - MAGIC_BYTES as u64).in_file(name)),
        };
        let Some(offset) = length.checked_sub(bytes as u64) else {
            return Err(too_short(name, length));
        };
        let footer = files.read(name, offset, bytes)?;
        let parsed = if magic == MAGIC_LEVELDB {
            leveldb(&footer, offset)
        } else {
            rocksdb(&footer, offset)
        };
        parsed.map_err(|error| error.in_file(name))
    }
}

/// Reason that a table with this magic number at `offset` is not read.
fn unknown(magic: u64, offset: u64) -> Error {
    match magic {
        MAGIC_PLAIN | MAGIC_PLAIN_OLD => Error::not_read("not read: a plain table of RocksDB"),
        MAGIC_CUCKOO => Error::not_read("not read: a cuckoo table of RocksDB"),
        MAGIC_PEBBLE => Error::not_read("not read: a table of Pebble"),
        _ => Error::damaged(
            offset,
            format!(
                "the file does not end like a table (magic number {magic:016x}): it was cut off or overwritten"
            ),
        ),
    }
}

fn leveldb(footer: &[u8], offset: u64) -> Result<Footer> {
    let mut cursor = Cursor::new(footer, offset);
    let (metaindex, index) = (BlockHandle::read(&mut cursor)?, BlockHandle::read(&mut cursor)?);
    Ok(Footer {
        leveldb: true,
        version: 0,
        checksum: Checksum::Crc32c,
        base: 0,
        metaindex,
        index: Some(index),
        offset,
        bytes: footer.len(),
    })
}

/// Kind of checksum, 40 bytes of part two, version, magic number.
fn rocksdb(footer: &[u8], offset: u64) -> Result<Footer> {
    let mut cursor = Cursor::new(footer, offset);
    let at = cursor;
    let kind = cursor.u8()?;
    let mut part = Cursor::new(cursor.take(40)?, offset + 1);
    let version_at = cursor;
    let version = cursor.u32()?;
    if version > VERSION_MAX {
        return Err(Error::not_read(format!("not read: version {version}")).at(version_at.offset()));
    }
    if version == 0 {
        return Err(version_at.damaged("format version 0 needs another magic number"));
    }
    let Some(checksum) = Checksum::numbered(kind) else {
        return Err(Error::not_read(format!("not read: checksums of kind {kind}")).at(at.offset()));
    };
    let (leveldb, bytes) = (false, footer.len());
    if version < VERSION_CONTEXT {
        let (metaindex, index) =
            (BlockHandle::read(&mut part)?, Some(BlockHandle::read(&mut part)?));
        return Ok(Footer { leveldb, version, checksum, base: 0, metaindex, index, offset, bytes });
    }
    if part.take(4)? != EXTENDED {
        return Err(at.damaged("the footer lacks the bytes that mark version 6 and newer"));
    }
    let stored_at = part;
    let stored = part.u32()?;
    let base = part.u32()?;
    let metaindex_bytes = u64::from(part.u32()?);
    part.take(16)?;
    if part.u64()? != 0 {
        return Err(
            Error::not_read("not read: a footer with features that are not known").at(offset)
        );
    }
    if !agree(own_checksum(footer, checksum, base, offset), stored) {
        return Err(stored_at.damaged("the footer has a wrong checksum"));
    }
    let Some(start) = offset.checked_sub(metaindex_bytes + TRAILER_BYTES) else {
        return Err(stored_at.damaged(format!(
            "a metaindex of {metaindex_bytes} bytes does not fit before the footer"
        )));
    };
    let metaindex = BlockHandle { offset: start, bytes: metaindex_bytes };
    Ok(Footer { leveldb, version, checksum, base, metaindex, index: None, offset, bytes })
}

/// The checksum of a footer, counted with zeros where it is stored.
pub(crate) fn own_checksum(footer: &[u8], checksum: Checksum, base: u32, offset: u64) -> u32 {
    let mut copy = footer.to_vec();
    if let Some(field) = copy.get_mut(5..9) {
        field.fill(0);
    }
    checksum.of(&copy).wrapping_add(context(base, offset))
}
