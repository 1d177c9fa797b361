//! A log that is all there is: every write is a record behind the others, and a search reads them all.
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
pub use store::{FILE, RECORD_BYTES_MAX, Store, StoreSettings};
pub use walk::{Behind, End, Summary, summary};
