//! Files carry the identity of their database: those of another database are refused, reported and set aside, and older
//! files without an identity stay readable.

use crate::checking::report_of;
use crate::common::*;
use levelscope::storage::{Crash, FileName, MemoryStorage, Storage};
use levelscope::testing::crash::{after_each_operation, images};
use levelscope::{Db, Error, Identity, Maintenance, Options, RepairOptions, RepairReport, repair};
use std::sync::{Arc, Mutex};

const OURS: Identity = Identity::from_bytes(*b"this is our data");
const THEIRS: Identity = Identity::from_bytes(*b"another database");

pub(crate) fn options() -> Options {
    Options::default()
        .memtable_bytes(1024)
        .block_bytes(256)
        .table_bytes(1024)
        .l0_trigger(2)
        .level_base_bytes(16 << 10)
        .maintenance(Maintenance::Inline)
}

pub(crate) fn storage(disk: &MemoryStorage) -> Arc<dyn Storage> {
    Arc::new(disk.clone())
}

/// A database with several tables and a log, which was killed; the same commands, with `word` in every value.
fn killed(identity: Identity, word: &str) -> (MemoryStorage, Model) {
    let disk = MemoryStorage::with_identity(identity);
    let db = open(&storage(&disk), &options());
    let mut model = Model::new();
    for index in 0..120_u32 {
        let (key, value) = (format!("key{index:03}"), format!("{word} {index:03} {word}"));
        db.put(key.as_bytes(), value.as_bytes()).unwrap();
        model.insert(key.into_bytes(), value.into_bytes());
    }
    let image = disk.crash_image(Crash::KeepAll);
    drop(db);
    (image, model)
}

fn names(disk: &MemoryStorage, wanted: fn(&FileName) -> bool) -> Vec<FileName> {
    let listed = disk.list().unwrap();
    listed.iter().filter_map(|name| FileName::parse(name)).filter(wanted).collect()
}

fn tables(disk: &MemoryStorage) -> Vec<FileName> {
    names(disk, |name| matches!(name, FileName::Table(_)))
}

fn newest_log(disk: &MemoryStorage) -> FileName {
    names(disk, |name| matches!(name, FileName::Wal(_))).into_iter().max().unwrap()
}

fn put(disk: &MemoryStorage, name: FileName, bytes: &[u8]) {
    if disk.read(name).is_ok() {
        disk.delete(name).unwrap();
    }
    disk.put(&name.to_string(), bytes);
}

fn all_of(db: &Db) -> Result<Model, Error> {
    contents(db)
}

fn is_foreign(error: &Error, name: FileName) {
    assert_eq!(error.file(), Some(name), "{error}");
    assert!(error.to_string().contains("belongs to another database"), "{error}");
}

fn assert_reported(disk: &MemoryStorage, name: FileName, what: &str) {
    let report = report_of(disk);
    let reported = report
        .problems()
        .into_iter()
        .any(|problem| problem.starts_with(&name.to_string()) && problem.contains(what));
    assert!(reported, "{name}, {what}: {:?}", report.findings);
}

fn repaired(disk: &MemoryStorage) -> (RepairReport, Model) {
    let before = disk.hash();
    let target = MemoryStorage::with_identity(Identity::from_bytes([9; 16]));
    let report = repair(storage(disk), storage(&target), &RepairOptions::default()).unwrap();
    assert_eq!(disk.hash(), before, "the source was changed");
    assert!(report.check.is_sound(), "{:?}", report.check.findings);
    let db = open(&storage(&target), &options());
    let found = contents(&db).unwrap();
    assert_eq!(found.len() as u64, report.keys);
    (report, found)
}

/// No entry is invented, and each key that is gone or older lies within a reported loss.
fn nothing_is_made_up(found: &Model, model: &Model, report: &RepairReport) {
    for (key, value) in found {
        assert_eq!(model.get(key), Some(value), "{key:?} never had this value");
    }
    assert_eq!(found.len() < model.len(), !report.losses.is_empty(), "{:?}", report.losses);
}

#[test]
fn the_log_of_another_database_is_refused_reported_and_not_saved() {
    let (disk, model) = killed(OURS, "ours");
    let (other, _) = killed(THEIRS, "them");
    let log = newest_log(&disk);
    assert_eq!(log, newest_log(&other), "the same commands make the same names");
    put(&disk, log, &other.read(log).unwrap());
    let before = disk.hash();
    is_foreign(&try_open(&storage(&disk), &options()).unwrap_err(), log);
    assert_eq!(disk.hash(), before, "opening destroys no evidence");
    is_foreign(
        &Db::builder().options(options()).read_only().open_in(storage(&disk)).unwrap_err(),
        log,
    );
    assert_reported(&disk, log, "belongs to another database");
    let (report, found) = repaired(&disk);
    nothing_is_made_up(&found, &model, &report);
    assert!(report.losses.iter().any(|loss| loss.file == log.to_string()), "{:?}", report.losses);
    assert!(report.notes.iter().any(|note| note.contains("was set aside")), "{:?}", report.notes);
}

#[test]
fn every_table_of_another_database_is_refused_reported_and_not_saved() {
    let (disk, model) = killed(OURS, "ours");
    let (other, _) = killed(THEIRS, "them");
    assert!(tables(&disk).len() > 3 && tables(&disk) == tables(&other));
    for table in tables(&disk) {
        let mixed = disk.fork();
        put(&mixed, table, &other.read(table).unwrap());
        assert_reported(&mixed, table, "belongs to another database");
        let (report, found) = repaired(&mixed);
        nothing_is_made_up(&found, &model, &report);
        let lost: Vec<&str> = report.losses.iter().map(|loss| loss.file.as_str()).collect();
        assert_eq!(lost, [table.to_string()], "{:?}", report.losses);
        let db = Db::builder().options(options()).read_only().open_in(storage(&mixed)).unwrap();
        is_foreign(&all_of(&db).unwrap_err(), table);
    }
}

#[test]
fn any_two_tables_that_were_exchanged_are_reported_and_repaired() {
    let (disk, model) = killed(OURS, "ours");
    let tables = tables(&disk);
    for (index, left) in tables.iter().enumerate() {
        for right in &tables[index + 1..] {
            let mixed = disk.fork();
            put(&mixed, *left, &disk.read(*right).unwrap());
            put(&mixed, *right, &disk.read(*left).unwrap());
            let report = report_of(&mixed);
            assert!(report.errors >= 2, "{left}, {right}: {:?}", report.findings);
            let (report, found) = repaired(&mixed);
            assert!(report.is_complete(), "{left}, {right}: {:?}", report.losses);
            assert!(found == model, "{left}, {right}: another content");
            assert_eq!(report.notes.len(), 2, "{:?}", report.notes);

            // One of them twice, so that the other one is lost.
            let twice = disk.fork();
            put(&twice, *left, &disk.read(*right).unwrap());
            let (report, found) = repaired(&twice);
            nothing_is_made_up(&found, &model, &report);
            let lost: Vec<&str> = report.losses.iter().map(|loss| loss.file.as_str()).collect();
            assert_eq!(lost, [left.to_string()], "{:?}", report.losses);
        }
    }
}

#[test]
fn a_spare_file_of_another_database_is_not_deleted() {
    let (disk, model) = killed(OURS, "ours");
    let (other, _) = killed(THEIRS, "them");
    for (source, spare) in [
        (tables(&other)[0], FileName::Table(900)),
        (names(&other, |name| matches!(name, FileName::Manifest(_)))[0], FileName::Manifest(901)),
    ] {
        let mixed = disk.fork();
        put(&mixed, spare, &other.read(source).unwrap());
        let before = mixed.hash();
        is_foreign(&try_open(&storage(&mixed), &options()).unwrap_err(), spare);
        assert_eq!(mixed.hash(), before);
        assert_reported(&mixed, spare, "belongs to another database");
        let (report, found) = repaired(&mixed);
        assert!(report.is_complete() && found == model, "{spare}: {:?}", report.losses);
        mixed.delete(spare).unwrap();
        assert_same(&open(&storage(&mixed), &options()), &model, "moved away");
    }
}

#[test]
fn current_and_manifest_of_another_database_are_refused_and_the_data_is_saved() {
    let (disk, model) = killed(OURS, "ours");
    let (other, _) = killed(THEIRS, "them");
    let manifest = names(&disk, |name| matches!(name, FileName::Manifest(_))).pop().unwrap();
    for name in [FileName::Current, manifest] {
        let mixed = disk.fork();
        put(&mixed, name, &other.read(name).unwrap());
        let error = try_open(&storage(&mixed), &options()).unwrap_err();
        is_foreign(&error, manifest);
        assert!(!report_of(&mixed).is_sound());
        let (report, found) = repaired(&mixed);
        assert!(!report.is_complete() && found == model, "{name}: {:?}", report.losses);
    }
    // One slot of the other database.
    let mixed = disk.fork();
    let mut current = disk.read(FileName::Current).unwrap();
    let theirs = other.read(FileName::Current).unwrap();
    let db = open(&storage(&disk), &options());
    drop(db);
    current[..4096].copy_from_slice(&disk.read(FileName::Current).unwrap()[..4096]);
    current[4096..].copy_from_slice(&theirs[4096..]);
    put(&mixed, FileName::Current, &current);
    let error = try_open(&storage(&mixed), &options()).unwrap_err();
    assert!(error.to_string().contains("different databases"), "{error}");
    assert_reported(&mixed, FileName::Current, "different databases");
}

/// Space that is used again may hold bytes of another database: number, place and sequence fit.
#[test]
fn records_of_another_database_behind_our_own_are_not_ours() {
    let made = |identity| {
        let disk = MemoryStorage::with_identity(identity);
        let db = open(&storage(&disk), &Options::default());
        (0..9_u8).for_each(|index| db.put(b"key", [index; 30]).unwrap());
        let image = disk.crash_image(Crash::KeepAll);
        drop(db);
        image
    };
    let (disk, other) = (made(OURS), made(THEIRS));
    let log = newest_log(&disk);
    let (ours, theirs) = (disk.read(log).unwrap(), other.read(log).unwrap());
    assert_eq!(ours.len(), theirs.len());
    // The last record of ours was lost.
    let cut = ours.len() - (32 + 1 + 1 + 1 + 3 + 30);
    put(&disk, log, &[&ours[..cut], &theirs[cut..]].concat());
    let db = open(&storage(&disk), &Options::default());
    assert_eq!(db.get(b"key").unwrap().unwrap(), [7; 30]);
}

/// The database that the program wrote before files had identities: two tables, two logs, killed.
#[expect(clippy::disallowed_methods, reason = "the files were written by an older program")]
pub(crate) fn older() -> (MemoryStorage, Model) {
    let disk = MemoryStorage::with_identity(OURS);
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/databases");
    for entry in std::fs::read_dir(format!("{directory}/without-identity")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        disk.put(&name, &std::fs::read(path).unwrap());
    }
    let text = std::fs::read_to_string(format!("{directory}/without-identity.txt")).unwrap();
    let pair = |line: &str| {
        let (key, value) = line.split_once(' ').unwrap();
        (key.as_bytes().to_vec(), value.as_bytes().to_vec())
    };
    (disk, text.lines().map(pair).collect())
}

/// How many of the logs, tables and manifests carry our identity, and how many there are.
fn identified(disk: &MemoryStorage) -> (usize, usize) {
    let all = names(disk, |name| {
        matches!(name, FileName::Wal(_) | FileName::Table(_) | FileName::Manifest(_))
    });
    let carries = |name: &&FileName| {
        disk.read(**name).unwrap().windows(16).any(|bytes| bytes == OURS.bytes())
    };
    (all.iter().filter(carries).count(), all.len())
}

#[test]
fn an_older_database_without_identity_is_read_checked_and_repaired() {
    let (disk, model) = older();
    assert_eq!(identified(&disk).0, 0);
    let report = report_of(&disk);
    assert_eq!((report.errors, report.warnings), (0, 0), "{:?}", report.findings);
    let before = disk.hash();
    let reader = Db::builder().options(options()).read_only().open_in(storage(&disk)).unwrap();
    assert_same(&reader, &model, "read only");
    drop(reader);
    assert_eq!(disk.hash(), before);
    let (report, found) = repaired(&disk);
    assert!(report.is_complete() && report.notes.is_empty(), "{:?}", report.losses);
    assert!(found == model);
}

#[test]
fn an_older_database_gets_an_identity_and_its_files_one_after_the_other() {
    let (disk, mut model) = older();
    let manual = options().maintenance(Maintenance::Manual);
    let db = open(&storage(&disk), &manual);
    assert_same(&db, &model, "opened");
    assert!(db.check().unwrap().is_sound());
    let (ours, all) = identified(&disk);
    assert!(ours >= 2 && all - ours >= 4, "the new manifest and log of {all} files: {ours}");
    drop(db);
    let report = report_of(&disk);
    assert_eq!((report.errors, report.warnings), (0, 0), "{:?}", report.findings);
    let (report, found) = repaired(&disk);
    assert!(report.is_complete() && found == model, "{:?}", report.losses);

    // An older table may not take the place of a new one.
    let db = open(&storage(&disk), &options());
    (0..40_u8).for_each(|index| {
        db.put([index], [index; 60]).unwrap();
        model.insert(vec![index], vec![index; 60]);
    });
    db.request_flush().unwrap();
    db.request_compaction(None).unwrap();
    drop(db);
    let (ours, all) = identified(&disk);
    assert!(all - ours <= 1, "all but the manifest before, of {all}: {ours}");
    assert_same(&open(&storage(&disk), &options()), &model, "opened again");
    let table = tables(&disk)[0];
    put(&disk, table, &older().0.read(FileName::Table(10)).unwrap());
    assert!(!report_of(&disk).is_sound());
}

#[test]
fn a_crash_at_any_moment_of_getting_an_identity_leaves_a_database_that_opens() {
    let (disk, model) = older();
    let frames: Arc<Mutex<Vec<MemoryStorage>>> = Arc::default();
    let taken = Arc::clone(&frames);
    let watched = after_each_operation(&disk, move |_, _, disk| {
        taken.lock().unwrap().push(disk.fork());
    });
    drop(open(&watched, &options()));
    let frames = std::mem::take(&mut *frames.lock().unwrap());
    let mut technique = Technique::new("crashes of getting an identity", 6);
    while let Some(seed) = technique.next_seed() {
        for (point, frame) in frames.iter().enumerate() {
            for (crash, image) in images(frame, seed, 4) {
                let context = format!("seed {seed}, operation {point}, {crash:?}");
                let report = report_of(&image);
                assert_eq!(report.problems(), Vec::<String>::new(), "{context}");
                assert_same(&open(&storage(&image), &options()), &model, &context);
                technique.count(1);
            }
        }
    }
}

/// A name that fits is no licence to delete: of files that nothing needs, only those go that are ours.
#[test]
fn spare_files_of_others_are_refused_and_unknown_ones_stay() {
    let (disk, model) = killed(OURS, "ours");
    let rocksdb = [&[7; 100][..], &0x88e2_41b7_85f4_cff7_u64.to_le_bytes()].concat();
    let with = |name: &str, bytes: &[u8]| {
        let mixed = disk.fork();
        mixed.put(name, bytes);
        mixed
    };
    let mixed = with("000999.sst", &rocksdb);
    let before = mixed.hash();
    let error = open_watched(storage(&mixed), options(), None).unwrap_err();
    assert!(error.to_string().contains("a file of RocksDB"), "{error}");
    assert_eq!(mixed.hash(), before);
    assert_reported(&mixed, FileName::Table(999), "a file of RocksDB");

    for name in ["000999.sst", "MANIFEST-000999"] {
        let mixed = with(name, b"root:x:0:0:root:/root:/bin/bash\n");
        let report = report_of(&mixed);
        assert_eq!(report.problems(), Vec::<String>::new());
        assert!(
            report.findings.iter().any(|found| found.what.contains("left alone")),
            "{report:?}"
        );
        for _ in 0..2 {
            let db = open(&storage(&mixed), &options());
            assert_eq!(contents(&db).unwrap(), model);
        }
        assert!(mixed.read(FileName::parse(name).unwrap()).unwrap().starts_with(b"root"), "{name}");
    }

    // A table that a crash cut off is ours, and is deleted.
    let whole = disk.read(tables(&disk)[0]).unwrap();
    let mixed = with("000999.sst", &whole[..whole.len() - 20]);
    drop(open(&storage(&mixed), &options()));
    assert!(mixed.read(FileName::Table(999)).is_err());
}
