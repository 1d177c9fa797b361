//! What the page gets to see of the events: the newest ones, and how many it missed.

use levelscope::event::{Event, EventSink, Grain, Recorder};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Most events of one message to the page; the view that comes with them makes up for the others.
const EVENTS_MAX: usize = 500;

/// Events that are told as landmarks also when they are left out themselves.
const LANDMARKS: [&str; 8] = [
    "flush.install",
    "compaction.install",
    "memtable.rotate",
    "stall.begin",
    "op.failed",
    "job.failed",
    "db.read_only",
    "recovery.begin",
];

/// Most landmarks of one message to the page.
const LANDMARKS_MAX: usize = 500;

/// Keeps the newest events until they are drained.
#[derive(Debug)]
pub(crate) struct Trace {
    recorder: Recorder,
    details: AtomicBool,
    steps: AtomicU64,
    landmarks: Mutex<Vec<(u64, &'static str)>>,
}

impl Trace {
    pub(crate) fn new() -> Self {
        let recorder = Recorder::new(EVENTS_MAX, Grain::Detail);
        Self {
            recorder,
            details: AtomicBool::new(false),
            steps: AtomicU64::new(0),
            landmarks: Mutex::default(),
        }
    }

    /// Whether the engine should tell details from now on.
    pub(crate) fn want_details(&self, wanted: bool) {
        self.details.store(wanted, Ordering::Relaxed);
    }

    /// Steps so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// The landmarks since the last call, with their steps.
    pub(crate) fn take_landmarks(&self) -> Vec<Value> {
        let mut kept = self.landmarks.lock().unwrap_or_else(PoisonError::into_inner);
        kept.drain(..).map(|(step, kind)| json!({ "step": step, "kind": kind })).collect()
    }

    /// The events since the last call with their steps, oldest first, and how many older ones did not fit.
    pub(crate) fn drain(&self) -> (Vec<(u64, Event)>, u64) {
        let (events, elided) = self.recorder.drain();
        let mut step = self.steps.load(Ordering::Relaxed);
        let mut placed = Vec::with_capacity(events.len());
        for event in events.into_iter().rev() {
            let counts = u64::from(event.detail == 0);
            placed.push((step, event));
            step = step.saturating_sub(counts);
        }
        placed.reverse();
        (placed, elided)
    }
}

impl EventSink for Trace {
    fn event(&self, event: &Event) {
        let counts = u64::from(event.detail == 0);
        let step = self.steps.fetch_add(counts, Ordering::Relaxed) + counts;
        let name = event.kind.name();
        if LANDMARKS.contains(&name) {
            let mut kept = self.landmarks.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() < LANDMARKS_MAX {
                kept.push((step, name));
            }
        }
        self.recorder.event(event);
    }

    fn wants_detail(&self) -> bool {
        self.details.load(Ordering::Relaxed)
    }
}
