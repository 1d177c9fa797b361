//! The objects that an event touches.

use super::{MemtableId, ShownKey, TransactionId};
use crate::storage::FileNumber;
use std::fmt;

/// An object of the database that a reader can select.
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
    /// `CURRENT`, which names the manifest in use.
    Current,
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
            Self::Current => f.write_str("current"),
            Self::Level(level) => write!(f, "level:{level}"),
            Self::Transaction(number) => write!(f, "transaction:{number}"),
            Self::Key(_) => f.write_str("key"),
        }
    }
}

/// The effect of an event on an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ObjectEffect {
    /// It exists from now on.
    Made,
    /// It has changed.
    Changed,
    /// It is gone.
    Removed,
    /// It was read, chosen or requested, and has not changed.
    Read,
}

/// An object, and the event's effect on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The object.
    pub object: Object,
    /// The effect on it.
    pub effect: ObjectEffect,
}

pub(super) fn made(object: Object) -> Touch {
    Touch { object, effect: ObjectEffect::Made }
}

pub(super) fn changed(object: Object) -> Touch {
    Touch { object, effect: ObjectEffect::Changed }
}

pub(super) fn removed(object: Object) -> Touch {
    Touch { object, effect: ObjectEffect::Removed }
}

pub(super) fn read(object: Object) -> Touch {
    Touch { object, effect: ObjectEffect::Read }
}
