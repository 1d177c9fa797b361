//! Version edits: what one record of a manifest holds.
//!
//! Each field is a tag and its values, all numbers are varints: 1 comparator, 2 log number, 3 next file
//! number, 4 last sequence number, 5 compact pointer, 6 table removed, 7 table added, 9 number of the
//! log before.

use super::batch::Flaw;
use levelscope::internals::coding::{Reader, put_length_prefixed, put_varint};

/// The only order of keys that is understood.
pub(crate) const COMPARATOR: &[u8] = b"leveldb.BytewiseComparator";
/// Levels that the files can name.
pub(super) const LEVELS: u64 = 7;

/// A table, as a manifest knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFile {
    /// Its number: part of its name.
    pub number: u64,
    /// Its length \[bytes\].
    pub bytes: u64,
    /// Its smallest internal key.
    pub smallest: Vec<u8>,
    /// Its largest internal key.
    pub largest: Vec<u8>,
}

/// One change of the set of files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Edit {
    /// Name of the order of keys.
    pub(super) comparator: Option<Vec<u8>>,
    /// Logs with smaller numbers do not count any more.
    pub(super) log_number: Option<u64>,
    /// Except this one.
    pub(super) prev_log_number: Option<u64>,
    /// No file has this number or a larger one.
    pub(super) next_file: Option<u64>,
    /// Largest sequence number in the tables.
    pub(super) last_sequence: Option<u64>,
    /// Where the next compaction of a level begins: level and internal key.
    pub(super) compact_pointers: Vec<(u64, Vec<u8>)>,
    /// Tables that do not count any more: level and number.
    pub(super) removed: Vec<(u64, u64)>,
    /// Tables that count from now on, with their level.
    pub(super) added: Vec<(u64, TableFile)>,
}

impl Edit {
    /// # Errors
    /// Offset in the record, and what is wrong there.
    pub(super) fn decode(record: &[u8]) -> Result<Self, (usize, Flaw)> {
        let mut edit = Self::default();
        let mut reader = Reader::new(record);
        while !reader.is_empty() {
            let (at, mut ahead) = (reader.position(), reader);
            if let Some(what) = unread_field(&mut ahead) {
                return Err((at, Flaw::Unread(what)));
            }
            let malformed = Flaw::Malformed("a field of the version edit is malformed");
            edit.field(&mut reader).ok_or((at, malformed))?;
        }
        Ok(edit)
    }

    fn field(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        match reader.varint()? {
            1 => self.comparator = Some(reader.length_prefixed()?.to_vec()),
            2 => self.log_number = Some(reader.varint()?),
            3 => self.next_file = Some(reader.varint()?),
            4 => self.last_sequence = Some(reader.varint()?),
            5 => self.compact_pointers.push((level(reader)?, reader.length_prefixed()?.to_vec())),
            6 => self.removed.push((level(reader)?, reader.varint()?)),
            7 => {
                let level = level(reader)?;
                let (number, bytes) = (reader.varint()?, reader.varint()?);
                let smallest = reader.length_prefixed()?.to_vec();
                let largest = reader.length_prefixed()?.to_vec();
                self.added.push((level, TableFile { number, bytes, smallest, largest }));
            }
            9 => self.prev_log_number = Some(reader.varint()?),
            _ => return None,
        }
        Some(())
    }

    /// The record, fields in the usual order.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if let Some(comparator) = &self.comparator {
            put_varint(&mut out, 1);
            put_length_prefixed(&mut out, comparator);
        }
        let numbers = [
            (2, self.log_number),
            (9, self.prev_log_number),
            (3, self.next_file),
            (4, self.last_sequence),
        ];
        for (tag, number) in numbers {
            if let Some(number) = number {
                put_varint(&mut out, tag);
                put_varint(&mut out, number);
            }
        }
        for (level, key) in &self.compact_pointers {
            put_varint(&mut out, 5);
            put_varint(&mut out, *level);
            put_length_prefixed(&mut out, key);
        }
        for (level, number) in &self.removed {
            for number in [6, *level, *number] {
                put_varint(&mut out, number);
            }
        }
        for (level, table) in &self.added {
            for number in [7, *level, table.number, table.bytes] {
                put_varint(&mut out, number);
            }
            put_length_prefixed(&mut out, &table.smallest);
            put_length_prefixed(&mut out, &table.largest);
        }
        out
    }
}

fn level(reader: &mut Reader<'_>) -> Option<u64> {
    reader.varint().filter(|level| *level < LEVELS)
}

/// What the next field has that only other programs write.
pub(super) fn unread_field(reader: &mut Reader<'_>) -> Option<String> {
    let tag = reader.varint()?;
    match tag {
        1..=4 | 9 => None,
        5..=7 => {
            let level = reader.varint().filter(|level| *level >= LEVELS)?;
            Some(format!("a field of the version edit names level {level}, which is not read"))
        }
        _ => Some(format!("a field of the version edit has tag {tag}, which is not read")),
    }
}
