//! Crashes, failing and blocking storage, databases that are closed or only read.

use super::*;
use levelscope::ScanOptions;
use levelscope::storage::Crash;
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::testing::crash::{after_each_operation, images};
use std::sync::Mutex;

/// Transaction `number` writes its number under all its keys, deletes one of those of the one before, and
/// one key of all.
fn write_one(own: &mut Transaction, number: u64) {
    for part in 0..3 + number % 4 {
        own.put(format!("{number:03}.{part}").as_bytes(), number.to_string().as_bytes()).unwrap();
    }
    if let Some(before) = number.checked_sub(1) {
        own.delete(format!("{before:03}.1").as_bytes()).unwrap();
    }
    own.put(b"all", number.to_string().as_bytes()).unwrap();
}

/// The content after the first `count` transactions.
fn model_after(count: u64) -> Model {
    let mut model = Model::new();
    for number in 0..count {
        for part in 0..3 + number % 4 {
            model.insert(
                format!("{number:03}.{part}").into_bytes(),
                number.to_string().into_bytes(),
            );
        }
        if let Some(before) = number.checked_sub(1) {
            model.remove(format!("{before:03}.1").as_bytes());
        }
        model.insert(b"all".to_vec(), number.to_string().into_bytes());
    }
    model
}

fn tiny(maintenance: Maintenance) -> Options {
    by_hand().memtable_bytes(600).table_bytes(2048).l0_trigger(2).maintenance(maintenance)
}

/// Commits until it is done, doing the work that it waits for.
fn commit(db: &Db, own: &mut Transaction) -> levelscope::Result<u64> {
    loop {
        match own.commit(None) {
            Err(error) if error.kind() == ErrorKind::Stalled => drop(db.step(Budget::Job)?),
            outcome => return outcome,
        }
    }
}

/// A copy of the disk, how many transactions were acknowledged by then, and how many begun.
type Frames = Mutex<Vec<(MemoryStorage, u64, u64)>>;

/// The machine dies after every operation: each transaction is there whole or not at all, and every
/// transaction acknowledged as durable is there.
#[test]
fn a_crash_leaves_all_or_nothing_of_a_transaction() {
    for maintenance in [Maintenance::Manual, Maintenance::Inline] {
        let (frames, progress) = (Arc::new(Frames::default()), Arc::new(Mutex::new((0, 0))));
        let options = tiny(maintenance).immutable_count_max(2);
        let (film, at) = (Arc::clone(&frames), Arc::clone(&progress));
        let storage = after_each_operation(&MemoryStorage::new(), move |_, _, disk| {
            let (durable, begun) = *at.lock().unwrap();
            film.lock().unwrap().push((disk.fork(), durable, begun));
        });
        let db = open(&storage, &options);
        for number in 0..24 {
            let mut own = db.begin(&BOTH[(number % 2) as usize]);
            write_one(&mut own, number);
            progress.lock().unwrap().1 = number + 1;
            commit(&db, &mut own).unwrap();
            progress.lock().unwrap().0 = number + 1;
            // Open, rolled back and conflicting transactions leave no trace.
            let mut lost = db.begin(&SNAPSHOT);
            lost.put(b"never", b"").unwrap();
            drop(lost);
        }
        let frames = std::mem::take(&mut *frames.lock().unwrap());
        assert!(frames.len() > 50);
        for (index, (disk, durable, begun)) in frames.iter().enumerate() {
            for (crash, image) in images(disk, index as u64, 5) {
                let image: Arc<dyn Storage> = Arc::new(image);
                let found = contents(&open(&image, &options)).unwrap();
                let whole = (*durable..=*begun).any(|count| found == model_after(count));
                assert!(whole, "operation {index}, {crash:?}: not that after {durable} to {begun}");
            }
        }
    }
}

/// Without sync a commit may be lost with the machine, but never in part.
#[test]
fn a_commit_without_sync_is_lost_as_a_whole() {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &by_hand());
    for number in 0..10 {
        let mut own = db.begin(&SNAPSHOT);
        write_one(&mut own, number);
        own.commit(Some(number == 4)).unwrap();
    }
    let found = |crash| {
        let image: Arc<dyn Storage> = Arc::new(disk.crash_image(crash));
        contents(&open(&image, &by_hand())).unwrap()
    };
    assert_eq!(found(Crash::KeepSynced), model_after(5));
    assert_eq!(found(Crash::KeepAll), model_after(10));
    for seed in 0..40 {
        let found = found(Crash::Random(seed));
        assert!((5..=10).any(|count| found == model_after(count)), "seed {seed}");
    }
}

/// Every operation of every kind fails once: the transaction is there whole or not at all, also after
/// reopening; one that was acknowledged is there; one that has not ended can go on.
#[test]
fn each_operation_may_fail() {
    let mut cases = 0;
    for maintenance in [Maintenance::Manual, Maintenance::Inline] {
        for fault in Fault::ALL {
            for at in 1.. {
                let memory = MemoryStorage::default();
                let failing = Arc::new(FaultStorage::over_memory(&memory));
                let storage: Arc<dyn Storage> = failing.clone();
                failing.inject(fault, at, false);
                let (acknowledged, tried) = run_failing(&storage, &tiny(maintenance));
                if failing.injected() == 0 {
                    break;
                }
                failing.heal();
                let db = open(&storage, &tiny(maintenance));
                let found = contents(&db).unwrap();
                let whole = (acknowledged..=tried).any(|count| found == model_after(count));
                assert!(whole, "{fault:?} at {at}: not that after {acknowledged} to {tried}");
                cases += 1;
            }
        }
    }
    assert!(cases > 100, "{cases}");
}

/// How many transactions were acknowledged, and how many of them or one more may be there.
fn run_failing(storage: &Arc<dyn Storage>, options: &Options) -> (u64, u64) {
    let Ok(db) = try_open(storage, options) else { return (0, 0) };
    let mut number = 0;
    for attempt in 0..16 {
        let mut own = db.begin(&BOTH[attempt % 2]);
        // The answers of reads do not matter here, only that they fail cleanly.
        let _ = own.get(b"000.1");
        if let Ok(mut iterator) = own.iter(&ScanOptions::default()) {
            let _ = iterator.seek_to_first();
        }
        write_one(&mut own, number);
        match commit(&db, &mut own) {
            Ok(_) => number += 1,
            Err(_) if db.view().read_only.is_some() => {
                // Ended or not, it is neither visible nor open for long.
                drop(own);
                assert!(db.view().transactions.is_empty());
                return (number, number + 1);
            }
            Err(_) if own.has_ended() => number += 1,
            Err(error) => assert_ne!(error.kind(), ErrorKind::Conflict, "{error}"),
        }
        let _ = db.request_flush();
        let _ = db.step(Budget::Job);
    }
    (number, number)
}

/// Every file has to be opened by the host first, again and again: each call that blocks has changed
/// nothing and works when it is made again, and the bytes and events are those of a host that never blocks.
#[test]
fn a_commit_that_blocks_is_made_again() {
    let run = |late: bool| {
        let memory = MemoryStorage::new();
        let host = Arc::new(BlockingStorage::new(Arc::new(memory.clone())));
        if !late {
            host.admit_everything();
        }
        let storage: Arc<dyn Storage> = host.clone();
        let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
        let options = by_hand().open_tables_max(4).cache_bytes(0);
        let sink = Some(Arc::clone(&recorder) as _);
        let db = host
            .host(|| open_watched(Arc::clone(&storage), options.clone(), sink.clone()))
            .unwrap();
        let (mut verdicts, mut blocked_commits) = (Vec::new(), 0);
        for round in 0..20_u64 {
            let mut own = db.begin(&BOTH[(round % 2) as usize]);
            host.host(|| own.get(b"all")).unwrap();
            let mut iterator = host.host(|| own.iter(&ScanOptions::default())).unwrap();
            host.host(|| iterator.seek(b"003")).unwrap();
            write_one(&mut own, round);
            // Another writer's entry goes into a table, so that the check has to open it.
            let other = format!("{:03}.{}", round, 2 + 20 * (round % 3));
            host.host(|| db.put(other.as_bytes(), b"other")).unwrap();
            host.host(|| db.request_flush()).unwrap();
            loop {
                match db.step(Budget::Job).unwrap() {
                    StepOutcome::Blocked(file) => host.admit(file),
                    StepOutcome::Idle => break,
                    _ => {}
                }
            }
            host.evict_all();
            let (sequence, bytes) = (db.view().last_sequence, memory.hash());
            let verdict = loop {
                match own.commit(None) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        blocked_commits += 1;
                        assert!(!own.has_ended());
                        assert_eq!((db.view().last_sequence, memory.hash()), (sequence, bytes));
                        assert_eq!(db.view().transactions.len(), 1);
                        host.admit(error.blocked_on().unwrap());
                    }
                    Err(error) => break error.to_string(),
                    Ok(sequence) => break sequence.to_string(),
                }
            };
            verdicts.push(verdict);
        }
        drop(db);
        (memory.hash(), verdicts, recorder.drain().0, blocked_commits)
    };
    let (bytes, verdicts, events, never) = run(false);
    let (late_bytes, late_verdicts, late_events, blocked) = run(true);
    assert_eq!((bytes, &verdicts), (late_bytes, &late_verdicts));
    assert_eq!(events, late_events);
    assert!(never == 0 && blocked > 5, "{never} {blocked}");
    assert!(verdicts.iter().any(|verdict| verdict.contains("was committed")), "{verdicts:?}");
    assert!(verdicts.iter().any(|verdict| verdict.parse::<u64>().is_ok()), "{verdicts:?}");
}

#[test]
fn a_stalled_commit_is_made_again() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let options = tiny(Maintenance::Manual).immutable_count_max(1);
    let db = open(&storage, &options);
    let mut stalled = 0;
    for number in 0..12 {
        let mut own = db.begin(&SERIALIZABLE);
        write_one(&mut own, number);
        while let Err(error) = own.commit(None) {
            assert_eq!((error.kind(), own.has_ended()), (ErrorKind::Stalled, false));
            stalled += 1;
            db.step(Budget::Job).unwrap();
        }
    }
    assert!(stalled > 3, "{stalled}");
    assert_eq!(contents(&db).unwrap(), model_after(12));
}

#[test]
fn a_closed_database_refuses_the_commit_alone() {
    let (_, db) = new_db();
    db.put(b"a", b"1").unwrap();
    let mut own = db.begin(&SERIALIZABLE);
    own.put(b"b", b"2").unwrap();
    db.close().unwrap();
    assert_eq!(own.get(b"a").unwrap().as_deref(), Some(&b"1"[..]), "reads go on");
    for _ in 0..2 {
        assert_eq!(own.commit(None).unwrap_err().kind(), ErrorKind::Closed);
        assert!(!own.has_ended());
    }
    own.rollback();
    assert!(db.view().transactions.is_empty());
}

#[test]
fn a_transaction_keeps_the_database_open() {
    let (disk, db) = new_db();
    let mut own = db.begin(&SNAPSHOT);
    drop(db);
    let storage: Arc<dyn Storage> = Arc::new(disk);
    assert_eq!(try_open(&storage, &by_hand()).unwrap_err().kind(), ErrorKind::Locked);
    own.put(b"a", b"1").unwrap();
    own.commit(None).unwrap();
    drop(own);
    assert_eq!(contents(&open(&storage, &by_hand())).unwrap().len(), 1);
}

#[test]
fn a_database_opened_for_reading_reads_in_transactions() {
    let (disk, db) = new_db();
    db.put(b"a", b"1").unwrap();
    drop(db);
    let db = Db::builder().options(by_hand()).read_only().open_in(Arc::new(disk)).unwrap();
    let mut own = db.begin(&SERIALIZABLE);
    own.put(b"b", b"2").unwrap();
    let mut iterator = own.iter(&ScanOptions::default()).unwrap();
    iterator.seek_to_last().unwrap();
    assert_eq!(iterator.key(), b"b");
    assert_eq!(own.commit(None).unwrap_err().kind(), ErrorKind::ReadOnly);
    assert!(!own.has_ended());
    own.rollback();
    let mut own = db.begin(&SNAPSHOT);
    assert_eq!(read(&own, "a").as_deref(), Some("1"));
    assert_eq!(own.commit(None).unwrap(), 1, "it has nothing to write");
}

#[test]
fn sizes_are_limited_as_those_of_a_batch() {
    let (_, db) = new_db();
    let mut own = db.begin(&SNAPSHOT);
    let value = vec![0; 64 << 20];
    own.put(b"a", &value).unwrap();
    let refused = own.put(b"b", &value).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
    assert!(refused.to_string().contains("a transaction writes at most"), "{refused}");
    assert_eq!(own.put(vec![0; 70_000], b"").unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(own.len(), 1);
    own.put(b"a", b"short").unwrap();
    own.put(b"b", &value).unwrap();
}
