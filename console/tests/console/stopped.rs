//! Commands that are stopped on their way.

use super::console;
use levelscope_console::Progress;
use serde_json::Value;

/// Runs `line` until `verb` is at work and has done so many units, and stops it there; its failure and its result.
fn stopped(line: &str, verb: &str, units: u32) -> (String, Value) {
    let mut console = console("classroom");
    console.start(line);
    let mut left = units;
    while left > 0 {
        let Progress::More { label, .. } = console.advance(1) else { panic!("{line} has ended") };
        left -= u32::from(label == verb);
    }
    console.cancel();
    console.cancel();
    let Progress::Done(response) = console.advance(1) else { panic!("{line} was stopped") };
    let result = response.result();
    (response.error.expect("a failure").message, result)
}

#[test]
fn a_fill_that_is_stopped_counts_its_writes() {
    let (message, result) = stopped("fill 5000 --words", "fill", 101);
    let written = result["entries"].as_u64().expect("a count");
    assert!((1..101).contains(&written), "{written}");
    assert_eq!(message, format!("fill was stopped; {written} of 5,000 writes were done"));
}

#[test]
fn only_what_changes_the_database_stays_done() {
    let (message, _) = stopped("fill 60 --words; run", "run", 3);
    assert_eq!(message, "run was stopped; what it had done stays done");
    let (message, _) = stopped("fill 50; read 5000", "read", 3);
    assert_eq!(message, "read was stopped");
}

#[test]
fn commands_after_a_stopped_one_are_listed() {
    let mut console = console("classroom");
    console.start("fill 5000; count; stats");
    assert!(matches!(console.advance(10), Progress::More { .. }));
    console.cancel();
    let Progress::Done(response) = console.advance(1) else { panic!("it was stopped") };
    let failure = response.error.expect("a failure");
    assert_eq!(failure.hint.as_deref(), Some("2 commands after it not run"));
}
