//! The hash of `LevelDB`'s filters.

const MULTIPLIER: u32 = 0xc6a4_a793;
/// The seed of the filters.
pub(crate) const FILTER_SEED: u32 = 0xbc9f_1d34;

/// The hash of `bytes`.
pub(crate) fn hash(bytes: &[u8], seed: u32) -> u32 {
    // The length counts modulo 2^32, as everything else.
    let [a, b, c, d, ..] = (bytes.len() as u64).to_le_bytes();
    let mut hash = seed ^ u32::from_le_bytes([a, b, c, d]).wrapping_mul(MULTIPLIER);
    let (words, tail) = bytes.as_chunks::<4>();
    for word in words {
        hash = hash.wrapping_add(u32::from_le_bytes(*word)).wrapping_mul(MULTIPLIER);
        hash ^= hash >> 16;
    }
    if !tail.is_empty() {
        for (byte, shift) in tail.iter().zip([0, 8, 16]) {
            hash = hash.wrapping_add(u32::from(*byte) << shift);
        }
        hash = hash.wrapping_mul(MULTIPLIER);
        hash ^= hash >> 24;
    }
    hash
}
