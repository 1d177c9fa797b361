//! The program is killed in the middle of its writes; what it acknowledged has to be there.
//!
//! A child gets commands through a pipe and answers each with one line. At a moment drawn by the seed
//! it gets `SIGKILL`. The operating system keeps what the child has written, so every acknowledged
//! command counts, with `sync` on or off; a command that was sent may count.
//!
//! The expected content is written to a file beside the directory before the check; both stay when it fails.
#![cfg(feature = "native")]
#![allow(unreachable_pub, reason = "a module of this binary")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, prints its seed, and may use files and threads"
)]

#[path = "../../engine/tests/it/technique.rs"]
mod technique;

use levelscope::storage::{NativeStorage, Random};
use levelscope::{Db, ScanOptions};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use technique::Technique;

const KILLS_A_DIRECTORY: u64 = 5;

/// Every way to write that promises something when the process dies, and every driver of jobs.
const MODES: &[&[&str]] = &[
    &["wal_sync=group", "maintenance=inline"],
    &["wal_sync=none", "maintenance=inline"],
    &["wal_sync=group", "maintenance=threads:2"],
    &["wal_sync=none", "maintenance=threads:2"],
    // The console writes the log's buffer out before it answers.
    &["wal_sync=none", "wal_buffer_bytes=4k", "maintenance=inline"],
    &["wal_sync=interval:2000", "wal_buffer_bytes=4k", "maintenance=threads:2"],
];

/// Options in which little data makes many files.
const SMALL: &[&str] = &[
    "memtable_bytes=2k",
    "block_bytes=256",
    "table_bytes=2k",
    "l0_trigger=2",
    "level_base_bytes=8k",
    "level_multiplier=2",
];

type Model = BTreeMap<Vec<u8>, Vec<u8>>;

/// Command `number` of a seed, and what it does to the model.
fn command(seed: u64, number: u64, model: Option<&mut Model>) -> String {
    let mut random = Random::new(seed << 32 | number);
    let key = |random: &mut Random| format!("key{:02}", random.below(60));
    let (first, second) = (key(&mut random), key(&mut random));
    let value = format!("{number}{}", "v".repeat(random.up_to(60)));
    match random.below(40) {
        0 => "flush".into(),
        1 => "compact".into(),
        2..=7 => {
            if let Some(model) = model {
                model.remove(first.as_bytes());
            }
            format!("del {first}")
        }
        8..=20 => {
            if let Some(model) = model {
                model.insert(first.clone().into(), value.clone().into());
                model.remove(second.as_bytes());
            }
            format!("batch put {first} {value}, del {second}")
        }
        _ => {
            if let Some(model) = model {
                model.insert(first.clone().into(), value.clone().into());
            }
            format!("put {first} {value}")
        }
    }
}

/// A directory with its expected state, removed at the end of a test that went well.
struct TestDatabase {
    directory: PathBuf,
    expected: PathBuf,
}

impl TestDatabase {
    fn new(seed: u64) -> Self {
        let name = format!("levelscope-kill-{}-{seed}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let expected = directory.with_extension("expected");
        Self { directory, expected }
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("kept: {} and {}", self.directory.display(), self.expected.display());
            return;
        }
        let _ = std::fs::remove_dir_all(&self.directory);
        let _ = std::fs::remove_file(&self.expected);
    }
}

fn child(directory: &Path, mode: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_levelscope"));
    command.arg(directory).arg("--json");
    for setting in SMALL.iter().chain(mode) {
        command.args(["--set", setting]);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

/// Sends commands from number `from` on until the child is dead; how many it answered and was sent.
fn write_until_killed(
    seed: u64,
    from: u64,
    mode: &[&str],
    place: &TestDatabase,
    random: &mut Random,
) -> (u64, u64) {
    let mut child = child(&place.directory, mode);
    let mut input = child.stdin.take().expect("it has an input");
    let output = BufReader::new(child.stdout.take().expect("it has an output"));
    let answered = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&answered);
    let reader = std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            // A line that the kill has cut off is no answer.
            if line.contains("\"error\":null") && line.ends_with('}') {
                counter.fetch_add(1, Ordering::SeqCst);
            } else if !line.contains("\"error\":null") && line.ends_with('}') {
                return Err(line);
            }
        }
        Ok(())
    });
    // One in five dies while it starts; the others at some answer, or a little after it.
    let starting = random.below(5) == 0;
    let (answers, pause) = if starting {
        (0, random.below(15_000))
    } else {
        (1 + random.below(400), random.below(1500))
    };
    let window = 1 + random.below(64);
    let watched = Arc::clone(&answered);
    let killer = std::thread::spawn(move || {
        // Commands that fail would leave it waiting: the answers are judged below.
        for _ in 0..200_000 {
            if watched.load(Ordering::SeqCst) >= answers {
                break;
            }
            std::thread::sleep(Duration::from_micros(100));
        }
        std::thread::sleep(Duration::from_micros(pause));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    });
    let mut sent = 0;
    while !killer.is_finished() {
        if sent - answered.load(Ordering::SeqCst) >= window {
            std::thread::yield_now();
            continue;
        }
        sent += 1;
        if writeln!(input, "{}", command(seed, from + sent - 1, None)).is_err() {
            break;
        }
    }
    killer.join().expect("the child is dead");
    let failed = reader.join().expect("the answers are read");
    assert_eq!(failed, Ok(()), "seed {seed}: a command failed");
    (answered.load(Ordering::SeqCst), sent)
}

/// Everything in the database that lies in `directory`, after checking it.
fn contents(directory: &Path) -> levelscope::Result<Model> {
    let storage = Arc::new(NativeStorage::open(directory)?);
    let db = Db::builder().open_in(storage)?;
    let report = db.check()?;
    assert!(report.problems().is_empty(), "{:?}", report.problems());
    let mut iterator = db.iter(&ScanOptions::default())?;
    iterator.seek_to_first()?;
    let mut found = Model::new();
    while iterator.valid() {
        found.insert(iterator.key().to_vec(), iterator.value().to_vec());
        iterator.next()?;
    }
    Ok(found)
}

/// A copy, so that the next child meets what the kill has left and not what a look has mended.
fn copy(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir_all(to).expect("a directory");
    // A child killed at once has not even made its directory.
    for entry in std::fs::read_dir(from).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        std::fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("a copy");
    }
}

#[test]
fn what_a_killed_process_acknowledged_is_there() {
    let mut technique = Technique::new("process kills", 4);
    while let Some(seed) = technique.next_seed() {
        let mode = MODES[usize::try_from(seed % MODES.len() as u64).unwrap()];
        let place = TestDatabase::new(seed);
        let seen = place.directory.with_extension("copy");
        let mut random = Random::new(seed);
        let (mut model, mut done) = (Model::new(), 0);
        for kill in 0..KILLS_A_DIRECTORY {
            let (answered, sent) = write_until_killed(seed, done, mode, &place, &mut random);
            let context = format!(
                "seed {seed}, kill {kill}, {mode:?}: commands {done} to {} were answered and up to \
                 {} sent",
                done + answered,
                done + sent
            );
            std::fs::write(&place.expected, format!("{context}\n")).expect("it is noted");
            copy(&place.directory, &seen);
            let found = contents(&seen).unwrap_or_else(|error| panic!("{context}: {error}"));
            for number in done..done + answered {
                command(seed, number, Some(&mut model));
            }
            done += answered;
            let last = done + sent - answered;
            while model != found && done < last {
                command(seed, done, Some(&mut model));
                done += 1;
            }
            assert!(model == found, "{context}: it has another content, {} keys", found.len());
            technique.count(1);
        }
        let _ = std::fs::remove_dir_all(&seen);
    }
}
