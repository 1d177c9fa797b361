//! A small seeded generator: the same seed gives the same numbers on every machine.

/// Pseudo-random numbers (`SplitMix64`, Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of numbers that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number in `0..limit`; 0 when `limit` is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        // The product's high half; its bias is too small for tests to notice.
        let product = u128::from(self.any()) * u128::from(limit);
        u64::try_from(product >> 64).unwrap_or(0)
    }

    /// A number in `0..=max`.
    pub fn up_to(&mut self, max: usize) -> usize {
        usize::try_from(self.below((max as u64).saturating_add(1))).unwrap_or(max)
    }

    /// Overwrites `bytes` with garbage.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = self.any().to_le_bytes()[0];
        }
    }
}

/// Where a [`hash`] begins.
pub(super) const HASH_SEED: u64 = 0xCBF2_9CE4_8422_2325;

/// Continues a 64-bit FNV-1a hash.
pub(super) fn hash(start: u64, bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3))
}
