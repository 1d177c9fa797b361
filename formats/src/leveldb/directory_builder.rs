//! Writes a directory that the original opens: tables on one level, a manifest, `CURRENT`.

use super::builder::{TableBuilder, TableFile, TableStyle};
use super::log::LogBuilder;
use levelscope::Result;
use levelscope::internals::coding::{put_length_prefixed, put_varint};

/// The order of the keys.
const COMPARATOR: &[u8] = b"leveldb.BytewiseComparator";
/// Levels that the files can name.
const LEVELS: u64 = 7;

/// Number of the manifest; tables have larger numbers.
const MANIFEST_NUMBER: u64 = 1;

/// A directory being written: tables first, then the manifest that names them.
#[derive(Debug)]
pub(crate) struct DirectoryBuilder {
    style: TableStyle,
    table_bytes: usize,
    /// Sequence number of every entry.
    sequence: u64,
    table: Option<TableBuilder>,
    tables: Vec<TableFile>,
    next_number: u64,
    /// Files of metadata that were handed out.
    handed_out: u8,
}

impl DirectoryBuilder {
    /// Tables end with the block that makes them `table_bytes` long; every entry has `sequence`.
    pub(crate) fn new(style: TableStyle, table_bytes: usize, sequence: u64) -> Self {
        Self {
            style,
            table_bytes,
            sequence,
            table: None,
            tables: Vec::new(),
            next_number: MANIFEST_NUMBER + 1,
            handed_out: 0,
        }
    }

    /// Appends an entry after all others, and returns the table that is full now.
    ///
    /// # Errors
    /// `InvalidArgument` when the keys do not ascend.
    pub(crate) fn add(&mut self, key: &[u8], value: &[u8]) -> Result<Option<(String, Vec<u8>)>> {
        let style = self.style;
        let table = self.table.get_or_insert_with(|| TableBuilder::new(style));
        table.add(key, self.sequence, value)?;
        let is_full = table.file_bytes() >= self.table_bytes;
        Ok(if is_full { self.end_table() } else { None })
    }

    /// The table that is begun.
    pub(crate) fn end_table(&mut self) -> Option<(String, Vec<u8>)> {
        let number = self.next_number;
        let (file, table) = self.table.take()?.finish(number);
        self.tables.push(table?);
        self.next_number += 1;
        Some((format!("{number:06}.ldb"), file))
    }

    /// The first level that may be as long as all tables are: nothing has to be compacted at once.
    pub(crate) fn level(&self) -> u64 {
        let bytes: u64 = self.tables.iter().map(|table| table.bytes).sum();
        let fitting = (1..LEVELS)
            .zip((1..).map(|power| (1_u64 << 20).saturating_mul(10_u64.saturating_pow(power))));
        let mut fitting = fitting.filter(|(_, bytes_max)| bytes <= *bytes_max);
        match fitting.next() {
            _ if self.tables.is_empty() => 0,
            Some((level, _)) => level,
            None => LEVELS - 1,
        }
    }

    /// The next file of metadata: the manifest, the log that it names, which has no record yet, then `CURRENT`.
    pub(crate) fn next_metadata(&mut self) -> Option<(String, Vec<u8>)> {
        let manifest = format!("MANIFEST-{MANIFEST_NUMBER:06}");
        self.handed_out = self.handed_out.saturating_add(1);
        match self.handed_out {
            1 => Some((manifest, self.manifest())),
            2 => Some((format!("{:06}.log", self.next_number), Vec::new())),
            3 => Some(("CURRENT".to_owned(), format!("{manifest}\n").into_bytes())),
            _ => None,
        }
    }

    /// A manifest of one edit. Each field is a tag and its values: 1 comparator, 2 log number, 9 number of the log before,
    /// 3 next file number, 4 last sequence number, 7 table added.
    fn manifest(&self) -> Vec<u8> {
        let mut edit = Vec::new();
        put_varint(&mut edit, 1);
        put_length_prefixed(&mut edit, COMPARATOR);
        let numbers = [2, self.next_number, 9, 0, 3, self.next_number + 1, 4, self.sequence];
        for number in numbers {
            put_varint(&mut edit, number);
        }
        for table in &self.tables {
            for number in [7, self.level(), table.number, table.bytes] {
                put_varint(&mut edit, number);
            }
            put_length_prefixed(&mut edit, &table.smallest);
            put_length_prefixed(&mut edit, &table.largest);
        }
        let mut log = LogBuilder::default();
        log.add(&edit);
        log.finish()
    }
}
