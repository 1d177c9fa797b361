//! fjall, through its public interface.

use super::Engine;
use crate::failure::{Failure, Outcome};
use crate::settings::Settings;
use fjall::config::{BloomConstructionPolicy, FilterPolicy, FilterPolicyEntry, PinningPolicy};
use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};
use std::hint::black_box;
use std::ops::Bound;
use std::path::Path;
use std::time::Duration;

pub struct Fjall {
    database: Database,
    keyspace: Keyspace,
}

impl Fjall {
    pub fn open(directory: &Path, settings: &Settings) -> Outcome<Self> {
        let database = Database::builder(directory)
            .cache_size(settings.cache_bytes as u64)
            .worker_threads(settings.threads)
            .open()?;
        let bits = BloomConstructionPolicy::BitsPerKey(settings.bloom_bits as f32);
        let keyspace = database.keyspace("bench", || {
            KeyspaceCreateOptions::default()
                .max_memtable_size(settings.write_buffer_bytes as u64)
                .filter_policy(FilterPolicy::all(FilterPolicyEntry::Bloom(bits)))
                // The other engines hold filters and indexes of open tables outside the cache.
                .filter_block_pinning_policy(PinningPolicy::all(true))
                .index_block_pinning_policy(PinningPolicy::all(true))
        })?;
        Ok(Self { database, keyspace })
    }

    fn visit(iterator: impl Iterator<Item = fjall::Guard>, limit: u64) -> Outcome<u64> {
        let mut count = 0;
        for guard in iterator.take(usize::try_from(limit)?) {
            black_box(guard.into_inner()?);
            count += 1;
        }
        Ok(count)
    }
}

impl Engine for Fjall {
    fn put(&self, key: &[u8], value: &[u8]) -> Outcome<()> {
        Ok(self.keyspace.insert(key, value)?)
    }

    fn put_synced(&self, key: &[u8], value: &[u8]) -> Outcome<()> {
        self.keyspace.insert(key, value)?;
        Ok(self.database.persist(PersistMode::SyncData)?)
    }

    fn put_batch(&self, pairs: &[([u8; 16], Vec<u8>)]) -> Outcome<()> {
        let mut batch = self.database.batch();
        for (key, value) in pairs {
            batch.insert(&self.keyspace, &key[..], &value[..]);
        }
        Ok(batch.commit()?)
    }

    fn delete(&self, key: &[u8]) -> Outcome<()> {
        Ok(self.keyspace.remove(key)?)
    }

    fn get(&self, key: &[u8]) -> Outcome<Option<usize>> {
        Ok(self.keyspace.get(key)?.map(|value| black_box(&value).len()))
    }

    fn scan(&self, start: Option<&[u8]>, reverse: bool, limit: u64) -> Outcome<u64> {
        match start {
            Some(key) => {
                let from = (Bound::Included(key), Bound::Unbounded);
                Self::visit(self.keyspace.range::<&[u8], _>(from), limit)
            }
            None if reverse => Self::visit(self.keyspace.iter().rev(), limit),
            None => Self::visit(self.keyspace.iter(), limit),
        }
    }

    fn settle(&self) -> Outcome<()> {
        self.keyspace.rotate_memtable_and_wait()?;
        while self.database.active_compactions() + self.database.outstanding_flushes() > 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    fn compact(&self) -> Outcome<()> {
        self.settle()?;
        self.keyspace.major_compact().map_err(Failure::from)
    }
}
