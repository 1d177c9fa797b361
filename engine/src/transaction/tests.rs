//! The read set against the set of all keys, the write set against a map, its cursor and its batch.
#![expect(clippy::cast_possible_truncation, reason = "the numbers of a test are small")]

use super::*;
use crate::iter::testing::{Pair, compare_walk};
use crate::key::{Cut, SEQUENCE_UNCOMMITTED, ValueKind, internal_key, seek_key};
use crate::limits::{KEY_BYTES_MAX, TRANSACTION_READ_BYTES_MAX, VALUE_BYTES_MAX};
use crate::memtable::{SplitMix64, for_seeds};
use crate::{Bound, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};

fn cut(random: &mut SplitMix64) -> Cut {
    let key = vec![b'a' + random.below(10) as u8; random.below(3)];
    match random.below(8) {
        0 => Cut::End,
        1..5 => Cut::before(&key),
        _ => Cut::after(&key),
    }
}

/// Every key that a random cut can name.
fn universe() -> Vec<Vec<u8>> {
    let keys = (b'a'..b'k').flat_map(|byte| [vec![byte], vec![byte; 2]]);
    std::iter::once(Vec::new()).chain(keys).collect()
}

#[test]
fn ranges_hold_exactly_what_was_added() {
    for_seeds(300, |seed| {
        let mut random = SplitMix64::new(seed);
        let (mut reads, mut expected) = (ReadSet::default(), BTreeSet::new());
        for _ in 0..=random.below(12) {
            let (from, to) = (cut(&mut random), cut(&mut random));
            let inside = universe().into_iter().filter(|k| !from.is_after(k) && to.is_after(k));
            expected.extend(inside);
            reads.add(from, to).unwrap();
            let held = |key: &Vec<u8>| {
                reads.ranges().filter(|(from, to)| !from.is_after(key) && to.is_after(key)).count()
            };
            for key in universe() {
                assert_eq!(held(&key), usize::from(expected.contains(&key)), "{key:?}: {reads:?}");
            }
            let ranges: Vec<_> = reads.ranges().collect();
            assert!(ranges.iter().all(|(from, to)| from < to), "{reads:?}");
            let apart = ranges.windows(2).all(|pair| pair[0].1 < pair[1].0);
            assert!(apart, "ranges that touch are one: {reads:?}");
        }
    });
}

#[test]
fn a_long_scan_is_one_range_and_the_memory_is_bounded() {
    let mut reads = ReadSet::default();
    let key = |index: u32| format!("{index:08}").into_bytes();
    for index in 0..10_000 {
        reads.add(Cut::after(&key(index)), Cut::after(&key(index + 1))).unwrap();
    }
    assert_eq!(reads.ranges().count(), 1);
    let long = |index: u32| [key(index), vec![0; KEY_BYTES_MAX - 8]].concat();
    let fitting = (TRANSACTION_READ_BYTES_MAX / (2 * KEY_BYTES_MAX)) as u32;
    let mut refused = None;
    for index in 0..=fitting {
        let key = long(20_000 + index);
        if let Err(error) = reads.add(Cut::before(&key), Cut::after(&key)) {
            refused = Some((index, error.kind()));
            break;
        }
    }
    let (index, kind) = refused.expect("so much is refused");
    assert_eq!(kind, ErrorKind::InvalidArgument);
    assert!(index > fitting - 10, "{index} of {fitting}");
    // A range that is known already costs nothing.
    reads.add(Cut::before(&long(20_000)), Cut::after(&long(20_000))).unwrap();
}

#[test]
fn bounds_become_cuts() {
    let key = |bound: Bound<&[u8]>| bound.map(<[u8]>::to_vec);
    for (bound, has_a, has_b) in [
        (key(Bound::Unbounded), true, true),
        (key(Bound::Included(b"a")), true, true),
        (key(Bound::Excluded(b"a")), false, true),
    ] {
        let lower = Cut::lower(&bound);
        assert_eq!((!lower.is_after(b"a"), !lower.is_after(b"b")), (has_a, has_b), "{bound:?}");
    }
    for (bound, has_a, has_b) in [
        (key(Bound::Unbounded), true, true),
        (key(Bound::Included(b"b")), true, true),
        (key(Bound::Excluded(b"b")), true, false),
    ] {
        let upper = Cut::upper(&bound);
        assert_eq!((upper.is_after(b"a"), upper.is_after(b"b")), (has_a, has_b), "{bound:?}");
    }
}

#[test]
fn writes_are_a_map_a_cursor_and_a_batch() {
    for_seeds(200, |seed| {
        let mut random = SplitMix64::new(seed);
        let (mut writes, mut model) = (WriteSet::default(), BTreeMap::new());
        let mut cursors: Vec<(WritesCursor, Vec<Pair>)> = Vec::new();
        for _ in 0..random.below(30) {
            let key = vec![b'a' + random.below(6) as u8; random.below(3)];
            let value = (!random.one_in(3)).then(|| vec![b'v'; random.below(300)]);
            writes.set(&key, value.as_deref()).unwrap();
            model.insert(key, value);
            if random.one_in(6) {
                cursors.push((writes.cursor(), entries(&model)));
            }
        }
        cursors.push((writes.cursor(), entries(&model)));
        let targets = targets();
        for (cursor, expected) in &mut cursors {
            compare_walk(cursor, expected, &targets, &mut random, 60);
        }
        for (key, value) in &model {
            assert_eq!(writes.get(key).unwrap().value(), value.as_deref());
        }
        assert!(writes.len() == model.len() && writes.get(b"zzz").is_none());
        let batch = writes.batch().unwrap();
        assert_eq!((batch.len() as usize, batch.bytes()), (model.len(), writes.bytes()));
        let written = batch.entries().map(|entry| {
            let (kind, key, value) = entry.unwrap();
            (key.to_vec(), (kind == ValueKind::Put).then(|| value.to_vec()))
        });
        assert!(written.eq(model));
    });
}

fn entries(model: &BTreeMap<Vec<u8>, Option<Vec<u8>>>) -> Vec<Pair> {
    let entry = |(key, value): (&Vec<u8>, &Option<Vec<u8>>)| {
        let kind = if value.is_some() { ValueKind::Put } else { ValueKind::Delete };
        let key = internal_key(key, SEQUENCE_UNCOMMITTED, kind);
        (key, value.clone().unwrap_or_default())
    };
    model.iter().map(entry).collect()
}

fn targets() -> Vec<Vec<u8>> {
    let keys = (b'a'..b'h').flat_map(|byte| [vec![byte], vec![byte; 2]]).chain([Vec::new()]);
    keys.flat_map(|key| {
        let newest = internal_key(&key, SEQUENCE_UNCOMMITTED, ValueKind::Delete);
        [seek_key(&key, SEQUENCE_UNCOMMITTED), newest, seek_key(&key, 5), key]
    })
    .collect()
}

#[test]
fn a_refused_write_changes_nothing() {
    let mut writes = WriteSet::default();
    writes.set(b"a", Some(&vec![1; VALUE_BYTES_MAX])).unwrap();
    let before = writes.bytes();
    for refused in [
        writes.set(&vec![0; KEY_BYTES_MAX + 1], None),
        writes.set(b"b", Some(&vec![0; VALUE_BYTES_MAX + 1])),
        writes.set(b"b", Some(&vec![0; VALUE_BYTES_MAX])),
    ] {
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    assert_eq!((writes.len(), writes.bytes()), (1, before));
    // A replaced value makes room again.
    writes.set(b"a", None).unwrap();
    writes.set(b"b", Some(&vec![0; VALUE_BYTES_MAX])).unwrap();
    assert_eq!(writes.batch().unwrap().bytes(), writes.bytes());
}
