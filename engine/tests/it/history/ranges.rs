//! Histories of range tombstones.

use super::*;
use levelscope::event::{EventKind, Grain, Recorder};
use levelscope::{Isolation, PrefixExtractor, ReadStop, ScanOptions, TransactionOptions};

fn keys(db: &Db) -> Vec<String> {
    let keys = contents(db).unwrap().into_keys();
    keys.map(|key| String::from_utf8(key).unwrap()).collect()
}

/// Scans in both directions and lookups agree, and the check finds nothing.
fn assert_keys(db: &Db, expected: &[&str], context: &str) {
    assert_eq!(keys(db), expected, "{context}");
    let backwards = db.range(..).unwrap().rev().map(|entry| entry.unwrap().0);
    assert!(backwards.eq(expected.iter().rev().map(|key| key.as_bytes().to_vec())), "{context}");
    let problems = db.check().unwrap();
    assert_eq!(problems.problems(), Vec::<String>::new(), "{context}");
}

/// Range tombstones were dropped in a compaction into the middle of the tree, while a deeper level still had
/// keys that they delete: all of these were back.
#[test]
fn a_range_tombstone_stays_while_a_deeper_level_has_its_keys() {
    for parked in 1..5 {
        let disk = MemoryStorage::new();
        let db = open(&shared(&disk), &by_hand());
        put_all(&db, &["b", "c", "d", "m"], "old");
        flush(&db);
        (0..parked).for_each(|level| compact(&db, level));
        db.delete_range("b".."d").unwrap();
        // Newer than the range delete: it stays.
        put(&db, "c", "new");
        flush(&db);
        for level in 0..by_hand().level_count - 1 {
            assert_keys(&db, &["c", "d", "m"], &format!("parked in L{parked}, before L{level}"));
            compact(&db, level);
            let reopened = open(&shared(&disk.fork()), &by_hand());
            assert_keys(&reopened, &["c", "d", "m"], &format!("parked in L{parked}, reopened"));
        }
        assert_eq!(get(&db, "c").as_deref(), Some("new"));
        let levels = db.view().levels;
        let left = levels.iter().flat_map(|level| &level.tables).filter(|t| t.ranges.is_some());
        assert_eq!(left.count(), 0, "at the bottom there is nothing left to hide");
    }
}

/// The bounds of a table did not reach as far as its range tombstones: compactions left data above or below
/// where the tombstone no longer hid it, and lookups passed the table by.
#[test]
fn a_table_reaches_as_far_as_its_range_tombstones() {
    let options = by_hand().prefix(PrefixExtractor::Fixed(1));
    let db = open(&shared(&MemoryStorage::new()), &options);
    put_all(&db, &["b1", "b2", "x1", "x2"], "old");
    flush(&db);
    compact(&db, 0);
    // The entries of this table end long before its range tombstone does; its filters know neither b nor x.
    put(&db, "a", "new");
    db.delete_range("b".."x2").unwrap();
    flush(&db);
    // This one has nothing but a range tombstone.
    db.delete_prefix("b").unwrap();
    flush(&db);
    let info = &db.view().levels[0].tables[0];
    assert_eq!((info.entries, info.blocks), (0, 0));
    for level in 0..4 {
        assert_keys(&db, &["a", "x2"], &format!("before L{level}"));
        assert_eq!(db.prefix("b").unwrap().count(), 0);
        assert_eq!(db.prefix("x").unwrap().count(), 1);
        compact(&db, level);
    }
}

/// Range tombstones were not cut where an output table ended, so tables of one level overlapped, or were cut
/// and left a hole.
#[test]
fn a_range_tombstone_is_cut_where_tables_end() {
    let options = by_hand().table_bytes(600);
    let db = open(&shared(&MemoryStorage::new()), &options);
    let name = |number: usize| format!("key{number:03}");
    for number in 0..100 {
        db.put(name(number), value(number, 40)).unwrap();
    }
    flush(&db);
    (0..3).for_each(|level| compact(&db, level));
    let snapshot = db.snapshot();
    db.delete_range(name(10)..name(90)).unwrap();
    for number in (0..100).step_by(7) {
        db.put(name(number), value(number, 40)).unwrap();
    }
    flush(&db);
    let kept = |number: &usize| !(10..90).contains(number) || number.is_multiple_of(7);
    let expected: Vec<String> = (0..100).filter(kept).map(name).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    for level in 0..4 {
        compact(&db, level);
        assert_keys(&db, &expected, &format!("after L{level}"));
        assert_eq!(snapshot.range(..).unwrap().count(), 100);
    }
    let tables: Vec<_> = db.view().levels.into_iter().flat_map(|level| level.tables).collect();
    let pieces = tables.iter().filter(|table| table.ranges.is_some()).count();
    assert!(pieces > 3, "the snapshot keeps the tombstone, cut into {pieces} pieces");
    drop(snapshot);
    (0..5).for_each(|level| compact(&db, level));
    assert_keys(&db, &expected, "without the snapshot");
}

/// An iterator that turned round, or sought into a deleted range, showed deleted keys.
#[test]
fn iterators_never_stop_in_a_deleted_range() {
    let db = open(&shared(&MemoryStorage::new()), &by_hand());
    put_all(&db, &["a", "b", "c", "d", "e"], "old");
    flush(&db);
    db.delete_range("b".."e").unwrap();
    put(&db, "c", "new");
    let mut iterator = db.iter(&ScanOptions::default()).unwrap();
    iterator.seek(b"b").unwrap();
    assert_eq!(iterator.key(), b"c");
    iterator.prev().unwrap();
    assert_eq!(iterator.key(), b"a");
    iterator.next().unwrap();
    assert_eq!(iterator.key(), b"c");
    iterator.next().unwrap();
    assert_eq!(iterator.key(), b"e");
    iterator.seek_for_prev(b"d").unwrap();
    assert_eq!((iterator.key(), iterator.value()), (&b"c"[..], &b"new"[..]));
    assert!(iterator.skipped().range_deleted > 0);
    // The iterator does not see later deletes.
    db.delete_range(..).unwrap();
    iterator.seek_to_first().unwrap();
    assert_eq!(iterator.key(), b"a");
}

/// A range without an end, every key, prefixes without a key after them, the longest keys.
#[test]
fn ranges_may_have_no_end() {
    let db = open(&shared(&MemoryStorage::new()), &by_hand());
    let longest = vec![0xff; levelscope::limits::KEY_BYTES_MAX];
    let fill = || {
        db.put("", "1").unwrap();
        db.put([0xff; 3], "2").unwrap();
        db.put(&longest, "3").unwrap();
        flush(&db);
        compact(&db, 0);
    };
    let left = || contents(&db).unwrap().len();
    fill();
    db.delete_prefix([0xff; 3]).unwrap();
    assert_eq!(left(), 1);
    fill();
    db.delete_range(&b""[..]..=&[]).unwrap();
    assert_eq!(left(), 2);
    db.delete_range(longest.as_slice()..).unwrap();
    assert_eq!(left(), 1);
    fill();
    db.delete_range(..=longest.as_slice()).unwrap();
    assert_eq!(left(), 0);
    fill();
    db.delete_prefix("").unwrap();
    flush(&db);
    assert_eq!(left(), 0);
    (0..5).for_each(|level| compact(&db, level));
    assert_eq!((left(), tables_of(&db).len()), (0, 0));
    assert!(db.delete_range("b".."a").is_ok(), "a range without keys changes nothing");
}

/// Without range deletes the bytes are those that older programs read; with them, older programs refuse.
#[test]
fn only_a_database_with_range_deletes_has_the_newer_format() {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    let format = |table: u64| {
        let bytes = disk.read(FileName::Table(table)).unwrap();
        let at = bytes.len() - 16;
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
    };
    put_all(&db, &["a", "b"], "1");
    flush(&db);
    assert_eq!(tables_of(&db).into_iter().map(format).collect::<Vec<_>>(), [1]);
    db.delete_range("b"..).unwrap();
    flush(&db);
    assert_eq!(tables_of(&db).into_iter().map(format).collect::<Vec<_>>(), [1, 2]);
    compact(&db, 0);
    assert_eq!(tables_of(&db).into_iter().map(format).collect::<Vec<_>>(), [1], "it is gone again");
}

/// A lookup names the range delete that hides a key, and needs no block when that is the newest write of a table.
#[test]
fn a_lookup_names_the_range_delete_that_hides_a_key() {
    let db = open(&shared(&MemoryStorage::new()), &by_hand());
    put_all(&db, &["b", "z"], "1");
    db.delete_range("a".."m").unwrap();
    let hidden = |db: &Db| {
        let (value, path) = db.explain_get(b"b", None).unwrap();
        assert_eq!(value, None);
        let found = path.stops.iter().find_map(|stop| match stop {
            ReadStop::RangeDelete { memtable, table, range, sequence, .. } => {
                Some((memtable.is_some(), table.is_some(), range.to_string(), *sequence))
            }
            _ => None,
        });
        found.unwrap()
    };
    let range = r#"["a", "m")"#.to_owned();
    assert_eq!(hidden(&db), (true, false, range.clone(), 3));
    flush(&db);
    assert_eq!(hidden(&db), (false, true, range, 3));
    let (_, path) = db.explain_get(b"b", None).unwrap();
    assert!(!path.stops.iter().any(|stop| matches!(stop, ReadStop::Table { .. })));
}

/// A compaction need not read a table that one range tombstone hides; a snapshot before it needs all of it.
#[test]
fn a_table_that_a_range_tombstone_hides_is_dropped_unread() {
    for with_snapshot in [false, true] {
        let recorder = Arc::new(Recorder::new(10_000, Grain::Phase));
        let sink = Some(Arc::clone(&recorder) as _);
        let db = open_watched(shared(&MemoryStorage::new()), by_hand(), sink).unwrap();
        put_all(&db, &["b", "c", "d"], "1");
        flush(&db);
        compact(&db, 0);
        let snapshot = with_snapshot.then(|| db.snapshot());
        db.delete_range("a".."m").unwrap();
        flush(&db);
        compact(&db, 0);
        let events = recorder.drain().0;
        let skipped = |event: &&levelscope::event::Event| {
            matches!(event.kind, EventKind::CompactionSkip { entries: 3, .. })
        };
        assert_eq!(events.iter().filter(skipped).count(), usize::from(!with_snapshot));
        assert_keys(&db, &[], "after the compaction");
        let seen = snapshot.as_ref().map_or(0, |snapshot| snapshot.range(..).unwrap().count());
        assert_eq!(seen, if with_snapshot { 3 } else { 0 });
        assert_eq!(db.stats().entries_range_deleted, if with_snapshot { 0 } else { 3 });
    }
}

/// Thousands of range tombstones over each other took memory and time by their square.
#[test]
fn nested_ranges_take_no_more_room_than_others() {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand().memtable_bytes(16 << 20));
    let mut batch = WriteBatch::new();
    for number in 0..20_000_u32 {
        batch.delete_range(format!("a{number:05}"), format!("b{number:05}")).unwrap();
    }
    db.write(&batch, None).unwrap();
    put(&db, "a00007", "1");
    assert_eq!(contents(&db).unwrap().len(), 1);
    flush(&db);
    drop(db);
    let db = open(&shared(&disk), &by_hand());
    let info = db.view().levels[0].tables[0].ranges.clone().unwrap();
    assert!(info.count <= 40_000, "{}", info.count);
    assert_eq!(contents(&db).unwrap().len(), 1);
}

/// Conflicts: another's range delete over keys written or read, another's write in an own range.
#[test]
fn a_transaction_meets_range_deletes_of_others() {
    let serializable = TransactionOptions::new(Isolation::Serializable);
    for flushed in [false, true] {
        let db = open(&shared(&MemoryStorage::new()), &by_hand());
        put_all(&db, &["a", "b", "c"], "1");
        let settle = || {
            if flushed {
                flush(&db);
            }
        };
        let mut writes = db.begin(&TransactionOptions::default());
        writes.put("b", "2").unwrap();
        let mut reads = db.begin(&serializable);
        assert!(reads.get("c").unwrap().is_some());
        reads.put("other", "1").unwrap();
        let mut scans = db.begin(&serializable);
        assert_eq!(scans.range("b".."bz").unwrap().count(), 1);
        scans.put("another", "1").unwrap();
        let mut apart = db.begin(&serializable);
        assert!(apart.get("a").unwrap().is_some());
        apart.put("z", "1").unwrap();
        db.delete_range("b".."d").unwrap();
        settle();
        for (transaction, wins) in
            [(&mut writes, false), (&mut reads, false), (&mut scans, false), (&mut apart, true)]
        {
            assert_eq!(transaction.commit(None).is_ok(), wins);
        }
        let mut own = db.begin(&TransactionOptions::default());
        own.put("n", "lost").unwrap();
        own.delete_range("k".."p").unwrap();
        own.put("m", "kept").unwrap();
        assert_eq!(own.get("n").unwrap(), None);
        assert_eq!(own.range("k".."p").unwrap().count(), 1);
        let mut late = db.begin(&TransactionOptions::default());
        late.delete_prefix("k").unwrap();
        db.put("k1", "first").unwrap();
        settle();
        assert!(late.commit(None).is_err(), "a key of its range was written");
        assert!(own.commit(None).is_err(), "here too");
        let mut again = db.begin(&TransactionOptions::default());
        again.delete_range("k"..).unwrap();
        again.put("m", "kept").unwrap();
        again.commit(None).unwrap();
        settle();
        assert_keys(&db, &["a", "m"], "after the commit");
    }
}

/// A walk over a deleted range stepped over all of its entries, and opened all of its tables.
#[test]
fn a_walk_seeks_past_a_deleted_range() {
    for (home, newer, ends) in (0..3).flat_map(|home| {
        [(false, true), (true, true), (true, false)].map(|(newer, ends)| (home, newer, ends))
    }) {
        let options = by_hand().table_bytes(600);
        let db = open(&shared(&MemoryStorage::new()), &options);
        let mut model = Model::new();
        for number in 0..500 {
            let key = format!("key{number:03}");
            db.put(&key, value(number, 40)).unwrap();
            model.insert(key.into_bytes(), value(number, 40));
        }
        if home > 0 {
            flush(&db);
        }
        if home > 1 {
            compact(&db, 0);
            assert!(db.view().levels[1].tables.len() > 20);
        }
        let end = if ends { &b"key490"[..] } else { b"z" };
        if ends { db.delete_range("key010".."key490") } else { db.delete_range("key010"..) }
            .unwrap();
        model.retain(|key, _| &key[..] < b"key010" || &key[..] >= end);
        if newer {
            put(&db, "key200", "newer");
            model.insert(b"key200".to_vec(), b"newer".to_vec());
        }
        for (lower, upper) in [("", "z"), ("key005", "key300"), ("key100", "key495")] {
            let inside = |(key, _): &(&Vec<u8>, _)| {
                (lower.as_bytes()..upper.as_bytes()).contains(&key.as_slice())
            };
            let expected = model.iter().filter(inside).count();
            for forward in [true, false] {
                let bounds = ScanOptions::default().range(lower..upper);
                let mut iterator = db.iter(&bounds).unwrap();
                if forward { iterator.seek_to_first() } else { iterator.seek_to_last() }.unwrap();
                let mut count = 0;
                while iterator.valid() {
                    assert_eq!(model.get(iterator.key()).unwrap(), iterator.value());
                    count += 1;
                    if forward { iterator.next() } else { iterator.prev() }.unwrap();
                }
                let what = format!("{home}, {newer}, {ends}: {lower}..{upper}, {forward}");
                assert_eq!(count, expected, "{what}");
                let stepped = iterator.skipped().range_deleted;
                assert!(stepped < 30, "{what}: {stepped} entries were stepped over");
            }
        }
        let misses = db.stats().cache_misses;
        assert!(misses < 60, "{home}, {newer}, {ends}: {misses} blocks were read");
    }
}
