//! The log in front of a memtable.
//!
//! ```text
//! key length u16 | value length u16 | key with its time | value
//! ```

use super::writer::{stored, u16_of};
use super::{STAMP_BYTES, TOMBSTONE, length, live, split_stamp, stamped};
use crate::recognize::has_extension;
use crate::{Entries, Entry, Format, FormatInfo, Holds, Likeness, SearchMethod, newest_in_log};
use levelscope::inspect::{Node, Scope, shown};
use levelscope::internals::coding::Reader;
use levelscope::internals::fields::Fields;
use levelscope::internals::probe::Probe;
use levelscope::text;
use levelscope::{Error, Result};
use std::borrow::Cow;

/// The format.
#[derive(Debug)]
pub(crate) struct Log;

pub(super) static INFO: FormatInfo = FormatInfo {
    id: "froopy-log",
    name: "log with times in its keys",
    purpose: "The writes of a memtable in their order, without checksums.",
    holds: Holds::Log,
    searches: &[SearchMethod::Sequential],
};

/// One record.
#[derive(Debug, Clone, Copy)]
struct Record<'a> {
    at: usize,
    key: &'a [u8],
    stamp: u64,
    stored: &'a [u8],
    next: usize,
}

/// The record at `at`.
fn read(file: &[u8], at: usize) -> Result<Record<'_>> {
    let damaged = |what: &str| Error::damaged_at(at as u64, what);
    let mut reader = Reader::new(file.get(at..).unwrap_or_default());
    let torn = || damaged("a torn tail: the file ends within this record");
    let key_bytes = length(&mut reader).ok_or_else(torn)?;
    if key_bytes < STAMP_BYTES {
        return Err(damaged("this key is too short for its time: nothing after it can be read"));
    }
    let value_bytes = length(&mut reader).ok_or_else(torn)?;
    let stamped = reader.bytes(key_bytes).ok_or_else(torn)?;
    let stored = reader.bytes(value_bytes).ok_or_else(torn)?;
    let (key, stamp) = split_stamp(stamped).ok_or_else(torn)?;
    Ok(Record { at, key, stamp, stored, next: at + reader.position() })
}

/// The records up to the first that cannot be read.
fn records(file: &[u8]) -> impl Iterator<Item = Result<Record<'_>>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at >= file.len() {
            return None;
        }
        let record = read(file, at);
        at = record.as_ref().map_or(file.len(), |record| record.next);
        Some(record)
    })
}

impl<'a> Record<'a> {
    fn entry(self) -> Entry<'a> {
        Entry {
            key: Cow::Borrowed(self.key),
            value: live(self.stored).map(Cow::Borrowed),
            sequence: Some(self.stamp),
            offset: self.at as u64,
        }
    }

    /// Whether the file ends within the unreadable record at `at`, so that nothing follows it.
    fn torn(file: &[u8], at: usize) -> bool {
        let mut reader = Reader::new(file.get(at..).unwrap_or_default());
        length(&mut reader).is_none_or(|key_bytes| key_bytes >= STAMP_BYTES)
    }
}

/// The version of `key` with the latest time; of equal times, the version written last. A torn tail was
/// never acknowledged; after an unreadable record there may be a later version.
fn search<'a, P: Probe>(
    file: &'a [u8],
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    let is_torn = |error: &Error| {
        let at = error.offset().and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
        Record::torn(file, at)
    };
    let whole = records(file).take_while(|record| !record.as_ref().is_err_and(is_torn));
    newest_in_log(whole.map(|record| record.map(Record::entry)), file.len(), key, method, probe)
}

/// Whether `name` is the name of a log: `MILLISECONDS_NUMBER.log`, followed by `.imm` during a flush.
fn has_name(name: &str) -> bool {
    let stem = name.strip_suffix(".imm").unwrap_or(name).strip_suffix(".log");
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    stem.and_then(|stem| stem.split_once('_'))
        .is_some_and(|(time, number)| digits(time) && digits(number))
}

impl Format for Log {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        let (mut good, mut bad) = (0_u64, None);
        for record in records(file) {
            match record {
                Ok(_) => good += 1,
                Err(error) => bad = error.offset(),
            }
        }
        match (good, bad, has_name(name)) {
            (0, None, named) => {
                if named {
                    Likeness::Perhaps
                } else {
                    Likeness::None
                }
            }
            (1.., None, _) if has_extension(name, "sst") => Likeness::Perhaps,
            (1.., None, _) => Likeness::Likely,
            // A damaged log is known by its name, when most of it is records.
            (2.., Some(at), true) if at >= file.len() as u64 / 2 => Likeness::Perhaps,
            _ => Likeness::None,
        }
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        let mut nodes = Vec::new();
        let mut count = 0_u64;
        for record in records(file) {
            match record {
                Ok(record) => {
                    count += 1;
                    nodes.push(record_node(file, record, scope));
                }
                Err(error) => {
                    let at = error.offset().unwrap_or(0);
                    let bytes = (file.len() as u64).saturating_sub(at);
                    nodes.push(Node::damaged(at, bytes, error.message()));
                }
            }
        }
        let value = format!("{}, {}", text::counted(count, "record"), text::bytes(file.len()));
        Node::branch(name, "log", 0, value, nodes)
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        Box::new(records(file).map(|record| record.map(Record::entry)))
    }

    searched_by!(search);

    fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        for entry in entries {
            let key = stamped(&entry.key, entry.sequence.unwrap_or(0));
            let value = stored(entry)?;
            file.extend_from_slice(&u16_of(key.len())?.to_le_bytes());
            file.extend_from_slice(&u16_of(value.len())?.to_le_bytes());
            file.extend_from_slice(&key);
            file.extend_from_slice(value);
        }
        Ok(file)
    }
}

fn record_node(file: &[u8], record: Record<'_>, scope: Scope) -> Node {
    let (offset, bytes) = (record.at as u64, (record.next - record.at) as u64);
    let (key, stamp) = (shown(record.key), record.stamp);
    let value = match live(record.stored) {
        Some(value) => format!("put {key} at time {stamp}: {}", shown(value)),
        None => format!("delete {key} at time {stamp}"),
    };
    if !scope.opens(offset, bytes) {
        return Node { more: true, ..Node::leaf("record", "record", offset, bytes, value) };
    }
    let mut fields = Fields::new(file.get(record.at..record.next).unwrap_or_default(), offset);
    let _ = record_fields(&mut fields, record);
    Node::branch("record", "record", offset, value, fields.finish("this belongs to no field"))
}

fn record_fields(fields: &mut Fields<'_>, record: Record<'_>) -> Option<()> {
    fields.number("key length", "length", 2)?;
    fields.number("value length", "length", 2)?;
    fields.text("key", "key", record.key.len() as u64)?;
    fields.take("time", "sequence", STAMP_BYTES, |_| record.stamp.to_string())?;
    match live(record.stored) {
        Some(value) => fields.text("value", "value", value.len() as u64)?,
        None => fields.take("value", "value", TOMBSTONE.len(), |_| "deleted".to_owned())?,
    };
    Some(())
}
