//! Reads database directories of RocksDB, Pebble, LevelDB and Levelscope itself: levels, history, entries, logs and damage.
//!
//! The crate never writes to a directory, and takes no lock; of the engine it uses the decoders alone. It reads no file whole: a
//! host implements [`Files`], and every read asks it for a range, so a directory may be on a disk, in an archive, or
//! in a page. [`MemoryFiles`] holds small ones.
//!
//! A [`directory::Directory`] is one opened database. Opening reads the manifest and OPTIONS; tables, logs and LOG are
//! read when a question needs them.
//!
//! ```
//! use levelscope_foreign::directory::Directory;
//! use levelscope_foreign::{CountedFiles, Engine, MemoryFiles};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/lsm/l_history");
//! let mut contents = Vec::new();
//! for entry in std::fs::read_dir(path)? {
//!     let entry = entry?;
//!     contents.push((entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path())?));
//! }
//! let files = MemoryFiles::new(contents);
//! let files = CountedFiles::new(&files);
//! let directory = Directory::open(&files)?;
//! assert_eq!(directory.engine(), Engine::LevelDb);
//!
//! let family = directory.family(0)?;
//! for (level, tables) in &family.levels {
//!     println!("L{level}: {} tables", tables.len());
//! }
//! assert_eq!(family.levels.len(), 3);
//!
//! let lookup = directory.lookup(family.id, b"no such key", None)?;
//! assert_eq!(lookup.outcome, "none");
//!
//! // Compares every checksum; damage is a finding, not an error.
//! assert!(directory.check_all(false).is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! Damage in one file never hides another: a table of an unknown kind is still a table with a key range and a size,
//! and a [`Problem`] names the unreadable part, its place and the reason. Input is hostile: sizes and counts in files
//! are compared with limits before memory is allocated.
//!
//! # Layers
//!
//! A module imports only from its own row and those above it.
//!
//! | modules | content |
//! |---|---|
//! | [`bytes`], [`error`], [`key`], [`name`], [`files`], [`problem`], [`text`] | primitives: keys, files, findings |
//! | [`comparator`], [`entry`], [`version`] | orders of keys; the interface of tables; states |
//! | [`checksum`], [`compression`] | one block |
//! | [`frame`], [`mod@batch`] | records of logs and manifests; write batches |
//! | [`table`], [`pebble`], `own`, [`blob`] | tables, and the values outside of them |
//! | [`manifest`], [`options`], [`events`] | version edits, states and history; OPTIONS; LOG |
//! | [`recognize`](mod@recognize), [`read`] | engine of a directory and its manifest; merged reads of a family |
//! | [`directory`] | a directory as one database: levels, reads, checks |
//! | [`inspect`] | the bytes of one file, each with a name |
//! | [`report`], [`export`], [`summary`] | the questions that people ask; data for other programs; all facts as JSON |
//! | [`query`] | the questions of a page or a terminal, with typed answers |

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
mod own;
pub mod pebble;
pub mod problem;
pub mod query;
pub mod read;
pub mod recognize;
pub mod report;
pub mod summary;
pub mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod version;

pub(crate) use levelscope::internals::sorting;

pub use comparator::Comparator;
pub use entry::{
    BlockHandle, DataBlock, EntryCursor, EntryRef, RangeDeletion, RangeKey, TableReader,
    TableSummary, Value,
};
pub use error::{Error, ErrorKind, Result};
pub use examined::{Examined, Gap};
pub use files::{CountedFiles, FileInfo, Files, MemoryFiles};
pub use key::{Engine, InternalKey, Kind};
pub use own::trace;
pub use problem::{Problem, Severity};
pub use recognize::{LooseFiles, Recognized, recognize};
pub use version::{BlobFile, Family, State, TableFile};
