//! What an event is about: the objects that it touches.

use super::{MemtableId, ShownKey, TransactionId};
use crate::storage::FileNumber;
use std::fmt;

/// Something that a reader can point at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Object {
    /// A memtable, by its number.
    Memtable(MemtableId),
    /// A write-ahead log, by its number.
    Log(FileNumber),
    /// A table, by its number.
    Table(FileNumber),
    /// A manifest, by its number.
    Manifest(FileNumber),
    /// A level, 0 is L0.
    Level(usize),
    /// A transaction, by its number.
    Transaction(TransactionId),
    /// A user key.
    Key(ShownKey),
}

/// As links, selections and addresses write it: `table:12`. A key is not part of an address, because it
/// may be long and may hold any bytes: only its word is written.
impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memtable(number) => write!(f, "memtable:{number}"),
            Self::Log(number) => write!(f, "wal:{number}"),
            Self::Table(number) => write!(f, "table:{number}"),
            Self::Manifest(number) => write!(f, "manifest:{number}"),
            Self::Level(level) => write!(f, "level:{level}"),
            Self::Transaction(number) => write!(f, "transaction:{number}"),
            Self::Key(_) => f.write_str("key"),
        }
    }
}

/// What an event does to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Effect {
    /// It exists from now on.
    Made,
    /// Something of it is different now.
    Changed,
    /// It is gone.
    Removed,
    /// It was read, chosen or asked for, and is as it was.
    Read,
}

/// An object, and what the event does to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The object.
    pub object: Object,
    /// What is done to it.
    pub effect: Effect,
}

pub(super) fn made(object: Object) -> Touch {
    Touch { object, effect: Effect::Made }
}

pub(super) fn changed(object: Object) -> Touch {
    Touch { object, effect: Effect::Changed }
}

pub(super) fn removed(object: Object) -> Touch {
    Touch { object, effect: Effect::Removed }
}

pub(super) fn read(object: Object) -> Touch {
    Touch { object, effect: Effect::Read }
}
