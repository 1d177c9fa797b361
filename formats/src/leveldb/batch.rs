//! Write batches: what one record of a write-ahead log holds.
//!
//! ```text
//! sequence number of the first operation u64 | operations u32 | operation ...
//! operation: 1 | key length varint | key | value length varint | value
//!            0 | key length varint | key
//! ```

use super::log::Record;
use crate::Entry;
use levelscope::internals::coding::{Reader, put_length_prefixed};
use levelscope::limits::SEQUENCE_MAX;
use levelscope::{Error, Result};
use std::borrow::Cow;

/// Bytes in front of the operations.
const BATCH_HEADER_BYTES: usize = 12;

/// A batch whose operations are all there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Batch {
    /// Sequence number of the first operation.
    pub(super) first: u64,
    pub(super) count: u32,
}

/// One operation: its key, and the value unless it is a delete.
pub(super) type Operation<'a> = (&'a [u8], Option<&'a [u8]>);

/// Why a record whose checksum is right is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Flaw {
    /// This makes no sense.
    Malformed(&'static str),
    /// Only other programs write this.
    Unread(String),
}

impl Flaw {
    /// It in words.
    pub(super) fn what(&self) -> &str {
        match self {
            Self::Malformed(what) => what,
            Self::Unread(what) => what,
        }
    }

    /// The error for a record at `offset` \[bytes\]; `place` says where in it.
    pub(super) fn at(&self, offset: usize, place: &str) -> Error {
        let message = format!("{}{place}", self.what());
        match self {
            Self::Malformed(_) => Error::damaged_at(offset as u64, message),
            Self::Unread(_) => Error::not_read_at(offset as u64, message),
        }
    }
}

/// The operation that `reader` stands before.
fn operation<'a>(reader: &mut Reader<'a>) -> Option<Operation<'a>> {
    match reader.u8()? {
        0 => Some((reader.length_prefixed()?, None)),
        1 => Some((reader.length_prefixed()?, Some(reader.length_prefixed()?))),
        _ => None,
    }
}

impl Batch {
    /// # Errors
    /// What is wrong with it.
    pub(super) fn decode(payload: &[u8]) -> std::result::Result<Self, Flaw> {
        let mut reader = Reader::new(payload);
        let header = reader.u64().zip(reader.u32());
        let short = Flaw::Malformed("the record is too short for a batch");
        let (first, count) = header.ok_or(short)?;
        if first.saturating_add(count.into()) > SEQUENCE_MAX {
            return Err(Flaw::Malformed("the sequence numbers of the batch are too large"));
        }
        let mut operations = 0_u32;
        while let Some(kind) = reader.rest().first() {
            if *kind > 1 {
                let what = format!("an operation of the batch has kind {kind}, which is not read");
                return Err(Flaw::Unread(what));
            }
            let malformed = Flaw::Malformed("an operation of the batch is malformed");
            operation(&mut reader).ok_or(malformed)?;
            operations = operations.saturating_add(1);
        }
        if operations != count {
            let what = "the batch has another number of operations than it says";
            return Err(Flaw::Malformed(what));
        }
        Ok(Self { first, count })
    }
}

/// The entries of a record of a log, one after the other.
#[derive(Debug)]
pub(super) struct BatchEntries<'a> {
    record: Record<'a>,
    /// Where the next operation begins in the payload.
    at: usize,
    next: u64,
}

impl<'a> BatchEntries<'a> {
    /// # Errors
    /// `Corruption` or `UnsupportedFormat` with the offset of the record.
    pub(super) fn new(record: Record<'a>) -> Result<Self> {
        let flawed = |flaw: Flaw| flaw.at(record.offset, "");
        let next = Batch::decode(&record.payload).map_err(flawed)?.first;
        Ok(Self { record, at: BATCH_HEADER_BYTES, next })
    }
}

impl<'a> Iterator for BatchEntries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        let offset = self.record.offset as u64;
        let sequence = Some(self.next);
        let (entry, bytes) = match &self.record.payload {
            Cow::Borrowed(payload) => {
                let mut reader = Reader::new(payload.get(self.at..)?);
                let (key, value) = operation(&mut reader)?;
                let (key, value) = (Cow::Borrowed(key), value.map(Cow::Borrowed));
                (Entry { key, value, sequence, offset }, reader.position())
            }
            Cow::Owned(payload) => {
                let mut reader = Reader::new(payload.get(self.at..)?);
                let (key, value) = operation(&mut reader)?;
                let entry = Entry { sequence, offset, ..Entry::new(key, value) };
                (entry.into_owned(), reader.position())
            }
        };
        self.at += bytes;
        self.next = self.next.saturating_add(1);
        Some(entry)
    }
}

/// A batch of one operation.
pub(super) fn encode(sequence: u64, (key, value): Operation<'_>) -> Vec<u8> {
    let mut out = sequence.to_le_bytes().to_vec();
    out.extend_from_slice(&1_u32.to_le_bytes());
    out.push(u8::from(value.is_some()));
    put_length_prefixed(&mut out, key);
    if let Some(value) = value {
        put_length_prefixed(&mut out, value);
    }
    out
}
