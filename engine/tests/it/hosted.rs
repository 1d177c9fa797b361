//! A host that opens files late sees the same events and gets the same bytes as one that never blocks.

use crate::common::*;
use levelscope::event::{Event, Grain, Recorder};
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{
    Budget, CompactionFilter, Db, ErrorKind, FilterDecision, FilterEntry, Maintenance, Options,
    ScanOptions, StepOutcome, WalSync,
};
use std::sync::Arc;

/// Removes some values and shortens others.
struct Shortens;

impl CompactionFilter for Shortens {
    fn decide(&self, entry: &FilterEntry<'_>) -> FilterDecision {
        match entry.value {
            [first, ..] if first % 4 == 0 => FilterDecision::Remove,
            [first, rest @ ..] if first % 4 == 1 => FilterDecision::Change(rest.to_vec()),
            _ => FilterDecision::Keep,
        }
    }
}

fn step(host: &BlockingStorage, db: &Db, budget: Budget) -> StepOutcome {
    loop {
        match db.step(budget).expect("the step works") {
            StepOutcome::Blocked(file) => host.admit(file),
            outcome => return outcome,
        }
    }
}

/// Runs the script with phases as steps; `late` decides whether files have to be opened again and again.
fn run_hosted(options: &Options, script: &[Op], late: bool) -> (u64, Vec<Event>) {
    let memory = MemoryStorage::new();
    let host = Arc::new(BlockingStorage::new(Arc::new(memory.clone())));
    if !late {
        host.admit_everything();
    }
    let storage: Arc<dyn Storage> = host.clone();
    let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Detail));
    let open = || {
        let builder = Db::builder().options(options.clone()).events(Arc::clone(&recorder) as _);
        let builder = match options.memtable_bytes {
            256 => builder.compaction_filter(Arc::new(Shortens)),
            _ => builder,
        };
        host.host(|| open_built(builder.clone(), Arc::clone(&storage))).expect("opens")
    };
    let mut db = open();
    for op in script {
        host.evict_all();
        match (op, batch_of(op)) {
            (_, Some(batch)) => loop {
                match host.host(|| db.write(&batch, None)) {
                    Err(error) if error.kind() == ErrorKind::Stalled => {
                        step(&host, &db, Budget::Job);
                    }
                    other => {
                        other.expect("the write works");
                        break;
                    }
                }
            },
            (Op::Reopen, None) => {
                drop(db);
                db = open();
            }
            (Op::Step(count), None) => {
                for _ in 0..count % 9 {
                    host.evict_all();
                    step(&host, &db, Budget::Phase);
                }
            }
            _ => host.host(|| run(&db, op)).expect("the operation works"),
        }
    }
    let mut iterator = host.host(|| db.iter(&ScanOptions::default())).expect("an iterator");
    host.host(|| iterator.seek_to_first()).expect("a seek");
    while iterator.valid() {
        host.evict_all();
        host.host(|| iterator.next()).expect("a step");
    }
    host.host(|| db.check()).expect("a check");
    host.host(|| db.files()).expect("the files");
    drop(db);
    (memory.hash(), recorder.drain().0)
}

fn assert_same_events(options: &Options, script: &[Op], context: &str) {
    let (bytes, events) = run_hosted(options, script, false);
    let (late_bytes, late_events) = run_hosted(options, script, true);
    for (event, late) in events.iter().zip(&late_events) {
        assert_eq!(event, late, "{context}");
    }
    assert_eq!(events.len(), late_events.len(), "{context}");
    assert_eq!(bytes, late_bytes, "{context}");
}

#[test]
fn a_late_host_gets_the_same_events_and_bytes() {
    let mut technique = Technique::new("hosted events", 25);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x1a7e);
        let options = small_options(&mut random).maintenance(Maintenance::Manual);
        let script = random_script(&mut random, 200);
        assert_same_events(&options, &script, &format!("seed {seed}"));
        technique.count(1);
    }
}

/// Thousands of entries are dropped without an output: the phases in between are counted, not timed.
#[test]
fn a_late_host_sees_the_same_progress() {
    let options = Options::default()
        .memtable_bytes(1 << 20)
        .block_bytes(4096)
        .cache_bytes(0)
        .l0_trigger(2)
        .wal_sync(WalSync::None)
        .maintenance(Maintenance::Manual);
    let mut random = Random(1);
    let entries = |random: &mut Random, delete: bool| {
        (0..6000_u32)
            .map(|index| {
                (format!("key{index:05}").into_bytes(), (!delete).then(|| random.bytes(8)))
            })
            .collect()
    };
    let mut script = Vec::new();
    for delete in [false, true] {
        script.push(Op::Batch(entries(&mut random, delete)));
        script.push(Op::Flush);
        script.extend(std::iter::repeat_n(Op::Step(8), 20));
    }
    assert_same_events(&options, &script, "progress");
}
