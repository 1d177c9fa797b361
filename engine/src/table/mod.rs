//! Tables: immutable sorted files, their builder and their reader.
//!
//! The bytes are described in docs/FORMAT.md, "Table files".

mod block;
mod block_builder;
mod block_iter;
mod block_search;
mod builder;
mod cache;
mod charge;
mod entry;
mod fetch;
mod find;
mod format;
mod index;
mod iter;
mod key_buffer;
mod lookup;
mod open;
mod prefix_buckets;
mod prefix_index;
mod prefixes;
mod properties;
mod ranges;
mod reader;
mod spare;
mod stored;
mod tail;
mod versions;
mod written;

#[cfg(test)]
mod tests;

pub use crate::ranges::RangeTombstone;
pub(crate) use block::Entry;
#[cfg(any(test, feature = "testing"))]
pub(crate) use block::flat_entries;
pub use block::{Block, Damage};
pub use block_builder::BlockBuilder;
pub use block_iter::BlockIter;
pub(crate) use builder::{TableBuilder, TableOptions};
pub(crate) use cache::{SequentialTables, TableCache, TablePin};
pub(crate) use charge::{FirstMiss, ReadCharge, ReadCharges};
pub(crate) use entry::{EntryFlaw, judge_entry};
pub use find::find_block;
pub use format::{BLOCK_TRAILER_BYTES, FOOTER_BYTES, Footer, Handle, MAGIC, decompress};
pub use index::Index;
pub(crate) use iter::TableCursor;
pub(crate) use lookup::LookupKey;
pub(crate) use open::{claims, may_begin, ranges_meta, read_prefixes, read_ranges};
pub use open::{read_footer, read_index, read_metas, read_properties};
pub use prefix_buckets::{PrefixBucket, PrefixBuckets};
pub(crate) use prefix_index::PREFIX_INDEX_NAME;
pub(crate) use prefixes::{PREFIX_FILTER_NAME, Prefixes};
pub(crate) use properties::{ANOTHER_TABLE, number_value};
pub use properties::{FILTER_NAME, PROPERTIES_NAME, Properties};
pub use ranges::{RANGES_NAME, decode as decode_ranges};
pub(crate) use reader::{Searched, Table};
pub use stored::{corrupt, read_block, read_data_block, read_filter};
#[cfg(test)]
pub(crate) use tests::{example, sample};
pub(crate) use versions::{StoredRange, StoredVersion, entries_in, ranges_in, versions_in};
pub(crate) use written::BlockWritten;
