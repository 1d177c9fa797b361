//! Block-based tables of `RocksDB`, and the hash index that some of them have.

mod format;
mod hash_index;
mod properties;

pub(super) use format::TableFormat;
pub use hash_index::{Buckets, HashIndex, Span};
pub use properties::Properties;

/// What there is to know of each of its formats.
pub(super) static INFOS: &[&crate::FormatInfo] = &[&format::INFO];
