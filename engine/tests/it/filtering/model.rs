//! Random writes, jobs, snapshots, reopenings and crashes under a compaction filter, against a model.

use super::*;
use levelscope::storage::Crash;
use levelscope::testing::crash::after_each_operation;
use levelscope::{Snapshot, WriteBatch};

/// The decision of a filter on a value; `None`: nothing.
pub type Rule = Arc<dyn Fn(&[u8]) -> Option<Vec<u8>>>;

/// A filter under test, and how values for it are made.
pub trait Subject {
    fn filter(&self) -> Arc<dyn CompactionFilter>;
    /// The effect of the filter now.
    fn rule(&self) -> Rule;
    fn value(&self, random: &mut Random, index: u64) -> Vec<u8>;
    /// A condition of the filter's decisions may change.
    fn go_on(&self, _: &mut Random) {}
}

impl Subject for Arc<ByFirstByte> {
    fn filter(&self) -> Arc<dyn CompactionFilter> {
        Arc::<ByFirstByte>::clone(self)
    }

    fn rule(&self) -> Rule {
        Arc::new(first_byte_rule)
    }

    fn value(&self, random: &mut Random, index: u64) -> Vec<u8> {
        format!("{}{index}", ["-", "+", "."][random.below(3) as usize]).into_bytes()
    }
}

fn random_batch(subject: &dyn Subject, random: &mut Random, index: u64) -> (WriteBatch, Op) {
    if random.below(10) == 0 {
        let begin = random.below(60);
        let key = |number: u64| format!("key{number:03}").into_bytes();
        let op = Op::DeleteRange(key(begin), Some(key(begin + 1 + random.below(10))));
        return (batch_of(&op).unwrap(), op);
    }
    let entries: Vec<_> = (0..=random.below(4))
        .map(|_| {
            let key = format!("key{:03}", random.below(60)).into_bytes();
            (key, (random.below(6) > 0).then(|| subject.value(random, index)))
        })
        .collect();
    let op = Op::Batch(entries);
    (batch_of(&op).unwrap(), op)
}

/// Whether `found` is `written`, each value as it is or as a filter made it.
fn agrees(found: &Model, written: &Model, rule: &Rule) -> bool {
    found.keys().all(|key| written.contains_key(key))
        && written.iter().all(|(key, value)| {
            let (found, made) = (found.get(key), rule(value));
            found == Some(value) || found == made.as_ref()
        })
}

fn background(db: &Db, random: &mut Random) {
    match random.below(8) {
        0 => drop(db.request_flush().unwrap()),
        1 => drop(db.request_compaction(Some(random.below(3) as usize)).unwrap()),
        2 => drop(db.compact_range(b"key010", b"key030").unwrap()),
        3 | 4 => drop(db.step(Budget::Entries(1 + random.below(60) as u32)).unwrap()),
        5 => drop(db.step(Budget::Job).unwrap()),
        _ => {}
    }
}

/// One random script: every read is of the model, and every snapshot reads one thing for ever.
pub fn reads_agree(subject: &dyn Subject, seed: u64) {
    let mut random = Random(seed ^ 0xf117);
    let options = small(STRATEGIES[(seed % 3) as usize]);
    let disk = MemoryStorage::new();
    let mut db = open_filtered(&disk, &options, subject.filter());
    let mut model = Model::new();
    let mut held: Vec<(Snapshot, Model)> = Vec::new();
    for index in 0..250 {
        let context = format!("seed {seed}, step {index}, {:?}", options.strategy);
        let (batch, op) = random_batch(subject, &mut random, index);
        write(&db, &batch, None).unwrap();
        apply_to_model(&mut model, &op);
        background(&db, &mut random);
        let found = contents(&db).unwrap();
        assert!(agrees(&found, &model, &subject.rule()), "{context}: {found:?} {model:?}");
        // The effects of a filter are permanent.
        model = found;
        match random.below(12) {
            0 | 1 => held.push((db.snapshot(), model.clone())),
            2 if !held.is_empty() => {
                held.swap_remove(random.below(held.len() as u64) as usize);
            }
            3 => subject.go_on(&mut random),
            4 if random.below(4) == 0 => {
                held.clear();
                drop(db);
                db = open_filtered(&disk, &options, subject.filter());
            }
            _ => {}
        }
        for (snapshot, seen) in &held {
            let entries = snapshot.range(..).unwrap();
            let read: Model =
                entries.map(|e| e.map(|(key, value)| (key, value.to_vec())).unwrap()).collect();
            assert_eq!(&read, seen, "{context}: a snapshot of {}", snapshot.sequence());
        }
    }
    held.clear();
    // Everything is seen by the filter in the end.
    db.request_flush().unwrap();
    settle(&db);
    db.compact_range(b"", b"z").unwrap();
    settle(&db);
    let rule = subject.rule();
    let left: Model =
        model.into_iter().filter_map(|(key, value)| Some((key, rule(&value)?))).collect();
    assert_same(&db, &left, &format!("seed {seed}, at the end"));
}

/// Crash images after every operation of a random script; returns how many were checked.
pub fn crash_images_agree(subject: &dyn Subject, seed: u64) -> u64 {
    let mut random = Random(seed ^ 0xc4a5_f117);
    let sync = [WalSync::Each, WalSync::None][random.below(2) as usize];
    let options = small(STRATEGIES[(seed % 3) as usize]).wal_sync(sync);
    let disk = MemoryStorage::new();
    let frames = Arc::new(Mutex::new(Vec::new()));
    let (shot, progress) = (Arc::clone(&frames), Arc::new(Mutex::new((0, 0))));
    let at = Arc::clone(&progress);
    let storage = after_each_operation(&disk, move |_, _, disk| {
        shot.lock().unwrap().push((disk.fork(), *at.lock().unwrap()));
    });
    let builder = Db::builder().options(options.clone()).compaction_filter(subject.filter());
    let db = open_built(builder, storage).unwrap();
    let mut models = vec![Model::new()];
    for index in 0..70 {
        let (batch, op) = random_batch(subject, &mut random, index);
        let mut next = models[models.len() - 1].clone();
        apply_to_model(&mut next, &op);
        models.push(next);
        progress.lock().unwrap().1 = models.len() - 1;
        write(&db, &batch, None).unwrap();
        if sync == WalSync::Each {
            progress.lock().unwrap().0 = models.len() - 1;
        }
        background(&db, &mut random);
        if random.below(12) == 0 {
            subject.go_on(&mut random);
        }
    }
    drop(db);
    let frames = std::mem::take(&mut *frames.lock().unwrap());
    // The most that the filter can have done by then.
    let rule = subject.rule();
    let mut checked = 0;
    for (index, (frame, (durable, begun))) in frames.iter().enumerate() {
        for crash in [Crash::KeepAll, Crash::KeepSynced, Crash::Random(seed << 32 | index as u64)] {
            let context = format!("seed {seed}, operation {index}, {crash:?}");
            let image = frame.crash_image(crash);
            // With the filter or without it.
            let db = if index % 2 == 0 {
                open_filtered(&image, &options, subject.filter())
            } else {
                open(&(Arc::new(image) as Arc<dyn Storage>), &options)
            };
            let found = contents(&db).unwrap();
            let some = (*durable..=*begun).any(|count| agrees(&found, &models[count], &rule));
            assert!(some, "{context}: not the state after {durable} to {begun} writes");
            assert!(db.check().unwrap().problems().is_empty(), "{context}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn reads_under_a_filter_are_those_of_a_model() {
    let mut technique = Technique::new("compaction filter", 9);
    while let Some(seed) = technique.next_seed() {
        reads_agree(&Arc::new(ByFirstByte::default()), seed);
        technique.count(1);
    }
}

#[test]
fn every_crash_image_under_a_filter_has_a_promised_state() {
    let mut technique = Technique::new("compaction filter, crash images", 3);
    while let Some(seed) = technique.next_seed() {
        technique.count(crash_images_agree(&Arc::new(ByFirstByte::default()), seed));
    }
}
