//! The manifest is written anew when it has grown too long: at every place where that can be cut off, fail, or run out
//! of space, the database keeps its state and loses nothing.

use crate::common::*;
use crate::technique::{Technique, effort};
use crate::{crash, fault};
use levelscope::event::{EventKind, Grain, Recorder};
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, FileName, MemoryStorage, Storage};
use levelscope::{Budget, Db, ErrorKind, Maintenance, Options, StepOutcome, WalSync};
use std::sync::Arc;

/// Options with which nearly every edit is followed by a new manifest.
fn rolling(maintenance: Maintenance) -> Options {
    Options::default()
        .memtable_bytes(256)
        .block_bytes(256)
        .table_bytes(512)
        .l0_trigger(2)
        .l0_stall(6)
        .level_base_bytes(1024)
        .level_multiplier(2)
        .manifest_bytes(64)
        .maintenance(maintenance)
}

fn put(db: &Db, index: u64) {
    let key = format!("key{:03}", index % 40).into_bytes();
    db.put(&key, index.to_le_bytes()).expect("the put works");
}

fn manifests(storage: &dyn Storage) -> Vec<u64> {
    let names = storage.list().expect("lists");
    let names = names.iter().filter_map(|name| FileName::parse(name));
    names.filter_map(|name| matches!(name, FileName::Manifest(_)).then(|| name.number())?).collect()
}

#[test]
fn a_long_manifest_is_replaced_and_two_are_kept() {
    for maintenance in [Maintenance::Inline, Maintenance::Manual, Maintenance::Threads(2)] {
        let memory = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(memory.clone());
        let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
        let sink = Some(Arc::clone(&recorder) as _);
        let db = open_watched(Arc::clone(&storage), rolling(maintenance), sink).expect("opens");
        let mut model = Model::new();
        for index in 0..400_u64 {
            let key = format!("key{:03}", index % 40).into_bytes();
            let mut batch = levelscope::WriteBatch::new();
            batch.put(&key, index.to_le_bytes()).expect("within limits");
            write(&db, &batch, None).expect("the write works");
            model.insert(key, index.to_le_bytes().to_vec());
        }
        let view = db.view();
        let kept = manifests(&*storage);
        assert!(kept.len() <= 2 && kept.contains(&view.manifest), "{maintenance:?}: {kept:?}");
        let length = memory.read(FileName::Manifest(view.manifest)).expect("reads").len() as u64;
        assert_eq!(view.manifest_bytes, length);
        assert_same(&db, &model, "after many manifests");
        drop(db);
        let events = recorder.drain().0;
        let switches = events.iter().filter_map(|event| match event.kind {
            EventKind::ManifestSwitch { manifest, epoch } => Some((manifest, epoch)),
            _ => None,
        });
        let switches: Vec<(u64, u64)> = switches.collect();
        assert!(switches.len() > 5, "{maintenance:?}: {switches:?}");
        for pair in switches.windows(2) {
            assert!(pair[0].0 < pair[1].0 && pair[0].1 + 1 == pair[1].1, "{switches:?}");
        }
        assert_same(&open(&storage, &rolling(maintenance)), &model, "reopened");
    }
}

/// The edits before a new manifest limit its cost: it has to grow four times as long as its snapshot first.
#[test]
fn a_manifest_with_many_tables_is_not_written_anew_for_every_edit() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let options = rolling(Maintenance::Inline).l0_trigger(1000).l0_stall(1000);
    let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Phase));
    let db = open_watched(storage, options, Some(Arc::clone(&recorder) as _)).expect("opens");
    for index in 0..2000 {
        put(&db, index);
    }
    let events = recorder.drain().0;
    let count = |name: &str| events.iter().filter(|event| event.kind.name() == name).count();
    let (edits, snapshots) = (count("manifest.append"), count("manifest.create"));
    assert!(edits > 200, "{edits} edits");
    assert!((3..10).contains(&snapshots), "{snapshots} manifests for {edits} edits");
}

fn script(seed: u64) -> (Options, Vec<Op>) {
    let mut random = Random(seed ^ 0x7011);
    let maintenance =
        if seed.is_multiple_of(2) { Maintenance::Inline } else { Maintenance::Manual };
    let options =
        rolling(maintenance).wal_sync(if seed % 4 < 2 { WalSync::Group } else { WalSync::None });
    (options, random_script(&mut random, 60))
}

#[test]
fn every_crash_image_of_a_roll_recovers_a_promised_state() {
    let mut technique = Technique::new("crash images of rolls", 2);
    while let Some(seed) = technique.next_seed() {
        let (options, script) = script(seed);
        let (frames, models) = crash::film(&crash::disk(seed), &options, &script);
        for (index, (frame, progress)) in frames.iter().enumerate() {
            for variant in 0..4 {
                let crash = match variant {
                    0 => Crash::KeepAll,
                    1 => Crash::KeepSynced,
                    _ => Crash::Random(seed << 32 | (index as u64) << 8 | variant),
                };
                let context = format!("seed {seed}, operation {index}, {crash:?}");
                let image = frame.crash_image(crash);
                crash::verify(&image, &options, &models, *progress, &context);
                technique.count(1);
            }
        }
    }
}

#[test]
fn every_operation_of_a_roll_may_fail() {
    let mut technique = Technique::new("faults of rolls", 2);
    while let Some(seed) = technique.next_seed() {
        let (options, script) = script(seed);
        technique.count(fault::fail_every_operation(seed, &options, &script[..25]));
    }
}

/// Two flushes with a roll between them, on a disk that is full after `capacity` bytes.
fn fill(capacity: Option<u64>) -> (MemoryStorage, Arc<FaultStorage>, u64) {
    let memory = MemoryStorage::new();
    let full = Arc::new(FaultStorage::over_memory(&memory));
    let storage: Arc<dyn Storage> = full.clone();
    let db = open(&storage, &rolling(Maintenance::Manual));
    full.set_capacity(capacity);
    let mut acknowledged = 0;
    for index in 0..12 {
        if db.put(format!("key{index}").as_bytes(), [7; 20]).is_err() {
            break;
        }
        acknowledged += 1;
        if index % 3 == 2 {
            let _ = db.request_flush();
            while let Ok(StepOutcome::More | StepOutcome::Finished(_)) = db.step(Budget::Phase) {}
        }
    }
    if db.view().read_only.is_some() {
        assert_eq!(db.put(b"late", b"").unwrap_err().kind(), ErrorKind::ReadOnly);
    }
    let read = (0..acknowledged).filter(|index| {
        db.get(format!("key{index}").as_bytes()).is_ok_and(|value| value.is_some())
    });
    assert_eq!(read.count() as u64, acknowledged, "reads go on");
    drop(db);
    (memory, full, acknowledged)
}

/// The disk is full at each byte of a log, a table, an edit and a new manifest, or at each third one for a commit; then there
/// is space again: the database opens, has all acknowledged writes, and takes more edits.
#[test]
fn space_may_end_at_every_byte() {
    let (_, whole, _) = fill(None);
    let mut refused = 0;
    let stride = if effort() > 1 { 1 } else { 3 };
    for capacity in (0..=whole.used_bytes()).step_by(stride) {
        let (memory, full, acknowledged) = fill(Some(capacity));
        refused += u64::from(acknowledged < 12);
        full.set_capacity(None);
        let storage: Arc<dyn Storage> = Arc::new(memory);
        // After every fourth one the database is used, too, and opened once more.
        for round in 0..=u64::from(capacity.is_multiple_of(4)) {
            let db = open(&storage, &rolling(Maintenance::Inline));
            for index in 0..acknowledged {
                let key = format!("key{index}").into_bytes();
                assert!(db.get(&key).expect("reads").is_some(), "capacity {capacity}: {index}");
            }
            let report = db.check().expect("checks");
            assert!(report.problems().is_empty(), "capacity {capacity}: {:?}", report.problems());
            if capacity.is_multiple_of(4) {
                (0..40).for_each(|index| put(&db, index + round));
            }
        }
    }
    assert!(
        refused * stride as u64 > 500,
        "{refused} of {} capacities were too small",
        whole.used_bytes()
    );
}

/// After a failed sync of a manifest, old or new, nothing is deleted: whichever counts finds its files.
#[test]
fn nothing_is_deleted_after_a_failed_manifest() {
    let mut failures = 0;
    for at in 1..60 {
        let memory = MemoryStorage::new();
        let failing = Arc::new(FaultStorage::over_memory(&memory));
        let storage: Arc<dyn Storage> = failing.clone();
        let options = rolling(Maintenance::Manual).wal_sync(WalSync::None);
        let db = open(&storage, &options);
        failing.inject(Fault::SyncError, at, false);
        let mut model = Model::new();
        let mut index = 0_u64;
        while db.view().read_only.is_none() && index < 200 {
            let key = format!("key{:03}", index % 9).into_bytes();
            if db.put(&key, index.to_le_bytes()).is_ok() {
                model.insert(key, index.to_le_bytes().to_vec());
            }
            let before = storage.list().expect("lists");
            let _ = db.request_flush();
            while let Ok(StepOutcome::More | StepOutcome::Finished(_)) = db.step(Budget::Phase) {
                if db.view().read_only.is_some() {
                    break;
                }
            }
            if db.view().read_only.is_some_and(|why| why.error.contains("MANIFEST")) {
                failures += 1;
                let after = storage.list().expect("lists");
                let tables = before.iter().filter(|name| name.contains("MANIFEST"));
                let gone = tables.filter(|name| !after.contains(name)).count();
                assert!(gone <= 1, "operation {at}: {before:?} became {after:?}");
                assert_eq!(db.step(Budget::Phase).expect("idle"), StepOutcome::Idle);
                assert_eq!(contents(&db).expect("reads go on"), model);
            }
            index += 1;
        }
        drop(db);
        failing.heal();
        let db = open(&storage, &options);
        contents(&db).expect("reads");
        assert!(db.check().expect("checks").problems().is_empty(), "operation {at}");
    }
    assert!(failures > 3, "{failures} syncs of manifests failed");
}

/// Openings that fail between taking a number and using it never use it for another file.
#[test]
fn file_numbers_are_never_used_twice() {
    let memory = MemoryStorage::new();
    let failing = Arc::new(FaultStorage::over_memory(&memory));
    let storage: Arc<dyn Storage> = failing.clone();
    let mut newest = 0;
    for round in 0..10 {
        failing.inject(Fault::Io, 6 + round * 3, true);
        if let Ok(db) = open_watched(Arc::clone(&storage), rolling(Maintenance::Inline), None) {
            let _ = db.put(b"key", round.to_le_bytes());
            let _ = db.request_flush();
        }
        failing.heal();
        let before = storage.list().expect("lists");
        let largest = before.iter().filter_map(|name| FileName::parse(name)?.number()).max();
        assert!(largest.unwrap_or(0) >= newest, "round {round}: {before:?}");
        let db = open(&storage, &rolling(Maintenance::Inline));
        newest = db.view().manifest;
        assert!(newest > largest.unwrap_or(0), "round {round}: {newest} after {before:?}");
    }
}

/// A slot that is damaged after the manifest it named was used: the older one must not count again.
#[test]
fn a_damaged_slot_never_takes_the_database_back() {
    for rolls in 1..8 {
        let memory = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(memory.clone());
        let db = open(&storage, &rolling(Maintenance::Inline));
        let mut index = 0;
        let first = db.view().manifest;
        let mut seen = vec![first];
        while seen.len() <= rolls {
            put(&db, index);
            index += 1;
            let manifest = db.view().manifest;
            if seen.last() != Some(&manifest) {
                seen.push(manifest);
            }
        }
        // The next edit goes to the new manifest, and the replaced one is deleted.
        (0..40).for_each(|more| put(&db, index + more));
        let expected = contents(&db).expect("reads");
        drop(db);
        for slot in 0..2_u64 {
            let damaged = memory.fork();
            damaged.corrupt(FileName::Current, slot * 4096 + 20, 0x55).expect("inside");
            let storage: Arc<dyn Storage> = Arc::new(damaged);
            match open_watched(storage, rolling(Maintenance::Inline), None) {
                Ok(db) => assert_eq!(contents(&db).expect("reads"), expected, "slot {slot}"),
                Err(error) => assert_eq!(error.kind(), ErrorKind::Corruption, "{error}"),
            }
        }
    }
}

/// The number is known ahead, so that a host can have the file ready: then a roll never blocks on it.
#[test]
fn a_host_hears_of_the_next_manifest_ahead() {
    let host = Arc::new(BlockingStorage::new(Arc::new(MemoryStorage::new())));
    let storage: Arc<dyn Storage> = host.clone();
    let options = rolling(Maintenance::Manual);
    let db =
        host.host(|| open_watched(Arc::clone(&storage), options.clone(), None)).expect("opens");
    let mut sentences = Vec::new();
    for index in 0..60 {
        db.files_wanted_soon().into_iter().for_each(|name| host.admit(name));
        put(&db, index);
        if index % 3 == 0 {
            db.request_flush().expect("flushes");
        }
        while db.has_work() {
            sentences.extend(db.next_step());
            if let StepOutcome::Blocked(file) = db.step(Budget::Phase).expect("steps") {
                assert!(!matches!(file, FileName::Manifest(_)), "{file} was not announced");
                host.admit(file);
            }
            db.files_wanted_soon().into_iter().for_each(|name| host.admit(name));
        }
    }
    let rolls = sentences.iter().filter(|sentence| sentence.contains("new manifest"));
    assert!(rolls.count() > 3, "{sentences:#?}");
}
