//! Histories of jobs: files left over when a job stops, and conflicts between jobs.

use super::*;
use levelscope::event::{EventKind, EventSink, Grain, Recorder};
use levelscope::storage::Crash;
use levelscope::storage::fault::{Fault, FaultStorage};
use std::collections::{BTreeMap, BTreeSet};

/// Two tables in L0 over one in L1, and the film of their compaction.
fn filmed_compaction() -> (Vec<(Operation, MemoryStorage)>, Model) {
    let disk = MemoryStorage::new();
    let (film, storage) = Film::over(&disk);
    let db = open(&storage, &by_hand());
    for table in 0..3 {
        (0..30)
            .for_each(|index| db.put(format!("key{index}").as_bytes(), value(table, 30)).unwrap());
        db.delete(format!("key{table}").as_bytes()).unwrap();
        flush(&db);
        if table == 0 {
            compact(&db, 0);
        }
    }
    let begun = film.len();
    compact(&db, 0);
    let model = contents(&db).unwrap();
    drop(db);
    (film.frames().split_off(begun), model)
}

/// Whatever a crash in a compaction leaves: the content is the same, and the tables on disk are those that
/// the manifest names.
fn verify_crashes(is_concerned: impl Fn(usize, usize) -> bool) {
    let (frames, model) = filmed_compaction();
    let edit = frames
        .iter()
        .position(|(operation, _)| operation.to_string().starts_with("append MANIFEST"));
    let edit = edit.expect("a compaction appends an edit");
    let mut concerned = 0;
    for (index, (operation, frame)) in frames.iter().enumerate() {
        if !is_concerned(index, edit) {
            continue;
        }
        concerned += 1;
        for crash in [Crash::KeepAll, Crash::KeepSynced, Crash::Random(1), Crash::Random(2)] {
            let context = format!("after {operation}, {crash:?}");
            let image = frame.crash_image(crash);
            let db = open(&shared(&image), &by_hand());
            assert_eq!(contents(&db).unwrap(), model, "{context}");
            assert_eq!(tables_on(&image), tables_of(&db), "{context}: not swept");
            assert_eq!(db.check().unwrap().problems(), Vec::<String>::new(), "{context}");
        }
    }
    assert!(concerned > 2);
}

/// A crash came between the writing of outputs and the edit that adds them: they stayed for ever, or were
/// taken for tables of the database.
#[test]
fn outputs_without_an_edit_are_swept_and_the_inputs_live() {
    verify_crashes(|index, edit| index <= edit);
}

/// A crash came between the edit and the deletion of the inputs: they were found again at opening, and old
/// values with them.
#[test]
fn inputs_that_an_edit_removed_are_not_resurrected() {
    verify_crashes(|index, edit| index >= edit);
}

/// One job failed, and the cleanup deleted the outputs of another that had succeeded.
#[test]
fn a_job_that_fails_takes_nothing_from_another() {
    for fault in [Fault::Io, Fault::OutOfSpace, Fault::ShortWrite, Fault::SyncError] {
        for at in 1.. {
            let disk = MemoryStorage::new();
            let failing = FaultStorage::over_memory(&disk);
            let storage: Arc<dyn Storage> = Arc::new(failing.clone());
            let db = open(&storage, &by_hand());
            put(&db, "first", "value");
            db.rotate().unwrap();
            put(&db, "second", "value");
            db.request_flush().unwrap();
            assert!(matches!(db.step(Budget::Job).unwrap(), StepOutcome::Finished(_)));
            let survivors = tables_of(&db);
            assert_eq!(survivors.len(), 1);
            db.request_compaction(Some(0)).unwrap();
            failing.inject(fault, at, false);
            // The flush of the second memtable, then a compaction of both tables.
            while db.step(Budget::Phase).is_ok_and(|outcome| outcome != StepOutcome::Idle) {}
            if failing.injected() == 0 {
                break;
            }
            let context = format!("{fault:?} at {at}");
            if db.view().read_only.is_some() {
                let kept = tables_of(&db);
                let found = tables_on(&disk);
                assert!(kept.iter().all(|table| found.contains(table)), "{context}");
                assert!(found.contains(&survivors[0]), "{context}");
            }
            failing.heal();
            drop(db);
            let db = open(&shared(&disk.crash_image(Crash::KeepSynced)), &by_hand());
            for key in ["first", "second"] {
                assert_eq!(get(&db, key).as_deref(), Some("value"), "{context}");
            }
        }
    }
}

/// Two compactions took the same table, and its entries were there twice, or lost when the second removed
/// it again.
#[test]
fn two_compactions_never_share_an_input() {
    for seed in 0..4 {
        let mut random = Random(seed ^ 0x2c0);
        let options = by_hand()
            .memtable_bytes(1024)
            .table_bytes(1024)
            .level_base_bytes(2048)
            .level_multiplier(2)
            .l0_trigger(2)
            .l0_slowdown(8)
            .l0_stall(8)
            .wal_sync(WalSync::None)
            .maintenance(Maintenance::Threads(4));
        let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
        let sink: Arc<dyn EventSink> = recorder.clone();
        let disk = MemoryStorage::new();
        let db = open_watched(shared(&disk), options, Some(sink)).unwrap();
        let mut model = Model::new();
        for index in 0..1500 {
            let key = format!("key{:03}", random.below(300));
            db.put(key.as_bytes(), value(index, 40)).unwrap();
            model.insert(key.into_bytes(), value(index, 40));
            if index % 400 == 399 {
                db.request_compaction(None).unwrap();
            }
        }
        assert_eq!(contents(&db).unwrap(), model, "seed {seed}");
        db.close().unwrap();
        let mut busy: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        let mut picked = 0;
        for event in recorder.drain().0 {
            let Some(job) = event.job else { continue };
            match event.kind {
                EventKind::CompactionPick { inputs, .. } => {
                    picked += 1;
                    let inputs: BTreeSet<u64> = inputs.iter().map(|input| input.table).collect();
                    for (other, theirs) in &busy {
                        assert!(theirs.is_disjoint(&inputs), "seed {seed}: jobs {other} and {job}");
                    }
                    busy.insert(job, inputs);
                }
                EventKind::CompactionInstall { .. } | EventKind::JobFailed { .. } => {
                    busy.remove(&job);
                }
                _ => {}
            }
        }
        assert!(picked > 3, "seed {seed}: only {picked} compactions");
    }
}
