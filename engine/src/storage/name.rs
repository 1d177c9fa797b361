//! Names of database files: building them, and parsing them strictly.
//!
//! ```text
//! NNNNNN.wal   NNNNNN.sst   MANIFEST-NNNNNN   CURRENT   LOCK      (at least six digits)
//! ```
//!
//! A name that does not parse is no file of the engine: it is reported, never opened, never deleted.

use crate::limits::FILE_NUMBER_MAX;
use crate::{Error, ErrorKind};
use std::fmt;

/// Number of a WAL, table or manifest; one counter for all kinds, never reused.
pub type FileNumber = u64;

/// The name of one file of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileName {
    /// `CURRENT`: two checksummed slots that name the manifest.
    Current,
    /// `LOCK`: held by the one process that has the database open.
    Lock,
    /// `MANIFEST-NNNNNN`: the log of version edits.
    Manifest(FileNumber),
    /// `NNNNNN.wal`: a write-ahead log.
    Wal(FileNumber),
    /// `NNNNNN.sst`: a table.
    Table(FileNumber),
    /// A file of another program, under its own name: no database has one, and no name parses as one.
    Other(&'static str),
}

impl FileName {
    /// The number in the name; `CURRENT`, `LOCK` and files of other programs have none.
    pub fn number(self) -> Option<FileNumber> {
        match self {
            Self::Current | Self::Lock | Self::Other(_) => None,
            Self::Manifest(number) | Self::Wal(number) | Self::Table(number) => Some(number),
        }
    }

    /// The name itself, if a later opening would know a file of this name.
    ///
    /// # Errors
    /// `OutOfSpace` when its number is above [`FILE_NUMBER_MAX`].
    pub(crate) fn usable(self) -> crate::Result<Self> {
        if self.number().is_none_or(|number| number <= FILE_NUMBER_MAX) {
            return Ok(self);
        }
        let message = "the database has used all its file numbers: copy its content into a new one";
        Err(Error::in_file(ErrorKind::OutOfSpace, self, message))
    }

    /// Parses exactly the output of [`fmt::Display`]; anything else is `None`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "CURRENT" => return Some(Self::Current),
            "LOCK" => return Some(Self::Lock),
            _ => {}
        }
        if let Some(digits) = name.strip_prefix("MANIFEST-") {
            return parse_number(digits).map(Self::Manifest);
        }
        if let Some(digits) = name.strip_suffix(".wal") {
            return parse_number(digits).map(Self::Wal);
        }
        name.strip_suffix(".sst").and_then(parse_number).map(Self::Table)
    }
}

fn parse_number(digits: &str) -> Option<FileNumber> {
    let canonical = digits.len() == 6 || (digits.len() > 6 && !digits.starts_with('0'));
    if !canonical || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|number| (1..=FILE_NUMBER_MAX).contains(number))
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Current => f.write_str("CURRENT"),
            Self::Lock => f.write_str("LOCK"),
            Self::Other(name) => f.write_str(name),
            Self::Manifest(number) => write!(f, "MANIFEST-{number:06}"),
            Self::Wal(number) => write!(f, "{number:06}.wal"),
            Self::Table(number) => write!(f, "{number:06}.sst"),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for FileName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for name in [
            FileName::Current,
            FileName::Lock,
            FileName::Manifest(1),
            FileName::Wal(42),
            FileName::Table(1_234_567),
            FileName::Table(FILE_NUMBER_MAX),
        ] {
            assert_eq!(FileName::parse(&name.to_string()), Some(name));
        }
    }

    #[test]
    fn foreign_names_are_refused() {
        for name in [
            "",
            ".",
            "..",
            "readme.txt",
            "1.sst",
            "0000001.sst",
            "000000.sst",
            "00001a.sst",
            "000001.SST",
            "000001.sst.tmp",
            "MANIFEST-",
            "MANIFEST-1",
            "-00001.wal",
            "+00001.wal",
            "current",
            "99999999999999999999.sst",
            "../000001.sst",
            ".DS_Store",
        ] {
            assert_eq!(FileName::parse(name), None, "{name:?}");
        }
    }
}
