//! Directories that the original program wrote, and what the JSON beside each says of it.

use crate::fixture::{fixtures, format, unhex_value};
use crate::technique::Technique;
use levelscope::inspect::{Node, Scope};
use levelscope::testing::covers::assert_covers;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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
pub fn pairs(list: &Value) -> Vec<(Vec<u8>, Vec<u8>)> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|pair| (unhex_value(&pair[0]), unhex_value(&pair[1])))
        .collect()
}

/// The tree of `file`, which is known to name every byte once.
pub fn tree(id: &str, name: &str, file: &[u8]) -> Node {
    let tree = format(id).annotate(name, file, Scope::ALL);
    assert_covers(&tree, file);
    tree
}

/// The first node of `kind` below `node`, decoded content included.
pub fn find<'a>(node: &'a Node, test: &dyn Fn(&Node) -> bool) -> Option<&'a Node> {
    if test(node) {
        return Some(node);
    }
    node.children.iter().chain(&node.inside).find_map(|child| find(child, test))
}

/// Whether any node below says that something is damaged or a checksum wrong.
pub fn is_damaged(node: &Node) -> bool {
    find(node, &|node| node.kind == "damaged" || node.value.contains("wrong")).is_some()
}

/// Runs `test` for each seed that is asked for, under the name `name`.
pub fn for_seeds(name: &'static str, seeds: u64, mut test: impl FnMut(u64)) {
    let mut technique = Technique::new(name, seeds);
    while let Some(seed) = technique.next_seed() {
        test(seed);
        technique.count(1);
    }
}
