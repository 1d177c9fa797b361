//! Several compactions at once: their inputs are disjoint, and the events stay consistent.

use crate::common::*;
use levelscope::event::{Event, EventKind, EventSink, JobId};
use levelscope::storage::trace::{Operation, WatchedStorage, Watcher};
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::view::TableInfo;
use levelscope::{Db, Maintenance, Options, Strategy, WalSync};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The tables, level by level, and the running compactions, according to the events.
#[derive(Debug, Default)]
struct Folded {
    levels: BTreeMap<usize, BTreeMap<u64, TableInfo>>,
    running: BTreeMap<JobId, BTreeSet<u64>>,
    most_at_once: usize,
    leveled: bool,
}

impl Folded {
    fn fold(&mut self, event: &Event) {
        match &event.kind {
            EventKind::FlushInstall { table: Some(table), .. } => self.add(0, table),
            EventKind::CompactionPick { inputs, .. } => self.pick(event, inputs),
            EventKind::CompactionInstall { removed, added, output_level, .. } => {
                for input in removed {
                    let gone = self.levels.entry(input.level).or_default().remove(&input.table);
                    assert!(gone.is_some(), "{}: {input:?} was not there", event.sentence());
                }
                for table in added {
                    self.add(*output_level, table);
                }
                assert!(self.running.remove(&event.job.unwrap()).is_some());
            }
            EventKind::TableDelete { table } => {
                let used = self.levels.values().any(|level| level.contains_key(table));
                assert!(!used, "table {table} was deleted while a level had it");
            }
            _ => {}
        }
    }

    fn pick(&mut self, event: &Event, inputs: &[levelscope::event::TableAt]) {
        for input in inputs {
            let there = self.levels.get(&input.level);
            let there = there.is_some_and(|level| level.contains_key(&input.table));
            assert!(there, "{}: {input:?} has no event", event.sentence());
            let taken = self.running.values().any(|taken| taken.contains(&input.table));
            assert!(!taken, "{}: {input:?} is taken", event.sentence());
        }
        let inputs = inputs.iter().map(|input| input.table).collect();
        self.running.insert(event.job.unwrap(), inputs);
        self.most_at_once = self.most_at_once.max(self.running.len());
    }

    fn add(&mut self, level: usize, table: &TableInfo) {
        let others = self.levels.entry(level).or_default();
        for other in others.values().filter(|other| level > 0 && other.run == table.run) {
            let apart = other.largest < table.smallest || table.largest < other.smallest;
            assert!(apart, "tables {} and {} of L{level} overlap", other.table, table.table);
        }
        let runs: BTreeSet<u64> = others.values().map(|other| other.run).collect();
        assert!(!self.leveled || level == 0 || runs.len() <= 1, "L{level} has runs {runs:?}");
        assert!(others.insert(table.table, table.clone()).is_none(), "added twice");
    }
}

#[derive(Debug, Default)]
struct Listener(Mutex<Folded>);

impl EventSink for Listener {
    fn event(&self, event: Event) {
        self.0.lock().unwrap().fold(&event);
    }
}

fn small(strategy: Strategy, threads: usize) -> Options {
    Options::default()
        .memtable_bytes(2048)
        .block_bytes(256)
        .table_bytes(1024)
        .l0_trigger(2)
        .l0_slowdown(4)
        .l0_stall(8)
        .level_base_bytes(4096)
        .level_multiplier(2)
        .wal_sync(WalSync::None)
        .strategy(strategy)
        .maintenance(Maintenance::Threads(threads))
}

fn open_with(options: &Options, storage: &Arc<dyn Storage>) -> (Db, Arc<Listener>) {
    let folded = Folded { leveled: options.strategy == Strategy::Leveled, ..Folded::default() };
    let listener = Arc::new(Listener(Mutex::new(folded)));
    let sink: Arc<dyn EventSink> = Arc::<Listener>::clone(&listener);
    (open_watched(Arc::clone(storage), options.clone(), Some(sink)).unwrap(), listener)
}

/// Writer `writer` writes all over the keys, its own half of each pair; the model of it.
fn write_all_over(db: &Db, writer: u64, seed: u64) -> Model {
    let mut random = Random(seed * 8 + writer);
    let mut model = Model::new();
    for count in 0..1500_u64 {
        let key = format!("{:03}-{writer}", random.below(400)).into_bytes();
        if random.below(5) == 0 {
            db.delete(&key).unwrap();
            model.remove(&key);
        } else {
            let value = [&count.to_le_bytes()[..], &random.bytes(30)].concat();
            db.put(&key, &value).unwrap();
            model.insert(key, value);
        }
        if count % 500 == 250 {
            let (from, to) = (random.below(400), random.below(400));
            let (from, to) = (from.min(to), from.max(to));
            let key = |at: u64| format!("{at:03}").into_bytes();
            db.compact_range(&key(from), &key(to)).unwrap();
        }
    }
    model
}

/// Under every strategy: claims never meet, events stay a correct fold, and nothing is lost.
#[test]
fn compactions_at_once_are_apart_and_their_events_in_order() {
    let mut most_at_once = 0;
    for (seed, strategy) in (0..4).flat_map(|seed| {
        [Strategy::Leveled, Strategy::Tiered, Strategy::LazyLeveled]
            .map(|strategy| (seed, strategy))
    }) {
        let options = small(strategy, 2 + usize::try_from(seed % 3).unwrap());
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        let (db, listener) = open_with(&options, &storage);
        let mut model = Model::new();
        std::thread::scope(|scope| {
            let db = &db;
            let writers: Vec<_> = (0..3)
                .map(|writer| scope.spawn(move || write_all_over(db, writer, seed)))
                .collect();
            for writer in writers {
                model.extend(writer.join().unwrap());
            }
        });
        db.request_flush().unwrap();
        assert_same(&db, &model, "after the threads");
        assert!(db.check().unwrap().problems().is_empty());
        db.close().unwrap();
        let folded = listener.0.lock().unwrap();
        most_at_once = most_at_once.max(folded.most_at_once);
        for level in db.view().levels {
            let shown: BTreeSet<u64> = level.tables.iter().map(|table| table.table).collect();
            let followed = folded.levels.get(&level.score.level);
            let followed =
                followed.map(|level| level.keys().copied().collect()).unwrap_or_default();
            assert_eq!(shown, followed, "L{}", level.score.level);
        }
        drop(folded);
        drop(db);
        let db = open(&storage, &options);
        assert_same(&db, &model, "after reopening");
        assert!(db.check().unwrap().problems().is_empty());
    }
    assert!(most_at_once >= 2, "no two compactions ever met");
}

/// Holds the creation of tables of the first job back until a second job has come as far.
#[derive(Debug, Default)]
struct Meeting {
    armed: AtomicU64,
    met: AtomicU64,
}

impl Watcher for Meeting {
    fn done(&self, operation: Operation, _ok: bool) {
        if !matches!(operation, Operation::Create(FileName::Table(_)))
            || self.armed.load(Ordering::SeqCst) == 0
        {
            return;
        }
        self.met.fetch_add(1, Ordering::SeqCst);
        for _ in 0..20_000 {
            if self.met.load(Ordering::SeqCst) >= 2 {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Two who ask for different keys do not wait for one another, and a flush does not wait for them.
#[test]
fn two_compactions_of_different_keys_are_under_way_at_once() {
    let meeting = Arc::new(Meeting::default());
    let watcher: Arc<dyn Watcher> = Arc::<Meeting>::clone(&meeting);
    let storage: Arc<dyn Storage> =
        Arc::new(WatchedStorage::new(Arc::new(MemoryStorage::new()), watcher));
    let options = small(Strategy::Leveled, 2).l0_trigger(100).l0_slowdown(100).l0_stall(200);
    let (db, listener) = open_with(&options, &storage);
    for round in 0..2 {
        for range in ["a", "m"] {
            for index in 0..10 {
                let value = format!("{round}");
                db.put(format!("{range}{index}").as_bytes(), value.as_bytes()).unwrap();
            }
            db.request_flush().unwrap();
        }
    }
    meeting.armed.store(1, Ordering::SeqCst);
    std::thread::scope(|scope| {
        scope.spawn(|| assert!(db.compact_range(b"a", b"b").unwrap()));
        scope.spawn(|| assert!(db.compact_range(b"m", b"n").unwrap()));
    });
    assert_eq!(listener.0.lock().unwrap().most_at_once, 2);
    assert_eq!(db.view().levels[1].tables.len(), 2);
    assert_eq!(db.stats().compactions, 2);
}
