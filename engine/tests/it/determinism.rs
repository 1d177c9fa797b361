//! The same commands make the same bytes and the same events, with any listener or none.

use crate::common::*;
use levelscope::event::{Event, EventSink, Grain, Recorder};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{Maintenance, Options};
use std::sync::Arc;

fn run_with(options: &Options, script: &[Op], sink: Option<&Arc<dyn EventSink>>) -> (u64, u64) {
    let memory = MemoryStorage::default();
    let storage: Arc<dyn Storage> = Arc::new(memory.clone());
    let open =
        || open_watched(Arc::clone(&storage), options.clone(), sink.cloned()).expect("opens");
    let mut db = open();
    for op in script {
        if let Op::Reopen = op {
            drop(db);
            db = open();
        } else {
            run(&db, op).expect("the operation works");
        }
    }
    let time = db.view().time;
    drop(db);
    (memory.hash(), time)
}

fn script(seed: u64) -> (Options, Vec<Op>) {
    let mut random = Random(seed ^ 0xde7);
    let options = small_options(&mut random);
    (options, random_script(&mut random, 200))
}

#[test]
fn the_same_script_gives_the_same_bytes_and_events() {
    let mut technique = Technique::new("determinism", 50);
    while let Some(seed) = technique.next_seed() {
        let (options, script) = script(seed);
        let record = || {
            let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Detail));
            let result = run_with(&options, &script, Some(&(Arc::clone(&recorder) as _)));
            (result, recorder.drain().0)
        };
        let (first, first_events): (_, Vec<Event>) = record();
        let (second, second_events) = record();
        assert_eq!(first, second, "seed {seed}");
        assert_eq!(first_events, second_events, "seed {seed}");
        technique.count(1);
    }
}

#[test]
fn listening_changes_nothing() {
    let mut technique = Technique::new("observer neutrality", 50);
    while let Some(seed) = technique.next_seed() {
        let (options, script) = script(seed);
        let silent = run_with(&options, &script, None);
        for grain in [Grain::Operation, Grain::Phase, Grain::Detail] {
            let recorder = Arc::new(Recorder::new(100, grain));
            let observed = run_with(&options, &script, Some(&(recorder as _)));
            assert_eq!(silent, observed, "seed {seed}, {grain:?}");
            technique.count(1);
        }
    }
}

#[test]
fn events_are_numbered_without_gaps_and_name_causes_before_them() {
    let mut technique = Technique::new("numbers of events", 25);
    while let Some(seed) = technique.next_seed() {
        let (options, script) = script(seed);
        let options = options.maintenance(Maintenance::Inline);
        let script: Vec<Op> = script.into_iter().filter(|op| !matches!(op, Op::Reopen)).collect();
        let recorder = Arc::new(Recorder::new(usize::MAX, Grain::Detail));
        run_with(&options, &script, Some(&(Arc::clone(&recorder) as _)));
        let events = recorder.drain().0;
        let mut expected = (0, 0);
        for event in &events {
            // Details have the number of the phase before them, so that listening to details changes no number.
            expected = match event.kind.grain() {
                Grain::Detail => (expected.0, expected.1 + 1),
                Grain::Operation | Grain::Phase => (expected.0 + 1, 0),
            };
            assert_eq!((event.id, event.detail), expected, "seed {seed}");
            // A detail may be caused by the very operation that it belongs to.
            let before = event.id + u64::from(event.detail > 0);
            assert!(event.cause.is_none_or(|cause| cause < before), "seed {seed}: {event:?}");
            assert!(event.sentence().ends_with('.'), "{event:?}");
        }
        technique.count(1);
    }
}
