//! The program as a shell sees it, and directories for it.
#![allow(dead_code, reason = "each test uses some of it")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A directory of its own, absent at first and removed at the end.
pub(crate) struct Directory(pub(crate) PathBuf);

impl Directory {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("levelscope-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("the path is text")
    }

    /// Paths and bytes of the files.
    pub(crate) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
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

/// The program, with no input and with its output kept.
pub(crate) fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_levelscope"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    program(arguments).output().expect("the program runs")
}

pub(crate) fn run_with_input(arguments: &[&str], input: &str) -> Output {
    let mut child = program(arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    // A program that ends at an error may leave the rest unread.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is text")
}

pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("the errors are text")
}

/// The output of a run that has to succeed.
pub(crate) fn accepted(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}{}", out(&output), err(&output));
    out(&output)
}
