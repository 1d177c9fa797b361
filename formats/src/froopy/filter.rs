//! The Bloom filter of a table.
//!
//! Its places are computed with 16 bits. A filter of 65,536 bits or more, for 6,831 keys and up, uses
//! only the first few of its bits and denies hardly any key.

use crate::leveldb;

/// Bits from which on the filter is of no use.
pub(super) const BITS_MAX: usize = 1 << 16;

/// Bits for each key, times 10¹⁵: ln 100 / (ln 2)², so that one absent key in a hundred is let through.
const BITS_PER_KEY: u128 = 9_585_058_377_367_439;
/// ln 2, times 10¹⁵.
const LN_2: u128 = 693_147_180_559_945;
const SCALE: u128 = 1_000_000_000_000_000;

/// The hash of a key without its time stamp: that of the filters of `LevelDB`.
pub(super) fn hash(key: &[u8]) -> u32 {
    leveldb::hash(key, leveldb::FILTER_SEED)
}

/// The bits of a filter, and how many each key sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filter<'a> {
    bytes: &'a [u8],
    hashes: u32,
}

/// Bits that each of `keys` sets in a filter of so many bytes.
pub(super) fn hashes(bytes: usize, keys: usize) -> u32 {
    let whole = (keys as u128).max(1) * SCALE;
    let hashes = (bytes as u128 * 8 * LN_2).div_ceil(whole);
    u32::try_from(hashes).unwrap_or(u32::MAX)
}

/// The places of the bits of `key` in a filter of so many bytes.
fn places(key: &[u8], bytes: usize, hashes: u32) -> impl Iterator<Item = (usize, u8)> {
    let [low, next, first, second] = hash(key).to_le_bytes();
    let (start, step) = (u16::from_le_bytes([first, second]), u16::from_le_bytes([low, next]) | 1);
    // The number of bits, cut to 16 bits.
    let modulus = u16::try_from(bytes.wrapping_mul(8) % BITS_MAX).unwrap_or(0);
    let modulus = std::num::NonZero::new(modulus);
    let mut place = start;
    (0..hashes).map_while(move |_| {
        let bit = place % modulus?;
        place = place.wrapping_add(step);
        Some((usize::from(bit / 8), 1 << (bit % 8)))
    })
}

impl<'a> Filter<'a> {
    pub(super) fn new(bytes: &'a [u8], keys: usize) -> Self {
        Self { bytes, hashes: hashes(bytes.len(), keys) }
    }

    /// Whether `key` may be in the table.
    pub(super) fn may_contain(&self, key: &[u8]) -> bool {
        places(key, self.bytes.len(), self.hashes)
            .all(|(byte, mask)| self.bytes.get(byte).is_some_and(|byte| byte & mask != 0))
    }
}

/// A filter for `keys`.
pub(super) fn build<'k>(keys: impl ExactSizeIterator<Item = &'k [u8]>) -> Vec<u8> {
    let count = keys.len();
    let bits = usize::try_from(count as u128 * BITS_PER_KEY / SCALE).unwrap_or(usize::MAX);
    let mut words = bits.div_ceil(64);
    if words > 0 && words.is_multiple_of(BITS_MAX / 64) {
        words += 1; // The original program would divide by zero.
    }
    let mut filter = vec![0; words.saturating_mul(8)];
    let hashes = hashes(filter.len(), count);
    for key in keys {
        for (byte, mask) in places(key, filter.len(), hashes) {
            if let Some(byte) = filter.get_mut(byte) {
                *byte |= mask;
            }
        }
    }
    filter
}
