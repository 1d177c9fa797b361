//! How a lookup ended, in words. A deleted key and an absent one differ only here.

use crate::key::{SeqNo, ValueKind};
use crate::probe::Hit;
use crate::text::count;
use std::fmt;

/// How a lookup ended. Its words are its `Display`: `found`, `not found`,
/// `deleted (tombstone with sequence number 7)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The key has a value.
    Found,
    /// The newest entry of the key is a tombstone.
    Deleted {
        /// Its sequence number; none in formats without.
        sequence: Option<SeqNo>,
    },
    /// A range delete is newer than every entry of the key.
    DeletedByRange {
        /// Its sequence number.
        sequence: SeqNo,
    },
    /// The transaction that reads has deleted the key, and has not committed.
    DeletedByTransaction,
    /// The key has no entry.
    NotFound,
}

impl Outcome {
    /// The outcome of a lookup whose newest entry is `hit`.
    pub fn of(hit: Option<Hit>) -> Self {
        match hit {
            Some(Hit { entry: ValueKind::Put, .. }) => Self::Found,
            Some(Hit { entry: ValueKind::Delete, sequence }) => {
                Self::Deleted { sequence: Some(sequence) }
            }
            Some(Hit { entry: ValueKind::RangeDelete, sequence }) => {
                Self::DeletedByRange { sequence }
            }
            None => Self::NotFound,
        }
    }

    /// Whether the key has a value.
    pub fn is_found(self) -> bool {
        self == Self::Found
    }

    /// Whether the key was deleted, rather than never written.
    pub fn is_deleted(self) -> bool {
        matches!(
            self,
            Self::Deleted { .. } | Self::DeletedByRange { .. } | Self::DeletedByTransaction
        )
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found => f.write_str("found"),
            Self::Deleted { sequence: Some(sequence) } => {
                write!(f, "deleted (tombstone with sequence number {})", count(*sequence))
            }
            Self::Deleted { sequence: None } => f.write_str("deleted (tombstone)"),
            Self::DeletedByRange { sequence } => {
                write!(f, "deleted (range tombstone with sequence number {})", count(*sequence))
            }
            Self::DeletedByTransaction => f.write_str("deleted by this transaction, not committed"),
            Self::NotFound => f.write_str("not found"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tombstone_is_not_the_same_as_no_entry() {
        let hit = |entry| Some(Hit { sequence: 1234, entry });
        let deleted = Outcome::of(hit(ValueKind::Delete));
        assert_eq!(deleted.to_string(), "deleted (tombstone with sequence number 1,234)");
        assert!(deleted.is_deleted() && !deleted.is_found());
        let deleted = Outcome::of(hit(ValueKind::RangeDelete));
        assert_eq!(deleted.to_string(), "deleted (range tombstone with sequence number 1,234)");
        assert!(deleted.is_deleted() && !deleted.is_found());
        assert!(Outcome::of(hit(ValueKind::Put)).is_found());
        assert_eq!(Outcome::of(None).to_string(), "not found");
        assert!(!Outcome::of(None).is_deleted());
    }
}
