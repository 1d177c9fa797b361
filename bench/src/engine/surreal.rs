//! surrealkv, through its public interface: commits are futures, each of which the calling thread runs to its end.

use super::Engine;
use crate::failure::Outcome;
use crate::settings::Settings;
use std::hint::black_box;
use std::path::Path;
use surrealkv::{
    CompactRangeOptions, CompressionType, Durability, LSMIterator, Mode, Options, Transaction,
    Tree, TreeBuilder,
};
use tokio::runtime::{Builder, Runtime};

pub struct Surreal {
    tree: Tree,
    runtime: Runtime,
}

impl Surreal {
    pub fn open(directory: &Path, settings: &Settings) -> Outcome<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(settings.threads).enable_all().build()?;
        let options = Options::default()
            .with_block_size(4096)
            .with_compression_per_level(vec![CompressionType::SnappyCompression])
            .with_wal_preallocation(true);
        let guard = runtime.enter();
        let tree = TreeBuilder::with_options(options)
            .with_path(directory.to_path_buf())
            .with_max_memtable_size(settings.write_buffer_bytes)
            .with_block_cache_capacity(settings.cache_bytes as u64)
            .build()?;
        drop(guard);
        Ok(Self { tree, runtime })
    }

    fn write(
        &self,
        durability: Durability,
        change: impl FnOnce(&mut Transaction) -> surrealkv::Result<()>,
    ) -> Outcome<()> {
        let mut transaction = self.tree.begin_with_mode(Mode::WriteOnly)?;
        transaction.set_durability(durability);
        change(&mut transaction)?;
        Ok(self.runtime.block_on(transaction.commit())?)
    }

    fn flush_down_to(&self, target_level: Option<u8>) -> Outcome<()> {
        let options = CompactRangeOptions { target_level, ..CompactRangeOptions::default() };
        let _guard = self.runtime.enter();
        Ok(self.tree.compact_range(None, None, &options)?)
    }
}

impl Drop for Surreal {
    fn drop(&mut self) {
        if let Err(error) = self.runtime.block_on(self.tree.close()) {
            eprintln!("levelscope-bench: surrealkv did not close: {error}");
        }
    }
}

impl Engine for Surreal {
    fn put(&self, key: &[u8], value: &[u8]) -> Outcome<()> {
        self.write(Durability::Eventual, |transaction| transaction.set(key, value))
    }

    fn put_synced(&self, key: &[u8], value: &[u8]) -> Outcome<()> {
        self.write(Durability::Immediate, |transaction| transaction.set(key, value))
    }

    fn put_batch(&self, pairs: &[([u8; 16], Vec<u8>)]) -> Outcome<()> {
        self.write(Durability::Eventual, |transaction| {
            pairs.iter().try_for_each(|(key, value)| transaction.set(&key[..], &value[..]))
        })
    }

    fn delete(&self, key: &[u8]) -> Outcome<()> {
        self.write(Durability::Eventual, |transaction| transaction.delete(key))
    }

    fn get(&self, key: &[u8]) -> Outcome<Option<usize>> {
        let transaction = self.tree.begin_with_mode(Mode::ReadOnly)?;
        Ok(transaction.get(key)?.map(|value| black_box(&value).len()))
    }

    fn scan(&self, start: Option<&[u8]>, reverse: bool, limit: u64) -> Outcome<u64> {
        let transaction = self.tree.begin_with_mode(Mode::ReadOnly)?;
        let mut iterator = transaction.scan(start.unwrap_or_default()..)?;
        let mut valid = if reverse { iterator.seek_last()? } else { iterator.seek_first()? };
        let mut count = 0;
        while count < limit && valid {
            black_box((iterator.key().user_key(), iterator.value()?));
            count += 1;
            valid = if reverse { iterator.prev()? } else { iterator.next()? };
        }
        Ok(count)
    }

    fn settle(&self) -> Outcome<()> {
        // Down to level 0: it writes the memtables out and compacts nothing.
        self.flush_down_to(Some(0))
    }

    fn compact(&self) -> Outcome<()> {
        self.flush_down_to(None)
    }
}
