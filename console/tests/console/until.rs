//! `until`: background work up to an event, and not further.

use super::{console_on, text};
use levelscope::Budget;
use levelscope::storage::{MemoryStorage, Storage};
use levelscope_console::Console;
use std::collections::{BTreeMap, BTreeSet};

/// Two tables in L0 whose keys overlap, and what waits next; the same at each call.
fn prepared(last: &str) -> (Console, MemoryStorage) {
    let storage = MemoryStorage::default();
    let mut console = console_on(storage.clone(), "classroom");
    let made = console.run(&format!(
        "fill 17 --words --seed 7; flush; step job; fill 17 --words --seed 8; flush; step job; del lemon; {last}"
    ));
    assert!(made.error.is_none(), "{}", text(&made));
    (console, storage)
}

/// The names of all events of the work that waits, in order.
fn names(result: &serde_json::Value) -> Vec<String> {
    let events = result["events"].as_array().cloned().unwrap_or_default();
    events.iter().map(|event| event["name"].as_str().unwrap_or("").to_owned()).collect()
}

fn files(storage: &MemoryStorage) -> BTreeMap<String, Vec<u8>> {
    let bytes = |name: &String| {
        let file = levelscope::storage::FileName::parse(name)?;
        levelscope::storage::read_whole(&*storage.open(file).ok()?, file).ok()
    };
    let names = storage.list().expect("memory");
    names.into_iter().map(|name| (name.clone(), bytes(&name).unwrap_or_default())).collect()
}

#[test]
fn before_an_event_the_next_step_makes_it_and_the_bytes_stay_the_same() {
    let mut tried = BTreeSet::new();
    for work in ["flush", "compact 0", "flush; compact 0"] {
        let (mut plain, plain_storage) = prepared(work);
        let whole = names(&plain.run("run").result());
        assert!(whole.len() > 8, "{whole:?}");
        for name in whole.iter().collect::<BTreeSet<_>>() {
            let (mut console, storage) = prepared(work);
            let response = console.run(&format!("until before {name}"));
            assert!(response.error.is_none(), "{name}: {}", text(&response));
            let done = names(&response.result());
            assert!(!done.contains(name), "until before {name} went too far: {done:?}");
            let next = names(&console.run("step phase").result());
            assert!(next.contains(name), "after until before {name} comes {next:?}");
            console.run("run");
            assert!(files(&storage) == files(&plain_storage), "until before {name}: other bytes");

            let (mut console, _) = prepared(work);
            let done = names(&console.run(&format!("until after {name}")).result());
            assert!(done.contains(name), "until after {name}: {done:?}");
            tried.insert(name.clone());
        }
    }
    for name in
        ["flush.install", "table.sync", "wal.delete", "compaction.install", "compaction.done"]
    {
        assert!(tried.contains(name), "{name} is not among {tried:?}");
    }
}

#[test]
fn no_event_of_background_work_is_refused() {
    let (mut console, _) = prepared("flush; compact 0");
    console.run("run");
    for name in names(&prepared("flush; compact 0").0.run("run").result()) {
        let printed = text(&console.run(&format!("until before {name}")));
        assert!(
            printed.contains("background work ends without it, so nothing was done"),
            "{printed}"
        );
    }
}

#[test]
fn details_figures_and_spans() {
    let (mut console, _) = prepared("compact 0");
    let response = console.run("until on drop");
    assert!(response.error.is_none(), "{}", text(&response));
    assert!(console.db().expect("open").view().jobs.len() == 1);
    let (mut console, _) = prepared("flush");
    assert!(console.run("until when l0 >= 3").error.is_none());
    assert_eq!(console.db().expect("open").view().levels[0].tables.len(), 3);
    let steps = console.steps();
    let printed = text(&console.run("until when l0 >= 2"));
    assert!(printed.contains("the database is there already"), "{printed}");
    assert_eq!(console.steps(), steps);
    let (mut console, _) = prepared("compact 0");
    assert!(console.run("until after compaction").error.is_none());
    assert!(console.db().expect("open").view().levels[1].tables.len() == 1);
}

#[test]
fn what_it_does_can_be_replayed_forked_and_stopped() {
    let (mut console, _) = prepared("flush; compact 0");
    console.run("until before table.footer");
    let hash = console.run("stats --hash").result()["hash"].clone();
    let forked = console.run("fork; stats --hash; run");
    assert!(forked.error.is_none(), "{}", text(&forked));
    assert_eq!(forked.result()[1]["hash"], hash);
    // Playing on by single calls is the same as stepping.
    console.run("branch main");
    while console.step(Budget::Entry).is_ok_and(|outcome| outcome != levelscope::StepOutcome::Idle)
    {
    }
    let own = console.run("stats --hash").result()["hash"].clone();
    assert_eq!(own, console.run("branch 1; stats --hash").result()[1]["hash"]);
}

#[test]
fn a_breakpoint_on_the_way_stops_it() {
    let (mut console, _) = prepared("flush");
    console.run("break after table.create");
    let response = console.run("until before flush.install");
    assert_eq!(console.take_hits().len(), 1, "{}", text(&response));
    assert!(console.run("break delete all; until before flush.install").error.is_none());
}

#[test]
fn it_refuses_events_that_cannot_come() {
    for (line, message) in [
        ("until", "until needs before, after, on or when"),
        ("until sideways x", "until takes before, after, on or when"),
        ("until before", "until before needs the name of an event"),
        ("until before flush.instal", "there is no event flush.instal"),
        ("until before op.put", "only writes, reads and openings make this event"),
        ("until after recovery", "only writes, reads and openings make this event"),
        ("until on stall", "only writes, reads and openings make this event"),
        ("until on bloom-fp", "only writes, reads and openings make this event"),
        ("until on table", "until on table needs the number of a table"),
        ("until when zebras > 1", "when takes a figure"),
        ("until after compaction.done", "background work ends without it"),
        (
            "options set maintenance inline; until after flush",
            "background work, which is not manual here",
        ),
    ] {
        let mut console = super::console("classroom");
        let printed = text(&console.run(line));
        assert!(printed.contains(message), "{line}: {printed}");
    }
    let mut console = super::console("classroom");
    let printed = text(&console.run("put a 1; goto 1; until after flush"));
    assert!(printed.contains("would change the past"), "{printed}");
}
