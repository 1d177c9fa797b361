//! The edits of a manifest as a picture shows them.

use crate::storage::FileNumber;

/// One edit of the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EditView {
    /// Whether it is the first edit of its manifest, with the whole state of the database.
    pub snapshot: bool,
    /// Tables that enter a level; none of a snapshot, which has them all.
    pub added: Vec<FileNumber>,
    /// Tables that leave a level.
    pub removed: Vec<FileNumber>,
}

impl EditView {
    /// Edits that a view has at most.
    pub const SHOWN_MAX: usize = 8;

    /// Appends `edit`; the oldest makes room.
    pub(crate) fn append(edits: &mut Vec<Self>, edit: Self) {
        if edits.len() >= Self::SHOWN_MAX {
            edits.remove(0);
        }
        edits.push(edit);
    }
}
