//! Limits, and the messages when they are reached.

use super::Lab;
use levelscope::storage::{Crash, MemoryStorage};

#[test]
fn there_are_at_most_sixteen_branches() {
    let mut lab = Lab::classroom();
    lab.run("put a 1");
    for _ in 1..16 {
        assert!(lab.run("fork").error.is_none());
    }
    for line in ["fork", "crash", "fork 3"] {
        let failure = lab.run(line).error.expect("there are sixteen");
        assert_eq!(failure.kind, "unavailable");
        assert!(failure.message.contains("16 branches"), "{}", failure.message);
    }
    let (branches, current) = lab.console.branches();
    assert_eq!((branches.len(), current), (16, 15));
    assert_eq!(branches[3].name, "fork 3");
    assert_eq!(branches[3].parent, Some(2));
    assert!(branches[3].memory);
}

#[test]
fn a_branch_that_waits_is_dropped_with_its_memory() {
    let mut lab = Lab::classroom();
    lab.run("put a 1; fork; put a 2; fork; put a 3");
    let dropped = lab.run("branch --drop fork 1");
    assert_eq!(dropped.error, None);
    assert_eq!(dropped.result().as_array().map(Vec::len), Some(2), "{}", dropped.result());
    let printed = crate::text(&lab.run("branches"));
    assert!(
        printed.contains("fork 2") && printed.contains("left a dropped branch after step"),
        "{printed}"
    );
    // What came of it stays as it is, its past included.
    assert_eq!(lab.run("get a").result()["value"], "3");
    let steps = lab.console.steps();
    assert_eq!(lab.ask("get a", steps - 1).result()["value"], "3");
    for (line, why) in [
        ("branch --drop fork 2", "is the current branch"),
        ("branch --drop main", "the session began with it"),
        ("branch --drop fork 1", "there is no branch fork 1"),
        ("branch 1", "there is no branch 1"),
    ] {
        let failure = lab.run(line).error.expect(line);
        assert!(failure.message.contains(why), "{line}: {failure:?}");
    }
    // There is room again, and numbers are not used twice.
    lab.run("branch main");
    for _ in 0..14 {
        assert_eq!(lab.run("fork").error, None);
    }
    assert!(lab.run("fork").error.is_some());
    let (branches, current) = lab.console.branches();
    let ids: Vec<usize> = branches.iter().map(|branch| branch.id).collect();
    assert_eq!((ids, current), (std::iter::once(0).chain(2..=16).collect(), 16));
    lab.run("branch main; branch --drop 16; branch --drop 15");
    assert_eq!(lab.run("fork; branches").error, None);
    let choices = lab.console.complete("branch --drop ", 14);
    assert!(choices.iter().any(|choice| choice.text.contains("fork 2")), "{choices:?}");
}

#[test]
fn a_large_database_has_no_past_and_a_note() {
    let mut large = Lab::classroom();
    assert!(large.run("fill 2000 --value-size 1024; flush; run").error.is_none());
    let storage = large.storage.crash_image(Crash::KeepAll);
    let mut lab = Lab::new(storage, &[], false);
    lab.run("put a 1");
    for line in ["fork", "fork 2", "why"] {
        let failure = lab.run(line).error.expect("nothing can be replayed");
        assert_eq!(failure.kind, "unavailable", "{line}");
        assert!(failure.message.contains("at most 1.0 MiB"), "{}", failure.message);
    }
    assert!(lab.console.branches().0[0].pastless.is_some());
    assert_eq!(lab.run("get a").result()["value"], "1");
    // The disk itself holds what a crash leaves.
    assert!(lab.run("crash --keep all").error.is_none());
}

#[test]
fn a_full_journal_ends_the_past_and_nothing_else() {
    let mut lab = Lab::classroom();
    lab.run("put early 1");
    let early = lab.console.steps();
    let long = format!("put k {} # {}", 1, "x".repeat(1 << 20));
    for _ in 0..20 {
        assert!(lab.run(&long).error.is_none());
    }
    let pastless = lab.console.branches().0[0].pastless.clone().expect("it is full");
    assert!(pastless.contains("full"), "{pastless}");
    assert_eq!(lab.ask("get early", early).result()["value"], "1");
    let now = lab.console.steps();
    assert_eq!(lab.ask("get early", now).error.expect("a failure").kind, "unavailable");
    assert_eq!(lab.run("fork").error.expect("a failure").kind, "unavailable");
    assert!(lab.run(&format!("fork {early}")).error.is_none());
}

#[test]
fn background_threads_have_no_past() {
    let mut console = super::super::console("default");
    assert!(console.run("put a 1").error.is_none());
    // This host has no threads; the option is refused, and the past stays.
    assert!(console.run("options set maintenance threads:2").error.is_some());
    assert!(console.run("fork 1").error.is_none());
}

#[test]
#[ignore = "takes a minute; `npm run test:all` runs it"]
fn a_step_after_too_many_events_of_one_call_is_refused_with_a_way_out() {
    let settings = [
        ("maintenance", "inline"),
        ("memtable_bytes", "67108864"),
        ("l0_trigger", "100"),
        ("l0_slowdown", "200"),
        ("l0_stall", "300"),
        ("block_bytes", "4096"),
        ("wal_sync", "none"),
    ];
    let mut lab = Lab::new(MemoryStorage::new(), &settings, false);
    lab.run("fill 110000; flush; fill 110000; flush");
    let before = lab.console.steps();
    assert!(lab.run("compact 0").error.is_none());
    let now = lab.console.steps();
    assert!(now > before + 100, "the compaction is one call of many steps");
    lab.console.start_window(None, now, now, true);
    let failure = lab.finish().error.expect("too many details come before it");
    assert_eq!(failure.kind, "unavailable");
    assert!(failure.message.contains("more than 200,000 events"), "{failure:?}");
    assert!(failure.hint.is_some_and(|hint| hint.contains("maintenance manual")));
    // Without details, and at the beginning of the call, it can be replayed; the session goes on.
    for (from, details) in [(now, false), (before + 2, true)] {
        lab.console.start_window(None, from, from, details);
        let done = lab.finish();
        assert!(done.error.is_none(), "{from}: {:?}", done.error);
        assert!(lab.console.take_window().is_some_and(|window| window.to >= from));
    }
    assert!(lab.run("put a 1; get a").error.is_none());
}
