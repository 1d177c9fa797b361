//! Levels, the objects in them, and facts about each.

use super::{LifeLine, ShownKey};
use serde::Serialize;

/// The levels of a family at a step.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Levels {
    /// The step.
    pub step: usize,
    /// Number of the family.
    pub family: u32,
    /// Its name.
    pub name: String,
    /// Levels from 0 down, also empty ones between others.
    pub levels: Vec<LevelLine>,
    /// Logs that count for the family, as the level above 0; only at the last step.
    pub logs: Vec<LogLine>,
    /// Blob files.
    pub blob_files: Vec<BlobLine>,
    /// Some keys for the axis: place in [0, 1] and key.
    pub axis: Vec<(f64, ShownKey)>,
    /// Whether places are by rank in the order of the files, because the order of keys is not known.
    pub by_rank: bool,
    /// Whether level 0 holds runs that do not stand in the order of age, as in universal compaction.
    pub style: Option<String>,
}

/// A level.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LevelLine {
    /// Its number.
    pub level: u32,
    /// Bytes of its tables.
    pub bytes: u64,
    /// Bytes at which its compaction begins, if OPTIONS has them.
    pub target_bytes: Option<u64>,
    /// The reason of a missing target, as a clause.
    pub no_target: Option<String>,
    /// Its tables; in level 0 the newest first.
    pub tables: Vec<TableLine>,
}

/// A table.
#[expect(clippy::struct_excessive_bools, reason = "each is one property of the table for the page")]
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TableLine {
    /// Its number.
    pub number: u64,
    /// Its file.
    pub file: String,
    /// Whether it is a slice of that file.
    pub is_virtual: bool,
    /// Whether the file is not in the directory.
    pub is_missing: bool,
    /// Whether damage was found in the file so far; false for a missing one.
    pub is_damaged: bool,
    /// Its bytes.
    pub bytes: u64,
    /// Place of its smallest key on the axis, in [0, 1].
    pub from: f64,
    /// Place of its largest key on the axis, in [0, 1].
    pub to: f64,
    /// Its smallest user key.
    pub smallest: ShownKey,
    /// Its largest user key.
    pub largest: ShownKey,
    /// Smallest sequence number, if the manifest records it.
    pub smallest_sequence: Option<u64>,
    /// Largest sequence number, if the manifest records it.
    pub largest_sequence: Option<u64>,
    /// Entries, from the properties of the table; of a virtual one an estimate.
    pub entries: Option<u64>,
    /// Tombstones and range deletions, from the properties of the table; of a virtual one an estimate.
    pub deletions: Option<u64>,
    /// When it was made, in seconds since 1970.
    pub created_seconds: Option<u64>,
    /// RocksDB's epoch number.
    pub epoch: Option<u64>,
    /// Oldest blob file that it needs.
    pub oldest_blob_file: Option<u64>,
    /// In Pebble's level 0 the sublevel, in a deeper level of Levelscope the run: counted from the oldest.
    pub sublevel: Option<usize>,
    /// Whether this step added it.
    pub is_new: bool,
}

/// A log.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LogLine {
    /// Its file.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// Entries for the family, range deletions and range keys among them.
    pub entries: usize,
    /// Of these, deletes and range deletions.
    pub deletes: usize,
    /// The end of the log, as a clause.
    pub end: String,
    /// Whether damage was found in it.
    pub is_damaged: bool,
}

/// A blob file.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BlobLine {
    /// Its number.
    pub number: u64,
    /// Its file.
    pub file: String,
    /// Whether the file is not in the directory.
    pub is_missing: bool,
    /// Whether damage was found in the file so far; false for a missing one.
    pub is_damaged: bool,
    /// Its length.
    pub bytes: u64,
    /// Values in it; Pebble does not count them.
    pub count: Option<u64>,
    /// Bytes of the values.
    pub total_bytes: u64,
    /// Values that no table needs, where they are counted.
    pub garbage_count: Option<u64>,
    /// Bytes of these.
    pub garbage_bytes: u64,
}

/// One thing that is known of an object.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Fact {
    /// Its name.
    pub label: &'static str,
    /// It in words.
    pub text: String,
    /// The key, where it is one.
    pub key: Option<ShownKey>,
}

/// Facts about an object at a step.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Facts {
    /// Its name.
    pub title: String,
    /// Whether that is the name of a file.
    pub is_file: bool,
    /// Its kind, or its level; may be empty.
    pub what: String,
    /// Damage, as sentences.
    pub problems: Vec<String>,
    /// The facts, in order.
    pub rows: Vec<Fact>,
    /// Consequences, as sentences.
    pub notes: Vec<String>,
    /// The steps in which a table was born, moved and died.
    pub life: Vec<LifeLine>,
    /// Its file, where that is in the directory.
    pub file: Option<String>,
}
