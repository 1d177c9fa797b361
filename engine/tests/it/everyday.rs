//! The calls that most programs use, against a `BTreeMap`: ranges from both ends, prefixes, snapshots, transactions.

use crate::common::*;
use levelscope::storage::{MemoryStorage, NativeStorage, Storage};
use levelscope::{
    Bound, Db, Entries, ErrorKind, KeyRange, Maintenance, Options, ScanOptions, TransactionOptions,
    WalSync,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::{env, fs, process, thread};

type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

/// Takes entries from a random end each time, and puts them in order.
fn from_both_ends(mut entries: Entries, random: &mut Random) -> Pairs {
    let (mut front, mut back) = (Vec::new(), Vec::new());
    let favourite = random.below(4);
    loop {
        let is_front = match favourite {
            0 => true,
            1 => false,
            _ => random.below(2) == 0,
        };
        let entry = if is_front { entries.next() } else { entries.next_back() };
        let Some(entry) = entry else { break };
        let (key, value) = entry.expect("an entry");
        if is_front { &mut front } else { &mut back }.push((key, value.into_vec()));
    }
    assert!(entries.next().is_none() && entries.next_back().is_none(), "it has ended");
    back.reverse();
    front.append(&mut back);
    front
}

fn bound(random: &mut Random) -> Bound<Vec<u8>> {
    match random.below(3) {
        0 => Bound::Unbounded,
        1 => Bound::Included(random_key(random)),
        _ => Bound::Excluded(random_key(random)),
    }
}

/// The entries of a model between two bounds; a range that ends before it begins has nothing.
fn between(model: &Model, bounds: &(Bound<Vec<u8>>, Bound<Vec<u8>>)) -> Pairs {
    let above = |key: &Vec<u8>| match &bounds.0 {
        Bound::Unbounded => true,
        Bound::Included(lower) => key >= lower,
        Bound::Excluded(lower) => key > lower,
    };
    let below = |key: &Vec<u8>| match &bounds.1 {
        Bound::Unbounded => true,
        Bound::Included(upper) => key <= upper,
        Bound::Excluded(upper) => key < upper,
    };
    let inside = model.iter().filter(|(key, _)| above(key) && below(key));
    inside.map(|(key, value)| (key.clone(), value.clone())).collect()
}

#[test]
fn ranges_are_those_of_a_sorted_map_from_both_ends() {
    for seed in 0..60 {
        println!("seed {seed}");
        let mut random = Random(seed);
        let options = small_options(&mut random);
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::default());
        let db = open(&storage, &options);
        let mut model = Model::new();
        for op in random_script(&mut random, 120) {
            if matches!(op, Op::Reopen) {
                continue;
            }
            run(&db, &op).unwrap();
            apply_to_model(&mut model, &op);
        }
        let snapshot = db.snapshot();
        let then = model.clone();
        let mut own = db.begin(&TransactionOptions::default());
        let mut seen = model.clone();
        for _ in 0..10 {
            let (key, value) = (random_key(&mut random), random.bytes(5));
            own.put(&key, &value).unwrap();
            seen.insert(key, value);
            let (key, value) = (random_key(&mut random), random.bytes(5));
            write_one(&db, &key, &value);
            model.insert(key, value);
        }
        for _ in 0..12 {
            let bounds = (bound(&mut random), bound(&mut random));
            let context = format!("seed {seed}: {bounds:?}");
            let range = || bounds.clone();
            let read = from_both_ends(db.range(range()).unwrap(), &mut random);
            assert_eq!(read, between(&model, &bounds), "{context}");
            let read = from_both_ends(snapshot.range(range()).unwrap(), &mut random);
            assert_eq!(read, between(&then, &bounds), "{context}, snapshot");
            let read = from_both_ends(own.range(range()).unwrap(), &mut random);
            assert_eq!(read, between(&seen, &bounds), "{context}, transaction");
            let mut prefix = random_key(&mut random);
            prefix.truncate(2);
            let read = from_both_ends(db.prefix(&prefix).unwrap(), &mut random);
            let mut wanted = between(&model, &(Bound::Unbounded, Bound::Unbounded));
            wanted.retain(|(key, _)| key.starts_with(&prefix));
            assert_eq!(read, wanted, "{context}, prefix {prefix:?}");
            let keys: Vec<Vec<u8>> = (0..4).map(|_| random_key(&mut random)).collect();
            let read = db.multi_get(&keys).unwrap();
            for (key, value) in keys.iter().zip(read) {
                assert_eq!(value.as_deref(), model.get(key).map(Vec::as_slice), "{context}");
                assert_eq!(db.contains_key(key).unwrap(), model.contains_key(key), "{context}");
                let then = then.get(key).map(Vec::as_slice);
                assert_eq!(snapshot.get(key).unwrap().as_deref(), then, "{context}");
            }
        }
    }
}

/// Writes one pair, and does the work that it waits for.
fn write_one(db: &Db, key: &[u8], value: &[u8]) {
    let op = Op::Put(key.to_vec(), value.to_vec());
    run(db, &op).unwrap();
}

fn of(db: &Db, range: impl KeyRange) -> Entries {
    db.range(range).unwrap()
}

#[test]
fn every_kind_of_range_is_taken() {
    let db = open_watched(Arc::new(MemoryStorage::default()), Options::default(), None).unwrap();
    for key in ["a", "b", "c", "d"] {
        db.put(key, key).unwrap();
    }
    let keys = |range: Entries| -> String {
        range.map(|entry| String::from_utf8(entry.unwrap().0).unwrap()).collect()
    };
    assert_eq!(keys(of(&db, ..)), "abcd");
    assert_eq!(keys(of(&db, "b".."d")), "bc");
    assert_eq!(keys(of(&db, b"b"..=b"d")), "bcd");
    assert_eq!(keys(of(&db, "c".to_owned()..)), "cd");
    assert_eq!(keys(of(&db, .."c")), "ab");
    assert_eq!(keys(of(&db, ..=b"c".to_vec())), "abc");
    assert_eq!(keys(of(&db, (Bound::Excluded("a"), Bound::Included("c")))), "bc");
    assert_eq!(keys(of(&db, "c".."b")), "");
    assert_eq!(keys(of(&db, "x"..)), "");
}

#[test]
fn transact_and_update_lose_no_change() {
    let options = Options::default().wal_sync(WalSync::None);
    let db = open_watched(Arc::new(MemoryStorage::default()), options, None).unwrap();
    let number = |value: Option<&[u8]>| -> u64 {
        value.map_or(0, |value| std::str::from_utf8(value).unwrap().parse().unwrap())
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    db.update("count", |old| Some((number(old) + 1).to_string().into_bytes()))
                        .unwrap();
                    db.transact(|own| {
                        let total = number(own.get("total")?.as_deref());
                        own.put("total", (total + 2).to_string())
                    })
                    .unwrap();
                }
            });
        }
    });
    assert_eq!(db.get("count").unwrap().unwrap(), b"200");
    assert_eq!(db.get("total").unwrap().unwrap(), b"400");
    assert!(db.compare_and_set("count", Some(b"200"), None).unwrap());
    assert!(!db.compare_and_set("count", Some(b"200"), Some(b"1")).unwrap());
    assert!(!db.contains_key("count").unwrap());
    let refused = db.transact(|own| {
        own.put("total", "0")?;
        Err::<(), _>(levelscope::Error::new(ErrorKind::InvalidArgument, "no"))
    });
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(db.get("total").unwrap().unwrap(), b"400");
}

#[test]
fn a_path_is_enough_to_open_a_database() {
    let directory = env::temp_dir().join(format!("levelscope-everyday-{}", process::id()));
    let mut model = BTreeMap::new();
    {
        let db = Db::open(&directory).unwrap();
        assert!(matches!(db.options().maintenance, Maintenance::Threads(2)));
        for index in 0..200 {
            let key = format!("key{index:03}");
            db.put(&key, index.to_string()).unwrap();
            model.insert(key.into_bytes(), index.to_string().into_bytes());
        }
        // Another handle reads it meanwhile, and a second writer is refused.
        let reader = Db::builder().read_only().open(&directory).unwrap();
        assert_eq!(reader.get("key007").unwrap().unwrap(), b"7");
        assert_eq!(reader.put("a", "b").unwrap_err().kind(), ErrorKind::ReadOnly);
        assert_eq!(Db::open(&directory).unwrap_err().kind(), ErrorKind::Locked);
        db.close().unwrap();
    }
    let storage = NativeStorage::open(&directory).unwrap();
    let db = open_watched(Arc::new(storage), Options::default(), None).unwrap();
    let all = db.range(..).unwrap().map(|entry| entry.map(|(key, value)| (key, value.into_vec())));
    assert_eq!(all.collect::<Result<BTreeMap<_, _>, _>>().unwrap(), model);
    drop(db);
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_range_is_compacted_with_its_memtables() {
    let options = Options::default().wal_sync(WalSync::None).maintenance(Maintenance::Inline);
    let db = open(&(Arc::new(MemoryStorage::new()) as Arc<dyn Storage>), &options);
    assert!(!db.compact(..).unwrap(), "an empty database");
    for round in 0..2 {
        for key in ["a", "m", "z"] {
            db.put(key, format!("{round}")).unwrap();
        }
        db.request_flush().unwrap();
    }
    db.put("m", "2").unwrap();
    assert!(db.compact("n".."o").unwrap(), "tables that reach over the range are compacted");
    let reversed = db.compact("z".."a").unwrap();
    assert!(!reversed);
    db.compact(..).unwrap();
    let tables: Vec<_> = db.view().levels.iter().map(|level| level.tables.len()).collect();
    assert_eq!(tables.iter().sum::<usize>(), 1, "{tables:?}");
    assert_eq!(db.view().levels[1].tables[0].entries, 3);
    assert_eq!(db.get("m").unwrap().unwrap(), b"2");
    assert!(!db.compact("n"..).unwrap(), "it is one run already");
}

#[test]
fn a_cursor_of_a_snapshot_seeks_in_its_moment() {
    let db = open(&(Arc::new(MemoryStorage::new()) as Arc<dyn Storage>), &Options::default());
    db.put("b", "old").unwrap();
    let snapshot = db.snapshot();
    db.put("a", "later").unwrap();
    db.put("b", "new").unwrap();
    let mut cursor = snapshot.iter(&ScanOptions::default()).unwrap();
    cursor.seek(b"a").unwrap();
    assert_eq!((cursor.key(), cursor.value()), (&b"b"[..], &b"old"[..]));
    let options = ScanOptions::default().snapshot(&snapshot);
    assert_eq!(snapshot.iter(&options).unwrap_err().kind(), ErrorKind::InvalidArgument);
    let shown = format!("{:?}", snapshot.get("b").unwrap());
    assert_eq!(shown, "Some(PinnedValue(\"old\"))");
}
