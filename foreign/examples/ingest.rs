//! Tables of this crate, ingested by the real `RocksDB`: it takes each twice, compacts, opens the database again,
//! and gives back every entry.
//!
//! `cargo run --example ingest -- ROCKSDB_TOOL DIRECTORY`, with the tool of tests/leveldb; `npm test` builds and
//! calls it. The last line is `N passed, N failed`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test, which fails by panicking"
)]

use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::{Carrier, Policy, SstWriter};
use levelscope_foreign::{CountedFiles, MemoryFiles};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

const BYTEWISE: &str = "leveldb.BytewiseComparator";
const REVERSE: &str = "rocksdb.ReverseBytewiseComparator";

type Entries = Vec<(Vec<u8>, Vec<u8>)>;

struct Peer {
    rocksdb: PathBuf,
    place: PathBuf,
}

fn unhex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap()).collect()
}

impl Peer {
    /// Writes a table and has it ingested; what `RocksDB` then reads is compared with the entries, one by one.
    fn ingests(&self, name: &str, comparator: &str, entries: &Entries) {
        let mut writer = SstWriter::new(comparator).unwrap();
        let mut bytes = Vec::new();
        for (key, value) in entries {
            writer.add(key, value).unwrap();
            bytes.append(&mut writer.take());
        }
        writer.finish().unwrap();
        bytes.append(&mut writer.take());
        let table = self.place.join(format!("{name}.sst"));
        fs::write(&table, bytes).unwrap();
        let database = self.place.join(name);
        let order = if comparator == REVERSE { "reverse" } else { "bytewise" };
        let output = Command::new(&self.rocksdb)
            .arg("ingest")
            .args([&database, &table])
            .arg(order)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout).unwrap();
        for moment in ["before", "after"] {
            let prefix = format!("{moment} ");
            let lines = printed.lines().filter_map(|line| line.strip_prefix(&prefix));
            let mut count = 0;
            for (place, line) in lines.enumerate() {
                let (key, value) = line.split_once(' ').unwrap();
                let (wanted_key, wanted_value) = &entries[place];
                assert!(unhex(key) == *wanted_key, "{moment}: key {place} is {key}");
                assert!(unhex(value) == *wanted_value, "{moment}: value {place} is {value}");
                count += 1;
            }
            assert_eq!(count, entries.len(), "{moment}");
        }
    }
}

fn plain(count: u32) -> Entries {
    let entry = |number: u32| {
        let value = vec![u8::try_from(number % 251).unwrap(); (number % 300) as usize];
        (format!("user{number:07}").into_bytes(), value)
    };
    (0..count).map(entry).collect()
}

/// A range of entries whose values are empty, between others.
fn empty_values() -> Entries {
    let mut entries = plain(6000);
    for (_, value) in &mut entries[1000..5000] {
        value.clear();
    }
    entries
}

/// The empty key, keys of all bytes, and keys that are prefixes of each other.
fn binary_keys() -> Entries {
    let mut keys: Vec<Vec<u8>> = vec![Vec::new(), b"a\0".to_vec(), b"a\0\0".to_vec()];
    for first in 0..=255u8 {
        keys.push(vec![first]);
        keys.push(vec![first, 0]);
        keys.push(vec![first, 0xff, 0xff]);
        keys.push(vec![0xff; usize::from(first) + 2]);
        keys.push([vec![0; usize::from(first) + 2], vec![first]].concat());
    }
    keys.sort();
    keys.dedup();
    let value = |key: &Vec<u8>| key.iter().rev().copied().collect();
    keys.into_iter().map(|key| (key.clone(), value(&key))).collect()
}

/// Keys longer than a block, alone and with a long common prefix.
fn long_keys() -> Entries {
    let mut entries = Entries::new();
    for number in 0..40u8 {
        let mut key = vec![b'k'; 5000 + 10_000 * usize::from(number % 4)];
        key.push(number);
        entries.push((key, vec![number; usize::from(number) * 1000]));
    }
    entries.push((vec![0xfe; 1 << 20], b"1 MiB".to_vec()));
    entries.sort();
    entries
}

fn reversed(mut entries: Entries) -> Entries {
    entries.reverse();
    entries
}

/// A family of a fixture, with the order of its keys.
fn family(fixture: &str, name: &str) -> (String, Entries) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/lsm").join(fixture);
    let files = fs::read_dir(root).unwrap().map(Result::unwrap);
    let file = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    let files = MemoryFiles::new(files.map(file));
    let files = CountedFiles::new(&files);
    let directory = Directory::open(&files).unwrap();
    let of = directory.state().families.values().find(|family| family.name == name).unwrap();
    let mut carrier = Carrier::new(&directory, of.id, Policy::default()).unwrap();
    let mut entries = Entries::new();
    while let Some(entry) = carrier.next_entry().unwrap() {
        entries.push(entry);
    }
    carrier.finish().unwrap();
    assert!(!entries.is_empty());
    (of.comparator_name.clone(), entries)
}

fn main() {
    let words: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let Ok([rocksdb, place]) = <[PathBuf; 2]>::try_from(words) else {
        panic!("usage: ingest ROCKSDB_TOOL DIRECTORY");
    };
    fs::create_dir_all(&place).unwrap();
    let peer = Peer { rocksdb, place };
    let (mut passed, mut failed) = (0, 0);
    let mut test = |name: &str, comparator: &str, entries: &Entries| {
        let work = || peer.ingests(&name.replace(' ', "-"), comparator, entries);
        let done = catch_unwind(AssertUnwindSafe(work)).is_ok();
        println!("RocksDB ingests {name} ... {}", if done { "ok" } else { "FAILED" });
        if done { passed += 1 } else { failed += 1 }
    };
    test("one entry", BYTEWISE, &plain(1));
    test("many entries", BYTEWISE, &plain(30_000));
    test("empty values", BYTEWISE, &empty_values());
    test("binary keys", BYTEWISE, &binary_keys());
    test("long keys", BYTEWISE, &long_keys());
    test("keys that descend", REVERSE, &reversed(binary_keys()));
    for (fixture, name) in [
        ("c_families", "users"),
        ("c_families", "events"),
        ("b_blob_files", "default"),
        ("e_merge_operands", "default"),
        ("e_odd_keys", "default"),
        ("l_history", "default"),
        ("p_blob_files", "default"),
    ] {
        let (comparator, entries) = family(fixture, name);
        test(&format!("{fixture} {name}"), &comparator, &entries);
    }
    println!("{passed} passed, {failed} failed");
    std::process::exit(i32::from(failed > 0));
}
