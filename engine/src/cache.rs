//! The block cache: decompressed data blocks of all tables, bounded by their bytes.

use crate::storage::FileNumber;
use crate::table::Block;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{OptionsBuilder, Weighter};
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

/// Bytes for which a cache gets a part with a separate lock.
const SHARD_BYTES: usize = 2 << 20;
const SHARDS_MAX: usize = 16;

/// Table number and offset of a block.
type Key = (FileNumber, u64);

/// Blocks that were read lately.
pub(crate) struct BlockCache {
    /// `None` for a cache of 0 bytes.
    blocks: Option<Cache<Key, Arc<Block>, BlockWeight, FixedHash>>,
    hits: AtomicU64,
    misses: AtomicU64,
    /// Bytes of the blocks found, decompressed: what was neither read nor decompressed again.
    hit_bytes: AtomicU64,
    /// How many parts have a separate lock.
    parts: usize,
    /// Nothing is taken out but to make room: once full, always full.
    full: AtomicBool,
    missed: Missed,
}

impl BlockCache {
    /// A cache of `bytes`; with 0 it keeps nothing.
    pub(crate) fn new(bytes: usize) -> Self {
        let options = OptionsBuilder::new()
            // A fixed number, not one a processor: the same blocks stay on every machine.
            .shards((bytes / SHARD_BYTES).clamp(1, SHARDS_MAX))
            .estimated_items_capacity((bytes / 4096).max(32))
            .weight_capacity(bytes as u64)
            .build();
        let blocks = options.ok().filter(|_| bytes > 0).map(|options| {
            Cache::with_options(options, BlockWeight, FixedHash, DefaultLifecycle::default())
        });
        let parts = blocks.as_ref().map_or(1, Cache::num_shards);
        Self {
            blocks,
            parts,
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            hit_bytes: AtomicU64::new(0),
            full: AtomicBool::new(false),
            missed: Missed::new(bytes),
        }
    }

    /// The block of `table` at `offset`, if it is here.
    #[inline]
    pub(crate) fn get(&self, table: FileNumber, offset: u64) -> Option<Arc<Block>> {
        let found = self.blocks.as_ref().and_then(|blocks| blocks.get(&(table, offset)));
        match &found {
            Some(block) => {
                self.hits.fetch_add(1, Ordering::Relaxed);
                self.hit_bytes.fetch_add(block.bytes().len() as u64, Ordering::Relaxed);
            }
            None => _ = self.misses.fetch_add(1, Ordering::Relaxed),
        }
        found
    }

    /// Keeps a block that was missed, unless it is too large for the cache. A full cache gives up
    /// another one only for a block that it was asked for before, not long ago.
    pub(crate) fn insert(&self, table: FileNumber, offset: u64, block: &Arc<Block>) {
        let Some(blocks) = &self.blocks else { return };
        // A full part may have room for almost one block more, which nothing of this size would ever fill.
        if !self.has_room(self.parts.saturating_mul(block.bytes().len())) {
            self.full.store(true, Ordering::Relaxed);
            if self.missed.is_new(FixedHash.hash_one((table, offset))) {
                return;
            }
        }
        blocks.insert((table, offset), Arc::clone(block));
    }

    /// Whether `bytes` more fit without giving anything up. Cost: the locks of all parts, until it is full.
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        if self.full.load(Ordering::Relaxed) {
            return false;
        }
        let room = |blocks: &Cache<_, _, _, _>| {
            blocks.weight().saturating_add(bytes as u64) <= blocks.capacity()
        };
        self.blocks.as_ref().is_some_and(room)
    }

    /// Lookups that found their block, and those that did not.
    pub(crate) fn stats(&self) -> (u64, u64) {
        (self.hits.load(Ordering::Relaxed), self.misses.load(Ordering::Relaxed))
    }

    /// Decompressed bytes of the blocks that lookups found here \[bytes\].
    pub(crate) fn hit_bytes(&self) -> u64 {
        self.hit_bytes.load(Ordering::Relaxed)
    }

    /// Decompressed blocks held \[bytes\].
    pub(crate) fn used_bytes(&self) -> u64 {
        self.blocks.as_ref().map_or(0, Cache::weight)
    }
}

impl fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockCache").field("used_bytes", &self.used_bytes()).finish_non_exhaustive()
    }
}

/// Which blocks were missed lately: a mark for each, in a place where other marks may take over.
///
/// Most blocks that random reads ask for are not asked for again while they could be kept. To take in each of them
/// would cost memory traffic and drive out others.
struct Missed(Vec<AtomicU16>);

impl Missed {
    /// For a cache of `bytes`: twice as many marks as it holds blocks.
    fn new(bytes: usize) -> Self {
        let count = (bytes / 2048).max(64);
        Self((0..count).map(|_| AtomicU16::new(0)).collect())
    }

    /// Whether the block with this hash was not missed lately, as far as is known; now it was.
    fn is_new(&self, hash: u64) -> bool {
        let [a, b, ..] = hash.to_le_bytes();
        let mark = u16::from_le_bytes([a, b]);
        let place = (u128::from(hash) * self.0.len() as u128) >> 64;
        let place = usize::try_from(place).ok().and_then(|place| self.0.get(place));
        place.is_none_or(|place| {
            let known = place.load(Ordering::Relaxed) == mark;
            place.store(mark, Ordering::Relaxed);
            !known
        })
    }
}

#[derive(Debug, Clone, Copy)]
struct BlockWeight;

impl Weighter<Key, Arc<Block>> for BlockWeight {
    fn weight(&self, _key: &Key, block: &Arc<Block>) -> u64 {
        block.bytes().len() as u64
    }
}

/// A hash without a random seed: the same blocks stay in every run.
#[derive(Debug, Clone, Copy)]
struct FixedHash;

impl BuildHasher for FixedHash {
    type Hasher = FixedHasher;

    fn build_hasher(&self) -> FixedHasher {
        FixedHasher(0)
    }
}

#[derive(Debug)]
struct FixedHasher(u64);

impl Hasher for FixedHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        // Table numbers and offsets differ in few bits: spread them over all.
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::BlockBuilder;

    fn block() -> Arc<Block> {
        let mut builder = BlockBuilder::new(1);
        builder.add(b"key", &[7; 100]);
        Arc::new(Block::new(builder.finish().to_vec()).unwrap())
    }

    #[test]
    fn bytes_are_bounded_and_lookups_counted() {
        let cache = BlockCache::new(64 << 10);
        for offset in 0..10_000 {
            cache.insert(1, offset * 119, &block());
            assert!(cache.used_bytes() <= 64 << 10);
        }
        assert!(cache.used_bytes() > 32 << 10);
        let found =
            (0..10_000).filter(|offset| cache.get(1, offset * 119).is_some()).count() as u64;
        assert_eq!(cache.stats(), (found, 10_000 - found));
        assert!(cache.get(2, 0).is_none());
    }

    #[test]
    fn a_full_cache_takes_in_what_is_missed_again() {
        let cache = BlockCache::new(64 << 10);
        let mut offset = 0;
        while cache.used_bytes() + 200 < 64 << 10 {
            offset += 119;
            cache.insert(1, offset, &block());
            assert!(cache.get(1, offset).is_some(), "there is room");
        }
        for table in 2..100 {
            cache.insert(table, 0, &block());
            assert!(
                cache.get(table, 0).is_none() || table < 4,
                "missed once, {table} drives out another"
            );
            cache.insert(table, 0, &block());
            assert!(cache.get(table, 0).is_some(), "{table} was missed twice");
        }
    }

    #[test]
    fn a_cache_of_several_parts_becomes_full() {
        for bytes in [4000, 4100, 4150, 2000] {
            let cache = BlockCache::new(8 << 20);
            let mut builder = BlockBuilder::new(1);
            builder.add(b"key", &[7].repeat(bytes));
            let block = Arc::new(Block::new(builder.finish().to_vec()).unwrap());
            let blocks = (16 << 20) / bytes as u64;
            let until_full = (0..blocks).find(|number| {
                cache.insert(1, number * 2048, &block);
                cache.full.load(Ordering::Relaxed)
            });
            let kept = cache.used_bytes();
            assert!(until_full.is_some(), "blocks of {bytes}: {kept} and never full");
            assert!(kept > 7 << 20, "blocks of {bytes}: full with {kept}");
        }
    }

    #[test]
    fn two_caches_keep_the_same_blocks() {
        let kept = |cache: BlockCache| {
            for step in 0..5_000_u64 {
                let offset = (step * step) % 1_000;
                if cache.get(step % 7, offset).is_none() {
                    cache.insert(step % 7, offset, &block());
                }
            }
            (cache.stats(), cache.used_bytes())
        };
        assert_eq!(kept(BlockCache::new(20_000)), kept(BlockCache::new(20_000)));
    }

    #[test]
    fn without_bytes_nothing_is_kept() {
        let cache = BlockCache::new(0);
        cache.insert(1, 0, &block());
        assert!(cache.get(1, 0).is_none());
        assert_eq!((cache.used_bytes(), cache.stats()), (0, (0, 1)));
    }
}
