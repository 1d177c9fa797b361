//! Writes one table file, block by block.

mod with_ranges;

use super::block_builder::BlockBuilder;
use super::format::{Footer, Handle, compress, seal};
use super::index::IndexBuilder;
use super::prefix_index::PREFIX_INDEX_NAME;
use super::prefixes::{PREFIX_FILTER_NAME, PrefixesBuilder};
use super::properties::{FILTER_NAME, PROPERTIES_NAME, Properties};
use super::written::{BlockWritten, FilterWritten, IndexWritten};
use crate::filter::FilterBuilder;
use crate::identity::Identity;
use crate::key::{ParsedKey, ValueKind, compare_internal, parse_internal_key, same_key, user_key};
use crate::limits::{BLOCK_BYTES_MAX, KEY_BYTES_MAX, VALUE_BYTES_MAX};
use crate::manifest::TableMeta;
use crate::ranges::RangeSet;
use crate::sorting;
use crate::storage::{File, FileNumber};
use crate::text;
use crate::{Compression, Error, Options, PrefixExtractor, PrefixIndexForm, Result};
use std::cmp::Ordering;
use std::sync::Arc;

/// Bytes are handed to the file in chunks of at least this length: each append costs a call.
const CHUNK_BYTES: usize = 256 * 1024;

/// The options that decide the bytes of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TableOptions {
    /// Target size of a data block before compression \[bytes\].
    pub(crate) block_bytes: usize,
    /// Entries between two restart points.
    pub(crate) restart_interval: usize,
    pub(crate) compression: Compression,
    /// Filter bits a key; 0: no filter.
    pub(crate) bloom_bits: usize,
    /// The prefixes that are collected.
    pub(crate) prefix: PrefixExtractor,
    pub(crate) prefix_filter: bool,
    pub(crate) prefix_index: bool,
    /// Whose the table is.
    pub(crate) database: Option<Identity>,
}

impl TableOptions {
    /// The table format that `options` ask for, in the database `database`.
    pub(crate) fn new(options: &Options, database: Option<Identity>) -> Self {
        Self {
            block_bytes: options.block_bytes,
            restart_interval: options.restart_interval,
            compression: options.compression,
            bloom_bits: options.bloom_bits,
            prefix: options.prefix,
            prefix_filter: options.prefix_filter && options.bloom_bits > 0,
            prefix_index: options.prefix_index != PrefixIndexForm::None,
            database,
        }
    }
}

/// The call that must come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Blocks,
    Index,
    Footer,
    Sync,
    Done,
}

/// Writes entries in ascending order of their internal keys to a new file.
///
/// Call [`Self::add`] for each entry, then [`Self::finish_block`], [`Self::write_filter`], [`Self::write_ranges`] if
/// any, [`Self::write_index`], [`Self::write_footer`] and [`Self::sync`]. After an error of the file the table is
/// worthless.
#[derive(Debug)]
pub(crate) struct TableBuilder {
    file: Arc<dyn File>,
    number: FileNumber,
    options: TableOptions,
    stage: Stage,
    /// Bytes that the file does not have yet.
    pending: Vec<u8>,
    /// Length of the file and `pending` \[bytes\].
    offset: u64,
    block: BlockBuilder,
    block_first: Vec<u8>,
    last_key: Vec<u8>,
    smallest: Vec<u8>,
    compressor: snap::raw::Encoder,
    compressed: Vec<u8>,
    index: IndexBuilder,
    filter: FilterBuilder,
    prefixes: PrefixesBuilder,
    metas: Vec<(Vec<u8>, Handle)>,
    ranges: RangeSet,
    index_handle: Handle,
    meta_index_handle: Handle,
    properties: Properties,
}

impl TableBuilder {
    /// A builder that appends to the empty `file` of table `number`.
    pub(crate) fn new(file: Arc<dyn File>, number: FileNumber, options: TableOptions) -> Self {
        Self {
            file,
            number,
            options,
            stage: Stage::Blocks,
            pending: Vec::new(),
            offset: 0,
            block: BlockBuilder::new(options.restart_interval),
            block_first: Vec::new(),
            last_key: Vec::new(),
            smallest: Vec::new(),
            compressor: snap::raw::Encoder::new(),
            compressed: Vec::new(),
            index: IndexBuilder::new(),
            filter: FilterBuilder::default(),
            prefixes: PrefixesBuilder::new(&options),
            metas: Vec::new(),
            ranges: RangeSet::default(),
            index_handle: Handle::default(),
            meta_index_handle: Handle::default(),
            properties: Properties { sequence_min: u64::MAX, ..Properties::default() },
        }
    }

    /// The user key added last.
    pub(crate) fn last_user_key(&self) -> &[u8] {
        user_key(&self.last_key)
    }

    /// Adds an entry; returns the block before it if this closed that block.
    ///
    /// # Errors
    /// `InvalidArgument` when the key does not ascend, is malformed, or exceeds a limit; those of
    /// the file.
    pub(crate) fn add(
        &mut self,
        internal_key: &[u8],
        value: &[u8],
    ) -> Result<Option<Box<BlockWritten>>> {
        let key = self.check(internal_key, value)?;
        let mut plan = self.block.plan(internal_key, value);
        let mut closed = None;
        if plan.block_bytes > self.options.block_bytes && !self.block.is_empty() {
            closed = self.close_block(Some(internal_key))?;
            plan = self.block.plan(internal_key, value);
        }
        if self.block.is_empty() {
            self.block_first.clear();
            self.block_first.extend_from_slice(key.user_key);
        }
        if self.properties.entries == 0 {
            self.smallest.extend_from_slice(internal_key);
        }
        // Versions of one key stand side by side: the filter needs it once.
        if self.options.bloom_bits > 0
            && (self.properties.entries == 0 || !same_key(user_key(&self.last_key), key.user_key))
        {
            self.filter.add(key.user_key);
        }
        self.prefixes.add(key.user_key, self.index.blocks());
        self.block.push(plan, internal_key, value);
        self.last_key.clear();
        self.last_key.extend_from_slice(internal_key);
        self.count(&key, value.len());
        Ok(closed)
    }

    fn check<'a>(&self, internal_key: &'a [u8], value: &[u8]) -> Result<ParsedKey<'a>> {
        let Some(key) = parse_internal_key(internal_key).filter(|_| self.stage == Stage::Blocks)
        else {
            return Err(Error::invalid(format!(
                "table {} was given a malformed key, or one after its last block",
                self.number
            )));
        };
        if key.user_key.len() > KEY_BYTES_MAX || value.len() > VALUE_BYTES_MAX {
            return Err(Error::invalid(format!(
                "a key of {} with a value of {} exceeds the limits",
                text::bytes(key.user_key.len()),
                text::bytes(value.len())
            )));
        }
        let first = self.properties.entries == 0;
        if !first && compare_internal(&self.last_key, internal_key) != Ordering::Less {
            return Err(Error::invalid(format!(
                "table {} was given keys that do not ascend",
                self.number
            )));
        }
        Ok(key)
    }

    fn count(&mut self, key: &ParsedKey<'_>, value_bytes: usize) {
        let properties = &mut self.properties;
        properties.entries += 1;
        properties.tombstones += u64::from(key.kind == ValueKind::Delete);
        properties.key_bytes += self.last_key.len() as u64;
        properties.value_bytes += value_bytes as u64;
        properties.sequence_min = properties.sequence_min.min(key.sequence);
        properties.sequence_max = properties.sequence_max.max(key.sequence);
    }

    /// Closes the open block; `None` when it has no entries.
    pub(crate) fn finish_block(&mut self) -> Result<Option<Box<BlockWritten>>> {
        self.close_block(None)
    }

    fn close_block(&mut self, next_key: Option<&[u8]>) -> Result<Option<Box<BlockWritten>>> {
        if self.block.is_empty() {
            return Ok(None);
        }
        let offset = self.offset;
        let entries = self.block.entries();
        let raw = self.block.finish();
        let raw_bytes = raw.len();
        let compressed = match self.options.compression {
            Compression::Snappy => compress(&mut self.compressor, raw, &mut self.compressed),
            Compression::None => None,
        };
        let (stored, tag) = match compressed {
            Some(stored) => (stored, Compression::Snappy),
            None => (raw, Compression::None),
        };
        let handle = Handle { offset, bytes: stored.len() as u64 };
        self.pending.extend_from_slice(stored);
        self.pending.extend_from_slice(&seal(stored, tag));
        self.offset = handle.end().unwrap_or(u64::MAX);
        self.block.clear();
        self.index.add(&self.last_key, next_key, handle);
        self.properties.data_blocks += 1;
        self.properties.data_raw_bytes += raw_bytes as u64;
        self.properties.data_stored_bytes += handle.bytes;
        self.append_pending(CHUNK_BYTES)?;
        // In a box: the result passes through every caller and is `None` for most entries.
        Ok(Some(Box::new(BlockWritten {
            index: self.index.blocks() - 1,
            entries,
            raw_bytes: u32::try_from(raw_bytes).unwrap_or(u32::MAX),
            stored_bytes: u32::try_from(handle.bytes).unwrap_or(u32::MAX),
            offset,
            first: std::mem::take(&mut self.block_first),
            last: user_key(&self.last_key).to_vec(),
        })))
    }

    /// Writes the filter of all keys, when the options ask for one.
    ///
    /// # Errors
    /// `InvalidArgument` when a block is still open; those of the file.
    pub(crate) fn write_filter(&mut self) -> Result<FilterWritten> {
        self.advance(Stage::Blocks, Stage::Index)?;
        if self.options.bloom_bits == 0 || self.properties.entries == 0 {
            return Ok(FilterWritten { keys: 0, bytes: 0 });
        }
        let block = self.filter.finish(self.options.bloom_bits);
        let handle = self.write_block(&block)?;
        self.metas.push((FILTER_NAME.to_vec(), handle));
        if let Some(block) = self.prefixes.filter(self.options.bloom_bits) {
            let handle = self.write_block(&block)?;
            self.metas.push((PREFIX_FILTER_NAME.to_vec(), handle));
        }
        let keys = self.filter.keys();
        self.properties.filter_bits = self.options.bloom_bits as u64;
        self.properties.filter_bytes = handle.bytes;
        self.properties.filter_keys = keys;
        Ok(FilterWritten { keys, bytes: handle.bytes })
    }

    /// Writes properties, meta index and index.
    ///
    /// # Errors
    /// `InvalidArgument` when the table has no entries or its index exceeds a block; those of the
    /// file.
    pub(crate) fn write_index(&mut self) -> Result<IndexWritten> {
        self.advance(Stage::Index, Stage::Footer)?;
        let is_empty = self.properties.entries == 0 && self.ranges.is_empty();
        if is_empty || self.index.bytes() > BLOCK_BYTES_MAX {
            return Err(Error::invalid(format!(
                "table {} has no entries, or more data blocks than an index can hold",
                self.number
            )));
        }
        self.properties.smallest = user_key(&self.smallest).to_vec();
        self.properties.largest = user_key(&self.last_key).to_vec();
        self.properties.block_bytes = self.options.block_bytes as u64;
        self.properties.restart_interval = self.options.restart_interval as u64;
        self.properties.compression = match self.options.compression {
            Compression::None => "none".to_owned(),
            Compression::Snappy => "snappy".to_owned(),
        };
        if let Some(block) = self.prefixes.index() {
            let handle = self.write_block(&block)?;
            self.metas.push((PREFIX_INDEX_NAME.to_vec(), handle));
        }
        self.properties.prefix = self.prefixes.extractor();
        self.properties.database = self.options.database;
        let handle = self.write_block(&self.properties.encode())?;
        self.metas.push((PROPERTIES_NAME.to_vec(), handle));
        sorting::sort(&mut self.metas);
        let mut meta_index = BlockBuilder::new(1);
        for (name, handle) in &self.metas {
            let mut value = Vec::new();
            handle.encode(&mut value);
            meta_index.add(name, &value);
        }
        self.meta_index_handle = self.write_block(meta_index.finish())?;
        let index = self.index.finish().to_vec();
        self.index_handle = self.write_block(&index)?;
        Ok(IndexWritten { blocks: self.index.blocks(), bytes: self.index_handle.bytes })
    }

    /// Writes the footer; returns the length of the file \[bytes\], all of which is now appended.
    pub(crate) fn write_footer(&mut self) -> Result<u64> {
        self.advance(Stage::Footer, Stage::Sync)?;
        let footer = Footer {
            meta_index: self.meta_index_handle,
            index: self.index_handle,
            number: self.number,
            ranges: self.has_ranges(),
        };
        let footer = footer.encode();
        self.pending.extend_from_slice(&footer);
        self.offset += footer.len() as u64;
        self.append_pending(0)?;
        Ok(self.offset)
    }

    /// Makes the file durable; returns its record for the manifest, as a separate run.
    pub(crate) fn sync(&mut self) -> Result<TableMeta> {
        self.advance(Stage::Sync, Stage::Done)?;
        self.file.sync()?;
        Ok(TableMeta {
            number: self.number,
            run: self.properties.sequence_max,
            bytes: self.offset,
            entries: self.properties.entries,
            tombstones: self.properties.tombstones,
            blocks: self.index.blocks(),
            smallest: std::mem::take(&mut self.smallest),
            largest: std::mem::take(&mut self.last_key),
            ranges: self.properties.ranges.clone(),
            sequence_min: self.properties.sequence_min,
            sequence_max: self.properties.sequence_max,
        })
    }

    /// The properties of the table so far.
    pub(crate) fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Length of the data blocks so far, the open one before compression \[bytes\].
    pub(crate) fn estimated_bytes(&self) -> u64 {
        let open = if self.block.is_empty() { 0 } else { self.block.finished_bytes() as u64 };
        self.offset + open
    }

    fn advance(&mut self, from: Stage, to: Stage) -> Result<()> {
        if self.stage != from || !self.block.is_empty() {
            return Err(Error::invalid(format!("table {} is finished out of order", self.number)));
        }
        self.stage = to;
        Ok(())
    }

    /// Writes an uncompressed block. All but data blocks are small, and read once.
    fn write_block(&mut self, block: &[u8]) -> Result<Handle> {
        let handle = Handle { offset: self.offset, bytes: block.len() as u64 };
        self.pending.extend_from_slice(block);
        self.pending.extend_from_slice(&seal(block, Compression::None));
        self.offset = handle.end().unwrap_or(u64::MAX);
        self.append_pending(CHUNK_BYTES)?;
        Ok(handle)
    }

    fn append_pending(&mut self, bytes_min: usize) -> Result<()> {
        if self.pending.len() >= bytes_min {
            self.file.append(&self.pending)?;
            self.pending.clear();
        }
        Ok(())
    }
}
