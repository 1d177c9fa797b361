//! Levelscope: an LSM-tree storage engine that explains every step it takes.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
mod cache;
mod coding;
mod compaction;
mod db;
mod error;
pub mod event;
mod filter;
pub mod inspect;
mod iter;
mod job;
mod key;
pub mod limits;
mod manifest;
mod memtable;
mod options;
mod probe;
mod state;
pub mod storage;
mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod view;
mod wal;

pub use batch::WriteBatch;
pub use db::{CheckReport, Db, FileEntry, ScanOptions, Snapshot};
pub use error::{Error, ErrorKind, Result};
pub use iter::{DbIterator, Skipped};
pub use job::{Budget, StepOutcome};
pub use key::{SeqNo, ValueKind};
pub use options::{
    Compression, Maintenance, OPTION_INFOS, OptionInfo, OptionValue, Options, PRESETS, Preset,
};
pub use probe::{BlockStop, Hit, ReadPath, ReadStop};
pub use state::Stats;
pub use std::ops::Bound;
