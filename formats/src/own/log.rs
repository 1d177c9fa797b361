//! Write-ahead logs.

use super::{PROOF, annotate, likeness, own};
use crate::{Entries, Entry, Format, FormatInfo, Holds, Likeness, SearchMethod, newest_in_log};
use levelscope::inspect::{Node, Scope};
use levelscope::internals::batch;
use levelscope::internals::key::ValueKind;
use levelscope::internals::probe::Probe;
use levelscope::internals::wal::{BadRecord, Log, Piece, Record, RecordKind, damage, pieces};
use levelscope::storage::FileName;
use levelscope::{Error, ErrorKind, Result};
use std::borrow::Cow;

/// The format.
#[derive(Debug)]
pub(crate) struct LogFile;

pub(super) static INFO: FormatInfo = FormatInfo {
    id: "levelscope-log",
    name: "write-ahead log of Levelscope",
    purpose: "Batches in the order of their sequence numbers, each with two checksums.",
    holds: Holds::Log,
    searches: &[SearchMethod::Sequential],
    writable: false,
    proof: PROOF,
};

/// The kind of name that such a file has in a database.
const USUAL: FileName = FileName::Wal(1);

/// The entries of `file`, damage as an error in its place. A torn tail is where they end.
fn entries(file: &[u8]) -> Box<dyn Iterator<Item = Result<Entry<'_>>> + '_> {
    let log = match Log::claimed(own("", file, USUAL), file).and_then(|log| {
        log.check_header(file)?;
        Ok(log)
    }) {
        Ok(log) => log,
        Err(error) => return Box::new(std::iter::once(Err(error.nameless()))),
    };
    let pieces = pieces(file, log).map_while(move |piece| match piece {
        Piece::Record(record) => Some(Ok(record)),
        Piece::Hole { begin, end, flaw } => {
            let bad = BadRecord { offset: begin, flaw, resume: end };
            damage(file, log, bad).map(|error| Err(error.nameless()))
        }
    });
    Box::new(pieces.flat_map(|piece| match piece {
        Ok(record) => of_record(record),
        Err(error) => Box::new(std::iter::once(Err(error))),
    }))
}

fn of_record(record: Record<'_>) -> Entries<'_> {
    if record.header.kind != RecordKind::Batch {
        return Box::new(std::iter::empty());
    }
    let offset = record.offset as u64;
    let entries = batch::decode(record.body, record.header.count);
    let numbers = record.header.number..;
    Box::new(numbers.zip(entries).map(move |(sequence, entry)| match entry {
        Ok((kind, key, value)) => Ok(Entry {
            key: Cow::Borrowed(key),
            value: (kind == ValueKind::Put).then_some(Cow::Borrowed(value)),
            sequence: Some(sequence),
            offset,
        }),
        Err(error) if error.kind() == ErrorKind::Corruption => {
            Err(Error::damaged_at(offset, error.message()))
        }
        Err(error) => Err(error),
    }))
}

fn search<'a, P: Probe>(
    file: &'a [u8],
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    let found = newest_in_log(entries(file), file.len(), key, method, probe)?;
    let newest = range_over(file, key)?;
    Ok(newest
        .filter(|range| found.as_ref().is_none_or(|it| it.sequence < range.sequence))
        .or(found))
}

/// The newest range delete over `key`, as a delete of it.
fn range_over<'a>(file: &'a [u8], key: &[u8]) -> Result<Option<Entry<'a>>> {
    let log = Log::claimed(own("", file, USUAL), file).map_err(Error::nameless)?;
    let mut newest: Option<Entry<'a>> = None;
    for piece in pieces(file, log) {
        let Piece::Record(record) = piece else { continue };
        if record.header.kind != RecordKind::Batch {
            continue;
        }
        let entries = batch::decode(record.body, record.header.count).map_while(Result::ok);
        for (sequence, (kind, begin, end)) in (record.header.number..).zip(entries) {
            let covers = begin <= key && (end.is_empty() || key < end);
            if kind == ValueKind::RangeDelete && covers {
                let (key, offset) = (Cow::Owned(key.to_vec()), record.offset as u64);
                newest = Some(Entry { key, value: None, sequence: Some(sequence), offset });
            }
        }
    }
    Ok(newest)
}

impl Format for LogFile {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        likeness(name, file, USUAL)
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        annotate(USUAL, name, file, scope)
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        entries(file)
    }

    searched_by!(search);
}
