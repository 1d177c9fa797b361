//! The parts of LOG files that are read: a LOG without a limit may have any length.

use super::Log;
use crate::text::bytes;
use crate::{Files, Problem, Severity};
use std::ops::Range;

/// Bytes of one file that are read: a quarter from its start, where the options stand, and the rest from its end.
const FILE_BYTES_MAX: u64 = 512 << 20;
/// Bytes of all files that are read, the newest first.
const ALL_BYTES_MAX: u64 = 1 << 30;

/// The parts of a file that are read.
pub(super) struct Parts {
    pub(super) name: String,
    length: u64,
    pub(super) start: Range<u64>,
    pub(super) end: Range<u64>,
}

/// The parts of each file that are read, in the order in which the files were written.
pub(super) fn parts(files: &dyn Files) -> Vec<Parts> {
    let mut left = ALL_BYTES_MAX;
    let newest_first = Log::names(files).into_iter().rev().map(|name| {
        let length = files.length(&name).unwrap_or(0);
        let read = length.min(FILE_BYTES_MAX).min(left);
        left -= read;
        let first = if read < length { read / 4 } else { read };
        Parts { name, length, start: 0..first, end: length - (read - first)..length }
    });
    let mut parts: Vec<Parts> = newest_first.collect();
    parts.reverse();
    parts
}

impl Parts {
    /// A finding about a file that is not read whole.
    pub(super) fn problem(&self) -> Option<Problem> {
        let (first, last) = (self.start.end, self.end.end - self.end.start);
        if first + last == self.length {
            return None;
        }
        let length = bytes(self.length);
        let message = if first + last == 0 {
            format!("not read: it has {length}, and the newer ones are too large already")
        } else {
            let (first, last) = (first >> 20, last >> 20);
            format!(
                "not read whole: it has {length}; the first {first} MiB and the last {last} MiB are read"
            )
        };
        Some(Problem::new(Severity::NotRead, &self.name, message))
    }
}
