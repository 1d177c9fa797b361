//! Directories that the `LevelDB` library wrote are read as the JSON beside each describes, and any directory is read safely.

use crate::fixture::{fixtures, unhex_value};
use crate::technique::Technique;
use levelscope_foreign::export::{Carrier, Policy};
use levelscope_foreign::{CountedFiles, MemoryFiles};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Entries in order.
pub type Pairs = Vec<(Vec<u8>, Vec<u8>)>;
/// Files by name.
pub type Directory = BTreeMap<String, Vec<u8>>;

/// One directory and its description.
pub struct Fixture {
    pub name: String,
    pub files: Directory,
    pub json: Value,
}

pub fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn fixture(name: &str) -> Fixture {
    let directory = fixtures().join("leveldb").join(name);
    let files = fs::read_dir(&directory).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap())
    });
    let json = read_json(&directory.with_extension("json"));
    Fixture { name: name.to_owned(), files: files.collect(), json }
}

/// All directories, by name.
pub fn all() -> Vec<Fixture> {
    let entries =
        fs::read_dir(fixtures().join("leveldb")).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = entries
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 29, "{names:?}");
    names.iter().map(|name| fixture(name)).collect()
}

pub fn one(name: &str) -> Fixture {
    fixture(name)
}

/// A list of `[key, value]` in hexadecimal.
pub fn pairs(list: &Value) -> Pairs {
    list.as_array()
        .unwrap()
        .iter()
        .map(|pair| (unhex_value(&pair[0]), unhex_value(&pair[1])))
        .collect()
}

/// The live entries of a directory, as the reader of such directories has them.
///
/// # Errors
/// Damage, as a sentence.
pub fn live(files: &Directory) -> Result<Pairs, String> {
    let message = |error: levelscope_foreign::Error| error.to_string();
    let files = MemoryFiles::new(files.clone());
    let files = CountedFiles::new(&files);
    let directory = levelscope_foreign::directory::Directory::open(&files).map_err(message)?;
    let mut carrier = Carrier::new(&directory, 0, Policy::default()).map_err(message)?;
    let mut live = Vec::new();
    while let Some(entry) = carrier.next_entry().map_err(message)? {
        live.push(entry);
    }
    carrier.finish().map_err(message)?;
    Ok(live)
}

/// Runs `test` for each seed that is asked for, under the name `name`.
pub fn for_seeds(name: &'static str, seeds: u64, mut test: impl FnMut(u64)) {
    let mut technique = Technique::new(name, seeds);
    while let Some(seed) = technique.next_seed() {
        test(seed);
        technique.count(1);
    }
}
