//! `repair` saves the undamaged data, invents no entry, leaves the damaged files as they are, and makes a
//! sound database.

use crate::checking::{report_of, small, small_and_indexed};
use crate::common::*;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::testing::forge::{EditForge, LogForge, RecordFields, database, put_entry};
use levelscope::{Db, ErrorKind, Maintenance, Options, RepairOptions, RepairReport, repair};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Repairs `disk` into memory; the source must not change, the target must be sound.
fn repaired(
    disk: &MemoryStorage,
    options: &RepairOptions,
    context: &str,
) -> (RepairReport, Model, MemoryStorage) {
    let before = disk.hash();
    let target = MemoryStorage::new();
    let report = repair(Arc::new(disk.clone()), Arc::new(target.clone()), options)
        .unwrap_or_else(|error| panic!("{context}: {error}"));
    assert_eq!(disk.hash(), before, "{context}: the source was changed");
    assert!(report.check.is_sound(), "{context}: {:?}", report.check.findings);
    assert_eq!(report.check.warnings, 0, "{context}: {:?}", report.check.findings);
    let storage: Arc<dyn Storage> = Arc::new(target.clone());
    let db = open_watched(storage, Options::default(), None)
        .unwrap_or_else(|error| panic!("{context}: {error}"));
    let found = contents(&db).unwrap_or_else(|error| panic!("{context}: {error}"));
    assert_eq!(found.len() as u64, report.keys, "{context}");
    assert!(db.check().unwrap().is_sound(), "{context}");
    (report, found, target)
}

#[test]
fn undamaged_data_is_the_same_afterwards() {
    let mut technique = Technique::new("repair of sound databases", 40);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x4e9a);
        let options = small_options(&mut random);
        let disk = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let mut db = open(&storage, &options);
        let mut model = Model::new();
        for op in random_script(&mut random, 150) {
            if matches!(op, Op::Reopen) {
                drop(db);
                db = open(&storage, &options);
            } else {
                run(&db, &op).expect("the operation works");
                apply_to_model(&mut model, &op);
            }
        }
        drop(db);
        let target_options =
            RepairOptions::default().options(small_options(&mut random)).after_holes(false);
        let context = format!("seed {seed}");
        let (report, found, target) = repaired(&disk, &target_options, &context);
        assert!(report.is_complete(), "{context}: {:?}", report.losses);
        assert!(found == model, "{context}: another content");
        assert!(!(report.holes || report.deletes_may_be_undone || report.values_may_be_older()));
        // It goes on from there.
        let storage: Arc<dyn Storage> = Arc::new(target);
        let db = open(&storage, &target_options.options);
        for op in random_script(&mut random, 60) {
            if !matches!(op, Op::Reopen) {
                run(&db, &op).expect("the operation works");
                apply_to_model(&mut model, &op);
            }
        }
        assert_same(&db, &model, &context);
        technique.count(1);
    }
}

/// A database, every value that each key ever had, and every state that it went through.
struct Past {
    disk: MemoryStorage,
    ever: BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>>,
    states: Vec<Model>,
}

fn past(seed: u64) -> Past {
    let mut random = Random(seed ^ 0x9a57);
    let options = small_and_indexed();
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, &options);
    let (mut ever, mut states) = (BTreeMap::<_, BTreeSet<_>>::new(), vec![Model::new()]);
    let mut model = Model::new();
    for index in 0..110_u64 {
        let key = format!("key{:02}/{:02}", random.below(6), random.below(9)).into_bytes();
        if random.below(4) == 0 {
            db.delete(&key).unwrap();
            model.remove(&key);
        } else {
            let length = random.below(30) as usize;
            let value = [index.to_string().into_bytes(), random.bytes(length)].concat();
            db.put(&key, &value).unwrap();
            ever.entry(key.clone()).or_default().insert(value.clone());
            model.insert(key, value);
        }
        states.push(model.clone());
    }
    db.rotate().unwrap();
    drop(db);
    Past { disk, ever, states }
}

impl Past {
    fn last(&self) -> &Model {
        self.states.last().expect("there is one")
    }

    fn nothing_is_made_up(&self, found: &Model, context: &str) {
        for (key, value) in found {
            let known = self.ever.get(key).is_some_and(|values| values.contains(value));
            assert!(known, "{context}: {key:?} never had this value");
        }
    }

    /// Keys outside of every loss are as they were.
    fn good_keys_are_kept(&self, report: &RepairReport, found: &Model, context: &str) {
        let lost = |key: &[u8]| {
            report.losses.iter().any(|loss| {
                let above = loss.smallest.as_ref().is_none_or(|bound| bound.head.as_slice() <= key);
                let below = loss.largest.as_ref().is_none_or(|bound| key <= bound.head.as_slice());
                above && below
            })
        };
        let keys: BTreeSet<&Vec<u8>> = self.last().keys().chain(found.keys()).collect();
        for key in keys.into_iter().filter(|key| !lost(key)) {
            assert_eq!(found.get(key), self.last().get(key), "{context}: {key:?} is not lost");
        }
    }
}

fn files(disk: &MemoryStorage) -> Vec<FileName> {
    let listed = disk.list().unwrap();
    let names = listed.iter().filter_map(|name| FileName::parse(name));
    names.filter(|name| *name != FileName::Lock).collect()
}

#[test]
fn a_flipped_byte_costs_its_block_or_the_rest_of_its_log() {
    let mut technique = Technique::new("repair of flipped bytes", 1);
    while let Some(seed) = technique.next_seed() {
        let past = past(seed);
        let newest = files(&past.disk).into_iter().filter(|name| matches!(name, FileName::Wal(_)));
        let newest = newest.max();
        for name in files(&past.disk) {
            let length = past.disk.read(name).unwrap().len() as u64;
            let stride = if name == FileName::Current { 911 } else { 5 };
            for offset in (seed % stride..length).step_by(stride as usize) {
                let damaged = past.disk.fork();
                damaged.corrupt(name, offset, 1 << ((offset + seed) % 8)).unwrap();
                let context = format!("seed {seed}, {name} at {offset}");
                let (report, found, _) = repaired(&damaged, &RepairOptions::default(), &context);
                past.nothing_is_made_up(&found, &context);
                match name {
                    FileName::Table(_) => {
                        assert!(report.losses.len() <= 1, "{context}: {:?}", report.losses);
                        past.good_keys_are_kept(&report, &found, &context);
                    }
                    FileName::Wal(_) if Some(name) == newest => {
                        let is_past = past.states.contains(&found);
                        assert!(is_past, "{context}: not the beginning of what was written");
                    }
                    FileName::Manifest(_) | FileName::Current if report.manifest_read => {
                        assert!(found == *past.last(), "{context}: {report:?}");
                    }
                    FileName::Manifest(_) | FileName::Current => {
                        assert!(report.deletes_may_be_undone, "{context}");
                        for (key, value) in past.last() {
                            assert_eq!(found.get(key), Some(value), "{context}: {key:?}");
                        }
                    }
                    _ => {}
                }
                technique.count(1);
            }
        }
    }
}

#[test]
fn cut_and_missing_files_cost_no_more_than_they_held() {
    let past = past(3);
    for name in files(&past.disk) {
        let length = past.disk.read(name).unwrap().len() as u64;
        for cut in (0..length).step_by(37) {
            let damaged = past.disk.fork();
            damaged.truncate(name, cut).unwrap();
            let context = format!("{name} cut to {cut}");
            let (report, found, _) = repaired(&damaged, &RepairOptions::default(), &context);
            past.nothing_is_made_up(&found, &context);
            if matches!(name, FileName::Table(_)) {
                assert!(report.values_may_be_older() || found == *past.last(), "{context}");
                past.good_keys_are_kept(&report, &found, &context);
            }
        }
        let damaged = past.disk.fork();
        damaged.delete(name).unwrap();
        let (report, found, _) = repaired(&damaged, &RepairOptions::default(), &name.to_string());
        past.nothing_is_made_up(&found, &name.to_string());
        if matches!(name, FileName::Table(_)) {
            assert!(!report.is_complete(), "{name}");
            past.good_keys_are_kept(&report, &found, &name.to_string());
        }
    }
}

#[test]
fn many_kinds_of_damage_at_once() {
    let mut technique = Technique::new("repair of much damage", 150);
    while let Some(seed) = technique.next_seed() {
        let past = past(seed % 7);
        let mut random = Random(seed ^ 0xda3a);
        let damaged = past.disk.fork();
        for _ in 0..=random.below(12) {
            let files = files(&damaged);
            let name = files[random.below(files.len() as u64) as usize];
            let length = damaged.read(name).unwrap().len() as u64;
            match random.below(12) {
                0 => damaged.delete(name).unwrap(),
                1 => damaged.truncate(name, random.below(length + 1)).unwrap(),
                _ if length > 0 => damaged.corrupt(name, random.below(length), 16).unwrap(),
                _ => {}
            }
            if files.len() == 1 {
                break;
            }
        }
        let after_holes = random.below(2) == 0;
        let options =
            RepairOptions::default().options(small_and_indexed()).after_holes(after_holes);
        if files(&damaged).is_empty() {
            continue;
        }
        let context = format!("seed {seed}");
        let (_, found, _) = repaired(&damaged, &options, &context);
        past.nothing_is_made_up(&found, &context);
        technique.count(1);
    }
}

#[test]
fn a_hole_in_a_log_is_reported_and_later_records_are_taken_on_request() {
    let mut log = LogForge::wal(3);
    for number in 1..=6_u64 {
        let key = format!("key{number}").into_bytes();
        let synced_bytes = if number > 1 { 24 } else { 0 };
        let fields = RecordFields { synced_bytes, ..RecordFields::batch(number, 1) };
        log = log.record(fields, &put_entry(&key, b"value"));
    }
    let disk = database(vec![EditForge::snapshot(3, 9, 0)], &[(FileName::Wal(3), log.finish())]);
    let (report, found, _) = repaired(&disk, &RepairOptions::default(), "sound");
    assert!(report.is_complete() && found.len() == 6, "{report:?}");
    disk.corrupt(FileName::Wal(3), 24 + 2 * 44 + 40, 1).unwrap();
    let keys = |found: &Model| found.keys().map(|key| key[3]).collect::<Vec<u8>>();
    let (report, found, _) = repaired(&disk, &RepairOptions::default(), "prefix");
    assert_eq!(keys(&found), b"12");
    assert!(!report.holes && report.losses.len() <= 1, "{report:?}");
    let all = RepairOptions::default().after_holes(true);
    let (report, found, _) = repaired(&disk, &all, "all");
    assert_eq!(keys(&found), b"12456");
    assert!(report.holes && report.deletes_may_be_undone, "{report:?}");
    let loss = &report.losses[0];
    assert_eq!((loss.file.as_str(), loss.offset), ("000003.wal", 24 + 2 * 44), "{loss}");
}

#[test]
fn without_a_manifest_everything_is_taken_and_deletes_are_in_doubt() {
    let past = past(1);
    let damaged = past.disk.fork();
    damaged.delete(FileName::Current).unwrap();
    for name in files(&damaged) {
        if matches!(name, FileName::Manifest(_)) {
            damaged.delete(name).unwrap();
        }
    }
    let (report, found, _) = repaired(&damaged, &RepairOptions::default(), "no manifest");
    assert!(!report.manifest_read && report.deletes_may_be_undone && !report.is_complete());
    past.nothing_is_made_up(&found, "no manifest");
    for (key, value) in past.last() {
        assert_eq!(found.get(key), Some(value), "{key:?}");
    }
}

#[test]
fn whose_database_it_is_and_where_it_goes() {
    let disk = small(&small_and_indexed());
    assert!(report_of(&disk).is_sound());
    let source: Arc<dyn Storage> = Arc::new(disk.clone());
    let options = RepairOptions::default();
    let filled: Arc<dyn Storage> = Arc::new(disk.fork());
    let error = repair(Arc::clone(&source), filled, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let empty = || Arc::new(MemoryStorage::new()) as Arc<dyn Storage>;
    assert_eq!(repair(empty(), empty(), &options).unwrap_err().kind(), ErrorKind::NotFound);
    let db: Db = open(&source, &small_and_indexed().maintenance(Maintenance::Manual));
    let error = repair(Arc::clone(&source), empty(), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked);
    drop(db);
    repair(source, empty(), &options).expect("no program has it open now");
}

/// A database with tables in several levels, a log, and all that it has; no file of it is spare.
fn grown() -> (MemoryStorage, Model) {
    let (disk, mut model) = (MemoryStorage::new(), Model::new());
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    for session in 0..3_u64 {
        let db = open(&storage, &small_and_indexed());
        for index in 0..100_u64 {
            let key = format!("key{:03}", index + 40 * session).into_bytes();
            let value = format!("value {session}/{index}").into_bytes();
            db.put(&key, &value).expect("puts");
            model.insert(key, value);
        }
    }
    (disk, model)
}

/// The last edits of a manifest are cut off, within an edit or between two of them: repair used to ignore the tables
/// that they added, and to report those that they had removed as lost.
#[test]
fn tables_that_a_cut_manifest_does_not_name_are_taken() {
    let (disk, model) = grown();
    let manifests = files(&disk).into_iter().filter(|name| matches!(name, FileName::Manifest(_)));
    let name = manifests.max().expect("there is one");
    let length = disk.read(name).expect("reads").len() as u64;
    let mut doubted = 0;
    for cut in 0..length {
        let damaged = disk.fork();
        damaged.truncate(name, cut).expect("cuts");
        let context = format!("{name} cut to {cut} of {length}");
        let (report, found, _) = repaired(&damaged, &RepairOptions::default(), &context);
        for (key, value) in &model {
            assert_eq!(found.get(key), Some(value), "{context}: {key:?}; {report:?}");
        }
        assert!(report.losses.is_empty(), "{context}: {:?}", report.losses);
        if let Some(doubt) = &report.manifest_doubt {
            assert!(!report.manifest_read && !report.is_complete(), "{context}");
            assert!(report.deletes_may_be_undone && !doubt.is_empty(), "{context}");
            doubted += 1;
        } else if report.manifest_read {
            assert!(found == model && cut < length, "{context}");
        }
    }
    assert!(doubted > 20, "{doubted} of {length}");
}

/// Older spare tables do not stand for a table that is lost.
#[test]
fn a_table_that_only_older_ones_could_replace_is_reported_as_lost() {
    let (disk, _) = grown();
    let tables: Vec<FileName> =
        files(&disk).into_iter().filter(|name| matches!(name, FileName::Table(_))).collect();
    for name in tables {
        let damaged = disk.fork();
        damaged.delete(name).expect("deletes");
        let context = format!("without {name}");
        let (report, _, _) = repaired(&damaged, &RepairOptions::default(), &context);
        assert_eq!(report.losses.len(), 1, "{context}: {report:?}");
        assert_eq!(report.losses[0].file, name.to_string(), "{context}");
        assert!(report.manifest_read && !report.is_complete(), "{context}");
    }
}

#[test]
fn without_a_manifest_a_log_that_others_continue_is_reported_as_lost() {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let options = Options::default()
        .memtable_bytes(256)
        .immutable_count_max(64)
        .maintenance(Maintenance::Manual);
    let db = open(&storage, &options);
    for index in 0..20_u8 {
        db.put([index], [index; 40]).expect("puts");
    }
    drop(db);
    for name in files(&disk) {
        if matches!(name, FileName::Manifest(_) | FileName::Current) {
            disk.delete(name).expect("deletes");
        }
    }
    let (report, found, _) = repaired(&disk, &RepairOptions::default(), "no manifest");
    assert!(report.losses.is_empty() && found.len() == 20, "{report:?}");
    assert!(!report.is_complete());
    let logs = files(&disk);
    assert!(logs.len() > 3, "{logs:?}");
    for name in &logs[..logs.len() - 1] {
        let damaged = disk.fork();
        damaged.delete(*name).expect("deletes");
        let context = format!("without {name}");
        let (report, _, _) = repaired(&damaged, &RepairOptions::default(), &context);
        assert_eq!(report.losses.len(), 1, "{context}: {:?}", report.losses);
        let loss = &report.losses[0];
        assert!(loss.what.contains("sequence number"), "{context}: {loss}");
        assert!(report.holes && !report.is_complete(), "{context}");
    }
}
