//! Levelscope: an LSM-tree storage engine that explains every step it takes.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod coding;
mod error;
pub mod event;
mod iter;
mod key;
pub mod limits;
mod manifest;
mod options;
mod probe;
pub mod storage;
pub mod view;

pub use error::{Error, ErrorKind, Result};
pub use key::{SeqNo, ValueKind};
pub use options::{
    Compression, Maintenance, OPTION_INFOS, OptionInfo, OptionValue, Options, PRESETS, Preset,
};
pub use probe::{BlockStop, Hit, ReadPath, ReadStop};
