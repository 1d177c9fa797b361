//! Reads one table file.

use super::block::{Block, Damage};
use super::block_iter::BlockIter;
use super::block_search::search;
use super::charge::ReadCharge;
use super::fetch::Fetch;
use super::format::Handle;
use super::index::Index;
use super::iter::TableCursor;
use super::lookup::LookupKey;
use super::prefixes::{Located, Prefixes};
use super::properties::Properties;
use super::stored::{corrupt, read_data_block, unseal_data_block};
use crate::cache::BlockCache;
use crate::filter::Filter;
use crate::iter::PinnedValue;
use crate::key::{SeqNo, SplitKey, ValueKind, parse_internal_key};
use crate::limits::SEQUENCE_MAX;
use crate::probe::{BlockStop, Hit, LookupTrace, NoProbe, Probe, ReadStop, TableVerdict};
use crate::ranges::RangeSet;
use crate::storage::{File, FileName, FileNumber, read_full};
use crate::{Error, Result};
use std::sync::Arc;

/// An open table: index, filter and properties are in memory, data blocks are read and cached.
#[derive(Debug)]
pub(crate) struct Table {
    pub(super) file: Arc<dyn File>,
    pub(super) number: FileNumber,
    pub(super) index: Index,
    pub(super) filter: Option<Filter>,
    pub(super) prefixes: Prefixes,
    pub(super) ranges: RangeSet,
    pub(super) properties: Properties,
    pub(super) cache: Arc<BlockCache>,
    /// Reads that had to search it and others.
    pub(super) reads: ReadCharge,
}

/// How a point lookup in one table ended.
#[derive(Debug)]
pub(crate) enum Searched {
    /// With this entry.
    Found(SeqNo, ValueKind, PinnedValue),
    /// At the filter, which excluded the key.
    Filtered,
    /// At the prefix index, which has no key with this prefix.
    NoPrefix,
    /// At the block of this number, without an entry of the key that its reader may see.
    Missed {
        /// Its number in the index; that after the last one when all keys come before the one sought.
        position: usize,
        /// The data block that was searched.
        block: Option<Arc<Block>>,
    },
}

impl Searched {
    /// Sequence number and kind of the entry that was found.
    fn hit(&self) -> Option<Hit> {
        match self {
            Self::Found(sequence, entry, _) => Some(Hit { sequence: *sequence, entry: *entry }),
            Self::Filtered | Self::NoPrefix | Self::Missed { .. } => None,
        }
    }
}

impl Table {
    /// Its file, open as long as the table is.
    pub(crate) fn file(&self) -> &dyn File {
        &*self.file
    }

    /// The newest entry of `key` at or below its sequence number, or where the search for it ended.
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
    ) -> Result<Searched> {
        if let Some(filter) = &self.filter
            && !filter.may_contain(key.hash())
        {
            let (table, hash) = (self.number, key.hash());
            probe.stop(|_| ReadStop::Filtered { level, table, filter: filter.explain(hash) });
            return Ok(Searched::Filtered);
        }
        let target = key.target();
        // Index keys separate blocks by user key wherever two blocks share none, so that an entry
        // of this user key at or after the target can only be in the block found.
        let position = match self.prefixes.locate(&target, &self.index, probe) {
            Located::Block(position) => position,
            Located::Unknown => self.index.find(&target, probe),
            Located::Absent => {
                probe.stop(|_| ReadStop::NoPrefix { level, table: self.number });
                return Ok(Searched::NoPrefix);
            }
        };
        let searched = self.search(position, &target, probe)?;
        probe.stop(|LookupTrace { comparisons, searches, blocks }| ReadStop::Table {
            level,
            table: self.number,
            filter: self.filter.as_ref().map(|filter| filter.explain(key.hash())),
            prefix_index: self.prefixes.form_for(key.user_key()),
            searches,
            blocks,
            comparisons,
            hit: searched.hit(),
            verdict: self.verdict(key, &searched),
        });
        Ok(searched)
    }

    /// The verdict on `key` after a search for it. Reads no file and no block of the cache.
    ///
    /// Cost: a search of the block in which the search ended.
    pub(crate) fn verdict(&self, key: &LookupKey<'_>, searched: &Searched) -> TableVerdict {
        match searched {
            Searched::Found(..) => TableVerdict::Hit,
            Searched::Filtered => TableVerdict::Absent,
            Searched::Missed { position, block }
                if self.has_newer(key.user_key(), *position, block.as_deref()) =>
            {
                TableVerdict::OnlyNewer
            }
            Searched::NoPrefix | Searched::Missed { .. } => self.absent(),
        }
    }

    /// The verdict on a key that the table does not have and that its filter has let pass.
    fn absent(&self) -> TableVerdict {
        match self.filter {
            Some(_) => TableVerdict::FalsePositive,
            None => TableVerdict::Absent,
        }
    }

    /// Whether the table has versions of `user_key` before the place where a search for it ended: in this
    /// `block`, or as the last entries of the block before `position`, whose index key is then one of them.
    fn has_newer(&self, user_key: &[u8], position: usize, block: Option<&Block>) -> bool {
        let newest = SplitKey { user_key, trailer: u64::MAX };
        let in_block = block
            .and_then(|block| search(block, &newest, &mut NoProbe).ok().flatten())
            .is_some_and(|found| found.same_user_key);
        let before = position.checked_sub(1).and_then(|before| self.index.key(before));
        in_block
            || before
                .and_then(parse_internal_key)
                .is_some_and(|last| last.user_key == user_key && last.sequence < SEQUENCE_MAX)
    }

    /// Reports to `probe` the steps of a prefix scan for `prefix` in this table, up to its first key.
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
            probe.stop(|_| match self.prefixes.explain_filter(prefix) {
                Some(filter) if !filter.maybe => ReadStop::Filtered { level, table, filter },
                _ => ReadStop::NoPrefix { level, table },
            });
            return Ok(());
        }
        let target = SplitKey { user_key: prefix, trailer: u64::MAX };
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
        let filter = self.prefixes.explain_filter(prefix);
        let verdict = match (hit, &filter) {
            (Some(_), _) => TableVerdict::Hit,
            (None, Some(_)) => TableVerdict::FalsePositive,
            (None, None) => TableVerdict::Absent,
        };
        probe.stop(|LookupTrace { comparisons, searches, blocks }| ReadStop::Table {
            level,
            table,
            filter,
            prefix_index,
            searches,
            blocks,
            comparisons,
            hit,
            verdict,
        });
        Ok(())
    }

    fn search<P: Probe>(
        &self,
        position: usize,
        target: &SplitKey<'_>,
        probe: &mut P,
    ) -> Result<Searched> {
        let Some(handle) = self.index.handle(position) else {
            return Ok(Searched::Missed { position, block: None });
        };
        let block = self.block(handle, probe)?;
        let found = search(&block, target, probe).map_err(|damage| self.corrupt(handle, damage))?;
        let Some(found) = found.filter(|found| found.same_user_key) else {
            return Ok(Searched::Missed { position, block: Some(block) });
        };
        let kind = ValueKind::of_entry(found.trailer.to_le_bytes()[0]).ok_or_else(|| {
            self.corrupt(handle, Damage { at: found.at, what: "an entry is of an unknown kind" })
        })?;
        let value = PinnedValue::from_block(block, found.entry.value..found.entry.end);
        Ok(Searched::Found(found.trailer >> 8, kind, value))
    }

    /// A cursor over all entries; the blocks it reads are cached.
    pub(crate) fn cursor(self: &Arc<Self>) -> TableCursor {
        TableCursor::new(Arc::clone(self), Fetch::cached())
    }

    /// A cursor for those who read all entries once: it reads far ahead, and leaves the cache alone.
    pub(crate) fn sequential_cursor(self: &Arc<Self>) -> TableCursor {
        TableCursor::new(Arc::clone(self), Fetch::sequential())
    }

    /// Its number.
    pub(crate) fn number(&self) -> FileNumber {
        self.number
    }

    /// Its range tombstones.
    #[inline]
    pub(crate) fn ranges(&self) -> &RangeSet {
        &self.ranges
    }

    /// The properties of the table.
    pub(crate) fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Its charges.
    pub(crate) fn reads(&self) -> &ReadCharge {
        &self.reads
    }

    /// The prefix filter and index of the table.
    pub(crate) fn prefixes(&self) -> &Prefixes {
        &self.prefixes
    }

    /// The first block that can hold `target` or a later key; or the block before it, when that ends
    /// before the target. The position after the last block when there is none.
    #[inline]
    pub(super) fn find<P: Probe>(&self, target: &SplitKey<'_>, probe: &mut P) -> usize {
        match self.prefixes.locate(target, &self.index, probe) {
            Located::Block(position) => position,
            Located::Absent | Located::Unknown => self.index.find(target, probe),
        }
    }

    /// The stored length of the data blocks that can have entries from `start` to `end`, both included; `None`:
    /// from the first, to the last \[bytes\].
    pub(crate) fn data_bytes_between(
        &self,
        start: Option<&SplitKey<'_>>,
        end: Option<&SplitKey<'_>>,
    ) -> u64 {
        let place = |key: &SplitKey<'_>| self.index.find(key, &mut NoProbe);
        self.index.bytes_between(start.map_or(0, place), end.map_or(usize::MAX, place))
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
        probe.block(|| BlockStop::new(handle.offset, handle.bytes, hit));
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
        read_data_block(&*self.file, FileName::Table(self.number), handle).map(Arc::new)
    }

    /// Keeps a block in the cache.
    pub(super) fn cache_block(&self, handle: Handle, block: &Arc<Block>) {
        self.cache.insert(self.number, handle.offset, block);
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

    /// The block at `handle`, which is `sealed`.
    pub(super) fn unseal(&self, handle: Handle, sealed: &[u8]) -> Result<Arc<Block>> {
        unseal_data_block(sealed, FileName::Table(self.number), handle).map(Arc::new)
    }

    pub(super) fn corrupt(&self, handle: Handle, damage: Damage) -> Error {
        corrupt(FileName::Table(self.number), handle.offset, damage)
    }
}
