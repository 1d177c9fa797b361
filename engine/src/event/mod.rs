//! Events: everything the engine does and decides, in one ordered stream.
//!
//! The picture, the terminal, the log and the golden tests all read this stream; none of them has a second source.
//! Three grains: *operation* (a caller's request), *phase* (one visible step of the engine) and *detail* (one
//! comparison, one probe, one entry of a merge). An event whose name ends in `done`, `sync` or `install` is emitted
//! only after the thing is true on disk.
//!
//! Names are stable: breakpoints, scripts, tests and the page use them.

mod acknowledged;
mod catalogue;
mod object;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod sample;
mod shown_key;
mod shown_range;
mod sink;
mod span;
mod stall;

pub use acknowledged::Acknowledged;
pub use catalogue::{CATALOGUE, EventKind, FieldInfo, KindInfo};
pub use object::{Object, ObjectEffect, Touch};
pub use shown_key::ShownKey;
#[cfg(feature = "serde")]
pub use shown_key::serialize_latin1;
pub use shown_range::ShownRange;
pub(crate) use sink::EventBus;
pub use sink::{EventSink, Recorder};
pub use span::{Landmark, Span};
pub use stall::{Slowdown, SlowdownReason, Stall};

use crate::key::{SeqNo, ValueKind};
use crate::storage::FileNumber;
use crate::view::{MemtableView, WalView};

/// Number of an operation or phase; counts from 1 in each opened database.
pub type EventId = u64;
/// Number of a background job; counts from 1 in each opened database.
pub type JobId = u64;
/// Number of a memtable; counts from 1 in each opened database.
pub type MemtableId = u64;

/// Number of a transaction; counts from 1 in each opened database.
pub type TransactionId = u64;

/// One thing that the engine did or decided.
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub struct Event {
    /// Position in the stream; details have that of the operation or phase before them.
    pub id: EventId,
    /// 0 for operations and phases; details count from 1 after each.
    pub detail: u32,
    /// Logical time: operations and phases so far. Details share the time of their phase.
    pub time: u64,
    /// The job that did it, when a job did.
    pub job: Option<JobId>,
    /// The event that made this one happen.
    pub cause: Option<EventId>,
    /// What happened.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub kind: EventKind,
}

/// Not derived: a derived one is inlined, and each crate that clones events would have 20 KB of it.
impl Clone for Event {
    #[inline(never)]
    fn clone(&self) -> Self {
        let Self { id, detail, time, job, cause, ref kind } = *self;
        Self { id, detail, time, job, cause, kind: kind.clone() }
    }
}

impl Event {
    /// What happened, in one sentence that can be read aloud.
    pub fn sentence(&self) -> String {
        let job = self.job.map_or_else(|| "The engine".to_owned(), |job| format!("Job {job}"));
        self.kind.sentence(&job)
    }
}

impl EventKind {
    /// The dotted name that breakpoints, scripts, tests and the page use; never changed once given.
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// How fine the event is.
    pub fn grain(&self) -> Grain {
        self.info().grain
    }
}

/// How fine an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Grain {
    /// A caller's request.
    Operation,
    /// One visible step.
    Phase,
    /// One comparison, probe or merged entry.
    Detail,
}

/// Why a memtable was rotated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum RotateReason {
    /// The next write would not fit `memtable_bytes`.
    Full,
    /// A command or call asked for it (`rotate`, `flush`).
    Asked,
    /// Reads walked over so many of its deleted and overwritten entries that a flush, which drops them, costs less.
    Walked,
}

/// The fate of one entry in a compaction, with the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Verdict {
    /// Kept: the newest version of its key.
    KeptNewest,
    /// Kept: a snapshot still reads it.
    KeptForSnapshot,
    /// Kept: a tombstone that must go on hiding older data in deeper levels.
    KeptTombstone,
    /// Dropped: a newer version hides it from every reader.
    DroppedShadowed,
    /// Dropped: a tombstone with nothing left below to hide.
    DroppedTombstone,
    /// Dropped: a newer range delete hides it from every reader.
    DroppedRangeDeleted,
    /// Kept with another value, which the compaction filter gave it.
    KeptChanged,
    /// Removed by the compaction filter, kept as a tombstone: an older version may exist.
    KeptAsTombstone,
    /// Removed by the compaction filter, and dropped: there is no older version.
    DroppedByFilter,
}

/// The entry that one input of a merge stands on. A flush has one input, and its events have no heads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MergeHead {
    /// The table that it is in.
    pub table: FileNumber,
    /// Its key.
    pub key: ShownKey,
    /// Its sequence number.
    pub sequence: SeqNo,
    /// Put or tombstone.
    pub entry: ValueKind,
    /// Whether it comes first of all, so that it is the one to judge.
    pub first: bool,
}

/// How the newest WAL ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", tag = "end")
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum WalEnd {
    /// With a clean-end record.
    Clean,
    /// Without one, but after a whole record: the process was killed between two writes.
    Open,
    /// In the middle of a record that was never acknowledged as durable.
    Torn {
        /// Bytes after the last whole record.
        bytes: u64,
    },
}

/// The kind of a background job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum JobKind {
    /// Immutable memtable to L0 table.
    Flush,
    /// Merge of tables into the next level.
    Compaction,
}

/// The isolation level of a transaction. Default: `Snapshot`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub enum Isolation {
    /// It reads the database as it was when it began. Its commit fails when another writer has committed a key that it
    /// writes since then; keys that it only reads are not checked. Two transactions that each read a key that the other
    /// one writes may both commit (write skew).
    #[default]
    Snapshot,
    /// Its commit also fails when anything that it has read was changed since then: keys, absent keys,
    /// and the ranges that its iterators have scanned. Serializable transactions have the effect of
    /// running one after the other, in the order of their commits.
    Serializable,
}

/// A table and the level it is in, or leaves, or enters.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TableAt {
    /// Level, 0 is L0.
    pub level: usize,
    /// Number in the file name.
    pub table: FileNumber,
}

/// A log that was read back at opening.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecoveredLog {
    /// The valid part of the log.
    pub log: WalView,
    /// Its entries.
    pub memtable: MemtableView,
    /// The sequence number of the newest write that has been read.
    pub last_sequence: SeqNo,
}
