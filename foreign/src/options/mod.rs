//! OPTIONS files of RocksDB and Pebble: INI text with nested values.
//!
//! [`OptionsFile`] keeps every setting with its offset and its text; [`FamilyOptions`] gives the wanted ones of a
//! column family as numbers and words. A value that does not parse stays text, so that it can still be shown.

mod family;
mod parse;
mod targets;
mod value;

pub use family::{CompactionStyle, FamilyOptions, MergeOperator, OptionValue, PrefixExtractor};
pub use parse::{OptionsFile, Section, Setting};
pub use targets::{LevelTargets, level_bytes, pending_compaction_bytes};
pub use value::{Nested, nested};
