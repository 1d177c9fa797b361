//! `compare`: two configurations, the same commands, a branch each.

use super::{console, text};
use levelscope_console::{Console, Response};
use serde_json::Value;

fn compared(console: &mut Console, line: &str) -> Value {
    let response = console.run(line);
    assert!(response.error.is_none(), "{}", text(&response));
    assert_eq!(response.answers[0].kind, "compare");
    response.result()
}

fn failure(response: Response) -> String {
    let failure = response.error.expect("it fails");
    format!("{}; {}", failure.message, failure.hint.unwrap_or_default())
}

const FILL: &str = "compare leveled tiered { fill 300 --words --seed 7; run }";

#[test]
fn both_sides_run_the_commands_in_braces_and_nothing_else_changes() {
    let mut console = console("classroom");
    console.run("put apple red");
    let before = console.state_hash().expect("memory can be read");
    let steps = console.steps();
    let result = compared(&mut console, FILL);
    assert_eq!(console.state_hash().expect("memory can be read"), before);
    assert_eq!(console.steps(), steps);
    let (branches, current) = console.branches();
    assert_eq!(current, 0);
    let names: Vec<&str> = branches.iter().map(|branch| branch.name.as_str()).collect();
    assert_eq!(names, ["main", "leveled 1", "tiered 2"]);
    assert!(branches.iter().skip(1).all(|branch| branch.memory && branch.parent.is_none()));
    for (at, side) in result["sides"].as_array().expect("sides").iter().enumerate() {
        assert_eq!(side["branch"], at + 1);
        assert_eq!(side["name"], names[at + 1]);
        assert_eq!(side["options"].as_array().expect("options").len(), 1);
        assert_eq!(side["steps"], branches[at + 1].steps);
        let outcome = &side["outcome"];
        assert!(outcome["tables"].as_u64() > Some(0), "{outcome}");
        assert!(outcome["spaceAmplification"].as_f64() >= Some(1.0), "{outcome}");
        assert!(outcome["searchedPresent"].as_f64() > Some(0.0), "{outcome}");
    }
    let [leveled, tiered] = [0, 1].map(|at| &result["sides"][at]["outcome"]);
    assert_eq!(leveled["userBytes"], tiered["userBytes"]);
    assert!(leveled["compactionBytes"].as_u64() > tiered["compactionBytes"].as_u64());
    assert!(leveled["levels"].as_u64() > tiered["levels"].as_u64());
}

#[test]
fn a_comparison_is_the_same_every_time() {
    let [one, two] = [(), ()].map(|()| compared(&mut console("classroom"), FILL));
    assert_eq!(one, two);
}

#[test]
fn moments_have_the_figures_of_their_steps() {
    let mut console = console("classroom");
    let result = compared(&mut console, FILL);
    for side in result["sides"].as_array().expect("sides") {
        let moments = side["moments"].as_array().expect("moments");
        let steps: Vec<u64> = moments.iter().filter_map(|moment| moment["step"].as_u64()).collect();
        assert!(steps.is_sorted_by(|one, two| one < two), "{steps:?}");
        assert_eq!(steps.last(), side["steps"].as_u64().as_ref());
        console.run(&format!("branch {}", side["name"].as_str().expect("a name")));
        for moment in moments.iter().step_by(97) {
            console.start_at("lsm; stats", moment["step"].as_u64().expect("a step"));
            let (view, stats) = loop {
                match console.advance(64) {
                    levelscope_console::Progress::Done(response) => {
                        assert!(response.error.is_none(), "{}", text(&response));
                        break (response.result()[0].clone(), response.result()[1].clone());
                    }
                    levelscope_console::Progress::More { .. } => {}
                    other => panic!("{other:?}"),
                }
            };
            let levels = view["levels"].as_array().expect("levels");
            let tables: usize =
                levels.iter().filter_map(|level| level["tables"].as_array()).map(Vec::len).sum();
            assert_eq!(moment["tables"], tables);
            assert_eq!(moment["userBytes"], stats["userBytes"]);
            assert_eq!(moment["tableBytes"], stats["tableBytes"]);
            let written = ["walBytes", "flushBytes", "compactionWriteBytes"];
            let written: u64 = written.iter().filter_map(|name| stats[name].as_u64()).sum();
            assert_eq!(moment["writtenBytes"], written);
        }
    }
}

#[test]
fn a_side_is_a_branch_as_any_other() {
    let mut console = console("classroom");
    compared(&mut console, FILL);
    let printed = text(&console.run("branch tiered 2; compact --plan; back 20; stats --hash; now"));
    assert!(printed.contains("You are on tiered 2, a database of its own."), "{printed}");
    assert!(printed.contains("strategy tiered"), "{printed}");
    assert!(!printed.contains("error"), "{printed}");
    let printed = text(&console.run("put more; fork 40; branches"));
    assert!(!printed.contains("error: the replay"), "{printed}");
    let printed = text(&console.run("branch main; branch --drop leveled 1; branches"));
    assert!(printed.contains("leveled 1 is dropped"), "{printed}");
}

#[test]
fn without_braces_the_commands_of_the_branch_run_again() {
    let mut console = console("classroom");
    console.run("put gone 1; reset --yes; put a 1; options set bloom_bits 5; fill 120 --words");
    console.run("step; step job; stats; get a; begin; put a 2; commit; run");
    let result = compared(&mut console, "compare leveled lazy-leveled");
    let commands = result["commands"].as_array().expect("commands");
    let texts: Vec<&str> = commands.iter().filter_map(|command| command["text"].as_str()).collect();
    let expected =
        ["put a 1", "fill 120 --words", "run", "get a", "begin", "put a 2", "commit", "run"];
    assert_eq!(texts, expected);
    assert_eq!(result["notes"], serde_json::json!([]));
    // The options in use are those of both sides.
    console.run("branch leveled 1");
    assert_eq!(console.options().bloom_bits, 5);
    assert_eq!(text(&console.run("get a")).lines().next(), Some("2"));
}

#[test]
fn a_command_that_fails_is_reported_and_the_next_one_runs() {
    let mut console = console("classroom");
    let response = console.run("compare leveled tiered { commit 5; put a 1 }");
    assert!(response.error.is_none());
    assert!(text(&response).contains("transaction 5 is not open"), "{}", text(&response));
    let failures = &response.result()["commands"][0]["failures"];
    assert_eq!(failures.as_array().map(Vec::len), Some(2));
    assert_eq!(response.result()["sides"][0]["outcome"]["userBytes"], 2);
}

#[test]
fn what_cannot_be_compared_is_refused_before_anything_runs() {
    for (line, why) in [
        ("compare leveled", "compare needs two configurations"),
        ("compare leveled tired { run }", "tired is neither a strategy nor a preset"),
        ("compare leveled leveled { run }", "the same options"),
        ("compare leveled blom_bits=1 { run }", "blom_bits"),
        ("compare leveled tiered { }", "no command between the braces"),
        ("compare leveled tiered { fork }", "fork cannot be compared"),
        ("compare leveled tiered { compare a b { run } }", "compare cannot be compared"),
        ("compare leveled tiered { options set bloom_bits 1 }", "options cannot be compared"),
        ("compare leveled tiered { fill }", "fill needs"),
        ("compare leveled tiered { run", "not finished"),
        ("compare leveled tiered", "no command of this branch has written data"),
        ("compare leveled tiered extra { run }", "extra is one argument too many"),
    ] {
        let mut console = console("classroom");
        let message = failure(console.run(line));
        assert!(message.contains(why), "{line}: {message}");
        assert_eq!(console.branches().0.len(), 1);
    }
    let mut console = console("classroom");
    for _ in 0..7 {
        compared(&mut console, "compare leveled tiered { put a 1 }");
    }
    let message = failure(console.run("compare leveled tiered { put a 1 }"));
    assert!(message.contains("2 branches are needed: there are 15"), "{message}");
}

#[test]
fn a_comparison_that_is_stopped_leaves_no_branch() {
    let mut console = console("classroom");
    console.start("compare leveled tiered { fill 100000 --words }");
    console.advance(500);
    console.cancel();
    let printed = text(&match console.advance(1) {
        levelscope_console::Progress::Done(response) => response,
        other => panic!("{other:?}"),
    });
    assert!(printed.contains("compare was stopped"), "{printed}");
    assert_eq!(console.branches().0.len(), 1);
}

#[test]
fn only_the_commands_up_to_the_step_on_show_are_compared() {
    let mut console = console("classroom");
    console.run("put a 1");
    let step = console.steps();
    console.run("put b 2");
    console.run(&format!("goto {step}"));
    let result = compared(&mut console, "compare leveled tiered");
    let texts: Vec<&str> = result["commands"]
        .as_array()
        .expect("commands")
        .iter()
        .filter_map(|c| c["text"].as_str())
        .collect();
    assert_eq!(texts, ["put a 1", "run"]);
}

#[test]
fn a_comparison_counts_commands_stopped_before_the_end() {
    let mut first = console("classroom");
    first.run("break after flush.install; fill 500 --words");
    let result = compared(&mut first, "compare leveled tiered { put a 1 }");
    assert_eq!(result["notes"], serde_json::json!([]));
    first.run("put z 1");
    let printed = text(&first.run("compare leveled tiered"));
    assert!(printed.contains("Left out, because stopped before the end: 1 command."), "{printed}");
}

#[test]
fn the_events_of_a_waiting_branch_can_be_listed_again() {
    let mut console = console("classroom");
    let result = compared(&mut console, FILL);
    for (branch, side) in result["sides"].as_array().expect("sides").iter().enumerate() {
        let last = side["steps"].as_u64().expect("a number");
        console.start_window(Some(branch + 1), 1, last, false);
        while !matches!(console.advance(64), levelscope_console::Progress::Done(_)) {}
        let window = console.take_window().expect("the events");
        assert_eq!((window.from, window.to), (1, last));
        assert_eq!(window.events.len() as u64, last);
    }
    assert_eq!(console.branches().1, 0);
    console.start_window(Some(9), 1, 1, false);
    let levelscope_console::Progress::Done(response) = console.advance(64) else {
        panic!("it is refused at once");
    };
    assert!(failure(response).contains("there is no branch 9"));
}
