//! Range tombstones as a view shows them.

use crate::event::ShownRange;

/// The range tombstones of a memtable or a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RangesView {
    /// How many there are.
    pub count: u64,
    /// The smallest range with all keys that they delete.
    pub over: ShownRange,
}
