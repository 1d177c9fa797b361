//! The blocks of a table that cannot be read from its end, found from its beginning: blocks follow each
//! other, and each ends in a checksum, which tells where that is.

use super::block::{Block, Values, Walk};
use super::crc::Running;
use super::cursor::{level_kinds, parse};
use super::frame::{Checksum, Footer};
use super::index::IndexedBlock;
use levelscope::internals::key::compare_internal;
use levelscope::internals::table::{BLOCK_TRAILER_BYTES, Handle};
use levelscope::limits::BLOCK_BYTES_MAX;
use std::cmp::Ordering;

/// The highest compression tag: Minecraft's raw deflate.
const TAG_MAX: u8 = 4;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Salvage {
    /// The data blocks, each with its own last key.
    pub(crate) data: Vec<IndexedBlock>,
    /// The blocks after them: filters, meta index and index, which cannot be told apart.
    pub(crate) others: Vec<Handle>,
}

/// A footer for blocks that no footer leads to: its own handles lead nowhere.
pub(crate) fn nowhere() -> Footer {
    let nowhere = Handle { offset: u64::MAX, bytes: 0 };
    let (meta_index, index) = (nowhere, nowhere);
    Footer { meta_index, index, checksum: Checksum::Crc32c, version: 0, bytes: 0 }
}

impl Salvage {
    /// The blocks of `file` up to the first one that is damaged. Cost: one pass over them, and one over
    /// what follows.
    pub(crate) fn of(file: &[u8]) -> Self {
        let (mut found, mut at, mut last) = (Self::default(), 0, Vec::new());
        while let Some(stored_bytes) = block_bytes(file.get(at..).unwrap_or_default()) {
            let handle = Handle { offset: at as u64, bytes: stored_bytes as u64 };
            at = at.saturating_add(stored_bytes).saturating_add(BLOCK_TRAILER_BYTES);
            let keys = if found.others.is_empty() { last_key(file, handle, &last) } else { None };
            match keys {
                Some(separator) => {
                    last.clone_from(&separator);
                    found.data.push(IndexedBlock { separator, handle });
                }
                None => found.others.push(handle),
            }
        }
        found
    }
}

/// Length of the block at the beginning of `rest`, without its trailer \[bytes\].
fn block_bytes(rest: &[u8]) -> Option<usize> {
    let mut crc = Running::default();
    for (length, trailer) in rest.windows(BLOCK_TRAILER_BYTES).take(BLOCK_BYTES_MAX).enumerate() {
        let [tag, a, b, c, d] = trailer else { return None };
        let stored = u32::from_le_bytes([*a, *b, *c, *d]);
        if length > 0 && *tag <= TAG_MAX && crc.masked_with(*tag) == stored {
            return Some(length);
        }
        crc.push(*tag);
    }
    None
}

/// The last key of a data block whose keys are after `last`; `None` when it is no such block.
fn last_key(file: &[u8], handle: Handle, last: &[u8]) -> Option<Vec<u8>> {
    let block = Block::new(nowhere().block(file, handle).ok()?, Values::Any).ok()?;
    let (mut walk, mut last) = (Walk::default(), last.to_vec());
    let mut entries = 0_u32;
    while walk.next(&block).ok()?.is_some() {
        let key = parse(walk.key())?;
        level_kinds(key.kind, handle.offset).ok()?;
        if !last.is_empty() && compare_internal(&last, walk.key()) != Ordering::Less {
            return None;
        }
        if walk.is_long(&block) {
            return None;
        }
        last.clear();
        last.extend_from_slice(walk.key());
        entries = entries.saturating_add(1);
    }
    (entries > 0).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leveldb::{TableFormat, TableStyle, write_table};
    use crate::{Entry, Format, Likeness};
    use levelscope::inspect::Scope;
    use levelscope::testing::covers::assert_covers;

    fn table(compressed: bool) -> Vec<u8> {
        let keys: Vec<String> = (0..500).map(|number| format!("key{number:04}")).collect();
        let entries: Vec<Entry<'_>> =
            keys.iter().map(|key| Entry::new(key.as_bytes(), Some(key.as_bytes()))).collect();
        let style = TableStyle { snappy: compressed, block_bytes: 512, ..TableStyle::default() };
        write_table(&entries, style).unwrap()
    }

    #[test]
    fn a_table_that_was_cut_short_has_the_blocks_in_front_of_the_cut() {
        for compressed in [false, true] {
            let whole = table(compressed);
            let blocks = Salvage::of(&whole).data;
            assert!(blocks.len() > 8, "{}", blocks.len());
            for cut in (0..whole.len() - 1).step_by(7) {
                let file = &whole[..cut];
                let sealed =
                    blocks.iter().filter(|place| place.handle.end().unwrap() <= cut as u64);
                let count = sealed.count();
                assert_eq!(Salvage::of(file).data, blocks[..count], "cut at {cut}");
                let expected = if count > 0 { Likeness::Certain } else { Likeness::None };
                assert_eq!(TableFormat.recognize("000005.ldb", file), expected);
                assert_covers(&TableFormat.annotate("cut", file, Scope::ALL), file);
                let mut scan = TableFormat.scan(file);
                assert!(scan.next().unwrap().is_err());
                let keys: Vec<_> = scan.map(|entry| entry.unwrap().key.into_owned()).collect();
                assert_eq!(keys.is_empty(), count == 0);
                let last = blocks[..count].last().map(|place| &place.separator[..7]);
                assert_eq!(keys.last().map(Vec::as_slice), last);
            }
        }
    }

    #[test]
    fn damage_in_the_magic_costs_no_entry_and_in_a_block_those_behind_it() {
        let mut file = table(true);
        *file.last_mut().unwrap() ^= 1;
        let found = |file: &[u8]| TableFormat.scan(file).flatten().count();
        assert_eq!(found(&file), 500);
        let third = Salvage::of(&file).data[2].handle;
        file[usize::try_from(third.offset).unwrap() + 9] ^= 1;
        assert_eq!(Salvage::of(&file).data.len(), 2);
        assert!(found(&file) > 20 && found(&file) < 400);
    }
}
