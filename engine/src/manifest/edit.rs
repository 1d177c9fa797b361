//! Version edits: the changes of one record of the manifest.
//!
//! ```text
//! edit    field*, tags ascending; 1 to 3 and 7 at most once; each 8 for a table of a 6 before it
//! field   1 | log number varint
//!         2 | next file number varint
//!         3 | last sequence number varint
//!         4 | log number varint | bytes varint                                             (sealed)
//!         5 | level varint | table number varint                                          (removed)
//!         6 | level, run, number, bytes, entries, tombstones, blocks, smallest sequence, largest
//!             sequence: varints | smallest, largest internal key: varint length, bytes      (added)
//!         7 | file number varint                                                    (identified from)
//!         8 | table number, range tombstones: varints | begin, end: varint length, bytes   (ranges)
//!         9 | log number varint | bytes varint                                               (live)
//! ```

use super::version::{RangesMeta, TableMeta};
use crate::coding::{Reader, put_length_prefixed, put_varint};
use crate::key::{Cut, SeqNo, compare_internal, parse_internal_key};
use crate::limits::{
    FILE_NUMBER_MAX, KEY_BYTES_MAX, LEVEL_COUNT_MAX, SEQUENCE_MAX, TABLE_BYTES_MAX,
};
use crate::storage::{FileName, FileNumber};
use crate::{Error, Result};
use std::cmp::Ordering;
use std::sync::Arc;

const TAG_LOG_NUMBER: u8 = 1;
const TAG_NEXT_FILE: u8 = 2;
const TAG_LAST_SEQUENCE: u8 = 3;
const TAG_SEALED_LOG: u8 = 4;
const TAG_REMOVED: u8 = 5;
const TAG_ADDED: u8 = 6;
const TAG_IDENTIFIED_FROM: u8 = 7;
/// Only where there are range tombstones: programs that do not know of them refuse such a manifest.
const TAG_RANGES: u8 = 8;
/// Programs that do not know of it refuse such a manifest.
const TAG_LIVE_LOG: u8 = 9;

/// One change of the set of tables and of the counters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VersionEdit {
    /// Logs with smaller numbers hold nothing that tables do not hold.
    pub log_number: Option<FileNumber>,
    /// Every number below is taken.
    pub next_file: Option<FileNumber>,
    /// No sequence number above was given out when this was written.
    pub last_sequence: Option<SeqNo>,
    /// Logs that a crash left without a clean end, and how much of each counts \[bytes\].
    pub sealed_logs: Vec<(FileNumber, u64)>,
    /// Tables that leave a level.
    pub removed: Vec<(usize, FileNumber)>,
    /// Tables that enter a level.
    pub added: Vec<(usize, Arc<TableMeta>)>,
    /// Logs and tables with smaller numbers are older than the identity of the database, and carry none.
    pub identified_from: Option<FileNumber>,
    /// Logs that exist, as long as they are needed, and where the clean end of each ends \[bytes\]; 0: it has none yet.
    pub live_logs: Vec<(FileNumber, u64)>,
}

impl VersionEdit {
    /// Tables removed and added: the count of the record header.
    pub fn count(&self) -> u32 {
        u32::try_from(self.removed.len().saturating_add(self.added.len())).unwrap_or(u32::MAX)
    }

    /// The body of a manifest record.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let counters = [
            (TAG_LOG_NUMBER, self.log_number),
            (TAG_NEXT_FILE, self.next_file),
            (TAG_LAST_SEQUENCE, self.last_sequence),
        ];
        for (tag, value) in counters {
            if let Some(value) = value {
                out.push(tag);
                put_varint(&mut out, value);
            }
        }
        for (log, bytes) in &self.sealed_logs {
            out.push(TAG_SEALED_LOG);
            put_varint(&mut out, *log);
            put_varint(&mut out, *bytes);
        }
        for (level, number) in &self.removed {
            out.push(TAG_REMOVED);
            put_varint(&mut out, *level as u64);
            put_varint(&mut out, *number);
        }
        for (level, table) in &self.added {
            out.push(TAG_ADDED);
            put_varint(&mut out, *level as u64);
            encode_table(&mut out, table);
        }
        if let Some(number) = self.identified_from {
            out.push(TAG_IDENTIFIED_FROM);
            put_varint(&mut out, number);
        }
        for (_, table) in &self.added {
            if let Some(ranges) = &table.ranges {
                out.push(TAG_RANGES);
                put_varint(&mut out, table.number);
                put_varint(&mut out, ranges.count);
                put_length_prefixed(&mut out, &ranges.begin);
                put_length_prefixed(&mut out, ranges.end.key().unwrap_or_default());
            }
        }
        for (log, bytes) in &self.live_logs {
            out.push(TAG_LIVE_LOG);
            put_varint(&mut out, *log);
            put_varint(&mut out, *bytes);
        }
        out
    }

    /// Reads the body of a manifest record that begins at `offset` \[bytes\] of `file`.
    ///
    /// # Errors
    /// `Corruption` with the offset of the field that is not as [`Self::encode`] writes it.
    pub fn decode(bytes: &[u8], file: FileName, offset: u64) -> Result<Self> {
        let mut edit = Self::default();
        let mut fields = Fields::new(bytes);
        let mut last_tag = 0;
        while fields.position() < bytes.len() {
            let at = offset.saturating_add(fields.position() as u64);
            last_tag = fields.next(&mut edit, last_tag).map_err(|what| {
                Error::corruption(file, at, format!("this field of the edit {what}"))
            })?;
        }
        let is_empty = |(_, table): &&(usize, Arc<TableMeta>)| {
            table.smallest.is_empty() && table.ranges.is_none()
        };
        if let Some((_, table)) = edit.added.iter().find(is_empty) {
            let what = format!("the edit adds table {} without any key", table.number);
            return Err(Error::corruption(file, offset, what));
        }
        Ok(edit)
    }
}

fn encode_table(out: &mut Vec<u8>, table: &TableMeta) {
    for value in [
        table.run,
        table.number,
        table.bytes,
        table.entries,
        table.tombstones,
        u64::from(table.blocks),
        table.sequence_min,
        table.sequence_max,
    ] {
        put_varint(out, value);
    }
    put_length_prefixed(out, &table.smallest);
    put_length_prefixed(out, &table.largest);
}

/// The flaw of a field, as the end of a sentence.
type Flaw = &'static str;

const CUT: Flaw = "is cut off";

/// Reads the fields of an edit one by one.
pub(crate) struct Fields<'a> {
    reader: Reader<'a>,
}

impl<'a> Fields<'a> {
    /// The fields of the body `bytes`.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { reader: Reader::new(bytes) }
    }

    /// Bytes read so far.
    pub(crate) fn position(&self) -> usize {
        self.reader.position()
    }

    /// Reads the next field into `edit`; returns its tag, which must not be below `last_tag`.
    ///
    /// # Errors
    /// The flaw, as the end of a sentence.
    pub(crate) fn next(
        &mut self,
        edit: &mut VersionEdit,
        last_tag: u8,
    ) -> std::result::Result<u8, Flaw> {
        let tag = self.reader.u8().ok_or(CUT)?;
        let once = tag <= TAG_LAST_SEQUENCE || tag == TAG_IDENTIFIED_FROM;
        let repeats = tag == last_tag && once;
        if tag < last_tag || repeats {
            return Err("is out of order");
        }
        match tag {
            TAG_LOG_NUMBER => edit.log_number = Some(self.at_most(FILE_NUMBER_MAX)?),
            TAG_NEXT_FILE => edit.next_file = Some(self.at_most(FILE_NUMBER_MAX + 1)?),
            TAG_LAST_SEQUENCE => edit.last_sequence = Some(self.at_most(SEQUENCE_MAX)?),
            TAG_SEALED_LOG => {
                let log = self.file_number()?;
                let bytes = self.reader.varint().ok_or(CUT)?;
                edit.sealed_logs.push((log, bytes));
            }
            TAG_REMOVED => {
                let level = self.level()?;
                let number = self.file_number()?;
                edit.removed.push((level, number));
            }
            TAG_ADDED => {
                let level = self.level()?;
                let table = self.table()?;
                edit.added.push((level, Arc::new(table)));
            }
            TAG_RANGES => self.ranges(&mut edit.added)?,
            TAG_IDENTIFIED_FROM => edit.identified_from = Some(self.file_number()?),
            TAG_LIVE_LOG => {
                let log = self.file_number()?;
                let bytes = self.reader.varint().ok_or(CUT)?;
                edit.live_logs.push((log, bytes));
            }
            _ => return Err("has an unknown tag"),
        }
        Ok(tag)
    }

    fn table(&mut self) -> std::result::Result<TableMeta, Flaw> {
        let run = self.at_most(SEQUENCE_MAX)?;
        let number = self.file_number()?;
        // With these limits no sum over tables can overflow.
        let bytes = self.at_most(TABLE_BYTES_MAX)?;
        let entries = self.at_most(TABLE_BYTES_MAX)?;
        let tombstones = self.at_most(entries)?;
        let blocks = self.reader.varint().ok_or(CUT)?;
        let blocks = u32::try_from(blocks).map_err(|_| "has too many blocks")?;
        let sequence_min = self.at_most(SEQUENCE_MAX)?;
        let sequence_max = self.at_most(SEQUENCE_MAX)?;
        let smallest = self.internal_key(entries)?;
        let largest = self.internal_key(entries)?;
        if sequence_min > sequence_max {
            return Err("has sequence numbers that are the wrong way round");
        }
        if compare_internal(&smallest, &largest) == Ordering::Greater {
            return Err("has a smallest key that comes after its largest key");
        }
        Ok(TableMeta {
            number,
            run,
            bytes,
            entries,
            tombstones,
            blocks,
            smallest,
            largest,
            ranges: None,
            sequence_min,
            sequence_max,
        })
    }

    /// The range tombstones of a table that the edit adds.
    fn ranges(&mut self, added: &mut [(usize, Arc<TableMeta>)]) -> std::result::Result<(), Flaw> {
        let number = self.file_number()?;
        let count = self.at_most(TABLE_BYTES_MAX)?;
        let begin = self.user_key()?;
        let end = self.user_key()?;
        let end = if end.is_empty() { Cut::End } else { Cut::At(end, false) };
        if count == 0 || !end.is_after(&begin) {
            return Err("has range tombstones without keys");
        }
        let table = added.iter_mut().find(|(_, table)| table.number == number);
        let Some((_, table)) = table.filter(|(_, table)| table.ranges.is_none()) else {
            return Err("has range tombstones of a table that the edit does not add");
        };
        Arc::make_mut(table).ranges = Some(RangesMeta { count, begin, end });
        Ok(())
    }

    fn user_key(&mut self) -> std::result::Result<Vec<u8>, Flaw> {
        let key = self.reader.length_prefixed().ok_or("has a key that is cut off")?;
        if key.len() > KEY_BYTES_MAX {
            return Err("has a key that is too long");
        }
        Ok(key.to_vec())
    }

    /// The key of an entry; empty when there are no `entries`.
    fn internal_key(&mut self, entries: u64) -> std::result::Result<Vec<u8>, Flaw> {
        let key = self.reader.length_prefixed().ok_or("has a key that is cut off")?;
        if entries == 0 && key.is_empty() {
            return Ok(Vec::new());
        }
        match parse_internal_key(key) {
            Some(parsed) if parsed.user_key.len() <= KEY_BYTES_MAX => Ok(key.to_vec()),
            _ => Err("has a key that is no internal key"),
        }
    }

    fn level(&mut self) -> std::result::Result<usize, Flaw> {
        let level = self.reader.varint().ok_or(CUT)?;
        let level = usize::try_from(level).ok().filter(|level| *level < LEVEL_COUNT_MAX);
        level.ok_or("names a level that does not exist")
    }

    fn file_number(&mut self) -> std::result::Result<FileNumber, Flaw> {
        match self.at_most(FILE_NUMBER_MAX)? {
            0 => Err("names file number 0"),
            number => Ok(number),
        }
    }

    fn at_most(&mut self, limit: u64) -> std::result::Result<u64, Flaw> {
        let value = self.reader.varint().ok_or(CUT)?;
        if value <= limit { Ok(value) } else { Err("has a number above its limit") }
    }
}
