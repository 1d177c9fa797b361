//! Opening, checking and repairing judge a directory by one survey: the error of opening is the first finding of a
//! check.

use crate::checking::{report_of, small, small_and_indexed};
use crate::common::*;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{
    Budget, CheckReport, Error, ErrorKind, Identity, Maintenance, Options, RepairOptions, Severity,
    repair,
};
use std::sync::Arc;

fn shared(disk: &MemoryStorage) -> Arc<dyn Storage> {
    Arc::new(disk.clone())
}

fn by_hand() -> Options {
    Options::default().memtable_bytes(256).immutable_count_max(64).maintenance(Maintenance::Manual)
}

/// Logs of two sessions, the first one killed, and a table.
fn two_sessions() -> MemoryStorage {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    db.put(b"flushed", b"1").unwrap();
    db.request_flush().unwrap();
    while db.has_work() {
        db.step(Budget::Job).unwrap();
    }
    (0..12_u8).for_each(|index| db.put([index], [1; 40]).unwrap());
    let killed = disk.fork();
    let db = open(&shared(&killed), &by_hand());
    (0..12_u8).for_each(|index| db.put([index], [2; 40]).unwrap());
    killed.fork()
}

fn names(disk: &MemoryStorage) -> Vec<FileName> {
    let listed = disk.list().unwrap();
    let names = listed.iter().filter_map(|name| FileName::parse(name));
    names.filter(|name| *name != FileName::Lock).collect()
}

/// Damages one file; returns a description of the damage.
fn damage(disk: &MemoryStorage, other: &MemoryStorage, random: &mut Random) -> String {
    let names = names(disk);
    let name = names[random.below(names.len() as u64) as usize];
    let length = disk.read(name).unwrap().len() as u64;
    match random.below(8) {
        0 => disk.delete(name).unwrap(),
        1 => disk.truncate(name, 0).unwrap(),
        2 => disk.truncate(name, length / 2).unwrap(),
        3 => disk.truncate(name, length.min(30)).unwrap(),
        4 => {
            let foreign = self::names(other);
            let like =
                foreign.iter().find(|like| like.number().is_some() == name.number().is_some());
            disk.put(&name.to_string(), &other.read(*like.unwrap()).unwrap());
        }
        5 => {
            let foreign = self::names(other);
            let spare = foreign[random.below(foreign.len() as u64) as usize];
            let number = 900 + random.below(9);
            let copy = match spare {
                FileName::Table(_) => FileName::Table(number),
                FileName::Wal(_) => FileName::Wal(1),
                _ => FileName::Manifest(1),
            };
            disk.put(&copy.to_string(), &other.read(spare).unwrap());
            return format!("{copy} is {spare} of another database");
        }
        _ if length > 0 => disk.corrupt(name, random.below(length), 1).unwrap(),
        _ => {}
    }
    format!("{name} is damaged, {length} bytes before")
}

/// The first error of a check.
fn first(report: &CheckReport) -> Option<(String, Option<u64>, String)> {
    let mut errors = report.findings.iter().filter(|found| found.severity == Severity::Error);
    errors.next().map(|found| (found.file.clone(), found.offset, found.what.clone()))
}

fn place(error: &Error) -> (String, Option<u64>, String) {
    let file = error.file().map(|file| file.to_string()).unwrap_or_default();
    (file, error.offset(), error.message().to_owned())
}

#[test]
fn the_first_error_of_a_check_is_the_error_of_opening() {
    let other = small_of_another_database();
    let (mut refused, mut wrong) = (0, Vec::new());
    for (base, options) in
        [(two_sessions(), by_hand()), (small(&small_and_indexed()), small_and_indexed())]
    {
        for seed in 0..400 {
            let mut random = Random(seed);
            let disk = base.fork();
            let mut context = format!("seed {seed}");
            for _ in 0..=random.below(2) {
                context = format!("{context}; {}", damage(&disk, &other, &mut random));
            }
            let before = (disk.list().unwrap(), disk.hash());
            let Err(error) = try_open(&shared(&disk), &options) else { continue };
            assert_eq!((disk.list().unwrap(), disk.hash()), before, "{context}: {error}");
            if matches!(error.kind(), ErrorKind::UnsupportedFormat) && error.file().is_none() {
                continue;
            }
            refused += 1;
            let first = first(&report_of(&disk));
            if first != Some(place(&error)) {
                wrong.push(format!("{context}\n  opening: {error}\n  check:   {first:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused > 300, "{refused}");
}

fn small_of_another_database() -> MemoryStorage {
    let disk = MemoryStorage::with_identity(Identity::from_bytes([9; 16]));
    let db = open(&shared(&disk), &small_and_indexed());
    (0..90_u8).for_each(|index| db.put([index; 9], [index; 30]).unwrap());
    drop(db);
    disk
}

fn is_data(name: &FileName) -> bool {
    matches!(name, FileName::Wal(_) | FileName::Table(_))
}

/// A repair used to call a missing log and a missing table by other words than opening.
#[test]
fn a_repair_reports_a_missing_file_as_opening_does() {
    let mut reported = 0;
    for (base, options) in
        [(two_sessions(), by_hand()), (small(&small_and_indexed()), small_and_indexed())]
    {
        for name in names(&base).into_iter().filter(is_data) {
            let disk = base.fork();
            disk.delete(name).unwrap();
            let Err(error) = try_open(&shared(&disk), &options) else { continue };
            let target: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
            let report = repair(shared(&disk), target, &RepairOptions::default()).unwrap();
            let whats: Vec<&str> = report.losses.iter().map(|loss| &*loss.what).collect();
            assert!(whats.contains(&error.message()), "{name}: {error}: {whats:?}");
            reported += 1;
        }
    }
    assert!(reported > 5, "{reported}");
}

/// Opening used to report only that a later log continues it, and a check that it is empty.
#[test]
fn a_sealed_log_without_a_byte_is_reported_alike() {
    let disk = MemoryStorage::new();
    let db = open(&shared(&disk), &by_hand());
    db.put(b"key", b"value").unwrap();
    let log = FileName::Wal(db.view().wals[0].wal);
    let killed = disk.fork();
    drop(open(&shared(&killed), &by_hand()));
    killed.truncate(log, 0).unwrap();
    let error = try_open(&shared(&killed), &by_hand()).expect_err("the write is gone");
    assert_eq!((error.kind(), error.file()), (ErrorKind::Corruption, Some(log)), "{error}");
    assert_eq!(first(&report_of(&killed)), Some(place(&error)));
}

/// A damaged log keeps opening from deleting anything, so nothing may be promised to it.
#[test]
fn a_spare_file_beside_a_damaged_log_is_not_promised_to_the_next_opening() {
    let disk = two_sessions();
    let table = names(&disk).into_iter().find(|name| matches!(name, FileName::Table(_)));
    disk.put("000899.sst", &disk.read(table.unwrap()).unwrap());
    let log = names(&disk).into_iter().find(|name| matches!(name, FileName::Wal(_))).unwrap();
    disk.corrupt(log, 50, 1).unwrap();
    assert!(try_open(&shared(&disk), &by_hand()).is_err());
    let report = report_of(&disk);
    let spare = report.findings.iter().find(|found| found.file == "000899.sst").unwrap();
    assert_eq!(spare.what, "it is obsolete: the next opening that succeeds deletes it");
}
