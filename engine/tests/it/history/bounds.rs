//! Histories of bounds and directions.

use super::*;
use levelscope::{Bound, ScanOptions};

const KEYS: [&str; 5] = ["b", "d", "f", "h", "j"];
const POSITIONS: [&str; 11] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];

/// The keys of `set`, spread over a memtable, L0 and L1; the others are deleted somewhere above a value.
fn with_keys(set: usize) -> Db {
    let db = open(&shared(&MemoryStorage::new()), &by_hand());
    let present = |index: usize| set & (1 << index) != 0;
    put_all(&db, &KEYS, "old");
    flush(&db);
    compact(&db, 0);
    for place in 0..3 {
        for (index, key) in KEYS.iter().enumerate().filter(|(index, _)| index % 3 == place) {
            if present(index) {
                put(&db, key, "new");
            } else {
                db.delete(key.as_bytes()).unwrap();
            }
        }
        match place {
            0 => {
                flush(&db);
                compact(&db, 0);
            }
            1 => flush(&db),
            _ => {}
        }
    }
    db
}

fn all_bounds() -> Vec<Bound<Vec<u8>>> {
    let positions = POSITIONS.iter().map(|position| position.as_bytes().to_vec());
    let bounds = positions.flat_map(|at| [Bound::Included(at.clone()), Bound::Excluded(at)]);
    std::iter::once(Bound::Unbounded).chain(bounds).collect()
}

fn inside(key: &[u8], lower: &Bound<Vec<u8>>, upper: &Bound<Vec<u8>>) -> bool {
    let above = match lower {
        Bound::Unbounded => true,
        Bound::Included(low) => key >= low,
        Bound::Excluded(low) => key > low,
    };
    above
        && match upper {
            Bound::Unbounded => true,
            Bound::Included(high) => key <= high,
            Bound::Excluded(high) => key < high,
        }
}

/// Scans backward compared with the wrong bound, and scans at the edge of a range or prefix ran off its end
/// or left out its last key. Small cases are few enough to try all of them.
#[test]
fn every_bound_over_every_small_set_of_keys_is_kept() {
    for set in 0..1 << KEYS.len() {
        let db = with_keys(set);
        let keys = KEYS.iter().enumerate().filter(|(index, _)| set & (1 << index) != 0);
        let keys: Vec<&[u8]> = keys.map(|(_, key)| key.as_bytes()).collect();
        for lower in all_bounds() {
            for upper in all_bounds() {
                let wanted: Vec<&[u8]> =
                    keys.iter().copied().filter(|key| inside(key, &lower, &upper)).collect();
                let (from, to) = (lower.clone(), upper.clone());
                let scan = ScanOptions::default().range((from, to));
                let mut iterator = db.iter(&scan).unwrap();
                let context = format!("{set:05b}, {lower:?} to {upper:?}");
                iterator.seek_to_first().unwrap();
                for key in &wanted {
                    assert_eq!((iterator.valid(), iterator.key()), (true, *key), "{context}");
                    iterator.next().unwrap();
                }
                assert!(!iterator.valid(), "{context}: forward it goes on");
                iterator.seek_to_last().unwrap();
                for key in wanted.iter().rev() {
                    assert_eq!((iterator.valid(), iterator.key()), (true, *key), "{context}");
                    iterator.prev().unwrap();
                }
                assert!(!iterator.valid(), "{context}: backward it goes on");
                for target in POSITIONS.map(str::as_bytes) {
                    iterator.seek(target).unwrap();
                    let first = wanted.iter().find(|key| **key >= target).copied();
                    assert_eq!(iterator.valid().then(|| iterator.key()), first, "{context}");
                    iterator.seek_for_prev(target).unwrap();
                    let last = wanted.iter().rev().find(|key| **key <= target).copied();
                    assert_eq!(iterator.valid().then(|| iterator.key()), last, "{context}");
                }
            }
        }
    }
}

/// A key put after an iterator was made, between two others, appeared in it when it turned round.
#[test]
fn turning_round_never_shows_what_was_written_later() {
    for flushed in [false, true] {
        let db = open(&shared(&MemoryStorage::new()), &by_hand());
        put_all(&db, &["a", "c", "e"], "before");
        if flushed {
            flush(&db);
        }
        // All walks of six steps, from each place.
        for walk in 0..1 << 6 {
            let mut iterator = db.iter(&ScanOptions::default()).unwrap();
            iterator.seek(b"c").unwrap();
            put_all(&db, &["b", "c", "d"], "later");
            let mut at = 1;
            for step in 0..6 {
                let forward = walk & (1 << step) != 0;
                if forward {
                    iterator.next().unwrap();
                } else {
                    iterator.prev().unwrap();
                }
                at += if forward { 1 } else { -1 };
                let expected = usize::try_from(at).ok().and_then(|at| ["a", "c", "e"].get(at));
                let found = iterator.valid().then(|| iterator.key());
                assert_eq!(found, expected.map(|key| key.as_bytes()), "walk {walk:06b}");
                if found.is_none() {
                    break;
                }
                assert_eq!(iterator.value(), b"before", "walk {walk:06b}");
            }
            db.delete(b"b").unwrap();
            db.delete(b"d").unwrap();
            put(&db, "c", "before");
        }
    }
}
