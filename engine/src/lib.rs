//! Levelscope: an LSM-tree storage engine that explains every step it takes.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
mod coding;
mod compaction;
mod error;
pub mod event;
mod iter;
mod key;
pub mod limits;
mod manifest;
mod memtable;
mod options;
mod probe;
pub mod storage;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod view;
mod wal;

pub use batch::WriteBatch;
pub use error::{Error, ErrorKind, Result};
pub use iter::{DbIterator, Skipped};
pub use key::{SeqNo, ValueKind};
pub use options::{
    Compression, Maintenance, OPTION_INFOS, OptionInfo, OptionValue, Options, PRESETS, Preset,
};
pub use probe::{BlockStop, Hit, ReadPath, ReadStop};
