//! A closed directory of Levelscope in the terminal of directories: the verbs that those of other engines have.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and read files without the program's knowledge"
)]

mod closed;
mod room;

use closed::{Shop, closed, run};
use levelscope_console::directory::{DirectorySession, Opened};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::{CountedFiles, MemoryFiles};
use room::{Room, accepted, content, text};

/// The files of a database with levels, a history, range deletes and an unflushed log.
fn own() -> Vec<(String, Vec<u8>)> {
    closed(
        "fill 90 --seed 1; run; delete-range 0000000000000010 0000000000000020; \
         del 0000000000000030; flush; fill 40 --seed 2; run; delete-range z; put last 1",
    )
}

/// What the lines print on a directory of `files`, each after its line; and what was saved.
fn session(files: &[(String, Vec<u8>)], lines: &[&str]) -> (String, Vec<(String, Vec<u8>)>) {
    let files = MemoryFiles::new(files.iter().cloned());
    let counted = CountedFiles::new(&files);
    let directory = Directory::open(&counted).expect("it is recognized");
    let (opened, shop) = (Opened::Engine(Box::new(directory)), Shop::default());
    let mut session = DirectorySession::new(&opened, &shop, false);
    let mut out = String::new();
    for line in lines {
        out += &["> ", line, "\n"].concat();
        out += &run(&mut session, line);
    }
    (out, shop.saved.into_inner())
}

#[test]
fn a_session_on_a_closed_directory() {
    let files = own();
    let table = files.iter().find(|(name, _)| name.contains(".sst")).map_or("", |it| &it.0);
    let about = format!("about {}", table.trim_start_matches('0').trim_end_matches(".sst"));
    let layout = format!("layout {table} --limit 12");
    let node = format!("layout {table} --node block:1/entry:1");
    let lines = [
        "stats",
        "files",
        "levels",
        "steps",
        "goto 2",
        "levels",
        "now",
        "about",
        "about L1",
        &about,
        "explain last",
        "explain 0000000000000080",
        "get 0000000000000030",
        "scan --limit 5",
        "check --deep",
        "problems",
        "report",
        "report level0",
        "report cover",
        "report tombstones",
        "report scans",
        "report sizes",
        "report replay",
        "report stalls",
        "report logs",
        "report blobs",
        "report damage",
        &layout,
        &node,
        "hex CURRENT --at 4096 --length 32",
        "put a 1",
    ];
    let (out, _) = session(&files, &lines);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/own-directory.out");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &out).expect("it is written");
    }
    let known = std::fs::read_to_string(path).expect("it is there");
    assert!(out == known, "own-directory.out is out of date; UPDATE=1 rewrites it:\n{out}");
}

#[test]
fn damage_is_named_by_file_and_offset() {
    for (place, (name, content)) in own().iter().enumerate().filter(|(_, it)| !it.1.is_empty()) {
        let mut files = own();
        let at = content.len() / 2;
        if let Some(byte) = files.get_mut(place).and_then(|(_, bytes)| bytes.get_mut(at)) {
            *byte ^= 4;
        }
        let (out, _) = session(&files, &["check --deep", "report damage", "scan --limit 3"]);
        // One slot of CURRENT is as good as two, and its other bytes are unused.
        assert!(name == "CURRENT" || out.contains(name.as_str()), "{name}: {out}");
        assert!(!name.contains(".sst") || out.contains("error: 1 error found"), "{name}: {out}");
    }
}

#[test]
fn files_are_saved_and_converted() {
    let files = own();
    let table = files.iter().find(|(name, _)| name.contains(".sst"));
    let (name, bytes) = table.expect("there is one");
    let convert = format!("convert kvdb-log {name} --name copy.db");
    let (out, saved) = session(&files, &[&format!("save {name}"), &convert]);
    assert!(out.contains("copy.db is saved"), "{out}");
    assert_eq!(saved.first(), Some(&(name.clone(), bytes.clone())));
    assert_eq!(saved.get(1).map(|(name, _)| name.as_str()), Some("copy.db"));
}

#[test]
fn the_program_asks_the_files_what_no_open_database_answers() {
    let room = Room::new("own");
    let path = room.path("db");
    let line = "fill 400 --seed 3; flush; run; put last one";
    accepted(&[text(&path), "--preset", "classroom", "-c", line]);
    let before = content(&path);
    let look = |commands: &str| accepted(&[text(&path), "--read-only", "-c", commands]);
    let out = look("steps; get last; report tombstones");
    assert!(
        out.contains("empty database") && out.contains("A flush wrote") && out.contains("one"),
        "{out}"
    );
    assert!(look("problems").contains("no damage so far"));
    // What both answer, the engine answers.
    assert!(look("get last; levels").contains("one"));
    assert!(content(&path) == before, "nothing is written");
}
