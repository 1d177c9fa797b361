//! A replica's answers about the past are right.

use super::{Lab, lab_for, perform, play, script, seeds};
use levelscope::event::Event;
use levelscope::storage::{Crash, FileName, MemoryStorage, Random};

#[test]
fn the_past_is_what_was_at_every_call() {
    let (mut boundaries, mut steps) = (0, 0);
    for seed in seeds(100) {
        let acts = script(seed);
        let mut lab = lab_for(seed);
        let found = play(&mut lab, &acts, seed.is_multiple_of(5));
        let now = lab.hash();
        for (step, hash) in found.iter().filter(|(step, _)| **step > 0) {
            assert_eq!(lab.hash_at(*step), *hash, "LEVELSCOPE_SEED={seed}, step {step}");
        }
        // Back, in no order.
        let mut random = Random::new(seed);
        let all: Vec<_> = found.iter().collect();
        for _ in 0..3 {
            let (step, hash) = all[random.up_to(all.len() - 1)];
            assert_eq!(lab.hash_at(*step), *hash, "LEVELSCOPE_SEED={seed}, back to {step}");
        }
        assert_eq!(lab.hash(), now, "LEVELSCOPE_SEED={seed}: questions changed the present");
        boundaries += found.len();
        steps += lab.console.steps();
    }
    println!("{boundaries} boundaries of {steps} steps were met again");
}

#[test]
fn a_fork_goes_on_as_its_parent_did() {
    for seed in seeds(100) {
        let acts = script(seed);
        let mut lab = lab_for(seed);
        let cut = Random::new(seed).up_to(acts.len());
        let mut marks = Vec::new();
        for act in &acts {
            marks.push((lab.console.steps(), lab.hash()));
            perform(&mut lab, act, false, &mut |_| {});
        }
        marks.push((lab.console.steps(), lab.hash()));
        let events = lab.heard.take();
        let (step, hash) = marks[cut];
        let forked = lab.run(&format!("fork {step}"));
        assert!(forked.error.is_none(), "LEVELSCOPE_SEED={seed}: {:?}", forked.error);
        assert_eq!(lab.hash(), hash, "LEVELSCOPE_SEED={seed}: at step {step}");
        // Later acts without a step of their own belong to the same step.
        let same = marks.iter().rposition(|(other, _)| *other == step).unwrap_or(cut);
        for act in &acts[same..] {
            perform(&mut lab, act, false, &mut |_| {});
        }
        let (end, last) = marks[acts.len()];
        assert_eq!(
            (lab.console.steps(), lab.hash()),
            (end, last),
            "LEVELSCOPE_SEED={seed}: {step}"
        );
        let after = lab.heard.take();
        let before: Vec<_> = events.into_iter().filter(|(other, _)| *other > step).collect();
        assert_eq!(after, before, "LEVELSCOPE_SEED={seed}: other events after step {step}");
        // The parent is where it was.
        assert!(lab.run("branch main").error.is_none());
        assert_eq!(lab.hash(), last, "LEVELSCOPE_SEED={seed}");
    }
}

#[test]
fn a_window_returns_the_same_events_again() {
    for seed in seeds(60) {
        let acts = script(seed);
        let mut lab = lab_for(seed);
        lab.heard.details.store(seed.is_multiple_of(2), std::sync::atomic::Ordering::Relaxed);
        play(&mut lab, &acts, false);
        let events = lab.heard.take();
        let now = lab.console.steps();
        let mut random = Random::new(seed);
        for _ in 0..6 {
            let from = 1 + random.below(now);
            let to = (from + random.below(120)).min(now);
            lab.console.start_window(None, from, to, seed.is_multiple_of(2));
            let done = lab.finish();
            assert!(done.error.is_none(), "LEVELSCOPE_SEED={seed}: {:?}", done.error);
            let window = lab.console.take_window().expect("a window");
            assert!(window.from <= from && window.to >= to, "LEVELSCOPE_SEED={seed}");
            assert!(from - window.from < 2000, "{} for {from}", window.from);
            let there = |(step, event): &&(u64, Event)| {
                (window.from..=window.to).contains(step)
                    && (seed.is_multiple_of(2) || event.detail == 0)
            };
            let expected: Vec<_> = events.iter().filter(there).cloned().collect();
            assert_eq!(window.events, expected, "LEVELSCOPE_SEED={seed}: {from} to {to}");
            if window.from == 1 {
                assert_eq!(window.view, levelscope::view::View::default());
            }
        }
    }
}

#[test]
fn files_from_before_the_session_are_part_of_the_past() {
    let mut first = Lab::classroom();
    first.run("fill 60 --words; flush; run; put late 1");
    let storage = first.storage.crash_image(Crash::KeepAll);
    storage.put(".DS_Store", b"of the system");
    storage.put("LOCK", b"");
    drop(first);
    let mut lab = Lab::new(storage, &[], false);
    let opened = (lab.console.steps(), lab.hash());
    lab.run("put a 1; flush; run");
    let worked = (lab.console.steps(), lab.hash());
    assert_eq!(lab.hash_at(opened.0), opened.1);
    assert_eq!(lab.hash_at(worked.0), worked.1);
    assert_eq!(lab.ask("get late", opened.0).result()["value"], "1");
    assert_eq!(lab.ask("get a", opened.0).result()["found"], false);
    assert_eq!(lab.run("get a").result()["value"], "1");
}

#[test]
fn the_past_answers_and_is_not_changed() {
    let mut lab = Lab::classroom();
    lab.run("put a 1");
    let then = lab.console.steps();
    lab.run("put a 2");
    let now = lab.hash();
    for (line, value) in [("get a", "1"), ("get a", "1"), ("put b 3", "")] {
        let answer = lab.ask(line, then);
        if value.is_empty() {
            let failure = answer.error.expect("the past is read only");
            assert_eq!(failure.kind, "past");
            assert!(failure.hint.is_some_and(|hint| hint.contains("fork")));
        } else {
            assert_eq!(answer.result()["value"], value);
        }
    }
    // Before the opening there is no database; after the newest step there is nothing.
    assert_eq!(lab.ask("get a", 0).error.expect("nothing is open").kind, "closed");
    assert_eq!(lab.ask("get a", 10_000).error.expect("there is no such step").kind, "usage");
    assert_eq!(lab.hash(), now);
    assert_eq!(lab.console.take_branch_changes(), (false, false));
}

#[test]
fn reopening_and_reset_are_part_of_the_past() {
    let mut lab = Lab::new(MemoryStorage::new(), &[], true);
    lab.run("put a 1; flush; run");
    let before = (lab.console.steps(), lab.hash());
    lab.run("options set memtable_bytes 2048");
    lab.run("put b 2");
    lab.run("reset --yes");
    lab.run("put c 3");
    assert_eq!(lab.hash_at(before.0), before.1);
    assert_eq!(lab.ask("get a", before.0).result()["value"], "1");
    let now = lab.console.steps();
    assert_eq!(lab.ask("get a", now).result()["found"], false);
    assert_eq!(lab.ask("get c", now).result()["value"], "3");
}

#[test]
fn a_window_deep_in_a_long_command_is_found() {
    let mut lab = Lab::new(MemoryStorage::new(), &[("memtable_bytes", "65536")], false);
    lab.run("fill 20000");
    let now = lab.console.steps();
    for from in [now - 5, now / 2, 40] {
        lab.console.start_window(None, from, from + 3, false);
        let done = lab.finish();
        assert!(done.error.is_none(), "{from}: {:?}", done.error);
        let window = lab.console.take_window().expect("a window");
        assert!(window.from <= from && window.to >= from + 3);
        assert!(window.events.len() < 5000, "{}", window.events.len());
        let steps: Vec<u64> = window.events.iter().map(|(step, _)| *step).collect();
        assert_eq!(steps, (window.from..=window.to).collect::<Vec<_>>());
    }
    // More than one window may hold: it ends early, at the end of a call.
    lab.console.start_window(None, 1, now, false);
    assert!(lab.finish().error.is_none());
    let window = lab.console.take_window().expect("a window");
    assert!((20_000..30_000).contains(&window.events.len()), "{}", window.events.len());
    assert!(window.from == 1 && window.to < now);
}

/// A file that fails in the session and not in the replay: what a host cannot promise away.
#[test]
fn a_replay_that_differs_is_reported_once_and_a_new_history_begins() {
    let mut lab = Lab::classroom();
    lab.run("fill 60 --words; flush; run");
    let early = lab.console.steps();
    let table = lab.run("files").result();
    let files = table.as_array().expect("files").iter();
    let names: Vec<String> =
        files.filter_map(|file| file["name"].as_str().map(str::to_owned)).collect();
    let mut parsed = names.iter().filter_map(|name| FileName::parse(name));
    let file = parsed.find(|file| matches!(file, FileName::Table(_))).expect("a table");
    lab.storage.corrupt(file, 40, 0xff).expect("memory can be damaged");
    lab.run("options set bloom_bits 12; compact; run");
    assert!(lab.run("put a 1").error.is_some(), "the damage made it read-only");
    lab.storage.corrupt(file, 40, 0xff).expect("memory can be damaged");
    let now = lab.console.steps();
    let response = lab.ask("get a", now);
    let failure = response.error.expect("the replay differs");
    assert!(failure.message.contains("the replay came to step"), "{}", failure.message);
    assert!(failure.hint.is_some_and(|hint| hint.contains("a new history begins after step")));
    // What came before cannot be asked; what comes now can, and the session works.
    assert_eq!(lab.ask("get a", early).error.expect("it is gone").kind, "unavailable");
    assert!(lab.run("put a 2; flush; run").error.is_none());
    let (step, hash) = (lab.console.steps(), lab.hash());
    assert!(lab.run("put a 3").error.is_none());
    assert_eq!(lab.hash_at(step), hash);
    assert_eq!(lab.ask("get a", step).result()["value"], "2");
    assert!(lab.run(&format!("fork {step}")).error.is_none());
    assert_eq!(lab.hash(), hash);
}

/// What differs within a command is noticed where the command ends: before that no step is known to be wrong.
#[test]
fn a_replay_that_differs_within_a_command_is_noticed_at_its_end() {
    let mut lab = Lab::classroom();
    lab.run("fill 60 --words; flush; run");
    let names = lab.run("files").result();
    let names = names.as_array().into_iter().flatten().filter_map(|file| file["name"].as_str());
    let mut parsed = names.filter_map(FileName::parse);
    let file = parsed.find(|file| matches!(file, FileName::Table(_))).expect("a table");
    lab.storage.corrupt(file, 40, 0xff).expect("memory can be damaged");
    lab.run("options set bloom_bits 12; compact");
    let begun = lab.console.steps();
    assert!(lab.run("run").error.is_some(), "the damage ends the compaction");
    lab.storage.corrupt(file, 40, 0xff).expect("memory can be damaged");
    let failed = lab.console.steps();
    assert!(failed > begun + 1, "the command has made steps before it failed");
    assert!(lab.run("get nothing").error.is_none());
    let now = lab.console.steps();
    // Within the command, before the difference.
    assert_eq!(lab.ask("lsm", begun + 1).error, None);
    assert_eq!(lab.ask("stats", begun).error, None);
    // After its end.
    let failure = lab.ask("lsm", now).error.expect("the replay differs");
    assert!(failure.message.contains("the replay came to step"), "{failure:?}");
    // The session goes on, with a new history.
    assert!(lab.run("put a 2; flush; run").error.is_none());
    let step = lab.console.steps();
    lab.run("put a 3");
    assert_eq!(lab.ask("get a", step).result()["value"], "2");
    assert_eq!(
        lab.ask("lsm", begun + 1).error.expect("the old history is gone").kind,
        "unavailable"
    );
}
