//! The index of a table: which block may have a key; and the meta index beside it.

use super::block::{Block, LONG_KEYS, Values, Walk};
use super::frame::{Footer, corrupt};
use levelscope::internals::coding::Reader;
use levelscope::internals::key::user_key;
use levelscope::internals::table::{BLOCK_TRAILER_BYTES, Handle};
use levelscope::{Error, Result};

/// The keys of an index are held in memory: at most so many times as many bytes as the table has, but for small ones
/// [`KEYS_BYTES`].
const KEYS_RATIO_MAX: usize = 4;

/// Bytes of keys that every index may have \[bytes\].
const KEYS_BYTES: usize = 64 << 20;

/// How an index is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct IndexLayout {
    /// Its keys have no sequence numbers.
    pub(crate) user_keys: bool,
    /// Its handles are differences where keys share prefixes.
    pub(crate) differences: bool,
}

/// One data block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexedBlock {
    /// A key at or after all keys of the block and before the next block, as it is stored.
    pub(crate) separator: Vec<u8>,
    pub(crate) handle: Handle,
}

/// The data blocks of a table, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Index {
    pub(crate) places: Vec<IndexedBlock>,
    pub(crate) layout: IndexLayout,
}

impl Index {
    /// Reads the index of `file`. The blocks are known to follow each other, so that going through all
    /// of them is one pass over the file.
    ///
    /// # Errors
    /// `Corruption` with the offset of the index; `UnsupportedFormat`.
    pub(crate) fn read(file: &[u8], footer: &Footer, layout: IndexLayout) -> Result<Self> {
        let at = footer.index.offset;
        let values = if layout.differences { Values::Handles } else { Values::Any };
        let block = Block::new(footer.block(file, footer.index)?, values);
        let block = block.map_err(|damage| corrupt(at, damage))?;
        let damaged = |what: &str| Error::damaged_at(at, what);
        let mut left = file.len().saturating_mul(KEYS_RATIO_MAX).max(KEYS_BYTES);
        let mut places: Vec<IndexedBlock> = Vec::new();
        let mut walk = Walk::default();
        let mut next_min = 0;
        while let Some(entry) = walk.next(&block).map_err(|damage| corrupt(at, damage))? {
            let before = places.last().map(|place| place.handle);
            let shared = entry.shared > 0 && layout.differences;
            let handle = decode(block.value(entry), before.filter(|_| shared));
            let handle = handle.ok_or_else(|| damaged("an entry of the index leads nowhere"))?;
            if handle.offset < next_min
                || places
                    .last()
                    .is_some_and(|last| last.separator.as_slice() > walk.key() && layout.user_keys)
            {
                return Err(damaged("the data blocks are not in order"));
            }
            let left_now = left.checked_sub(walk.key().len()).filter(|_| !walk.is_long(&block));
            left = left_now.ok_or_else(|| Error::not_read_at(at, LONG_KEYS))?;
            next_min = handle.end().ok_or_else(|| damaged("a block ends beyond any file"))?;
            places.push(IndexedBlock { separator: walk.key().to_vec(), handle });
        }
        Ok(Self { places, layout })
    }

    /// The user key of a separator.
    pub(crate) fn upper<'a>(&self, separator: &'a [u8]) -> &'a [u8] {
        if self.layout.user_keys { separator } else { user_key(separator) }
    }
}

/// The handle that an entry of an index holds; relative to `before`, when it is stored as a difference.
pub(crate) fn decode(value: &[u8], before: Option<Handle>) -> Option<Handle> {
    let Some(before) = before else { return Handle::decode(value) };
    let mut reader = Reader::new(value);
    let difference = reader.varint()?;
    // Zigzag: the lowest bit is the sign.
    let half = difference >> 1;
    let bytes = if difference & 1 == 0 {
        before.bytes.checked_add(half)?
    } else {
        before.bytes.checked_sub(half.checked_add(1)?)?
    };
    let offset = before.offset.checked_add(before.bytes)?;
    let offset = offset.checked_add(BLOCK_TRAILER_BYTES as u64)?;
    reader.is_empty().then_some(Handle { offset, bytes })
}

/// The meta blocks of `file` by name, in order.
///
/// # Errors
/// As [`Index::read`].
pub(crate) fn metas(file: &[u8], footer: &Footer) -> Result<Vec<(Vec<u8>, Handle)>> {
    let at = footer.meta_index.offset;
    let block = Block::new(footer.block(file, footer.meta_index)?, Values::Any);
    let block = block.map_err(|damage| corrupt(at, damage))?;
    let mut metas = Vec::new();
    let mut walk = Walk::default();
    while let Some(entry) = walk.next(&block).map_err(|damage| corrupt(at, damage))? {
        let handle = Handle::decode(block.value(entry));
        let what = "an entry of the meta index is malformed";
        let handle = handle.ok_or_else(|| Error::damaged_at(at, what))?;
        if walk.is_long(&block) {
            return Err(Error::not_read_at(at, LONG_KEYS));
        }
        metas.push((walk.key().to_vec(), handle));
    }
    Ok(metas)
}

/// The meta block called `name`.
pub(crate) fn meta(metas: &[(Vec<u8>, Handle)], name: &[u8]) -> Option<Handle> {
    metas.iter().find(|(known, _)| known == name).map(|(_, handle)| *handle)
}
