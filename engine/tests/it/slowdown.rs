//! Writes slow down before they stall: in events, in the view, for a bounded amount of background work.

use crate::common::*;
use levelscope::event::{Event, EventKind, EventSink, Grain, Recorder, SlowdownReason};
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{Budget, Db, ErrorKind, Maintenance, Options, StepOutcome, WalSync};
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::time::Duration;

fn tiny(maintenance: Maintenance) -> Options {
    Options::default()
        .memtable_bytes(2048)
        .block_bytes(256)
        .table_bytes(2048)
        .l0_trigger(2)
        .l0_slowdown(4)
        .l0_stall(8)
        .level_base_bytes(1 << 30)
        .wal_sync(WalSync::None)
        .maintenance(maintenance)
}

fn recorded(options: Options, storage: Arc<dyn Storage>) -> (Db, Arc<Recorder>) {
    let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
    let sink: Arc<dyn EventSink> = Arc::<Recorder>::clone(&recorder);
    (open_watched(storage, options, Some(sink)).unwrap(), recorder)
}

fn memory() -> Arc<dyn Storage> {
    Arc::new(MemoryStorage::new())
}

/// One more table in L0.
fn add_table(db: &Db, round: u64) {
    db.put(b"first", round.to_le_bytes()).unwrap();
    db.put(b"last", round.to_le_bytes()).unwrap();
    db.request_flush().unwrap();
    assert!(matches!(db.step(Budget::Job).unwrap(), StepOutcome::Finished(_)));
}

fn slowdowns(events: &[Event]) -> Vec<(&'static str, Option<u64>)> {
    let slowdowns = events.iter().filter_map(|event| match &event.kind {
        EventKind::SlowdownBegin { slowdown } => Some((event.kind.name(), Some(slowdown.pace))),
        EventKind::SlowdownEnd {} => Some((event.kind.name(), None)),
        _ => None,
    });
    slowdowns.collect()
}

#[test]
fn by_hand_a_slowdown_is_reported_and_delays_no_write() {
    let (db, recorder) = recorded(tiny(Maintenance::Manual), memory());
    let mut paces = Vec::new();
    for round in 0..7 {
        add_table(&db, round);
        paces.push(db.view().slowdown.map(|slow| slow.pace));
    }
    assert_eq!(paces, [None, None, None, Some(2), Some(4), Some(8), Some(16)]);
    let why = db.view().slowdown.unwrap().why;
    assert_eq!(why, SlowdownReason::L0Tables { count: 7, limit: 4 });
    assert_eq!((db.stats().slowdowns, db.stats().slowdown_waits, db.stats().stalls), (1, 0, 0));
    while db.step(Budget::Job).unwrap() != StepOutcome::Idle {}
    assert_eq!(db.view().slowdown, None);
    let (events, _) = recorder.drain();
    let begin = |pace| ("slowdown.begin", Some(pace));
    assert_eq!(
        slowdowns(&events),
        [begin(2), begin(4), begin(8), begin(16), ("slowdown.end", None)]
    );
    // The cause of each is the event that changed L0.
    for event in events.iter().filter(|event| event.kind.name().starts_with("slowdown")) {
        let cause = events.iter().find(|cause| Some(cause.id) == event.cause).unwrap();
        assert!(cause.kind.name().ends_with(".install"), "{}", cause.kind.name());
    }
}

#[test]
fn a_slowdown_outlives_reopening() {
    let storage = memory();
    let db = open(&storage, &tiny(Maintenance::Manual));
    (0..5).for_each(|round| add_table(&db, round));
    let before = db.view().slowdown;
    drop(db);
    let (db, recorder) = recorded(tiny(Maintenance::Manual), storage);
    assert_eq!(db.view().slowdown, before);
    assert_eq!(slowdowns(&recorder.drain().0), [("slowdown.begin", Some(4))]);
}

/// With inline maintenance no work is left when a write returns, so no slowdown is left either.
#[test]
fn inline_writes_have_paid_when_they_return() {
    let options = tiny(Maintenance::Inline).l0_slowdown(2);
    let db = open(&memory(), &options);
    for index in 0..500_u64 {
        db.put(format!("{:03}", index * 7919 % 503).as_bytes(), [b'v'; 60]).unwrap();
        assert_eq!(db.view().slowdown, None);
        assert_eq!(db.stats().compaction_debt_bytes, 0);
    }
    assert!(db.stats().compactions > 3);
}

/// Options under which nearly every write is slowed down.
fn always_slow(threads: usize) -> Options {
    tiny(Maintenance::Threads(threads))
        .l0_trigger(1)
        .l0_slowdown(1)
        .l0_stall(40)
        .immutable_count_max(8)
        .memtable_bytes(16 << 10)
        .table_bytes(64 << 10)
}

fn in_time(what: &str, work: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = channel();
    #[expect(clippy::disallowed_methods, reason = "a thread that hangs cannot be joined")]
    let worker = std::thread::spawn(move || {
        work();
        let _ = sender.send(());
    });
    let answered = receiver.recv_timeout(Duration::from_secs(90)).is_ok();
    assert!(answered || worker.is_finished(), "{what} hangs");
    worker.join().unwrap();
}

/// Writes until it is done or refused; the error of the refusal.
fn write_some(db: &Db, writer: u64, count: u64) -> Option<ErrorKind> {
    (0..count).find_map(|index| {
        let key = format!("{}-{writer}", index * 7919 % 10_007);
        db.put(key.as_bytes(), [b'v'; 200]).err().map(|error| error.kind())
    })
}

#[test]
fn with_threads_slow_writes_wait_for_work_and_all_end() {
    for threads in 1..=3 {
        let (db, recorder) = recorded(always_slow(threads), memory());
        let writing = db.clone();
        in_time("a slow write", move || {
            std::thread::scope(|scope| {
                for writer in 0..4 {
                    let db = writing.clone();
                    scope.spawn(move || assert_eq!(write_some(&db, writer, 3000), None));
                }
            });
        });
        let stats = db.stats();
        assert!(stats.slowdowns > 0 && stats.slowdown_waits > 0, "{stats:?}");
        for writer in 0..4 {
            assert!(db.get(format!("0-{writer}").as_bytes()).unwrap().is_some());
        }
        let asked = db.clone();
        in_time("a flush", move || asked.request_flush().map(|_| ()).unwrap());
        // The last slowdown event agrees with the view.
        let (view, (events, _)) = (db.view(), recorder.drain());
        let last = slowdowns(&events).last().and_then(|(_, pace)| *pace);
        drop(db);
        if view.jobs.is_empty() {
            assert_eq!(last, view.slowdown.map(|slow| slow.pace));
        }
    }
}

/// When background work fails, slow writers stop waiting.
#[test]
fn a_failed_job_lets_slow_writers_go() {
    for seed in 0..20 {
        let disk = FaultStorage::over_memory(&MemoryStorage::new());
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let db = open_watched(storage, always_slow(2), None).unwrap();
        disk.inject(Fault::SyncError, 5 + seed * 2, true);
        in_time("a write after a failure", move || {
            std::thread::scope(|scope| {
                for writer in 0..3 {
                    let db = db.clone();
                    scope.spawn(move || assert!(write_some(&db, writer, 20_000).is_some()));
                }
            });
        });
    }
}

#[test]
fn closing_lets_slow_writers_go() {
    let db = open(&memory(), &always_slow(1));
    in_time("closing", move || {
        let begun = Barrier::new(3);
        std::thread::scope(|scope| {
            for writer in 0..2 {
                let (db, begun) = (db.clone(), &begun);
                scope.spawn(move || {
                    begun.wait();
                    assert_eq!(write_some(&db, writer, u64::MAX), Some(ErrorKind::Closed));
                });
            }
            begun.wait();
            while db.stats().slowdown_waits < 3 {
                std::thread::yield_now();
            }
            db.close().unwrap();
        });
    });
}
