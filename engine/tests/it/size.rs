//! The approximate size of a range, against the exact lengths of all blocks and entries.

use crate::common::*;
use levelscope::event::{Event, EventKind, EventSink, Grain, Recorder, ShownKey};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::view::TableInfo;
use levelscope::{Bound, Compression, Maintenance, Options};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Compression tag and checksum after each block.
const TRAILER_BYTES: u64 = 5;

/// A data block: its first and its last key, and its stored length \[bytes\].
type Block = (ShownKey, ShownKey, u64);

fn note_blocks(events: &[Event], blocks: &mut BTreeMap<u64, Vec<Block>>) {
    for event in events {
        if let EventKind::TableBlock { table, stored_bytes, first, last, .. } = &event.kind {
            let bytes = u64::from(*stored_bytes) + TRAILER_BYTES;
            blocks.entry(*table).or_default().push((first.clone(), last.clone(), bytes));
        }
    }
}

type Range = (Bound<Vec<u8>>, Bound<Vec<u8>>);

fn random_range(random: &mut Random) -> Range {
    let bound = |random: &mut Random| match random.below(5) {
        0 => Bound::Unbounded,
        1 | 2 => Bound::Included(random_key(random)),
        _ => Bound::Excluded(random_key(random)),
    };
    (bound(random), bound(random))
}

fn is_inside(range: &Range, key: &[u8]) -> bool {
    let above = match &range.0 {
        Bound::Unbounded => true,
        Bound::Included(lower) => key >= lower.as_slice(),
        Bound::Excluded(lower) => key > lower.as_slice(),
    };
    let below = match &range.1 {
        Bound::Unbounded => true,
        Bound::Included(upper) => key <= upper.as_slice(),
        Bound::Excluded(upper) => key < upper.as_slice(),
    };
    above && below
}

/// Whether some key from `first` to `last` may be in the range.
fn meets(range: &Range, first: &ShownKey, last: &ShownKey) -> bool {
    let ends = is_inside(range, &first.head) || is_inside(range, &last.head);
    let around = match &range.0 {
        Bound::Included(key) | Bound::Excluded(key) => {
            first.head.as_slice() <= key.as_slice()
                && key.as_slice() < last.head.as_slice()
                && is_possible(range)
        }
        Bound::Unbounded => false,
    };
    ends || around
}

fn is_possible(range: &Range) -> bool {
    match range {
        (Bound::Included(lower), Bound::Included(upper)) => lower <= upper,
        (
            Bound::Included(lower) | Bound::Excluded(lower),
            Bound::Included(upper) | Bound::Excluded(upper),
        ) => lower < upper,
        _ => true,
    }
}

/// Whether all entries and range tombstones of the table lie in the range.
fn is_whole(range: &Range, table: &TableInfo) -> bool {
    let end = table.ranges.as_ref().map(|ranges| &ranges.over.end);
    let ends = |upper: &[u8]| {
        end.is_none_or(|end| end.as_ref().is_some_and(|end| end.head.as_slice() <= upper))
    };
    let ranges_inside = match &range.1 {
        Bound::Unbounded => true,
        Bound::Included(upper) | Bound::Excluded(upper) => ends(upper),
    };
    // Where a range tombstone ends after all entries, its end is reported as the largest key.
    let ends_with_range = end.is_some_and(|end| end.as_ref() == Some(&table.largest));
    let largest_inside = ends_with_range || is_inside(range, &table.largest.head);
    ranges_inside && is_inside(range, &table.smallest.head) && largest_inside
}

/// The least and the most that a table may count.
fn allowed(range: &Range, table: &TableInfo, blocks: &[Block]) -> (u64, u64) {
    if !is_possible(range) || !meets(range, &table.smallest, &table.largest) {
        return (0, 0);
    }
    if is_whole(range, table) {
        return (table.bytes, table.bytes);
    }
    let met = blocks.iter().filter(|(first, last, _)| meets(range, first, last));
    let exact: u64 = met.map(|(_, _, bytes)| bytes).sum();
    let longest = blocks.iter().map(|(_, _, bytes)| *bytes).max().unwrap_or(0);
    (exact, exact + 2 * longest)
}

#[test]
fn a_size_is_that_of_the_blocks_and_entries_of_the_range() {
    let mut technique = Technique::new("approximate sizes", 16);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x517e);
        let maintenance = Maintenance::Inline;
        let options = small_options(&mut random).maintenance(maintenance);
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
        let sink = Arc::clone(&recorder) as Arc<dyn EventSink>;
        let db = open_watched(storage, options, Some(sink)).expect("opens");
        let mut blocks = BTreeMap::new();
        for op in random_script(&mut random, 150) {
            if matches!(op, Op::Reopen) {
                continue;
            }
            run(&db, &op).expect("the operation works");
            note_blocks(&recorder.drain().0, &mut blocks);
            let range = random_range(&mut random);
            let size = db.approximate_size(range.clone()).expect("an answer");
            let view = db.view();
            let tables = view.levels.iter().flat_map(|level| &level.tables);
            let blocks_of = |table: &TableInfo| blocks.get(&table.table).map_or(&[][..], |of| of);
            let bounds = tables.map(|table| allowed(&range, table, blocks_of(table)));
            let (least, most) = bounds.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            let context = format!("seed {seed}, {range:?}: {size:?}, {least} to {most}");
            assert!((least..=most).contains(&size.table_bytes), "{context}");
            let all = db.approximate_size(..).expect("an answer");
            let bytes: usize = view.memtables.iter().map(|memtable| memtable.bytes).sum();
            assert_eq!(all.memtable_bytes, bytes as u64, "{context}");
            assert_eq!(all.table_bytes, db.stats().table_bytes, "{context}");
            assert!(size.memtable_bytes <= all.memtable_bytes, "{context}");
            // The entries of the range, and those before and after it, make up each memtable.
            if let (Bound::Included(lower), Bound::Excluded(upper)) = &range
                && lower < upper
            {
                let part = |from: Bound<Vec<u8>>, to: Bound<Vec<u8>>| {
                    db.approximate_size((from, to)).expect("an answer").memtable_bytes
                };
                let before = part(Bound::Unbounded, Bound::Excluded(lower.clone()));
                let after = part(Bound::Included(upper.clone()), Bound::Unbounded);
                assert_eq!(before + size.memtable_bytes + after, all.memtable_bytes, "{context}");
            }
            technique.count(1);
        }
    }
}

#[test]
fn one_entry_counts_exactly_in_a_memtable_and_a_block_in_a_table() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &Options::default().block_bytes(200).compression(Compression::None));
    for index in 0..100_u8 {
        db.put([index], [index; 100]).expect("the put works");
    }
    let one = db.approximate_size([7]..=[7]).expect("an answer");
    assert_eq!((one.memtable_bytes, one.table_bytes), (1 + 100 + 32, 0));
    db.request_flush().expect("flushes");
    let one = db.approximate_size([7]..=[7]).expect("an answer");
    assert_eq!(one.memtable_bytes, 0);
    assert!((100..700).contains(&one.table_bytes), "{one:?}");
    assert_eq!(db.approximate_size([9]..[9]).expect("an answer").total_bytes(), 0);
    assert_eq!(db.approximate_size([200]..).expect("an answer").total_bytes(), 0);
}

#[test]
fn a_range_tombstone_counts_where_it_begins_in_a_memtable_and_with_its_table() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &Options::default());
    db.put("a", "1").expect("the put works");
    let one = db.approximate_size(..).expect("an answer").total_bytes();
    db.delete_range("k".."m").expect("deletes");
    let size = |range: (Bound<&str>, Bound<&str>)| db.approximate_size(range).expect("an answer");
    let (all, inside) =
        (db.approximate_size(..).expect("an answer"), (Bound::Included("k"), Bound::Unbounded));
    assert!(all.memtable_bytes > one && size(inside).memtable_bytes == all.memtable_bytes - one);
    assert_eq!(size((Bound::Included("l"), Bound::Unbounded)).total_bytes(), 0);
    db.request_flush().expect("flushes");
    let table_bytes = db.stats().table_bytes;
    assert_eq!(size((Bound::Unbounded, Bound::Excluded("m"))).table_bytes, table_bytes);
    assert_eq!(size((Bound::Included("b"), Bound::Unbounded)).table_bytes, 0);
}
