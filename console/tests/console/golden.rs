//! Whole scripts and what they print: `tests/golden/*.txt`. `UPDATE=1` writes them anew.
//!
//! A file begins with `preset NAME`; lines that begin with `> ` are typed (`| ` goes on with the
//! line above), everything else is what was printed.

use super::{console, text};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

#[test]
fn scripts_print_what_they_printed() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files: Vec<_> = fs::read_dir(directory)
        .expect("the directory exists")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut different = Vec::new();
    for path in files {
        let expected = fs::read_to_string(&path).expect("the file is text");
        let actual = replay(&expected);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, actual).expect("the file can be written");
        } else if actual != expected {
            let line = actual.lines().zip(expected.lines()).position(|(a, e)| a != e);
            different.push(format!(
                "{} at line {:?}:\n{actual}",
                path.display(),
                line.map(|l| l + 1)
            ));
        }
    }
    assert!(different.is_empty(), "UPDATE=1 accepts this:\n{}", different.join("\n"));
}

fn replay(script: &str) -> String {
    let mut lines = script.lines().peekable();
    let first = lines.next().unwrap_or("");
    let mut console = console(first.strip_prefix("preset ").expect("a preset comes first"));
    let mut out = format!("{first}\n");
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("> ") else {
            continue;
        };
        let mut command = command.to_owned();
        let _ = write!(out, "\n{line}\n");
        while let Some(more) = lines.next_if(|line| line.starts_with("| ")) {
            let _ = writeln!(out, "{more}");
            command.push('\n');
            command.push_str(more.get(2..).unwrap_or(""));
        }
        out.push_str(&text(&console.run(&command)));
    }
    out
}
