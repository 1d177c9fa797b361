//! Bounded buffer of the newest events for the page; counts the dropped ones.

use levelscope::event::Event;
use levelscope_console::protocol::MarkedStep;
use levelscope_console::{Listener, Step};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most events of one message to the page; the view that comes with them makes up for the others.
const EVENTS_MAX: usize = 500;

/// Most events of a message in the middle of work that outruns the page: the next one soon takes their place.
const OUTRUN_EVENTS_MAX: usize = 100;

/// Details of one message: beyond them the engine makes none, so that long work stays fast.
const DETAILS_MAX: usize = 250;

/// Most landmarks of one message to the page.
const LANDMARKS_MAX: usize = 500;

#[derive(Debug, Default)]
struct BufferedEvents {
    events: VecDeque<(Step, Event)>,
    /// How many of them are details.
    details: usize,
    elided: u64,
    /// Landmarks are sent also when their events are left out.
    landmarks: Vec<MarkedStep>,
}

impl BufferedEvents {
    /// Drops the oldest operation or phase, with the details before it.
    fn elide(&mut self) {
        while let Some((_, event)) = self.events.pop_front() {
            if event.detail == 0 {
                self.elided += 1;
                return;
            }
            self.details -= 1;
        }
    }
}

/// Events for one message to the page.
#[derive(Debug)]
pub(crate) struct Drained {
    /// Oldest first.
    pub events: Vec<(Step, Event)>,
    /// How many older ones did not fit.
    pub elided: u64,
    /// Whether all details that followed the events are among them.
    pub detailed: bool,
}

/// Keeps the newest events until they are drained.
#[derive(Debug, Default)]
pub(crate) struct EventBuffer {
    kept: Mutex<BufferedEvents>,
    /// Details that were made since the last drain.
    details: AtomicUsize,
    /// Whether the engine was refused a detail since then.
    refused: AtomicBool,
}

impl EventBuffer {
    /// The landmarks since the last call, with their steps.
    pub(crate) fn take_landmarks(&self) -> Vec<MarkedStep> {
        std::mem::take(&mut self.kept().landmarks)
    }

    /// The events since the last call.
    pub(crate) fn drain(&self) -> Drained {
        let mut kept = self.kept();
        self.details.store(0, Ordering::Relaxed);
        let refused = self.refused.swap(false, Ordering::Relaxed);
        kept.details = 0;
        let events = kept.events.drain(..).collect();
        let elided = std::mem::take(&mut kept.elided);
        Drained { events, elided, detailed: !refused && elided == 0 }
    }

    /// As [`Self::drain`], in the middle of work: when some did not fit, only the newest of the others.
    pub(crate) fn drain_newest(&self) -> Drained {
        let mut kept = self.kept();
        if kept.elided > 0 {
            kept.events.retain(|(_, event)| event.detail == 0);
            kept.details = 0;
            for _ in OUTRUN_EVENTS_MAX..kept.events.len() {
                kept.elide();
            }
        }
        drop(kept);
        self.drain()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.kept().events.is_empty()
    }

    fn kept(&self) -> MutexGuard<'_, BufferedEvents> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener for EventBuffer {
    fn event(&self, step: Step, event: &Event) {
        let mut kept = self.kept();
        let landmark = event.kind.landmark();
        if let Some(kind) = landmark.filter(|_| kept.landmarks.len() < LANDMARKS_MAX) {
            kept.landmarks.push(MarkedStep { step, kind });
        }
        if event.detail > 0 {
            kept.details += 1;
            self.details.fetch_add(1, Ordering::Relaxed);
        } else if kept.events.len() - kept.details >= EVENTS_MAX {
            kept.elide();
        }
        kept.events.push_back((step, event.clone()));
    }

    fn wants_detail(&self) -> bool {
        let wanted = self.details.load(Ordering::Relaxed) < DETAILS_MAX;
        if !wanted {
            self.refused.store(true, Ordering::Relaxed);
        }
        wanted
    }
}
