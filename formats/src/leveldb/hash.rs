//! The hash of `LevelDB`'s filters, and its variant for the prefix buckets of `RocksDB`.

const MULTIPLIER: u32 = 0xc6a4_a793;
/// The seed of the filters.
pub const FILTER_SEED: u32 = 0xbc9f_1d34;

/// The hash of `bytes`.
pub fn hash(bytes: &[u8], seed: u32) -> u32 {
    mix(bytes, seed, u32::from)
}

/// As [`hash`], with the last one to three bytes taken as signed numbers.
pub fn hash_signed(bytes: &[u8], seed: u32) -> u32 {
    mix(bytes, seed, |byte| i32::from(byte.cast_signed()).cast_unsigned())
}

fn mix(bytes: &[u8], seed: u32, widen: impl Fn(u8) -> u32) -> u32 {
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
            hash = hash.wrapping_add(widen(*byte) << shift);
        }
        hash = hash.wrapping_mul(MULTIPLIER);
        hash ^= hash >> 24;
    }
    hash
}
