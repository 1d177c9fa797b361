//! The state of a database as plain data, for programs that draw or print it.
//!
//! A view plus the patches of the events after it gives the next view ([`View::follow`]); the page applies
//! the same patches, and tests compare the result with a fresh view from the engine.

use crate::error::ErrorKind;
use crate::event::{
    Isolation, JobId, JobKind, MemtableId, ShownKey, Slowdown, Stall, TableAt, TransactionId,
};
use crate::key::SeqNo;
use crate::storage::FileNumber;

mod edit;
mod output;
mod patch;
mod ranges;
mod recent;
mod tree;
mod versions;

pub use edit::EditView;
pub use output::{BlockView, OutputView};
pub use patch::{
    Edit, JobChange, LogChange, MemtableChange, OutputChange, Patch, TransactionChange,
};
pub use ranges::RangesView;
pub use recent::{RecentEntry, RecentWrites, TableContents, TableEntry};
pub use tree::{MemtableEntry, MemtableTree, TreeNode, TreeStep};
pub use versions::{KeyVersion, KeyVersions, TableWithout, VersionPlace, VersionVerdict};

/// Everything that the picture shows.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct View {
    /// Logical time of the last event included.
    pub time: u64,
    /// The active memtable first, then immutable ones, newest first.
    pub memtables: Vec<MemtableView>,
    /// Logs on disk, oldest first.
    pub wals: Vec<WalView>,
    /// L0 first; always the number of levels in the options.
    pub levels: Vec<LevelView>,
    /// Jobs that have begun, in the order in which they began.
    pub jobs: Vec<JobView>,
    /// Number of the manifest in use.
    pub manifest: FileNumber,
    /// Length of the manifest \[bytes\].
    pub manifest_bytes: u64,
    /// Its newest edits since the database was opened, oldest first: at most [`EditView::SHOWN_MAX`].
    pub manifest_edits: Vec<EditView>,
    /// How many of its newest edits are not durable.
    pub manifest_unsynced: u64,
    /// Number of the manifest that `CURRENT` names.
    pub current: FileNumber,
    /// Sequence number of the newest write.
    pub last_sequence: SeqNo,
    /// Live snapshots, oldest first.
    pub snapshots: Vec<SeqNo>,
    /// Open transactions, oldest first.
    pub transactions: Vec<TransactionView>,
    /// Why writes wait, if they do.
    pub stall: Option<Stall>,
    /// How much writes are slowed down and why, if they are.
    pub slowdown: Option<Slowdown>,
    /// Why the database is read-only, if it is.
    pub read_only: Option<ReadOnlyCause>,
}

/// The failure that made a database read-only.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReadOnlyCause {
    /// Its kind, for programs: what helps depends on it.
    pub kind: ErrorKind,
    /// Its sentence.
    pub error: String,
}

impl ReadOnlyCause {
    /// That of a database that was opened for reading.
    pub(crate) fn opened_for_reading() -> Self {
        let error = "the database was opened for reading only".to_owned();
        Self { kind: ErrorKind::ReadOnly, error }
    }
}

/// One open transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TransactionView {
    /// Number of the transaction.
    pub transaction: TransactionId,
    /// It sees the writes of others up to this sequence number.
    pub sequence: SeqNo,
    /// Its isolation level.
    pub isolation: Isolation,
    /// Keys that it would write now.
    pub writes: u64,
    /// The same as a batch \[bytes\].
    pub write_bytes: u64,
    /// Lookups and iterators so far.
    pub reads: u64,
}

/// One memtable.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MemtableView {
    /// Number of the memtable.
    pub memtable: MemtableId,
    /// The log that holds the same writes.
    pub wal: FileNumber,
    /// Accounted size \[bytes\], compared with `memtable_bytes`.
    pub bytes: usize,
    /// Where it rotates \[bytes\].
    pub limit_bytes: usize,
    /// Entries, all versions and tombstones.
    pub entries: u64,
    /// Tombstones among the entries.
    pub tombstones: u64,
    /// Its range tombstones, not counted as entries; `None` if it has none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub ranges: Option<RangesView>,
    /// Whether it takes no more writes.
    pub immutable: bool,
}

/// One log on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WalView {
    /// Number of the log.
    pub wal: FileNumber,
    /// Length, bytes still in memory included \[bytes\].
    pub bytes: u64,
    /// Length of the file \[bytes\]; the death of the process loses everything after it.
    pub written_bytes: u64,
    /// Length known to be durable \[bytes\].
    pub synced_bytes: u64,
    /// Records.
    pub records: u64,
    /// Records in the file.
    pub written_records: u64,
    /// Records known to be durable.
    pub synced_records: u64,
    /// Whether it takes no more records.
    pub closed: bool,
}

/// One table on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TableInfo {
    /// Number in the file name.
    pub table: FileNumber,
    /// The run of its level that it belongs to; larger numbers are newer.
    pub run: u64,
    /// Length of the file \[bytes\].
    pub bytes: u64,
    /// Entries, all versions and tombstones.
    pub entries: u64,
    /// Tombstones among the entries.
    pub tombstones: u64,
    /// Its range tombstones, not counted as entries; `None` if it has none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub ranges: Option<RangesView>,
    /// Data blocks.
    pub blocks: u32,
    /// Smallest user key of its entries and range tombstones.
    pub smallest: ShownKey,
    /// Largest user key of its entries; the end of its range tombstones when that comes after it.
    pub largest: ShownKey,
    /// Smallest sequence number.
    pub sequence_min: SeqNo,
    /// Largest sequence number.
    pub sequence_max: SeqNo,
}

/// One level.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LevelView {
    /// Size and score.
    pub score: LevelScore,
    /// By run, newest first, then by key. In L0 each table is a separate run.
    pub tables: Vec<TableInfo>,
}

/// How full a level is; compaction takes the level with the highest score of at least 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LevelScore {
    /// 0 is L0.
    pub level: usize,
    /// Sum of its table files \[bytes\].
    pub bytes: u64,
    /// Its sorted runs; in L0 each table is one.
    pub runs: usize,
    /// The unit of size and limit.
    pub unit: ScoreUnit,
    /// Runs or bytes that start a compaction; 0: never.
    pub limit: u64,
    /// Runs or bytes ÷ limit.
    pub score: f64,
    /// Whether the level is due for compaction.
    pub due: bool,
    /// Whether a compaction of this level has something to do, due or not.
    pub can_compact: bool,
}

/// The unit in which a level is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ScoreUnit {
    /// By its sorted runs: L0, and levels that are tiered.
    Runs,
    /// By its bytes: levels of one run.
    #[default]
    Bytes,
}

/// A compaction as it would be done now.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlanView {
    /// The level that gets smaller.
    pub level: usize,
    /// The level that gets the outputs; the same one when its runs become one.
    pub output_level: usize,
    /// The run of that level which the outputs join or begin.
    pub output_run: u64,
    /// Why, in words with the numbers.
    pub reason: String,
    /// Tables to merge, newer data first.
    pub inputs: Vec<TableAt>,
    /// Length of the inputs \[bytes\]: the outputs have at most about as much.
    pub input_bytes: u64,
    /// The bytes of these that the level below has in the range and that are only rewritten.
    pub overlap_bytes: u64,
    /// The inputs change their level without being rewritten.
    pub trivial_move: bool,
}

/// The next compaction, with its reason.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CompactionOutlook {
    /// The strategy that decides, as the option names it.
    pub strategy: String,
    /// How full each level is, L0 first.
    pub scores: Vec<LevelScore>,
    /// The next compaction; `None` when none is needed, or running ones are in its way.
    pub next: Option<PlanView>,
}

/// One background job that has begun. (A flush that still waits is an immutable memtable.)
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct JobView {
    /// Number of the job.
    pub job: JobId,
    /// Flush or compaction.
    pub what: JobKind,
    /// Why it exists, in words.
    pub reason: String,
    /// The memtable being flushed.
    pub memtable: Option<MemtableId>,
    /// Tables being merged.
    pub inputs: Vec<FileNumber>,
    /// Level of the output.
    pub output_level: usize,
    /// Tables written or being written.
    pub outputs: Vec<FileNumber>,
    /// Entries read so far.
    pub entries_done: u64,
    /// Entries to read in all.
    pub entries_total: u64,
}
