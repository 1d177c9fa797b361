//! Exchanges databases with the real libraries: `LevelDB` opens, verifies, writes to and compacts an export,
//! `RocksDB` reads it, and databases that `LevelDB` writes are imported.
//!
//! `cargo run --example leveldb -- LEVELDB_TOOL ROCKSDB_TOOL DIRECTORY`, with the tools of tests/leveldb;
//! `npm test` builds and calls them. The last line is `N passed, N failed`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    reason = "a test, which fails by panicking"
)]

use levelscope::storage::{MemoryStorage, Random};
use levelscope::{Db, ScanOptions};
use levelscope_foreign::export::{Carrier, Policy};
use levelscope_foreign::{CountedFiles, Engine, Files, LooseFiles, MemoryFiles, Severity};
use levelscope_formats::exchange::{Export, ExportOptions};
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

type Content = BTreeMap<Vec<u8>, Vec<u8>>;
type Directory = BTreeMap<String, Vec<u8>>;

/// The programs of tests/leveldb, and where databases are made.
struct Peers {
    leveldb: PathBuf,
    rocksdb: PathBuf,
    place: PathBuf,
}

fn empty() -> Db {
    Db::builder().open_in(Arc::new(MemoryStorage::new())).unwrap()
}

fn content(db: &Db) -> Content {
    let mut iterator = db.iter(&ScanOptions::default()).unwrap();
    iterator.seek_to_first().unwrap();
    let mut content = Content::new();
    while iterator.valid() {
        content.insert(iterator.key().to_vec(), iterator.value().to_vec());
        iterator.next().unwrap();
    }
    content
}

fn unhex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap()).collect()
}

/// Runs a tool; the contents that it prints before and after its own writes.
fn run(tool: &Path, words: &[&str]) -> (Content, Content) {
    let output = Command::new(tool).args(words).output().expect("the tool starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} {words:?}: {complaint}", tool.display());
    let (mut before, mut after) = (Content::new(), Content::new());
    for line in std::str::from_utf8(&output.stdout).unwrap().lines() {
        let mut words = line.split(' ');
        let into = if words.next() == Some("before") { &mut before } else { &mut after };
        into.insert(unhex(words.next().unwrap()), unhex(words.next().unwrap()));
    }
    (before, after)
}

fn read_directory(path: &Path) -> Directory {
    let files = fs::read_dir(path).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap())
    });
    files.collect()
}

/// What we read in `files`, all checksums compared.
fn read(files: &dyn Files, engine: Engine) -> Content {
    let files = CountedFiles::new(files);
    let directory = levelscope_foreign::directory::Directory::open(&files).unwrap();
    assert_eq!(directory.engine(), engine);
    let problems = directory.check_all(true).into_iter();
    let errors: Vec<_> = problems.filter(|one| one.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let mut carrier = Carrier::new(&directory, 0, Policy::default()).unwrap();
    let mut content = Content::new();
    while let Some((key, value)) = carrier.next_entry().unwrap() {
        content.insert(key, value);
    }
    carrier.finish().unwrap();
    content
}

/// What we read in the directory of `LevelDB` at `path`.
fn ours(path: &Path) -> Content {
    read(&MemoryFiles::new(read_directory(path)), Engine::LevelDb)
}

fn handed_out(db: &Db, path: &Path) {
    let _ = fs::remove_dir_all(path);
    fs::create_dir_all(path).unwrap();
    let mut export = Export::new(db, ExportOptions::default()).unwrap();
    while let Some(file) = export.next_file().unwrap() {
        fs::write(path.join(file.name), file.bytes).unwrap();
    }
}

/// An exported database lives on in the real library.
fn goes_out(peers: &Peers, name: &str, db: &Db) {
    let expected = content(db);
    let path = peers.place.join(name);
    handed_out(db, &path);
    let words = path.to_str().unwrap();
    let (read, _) = run(&peers.rocksdb, &["read", words]);
    assert!(read == expected, "RocksDB reads something else");
    let (before, after) = run(&peers.leveldb, &["exercise", words]);
    assert!(before == expected, "LevelDB reads something else");
    let later = (0..50).map(|number| {
        (format!("later-{number:02}").into_bytes(), format!("value {number}").into_bytes())
    });
    let mut grown = expected;
    grown.extend(later);
    assert!(after == grown, "LevelDB has something else after 50 writes and a compaction");
    assert!(ours(&path) == grown, "we read something else");
    fs::remove_dir_all(&path).unwrap();
}

/// What the real library wrote is taken in, and out again.
fn comes_in(peers: &Peers, seed: u64) {
    let path = peers.place.join(format!("made-{seed}"));
    let _ = fs::remove_dir_all(&path);
    let (_, made) = run(&peers.leveldb, &["make", path.to_str().unwrap(), &seed.to_string()]);
    assert!(made.len() > 1000);
    let read = ours(&path);
    assert!(read == made, "we read something else");
    let db = empty();
    for (key, value) in &read {
        db.put(key, value).unwrap();
    }
    fs::remove_dir_all(&path).unwrap();
    goes_out(peers, &format!("back-{seed}"), &db);
}

/// Tables that `RocksDB` writes in one format version, with one type of checksum, are read by themselves.
fn tables_of_rocksdb(peers: &Peers, version: &str, checksum: &str) {
    let path = peers.place.join(format!("rocksdb-{version}-{checksum}"));
    let _ = fs::remove_dir_all(&path);
    let words = ["make", path.to_str().unwrap(), version, checksum];
    let (made, _) = run(&peers.rocksdb, &words);
    let files = read_directory(&path);
    let tables: Vec<_> = files.iter().filter(|(name, _)| name.ends_with("sst")).collect();
    let [(name, file)] = tables[..] else { panic!("one table") };
    let single = MemoryFiles::new([(name.clone(), file.clone())]);
    let loose = LooseFiles::of(&single).expect("a table of RocksDB");
    let engine = if version == "0" { Engine::LevelDb } else { Engine::RocksDb };
    assert!(read(&loose, engine) == made, "we read something else");
    fs::remove_dir_all(&path).unwrap();
}

fn odd_keys() -> Db {
    let db = empty();
    for byte in 0..=u8::MAX {
        for key in [vec![byte], vec![byte; 9], vec![0xff, byte], vec![byte, 0xff, 0xff]] {
            db.put(&key, [byte, 0]).unwrap();
        }
    }
    db.put(b"", b"the empty key").unwrap();
    db.put(b"an empty value", b"").unwrap();
    db.put([0xff; 300], b"all ones").unwrap();
    db.put(b"long", vec![b'v'; 3 << 20]).unwrap();
    db.put(vec![b'k'; 60_000], b"a long key").unwrap();
    for byte in 0..100 {
        db.delete([byte]).unwrap();
    }
    db
}

fn random(seed: u64, count: u64, value_bytes: usize) -> Db {
    let mut random = Random::new(seed);
    let db = empty();
    for _ in 0..count {
        let key = format!("{:08}", random.below(count * 2)).into_bytes();
        let mut value = vec![0; random.up_to(value_bytes)];
        let half = value.len() / 2;
        random.fill(&mut value[half..]);
        if random.below(6) == 0 { db.delete(&key) } else { db.put(&key, &value) }.unwrap();
    }
    db
}

fn main() {
    let words: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let Ok([leveldb, rocksdb, place]) = <[PathBuf; 3]>::try_from(words) else {
        panic!("usage: leveldb LEVELDB_TOOL ROCKSDB_TOOL DIRECTORY");
    };
    fs::create_dir_all(&place).unwrap();
    let peers = Peers { leveldb, rocksdb, place };
    let (mut passed, mut failed) = (0, 0);
    let mut test = |name: &str, work: &dyn Fn()| {
        let done = catch_unwind(AssertUnwindSafe(work)).is_ok();
        println!("{name} ... {}", if done { "ok" } else { "FAILED" });
        if done { passed += 1 } else { failed += 1 }
    };
    test("an empty database goes out", &|| goes_out(&peers, "empty", &empty()));
    test("odd keys and long values go out", &|| goes_out(&peers, "odd", &odd_keys()));
    test("many small entries go out", &|| goes_out(&peers, "small", &random(1, 5_000, 60)));
    test("several tables on a level go out", &|| {
        goes_out(&peers, "large", &random(2, 9_000, 3_000));
    });
    for seed in [3, 4] {
        test(&format!("what LevelDB wrote comes in, seed {seed}"), &|| comes_in(&peers, seed));
    }
    for version in ["0", "2", "3", "4", "5"] {
        test(&format!("a table of RocksDB, version {version}"), &|| {
            tables_of_rocksdb(&peers, version, "1");
        });
    }
    for checksum in ["0", "2", "3", "4"] {
        test(&format!("a table of RocksDB, checksum type {checksum}"), &|| {
            tables_of_rocksdb(&peers, "5", checksum);
        });
    }
    println!("{passed} passed, {failed} failed");
    std::process::exit(i32::from(failed > 0));
}
