//! A table format that grows in steps, each of which answers a question that the one before leaves
//! open: from plain entries in order to compressed blocks with restart points.
//!
//! All steps store one operation byte in front of each value.

mod fixed;

pub(super) use fixed::Fixed;

use crate::formats::Entry;
use crate::{Error, Result};
use std::borrow::Cow;

/// The byte in front of the value of a tombstone, which has none.
const DELETE: u8 = 0;
/// The byte in front of every other value.
const SET: u8 = 1;

/// What is stored for `value`.
fn stored_value(value: Option<&[u8]>) -> Vec<u8> {
    match value {
        None => vec![DELETE],
        Some(value) => [&[SET], value].concat(),
    }
}

/// The entry at `offset` \[bytes\] of a file, whose value is `stored` with its operation byte.
fn entry<'a>(key: &'a [u8], stored: &'a [u8], offset: u64) -> Result<Entry<'a>> {
    let value = match stored.split_first() {
        Some((&DELETE, [])) => None,
        Some((&SET, value)) => Some(Cow::Borrowed(value)),
        Some((&DELETE, _)) => {
            return Err(Error::damaged_at(offset, "a tombstone has a value"));
        }
        Some((other, _)) => {
            let what = format!("{other} is no operation: 0 deletes, 1 sets");
            return Err(Error::damaged_at(offset, what));
        }
        None => return Err(Error::damaged_at(offset, "the value has no operation byte")),
    };
    Ok(Entry { key: Cow::Borrowed(key), value, sequence: None, offset })
}
