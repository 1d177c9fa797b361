//! RocksDB, through the crate that builds it from its sources.

use super::Engine;
use crate::failure::Outcome;
use crate::settings::Settings;
use rocksdb::{
    BlockBasedOptions, BottommostLevelCompaction, Cache, CompactOptions, DB, DBCompressionType,
    Options, WaitForCompactOptions, WriteBatch, WriteOptions,
};
use std::hint::black_box;
use std::path::Path;

pub struct Rocks {
    db: DB,
    synced: WriteOptions,
}

impl Rocks {
    pub fn open(directory: &Path, settings: &Settings) -> Outcome<Self> {
        let mut table = BlockBasedOptions::default();
        table.set_block_cache(&Cache::new_lru_cache(settings.cache_bytes));
        table.set_bloom_filter(f64::from(settings.bloom_bits), false);
        let mut options = Options::default();
        options.create_if_missing(true);
        options.set_write_buffer_size(settings.write_buffer_bytes);
        options.set_compression_type(DBCompressionType::Snappy);
        options.set_block_based_table_factory(&table);
        options.set_max_background_jobs(settings.threads as i32);
        let mut synced = WriteOptions::default();
        synced.set_sync(true);
        Ok(Self { db: DB::open(&options, directory)?, synced })
    }
}

impl Engine for Rocks {
    fn put(&self, key: &[u8], value: &[u8]) -> Outcome<()> {
        Ok(self.db.put(key, value)?)
    }

    fn put_synced(&self, key: &[u8], value: &[u8]) -> Outcome<()> {
        Ok(self.db.put_opt(key, value, &self.synced)?)
    }

    fn put_batch(&self, pairs: &[([u8; 16], Vec<u8>)]) -> Outcome<()> {
        let mut batch = WriteBatch::default();
        for (key, value) in pairs {
            batch.put(key, value);
        }
        Ok(self.db.write(&batch)?)
    }

    fn delete(&self, key: &[u8]) -> Outcome<()> {
        Ok(self.db.delete(key)?)
    }

    fn get(&self, key: &[u8]) -> Outcome<Option<usize>> {
        Ok(self.db.get_pinned(key)?.map(|value| black_box(&value[..]).len()))
    }

    fn scan(&self, start: Option<&[u8]>, reverse: bool, limit: u64) -> Outcome<u64> {
        let mut iterator = self.db.raw_iterator();
        match start {
            Some(key) => iterator.seek(key),
            None if reverse => iterator.seek_to_last(),
            None => iterator.seek_to_first(),
        }
        let mut count = 0;
        while count < limit
            && let Some(item) = iterator.item()
        {
            black_box(item);
            count += 1;
            if reverse { iterator.prev() } else { iterator.next() }
        }
        iterator.status()?;
        Ok(count)
    }

    fn settle(&self) -> Outcome<()> {
        self.db.flush()?;
        Ok(self.db.wait_for_compact(&WaitForCompactOptions::default())?)
    }

    fn compact(&self) -> Outcome<()> {
        self.db.flush()?;
        let mut options = CompactOptions::default();
        options.set_bottommost_level_compaction(BottommostLevelCompaction::Force);
        self.db.compact_range_opt(None::<&[u8]>, None::<&[u8]>, &options);
        self.settle()
    }
}
