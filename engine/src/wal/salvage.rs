//! Salvages a damaged log: good records, and the holes between them.
//!
//! A header that matches its checksum, which covers identity, file number and offset, was written here; with a body
//! that matches too the record is as good as in a sound file, whatever lies before it.

use super::file::Log;
use super::record::{BadRecord, Flaw, Record, RecordKind};
use super::tail::{is_unused, is_unwritten, next_header, used};

/// A part of a log, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// A record whose checksums are right.
    Record(Record<'a>),
    /// Bytes that are none, up to the next good header or the end.
    Hole {
        /// Where it begins \[bytes\].
        begin: usize,
        /// Where it ends \[bytes\].
        end: usize,
        /// The flaw at its beginning.
        flaw: Flaw,
    },
}

/// All pieces of the log whose bytes are `file`, its file header and the space it had reserved left out.
///
/// Cost: one pass; in a hole a look at each byte.
pub(crate) fn pieces(file: &[u8], log: Log) -> impl Iterator<Item = Piece<'_>> {
    let mut at = 0;
    if matches!(log.check_header(file), Ok(true)) {
        at = log.header_bytes();
    }
    let headless = at == 0;
    let (mut first, used) = (true, used(file));
    let mut has_ended = false;
    std::iter::from_fn(move || {
        if is_unused(file, log, at) || has_ended && is_unwritten(file, log, at) {
            return None;
        }
        let damaged_header = std::mem::take(&mut first) && headless;
        let read = if damaged_header {
            let flaw = if file.len() < log.header_bytes() {
                Flaw::CutFileHeader
            } else {
                Flaw::FileHeaderChecksum
            };
            Err(BadRecord { offset: 0, flaw, resume: 1 })
        } else {
            Record::read(file, log, at)
        };
        match read {
            Ok(record) => {
                at = record.end();
                has_ended = record.header.kind == RecordKind::CleanEnd;
                Some(Piece::Record(record))
            }
            Err(bad) => {
                has_ended = false;
                let begin = at;
                let resume = bad.resume.max(begin.saturating_add(1));
                at = next_header(used, log, resume).map_or(file.len(), |(offset, _)| offset);
                Some(Piece::Hole { begin, end: at, flaw: bad.flaw })
            }
        }
    })
}
