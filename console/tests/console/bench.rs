//! `bench`: its measurements, on a clock that is the same in every run.

use super::{MemoryHost, console, text};
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope::{Db, Options};
use levelscope_console::{Console, Host, Progress, Scratch};
use std::sync::Arc;

const SMALL: &str = "--num 2000 --write_buffer_size=16k --max_file_size=16k";

#[test]
fn the_open_database_is_never_touched() {
    let mut console = console("classroom");
    console.run("fill 50; snapshot; run");
    let before = text(&console.run("lsm; wal; files; count"));
    let response = console.run(&format!("bench fillseq,deleteseq overwrite compact {SMALL}"));
    assert!(response.error.is_none(), "{}", text(&response));
    assert_eq!(text(&console.run("lsm; wal; files; count")), before);
}

#[test]
fn reads_find_what_fills_wrote() {
    let mut console = console("default");
    let names = "fillseq readseq readreverse readrandom readmissing readhot seekrandom seekordered \
                 compact readseq deleteseq readseq";
    let response = console.run(&format!("bench {names} {SMALL}"));
    assert!(response.error.is_none(), "{}", text(&response));
    let result = response.result();
    let rows = result.as_array().expect("a list of benchmarks");
    let of = |index: usize, field: &str| rows[index][field].clone();
    assert_eq!(rows.len(), names.split_whitespace().count());
    for scan in [1, 2, 9] {
        assert_eq!(of(scan, "operations"), 2000, "{}", rows[scan]);
        assert_eq!(of(scan, "bytes"), 2000 * 116, "{}", rows[scan]);
    }
    for (read, found) in [(3, 2000), (4, 0), (5, 2000), (6, 2000), (7, 2000)] {
        assert_eq!(of(read, "found"), found, "{}", rows[read]);
    }
    assert_eq!(of(11, "operations"), 0, "everything was deleted");
}

#[test]
fn a_host_that_works_in_slices_gets_the_same_and_can_stop() {
    let line = format!("bench fillrandom,overwrite,compact,readseq {SMALL}");
    let mut plain = console("default");
    let whole = plain.run(&line);
    let mut sliced = Console::new(Box::new(Slices(MemoryHost::default())));
    sliced.open(Options::default()).expect("an empty database opens");
    let parts = sliced.run(&line);
    for (one, other) in
        whole.result().as_array().unwrap().iter().zip(parts.result().as_array().unwrap())
    {
        for field in ["name", "operations", "bytes"] {
            assert_eq!(one[field], other[field], "{one} {other}");
        }
    }
    sliced.start("bench fillseq --num 1000000");
    for _ in 0..100 {
        assert!(matches!(sliced.advance(1), Progress::More { .. }));
    }
    sliced.cancel();
    let Progress::Done(response) = sliced.advance(1) else { panic!("it was stopped") };
    assert_eq!(response.error.map(|failure| failure.kind), Some("cancelled".into()));
}

#[test]
fn a_database_that_was_named_is_kept_and_never_emptied() {
    let storage = MemoryStorage::default();
    let mut console = Console::new(Box::new(Named(MemoryHost::default(), storage.clone())));
    console.open(Options::default()).expect("an empty database opens");
    let mut run = |line: &str| text(&console.run(line));
    let missing = run("bench readseq --db=there --use_existing_db=1");
    assert!(missing.contains("names no database"), "{missing}");
    let filled = run("bench fillseq --num 100 --db=there");
    assert!(!filled.contains("error"), "{filled}");
    let names = storage.list().expect("memory lists");
    assert!(names.iter().any(|name| FileName::parse(name) == Some(FileName::Current)), "{names:?}");
    let refused = run("bench fillseq --db=there");
    assert!(refused.contains("names a database already"), "{refused}");
    let read = run("bench fillseq,readseq --num 100 --db=there --use_existing_db=1");
    assert!(read.contains("skipped") && read.contains("readseq"), "{read}");
    let db = Db::builder().open_in(Arc::new(storage)).expect("it opens");
    assert!(db.get(b"0000000000000099").expect("it reads").is_some());
}

#[test]
fn keys_have_their_prefix_and_comparisons_are_counted() {
    let mut console = console("default");
    let line = format!(
        "bench fillseq,compact,readrandom,readmissing,sstables --key_prefix 8 --comparisons 1 {SMALL}"
    );
    let response = console.run(&line);
    assert!(response.error.is_none(), "{}", text(&response));
    let result = response.result();
    let rows = result.as_array().expect("a list of benchmarks");
    assert_eq!(rows[0]["bytes"], 2000 * (8 + 16 + 100));
    assert_eq!(
        (&rows[0]["comparisons"], &rows[2]["found"]),
        (&serde_json::Value::Null, &2000.into())
    );
    let each = rows[2]["comparisons"].as_u64().expect("a number") / 2000;
    assert!((5..30).contains(&each), "{each}");
    let printed = text(&response);
    assert!(printed.contains("24 bytes each") && printed.contains("comparisons: "), "{printed}");
    let (_, tables) = printed.split_once("--- level 0 ---").expect("the tables of each level");
    assert!(tables.contains("aaaaaaaa0000000000000000 .. aaaaaaaa"), "{tables}");
    let plain = console.run(&format!("bench fillseq,readrandom {SMALL}"));
    assert_eq!(plain.result()[1]["comparisons"], serde_json::Value::Null);
}

#[test]
fn a_scan_of_an_empty_database_is_no_measurement() {
    let response = console("default").run("bench readseq readrandom --num 10");
    assert_eq!(response.error, None);
    let printed = text(&response);
    assert!(printed.contains("readseq      : no operations: the database is empty\n"), "{printed}");
    assert!(printed.contains("(0 of 10 found)"), "{printed}");
}

#[test]
fn each_thread_does_all_operations() {
    let mut threads = Console::new(Box::new(Threads(MemoryHost::default())));
    threads.open(Options::default()).expect("an empty database opens");
    let response = threads.run(&format!(
        "bench fillrandom,overwrite,readrandom,readseq --threads 3 --histogram 1 {SMALL}"
    ));
    assert!(response.error.is_none(), "{}", text(&response));
    for row in response.result().as_array().expect("a list of benchmarks") {
        assert_eq!(row["threads"], 3, "{row}");
        let operations = row["operations"].as_u64().expect("a number");
        assert!(row["name"] == "readseq" || operations == 3 * 2000, "{row}");
        assert_eq!(operations % 3, 0, "every thread does the same: {row}");
    }
    for (line, why) in [
        ("bench open --threads 2", "run in one thread"),
        ("bench fillseq --threads 65", "1 to 64"),
        ("bench fillseq --reuse_logs 1", "begins a new log"),
    ] {
        let failure = threads.run(line).error.expect(line);
        assert!(failure.message.contains(why), "{failure:?}");
    }
    let alone = console("default").run("bench fillseq --threads 2").error.expect("no threads here");
    assert!(alone.message.contains("no threads here"), "{alone:?}");
}

/// A host with threads.
struct Threads(MemoryHost);

impl Host for Threads {
    fn storage(&self) -> Arc<dyn Storage> {
        self.0.storage()
    }

    fn place(&self) -> String {
        self.0.place()
    }

    fn threads_allowed(&self) -> bool {
        true
    }

    fn clock_nanos(&self) -> Option<u64> {
        self.0.clock_nanos()
    }
}

/// A host that wants calls to be short.
struct Slices(MemoryHost);

impl Host for Slices {
    fn storage(&self) -> Arc<dyn Storage> {
        self.0.storage()
    }

    fn place(&self) -> String {
        self.0.place()
    }

    fn in_slices(&self) -> bool {
        true
    }

    fn clock_nanos(&self) -> Option<u64> {
        self.0.clock_nanos()
    }
}

/// A host with one directory for `--db`.
struct Named(MemoryHost, MemoryStorage);

impl Host for Named {
    fn storage(&self) -> Arc<dyn Storage> {
        self.0.storage()
    }

    fn place(&self) -> String {
        self.0.place()
    }

    fn clock_nanos(&self) -> Option<u64> {
        self.0.clock_nanos()
    }

    fn scratch(&self, directory: Option<&str>) -> levelscope::Result<Scratch> {
        let place = directory.unwrap_or("memory").to_owned();
        Ok(Scratch { storage: Arc::new(self.1.clone()), place, guard: None })
    }
}
