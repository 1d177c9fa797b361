//! The files of `LevelDB`: those that the original wrote, damaged ones, hostile ones, our own.
#![allow(
    clippy::disallowed_methods,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "the fixtures are files, and their names are as they are"
)]

mod bounded;
mod content;
pub mod fixture;
mod hostile;
mod structure;
mod writing;
