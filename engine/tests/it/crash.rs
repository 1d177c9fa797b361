//! Crash images: the machine dies after every mutating operation of a script, and of recovery itself.
//!
//! Each image keeps synced bytes and a random part of the rest. After reopening, the database must equal the state
//! after some number of writes, at least as many as were promised to be durable and at most as many as were begun.

use crate::common::*;
use levelscope::storage::{Crash, MemoryStorage, Storage};
use levelscope::testing::crash::after_each_operation;
use levelscope::{Maintenance, Options, WalSync};
use std::sync::{Arc, Mutex};

/// How far the script had come when an image was taken.
#[derive(Debug, Clone, Copy, Default)]
pub struct Progress {
    durable: usize,
    begun: usize,
}

pub type Frames = Vec<(MemoryStorage, Progress)>;

/// A memory disk that is copied after each mutating operation.
#[derive(Debug, Default)]
struct Film {
    progress: Mutex<Progress>,
    frames: Mutex<Frames>,
}

impl Film {
    fn over(disk: &MemoryStorage) -> (Arc<Self>, Arc<dyn Storage>) {
        let film: Arc<Self> = Arc::default();
        let shot = Arc::clone(&film);
        let storage = after_each_operation(disk, move |_, _, disk| {
            let progress = *shot.progress.lock().unwrap();
            shot.frames.lock().unwrap().push((disk.fork(), progress));
        });
        (film, storage)
    }

    fn frames(&self) -> Frames {
        std::mem::take(&mut self.frames.lock().unwrap())
    }
}

const RECORD_HEADER_BYTES: u64 = 32;

/// How many of the acknowledged writes, whose log records have `record_bytes`, a power failure leaves at least.
fn promised(wal_sync: WalSync, record_bytes: &[u64]) -> usize {
    let lost_bytes_max = match wal_sync {
        WalSync::Interval(bytes) => bytes - 1,
        wal_sync if wal_sync.before_acknowledging() => 0,
        _ => return 0,
    };
    let newest_first = record_bytes.iter().rev().scan(0, |sum, bytes| {
        *sum += bytes;
        Some(*sum)
    });
    record_bytes.len() - newest_first.take_while(|lost| *lost <= lost_bytes_max).count()
}

/// Runs `script`, filming; returns the frames and the model after each number of writes.
pub fn film(disk: &MemoryStorage, options: &Options, script: &[Op]) -> (Frames, Vec<Model>) {
    let (film, storage) = Film::over(disk);
    let mut db = open(&storage, options);
    let mut models = vec![Model::new()];
    let mut record_bytes = Vec::new();
    for op in script {
        if let Op::Reopen = op {
            drop(db);
            db = open(&storage, options);
            continue;
        }
        if let Some(batch) = batch_of(op) {
            let mut next = models.last().unwrap().clone();
            apply_to_model(&mut next, op);
            models.push(next);
            film.progress.lock().unwrap().begun = models.len() - 1;
            write(&db, &batch, None).expect("the write works");
            record_bytes.push(RECORD_HEADER_BYTES + batch.bytes() as u64);
            let mut progress = film.progress.lock().unwrap();
            progress.durable = progress.durable.max(promised(options.wal_sync, &record_bytes));
        } else {
            run(&db, op).expect("the operation works");
            if let Op::Sync = op {
                film.progress.lock().unwrap().durable = models.len() - 1;
            }
        }
    }
    drop(db);
    (film.frames(), models)
}

pub fn verify(
    image: &MemoryStorage,
    options: &Options,
    models: &[Model],
    at: Progress,
    context: &str,
) {
    let storage: Arc<dyn Storage> = Arc::new(image.clone());
    let db = open_watched(storage, options.clone(), None)
        .unwrap_or_else(|error| panic!("{context}: {error}"));
    let found = contents(&db).unwrap_or_else(|error| panic!("{context}: {error}"));
    let matching = (at.durable..=at.begun).any(|count| models[count] == found);
    assert!(
        matching,
        "{context}: the content is not that after {} to {} writes; it has {} keys",
        at.durable,
        at.begun,
        found.len()
    );
    let report = db.check().expect("check");
    assert!(report.problems().is_empty(), "{context}: {:?}", report.problems());
}

/// A disk that makes logs longer ahead, as native files do, or one that does not.
pub fn disk(seed: u64) -> MemoryStorage {
    if Random(seed).below(2) == 0 { MemoryStorage::new() } else { MemoryStorage::reserving() }
}

fn script(seed: u64) -> (Options, Vec<Op>) {
    let mut random = Random(seed ^ 0xc4a5);
    let options = small_options(&mut random)
        .maintenance(
            [Maintenance::Manual, Maintenance::Inline, Maintenance::Inline][(seed % 3) as usize],
        )
        .wal_sync(
            [WalSync::Group, WalSync::None, WalSync::Each, WalSync::Interval(300)]
                [(seed % 4) as usize],
        );
    (options, random_script(&mut random, 90))
}

#[test]
fn every_crash_image_recovers_a_promised_state() {
    let mut technique = Technique::new("crash images", 4);
    while let Some(seed) = technique.next_seed() {
        let (options, script) = script(seed);
        let (frames, models) = film(&disk(seed), &options, &script);
        for (index, (frame, progress)) in frames.iter().enumerate() {
            for variant in 0..6 {
                let crash = match variant {
                    0 => Crash::KeepAll,
                    1 => Crash::KeepSynced,
                    _ => Crash::Random(seed << 32 | (index as u64) << 8 | variant),
                };
                let context = format!("seed {seed}, operation {index}, {crash:?}");
                verify(&frame.crash_image(crash), &options, &models, *progress, &context);
                technique.count(1);
            }
        }
    }
}

#[test]
fn every_crash_during_recovery_recovers_the_same() {
    let mut technique = Technique::new("crashes during recovery", 6);
    while let Some(seed) = technique.next_seed() {
        let (options, script) = script(seed);
        let (frames, models) = film(&disk(seed), &options, &script);
        let stride = frames.len().div_ceil(12);
        for (index, (frame, progress)) in frames.iter().enumerate().step_by(stride) {
            // Every other time only the process is killed before, so that much is in the page cache still.
            let first = if index / stride % 2 == 0 {
                frame.fork()
            } else {
                frame.crash_image(Crash::Random(seed << 32 | index as u64))
            };
            let (film, storage) = Film::over(&first);
            drop(open(&storage, &options));
            for (step, (second, _)) in film.frames().iter().enumerate() {
                let crash = Crash::Random(seed << 40 | (index as u64) << 16 | step as u64);
                let context = format!("seed {seed}, operation {index}, recovery {step}, {crash:?}");
                verify(&second.crash_image(crash), &options, &models, *progress, &context);
                technique.count(1);
            }
        }
    }
}
