//! `expect` in the program, as a shell sees it.
#![cfg(feature = "native")]
#![allow(clippy::expect_used, reason = "tests fail by panicking")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_levelscope"));
    let command = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    // A program that ends at an error may leave the rest unread.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is text")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("the errors are text")
}

#[test]
fn a_claim_that_does_not_hold_ends_a_script() {
    let script =
        "put apple red\nexpect get apple -> value == \"red\"\nexpect stats -> puts == 2\nput b 1\n";
    let output = run(&["--memory"], script);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("stats -> puts is 1, not == 2"), "{}", err(&output));
    assert!(
        out(&output).ends_with("get apple -> value is \"red\", as expected\n"),
        "{}",
        out(&output)
    );
    let output = run(&["--memory", "--json", "-c", "expect count -> entries == 0"], "");
    assert!(output.status.success() && out(&output).contains("\"holds\":true"), "{}", out(&output));
}

#[test]
fn background_threads_have_no_past_to_be_asked_of() {
    let threads = ["--memory", "--set", "maintenance=threads:1", "-c"];
    let output = run(&[&threads[..], &["expect count -> entries == 0"]].concat(), "");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        err(&output).contains("background threads do their work in another order"),
        "{}",
        err(&output)
    );
    let output = run(&[&threads[..], &["put a 1; flush; until after flush"]].concat(), "");
    assert!(err(&output).contains("which is not manual here"), "{}", err(&output));
}
