//! A table of Levelscope, opened.

use super::cursor::TableCursor;
use crate::comparator::LEVELSCOPE;
use crate::files::{content_name, missing, stored_name};
use crate::{
    BlockHandle, DataBlock, EntryCursor, Error, ErrorKind, Examined, Files, Problem, RangeDeletion,
    Result, TableReader, TableSummary,
};
use levelscope::internals::Few;
use levelscope::internals::key::{compare_internal, parse_internal_key, user_key};
use levelscope::internals::table::{
    Block, BlockBuilder, BlockIter, Footer, Handle, Index, PROPERTIES_NAME, Properties,
    RANGES_NAME, corrupt, decode_ranges, find_block, read_block, read_data_block, read_footer,
    read_index, read_metas, read_properties,
};
use levelscope::storage::{self, FilePart};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The end of a table is read at once, as much as most of them have beside their data \[bytes\].
const TAIL_BYTES: u64 = 16 << 10;

/// A table. Footer, meta index and properties are kept; index and blocks are read when they are needed.
pub(crate) struct Table<'f> {
    files: &'f dyn Files,
    pub(super) name: String,
    pub(super) number: storage::FileName,
    length: u64,
    /// Without one the data blocks are those that their checksums prove.
    footer: Option<Footer>,
    /// The failure to read the end of a single file.
    pub(super) damage: Option<Error>,
    pub(super) metas: Few<Vec<u8>, Handle>,
    pub(super) properties: Properties,
    summary: TableSummary,
}

impl<'f> Table<'f> {
    /// Opens the table `name`.
    ///
    /// # Errors
    /// Damage in footer, index, meta index or properties; `NotRead` for a newer format.
    pub(crate) fn open(files: &'f dyn Files, name: &str) -> Result<Self> {
        let opened = Self::try_open(files, name).map_err(|error| error.in_file(name));
        match opened {
            Err(error) if error.kind() == ErrorKind::Damaged && files.loose().is_some() => {
                Self::without_end(files, name, error)
            }
            opened => opened,
        }
    }

    /// The table `name` with the data blocks at its beginning alone, though `damage` hides the rest.
    fn without_end(files: &'f dyn Files, name: &str, damage: Error) -> Result<Self> {
        let number = stored_name(files, name).unwrap_or(storage::FileName::Table(1));
        let length = files.length(name).ok_or_else(|| missing(name))?;
        let summary = TableSummary { comparator: Some(comparator()), ..TableSummary::default() };
        let (metas, properties) = (Few::default(), Properties::default());
        let (footer, name) = (None, name.to_owned());
        let table =
            Self { files, name, number, length, footer, damage: None, metas, properties, summary };
        match table.index()?.len() {
            0 => Err(damage),
            _ => Ok(Self { damage: Some(damage), ..table }),
        }
    }

    fn try_open(files: &'f dyn Files, name: &str) -> Result<Self> {
        let length = files.length(name).ok_or_else(|| missing(name))?;
        let from = length.saturating_sub(TAIL_BYTES);
        let mut tail = Tail { from, bytes: read(files, name, from, length - from)?, length };
        let own = stored_name(files, name).or_else(|| content_name(files, name));
        let Some(own @ storage::FileName::Table(number)) = own else {
            return Err(Error::new(ErrorKind::Invalid, "this is no table"));
        };
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
        let (footer, number, damage) = (Some(footer), own, None);
        Ok(Self { files, name, number, length, footer, damage, metas, properties, summary })
    }

    /// The index.
    pub(super) fn index(&self) -> Result<Index> {
        let Some(footer) = self.footer else { return self.index_of_blocks() };
        let bytes = self.stored(footer.index)?;
        let file = FilePart::part(&bytes, footer.index.offset, self.length);
        self.named(read_index(&file, self.number, footer))
    }

    /// The index of the data blocks at the beginning that their checksums prove.
    fn index_of_blocks(&self) -> Result<Index> {
        // What cannot be read has no block.
        let mut read = |offset: u64, bytes: usize| {
            let bytes = (bytes as u64).min(self.length.saturating_sub(offset));
            Ok(Cow::Owned(read(self.files, &self.name, offset, bytes).unwrap_or_default()))
        };
        let (mut index, mut last, mut offset) = (BlockBuilder::new(1), Vec::new(), 0);
        while let Ok(Some(handle)) = find_block(&mut read, offset, self.length) {
            let Ok(block) = self.data_block(handle) else { break };
            let mut entries = BlockIter::new(Arc::new(block));
            let mut moved = entries.seek_to_first();
            let is_first = parse_internal_key(entries.key()).is_some()
                && (last.is_empty() || compare_internal(&last, entries.key()) == Ordering::Less);
            while moved.is_ok() && entries.valid() {
                last = entries.key().to_vec();
                moved = entries.next();
            }
            if !is_first || moved.is_err() {
                break;
            }
            let mut value = Vec::new();
            handle.encode(&mut value);
            index.add(&last, &value);
            offset = handle.end().unwrap_or(self.length);
        }
        let block = Block::new_or_empty(index.finish().to_vec());
        let index = block.and_then(Index::decode);
        self.named(index.map_err(|damage| corrupt(self.number, 0, damage)))
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
    pub(super) fn indexes(&self) -> impl Iterator<Item = Handle> {
        self.footer.into_iter().flat_map(|footer| [footer.meta_index, footer.index])
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

/// The name of the order of keys.
fn comparator() -> String {
    String::from_utf8_lossy(LEVELSCOPE).into_owned()
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
        comparator: Some(comparator()),
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
