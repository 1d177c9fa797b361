//! The spans that events begin and end, and the landmarks among events.

/// An activity with several events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "EventSpan"))]
pub enum Span {
    /// An operation of a caller, up to the acknowledgement.
    Operation,
    /// A memtable becomes a table.
    Flush,
    /// Tables are merged into the next level.
    Compaction,
    /// A flush or a compaction, whichever it is: a failure ends both.
    Job,
    /// A database is opened.
    Recovery,
    /// Writes wait.
    Stall,
    /// Writes are delayed.
    Slowdown,
}

impl Span {
    /// The spans that one kind of event begins and one ends, by the names that breakpoints know them by.
    pub const NAMED: &[(&str, Self)] = &[
        ("flush", Self::Flush),
        ("compaction", Self::Compaction),
        ("recovery", Self::Recovery),
        ("stall", Self::Stall),
        ("slowdown", Self::Slowdown),
    ];
}

/// An event that a timeline marks, so that a reader finds it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Landmark {
    /// A new table in L0.
    Flush,
    /// The tables of a level were replaced.
    Compaction,
    /// A memtable became immutable.
    Rotate,
    /// Writes wait from here on.
    Stall,
    /// Something failed.
    Failure,
    /// The database is opened.
    Recovery,
    /// A new database is open: earlier events are of another one.
    Creation,
}
