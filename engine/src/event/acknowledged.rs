//! The result of an operation, for the event that ends it.

use super::{ShownKey, ShownRange};
use crate::text;
use std::fmt;

/// The result of an operation that was acknowledged, or failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", tag = "operation")
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Acknowledged {
    /// It put this value under this key.
    Put {
        /// The key.
        key: ShownKey,
        /// The beginning of the value.
        value: ShownKey,
    },
    /// It deleted this key.
    Delete {
        /// The key.
        key: ShownKey,
    },
    /// It deleted all keys of this range.
    DeleteRange {
        /// The range.
        range: ShownRange,
    },
    /// It wrote several entries at once.
    Batch {
        /// Operations in the batch.
        count: u32,
    },
    /// It synced the log.
    Sync,
}

/// As the subject of a sentence.
impl fmt::Display for Acknowledged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Put { key, value } => write!(f, "The put of {key} = {value}"),
            Self::Delete { key } => write!(f, "The deletion of {key}"),
            Self::DeleteRange { range } => write!(f, "The deletion of the range {range}"),
            Self::Batch { count } => {
                write!(f, "The batch of {}", text::counted(*count, "operation"))
            }
            Self::Sync => f.write_str("The sync"),
        }
    }
}
