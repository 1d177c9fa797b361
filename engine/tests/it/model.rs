//! Random scripts against a `BTreeMap`, over random options, with snapshots and reopening.

use crate::common::*;
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{Bound, Budget, Maintenance, Options, ScanOptions, StepOutcome};
use std::sync::Arc;

fn run_script(seed: u64, options: &Options, script: &[Op]) -> Model {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::default());
    let mut db = open(&storage, options);
    let mut model = Model::new();
    let mut snapshots = Vec::new();
    let mut random = Random(seed ^ 0xabcd);
    for (index, op) in script.iter().enumerate() {
        let context = format!("seed {seed}, operation {index}: {op:?}");
        if let Op::Reopen = op {
            snapshots.clear();
            drop(db);
            db = open(&storage, options);
            assert_same(&db, &model, &context);
            continue;
        }
        run(&db, op).unwrap_or_else(|error| panic!("{context}: {error}"));
        apply_to_model(&mut model, op);
        if random.below(40) == 0 {
            snapshots.push((db.snapshot(), model.clone()));
        }
        if random.below(25) == 0 {
            assert_same(&db, &model, &context);
        }
        if random.below(30) == 0 && !snapshots.is_empty() {
            let chosen = random.below(snapshots.len() as u64) as usize;
            let (snapshot, then) = snapshots.swap_remove(chosen);
            for (key, value) in &then {
                let found = snapshot.get(key).expect("get at a snapshot");
                assert_eq!(
                    found.as_deref(),
                    Some(value.as_slice()),
                    "{context}: at {}",
                    snapshot.sequence()
                );
            }
            let options = ScanOptions::default().snapshot(&snapshot);
            let mut iterator = db.iter(&options).expect("an iterator at a snapshot");
            iterator.seek_to_first().expect("seek");
            let mut count = 0;
            while iterator.valid() {
                assert_eq!(then.get(iterator.key()).map(Vec::as_slice), Some(iterator.value()));
                iterator.next().expect("next");
                count += 1;
            }
            assert_eq!(count, then.len(), "{context}");
        }
    }
    assert_same(&db, &model, &format!("seed {seed}, at the end"));
    model
}

#[test]
fn random_scripts_match_the_model() {
    let mut technique = Technique::new("model", 120);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed);
        let options = small_options(&mut random);
        let script = random_script(&mut random, 250);
        run_script(seed, &options, &script);
        technique.count(1);
    }
}

#[test]
fn the_same_script_gives_the_same_content_under_all_options() {
    let mut technique = Technique::new("options", 6);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x5eed);
        let script = random_script(&mut random, 200);
        let mut first = None;
        for _ in 0..12 {
            let options = small_options(&mut random);
            let model = run_script(seed, &options, &script);
            assert_eq!(*first.get_or_insert_with(|| model.clone()), model);
            technique.count(1);
        }
    }
}

#[test]
fn step_budgets_do_not_change_the_bytes() {
    let mut technique = Technique::new("step budgets", 10);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xb0d9);
        let options = small_options(&mut random).maintenance(Maintenance::Manual);
        let script = random_script(&mut random, 200);
        let mut hashes = Vec::new();
        for budget in [Budget::Entry, Budget::Entries(7), Budget::Phase, Budget::Job] {
            let memory = MemoryStorage::default();
            let storage: Arc<dyn Storage> = Arc::new(memory.clone());
            let db = open(&storage, &options);
            for op in script.iter().filter(|op| !matches!(op, Op::Step(_) | Op::Reopen)) {
                run(&db, op).expect("the operation works");
                while db.step(budget).expect("the step works") != StepOutcome::Idle {}
            }
            drop(db);
            hashes.push(memory.hash());
        }
        assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "seed {seed}: {hashes:?}");
        technique.count(1);
    }
}

#[test]
fn threads_agree_with_the_model() {
    let mut technique = Technique::new("model with threads", 8);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x7d5);
        for threads in [1, 2] {
            let options = small_options(&mut random).maintenance(Maintenance::Threads(threads));
            let script: Vec<Op> = random_script(&mut random, 250);
            run_script(seed, &options, &script);
            technique.count(1);
        }
    }
}

#[test]
fn every_bound_prefix_and_direction_matches_the_model() {
    let mut technique = Technique::new("bounds", 30);
    while let Some(seed) = technique.next_seed() {
        bounds_match_the_model(seed);
        technique.count(40);
    }
}

fn bounds_match_the_model(seed: u64) {
    let mut random = Random(seed);
    let options = small_options(&mut random);
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::default());
    let db = open(&storage, &options);
    let mut model = Model::new();
    for op in random_script(&mut random, 300).iter().filter(|op| !matches!(op, Op::Reopen)) {
        run(&db, op).expect("the operation works");
        apply_to_model(&mut model, op);
    }
    for _ in 0..40 {
        let mut bound = || match random.below(3) {
            0 => Bound::Unbounded,
            1 => Bound::Included(random_key(&mut random)),
            _ => Bound::Excluded(random_key(&mut random)),
        };
        let (lower, upper) = (bound(), bound());
        let prefix = (random.below(2) == 0).then(|| {
            let mut key = random_key(&mut random);
            key.truncate(random.below(6) as usize);
            key
        });
        let bounds = (lower.clone(), upper.clone(), prefix.clone());
        let mut options = ScanOptions::default().range((bounds.0, bounds.1));
        options.prefix = bounds.2;
        let inside = |key: &Vec<u8>| {
            let above = match &lower {
                Bound::Unbounded => true,
                Bound::Included(low) => key >= low,
                Bound::Excluded(low) => key > low,
            };
            above
                && prefix.as_ref().is_none_or(|prefix| key.starts_with(prefix))
                && match &upper {
                    Bound::Unbounded => true,
                    Bound::Included(high) => key <= high,
                    Bound::Excluded(high) => key < high,
                }
        };
        let expected: Vec<&Vec<u8>> = model.keys().filter(|key| inside(key)).collect();
        let mut iterator = db.iter(&options).expect("an iterator");
        let mut forward = Vec::new();
        iterator.seek_to_first().expect("first");
        while iterator.valid() {
            forward.push(iterator.key().to_vec());
            iterator.next().expect("next");
        }
        assert!(forward.iter().eq(expected.iter().copied()), "{options:?}");
        let mut backward = Vec::new();
        iterator.seek_to_last().expect("last");
        while iterator.valid() {
            backward.push(iterator.key().to_vec());
            iterator.prev().expect("prev");
        }
        assert!(backward.iter().rev().eq(expected.iter().copied()), "{options:?}");
    }
}
