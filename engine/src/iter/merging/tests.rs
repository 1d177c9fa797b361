//! Merges of up to six sources against one sorted vector.
#![expect(clippy::cast_possible_truncation, reason = "the numbers of a test are small")]

use super::super::testing::{Mood, Pair, VecCursor, compare_walk};
use super::*;
use crate::key::{internal_key, seek_key};
use crate::memtable::{Memtable, SplitMix64, for_seeds};
use crate::{ErrorKind, ValueKind};
use std::sync::Arc;

fn sources(random: &mut SplitMix64) -> (Vec<Vec<Pair>>, Vec<Pair>) {
    let count = random.below(7);
    let mut sources = vec![Vec::new(); count];
    let keys = 1 + random.below(30);
    for sequence in 1..=random.below(120) as u64 {
        if count == 0 {
            break;
        }
        let key = format!("k{:02}", random.below(keys)).into_bytes();
        let kind = if random.one_in(4) { ValueKind::Delete } else { ValueKind::Put };
        let pair = (internal_key(&key, sequence, kind), sequence.to_string().into_bytes());
        sources[random.below(count)].push(pair);
    }
    for source in &mut sources {
        source.sort_by(|left, right| compare_internal(&left.0, &right.0));
    }
    let mut all = sources.concat();
    all.sort_by(|left, right| compare_internal(&left.0, &right.0));
    (sources, all)
}

fn targets() -> Vec<Vec<u8>> {
    let keys = (0..32).flat_map(|key| [0, 1, 40, 200].map(|seq| (format!("k{key:02}"), seq)));
    keys.map(|(key, sequence)| seek_key(key.as_bytes(), sequence)).collect()
}

#[test]
fn random_walks_agree_with_a_sorted_vector() {
    for_seeds(300, |seed| {
        let mut random = SplitMix64::new(seed);
        let (sources, all) = sources(&mut random);
        let blocking = [0, 2, 5, 20][random.below(4)];
        let children = sources.into_iter().enumerate().map(|(index, source)| {
            let mood = match blocking {
                0 => Mood::Willing,
                count => Mood::BlocksOneIn(count, SplitMix64::new(seed ^ index as u64)),
            };
            VecCursor::new(source, mood)
        });
        let mut cursor = MergingCursor::new(children.collect());
        assert!(!cursor.valid());
        compare_walk(&mut cursor, &all, &targets(), &mut random, 150);
    });
}

#[test]
fn memtables_merge_too() {
    for_seeds(20, |seed| {
        let mut random = SplitMix64::new(seed);
        let (sources, all) = sources(&mut random);
        let children = sources.iter().map(|source| {
            let memtable = Arc::new(Memtable::new(1, 1, 1 << 20));
            for (key, value) in source {
                let key = crate::key::parse_internal_key(key).unwrap();
                memtable.insert(key.user_key, key.sequence, key.kind, value);
            }
            memtable.cursor()
        });
        let mut cursor = MergingCursor::new(children.collect());
        compare_walk(&mut cursor, &all, &targets(), &mut random, 200);
    });
}

/// A child whose next file is not open refuses after its siblings have been turned around.
#[test]
fn turning_around_can_be_repeated() {
    for_seeds(100, |seed| {
        let pair = |number: u64| (seek_key(format!("{number}").as_bytes(), 1), vec![]);
        let children = (0..3_u64).map(|child| {
            let mood = Mood::BlocksOneIn(2, SplitMix64::new(seed * 3 + child));
            let entries = (0..3).map(|row| pair(10 + child + 3 * row)).collect();
            VecCursor::new(entries, mood)
        });
        let mut cursor = MergingCursor::new(children.collect());
        let middle = seek_key(b"14", 1);
        while cursor.seek(&middle).is_err() {}
        for expected in ["13", "14", "15", "14", "13", "12"] {
            let forward =
                expected > std::str::from_utf8(crate::key::user_key(cursor.key())).unwrap();
            while (if forward { cursor.next() } else { cursor.prev() }).is_err() {}
            assert_eq!(crate::key::user_key(cursor.key()), expected.as_bytes());
        }
    });
}

#[test]
fn an_error_stays() {
    for calls in 0..12 {
        let entries = |start: u64| {
            (0..3).map(|row| (seek_key(&[b'a' + start as u8 + 2 * row], 1), vec![])).collect()
        };
        let mut cursor = MergingCursor::new(vec![
            VecCursor::new(entries(0), Mood::Willing),
            VecCursor::new(entries(1), Mood::FailsAfter(calls)),
        ]);
        let mut seen = 0;
        let mut result = cursor.seek_to_first();
        while result.is_ok() && cursor.valid() {
            seen += 1;
            result = cursor.next();
        }
        if let Err(error) = result {
            assert_eq!(error.kind(), ErrorKind::Io);
            assert!(!cursor.valid() && cursor.key().is_empty() && cursor.value().is_empty());
            for _ in 0..2 {
                assert_eq!(cursor.next(), Err(error.clone()));
                assert_eq!(cursor.prev(), Err(error.clone()));
                assert_eq!(cursor.seek(b"a1234567"), Err(error.clone()));
                assert_eq!(cursor.seek_to_first(), Err(error.clone()));
                assert_eq!(cursor.seek_to_last(), Err(error.clone()));
            }
        } else {
            assert_eq!(seen, 6, "an error must not look like the end");
        }
    }
}

#[test]
fn equal_keys_come_in_the_order_of_the_children() {
    let entries = |value: &[u8]| vec![(seek_key(b"a", 1), value.to_vec())];
    let children = [b"0", b"1", b"2"].map(|value| VecCursor::new(entries(value), Mood::Willing));
    let mut cursor = MergingCursor::new(children.into());
    cursor.seek_to_first().unwrap();
    let mut values = vec![cursor.value().to_vec()];
    for _ in 0..2 {
        cursor.next().unwrap();
        values.push(cursor.value().to_vec());
    }
    assert_eq!(values, [b"0", b"1", b"2"]);
    cursor.prev().unwrap();
    assert!(!cursor.valid(), "who turns around goes past all of them");
    cursor.seek_to_last().unwrap();
    for value in [b"2", b"1", b"0"] {
        assert_eq!(cursor.value(), value);
        cursor.prev().unwrap();
    }
}
