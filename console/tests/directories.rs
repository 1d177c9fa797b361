//! The time machine on real directories: what the past of files is that were there before.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and read files without the program's knowledge"
)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A directory of its own, removed at the end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("levelscope-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    /// One session: the results of its commands, and the error at which it ended.
    fn session(&self, options: &[&str], commands: &str) -> (Vec<Value>, Option<Value>) {
        let output = Command::new(env!("CARGO_BIN_EXE_levelscope"))
            .arg(&self.0)
            // Databases that are compared have to be the same one.
            .args(["--identity", IDENTITY])
            .args(["--preset", "classroom", "--json", "-c", commands])
            .args(options)
            .stdin(Stdio::null())
            .output()
            .expect("the program runs");
        let text = String::from_utf8(output.stdout).expect("the output is text");
        let mut results = Vec::new();
        for line in text.lines() {
            let mut answer: Value = serde_json::from_str(line).expect("each line is JSON");
            let error = answer["error"].take();
            if !error.is_null() {
                assert!(!output.status.success());
                return (results, Some(error));
            }
            results.push(answer["result"].take());
        }
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (results, None)
    }

    fn results(&self, commands: &str) -> Vec<Value> {
        let (results, error) = self.session(&[], commands);
        assert_eq!(error, None, "{commands}");
        results
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(&self.0).expect("the directory is there");
        entries
            .map(|entry| {
                let entry = entry.expect("it can be listed");
                let name = entry.file_name().into_string().expect("a plain name");
                (name, std::fs::read(entry.path()).expect("it can be read"))
            })
            .collect()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const IDENTITY: &str = "00112233445566778899aabbccddeeff";
const BEFORE: &str = "fill 60 --words --seed 7; run; put zeta old; del alpha";

#[test]
fn the_past_begins_with_the_files_that_were_there() {
    let directory = Directory::new("past");
    directory.results(BEFORE);
    let results = directory.results(
        "get zeta; put zeta 1; put zeta 2; goto 1; get zeta; lsm; back 5; why; forward 1000; get zeta",
    );
    assert_eq!(results[0]["value"], "old");
    // Step 1 belongs to the opening, and with it the call that opened the database.
    assert_eq!(results[3]["step"], 1);
    assert!(results[3]["sentence"].as_str().is_some_and(|it| it.starts_with("Opening begins")));
    assert_eq!(results[4]["value"], "old");
    assert_eq!(results[6]["step"], 1, "nothing is before the opening");
    assert_eq!(results[9]["value"], "2");
    // The next session begins anew, with what this one left.
    let next = directory.results("goto 1; get zeta");
    assert_eq!(next[1]["value"], "2");
}

#[test]
fn branches_change_nothing_in_the_directory() {
    let (lab, control) = (Directory::new("lab"), Directory::new("control"));
    for directory in [&lab, &control] {
        directory.results(BEFORE);
    }
    assert_eq!(lab.files(), control.files());
    let main = "put zeta 1; flush; run; put zeta 2";
    control.results(main);
    let results = lab.results(
        "put zeta 1; flush; run; put zeta 2; \
         back 2; fork; get zeta; fill 40 --words --seed 9; flush; run; compact; run; get zeta; check; \
         crash --keep torn --seed 3; get zeta; check; \
         branch main; crash before flush.install; branch main; break delete all; \
         corrupt CURRENT 4100 1; put zeta damaged; get zeta; \
         branch main; get zeta; check; branches",
    );
    let branches = results.last().and_then(Value::as_array).expect("a list");
    let names: Vec<&str> = branches.iter().filter_map(|branch| branch["name"].as_str()).collect();
    assert_eq!(names, ["main", "fork 1", "crash 2", "damage 3"]);
    assert_eq!(results[results.len() - 3]["value"], "2", "main is as it was");
    assert_eq!(lab.files(), control.files(), "the files are those of main alone");
    assert_eq!(lab.results("get zeta")[0]["value"], "2");
}

#[test]
fn a_crash_of_real_files_leaves_what_was_synced() {
    let directory = Directory::new("crash");
    directory.results(BEFORE);
    // The files that were there survive; what was never synced does not.
    let results = directory.results(
        "put kept 1; put lost 1 --sync off; crash --keep none; get kept; get lost; get zeta; check; \
         branch main; get lost",
    );
    assert_eq!(results[3]["value"], "1");
    assert_eq!(results[4]["found"], false);
    assert_eq!(results[5]["value"], "old");
    assert_eq!(results[8]["value"], "1");
    assert_eq!(directory.results("get lost")[0]["value"], "1", "there was no crash");
}

#[test]
fn a_directory_without_a_past_names_the_reason_and_stays_usable() {
    let directory = Directory::new("pastless");
    directory.results(BEFORE);
    let before = directory.files();
    for (options, why) in [
        (["--read-only"].as_slice(), "for reading only"),
        (["--set", "maintenance=threads:1"].as_slice(), "background threads"),
    ] {
        for command in ["back", "goto 1", "fork", "crash", "corrupt CURRENT 4100 1", "why"] {
            let (results, error) = directory.session(options, &format!("get zeta; {command}"));
            assert_eq!(results[0]["value"], "old");
            let message = error.map(|error| error["message"].to_string()).unwrap_or_default();
            assert!(message.contains(why), "{command} {options:?}: {message}");
        }
        if options == ["--read-only"] {
            assert_eq!(directory.files(), before);
        }
    }
    // More files than are copied at the start: 16 MiB.
    directory.results("put big 0; fill 20 --value-size 1000000; run");
    let (_, error) = directory.session(&[], "get zeta; back");
    let message = error.expect("it is refused")["message"].to_string();
    assert!(message.contains("MiB"), "{message}");
    assert_eq!(directory.results("get zeta; put zeta 3; get zeta")[2]["value"], "3");
}

#[test]
fn bytes_of_kept_files_are_flipped_on_a_branch_that_is_named() {
    let directory = Directory::new("flipped");
    directory.results("put a 1");
    let files = directory.files();
    let output = Command::new(env!("CARGO_BIN_EXE_levelscope"))
        .arg(&directory.0)
        .args(["-c", "corrupt CURRENT 100 1"])
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("You are on damage 1"), "{printed}");
    assert!(printed.contains("It is in memory only: not saved."), "{printed}");
    // Opening writes a slot of its own; the byte is as it was.
    assert_eq!(directory.files()["CURRENT"][100], files["CURRENT"][100]);
}
