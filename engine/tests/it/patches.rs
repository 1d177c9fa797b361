//! The patches of events give the view of the engine, whatever happens.

use crate::common::*;
use levelscope::event::{EventSink, Grain, Isolation, Recorder};
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, MemoryStorage, Storage};
use levelscope::view::View;
use levelscope::{
    Budget, Db, Maintenance, Options, ScanOptions, Snapshot, Strategy, Transaction,
    TransactionOptions,
};
use std::collections::BTreeSet;
use std::sync::Arc;

fn shared(disk: &MemoryStorage) -> Arc<dyn Storage> {
    Arc::new(disk.clone())
}

/// A database, and the view that follows its events.
struct Followed {
    db: Db,
    events: Arc<Recorder>,
    view: View,
    kinds: BTreeSet<&'static str>,
}

impl Followed {
    fn open(storage: &Arc<dyn Storage>, options: &Options, view: View) -> Self {
        let events = Arc::new(Recorder::new(usize::MAX, Grain::Detail));
        let sink: Arc<dyn EventSink> = Arc::<Recorder>::clone(&events);
        let db = open_watched(Arc::clone(storage), options.clone(), Some(sink)).unwrap();
        Self { db, events, view, kinds: BTreeSet::new() }
    }

    /// The patches of all events since the last call give the view of the engine.
    fn check(&mut self, context: &str) {
        let mut last = String::new();
        for event in self.events.drain().0 {
            last = event.sentence();
            self.view.follow(&event);
            self.kinds.insert(event.kind.name());
        }
        assert_alike(&self.view, &self.db.view(), &format!("{context}, after: {last}"));
    }
}

/// Compares field by field, so that a failure shows only the differences.
fn assert_alike(followed: &View, view: &View, context: &str) {
    assert_eq!(followed.time, view.time, "{context}");
    assert_eq!(followed.memtables, view.memtables, "{context}");
    assert_eq!(followed.wals, view.wals, "{context}");
    for (followed, level) in followed.levels.iter().zip(&view.levels) {
        assert_eq!(followed, level, "{context}");
    }
    assert_eq!(followed.jobs, view.jobs, "{context}");
    assert_eq!(followed.manifest_bytes, view.manifest_bytes, "{context}");
    assert_eq!(followed, view, "{context}");
}

/// The open handles of a script.
#[derive(Default)]
struct Holders {
    snapshots: Vec<Snapshot>,
    transactions: Vec<Transaction>,
}

/// Takes, uses or gives up a snapshot or a transaction.
fn hold(db: &Db, held: &mut Holders, random: &mut Random) {
    match random.below(9) {
        0 | 1 => held.snapshots.push(db.snapshot()),
        2 if !held.snapshots.is_empty() => {
            let at = random.below(held.snapshots.len() as u64) as usize;
            drop(held.snapshots.remove(at));
        }
        3 => {
            let isolation = [Isolation::Snapshot, Isolation::Serializable];
            let isolation = isolation[random.below(2) as usize];
            held.transactions.push(db.begin(&TransactionOptions::new(isolation)));
        }
        choice if !held.transactions.is_empty() => {
            let at = random.below(held.transactions.len() as u64) as usize;
            let key = random_key(random);
            let transaction = &mut held.transactions[at];
            let _ = match choice {
                4 => transaction.put(&key, b"of a transaction"),
                5 => transaction.get(&key).map(drop),
                6 => transaction.iter(&ScanOptions::default()).map(drop),
                7 => held.transactions.remove(at).commit(None).map(drop),
                _ => {
                    held.transactions.remove(at).rollback();
                    Ok(())
                }
            };
        }
        _ => {}
    }
}

/// After every operation of a random script and every small step of background work, with crashes,
/// reopenings, snapshots, transactions and all strategies.
#[test]
fn patches_give_the_view_of_the_engine() {
    let mut kinds = BTreeSet::new();
    for seed in 0..60 {
        let mut random = Random(seed);
        let options = small_options(&mut random);
        let mut disk = MemoryStorage::new();
        let mut followed = Followed::open(&shared(&disk), &options, View::default());
        followed.check(&format!("seed {seed}, opened"));
        let mut held = Holders::default();
        for (turn, op) in random_script(&mut random, 250).into_iter().enumerate() {
            let context = format!("seed {seed}, turn {turn}, {:?}", options.strategy);
            if matches!(op, Op::Reopen) {
                held = Holders::default();
                followed.check(&format!("{context}, nothing held"));
                let left = disk.crash_image(Crash::Random(random.next()));
                let view = std::mem::take(&mut followed.view);
                kinds.append(&mut followed.kinds);
                drop(followed);
                if random.below(2) == 0 {
                    disk = left;
                }
                followed = Followed::open(&shared(&disk), &options, view);
            } else {
                let _ = run(&followed.db, &op);
            }
            followed.check(&context);
            hold(&followed.db, &mut held, &mut random);
            followed.check(&format!("{context}, held"));
            let _ = followed.db.step(Budget::Entries(1 + random.below(3) as u32));
            followed.check(&format!("{context}, stepped"));
            if random.below(8) == 0 {
                followed.db.write_out().unwrap();
                followed.check(&format!("{context}, written out"));
            }
        }
        kinds.append(&mut followed.kinds);
    }
    for kind in ["stall.begin", "slowdown.end", "compaction.install", "op.conflict", "wal.write"] {
        assert!(kinds.contains(kind), "{kind} never happened");
    }
}

/// A job that fails ends in the view, and the view has the reason why the database is read-only.
#[test]
fn a_failure_is_followed() {
    for at in 0..400 {
        let memory = MemoryStorage::new();
        let failing = Arc::new(FaultStorage::over_memory(&memory));
        let storage: Arc<dyn Storage> = Arc::<FaultStorage>::clone(&failing);
        let mut random = Random(at);
        let options = small_options(&mut random).maintenance(Maintenance::Manual);
        let mut followed = Followed::open(&storage, &options, View::default());
        failing.inject(Fault::OutOfSpace, at, true);
        for op in random_script(&mut random, 60) {
            let _ = run(&followed.db, &op);
            followed.check(&format!("operation {at} fails, {op:?}"));
        }
    }
}

/// Opening for reading makes neither a log nor a manifest.
#[test]
fn opening_for_reading_is_followed() {
    let disk = MemoryStorage::new();
    let options = Options::default().maintenance(Maintenance::Manual);
    let db = open(&shared(&disk), &options);
    db.put(b"apple", b"red").unwrap();
    drop(db);
    let events = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
    let sink: Arc<dyn EventSink> = Arc::<Recorder>::clone(&events);
    let db =
        Db::builder().options(options).events(sink).read_only().open_in(shared(&disk)).unwrap();
    let mut view = View::default();
    for event in events.drain().0 {
        view.follow(&event);
    }
    let refusal = db.view().read_only;
    assert!(refusal.is_some());
    assert_eq!(View { read_only: refusal, ..view }, db.view());
}

/// With several threads, events have the order of the changes.
#[test]
fn several_jobs_at_once_are_followed() {
    for strategy in [Strategy::Leveled, Strategy::Tiered, Strategy::LazyLeveled] {
        let options = Options::default()
            .memtable_bytes(2048)
            .block_bytes(256)
            .table_bytes(1024)
            .l0_trigger(2)
            .l0_slowdown(8)
            .l0_stall(12)
            .level_base_bytes(4096)
            .level_multiplier(2)
            .strategy(strategy)
            .maintenance(Maintenance::Threads(3));
        let mut followed =
            Followed::open(&shared(&MemoryStorage::new()), &options, View::default());
        std::thread::scope(|scope| {
            for writer in 0..3_u64 {
                let db = &followed.db;
                scope.spawn(move || {
                    let mut random = Random(writer);
                    for _ in 0..800 {
                        let key = format!("{:03}-{writer}", random.below(400));
                        db.put(key.as_bytes(), random.bytes(30)).unwrap();
                        drop(db.snapshot());
                    }
                });
            }
        });
        followed.db.close().unwrap();
        // Jobs that closing gives up end without an event.
        for event in followed.events.drain().0 {
            followed.view.follow(&event);
        }
        let without_jobs = View { jobs: Vec::new(), ..followed.view };
        assert_alike(&without_jobs, &followed.db.view(), &format!("{strategy:?}"));
    }
}
