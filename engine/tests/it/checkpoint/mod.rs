//! Checkpoints: the copy equals the model at its moment, is sound, and takes nothing from its source.

mod failures;
mod native;
mod ranges;

use crate::common::*;
use levelscope::event::{Event, Grain, Recorder};
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::testing::order::OrderWatcher;
use levelscope::{Check, Db, ErrorKind, Maintenance, Options, WalSync, WriteBatch};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Small files, and each way of doing background work.
fn options(random: &mut Random, seed: u64) -> Options {
    let maintenance = [Maintenance::Manual, Maintenance::Inline, Maintenance::Threads(2)];
    small_options(random).maintenance(maintenance[(seed % 3) as usize])
}

/// A copy of `db` in memory.
fn copy(db: &Db, context: &str) -> MemoryStorage {
    let target = MemoryStorage::new();
    let (order, watched) = OrderWatcher::over(Arc::new(target.clone()));
    let report = db.checkpoint_in(watched);
    let report = report.unwrap_or_else(|error| panic!("{context}: {error}"));
    assert_eq!(report.sequence, db.view().last_sequence, "{context}");
    // The logs of a checkpoint are acknowledged only with the whole, so their names may become durable later.
    let mut early = order.breaches();
    early.retain(|breach| !(breach.contains(".wal") && breach.ends_with("is not durable")));
    assert_eq!(early, Vec::<String>::new(), "{context}");
    target
}

/// Checks the files of a copy, then opens it: it has the content of `model`, and takes writes.
fn assert_is(target: &MemoryStorage, options: &Options, model: &Model, context: &str) {
    let report = Check::new(Arc::new(target.clone())).and_then(Check::run).expect("checks");
    assert_eq!(report.findings, Vec::new(), "{context}: not even a warning");
    let storage: Arc<dyn Storage> = Arc::new(target.fork());
    let db = open(&storage, options);
    assert_same(&db, model, context);
    write(&db, &batch_of(&Op::Put(b"key001".to_vec(), b"later".to_vec())).unwrap(), None)
        .unwrap_or_else(|error| panic!("{context}: {error}"));
    run(&db, &Op::Flush).expect("flushes");
    drop(db);
    let db = open(&storage, options);
    assert_eq!(db.get(b"key001").expect("reads").as_deref(), Some(&b"later"[..]), "{context}");
    assert!(db.check().expect("checks").problems().is_empty(), "{context}");
}

#[test]
fn a_checkpoint_equals_the_model_at_its_moment() {
    let mut technique = Technique::new("checkpoints", 24);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xc4ec);
        let options = options(&mut random, seed);
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let mut db = open(&storage, &options);
        let (mut model, mut taken) = (Model::new(), Vec::new());
        for (index, op) in random_script(&mut random, 150).into_iter().enumerate() {
            if let Op::Reopen = op {
                drop(db);
                db = open(&storage, &options);
            } else {
                run(&db, &op).expect("the operation works");
                apply_to_model(&mut model, &op);
            }
            if random.below(12) == 0 {
                let context = format!("seed {seed}, operation {index}");
                taken.push((copy(&db, &context), model.clone(), context));
            }
        }
        assert_same(&db, &model, &format!("seed {seed}: the source"));
        assert!(db.check().expect("checks").problems().is_empty(), "seed {seed}");
        // Judged at the end: the source has gone on for as long as it could.
        for (target, model, context) in &taken {
            assert_is(target, &options, model, context);
        }
        technique.count(taken.len() as u64);
    }
}

#[test]
fn a_checkpoint_of_a_copy_and_of_a_reader_is_the_same_database() {
    let mut technique = Technique::new("checkpoints of readers", 12);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xc4ed);
        let options = options(&mut random, seed).wal_buffer_bytes(0);
        let memory = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(memory.clone());
        let db = open(&storage, &options);
        let mut model = Model::new();
        for op in random_script(&mut random, 80) {
            run(&db, &op).expect("the operation works");
            apply_to_model(&mut model, &op);
        }
        drop(db);
        let before = memory.hash();
        let reader = |storage: Arc<dyn Storage>| {
            Db::builder().options(options.clone()).read_only().open_in(storage).expect("opens")
        };
        let reading = reader(Arc::clone(&storage));
        let first = copy(&reading, "a reader");
        assert_eq!(memory.hash(), before, "seed {seed}: a reader changes nothing");
        let identities = [memory.identity(), first.identity()];
        assert_eq!(identities[0], identities[1]);
        let second = copy(&reader(Arc::new(first.clone())), "a copy");
        assert_is(&first, &options, &model, &format!("seed {seed}, first"));
        assert_is(&second, &options, &model, &format!("seed {seed}, second"));
        technique.count(2);
    }
}

/// Each writer counts up its own keys two at a time, so that a copy with half of a batch is noticed, and publishes its
/// count before and after each write.
#[test]
fn writers_and_jobs_go_on_while_checkpoints_are_taken() {
    const WRITERS: usize = 3;
    let options = Options::default()
        .memtable_bytes(2048)
        .table_bytes(2048)
        .l0_slowdown(8)
        .l0_stall(12)
        .level_base_bytes(8192)
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Threads(2));
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &options);
    let (stop, done) = (AtomicBool::new(false), [const { AtomicU64::new(0) }; WRITERS]);
    let key = |writer: usize, half: u8| format!("{writer}/{half}").into_bytes();
    let copies = std::thread::scope(|scope| {
        for (writer, done) in done.iter().enumerate() {
            let (db, stop) = (&db, &stop);
            scope.spawn(move || {
                for count in 1_u64.. {
                    if stop.load(Ordering::SeqCst) {
                        break;
                    }
                    let mut batch = WriteBatch::new();
                    let filling = key(writer, (count % 50) as u8 + 2);
                    batch.put(key(writer, 0), count.to_le_bytes()).unwrap();
                    batch.put(filling, [7; 50]).unwrap();
                    batch.put(key(writer, 1), count.to_le_bytes()).unwrap();
                    db.write(&batch, None).unwrap();
                    done.store(count, Ordering::SeqCst);
                }
            });
        }
        let counts = || done.each_ref().map(|done| done.load(Ordering::SeqCst));
        let copies: Vec<_> = (0..30)
            .map(|_| {
                let before = counts();
                let target = MemoryStorage::new();
                db.checkpoint_in(Arc::new(target.clone())).expect("a checkpoint");
                (before, target, counts())
            })
            .collect();
        stop.store(true, Ordering::SeqCst);
        copies
    });
    for (before, target, after) in copies {
        let report = Check::new(Arc::new(target.clone())).and_then(Check::run).expect("checks");
        assert_eq!(report.findings, Vec::new());
        let copied = open(&(Arc::new(target) as Arc<dyn Storage>), &options);
        for writer in 0..WRITERS {
            let half = |half| copied.get(key(writer, half)).unwrap().map(|value| value.to_vec());
            assert_eq!(half(0), half(1), "a batch is whole or absent");
            let count = half(0).map_or(0, |value| u64::from_le_bytes(value.try_into().unwrap()));
            // One more may have been written and not yet counted.
            assert!((before[writer]..=after[writer] + 1).contains(&count));
        }
    }
}

#[test]
fn a_host_that_opens_files_late_gets_the_same_copy_and_events() {
    let mut random = Random(0xc4ee);
    let options = options(&mut random, 0).open_tables_max(4);
    let copied = |late: bool| -> (u64, Vec<Event>) {
        let mut random = Random(0xc4ef);
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let db = open(&storage, &options);
        for op in random_script(&mut random, 120) {
            run(&db, &op).expect("the operation works");
        }
        drop(db);
        let source = Arc::new(BlockingStorage::new(storage));
        let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Detail));
        let sink = Some(Arc::clone(&recorder) as _);
        let opened = || open_watched(Arc::clone(&source) as _, options.clone(), sink.clone());
        let db = source.host(opened).expect("opens");
        recorder.drain();
        let memory = MemoryStorage::new();
        let target = Arc::new(BlockingStorage::new(Arc::new(memory.clone())));
        if late {
            source.evict_all();
        } else {
            source.admit_everything();
            target.admit_everything();
        }
        loop {
            match db.checkpoint_in(Arc::clone(&target) as _) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    assert_eq!(memory.list().expect("lists"), Vec::<String>::new());
                    let name = error.blocked_on().expect("a name");
                    source.admit(name);
                    target.admit(name);
                }
                done => {
                    done.expect("a checkpoint");
                    break;
                }
            }
        }
        assert!(!late || target.refusals() > 3, "the target has blocked");
        (memory.hash(), recorder.drain().0)
    };
    let (early, late) = (copied(false), copied(true));
    assert_eq!(early.0, late.0);
    let sentences =
        |events: &[Event]| events.iter().map(Event::sentence).collect::<Vec<_>>().join("\n");
    assert_eq!(sentences(&early.1), sentences(&late.1));
    assert!(sentences(&early.1).contains("is whole and durable"));
}

#[test]
fn a_directory_with_files_is_refused_and_left_alone() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let db = open(&storage, &Options::default());
    db.put("key", "value").expect("the put works");
    let error = db.checkpoint_in(Arc::clone(&storage)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    let taken = MemoryStorage::new();
    let _lock = taken.lock().expect("it is free");
    let error = db.checkpoint_in(Arc::new(taken.clone())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked, "{error}");
    assert!(!taken.list().expect("lists").contains(&FileName::Current.to_string()));
    db.close().expect("closes");
    let error = db.checkpoint_in(Arc::new(MemoryStorage::new())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Closed, "{error}");
}
