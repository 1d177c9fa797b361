//! A closed directory of Levelscope in the terminal of directories: the verbs that those of other engines have.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and read files without the program's knowledge"
)]

mod room;

use levelscope::Options;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope_console::directory::{DirectoryHost, DirectorySession, Opened};
use levelscope_console::{Console, Failure, Host, Response};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::Policy;
use levelscope_foreign::{CountedFiles, MemoryFiles};
use room::{Room, accepted, content, text};
use std::cell::RefCell;
use std::sync::Arc;

/// A host around a disk in memory.
struct MemoryHost(MemoryStorage);

impl Host for MemoryHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(self.0.clone())
    }

    fn place(&self) -> String {
        "memory".into()
    }
}

/// A host that keeps what is saved.
#[derive(Default)]
struct Shop(RefCell<Vec<(String, usize)>>);

impl DirectoryHost for Shop {
    fn export(&self, _: &Directory<'_>, _: u32, _: &str, _: Policy) -> Result<Response, Failure> {
        Err(Failure::usage("this host writes nothing"))
    }

    fn save(&self, path: &str, content: &[u8], _: bool) -> Result<(), Failure> {
        self.0.borrow_mut().push((path.to_owned(), content.len()));
        Ok(())
    }
}

/// The files of a database with levels, a history, range deletes and an unflushed log.
fn own() -> Vec<(String, Vec<u8>)> {
    let disk = MemoryStorage::default();
    let mut console = Console::new(Box::new(MemoryHost(disk.clone())));
    console.open(Options::preset("classroom").expect("it exists")).expect("it opens");
    let line = "fill 90 --seed 1; run; delete-range 0000000000000010 0000000000000020; \
                del 0000000000000030; flush; fill 40 --seed 2; run; delete-range z; put last 1";
    assert_eq!(console.run(line).error, None);
    console.close().expect("it closes");
    let names = disk.list().expect("it lists");
    let names = names.iter().filter_map(|name| FileName::parse(name));
    let names = names.filter(|name| *name != FileName::Lock);
    names.map(|name| (name.to_string(), disk.read(name).expect("it reads"))).collect()
}

/// What the lines print on a directory of `files`, each after its line; and what was saved.
fn session(files: &[(String, Vec<u8>)], lines: &[&str]) -> (String, Vec<(String, usize)>) {
    let files = MemoryFiles::new(files.iter().cloned());
    let counted = CountedFiles::new(&files);
    let directory = Directory::open(&counted).expect("it is recognized");
    let (opened, shop) = (Opened::Engine(Box::new(directory)), Shop::default());
    let mut session = DirectorySession::new(&opened, &shop, false);
    let mut out = String::new();
    for line in lines {
        out += &["> ", line, "\n"].concat();
        for (_, response) in session.run(line) {
            for line in response.lines {
                out += line.to_text().trim_end();
                out.push('\n');
            }
            if let Some(failure) = response.error {
                let hint = failure.hint.unwrap_or_default();
                out += &["error: ", &failure.message, "\nhint: ", &hint, "\n"].concat();
            }
        }
    }
    (out, shop.0.into_inner())
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
    assert_eq!(saved.first(), Some(&(name.clone(), bytes.len())));
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
