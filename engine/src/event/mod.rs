//! Events: everything the engine does and decides, in one ordered stream.
//!
//! The picture, the terminal, the log and the golden tests all read this stream; none of them has a
//! second source. Three grains: *operation* (what the caller asked for), *phase* (one visible step of
//! the engine) and *detail* (one comparison, one probe, one entry of a merge). An event whose name ends
//! in `done`, `sync` or `install` is emitted only after the thing is true on disk.
//!
//! Names are stable: breakpoints, scripts, tests and the page use them.

mod kind;
mod name;
mod sentence;
mod sink;
mod words;

pub use kind::EventKind;
pub use name::NAMES;
pub use sink::{EventBus, EventSink, Recorder};

use crate::key::{SeqNo, ValueKind};
use crate::limits::SHOWN_KEY_BYTES_MAX;
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
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Event {
    /// Position in the stream; details have that of the operation or phase before them.
    pub id: EventId,
    /// 0 for operations and phases; details count from 1 behind each.
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

/// How fine an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Grain {
    /// What a caller asked for.
    Operation,
    /// One visible step.
    Phase,
    /// One comparison, probe or merged entry.
    Detail,
}

/// A user key as events and views carry it: cut to [`SHOWN_KEY_BYTES_MAX`], with its full length.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ShownKey {
    /// The first bytes of the key; serialized as a string of one character (U+0000..U+00FF) a byte.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_latin1"))]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub head: Vec<u8>,
    /// Length of the whole key \[bytes\].
    pub bytes: usize,
}

impl ShownKey {
    /// Cuts `user_key` for showing.
    pub fn new(user_key: &[u8]) -> Self {
        let head = user_key.iter().take(SHOWN_KEY_BYTES_MAX).copied().collect();
        Self { head, bytes: user_key.len() }
    }
}

/// Serializes bytes as a string of one character a byte, so that JavaScript compares them as bytes.
#[cfg(feature = "serde")]
pub fn serialize_latin1<S: serde::Serializer>(bytes: &[u8], out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(&bytes.iter().map(|byte| char::from(*byte)).collect::<String>())
}

/// Why a memtable was rotated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum RotateReason {
    /// The next write would not fit `memtable_bytes`.
    Full,
    /// Somebody asked (`rotate`, `flush`).
    Asked,
}

/// Why writes have to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", tag = "reason")
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Stall {
    /// Too many immutable memtables wait for their flush.
    Memtables {
        /// How many wait.
        count: usize,
        /// At how many writes stop.
        limit: usize,
    },
    /// Too many L0 tables wait for compaction.
    L0Tables {
        /// How many there are.
        count: usize,
        /// At how many writes stop.
        limit: usize,
    },
}

/// How much writes are slowed down, and why: a stall seen from afar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Slowdown {
    /// Bytes that background work has to get through for each byte written.
    pub pace: u64,
    /// Why.
    pub why: SlowdownReason,
}

/// What writes are slowed down by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "reason")
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum SlowdownReason {
    /// Nearly too many immutable memtables wait for their flush.
    Memtables {
        /// How many wait.
        count: usize,
        /// At how many writes slow down.
        limit: usize,
    },
    /// Many L0 tables wait for compaction.
    L0Tables {
        /// How many there are.
        count: usize,
        /// At how many writes slow down.
        limit: usize,
    },
    /// Compactions are far behind.
    Debt {
        /// What they have to read until no level is due, about \[bytes\].
        bytes: u64,
        /// At how much writes slow down \[bytes\].
        limit_bytes: u64,
    },
}

/// What a compaction did with one entry, and why.
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
}

/// The entry that one input of a merge stands on. A flush has one input, and tells none.
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
        /// Bytes behind the last whole record.
        bytes: u64,
    },
}

/// What kind of background job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum JobKind {
    /// Immutable memtable to L0 table.
    Flush,
    /// Merge of tables into the next level.
    Compaction,
}

/// What a transaction is protected from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Isolation {
    /// It reads the database as it was when it began, and it loses when a key that it writes was
    /// committed by somebody else since then. Two transactions that each read what the other one writes
    /// may both commit (write skew).
    #[default]
    Snapshot,
    /// In addition it loses when anything that it has read was changed since then: keys, absent keys,
    /// and the ranges that its iterators have walked over. Serializable transactions have the effect of
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
    /// What of the log counts.
    pub log: WalView,
    /// Its entries.
    pub memtable: MemtableView,
}
