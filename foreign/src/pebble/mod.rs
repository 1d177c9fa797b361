//! Pebble's tables, formats 1 to 7: rows (1 to 4) and columns (5 to 7).
//!
//! ```text
//! footer       handles of metaindex and index
//! block        one block, verified and decompressed
//! columns      columnar blocks; rows are those of RocksDB's tables
//! index        data blocks, metaindex, properties
//! entries      one data block; values: value blocks; spans: range deletions and range keys
//! table, cursor, check   the table as a whole
//! slice        a virtual table: a part of another one
//! ```

pub(crate) mod block;
mod check;
pub(crate) mod columns;
mod cursor;
pub(crate) mod entries;
pub(crate) mod footer;
pub(crate) mod index;
pub mod slice;
mod spans;
mod table;
pub(crate) mod values;

pub use slice::{Bounds, Slice};
pub use table::Table;

use crate::{Comparator, Files, Result, TableReader};

/// Opens the table `name` of a Pebble directory. Keys are compared by `comparator`.
///
/// # Errors
/// Damage in footer, metaindex or properties; `NotRead` for a newer table format.
pub fn open<'f>(
    files: &'f dyn Files,
    name: &str,
    comparator: Comparator,
) -> Result<Box<dyn TableReader + 'f>> {
    Ok(Box::new(Table::open(files, name, comparator)?))
}
