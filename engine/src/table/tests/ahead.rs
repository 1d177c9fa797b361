//! How many bytes short walks read.

use super::*;
use crate::storage::trace::{Operation, WatchedStorage, Watcher};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes that are read.
#[derive(Debug, Default)]
struct BytesRead(AtomicUsize);

impl Watcher for BytesRead {
    fn done(&self, _: Operation, _: bool) {}

    fn read(&self, _: FileName, bytes: usize) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

#[test]
fn a_walk_reads_at_most_twice_what_it_needs_and_a_few_entries() {
    for_seeds(100, |seed| {
        let mut random = SplitMix64::new(seed);
        let value_bytes = random.below(120);
        let entries = numbered(2_000, value_bytes);
        let (storage, meta, blocks) = build(&entries, PLAIN);
        let read_bytes = Arc::new(BytesRead::default());
        let watched = WatchedStorage::new(Arc::new(storage), Arc::<BytesRead>::clone(&read_bytes));
        let file = watched.open(FileName::Table(7)).unwrap();
        let cache = Arc::new(BlockCache::new(0));
        let form = PrefixIndexForm::None;
        let table = Table::open(file, 7, meta.bytes, cache, form, OWNER).unwrap();
        let table = Arc::new(table);
        // The stored length of the blocks up to the one with an entry, it included.
        let ends = (0..table.index().len()).map(|at| table.index().handle(at).unwrap().end());
        let ends: Vec<u64> = std::iter::once(0).chain(ends.map(Option::unwrap)).collect();
        let firsts: Vec<usize> = blocks
            .iter()
            .scan(0, |first, block| Some(std::mem::replace(first, *first + block.entries as usize)))
            .collect();
        // Where a block holds few entries, the second one is read with some more.
        let few = 16 * blocks.len() / entries.len();
        let longest = ends.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
        let slack = if few > 1 { few * usize::try_from(longest).unwrap() } else { 0 };
        let block_of = |entry: usize| firsts.partition_point(|first| *first <= entry) - 1;
        for _ in 0..20 {
            let forward = random.one_in(2);
            let start = random.below(entries.len());
            let steps = random.below(200);
            let mut cursor = table.cursor();
            read_bytes.0.store(0, Ordering::Relaxed);
            cursor.seek(&entries[start].0).unwrap();
            let mut at = start;
            for _ in 0..steps {
                if (forward && at + 1 == entries.len()) || (!forward && at == 0) {
                    break;
                }
                at = if forward { at + 1 } else { at - 1 };
                if forward {
                    cursor.next().unwrap();
                } else {
                    cursor.prev().unwrap();
                }
                assert_eq!(cursor.key(), entries[at].0);
            }
            let (first, last) = (block_of(start.min(at)), block_of(start.max(at)));
            let needed = usize::try_from(ends[last + 1] - ends[first]).unwrap();
            let read = read_bytes.0.load(Ordering::Relaxed);
            let most = 2 * needed + slack;
            assert!(read >= needed && read <= most, "{start} {steps}: {read} of {needed}");
        }
    });
}
