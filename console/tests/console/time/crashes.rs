//! Crash points: after a crash at any step, every durable write is there, and the content is a prefix of the
//! writes.

use super::{Lab, Step};
use levelscope::event::{Event, EventKind};
use levelscope::storage::{FileName, MemoryStorage};
use std::collections::BTreeSet;

/// Keys are written in order, so that every state that may be left is a number.
const SCRIPT: &[&str] = &[
    "put k00 0; put k01 1",
    "sync",
    "put k02 2; put k03 3; put k04 4; flush; run",
    "put k05 5; sync; put k06 6; rotate; put k07 7",
    "flush; run; put k08 8; flush; run",
    "compact 0; run; put k09 9",
    "options set bloom_bits 8",
    "put k10 10; sync; put k11 11",
];

fn run(lab: &mut Lab) {
    for line in SCRIPT {
        let response = lab.run(line);
        assert!(response.error.is_none(), "{line}: {:?}", response.error);
    }
}

/// How many puts were durable for certain after the events up to `step`: those in tables that are
/// installed, and in logs as far as they are synced.
fn durable(events: &[(Step, Event)], step: Step) -> usize {
    let mut puts = 0;
    let mut durable = 0;
    for (_, event) in events.iter().filter(|(at, _)| *at <= step) {
        match event.kind {
            EventKind::MemtableInsert { .. } => puts += 1,
            // The log holds all puts so far, or those before are in tables.
            EventKind::WalSync { .. } | EventKind::WalClose { .. } => durable = durable.max(puts),
            _ => {}
        }
    }
    durable
}

fn puts(events: &[(Step, Event)], step: Step) -> usize {
    let puts =
        |(at, event): &&(Step, Event)| *at <= step && matches!(event.kind, EventKind::OpPut { .. });
    events.iter().filter(puts).count()
}

/// The keys that are there are k00 to some k(n-1); returns n.
fn beginning(lab: &mut Lab, place: &str) -> usize {
    let response = lab.run("scan --limit 100");
    assert!(response.error.is_none(), "{place}: {:?}", response.error);
    let entries = response.result()["entries"].as_array().expect("entries").clone();
    for (number, entry) in entries.iter().enumerate() {
        assert_eq!(entry["key"], format!("k{number:02}"), "{place}");
        assert_eq!(entry["value"], number.to_string(), "{place}");
    }
    entries.len()
}

#[test]
fn every_moment_leaves_a_promised_state() {
    let mut reference = Lab::new(MemoryStorage::new(), &[("wal_sync", "none")], false);
    run(&mut reference);
    let events = reference.heard.take();
    let names: BTreeSet<&str> = events.iter().map(|(_, event)| event.kind.name()).collect();
    assert!(names.len() > 25, "the script is too small: {names:?}");
    let mut crashes = 0;
    for name in names {
        for side in ["before", "after"] {
            for (keep, in_slices) in [("none", true), ("all", false), ("torn --seed 7", true)] {
                let place = format!("crash {side} {name} --keep {keep}");
                let mut lab = Lab::new(MemoryStorage::new(), &[("wal_sync", "none")], in_slices);
                assert!(lab.run(&place).error.is_none(), "{place}");
                for line in SCRIPT {
                    lab.run(line);
                    if lab.console.branches().1 > 0 {
                        break;
                    }
                }
                let hit = lab.console.take_hits();
                // Some events happen only at the first opening, which is over.
                let Some(hit) = hit.first() else { continue };
                crashes += 1;
                assert!(lab.console.breakpoints().is_empty(), "{place}: it strikes once");
                let step = if side == "before" { hit.step - 1 } else { hit.step };
                let (branches, current) = lab.console.branches();
                assert_eq!((current, branches[1].forked_at), (1, Some(step)), "{place}");
                assert_eq!(branches[1].name, "crash 1");
                let events = lab.heard.take();
                let first = events.iter().rposition(|(_, e)| e.kind.name() == "recovery.begin");
                assert_eq!(first.map(|at| events[at].0), Some(step + 1), "{place}");
                let left = beginning(&mut lab, &place);
                let (least, most) = (durable(&events, step), puts(&events, step));
                assert!((least..=most).contains(&left), "{place}: {least} <= {left} <= {most}");
                assert!(lab.run("check; put z 1; flush; run").error.is_none(), "{place}");
                // The past before the crash is still there, and main as well.
                assert!(lab.ask("lsm", step.max(1)).error.is_none(), "{place}");
                assert!(lab.run("branch main").error.is_none(), "{place}");
            }
        }
    }
    println!("{crashes} crashes");
    assert!(crashes > 100);
}

#[test]
fn the_plug_can_be_pulled_now_and_then() {
    let mut lab = Lab::classroom();
    lab.run("options set wal_sync none");
    lab.run("put k00 0; sync");
    let synced = lab.console.steps();
    lab.run("put k01 1");
    let step = lab.console.steps();
    for (line, left) in [
        ("crash", 1),
        ("crash --keep all", 2),
        (&format!("crash at {synced} --keep all") as &str, 1),
        (&format!("crash at {step} --keep none"), 1),
        ("crash at 0", 0),
    ] {
        let response = lab.run(line);
        assert!(response.error.is_none(), "{line}: {:?}", response.error);
        assert_eq!(beginning(&mut lab, line), left, "{line}");
        assert!(lab.run("branch main").error.is_none());
    }
    assert_eq!(lab.run("get k01").result()["value"], "1");
    for wrong in
        ["crash before merge.entry", "crash before nothing", "crash sideways", "crash --keep x"]
    {
        assert_eq!(lab.run(wrong).error.expect("it is wrong").kind, "usage", "{wrong}");
    }
}

#[test]
fn damage_is_caught_by_whoever_reads_it() {
    let mut lab = Lab::classroom();
    lab.run("fill 40 --words; flush; run");
    let files = lab.run("files").result();
    let table = files.as_array().and_then(|files| {
        files.iter().find_map(|file| file["name"].as_str().filter(|name| name.contains(".sst")))
    });
    let table = table.expect("there is a table").to_owned();
    let response = lab.run(&format!("corrupt {table} 20 0xff"));
    assert!(response.error.is_none(), "{:?}", response.error);
    let before = lab.console.steps();
    let failure = lab.run("check").error.expect("the damage is there");
    assert_eq!(failure.kind, "corruption");
    assert_eq!(lab.ask("check", before).error.expect("in the past, too").kind, "corruption");
    // Files that are kept are not touched: a branch is.
    let mut kept = Lab::new(MemoryStorage::new(), &[], true);
    kept.run("fill 40 --words; flush; run");
    let bytes = kept.storage.hash();
    assert!(kept.run(&format!("corrupt {table} 20")).error.is_none());
    assert_eq!(kept.console.branches().0[1].name, "damage 1");
    assert_eq!(kept.run("check").error.expect("damage").kind, "corruption");
    assert_eq!(kept.storage.hash(), bytes);
    assert!(kept.storage.read(FileName::Current).is_ok());
}

#[test]
fn why_goes_back_to_the_operation() {
    let mut lab = Lab::classroom();
    lab.run("put a 1; flush; run");
    let events = lab.heard.take();
    let (step, _) =
        events.iter().rev().find(|(_, e)| e.kind.name() == "table.footer").expect("a flush");
    let response = lab.run(&format!("why {step}"));
    let names: Vec<String> = response
        .result()
        .as_array()
        .expect("a chain")
        .iter()
        .map(|link| link["name"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(names, ["table.footer", "flush.begin", "memtable.rotate", "op.rotate"]);
    assert!(super::super::text(&response).contains("because of step"));
    assert_eq!(lab.run("why 0").error.expect("nothing was before").kind, "usage");
}

#[test]
fn a_replayed_disk_loses_the_same_as_the_disk_itself() {
    for seed in super::seeds(60) {
        for keep in ["none", "all", "torn"] {
            let crashed = |open_disk: bool| {
                let heard = std::sync::Arc::new(super::Heard::default());
                let host = super::TimeHost {
                    storage: MemoryStorage::new(),
                    heard,
                    in_slices: seed.is_multiple_of(2),
                    open_disk,
                    bytes_max: 1 << 20,
                };
                let mut lab = Lab::around(host, &[]);
                for act in super::script(seed) {
                    super::perform(&mut lab, &act, false, &mut |_| {});
                }
                assert!(lab.run(&format!("crash --keep {keep} --seed 5")).error.is_none());
                (lab.console.steps(), lab.hash())
            };
            assert_eq!(crashed(true), crashed(false), "LEVELSCOPE_SEED={seed}, --keep {keep}");
        }
    }
}

/// A crash makes a branch of its own, so it may be asked for wherever in time one looks.
#[test]
fn the_plug_can_be_pulled_in_the_past() {
    let mut lab = Lab::classroom();
    lab.run("put k00 0; sync");
    let first = lab.console.steps();
    lab.run("put k01 1; put k02 2; sync");
    let at = format!("crash at {first} --keep all");
    // At the step that is looked at, at another one, and at one that a page looks at.
    for (looks, line) in [(first, "crash --keep all"), (first + 2, at.as_str())] {
        lab.run(&format!("goto {looks}"));
        let response = lab.run(line);
        assert!(response.error.is_none(), "{line}: {:?}", response.error);
        assert_eq!(lab.console.looks_at(), None, "{line}");
        assert_eq!(beginning(&mut lab, line), 1, "{line}");
        lab.run("branch main");
        let response = lab.ask(line, looks);
        assert!(response.error.is_none(), "{line}: {:?}", response.error);
        assert_eq!(beginning(&mut lab, line), 1, "{line}");
        lab.run("branch main");
    }
    let (branches, _) = lab.console.branches();
    assert!(branches[1..].iter().all(|branch| branch.forked_at == Some(first)), "{branches:?}");
}

/// At "before" one stands in the past, on the step before that event: inside the call that made it.
#[test]
fn the_plug_can_be_pulled_at_a_breakpoint_before_an_event() {
    let mut lab = Lab::classroom();
    lab.run("break before flush.install");
    lab.run("put k00 0; flush; run");
    let hit = lab.console.take_hits();
    let before = hit.first().expect("it struck").step - 1;
    assert!(lab.console.steps() > before, "the engine works on to the end of its call");
    let response = lab.ask("crash", before);
    assert!(response.error.is_none(), "{:?}", response.error);
    assert_eq!(lab.console.branches().0[1].forked_at, Some(before));
    assert_eq!(beginning(&mut lab, "before flush.install"), 1);
}

/// The sentence of a crash names the writes that were acknowledged and are gone; the page shows it as its title.
#[test]
fn a_crash_reports_its_losses() {
    let mut lab = Lab::classroom();
    lab.run("options set wal_sync none");
    lab.run("put k00 zero; sync; put k01 one; del k00");
    let acknowledged = lab.console.steps();
    lab.run("batch { put k02 two; put k03 three }; put k04 four; put k05 five");
    let last = lab.console.steps();
    let many = "6 acknowledged writes are lost: the last of them a batch of 2 operations, \"k04\" = \"four\" and \"k05\" = \"five\".";
    let two = "2 acknowledged writes are lost: \"k01\" = \"one\" and the deletion of \"k00\".";
    let before_last = "the deletion of \"k00\", a batch of 2 operations and \"k04\" = \"four\".";
    let none = "No acknowledged write is lost.";
    for (line, sentence) in [
        ("crash".to_owned(), many),
        ("crash --keep all".to_owned(), none),
        (format!("crash at {acknowledged}"), two),
        (format!("crash at {}", last - 1), before_last),
        ("crash at 0".to_owned(), none),
    ] {
        let response = lab.run(&line);
        assert!(response.error.is_none(), "{line}: {:?}", response.error);
        let text: String =
            response.lines.iter().map(levelscope_console::OutputLine::to_text).collect();
        assert!(text.contains(sentence), "{line}: {text}");
        let (branches, current) = lab.console.branches();
        let crash =
            branches.iter().find(|branch| branch.id == current).and_then(|b| b.crash.clone());
        let crash = crash.expect("the branch knows its crash");
        assert!(crash.sentence.ends_with(sentence), "{line}: {}", crash.sentence);
        assert_eq!(crash.recovered, lab.console.steps());
        assert!(lab.run("branch main").error.is_none());
    }
    let (branches, _) = lab.console.branches();
    assert_eq!(branches[0].crash, None);
}
