//! Sets, stacks and flat lists against a walk over all tombstones.
#![expect(clippy::cast_possible_truncation, reason = "the numbers of a test are small")]

use super::flatten::flatten;
use super::*;
use crate::memtable::{SplitMix64, for_seeds};

fn key(random: &mut SplitMix64) -> Vec<u8> {
    vec![b'a' + random.below(8) as u8; random.below(3)]
}

fn universe() -> Vec<Vec<u8>> {
    let keys = (b'a'..=b'i').flat_map(|byte| [vec![byte], vec![byte; 2], vec![byte, 0]]);
    std::iter::once(Vec::new()).chain(keys).collect()
}

fn tombstones(random: &mut SplitMix64, count: usize) -> Vec<RangeTombstone> {
    let mut made = Vec::new();
    while made.len() < count {
        let (begin, end) = (key(random), key(random));
        let end = if random.one_in(8) { Vec::new() } else { end };
        // Pieces of one tombstone share a sequence number.
        let sequence = 1 + random.below(2 * count) as SeqNo;
        made.extend(RangeTombstone::new(&begin, &end, sequence));
    }
    made
}

fn newest(all: &[RangeTombstone], key: &[u8], sequence: SeqNo) -> Option<SeqNo> {
    let covering = all.iter().filter(|t| t.span().holds(key) && t.sequence <= sequence);
    covering.map(|t| t.sequence).max()
}

#[test]
fn sets_and_stacks_find_the_newest_tombstone_over_a_key() {
    for_seeds(300, |seed| {
        let mut random = SplitMix64::new(seed);
        let count = random.below(20);
        let all = tombstones(&mut random, count);
        let set = RangeSet::new(all.clone());
        let mut stack = RangeStack::default();
        for tombstone in &all {
            stack.push(tombstone.clone());
        }
        assert_eq!((set.len(), stack.all().count()), (all.len(), all.len()));
        for key in universe() {
            for sequence in 0..2 + 2 * count as SeqNo {
                let expected = newest(&all, &key, sequence);
                let of = |t: Option<&RangeTombstone>| t.map(|t| t.sequence);
                assert_eq!(of(set.covering(&key, sequence)), expected, "{key:?} {sequence}");
                assert_eq!(of(stack.covering(&key, sequence)), expected, "{key:?} {sequence}");
            }
        }
        for _ in 0..20 {
            let (from, to) = (key(&mut random), key(&mut random));
            let span = Span { from: Cut::At(&from, false), to: Cut::At(&to, random.one_in(2)) };
            let expected = all.iter().filter(|t| t.span().overlaps(&span) && span.from < span.to);
            if span.from < span.to {
                assert_eq!(set.overlapping(&span).count(), expected.clone().count(), "{span:?}");
                assert_eq!(stack.overlapping(&span).count(), expected.count(), "{span:?}");
            }
        }
        let hull = all.iter().map(RangeTombstone::span).reduce(Span::hull);
        assert_eq!(set.span(), hull);
        let owned = hull.map(|hull| (hull.from.next_key().unwrap(), hull.to.owned()));
        assert_eq!(stack.span(), owned);
    });
}

#[test]
fn flat_tombstones_are_disjoint_and_hide_the_same() {
    for_seeds(300, |seed| {
        let mut random = SplitMix64::new(seed);
        let count = random.below(20);
        let all = tombstones(&mut random, count);
        let flat = flatten(&all.iter().collect::<Vec<_>>());
        assert!(flat.len() <= 2 * all.len(), "{flat:?}");
        let apart = |pair: &[RangeTombstone]| {
            let (left, right) = (&pair[0], &pair[1]);
            let touch = left.span().to == right.span().from;
            left.span().to < right.span().from || touch && left.sequence != right.sequence
        };
        assert!(flat.windows(2).all(apart), "{flat:?}");
        let mut cover = Cover::new(&all.iter().collect::<Vec<_>>());
        let mut keys = universe();
        for key in &keys {
            assert_eq!(newest(&flat, key, SeqNo::MAX), newest(&all, key, SeqNo::MAX), "{key:?}");
        }
        // Upwards, downwards, and to anywhere.
        keys.sort();
        let backwards = keys.iter().rev().cloned().collect::<Vec<_>>();
        let anywhere = (0..50).map(|_| keys[random.below(keys.len())].clone()).collect::<Vec<_>>();
        for key in keys.into_iter().chain(backwards).chain(anywhere) {
            let sequence = random.below(2 + 2 * count) as SeqNo;
            let expected = newest(&all, &key, SeqNo::MAX).filter(|newest| *newest > sequence);
            assert_eq!(cover.hides(&key, sequence).map(|t| t.sequence), expected, "{key:?}");
        }
    });
}

#[test]
fn each_stripe_keeps_what_its_readers_see() {
    for_seeds(300, |seed| {
        let mut random = SplitMix64::new(seed);
        let count = 1 + random.below(20);
        let all = tombstones(&mut random, count);
        let mut ends: Vec<SeqNo> =
            (0..random.below(4)).map(|_| random.below(2 * count) as SeqNo).collect();
        ends.sort_unstable();
        let last = 2 * count as SeqNo;
        let stripe_end =
            |sequence: SeqNo| ends.iter().copied().find(|end| *end >= sequence).unwrap_or(last);
        let flat = flatten_stripes(&all.iter().collect::<Vec<_>>(), stripe_end);
        assert!(flat.is_sorted_by(|left, right| {
            (&left.begin, right.sequence) <= (&right.begin, left.sequence)
        }));
        for key in universe() {
            for reader in ends.iter().copied().chain([last]) {
                assert_eq!(newest(&flat, &key, reader), newest(&all, &key, reader), "{key:?}");
            }
        }
    });
}

#[test]
fn clipping_leaves_what_lies_within() {
    let tombstone = RangeTombstone::new(b"c", b"m", 7).unwrap();
    let clip = |from: &[u8], to: Cut<&[u8]>| {
        let clipped = tombstone.clipped(&Span { from: Cut::At(from, false), to });
        clipped.map(|clipped| (clipped.begin.clone(), clipped.stored_end().to_vec()))
    };
    assert_eq!(clip(b"", Cut::End), Some((b"c".to_vec(), b"m".to_vec())));
    assert_eq!(clip(b"d", Cut::At(b"f", false)), Some((b"d".to_vec(), b"f".to_vec())));
    assert_eq!(clip(b"m", Cut::End), None);
    assert_eq!(clip(b"", Cut::At(b"c", false)), None);
    assert_eq!(RangeTombstone::new(b"c", b"c", 1), None);
    assert_eq!(RangeTombstone::new(b"d", b"c", 1), None);
    assert!(RangeTombstone::new(b"", b"", 1).unwrap().span().holds(&[0xff; 3]));
}
