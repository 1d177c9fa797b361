//! Breakpoints strike exactly where they should, and change nothing.

use super::{Act, Lab, lab_for, perform, script, seeds};
use levelscope::event::{Event, EventKind, Grain, ShownKey, Verdict};
use levelscope_console::Step;
use std::sync::atomic::Ordering;

/// Tables of L0 and immutable memtables, counted from the events alone.
#[derive(Default, Clone, Copy)]
struct Counts {
    l0: u64,
    memtables: u64,
    stalled: bool,
}

impl Counts {
    fn after(mut self, event: &Event) -> Self {
        match &event.kind {
            EventKind::RecoveryBegin { .. } => self = Self::default(),
            EventKind::RecoveryManifest { levels, .. } => {
                self.l0 = levels.first().map_or(0, |level| level.tables.len() as u64);
            }
            EventKind::RecoveryWal { kept, .. } => self.memtables += u64::from(kept.is_some()),
            EventKind::MemtableRotate { .. } => self.memtables += 1,
            EventKind::FlushInstall { table, .. } => {
                self.memtables -= 1;
                self.l0 += u64::from(table.is_some());
            }
            EventKind::CompactionInstall { removed, added, output_level, .. } => {
                self.l0 -= removed.iter().filter(|at| at.level == 0).count() as u64;
                self.l0 += if *output_level == 0 { added.len() as u64 } else { 0 };
            }
            EventKind::StallBegin { .. } => self.stalled = true,
            EventKind::StallEnd {} => self.stalled = false,
            _ => {}
        }
        self
    }
}

type Matches = fn(&Event, Counts, Counts) -> bool;

/// Whether `event` has to do with `key`.
fn is_about(event: &Event, key: &[u8]) -> bool {
    let wanted = ShownKey::new(key);
    match &event.kind {
        EventKind::OpPut { key, .. }
        | EventKind::OpDelete { key, .. }
        | EventKind::OpGet { key, .. }
        | EventKind::BatchEntry { key, .. }
        | EventKind::MergeEntry { key, .. }
        | EventKind::FilterFalsePositive { key, .. } => *key == wanted,
        _ => false,
    }
}

/// Each breakpoint, with a second definition.
const CASES: &[(&str, Matches)] = &[
    ("before flush.install", |event, _, _| event.kind.name() == "flush.install"),
    ("after wal.sync", |event, _, _| event.kind.name() == "wal.sync"),
    ("before compaction", |event, _, _| event.kind.name() == "compaction.pick"),
    ("after compaction", |event, _, _| event.kind.name() == "compaction.done"),
    ("before recovery.begin", |event, _, _| event.kind.name() == "recovery.begin"),
    ("before merge.entry", |event, _, _| event.kind.name() == "merge.entry"),
    ("on key k042", |event, _, _| is_about(event, b"k042")),
    ("on stall", |event, _, _| event.kind.name() == "stall.begin"),
    ("on drop", |event, _, _| {
        matches!(
            event.kind,
            EventKind::MergeEntry {
                verdict: Verdict::DroppedShadowed | Verdict::DroppedTombstone,
                ..
            }
        )
    }),
    ("on tombstone-gc", |event, _, _| {
        matches!(event.kind, EventKind::MergeEntry { verdict: Verdict::DroppedTombstone, .. })
    }),
    ("on bloom-fp", |event, _, _| event.kind.name() == "filter.false_positive"),
    ("when l0 >= 3", |_, before, after| before.l0 < 3 && after.l0 >= 3),
    ("when memtables > 1", |_, before, after| before.memtables <= 1 && after.memtables > 1),
    ("when memtables = 0", |_, before, after| before.memtables > 0 && after.memtables == 0),
    ("when stall", |_, before, after| !before.stalled && after.stalled),
];

#[test]
fn each_kind_strikes_exactly_where_it_should() {
    let mut struck = std::collections::BTreeMap::<&str, u64>::new();
    for seed in seeds(60) {
        let acts = script(seed);
        let (text, matches) = CASES[usize::try_from(seed).unwrap_or(0) % CASES.len()];
        let mut lab = lab_for(seed);
        lab.heard.details.store(true, Ordering::Relaxed);
        let mut counts = Counts::default();
        let mut total = 0;
        assert!(lab.run(&format!("options set bloom_bits 1; break {text}")).error.is_none());
        for (_, event) in lab.heard.take() {
            counts = counts.after(&event);
        }
        for act in &acts {
            lab.console.take_hits();
            perform(&mut lab, act, false, &mut |_| {});
            let mut expected: Vec<Step> = Vec::new();
            for (step, event) in lab.heard.take() {
                let after = counts.after(&event);
                if matches(&event, counts, after) {
                    expected.push(step);
                }
                counts = after;
            }
            total += expected.len() as u64;
            // A step that struck leaves a line to finish.
            if matches!(act, Act::Play(..)) && lab.console.is_busy() {
                lab.finish();
            }
            let hits: Vec<Step> = lab.console.take_hits().iter().map(|hit| hit.step).collect();
            let place = format!("LEVELSCOPE_SEED={seed}: break {text}, {act:?}");
            match act {
                // Typing looks at keys; that strikes with the next command.
                Act::Type(_) => {}
                Act::Play(..) => assert!(hits.iter().all(|hit| expected.contains(hit)), "{place}"),
                _ => assert_eq!(hits.first(), expected.first(), "{place}"),
            }
            assert_eq!(hits.is_empty(), expected.is_empty(), "{place}");
            *struck.entry(text).or_default() += hits.len() as u64;
        }
        let listed = lab.console.breakpoints();
        assert_eq!(listed[0].hits, total, "LEVELSCOPE_SEED={seed}: break {text}");
    }
    println!("hits: {struck:?}");
    assert!(struck.values().filter(|count| **count > 0).count() >= CASES.len() - 3, "{struck:?}");
}

#[test]
fn a_breakpoint_that_never_strikes_changes_nothing() {
    for seed in seeds(40) {
        let acts = script(seed);
        let run = |points: &str| {
            let mut lab = lab_for(seed);
            if !points.is_empty() {
                assert!(lab.run(points).error.is_none());
            }
            for act in &acts {
                perform(&mut lab, act, false, &mut |_| {});
            }
            let phases = |(_, event): &(Step, Event)| event.kind.grain() < Grain::Detail;
            let events: Vec<_> = lab.heard.take().into_iter().filter(phases).collect();
            (lab.hash(), events)
        };
        let armed = "break on key absent; break on table 99999; break when l0 >= 9999; crash before db.read_only";
        assert_eq!(run(""), run(armed), "LEVELSCOPE_SEED={seed}");
    }
}

#[test]
fn a_hit_ends_the_line_and_is_reported() {
    let mut lab = Lab::classroom();
    lab.run("break before flush.install");
    let response = lab.run("put a 1; flush; run; put b 2");
    assert!(response.error.is_none());
    let text = super::super::text(&response);
    assert!(text.contains("Breakpoint 1, before step"), "{text}");
    assert!(text.contains("1 command after it not run"), "{text}");
    let hits = lab.console.take_hits();
    assert_eq!(hits.len(), 1);
    assert!(hits[0].before && hits[0].name == "flush.install");
    assert_eq!(lab.run("get b").result()["found"], false);
    // It goes on where it stopped.
    assert_eq!(lab.run("run; get a").result()[1]["value"], "1");
    assert!(lab.run("break delete 1; break list").error.is_none());
    assert!(lab.console.breakpoints().is_empty());
}

#[test]
fn a_breakpoint_on_a_long_key_ignores_another_key_with_the_same_beginning() {
    let mut lab = Lab::classroom();
    let [wanted, other] = ["a", "b"].map(|last| format!("{}{last}", "k".repeat(200)));
    lab.run(&format!("break on key {wanted}; put {other} 1"));
    assert_eq!(lab.console.take_hits(), []);
    lab.run(&format!("put {wanted} 1"));
    assert_eq!(lab.console.take_hits().len(), 1);
}

/// The view that conditions compare follows the events only while there are conditions.
#[test]
fn a_condition_that_is_set_in_the_middle_knows_the_state() {
    let mut lab = Lab::classroom();
    assert!(lab.run("break on key zzz; put a 1; flush; run").error.is_none());
    assert!(lab.run("break when l0 >= 1; break when l0 >= 2").error.is_none());
    // The first one holds already.
    assert!(lab.run("put b 1; rotate").error.is_none());
    assert!(lab.console.take_hits().is_empty());
    lab.run("flush; run");
    let struck: Vec<u64> = lab.console.take_hits().iter().map(|hit| hit.breakpoint).collect();
    assert_eq!(struck, [3]);
    // Without conditions nothing follows; the next one begins with what is there then.
    lab.run("break delete 2; break delete 3; run; compact 0; run");
    lab.run("break when l0 >= 1; put c 1; flush; run");
    let struck: Vec<u64> = lab.console.take_hits().iter().map(|hit| hit.breakpoint).collect();
    assert_eq!(struck, [4]);
}
