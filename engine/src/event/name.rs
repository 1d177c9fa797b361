//! The stable name and the grain of each event kind.

use super::{EventKind, Grain};

impl EventKind {
    /// The dotted name that breakpoints, scripts, tests and the page use; never changed once given.
    pub fn name(&self) -> &'static str {
        match self {
            Self::OpPut { .. } => "op.put",
            Self::OpDelete { .. } => "op.delete",
            Self::OpBatch { .. } => "op.batch",
            Self::OpDone { .. } => "op.done",
            Self::OpFailed { .. } => "op.failed",
            Self::OpGet { .. } => "op.get",
            Self::OpScan => "op.scan",
            Self::OpSnapshot { .. } => "op.snapshot",
            Self::OpRelease { .. } => "op.release",
            Self::OpSync => "op.sync",
            Self::OpRotate => "op.rotate",
            Self::OpCompact { .. } => "op.compact",
            Self::OpCompactRange { .. } => "op.compact_range",
            Self::OpBegin { .. } => "op.begin",
            Self::OpBuffer { .. } => "op.buffer",
            Self::OpRead { .. } => "op.read",
            Self::OpReadRange { .. } => "op.read_range",
            Self::OpCommit { .. } => "op.commit",
            Self::OpConflict { .. } => "op.conflict",
            Self::OpRollback { .. } => "op.rollback",
            Self::WalCreate { .. } => "wal.create",
            Self::WalAppend { .. } => "wal.append",
            Self::WalWrite { .. } => "wal.write",
            Self::WalSync { .. } => "wal.sync",
            Self::WalClose { .. } => "wal.close",
            Self::WalDelete { .. } => "wal.delete",
            Self::MemtableInsert { .. } => "memtable.insert",
            Self::MemtableRotate { .. } => "memtable.rotate",
            Self::StallBegin { .. } => "stall.begin",
            Self::StallEnd => "stall.end",
            Self::SlowdownBegin { .. } => "slowdown.begin",
            Self::SlowdownEnd => "slowdown.end",
            Self::FlushBegin { .. } => "flush.begin",
            Self::FlushInstall { .. } => "flush.install",
            Self::FlushDone { .. } => "flush.done",
            Self::CompactionPick { .. } => "compaction.pick",
            Self::CompactionBegin { .. } => "compaction.begin",
            Self::CompactionProgress { .. } => "compaction.progress",
            Self::CompactionInstall { .. } => "compaction.install",
            Self::CompactionDone { .. } => "compaction.done",
            Self::JobFailed { .. } => "job.failed",
            Self::TableCreate { .. } => "table.create",
            Self::TableBlock { .. } => "table.block",
            Self::TableFilter { .. } => "table.filter",
            Self::TableIndex { .. } => "table.index",
            Self::TableFooter { .. } => "table.footer",
            Self::TableSync { .. } => "table.sync",
            Self::TableDelete { .. } => "table.delete",
            Self::ManifestCreate { .. } => "manifest.create",
            Self::ManifestSwitch { .. } => "manifest.switch",
            Self::ManifestAppend { .. } => "manifest.append",
            Self::ManifestSync { .. } => "manifest.sync",
            Self::ManifestDelete { .. } => "manifest.delete",
            Self::RecoveryBegin { .. } => "recovery.begin",
            Self::RecoveryManifest { .. } => "recovery.manifest",
            Self::RecoveryWal { .. } => "recovery.wal",
            Self::RecoveryDone { .. } => "recovery.done",
            Self::DbReadOnly { .. } => "db.read_only",
            Self::MergeEntry { .. } => "merge.entry",
        }
    }

    /// How fine the event is: operations are named `op.`, details are what merges do to one entry.
    pub fn grain(&self) -> Grain {
        match self {
            Self::MergeEntry { .. } => Grain::Detail,
            kind if kind.name().starts_with("op.") => Grain::Operation,
            _ => Grain::Phase,
        }
    }
}
