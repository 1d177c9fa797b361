//! Crash images: the machine dies behind every mutating operation of a script, and of recovery itself.
//!
//! Each image keeps what was synced and a random part of the rest. After reopening, the database must
//! equal the state after some number of writes, at least as many as were promised to be durable and at
//! most as many as were begun.

use crate::common::*;
use levelscope::storage::{
    Crash, File, FileName, LockGuard, MemoryStorage, Storage,
};
use levelscope::{Db, Maintenance, Options, Result};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// How far the script had come when an image was taken.
#[derive(Debug, Clone, Copy)]
struct Progress {
    durable: usize,
    begun: usize,
}

/// A memory disk that is copied behind each mutating operation.
#[derive(Debug, Clone)]
struct Filmed {
    disk: MemoryStorage,
    film: Arc<Film>,
}

#[derive(Debug, Default)]
struct Film {
    durable: AtomicUsize,
    begun: AtomicUsize,
    frames: Mutex<Vec<(MemoryStorage, Progress)>>,
}

impl Filmed {
    fn new(disk: MemoryStorage) -> Self {
        Self { disk, film: Arc::default() }
    }

    fn shoot(&self) {
        let progress = Progress {
            durable: self.film.durable.load(Ordering::SeqCst),
            begun: self.film.begun.load(Ordering::SeqCst),
        };
        self.film.frames.lock().unwrap().push((self.disk.fork(), progress));
    }

    fn frames(&self) -> Vec<(MemoryStorage, Progress)> {
        std::mem::take(&mut self.film.frames.lock().unwrap())
    }
}

#[derive(Debug)]
struct FilmedFile {
    file: Arc<dyn File>,
    storage: Filmed,
}

impl Storage for Filmed {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        let file = self.disk.create(name)?;
        self.shoot();
        Ok(Arc::new(FilmedFile { file, storage: self.clone() }))
    }
    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        let file = self.disk.open(name)?;
        Ok(Arc::new(FilmedFile { file, storage: self.clone() }))
    }
    fn delete(&self, name: FileName) -> Result<()> {
        let deleted = self.disk.delete(name);
        self.shoot();
        deleted
    }
    fn list(&self) -> Result<Vec<String>> {
        self.disk.list()
    }
    fn sync_directory(&self) -> Result<()> {
        let synced = self.disk.sync_directory();
        self.shoot();
        synced
    }
    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.disk.lock()
    }
}

impl File for FilmedFile {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        let appended = self.file.append(bytes);
        self.storage.shoot();
        appended
    }
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let written = self.file.write_at(offset, bytes);
        self.storage.shoot();
        written
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.file.read_at(offset, buffer)
    }
    fn sync(&self) -> Result<()> {
        let synced = self.file.sync();
        self.storage.shoot();
        synced
    }
    fn len(&self) -> Result<u64> {
        self.file.len()
    }
}

/// Runs `script`, filming; returns the frames and the model after each number of writes.
fn film(options: &Options, script: &[Op]) -> (Vec<(MemoryStorage, Progress)>, Vec<Model>) {
    let filmed = Filmed::new(MemoryStorage::default());
    let storage: Arc<dyn Storage> = Arc::new(filmed.clone());
    let mut db = open(&storage, options);
    let mut models = vec![Model::new()];
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
            filmed.film.begun.store(models.len() - 1, Ordering::SeqCst);
            write(&db, &batch, None).expect("the write works");
            if options.sync {
                filmed.film.durable.store(models.len() - 1, Ordering::SeqCst);
            }
        } else {
            run(&db, op).expect("the operation works");
            if let Op::Sync = op {
                filmed.film.durable.store(models.len() - 1, Ordering::SeqCst);
            }
        }
    }
    drop(db);
    (filmed.frames(), models)
}

fn verify(image: &MemoryStorage, options: &Options, models: &[Model], at: Progress, context: &str) {
    let storage: Arc<dyn Storage> = Arc::new(image.clone());
    let db = Db::open(storage, options.clone(), None)
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
    assert!(report.problems.is_empty(), "{context}: {:?}", report.problems);
}

fn scripts() -> Vec<(u64, Options, Vec<Op>)> {
    seeds(6)
        .into_iter()
        .map(|seed| {
            let mut random = Random(seed ^ 0xc4a5);
            let options = Options {
                maintenance: if seed % 3 == 0 { Maintenance::Manual } else { Maintenance::Inline },
                sync: seed % 2 == 0,
                ..small_options(&mut random)
            };
            let script = random_script(&mut random, 90);
            (seed, options, script)
        })
        .collect()
}

#[test]
fn every_crash_image_recovers_a_promised_state() {
    let mut images = 0;
    for (seed, options, script) in scripts() {
        let (frames, models) = film(&options, &script);
        for (index, (frame, progress)) in frames.iter().enumerate() {
            for variant in 0..6 {
                let crash = match variant {
                    0 => Crash::KeepAll,
                    1 => Crash::KeepSynced,
                    _ => Crash::Random(seed << 32 | (index as u64) << 8 | variant),
                };
                let context = format!("seed {seed}, operation {index}, {crash:?}");
                verify(&frame.crash_image(crash), &options, &models, *progress, &context);
                images += 1;
            }
        }
    }
    println!("crash images: {images}");
}

#[test]
fn every_crash_during_recovery_recovers_the_same() {
    let mut images = 0;
    for (seed, options, script) in scripts() {
        let (frames, models) = film(&options, &script);
        let stride = frames.len().div_ceil(12);
        for (index, (frame, progress)) in frames.iter().enumerate().step_by(stride) {
            let first = frame.crash_image(Crash::Random(seed << 32 | index as u64));
            let filmed = Filmed::new(first);
            let storage: Arc<dyn Storage> = Arc::new(filmed.clone());
            drop(open(&storage, &options));
            for (step, (second, _)) in filmed.frames().iter().enumerate() {
                let crash = Crash::Random(seed << 40 | (index as u64) << 16 | step as u64);
                let context = format!("seed {seed}, operation {index}, recovery {step}, {crash:?}");
                verify(&second.crash_image(crash), &options, &models, *progress, &context);
                images += 1;
            }
        }
    }
    println!("nested crash images: {images}");
}
