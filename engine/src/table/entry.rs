//! The rules for an entry of a data block, for readers of single entries.

use crate::key::{ParsedKey, ValueKind, compare_internal, parse_internal_key};
use crate::limits::{KEY_BYTES_MAX, VALUE_BYTES_MAX};
use std::cmp::Ordering;

/// The flaw of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryFlaw {
    /// It has no internal key.
    Key,
    /// Its key or its value is too long.
    Limits,
    /// It does not come after the entry before.
    Order,
    /// It is a tombstone with a value.
    Tombstone,
}

impl EntryFlaw {
    /// It as a sentence without its full stop.
    pub(crate) fn what(self) -> &'static str {
        match self {
            Self::Key => "an entry of this block has no valid key",
            Self::Limits => "an entry of this block exceeds the limits",
            Self::Order => "the keys of this block do not all come after those before them",
            Self::Tombstone => "a tombstone of this block has a value",
        }
    }
}

/// The key of an entry that comes after the internal key `before`.
///
/// # Errors
/// The first rule that the entry breaks.
pub(crate) fn judge_entry<'k>(
    key: &'k [u8],
    value: &[u8],
    before: Option<&[u8]>,
) -> Result<ParsedKey<'k>, EntryFlaw> {
    let entry = parse_internal_key(key).ok_or(EntryFlaw::Key)?;
    if entry.user_key.len() > KEY_BYTES_MAX || value.len() > VALUE_BYTES_MAX {
        return Err(EntryFlaw::Limits);
    }
    if before.is_some_and(|before| compare_internal(before, key) != Ordering::Less) {
        return Err(EntryFlaw::Order);
    }
    if entry.kind == ValueKind::Delete && !value.is_empty() {
        return Err(EntryFlaw::Tombstone);
    }
    Ok(entry)
}
