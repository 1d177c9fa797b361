//! Scans inside a transaction: own writes over the snapshot, and the ranges that it answers for.

use super::*;
use levelscope::{Bound, DbIterator, ScanOptions};
use std::collections::BTreeMap;

fn all(iterator: &mut DbIterator, forward: bool) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut found = Vec::new();
    if forward { iterator.seek_to_first() } else { iterator.seek_to_last() }.unwrap();
    while iterator.valid() {
        found.push((iterator.key().to_vec(), iterator.value().to_vec()));
        if forward { iterator.next() } else { iterator.prev() }.unwrap();
    }
    if !forward {
        found.reverse();
    }
    found
}

fn random_bound(random: &mut Random) -> Bound<Vec<u8>> {
    let key = format!("key{:02}", random.below(24)).into_bytes();
    match random.below(4) {
        0 => Bound::Included(key),
        1 => Bound::Excluded(key),
        _ => Bound::Unbounded,
    }
}

/// Own writes over a snapshot over newer commits, every shape of database, against a map.
#[test]
fn scans_show_own_writes_over_the_snapshot() {
    let mut technique = Technique::new("scans of transactions", 60);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x5ca9);
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let db = open(&storage, &small_options(&mut random));
        let key = |random: &mut Random| format!("key{:02}", random.below(24)).into_bytes();
        let mut model = Model::new();
        for index in 0..150 {
            random_write(&db, &mut random, key, index, &mut model);
        }
        let mut own = db.begin(&BOTH[random.below(2) as usize]);
        let mut seen = model.clone();
        for round in 0..12 {
            for index in 0..random.below(6) {
                let key = key(&mut random);
                if random.below(3) == 0 {
                    own.delete(&key).unwrap();
                    seen.remove(&key);
                } else {
                    let value = format!("own {round}.{index}").into_bytes();
                    own.put(&key, &value).unwrap();
                    seen.insert(key, value);
                }
            }
            // Later writes of others are not seen, and must not hide visible entries.
            for index in 0..random.below(40) {
                random_write(&db, &mut random, key, 1000 + index, &mut model);
            }
            let (lower, upper) = (random_bound(&mut random), random_bound(&mut random));
            let prefix = (random.below(3) == 0).then(|| b"key1".to_vec());
            let inside = |key: &[u8]| {
                let range = (lower.clone(), upper.clone());
                std::ops::RangeBounds::contains(&range, &key.to_vec())
                    && prefix.as_ref().is_none_or(|prefix| key.starts_with(prefix))
            };
            let expected: Vec<_> = seen
                .iter()
                .filter(|(key, _)| inside(key))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            let (lower, upper, prefix) = (lower.clone(), upper.clone(), prefix.clone());
            let mut options = ScanOptions::default().range((lower, upper));
            options.prefix = prefix;
            let mut iterator = own.iter(&options).unwrap();
            assert_eq!(all(&mut iterator, true), expected, "seed {seed}, {options:?}");
            assert_eq!(all(&mut iterator, false), expected, "seed {seed}, {options:?}");
            zigzag(&mut iterator, &expected, &mut random, seed);
            for key in (0..24).map(|index| format!("key{index:02}").into_bytes()) {
                assert_eq!(
                    own.get(&key).unwrap().as_deref(),
                    seen.get(&key).map(Vec::as_slice),
                    "seed {seed}"
                );
            }
            technique.count(1);
        }
    }
}

fn random_write(
    db: &Db,
    random: &mut Random,
    key: impl Fn(&mut Random) -> Vec<u8>,
    index: u64,
    model: &mut Model,
) {
    let op = match random.below(12) {
        0 => Op::Rotate,
        1 => Op::Flush,
        2 => Op::Compact(None),
        3 => Op::Step(200),
        4..=6 => Op::Delete(key(random)),
        _ => Op::Put(key(random), index.to_string().into_bytes()),
    };
    run(db, &op).unwrap();
    apply_to_model(model, &op);
}

/// Turns around at random, and seeks, and compares the place with that in the list.
fn zigzag(it: &mut DbIterator, expected: &[(Vec<u8>, Vec<u8>)], random: &mut Random, seed: u64) {
    let mut place: Option<usize> = None;
    it.seek_to_last().unwrap();
    if !expected.is_empty() {
        place = Some(expected.len() - 1);
    }
    for _ in 0..60 {
        let target = format!("key{:02}", random.below(24)).into_bytes();
        let reaches = |key: &Vec<u8>| *key <= target;
        match random.below(8) {
            0 => {
                it.seek(&target).unwrap();
                place = Some(expected.partition_point(|(key, _)| *key < target));
            }
            1 => {
                it.seek_for_prev(&target).unwrap();
                place = expected.partition_point(|(key, _)| reaches(key)).checked_sub(1);
            }
            2..=4 => {
                it.next().unwrap();
                place = place.map(|at| at + 1);
            }
            _ => {
                it.prev().unwrap();
                place = place.and_then(|at| at.checked_sub(1));
            }
        }
        place = place.filter(|at| *at < expected.len());
        let found = it.valid().then(|| (it.key().to_vec(), it.value().to_vec()));
        assert_eq!(found.as_ref(), place.map(|at| &expected[at]), "seed {seed}");
    }
}

/// An iterator shows the writes as they were when it was made, also while more are made.
#[test]
fn an_iterator_keeps_the_writes_that_it_began_with() {
    let (_, db) = new_db();
    db.put(b"b", b"base").unwrap();
    let mut own = db.begin(&SNAPSHOT);
    own.put(b"a", b"1").unwrap();
    let mut before = own.iter(&ScanOptions::default()).unwrap();
    before.seek_to_first().unwrap();
    own.put(b"a", b"2").unwrap();
    own.delete(b"b").unwrap();
    own.put(b"c", b"3").unwrap();
    let mut after = own.iter(&ScanOptions::default()).unwrap();
    own.commit(None).unwrap();
    let pairs = |list: &[(&str, &str)]| -> Vec<(Vec<u8>, Vec<u8>)> {
        list.iter().map(|(k, v)| (k.as_bytes().to_vec(), v.as_bytes().to_vec())).collect()
    };
    assert_eq!(all(&mut before, true), pairs(&[("a", "1"), ("b", "base")]));
    assert_eq!(all(&mut after, false), pairs(&[("a", "2"), ("c", "3")]));
    let snapshot = db.snapshot();
    let own = db.begin(&SNAPSHOT);
    let foreign = ScanOptions::default().snapshot(&snapshot);
    assert_eq!(own.iter(&foreign).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

/// A key of exactly the sequence number that the transaction reads at, deleted by it: the two kinds of entry must not
/// be confused.
#[test]
fn its_delete_hides_the_newest_version_of_its_snapshot() {
    let (_, db) = new_db();
    db.put(b"a", b"1").unwrap();
    db.put(b"k", b"2").unwrap();
    let mut own = db.begin(&SNAPSHOT);
    own.delete(b"k").unwrap();
    let mut iterator = own.iter(&ScanOptions::default()).unwrap();
    assert_eq!(all(&mut iterator, true).len(), 1);
    assert_eq!(all(&mut iterator, false).len(), 1);
    assert_eq!(read(&own, "k"), None);
}

type Walk = fn(&mut DbIterator);

/// How a range is walked, and for each key from `a` to `j` whether a change of it is in the way.
#[rustfmt::skip]
const WALKS: &[(&str, Walk, &str)] = &[
    ("nothing",          |_| (),                                                       ".........."),
    ("first",            |it| it.seek_to_first().unwrap(),                             "##........"),
    ("first, next",      |it| { it.seek_to_first().unwrap(); it.next().unwrap(); },    "####......"),
    ("all",              |it| drop(all(it, true)),                                     "##########"),
    ("all backward",     |it| drop(all(it, false)),                                    "##########"),
    ("last",             |it| it.seek_to_last().unwrap(),                              ".......###"),
    ("last, prev",       |it| { it.seek_to_last().unwrap(); it.prev().unwrap(); },     ".....#####"),
    ("seek d",           |it| it.seek(b"d").unwrap(),                                  "...#......"),
    ("seek e",           |it| it.seek(b"e").unwrap(),                                  "....##...."),
    ("seek i",           |it| it.seek(b"i").unwrap(),                                  "........##"),
    ("seek for prev e",  |it| it.seek_for_prev(b"e").unwrap(),                         "...##....."),
    ("seek for prev a",  |it| it.seek_for_prev(b"a").unwrap(),                         "#........."),
    ("seek f, prev",     |it| { it.seek(b"f").unwrap(); it.prev().unwrap(); },         "...###...."),
    ("seek f, next",     |it| { it.seek(b"f").unwrap(); it.next().unwrap(); },         ".....###.."),
    ("two seeks",        |it| { it.seek(b"h").unwrap(); it.seek(b"a").unwrap(); },     "##.....#.."),
];

/// Phantoms: a serializable transaction loses when a key appears, changes or goes where it has looked, and
/// only there. The keys b, d, f and h are there; those in between are absent.
#[test]
fn a_change_counts_where_the_iterator_has_been_and_only_there() {
    for &(name, walk, expected) in WALKS {
        for (options, flushed) in
            BOTH.iter().flat_map(|options| [(options, false), (options, true)])
        {
            for (key, expected) in (b'a'..=b'j').zip(expected.chars()) {
                for deletes in [false, true] {
                    let (_, db) = new_db();
                    for key in [b"b", b"d", b"f", b"h"] {
                        db.put(key, b"").unwrap();
                    }
                    let mut own = db.begin(options);
                    let mut iterator = own.iter(&ScanOptions::default()).unwrap();
                    walk(&mut iterator);
                    own.put(b"zzz", b"").unwrap();
                    if deletes { db.delete([key]) } else { db.put([key], b"") }.unwrap();
                    if flushed {
                        to_the_bottom(&db);
                    }
                    let lost = options.isolation == Isolation::Serializable && expected == '#';
                    let context = format!("{name}, {}, {options:?} {flushed}", char::from(key));
                    match own.commit(None) {
                        Ok(_) => assert!(!lost, "{context}"),
                        Err(error) => assert!(lost, "{context}: {error}"),
                    }
                }
            }
        }
    }
}

#[test]
fn bounds_and_prefixes_end_the_counted_range() {
    let key = |key: &[u8]| key.to_vec();
    let within = |lower: Bound<Vec<u8>>, upper, prefix: Option<&[u8]>| {
        let options = ScanOptions::default().range((lower, upper));
        prefix.into_iter().fold(options, ScanOptions::prefix)
    };
    let cases = [
        (within(Bound::Included(key(b"b")), Bound::Excluded(key(b"d")), None), "bc"),
        (within(Bound::Excluded(key(b"b")), Bound::Included(key(b"d")), None), "cd"),
        (within(Bound::Unbounded, Bound::Excluded(key(b"c")), None), "ab"),
        (within(Bound::Unbounded, Bound::Unbounded, Some(b"c")), "c"),
    ];
    for (options, expected) in cases {
        for (forward, changed) in (b'a'..=b'f').flat_map(|key| [(true, key), (false, key)]) {
            let (_, db) = new_db();
            db.put(b"c", b"").unwrap();
            let mut own = db.begin(&SERIALIZABLE);
            all(&mut own.iter(&options).unwrap(), forward);
            own.put(b"zzz", b"").unwrap();
            db.put([changed], b"new").unwrap();
            let lost = own.commit(None).is_err();
            assert_eq!(lost, expected.contains(char::from(changed)), "{options:?} {changed}");
        }
    }
}

/// Own writes lie in the range too: where the iterator shows one, the base below it was looked at.
#[test]
fn own_writes_do_not_cut_the_range_short() {
    let (_, db) = new_db();
    db.put(b"a", b"").unwrap();
    let mut own = db.begin(&SERIALIZABLE);
    own.put(b"c", b"mine").unwrap();
    let found: BTreeMap<_, _> =
        all(&mut own.iter(&ScanOptions::default()).unwrap(), true).into_iter().collect();
    assert_eq!(found.len(), 2);
    db.put(b"b", b"phantom").unwrap();
    assert!(conflict(&mut own).to_string().contains("\"b\", which this transaction has read"));
}
