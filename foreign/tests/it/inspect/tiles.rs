//! Every byte of every file of the fixtures has a name, once.

use super::tree::Tree;
use crate::common::{engine_of, fixtures};
use levelscope_foreign::Files;
use levelscope_foreign::inspect::{Part, PartState};

/// Words of parts that nothing leads to; no part of a sound file has one.
const NAMELESS: [&str; 4] = ["damaged", "unnamed", "not known", "unknown"];

/// The kinds that docs/FORMATS.md lists.
const KINDS: [&str; 44] = [
    "table",
    "log",
    "manifest",
    "blob",
    "text",
    "file",
    "blocks",
    "block",
    "index",
    "filter",
    "ranges",
    "meta",
    "footer",
    "trailer",
    "content",
    "compressed",
    "entries",
    "entry",
    "restarts",
    "column",
    "record",
    "batch",
    "edit",
    "header",
    "field",
    "section",
    "line",
    "magic",
    "number",
    "count",
    "length",
    "offset",
    "sequence",
    "kind",
    "key",
    "value",
    "checksum",
    "bits",
    "zeros",
    "padding",
    "text",
    "bytes",
    "unread",
    "damaged",
];

#[test]
fn every_byte_of_every_file_has_a_name() {
    let (mut files, mut parts, mut unread) = (0, 0, 0);
    for fixture in fixtures(&[""]) {
        let damaged = fixture.json["damage"]["file"].as_str().map(str::to_owned);
        for file in fixture.files.list() {
            let engine = engine_of(&fixture.json);
            let tree = Tree::new(&fixture.files, engine, &fixture.name, &file.name);
            let all = tree.whole();
            let is_sound = damaged.as_ref().is_none_or(|damaged| !damaged.contains(&file.name));
            let unlisted = all.iter().find(|(_, part)| !KINDS.contains(&part.kind));
            assert_eq!(unlisted, None, "{}", tree.what);
            for (_, part) in all.iter().filter(|_| is_sound) {
                named(part, &tree.what);
                unread += usize::from(part.state == PartState::NotRead);
            }
            files += 1;
            parts += all.len();
        }
    }
    println!("{files} files, {parts} parts, {unread} not read");
    assert!(files > 800 && parts > 300_000);
    // Blocks of bzip2, and the rows of plain and cuckoo tables.
    assert!((3..60).contains(&unread), "{unread}");
}

fn named(part: &Part, what: &str) {
    let at = format!("{what}: {part:?}");
    assert_ne!(part.state, PartState::Damaged, "{at}");
    let words = format!("{} {}", part.name, part.value);
    // Keys and values of the user may hold any word.
    let is_ours = !matches!(part.kind, "key" | "value" | "text" | "entry" | "line" | "bytes");
    assert!(!is_ours || !NAMELESS.iter().any(|word| words.contains(word)), "{at}");
    if let Some(problem) = &part.problem {
        let reason = ["BZip2", "plain table", "cuckoo table"];
        assert!(reason.iter().any(|reason| problem.contains(reason)), "{at}");
    }
}

#[test]
fn damage_is_a_part_that_names_file_and_offset() {
    let mut count = 0;
    for fixture in fixtures(&["d"]) {
        let Some(damage) = fixture.json["damage"]["file"].as_str() else { continue };
        for file in fixture.files.list().iter().filter(|file| damage.contains(&file.name)) {
            let engine = engine_of(&fixture.json);
            let tree = Tree::new(&fixture.files, engine, &fixture.name, &file.name);
            for (_, part) in tree.whole() {
                let Some(problem) = &part.problem else { continue };
                assert!(problem.starts_with(&file.name), "{}: {problem}", fixture.name);
                assert!(problem.contains("at offset "), "{}: {problem}", fixture.name);
                count += 1;
            }
        }
    }
    assert!(count >= 6, "{count}");
}
