//! Import and export of `LevelDB` directories: no entry is lost either way.

use crate::common::open_watched;
use crate::fixture::format;
use crate::leveldb::fixture::{Directory, all, for_seeds, one, pairs};
use levelscope::inspect::Scope;
use levelscope::limits::KEY_BYTES_MAX;
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, FileName, MemoryStorage, Random, Storage};
use levelscope::testing::covers::assert_covers;
use levelscope::{
    Budget, Check, Db, Error, ErrorKind, Maintenance, NewDatabase, OpenPolicy, Options,
    RepairOptions, ScanOptions, StepOutcome, repair,
};
use levelscope_formats::exchange::{Export, ExportOptions, Import, ImportReport};
use levelscope_formats::leveldb::{Damage, Database, TableStyle};
use levelscope_formats::recognize;
use std::sync::Arc;

type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

fn options() -> Options {
    Options::default().maintenance(Maintenance::Inline)
}

fn empty() -> Db {
    open_watched(Arc::new(MemoryStorage::new()), options(), None).unwrap()
}

fn import(db: &Db, files: &Directory, damage: Damage) -> Result<ImportReport, Error> {
    let mut import = Import::new(db, files, damage)?;
    while import.step()? {}
    Ok(import.report())
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

fn live(files: &Directory) -> Pairs {
    let live = Database::open(files, Damage::Refuse).unwrap().entries().unwrap();
    let pair = |entry: levelscope_formats::Entry<'_>| {
        (entry.key.to_vec(), entry.value.unwrap().into_owned())
    };
    live.map(|entry| pair(entry.unwrap())).collect()
}

#[test]
fn what_the_original_wrote_goes_in_and_out_again() {
    let mut count = 0;
    for fixture in all() {
        let Some(mut expected) = fixture.json.get("entries").map(pairs) else { continue };
        let all = expected.len();
        expected.retain(|(key, _)| key.len() <= KEY_BYTES_MAX);
        let db = empty();
        let mut report = import(&db, &fixture.files, Damage::Skip).unwrap();
        assert_eq!(report.skipped.len(), all - expected.len(), "keys that are too long are told");
        if report.skipped.is_empty() {
            report = import(&empty(), &fixture.files, Damage::Refuse).unwrap();
        }
        assert_eq!(report.entries, expected.len() as u64, "{}", fixture.name);
        let bytes: usize = expected.iter().map(|(key, value)| key.len() + value.len()).sum();
        assert_eq!(report.bytes, bytes as u64);
        assert_eq!(entries(&db), expected, "{}", fixture.name);
        let files = export(&db, ExportOptions::default());
        assert_eq!(live(&files), expected, "{}", fixture.name);
        let again = empty();
        import(&again, &files, Damage::Refuse).unwrap();
        assert_eq!(entries(&again), expected, "{}", fixture.name);
        count += 1;
    }
    assert!(count >= 17, "{count}");
}

#[test]
fn every_file_handed_out_is_recognized_and_named() {
    let db = empty();
    import(&db, &one("d_plain_nobloom").files, Damage::Refuse).unwrap();
    let files = export(&db, ExportOptions::default());
    // The log is empty: nothing in it shows whose it is.
    for (name, file) in files.into_iter().filter(|(_, file)| !file.is_empty()) {
        let format = recognize(&name, &file)[0].format;
        assert!(format.info().id.starts_with("leveldb-"), "{name}");
        assert_covers(&format.annotate(&name, &file, Scope::ALL), &file);
    }
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
        assert_eq!(live(&files), entries(&db));
        let table = format("leveldb-table");
        for (name, file) in files.iter().filter(|(name, _)| name.contains(".ldb")) {
            assert!(table.scan(file).all(|entry| entry.is_ok()), "{name}");
        }
        let again = empty();
        import(&again, &files, Damage::Refuse).unwrap();
        assert_eq!(entries(&again), entries(&db));
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
    let database = Database::open(&files, Damage::Refuse).unwrap();
    let tables = database.tables();
    assert!(tables.len() >= 5 && tables.iter().all(|table| table.level == 2), "{tables:?}");
    assert!(tables.iter().all(|table| table.known.as_ref().unwrap().bytes < (2 << 20) + 20_000));
    assert_eq!(database.last_sequence(), Some(1_500));
    // An empty database has no tables, but opens.
    let files = export(&empty(), ExportOptions::default());
    assert_eq!((files.len(), live(&files).len()), (3, 0));
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
    assert_eq!(live(&files), [(b"a".to_vec(), b"1".to_vec())]);
    assert_eq!((export.report().entries, export.snapshot().sequence()), (1, 1));
}

#[test]
fn damage_stops_an_import_unless_it_is_to_be_skipped() {
    let fixture = one("g_corrupt_block");
    let db = empty();
    let error = import(&db, &fixture.files, Damage::Refuse).unwrap_err();
    assert_eq!((error.kind(), error.foreign_file()), (ErrorKind::Corruption, Some("000005.ldb")));
    let db = empty();
    let report = import(&db, &fixture.files, Damage::Skip).unwrap();
    assert_eq!((report.entries, report.skipped.len()), (358, 1));
    assert!(report.skipped[0].starts_with("000005.ldb is damaged at offset 25,282"), "{report:?}");
    let nothing = Directory::from([("readme.txt".to_owned(), vec![1])]);
    for damage in [Damage::Refuse, Damage::Skip] {
        let error = import(&empty(), &nothing, damage).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    }
}

#[test]
fn hosts_that_open_files_late_and_manual_maintenance_get_the_same() {
    let fixture = one("e_large_fragments");
    let expected = pairs(&fixture.json["entries"]);
    let late = BlockingStorage::new(Arc::new(MemoryStorage::new()));
    let options = Options::default().maintenance(Maintenance::Manual).memtable_bytes(64 << 10);
    let storage: Arc<dyn Storage> = Arc::new(late.clone());
    let db = late.host(|| open_watched(Arc::clone(&storage), options.clone(), None)).unwrap();
    let mut import = Import::new(&db, &fixture.files, Damage::Refuse).unwrap();
    loop {
        late.evict_all();
        match late.host(|| import.step()) {
            Ok(false) => break,
            Ok(true) => {}
            Err(error) if error.kind() == ErrorKind::Stalled => {
                late.host(|| db.step(Budget::Job)).unwrap();
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(import.report().entries, expected.len() as u64);
    late.host(|| db.rotate()).unwrap();
    late.evict_all();
    let mut export = late.host(|| Export::new(&db, ExportOptions::default())).unwrap();
    let mut files = Directory::new();
    while let Some(file) = late.host(|| export.next_file()).unwrap() {
        files.insert(file.name, file.bytes);
        late.evict_all();
    }
    assert_eq!(live(&files), expected);
    assert!(late.refusals() > 3);
}

/// Reads a whole import into a new database on `storage`.
fn import_new(storage: Arc<dyn Storage>, files: &Directory) -> Result<(), Error> {
    let new = NewDatabase::begin(storage, options())?;
    let mut import = Import::new(new.db(), files, Damage::Refuse)?;
    while import.step()? {}
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
        let imported = import_new(Arc::new(failing.clone()), &fixture.files);
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

#[test]
fn an_import_says_what_a_directory_is_instead() {
    let own = {
        let disk = MemoryStorage::new();
        open_watched(Arc::new(disk.clone()), options(), None).unwrap().put(b"a", b"1").unwrap();
        let read = |name: String| Some((name.clone(), disk.read(FileName::parse(&name)?).ok()?));
        disk.list().unwrap().into_iter().filter_map(read).collect()
    };
    let file = |name: &str, bytes: &[u8]| (name.to_owned(), bytes.to_vec());
    let kvdb = crate::fixture::file("kvdb/basic.db");
    for (files, says) in [
        (own, "a database of Levelscope"),
        (
            Directory::from([file("CURRENT", b"MANIFEST-000005\n"), file("IDENTITY", b"")]),
            "RocksDB",
        ),
        (Directory::from([file("marker.manifest.000001.MANIFEST-000001", b"")]), "Pebble"),
        (Directory::from([file("0_0.sst", b"x")]), "FroopyDB"),
        (
            Directory::from([file("basic.db", &kvdb)]),
            "basic.db is a log that is the whole database (kvdb-log)",
        ),
    ] {
        for damage in [Damage::Refuse, Damage::Skip] {
            let error = import(&empty(), &files, damage).unwrap_err();
            assert!(error.to_string().contains(says), "{says}: {error}");
        }
    }
}

/// An unreadable table used to count, and rubbish to make an empty database.
#[test]
fn only_files_that_gave_an_entry_are_sources() {
    let report = import(&empty(), &one("g_bad_magic").files, Damage::Skip).unwrap();
    assert_eq!((report.entries, report.tables, report.logs), (82, 0, 1), "{report:?}");
    let report = import(&empty(), &one("c_levels_snappy_bloom").files, Damage::Refuse).unwrap();
    assert!(report.tables > 1, "{report:?}");
    let nothing = import(&empty(), &one("a_empty").files, Damage::Skip).unwrap();
    assert_eq!((nothing.entries, nothing.tables, nothing.logs), (0, 0, 0));
}

#[test]
fn an_import_of_which_nothing_can_be_read_fails() {
    let picture = [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &[0x5a; 900]].concat();
    let rubbish = Directory::from([
        ("000003.log".to_owned(), picture.clone()),
        ("000005.ldb".to_owned(), picture.clone()),
        ("000007.ldb".to_owned(), Vec::new()),
        ("MANIFEST-000002".to_owned(), picture),
        ("CURRENT".to_owned(), b"a text\n".to_vec()),
    ]);
    let error = import(&empty(), &rubbish, Damage::Skip).unwrap_err();
    assert!(error.to_string().contains("no entry of this directory can be read"), "{error}");
    assert!(
        error.to_string().contains("CURRENT") && error.to_string().contains(" more"),
        "{error}"
    );
}

#[test]
fn what_skipped_damage_may_bring_back_is_told() {
    let fixture = one("g_corrupt_block");
    assert!(import(&empty(), &fixture.files, Damage::Skip).unwrap().values_may_be_older);
    let sound = one("c_levels_snappy_bloom");
    assert!(!import(&empty(), &sound.files, Damage::Skip).unwrap().values_may_be_older);
}

#[test]
fn an_entry_that_is_too_long_is_told() {
    let key = vec![b'k'; KEY_BYTES_MAX + 1];
    let entries = [levelscope_formats::Entry::new(&key, Some(b"v"))];
    let log = format("leveldb-log").write(&entries).unwrap();
    let mut files = export(&empty(), ExportOptions::default());
    files.insert("000007.log".to_owned(), log);
    let error = import(&empty(), &files, Damage::Refuse).unwrap_err();
    assert!(error.to_string().contains("65,537 bytes"), "{error}");
    let report = import(&empty(), &files, Damage::Skip).unwrap();
    assert_eq!((report.entries, report.skipped.len()), (0, 1));
}
