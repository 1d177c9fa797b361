//! Every byte of every file of the fixtures has a name: parts lie side by side, without gaps and overlaps.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a test fails by panicking"
)]

mod common;

use common::{Fixture, Random, fixture, fixtures};
use levelscope_foreign::inspect::{self, BytePart, Kept, OpenedBytes, UNNAMED};
use levelscope_foreign::{Engine, ErrorKind, Files, MemoryFiles};
use std::collections::BTreeMap;

/// Parts that one file may have: more would be a tree that does not end.
const PARTS_MAX: usize = 400_000;

/// Everything in a file.
struct Walk<'f> {
    files: &'f MemoryFiles,
    engine: Engine,
    file: &'f str,
    kept: Kept,
    seen: usize,
    /// Parts that nothing refers to, and parts that are damaged, by their path.
    unnamed: Vec<String>,
    damaged: Vec<String>,
    /// How often each name stands there.
    names: BTreeMap<String, usize>,
}

impl Walk<'_> {
    fn opened(&self, path: &[usize]) -> OpenedBytes {
        let mut whole = self.open(path, 0);
        while whole.parts.len() < whole.total {
            let mut more = self.open(path, whole.parts.len());
            assert!(!more.parts.is_empty(), "{} {path:?}: the list ends early", self.file);
            whole.parts.append(&mut more.parts);
        }
        whole
    }

    fn open(&self, path: &[usize], from: usize) -> OpenedBytes {
        inspect::open(self.files, self.engine, (self.file, path), (from, 1000), &self.kept).unwrap()
    }

    fn walk(&mut self, path: &mut Vec<usize>) {
        let opened = self.opened(path);
        let OpenedBytes { part, parts, .. } = &opened;
        assert_eq!(part.opens, !parts.is_empty());
        if parts.is_empty() {
            return;
        }
        let (start, end) = match part.unpacked_bytes {
            Some(bytes) => (0, bytes),
            None => (part.offset, part.offset + part.bytes),
        };
        let mut at = start;
        for BytePart { name, offset, bytes, .. } in parts {
            assert_eq!(*offset, at, "{} {path:?}: {name} does not follow", self.file);
            at += bytes;
        }
        assert_eq!(at, end, "{} {path:?}: the parts do not end with it", self.file);
        for (place, part) in parts.iter().enumerate() {
            self.seen += 1;
            assert!(self.seen < PARTS_MAX, "{}: no end", self.file);
            *self.names.entry(part.name.clone()).or_default() += 1;
            path.push(place);
            if part.name == UNNAMED {
                self.unnamed.push(format!(
                    "{}: {} at {:?} in {:?}",
                    self.file, part.bytes, part.offset, opened.part.name
                ));
            }
            if part.is_damaged {
                self.damaged.push(format!("{}: {} at {}", self.file, part.name, part.offset));
            }
            if part.opens {
                self.walk(path);
            }
            path.pop();
        }
    }
}

fn walked<'f>(files: &'f MemoryFiles, engine: Engine, file: &'f str) -> Walk<'f> {
    let (unnamed, damaged, names) = (Vec::new(), Vec::new(), BTreeMap::new());
    let mut walk =
        Walk { files, engine, file, kept: Kept::default(), seen: 0, unnamed, damaged, names };
    walk.walk(&mut Vec::new());
    walk
}

/// Formats that are not read: their files have one part at most.
const NOT_READ: [&str; 3] = ["x_plain_table", "x_cuckoo_table", "t_fv5_bzip2_xxhash"];

#[test]
fn a_part_tells_where_it_is_and_what_its_bytes_say() {
    let Fixture { files, .. } = fixture("l_history");
    let table = files.list().iter().find(|file| file.name.ends_with(".ldb")).unwrap();
    let kept = Kept::default();
    let open = |path: &[usize], from, limit| {
        inspect::open(&files, Engine::LevelDb, (&table.name, path), (from, limit), &kept)
    };
    let whole = open(&[], 0, 1000).unwrap();
    assert_eq!((whole.part.offset, whole.part.bytes), (0, table.bytes));
    let footer = whole.parts.last().unwrap();
    assert_eq!((footer.name.as_str(), footer.bytes), ("footer", 48));
    let opened = open(&[whole.total - 1], 0, 1000).unwrap();
    let names: Vec<&str> = opened.parts.iter().map(|part| part.name.as_str()).collect();
    let handles = ["offset of the metaindex", "bytes of the metaindex", "offset of the index"];
    assert_eq!(names[..3], handles);
    assert_eq!(opened.parts.last().unwrap().value, "0xdb4775248b80fb57");
    assert_eq!(opened.inside, [table.name.as_str()]);
    assert!(opened.hex.ends_with("57fb808b247547db"));
    // Some parts at a time.
    let some = open(&[], 1, 2).unwrap();
    assert_eq!((some.from, some.parts.len(), some.total), (1, 2, whole.total));
    assert_eq!(some.parts[0], whole.parts[1]);
    let error = open(&[whole.total], 0, 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let error = inspect::open(&files, Engine::LevelDb, ("none", &[]), (0, 1), &kept).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing);
}

#[test]
fn the_bytes_of_any_change_of_a_file_still_lie_side_by_side() {
    for (name, engine) in [
        ("h_reopened", Engine::RocksDb),
        ("t_fv6_zlib_crc32c", Engine::RocksDb),
        ("i_separated_kv_uniform", Engine::RocksDb),
        ("b_blob_garbage", Engine::RocksDb),
        ("w_recycled", Engine::RocksDb),
        ("p_blob_files", Engine::Pebble),
        ("p_rows_kinds", Engine::Pebble),
        ("l_history", Engine::LevelDb),
    ] {
        let sound = fixture(name).files;
        for seed in 0..60 {
            let mut random = Random(seed);
            let list = sound.list();
            let file = &list[random.below(list.len())];
            let mut bytes = sound.read_whole(&file.name, u64::MAX).unwrap();
            let place = random.below(bytes.len());
            match random.below(3) {
                0 if !bytes.is_empty() => bytes[place] ^= 1 << random.below(8),
                1 => bytes.truncate(place),
                _ => bytes.extend((0..random.below(300)).map(|_| random.byte())),
            }
            let files = MemoryFiles::new([(file.name.clone(), bytes)]);
            // It looks at every part itself.
            walked(&files, engine, &file.name);
        }
    }
}

#[test]
fn every_byte_of_every_file_has_a_name() {
    let (mut parts, mut files_seen) = (0, 0);
    let mut wrong = Vec::new();
    for Fixture { name, json, files } in fixtures(&[""]) {
        let engine = match json["engine"].as_str() {
            Some("pebble") => Engine::Pebble,
            Some("leveldb") => Engine::LevelDb,
            _ => Engine::RocksDb,
        };
        let is_damaged = json.get("damage").is_some();
        for file in files.list() {
            let walk = walked(&files, engine, &file.name);
            (parts, files_seen) = (parts + walk.seen, files_seen + 1);
            if is_damaged || NOT_READ.contains(&name.as_str()) {
                continue;
            }
            wrong.extend(
                walk.unnamed.iter().chain(&walk.damaged).map(|what| format!("{name}/{what}")),
            );
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(parts > 300_000 && files_seen > 800, "{parts} parts of {files_seen} files");
}
