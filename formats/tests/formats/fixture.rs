//! The files in `tests/fixtures/formats`, and what must hold of any.

use levelscope::inspect::{Node, Scope};
use levelscope::testing::covers::assert_covers;
use levelscope_formats::{Entries, Format, Likeness, find, recognize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is in a file: keys, and values or `None` for tombstones.
pub type Pairs = Vec<(Vec<u8>, Option<Vec<u8>>)>;
/// The newest value of each key.
pub type State = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/formats")
}

/// The file at `path` under the fixtures.
pub fn file(path: &str) -> Vec<u8> {
    std::fs::read(fixtures().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The description at `path` under the fixtures.
pub fn described(path: &str) -> Value {
    serde_json::from_slice(&file(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names in the directory `path` under the fixtures with one of these endings, sorted.
pub fn names(path: &str, endings: &[&str]) -> Vec<String> {
    let entries = std::fs::read_dir(fixtures().join(path)).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| endings.iter().any(|ending| name.ends_with(ending)));
    names.sort();
    assert!(!names.is_empty(), "{path} has no files");
    names
}

/// The bytes of a text in hexadecimal.
pub fn unhex_value(value: &Value) -> Vec<u8> {
    unhex(value.as_str().unwrap_or_else(|| panic!("{value} is no text")))
}

pub fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2), "{text} is not hexadecimal");
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

/// `{key, op, value}`, as the descriptions of the ladder have them.
pub fn operation(value: &Value) -> (Vec<u8>, Option<Vec<u8>>) {
    let stored = match value["op"].as_str().unwrap() {
        "set" => Some(unhex_value(&value["value"])),
        "delete" => None,
        other => panic!("{other} is no operation"),
    };
    (unhex_value(&value["key"]), stored)
}

pub fn operations(list: &Value) -> Pairs {
    list.as_array().unwrap().iter().map(operation).collect()
}

/// `{key: value or null}`.
pub fn state(map: &Value) -> State {
    let pairs = map.as_object().unwrap().iter();
    let value = |value: &Value| (!value.is_null()).then(|| unhex_value(value));
    pairs.map(|(key, found)| (unhex_value(&Value::from(key.as_str())), value(found))).collect()
}

/// All entries; panics at damage.
pub fn pairs(entries: Entries<'_>, context: &str) -> Pairs {
    let entry = |entry: levelscope::Result<levelscope_formats::Entry<'_>>| {
        let entry = entry.unwrap_or_else(|error| panic!("{context}: {error}"));
        (entry.key.into_owned(), entry.value.map(std::borrow::Cow::into_owned))
    };
    entries.map(entry).collect()
}

pub fn format(id: &str) -> &'static dyn Format {
    find(id).unwrap_or_else(|| panic!("there is no format {id}"))
}

/// Checks that `id` is the first guess for the file called `name`.
pub fn assert_recognized(name: &str, file: &[u8], id: &str) -> Likeness {
    let found = recognize(name, file);
    let first = found.first().unwrap_or_else(|| panic!("{name}: nothing recognized, not {id}"));
    assert_eq!(first.format.info().id, id, "{name}: {found:?}");
    first.likeness
}

/// Whether some leaf is damaged.
pub fn has_damage(node: &Node) -> bool {
    node.kind == "damaged" || node.children.iter().chain(&node.inside).any(has_damage)
}

/// Names every byte of a sound file, wide and narrow.
pub fn assert_explained(format: &dyn Format, name: &str, file: &[u8]) {
    let tree = format.annotate(name, file, Scope::ALL);
    assert_covers(&tree, file);
    assert!(!has_damage(&tree), "{name}");
    for scope in [Scope::WIDE, Scope::OUTLINE, Scope::between(3, 5)] {
        assert_covers(&format.annotate(name, file, scope), file);
    }
}
