//! Memtables against a `BTreeMap`, and their accounting.
#![expect(clippy::cast_possible_truncation, reason = "the numbers of a test are small")]

use super::*;
use crate::iter::Cursor;
use crate::key::{compare_internal, internal_key, parse_internal_key, seek_key};
use crate::probe::{NoProbe, ReadPath};
use std::collections::BTreeMap;

mod hidden;
mod newest;

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
    let memtable = Arc::new(Memtable::new(1, 2, 1 << 20));
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
    let memtable = Memtable::new(7, 9, 2 * ENTRY_OVERHEAD_BYTES + 10);
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

/// The charged overhead must not be less than the memory of records and nodes.
#[test]
fn the_charged_overhead_covers_the_tree() {
    for order in [1, 7919] {
        let mut tree = Tree::new();
        for index in 0..20_000_u32 {
            let key = format!("{:08}", u64::from(index) * order % 20_011);
            let value = &b"values!!"[..index as usize % 8];
            tree.insert(SplitKey { user_key: key.as_bytes(), trailer: 1 << 8 }, value);
        }
        let taken = tree.bytes() - 20_000 * 8 - 20_000 / 8 * (0..8).sum::<usize>();
        assert!(taken <= 20_000 * ENTRY_OVERHEAD_BYTES, "{taken}");
        assert!(taken >= 20_000 * (ENTRY_OVERHEAD_BYTES - 8), "{taken}");
    }
}

type KeyOf<'a> = &'a dyn Fn(u64) -> Vec<u8>;

/// Keys that make every kind of split, and heads that have to be taken anew.
#[test]
fn orders_and_prefixes_of_all_kinds_are_sorted() {
    let digits = |index: u64| format!("{index:016}").into_bytes();
    let mixed = |index: u64| {
        let table = ["orders", "o", "people/names", "people/numbers"][index as usize % 4];
        format!("{table}/{:07}", index * 7_919 % 10_007).into_bytes()
    };
    let shrinking = |index: u64| vec![b'k'; 300 - index as usize % 300];
    let binary = |index: u64| (index.wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_le_bytes().to_vec();
    let one = |_: u64| b"one".to_vec();
    let patterns: [(&str, KeyOf<'_>); 7] = [
        ("ascending", &digits),
        ("descending", &|index| digits(1_000_000 - index)),
        ("mixed", &mixed),
        ("shrinking", &shrinking),
        ("binary", &binary),
        ("versions", &one),
        ("two runs", &|index| digits(index / 2 + index % 2 * 500_000)),
    ];
    for (name, key) in patterns {
        let memtable = Arc::new(Memtable::new(1, 1, 1 << 20));
        let mut model = Model::new();
        for index in 0..if cfg!(miri) { 300 } else { 12_000 } {
            memtable.insert(&key(index), index + 1, ValueKind::Put, b"v");
            model.insert(
                (key(index), std::cmp::Reverse(index + 1)),
                (ValueKind::Put, b"v".to_vec()),
            );
        }
        let mut cursor = memtable.cursor();
        cursor.seek_to_first().unwrap();
        for (expected, _) in flat(&model) {
            assert_eq!(cursor.key(), expected, "{name}");
            let mut same = memtable.cursor();
            same.seek(&expected).unwrap();
            assert_eq!(same.key(), expected, "{name}");
            cursor.next().unwrap();
        }
        assert!(!cursor.valid(), "{name}");
    }
}

#[test]
fn a_frozen_memtable_reads_the_same() {
    let (memtable, model, _) = random_memtable(11);
    let expected = flat(&model);
    let mut cursor = memtable.cursor();
    cursor.seek_to_first().unwrap();
    cursor.next().unwrap();
    memtable.freeze();
    memtable.freeze();
    assert_eq!((cursor.key(), cursor.value()), (&*expected[1].0, &*expected[1].1));
    cursor.prev().unwrap();
    for (key, value) in &expected {
        assert_eq!((cursor.key(), cursor.value()), (&**key, &**value));
        cursor.next().unwrap();
    }
    assert!(!cursor.valid() && cursor.key().is_empty());
    let found = parse_internal_key(&expected[0].0).unwrap();
    assert!(memtable.get(found.user_key, u64::MAX >> 8, &mut NoProbe).is_some());
}

#[test]
#[should_panic(expected = "the write would be lost")]
fn a_frozen_memtable_refuses_writes() {
    let memtable = Memtable::new(1, 1, 1 << 20);
    memtable.freeze();
    memtable.insert(b"k", 1, ValueKind::Put, b"v");
}

#[test]
fn a_batch_is_inserted_in_order_up_to_its_first_error() {
    let memtable = Memtable::new(1, 1, 1 << 20);
    let value = vec![b'v'; BYTES_PER_HOLD];
    let entry = |index: u64| match index {
        30 => Err(crate::Error::invalid("no such entry")),
        index if index % 5 == 0 => Ok((ValueKind::Delete, &b"k"[..], &b""[..])),
        _ => Ok((ValueKind::Put, &b"k"[..], value.as_slice())),
    };
    memtable.insert_batch(100, (0..20).map(entry)).unwrap();
    assert!(memtable.insert_batch(120, (20..40).map(entry)).is_err());
    assert_eq!((memtable.entries(), memtable.tombstones()), (30, 6));
    assert_eq!(memtable.get(b"k", 1000, &mut NoProbe).unwrap().0, 129);
    assert_eq!(memtable.get(b"k", 105, &mut NoProbe).unwrap().1, ValueKind::Delete);
}

/// An entry that a reader has seen stays, and every entry is whole, while a writer inserts and freezes.
#[test]
fn readers_and_cursors_go_on_while_a_writer_inserts() {
    let memtable = Arc::new(Memtable::new(1, 1, 1 << 20));
    let count = if cfg!(miri) { 200 } else { 20_000_u64 };
    let key = |index: u64| format!("{:06}", index * 7_919 % 100_003).into_bytes();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut seen = 0;
                while seen < count {
                    let before = memtable.entries();
                    let mut cursor = memtable.cursor();
                    cursor.seek_to_first().unwrap();
                    let (mut walked, mut last) = (0, Vec::new());
                    while cursor.valid() {
                        assert!(last.is_empty() || compare_internal(&last, cursor.key()).is_lt());
                        assert_eq!(cursor.value(), &cursor.key()[..6]);
                        last = cursor.key().to_vec();
                        walked += 1;
                        cursor.next().unwrap();
                    }
                    assert!(walked >= before, "{walked} of {before}");
                    for index in 0..before.min(50) {
                        assert!(memtable.get(&key(index), count, &mut NoProbe).is_some());
                    }
                    seen = walked;
                }
            });
        }
        for index in 0..count {
            memtable.insert(&key(index), index + 1, ValueKind::Put, &key(index));
        }
        memtable.freeze();
    });
}

#[test]
fn a_lookup_records_its_path() {
    let memtable = Memtable::new(3, 4, 1 << 20);
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
fn a_cursor_sees_what_is_inserted_ahead_and_keeps_its_place() {
    let memtable = Arc::new(Memtable::new(1, 1, 1 << 20));
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

#[test]
fn a_look_shows_the_way_that_a_search_goes() {
    for_seeds(40, |seed| {
        let mut random = SplitMix64::new(seed);
        let memtable = Memtable::new(3, 4, 1 << 24);
        let entries = [0, 1, 60, 200, 6000][random.below(5)];
        let mut keys = Vec::new();
        for sequence in 1..=entries {
            let key = random_key(&mut random);
            memtable.insert(&key, sequence, ValueKind::Put, b"x");
            keys.push(key);
        }
        for key in keys.iter().take(40).chain(&[b"stranger".to_vec()]) {
            let tree = memtable.look(Some(key));
            assert_eq!((tree.memtable, tree.entries), (3, entries), "{seed}");
            assert_eq!(tree.levels.len(), tree.path.len(), "{seed}");
            for (nodes, step) in tree.levels.iter().zip(&tree.path) {
                let on_path: Vec<u32> =
                    nodes.iter().filter(|node| node.on_path).map(|node| node.node).collect();
                assert_eq!(on_path, [step.node], "{seed}");
            }
            let versions = keys.iter().filter(|other| *other == key).count().min(100);
            assert_eq!(tree.versions.len(), versions, "{seed}: {key:?}");
            assert!(tree.versions.is_sorted_by(|a, b| a.sequence > b.sequence), "{seed}");
            // The comparisons of the steps, and one of the bytes that all keys share.
            let steps: u32 = tree.path.iter().map(|step| step.comparisons).sum();
            let shared = u32::from(tree.common.bytes > 0);
            let outside = !key.starts_with(&tree.common.head);
            assert!(outside || tree.comparisons == steps + shared, "{seed}: {tree:?}");
        }
        let first = memtable.look(None);
        let mut cursor = Arc::new(memtable).cursor();
        cursor.seek_to_first().unwrap();
        let expected =
            parse_internal_key(cursor.key()).map(|key| (key.user_key.len(), key.sequence));
        assert_eq!(first.window.first().map(|e| (e.key.bytes, e.sequence)), expected, "{seed}");
    });
}
