//! Experiments as the engine's module drives them.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use levelscope_wasm_labs::{Lab, State};
use serde_json::{Value, json};

fn run(settings: &Value) -> (Lab, State) {
    let mut lab = Lab::begin(&settings.to_string(), || 0);
    loop {
        match lab.step() {
            State::More => {}
            end => return (lab, end),
        }
    }
}

fn parsed(text: Option<String>) -> Value {
    serde_json::from_str(&text.expect("a report")).expect("it is JSON")
}

#[test]
fn an_experiment_ends_with_its_lines_and_its_report() {
    let (mut lab, end) = run(&json!(["L16", [100], [], true]));
    assert_eq!(end, State::Done);
    let (done, total) = lab.position();
    assert_eq!(Some(done), total);
    let report = parsed(lab.report(false));
    assert_eq!(report[1]["lab"]["id"], "L16");
    assert_eq!(report[1]["stopped"], false);
    assert!(report[0].as_array().is_some_and(|lines| lines.len() > 1));
    assert_eq!(lab.failure(), None);
}

#[test]
fn a_stopped_lab_is_marked_as_such() {
    let mut lab = Lab::begin(r#"["L16", [100], [], false]"#, || 0);
    assert_eq!(lab.step(), State::More);
    let report = parsed(lab.report(true));
    assert_eq!(report[1]["stopped"], true);
    assert_eq!(report[1]["figures"], json!([]));
}

#[test]
fn one_that_makes_no_sense_fails_with_advice() {
    let (mut lab, end) = run(&json!(["compare", [1000, 10, 10, 1, 0, 1], ["colour=red"], false]));
    assert_eq!(end, State::Failed);
    let [kind, message, hint] = [0, 1, 2].map(|at| parsed(lab.failure())[at].clone());
    assert_eq!((kind.as_str(), hint.is_string()), (Some("usage"), true), "{message}");
    assert_eq!(lab.report(true), None);
}
