//! Version edits: what one record of the manifest changes.

use super::version::TableMeta;
use crate::key::SeqNo;
use crate::storage::FileNumber;
use std::sync::Arc;

/// One change of the set of tables and of the counters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct VersionEdit {
    /// Logs with smaller numbers hold nothing that tables do not hold.
    pub(crate) log_number: Option<FileNumber>,
    /// Every number below is taken.
    pub(crate) next_file: Option<FileNumber>,
    /// No sequence number above was given out when this was written.
    pub(crate) last_sequence: Option<SeqNo>,
    /// Tables that leave a level.
    pub(crate) removed: Vec<(usize, FileNumber)>,
    /// Tables that enter a level.
    pub(crate) added: Vec<(usize, Arc<TableMeta>)>,
}
