//! Writes tables as `LevelDB` does.

use super::crc::{crc32c, masked};
use super::filter::{FILTER_NAME, FilterBuilder};
use levelscope::internals::coding::shared_prefix;
use levelscope::internals::key::{ValueKind, append_internal_key, compare_internal, user_key};
use levelscope::internals::survey::LEVEL_MAGIC;
use levelscope::internals::table::{BlockBuilder, Handle};
use levelscope::limits::SEQUENCE_MAX;
use levelscope::{Error, Result};
use std::cmp::Ordering;

/// Bytes that both handles have in the footer.
const HANDLES_BYTES: usize = 40;
/// An empty block has one restart point, too.
const EMPTY_BLOCK: [u8; 8] = [0, 0, 0, 0, 1, 0, 0, 0];

/// Style of a table; the default is that of `LevelDB`, with a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableStyle {
    /// A data block ends with the entry that makes it this long \[bytes before compression\].
    pub block_bytes: usize,
    /// Entries from one restart point to the next.
    pub restart_interval: usize,
    /// Whether blocks are compressed by Snappy, when that saves more than an eighth.
    pub snappy: bool,
    /// Bits of the filter for each key; 0 for no filter.
    pub bloom_bits: usize,
}

impl Default for TableStyle {
    fn default() -> Self {
        Self { block_bytes: 4096, restart_interval: 16, snappy: true, bloom_bits: 10 }
    }
}

/// A table, as a manifest describes it.
#[derive(Debug)]
pub(super) struct TableFile {
    /// Its number: part of its name.
    pub(super) number: u64,
    /// Its length \[bytes\].
    pub(super) bytes: u64,
    /// Its smallest internal key.
    pub(super) smallest: Vec<u8>,
    /// Its largest internal key.
    pub(super) largest: Vec<u8>,
}

/// A table being written.
#[derive(Debug)]
pub(super) struct TableBuilder {
    style: TableStyle,
    file: Vec<u8>,
    data: BlockBuilder,
    index: BlockBuilder,
    filter: Option<FilterBuilder>,
    smallest: Option<Vec<u8>>,
    last: Vec<u8>,
    /// The block that ended, which gets its place in the index when the next key is known.
    ended: Option<Handle>,
    compressor: snap::raw::Encoder,
}

impl TableBuilder {
    pub(super) fn new(style: TableStyle) -> Self {
        Self {
            style,
            file: Vec::new(),
            data: BlockBuilder::new(style.restart_interval),
            index: BlockBuilder::new(1),
            filter: (style.bloom_bits > 0).then(|| FilterBuilder::new(style.bloom_bits)),
            smallest: None,
            last: Vec::new(),
            ended: None,
            compressor: snap::raw::Encoder::new(),
        }
    }

    /// Bytes that are finished.
    pub(super) fn file_bytes(&self) -> usize {
        self.file.len()
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// `InvalidArgument` when it does not come after the entry before.
    pub(super) fn add(&mut self, key: &[u8], sequence: u64, value: &[u8]) -> Result<()> {
        if sequence > SEQUENCE_MAX {
            return Err(Error::invalid("a sequence number has at most 56 bits"));
        }
        let mut internal = Vec::with_capacity(key.len() + 8);
        append_internal_key(&mut internal, key, sequence, ValueKind::Put);
        if self.smallest.is_some() && compare_internal(&self.last, &internal) != Ordering::Less {
            return Err(Error::invalid(
                "the entries of a table ascend by key, and by descending sequence number",
            ));
        }
        if let Some(handle) = self.ended.take() {
            let separator = separator(&self.last, &internal);
            self.add_place(&separator, handle);
        }
        if let Some(filter) = &mut self.filter {
            filter.add(key);
        }
        self.data.add(&internal, value);
        if self.smallest.is_none() {
            self.smallest = Some(internal.clone());
        }
        self.last = internal;
        if self.data.finished_bytes() >= self.style.block_bytes {
            self.end_block();
        }
        Ok(())
    }

    fn add_place(&mut self, separator: &[u8], handle: Handle) {
        let mut value = Vec::new();
        handle.encode(&mut value);
        self.index.add(separator, &value);
    }

    fn end_block(&mut self) {
        if self.data.is_empty() {
            return;
        }
        let block = self.data.finish().to_vec();
        self.data.clear();
        self.ended = Some(self.write_block(&block));
        if let Some(filter) = &mut self.filter {
            filter.start_block(self.file.len() as u64);
        }
    }

    fn write_block(&mut self, block: &[u8]) -> Handle {
        if self.style.snappy
            && let Ok(compressed) = self.compressor.compress_vec(block)
            && compressed.len() < block.len() - block.len() / 8
        {
            return self.write_stored(&compressed, 1);
        }
        self.write_stored(block, 0)
    }

    fn write_stored(&mut self, stored: &[u8], tag: u8) -> Handle {
        let handle = Handle { offset: self.file.len() as u64, bytes: stored.len() as u64 };
        self.file.extend_from_slice(stored);
        self.file.push(tag);
        self.file.extend_from_slice(&masked(crc32c(&[stored, &[tag]])).to_le_bytes());
        handle
    }

    /// The file, and its entry in a manifest under `number`; `None` without entries.
    pub(super) fn finish(mut self, number: u64) -> (Vec<u8>, Option<TableFile>) {
        self.end_block();
        let mut metas = BlockBuilder::new(self.style.restart_interval);
        if let Some(filter) = self.filter.take() {
            let handle = self.write_stored(&filter.finish(), 0);
            let mut value = Vec::new();
            handle.encode(&mut value);
            metas.add(FILTER_NAME, &value);
        }
        let metas = finished(&mut metas);
        let meta_index = self.write_block(&metas);
        if let Some(handle) = self.ended.take() {
            let successor = successor(&self.last);
            self.add_place(&successor, handle);
        }
        let index = finished(&mut self.index);
        let index = self.write_block(&index);
        let mut handles = Vec::new();
        meta_index.encode(&mut handles);
        index.encode(&mut handles);
        handles.resize(HANDLES_BYTES, 0);
        self.file.extend_from_slice(&handles);
        self.file.extend_from_slice(&LEVEL_MAGIC);
        let (bytes, largest) = (self.file.len() as u64, self.last);
        let table = self.smallest.map(|smallest| TableFile { number, bytes, smallest, largest });
        (self.file, table)
    }
}

fn finished(block: &mut BlockBuilder) -> Vec<u8> {
    if block.is_empty() { EMPTY_BLOCK.to_vec() } else { block.finish().to_vec() }
}

/// A key from `last` on and in front of `next`, as short as can be; `last` when none is shorter.
fn separator(last: &[u8], next: &[u8]) -> Vec<u8> {
    let (start, limit) = (user_key(last), user_key(next));
    let shared = shared_prefix(start, limit);
    let bytes = start.get(shared).zip(limit.get(shared));
    match bytes.and_then(|(byte, limit)| byte.checked_add(1).filter(|next| next < limit)) {
        Some(byte) => shortened(last, shared, byte),
        None => last.to_vec(),
    }
}

/// A key from `last` on, as short as can be; `last` when none is shorter.
fn successor(last: &[u8]) -> Vec<u8> {
    let at = user_key(last).iter().position(|byte| *byte != u8::MAX);
    let byte = at.and_then(|at| user_key(last).get(at)?.checked_add(1));
    match at.zip(byte) {
        Some((at, byte)) => shortened(last, at, byte),
        None => last.to_vec(),
    }
}

/// The first `kept` bytes of the user key of `last` and `byte`, with the sequence number in front of all
/// others; `last` when that is not shorter.
fn shortened(last: &[u8], kept: usize, byte: u8) -> Vec<u8> {
    let user = user_key(last);
    if kept + 1 >= user.len() {
        return last.to_vec();
    }
    let mut short = user.get(..kept).unwrap_or_default().to_vec();
    short.push(byte);
    let mut key = Vec::with_capacity(short.len() + 8);
    append_internal_key(&mut key, &short, SEQUENCE_MAX, ValueKind::Put);
    key
}
