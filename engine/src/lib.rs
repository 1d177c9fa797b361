//! Levelscope: an LSM-tree storage engine that explains every step it takes.
//!
//! ```
//! use levelscope::Db;
//! use levelscope::storage::MemoryStorage;
//! use std::sync::Arc;
//!
//! // `Db::open("some/directory")` takes files.
//! let db = Db::builder().open_in(Arc::new(MemoryStorage::default()))?;
//! db.put("apple", "red")?;
//! db.put("fig", "purple")?;
//! db.put("pear", "yellow")?;
//! db.delete("fig")?;
//! assert_eq!(db.get("apple")?.as_deref(), Some(&b"red"[..]));
//!
//! for entry in db.range("b"..)?.rev() {
//!     let (key, value) = entry?;
//!     assert_eq!((&key[..], &value[..]), (&b"pear"[..], &b"yellow"[..]));
//! }
//! # Ok::<(), levelscope::Error>(())
//! ```
//!
//! [`Db`] lists its methods by task, and [`Options`] has default, range and advice of each option. By default every
//! write is durable when it returns ([`WalSync::Group`]). A directory has three background threads: two flush and
//! compact, one syncs and ends logs. With [`Maintenance::Manual`] the program does that work with [`Db::step`].
//!
//! | module | content |
//! |---|---|
//! | [`storage`] | the trait for files; native files, memory, decorators |
//! | [`event`], [`view`] | every step of the engine as an event, and its state as plain data |
//! | [`inspect`] | every byte of a file with its name and meaning |
//! | [`limits`], [`text`] | maxima; keys, bytes and numbers as text |
#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
mod cache;
mod check;
mod coding;
mod compaction;
mod db;
mod error;
pub mod event;
mod few;
mod filter;
mod flaw;
mod identity;
pub mod inspect;
#[doc(hidden)]
pub mod internals;
mod iter;
mod job;
mod key;
pub mod limits;
mod live;
mod manifest;
mod memtable;
mod options;
mod outcome;
mod prefix;
mod probe;
mod ranges;
mod repair;
mod sorting;
mod state;
pub mod storage;
mod survey;
mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
mod transaction;
mod ttl;
pub mod view;
mod wal;

pub use batch::WriteBatch;
pub use check::{Check, CheckReport, Finding, Severity};
pub use compaction::{CompactionFilter, FilterDecision, FilterEntry};
pub use db::{
    ApproximateSize, Builder, CheckpointReport, Db, FileEntry, Lag, NewDatabase, ScanOptions,
    Snapshot, Transaction, TransactionOptions,
};
pub use error::{Error, ErrorKind, Result};
pub use event::Isolation;
pub use identity::Identity;
pub use iter::{DbIterator, Entries, Entry, KeyRange, PinnedValue, Skipped};
pub use job::{Budget, StepOutcome};
pub use key::{SeqNo, ValueKind};
pub use options::{
    Compression, Maintenance, OPTION_INFOS, OptionInfo, OptionValue, Options, PRESETS,
    PrefixIndexForm, Preset, Strategy, WalSync,
};
pub use outcome::Outcome;
pub use prefix::{PREFIX_BYTES_MAX, PrefixExtractor, after_prefix};
pub use probe::{
    Among, BlockStop, EntryOrder, EntryStop, FilterAnswer, FilterBit, Hit, ReadPath, ReadStop,
    Search, TableVerdict, Turn,
};
pub use repair::{Loss, RepairOptions, RepairReport, repair};
pub use state::{LevelStats, Stats};
pub use std::ops::Bound;
pub use survey::{OpenPolicy, Program};
pub use table::{PrefixBucket, PrefixBuckets};
pub use ttl::Ttl;

/// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
