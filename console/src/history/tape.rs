//! Receives the events of one branch: counts them, compares them with breakpoints, buffers them for commands, and
//! passes them to the host.

use super::{AcknowledgedWrites, Capture, Points, Step};
use levelscope::event::{Event, EventSink, Grain, Recorder};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Events that are kept: more than one command can sensibly print.
const KEPT_MAX: usize = 4096;

/// Receives every event of the current branch, with its step. Must not call the console.
pub trait Listener: Send + Sync {
    /// Takes one event.
    fn event(&self, step: Step, event: &Event);

    /// Whether details are wanted.
    fn wants_detail(&self) -> bool {
        false
    }
}

/// Listeners to the events of a branch; replicas have none.
#[derive(Clone)]
pub(crate) struct Outside {
    pub(crate) host: Option<Arc<dyn Listener>>,
    pub(crate) points: Arc<Points>,
}

/// Hands events on, and keeps the newest.
pub(crate) struct Tape {
    recorder: Recorder,
    details: AtomicBool,
    captures_details: AtomicBool,
    outside: OnceLock<Outside>,
    track: Mutex<Track>,
}

/// Where in its history the branch is.
#[derive(Default)]
struct Track {
    step: Step,
    /// The last step before the present opening: numbers of events count from there.
    opening: Step,
    capture: Option<Capture>,
    writes: AcknowledgedWrites,
}

impl Tape {
    /// A tape that goes on after `step`, without listeners.
    pub(crate) fn new(step: Step) -> Self {
        Self {
            recorder: Recorder::new(KEPT_MAX, Grain::Detail),
            details: AtomicBool::new(false),
            captures_details: AtomicBool::new(false),
            outside: OnceLock::new(),
            track: Mutex::new(Track { step, opening: step, ..Track::default() }),
        }
    }

    /// Lets `outside` hear everything from now on. Only the first call counts.
    pub(crate) fn attach(&self, outside: Outside) {
        let _ = self.outside.set(outside);
    }

    /// The last step.
    pub(crate) fn step(&self) -> Step {
        self.track().step
    }

    /// The last step before the present opening: the numbers of its events count from there.
    pub(crate) fn opening(&self) -> Step {
        self.track().opening
    }

    /// Hands everything to `capture`, too.
    pub(crate) fn capture(&self, capture: Capture) {
        self.captures_details.store(capture.wants_detail(), Ordering::Relaxed);
        self.track().capture = Some(capture);
    }

    /// Reads the captured data.
    pub(crate) fn captured<T>(&self, look: impl FnOnce(&mut Capture) -> T) -> Option<T> {
        self.track().capture.as_mut().map(look)
    }

    /// Takes the captured data.
    pub(crate) fn take_capture(&self) -> Option<Capture> {
        self.captures_details.store(false, Ordering::Relaxed);
        self.track().capture.take()
    }

    /// Whether details are kept from now on.
    pub(crate) fn keep_details(&self, keep: bool) {
        self.details.store(keep, Ordering::Relaxed);
    }

    /// Takes the kept events, oldest first, and the number of older ones that did not fit.
    pub(crate) fn drain(&self) -> (Vec<Event>, u64) {
        self.recorder.drain()
    }

    /// The writes that were acknowledged last.
    pub(crate) fn writes(&self) -> AcknowledgedWrites {
        self.track().writes.clone()
    }

    fn track(&self) -> MutexGuard<'_, Track> {
        self.track.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventSink for Tape {
    fn event(&self, event: Event) {
        let step = {
            let mut track = self.track();
            if event.detail == 0 {
                if event.id == 1 {
                    track.opening = track.step;
                }
                track.step += 1;
            }
            let Track { step, opening, capture, writes } = &mut *track;
            writes.event(&event);
            if let Some(capture) = capture {
                capture.event((*step, *opening), &event, writes);
            }
            *step
        };
        if let Some(outside) = self.outside.get() {
            outside.points.event(step, &event);
            if let Some(host) = &outside.host {
                host.event(step, &event);
            }
        }
        if event.detail == 0 || self.details.load(Ordering::Relaxed) {
            self.recorder.event(event);
        }
    }

    fn wants_detail(&self) -> bool {
        let outside = self.outside.get().is_some_and(|outside| {
            outside.points.wants_detail()
                || outside.host.as_ref().is_some_and(|host| host.wants_detail())
        });
        outside
            || self.details.load(Ordering::Relaxed)
            || self.captures_details.load(Ordering::Relaxed)
    }
}
