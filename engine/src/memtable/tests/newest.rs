//! The newest entries of a memtable.

use super::*;
use crate::event::ShownKey;
use crate::view::RecentEntry;

#[test]
fn the_newest_entries_are_known_with_the_records_of_their_log() {
    for_seeds(60, |seed| {
        let mut random = SplitMix64::new(seed);
        let memtable = Memtable::new(1, 2, 1 << 30);
        let (mut expected, mut first) = (Vec::new(), 1);
        let batches = 1 + random.below(if seed.is_multiple_of(4) { 3000 } else { 60 }) as u64;
        for record in 1..=batches {
            let batch: Vec<_> = (0..=random.below(4))
                .map(|_| {
                    // Some values are so long that they get a separate chunk.
                    let long = if random.one_in(200) { 200_000 } else { 0 };
                    let value = vec![b'v'; random.below(300) + long];
                    if random.one_in(5) {
                        (ValueKind::Delete, random_key(&mut random), Vec::new())
                    } else {
                        (ValueKind::Put, random_key(&mut random), value)
                    }
                })
                .collect();
            let entries = batch.iter().map(|(kind, key, value)| Ok((*kind, &key[..], &value[..])));
            memtable.insert_batch(first, entries).unwrap();
            for (sequence, (entry, key, value)) in (first..).zip(&batch) {
                let (key, value) = (ShownKey::new(key), ShownKey::new(value));
                let record = (record + 64 > batches).then_some(record);
                expected.insert(0, RecentEntry { key, sequence, entry: *entry, value, record });
            }
            first += batch.len() as u64;
        }
        if random.one_in(2) {
            memtable.freeze();
        }
        for limit in [0, 1, 5, 100] {
            let wanted: Vec<_> = expected.iter().take(limit).cloned().collect();
            assert_eq!(memtable.recent(limit).entries, wanted);
        }
    });
}
