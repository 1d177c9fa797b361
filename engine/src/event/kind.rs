//! The kinds of events, with what each one tells.

use super::{
    EventId, Isolation, JobKind, MemtableId, MergeHead, RecoveredLog, RotateReason, ShownKey,
    Slowdown, Stall, TableAt, TransactionId, Verdict, WalEnd,
};
use crate::key::{SeqNo, ValueKind};
use crate::storage::FileNumber;
use crate::view::{LevelScore, LevelView, MemtableView, TableInfo};

/// The kinds of events. The serialized `kind` is the dotted name of [`EventKind::name`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "kind", rename_all_fields = "camelCase")
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[expect(
    missing_docs,
    reason = "fields are named by the glossary; docs/ARCHITECTURE.md lists them"
)]
pub enum EventKind {
    // Operations.
    #[cfg_attr(feature = "serde", serde(rename = "op.put"))]
    OpPut { key: ShownKey, value_bytes: usize, sequence: SeqNo },
    #[cfg_attr(feature = "serde", serde(rename = "op.delete"))]
    OpDelete { key: ShownKey, sequence: SeqNo },
    #[cfg_attr(feature = "serde", serde(rename = "op.batch"))]
    OpBatch { count: u32, bytes: usize, first_sequence: SeqNo },
    /// The operation `op` is acknowledged; `durable` when its log is synced up to it.
    #[cfg_attr(feature = "serde", serde(rename = "op.done"))]
    OpDone { op: EventId, durable: bool },
    #[cfg_attr(feature = "serde", serde(rename = "op.failed"))]
    OpFailed { op: EventId, error: String },
    #[cfg_attr(feature = "serde", serde(rename = "op.get"))]
    OpGet { key: ShownKey, found: bool },
    #[cfg_attr(feature = "serde", serde(rename = "op.scan"))]
    OpScan,
    #[cfg_attr(feature = "serde", serde(rename = "op.snapshot"))]
    OpSnapshot { sequence: SeqNo },
    #[cfg_attr(feature = "serde", serde(rename = "op.release"))]
    /// `held`: another snapshot still holds the same moment.
    OpRelease { sequence: SeqNo, held: bool },
    #[cfg_attr(feature = "serde", serde(rename = "op.sync"))]
    OpSync,
    #[cfg_attr(feature = "serde", serde(rename = "op.rotate"))]
    OpRotate,
    #[cfg_attr(feature = "serde", serde(rename = "op.compact"))]
    OpCompact { level: usize },
    /// Tables with keys from `smallest` to `largest`, level by level to `down_to`.
    #[cfg_attr(feature = "serde", serde(rename = "op.compact_range"))]
    OpCompactRange { smallest: ShownKey, largest: ShownKey, down_to: usize },

    // Transactions. `writes`, `write_bytes` and `reads` are the totals afterwards.
    #[cfg_attr(feature = "serde", serde(rename = "op.begin"))]
    OpBegin { transaction: TransactionId, sequence: SeqNo, isolation: Isolation },
    /// A write that nobody else sees before the commit.
    #[cfg_attr(feature = "serde", serde(rename = "op.buffer"))]
    OpBuffer {
        transaction: TransactionId,
        key: ShownKey,
        entry: ValueKind,
        value_bytes: usize,
        writes: u64,
        write_bytes: u64,
    },
    /// `own`: the transaction itself has written the key.
    #[cfg_attr(feature = "serde", serde(rename = "op.read"))]
    OpRead { transaction: TransactionId, key: ShownKey, found: bool, own: bool, reads: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "op.read_range"))]
    OpReadRange { transaction: TransactionId, reads: u64 },
    /// `count` is 0, and nothing is written, when the transaction only read.
    #[cfg_attr(feature = "serde", serde(rename = "op.commit"))]
    OpCommit { transaction: TransactionId, count: u32, bytes: usize, first_sequence: SeqNo },
    /// Somebody else committed `key` as `winner`; the transaction, at `sequence`, has ended.
    #[cfg_attr(feature = "serde", serde(rename = "op.conflict"))]
    OpConflict {
        transaction: TransactionId,
        key: ShownKey,
        read: bool,
        sequence: SeqNo,
        winner: SeqNo,
    },
    #[cfg_attr(feature = "serde", serde(rename = "op.rollback"))]
    OpRollback { transaction: TransactionId, writes: u64 },

    // The log.
    #[cfg_attr(feature = "serde", serde(rename = "wal.create"))]
    WalCreate { wal: FileNumber, bytes: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "wal.append"))]
    /// `buffered_bytes`: what of the log is in memory only, waiting for the next `wal.write`.
    WalAppend { wal: FileNumber, offset: u64, bytes: u64, records: u64, buffered_bytes: u64 },
    /// What was buffered is in the file: it survives the death of the process.
    #[cfg_attr(feature = "serde", serde(rename = "wal.write"))]
    WalWrite { wal: FileNumber, bytes: u64, records: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "wal.sync"))]
    WalSync { wal: FileNumber, bytes: u64, records: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "wal.close"))]
    WalClose { wal: FileNumber, bytes: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "wal.delete"))]
    WalDelete { wal: FileNumber },

    // Memtables. `bytes`, `entries` and `tombstones` are the totals afterwards.
    #[cfg_attr(feature = "serde", serde(rename = "memtable.insert"))]
    MemtableInsert { memtable: MemtableId, bytes: usize, entries: u64, tombstones: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "memtable.rotate"))]
    MemtableRotate {
        memtable: MemtableId,
        wal: FileNumber,
        new_memtable: MemtableId,
        new_wal: FileNumber,
        reason: RotateReason,
    },
    #[cfg_attr(feature = "serde", serde(rename = "stall.begin"))]
    StallBegin { stall: Stall },
    #[cfg_attr(feature = "serde", serde(rename = "stall.end"))]
    StallEnd,
    /// Also when writes that are slowed down already are so by more or less, or for another reason.
    #[cfg_attr(feature = "serde", serde(rename = "slowdown.begin"))]
    SlowdownBegin { slowdown: Slowdown },
    #[cfg_attr(feature = "serde", serde(rename = "slowdown.end"))]
    SlowdownEnd,

    // Jobs.
    #[cfg_attr(feature = "serde", serde(rename = "flush.begin"))]
    FlushBegin { memtable: MemtableId, reason: String, entries: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "flush.install"))]
    FlushInstall { memtable: MemtableId, table: Option<TableInfo>, scores: Vec<LevelScore> },
    #[cfg_attr(feature = "serde", serde(rename = "flush.done"))]
    FlushDone { memtable: MemtableId, written: u64, shadowed: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "compaction.pick"))]
    CompactionPick {
        level: usize,
        output_level: usize,
        reason: String,
        inputs: Vec<TableAt>,
        trivial_move: bool,
    },
    #[cfg_attr(feature = "serde", serde(rename = "compaction.begin"))]
    CompactionBegin { entries: u64, bytes: u64 },
    /// Entries so far: read = written + dropped.
    #[cfg_attr(feature = "serde", serde(rename = "compaction.progress"))]
    CompactionProgress { read: u64, written: u64, shadowed: u64, tombstones_dropped: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "compaction.install"))]
    CompactionInstall {
        removed: Vec<TableAt>,
        added: Vec<TableInfo>,
        output_level: usize,
        scores: Vec<LevelScore>,
    },
    #[cfg_attr(feature = "serde", serde(rename = "compaction.done"))]
    CompactionDone { read: u64, written: u64, shadowed: u64, tombstones_dropped: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "job.failed"))]
    JobFailed { what: JobKind, error: String },

    // Tables being written, by a flush or a compaction.
    #[cfg_attr(feature = "serde", serde(rename = "table.create"))]
    TableCreate { table: FileNumber, level: usize },
    /// `index` counts the data blocks of the table from 1.
    #[cfg_attr(feature = "serde", serde(rename = "table.block"))]
    TableBlock {
        table: FileNumber,
        index: u32,
        entries: u32,
        raw_bytes: u32,
        stored_bytes: u32,
        offset: u64,
        first: ShownKey,
        last: ShownKey,
    },
    #[cfg_attr(feature = "serde", serde(rename = "table.filter"))]
    TableFilter { table: FileNumber, keys: u64, bytes: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "table.index"))]
    TableIndex { table: FileNumber, blocks: u32, bytes: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "table.footer"))]
    TableFooter { table: FileNumber, bytes: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "table.sync"))]
    TableSync { info: TableInfo, level: usize },
    #[cfg_attr(feature = "serde", serde(rename = "table.delete"))]
    TableDelete { table: FileNumber },

    // The manifest.
    #[cfg_attr(feature = "serde", serde(rename = "manifest.create"))]
    ManifestCreate { manifest: FileNumber, bytes: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "manifest.switch"))]
    ManifestSwitch { manifest: FileNumber, epoch: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "manifest.append"))]
    ManifestAppend { manifest: FileNumber, added: Vec<TableAt>, removed: Vec<TableAt>, bytes: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "manifest.sync"))]
    ManifestSync { manifest: FileNumber, bytes: u64 },
    #[cfg_attr(feature = "serde", serde(rename = "manifest.delete"))]
    ManifestDelete { manifest: FileNumber },

    // Opening.
    #[cfg_attr(feature = "serde", serde(rename = "recovery.begin"))]
    /// A view begins anew here: nothing is known yet but `levels`, all of them empty.
    RecoveryBegin { files: usize, foreign_files: usize, levels: Vec<LevelView> },
    #[cfg_attr(feature = "serde", serde(rename = "recovery.manifest"))]
    RecoveryManifest { manifest: FileNumber, edits: u64, tables: usize, levels: Vec<LevelView> },
    #[cfg_attr(feature = "serde", serde(rename = "recovery.wal"))]
    /// `kept`: the log and the immutable memtable made of it; none of a log without entries.
    RecoveryWal {
        wal: FileNumber,
        records: u64,
        entries: u64,
        end: WalEnd,
        kept: Option<RecoveredLog>,
    },
    #[cfg_attr(feature = "serde", serde(rename = "recovery.done"))]
    /// `memtable`: the empty one that takes the writes.
    RecoveryDone { last_sequence: SeqNo, new_database: bool, memtable: MemtableView },
    /// A failure stopped all writing; reads go on; reopening recovers.
    #[cfg_attr(feature = "serde", serde(rename = "db.read_only"))]
    DbReadOnly { error: String },

    // Details.
    /// One operation of a batch of several.
    #[cfg_attr(feature = "serde", serde(rename = "batch.entry"))]
    BatchEntry { key: ShownKey, sequence: SeqNo, entry: ValueKind },
    /// The filter of a table said "maybe" to a lookup, and the table had nothing.
    #[cfg_attr(feature = "serde", serde(rename = "filter.false_positive"))]
    FilterFalsePositive { table: FileNumber, key: ShownKey },
    #[cfg_attr(feature = "serde", serde(rename = "merge.entry"))]
    MergeEntry {
        key: ShownKey,
        sequence: SeqNo,
        entry: ValueKind,
        verdict: Verdict,
        heads: Vec<MergeHead>,
    },
}
