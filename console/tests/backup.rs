//! A backup that can be checked: `levelscope checkpoint DIR NEW`, then `levelscope check NEW`.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and damage files without the program's knowledge"
)]

mod common;

use common::{Directory, accepted, err, program, run};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
fn a_backup_is_made_and_checked() {
    let (source, copy) = (Directory::new("backup-source"), Directory::new("backup-copy"));
    accepted(&[source.path(), "--preset", "classroom", "-c", "fill 300; flush; run; put last 1"]);
    let count = accepted(&[source.path(), "--read-only", "-c", "count"]);
    let before = source.files();
    let output = accepted(&["checkpoint", source.path(), copy.path()]);
    assert!(output.starts_with("ok") && output.contains(" from logs"), "{output}");
    assert!(output.contains(&format!("levelscope check {}", copy.path())), "{output}");
    assert!(!output.contains("another program"), "{output}");
    assert!(source.files() == before, "the source was changed");

    assert!(accepted(&["check", copy.path()]).contains("no damage"));
    assert_eq!(accepted(&[copy.path(), "--read-only", "-c", "count"]), count);
    assert_eq!(accepted(&[copy.path(), "-c", "get last"]).trim(), "1");

    // The check of a backup finds what is wrong with it.
    let table = copy.files().into_iter().find(|(path, _)| path.extension() == Some("sst".as_ref()));
    let (table, mut bytes) = table.expect("a table");
    std::fs::remove_file(&table).expect("the link goes, the source keeps its table");
    *bytes.get_mut(30).expect("it is long") ^= 4;
    std::fs::write(&table, &bytes).expect("writes");
    assert_eq!(run(&["check", copy.path()]).status.code(), Some(1));
    assert!(accepted(&["check", source.path()]).contains("no damage"));

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
    let (source, copy) = (Directory::new("backup-open-source"), Directory::new("backup-open-copy"));
    let mut owner = program(&[source.path()]).stdin(Stdio::piped()).spawn().expect("starts");
    let mut input = owner.stdin.take().expect("it has an input");
    let mut answers = BufReader::new(owner.stdout.take().expect("it has an output"));
    writeln!(input, "put a 1").expect("it listens");
    answers.read_line(&mut String::new()).expect("it answers");
    let output = accepted(&["checkpoint", source.path(), copy.path(), "--json"]);
    assert!(output.contains("\"openElsewhere\":true"), "{output}");
    assert!(output.contains("another program has the database open"), "{output}");
    writeln!(input, "put a 2").expect("it listens");
    drop(input);
    assert!(owner.wait().expect("it ends").success());
    assert!(accepted(&["check", copy.path()]).contains("no damage"));
    assert_eq!(accepted(&[copy.path(), "-c", "get a"]).trim(), "1");
    assert_eq!(accepted(&[source.path(), "-c", "get a"]).trim(), "2");
}
