//! Tables of Levelscope itself. The engine's own decoders read them; this module reads the ranges of the file for them,
//! and no lock is taken.
//!
//! ```text
//! table    footer, index, meta index, properties; range tombstones
//! cursor   a walk over the entries, one block in memory at a time
//! check    every block, every entry
//! trace    a search, step by step
//! ```

mod check;
mod cursor;
mod table;
mod trace;

pub(crate) use table::Table;
pub use trace::trace;

use crate::{TableFile, TableReader};
use levelscope::internals::table::MAGIC;

/// The last bytes of a table, as a number.
pub(crate) const TABLE_MAGIC: u64 = u64::from_le_bytes(MAGIC);

/// Whether the properties of a table are those of `table` in the manifest, as far as that records them.
pub(crate) fn is_of(reader: &dyn TableReader, table: &TableFile) -> bool {
    let properties = &reader.summary().properties;
    let agrees = |name: &str, recorded: Option<u64>| {
        let own = properties.get(name);
        recorded.is_none_or(|recorded| own == Some(&recorded.to_string().into_bytes()))
    };
    agrees("sequence.min", table.smallest_sequence)
        && agrees("sequence.max", table.largest_sequence)
}
