//! Database directories of other engines: RocksDB, Pebble and LevelDB.
//!
//! Nothing is ever written into such a directory, and no file is read whole: every read asks [`Files`]
//! for a range. The parts, from the bottom up; each imports only from those above it:
//!
//! ```text
//! bytes, error, problem, files       primitives
//! key, comparator, name, entry, version   keys, orders, names of files; shared types
//! checksum, compression              one block
//! frame, batch                       logs
//! table, pebble, blob                tables and the values outside of them
//! manifest                           version edits, states, history
//! recognize                          whose directory it is, which manifest counts
//! options, events                    OPTIONS and LOG
//! directory                          all of it as one database: levels, reads, check
//! report, export                     the ten questions; data for other programs
//! inspect                            the bytes of one file, each with a name
//! ```
//!
//! Damage in one file never hides another: a table of an unknown kind is still a table with a key range
//! and a size, and the [`Problem`] says what could not be read and where.

pub mod batch;
pub mod blob;
pub mod bytes;
pub mod checksum;
pub mod comparator;
pub mod compression;
pub mod directory;
pub mod entry;
pub mod error;
pub mod events;
mod examined;
pub mod export;
pub mod files;
pub mod frame;
pub mod inspect;
pub mod key;
pub mod manifest;
pub mod name;
pub mod options;
pub mod pebble;
pub mod problem;
pub mod query;
pub mod read;
pub mod recognize;
pub mod report;
mod sorting;
pub mod summary;
pub mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod version;

pub use comparator::Comparator;
pub use entry::{
    BlockHandle, DataBlock, EntryCursor, EntryRef, RangeDeletion, RangeKey, TableReader,
    TableSummary, Value,
};
pub use error::{Error, ErrorKind, Result};
pub use examined::{Examined, Gap};
pub use files::{CountedFiles, FileInfo, Files, MemoryFiles};
pub use key::{Engine, InternalKey, Kind};
pub use problem::{Problem, Severity};
pub use recognize::{LooseFiles, Recognized, recognize};
pub use version::{BlobFile, Family, State, TableFile};
