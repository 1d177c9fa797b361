//! Verdicts, rule by rule, and the property that they ensure: a merge changes no reader's result.
#![expect(clippy::cast_possible_truncation, reason = "the numbers of a test are small")]

use super::*;
use crate::key::{compare_internal, internal_key};
use crate::memtable::{SplitMix64, for_seeds};
use ValueKind::{Delete, Put};
use Verdict::{DroppedShadowed, DroppedTombstone, KeptForSnapshot, KeptNewest, KeptTombstone};
use std::collections::BTreeMap;

/// One older run with a table for each of `ranges`.
fn deeper(ranges: &[(&str, &str)]) -> Vec<Vec<Arc<TableMeta>>> {
    let tables = ranges.iter().zip(1..).map(|((smallest, largest), number)| {
        let meta = TableMeta {
            number,
            run: 1,
            bytes: 1,
            entries: 1,
            tombstones: 0,
            blocks: 1,
            smallest: internal_key(smallest.as_bytes(), 1, Put),
            largest: internal_key(largest.as_bytes(), 1, Put),
            ranges: None,
            sequence_min: 1,
            sequence_max: 1,
        };
        Arc::new(meta)
    });
    vec![tables.collect()]
}

/// The verdicts on versions of one key, newest first, in a merge without the older runs `older`.
fn verdicts(
    versions: &[(u64, ValueKind)],
    snapshots: &[u64],
    last_sequence: u64,
    older: Vec<Vec<Arc<TableMeta>>>,
) -> Vec<Verdict> {
    let mut retain = Retain::new(snapshots, last_sequence, older);
    let judge = |(sequence, kind): &(u64, ValueKind)| {
        retain.judge(&internal_key(b"k", *sequence, *kind)).unwrap()
    };
    versions.iter().map(judge).collect()
}

#[test]
fn without_snapshots_only_the_newest_stays() {
    let found = verdicts(&[(9, Put), (7, Delete), (3, Put)], &[], 9, deeper(&[]));
    assert_eq!(found, [KeptNewest, DroppedShadowed, DroppedShadowed]);
}

#[test]
fn a_tombstone_stays_while_deeper_data_may_be_hidden_by_it() {
    let versions = [(9, Delete), (3, Put)];
    let at_base = [DroppedTombstone, DroppedShadowed];
    assert_eq!(verdicts(&versions, &[], 9, deeper(&[])), at_base);
    assert_eq!(verdicts(&versions, &[], 9, deeper(&[("a", "j"), ("l", "z")])), at_base);
    let hiding = [KeptTombstone, DroppedShadowed];
    for range in [("a", "z"), ("k", "k"), ("a", "k"), ("k", "z")] {
        assert_eq!(verdicts(&versions, &[], 9, deeper(&[range])), hiding, "{range:?}");
    }
}

/// Runs overlap each other: each of them may be the one that still has the key.
#[test]
fn every_older_run_counts() {
    let runs =
        |ranges: &[(&str, &str)]| ranges.iter().flat_map(|range| deeper(&[*range])).collect();
    let versions = [(9, Delete), (3, Put)];
    let hiding = [KeptTombstone, DroppedShadowed];
    for ranges in [[("a", "b"), ("k", "z")], [("k", "z"), ("a", "b")], [("a", "z"), ("b", "k")]] {
        assert_eq!(verdicts(&versions, &[], 9, runs(&ranges)), hiding, "{ranges:?}");
    }
    let gone = [DroppedTombstone, DroppedShadowed];
    assert_eq!(verdicts(&versions, &[], 9, runs(&[("a", "b"), ("l", "z"), ("c", "j")])), gone);
}

#[test]
fn a_snapshot_at_every_boundary() {
    let versions = [(8, Put), (6, Delete), (4, Put), (2, Put)];
    let expect = |snapshot: u64, expected: [Verdict; 4]| {
        assert_eq!(verdicts(&versions, &[snapshot], 8, deeper(&[])), expected, "{snapshot}");
    };
    let (new, old, gone) = (KeptNewest, KeptForSnapshot, DroppedShadowed);
    expect(0, [new, gone, gone, gone]);
    expect(1, [new, gone, gone, gone]);
    expect(2, [new, gone, gone, old]);
    expect(3, [new, gone, gone, old]);
    expect(4, [new, gone, old, gone]);
    expect(5, [new, gone, old, gone]);
    // The snapshot sees the tombstone; with nothing below, it sees the same without it.
    expect(6, [new, DroppedTombstone, gone, gone]);
    expect(7, [new, DroppedTombstone, gone, gone]);
    expect(8, [new, gone, gone, gone]);
    expect(9, [new, gone, gone, gone]);
}

#[test]
fn a_tombstone_above_a_snapshot_hides_what_the_snapshot_keeps() {
    let found = verdicts(&[(8, Delete), (4, Put)], &[5], 8, deeper(&[]));
    assert_eq!(found, [KeptForSnapshot, KeptForSnapshot]);
    let found = verdicts(&[(8, Delete), (4, Put)], &[5], 8, deeper(&[("a", "z")]));
    assert_eq!(found, [KeptTombstone, KeptForSnapshot]);
    let found = verdicts(&[(8, Put), (4, Delete), (2, Put)], &[5], 8, deeper(&[("a", "z")]));
    assert_eq!(found, [KeptNewest, KeptForSnapshot, DroppedShadowed]);
}

#[test]
fn a_snapshot_at_zero_sees_nothing_and_loses_nothing() {
    let found = verdicts(&[(8, Delete), (4, Put)], &[0], 8, deeper(&[]));
    assert_eq!(found, [KeptForSnapshot, DroppedShadowed]);
}

/// Written, but not yet visible when the merge began: a snapshot may still be taken anywhere there.
#[test]
fn what_is_newer_than_the_start_is_never_dropped() {
    let versions = [(12, Delete), (11, Put), (10, Put), (9, Put), (8, Put)];
    let found = verdicts(&versions, &[], 9, deeper(&[]));
    let kept = KeptForSnapshot;
    assert_eq!(found, [kept, kept, kept, kept, DroppedShadowed]);
    let found = verdicts(&versions, &[12], 9, deeper(&[]));
    assert_eq!(found, [kept, kept, kept, kept, DroppedShadowed]);
}

#[test]
fn damage_and_disorder_stop_the_merge() {
    let first = internal_key(b"k", 5, Put);
    let wrong =
        [internal_key(b"k", 5, Put), internal_key(b"k", 6, Put), internal_key(b"j", 9, Put)];
    for key in wrong.iter().map(Vec::as_slice).chain([&b"short"[..]]) {
        let mut retain = Retain::new(&[], 9, deeper(&[]));
        retain.judge(&first).unwrap();
        assert_eq!(retain.judge(key).unwrap_err().kind(), ErrorKind::Corruption);
    }
}

/// A value that a range tombstone hides is not the newest version, so no filter is asked about it.
#[test]
fn a_value_under_a_range_tombstone_is_not_the_newest() {
    let judged = |tombstone: u64, snapshots: &[u64], last: u64| {
        let range = RangeTombstone::new(b"a", b"z", tombstone).unwrap();
        let mut retain = Retain::new(snapshots, last, deeper(&[])).with_ranges(vec![range]);
        let verdict = retain.judge(&internal_key(b"k", 4, Put)).unwrap();
        (verdict, retain.is_settled(4, verdict))
    };
    assert_eq!(judged(3, &[], 9), (KeptNewest, true));
    assert_eq!(judged(7, &[], 9), (Verdict::DroppedRangeDeleted, false));
    assert_eq!(judged(7, &[5], 9), (KeptForSnapshot, false));
    // The range delete is not visible yet.
    assert_eq!(judged(7, &[], 5), (KeptForSnapshot, false));
}

/// A value that a filter removes keeps its sequence number: as a tombstone where older data may be, below newer range
/// tombstones and above older ones.
#[test]
fn a_removed_value_and_a_range_tombstone_are_dropped_alike() {
    let judged = |older: &[(&str, &str)], snapshots: &[u64]| {
        let range = RangeTombstone::new(b"a", b"z", 3).unwrap();
        let mut retain = Retain::new(snapshots, 9, deeper(older)).with_ranges(vec![range.clone()]);
        let key = internal_key(b"k", 4, Put);
        assert_eq!(retain.judge(&key).unwrap(), KeptNewest);
        let removed = retain.judge_removed(&parse_internal_key(&key).unwrap());
        let under = retain.judge(&internal_key(b"k", 2, Put)).unwrap();
        (removed, retain.judge_range(&range), under)
    };
    let (as_tombstone, by_filter) = (Verdict::KeptAsTombstone, Verdict::DroppedByFilter);
    assert_eq!(judged(&[], &[]), (by_filter, DroppedTombstone, DroppedShadowed));
    assert_eq!(judged(&[("j", "l")], &[]), (as_tombstone, KeptTombstone, DroppedShadowed));
    // The snapshot reads the old value: the removed one has to hide it from later readers.
    let expected = (as_tombstone, KeptForSnapshot, KeptForSnapshot);
    assert_eq!(judged(&[], &[2]), expected);
}

type Entry = (Vec<u8>, Vec<u8>);

/// The view of a reader at `sequence` of `entries` over `below`.
fn read(entries: &[Entry], below: &[Entry], sequence: u64) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut newest: BTreeMap<Vec<u8>, (u64, ValueKind, Vec<u8>)> = BTreeMap::new();
    // Levels are searched in turn and the first hit counts, whatever lies deeper.
    for level in [entries, below] {
        let mut found: BTreeMap<Vec<u8>, (u64, ValueKind, Vec<u8>)> = BTreeMap::new();
        for (key, value) in level {
            let key = parse_internal_key(key).unwrap();
            let better = found.get(key.user_key).is_none_or(|best| best.0 < key.sequence);
            if key.sequence <= sequence && better {
                found.insert(key.user_key.to_vec(), (key.sequence, key.kind, value.clone()));
            }
        }
        for (key, entry) in found {
            newest.entry(key).or_insert(entry);
        }
    }
    let live = newest.into_iter().filter(|(_, (_, kind, _))| *kind == Put);
    live.map(|(key, (_, _, value))| (key, value)).collect()
}

/// A random merge: entries of two levels, and the readers.
struct Case {
    merged: Vec<Entry>,
    below: Vec<Entry>,
    /// Keys that the deeper level has.
    ranges: Vec<(String, String)>,
    snapshots: Vec<u64>,
    visible: u64,
    last: u64,
}

impl Case {
    fn new(random: &mut SplitMix64) -> Self {
        let (last, keys) = (1 + random.below(60) as u64, 1 + random.below(6));
        let mut levels: [Vec<Entry>; 2] = [Vec::new(), Vec::new()];
        // Older writes are below, newer ones are merged.
        let cut = random.below(last as usize) as u64;
        for sequence in 1..=last {
            let key = [b'a' + random.below(keys) as u8];
            let kind = if random.one_in(3) { Delete } else { Put };
            let value = if kind == Put { sequence.to_le_bytes().to_vec() } else { Vec::new() };
            let level = usize::from(sequence <= cut);
            levels[level].push((internal_key(&key, sequence, kind), value));
        }
        let [mut merged, below] = levels;
        merged.sort_by(|left, right| compare_internal(&left.0, &right.0));
        let ranges: Vec<(String, String)> = below
            .iter()
            .map(|(key, _)| String::from_utf8(user_key(key).to_vec()).unwrap())
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .map(|key| (key.clone(), key))
            .collect();
        let mut snapshots: Vec<u64> =
            (0..random.below(5)).map(|_| random.below(last as usize + 1) as u64).collect();
        snapshots.sort_unstable();
        let visible = if random.one_in(4) { 1 + random.below(last as usize) as u64 } else { last };
        snapshots.retain(|snapshot| *snapshot <= visible);
        Self { merged, below, ranges, snapshots, visible, last }
    }

    fn retain(&self) -> Retain {
        let ranges: Vec<(&str, &str)> =
            self.ranges.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        Retain::new(&self.snapshots, self.visible, deeper(&ranges))
    }
}

#[test]
fn a_merge_changes_no_readers_result() {
    for_seeds(400, |seed| {
        let case = Case::new(&mut SplitMix64::new(seed));
        let mut retain = case.retain();
        let Case { merged, below, ranges, snapshots, visible, last } = case;
        let mut kept = merged.clone();
        let mut tombstones = 0;
        kept.retain(|(key, _)| match retain.judge(key).unwrap() {
            Verdict::DroppedRangeDeleted => unreachable!("there are no range tombstones"),
            DroppedShadowed => false,
            DroppedTombstone => {
                tombstones += 1;
                false
            }
            _ => true,
        });
        for sequence in snapshots.iter().copied().chain(visible..=last) {
            assert_eq!(
                read(&kept, &below, sequence),
                read(&merged, &below, sequence),
                "at {sequence}, snapshots {snapshots:?}, visible {visible}"
            );
        }
        if snapshots.is_empty() && visible == last {
            let live = read(&merged, &[], last).len();
            let hiding = kept.len() - live;
            assert!(hiding <= ranges.len(), "only tombstones over deeper keys are left");
            let mut users: Vec<&[u8]> = kept.iter().map(|(key, _)| user_key(key)).collect();
            users.dedup();
            assert_eq!(users.len(), kept.len(), "one version a key");
        }
    });
}

/// A filter that removes a value acts as a delete of it, and changes nothing for snapshots.
#[test]
fn what_a_filter_removes_is_deleted_for_later_readers_alone() {
    let (tombstones, dropped) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    for_seeds(400, |seed| {
        let mut random = SplitMix64::new(seed);
        let case = Case::new(&mut random);
        let mut retain = case.retain();
        let Case { merged, below, snapshots, visible, last, .. } = case;
        let (mut kept, mut deleted) = (Vec::new(), Vec::new());
        for (key, value) in &merged {
            let verdict = retain.judge(key).unwrap();
            let entry = parse_internal_key(key).unwrap();
            let asked = retain.is_settled(entry.sequence, verdict);
            if asked && random.one_in(2) {
                let tombstone = (internal_key(entry.user_key, entry.sequence, Delete), Vec::new());
                match retain.judge_removed(&entry) {
                    Verdict::DroppedByFilter => dropped.set(dropped.get() + 1),
                    verdict => {
                        assert_eq!(verdict, Verdict::KeptAsTombstone);
                        kept.push(tombstone.clone());
                        tombstones.set(tombstones.get() + 1);
                    }
                }
                deleted.push(tombstone);
                continue;
            }
            deleted.push((key.clone(), value.clone()));
            if !matches!(verdict, DroppedShadowed | DroppedTombstone) {
                kept.push((key.clone(), value.clone()));
            }
        }
        for sequence in snapshots.iter().copied().chain(visible..=last) {
            let context = format!("at {sequence}, snapshots {snapshots:?}, visible {visible}");
            let found = read(&kept, &below, sequence);
            assert_eq!(found, read(&deleted, &below, sequence), "{context}");
            if snapshots.contains(&sequence) {
                assert_eq!(found, read(&merged, &below, sequence), "{context}");
            }
        }
    });
    let (tombstones, dropped) = (tombstones.get(), dropped.get());
    assert!(tombstones > 100 && dropped > 0, "{tombstones} tombstones, {dropped} dropped");
}

#[test]
fn a_flush_keeps_the_newest_of_every_key_tombstones_too() {
    let mut retain = Retain::for_flush(&[4], 9);
    let mut judge = |key: &str, sequence, kind| {
        retain.judge(&internal_key(key.as_bytes(), sequence, kind)).unwrap()
    };
    assert_eq!(judge("a", 3, Delete), KeptTombstone);
    assert_eq!(judge("b", 8, Delete), KeptTombstone);
    assert_eq!(judge("b", 6, Put), DroppedShadowed);
    assert_eq!(judge("b", 4, Delete), KeptForSnapshot);
    assert_eq!(judge("b", 2, Put), DroppedShadowed);
    assert_eq!(judge("c", 9, Put), KeptNewest);
}
