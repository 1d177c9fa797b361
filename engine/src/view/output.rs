//! Tables between their creation and their installation, from the events of their job.

use crate::event::{JobId, ShownKey};
use crate::storage::FileNumber;

/// A table that a job is writing. A [`super::View`] names such tables only by number, in their job.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutputView {
    /// Number in the file name.
    pub table: FileNumber,
    /// The level that it will enter, 0 is L0.
    pub level: usize,
    /// The job that writes it.
    pub job: JobId,
    /// Its data blocks so far.
    pub blocks: Vec<BlockView>,
    /// Length of its filter, once it is written \[bytes\].
    pub filter_bytes: Option<u64>,
    /// Length of its index, once it is written \[bytes\].
    pub index_bytes: Option<u64>,
    /// Length of the file, once its footer is written \[bytes\].
    pub file_bytes: Option<u64>,
    /// Whether it is durable.
    pub synced: bool,
}

/// One data block of a table that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BlockView {
    /// Number of the block in its table, from 1.
    pub index: u32,
    /// Its entries.
    pub entries: u32,
    /// Its length before compression \[bytes\].
    pub raw_bytes: u32,
    /// Its length in the file, without the trailer \[bytes\].
    pub stored_bytes: u32,
    /// Where it begins \[bytes\].
    pub offset: u64,
    /// Its first key.
    pub first: ShownKey,
    /// Its last key.
    pub last: ShownKey,
}
