//! Checksums of blocks: four functions, and the context that newer tables add to them.

use twox_hash::{XxHash3_64, XxHash32, XxHash64};

/// The function that computes the checksums of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Checksum {
    /// Every block stores 0.
    None,
    /// CRC-32C, masked as `LevelDB` does.
    Crc32c,
    /// XXH32 with seed 0.
    XxHash,
    /// The lower half of XXH64 with seed 0.
    XxHash64,
    /// The lower half of XXH3 with 64 bits, mixed with the last byte.
    Xxh3,
}

/// Factor of the last byte, which is then mixed into XXH3.
const LAST_BYTE_FACTOR: u32 = 0x6b90_83d9;

impl Checksum {
    /// The function that `number` stands for in a footer.
    pub fn numbered(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::None),
            1 => Some(Self::Crc32c),
            2 => Some(Self::XxHash),
            3 => Some(Self::XxHash64),
            4 => Some(Self::Xxh3),
            _ => None,
        }
    }

    /// The word for it in summaries.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Crc32c => "crc32c",
            Self::XxHash => "xxhash",
            Self::XxHash64 => "xxhash64",
            Self::Xxh3 => "xxh3",
        }
    }

    /// The checksum of a block with the byte after it, the number of its compression. `both` holds the two in one
    /// piece, as they lie in the file; an empty slice gives 0.
    pub fn of(self, both: &[u8]) -> u32 {
        let Some((last, block)) = both.split_last() else { return 0 };
        match self {
            Self::None => 0,
            Self::Crc32c => masked_crc32c(both),
            Self::XxHash => XxHash32::oneshot(0, both),
            Self::XxHash64 => lower(XxHash64::oneshot(0, both)),
            Self::Xxh3 => {
                lower(XxHash3_64::oneshot(block)) ^ u32::from(*last).wrapping_mul(LAST_BYTE_FACTOR)
            }
        }
    }
}

#[cfg(any(test, feature = "testing"))]
thread_local! {
    /// Whether wrong checksums pass on this thread.
    pub(crate) static IGNORED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Whether a computed checksum equals the stored one. Every comparison goes through here, so that the fuzz targets can
/// reach the decoders with any bytes.
pub(crate) fn agree(computed: u32, stored: u32) -> bool {
    #[cfg(any(test, feature = "testing"))]
    if IGNORED.get() {
        return true;
    }
    computed == stored
}

/// The masked CRC-32C of `bytes`: a CRC of bytes that hold a CRC would be weak.
pub fn masked_crc32c(bytes: &[u8]) -> u32 {
    masked(crc32c::crc32c(bytes))
}

/// A CRC-32C in its stored, masked form.
pub fn masked(checksum: u32) -> u32 {
    checksum.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// The term that a table of format version 6 or 7 adds to the checksum of a block at `offset`, so that a block in the
/// wrong place is found. `base` is in the footer; in older tables it is 0.
pub fn context(base: u32, offset: u64) -> u32 {
    if base == 0 { 0 } else { base ^ lower(offset).wrapping_add(lower(offset >> 32)) }
}

fn lower(number: u64) -> u32 {
    u32::try_from(number & 0xffff_ffff).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Checksum, context, masked_crc32c};

    #[test]
    fn a_block_of_leveldb_has_its_checksum() {
        let block = b"\x00\x0b\x01bar\x01\x01\0\0\0\0\0\x001\x02\x09\0z\0\x02\0\0\0\0\0\0\
            \x00\x0b\x02foo\x01\x03\0\0\0\0\0\x0022\0\0\0\0\x01\0\0\0\0";
        assert_eq!(block.len(), 52);
        assert_eq!(Checksum::Crc32c.of(block), u32::from_le_bytes([0xb0, 0x87, 0x77, 0x4b]));
    }

    #[test]
    fn hashes_have_their_published_numbers() {
        // The empty input plus one byte: XXH3 hashes the empty part and mixes the byte in.
        assert_eq!(Checksum::Xxh3.of(&[0]), 0x38d3_94c2);
        assert_eq!(Checksum::Xxh3.of(&[1]), 0x38d3_94c2 ^ 0x6b90_83d9);
        assert_eq!(Checksum::XxHash.of(b"a"), 0x550d_7456);
        assert_eq!(Checksum::XxHash64.of(b"a"), 0xa98c_6e5b);
        assert_eq!(Checksum::None.of(b"a"), 0);
        assert_eq!(
            masked_crc32c(b"123456789"),
            0xe306_9283_u32.rotate_right(15).wrapping_add(0xa282_ead8)
        );
    }

    #[test]
    fn context_depends_on_both_halves_of_the_offset() {
        assert_eq!(context(0, 77), 0);
        assert_eq!(context(5, 0), 5);
        assert_eq!(context(5, 3), 6);
        assert_eq!(context(5, (2 << 32) + 1), 6);
        assert_eq!(context(5, (1 << 32) + 0xffff_ffff), 5);
    }
}
