//! Histories of snapshots, sequence numbers, iterators and memtables.

use super::*;
use levelscope::storage::{Crash, FileName};
use levelscope::{ErrorKind, ScanOptions};

/// Compactions did not know of a snapshot: one taken before the first write, at the boundary of a batch, or
/// while the compaction was being planned.
#[test]
fn a_snapshot_at_every_boundary_survives_every_compaction() {
    let db = open(&shared(&MemoryStorage::new()), &by_hand().table_bytes(700));
    let mut held = vec![(db.snapshot(), Model::new())];
    assert_eq!(held[0].0.sequence(), 0);
    let mut random = Random(19);
    let mut model = Model::new();
    let verify = |db: &Db, held: &[(levelscope::Snapshot, Model)], context: &str| {
        for (snapshot, then) in held {
            let at = snapshot.sequence();
            for index in 0..12 {
                let key = format!("key{index:02}").into_bytes();
                let found = snapshot.get(&key).unwrap();
                assert_eq!(
                    found.as_deref(),
                    then.get(&key).map(Vec::as_slice),
                    "{context}: key{index:02} at {at}"
                );
            }
            let scan = ScanOptions::default().snapshot(snapshot);
            let mut iterator = db.iter(&scan).unwrap();
            iterator.seek_to_last().unwrap();
            for (key, value) in then.iter().rev() {
                assert_eq!((iterator.key(), iterator.value()), (&key[..], &value[..]), "{context}");
                iterator.prev().unwrap();
            }
            assert!(!iterator.valid(), "{context} at {at}");
        }
    };
    for index in 0..60 {
        let mut batch = WriteBatch::new();
        for _ in 0..=random.below(3) {
            let key = format!("key{:02}", random.below(12)).into_bytes();
            if random.below(3) == 0 {
                batch.delete(&key).unwrap();
                model.remove(&key);
            } else {
                batch.put(&key, value(index, 20)).unwrap();
                model.insert(key, value(index, 20));
            }
        }
        db.write(&batch, None).unwrap();
        held.push((db.snapshot(), model.clone()));
        if index % 7 == 6 {
            db.request_flush().unwrap();
            if index % 14 == 13 {
                db.request_compaction(None).unwrap();
            }
            while db.step(Budget::Phase).unwrap() != StepOutcome::Idle {
                held.push((db.snapshot(), model.clone()));
            }
            verify(&db, &held, &format!("write {index}"));
        }
    }
    for _ in 0..3 {
        db.request_compaction(None).unwrap();
        settle(&db);
        verify(&db, &held, "at the bottom");
        let half = held.len() / 2;
        held.truncate(half);
    }
}

/// After a crash with an empty log the counter began below the sequence numbers in the tables: new writes
/// counted as older than old ones, and no reader saw them.
#[test]
fn a_sequence_number_is_never_given_twice() {
    let mut disk = MemoryStorage::new();
    let mut largest = 0;
    for round in 0..6 {
        let db = open(&shared(&disk), &by_hand());
        assert!(db.view().last_sequence >= largest, "round {round}: it went back");
        put(&db, "key", &format!("round {round}"));
        assert!(db.view().last_sequence > largest, "round {round}");
        assert_eq!(get(&db, "key"), Some(format!("round {round}")));
        // The largest number of all belongs to a tombstone that a compaction drops.
        put(&db, "gone", "value");
        db.delete(b"gone").unwrap();
        largest = db.view().last_sequence;
        flush(&db);
        db.request_compaction(None).unwrap();
        settle(&db);
        assert!(db.view().levels.iter().flat_map(|level| &level.tables).all(|t| t.tombstones == 0));
        let next = disk.crash_image([Crash::KeepAll, Crash::KeepSynced][round % 2]);
        drop(db);
        disk = next;
        let db = open(&shared(&disk), &by_hand());
        assert_eq!(get(&db, "key"), Some(format!("round {round}")), "round {round}, reopened");
    }
}

/// After an error an iterator continued after the bad block, and the scan looked complete.
#[test]
fn after_its_first_error_an_iterator_gives_no_entry() {
    let options = by_hand().cache_bytes(0).bloom_bits(0);
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &options);
    (0..60)
        .for_each(|index| db.put(format!("key{index:02}").as_bytes(), value(index, 30)).unwrap());
    flush(&db);
    let table = FileName::Table(tables_of(&db)[0]);
    drop(db);
    let data_bytes = 60 * 20;
    for offset in (100..data_bytes).step_by(97) {
        let damaged = disk.fork();
        damaged.corrupt(table, offset, 0x40).unwrap();
        let db = open(&shared(&damaged), &options);
        for forward in [true, false] {
            let mut iterator = db.iter(&ScanOptions::default()).unwrap();
            let walk = |iterator: &mut levelscope::DbIterator| {
                if forward { iterator.next() } else { iterator.prev() }
            };
            let mut outcome =
                if forward { iterator.seek_to_first() } else { iterator.seek_to_last() };
            while outcome.is_ok() && iterator.valid() {
                outcome = walk(&mut iterator);
            }
            let error = outcome.expect_err("a damaged block");
            assert_eq!(error.kind(), ErrorKind::Corruption);
            for _ in 0..3 {
                assert!(!iterator.valid() && iterator.key().is_empty(), "byte {offset}");
                assert_eq!(iterator.next().unwrap_err(), error);
                assert_eq!(iterator.prev().unwrap_err(), error);
                assert_eq!(iterator.seek_to_first().unwrap_err(), error);
                assert_eq!(iterator.seek(b"key59").unwrap_err(), error);
            }
        }
    }
}

/// A lookup searched memtables and tables in the wrong order, or left out a sealed memtable: it found a
/// deleted key in an older table.
#[test]
fn a_deletion_in_a_sealed_memtable_hides_the_older_table() {
    let db = open(&shared(&MemoryStorage::new()), &by_hand());
    put(&db, "key", "in a table");
    flush(&db);
    db.delete(b"key").unwrap();
    db.rotate().unwrap();
    assert_eq!(get(&db, "key"), None);
    assert!(contents(&db).unwrap().is_empty());
    put(&db, "key", "in a newer sealed memtable");
    db.rotate().unwrap();
    assert_eq!(get(&db, "key").as_deref(), Some("in a newer sealed memtable"));
    db.delete(b"key").unwrap();
    db.rotate().unwrap();
    put(&db, "other", "value");
    assert_eq!(get(&db, "key"), None);
    db.request_flush().unwrap();
    while db.step(Budget::Phase).unwrap() != StepOutcome::Idle {
        assert_eq!(get(&db, "key"), None);
        assert_eq!(contents(&db).unwrap().len(), 1);
    }
}

/// Going backward, a walk turned around to seek past many versions of a key. Where a range tombstone hid the newest one,
/// it went past that range without turning back, and showed keys again that it had passed.
#[test]
fn a_walk_backward_turns_back_before_it_goes_past_a_range() {
    let db = open(&shared(&MemoryStorage::new()), &by_hand());
    put_all(&db, &["a", "k1", "k2", "k3", "k4", "k5", "k6", "m", "zz"], "old");
    let snapshots: Vec<_> = (0..40)
        .map(|_| {
            put(&db, "k", "version");
            db.snapshot()
        })
        .collect();
    flush(&db);
    compact(&db, 0);
    put(&db, "k", "newest");
    flush(&db);
    db.delete_range("k".."l").unwrap();
    flush(&db);
    // The table with all the versions gets something newer than the range tombstone, and the others stay in L0.
    put(&db, "z", "new");
    flush(&db);
    db.compact_range(b"z", b"z").unwrap();
    settle(&db);
    let tables: Vec<_> = db.view().levels.iter().map(|level| level.tables.len()).collect();
    assert_eq!(tables[..2], [2, 1]);
    put(&db, "n", "new");
    let backwards: Vec<_> = db.range(..).unwrap().rev().map(|entry| entry.unwrap().0).collect();
    assert_eq!(backwards, [&b"zz"[..], b"z", b"n", b"m", b"a"]);
    drop(snapshots);
}
