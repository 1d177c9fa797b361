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
pub use rocksdb::{BlobHeader, BlobUse, RocksBlobFile};
pub use wide::{Column, wide_columns};
