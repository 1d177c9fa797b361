//! Memtables against a `BTreeMap`, and their accounting.
#![expect(clippy::cast_possible_truncation, reason = "the numbers of a test are small")]

use super::*;
use crate::iter::Cursor;
use crate::key::{compare_internal, internal_key, parse_internal_key, seek_key};
use crate::probe::{NoProbe, ReadPath};
use std::collections::BTreeMap;

type Model = BTreeMap<(Vec<u8>, std::cmp::Reverse<u64>), (ValueKind, Vec<u8>)>;

fn random_key(random: &mut SplitMix64) -> Vec<u8> {
    // Short keys collide; long ones differ at any byte of several words of eight.
    if random.one_in(2) {
        let length = random.below(5);
        return (0..length).map(|_| [0, b'a', b'b', 0xff][random.below(4)]).collect();
    }
    let mut key = vec![b'm'; 6 + random.below(14)];
    let at = random.below(key.len());
    key[at] = [0, b'a', b'z', 0xff][random.below(4)];
    key
}

fn random_memtable(seed: u64) -> (Arc<Memtable>, Model, u64) {
    let mut random = SplitMix64::new(seed);
    let memtable = Arc::new(Memtable::new(1, 2, 1 << 20, seed));
    let mut model = Model::new();
    let count = random.below(300) as u64;
    // Batches of two writers may be inserted in any order: sequence numbers are not ascending here.
    let mut sequences: Vec<u64> = (1..=count).collect();
    for index in 0..sequences.len() {
        let other = random.below(sequences.len());
        if random.one_in(3) {
            sequences.swap(index, other);
        }
    }
    for (index, sequence) in sequences.into_iter().enumerate() {
        let sequential = seed.is_multiple_of(3);
        let key =
            if sequential { format!("{index:06}").into_bytes() } else { random_key(&mut random) };
        let kind = if random.one_in(4) { ValueKind::Delete } else { ValueKind::Put };
        let value = if kind == ValueKind::Put { vec![b'v'; random.below(40)] } else { Vec::new() };
        memtable.insert(&key, sequence, kind, &value);
        model.insert((key, std::cmp::Reverse(sequence)), (kind, value));
    }
    (memtable, model, count)
}

fn flat(model: &Model) -> Vec<(Vec<u8>, Vec<u8>)> {
    let entries = model.iter();
    entries
        .map(|((key, seq), (kind, value))| (internal_key(key, seq.0, *kind), value.clone()))
        .collect()
}

#[test]
fn it_agrees_with_a_sorted_map() {
    for_seeds(120, |seed| {
        let (memtable, model, count) = random_memtable(seed);
        let expected = flat(&model);
        let mut cursor = memtable.cursor();
        assert!(!cursor.valid());

        let mut forward = Vec::new();
        cursor.seek_to_first().unwrap();
        while cursor.valid() {
            forward.push((cursor.key().to_vec(), cursor.value().to_vec()));
            cursor.next().unwrap();
        }
        assert_eq!(forward, expected);

        let mut backward = Vec::new();
        cursor.seek_to_last().unwrap();
        while cursor.valid() {
            backward.push((cursor.key().to_vec(), cursor.value().to_vec()));
            cursor.prev().unwrap();
        }
        backward.reverse();
        assert_eq!(backward, expected);

        let mut random = SplitMix64::new(!seed);
        for _ in 0..200 {
            let (key, sequence) =
                (random_key(&mut random), random.below(count as usize + 2) as u64);
            let target = seek_key(&key, sequence);
            cursor.seek(&target).unwrap();
            let first = expected.iter().find(|(key, _)| compare_internal(key, &target).is_ge());
            assert_eq!(cursor.valid().then(|| cursor.key()), first.map(|(key, _)| key.as_slice()));

            let newest = model.range((key.clone(), std::cmp::Reverse(sequence))..).next();
            let newest = newest.filter(|((found, _), _)| *found == key);
            let newest = newest.map(|((_, seq), (kind, value))| (seq.0, *kind, value.clone()));
            assert_eq!(memtable.get(&key, sequence, &mut NoProbe), newest);
        }
    });
}

#[test]
fn a_random_walk_goes_both_ways() {
    for_seeds(40, |seed| {
        let (memtable, model, _) = random_memtable(seed);
        let expected = flat(&model);
        let mut random = SplitMix64::new(!seed);
        let (mut cursor, mut place) = (memtable.cursor(), None);
        for _ in 0..400 {
            match random.below(12) {
                0 => {
                    cursor.seek_to_first().unwrap();
                    place = (!expected.is_empty()).then_some(0);
                }
                1 => {
                    cursor.seek_to_last().unwrap();
                    place = expected.len().checked_sub(1);
                }
                2..7 => {
                    cursor.next().unwrap();
                    place = place.map(|at| at + 1).filter(|at| *at < expected.len());
                }
                _ => {
                    cursor.prev().unwrap();
                    place = place.and_then(|at: usize| at.checked_sub(1));
                }
            }
            assert_eq!(cursor.valid(), place.is_some());
            if let Some(at) = place {
                assert_eq!((cursor.key(), cursor.value()), (&*expected[at].0, &*expected[at].1));
            }
        }
    });
}

#[test]
fn sizes_are_accounted_for() {
    let memtable = Memtable::new(7, 9, 2 * ENTRY_OVERHEAD_BYTES + 10, 0);
    assert!(memtable.is_empty());
    assert!(memtable.fits(entry_bytes(b"key", b"value")));
    memtable.insert(b"key", 1, ValueKind::Put, b"value");
    memtable.insert(b"", 2, ValueKind::Delete, b"");
    assert_eq!(memtable.bytes(), 8 + 2 * ENTRY_OVERHEAD_BYTES);
    assert_eq!((memtable.entries(), memtable.tombstones()), (2, 1));
    assert_eq!((memtable.id(), memtable.wal()), (7, 9));
    assert!(memtable.fits(2));
    assert!(!memtable.fits(3));
    assert!(!memtable.fits(usize::MAX));
}

/// The overhead that is charged must not be less than what the records take.
#[test]
fn the_charged_overhead_covers_the_records() {
    let mut list = SkipList::new(0, 3);
    for index in 0..20_000_u32 {
        list.insert(&index.to_le_bytes(), 1 << 8, b"");
    }
    let taken = list.record_bytes(20_000 * 4);
    assert!(taken <= 20_000 * ENTRY_OVERHEAD_BYTES, "{taken}");
    assert!(taken >= 20_000 * (ENTRY_OVERHEAD_BYTES - 8), "{taken}");
}

#[test]
fn a_lookup_tells_its_path() {
    let memtable = Memtable::new(3, 4, 1 << 20, 0);
    for index in 0..1000_u64 {
        memtable.insert(format!("{index:04}").as_bytes(), index + 1, ValueKind::Put, b"x");
    }
    let mut path = ReadPath::default();
    assert!(memtable.get(b"0500", 1000, &mut path).is_some());
    assert!(memtable.get(b"0500", 500, &mut path).is_none());
    let [hit, miss] = path.stops.as_slice() else { panic!("two stops") };
    let ReadStop::Memtable { memtable: 3, comparisons, hit: Some(hit) } = hit else {
        panic!("{hit:?}")
    };
    assert!((5..60).contains(comparisons), "{comparisons}");
    assert_eq!(*hit, Hit { sequence: 501, entry: ValueKind::Put });
    assert!(matches!(miss, ReadStop::Memtable { hit: None, .. }));
}

#[test]
fn the_same_seed_builds_the_same_list() {
    let path = |seed| {
        let memtable = Memtable::new(1, 1, 1 << 20, seed);
        for index in (0..500_u64).rev() {
            memtable.insert(format!("{index:04}").as_bytes(), 1, ValueKind::Put, b"");
        }
        let mut path = ReadPath::default();
        memtable.get(b"0250", 1, &mut path);
        path
    };
    assert_eq!(path(5), path(5));
}

#[test]
fn a_cursor_sees_what_is_inserted_ahead_and_keeps_its_place() {
    let memtable = Arc::new(Memtable::new(1, 1, 1 << 20, 0));
    memtable.insert(b"b", 1, ValueKind::Put, b"1");
    let mut cursor = memtable.cursor();
    cursor.seek_to_first().unwrap();
    memtable.insert(b"a", 2, ValueKind::Put, b"2");
    memtable.insert(b"b", 3, ValueKind::Put, b"3");
    memtable.insert(b"c", 4, ValueKind::Put, &vec![b'z'; 1 << 20]);
    assert_eq!(cursor.value(), b"1");
    cursor.next().unwrap();
    assert_eq!(parse_internal_key(cursor.key()).unwrap().user_key, b"c");
    assert_eq!(cursor.value().len(), 1 << 20);
    cursor.prev().unwrap();
    cursor.prev().unwrap();
    assert_eq!(cursor.value(), b"3");
    cursor.prev().unwrap();
    cursor.prev().unwrap();
    assert!(!cursor.valid() && cursor.key().is_empty() && cursor.value().is_empty());
    cursor.next().unwrap();
    assert!(!cursor.valid());
}
