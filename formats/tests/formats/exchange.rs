//! Exports as directories of `LevelDB`: no entry is lost on the way out, nor on the way in again.

use crate::common::open_watched;
use crate::directory::{Directory, Pairs, all, for_seeds, live, one, pairs};
use levelscope::limits::KEY_BYTES_MAX;
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, MemoryStorage, Random, Storage};
use levelscope::{
    Budget, Check, Db, Error, ErrorKind, Maintenance, NewDatabase, OpenPolicy, Options,
    RepairOptions, ScanOptions, StepOutcome, WriteBatch, repair,
};
use levelscope_foreign::{CountedFiles, MemoryFiles};
use levelscope_formats::TableStyle;
use levelscope_formats::exchange::{Export, ExportOptions};
use std::sync::Arc;

fn options() -> Options {
    Options::default().maintenance(Maintenance::Inline)
}

fn empty() -> Db {
    open_watched(Arc::new(MemoryStorage::new()), options(), None).unwrap()
}

/// Writes the live entries of `files` into `db`, but for keys that are too long.
fn import(db: &Db, files: &Directory) {
    for (key, value) in live(files).unwrap() {
        if key.len() <= KEY_BYTES_MAX {
            db.put(&key, &value).unwrap();
        }
    }
}

fn export(db: &Db, options: ExportOptions) -> Directory {
    let mut export = Export::new(db, options).unwrap();
    let mut files = Directory::new();
    let mut last = String::new();
    while let Some(file) = export.next_file().unwrap() {
        last.clone_from(&file.name);
        assert!(files.insert(file.name, file.bytes).is_none());
    }
    assert_eq!(last, "CURRENT", "without it nothing counts, so it comes last");
    let report = export.report();
    assert_eq!(report.bytes, files.values().map(|file| file.len() as u64).sum::<u64>());
    assert_eq!(report.tables as usize, files.len() - ["manifest", "log", "CURRENT"].len());
    assert!(export.next_file().unwrap().is_none());
    files
}

fn entries(db: &Db) -> Pairs {
    let mut iterator = db.iter(&ScanOptions::default()).unwrap();
    iterator.seek_to_first().unwrap();
    let mut found = Vec::new();
    while iterator.valid() {
        found.push((iterator.key().to_vec(), iterator.value().to_vec()));
        iterator.next().unwrap();
    }
    found
}

#[test]
fn what_the_library_wrote_goes_in_and_out_again() {
    let mut count = 0;
    for fixture in all() {
        let Some(mut expected) = fixture.json.get("entries").map(pairs) else { continue };
        expected.retain(|(key, _)| key.len() <= KEY_BYTES_MAX);
        let db = empty();
        import(&db, &fixture.files);
        assert_eq!(entries(&db), expected, "{}", fixture.name);
        let files = export(&db, ExportOptions::default());
        assert_eq!(live(&files).unwrap(), expected, "{}", fixture.name);
        count += 1;
    }
    assert!(count >= 17, "{count}");
}

fn random_db(random: &mut Random, keys: u64) -> Db {
    let db = empty();
    for _ in 0..keys {
        let mut key = vec![0; random.up_to(24)];
        random.fill(&mut key);
        let mut value = vec![0; random.up_to(200)];
        random.fill(&mut value);
        if random.below(5) == 0 { db.delete(&key) } else { db.put(&key, &value) }.unwrap();
        if random.below(400) == 0 {
            db.rotate().unwrap();
            while db.step(Budget::Job).unwrap() != StepOutcome::Idle {}
        }
    }
    db
}

#[test]
fn random_databases_go_out_and_in_again() {
    for_seeds("exchange", 12, |seed| {
        let mut random = Random::new(seed);
        let keys = random.below(3_000);
        let db = random_db(&mut random, keys);
        let options = ExportOptions {
            table_bytes: [1, 10_000, 2 << 20][random.below(3) as usize],
            style: TableStyle { snappy: random.below(2) == 0, ..TableStyle::default() },
        };
        let files = export(&db, options);
        assert_eq!(live(&files).unwrap(), entries(&db));
    });
}

#[test]
fn tables_lie_on_the_first_level_that_may_be_so_long() {
    let db = empty();
    let mut random = Random::new(7);
    for number in 0..1_500_u32 {
        let mut value = vec![0; 8_000];
        random.fill(&mut value);
        db.put(format!("{number:04}").as_bytes(), &value).unwrap();
    }
    let files = export(&db, ExportOptions::default());
    let memory = MemoryFiles::new(files);
    let counted = CountedFiles::new(&memory);
    let directory = levelscope_foreign::directory::Directory::open(&counted).unwrap();
    let levels = &directory.state().families[&0].levels;
    let tables = &levels[&2];
    assert!(levels.len() == 1 && tables.len() >= 5, "{levels:?}");
    assert!(tables.iter().all(|table| table.bytes < (2 << 20) + 20_000));
    assert_eq!(directory.last_sequence().unwrap(), 1_500);
    assert_eq!(directory.check_all(true), []);
    // An empty database has no tables, but opens.
    let files = export(&empty(), ExportOptions::default());
    assert_eq!((files.len(), live(&files).unwrap().len()), (3, 0));
}

#[test]
fn an_export_is_the_moment_at_which_it_began() {
    let db = empty();
    db.put(b"a", b"1").unwrap();
    let mut export = Export::new(&db, ExportOptions::default()).unwrap();
    db.put(b"b", b"2").unwrap();
    let mut files = Directory::new();
    while let Some(file) = export.next_file().unwrap() {
        files.insert(file.name, file.bytes);
    }
    assert_eq!(live(&files).unwrap(), [(b"a".to_vec(), b"1".to_vec())]);
    assert_eq!((export.report().entries, export.snapshot().sequence()), (1, 1));
}

#[test]
fn hosts_that_open_files_late_and_manual_maintenance_get_the_same() {
    let fixture = one("e_large_fragments");
    let expected = pairs(&fixture.json["entries"]);
    let late = BlockingStorage::new(Arc::new(MemoryStorage::new()));
    let options = Options::default().maintenance(Maintenance::Manual).memtable_bytes(64 << 10);
    let storage: Arc<dyn Storage> = Arc::new(late.clone());
    let db = late.host(|| open_watched(Arc::clone(&storage), options.clone(), None)).unwrap();
    for (key, value) in &expected {
        late.evict_all();
        while let Err(error) = late.host(|| db.put(key, value)) {
            assert_eq!(error.kind(), ErrorKind::Stalled, "{error}");
            late.host(|| db.step(Budget::Job)).unwrap();
        }
    }
    late.host(|| db.rotate()).unwrap();
    late.evict_all();
    let mut export = late.host(|| Export::new(&db, ExportOptions::default())).unwrap();
    let mut files = Directory::new();
    while let Some(file) = late.host(|| export.next_file()).unwrap() {
        files.insert(file.name, file.bytes);
        late.evict_all();
    }
    assert_eq!(live(&files).unwrap(), expected);
    assert!(late.refusals() > 3);
}

/// Writes `entries` into a new database on `storage`, as an import does.
fn import_new(storage: Arc<dyn Storage>, entries: &Pairs) -> Result<(), Error> {
    let new = NewDatabase::begin(storage, options())?;
    for some in entries.chunks(50) {
        let mut batch = WriteBatch::new();
        some.iter().try_for_each(|(key, value)| batch.put(key, value))?;
        new.db().write(&batch, None)?;
    }
    new.finish()
}

/// A half-made database used to open as a whole one.
#[test]
fn a_new_database_is_whole_or_refused_wherever_the_storage_fails() {
    let fixture = one("c_levels_snappy_bloom");
    let expected = pairs(&fixture.json["entries"]);
    let mut outcomes = [0, 0];
    for at in 1.. {
        let disk = MemoryStorage::new();
        let failing = FaultStorage::over_memory(&disk);
        failing.inject(Fault::Io, at, true);
        let imported = import_new(Arc::new(failing.clone()), &expected);
        let done = failing.injected() == 0;
        // What is left after the failure, and after the process and the machine died with it.
        for crash in [Crash::KeepAll, Crash::KeepSynced, Crash::Random(at)] {
            let storage: Arc<dyn Storage> = Arc::new(disk.crash_image(crash));
            match Db::builder()
                .options(options())
                .policy(OpenPolicy::EXISTING)
                .open_in(Arc::clone(&storage))
            {
                Ok(db) => {
                    assert_eq!(entries(&db), expected, "failure {at}, {crash:?}");
                    outcomes[0] += 1;
                }
                Err(error) => {
                    assert!(imported.is_err(), "failure {at}, {crash:?}: {error}");
                    let refused = [ErrorKind::NotFound, ErrorKind::Corruption];
                    assert!(refused.contains(&error.kind()), "failure {at}, {crash:?}: {error}");
                    if let Ok(check) = Check::new(storage) {
                        assert!(!check.run().is_ok_and(|it| it.is_sound()), "failure {at}");
                    }
                    outcomes[1] += 1;
                }
            }
        }
        if done {
            assert_eq!(imported, Ok(()));
            break;
        }
        assert!(at < 10_000, "the failure never comes");
    }
    assert!(outcomes[0] >= 3 && outcomes[1] > 30, "{outcomes:?}");
}

#[test]
fn an_abandoned_database_leaves_nothing() {
    let disk = MemoryStorage::new();
    let new = NewDatabase::begin(Arc::new(disk.clone()), options()).unwrap();
    new.db().put(b"half", b"made").unwrap();
    let image = disk.crash_image(Crash::KeepAll);
    let killed: Arc<dyn Storage> = Arc::new(image);
    for error in [
        open_watched(Arc::clone(&killed), options(), None).unwrap_err(),
        Db::builder().options(options()).read_only().open_in(Arc::clone(&killed)).unwrap_err(),
        Check::new(Arc::clone(&killed)).unwrap_err(),
        repair(killed, Arc::new(MemoryStorage::new()), &RepairOptions::default()).unwrap_err(),
    ] {
        assert!(error.to_string().contains("interrupted"), "{error}");
    }
    new.abandon().unwrap();
    assert_eq!(disk.list().unwrap(), Vec::<String>::new());
    disk.put("notes.txt", b"mine");
    let refused = NewDatabase::begin(Arc::new(disk), options()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
}
