//! The range tombstones of a table, in separate blocks.
//!
//! ```text
//! entry   key: internal key (begin, sequence number, kind 2) | value: end, empty when there is none
//! ```
//!
//! Ascending in the order of internal keys. There is more than one block only when one would be too long.

use super::block::{Block, Damage, flat_entries};
use super::block_builder::BlockBuilder;
use crate::key::{ValueKind, compare_internal, internal_key, parse_any_key};
use crate::limits::KEY_BYTES_MAX;
use crate::ranges::RangeTombstone;
use std::cmp::Ordering;

/// The beginning of the blocks' names in the meta index; a number of four digits follows, from 1.
pub const RANGES_NAME: &[u8] = b"ranges.";

/// Where a block ends and the next one begins \[bytes\].
const BLOCK_BYTES: usize = 1 << 20;

/// The name of block `number`, from 1.
pub(super) fn block_name(number: usize) -> Vec<u8> {
    [RANGES_NAME, format!("{number:04}").as_bytes()].concat()
}

/// `tombstones` as blocks; they must be in order.
pub(super) fn encode(tombstones: &[RangeTombstone]) -> Vec<Vec<u8>> {
    let mut blocks = Vec::new();
    let mut block = BlockBuilder::new(1);
    for tombstone in tombstones {
        let key = internal_key(&tombstone.begin, tombstone.sequence, ValueKind::RangeDelete);
        if block.plan(&key, tombstone.stored_end()).block_bytes > BLOCK_BYTES && !block.is_empty() {
            blocks.push(block.finish().to_vec());
            block.clear();
        }
        block.add(&key, tombstone.stored_end());
    }
    if !block.is_empty() {
        blocks.push(block.finish().to_vec());
    }
    blocks
}

/// Adds the tombstones of one block to `tombstones`, which has those of the blocks before.
///
/// # Errors
/// The flaw, and its offset in the block.
pub fn decode(block: &Block, tombstones: &mut Vec<RangeTombstone>) -> Result<(), Damage> {
    let mut previous = tombstones
        .last()
        .map(|last| internal_key(&last.begin, last.sequence, ValueKind::RangeDelete));
    for item in flat_entries(block) {
        let (entry, key, end) = item?;
        let damage = |at, what| Err(Damage { at, what });
        let parsed = parse_any_key(key).filter(|key| key.kind == ValueKind::RangeDelete);
        let Some(parsed) = parsed.filter(|key| key.user_key.len() <= KEY_BYTES_MAX) else {
            return damage(entry.suffix, "this is not the key of a range tombstone");
        };
        let before = previous.as_deref();
        if before.is_some_and(|before| compare_internal(before, key) != Ordering::Less) {
            return damage(entry.suffix, "the range tombstones are not in order");
        }
        let tombstone = RangeTombstone::new(parsed.user_key, end, parsed.sequence);
        let Some(tombstone) = tombstone.filter(|_| end.len() <= KEY_BYTES_MAX) else {
            return damage(entry.value, "a range tombstone ends before it begins");
        };
        tombstones.push(tombstone);
        previous = Some(key.to_vec());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::BlockCache;
    use crate::identity::Owner;
    use crate::iter::Cursor;
    use crate::storage::{FileName, MemoryStorage, Storage};
    use crate::table::{Table, TableBuilder, TableOptions};
    use crate::testing::covers::assert_covers;
    use crate::{Options, PrefixIndexForm, inspect};
    use std::sync::Arc;

    #[test]
    fn long_lists_take_several_blocks() {
        let one = |number: u64| {
            let key = format!("{number:06}{}", "k".repeat(1000));
            RangeTombstone::new(key.as_bytes(), b"", number + 1).unwrap()
        };
        let all: Vec<_> = (0..3000).map(one).collect();
        let blocks = encode(&all);
        assert!(blocks.len() > 2 && blocks.iter().all(|block| block.len() <= BLOCK_BYTES));
        let mut read = Vec::new();
        for block in blocks {
            decode(&Block::new(block).unwrap(), &mut read).unwrap();
        }
        assert_eq!(read, all);
        assert_eq!(block_name(12), b"ranges.0012");
    }

    #[test]
    fn what_no_builder_writes_is_refused() {
        let range = |key: &[u8], sequence| internal_key(key, sequence, ValueKind::RangeDelete);
        let cases: [&[(Vec<u8>, &[u8])]; 5] = [
            &[(internal_key(b"a", 7, ValueKind::Put), b"b")],
            &[(range(b"b", 7), b"a")],
            &[(range(b"b", 7), b"b")],
            &[(range(b"b", 7), b"c"), (range(b"b", 7), b"c")],
            &[(b"short".to_vec(), b"c")],
        ];
        for entries in cases {
            let mut block = BlockBuilder::new(1);
            for (key, end) in entries {
                block.add(key, end);
            }
            let block = Block::new(block.finish().to_vec()).unwrap();
            assert!(decode(&block, &mut Vec::new()).is_err(), "{entries:?}");
        }
    }

    /// A file that has range tombstones and nothing else: read again, and every byte of it has a name.
    #[test]
    fn a_table_may_have_range_tombstones_alone() {
        let options = TableOptions::new(&Options::default(), None);
        let storage = MemoryStorage::new();
        let file = storage.create(FileName::Table(7)).unwrap();
        let mut builder = TableBuilder::new(file, 7, options);
        let ranges = vec![
            RangeTombstone::new(b"a", b"m", 17).unwrap(),
            RangeTombstone::new(b"k", b"", 9).unwrap(),
        ];
        builder.set_ranges(ranges.clone());
        builder.write_filter().unwrap();
        builder.write_ranges().unwrap();
        builder.write_index().unwrap();
        builder.write_footer().unwrap();
        let meta = builder.sync().unwrap();
        assert_eq!((meta.entries, meta.sequence_min, meta.sequence_max), (0, 9, 17));
        assert!(meta.covers(b"a") && meta.covers(&[0xff; 9]) && !meta.covers(b""));
        let cache = Arc::new(BlockCache::new(0));
        let file = storage.open(FileName::Table(7)).unwrap();
        let owner = Owner::default();
        let form = PrefixIndexForm::None;
        let table = Table::open(file, 7, meta.bytes, cache, form, owner).map(Arc::new).unwrap();
        assert_eq!(table.ranges().all(), ranges);
        let mut cursor = table.cursor();
        cursor.seek_to_first().unwrap();
        assert!(!cursor.valid());
        cursor.seek_to_last().unwrap();
        assert!(!cursor.valid());
        let bytes = storage.read(FileName::Table(7)).unwrap();
        let tree = inspect::annotate(FileName::Table(7), &bytes).unwrap();
        assert_covers(&tree, &bytes);
        let words = format!("{tree:?}");
        assert!(
            words.contains("range delete [\\\"a\\\", \\\"m\\\"), sequence number 17"),
            "{words}"
        );
        assert!(!words.contains("damaged") && !words.contains("not understood"), "{words}");
    }
}
