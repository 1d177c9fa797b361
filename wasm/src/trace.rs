//! What the page gets to see of the events: the newest ones, and how many it missed.

use levelscope::event::{Event, EventSink, Grain, Recorder};
use std::sync::atomic::{AtomicBool, Ordering};

/// Most events of one message to the page; the view that comes with them makes up for the others.
const EVENTS_MAX: usize = 500;

/// Keeps the newest events until they are drained.
#[derive(Debug)]
pub(crate) struct Trace {
    recorder: Recorder,
    details: AtomicBool,
}

impl Trace {
    pub(crate) fn new() -> Self {
        let recorder = Recorder::new(EVENTS_MAX, Grain::Detail);
        Self { recorder, details: AtomicBool::new(false) }
    }

    /// Whether the engine should tell details from now on.
    pub(crate) fn want_details(&self, wanted: bool) {
        self.details.store(wanted, Ordering::Relaxed);
    }

    /// The events since the last call, oldest first, and how many older ones did not fit.
    pub(crate) fn drain(&self) -> (Vec<Event>, u64) {
        self.recorder.drain()
    }
}

impl EventSink for Trace {
    fn event(&self, event: &Event) {
        self.recorder.event(event);
    }

    fn wants_detail(&self) -> bool {
        self.details.load(Ordering::Relaxed)
    }
}
