//! The manifest: the log of version edits, and the pointer to it.

mod edit;
mod version;

pub(crate) use edit::VersionEdit;
pub(crate) use version::{TableMeta, Version};
