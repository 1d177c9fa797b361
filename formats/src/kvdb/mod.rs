//! A database that is a single log: every write appends a record, and a search reads all of them.
//!
//! The bytes are read, searched and explained by the format `kvdb-log`; [`Store`] is a small database
//! of one such file.

mod format;
mod record;
mod store;
mod walk;

#[cfg(test)]
mod tests;

pub(super) use format::Log;
pub use record::put;
pub use store::{FILE, RECORD_BYTES_MAX, Store, StoreSettings};
pub use walk::{After, End, Summary, summary};

/// The records of a log in their order; damage is an error in its place.
pub fn entries(log: &[u8]) -> impl Iterator<Item = levelscope::Result<crate::Entry<'_>>> {
    walk::Walk::new(log).map(walk::Stretch::entry)
}
