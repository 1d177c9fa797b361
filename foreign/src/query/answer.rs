//! Answers to questions: data for a page and for a terminal.

mod levels;

pub use levels::{BlobLine, Fact, Facts, LevelLine, Levels, LogLine, TableLine};

use crate::Problem;
use crate::manifest::LifeEvent;
use serde::Serialize;

/// A key: its bytes, and the text that stands for it everywhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ShownKey {
    /// Its bytes as hexadecimal digits, at most 1,024 bytes of them.
    pub hex: String,
    /// It as text, escaped.
    pub text: String,
    /// Bytes that are left out of both.
    pub left_out: usize,
}

/// The directory as a whole.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Overview {
    /// `rocksdb`, `pebble`, `leveldb`, `levelscope`, or `files` of no engine.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "'rocksdb' | 'pebble' | 'leveldb' | 'levelscope' | 'files'")
    )]
    pub engine: &'static str,
    /// Its name in a sentence.
    pub engine_name: &'static str,
    /// Evidence, as sentences.
    pub evidence: Vec<String>,
    /// The manifest that counts, if one is here.
    pub manifest: Option<String>,
    /// Version edits that were applied.
    pub edits: usize,
    /// Version edits that can be read and were not applied, because they come after damage or in an unfinished group.
    pub edits_left: u64,
    /// Steps of the history: edits, those of an atomic group as one.
    pub steps: usize,
    /// Whether the history begins with a new database; otherwise the edits before it were not kept.
    pub begins_empty: bool,
    /// Largest sequence number, logs included; not known without a manifest.
    pub last_sequence: Option<u64>,
    /// Families, by number.
    pub families: Vec<FamilyLine>,
    /// The number of the family that is shown first.
    pub shown_first: u32,
    /// Every file of the directory.
    pub files: Vec<FileLine>,
    /// Bytes of all files.
    pub bytes: u64,
    /// Findings so far: while opening, by checks and by reads.
    pub problems: Vec<Problem>,
}

/// A column family in a list.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FamilyLine {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The name of its order of keys.
    pub comparator: String,
    /// Whether that order is known; if not, keys are in the order of the files and cannot be searched.
    pub order_known: bool,
    /// Whether keys descend.
    pub is_reverse: bool,
    /// Tables that count.
    pub tables: usize,
    /// Their bytes.
    pub table_bytes: u64,
    /// Blob files that count.
    pub blob_files: usize,
    /// Their bytes.
    pub blob_bytes: u64,
    /// Entries that the logs add, range deletions and range keys among them.
    pub log_entries: usize,
    /// The compaction style in words, if OPTIONS has it.
    pub compaction_style: Option<String>,
}

/// A file in a list.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FileLine {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// `table`, `log`, `manifest`, `options`, `blob`, `info_log`, `marker`, `other`.
    #[cfg_attr(
        feature = "typescript",
        ts(
            type = "'table' | 'log' | 'manifest' | 'options' | 'blob' | 'info_log' | 'marker' | 'other'"
        )
    )]
    pub kind: &'static str,
    /// Whether the database would read it; a copy of a running database has files that do not count.
    pub counts: bool,
    /// Whether it is in no level because the history ends too early; then it is not normal that it does not count.
    pub in_no_level: bool,
    /// Reason that it counts or not, as a clause.
    pub why: String,
}

/// One step of the history.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StepLine {
    /// Its place: 0 is the snapshot that the manifest begins with.
    pub step: usize,
    /// Its first edit.
    pub first_edit: usize,
    /// Edits in it.
    pub edits: usize,
    /// `snapshot`, `flush`, `compaction`, `move`, `ingestion`, `excise`, `deletion`, `recovery`,
    /// `family_created`, `family_dropped`, `bookkeeping`.
    #[cfg_attr(
        feature = "typescript",
        ts(
            type = "'snapshot' | 'flush' | 'compaction' | 'move' | 'ingestion' | 'excise' | 'deletion' | 'recovery' | 'family_created' | 'family_dropped' | 'bookkeeping'"
        )
    )]
    pub kind: &'static str,
    /// Numbers of the families that it changes.
    pub families: Vec<u32>,
    /// Tables added: level, number, bytes.
    pub added: Vec<(u32, u64, u64)>,
    /// Tables removed: level, number.
    pub removed: Vec<(u32, u64)>,
    /// Its changes, as a sentence.
    pub sentence: String,
    /// Its time, in microseconds since 1970, from LOG or the table's creation time.
    pub micros: Option<u64>,
    /// Reason, in the words of LOG.
    pub reason: Option<String>,
    /// Duration of the job, in microseconds, from LOG.
    pub duration_micros: Option<u64>,
}

/// Something that happened to a table.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LifeLine {
    /// Index of the edit.
    pub edit: usize,
    /// Kind of the event.
    pub event: LifeEvent,
    /// The step; `None` in a group that was never finished.
    pub step: Option<StepLine>,
}

/// A live entry.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RowLine {
    /// Its key, without a timestamp.
    pub key: ShownKey,
    /// Its value, as [`ShownKey`] shows keys.
    pub value: ShownKey,
    /// `value`, `columns` or `merge` (operands of an operator that is not known).
    #[cfg_attr(feature = "typescript", ts(type = "'value' | 'columns' | 'merge'"))]
    pub kind: &'static str,
    /// Columns or operands: name (empty for operands) and value.
    pub parts: Vec<(ShownKey, ShownKey)>,
    /// Sequence number of its newest entry.
    pub sequence: u64,
    /// Its timestamp, where the order has one.
    pub timestamp: Option<u64>,
    /// The place with its newest version: `logs`, `L0 table 12`, `L3`.
    pub found_in: String,
}

/// Part of the live entries.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Rows {
    /// The entries, in order.
    pub rows: Vec<RowLine>,
    /// The next key, if there are more.
    pub next: Option<ShownKey>,
    /// Counts of the scan.
    pub passed: crate::read::scan::Passed,
    /// Bytes that were read from files.
    pub read_bytes: u64,
    /// Reads of files.
    pub reads: usize,
    /// Damage that the read met.
    pub problems: Vec<Problem>,
    /// Sentences: which logs and tables of the directory do not count, because of damage, and may hold newer versions.
    pub cautions: Vec<String>,
}

/// One look at one place while a key is looked up.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LookupStop {
    /// Name of the place: `logs`, `L0 table 12`, `L3 table 40`, `blob file 7`.
    pub place: String,
    /// Its level; `None` for logs and blob files.
    pub level: Option<u32>,
    /// The table, if any.
    pub table: Option<u64>,
    /// Result of the place: `skipped`, `nothing`, `found`, `deleted`, `rangeDeleted`, `operand`, `failed`.
    #[cfg_attr(
        feature = "typescript",
        ts(
            type = "'skipped' | 'nothing' | 'found' | 'deleted' | 'rangeDeleted' | 'operand' | 'failed'"
        )
    )]
    pub outcome: &'static str,
    /// The outcome as a sentence.
    pub sentence: String,
    /// Reads of files: file, offset, bytes.
    pub reads: Vec<(String, u64, u64)>,
}

/// A lookup of one key.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Lookup {
    /// The key.
    pub key: ShownKey,
    /// Result of the lookup: `value`, `none`, `unreadable` (there is a value) or `unknown` (a place cannot be read that
    /// may hold the key; a `row` beside it is of an older place).
    #[cfg_attr(feature = "typescript", ts(type = "'value' | 'none' | 'unreadable' | 'unknown'"))]
    pub outcome: &'static str,
    /// The outcome in words, to be put after the key.
    pub answer: String,
    /// The live entry.
    pub row: Option<RowLine>,
    /// Every place in the order in which it was asked.
    pub stops: Vec<LookupStop>,
    /// Bytes that were read from files.
    pub read_bytes: u64,
    /// Damage that the read met.
    pub problems: Vec<Problem>,
    /// As [`Rows::cautions`].
    pub cautions: Vec<String>,
}

/// The outcome of a check.
#[derive(Debug, Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CheckOutcome {
    /// Findings, errors first.
    pub problems: Vec<Problem>,
    /// The extent of the check, as a clause.
    pub extent: String,
}
