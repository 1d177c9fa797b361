//! Why writes stall, and why they are delayed before they stall.

use crate::text;
use std::fmt;

/// The serialized form of a stall or a slowdown, with its reason in words.
#[cfg(feature = "serde")]
#[derive(serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
struct WrittenReason {
    /// Why, as a clause.
    why: String,
}

#[cfg(feature = "serde")]
impl From<Stall> for WrittenReason {
    fn from(stall: Stall) -> Self {
        Self { why: stall.to_string() }
    }
}

#[cfg(feature = "serde")]
impl From<Slowdown> for WrittenReason {
    fn from(slowdown: Slowdown) -> Self {
        Self { why: slowdown.to_string() }
    }
}

/// Why writes have to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(into = "WrittenReason"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(as = "WrittenReason"))]
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

/// How much writes are slowed down, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(into = "WrittenReason"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(as = "WrittenReason"))]
pub struct Slowdown {
    /// Bytes of background work that each byte written waits for.
    pub pace: u64,
    /// The limit that was reached.
    pub why: SlowdownReason,
}

/// The reason of a slowdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// The compaction debt is large.
    Debt {
        /// Bytes that compactions have to read until no level is due, estimated \[bytes\].
        bytes: u64,
        /// At how much writes slow down \[bytes\].
        limit_bytes: u64,
    },
}

impl fmt::Display for Stall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memtables { count, limit } => {
                write!(f, "{}, and the limit is {limit}", waiting(*count))
            }
            Self::L0Tables { count: number, limit } => {
                write!(f, "L0 has {}, and the limit is {limit}", text::counted(*number, "table"))
            }
        }
    }
}

impl fmt::Display for Slowdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why {
            SlowdownReason::Memtables { count, .. } => f.write_str(&waiting(count))?,
            SlowdownReason::L0Tables { count: number, .. } => {
                write!(f, "L0 has {}", text::counted(number, "table"))?;
            }
            SlowdownReason::Debt { bytes: debt, .. } => {
                write!(f, "the compaction debt is about {}", text::bytes(debt))?;
            }
        }
        let limit = match self.why {
            SlowdownReason::Memtables { limit, .. } | SlowdownReason::L0Tables { limit, .. } => {
                limit as u64
            }
            SlowdownReason::Debt { limit_bytes, .. } => limit_bytes,
        };
        let (limit, pace) = (text::count(limit), text::bytes(self.pace));
        write!(
            f,
            "; the slowdown starts at {limit}, and each byte written now waits for {pace} of \
             background work"
        )
    }
}

/// Memtables that wait for their flush.
fn waiting(number: usize) -> String {
    if number == 1 {
        "1 immutable memtable waits for a flush".to_owned()
    } else {
        format!("{} wait for a flush", text::counted(number, "immutable memtable"))
    }
}
