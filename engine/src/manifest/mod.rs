//! The manifest: the log of version edits, and the pointer to it.

pub(crate) mod current;
mod edit;
mod log;
mod reader;
mod run;
mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod version;
mod writer;

pub use edit::VersionEdit;
pub(crate) use log::{Latest, ManifestLog, Rolled};
pub(crate) use reader::{ManifestState, replay_bytes};
pub(crate) use run::{Run, RunNumber, RunTable};
pub(crate) use version::Version;
pub use version::{RangesMeta, TableMeta};
pub(crate) use writer::ManifestWriter;
