//! Histories of manifests and of `CURRENT`.

use super::*;
use levelscope::ErrorKind;
use levelscope::storage::Crash;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::trace::StorageTrace;
use levelscope::testing::forge::slot;
use std::collections::BTreeSet;

/// A directory was not synced after a file was made in it, or after the pointer to the manifest changed:
/// after a loss of power a file that was needed had no name.
#[test]
fn no_file_that_is_needed_loses_its_name() {
    let options = by_hand().memtable_bytes(2048).l0_trigger(2).wal_sync(WalSync::Group);
    let disk = MemoryStorage::new();
    let (film, storage) = Film::over(&disk);
    let mut acknowledged = vec![(0, 0)];
    let mut db = open(&storage, &options);
    for index in 0..120 {
        db.put(format!("key{index:03}").as_bytes(), value(index, 40)).unwrap();
        acknowledged.push((film.len(), index + 1));
        if index % 30 == 29 {
            settle(&db);
        }
        if index % 50 == 49 {
            drop(db);
            db = open(&storage, &options);
        }
    }
    for (index, (operation, frame)) in film.frames().into_iter().enumerate() {
        let image = frame.crash_image(Crash::KeepSynced);
        let found = contents(&open(&shared(&image), &options)).unwrap().len();
        let then = acknowledged.iter().filter(|(operations, _)| *operations <= index + 1);
        let promised = then.map(|(_, count)| *count).max().unwrap_or(0);
        assert!(found == promised || found == promised + 1, "after {operation}: {found} keys");
    }
}

/// The pointer named a manifest whose bytes had not reached the disk: the database could not be opened,
/// though the one before it was whole.
#[test]
fn current_never_names_a_manifest_that_is_not_durable() {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    put(&db, "key", "value");
    drop(db);
    let (film, storage) = Film::over(&disk);
    drop(open(&storage, &by_hand()));
    for (index, (operation, frame)) in film.frames().into_iter().enumerate() {
        for seed in 0..20 {
            let image = frame.crash_image(Crash::Random((index as u64) << 8 | seed));
            let db = open(&shared(&image), &by_hand());
            assert_eq!(get(&db, "key").as_deref(), Some("value"), "after {operation}, {seed}");
        }
    }
    // Only a medium that reports false syncs can cause this: the slot is there, and its manifest is not.
    // Opening must not take this for a new database, and must delete nothing that could help a repair.
    let newest =
        names(&disk).into_iter().filter(|name| matches!(name, FileName::Manifest(_))).max();
    let newest = newest.unwrap();
    for length in [0, 10, 24, 40] {
        let lying = disk.fork();
        lying.truncate(newest, length).unwrap();
        let before = lying.hash();
        match try_open(&shared(&lying), &by_hand()) {
            Ok(db) => assert_eq!(get(&db, "key").as_deref(), Some("value"), "cut to {length}"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Corruption, "{error}");
                assert_eq!(error.file(), Some(newest), "{error}");
                assert_eq!(lying.hash(), before, "evidence was changed");
            }
        }
    }
}

/// A torn switch destroyed the only pointer.
#[test]
fn a_torn_switch_leaves_the_pointer_before_it() {
    let disk = MemoryStorage::new();
    for round in ["first", "second", "third"] {
        put(&open(&shared(&disk), &by_hand()), round, "value");
    }
    let current = disk.read(FileName::Current).unwrap();
    let epochs =
        [0, 4096].map(|at| u64::from_le_bytes(current[at + 12..at + 20].try_into().unwrap()));
    let older = usize::from(epochs[0] > epochs[1]) * 4096;
    let next = slot(1, epochs[0].max(epochs[1]) + 1, 1000);
    for cut in (0..4096).step_by(61) {
        let mut torn = current.clone();
        torn[older..older + cut].copy_from_slice(&next[..cut]);
        let disk = disk.fork();
        disk.put("CURRENT", &torn);
        let db = open(&shared(&disk), &by_hand());
        assert_eq!(get(&db, "third").as_deref(), Some("value"), "torn at {cut}");
    }
}

/// A full disk cut an edit short, space was freed, and the next edits were appended after the garbage.
/// All of them were lost at the next opening.
#[test]
fn an_edit_cut_by_a_full_disk_is_never_appended_to() {
    let prepared = |disk: &MemoryStorage| {
        let failing = FaultStorage::over_memory(disk);
        let storage: Arc<dyn Storage> = Arc::new(failing.clone());
        let db = open(&storage, &by_hand());
        put(&db, "key", "value");
        db.request_flush().unwrap();
        // Up to the table's sync: the next step appends the edit.
        while db.next_step().is_some_and(|step| !step.contains("append the edit")) {
            db.step(Budget::Phase).unwrap();
        }
        (failing, db)
    };
    let (failing, db) = prepared(&MemoryStorage::new());
    let before = failing.used_bytes();
    db.step(Budget::Phase).unwrap();
    let edit_bytes = failing.used_bytes() - before;
    assert!(edit_bytes > 0, "the step appended no edit");
    drop(db);
    for room in 0..edit_bytes {
        let disk = MemoryStorage::new();
        let (failing, db) = prepared(&disk);
        failing.set_capacity(Some(failing.used_bytes() + room));
        assert_eq!(db.step(Budget::Phase).unwrap_err().kind(), ErrorKind::OutOfSpace, "{room}");
        failing.set_capacity(None);
        assert_eq!(db.put(b"more", b"value").unwrap_err().kind(), ErrorKind::ReadOnly);
        drop(db);
        for _ in 0..2 {
            let db = open(&shared(&disk), &by_hand());
            assert_eq!(get(&db, "key").as_deref(), Some("value"), "{room}");
            put(&db, "again", "value");
            flush(&db);
            compact(&db, 0);
        }
    }
}

/// A new manifest could not be synced, and the cleanup deleted the old one, which was good.
#[test]
fn a_switch_that_fails_keeps_the_old_manifest() {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    put(&db, "key", "value");
    flush(&db);
    drop(db);
    let named = newest_manifest(&disk);
    for fault in Fault::ALL {
        for at in 1.. {
            let disk = disk.fork();
            let failing = FaultStorage::over_memory(&disk);
            failing.inject(fault, at, true);
            let storage: Arc<dyn Storage> = Arc::new(failing.clone());
            let opened = try_open(&storage, &by_hand()).is_ok();
            if failing.injected() == 0 {
                break;
            }
            let context = format!("{fault:?} at {at}");
            assert!(opened || names(&disk).contains(&named), "{context}: {named} is gone");
            failing.heal();
            for image in [disk.fork(), disk.crash_image(Crash::KeepSynced)] {
                let db = open(&shared(&image), &by_hand());
                assert_eq!(get(&db, "key").as_deref(), Some("value"), "{context}");
            }
        }
    }
}

fn newest_manifest(disk: &MemoryStorage) -> FileName {
    let manifests = names(disk).into_iter().filter(|name| matches!(name, FileName::Manifest(_)));
    manifests.max().expect("there is a manifest")
}

/// The sync of an edit failed although the edit had reached the disk; the table that it adds was deleted
/// as the output of a failed job, and the reopened database named a file that was gone.
#[test]
fn an_edit_of_unknown_fate_keeps_what_either_outcome_needs() {
    for fault in [Fault::SyncError, Fault::LateSyncError] {
        for at in 1.. {
            let disk = MemoryStorage::new();
            let failing = FaultStorage::over_memory(&disk);
            let storage: Arc<dyn Storage> = Arc::new(failing.clone());
            let db = open(&storage, &by_hand());
            put(&db, "key", "old");
            flush(&db);
            put(&db, "key", "value");
            db.request_flush().unwrap();
            db.request_compaction(Some(0)).unwrap();
            failing.inject(fault, at, false);
            let outcome = loop {
                match db.step(Budget::Phase) {
                    Ok(StepOutcome::Idle) => break Ok(()),
                    Ok(_) => {}
                    Err(error) => break Err(error),
                }
            };
            if failing.injected() == 0 {
                assert!(at > 6, "a flush and a compaction sync more than {at} times");
                break;
            }
            let context = format!("{fault:?} at {at}");
            assert_eq!(outcome.expect_err(&context).kind(), ErrorKind::Io);
            assert_eq!(db.put(b"more", b"v").unwrap_err().kind(), ErrorKind::ReadOnly, "{context}");
            assert_eq!(get(&db, "key").as_deref(), Some("value"), "{context}: reads go on");
            drop(db);
            failing.heal();
            for crash in [Crash::KeepAll, Crash::KeepSynced, Crash::Random(at)] {
                let db = try_open(&shared(&disk.crash_image(crash)), &by_hand()).expect(&context);
                assert_eq!(get(&db, "key").as_deref(), Some("value"), "{context}, {crash:?}");
                assert_eq!(db.check().unwrap().problems(), Vec::<String>::new(), "{context}");
            }
        }
    }
}

/// A manifest was given the number of one that was still there, and overwrote it.
#[test]
fn a_new_manifest_never_takes_the_number_of_an_old_one() {
    let count = {
        let failing = FaultStorage::over_memory(&MemoryStorage::new());
        failing.inject(Fault::Io, u64::MAX, false);
        drop(open(&(Arc::new(failing.clone()) as Arc<dyn Storage>), &by_hand()));
        failing.operations()
    };
    for at in 1..=count + 8 {
        let disk = MemoryStorage::new();
        let failing = FaultStorage::over_memory(&disk);
        let (trace, storage) = StorageTrace::over(Arc::new(failing.clone()));
        let mut created = BTreeSet::new();
        for round in 0..10 {
            failing.inject(Fault::Io, at, true);
            drop(try_open(&storage, &by_hand()));
            failing.heal();
            let lines = trace.drain();
            let names = lines.iter().filter_map(|line| line.strip_prefix("create "));
            for name in names.filter(|name| !name.ends_with("failed") && *name != "CURRENT") {
                let number = FileName::parse(name).and_then(FileName::number).expect("a number");
                assert!(
                    created.last().is_none_or(|last| number > *last),
                    "failing at {at}, round {round}: {name} after {created:?}"
                );
                created.insert(number);
            }
        }
    }
}
