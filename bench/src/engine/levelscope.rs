//! Levelscope, through its public interface.

use super::Engine;
use crate::failure::Outcome;
use crate::settings::Settings;
use levelscope::storage::{NativeStorage, Storage};
use levelscope::{Db, Maintenance, Options, ScanOptions, WalSync, WriteBatch};
use levelscope_mapped::MappedStorage;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

pub struct Levelscope(Db);

impl Levelscope {
    pub fn open(directory: &Path, settings: &Settings) -> Outcome<Self> {
        Self::open_in(Arc::new(NativeStorage::open(directory)?), settings)
    }

    /// Its tables are read through mapped memory.
    pub fn open_mapped(directory: &Path, settings: &Settings) -> Outcome<Self> {
        Self::open_in(Arc::new(MappedStorage::open(directory)?), settings)
    }

    fn open_in(storage: Arc<dyn Storage>, settings: &Settings) -> Outcome<Self> {
        let mut options = Options::default()
            .memtable_bytes(settings.write_buffer_bytes)
            .cache_bytes(settings.cache_bytes)
            .bloom_bits(settings.bloom_bits as usize)
            .wal_sync(WalSync::None)
            .maintenance(Maintenance::Threads(settings.threads));
        for (name, value) in &settings.levelscope {
            options.set(name, value)?;
        }
        Ok(Self(Db::builder().options(options).open_in(storage)?))
    }
}

impl Engine for Levelscope {
    fn put(&self, key: &[u8], value: &[u8]) -> Outcome<()> {
        Ok(self.0.put(key, value)?)
    }

    fn put_synced(&self, key: &[u8], value: &[u8]) -> Outcome<()> {
        let mut batch = WriteBatch::new();
        batch.put(key, value)?;
        self.0.write(&batch, Some(true))?;
        Ok(())
    }

    fn put_batch(&self, pairs: &[([u8; 16], Vec<u8>)]) -> Outcome<()> {
        let mut batch = WriteBatch::new();
        for (key, value) in pairs {
            batch.put(key, value)?;
        }
        self.0.write(&batch, None)?;
        Ok(())
    }

    fn delete(&self, key: &[u8]) -> Outcome<()> {
        Ok(self.0.delete(key)?)
    }

    fn get(&self, key: &[u8]) -> Outcome<Option<usize>> {
        Ok(self.0.get(key)?.map(|value| black_box(&value).len()))
    }

    fn scan(&self, start: Option<&[u8]>, reverse: bool, limit: u64) -> Outcome<u64> {
        let mut iterator = self.0.iter(&ScanOptions::default())?;
        match start {
            Some(key) => iterator.seek(key)?,
            None if reverse => iterator.seek_to_last()?,
            None => iterator.seek_to_first()?,
        }
        let mut count = 0;
        while count < limit && iterator.valid() {
            black_box((iterator.key(), iterator.value()));
            count += 1;
            if reverse { iterator.prev()? } else { iterator.next()? }
        }
        Ok(count)
    }

    fn settle(&self) -> Outcome<()> {
        // With background threads it returns when they have nothing left to do.
        self.0.request_flush()?;
        Ok(())
    }

    fn compact(&self) -> Outcome<()> {
        // As LevelDB's: down to the deepest level that has data, not into an empty level below it.
        self.0.compact(..)?;
        Ok(())
    }
}
