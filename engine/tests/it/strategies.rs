//! The three strategies: their common guarantees, their differences, and changes from one to another.

use crate::common::*;
use levelscope::event::{EventKind, Grain, Recorder};
use levelscope::storage::{Crash, MemoryStorage, Storage};
use levelscope::view::{LevelView, ScoreUnit};
use levelscope::{
    Budget, Db, ErrorKind, Maintenance, Options, Stats, StepOutcome, Strategy, WalSync,
};
use std::sync::Arc;

const ALL: [Strategy; 3] = [Strategy::Leveled, Strategy::Tiered, Strategy::LazyLeveled];

/// Small enough that a few hundred writes reach L3.
fn small(strategy: Strategy) -> Options {
    Options::default()
        .strategy(strategy)
        .memtable_bytes(1024)
        .table_bytes(1024)
        .block_bytes(256)
        .level_count(5)
        .l0_trigger(2)
        .l0_slowdown(8)
        .l0_stall(8)
        .level_base_bytes(2048)
        .level_multiplier(3)
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Manual)
}

fn shared(disk: &MemoryStorage) -> Arc<dyn Storage> {
    Arc::new(disk.clone())
}

fn runs(level: &LevelView) -> usize {
    level.tables.chunk_by(|left, right| left.run == right.run).count()
}

fn settle(db: &Db) {
    while db.step(Budget::Job).unwrap() != StepOutcome::Idle {}
}

fn put_all(db: &Db, round: u64, keys: impl Iterator<Item = u64>) {
    for key in keys {
        let mut value = format!("{round}:{key}:").into_bytes();
        value.resize(40, b'.');
        let mut batch = levelscope::WriteBatch::new();
        batch.put(format!("key{key:03}").as_bytes(), &value).unwrap();
        write(db, &batch, None).unwrap();
    }
}

#[test]
fn each_strategy_gives_levels_its_shape() {
    for strategy in ALL {
        let db = open(&shared(&MemoryStorage::new()), &small(strategy));
        let mut random = Random(7);
        let mut several = 0;
        for round in 0..60 {
            put_all(&db, round, (0..15).map(|_| random.below(300)));
            db.request_flush().unwrap();
            settle(&db);
            let levels = db.view().levels;
            let last = levels.iter().rposition(|level| !level.tables.is_empty()).unwrap();
            for level in &levels[1..] {
                let (number, runs) = (level.score.level, runs(level));
                assert_eq!(runs, level.score.runs);
                let lazy_last = strategy == Strategy::LazyLeveled && number == last;
                if strategy == Strategy::Leveled || lazy_last {
                    assert!(runs <= 1, "{strategy:?}: L{number} has {runs} runs");
                    assert_eq!(level.score.unit, ScoreUnit::Bytes);
                } else {
                    assert!(runs < 3, "{strategy:?}: L{number} has {runs} runs");
                    several = several.max(runs);
                }
            }
        }
        assert_eq!(several > 1, strategy != Strategy::Leveled, "{strategy:?}");
        assert!(db.view().levels[2].score.bytes + db.view().levels[3].score.bytes > 0);
    }
}

/// A deleted key is gone after every step, whatever the levels below it still hold.
#[test]
fn a_deleted_key_never_comes_back() {
    for strategy in ALL {
        let disk = MemoryStorage::new();
        let db = open(&shared(&disk), &small(strategy));
        let mut random = Random(11);
        let (mut held, mut dropped) = (0, 0);
        for round in 0..40 {
            put_all(&db, round, (0..12).map(|_| random.below(200)));
            let doomed = format!("key{:03}", random.below(200)).into_bytes();
            db.delete(&doomed).unwrap();
            let gone = |what: &str| {
                assert_eq!(db.get(&doomed).unwrap(), None, "{strategy:?}, round {round}: {what}");
            };
            gone("deleted");
            db.request_flush().unwrap();
            loop {
                let next = db.next_step().unwrap_or_default();
                if db.step(Budget::Phase).unwrap() == StepOutcome::Idle {
                    break;
                }
                gone(&next);
            }
            let reopened = open(&shared(&disk.fork()), &small(strategy));
            assert_eq!(reopened.get(&doomed).unwrap(), None, "{strategy:?}, round {round}");
            let stats = db.stats();
            dropped = stats.tombstones_dropped;
            held += db.view().levels[1].tables.iter().map(|table| table.tombstones).sum::<u64>();
            assert_eq!(db.check().unwrap().problems(), Vec::<String>::new());
        }
        assert!(dropped > 0 && held > 0, "{strategy:?}: {dropped} dropped, {held} held");
    }
}

/// Versions of one key that are kept for snapshots stay in one table of a run, however long they are.
#[test]
fn the_versions_of_one_key_stay_together() {
    for strategy in ALL {
        let db = open(&shared(&MemoryStorage::new()), &small(strategy));
        let mut held = Vec::new();
        for round in 0..25 {
            for key in ["a", "key", "z"] {
                for version in 0..3 {
                    let value = format!("{key} {round} {version} {}", "-".repeat(80));
                    let mut batch = levelscope::WriteBatch::new();
                    batch.put(key.as_bytes(), value.as_bytes()).unwrap();
                    write(&db, &batch, None).unwrap();
                    held.push((db.snapshot(), key, value));
                }
            }
            db.request_flush().unwrap();
            settle(&db);
            for level in db.view().levels {
                for pair in level.tables.windows(2).filter(|pair| pair[0].run == pair[1].run) {
                    assert!(pair[0].largest < pair[1].smallest, "{strategy:?}: {pair:?}");
                }
            }
            for (snapshot, key, value) in &held {
                let found = snapshot.get(key.as_bytes()).unwrap();
                assert_eq!(found.as_deref(), Some(value.as_bytes()), "{strategy:?}, {round}");
            }
        }
    }
}

/// Whatever one strategy leaves, another one goes on from there, also after a crash in the middle.
#[test]
fn a_database_goes_on_under_another_strategy() {
    let mut technique = Technique::new("strategy changes", 12);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x57a7);
        let mut disk = MemoryStorage::new();
        let mut model = Model::new();
        for round in 0..10 {
            let strategy = ALL[random.below(3) as usize];
            let options = small(strategy).wal_sync(WalSync::Each);
            let db = open(&shared(&disk), &options);
            for op in random_script(&mut random, 80) {
                if !matches!(op, Op::Reopen) {
                    run(&db, &op).unwrap();
                    apply_to_model(&mut model, &op);
                }
            }
            let context = format!("seed {seed}, round {round}, {strategy:?}");
            if random.below(2) == 0 {
                settle(&db);
                assert!(db.plan().next.is_none(), "{context}");
                assert!(db.plan().scores.iter().all(|score| score.score < 1.0), "{context}");
            }
            assert_same(&db, &model, &context);
            let crashed = disk.crash_image(Crash::Random(seed << 8 | round));
            drop(db);
            if random.below(2) == 0 {
                disk = crashed;
            }
        }
        technique.count(10);
    }
}

/// Less rewriting is paid for with more runs to search: the strategies are known for this order.
#[test]
fn amplification_is_traded_as_known() {
    let figures = |strategy| -> (Stats, Model, u64) {
        let options = small(strategy).level_multiplier(5);
        let db = open(&shared(&MemoryStorage::new()), &options);
        let mut random = Random(3);
        let mut searched = 0;
        for round in 0..250 {
            put_all(&db, round, (0..15).map(|_| random.below(1000)));
            db.request_flush().unwrap();
            settle(&db);
            let view = db.view();
            searched += view.levels.iter().map(runs).sum::<usize>() as u64;
        }
        (db.stats(), contents(&db).unwrap(), searched)
    };
    let [leveled, tiered, lazy] = ALL.map(figures);
    assert!(leveled.1 == tiered.1 && leveled.1 == lazy.1, "the content depends on the strategy");
    let written = |(stats, ..): &(Stats, Model, u64)| stats.write_amplification.unwrap();
    println!(
        "write amplification: leveled {:.2}, lazy leveled {:.2}, tiered {:.2}; runs on average: \
         {}, {} and {} in 10 rounds",
        written(&leveled),
        written(&lazy),
        written(&tiered),
        leveled.2 / 25,
        lazy.2 / 25,
        tiered.2 / 25,
    );
    assert!(written(&tiered) < written(&lazy) && written(&lazy) < written(&leveled));
    assert!(leveled.2 < lazy.2 && lazy.2 < tiered.2);
}

/// The plan on show is the compaction that runs next, and showing it changes nothing.
#[test]
fn a_plan_is_the_next_compaction() {
    for strategy in ALL {
        let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
        let disk = MemoryStorage::new();
        let db = open_watched(shared(&disk), small(strategy), Some(recorder.clone())).unwrap();
        let mut random = Random(5);
        let mut seen = 0;
        for round in 0..40 {
            put_all(&db, round, (0..10).map(|_| random.below(200)));
            db.request_flush().unwrap();
            while db.view().memtables.len() > 1 {
                db.step(Budget::Job).unwrap();
            }
            let before = (disk.hash(), db.view());
            let Some(plan) = db.plan().next else { continue };
            assert_eq!((disk.hash(), db.view()), before, "looking at a plan changes nothing");
            recorder.drain();
            db.step(Budget::Phase).unwrap();
            let events = recorder.drain().0;
            let picked = events.iter().find_map(|event| match &event.kind {
                EventKind::CompactionPick { reason, inputs, output_level, .. } => {
                    Some((reason.clone(), inputs.clone(), *output_level))
                }
                _ => None,
            });
            let expected = (plan.reason, plan.inputs, plan.output_level);
            assert_eq!(picked, Some(expected), "{strategy:?}");
            seen += 1;
            settle(&db);
        }
        assert!(seen > 10);
    }
}

/// A crash in a compaction leaves L0 as full as it was: the reopened database sees that it is due.
#[test]
fn a_compaction_that_a_crash_ended_is_due_again() {
    for strategy in ALL {
        let disk = MemoryStorage::new();
        let db = open(&shared(&disk), &small(strategy));
        for round in 0..2 {
            put_all(&db, round, 0..10);
            db.request_flush().unwrap();
            while db.view().memtables.len() > 1
                || db.view().jobs.iter().any(|j| !j.outputs.is_empty())
            {
                db.step(Budget::Job).unwrap();
            }
        }
        db.step(Budget::Phase).unwrap();
        db.step(Budget::Phase).unwrap();
        assert!(db.plan().next.is_none(), "its inputs are taken");
        let image = disk.crash_image(Crash::KeepAll);
        let reopened = open(&shared(&image), &small(strategy));
        let outlook = reopened.plan();
        assert_eq!(outlook.strategy, strategy.name());
        assert_eq!(outlook.next.expect("L0 is still due").level, 0, "{strategy:?}");
    }
}

#[test]
fn a_range_goes_down_to_its_last_level_and_nothing_else_does() {
    for strategy in ALL {
        let options = small(strategy).l0_trigger(100).l0_stall(200);
        let db = open(&shared(&MemoryStorage::new()), &options);
        let fill = |round: u64, keys: std::ops::Range<u64>| {
            put_all(&db, round, keys);
            db.request_flush().unwrap();
            settle(&db);
        };
        fill(1, 100..104);
        for level in 0..2 {
            db.request_compaction(Some(level)).unwrap();
            settle(&db);
        }
        fill(2, 102..106);
        fill(3, 300..304);
        let content = contents(&db).unwrap();
        let tables = |level: usize| db.view().levels[level].tables.len();
        assert_eq!((tables(0), tables(2)), (2, 1), "{strategy:?}");
        assert!(!db.compact_range(b"key400", b"key500").unwrap());
        let error = db.compact_range(b"b", b"a").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(db.compact_range(b"key103", b"key105").unwrap());
        settle(&db);
        let levels = db.view().levels;
        assert_eq!((tables(0), tables(1)), (1, 0), "{strategy:?}");
        assert_eq!(runs(&levels[2]), 1, "{strategy:?}");
        assert_eq!(levels[2].tables.iter().map(|table| table.entries).sum::<u64>(), 6);
        assert_eq!(contents(&db).unwrap(), content);
        // From L0 alone it goes to L1.
        assert!(db.compact_range(b"key300", b"key300").unwrap());
        settle(&db);
        assert_eq!((tables(0), tables(1)), (0, 1), "{strategy:?}");
    }
}

/// The deepest level has no next one; several runs of it can still become one.
#[test]
fn the_runs_of_the_deepest_level_become_one() {
    let options = small(Strategy::Tiered).level_count(2).level_multiplier(5);
    let db = open(&shared(&MemoryStorage::new()), &options);
    for round in 0..4 {
        put_all(&db, round, (0..20).map(|key| key * 7 % 20));
        db.request_flush().unwrap();
        settle(&db);
    }
    assert!(runs(&db.view().levels[1]) > 1);
    assert!(db.request_compaction(Some(1)).unwrap());
    settle(&db);
    assert_eq!(runs(&db.view().levels[1]), 1);
    assert_eq!(contents(&db).unwrap().len(), 20);
    assert_eq!(db.request_compaction(Some(1)).unwrap_err().kind(), ErrorKind::InvalidArgument);
}
