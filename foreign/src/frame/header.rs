//! The header of one frame: a record of a log, or a piece of one, inside of one block.

use super::LogKind;
use crate::Engine;
use crate::bytes::Cursor;
use crate::checksum::{agree, masked_crc32c};

/// Bytes of a block; no frame crosses the end of one.
pub const BLOCK_BYTES: u64 = 32 << 10;
/// Bytes of the shortest header. Fewer bytes at the end of a block are padding.
pub const HEADER_BYTES: usize = 7;
const RECYCLABLE_BYTES: usize = 11;
/// Bytes of the longest header.
pub const SYNC_BYTES: usize = 19;

/// The piece of a record that a frame holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// The whole record.
    Full,
    /// Its beginning.
    First,
    /// Neither beginning nor end.
    Middle,
    /// Its end.
    Last,
    /// RocksDB: how the following records are compressed.
    Compression,
    /// RocksDB: bytes of the timestamps of families.
    Timestamps,
    /// RocksDB: the log before this one.
    Predecessor,
    /// A type that readers of RocksDB skip.
    Skipped,
    /// A type without a meaning here.
    Unknown,
}

/// A header, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Meaning of the payload.
    pub piece: Piece,
    /// The type, as in the file.
    pub number: u8,
    /// The masked checksum.
    pub checksum: u32,
    /// Bytes of the header.
    pub bytes: usize,
    /// Bytes of the payload.
    pub length: usize,
    /// The number of the log that the frame was written for, low 32 bits, where the header has it.
    pub log: Option<u32>,
}

/// Content of a block at one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameStart {
    /// A frame.
    Header(Header),
    /// Zeros: space that was reserved and not written. The rest of the block is empty.
    Zeros,
    /// Fewer bytes than a header has.
    Short,
}

/// The header at the start of `bytes`.
pub fn parse(kind: LogKind, bytes: &[u8]) -> FrameStart {
    let mut cursor = Cursor::new(bytes, 0);
    let (Ok(checksum), Ok(length), Ok(number)) = (cursor.u32(), cursor.u16(), cursor.u8()) else {
        return FrameStart::Short;
    };
    if number == 0 && length == 0 {
        return FrameStart::Zeros;
    }
    let (piece, header_bytes) = meaning(kind, number);
    let mut log = None;
    if header_bytes > HEADER_BYTES {
        let Ok(tagged) = cursor.u32() else { return FrameStart::Short };
        log = Some(tagged);
    }
    if bytes.len() < header_bytes {
        return FrameStart::Short;
    }
    FrameStart::Header(Header {
        piece,
        number,
        checksum,
        bytes: header_bytes,
        length: usize::from(length),
        log,
    })
}

/// Meaning of type `number`, and the length of its header in bytes.
fn meaning(kind: LogKind, number: u8) -> (Piece, usize) {
    let pieces = [Piece::Full, Piece::First, Piece::Middle, Piece::Last];
    let piece = |first: u8| {
        let place = usize::from(number.wrapping_sub(first));
        pieces.get(place).copied().unwrap_or(Piece::Unknown)
    };
    let engine = match kind {
        LogKind::Manifest(_) => None,
        LogKind::Log { engine, .. } => Some(engine),
    };
    let rocks = engine == Some(Engine::RocksDb);
    let pebble = engine == Some(Engine::Pebble);
    match number {
        1..=4 => (piece(1), HEADER_BYTES),
        5..=8 if rocks || pebble => (piece(5), RECYCLABLE_BYTES),
        9..=12 if pebble => (piece(9), SYNC_BYTES),
        9 if rocks => (Piece::Compression, HEADER_BYTES),
        10 if rocks => (Piece::Timestamps, HEADER_BYTES),
        11 if rocks => (Piece::Timestamps, RECYCLABLE_BYTES),
        130 if rocks => (Piece::Predecessor, HEADER_BYTES),
        131 if rocks => (Piece::Predecessor, RECYCLABLE_BYTES),
        128.. if rocks => (Piece::Skipped, HEADER_BYTES),
        _ => (Piece::Unknown, HEADER_BYTES),
    }
}

/// Whether the checksum of the frame at the start of `bytes` is right; it covers all from the type on.
pub fn checksum_is_right(header: &Header, bytes: &[u8]) -> bool {
    let covered = bytes.get(6..header.bytes + header.length);
    covered.is_some_and(|covered| agree(masked_crc32c(covered), header.checksum))
}
