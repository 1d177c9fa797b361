//! Tables in blocks: those of RocksDB, format versions 0 to 7, and of LevelDB.
//!
//! ```text
//! data blocks, filters, dictionary, index partitions, properties, range deletions,
//! index (before or after the metaindex), metaindex, footer
//! ```
//!
//! The footer leads to the metaindex and the index, the metaindex to all other blocks by name.

mod block;
mod check;
mod cursor;
mod entries;
pub(crate) mod footer;
mod index;
pub(crate) mod properties;
mod reader;
mod source;
pub(crate) mod window;

pub use block::{Block, Layout};
pub use entries::BlockCursor;
pub use footer::{FOOTER_BYTES_MAX, Footer};
pub use properties::{Names, compression_words};
pub use reader::BlockTable;
pub(crate) use source::TRAILER;
pub use source::{Source, StoredBlock, TRAILER_BYTES};

use crate::entry::TableReader;
use crate::key::Engine;
use crate::{Comparator, Files, Result};

/// The engine that table `name` is of, by its magic number; `None` when it has none of a table.
pub(crate) fn magic_engine(files: &dyn Files, name: &str) -> Option<Engine> {
    match footer::magic(files, name).ok()? {
        crate::own::TABLE_MAGIC => Some(Engine::Levelscope),
        footer::MAGIC_PEBBLE => Some(Engine::Pebble),
        footer::MAGIC_LEVELDB => Some(Engine::LevelDb),
        footer::MAGIC_ROCKSDB
        | footer::MAGIC_PLAIN
        | footer::MAGIC_PLAIN_OLD
        | footer::MAGIC_CUCKOO => Some(Engine::RocksDb),
        _ => None,
    }
}

/// Opens table `name` with the reader of its magic number. `comparator` is that of its family.
///
/// # Errors
/// `Missing` and `Io` of the files; `NotRead` for other formats and newer versions; `Damaged` when the footer, the
/// metaindex or the properties are.
pub fn open<'f>(
    files: &'f dyn Files,
    name: &str,
    engine: Engine,
    comparator: Comparator,
) -> Result<Box<dyn TableReader + 'f>> {
    if engine == Engine::Levelscope {
        return Ok(Box::new(crate::own::Table::open(files, name)?));
    }
    let magic = footer::magic(files, name)?;
    if magic == footer::MAGIC_PEBBLE {
        return crate::pebble::open(files, name, comparator);
    }
    let table = BlockTable::open(files, name, engine, comparator)?;
    Ok(Box::new(table))
}
