//! Recognizes files by their names.

use crate::storage::FileName;
use std::fmt;

/// Lies in the directory while an import, a repair or a checkpoint writes into it: the database there is not whole.
pub(super) const UNFINISHED: &str = "UNFINISHED";

/// The directory that the native program makes in that of a database, for its benchmarks.
const OWN_DIRECTORY: &str = "bench";

/// Files that operating systems put into directories unasked.
const SYSTEM_NAMES: &[&str] = &[
    ".DS_Store",
    ".localized",
    ".directory",
    ".fseventsd",
    ".Spotlight-V100",
    ".Trashes",
    "Thumbs.db",
    "desktop.ini",
    "lost+found",
    "System Volume Information",
    "$RECYCLE.BIN",
];

/// Beginnings of such names: resource forks, and files that were deleted while they were open.
const SYSTEM_PREFIXES: &[&str] = &["._", ".nfs", ".fuse_hidden", ".Trash-"];

/// A program whose databases are known; the later ones have names that the earlier ones do not use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Program {
    /// `LevelDB`, or a program that writes the same names.
    LevelDb,
    /// `FroopyDB`.
    FroopyDb,
    /// kvdb.
    Kvdb,
    /// `RocksDB`.
    RocksDb,
    /// Pebble.
    Pebble,
    /// Badger.
    Badger,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LevelDb => "LevelDB",
            Self::FroopyDb => "FroopyDB",
            Self::Kvdb => "kvdb",
            Self::RocksDb => "RocksDB",
            Self::Pebble => "Pebble",
            Self::Badger => "Badger",
        })
    }
}

/// Whose a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The engine gives such names; several other programs too.
    Own(FileName),
    /// The mark of an import, a repair or a checkpoint.
    Unfinished,
    /// The operating system's, or that of the native program.
    System,
    /// Only this program gives such names.
    Of(Program),
    /// Any other.
    Stranger,
}

/// Whose `name` is.
pub(super) fn kind(name: &str) -> Kind {
    if let Some(own) = FileName::parse(name) {
        return Kind::Own(own);
    }
    let system = SYSTEM_NAMES.contains(&name) || name == OWN_DIRECTORY;
    if system || SYSTEM_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
        return Kind::System;
    }
    if name == UNFINISHED {
        return Kind::Unfinished;
    }
    program(name).map_or(Kind::Stranger, Kind::Of)
}

/// The program that gives such names; names of the engine are no evidence of another.
pub fn program(name: &str) -> Option<Program> {
    if name.starts_with("marker.manifest.") || name.starts_with("marker.format-version.") {
        return Some(Program::Pebble);
    }
    if name == "IDENTITY" || name.strip_prefix("OPTIONS-").is_some_and(is_digits) {
        return Some(Program::RocksDb);
    }
    if name == "KEYREGISTRY" {
        return Some(Program::Badger);
    }
    if name == "store.db" {
        return Some(Program::Kvdb);
    }
    let (stem, extension) = name.rsplit_once('.')?;
    let pair =
        stem.split_once('_').is_some_and(|(left, right)| is_digits(left) && is_digits(right));
    match extension {
        "blob" if is_digits(stem) => Some(Program::RocksDb),
        "vlog" if is_digits(stem) => Some(Program::Badger),
        "ldb" | "log" if is_digits(stem) => Some(Program::LevelDb),
        "sst" | "log" if pair => Some(Program::FroopyDb),
        _ => None,
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
