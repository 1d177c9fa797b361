//! The iterator for callers against a `BTreeMap`: every bound, every snapshot, blocking and failing.
#![expect(clippy::cast_possible_truncation, reason = "the numbers of a test are small")]

use super::super::testing::{Mood, Pair, VecCursor, blocks};
use super::super::{Cursor, MergingCursor};
use super::*;
use crate::ValueKind;
use crate::key::{compare_internal, internal_key};
use crate::memtable::{Memtable, SplitMix64, for_seeds};
use std::collections::BTreeMap;

mod live;

type Map = BTreeMap<Vec<u8>, Vec<u8>>;
type Bounds = (Bound<Vec<u8>>, Bound<Vec<u8>>);

fn iterator(cursor: impl Cursor + 'static, sequence: SeqNo, bounds: &Bounds) -> DbIterator {
    let (lower, upper) = bounds.clone();
    let cursor = MergingCursor::new(vec![Source::Other(Box::new(cursor))]);
    DbIterator::new(cursor, sequence, lower, upper, Arc::new(()))
}

const EVERYTHING: Bounds = (Bound::Unbounded, Bound::Unbounded);

/// The entries of `map` that lie within `bounds`; none when the bounds are the wrong way round.
fn within(map: &Map, bounds: &Bounds) -> Vec<Pair> {
    let inside = |key: &Vec<u8>| {
        let above = match &bounds.0 {
            Bound::Unbounded => true,
            Bound::Included(lower) => key >= lower,
            Bound::Excluded(lower) => key > lower,
        };
        let below = match &bounds.1 {
            Bound::Unbounded => true,
            Bound::Included(upper) => key <= upper,
            Bound::Excluded(upper) => key < upper,
        };
        above && below
    };
    map.iter()
        .filter(|(key, _)| inside(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn current(iterator: &DbIterator) -> Option<Pair> {
    iterator.valid().then(|| (iterator.key().to_vec(), iterator.value().to_vec()))
}

fn collect(iterator: &mut DbIterator, forward: bool) -> Vec<Pair> {
    let mut found = Vec::new();
    if forward { iterator.seek_to_first() } else { iterator.seek_to_last() }.unwrap();
    while let Some(pair) = current(iterator) {
        found.push(pair);
        if forward { iterator.next() } else { iterator.prev() }.unwrap();
    }
    if !forward {
        found.reverse();
    }
    found
}

/// The entry for a key that is not in the subset.
#[derive(Debug, Clone, Copy)]
enum Absent {
    Nothing,
    Deleted,
    Newer,
}

const KEYS: [&[u8]; 5] = [b"", b"b", b"bb", b"d", b"\xff"];
/// Every key, and something before, between and after them.
const PROBES: [&[u8]; 9] = [b"", b"\x00", b"b", b"b\x00", b"bb", b"c", b"d", b"\xff", b"\xff\xff"];

fn subset(mask: usize, absent: Absent) -> (Vec<Pair>, Map) {
    let (mut entries, mut map) = (Vec::new(), Map::new());
    for (index, key) in KEYS.iter().enumerate() {
        let mut put = |sequence, kind, value: &[u8]| {
            entries.push((internal_key(key, sequence, kind), value.to_vec()));
        };
        if mask & (1 << index) != 0 {
            put(12, ValueKind::Delete, b"");
            put(9, ValueKind::Put, b"new");
            put(5, ValueKind::Delete, b"");
            put(1, ValueKind::Put, b"old");
            map.insert(key.to_vec(), b"new".to_vec());
            continue;
        }
        match absent {
            Absent::Nothing => {}
            Absent::Deleted => {
                put(8, ValueKind::Delete, b"");
                put(2, ValueKind::Put, b"gone");
            }
            Absent::Newer => put(11, ValueKind::Put, b"later"),
        }
    }
    (entries, map)
}

fn all_bounds() -> Vec<Bounds> {
    let one_side = || {
        let ends = PROBES
            .iter()
            .flat_map(|key| [Bound::Included(key.to_vec()), Bound::Excluded(key.to_vec())]);
        std::iter::once(Bound::Unbounded).chain(ends).collect::<Vec<_>>()
    };
    let uppers = one_side();
    let pairs = one_side().into_iter().flat_map(|lower| {
        uppers.iter().map(move |upper| (lower.clone(), upper.clone())).collect::<Vec<_>>()
    });
    pairs.collect()
}

#[test]
fn every_subset_bound_direction_and_seek() {
    for absent in [Absent::Nothing, Absent::Deleted, Absent::Newer] {
        for mask in 0..1 << KEYS.len() {
            let (entries, map) = subset(mask, absent);
            for bounds in all_bounds() {
                let expected = within(&map, &bounds);
                let cursor = VecCursor::new(entries.clone(), Mood::Willing);
                let mut it = iterator(cursor, 10, &bounds);
                assert!(!it.valid());
                let what = || format!("{mask:05b} {absent:?} {bounds:?}");
                assert_eq!(collect(&mut it, true), expected, "{}", what());
                assert_eq!(collect(&mut it, false), expected, "{}", what());
                for probe in PROBES {
                    let at = expected.partition_point(|(key, _)| key.as_slice() < probe);
                    it.seek(probe).unwrap();
                    assert_eq!(current(&it).as_ref(), expected.get(at), "seek {}", what());
                    if it.valid() {
                        it.prev().unwrap();
                        let before = at.checked_sub(1).and_then(|at| expected.get(at));
                        assert_eq!(current(&it).as_ref(), before, "seek, prev {}", what());
                    }
                    let after = expected.partition_point(|(key, _)| key.as_slice() <= probe);
                    let at = after.checked_sub(1);
                    it.seek_for_prev(probe).unwrap();
                    let found = at.and_then(|at| expected.get(at));
                    assert_eq!(current(&it).as_ref(), found, "seek_for_prev {}", what());
                    if it.valid() {
                        it.next().unwrap();
                        assert_eq!(current(&it).as_ref(), expected.get(after), "next {}", what());
                    }
                }
            }
        }
    }
}

/// A history of writes over few keys, spread over sources, and the map after each write.
fn history(random: &mut SplitMix64, writes: u64) -> (Vec<Vec<Pair>>, Vec<Map>) {
    let mut sources = vec![Vec::new(); 1 + random.below(4)];
    let mut maps = vec![Map::new()];
    let keys = 1 + random.below(8);
    for sequence in 1..=writes {
        let key = vec![b'a' + random.below(keys) as u8];
        let mut map = maps[maps.len() - 1].clone();
        let source = random.below(sources.len());
        if random.one_in(3) {
            map.remove(&key);
            sources[source].push((internal_key(&key, sequence, ValueKind::Delete), vec![]));
        } else {
            let value = sequence.to_string().into_bytes();
            map.insert(key.clone(), value.clone());
            sources[source].push((internal_key(&key, sequence, ValueKind::Put), value));
        }
        maps.push(map);
    }
    for source in &mut sources {
        source.sort_by(|left, right| compare_internal(&left.0, &right.0));
    }
    (sources, maps)
}

fn merged(sources: &[Vec<Pair>], mood: impl Fn(usize) -> Mood) -> MergingCursor<VecCursor> {
    let children = sources
        .iter()
        .enumerate()
        .map(|(index, source)| VecCursor::new(source.clone(), mood(index)));
    MergingCursor::new(children.collect())
}

#[test]
fn every_sequence_number_shows_its_own_state() {
    for_seeds(60, |seed| {
        let mut random = SplitMix64::new(seed);
        // In the long histories walks jump, backward too, and count less.
        let writes = [8, 120][random.below(2)];
        let (sources, maps) = history(&mut random, writes);
        for (sequence, map) in maps.iter().enumerate() {
            let cursor = merged(&sources, |_| Mood::Willing);
            let mut it = iterator(cursor, sequence as u64, &EVERYTHING);
            assert_eq!(collect(&mut it, true), within(map, &EVERYTHING));
            let forward = it.skipped();
            assert_eq!(collect(&mut it, false), within(map, &EVERYTHING));
            let both = it.skipped();
            if writes > 8 {
                continue;
            }
            assert_eq!(both.shadowed, 2 * forward.shadowed);
            assert_eq!(both.tombstones, 2 * forward.tombstones);
            assert_eq!(both.newer, 2 * forward.newer);
            assert_eq!(forward.newer, writes - sequence as u64);
            let walked = forward.shadowed + forward.tombstones + map.len() as u64;
            assert_eq!(walked, sequence as u64);
        }
    });
}

/// A thousand versions of one key are not stepped over one by one.
#[test]
fn long_runs_of_versions_are_jumped_over() {
    let mut entries: Vec<Pair> = vec![(internal_key(b"a", 1, ValueKind::Put), b"a".to_vec())];
    let versions = (2..=1001).rev();
    entries.extend(versions.map(|s| (internal_key(b"b", s, ValueKind::Put), b"b".to_vec())));
    entries.push((internal_key(b"c", 1, ValueKind::Put), b"c".to_vec()));
    for sequence in [1001, 500] {
        let cursor = VecCursor::new(entries.clone(), Mood::Willing);
        let mut it = iterator(cursor, sequence, &EVERYTHING);
        for forward in [true, false] {
            let before = it.skipped();
            assert_eq!(collect(&mut it, forward).len(), 3);
            let newer = it.skipped().newer - before.newer;
            // Going back over newer versions is the one walk that does not jump.
            assert!(newer <= if forward { 8 } else { 1001 - sequence }, "{newer}");
            assert!(it.skipped().shadowed - before.shadowed <= 34);
        }
    }
}

/// Makes one random call on both; the model is the sorted entries and a place.
fn random_call(
    it: &mut DbIterator,
    expected: &[Pair],
    place: Option<usize>,
    random: &mut SplitMix64,
) -> Option<usize> {
    let target = [b'a' + random.below(9) as u8];
    let call = random.below(16);
    let before = current(it);
    loop {
        let result = match call {
            0 => it.seek_to_first(),
            1 => it.seek_to_last(),
            2 | 3 => it.seek(&target),
            4 | 5 => it.seek_for_prev(&target),
            6..11 => it.next(),
            _ => it.prev(),
        };
        if !blocks(result) {
            break;
        }
        assert_eq!(current(it), before, "a call that blocks changes nothing");
        if random.one_in(4) {
            return place;
        }
    }
    let last = expected.len().checked_sub(1);
    match call {
        0 => last.map(|_| 0),
        1 => last,
        2 | 3 => Some(expected.partition_point(|(key, _)| key.as_slice() < &target[..])),
        4 | 5 => expected.partition_point(|(key, _)| key.as_slice() <= &target[..]).checked_sub(1),
        6..11 => place.map(|at| at + 1),
        _ => place.and_then(|at| at.checked_sub(1)),
    }
    .filter(|at| *at < expected.len())
}

#[test]
fn random_walks_with_blocking_sources() {
    for_seeds(300, |seed| {
        let mut random = SplitMix64::new(seed);
        let writes = 60 + 60 * random.below(3) as u64;
        let (sources, maps) = history(&mut random, writes);
        let bounds = all_bounds();
        let bounds =
            if random.one_in(3) { &bounds[random.below(bounds.len())] } else { &EVERYTHING };
        let sequence = random.below(maps.len());
        let expected = within(&maps[sequence], bounds);
        let one_in = [0, 2, 6][random.below(3)];
        let cursor = merged(&sources, |index| match one_in {
            0 => Mood::Willing,
            _ => Mood::BlocksOneIn(one_in, SplitMix64::new(seed * 8 + index as u64)),
        });
        let mut it = iterator(cursor, sequence as u64, bounds);
        let mut place = None;
        for _ in 0..120 {
            place = random_call(&mut it, &expected, place, &mut random);
            assert_eq!(current(&it).as_ref(), place.and_then(|at| expected.get(at)));
        }
    });
}

/// A walk over many tombstones that blocks again and again goes on where it stopped.
#[test]
fn a_blocked_walk_does_not_begin_again() {
    let mut entries: Vec<Pair> = (0..1000_u32)
        .map(|key| (internal_key(format!("{key:04}").as_bytes(), 1, ValueKind::Delete), vec![]))
        .collect();
    entries.push((internal_key(b"9999", 2, ValueKind::Put), b"x".to_vec()));
    for forward in [true, false] {
        if !forward {
            entries.rotate_right(1);
            entries[0].0 = internal_key(b"", 2, ValueKind::Put);
        }
        let mood = Mood::BlocksOneIn(10, SplitMix64::new(1));
        let mut it = iterator(VecCursor::new(entries.clone(), mood), 9, &EVERYTHING);
        let mut calls = 0;
        while blocks(if forward { it.seek_to_first() } else { it.seek_to_last() }) {
            calls += 1;
        }
        assert_eq!(it.value(), b"x");
        assert!((10..300).contains(&calls), "{calls}");
        assert_eq!(it.skipped().tombstones, 1000);
    }
}

#[test]
fn an_error_stays() {
    for_seeds(30, |seed| {
        let mut random = SplitMix64::new(seed);
        let (sources, _) = history(&mut random, 30);
        let cursor = merged(&sources, |index| {
            if index == 0 { Mood::FailsAfter(1 + seed as usize % 7) } else { Mood::Willing }
        });
        let mut it = iterator(cursor, 30, &EVERYTHING);
        let mut result = it.seek_to_first();
        while result.is_ok() && it.valid() {
            result = it.next();
        }
        let Err(error) = result else { return };
        assert_eq!(error.kind(), ErrorKind::Io);
        for _ in 0..2 {
            assert!(!it.valid() && it.key().is_empty() && it.value().is_empty());
            assert_eq!(it.next(), Err(error.clone()));
            assert_eq!(it.prev(), Err(error.clone()));
            assert_eq!(it.seek(b"a"), Err(error.clone()));
            assert_eq!(it.seek_to_last(), Err(error.clone()));
        }
    });
}

#[test]
fn a_key_without_trailer_is_damage() {
    let mut it =
        iterator(VecCursor::new(vec![(b"short".to_vec(), vec![])], Mood::Willing), 9, &EVERYTHING);
    assert_eq!(it.seek_to_first().unwrap_err().kind(), ErrorKind::Corruption);
    assert!(it.seek_to_first().is_err() && !it.valid());
}

/// A key written after the iterator was made must not appear when it turns around.
#[test]
fn turning_around_shows_nothing_newer() {
    let memtable = Arc::new(Memtable::new(1, 1, 1 << 20));
    for (sequence, key) in (1..).zip([b"a", b"b", b"c"]) {
        memtable.insert(key, sequence, ValueKind::Put, key);
    }
    let mut it = iterator(memtable.cursor(), 3, &EVERYTHING);
    it.seek(b"b").unwrap();
    memtable.insert(b"ab", 4, ValueKind::Put, b"later");
    memtable.insert(b"b", 5, ValueKind::Put, b"later");
    memtable.insert(b"bb", 6, ValueKind::Delete, b"");
    memtable.insert(b"a", 7, ValueKind::Delete, b"");
    let mut seen = vec![it.value().to_vec()];
    for forward in [false, true, true, false, false] {
        if forward { it.next() } else { it.prev() }.unwrap();
        seen.push(it.value().to_vec());
    }
    assert_eq!(seen, [b"b", b"a", b"b", b"c", b"b", b"a"]);
    it.prev().unwrap();
    assert!(!it.valid());
}
