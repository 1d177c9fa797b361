//! Random databases: what the engine says of them, and what the reader says.

use super::made::{Random, files, key, open, options, work, write};
use levelscope::storage::MemoryStorage;
use levelscope::{Db, ScanOptions};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::read::{RowValue, Snapshot};
use levelscope_foreign::{CountedFiles, Engine, MemoryFiles, Severity};
use std::collections::BTreeMap;

type Content = Vec<(Vec<u8>, Vec<u8>)>;

fn content(db: &Db, options: &ScanOptions<'_>) -> Content {
    let mut walk = db.iter(options).expect("it opens");
    walk.seek_to_first().expect("it seeks");
    let mut found = Content::new();
    while walk.valid() {
        found.push((walk.key().to_vec(), walk.value().to_vec()));
        walk.next().expect("it goes on");
    }
    found
}

fn scanned(directory: &Directory<'_>, sequence: u64) -> Content {
    let mut scan = directory.scan(0, None, None, Snapshot { sequence }).expect("it scans");
    scan.first().expect("it reads");
    let mut found = Content::new();
    while let Some(row) = scan.next_row().expect("it reads") {
        let RowValue::Bytes(value) = row.value else { panic!("no plain value") };
        found.push((row.key, value));
    }
    assert_eq!(scan.problems(), Vec::new());
    found
}

/// Numbers of the tables of each level that has any, as the engine orders them.
fn levels(db: &Db) -> BTreeMap<u32, Vec<u64>> {
    let levels = (0..).zip(db.view().levels);
    let numbers = levels.map(|(level, of)| (level, of.tables.iter().map(|it| it.table).collect()));
    numbers.filter(|(_, tables): &(u32, Vec<u64>)| !tables.is_empty()).collect()
}

fn run(seed: u64) {
    let mut random = Random(seed);
    let (disk, options) = (MemoryStorage::default(), options(&mut random));
    let mut db = open(&disk, &options);
    let writes = random.pick(&[3, 60, 250]);
    let middle = random.below(writes);
    let mut then = None;
    for at in 0..writes {
        write(&db, &mut random);
        if random.below(8) == 0 {
            work(&db);
        }
        if at < middle && random.below(60) == 0 {
            drop(db);
            db = open(&disk, &options);
        }
        if at == middle {
            let snapshot = db.snapshot();
            let old = content(&db, &ScanOptions::default().snapshot(&snapshot));
            then = Some((snapshot, old));
        }
    }
    let (now, expected) = (content(&db, &ScanOptions::default()), levels(&db));
    let is_closed = random.below(2) == 0;
    let last = db.view().last_sequence;
    let then = then.map(|(snapshot, old)| (snapshot.sequence(), old));
    let files = if is_closed {
        db.close().expect("it closes");
        files(&disk)
    } else {
        files(&disk)
    };
    let counted = CountedFiles::new(&files);
    let directory = Directory::open(&counted).expect("it is recognized");
    assert_eq!(directory.engine(), Engine::Levelscope);
    let family = directory.family(0).expect("there is one");
    let found: BTreeMap<u32, Vec<u64>> = (family.levels.iter())
        .map(|(level, tables)| (*level, tables.iter().map(|table| table.number).collect()))
        .collect();
    assert_eq!(found, expected);
    assert_eq!(directory.last_sequence().expect("logs are read"), last);
    assert_eq!(scanned(&directory, u64::MAX >> 8), now);
    if let Some((sequence, old)) = then {
        assert_eq!(scanned(&directory, sequence), old, "at {sequence}");
    }
    let now: BTreeMap<_, _> = now.into_iter().collect();
    for _ in 0..30 {
        let key = key(&mut random);
        let lookup = directory.lookup(0, &key, None).expect("it is looked up");
        let is_there = now.contains_key(&key);
        assert_eq!(lookup.row.is_some(), is_there, "{key:?}: {}", lookup.answer);
    }
    let problems = directory.check_all(true);
    assert!(problems.iter().all(|one| one.severity == Severity::Note), "{problems:?}");
    for step in 0..directory.manifest().steps().len() {
        directory.levels(0, Some(step)).expect("every step has levels");
    }
}

#[test]
fn a_directory_says_what_its_engine_says() {
    let chosen = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let seeds = chosen.map_or(0..150, |seed: u64| seed..seed + 1);
    for seed in seeds {
        println!("SEED={seed}");
        run(seed);
    }
}

/// Its files are older than the identity of a database.
#[test]
fn a_directory_of_an_older_version_has_what_was_written() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/databases/without-identity");
    let contents = std::fs::read_dir(root).unwrap().map(|entry| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    });
    let files = MemoryFiles::new(contents);
    let counted = CountedFiles::new(&files);
    let directory = Directory::open(&counted).expect("it is recognized");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let rows = scanned(&directory, u64::MAX >> 8).into_iter();
    let lines: Vec<String> =
        rows.map(|(key, value)| format!("{} {}", text(key), text(value))).collect();
    let known = std::fs::read_to_string(format!("{root}.txt")).unwrap();
    assert_eq!(lines, known.lines().collect::<Vec<_>>());
    let problems = directory.check_all(true);
    assert!(problems.iter().all(|one| one.severity == Severity::Note), "{problems:?}");
}
