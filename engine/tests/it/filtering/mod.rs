//! Compaction filters: their input, the effect of their decisions, and their failures.

mod failing;
mod model;
mod ranges;
mod ttl;

use crate::common::*;
use levelscope::event::{EventKind, Grain, Recorder, Verdict};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{
    Budget, CompactionFilter, Db, ErrorKind, FilterDecision, FilterEntry, Maintenance, Options,
    StepOutcome, Strategy, TransactionOptions, WalSync,
};
use std::sync::{Arc, Mutex};

pub const STRATEGIES: [Strategy; 3] = [Strategy::Leveled, Strategy::Tiered, Strategy::LazyLeveled];

/// Removes values that begin with `-`, and turns a `+` at the beginning into `=`. Notes its input.
#[derive(Default)]
pub struct ByFirstByte {
    pub asked: Mutex<Vec<String>>,
}

impl CompactionFilter for ByFirstByte {
    fn decide(&self, entry: &FilterEntry<'_>) -> FilterDecision {
        let (key, value) = (entry.key.escape_ascii(), entry.value.escape_ascii());
        self.asked.lock().unwrap().push(format!("{key}={value}"));
        match first_byte_rule(entry.value) {
            None => FilterDecision::Remove,
            Some(value) if value == entry.value => FilterDecision::Keep,
            Some(value) => FilterDecision::Change(value),
        }
    }
}

/// The decision of [`ByFirstByte`] on a value.
pub fn first_byte_rule(value: &[u8]) -> Option<Vec<u8>> {
    match value {
        [b'-', ..] => None,
        [b'+', rest @ ..] => Some([b"=", rest].concat()),
        _ => Some(value.to_vec()),
    }
}

pub fn open_filtered(
    disk: &MemoryStorage,
    options: &Options,
    filter: Arc<dyn CompactionFilter>,
) -> Db {
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let builder = Db::builder().options(options.clone()).compaction_filter(filter);
    open_built(builder, storage).expect("the database opens")
}

/// Little data makes many tables.
pub fn small(strategy: Strategy) -> Options {
    Options::default()
        .strategy(strategy)
        .memtable_bytes(512)
        .table_bytes(512)
        .block_bytes(128)
        .level_count(4)
        .l0_trigger(2)
        .l0_slowdown(8)
        .l0_stall(8)
        .level_base_bytes(1024)
        .level_multiplier(2)
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Manual)
}

fn calm() -> Options {
    Options::default().maintenance(Maintenance::Inline).wal_sync(WalSync::None)
}

fn settle(db: &Db) {
    while db.step(Budget::Job).unwrap() != StepOutcome::Idle {}
}

fn value(db: &Db, key: &str) -> Option<String> {
    db.get(key).unwrap().map(|value| String::from_utf8_lossy(&value).into_owned())
}

#[test]
fn a_filter_sees_settled_values_alone_and_its_decisions_are_reported() {
    let (filter, recorder) = (Arc::new(ByFirstByte::default()), Recorder::new(999, Grain::Detail));
    let recorder = Arc::new(recorder);
    let builder = Db::builder().options(calm()).events(Arc::clone(&recorder) as _);
    let builder = builder.compaction_filter(Arc::clone(&filter) as _);
    let db = open_built(builder, Arc::new(MemoryStorage::new())).unwrap();
    db.put("held", "-1").unwrap();
    let snapshot = db.snapshot();
    for (key, value) in [("bad", "+old"), ("bad", "-new"), ("good", "stays"), ("to change", "+x")] {
        db.put(key, value).unwrap();
    }
    db.put("held", "-2").unwrap();
    db.put("deleted", "-").unwrap();
    db.delete("deleted").unwrap();
    db.request_flush().unwrap();
    assert_eq!(filter.asked.lock().unwrap().len(), 0, "a flush asks nothing");
    assert_eq!(value(&db, "bad").as_deref(), Some("-new"));
    recorder.drain();
    db.compact_range(b"", b"z").unwrap();
    let asked = filter.asked.lock().unwrap().join(" ");
    assert_eq!(asked, "bad=-new good=stays held=-2 to change=+x", "neither held=-1 nor tombstones");
    assert_eq!(value(&db, "bad"), None);
    assert_eq!(value(&db, "held"), None, "the tombstone hides the version of the snapshot");
    assert_eq!(value(&db, "to change").as_deref(), Some("=x"));
    assert_eq!(snapshot.get("held").unwrap().as_deref(), Some(&b"-1"[..]));
    let events = recorder.drain().0;
    let verdicts: Vec<String> = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::MergeEntry { key, verdict, .. } if *verdict != Verdict::DroppedShadowed => {
                Some(format!("{key} {verdict:?}"))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        verdicts,
        [
            "\"bad\" KeptAsTombstone",
            "\"deleted\" KeptForSnapshot",
            "\"good\" KeptNewest",
            "\"held\" KeptAsTombstone",
            "\"held\" KeptForSnapshot",
            "\"to change\" KeptChanged",
        ]
    );
    let reports: Vec<_> =
        events.iter().filter(|e| e.kind.name() == "compaction.filtered").collect();
    assert_eq!(
        reports[0].sentence(),
        "Job 2 asked the compaction filter about 4 values: 1 kept, 1 changed, 2 removed, of which 2 \
         became a tombstone."
    );
}

#[test]
fn at_the_bottom_removed_entries_leave_no_tombstone() {
    let db = open_filtered(&MemoryStorage::new(), &calm(), Arc::new(ByFirstByte::default()));
    for index in 0..10 {
        db.put(format!("key{index}"), "-").unwrap();
    }
    db.request_flush().unwrap();
    db.compact_range(b"key0", b"key9").unwrap();
    assert!(db.view().levels.iter().all(|level| level.tables.is_empty()));
    assert!(db.check().unwrap().problems().is_empty());
}

#[test]
fn a_removed_value_never_uncovers_an_older_one() {
    for strategy in STRATEGIES {
        let db = open_filtered(
            &MemoryStorage::new(),
            &small(strategy),
            Arc::new(ByFirstByte::default()),
        );
        for round in 0..30 {
            for index in 0..12 {
                let sign = if (round + index) % 3 == 0 { "-" } else { "." };
                let mut batch = levelscope::WriteBatch::new();
                batch.put(format!("key{index:02}"), format!("{sign}{round}")).unwrap();
                write(&db, &batch, None).unwrap();
            }
            db.request_flush().unwrap();
            loop {
                for index in 0..12 {
                    let found = value(&db, &format!("key{index:02}"));
                    let newest = format!("{round}");
                    assert!(found.is_none_or(|found| found[1..] == newest), "{strategy:?} {round}");
                }
                if db.step(Budget::Phase).unwrap() == StepOutcome::Idle {
                    break;
                }
            }
        }
    }
}

/// A compaction knows the snapshots of its beginning; one that begins later keeps its view.
#[test]
fn a_snapshot_or_transaction_of_any_moment_reads_the_same_for_ever() {
    for strategy in STRATEGIES {
        let db = open_filtered(
            &MemoryStorage::new(),
            &small(strategy),
            Arc::new(ByFirstByte::default()),
        );
        for index in 0..40 {
            let sign = ["-", "+", "."][index % 3];
            let mut batch = levelscope::WriteBatch::new();
            batch.put(format!("key{:02}", index % 20), format!("{sign}{index}")).unwrap();
            write(&db, &batch, None).unwrap();
        }
        db.request_flush().unwrap();
        settle(&db);
        for index in 0..4 {
            db.put(format!("key{index:02}"), "-last").unwrap();
        }
        db.request_flush().unwrap();
        assert!(matches!(db.step(Budget::Job), Ok(StepOutcome::Finished(_))));
        db.request_compaction(Some(0)).unwrap();
        // Picked, and the inputs opened: from here on the compaction learns of no snapshot.
        assert_eq!(db.step(Budget::Entry).unwrap(), StepOutcome::More);
        assert_eq!(db.step(Budget::Entry).unwrap(), StepOutcome::More);
        let mut held = Vec::new();
        loop {
            let (snapshot, transaction) = (db.snapshot(), db.begin(&TransactionOptions::default()));
            let seen = contents(&db).unwrap();
            held.push((snapshot, transaction, seen));
            if db.step(Budget::Entry).unwrap() == StepOutcome::Idle {
                break;
            }
        }
        assert!(held.len() > 10, "{strategy:?}: {}", held.len());
        let (first, last) = (&held[0].2, &held[held.len() - 1].2);
        assert!(first != last, "{strategy:?}: the filter changed something");
        for (moment, (snapshot, transaction, seen)) in held.iter().enumerate() {
            let all = |entries: levelscope::Result<levelscope::Entries>| -> Model {
                entries.unwrap().map(|entry| entry.map(|(k, v)| (k, v.to_vec())).unwrap()).collect()
            };
            let context = format!("{strategy:?}, moment {moment} of {}", held.len());
            assert_eq!(&all(snapshot.range(..)), seen, "{context}");
            assert_eq!(&all(transaction.range(..)), seen, "{context}");
            for index in 0..20 {
                let key = format!("key{index:02}").into_bytes();
                let expected = seen.get(&key).map(Vec::as_slice);
                assert_eq!(snapshot.get(&key).unwrap().as_deref(), expected, "{context}");
                assert_eq!(transaction.get(&key).unwrap().as_deref(), expected, "{context}");
            }
        }
    }
}

#[test]
fn a_conflict_with_a_removed_value_is_still_found() {
    let db = open_filtered(&MemoryStorage::new(), &calm(), Arc::new(ByFirstByte::default()));
    let mut transaction = db.begin(&TransactionOptions::default());
    transaction.put("key", "mine").unwrap();
    db.put("key", "-yours").unwrap();
    db.request_flush().unwrap();
    db.compact_range(b"", b"z").unwrap();
    assert_eq!(value(&db, "key"), None);
    assert_eq!(transaction.commit(None).unwrap_err().kind(), ErrorKind::Conflict);
}

/// Trivial moves read nothing; a range that is compacted on request is rewritten also at the bottom.
#[test]
fn a_request_rewrites_tables_that_the_filter_has_not_seen() {
    for strategy in STRATEGIES {
        let (disk, options) = (MemoryStorage::new(), small(strategy));
        let unfiltered = open(&(Arc::new(disk.clone()) as Arc<dyn Storage>), &options);
        for index in 0..200 {
            let mut batch = levelscope::WriteBatch::new();
            batch.put(format!("key{index:03}"), if index % 2 == 0 { "-" } else { "." }).unwrap();
            write(&unfiltered, &batch, None).unwrap();
        }
        unfiltered.request_flush().unwrap();
        settle(&unfiltered);
        drop(unfiltered);
        let db = open_filtered(&disk, &options, Arc::new(ByFirstByte::default()));
        settle(&db);
        assert_eq!(contents(&db).unwrap().len(), 200, "{strategy:?}: nothing is due, nothing seen");
        db.compact_range(b"key050", b"key149").unwrap();
        settle(&db);
        let left = contents(&db).unwrap();
        let inside = left.range(b"key050".to_vec()..=b"key149".to_vec()).count();
        assert_eq!(inside, 50, "{strategy:?}");
        assert!(left.len() > 130, "{strategy:?}: most outside of the range has not been seen");
        assert!(db.check().unwrap().problems().is_empty());
    }
}

#[test]
fn how_finely_a_host_steps_changes_no_byte() {
    let run = |budget| {
        let (disk, recorder) = (MemoryStorage::new(), Recorder::new(usize::MAX, Grain::Detail));
        let recorder = Arc::new(recorder);
        let builder = Db::builder().options(small(Strategy::Leveled));
        let builder = builder.compaction_filter(Arc::new(ByFirstByte::default()));
        let builder = builder.events(Arc::clone(&recorder) as _);
        let db = open_built(builder, Arc::new(disk.clone())).unwrap();
        for index in 0..200 {
            let sign = ["-", "+", "."][index % 3];
            db.put(format!("key{:03}", index * 7 % 90), format!("{sign}{index}")).unwrap();
            while db.step(budget).unwrap() != StepOutcome::Idle {}
        }
        db.close().unwrap();
        (disk.hash(), recorder.drain().0)
    };
    let whole = run(Budget::Job);
    for budget in [Budget::Entry, Budget::Phase, Budget::Entries(5)] {
        assert_eq!(run(budget), whole, "{budget:?}");
    }
}

/// Two background threads, a writer and readers that begin at any moment.
#[test]
fn snapshots_are_constant_under_background_threads() {
    let options = small(Strategy::Leveled).maintenance(Maintenance::Threads(2));
    let db = open_filtered(&MemoryStorage::new(), &options, Arc::new(ByFirstByte::default()));
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for index in 0..4000_u64 {
                let sign = ["-", "+", "."][(index % 3) as usize];
                db.put(format!("key{:03}", index * 37 % 101), format!("{sign}{index}")).unwrap();
            }
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        for reader in 0..2 {
            let (db, done) = (&db, &done);
            scope.spawn(move || {
                let mut held = Vec::new();
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    let snapshot = db.snapshot();
                    let read = |snapshot: &levelscope::Snapshot| -> Model {
                        let entries = snapshot.range(..).unwrap();
                        entries.map(|e| e.map(|(k, v)| (k, v.to_vec())).unwrap()).collect()
                    };
                    let seen = read(&snapshot);
                    held.push((snapshot, seen));
                    for (snapshot, seen) in &held {
                        assert_eq!(&read(snapshot), seen, "reader {reader}");
                    }
                    if held.len() == 8 {
                        held.clear();
                    }
                }
            });
        }
    });
    db.close().unwrap();
}
