//! The index after the blocks: it finds the block that may hold a key.

use super::block::{BlockEntries, FRAME_BYTES, Frame, content_of, ends};
use super::coding::{Content, Raw};
use super::indexed::EntryIndex;
use super::settings::Step;
use super::value;
use crate::halve;
use levelscope::internals::probe::{Among, NoProbe, Probe};
use levelscope::text;
use levelscope::{Error, Result};
use std::borrow::Cow;
use std::ops::Range;

/// The index of a table with blocks.
#[derive(Debug)]
pub(super) struct BlockIndex<'a> {
    file: &'a [u8],
    step: Step,
    /// The index block; it ends with the file.
    pub(super) content: Content<'a>,
    pub(super) frame: Frame,
}

/// An entry of the index.
#[derive(Debug)]
pub(super) struct BlockEntry<'a> {
    /// The largest key of the block.
    pub(super) last_key: &'a [u8],
    /// Range of the block in the file.
    pub(super) place: Range<usize>,
    /// Offset of the next entry in the index block.
    pub(super) next: usize,
}

impl<'a> BlockIndex<'a> {
    /// Reads the footer and the index.
    pub(super) fn open<P: Probe>(step: Step, file: &'a [u8], probe: &mut P) -> Result<Self> {
        let footer_at = file.len().saturating_sub(FRAME_BYTES);
        let footer = file.get(footer_at..).unwrap_or_default();
        probe.access("footer", footer_at as u64, footer.len() as u64);
        let (bytes, _) = ends(footer).ok_or_else(|| {
            Error::damaged_at(footer_at as u64, "the file is too short for a footer")
        })?;
        let begin = usize::try_from(bytes).ok().and_then(|bytes| file.len().checked_sub(bytes));
        let begin = begin.ok_or_else(|| {
            let what = format!(
                "the footer claims an index of {}, but the file has {}",
                text::bytes(bytes),
                text::count(file.len() as u64)
            );
            Error::damaged_at(footer_at as u64, what)
        })?;
        probe.access("index block", begin as u64, bytes);
        let content = Content::stored(file.get(begin..).unwrap_or_default(), begin);
        let frame = Frame::read(&content)?;
        Ok(Self { file, step, content, frame })
    }

    /// End of the blocks and start of the index.
    pub(super) fn begin(&self) -> usize {
        self.file.len().saturating_sub(self.content.bytes.len())
    }

    fn read(&self, at: usize) -> Result<Raw> {
        let raw = self.step.coding().read(self.content.slice(0..self.frame.entries_end), at);
        let raw = raw.filter(|raw| raw.shared == 0);
        raw.ok_or_else(|| self.content.damaged(at, "this is no entry of an index"))
    }

    fn bytes(&self, range: Range<usize>) -> &'a [u8] {
        match self.content.bytes {
            Cow::Borrowed(bytes) => bytes.get(range).unwrap_or_default(),
            Cow::Owned(_) => &[],
        }
    }

    /// The entry that begins at `at` in the index block.
    pub(super) fn entry_at(&self, at: usize) -> Result<BlockEntry<'a>> {
        let raw = self.read(at)?;
        let damaged = |what: &str| self.content.damaged(at, what);
        let handle = value(self.content.cut(raw.stored.clone()), self.content.offset_of(at))?;
        let (offset, bytes) = handle
            .filter(|handle| handle.len() == FRAME_BYTES)
            .and_then(|handle| ends(&handle))
            .ok_or_else(|| damaged("this does not locate a block"))?;
        let place = usize::try_from(offset).ok().zip(usize::try_from(bytes).ok());
        let place = place.and_then(|(begin, bytes)| Some(begin..begin.checked_add(bytes)?));
        let place = place.filter(|place| place.end <= self.begin() && !place.is_empty());
        let place =
            place.ok_or_else(|| damaged("the block would not lie in front of the index"))?;
        Ok(BlockEntry { last_key: self.bytes(raw.suffix.clone()), place, next: raw.next() })
    }

    /// The entry of the first block whose last key is at or after `key`.
    pub(super) fn find<P: Probe>(
        &self,
        key: &[u8],
        probe: &mut P,
    ) -> Result<Option<BlockEntry<'a>>> {
        let last_key = |block| {
            let raw = self.read(self.frame.offset(&self.content, block)?)?;
            Ok(self.bytes(raw.suffix))
        };
        let before = |last: &[u8]| last < key;
        let block = halve(Among::Blocks, self.frame.count, last_key, before, probe)?;
        if block == self.frame.count {
            return Ok(None);
        }
        self.entry_at(self.frame.offset(&self.content, block)?).map(Some)
    }

    /// The content of a block.
    pub(super) fn block<P: Probe>(
        &self,
        entry: &BlockEntry<'_>,
        probe: &mut P,
    ) -> Result<Content<'a>> {
        let stored = self.file.get(entry.place.clone()).unwrap_or_default();
        probe.access("data block", entry.place.start as u64, stored.len() as u64);
        content_of(self.step, stored, entry.place.start)
    }

    /// The entries of the index in order. They are returned only if the index is sound: the offsets lead to
    /// consecutive entries, and these to consecutive blocks.
    pub(super) fn entries(&self) -> Result<Vec<BlockEntry<'a>>> {
        let mut entries: Vec<BlockEntry<'a>> = Vec::new();
        let (mut at, mut block_at) = (0, 0);
        for index in 0..self.frame.count {
            let damaged = |what: &str| Err(self.content.damaged(at, what));
            if self.frame.offset(&self.content, index)? != at {
                return damaged("the offsets of the index do not lead to its entries");
            }
            let entry = self.entry_at(at)?;
            if entry.place.start != block_at {
                return damaged("this block does not begin where the one before ends");
            }
            if entries.last().is_some_and(|last| last.last_key >= entry.last_key) {
                return damaged("this block does not follow the one before");
            }
            (at, block_at) = (entry.next, entry.place.end);
            entries.push(entry);
        }
        if at != self.frame.entries_end {
            return Err(self.content.damaged(at, "nothing leads to this entry of the index"));
        }
        if block_at != self.begin() {
            return Err(Error::damaged_at(block_at as u64, "these bytes belong to no block"));
        }
        Ok(entries)
    }
}

/// One block of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockPlace {
    /// Its offset in the file \[bytes\].
    pub offset: u64,
    /// Its length in the file \[bytes\].
    pub bytes: u64,
    /// Its length when it is decompressed \[bytes\].
    pub content_bytes: u64,
    /// Number of its entries.
    pub entries: usize,
    /// Offsets of its chunks in the decompressed block \[bytes\]; none in steps without chunks.
    pub chunks: Vec<u64>,
    /// The largest key in the index.
    pub last_key: Vec<u8>,
}

/// Places of the parts of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// Bytes of the index with the footer; 0 without an index.
    pub index_bytes: u64,
    /// The blocks in order; none in steps without blocks.
    pub blocks: Vec<BlockPlace>,
}

/// The layout of the table `file` of some step. Cost: all blocks are read.
///
/// # Errors
/// `Corruption` with the offset when the index or a block is damaged.
pub fn layout(step: Step, file: &[u8]) -> Result<Layout> {
    match step {
        Step::Fixed | Step::Varint => Ok(Layout::default()),
        Step::Indexed => {
            let index = EntryIndex::open(file)?;
            let index_bytes = file.len().saturating_sub(index.begin()) as u64;
            Ok(Layout { index_bytes, blocks: Vec::new() })
        }
        _ => {
            let index = BlockIndex::open(step, file, &mut NoProbe)?;
            let places = index.entries()?;
            let blocks = places.iter().map(|entry| place_of(step, &index, entry));
            let index_bytes = index.content.bytes.len() as u64;
            Ok(Layout { index_bytes, blocks: blocks.collect::<Result<_>>()? })
        }
    }
}

fn place_of(step: Step, index: &BlockIndex<'_>, entry: &BlockEntry<'_>) -> Result<BlockPlace> {
    let content = index.block(entry, &mut NoProbe)?;
    let mut found = BlockEntries::new(step, content, entry.last_key);
    let entries = found.by_ref().try_fold(0, |count, entry| entry.map(|_| count + 1))?;
    Ok(BlockPlace {
        offset: entry.place.start as u64,
        bytes: entry.place.len() as u64,
        content_bytes: found.content_bytes() as u64,
        entries,
        chunks: found.chunks(),
        last_key: entry.last_key.to_vec(),
    })
}
