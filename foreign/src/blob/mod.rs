//! Values outside of tables: blob files of RocksDB and of Pebble, the references to them, and wide columns.

mod index;
mod pebble;
mod records;
mod rocksdb;
mod wide;

pub use index::BlobIndex;
pub use pebble::PebbleBlobFile;
pub(crate) use pebble::read_footer;
pub use records::{Record, Records};
pub use rocksdb::RocksBlobFile;
pub use wide::{Column, wide_columns};

use crate::{Engine, Files};

/// The engine whose blob file `name` is, by its magic number; `None`: it has none of a blob file.
pub(crate) fn engine_of(files: &dyn Files, name: &str) -> Option<Engine> {
    if rocksdb::is_one(files, name) {
        return Some(Engine::RocksDb);
    }
    pebble::is_one(files, name).then_some(Engine::Pebble)
}
