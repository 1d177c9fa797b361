//! Writes, decodes and searches blocks.

use super::coding::{Coding, Content, Raw, Walk};
use super::entry;
use super::search::walk;
use super::settings::{Step, put_numbers};
use crate::{Entry, halve, u32_of};
use levelscope::internals::coding::{Reader, shared_prefix};
use levelscope::internals::probe::{Among, Probe};
use levelscope::internals::table::decompress;
use levelscope::text;
use levelscope::{Error, Result};
use std::borrow::Cow;
use std::ops::Range;

/// Bytes at the end of an index, and of a block whose keys are shared: its length, and how many offsets
/// there are.
pub(super) const FRAME_BYTES: usize = 8;

/// Collects the entries of a block.
#[derive(Debug)]
pub(super) struct BlockWriter {
    coding: Coding,
    chunk_entries: usize,
    bytes: Vec<u8>,
    offsets: Vec<u32>,
    /// Entries of the chunk so far.
    in_chunk: usize,
    /// The first key of the chunk.
    prefix: Vec<u8>,
}

impl BlockWriter {
    pub(super) fn new(coding: Coding, chunk_entries: usize) -> Self {
        let (bytes, offsets, prefix) = (Vec::new(), Vec::new(), Vec::new());
        Self { coding, chunk_entries, bytes, offsets, in_chunk: 0, prefix }
    }

    pub(super) fn add(&mut self, key: &[u8], stored: &[u8]) -> Result<()> {
        if self.in_chunk == self.chunk_entries || self.offsets.is_empty() {
            self.offsets.push(u32_of(self.bytes.len())?);
            self.prefix.clear();
            self.in_chunk = 0;
        }
        let shares = self.coding == Coding::Shared && self.in_chunk > 0;
        let shared = if shares { shared_prefix(&self.prefix, key) } else { 0 };
        if self.in_chunk == 0 {
            self.prefix.extend_from_slice(key);
        }
        self.in_chunk += 1;
        let suffix = key.get(shared..).unwrap_or_default();
        self.coding.put(&mut self.bytes, shared, suffix, stored)
    }

    /// Bytes of the entries so far.
    pub(super) fn entry_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The entries alone; the next block begins.
    pub(super) fn entries(&mut self) -> Vec<u8> {
        self.offsets.clear();
        std::mem::take(&mut self.bytes)
    }

    /// The entries with their offsets, length and count; the next block begins.
    pub(super) fn finish(&mut self) -> Result<Vec<u8>> {
        let offsets = std::mem::take(&mut self.offsets);
        let mut block = self.entries();
        put_numbers(&mut block, &offsets);
        let bytes = block.len().saturating_add(FRAME_BYTES);
        put_numbers(&mut block, &[u32_of(bytes)?, u32_of(offsets.len())?]);
        Ok(block)
    }
}

/// The end of an index, or of a block whose keys are shared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// End of the entries and start of the offsets.
    pub(super) entries_end: usize,
    /// Number of offsets.
    pub(super) count: usize,
}

impl Frame {
    /// Bytes of the frame.
    pub(super) fn read(content: &Content<'_>) -> Result<Self> {
        let bytes = content.bytes.len();
        let at = bytes.saturating_sub(FRAME_BYTES);
        let (length, count) = ends(content.slice(at..bytes))
            .ok_or_else(|| content.damaged(0, "there is no room for length and count"))?;
        if length != bytes as u64 {
            let what = format!(
                "the block claims {}, but it has {}",
                text::bytes(length),
                text::count(bytes as u64)
            );
            return Err(content.damaged(at, what));
        }
        let offsets =
            usize::try_from(count).ok().and_then(|count| Some((count, count.checked_mul(4)?)));
        let frame = offsets.and_then(|(count, offsets_bytes)| {
            Some(Self { entries_end: at.checked_sub(offsets_bytes)?, count })
        });
        frame.ok_or_else(|| content.damaged(at, "there is no room for so many offsets"))
    }

    /// The offset number `index`, which leads to an entry.
    pub(super) fn offset(self, content: &Content<'_>, index: usize) -> Result<usize> {
        let at = self.entries_end.saturating_add(index.saturating_mul(4));
        let offset = Reader::new(content.slice(at..at.saturating_add(4))).u32();
        let offset = offset.and_then(|offset| usize::try_from(offset).ok());
        let found = offset.filter(|offset| index < self.count && *offset < self.entries_end);
        found.ok_or_else(|| content.damaged(at, "this offset leads to no entry"))
    }
}

/// The two numbers in front of the end.
pub(super) fn ends(bytes: &[u8]) -> Option<(u64, u64)> {
    let mut reader = Reader::new(bytes);
    Some((reader.u32()?.into(), reader.u32()?.into()))
}

/// The content of the block at `offset`, whose stored bytes are `stored`.
pub(super) fn content_of(step: Step, stored: &[u8], offset: usize) -> Result<Content<'_>> {
    if !step.compressed() {
        return Ok(Content::stored(stored, offset));
    }
    let offset = offset as u64;
    let bytes = decompress(stored).map_err(|what| Error::damaged_at(offset, what))?;
    Ok(Content { bytes: Cow::Owned(bytes), offset })
}

/// Looks for `key` in a block; see [`walk`].
pub(super) fn search_block<'a, P: Probe>(
    step: Step,
    content: &Content<'a>,
    key: &[u8],
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    let coding = step.coding();
    if coding != Coding::Shared {
        return Ok(walk(content, coding, 0..content.bytes.len(), key, probe)?.0);
    }
    let frame = Frame::read(content)?;
    let first_key = |chunk| {
        let at = frame.offset(content, chunk)?;
        let raw = coding.read(content.slice(0..frame.entries_end), at);
        let raw = raw.filter(|raw| raw.shared == 0);
        let raw =
            raw.ok_or_else(|| content.damaged(at, "a chunk does not begin with a whole key"))?;
        Ok(content.slice(raw.suffix))
    };
    let not_after = |first: &[u8]| first <= key;
    let after = halve(Among::Restarts, frame.count, first_key, not_after, probe)?;
    let Some(chunk) = after.checked_sub(1) else { return Ok(None) };
    Ok(walk(content, coding, chunk_at(content, frame, chunk)?, key, probe)?.0)
}

/// The entries of a block one after the other, up to the first damage.
#[derive(Debug)]
pub(super) struct BlockEntries<'a> {
    content: Content<'a>,
    walk: Walk,
    frame: Option<Frame>,
    /// Number of the next chunk.
    chunk: usize,
    /// Damage instead of entries.
    damage: Option<Error>,
    /// The last key in the index.
    last_key: &'a [u8],
    last: Option<Raw>,
    done: bool,
}

impl<'a> BlockEntries<'a> {
    /// The entries of `content`, whose last key should be `last_key`.
    pub(super) fn new(step: Step, content: Content<'a>, last_key: &'a [u8]) -> Self {
        let coding = step.coding();
        let (mut end, mut frame, mut damage) = (content.bytes.len(), None, None);
        if coding == Coding::Shared {
            match Frame::read(&content) {
                Ok(read) => (end, frame) = (read.entries_end, Some(read)),
                Err(error) => damage = Some(error),
            }
        }
        let (walk, last) = (Walk::new(coding, 0..end), None);
        Self { content, walk, frame, chunk: 0, damage, last_key, last, done: false }
    }

    /// Offsets of the chunks so far; none in blocks without any.
    pub(super) fn chunks(&self) -> Vec<u64> {
        let Some(frame) = self.frame else { return Vec::new() };
        let offset = |chunk| Some(frame.offset(&self.content, chunk).ok()? as u64);
        (0..self.chunk).map_while(offset).collect()
    }

    /// Bytes of the block after decompression.
    pub(super) fn content_bytes(&self) -> usize {
        self.content.bytes.len()
    }

    fn read(&mut self) -> Option<Result<Entry<'a>>> {
        if let Some(damage) = self.damage.take() {
            return Some(Err(damage));
        }
        let first = match is_first(&self.content, self.frame, &mut self.chunk, self.walk.position())
        {
            Ok(first) => first,
            Err(damage) => return Some(Err(damage)),
        };
        let Some(raw) = self.walk.next(&self.content, first) else {
            let last = self.last.take().map(|last| self.walk.key(&self.content, &last));
            let what = "the last key of this block is not the one in the index";
            let is_it = last.is_some_and(|last| *last == *self.last_key);
            return (!is_it).then(|| Err(Error::damaged_at(self.content.offset, what)));
        };
        Some(raw.and_then(|raw| {
            let stored = self.content.cut(raw.stored.clone());
            let key = self.walk.key(&self.content, &raw);
            let offset = self.content.offset_of(raw.at);
            self.last = Some(raw);
            entry(key, stored, offset)
        }))
    }
}

impl<'a> Iterator for BlockEntries<'a> {
    type Item = Result<Entry<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let read = self.read();
        self.done = !matches!(read, Some(Ok(_)));
        read
    }
}

/// Whether a chunk begins at `at`; `chunk` is the number of the next one.
fn is_first(
    content: &Content<'_>,
    frame: Option<Frame>,
    chunk: &mut usize,
    at: usize,
) -> Result<bool> {
    let Some(frame) = frame.filter(|frame| *chunk < frame.count) else { return Ok(false) };
    let offset = frame.offset(content, *chunk)?;
    if offset < at || (at == 0 && offset > 0) {
        return Err(content.damaged(offset, "a chunk begins here, but no entry"));
    }
    let first = offset == at;
    *chunk += usize::from(first);
    Ok(first)
}

/// Searches `key` from the front of a block; also returns whether it was passed.
pub(super) fn walk_block<'a, P: Probe>(
    step: Step,
    content: &Content<'a>,
    key: &[u8],
    probe: &mut P,
) -> Result<(Option<Entry<'a>>, bool)> {
    let coding = step.coding();
    if coding != Coding::Shared {
        return walk(content, coding, 0..content.bytes.len(), key, probe);
    }
    let frame = Frame::read(content)?;
    for chunk in 0..frame.count {
        let range = chunk_at(content, frame, chunk)?;
        let (found, passed) = walk(content, coding, range, key, probe)?;
        if passed {
            return Ok((found, passed));
        }
    }
    Ok((None, false))
}

/// Range of the entries of a chunk.
fn chunk_at(content: &Content<'_>, frame: Frame, chunk: usize) -> Result<Range<usize>> {
    let end = match chunk + 1 {
        // The numbers after the last chunk are no entries.
        next if next == frame.count => frame.entries_end,
        next => frame.offset(content, next)?,
    };
    Ok(frame.offset(content, chunk)?..end)
}
