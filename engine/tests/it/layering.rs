//! The order of the modules, as docs/ARCHITECTURE.md draws it: a module imports only from its left.

use std::fs;
use std::path::Path;

/// Bottom up. Modules in one row do not import each other, except the pairs in [`ALLOWED`].
const ROWS: &[&[&str]] = &[
    &["sorting", "few"],
    &[
        "error", "identity", "limits", "text", "event", "probe", "view", "options", "prefix",
        "outcome", "storage", "coding", "key", "live", "flaw",
    ],
    &["ranges"],
    &["batch", "memtable", "wal", "filter", "cache", "table", "transaction"],
    &["manifest"],
    &["survey"],
    &["iter"],
    &["compaction"],
    &["inspect", "check", "ttl"],
    &["repair"],
    &["state"],
    &["job"],
    &["db"],
    &["internals"],
    &["testing"],
];

/// Imports against the rows, each with its reason.
const ALLOWED: &[(&str, &str)] = &[
    // Filters and caches are the parts of a table.
    ("table", "filter"),
    ("table", "cache"),
    ("cache", "table"),
    // A table tells the manifest what it holds, in the manifest's own words.
    ("table", "manifest"),
    // Every structure that can be walked implements the one cursor contract.
    ("table", "iter"),
    ("memtable", "iter"),
    ("transaction", "iter"),
    // What a transaction writes fits a batch.
    ("transaction", "batch"),
    // A log record's body is a batch.
    ("wal", "batch"),
];

fn row(module: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&module))
}

/// The modules that follow `crate::`, those in braces too: `use crate::{table::Table, wal}`.
fn imports(text: &str) -> Vec<String> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let mut found = Vec::new();
    for (index, path) in code.match_indices("crate::") {
        let rest = &code[index + path.len()..];
        match rest.strip_prefix('{') {
            Some(group) => found.extend(members(group).map(first_word)),
            None => found.push(first_word(rest)),
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

/// The parts of a group of imports that begins after its brace, each with its own groups.
fn members(group: &str) -> impl Iterator<Item = &str> {
    let mut depth = 1;
    let end = group.find(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    });
    let mut depth = 0;
    group[..end.unwrap_or(group.len())].split(move |c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    })
}

fn first_word(path: &str) -> String {
    path.trim_start().chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect()
}

#[test]
fn imports_in_braces_are_seen() {
    let text = "use crate::{Error, table::{Table, Block}, wal};\n// crate::nothing\nlet x = crate::key::y;";
    assert_eq!(imports(text), ["table", "wal", "key"]);
}

fn visit(directory: &Path, module: Option<&str>, problems: &mut Vec<String>) {
    for entry in fs::read_dir(directory).expect("the sources are there") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let inside = module.map_or(stem.clone(), str::to_owned);
        // Unit tests may reach for whatever they need.
        if stem == "tests" {
            continue;
        }
        if path.is_dir() {
            visit(&path, Some(&inside), problems);
            continue;
        }
        if stem == "lib" || path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let Some(own) = row(&inside) else {
            problems.push(format!("{} belongs to no row", path.display()));
            continue;
        };
        let text = fs::read_to_string(&path).expect("readable");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for import in imports(text) {
            let allowed = import == inside || ALLOWED.contains(&(&inside, &import));
            match row(&import) {
                Some(other) if other < own || allowed || (own == 0 && other == 0) => {}
                Some(_) => problems.push(format!("{} imports {import}", path.display())),
                None => problems.push(format!("{} imports unknown {import}", path.display())),
            }
        }
    }
}

#[test]
fn modules_import_only_from_their_left() {
    let mut problems = Vec::new();
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), None, &mut problems);
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn effects_stay_in_the_files_named_for_them() {
    fn visit(directory: &Path, problems: &mut Vec<String>) {
        for entry in fs::read_dir(directory).expect("the sources are there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                visit(&path, problems);
                continue;
            }
            let text = fs::read_to_string(&path).expect("readable");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let name = path.to_string_lossy().replace('\\', "/");
            let may = |file: &str| name.ends_with(file);
            let files =
                ["storage/native.rs", "storage/native_lock.rs", "storage/native_process.rs"]
                    .into_iter()
                    .any(may);
            for (effect, file) in [
                ("std::fs", "the files of the native storage"),
                ("std::thread", "job/threads.rs"),
                ("std::time", "nowhere"),
                ("println!", "nowhere"),
                ("web_sys", "nowhere"),
                ("unsafe ", "nowhere"),
            ] {
                let used = code
                    .lines()
                    .any(|line| !line.trim_start().starts_with("//") && line.contains(effect));
                // It watches how another program renews its lease.
                let in_lock =
                    may("storage/native_lock.rs") && ["std::thread", "std::time"].contains(&effect);
                let in_files = files && effect == "std::fs" || in_lock;
                let in_testing = (name.contains("/testing/")
                    && ["std::fs", "std::thread"].contains(&effect))
                    || (name.contains("/tests/") && effect == "println!")
                    || (may("/tests.rs") && ["std::thread", "std::fs"].contains(&effect));
                if used && !may(file) && !in_testing && !in_files {
                    problems.push(format!("{name} uses {effect}"));
                }
            }
        }
    }
    let mut problems = Vec::new();
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut problems);
    assert!(problems.is_empty(), "{problems:#?}");
}
