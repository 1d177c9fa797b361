//! The newest events, kept beside the host's own sink, so that commands can tell what happened.

use levelscope::event::{Event, EventSink, Grain, Recorder};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Events that are kept: more than one command can sensibly print.
const KEPT_MAX: usize = 4096;

/// Hands events to the host and keeps the newest.
pub(crate) struct Tape {
    recorder: Recorder,
    host: Option<Arc<dyn EventSink>>,
    details: AtomicBool,
}

impl Tape {
    pub(crate) fn new(host: Option<Arc<dyn EventSink>>) -> Self {
        let recorder = Recorder::new(KEPT_MAX, Grain::Detail);
        Self { recorder, host, details: AtomicBool::new(false) }
    }

    /// Whether details are kept from now on.
    pub(crate) fn keep_details(&self, keep: bool) {
        self.details.store(keep, Ordering::Relaxed);
    }

    /// Takes the kept events, oldest first, and the number of older ones that did not fit.
    pub(crate) fn drain(&self) -> (Vec<Event>, u64) {
        self.recorder.drain()
    }
}

impl EventSink for Tape {
    fn event(&self, event: &Event) {
        if event.kind.grain() < Grain::Detail || self.details.load(Ordering::Relaxed) {
            self.recorder.event(event);
        }
        if let Some(host) = &self.host {
            host.event(event);
        }
    }

    fn wants_detail(&self) -> bool {
        self.details.load(Ordering::Relaxed)
            || self.host.as_ref().is_some_and(|host| host.wants_detail())
    }
}
