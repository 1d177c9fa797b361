//! Reads one table file.

use super::block::{Block, Damage, flat_entries};
use super::block_iter::BlockIter;
use super::block_search::{Target, search};
use super::fetch::Fetch;
use super::format::{FOOTER_BYTES, Footer, Handle, unseal, unseal_into};
use super::index::Index;
use super::iter::TableCursor;
use super::lookup::LookupKey;
use super::prefix_index::{PREFIX_INDEX_NAME, PrefixIndex};
use super::prefixes::{Located, PREFIX_FILTER_NAME, Prefixes};
use super::properties::{FILTER_NAME, PROPERTIES_NAME, Properties};
use crate::cache::BlockCache;
use crate::filter::Filter;
use crate::iter::PinnedValue;
use crate::key::{KIND_SEEK, SeqNo, ValueKind, pack_trailer, parse_internal_key};
use crate::limits::SEQUENCE_MAX;
use crate::probe::{BlockStop, Hit, NoProbe, Probe, ReadStop};
use crate::storage::{File, FileName, FileNumber, read_exactly, read_full};
use crate::{Error, PrefixIndexForm, Result};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An open table: index, filter and properties are in memory, data blocks are read and cached.
#[derive(Debug)]
pub(crate) struct Table {
    file: Arc<dyn File>,
    number: FileNumber,
    index: Index,
    filter: Option<Filter>,
    prefixes: Prefixes,
    properties: Properties,
    cache: Arc<BlockCache>,
}

impl Table {
    /// Opens table `number`, whose file has `file_bytes`.
    ///
    /// # Errors
    /// `Corruption` when a checksum, a length, the number or the structure is wrong;
    /// `UnsupportedFormat`; those of the file.
    pub(crate) fn open(
        file: Arc<dyn File>,
        number: FileNumber,
        file_bytes: u64,
        cache: Arc<BlockCache>,
        prefix_index: PrefixIndexForm,
    ) -> Result<Self> {
        let name = FileName::Table(number);
        let length = file.len()?;
        let footer_offset = file_bytes.checked_sub(FOOTER_BYTES as u64);
        let Some(footer_offset) = footer_offset.filter(|_| length == file_bytes) else {
            let message = format!("the file has {length} bytes, but should have {file_bytes}");
            return Err(Error::corruption(name, length.min(file_bytes), message));
        };
        let footer = read_exactly(&*file, name, footer_offset, FOOTER_BYTES)?;
        let footer = Footer::decode(&footer, name, footer_offset)?;
        if footer.number != number {
            let message = format!("the file holds table {}", footer.number);
            return Err(Error::corruption(name, footer_offset, message));
        }
        let adjacent = footer.index.end() == Some(footer_offset)
            && footer.meta_index.end() == Some(footer.index.offset);
        if !adjacent {
            let message = "meta index, index and footer do not follow one another";
            return Err(Error::corruption(name, footer_offset, message));
        }
        let index = read_block(&*file, name, footer.index)?;
        let index =
            Index::decode(index).map_err(|damage| corrupt(name, footer.index.offset, damage))?;
        let metas = read_metas(&*file, name, footer.meta_index, index.data_end())?;
        let filter = match metas.get(FILTER_NAME) {
            Some(handle) => Some(read_filter(&*file, name, *handle)?),
            None => None,
        };
        let handle = metas.get(PROPERTIES_NAME).copied().ok_or_else(|| {
            Error::corruption(name, footer.meta_index.offset, "the table has no properties")
        })?;
        let properties = Properties::decode(&read_block(&*file, name, handle)?)
            .map_err(|damage| corrupt(name, handle.offset, damage))?;
        if properties.data_blocks != index.len() as u64 {
            let message = "properties and index disagree about the number of data blocks";
            return Err(Error::corruption(name, handle.offset, message));
        }
        let prefixes = read_prefixes(&*file, name, &metas, &properties, prefix_index)?;
        Ok(Self { file, number, index, filter, prefixes, properties, cache })
    }

    /// The newest entry of `key` at or below its sequence number.
    ///
    /// Cost: the filter, a binary search of the index, one block.
    ///
    /// # Errors
    /// `Corruption` when a block is damaged; those of the file.
    pub(crate) fn get<P: Probe>(
        &self,
        key: &LookupKey<'_>,
        level: usize,
        probe: &mut P,
    ) -> Result<Option<(SeqNo, ValueKind, PinnedValue)>> {
        if self.filter.as_ref().is_some_and(|filter| !filter.may_contain(key.hash())) {
            probe.stop(|_, _| ReadStop::Filtered { level, table: self.number });
            return Ok(None);
        }
        let target = key.target();
        // Index keys separate blocks by user key wherever two blocks share none, so that an entry
        // of this user key at or after the target can only be in the block found.
        let position = match self.prefixes.locate(&target, &self.index, probe) {
            Located::Block(position) => position,
            Located::Unknown => self.index.find(&target, probe),
            Located::Absent => {
                probe.stop(|_, _| ReadStop::NoPrefix { level, table: self.number });
                return Ok(None);
            }
        };
        let found = self.search(position, &target, probe)?;
        probe.stop(|comparisons, blocks| ReadStop::Table {
            level,
            table: self.number,
            filter: self.filter.is_some(),
            prefix_index: self.prefixes.form_for(key.user_key()),
            blocks,
            comparisons,
            hit: found.as_ref().map(|found| Hit { sequence: found.0, entry: found.1 }),
        });
        Ok(found)
    }

    /// Tells `probe` what a scan of the keys that begin with `prefix` asks of this table, and the
    /// first such key.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub(crate) fn explain_prefix<P: Probe>(
        &self,
        prefix: &[u8],
        level: usize,
        probe: &mut P,
    ) -> Result<()> {
        let table = self.number;
        if !self.prefixes.may_have(prefix) {
            probe.stop(|_, _| match self.prefixes.form_for(prefix) {
                PrefixIndexForm::None => ReadStop::Filtered { level, table },
                _ => ReadStop::NoPrefix { level, table },
            });
            return Ok(());
        }
        let target = Target { user_key: prefix, trailer: u64::MAX };
        let mut position = self.find(&target, probe);
        let mut hit = None;
        while let Some(handle) = self.index.handle(position) {
            let mut cursor = BlockIter::new(self.block(handle, probe)?);
            let found = cursor.seek_here(&target, probe);
            if found.map_err(|damage| self.corrupt(handle, damage))? {
                let entry = parse_internal_key(cursor.key());
                let entry = entry.filter(|entry| entry.user_key.starts_with(prefix));
                hit = entry.map(|entry| Hit { sequence: entry.sequence, entry: entry.kind });
                break;
            }
            position += 1;
        }
        let prefix_index = self.prefixes.form_for(prefix);
        let filter = self.prefixes.filters(prefix);
        probe.stop(|comparisons, blocks| ReadStop::Table {
            level,
            table,
            filter,
            prefix_index,
            blocks,
            comparisons,
            hit,
        });
        Ok(())
    }

    fn search<P: Probe>(
        &self,
        position: usize,
        target: &Target<'_>,
        probe: &mut P,
    ) -> Result<Option<(SeqNo, ValueKind, PinnedValue)>> {
        let Some(handle) = self.index.handle(position) else {
            return Ok(None);
        };
        let block = self.block(handle, probe)?;
        let found = search(&block, target, probe).map_err(|damage| self.corrupt(handle, damage))?;
        let Some(found) = found.filter(|found| found.same_user_key) else { return Ok(None) };
        let kind = ValueKind::from_tag(found.trailer.to_le_bytes()[0]).ok_or_else(|| {
            self.corrupt(handle, Damage { at: found.at, what: "an entry is of an unknown kind" })
        })?;
        let value = PinnedValue::from_block(block, found.entry.value..found.entry.end);
        Ok(Some((found.trailer >> 8, kind, value)))
    }

    /// A cursor over all entries; the blocks it reads are cached.
    pub(crate) fn cursor(self: &Arc<Self>) -> TableCursor {
        TableCursor::new(Arc::clone(self), Fetch::cached())
    }

    /// A cursor for those who read all entries once: it reads far ahead, and leaves the cache alone.
    pub(crate) fn sequential_cursor(self: &Arc<Self>) -> TableCursor {
        TableCursor::new(Arc::clone(self), Fetch::sequential())
    }

    /// What the table says of itself.
    pub(crate) fn properties(&self) -> &Properties {
        &self.properties
    }

    /// About where `user_key` is or would be \[bytes\].
    #[cfg_attr(not(test), expect(dead_code, reason = "nobody asks for sizes of ranges yet"))]
    pub(crate) fn approximate_offset(&self, user_key: &[u8]) -> u64 {
        let target = Target { user_key, trailer: pack_trailer(SEQUENCE_MAX, KIND_SEEK) };
        let position = self.index.find(&target, &mut NoProbe);
        self.index.handle(position).map_or(self.index.data_end(), |handle| handle.offset)
    }

    /// What the table knows about prefixes.
    pub(crate) fn prefixes(&self) -> &Prefixes {
        &self.prefixes
    }

    /// The first block that can hold `target` or what comes after; or the one before it, when that
    /// ends before the target. Behind the last block when there is none.
    #[inline]
    pub(super) fn find<P: Probe>(&self, target: &Target<'_>, probe: &mut P) -> usize {
        match self.prefixes.locate(target, &self.index, probe) {
            Located::Block(position) => position,
            Located::Absent | Located::Unknown => self.index.find(target, probe),
        }
    }

    pub(super) fn index(&self) -> &Index {
        &self.index
    }

    /// The data block at `handle`, from the cache or the file.
    #[inline]
    pub(super) fn block<P: Probe>(&self, handle: Handle, probe: &mut P) -> Result<Arc<Block>> {
        let cached = self.cached_block(handle);
        let hit = cached.is_some();
        let block = match cached {
            Some(block) => block,
            None => self.load(handle)?,
        };
        probe.block(|| BlockStop {
            offset: handle.offset,
            bytes: u32::try_from(handle.bytes).unwrap_or(u32::MAX),
            cached: hit,
        });
        Ok(block)
    }

    /// The data block at `handle`, if the cache has it.
    #[inline]
    pub(super) fn cached_block(&self, handle: Handle) -> Option<Arc<Block>> {
        self.cache.get(self.number, handle.offset)
    }

    /// The data block at `handle` from the file, into the cache.
    pub(super) fn load(&self, handle: Handle) -> Result<Arc<Block>> {
        let block = self.read(handle)?;
        self.cache_block(handle, &block);
        Ok(block)
    }

    /// The data block at `handle` from the file.
    pub(super) fn read(&self, handle: Handle) -> Result<Arc<Block>> {
        read_block(&*self.file, FileName::Table(self.number), handle).map(Arc::new)
    }

    /// Keeps a block in the cache.
    pub(super) fn cache_block(&self, handle: Handle, block: &Arc<Block>) {
        self.cache.insert(self.number, handle.offset, Arc::clone(block));
    }

    /// Whether the cache has room for `bytes` more without giving anything up.
    pub(super) fn cache_has_room(&self, bytes: usize) -> bool {
        self.cache.has_room(bytes)
    }

    /// The stored bytes of some data blocks, in `buffer`.
    pub(super) fn read_ahead(&self, offset: u64, bytes: usize, buffer: &mut Vec<u8>) -> Result<()> {
        buffer.resize(bytes, 0);
        read_full(&*self.file, FileName::Table(self.number), offset, buffer)
    }

    /// The block at `handle`, which is `sealed`, in the memory of `buffer`.
    pub(super) fn unseal(
        &self,
        handle: Handle,
        sealed: &[u8],
        buffer: Vec<u8>,
    ) -> Result<Arc<Block>> {
        let name = FileName::Table(self.number);
        let bytes = unseal_into(sealed, buffer)
            .map_err(|what| Error::corruption(name, handle.offset, what))?;
        let block = Block::new(bytes).map_err(|damage| self.corrupt(handle, damage))?;
        Ok(Arc::new(block))
    }

    pub(super) fn corrupt(&self, handle: Handle, damage: Damage) -> Error {
        corrupt(FileName::Table(self.number), handle.offset, damage)
    }
}

/// The error for damage in the (decompressed) block that is stored at `offset`.
fn corrupt(name: FileName, offset: u64, damage: Damage) -> Error {
    let message = format!("{} (at byte {} of the decoded block)", damage.what, damage.at);
    Error::corruption(name, offset, message)
}

/// Blocks up to this stored length \[bytes\] are read into memory that is used again.
const SCRATCH_BYTES: usize = 64 << 10;

thread_local! {
    /// Where blocks are read before they are decompressed.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The decompressed bytes of the block at `handle`.
fn read_sealed(file: &dyn File, name: FileName, handle: Handle) -> Result<Vec<u8>> {
    let bytes = handle.sealed_bytes().ok_or_else(|| {
        Error::corruption(name, handle.offset, "a block is larger than a block can be")
    })?;
    let damaged = |what| Error::corruption(name, handle.offset, what);
    if bytes > SCRATCH_BYTES {
        let sealed = read_exactly(file, name, handle.offset, bytes)?;
        return unseal(sealed).map_err(damaged);
    }
    // Taken out while it is used: storage that looks into tables itself finds an empty one.
    let mut scratch = SCRATCH.take();
    if scratch.len() < bytes {
        scratch.resize(bytes, 0);
    }
    let place = scratch.get_mut(..bytes).unwrap_or_default();
    let unsealed = read_full(file, name, handle.offset, place)
        .and_then(|()| unseal_into(place, Vec::new()).map_err(damaged));
    SCRATCH.set(scratch);
    unsealed
}

fn read_block(file: &dyn File, name: FileName, handle: Handle) -> Result<Block> {
    Block::new(read_sealed(file, name, handle)?)
        .map_err(|damage| corrupt(name, handle.offset, damage))
}

fn read_filter(file: &dyn File, name: FileName, handle: Handle) -> Result<Filter> {
    Filter::decode(read_sealed(file, name, handle)?)
        .ok_or_else(|| Error::corruption(name, handle.offset, "the filter is malformed"))
}

/// What the table knows about prefixes, as far as `form` asks for it.
fn read_prefixes(
    file: &dyn File,
    name: FileName,
    metas: &BTreeMap<Vec<u8>, Handle>,
    properties: &Properties,
    form: PrefixIndexForm,
) -> Result<Prefixes> {
    let Some(extractor) = properties.prefix else { return Ok(Prefixes::default()) };
    let filter = match metas.get(PREFIX_FILTER_NAME) {
        Some(handle) => Some(read_filter(file, name, *handle)?),
        None => None,
    };
    let index = match metas.get(PREFIX_INDEX_NAME).filter(|_| form != PrefixIndexForm::None) {
        Some(handle) => {
            let blocks = usize::try_from(properties.data_blocks).unwrap_or(usize::MAX);
            PrefixIndex::decode(&read_block(file, name, *handle)?, extractor, form, blocks)
                .map_err(|damage| corrupt(name, handle.offset, damage))?
        }
        None => None,
    };
    Ok(Prefixes { extractor, filter, index })
}

/// The meta blocks by name. They fill the file from the data blocks to the meta index.
fn read_metas(
    file: &dyn File,
    name: FileName,
    meta_index: Handle,
    data_end: u64,
) -> Result<BTreeMap<Vec<u8>, Handle>> {
    let block = read_block(file, name, meta_index)?;
    let mut metas = BTreeMap::new();
    for item in flat_entries(&block) {
        let (entry, meta_name, value) =
            item.map_err(|damage| corrupt(name, meta_index.offset, damage))?;
        let handle = Handle::decode(value);
        let unknown = handle.filter(|_| !metas.contains_key(meta_name));
        let Some(handle) = unknown else {
            let damage =
                Damage { at: entry.value, what: "a meta block is malformed or named twice" };
            return Err(corrupt(name, meta_index.offset, damage));
        };
        metas.insert(meta_name.to_vec(), handle);
    }
    let mut handles: Vec<Handle> = metas.values().copied().collect();
    handles.sort_by_key(|handle| handle.offset);
    let mut end = Some(data_end);
    for handle in handles {
        end = handle.end().filter(|_| end == Some(handle.offset));
    }
    if end != Some(meta_index.offset) {
        let message = "data blocks, meta blocks and meta index do not follow one another";
        return Err(Error::corruption(name, meta_index.offset, message));
    }
    Ok(metas)
}
