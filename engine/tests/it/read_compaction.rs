//! Compactions that reads cause: when they come, when they do not, and that answers stay the same.

use crate::common::*;
use levelscope::event::{Event, EventKind, EventSink, Grain, Recorder, RotateReason};
use levelscope::storage::{Crash, MemoryStorage, Storage};
use levelscope::testing::crash::after_each_operation;
use levelscope::{
    Budget, Db, Maintenance, Options, ScanOptions, Skipped, Strategy, WalSync, WriteBatch,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

const KEYS: u64 = 400;

/// No level is ever due by its size, so that reads alone can cause compactions.
fn options(maintenance: Maintenance) -> Options {
    Options::default()
        .memtable_bytes(8 << 10)
        .table_bytes(4 << 10)
        .block_bytes(256)
        .l0_trigger(100)
        .l0_slowdown(150)
        .l0_stall(200)
        .level_base_bytes(1 << 20)
        .wal_sync(WalSync::None)
        .maintenance(maintenance)
}

fn key(at: u64) -> Vec<u8> {
    format!("key{at:04}").into_bytes()
}

fn put(db: &Db, model: &mut Model, at: u64, value: String) {
    let mut batch = WriteBatch::new();
    batch.put(key(at), value.as_bytes()).unwrap();
    write(db, &batch, None).unwrap();
    model.insert(key(at), value.into_bytes());
}

/// Several tables in L0 that all reach from the first key to the last, and their entries.
fn filled(db: &Db) -> Model {
    let (mut random, mut model) = (Random(3), Model::new());
    for round in 0..6 {
        for at in [0, KEYS - 1] {
            put(db, &mut model, at, format!("{round}"));
        }
        for _ in 0..100 {
            put(db, &mut model, random.below(KEYS), format!("{round} {}", random.below(1000)));
        }
        flush(db);
    }
    model
}

fn flush(db: &Db) {
    db.request_flush().unwrap();
    while db.options().maintenance == Maintenance::Manual && db.has_work() {
        db.step(Budget::Job).unwrap();
    }
}

/// `count` seeks, each with an iterator of its own, whose answers are those of `model`.
fn seek(db: &Db, model: &Model, count: u64) {
    let mut random = Random(count);
    for _ in 0..count {
        let target = key(random.below(KEYS));
        let mut iterator = db.iter(&ScanOptions::default()).unwrap();
        iterator.seek(&target).unwrap();
        let expected = model.range(target..).next().unwrap();
        assert_eq!((iterator.key(), iterator.value()), (&expected.0[..], &expected.1[..]));
    }
}

fn tables(db: &Db, level: usize) -> usize {
    db.view().levels.get(level).map_or(0, |level| level.tables.len())
}

fn assert_holds(db: &Db, model: &Model) {
    let mut iterator = db.iter(&ScanOptions::default()).unwrap();
    iterator.seek_to_first().unwrap();
    for (key, value) in model {
        assert_eq!((iterator.key(), iterator.value()), (&key[..], &value[..]));
        assert_eq!(db.get(key).unwrap().unwrap(), *value);
        iterator.next().unwrap();
    }
    assert!(!iterator.valid());
}

fn open_recorded(storage: &MemoryStorage, options: &Options) -> (Db, Arc<Recorder>) {
    let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
    let sink = Arc::clone(&recorder) as Arc<dyn EventSink>;
    let storage: Arc<dyn Storage> = Arc::new(storage.clone());
    (open_watched(storage, options.clone(), Some(sink)).unwrap(), recorder)
}

fn reasons(recorder: &Recorder) -> Vec<String> {
    let events = recorder.drain().0.into_iter();
    events
        .filter_map(|event| match event.kind {
            EventKind::CompactionPick { reason, .. } => Some(reason),
            _ => None,
        })
        .collect()
}

#[test]
fn seeks_that_search_many_tables_merge_them() {
    let (db, recorder) = open_recorded(&MemoryStorage::new(), &options(Maintenance::Inline));
    let mut model = filled(&db);
    assert_eq!((tables(&db, 0), tables(&db, 1)), (6, 0));
    seek(&db, &model, 90);
    assert!(!db.has_work(), "so few reads are not worth a compaction");
    seek(&db, &model, 200);
    assert!(db.has_work());
    assert_eq!(tables(&db, 0), 6, "a read alone changes no file");
    put(&db, &mut model, 1, "the next write does the work".to_owned());
    assert!(!db.has_work());
    assert_eq!(tables(&db, 0), 0);
    assert!(tables(&db, 1) > 0);
    assert_holds(&db, &model);
    let reasons = reasons(&recorder);
    let [reason] = reasons.as_slice() else { panic!("{reasons:?}") };
    assert!(reason.contains(" reads had to search table "), "{reason}");
    assert!(reason.contains("and others for the same keys; all 6 are"), "{reason}");

    // One run is left: no read has to search several tables.
    flush(&db);
    let before = tables(&db, 1);
    seek(&db, &model, 1000);
    assert_holds(&db, &model);
    assert!(tables(&db, 0) <= 1 && tables(&db, 1) >= before);
}

#[test]
fn a_table_moves_down_level_by_level_until_reads_find_one_run() {
    let (db, recorder) = open_recorded(&MemoryStorage::new(), &options(Maintenance::Inline));
    let mut model = filled(&db);
    db.request_compaction(Some(0)).unwrap();
    db.request_compaction(Some(1)).unwrap();
    let deep = tables(&db, 2);
    assert!(deep > 1);
    for round in 0..6 {
        put(&db, &mut model, 70 * round, format!("newer {round}"));
    }
    flush(&db);
    db.request_compaction(Some(0)).unwrap();
    assert_eq!(tables(&db, 1), 1);
    reasons(&recorder);
    for round in 0..40 {
        seek(&db, &model, 50 + round);
        put(&db, &mut model, 10, format!("{round}"));
    }
    assert_eq!(tables(&db, 1), 0);
    assert!(tables(&db, 2) > 1);
    assert_holds(&db, &model);
    let reasons = reasons(&recorder);
    assert!(reasons.iter().all(|reason| reason.contains("reads had to search table")));
    assert!(
        reasons.iter().any(|reason| reason.contains("of L2 whose keys overlap")),
        "{reasons:?}"
    );
}

/// A merge below L0 takes one search off the seeks of one table, so more of them have to pay for it.
#[test]
fn sixteen_reads_below_level_0_are_worth_one_in_it() {
    let options = options(Maintenance::Inline).read_compaction_bytes(64);
    let (db, _) = open_recorded(&MemoryStorage::new(), &options);
    let mut model = filled(&db);
    let bytes = |level: usize| -> u64 {
        db.view()
            .levels
            .get(level)
            .map_or(0, |level| level.tables.iter().map(|table| table.bytes).sum())
    };
    let seeks_until_due = |model: &Model| {
        (1..100_000).find(|_| {
            seek(&db, model, 1);
            db.has_work()
        })
    };
    let paid = seeks_until_due(&model).unwrap() * 64;
    assert!((bytes(0)..bytes(0) * 5 / 4).contains(&paid), "{paid} for {}", bytes(0));
    for level in 0..2 {
        db.request_compaction(Some(level)).unwrap();
    }
    for round in 0..6 {
        put(&db, &mut model, 70 * round, format!("newer {round}"));
    }
    flush(&db);
    db.request_compaction(Some(0)).unwrap();
    assert_eq!((tables(&db, 0), tables(&db, 1)), (0, 1));
    // The table of L1 overlaps nearly all of L2.
    let paid = seeks_until_due(&model).unwrap() * 64 / 16;
    let all = bytes(1) + bytes(2);
    assert!((all / 2..all * 5 / 4).contains(&paid), "{paid} for {all}");
}

#[test]
fn gets_count_when_they_search_blocks_and_not_when_filters_answer() {
    for (bloom_bits, merges) in [(0, true), (20, false)] {
        let options = options(Maintenance::Inline).bloom_bits(bloom_bits);
        let (db, _) = open_recorded(&MemoryStorage::new(), &options);
        let mut model = filled(&db);
        let mut random = Random(9);
        for _ in 0..1000 {
            let key = key(random.below(KEYS));
            assert_eq!(db.get(&key).unwrap().as_deref(), model.get(&key).map(Vec::as_slice));
        }
        assert_eq!(db.has_work(), merges, "{bloom_bits} bits a key");
        put(&db, &mut model, 2, "next".to_owned());
        assert_eq!(tables(&db, 0), if merges { 0 } else { 6 });
        assert_holds(&db, &model);
    }
}

#[test]
fn reads_cause_nothing_where_the_caller_works_or_the_option_is_off() {
    let off = options(Maintenance::Inline).read_compaction_bytes(0);
    let tiered = options(Maintenance::Inline).strategy(Strategy::Tiered);
    for options in [options(Maintenance::Manual), off, tiered] {
        let disk = MemoryStorage::new();
        let (db, recorder) = open_recorded(&disk, &options);
        let model = filled(&db);
        let before = disk.hash();
        seek(&db, &model, 3000);
        assert!(!db.has_work());
        assert_eq!(tables(&db, 0), 6);
        assert_eq!(disk.hash(), before);
        assert_eq!(reasons(&recorder), [""; 0]);
        assert_holds(&db, &model);
    }
    assert_eq!(Options::preset("article").unwrap().read_compaction_bytes, 0);
}

#[test]
fn the_same_reads_make_the_same_files_with_any_listener() {
    let run = |grain: Option<Grain>| {
        let disk = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let sink = grain.map(|grain| Arc::new(Recorder::new(100, grain)) as Arc<dyn EventSink>);
        let db = open_watched(storage, options(Maintenance::Inline), sink).unwrap();
        let mut model = filled(&db);
        for round in 0..30 {
            seek(&db, &model, 40);
            if grain.is_some() {
                assert!(db.view().levels.len() > 1 && db.stats().gets == 0);
            }
            put(&db, &mut model, round, format!("{round}"));
        }
        assert_eq!(tables(&db, 0), 0);
        let time = db.view().time;
        drop(db);
        (disk.hash(), time)
    };
    let silent = run(None);
    for grain in [Grain::Operation, Grain::Phase, Grain::Detail] {
        assert_eq!(run(Some(grain)), silent, "{grain:?}");
    }
}

#[test]
fn background_threads_merge_while_reads_go_on() {
    for threads in [1, 2] {
        let (db, recorder) =
            open_recorded(&MemoryStorage::new(), &options(Maintenance::Threads(threads)));
        let model = filled(&db);
        // Each waits only as long as the threads need.
        let merged = (0..10_000).any(|_| {
            seek(&db, &model, 20);
            tables(&db, 0) == 0
        });
        assert!(merged, "{threads} threads");
        assert!(tables(&db, 1) > 0);
        assert_holds(&db, &model);
        assert!(reasons(&recorder)[0].contains("reads had to search table"));
    }
}

#[test]
fn a_compaction_that_reads_caused_survives_any_crash() {
    let disk = MemoryStorage::new();
    let (filming, images) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
    let (film, taken) = (Arc::clone(&filming), Arc::clone(&images));
    let storage = after_each_operation(&disk, move |_, _, disk| {
        if film.load(Ordering::Relaxed) {
            taken.lock().unwrap().push(disk.fork());
        }
    });
    let db = open(&storage, &options(Maintenance::Inline));
    let mut model = filled(&db);
    seek(&db, &model, 300);
    assert!(db.has_work());
    let before = model.clone();
    filming.store(true, Ordering::Relaxed);
    // This write runs the whole compaction.
    put(&db, &mut model, 5, "five".to_owned());
    filming.store(false, Ordering::Relaxed);
    let images = std::mem::take(&mut *images.lock().unwrap());
    assert!(images.len() > 10, "{}", images.len());
    for (number, image) in images.iter().enumerate() {
        for crash in [Crash::KeepAll, Crash::KeepSynced, Crash::Random(number as u64)] {
            let storage: Arc<dyn Storage> = Arc::new(image.crash_image(crash));
            let after = open(&storage, &options(Maintenance::Inline));
            let five = after.get(key(5)).unwrap();
            let written = five.as_deref() == Some(b"five".as_slice());
            assert_holds(&after, if written { &model } else { &before });
        }
    }
}

/// A queue: jobs are put at the end, the first is found, taken and deleted. Returns the entries that its scans
/// walked over after the first `calm` jobs, for each job.
fn queue(db: &Db, jobs: u64, calm: u64) -> u64 {
    let mut walked = 0;
    let key = |job: u64| format!("{job:08}");
    for job in 0..jobs {
        db.put(key(job), [7; 40]).unwrap();
        let Some(first) = job.checked_sub(100) else { continue };
        let mut iterator = db.iter(&ScanOptions::default()).unwrap();
        iterator.seek_to_first().unwrap();
        assert_eq!(iterator.key(), key(first).as_bytes());
        let Skipped { shadowed, tombstones, .. } = iterator.skipped();
        walked += if job < calm { 0 } else { shadowed + tombstones };
        drop(iterator);
        db.delete(key(first)).unwrap();
        while db.has_work() {
            db.step(Budget::Job).unwrap();
        }
    }
    walked / (jobs - calm)
}

#[test]
fn a_host_that_steps_the_work_may_let_reads_cause_it() {
    let options = options(Maintenance::Manual).memtable_bytes(64 << 20);
    let (db, _) = open_recorded(&MemoryStorage::new(), &options);
    assert!(queue(&db, 4_000, 3_000) > 6_000);
    let (db, _) = open_recorded(&MemoryStorage::new(), &options);
    db.charge_reads();
    let walked = queue(&db, 12_000, 2_000);
    assert!(walked < 4_000, "{walked} entries for each job");
}

#[test]
fn walks_over_the_tombstones_of_a_queue_pay_for_their_removal() {
    let options = options(Maintenance::Inline).memtable_bytes(64 << 20);
    let (db, recorder) = open_recorded(&MemoryStorage::new(), &options);
    let walked = queue(&db, 12_000, 2_000);
    assert!(walked < 4_000, "{walked} entries for each job");
    let events = recorder.drain().0;
    let walked_out = |event: &Event| {
        matches!(event.kind, EventKind::MemtableRotate { reason: RotateReason::Walked, .. })
    };
    assert!(events.iter().any(walked_out));
    let full = |event: &Event| matches!(event.kind, EventKind::OpDone { rotated: Some(_), .. });
    assert!(!events.iter().any(full), "each write had room");
    for event in &events {
        if let EventKind::CompactionPick { reason, .. } = &event.kind {
            assert!(reason.contains(" deleted and overwritten entries of table "), "{reason}");
        }
    }
    assert!(tables(&db, 0) < 20, "merges keep up: {}", tables(&db, 0));
    // Where reads change nothing, each job walks over all before it.
    let patient = options.read_compaction_bytes(0);
    let (db, _) = open_recorded(&MemoryStorage::new(), &patient);
    assert!(queue(&db, 4_000, 3_000) > 6_000);
}

#[test]
fn a_flush_that_walks_pay_for_does_not_wait_for_other_memtables() {
    let options = options(Maintenance::Inline).memtable_bytes(64 << 20);
    let options = options.flush_trigger_bytes(128 << 20).immutable_count_max(64);
    let (db, _) = open_recorded(&MemoryStorage::new(), &options);
    let walked = queue(&db, 6_000, 4_000);
    assert!(walked < 4_000, "{walked} entries for each job");
    assert_eq!(db.view().memtables.len(), 1, "the active one");
}

#[test]
fn walks_over_writes_that_are_too_new_for_a_snapshot_pay_for_nothing() {
    let options = options(Maintenance::Inline).memtable_bytes(64 << 20);
    let (db, _) = open_recorded(&MemoryStorage::new(), &options);
    let snapshot = db.snapshot();
    for at in 0..3_000 {
        db.put(key(at), b"").unwrap();
    }
    for backward in [false, true].repeat(100) {
        let mut iterator = db.iter(&ScanOptions::default().snapshot(&snapshot)).unwrap();
        if backward { iterator.seek_to_last() } else { iterator.seek_to_first() }.unwrap();
        assert!(!iterator.valid() && iterator.skipped().newer == 3_000);
    }
    db.put(key(0), b"").unwrap();
    assert_eq!(db.stats().flushes, 0, "a flush would drop none of them");
}
