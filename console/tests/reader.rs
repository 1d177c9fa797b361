//! A reader in one process beside a writer in another: it always sees a prefix of what the writer committed.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and read the output of a program in a thread"
)]

mod common;

use common::{Directory, program};
use levelscope::storage::NativeStorage;
use levelscope::{Db, Entries, ErrorKind};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::Arc;

/// The writer sets key `n % KEYS` to `n`, for each `n` from 1 on.
const KEYS: u64 = 40;

/// The program, and its input.
fn started(arguments: &[&str]) -> (Child, ChildStdin) {
    let mut command = program(arguments);
    // What it complains about is shown by the test.
    command.stdin(Stdio::piped()).stderr(Stdio::inherit());
    let mut child = command.spawn().expect("the program starts");
    let input = child.stdin.take().expect("it has an input");
    (child, input)
}

fn pairs(entries: Entries) -> BTreeMap<Vec<u8>, Vec<u8>> {
    entries.map(|entry| entry.expect("reads")).map(|(key, value)| (key, value.to_vec())).collect()
}

/// How many writes the state holds: it must be the state after exactly so many.
fn writes_in(found: &BTreeMap<Vec<u8>, Vec<u8>>) -> u64 {
    let number = |value: &Vec<u8>| {
        let text = String::from_utf8_lossy(value);
        text.trim_start_matches('v').parse::<u64>().expect("a number")
    };
    let newest = found.values().map(number).max().unwrap_or(0);
    let oldest = newest.saturating_sub(KEYS - 1).max(1);
    let expected: BTreeMap<Vec<u8>, Vec<u8>> =
        (oldest..=newest).map(|n| (key(n).into_bytes(), value(n).into_bytes())).collect();
    assert!(*found == expected, "not the state after {newest} writes: {found:?}");
    newest
}

fn key(n: u64) -> String {
    format!("key{:02}", n % KEYS)
}

fn value(n: u64) -> String {
    format!("{n:v>40}")
}

#[test]
fn a_reader_sees_prefixes_of_a_writer_in_another_process() {
    let directory = Directory::new("reader-prefix");
    let settings = ["memtable_bytes=4k", "table_bytes=4k", "l0_trigger=2", "maintenance=inline"];
    let mut arguments = vec![directory.path()];
    arguments.extend(settings.iter().flat_map(|setting| ["--set", setting]));
    arguments.extend(["--set", "wal_sync=none"]);
    let (mut writer, mut input) = started(&arguments);
    let mut answers = BufReader::new(writer.stdout.take().expect("it has an output"));
    let mut put = |n: u64| {
        let extra = if n.is_multiple_of(200) { "; compact" } else { "" };
        writeln!(input, "put {} {}{extra}", key(n), value(n)).expect("it listens");
    };
    put(1);
    answers.read_line(&mut String::new()).expect("it answers");
    // What the writer prints is read elsewhere, so that it never waits for this test.
    let drained = std::thread::spawn(move || answers.lines().map_while(Result::ok).count());

    let files = Arc::new(NativeStorage::read_only(&directory.0).expect("a directory"));
    let reader = Db::builder().read_only().open_in(files).expect("opens");
    let mut shown = writes_in(&pairs(reader.range(..).expect("an iterator")));
    let (mut moves, mut written) = (0, 1);
    while written < 2000 || moves < 30 {
        for _ in 0..25 {
            written += 1;
            put(written);
        }
        // Before it moves, the reader shows what it showed, although the writer replaces all files.
        assert_eq!(writes_in(&pairs(reader.range(..).expect("an iterator"))), shown);
        let (snapshot, before) = (reader.snapshot(), shown);
        let lag = reader.lag().expect("reads");
        moves += u64::from(reader.refresh().expect("refreshes"));
        shown = writes_in(&pairs(reader.range(..).expect("an iterator")));
        assert!(shown >= before + lag.writes() && shown <= written, "{before}, {shown}, {lag:?}");
        assert_eq!(writes_in(&pairs(snapshot.range(..).expect("an iterator"))), before);
    }
    drop(input);
    assert!(writer.wait().expect("it ends").success());
    assert!(drained.join().expect("it reads") > 1000);
    reader.refresh().expect("refreshes");
    assert_eq!(writes_in(&pairs(reader.range(..).expect("an iterator"))), written);
    assert!(reader.lag().expect("reads").is_none());
    assert_eq!(reader.put("key", "value").expect_err("refused").kind(), ErrorKind::ReadOnly);
}

#[test]
fn the_program_reports_the_age_of_its_state_and_moves() {
    let directory = Directory::new("reader-program");
    let (mut owner, mut input) = started(&[directory.path()]);
    let mut answers = BufReader::new(owner.stdout.take().expect("it has an output"));
    writeln!(input, "put a 1").expect("it listens");
    answers.read_line(&mut String::new()).expect("it answers");
    let (mut reader, mut questions) = started(&[directory.path(), "--read-only"]);
    let mut stdout = BufReader::new(reader.stdout.take().expect("it has an output"));
    let mut ask = |question: &str, lines: usize| -> String {
        writeln!(questions, "{question}").expect("it listens");
        let mut text = String::new();
        for _ in 0..lines {
            stdout.read_line(&mut text).expect("it answers");
        }
        text
    };
    assert!(ask("refresh --lag", 2).contains("files: nothing newer"));
    writeln!(input, "put a 2; put b 3").expect("it listens");
    answers.read_line(&mut String::new()).expect("it answers");
    answers.read_line(&mut String::new()).expect("it answers");
    assert_eq!(ask("get a", 1), "1\n");
    let lag = ask("refresh --lag", 2);
    assert!(lag.starts_with("shown: up to sequence number 1, read "), "{lag}");
    assert!(lag.contains("files: up to sequence number 3, 2 operations more"), "{lag}");
    let moved = ask("refresh", 1);
    assert_eq!(moved, "The newer state is shown: up to sequence number 3.\n");
    assert_eq!(ask("get a", 1), "2\n");
    assert!(ask("refresh", 1).starts_with("Nothing is newer"));
    drop((input, questions));
    assert!(owner.wait().expect("it ends").success() && reader.wait().expect("it ends").success());
}
