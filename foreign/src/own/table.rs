//! A table of Levelscope, opened.

use super::cursor::TableCursor;
use crate::comparator::LEVELSCOPE;
use crate::files::missing;
use crate::name::FileName;
use crate::{
    BlockHandle, DataBlock, EntryCursor, Error, Examined, Files, Problem, RangeDeletion, Result,
    TableReader, TableSummary,
};
use levelscope::internals::Few;
use levelscope::internals::key::user_key;
use levelscope::internals::table::{
    Block, FOOTER_BYTES, Footer, Handle, Index, PROPERTIES_NAME, Properties, RANGES_NAME, corrupt,
    decode_ranges, read_block, read_data_block, read_footer, read_index, read_metas,
    read_properties,
};
use levelscope::storage::{self, FilePart};
use std::collections::BTreeMap;

/// The end of a table is read at once, as much as most of them have beside their data \[bytes\].
const TAIL_BYTES: u64 = 16 << 10;

/// A table. Footer, meta index and properties are kept; index and blocks are read when they are needed.
pub(super) struct Table<'f> {
    files: &'f dyn Files,
    pub(super) name: String,
    pub(super) number: storage::FileName,
    length: u64,
    footer: Footer,
    pub(super) metas: Few<Vec<u8>, Handle>,
    pub(super) properties: Properties,
    summary: TableSummary,
}

impl<'f> Table<'f> {
    /// Opens the table `name`.
    ///
    /// # Errors
    /// As [`super::open`].
    pub(super) fn open(files: &'f dyn Files, name: &str) -> Result<Self> {
        Self::try_open(files, name).map_err(|error| error.in_file(name))
    }

    fn try_open(files: &'f dyn Files, name: &str) -> Result<Self> {
        let length = files.length(name).ok_or_else(|| missing(name))?;
        let from = length.saturating_sub(TAIL_BYTES);
        let mut tail = Tail { from, bytes: read(files, name, from, length - from)?, length };
        let number = number_of(files, name, &tail.bytes);
        let own = storage::FileName::Table(number);
        let footer = read_footer(&tail.held(), number, length)?;
        let from = footer.meta_index.offset;
        if from < tail.from {
            tail = Tail { from, bytes: read(files, name, from, length - from)?, length };
        }
        let index = read_index(&tail.held(), own, footer)?;
        let metas = read_metas(&tail.held(), own, footer.meta_index, index.data_end())?;
        let handle = metas.get(PROPERTIES_NAME).copied().ok_or_else(|| {
            Error::damaged(footer.meta_index.offset, "the table has no properties")
        })?;
        if handle.offset < tail.from {
            let bytes = handle.end().unwrap_or(length).saturating_sub(handle.offset);
            let bytes = read(files, name, handle.offset, bytes)?;
            tail = Tail { from: handle.offset, bytes, length };
        }
        let properties = read_properties(&tail.held(), own, handle)?;
        if properties.data_blocks != index.len() as u64 {
            let message = "properties and index disagree about the number of data blocks";
            return Err(Error::damaged(handle.offset, message));
        }
        let summary = summary(&properties);
        let name = name.to_owned();
        Ok(Self { files, name, number: own, length, footer, metas, properties, summary })
    }

    /// The index.
    pub(super) fn index(&self) -> Result<Index> {
        let bytes = self.stored(self.footer.index)?;
        let file = FilePart::part(&bytes, self.footer.index.offset, self.length);
        self.named(read_index(&file, self.number, self.footer))
    }

    /// The data block at `handle`.
    pub(super) fn data_block(&self, handle: Handle) -> Result<Block> {
        let bytes = self.stored(handle)?;
        let file = FilePart::part(&bytes, handle.offset, self.length);
        self.named(read_data_block(&file, self.number, handle))
    }

    /// Another block.
    pub(super) fn block(&self, handle: Handle) -> Result<Block> {
        let bytes = self.stored(handle)?;
        let file = FilePart::part(&bytes, handle.offset, self.length);
        self.named(read_block(&file, self.number, handle))
    }

    /// The bytes of a block with its trailer.
    pub(super) fn stored(&self, handle: Handle) -> Result<Vec<u8>> {
        let end = handle.end().filter(|end| *end <= self.length);
        let end = end.ok_or_else(|| {
            Error::damaged(handle.offset, "the block ends after the end of the file")
                .in_file(&self.name)
        })?;
        read(self.files, &self.name, handle.offset, end - handle.offset)
    }

    /// `result` with the name of this file.
    pub(super) fn named<T>(&self, result: levelscope::Result<T>) -> Result<T> {
        result.map_err(|error| Error::from(error).in_file(&self.name))
    }

    /// Handles of the index and the meta index, which the footer names.
    pub(super) fn indexes(&self) -> [Handle; 2] {
        [self.footer.meta_index, self.footer.index]
    }
}

/// The end of a file.
struct Tail {
    from: u64,
    bytes: Vec<u8>,
    length: u64,
}

impl Tail {
    fn held(&self) -> FilePart<'_> {
        FilePart::part(&self.bytes, self.from, self.length)
    }
}

/// So many bytes of a file, which has them.
fn read(files: &dyn Files, name: &str, offset: u64, bytes: u64) -> Result<Vec<u8>> {
    files.read(name, offset, usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// The number in the name of the file or, where that has none, in the footer at the end of `tail`.
fn number_of(files: &dyn Files, name: &str, tail: &[u8]) -> u64 {
    if let FileName::Table(number) = files.kind(name) {
        return number;
    }
    let footer = tail.len().checked_sub(FOOTER_BYTES).and_then(|at| tail.get(at..));
    let footer =
        footer.and_then(|bytes| Footer::decode(bytes, storage::FileName::Table(1), 0).ok());
    footer.map_or(1, |footer| footer.number)
}

fn summary(properties: &Properties) -> TableSummary {
    let ranges = properties.ranges.as_ref().map_or(0, |ranges| ranges.count);
    let trailers = properties.entries.saturating_mul(8);
    let mut named: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (name, number) in properties.numbers() {
        named.insert(name.to_owned(), number.to_string().into_bytes());
    }
    TableSummary {
        format: format!("table of Levelscope, format {}", if ranges > 0 { 2 } else { 1 }),
        checksum: "crc32",
        compression: properties.compression.clone(),
        properties: named,
        entries: Some(properties.entries.saturating_add(ranges)),
        deletions: Some(properties.tombstones.saturating_add(ranges)),
        range_deletions: Some(ranges),
        merge_operands: Some(0),
        raw_key_bytes: Some(properties.key_bytes.saturating_sub(trailers)),
        raw_value_bytes: Some(properties.value_bytes),
        comparator: Some(String::from_utf8_lossy(LEVELSCOPE).into_owned()),
        global_sequence: None,
        created_seconds: None,
    }
}

impl TableReader for Table<'_> {
    fn summary(&self) -> &TableSummary {
        &self.summary
    }

    fn cursor(&self) -> Result<Box<dyn EntryCursor + '_>> {
        Ok(Box::new(TableCursor::new(self)?))
    }

    fn range_deletions(&self) -> Result<Vec<RangeDeletion>> {
        let mut found = Vec::new();
        for (_, handle) in self.metas.iter().filter(|(name, _)| name.starts_with(RANGES_NAME)) {
            let decoded = decode_ranges(&self.block(*handle)?, &mut found);
            self.named(decoded.map_err(|damage| corrupt(self.number, handle.offset, damage)))?;
        }
        let deletion = |range: levelscope::internals::table::RangeTombstone| RangeDeletion {
            end: range.end.key().map(<[u8]>::to_vec),
            start: range.begin,
            sequence: range.sequence,
        };
        Ok(found.into_iter().map(deletion).collect())
    }

    fn data_blocks(&self) -> Result<Vec<DataBlock>> {
        let index = self.index()?;
        let block = |place| {
            let Handle { offset, bytes } = index.handle(place)?;
            let separator = user_key(index.key(place)?).to_vec();
            Some(DataBlock { handle: BlockHandle { offset, bytes }, separator })
        };
        Ok((0..index.len()).filter_map(block).collect())
    }

    fn check(&self, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined {
        super::check::check(self, deep, report)
    }
}
