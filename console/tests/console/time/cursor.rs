//! `back`, `forward`, `goto` and `now`.

use super::Lab;
use crate::text;

#[test]
fn commands_that_ask_are_answered_as_of_the_step_looked_at() {
    let mut lab = Lab::classroom();
    lab.run("put a 1; put b 2; flush; run; put a 3");
    let last = lab.console.steps();
    let hash = lab.hash();
    let goto = lab.run("goto 12");
    assert!(goto.error.is_none(), "{}", text(&goto));
    assert_eq!(
        (goto.result()["step"].as_u64(), goto.result()["last"].as_u64()),
        (Some(12), Some(last))
    );
    assert!(!goto.result()["sentence"].as_str().unwrap_or_default().is_empty());
    assert_eq!(lab.console.looks_at(), Some(12));
    for line in ["lsm", "get a", "scan", "stats", "files", "wal"] {
        let here = lab.run(line);
        let asked = lab.ask(line, 12);
        assert_eq!(here.result(), asked.result(), "{line}");
        assert_eq!(text(&here), text(&asked), "{line}");
    }
    assert_eq!(lab.run("back 2").result()["step"], 10);
    assert_eq!(lab.run("forward").result()["step"], 11);
    assert_eq!(lab.run("back 1000000").result()["step"], 1);
    // Asking has changed nothing, and the way back to now is short.
    assert_eq!(lab.run("forward 1000000").result()["step"], last);
    assert_eq!(lab.console.looks_at(), None);
    assert_eq!((lab.console.steps(), lab.hash()), (last, hash));
    assert_eq!(lab.run("get a").result()["value"], "3");
}

#[test]
fn the_past_is_not_changed_but_forked() {
    let mut lab = Lab::classroom();
    lab.run("put a 1; put a 2");
    let (last, hash) = (lab.console.steps(), lab.hash());
    lab.run("back 3");
    for line in ["put a 3", "flush", "fill 3", "corrupt 1 1", "options set sync off"] {
        let refused = lab.run(line).error.unwrap_or_else(|| panic!("{line} went through"));
        assert_eq!(refused.kind, "past", "{line}");
        assert!(refused.hint.unwrap_or_default().contains("`fork`"));
    }
    assert_eq!((lab.console.steps(), lab.hash()), (last, hash));
    let why = lab.run("why");
    assert_eq!(why.result()[0]["step"], last - 3, "{}", text(&why));
    let fork = lab.run("fork; put a 4; get a");
    assert!(fork.error.is_none(), "{}", text(&fork));
    assert_eq!(lab.console.looks_at(), None);
    assert_eq!(fork.result()[2]["value"], "4");
    assert_eq!(lab.run("branch main; get a").result()[1]["value"], "2");
}

/// An answer about the past names its step: an engine stands only between two calls.
#[test]
fn an_answer_about_the_past_names_its_step() {
    let mut lab = Lab::classroom();
    let before = lab.console.steps();
    lab.run("put a 1");
    let end = lab.console.steps();
    assert!(end > before + 2, "a put has several steps");
    let inside = end - 1;
    let words = format!("as of step {end}, the end of the call that contains step {inside}:");
    assert_eq!(text(&lab.ask("get a", inside)).lines().next(), Some(words.as_str()));
    let printed = text(&lab.ask("get a", before));
    assert_eq!(printed.lines().next(), Some(format!("as of step {before}:").as_str()));
    assert!(!text(&lab.ask("get a", end)).contains("of step"), "now is not the past");
    let goto = text(&lab.run(&format!("goto {inside}")));
    assert!(goto.contains(&format!("are of step {end}, the end of that call")), "{goto}");
    for line in ["get a", "mem", "wal", "fork"] {
        let printed = text(&lab.run(line));
        assert_eq!(printed.lines().next(), Some(words.as_str()), "{line}: {printed}");
    }
    assert_eq!(lab.console.branches().0[1].forked_at, Some(end));
}

#[test]
fn steps_count_from_1() {
    let mut lab = Lab::classroom();
    lab.run("put a 1");
    for line in ["goto 0", "why 0", "fork 0", "merge 0"] {
        let failure = lab.run(line).error.expect(line);
        assert!(failure.message.contains("steps count from 1"), "{line}: {failure:?}");
    }
}

#[test]
fn steps_that_never_were_are_refused_and_the_place_stays() {
    let mut lab = Lab::classroom();
    lab.run("put a 1");
    lab.run("goto 2");
    assert!(lab.run("goto 100000").error.is_some());
    assert!(lab.run("goto").error.is_some());
    assert!(lab.run("back x").error.is_some());
    assert_eq!(lab.console.looks_at(), Some(2));
    lab.run("now");
    assert_eq!(lab.console.looks_at(), None);
}

/// A lookup names the step of its state, wherever in its line and in time it was asked.
#[test]
fn an_explained_lookup_names_its_step() {
    let mut lab = Lab::classroom();
    let step_of = |result: &serde_json::Value| result["step"].as_u64();
    let line = lab.run("put k 1; explain get k; put k 2; put k 3; reset --yes");
    let explained = step_of(&line.result()[1]).expect("it names a step");
    assert!(explained < lab.console.steps());
    lab.run("put k 1");
    let put = lab.console.steps();
    assert_eq!(step_of(&lab.run("explain get k").result()), Some(lab.console.steps()));
    assert_eq!(step_of(&lab.run("explain prefix k").result()), Some(lab.console.steps()));
    lab.run("put k 2");
    // Twice: the first answer has left a step of its own in the replica.
    for _ in 0..2 {
        assert_eq!(step_of(&lab.ask("explain get k", put).result()), Some(put));
        // Inside a call the answer is of its end.
        assert_eq!(step_of(&lab.ask("explain get k", put - 1).result()), Some(put));
    }
    lab.run(&format!("goto {put}"));
    assert_eq!(step_of(&lab.run("explain get k").result()), Some(put));
}

/// A page asks about each line where it looks; commands of the session mean there what they always mean.
#[test]
fn a_line_about_the_past_runs_wherever_it_changes_nothing() {
    let mut lab = Lab::classroom();
    lab.run("put a 1");
    let first = lab.console.steps();
    lab.run("put a 2; put a 3");
    let (last, hash) = (lab.console.steps(), lab.hash());
    // One command that would change something refuses the whole line, before the others have run.
    for line in ["break on drop; put a 9", "get a; put a 9", "branches; reset --yes"] {
        let refused = lab.ask(line, first);
        assert!(refused.lines.is_empty(), "{line}");
        assert_eq!(refused.error.expect(line).kind, "past", "{line}");
    }
    assert_eq!((lab.console.steps(), lab.hash()), (last, hash));
    assert!(lab.console.breakpoints().is_empty());
    // An experiment works on a database of its own.
    let session = lab.ask("break on drop; get a; lab L15", first);
    assert!(session.error.is_none(), "{:?}", session.error);
    assert_eq!(session.result()[1]["value"], "1");
    let why = lab.ask("why", first);
    assert_eq!(why.result()[0]["step"], first);
    // What comes after a fork goes on there; the next line is about now again.
    let fork = lab.ask("fork; put a 4; get a", first);
    assert!(fork.error.is_none(), "{:?}", fork.error);
    assert_eq!(fork.result()[2]["value"], "4");
    assert_eq!(lab.console.branches().0[1].forked_at, Some(first));
    lab.run("branch main");
    assert_eq!(lab.run("get a").result()["value"], "3");
}

#[test]
fn reads_in_the_past_leave_its_figures_cache_and_files_as_they_were() {
    let mut lab = Lab::classroom();
    lab.run("fill 60 --seed 3; run; get user000001; put z 1");
    let step = lab.console.steps() - 1;
    for at in [step, lab.console.steps()] {
        let look = |lab: &mut Lab| {
            ["stats", "stats --hash", "files", "lsm"].map(|line| {
                let response = lab.ask(line, at);
                assert!(response.error.is_none(), "{line}: {:?}", response.error);
                response.result()
            })
        };
        let before = look(&mut lab);
        let reads =
            ["get user000001", "explain get user000002", "scan --limit 5", "count", "check"];
        let first: Vec<_> = reads.iter().map(|line| lab.ask(line, at).result()).collect();
        assert_eq!(look(&mut lab), before, "step {at}");
        // The cache is that of the step, however often a block was read there.
        let again: Vec<_> = reads.iter().map(|line| lab.ask(line, at).result()).collect();
        assert_eq!(again, first, "step {at}");
    }
    // The same while one stands there.
    let before = lab.ask("stats", step).result();
    lab.run(&format!("goto {step}"));
    for line in ["get user000001", "explain get user000002", "scan --limit 5"] {
        assert!(lab.run(line).error.is_none(), "{line}");
        assert_eq!(lab.run("stats").result(), before, "after {line}");
    }
}

#[test]
fn files_of_a_past_step_are_where_those_of_now_are() {
    let mut lab = Lab::classroom();
    lab.run("put a 1; put b 2");
    let place = |lab: &mut Lab, line: &str, step: Option<u64>| {
        let response = match step {
            Some(step) => lab.ask(line, step),
            None => lab.run(line),
        };
        let printed = text(&response);
        printed.trim_end().rsplit(" in ").next().unwrap_or_default().to_owned()
    };
    assert_eq!(place(&mut lab, "files", Some(3)), place(&mut lab, "files", None));
    lab.run("fork");
    let now = place(&mut lab, "files", None);
    assert!(now.starts_with("memory (fork 1"), "{now}");
    assert_eq!(place(&mut lab, "files", Some(3)), now);
}
