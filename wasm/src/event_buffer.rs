//! What the page gets to see of the events: the newest ones, and how many it missed.

use levelscope::event::Event;
use levelscope_console::protocol::MarkedStep;
use levelscope_console::{Listener, Step};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most events of one message to the page; the view that comes with them makes up for the others.
const EVENTS_MAX: usize = 500;

/// Most events of a message in the middle of work that outruns the page: the next one soon takes their place.
const OUTRUN_EVENTS_MAX: usize = 100;

/// Most landmarks of one message to the page.
const LANDMARKS_MAX: usize = 500;

#[derive(Debug, Default)]
struct Kept {
    events: VecDeque<(Step, Event)>,
    elided: u64,
    /// Landmarks are told also when their events are left out.
    landmarks: Vec<MarkedStep>,
}

/// Keeps the newest events until they are drained.
#[derive(Debug, Default)]
pub(crate) struct EventBuffer {
    kept: Mutex<Kept>,
    details: AtomicBool,
}

impl EventBuffer {
    /// Whether the engine should tell details from now on.
    pub(crate) fn want_details(&self, wanted: bool) {
        self.details.store(wanted, Ordering::Relaxed);
    }

    /// The landmarks since the last call, with their steps.
    pub(crate) fn take_landmarks(&self) -> Vec<MarkedStep> {
        std::mem::take(&mut self.kept().landmarks)
    }

    /// The events since the last call, oldest first, and how many older ones did not fit.
    pub(crate) fn drain(&self) -> (Vec<(Step, Event)>, u64) {
        let mut kept = self.kept();
        let events = kept.events.drain(..).collect();
        (events, std::mem::take(&mut kept.elided))
    }

    /// As [`Self::drain`], in the middle of work: when some did not fit, only the newest of the others.
    pub(crate) fn drain_newest(&self) -> (Vec<(Step, Event)>, u64) {
        let mut kept = self.kept();
        let surplus = kept.events.len().saturating_sub(OUTRUN_EVENTS_MAX);
        if kept.elided > 0 && surplus > 0 {
            kept.events.drain(..surplus);
            kept.elided += surplus as u64;
        }
        drop(kept);
        self.drain()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.kept().events.is_empty()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
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
        if kept.events.len() >= EVENTS_MAX {
            kept.events.pop_front();
            kept.elided += 1;
        }
        kept.events.push_back((step, event.clone()));
    }

    fn wants_detail(&self) -> bool {
        self.details.load(Ordering::Relaxed)
    }
}
