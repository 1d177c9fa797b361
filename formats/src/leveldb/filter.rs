//! Filter blocks: a Bloom filter for each 2 KiB of data blocks.
//!
//! ```text
//! filter ... | offset of each filter u32 | offset of these offsets u32 | binary logarithm of 2048 u8
//! filter: bits, least significant first | probes a key k, u8
//! ```
//! The filter number `i` knows the keys of the data blocks that begin in the 2 KiB number `i`.

use super::hash::{FILTER_SEED, hash};

/// Under which name the meta index has the filter block.
pub(super) const FILTER_NAME: &[u8] = b"filter.leveldb.BuiltinBloomFilter2";
/// Each filter is for so many bytes of data blocks, as a binary logarithm.
const BASE_LOG: u8 = 11;
/// Readers take more probes for a filter of the future.
const PROBES_MAX: u8 = 30;

/// The filter of `keys`.
pub(super) fn bloom(keys: &[&[u8]], bits_per_key: usize) -> Vec<u8> {
    // ln 2 times the bits a key, rounded down.
    let probes = (bits_per_key.saturating_mul(69) / 100).clamp(1, usize::from(PROBES_MAX));
    let bytes = keys.len().saturating_mul(bits_per_key).max(64).div_ceil(8);
    let mut filter = vec![0_u8; bytes];
    for key in keys {
        for bit in positions(key, bytes as u64 * 8).take(probes) {
            let byte = usize::try_from(bit / 8).ok().and_then(|at| filter.get_mut(at));
            if let Some(byte) = byte {
                *byte |= 1 << (bit % 8);
            }
        }
    }
    filter.push(u8::try_from(probes).unwrap_or(PROBES_MAX));
    filter
}

/// The bits of `key`, as an endless sequence.
fn positions(key: &[u8], bits: u64) -> impl Iterator<Item = u64> {
    let mut position = hash(key, FILTER_SEED);
    let delta = position.rotate_right(17);
    std::iter::repeat_with(move || {
        let bit = u64::from(position) % bits.max(1);
        position = position.wrapping_add(delta);
        bit
    })
}

/// Collects the keys of the data blocks of one table.
#[derive(Debug)]
pub(super) struct FilterBuilder {
    bits_per_key: usize,
    keys: Vec<Vec<u8>>,
    filters: Vec<u8>,
    offsets: Vec<u32>,
}

impl FilterBuilder {
    pub(super) fn new(bits_per_key: usize) -> Self {
        Self { bits_per_key, keys: Vec::new(), filters: Vec::new(), offsets: Vec::new() }
    }

    /// The next data block begins at `offset` \[bytes\].
    pub(super) fn start_block(&mut self, offset: u64) {
        let filters = offset >> BASE_LOG;
        while (self.offsets.len() as u64) < filters {
            self.end_filter();
        }
    }

    pub(super) fn add(&mut self, user_key: &[u8]) {
        self.keys.push(user_key.to_vec());
    }

    fn end_filter(&mut self) {
        self.offsets.push(u32::try_from(self.filters.len()).unwrap_or(u32::MAX));
        if !self.keys.is_empty() {
            let keys: Vec<&[u8]> = self.keys.iter().map(Vec::as_slice).collect();
            self.filters.extend(bloom(&keys, self.bits_per_key));
            self.keys.clear();
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        if !self.keys.is_empty() {
            self.end_filter();
        }
        let begin = u32::try_from(self.filters.len()).unwrap_or(u32::MAX);
        for offset in self.offsets.iter().chain([&begin]) {
            self.filters.extend_from_slice(&offset.to_le_bytes());
        }
        self.filters.push(BASE_LOG);
        self.filters
    }
}
