//! Keys, values and the order in which keys come: the same for every engine, from one seed.

use std::sync::Arc;

/// Length of a key \[bytes\].
pub const KEY_BYTES: usize = 16;

/// The key of entry `index`: its number in 16 decimal digits, so that keys sort as their numbers do.
pub fn key(index: u64) -> [u8; KEY_BYTES] {
    let mut bytes = [b'0'; KEY_BYTES];
    let mut rest = index;
    for place in bytes.iter_mut().rev() {
        *place = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    bytes
}

/// A key that lies between two entries and was never written, one byte longer than a written one.
pub fn missing_key(index: u64) -> [u8; KEY_BYTES + 1] {
    let mut bytes = [b'.'; KEY_BYTES + 1];
    bytes[..KEY_BYTES].copy_from_slice(&key(index));
    bytes
}

/// A small generator of well-mixed numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Begins at `seed`.
    pub fn new(seed: u64) -> Self {
        Self(mix(seed ^ 0x9E37_79B9_7F4A_7C15))
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }
}

fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// Every number below `count` once, in an order that looks random.
#[derive(Debug)]
pub struct Shuffle {
    count: u64,
    mask: u64,
    shift: u32,
    seed: u64,
}

impl Shuffle {
    /// The order that belongs to `seed`.
    pub fn new(count: u64, seed: u64) -> Self {
        let mask = count.max(4).next_power_of_two() - 1;
        Self { count, mask, shift: mask.count_ones().div_ceil(2), seed: mix(seed) | 1 }
    }

    /// The number at `position`, which is below `count`.
    ///
    /// Three rounds that can each be undone map the next power of two onto itself; a number beyond
    /// `count` is mapped again until it falls below.
    pub fn at(&self, position: u64) -> u64 {
        let mut number = position;
        loop {
            for round in 0..3 {
                number = number.wrapping_mul(self.seed.rotate_left(round * 17) | 1) & self.mask;
                number ^= number >> self.shift;
                number = number.wrapping_add(self.seed >> 7) & self.mask;
            }
            if number < self.count {
                return number;
            }
        }
    }
}

/// Values that compress to about half: pieces of 100 bytes, each 50 random bytes twice.
#[derive(Debug, Clone)]
pub struct Values {
    pool: Arc<Vec<u8>>,
    value_bytes: usize,
    position: usize,
}

impl Values {
    /// Values of `value_bytes`, other ones for another seed.
    pub fn new(value_bytes: usize, seed: u64) -> Self {
        const PIECE: usize = 100;
        let mut random = Random::new(seed);
        let mut pool = Vec::with_capacity((1 << 20) + value_bytes + PIECE);
        while pool.len() < (1 << 20) + value_bytes {
            let half: Vec<u8> = (0..PIECE / 2).map(|_| b' ' + (random.below(95)) as u8).collect();
            pool.extend_from_slice(&half);
            pool.extend_from_slice(&half);
        }
        Self { pool: Arc::new(pool), value_bytes, position: 0 }
    }

    /// The next value.
    pub fn next(&mut self) -> &[u8] {
        if self.position + self.value_bytes > self.pool.len() {
            self.position = 0;
        }
        let start = self.position;
        self.position += self.value_bytes;
        &self.pool[start..start + self.value_bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_as_their_numbers() {
        assert_eq!(&key(0), b"0000000000000000");
        assert_eq!(&key(1_234_567), b"0000000001234567");
        assert!(key(9) < key(10) && key(99_999) < key(100_000));
        assert!(key(7)[..] < missing_key(7)[..] && missing_key(7)[..] < key(8)[..]);
    }

    #[test]
    fn a_shuffle_gives_every_number_once() {
        for count in [1, 2, 3, 10, 1000, 4096, 5000, 100_003] {
            for seed in 0..3 {
                let shuffle = Shuffle::new(count, seed);
                let mut numbers: Vec<u64> = (0..count).map(|at| shuffle.at(at)).collect();
                numbers.sort_unstable();
                assert!(numbers.into_iter().eq(0..count), "{count} numbers, seed {seed}");
            }
        }
    }
}
