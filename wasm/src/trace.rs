//! What the page gets to see of the events: the newest ones, and how many it missed.

use levelscope::event::{Event, EventSink, Grain, Recorder};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Most events of one message to the page; the view that comes with them makes up for the others.
const EVENTS_MAX: usize = 500;

/// Keeps the newest events until they are drained.
#[derive(Debug)]
pub(crate) struct Trace {
    recorder: Recorder,
    details: AtomicBool,
    steps: AtomicU64,
}

impl Trace {
    pub(crate) fn new() -> Self {
        let recorder = Recorder::new(EVENTS_MAX, Grain::Detail);
        Self { recorder, details: AtomicBool::new(false), steps: AtomicU64::new(0) }
    }

    /// Whether the engine should tell details from now on.
    pub(crate) fn want_details(&self, wanted: bool) {
        self.details.store(wanted, Ordering::Relaxed);
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
        self.steps.fetch_add(u64::from(event.detail == 0), Ordering::Relaxed);
        self.recorder.event(event);
    }

    fn wants_detail(&self) -> bool {
        self.details.load(Ordering::Relaxed)
    }
}
