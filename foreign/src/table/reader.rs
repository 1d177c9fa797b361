//! An opened table: footer, metaindex and properties are in memory, all else is read on demand.

use super::block::{Block, Layout};
use super::cursor::{TableCursor, without_timestamp};
use super::entries::BlockCursor;
use super::footer::Footer;
use super::index::{IndexCursor, Target};
use super::properties::{Budget, INDEX_TWO_LEVEL, Names, index_layout, summary};
use super::source::Source;
use crate::entry::{BlockHandle, DataBlock, EntryCursor, RangeDeletion, TableReader, TableSummary};
use crate::key::{Engine, Kind, split};
use crate::{Comparator, Error, ErrorKind, Examined, Files, Problem, Result};
use std::cell::OnceCell;

/// The most bytes of a list of data blocks or range deletions.
const LIST_BYTES_MAX: usize = 96 << 20;
/// The most bytes of a dictionary; RocksDB's default is 0, usual ones have some KiB.
const DICTIONARY_BYTES_MAX: u64 = 16 << 20;

/// A table of RocksDB or LevelDB in blocks.
pub struct BlockTable<'f> {
    source: Source<'f>,
    engine: Engine,
    /// The order of keys as they are stored, so without timestamps where the table leaves them out.
    order: Comparator,
    /// Bytes of the timestamps that the table leaves out.
    left_out: usize,
    footer: Footer,
    metaindex: Names,
    /// Whether the metaindex could not be decompressed.
    is_metaindex_unread: bool,
    index: BlockHandle,
    index_layout: Layout,
    two_level: bool,
    summary: TableSummary,
    dictionary: OnceCell<Vec<u8>>,
}

impl<'f> BlockTable<'f> {
    /// Opens table `name`.
    ///
    /// # Errors
    /// Those of [`super::open`].
    pub fn open(
        files: &'f dyn Files,
        name: &str,
        engine: Engine,
        comparator: Comparator,
    ) -> Result<Self> {
        let footer = Footer::read(files, name)?;
        let source = Source::new(files, name, &footer);
        let opened = Self::open_footer(source, footer, engine, comparator);
        opened.map_err(|error| error.in_file(name))
    }

    fn open_footer(
        source: Source<'f>,
        footer: Footer,
        engine: Engine,
        comparator: Comparator,
    ) -> Result<Self> {
        let mut is_metaindex_unread = false;
        let metaindex = match names(&source, footer.metaindex) {
            // A table of LevelDB needs its metaindex for the filter only; a check reports the damage.
            Err(error)
                if footer.leveldb
                    && matches!(error.kind(), ErrorKind::Damaged | ErrorKind::NotRead) =>
            {
                is_metaindex_unread = true;
                Names::default()
            }
            other => other?,
        };
        let properties = match properties_handle(&metaindex) {
            Some(handle) => names(&source, handle)?,
            None => Names::default(),
        };
        let (kind, index_layout) = index_layout(&properties);
        if kind > 3 {
            return Err(Error::not_read(format!("not read: an index of type {kind}")));
        }
        let Some(index) = footer.index.or_else(|| metaindex.handle("rocksdb.index")) else {
            let message = "the metaindex names no index";
            return Err(Error::damaged(footer.metaindex.offset, message));
        };
        let persisted = properties.number("rocksdb.user.defined.timestamps.persisted") != Some(0);
        let (order, left_out) = match comparator {
            Comparator::BytewiseTimestamp if !persisted => (Comparator::Bytewise, 8),
            Comparator::ReverseBytewiseTimestamp if !persisted => (Comparator::ReverseBytewise, 8),
            other => (other, 0),
        };
        Ok(Self {
            source,
            engine,
            order,
            left_out,
            metaindex,
            is_metaindex_unread,
            index,
            index_layout,
            two_level: kind == INDEX_TWO_LEVEL,
            summary: summary(&footer, properties),
            footer,
            dictionary: OnceCell::new(),
        })
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// The footer.
    pub fn footer(&self) -> &Footer {
        &self.footer
    }

    /// The other blocks by name, with their handles.
    pub fn metaindex(&self) -> &Names {
        &self.metaindex
    }

    /// Whether filters and other blocks beside the data are unknown, because the metaindex cannot be read.
    pub(super) fn is_metaindex_unread(&self) -> bool {
        self.is_metaindex_unread
    }

    /// Its blocks as they are stored.
    pub fn source(&self) -> &Source<'f> {
        &self.source
    }

    pub(super) fn engine(&self) -> Engine {
        self.engine
    }

    pub(super) fn order(&self) -> Comparator {
        self.order
    }

    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }

    pub(super) fn index_layout(&self) -> Layout {
        self.index_layout
    }

    pub(super) fn index_handle(&self) -> BlockHandle {
        self.index
    }

    pub(super) fn target<'a>(&self, user_key: &'a [u8], sequence: u64) -> Target<'a> {
        if self.left_out > 0 {
            return without_timestamp(user_key, self.left_out, sequence);
        }
        Target { user_key, sequence }
    }

    /// A stored user key with the timestamp that the table leaves out.
    pub(super) fn whole_key(&self, user_key: &[u8]) -> Vec<u8> {
        let mut key = user_key.to_vec();
        key.resize(user_key.len() + self.left_out, 0);
        key
    }

    /// The user key of a separator, as callers know it.
    pub(super) fn separator(&self, key: &[u8]) -> Vec<u8> {
        let user_key = if self.index_layout.has_internal_keys() {
            split(key).map_or(key, |(user_key, ..)| user_key)
        } else {
            key
        };
        self.whole_key(user_key)
    }

    /// The dictionary of the data blocks, empty if they have none.
    pub(super) fn dictionary(&self) -> Result<&[u8]> {
        if let Some(bytes) = self.dictionary.get() {
            return Ok(bytes);
        }
        let bytes = match self.metaindex.handle("rocksdb.compression_dict") {
            Some(handle) if handle.bytes > DICTIONARY_BYTES_MAX => {
                let message = format!("not read: a dictionary of {} bytes", handle.bytes);
                return Err(Error::not_read(message).at(handle.offset));
            }
            Some(handle) => self.source.read(handle)?.bytes,
            None => Vec::new(),
        };
        Ok(self.dictionary.get_or_init(|| bytes))
    }

    /// The data block at `handle`.
    pub(super) fn data_block(&self, handle: BlockHandle) -> Result<BlockCursor> {
        let stored = self.source.read(handle)?;
        if stored.compression == crate::compression::NONE {
            return Ok(BlockCursor::new(Block::new(stored.bytes, handle, true)?, Layout::Data));
        }
        self.decode_data(handle, stored.compression, &stored.bytes)
    }

    /// The data block at `handle` from its stored bytes.
    pub(super) fn decode_data(
        &self,
        handle: BlockHandle,
        compression: u8,
        bytes: &[u8],
    ) -> Result<BlockCursor> {
        let raw = compression == crate::compression::NONE;
        let dictionary = if raw { &[][..] } else { self.dictionary()? };
        let plain = self.source.decompress(handle, compression, bytes, dictionary)?.into_owned();
        Ok(BlockCursor::new(Block::new(plain, handle, raw)?, Layout::Data))
    }

    /// The index block, or a partition of it, at `handle`.
    pub(super) fn index_block(&self, handle: BlockHandle) -> Result<BlockCursor> {
        block(&self.source, handle, self.index_layout)
    }

    /// Before the first row of the index.
    pub(super) fn index(&self) -> Result<IndexCursor<'_, 'f>> {
        Ok(IndexCursor::new(self, self.index_block(self.index)?, self.two_level))
    }

    fn list_data_blocks(&self) -> Result<Vec<DataBlock>> {
        let mut budget = Budget::new(LIST_BYTES_MAX);
        let mut blocks = Vec::new();
        let mut index = self.index()?;
        while index.advance()? {
            let separator = self.separator(index.separator());
            budget.take(separator.len(), "the data blocks of a table")?;
            blocks.push(DataBlock { handle: index.handle(), separator });
        }
        Ok(blocks)
    }

    fn list_range_deletions(&self) -> Result<Vec<RangeDeletion>> {
        let Some(handle) = self.metaindex.handle("rocksdb.range_del") else {
            return Ok(Vec::new());
        };
        let mut cursor = block(&self.source, handle, Layout::Data)?;
        let mut budget = Budget::new(LIST_BYTES_MAX);
        let mut deletions = Vec::new();
        while cursor.advance()? {
            let (user_key, sequence, kind) = split(cursor.key())?;
            if Kind::of(self.engine, kind) != Kind::RangeDelete {
                let message = format!("an entry of kind {kind} among the range deletions");
                return Err(cursor.block().damaged(cursor.entry_range().start, message));
            }
            budget.take(user_key.len() + cursor.value().len(), "the range deletions of a table")?;
            let start = self.whole_key(user_key);
            let end = self.whole_key(cursor.value());
            deletions.push(RangeDeletion { start, end: Some(end), sequence });
        }
        Ok(deletions)
    }
}

fn properties_handle(metaindex: &Names) -> Option<BlockHandle> {
    metaindex.handle("rocksdb.properties").or_else(|| metaindex.handle("rocksdb.stats"))
}

/// Reads a block that needs no dictionary.
pub(super) fn block(source: &Source, handle: BlockHandle, layout: Layout) -> Result<BlockCursor> {
    let stored = source.read(handle)?;
    let raw = stored.compression == crate::compression::NONE;
    let bytes = if raw {
        stored.bytes
    } else {
        source.decompress(handle, stored.compression, &stored.bytes, &[])?.into_owned()
    };
    Ok(BlockCursor::new(Block::new(bytes, handle, raw)?, layout))
}

pub(super) fn names(source: &Source, handle: BlockHandle) -> Result<Names> {
    Names::read(block(source, handle, Layout::Plain)?)
}

impl TableReader for BlockTable<'_> {
    fn summary(&self) -> &TableSummary {
        &self.summary
    }

    fn cursor(&self) -> Result<Box<dyn EntryCursor + '_>> {
        Ok(Box::new(TableCursor::new(self)))
    }

    fn range_deletions(&self) -> Result<Vec<RangeDeletion>> {
        self.list_range_deletions().map_err(|error| error.in_file(self.name()))
    }

    fn data_blocks(&self) -> Result<Vec<DataBlock>> {
        self.list_data_blocks().map_err(|error| error.in_file(self.name()))
    }

    fn check(&self, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined {
        super::check::check(self, deep, report)
    }
}
