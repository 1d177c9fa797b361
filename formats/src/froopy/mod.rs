//! Tables and logs of a database whose keys carry the time of the write.
//!
//! A key is stored with its time stamp after it, most significant byte first, so that the versions of a
//! key are sorted by their times. [`Table`] answers for any time; [`TableNumber::write`] makes tables,
//! [`Memtable`] decides when one is due.

mod filter;
mod format;
mod log;
mod memtable;
mod names;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod writer;

pub(super) use format::TableFormat;
pub(super) use log::Log;
pub use memtable::Memtable;
pub use table::{FilterState, Metadata, Table};
pub use writer::TableNumber;

use levelscope::internals::coding::Reader;

/// Bytes of the time stamp after each key.
const STAMP_BYTES: usize = 8;
/// The stored value of a deleted key.
const TOMBSTONE: &[u8] = &[0];

/// A key and its time stamp apart; `None` when there is no room for one.
fn split_stamp(stamped: &[u8]) -> Option<(&[u8], u64)> {
    let (key, stamp) = stamped.split_last_chunk::<STAMP_BYTES>()?;
    Some((key, u64::from_le_bytes(*stamp).swap_bytes()))
}

/// A key with its time stamp.
fn stamped(key: &[u8], stamp: u64) -> Vec<u8> {
    [key, &stamp.swap_bytes().to_le_bytes()].concat()
}

/// The next two bytes as a length.
fn length(reader: &mut Reader<'_>) -> Option<usize> {
    let [low, high] = reader.bytes(2)?.first_chunk::<2>()?;
    Some(usize::from(u16::from_le_bytes([*low, *high])))
}

/// A value that was stored; `None` for a tombstone.
fn live(stored: &[u8]) -> Option<&[u8]> {
    (stored != TOMBSTONE).then_some(stored)
}
