//! A backup that can be checked: `levelscope checkpoint DIR NEW`, then `levelscope check NEW`.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and damage files without the program's knowledge"
)]

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_levelscope"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    program(arguments).output().expect("the program runs")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The output of a run that has to succeed.
fn told(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}{}", out(&output), err(&output));
    out(&output)
}

/// A directory of its own, removed at the end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let name = format!("levelscope-backup-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the path is text")
    }

    /// Names and bytes of the files.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = std::fs::read_dir(&self.0).expect("a directory");
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        paths.into_iter().map(|path| (path.clone(), std::fs::read(path).expect("reads"))).collect()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_backup_is_made_and_checked() {
    let (source, copy) = (Directory::new("source"), Directory::new("copy"));
    told(&[source.path(), "--preset", "classroom", "-c", "fill 300; flush; run; put last 1"]);
    let count = told(&[source.path(), "--read-only", "-c", "count"]);
    let before = source.files();
    let said = told(&["checkpoint", source.path(), copy.path()]);
    assert!(said.starts_with("ok") && said.contains(" from logs"), "{said}");
    assert!(said.contains(&format!("levelscope check {}", copy.path())), "{said}");
    assert!(!said.contains("another program"), "{said}");
    assert!(source.files() == before, "the source was changed");

    assert!(told(&["check", copy.path()]).contains("no damage"));
    assert_eq!(told(&[copy.path(), "--read-only", "-c", "count"]), count);
    assert_eq!(told(&[copy.path(), "-c", "get last"]).trim(), "1");

    // The check of a backup finds what is wrong with it.
    let table = copy.files().into_iter().find(|(path, _)| path.extension() == Some("sst".as_ref()));
    let (table, mut bytes) = table.expect("a table");
    std::fs::remove_file(&table).expect("the link goes, the source keeps its table");
    *bytes.get_mut(30).expect("it is long") ^= 4;
    std::fs::write(&table, &bytes).expect("writes");
    assert_eq!(run(&["check", copy.path()]).status.code(), Some(1));
    assert!(told(&["check", source.path()]).contains("no damage"));

    let output = run(&["checkpoint", source.path(), copy.path()]);
    assert!(err(&output).contains("is not empty"), "{}", err(&output));
    for wrong in [&["checkpoint"][..], &["checkpoint", "a"], &["checkpoint", "a", "b", "c"]] {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    let nowhere = run(&["checkpoint", "/nowhere/at/all", "/nowhere/else"]);
    assert_eq!(nowhere.status.code(), Some(1));
}

#[test]
fn a_backup_is_made_while_another_program_has_the_database_open() {
    let (source, copy) = (Directory::new("open-source"), Directory::new("open-copy"));
    let mut owner = program(&[source.path()]).stdin(Stdio::piped()).spawn().expect("starts");
    let mut input = owner.stdin.take().expect("it has an input");
    let mut answers = BufReader::new(owner.stdout.take().expect("it has an output"));
    writeln!(input, "put a 1").expect("it listens");
    answers.read_line(&mut String::new()).expect("it answers");
    let said = told(&["checkpoint", source.path(), copy.path(), "--json"]);
    assert!(said.contains("\"openElsewhere\":true"), "{said}");
    assert!(said.contains("another program has the database open"), "{said}");
    writeln!(input, "put a 2").expect("it listens");
    drop(input);
    assert!(owner.wait().expect("it ends").success());
    assert!(told(&["check", copy.path()]).contains("no damage"));
    assert_eq!(told(&[copy.path(), "-c", "get a"]).trim(), "1");
    assert_eq!(told(&[source.path(), "-c", "get a"]).trim(), "2");
}
