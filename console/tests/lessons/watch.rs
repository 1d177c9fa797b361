//! `levelscope lesson check --watch`: a file is checked again when it has changed.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A program that ends with its test, also with one that fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_watched_lesson_is_checked_after_each_change() {
    let directory = std::env::temp_dir().join(format!("levelscope-watch-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let file = directory.join("mine.md");
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lessons/07-deleting.md");
    let right = std::fs::read_to_string(library).expect("a lesson");
    std::fs::write(&file, &right).expect("a file");
    let program = Command::new(env!("CARGO_BIN_EXE_levelscope"))
        .args(["lesson", "check", "--watch"])
        .arg(&file)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut program = Running(program);
    let output = BufReader::new(program.0.stdout.take().expect("a pipe"));
    let mut lines = output.lines().map(|line| line.expect("a line"));
    let mut line = || lines.next().expect("the program goes on");
    assert!(line().ends_with("Ctrl-C ends."));
    assert!(line().ends_with("mine.md: 16 claims hold"));
    std::fs::write(&file, right.replace("get fig", "gte fig")).expect("a file");
    assert!(line().contains("mine.md:"), "the mistake is printed with its line");
    std::fs::write(&file, &right).expect("a file");
    // One mistake may take several lines.
    while !line().ends_with("16 claims hold") {}
    assert!(program.0.try_wait().expect("it can be asked").is_none(), "it is still at work");
    let _ = std::fs::remove_dir_all(&directory);
}
