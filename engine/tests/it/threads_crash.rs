//! Crashes and failures while background threads work and several writers write.
//!
//! Writer `w` makes the same writes in the same order whenever it runs, so the content of its key range proves their
//! number: at least the acknowledged ones, at most those begun.

use crate::common::*;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, Storage};
use levelscope::{Db, Maintenance, Options, WalSync};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

const WRITERS: usize = 3;

/// How far one writer has come.
#[derive(Debug, Default)]
struct Progress {
    begun: AtomicU64,
    acknowledged: AtomicU64,
}

fn options(random: &mut Random) -> Options {
    small_options(random)
        .wal_sync(WalSync::Group)
        .maintenance(Maintenance::Threads(2 + random.below(2) as usize))
}

fn key(writer: usize, index: u64) -> Vec<u8> {
    format!("{writer}-{:02}", index % 40).into_bytes()
}

/// Write number `count` of a writer: two keys at once.
fn write_number(writer: usize, count: u64) -> Op {
    let second = (!count.is_multiple_of(3)).then(|| vec![b'v'; 20]);
    Op::Batch(vec![
        (key(writer, count * 7), Some(count.to_le_bytes().to_vec())),
        (key(writer, count * 7 + 3), second),
    ])
}

fn write_until_it_fails(db: &Db, writer: usize, progress: &Progress, stop: &AtomicBool) {
    let mut count = progress.acknowledged.load(Ordering::SeqCst);
    while !stop.load(Ordering::SeqCst) {
        progress.begun.store(count + 1, Ordering::SeqCst);
        let batch = batch_of(&write_number(writer, count + 1)).unwrap();
        if db.write(&batch, None).is_err() {
            return;
        }
        count += 1;
        progress.acknowledged.store(count, Ordering::SeqCst);
    }
}

/// The number of writes after which the range of `writer` looks as `found` does.
fn settle(writer: usize, found: &Model, least: u64, most: u64, context: &str) -> u64 {
    let prefix = format!("{writer}-").into_bytes();
    let found: Model = found
        .iter()
        .filter(|(key, _)| key.starts_with(&prefix))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let mut model = Model::new();
    for count in 0..=most {
        if count > 0 {
            apply_to_model(&mut model, &write_number(writer, count));
        }
        if count >= least && model == found {
            return count;
        }
    }
    panic!("{context}: writer {writer} should have {least} to {most} writes, but has {found:?}");
}

#[test]
fn a_crash_under_threads_keeps_the_promise_to_every_writer() {
    let mut technique = Technique::new("crashes under threads", 6);
    while let Some(seed) = technique.next_seed() {
        let options = options(&mut Random(seed ^ 0x7c4a));
        let disk = crate::crash::disk(seed);
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let db = open(&storage, &options);
        let progress: [Progress; WRITERS] = Default::default();
        let stop = AtomicBool::new(false);
        let mut images = Vec::new();
        std::thread::scope(|scope| {
            for (writer, progress) in progress.iter().enumerate() {
                let (db, stop) = (&db, &stop);
                scope.spawn(move || write_until_it_fails(db, writer, progress, stop));
            }
            for index in 0..12 {
                std::thread::sleep(Duration::from_millis(5));
                let read = |what: fn(&Progress) -> &AtomicU64| {
                    progress.each_ref().map(|progress| what(progress).load(Ordering::SeqCst))
                };
                let least = read(|progress| &progress.acknowledged);
                let image = disk.crash_image(Crash::Random(seed * 100 + index));
                images.push((image, least, read(|progress| &progress.begun)));
            }
            stop.store(true, Ordering::SeqCst);
        });
        for (index, (image, least, most)) in images.into_iter().enumerate() {
            let context = format!("seed {seed}, image {index}");
            let storage: Arc<dyn Storage> = Arc::new(image);
            let db = open_watched(storage, options.clone(), None);
            let db = db.unwrap_or_else(|error| panic!("{context}: {error}"));
            let found = contents(&db).unwrap();
            for writer in 0..WRITERS {
                settle(writer, &found, least[writer], most[writer], &context);
            }
            assert!(db.check().unwrap().problems().is_empty(), "{context}");
            technique.count(1);
        }
    }
}

/// Without a sync of each write, logs end while writes go on in the next one: still a crash leaves the writes up to
/// some point, at least to the last sync, and a killed process loses none.
#[test]
fn a_crash_between_two_logs_under_threads_leaves_no_hole() {
    let mut technique = Technique::new("crashes between logs", 8);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x10f5);
        // Buffered bytes would be lost with the process.
        let options = options(&mut random).wal_sync(WalSync::None).wal_buffer_bytes(0);
        let disk = crate::crash::disk(seed);
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let db = open(&storage, &options);
        let (begun, written, synced) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let (stop, mut images) = (AtomicBool::new(false), Vec::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for count in 1.. {
                    if stop.load(Ordering::SeqCst) {
                        return;
                    }
                    let batch = batch_of(&write_number(0, count)).unwrap();
                    begun.store(count, Ordering::SeqCst);
                    let sync = random.below(50) == 0;
                    db.write(&batch, Some(sync)).unwrap();
                    written.store(count, Ordering::SeqCst);
                    if sync {
                        synced.store(count, Ordering::SeqCst);
                    }
                }
            });
            for index in 0..20 {
                std::thread::sleep(Duration::from_millis(2));
                let crash = match index % 5 {
                    0 => Crash::KeepAll,
                    1 => Crash::KeepSynced,
                    _ => Crash::Random(seed * 100 + index),
                };
                let least = if crash == Crash::KeepAll { &written } else { &synced };
                let least = least.load(Ordering::SeqCst);
                let image = disk.crash_image(crash);
                images.push((image, least, begun.load(Ordering::SeqCst)));
            }
            stop.store(true, Ordering::SeqCst);
        });
        for (index, (image, least, most)) in images.into_iter().enumerate() {
            let context = format!("seed {seed}, image {index}");
            let again = image.fork();
            let found = open_watched(Arc::new(image), options.clone(), None)
                .and_then(|db| contents(&db))
                .unwrap_or_else(|error| panic!("{context}: {error}"));
            settle(0, &found, least, most, &context);
            let checked = levelscope::Check::new(Arc::new(again)).unwrap().run().unwrap();
            assert!(checked.problems().is_empty(), "{context}: {:?}", checked.problems());
            technique.count(1);
        }
    }
}

#[test]
fn a_failure_under_threads_loses_nothing_that_was_promised() {
    let mut technique = Technique::new("faults under threads", 60);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xfa17);
        let options = options(&mut random);
        let disk = FaultStorage::over_memory(&crate::crash::disk(seed));
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let progress: [Progress; WRITERS] = Default::default();
        for fault in Fault::ALL {
            let context = format!("seed {seed}, {fault:?}");
            let db = open_watched(Arc::clone(&storage), options.clone(), None);
            let db = db.unwrap_or_else(|error| panic!("{context}: {error}"));
            let found = contents(&db).unwrap();
            for (writer, progress) in progress.iter().enumerate() {
                let least = progress.acknowledged.load(Ordering::SeqCst);
                let most = progress.begun.load(Ordering::SeqCst);
                let count = settle(writer, &found, least, most, &context);
                progress.acknowledged.store(count, Ordering::SeqCst);
            }
            assert!(db.check().unwrap().problems().is_empty(), "{context}");
            disk.inject(fault, 1 + random.below(120), random.below(2) == 0);
            let stop = AtomicBool::new(false);
            std::thread::scope(|scope| {
                for (writer, progress) in progress.iter().enumerate() {
                    let (db, stop) = (&db, &stop);
                    scope.spawn(move || write_until_it_fails(db, writer, progress, stop));
                }
                std::thread::sleep(Duration::from_millis(4));
                stop.store(true, Ordering::SeqCst);
            });
            drop(db);
            disk.heal();
            technique.count(1);
        }
    }
}
