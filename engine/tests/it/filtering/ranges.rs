//! Compaction filters and range deletes.

use super::*;

#[test]
fn a_filter_is_not_asked_about_values_that_a_range_delete_hides() {
    let filter = Arc::new(ByFirstByte::default());
    let db = open_filtered(&MemoryStorage::new(), &calm(), Arc::clone(&filter) as _);
    for key in ["a", "b", "c", "d"] {
        db.put(key, "-old").unwrap();
    }
    db.request_flush().unwrap();
    // A table that the range tombstone hides as a whole is not read.
    for key in ["b1", "b2"] {
        db.put(key, "-old").unwrap();
    }
    db.request_flush().unwrap();
    db.delete_range("b".."d").unwrap();
    db.put("c", "new").unwrap();
    db.compact(..).unwrap();
    assert_eq!(filter.asked.lock().unwrap().join(" "), "a=-old c=new d=-old");
    assert_eq!(contents(&db).unwrap().into_keys().collect::<Vec<_>>(), [b"c"]);
    assert_eq!(db.stats().table_range_tombstones, 0, "nothing is left to hide");
}

/// The value is newer than a range delete and is removed: neither entries that the range delete hid nor those that the
/// value hid come back, for readers of now and for a snapshot.
#[test]
fn a_removed_value_over_a_range_delete_uncovers_nothing() {
    for held in [false, true] {
        let filter = Arc::new(ByFirstByte::default());
        let db = open_filtered(&MemoryStorage::new(), &calm(), Arc::clone(&filter) as _);
        for key in ["a", "k", "z"] {
            db.put(key, "oldest").unwrap();
        }
        db.request_flush().unwrap();
        for level in 0..3 {
            db.request_compaction(Some(level)).unwrap();
        }
        let snapshot = held.then(|| db.snapshot());
        db.delete_range("b".."y").unwrap();
        db.put("k", "-").unwrap();
        db.request_flush().unwrap();
        // In the middle of the tree, then at the bottom.
        for level in 0..4 {
            db.request_compaction(Some(level)).unwrap();
            let left: Vec<_> = contents(&db).unwrap().into_keys().collect();
            assert_eq!(left, [b"a", b"z"], "L{level}, a snapshot: {held}");
            let then = snapshot.as_ref().map(|snapshot| snapshot.get("k").unwrap().is_some());
            assert_eq!(then, held.then_some(true), "L{level}");
        }
        let asked = filter.asked.lock().unwrap().iter().filter(|asked| *asked == "k=-").count();
        assert_eq!(asked, 1, "a snapshot: {held}");
        assert!(db.check().unwrap().problems().is_empty());
    }
}

/// A snapshot that begins while a filter runs reads through range deletes as at its beginning.
#[test]
fn a_snapshot_during_a_compaction_with_a_filter_keeps_its_range_deletes() {
    let filter = Arc::new(ByFirstByte::default());
    let options = calm().maintenance(Maintenance::Manual);
    let db = open_filtered(&MemoryStorage::new(), &options, Arc::clone(&filter) as _);
    for key in ["a", "b", "c"] {
        db.put(key, "-").unwrap();
    }
    db.delete_range("b".."c").unwrap();
    db.request_flush().unwrap();
    settle(&db);
    db.request_compaction(None).unwrap();
    db.step(Budget::Entries(1)).unwrap();
    db.step(Budget::Entries(1)).unwrap();
    db.delete_range("c"..).unwrap();
    let snapshot = db.snapshot();
    db.delete_range("a"..).unwrap();
    db.put("b", "later").unwrap();
    settle(&db);
    assert!(!filter.asked.lock().unwrap().is_empty(), "the compaction has read");
    let read: Vec<_> = snapshot.range(..).unwrap().map(|entry| entry.unwrap().0).collect();
    assert_eq!(read, [b"a"]);
    assert_eq!(contents(&db).unwrap().into_keys().collect::<Vec<_>>(), [b"b"]);
}

/// `compact(..)` reaches tables that have range tombstones alone, also such without an end.
#[test]
fn a_compaction_of_everything_takes_range_tombstones_too() {
    let db = open(&(Arc::new(MemoryStorage::new()) as Arc<dyn Storage>), &calm());
    db.put("m", "old").unwrap();
    db.delete_range("x"..).unwrap();
    db.compact(..).unwrap();
    assert_eq!(db.stats().table_range_tombstones, 0);
    db.delete_range("a"..).unwrap();
    db.request_flush().unwrap();
    assert!(db.compact("z"..).unwrap(), "it has keys from there on");
    assert_eq!((db.stats().table_range_tombstones, db.stats().table_entries), (0, 0));
    assert!(!db.compact(..).unwrap(), "nothing is left");
}
