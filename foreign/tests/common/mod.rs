//! The fixtures: directories that the real libraries wrote, and what these see in them.

#![allow(dead_code, reason = "each test uses its part")]
#![allow(clippy::disallowed_methods, reason = "tests read files of the disk")]

pub(crate) mod build;
pub(crate) mod frames;
pub(crate) mod zip;

use levelscope_foreign::inspect::{self, Part};
use levelscope_foreign::manifest::Manifest;
use levelscope_foreign::text::hex;
use levelscope_foreign::{Comparator, Engine, Files, MemoryFiles};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A directory with its description.
pub(crate) struct Fixture {
    /// Its name.
    pub(crate) name: String,
    /// What the real library sees.
    pub(crate) json: Json,
    /// Its files.
    pub(crate) files: MemoryFiles,
}

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/lsm"))
}

/// The fixtures whose name begins with one of `prefixes`, in the order of their names.
pub(crate) fn fixtures(prefixes: &[&str]) -> Vec<Fixture> {
    let mut names: Vec<String> = std::fs::read_dir(root())
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let name = name.strip_suffix(".json")?.to_owned();
            prefixes.iter().any(|prefix| name.starts_with(prefix)).then_some(name)
        })
        .collect();
    names.sort();
    assert!(!names.is_empty(), "no fixture begins with {prefixes:?}");
    names.iter().map(|name| fixture(name)).collect()
}

/// The fixture called `name`.
pub(crate) fn fixture(name: &str) -> Fixture {
    let text = std::fs::read_to_string(root().join(format!("{name}.json"))).unwrap();
    let files = std::fs::read_dir(root().join(name)).unwrap().filter_map(|entry| {
        let entry = entry.unwrap();
        let is_file = entry.file_type().unwrap().is_file();
        let name = entry.file_name().into_string().unwrap();
        is_file.then(|| (name, std::fs::read(entry.path()).unwrap()))
    });
    Fixture {
        name: name.to_owned(),
        json: serde_json::from_str(&text).unwrap(),
        files: MemoryFiles::new(files),
    }
}

impl Fixture {
    /// Its files whose names `keep` wants.
    pub(crate) fn without(&self, keep: impl Fn(&str) -> bool) -> MemoryFiles {
        let kept = self.files.list().iter().filter(|file| keep(&file.name));
        MemoryFiles::new(
            kept.map(|file| {
                (file.name.clone(), self.files.read_whole(&file.name, u64::MAX).unwrap())
            }),
        )
    }

    /// The files whose name ends in one of `extensions`.
    pub(crate) fn named(&self, extensions: &[&str]) -> Vec<String> {
        let names = self.files.list().iter().map(|file| file.name.clone());
        let fits = |name: &String| {
            name.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
        };
        names.filter(fits).collect()
    }

    /// The tables in the description of the fixture, with their descriptions.
    pub(crate) fn tables(&self) -> Vec<(String, Json)> {
        let tables = self.json["tables"].as_object();
        tables.map_or_else(Vec::new, |tables| {
            tables.iter().map(|(name, description)| (name.clone(), description.clone())).collect()
        })
    }

    /// The order of the family with this name; of a dropped family the order in the description of the table.
    pub(crate) fn comparator(&self, description: &Json) -> Comparator {
        let mut families = self.json["column_families"].as_array().into_iter().flatten();
        let family = families.find(|family| family["name"] == description["column_family"]);
        let name = family.map_or(&description["comparator"], |family| &family["comparator"]);
        Comparator::named(name.as_str().unwrap().as_bytes())
    }
}

/// Whose directory it is.
pub(crate) fn engine_of(json: &Json) -> Engine {
    match json["engine"].as_str() {
        Some("rocksdb") => Engine::RocksDb,
        Some("pebble") => Engine::Pebble,
        Some("leveldb") => Engine::LevelDb,
        other => panic!("the engine is {other:?}"),
    }
}

/// A number of an object.
pub(crate) fn number(object: &Json, name: &str) -> Option<u64> {
    object.get(name)?.as_u64()
}

/// The same number of all objects.
pub(crate) fn numbers<'a>(objects: impl IntoIterator<Item = &'a Json>, name: &str) -> Vec<u64> {
    objects.into_iter().map(|object| number(object, name).unwrap()).collect()
}

/// The digest of live entries, as descriptions have it.
pub(crate) fn digest(live: &BTreeMap<Vec<u8>, Vec<u8>>) -> String {
    let mut hash = Sha256::new();
    for (key, value) in live {
        for bytes in [key, value] {
            hash.update(u32::try_from(bytes.len()).unwrap().to_le_bytes());
            hash.update(bytes);
        }
    }
    hex(&hash.finalize())
}

/// The manifest of a fixture; the folder need not name it.
pub(crate) fn manifest(fixture: &Fixture) -> Manifest {
    let name = fixture.json["manifest"]["name"].as_str().unwrap();
    Manifest::open(&fixture.files, name, engine_of(&fixture.json)).unwrap()
}

/// Numbers that look random, the same for the same seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next byte.
    pub(crate) fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).unwrap()
    }

    /// The next number below `below`.
    pub(crate) fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % below.max(1) as u64).unwrap()
    }
}

/// The blocks of a table without their trailers, and its footer.
pub(crate) fn blocks(files: &dyn Files, engine: Engine, name: &str) -> Vec<Part> {
    let mut found = Vec::new();
    let mut waiting = vec![Vec::new()];
    while let Some(path) = waiting.pop() {
        let opened = inspect::open(files, engine, name, &path, (0, 1000)).unwrap();
        let mut part = opened.trail.last().unwrap().clone();
        if opened.parts.last().is_some_and(|last| last.kind == "trailer") {
            part.bytes -= 5;
            found.push(part);
        } else if part.kind == "footer" {
            found.push(part);
        } else {
            waiting
                .extend((0..opened.parts.len()).map(|place| [path.as_slice(), &[place]].concat()));
        }
    }
    found
}
