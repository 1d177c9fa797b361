//! Openings that are killed one after the other, by processes that would each give a new database another
//! identity: the next opening goes on.

use crate::common::*;
use crate::identity::{older, options, storage};
use levelscope::Identity;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, FileName, MemoryStorage, Storage};
use levelscope::testing::crash::after_each_operation;
use std::sync::{Arc, Mutex};

const FIRST: Identity = Identity::from_bytes([1; 16]);
const SECOND: Identity = Identity::from_bytes([2; 16]);
const THIRD: Identity = Identity::from_bytes([3; 16]);

/// The same files on a disk that gives a new database another identity, as a later process does.
fn for_the_next_process(disk: &MemoryStorage, identity: Identity) -> MemoryStorage {
    let next = MemoryStorage::with_identity(identity);
    for name in disk.list().unwrap() {
        let known = FileName::parse(&name).filter(|name| *name != FileName::Lock);
        if let Some(known) = known {
            next.put(&name, &disk.read(known).unwrap());
        }
    }
    next
}

/// Opens until the storage fails at operation `at` and ever after, as it is when the process is killed there.
fn killed_while_opening(disk: &MemoryStorage, at: u64) {
    let faulty = FaultStorage::over_memory(disk);
    faulty.inject(Fault::Io, at, true);
    let faulty: Arc<dyn Storage> = Arc::new(faulty);
    drop(try_open(&faulty, &options()));
}

#[test]
fn a_creation_that_is_killed_twice_can_still_be_made() {
    for first in 1..25 {
        for second in 1..30 {
            let disk = MemoryStorage::with_identity(FIRST);
            killed_while_opening(&disk, first);
            let disk = for_the_next_process(&disk, SECOND);
            killed_while_opening(&disk, second);
            let disk = for_the_next_process(&disk, THIRD);
            let opened = try_open(&storage(&disk), &options());
            assert!(opened.is_ok(), "killed at {first} and {second}: {:?}", opened.err());
        }
    }
}

#[test]
fn an_older_database_whose_first_openings_are_killed_gets_its_identity_later() {
    for first in 1..60 {
        let (disk, model) = older();
        killed_while_opening(&disk, first);
        for second in [4, 9, 14, 19, 24, 29, 34, 39, 44] {
            let disk = for_the_next_process(&disk, SECOND);
            killed_while_opening(&disk, second);
            let disk = for_the_next_process(&disk, THIRD);
            let db = try_open(&storage(&disk), &options())
                .unwrap_or_else(|error| panic!("killed at {first} and {second}: {error}"));
            assert_same(&db, &model, &format!("killed at {first} and {second}"));
        }
    }
}

/// The killed process had switched to its manifest only in the page cache. The next opening overwrote the other slot of
/// `CURRENT`, and a loss of power left neither.
#[test]
fn a_loss_of_power_in_the_opening_after_a_killed_one_leaves_a_valid_slot() {
    let disk = MemoryStorage::new();
    for round in 0..2_u8 {
        open(&storage(&disk), &options()).put([round], "value").unwrap();
    }
    let model = contents(&open(&storage(&disk.fork()), &options())).unwrap();
    let mut images = 0;
    for (index, killed) in after_each(&disk).iter().enumerate() {
        for (step, frame) in after_each(killed).iter().enumerate() {
            for seed in 0..8 {
                let image = frame.crash_image(Crash::Random(seed));
                let context = format!("killed at {index}, power lost at {step}, seed {seed}");
                let db = try_open(&storage(&image), &options())
                    .unwrap_or_else(|error| panic!("{context}: {error}"));
                assert_same(&db, &model, &context);
                images += 1;
            }
        }
    }
    assert!(images > 1000, "{images}");
}

/// The disk after each operation of an opening.
fn after_each(disk: &MemoryStorage) -> Vec<MemoryStorage> {
    let frames: Arc<Mutex<Vec<MemoryStorage>>> = Arc::default();
    let taken = Arc::clone(&frames);
    let storage = after_each_operation(&disk.fork(), move |_, _, disk| {
        taken.lock().unwrap().push(disk.fork());
    });
    let db = try_open(&storage, &options()).unwrap();
    let frames = std::mem::take(&mut *frames.lock().unwrap());
    drop(db);
    frames
}
