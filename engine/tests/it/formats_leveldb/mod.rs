//! The files of `LevelDB`: those that the original wrote, damaged ones, hostile ones, our own.

mod content;
pub mod fixture;
mod hostile;
mod structure;
mod writing;
