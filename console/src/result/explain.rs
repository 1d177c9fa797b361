//! The result of `explain`.

use levelscope::{Hit, ReadStop};
use serde::Serialize;

/// The subject of `explain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Lookup {
    /// The lookup of one key.
    #[default]
    Get,
    /// Where a scan of all keys with one beginning looks.
    Prefix,
}

results! {
    /// `explain get`, `explain prefix`.
    #[derive(Default)]
    ExplainResult {
        /// The subject.
        lookup: Lookup,
        /// The step of the state that it describes.
        step: u64,
        /// The key, or the beginning of keys.
        key: String,
        /// Whether it has a value; of a prefix: whether a table has such a key.
        found: bool,
        /// How the lookup ended, in words.
        outcome: String,
        /// The value, or its beginning.
        value: Option<String>,
        /// Where the lookup went, in order.
        stops: Vec<ReadStop>,
        /// The entry that decided.
        winner: Option<Hit>,
        /// Key comparisons in all.
        comparisons: u64,
        /// Blocks read from files.
        blocks_read: u64,
        /// Blocks found in the cache.
        blocks_cached: u64,
        /// Tables skipped by key range.
        skipped_by_range: u64,
        /// Tables skipped by their filter.
        skipped_by_filter: u64,
        /// Tables skipped by their prefix index.
        skipped_by_prefix: u64,
    }
}
