//! Value blocks: values of older versions, outside of the data blocks.

use super::block::{self, Block};
use crate::bytes::Cursor;
use crate::table::Source;
use crate::{BlockHandle, Error, Result};

/// The name of their index in the metaindex.
pub(super) const INDEX_NAME: &str = "pebble.value_index";

/// The value blocks of a table, read when a value asks for them. The last one is kept.
#[derive(Debug, Default)]
pub(super) struct ValueBlocks {
    handles: Option<Vec<BlockHandle>>,
    kept: Option<(usize, Block)>,
}

impl ValueBlocks {
    /// The value of `bytes` bytes at `offset` of value block `block`. `entry` is the entry of the metaindex.
    pub(super) fn get(
        &mut self,
        source: &Source<'_>,
        entry: Option<&[u8]>,
        place: (u32, u32, u32),
    ) -> Result<Vec<u8>> {
        let (bytes, number, offset) = place;
        let number = number as usize;
        if self.handles.is_none() {
            let missing = || Error::new(crate::ErrorKind::Damaged, "the table has no value blocks");
            let entry = entry.ok_or_else(|| missing().in_file(source.name()))?;
            self.handles = Some(handles(source, entry)?);
        }
        if self.kept.as_ref().is_none_or(|kept| kept.0 != number) {
            let handle = self.handles.as_ref().and_then(|handles| handles.get(number)).copied();
            let handle = handle.ok_or_else(|| {
                let message = format!("a value is in value block {number}, which does not exist");
                Error::new(crate::ErrorKind::Damaged, message).in_file(source.name())
            })?;
            self.kept = Some((number, Block::read(source, handle)?));
        }
        let Some((_, block)) = &self.kept else { return Ok(Vec::new()) };
        let start = offset as usize;
        let value = start.checked_add(bytes as usize).and_then(|end| block.bytes.get(start..end));
        value.map(<[u8]>::to_vec).ok_or_else(|| {
            let message = format!(
                "a value of {bytes} bytes at {offset} does not end inside of its value block"
            );
            block.blame(Error::damaged(0, message)).in_file(source.name())
        })
    }
}

/// The value blocks, from their index: rows of number, offset and length in the widths of the metaindex.
pub(crate) fn handles(source: &Source<'_>, entry: &[u8]) -> Result<Vec<BlockHandle>> {
    let mut cursor = Cursor::new(entry, 0);
    let wrong = |error: Error| Error::new(error.kind(), error.message()).in_file(source.name());
    let handle = BlockHandle::read(&mut cursor).map_err(wrong)?;
    let mut widths = [0; 3];
    for width in &mut widths {
        *width = usize::from(cursor.u8().map_err(wrong)?);
        if !(1..=8).contains(width) {
            let message = format!("the value index has numbers of {width} bytes");
            return Err(wrong(cursor.damaged(message)));
        }
    }
    let block = Block::read(source, handle)?;
    let mut cursor = Cursor::new(&block.bytes, 0);
    let (mut handles, mut end) = (Vec::new(), 0);
    while !cursor.is_empty() {
        let at = cursor;
        let mut row = [0; 3];
        for (number, &width) in row.iter_mut().zip(&widths) {
            let bytes =
                cursor.take(width).map_err(|error| block.blame(error).in_file(source.name()))?;
            *number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        }
        let [number, offset, bytes] = row;
        if number != handles.len() as u64 {
            let message = format!("value block {number} stands in place {}", handles.len());
            return Err(block.blame(at.damaged(message)).in_file(source.name()));
        }
        let handle = BlockHandle { offset, bytes };
        // A damaged index could name one block any number of times.
        if offset < end || block::end(handle) > source.end() {
            let message =
                format!("value block {number} overlaps another one or ends after the file");
            return Err(block.blame(at.damaged(message)).in_file(source.name()));
        }
        end = block::end(handle);
        handles.push(handle);
    }
    Ok(handles)
}
