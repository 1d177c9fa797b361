//! Histories of compactions: dropped entries, moved tables, shadowed versions.

use super::*;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::{ErrorKind, ReadStop};
use std::collections::BTreeMap;

/// Steps everything to its end by the smallest steps; `check` looks after each.
fn settle_finely(db: &Db, check: impl Fn(&str)) {
    loop {
        let next = db.next_step().unwrap_or_default();
        if db.step(Budget::Entry).unwrap() == StepOutcome::Idle {
            return;
        }
        check(&next);
    }
}

/// A value in level `parked`, a tombstone above it: stepped down level by level, it never comes back.
fn tombstone_moves_down(parked: usize, with_neighbours: bool) {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    put(&db, "key", "value");
    flush(&db);
    (0..parked).for_each(|level| compact(&db, level));
    assert_eq!(db.view().levels[parked].tables.len(), 1);
    if with_neighbours {
        put(&db, "a", "1");
        put(&db, "z", "2");
    }
    db.delete(b"key").unwrap();
    let gone = |step: &str| assert_eq!(get(&db, "key"), None, "parked in L{parked}, after: {step}");
    gone("delete");
    db.request_flush().unwrap();
    settle_finely(&db, gone);
    for level in 0..by_hand().level_count - 1 {
        db.request_compaction(Some(level)).unwrap();
        settle_finely(&db, gone);
        let reopened = open(&shared(&disk.fork()), &by_hand());
        assert_eq!(get(&reopened, "key"), None, "parked in L{parked}, reopened below L{level}");
        assert!(!contents(&reopened).unwrap().contains_key(&b"key"[..]));
    }
    assert_eq!(contents(&db).unwrap().len(), if with_neighbours { 2 } else { 0 });
}

/// A tombstone was dropped in a compaction into the middle of the tree, while a deeper level still held the
/// key: the deleted value was back.
#[test]
fn a_tombstone_stays_while_a_deeper_level_has_the_key() {
    for with_neighbours in [false, true] {
        tombstone_moves_down(3, with_neighbours);
        tombstone_moves_down(5, with_neighbours);
    }
}

/// Compactions that jumped over a level dropped tombstones, or put newer values below older ones, because
/// the level between was not looked at.
#[test]
fn a_value_in_a_level_that_could_be_skipped_stays_hidden() {
    for parked in 1..5 {
        tombstone_moves_down(parked, false);
        tombstone_moves_down(parked, true);
    }
    // Newer values over older ones in every level at once.
    let db = open(&shared(&MemoryStorage::new()), &by_hand());
    for depth in (0..5).rev() {
        put(&db, "key", &format!("in L{depth}"));
        flush(&db);
        (0..depth).for_each(|level| compact(&db, level));
    }
    for level in [3, 1, 0, 2, 4, 1, 3, 2, 4] {
        compact(&db, level);
        assert_eq!(get(&db, "key").as_deref(), Some("in L0"), "after compacting L{level}");
    }
}

/// The versions of one key were cut into two tables of a level, only the table with the newer ones moved
/// down, and the older ones above hid them.
#[test]
fn the_versions_of_one_key_never_part() {
    let options =
        by_hand().table_bytes(512).level_base_bytes(1024).level_multiplier(2).l0_trigger(2);
    let db = open(&shared(&MemoryStorage::new()), &options);
    let mut held = Vec::new();
    for round in 0..30 {
        for key in ["a", "key", "z"] {
            for version in 0..3 {
                put(&db, key, &format!("{key} {round} {version} {}", "-".repeat(60)));
                held.push((db.snapshot(), key, round, version));
            }
        }
        flush(&db);
        for level in db.view().levels.iter().skip(1) {
            for pair in level.tables.windows(2) {
                let (left, right) = (&pair[0].largest.head, &pair[1].smallest.head);
                assert!(left < right, "round {round}: {pair:?}");
            }
        }
        for (snapshot, key, round, version) in &held {
            let found = snapshot.get(key.as_bytes()).unwrap().unwrap();
            let wanted = format!("{key} {round} {version} ");
            assert!(found.starts_with(wanted.as_bytes()), "{wanted} at {}", snapshot.sequence());
        }
    }
    assert!(db.view().levels[2].tables.len() + db.view().levels[3].tables.len() > 1);
}

/// Sorted runs changed their order when they were put back, and an old run hid a newer one.
#[test]
fn the_first_place_that_has_a_key_has_its_newest_version() {
    let mut technique = Technique::new("first run is newest", 12);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x0f1d);
        let options = small_options(&mut random).maintenance(Maintenance::Manual);
        let disk = MemoryStorage::new();
        let mut db = open(&shared(&disk), &options);
        let mut newest: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
        // A range tombstone hides a key without being an entry of it.
        let is_of_keys = |op: &Op| !matches!(op, Op::DeleteRange(..));
        for op in random_script(&mut random, 150).into_iter().filter(is_of_keys) {
            match (&op, batch_of(&op)) {
                (Op::Reopen, _) => {
                    drop(db);
                    db = open(&shared(&disk), &options);
                }
                (_, Some(batch)) => {
                    let before = db.view().last_sequence;
                    write(&db, &batch, None).unwrap();
                    let keys: Vec<Vec<u8>> = match &op {
                        Op::Put(key, _) | Op::Delete(key) => vec![key.clone()],
                        Op::Batch(entries) => entries.iter().map(|(key, _)| key.clone()).collect(),
                        _ => Vec::new(),
                    };
                    newest.extend(keys.into_iter().zip(before + 1..));
                }
                _ => {
                    run(&db, &op).unwrap();
                    for (key, sequence) in &newest {
                        let (value, path) = db.explain_get(key, None).unwrap();
                        let hit = path.stops.iter().find_map(|stop| match stop {
                            ReadStop::Table { hit, .. } | ReadStop::Memtable { hit, .. } => *hit,
                            _ => None,
                        });
                        // A tombstone may be gone for good; whatever is found is the newest.
                        let found = hit.map_or(*sequence, |hit| hit.sequence);
                        assert_eq!(found, *sequence, "seed {seed}, {op:?}: {value:?} by {path:?}");
                    }
                }
            }
            technique.count(1);
        }
    }
}

/// A read in a compaction failed or came back short, which was taken for the end of the input: the rest of
/// the table was lost.
#[test]
fn a_failed_read_in_a_compaction_is_never_the_end_of_its_input() {
    let mut technique = Technique::new("reads of compactions", 1);
    let options = by_hand().cache_bytes(0).open_tables_max(4);
    let seed = technique.next_seed().unwrap();
    for fault in [Fault::ShortRead, Fault::Io] {
        for at in 1.. {
            let disk = MemoryStorage::new();
            let failing = FaultStorage::over_memory(&disk);
            let storage: Arc<dyn Storage> = Arc::new(failing.clone());
            let db = open(&storage, &options);
            for table in 0..4 {
                for index in 0..40 {
                    put_unsynced(&db, &format!("key{index:03}"), &value(table + seed as usize, 30));
                }
                flush(&db);
                if table == 1 {
                    compact(&db, 0);
                }
            }
            let model = contents(&db).unwrap();
            let inputs = tables_of(&db);
            drop(db);
            let db = open(&storage, &options);
            db.request_compaction(Some(0)).unwrap();
            failing.inject(fault, at, false);
            let outcome = loop {
                match db.step(Budget::Phase) {
                    Ok(StepOutcome::Idle) => break Ok(()),
                    Ok(_) => {}
                    Err(error) => break Err(error),
                }
            };
            let injected = failing.injected();
            failing.heal();
            technique.count(1);
            if injected == 0 {
                // One read to open each of three tables, and its blocks in one.
                assert!(at > 6, "a compaction reads more than {at} times");
                break;
            }
            let context = format!("{fault:?} at {at}");
            if let Err(error) = outcome {
                assert!([ErrorKind::Io, ErrorKind::Corruption].contains(&error.kind()), "{error}");
                for table in &inputs {
                    assert!(tables_on(&disk).contains(table), "{context}: input {table} is gone");
                }
            } else {
                // Only steps after the edit may fail in silence: the deletion of an input.
                assert!(tables_of(&db) != inputs && fault == Fault::Io, "{context}: swallowed");
            }
            drop(db);
            assert_eq!(contents(&open(&storage, &options)).unwrap(), model, "{context}");
        }
    }
}
