//! A table format that grows in steps, each of which answers a question that the one before leaves
//! open: from plain entries in order to compressed blocks with restart points.
//!
//! All steps store one operation byte in front of each value. [`TableSettings`] writes any step, also with other sizes
//! than the usual ones; [`layout`] returns the places of a table's blocks; [`Memtables`] assigns a sequence of writes
//! to tables.

mod block;
mod blocks;
mod coding;
mod index;
mod indexed;
mod infos;
mod log;
mod memtables;
mod names;
mod pieces;
mod plain;
mod search;
mod settings;
#[cfg(test)]
mod tests;

pub(super) use blocks::Blocks;
pub use index::{BlockPlace, Layout, layout};
pub(super) use indexed::Indexed;
pub(super) use log::Log;
pub use memtables::{MemtableLimits, Memtables};
pub(super) use plain::Plain;
pub use settings::{Step, TableSettings};

use crate::Entry;
use levelscope::{Error, Result};
use std::borrow::Cow;

/// The byte in front of the value of a tombstone, which has none.
const DELETE: u8 = 0;
/// The byte in front of every other value.
const SET: u8 = 1;

/// The stored bytes of `value`.
fn stored_value(value: Option<&[u8]>) -> Vec<u8> {
    match value {
        None => vec![DELETE],
        Some(value) => [&[SET], value].concat(),
    }
}

/// The value that is stored, with its operation byte, as `stored`; `offset` \[bytes\] is for errors.
fn value(stored: Cow<'_, [u8]>, offset: u64) -> Result<Option<Cow<'_, [u8]>>> {
    let rest = |stored| match stored {
        Cow::Borrowed(stored) => Cow::Borrowed(<[u8]>::get(stored, 1..).unwrap_or_default()),
        Cow::Owned(mut stored) => {
            stored.drain(..1);
            Cow::Owned(stored)
        }
    };
    match stored.split_first() {
        Some((&DELETE, [])) => Ok(None),
        Some((&SET, _)) => Ok(Some(rest(stored))),
        Some((&DELETE, _)) => Err(Error::damaged_at(offset, "a tombstone has a value")),
        Some((other, _)) => {
            let what = format!("{other} is no operation: 0 deletes, 1 sets");
            Err(Error::damaged_at(offset, what))
        }
        None => Err(Error::damaged_at(offset, "the value has no operation byte")),
    }
}

/// The entry at `offset` \[bytes\] of a file.
fn entry<'a>(key: Cow<'a, [u8]>, stored: Cow<'a, [u8]>, offset: u64) -> Result<Entry<'a>> {
    Ok(Entry { key, value: value(stored, offset)?, sequence: None, offset })
}

/// The error for a table whose keys do not ascend.
const UNSORTED: &str = "this key is not larger than the one before";
