//! Histories of files: names, numbers, orphans, strangers, and files deleted too early.

use super::*;
use crate::native::Directory;
use levelscope::limits::FILE_NUMBER_MAX;
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::{Crash, NativeStorage};
use levelscope::testing::forge::{EditForge, database};
use levelscope::{ErrorKind, ScanOptions};

/// A crash left an orphan table, which could not be deleted. Its number was used again, and the old bytes
/// were taken for the new table.
#[test]
fn an_orphan_keeps_its_number() {
    for orphan in ["000009.sst", "000009.wal", "MANIFEST-000009"] {
        let disk = MemoryStorage::new();
        let db = open(&shared(&disk), &by_hand());
        put(&db, "key", "value");
        drop(db);
        let failing = FaultStorage::over_memory(&disk);
        disk.put(orphan, if orphan.ends_with("wal") { b"" } else { b"left by a crash" });
        let storage: Arc<dyn Storage> = Arc::new(Undeletable(failing));
        let db = open(&storage, &by_hand());
        for _ in 0..3 {
            put(&db, "key", "value");
            flush(&db);
        }
        assert!(tables_of(&db).iter().all(|table| *table > 9), "{orphan}: {:?}", tables_of(&db));
        assert!(disk.list().unwrap().contains(&orphan.to_owned()));
    }
}

/// A storage that deletes nothing.
#[derive(Debug)]
struct Undeletable(FaultStorage);

impl Storage for Undeletable {
    fn create(&self, name: FileName) -> levelscope::Result<Arc<dyn levelscope::storage::File>> {
        self.0.create(name)
    }
    fn open(&self, name: FileName) -> levelscope::Result<Arc<dyn levelscope::storage::File>> {
        self.0.open(name)
    }
    fn delete(&self, name: FileName) -> levelscope::Result<()> {
        self.0.inject(Fault::Io, 1, false);
        self.0.delete(name)
    }
    fn list(&self) -> levelscope::Result<Vec<String>> {
        self.0.list()
    }
    fn sync_directory(&self) -> levelscope::Result<()> {
        self.0.sync_directory()
    }
    fn identity(&self) -> levelscope::Identity {
        self.0.identity()
    }
    fn lock(&self) -> levelscope::Result<Box<dyn levelscope::storage::LockGuard>> {
        self.0.lock()
    }
}

/// Tables were deleted under an iterator or a snapshot that still read them.
#[test]
fn an_iterator_keeps_the_files_that_it_reads() {
    let options = by_hand().cache_bytes(0).open_tables_max(4);
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &options);
    for table in 0..3 {
        (0..50).for_each(|index| {
            db.put(format!("key{index:02}").as_bytes(), value(table, 30)).unwrap();
        });
        flush(&db);
    }
    let model = contents(&db).unwrap();
    let before = tables_of(&db);
    let mut iterator = db.iter(&ScanOptions::default()).unwrap();
    iterator.seek_to_first().unwrap();
    (0..50).for_each(|index| db.put(format!("key{index:02}").as_bytes(), value(9, 30)).unwrap());
    flush(&db);
    compact(&db, 0);
    assert!(before.iter().all(|table| !tables_of(&db).contains(table)));
    assert!(before.iter().all(|table| tables_on(&disk).contains(table)), "deleted too early");
    let mut found = Model::new();
    while iterator.valid() {
        found.insert(iterator.key().to_vec(), iterator.value().to_vec());
        iterator.next().unwrap();
    }
    assert_eq!(found, model);
    drop(iterator);
    put(&db, "key00", "again");
    flush(&db);
    compact(&db, 0);
    assert_eq!(tables_on(&disk), tables_of(&db), "unread obsolete tables are still there");
}

/// One rare path, after a recovery, created a file without its extension. The next opening did not know the
/// file, and its data was lost.
#[test]
fn every_file_ever_made_has_a_name_that_is_known_again() {
    for seed in 0..4 {
        let mut random = Random(seed ^ 0x32);
        let options = small_options(&mut random);
        let root = Directory::new("names");
        let storage: Arc<dyn Storage> = Arc::new(NativeStorage::open(root.path()).unwrap());
        let mut db = open(&storage, &options);
        for op in random_script(&mut random, 120) {
            if let Op::Reopen = op {
                drop(db);
                db = open(&storage, &options);
            } else {
                run(&db, &op).unwrap();
            }
            let names = storage.list().unwrap();
            let unknown: Vec<_> =
                names.iter().filter(|name| FileName::parse(name).is_none()).collect();
            assert!(unknown.is_empty(), "seed {seed}, after {op:?}: {unknown:?}");
        }
    }
}

/// The numbers ran out, and the next name was one that no opening would know: here a write is refused
/// before it can get lost.
#[test]
fn the_last_file_numbers_lose_nothing() {
    for left in 0..12 {
        let next = FILE_NUMBER_MAX + 1 - left;
        let disk = database(vec![EditForge::snapshot(1, next.min(FILE_NUMBER_MAX), 0)], &[]);
        if next > FILE_NUMBER_MAX {
            disk.put(&FileName::Table(FILE_NUMBER_MAX).to_string(), b"");
        }
        let mut acknowledged = 0;
        for round in 0..8 {
            let Ok(db) = try_open(&shared(&disk), &by_hand()) else { break };
            for index in 0..3 {
                if db.put(format!("{round}-{index}").as_bytes(), b"value").is_ok() {
                    acknowledged += 1;
                }
                let _ = db.rotate();
            }
            let found = contents(&db).unwrap().len();
            assert_eq!(found, acknowledged, "{left} numbers left, round {round}");
            let _ = db.request_flush();
            while db.step(Budget::Job).is_ok_and(|outcome| outcome != StepOutcome::Idle) {}
            drop(db);
            let unknown: Vec<String> = disk.list().unwrap();
            let unknown = unknown.iter().find(|name| FileName::parse(name).is_none());
            assert_eq!(unknown, None, "{left} numbers left, round {round}");
        }
        // Opening may fail then, but every acknowledged write is in a file whose name is known.
        if let Err(error) = try_open(&shared(&disk), &by_hand()) {
            assert_eq!(error.kind(), ErrorKind::OutOfSpace, "{left} numbers left: {error}");
        }
    }
}

/// Files of unknown origin were passed over without a question. Now they have to be allowed, and are kept.
#[test]
fn strangers_in_the_directory_are_refused_or_passed_over_and_kept() {
    let strangers = [
        ".DS_Store",
        "readme.txt",
        "1.sst",
        "000001.sst.tmp",
        "Ωμέγα",
        "000009.SST",
        "current",
        "MANIFEST-9",
        "000009.sst~",
        "0000009.wal",
        "99999999999999999999.sst",
        "LOCK2",
        "-00001.wal",
    ];
    let memory = MemoryStorage::new();
    for name in &strangers {
        memory.put(name, b"not ours");
    }
    verify_strangers(&shared(&memory), &strangers);

    let root = Directory::new("strangers");
    for name in &strangers {
        let path = root.path().join(name);
        write_native(&path);
    }
    std::fs::create_dir(root.path().join("notes")).unwrap();
    let storage: Arc<dyn Storage> = Arc::new(NativeStorage::open(root.path()).unwrap());
    verify_strangers(&storage, &strangers);
    // A directory with a name of ours may stop the opening, but is never taken for data or deleted.
    for name in ["000900.wal", "000930.sst", "MANIFEST-000960"] {
        std::fs::create_dir(root.path().join(name)).unwrap();
        if let Ok(db) = try_open_beside(&storage, &by_hand()) {
            assert_eq!(contents(&db).unwrap().len(), 3, "{name}");
        }
        std::fs::remove_dir(root.path().join(name)).expect("it is still there");
    }
    assert_eq!(contents(&try_open_beside(&storage, &by_hand()).unwrap()).unwrap().len(), 3);
}

#[expect(clippy::disallowed_methods, reason = "a stranger's file is a real file")]
fn write_native(path: &std::path::Path) {
    std::fs::write(path, b"not ours").unwrap();
}

fn verify_strangers(storage: &Arc<dyn Storage>, strangers: &[&str]) {
    for round in 0..3 {
        let listed = storage.list().unwrap();
        let refused = try_open(storage, &by_hand()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidArgument, "{refused}");
        assert_eq!(storage.list().unwrap(), listed, "a refused directory is left as it is");
        let db = try_open_beside(storage, &by_hand()).unwrap();
        assert_eq!(contents(&db).unwrap().len(), round);
        put(&db, &format!("key{round}"), "value");
        flush(&db);
        let files = db.files().unwrap();
        for stranger in strangers {
            let entry = files.iter().find(|file| file.name == *stranger).expect("it is listed");
            assert!(
                entry.role.contains("not a file of this database"),
                "{stranger}: {}",
                entry.role
            );
        }
    }
}

/// Orphans of a crash stayed forever, and the disk filled up with them.
#[test]
fn a_killed_flush_leaves_nothing_for_long() {
    let disk = MemoryStorage::new();
    let mut live = disk.fork();
    for round in 0..10 {
        let db = open(&shared(&live), &by_hand());
        put(&db, "key", &"v".repeat(2000));
        db.request_flush().unwrap();
        (0..3 + round % 4).for_each(|_| assert!(db.step(Budget::Phase).is_ok()));
        let killed = live.crash_image(Crash::KeepAll);
        drop(db);
        live = killed;
        let db = open(&shared(&live), &by_hand());
        assert_eq!(tables_on(&live), tables_of(&db), "round {round}");
        flush(&db);
        compact(&db, 0);
    }
    assert!(live.total_bytes() < 40_000, "{} bytes", live.total_bytes());
}
