//! Bloom filters: which tables cannot have a key.
//!
//! ```text
//! bits, least significant first | probes a key k, u8
//! ```
//! A key sets `k` bits. With `h` the hash (XXH64) of the user key and `d = rotate(h, 32) | 1`, probe
//! `i` is the bit `((h + i * d) >> 32) * bits >> 32`.

use crate::limits::BLOCK_BYTES_MAX;
use crate::probe::{FilterAnswer, FilterBit};

/// Probes beyond this number cost more than they help; a filter with more is damaged.
const PROBES_MAX: u32 = 30;

/// Collects the keys of one table.
#[derive(Debug, Default)]
pub(crate) struct FilterBuilder {
    hashes: Vec<u64>,
}

impl FilterBuilder {
    /// Adds a user key. Each key should be added once.
    pub(crate) fn add(&mut self, user_key: &[u8]) {
        self.hashes.push(hash(user_key));
    }

    /// Keys so far.
    pub(crate) fn keys(&self) -> u64 {
        self.hashes.len() as u64
    }

    /// The filter block with about `bits_per_key` bits for each key.
    pub(crate) fn finish(&self, bits_per_key: usize) -> Vec<u8> {
        // Small filters are often wrong: give them at least 64 bits.
        let bits = self.hashes.len().saturating_mul(bits_per_key).max(64);
        let bytes = bits.div_ceil(8).min(BLOCK_BYTES_MAX - 1);
        let probes = probes_for(bits_per_key);
        let mut block = vec![0_u8; bytes];
        let bits = bytes as u64 * 8;
        for &hash in &self.hashes {
            for (byte, mask) in probe_bits(hash, bits, probes) {
                if let Some(byte) = block.get_mut(byte) {
                    *byte |= mask;
                }
            }
        }
        block.push(probes.to_le_bytes()[0]);
        block
    }
}

/// The number of probes with the fewest false positives: ln 2 times the bits a key, rounded.
fn probes_for(bits_per_key: usize) -> u32 {
    let probes = bits_per_key.saturating_mul(69).saturating_add(50) / 100;
    u32::try_from(probes).unwrap_or(PROBES_MAX).clamp(1, PROBES_MAX)
}

#[inline]
fn probe_bits(hash: u64, bits: u64, probes: u32) -> impl Iterator<Item = (usize, u8)> {
    let delta = hash.rotate_left(32) | 1;
    let mut position = hash;
    (0..probes).map(move |_| {
        let bit = ((position >> 32) * bits) >> 32;
        position = position.wrapping_add(delta);
        // `bits` is below 2^32, so is every bit number.
        let byte = usize::try_from(bit / 8).unwrap_or(usize::MAX);
        (byte, 1_u8 << (bit % 8))
    })
}

/// The filter of an open table.
#[derive(Debug)]
pub struct Filter {
    block: Vec<u8>,
    bits: u64,
    probes: u32,
}

impl Filter {
    /// Checks a filter block; `None` when it is malformed.
    pub fn decode(block: Vec<u8>) -> Option<Self> {
        let (&probes, front) = block.split_last()?;
        let (probes, bits) = (u32::from(probes), front.len() as u64 * 8);
        let sound = (1..=PROBES_MAX).contains(&probes) && (1..1 << 32).contains(&bits);
        sound.then_some(Self { block, bits, probes })
    }

    /// Whether the table may have the user key with this [`hash`]; false is certain.
    #[inline]
    pub fn may_contain(&self, hash: u64) -> bool {
        self.probe_bits(hash)
            .all(|(byte, mask)| self.block.get(byte).is_some_and(|byte| byte & mask != 0))
    }

    /// The bits that [`Self::may_contain`] reads for `hash`, and its answer.
    pub fn explain(&self, hash: u64) -> FilterAnswer {
        let mut asked = Vec::new();
        for (at, mask) in self.probe_bits(hash) {
            let byte = self.block.get(at).copied().unwrap_or(0);
            let bit = at as u64 * 8 + u64::from(mask.trailing_zeros());
            asked.push(FilterBit::new(bit, byte));
            if byte & mask == 0 {
                break;
            }
        }
        let maybe = asked.iter().all(|bit| bit.set);
        FilterAnswer::new(self.bits, self.probes, asked, maybe)
    }

    #[inline]
    fn probe_bits(&self, hash: u64) -> impl Iterator<Item = (usize, u8)> {
        probe_bits(hash, self.bits, self.probes)
    }
}

const PRIME_1: u64 = 0x9E37_79B1_85EB_CA87;
const PRIME_2: u64 = 0xC2B2_AE3D_27D4_EB4F;
const PRIME_3: u64 = 0x1656_67B1_9E37_79F9;
const PRIME_4: u64 = 0x85EB_CA77_C2B2_AE63;
const PRIME_5: u64 = 0x27D4_EB2F_1656_67C5;

/// XXH64 with seed 0. Part of the file format.
pub fn hash(bytes: &[u8]) -> u64 {
    let (stripes, mut rest) = bytes.as_chunks::<32>();
    let mut hash = if stripes.is_empty() { PRIME_5 } else { hash_stripes(stripes) };
    hash = hash.wrapping_add(bytes.len() as u64);
    while let Some((word, after)) = rest.split_first_chunk::<8>() {
        hash ^= round(0, u64::from_le_bytes(*word));
        hash = hash.rotate_left(27).wrapping_mul(PRIME_1).wrapping_add(PRIME_4);
        rest = after;
    }
    if let Some((word, after)) = rest.split_first_chunk::<4>() {
        hash ^= u64::from(u32::from_le_bytes(*word)).wrapping_mul(PRIME_1);
        hash = hash.rotate_left(23).wrapping_mul(PRIME_2).wrapping_add(PRIME_3);
        rest = after;
    }
    for byte in rest {
        hash ^= u64::from(*byte).wrapping_mul(PRIME_5);
        hash = hash.rotate_left(11).wrapping_mul(PRIME_1);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(PRIME_2);
    hash = (hash ^ (hash >> 29)).wrapping_mul(PRIME_3);
    hash ^ (hash >> 32)
}

fn hash_stripes(stripes: &[[u8; 32]]) -> u64 {
    let mut lanes = [PRIME_1.wrapping_add(PRIME_2), PRIME_2, 0, 0_u64.wrapping_sub(PRIME_1)];
    for stripe in stripes {
        for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks::<8>().0) {
            *lane = round(*lane, u64::from_le_bytes(*word));
        }
    }
    let [a, b, c, d] = lanes;
    let hash = a
        .rotate_left(1)
        .wrapping_add(b.rotate_left(7))
        .wrapping_add(c.rotate_left(12))
        .wrapping_add(d.rotate_left(18));
    lanes.iter().fold(hash, |hash, lane| {
        (hash ^ round(0, *lane)).wrapping_mul(PRIME_1).wrapping_add(PRIME_4)
    })
}

#[inline]
fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_is_xxh64() {
        assert_eq!(hash(b""), 0xEF46_DB37_51D8_E999);
        assert_eq!(hash(b"a"), 0xD24E_C4F1_A98C_6E5B);
        assert_eq!(hash(b"abc"), 0x44BC_2CF5_AD77_0999);
        // A published test vector; its first letter is N.
        assert_eq!(hash(b"\x4eobody inspects the spammish repetition"), 0xFBCE_A83C_8A37_8BF1);
    }

    fn key(number: u64) -> Vec<u8> {
        format!("user{number:09}").into_bytes()
    }

    #[test]
    fn no_key_is_missed_and_few_strangers_pass() {
        for (bits_per_key, passed_max) in [(4, 16_000), (10, 1_200), (16, 100)] {
            let mut builder = FilterBuilder::default();
            (0..100_000).for_each(|number| builder.add(&key(number)));
            let filter = Filter::decode(builder.finish(bits_per_key)).unwrap();
            assert!((0..100_000).all(|number| filter.may_contain(hash(&key(number)))));
            for number in (0..1000).chain(100_000..101_000) {
                let (hash, explained) = (hash(&key(number)), filter.explain(hash(&key(number))));
                assert_eq!(explained.maybe, filter.may_contain(hash), "{number}");
                assert_eq!(explained.bits, (filter.block.len() as u64 - 1) * 8);
                // All bits are probed, or none after the first one that is not set.
                let set = explained.asked.iter().filter(|bit| bit.set).count();
                let all = explained.asked.len();
                assert_eq!(set, if explained.maybe { all } else { all - 1 }, "{number}");
                assert_eq!(explained.maybe, set == explained.probes as usize, "{number}");
            }
            let passed = (100_000..200_000).filter(|n| filter.may_contain(hash(&key(*n)))).count();
            println!("{bits_per_key} bits a key: {passed} of 100,000");
            assert!(passed <= passed_max, "{passed} at {bits_per_key} bits a key");
        }
    }

    #[test]
    fn small_and_odd_filters_work() {
        for keys in [0_u64, 1, 2, 7] {
            for bits_per_key in [1, 3, 64] {
                let mut builder = FilterBuilder::default();
                (0..keys).for_each(|number| builder.add(&key(number)));
                let filter = Filter::decode(builder.finish(bits_per_key)).unwrap();
                assert!((0..keys).all(|number| filter.may_contain(hash(&key(number)))));
            }
        }
    }

    #[test]
    fn malformed_filters_are_refused() {
        for block in [vec![], vec![6], vec![0xff, 0], vec![0xff, 31], vec![0xff, 255]] {
            assert!(Filter::decode(block.clone()).is_none(), "{block:?}");
        }
    }
}
