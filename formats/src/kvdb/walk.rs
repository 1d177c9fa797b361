//! Walks a log, also over damage: to the next certain record.

use super::record::{Flaw, HEADER_BYTES, Header, Record, read};
use crate::Entry;
use levelscope::text;
use levelscope::{Error, Result};

/// Passes over the bytes of the file in search of records after damage: only a hostile file needs more than a few.
const CHECKS_MAX: usize = 32;

/// Content after bytes that are not a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// No further record.
    Nothing,
    /// A record that matches its checksum, at this offset \[bytes\].
    Record(u64),
    /// Unknown: the bytes look too much like records to try all of them.
    Unknown,
}

/// Bytes that are not a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) offset: usize,
    pub(super) end: usize,
    pub(super) flaw: Flaw,
    pub(super) after: After,
}

impl Gap {
    /// Whether it is a torn last write, which a crash leaves, rather than damage.
    pub(super) fn torn(self) -> bool {
        matches!(self.flaw, Flaw::Cut { .. }) && self.after == After::Nothing
    }

    /// Its flaw, as a sentence.
    pub(super) fn what(self) -> String {
        let bytes = self.end - self.offset;
        let what = match self.flaw {
            Flaw::Cut { needed } if self.torn() => {
                return format!(
                    "a torn tail: this record needs {}, and the file ends after {}",
                    text::bytes(needed),
                    text::count(bytes as u64)
                );
            }
            Flaw::Cut { .. } => "this record claims to be longer than the file",
            Flaw::Header => "no record begins so",
            Flaw::Checksum => "this record does not match its checksum",
        };
        match self.after {
            After::Nothing => format!("{what}, and no record follows it"),
            After::Record(offset) => {
                let offset = text::count(offset);
                format!("{what}; the next good one is at offset {offset}")
            }
            After::Unknown => {
                format!("{what}; the bytes after it cannot be distinguished from records")
            }
        }
    }

    pub(super) fn error(self) -> Error {
        Error::damaged_at(self.offset as u64, self.what())
    }
}

/// A stretch of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stretch<'a> {
    Record(Record<'a>),
    Gap(Gap),
}

impl<'a> Stretch<'a> {
    /// The entry of a record, or its flaw.
    pub(super) fn entry(self) -> Result<Entry<'a>> {
        match self {
            Self::Record(record) => Ok(record.entry()),
            Self::Gap(gap) => Err(gap.error()),
        }
    }
}

/// The stretches of a log, in order. Cost: one pass, and after damage a bounded number of passes.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    file: &'a [u8],
    at: usize,
    /// Bytes that may still be checked in search of records.
    budget: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(file: &'a [u8]) -> Self {
        let budget = file.len().saturating_mul(CHECKS_MAX).saturating_add(1 << 16);
        Self { file, at: 0, budget }
    }

    /// The first record from `from` on.
    fn resume(&mut self, from: usize) -> After {
        for at in from..self.file.len().saturating_sub(HEADER_BYTES) {
            let rest = self.file.get(at..).unwrap_or_default();
            let header = Header::read(rest).filter(|header| header.plausible());
            let bytes = header.and_then(|header| usize::try_from(header.record_bytes()).ok());
            let Some(bytes) = bytes.filter(|bytes| *bytes <= rest.len()) else { continue };
            let Some(left) = self.budget.checked_sub(bytes) else { return After::Unknown };
            self.budget = left;
            if read(self.file, at).is_ok() {
                return After::Record(at as u64);
            }
        }
        After::Nothing
    }

    /// The content after a flaw at `offset`. A length is trusted first if a record begins where it ends, because a
    /// value may contain bytes that look like records.
    fn after(&mut self, offset: usize, flaw: Flaw) -> After {
        if flaw == Flaw::Checksum {
            let rest = self.file.get(offset..).unwrap_or_default();
            let bytes =
                Header::read(rest).and_then(|header| usize::try_from(header.record_bytes()).ok());
            let end = bytes.and_then(|bytes| offset.checked_add(bytes));
            if let Some(end) = end.filter(|end| read(self.file, *end).is_ok()) {
                return After::Record(end as u64);
            }
        }
        self.resume(offset.saturating_add(1))
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Stretch<'a>;

    fn next(&mut self) -> Option<Stretch<'a>> {
        if self.at >= self.file.len() {
            return None;
        }
        let offset = self.at;
        let flaw = match read(self.file, offset) {
            Ok(record) => {
                self.at = record.end;
                return Some(Stretch::Record(record));
            }
            Err(flaw) => flaw,
        };
        let after = self.after(offset, flaw);
        let end = match after {
            After::Record(at) => usize::try_from(at).unwrap_or(self.file.len()),
            After::Nothing | After::Unknown => self.file.len(),
        };
        self.at = end;
        Some(Stretch::Gap(Gap { offset, end, flaw, after }))
    }
}

/// Why the records at the beginning of a log end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The file ends.
    Clean,
    /// The last record is incomplete, as a crash leaves it.
    Torn,
    /// Damaged, with the content after the damage.
    Damaged(After),
}

/// Content of a log, from its beginning to the first bytes that are not a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Records.
    pub records: u64,
    /// Their bytes \[bytes\].
    pub valid_bytes: u64,
    /// Its end.
    pub end: End,
    /// The end in a sentence, with its offset; empty at a clean end.
    pub what: String,
}

/// The records of the log `file` that can be trusted without a doubt. Cost: as a scan.
pub fn summary(file: &[u8]) -> Summary {
    let mut found = Summary { records: 0, valid_bytes: 0, end: End::Clean, what: String::new() };
    for stretch in Walk::new(file) {
        match stretch {
            Stretch::Record(record) => {
                found.records += 1;
                found.valid_bytes = record.end as u64;
            }
            Stretch::Gap(gap) => {
                found.end = if gap.torn() { End::Torn } else { End::Damaged(gap.after) };
                found.what = gap.error().to_string();
                break;
            }
        }
    }
    found
}
