//! Where events go: a sink from outside, or nowhere.

use super::{Event, EventId, EventKind, Grain, JobId};
use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Receives every event. Must not call the database: it may hold locks while it emits.
pub trait EventSink: Send + Sync {
    /// Takes one event.
    fn event(&self, event: Event);

    /// Whether events are wanted now; without it the engine does not even build them, but numbers them.
    fn wants_events(&self) -> bool {
        true
    }

    /// Whether details are wanted, too.
    fn wants_detail(&self) -> bool {
        false
    }
}

/// Numbers events and hands them to the sink. Observation changes nothing: ids and logical time advance
/// in the same way with and without a sink, and with and without details.
pub(crate) struct EventBus {
    sink: Option<Arc<dyn EventSink>>,
    /// Held from the number of an event to its delivery, so that the stream is in order.
    order: Mutex<()>,
    time: AtomicU64,
    /// Details since the last operation or phase.
    details: AtomicU32,
}

impl EventBus {
    /// A bus that hands events to `sink`, or drops them.
    pub(crate) fn new(sink: Option<Arc<dyn EventSink>>) -> Self {
        let (time, details) = (AtomicU64::new(0), AtomicU32::new(0));
        Self { sink, order: Mutex::new(()), time, details }
    }

    /// Hands later events to `sink`; numbers and time go on.
    pub(crate) fn replace_sink(&mut self, sink: Option<Arc<dyn EventSink>>) {
        self.sink = sink;
    }

    /// Emits an operation or phase; `build` runs only when there is a listener. Returns its id.
    pub(crate) fn emit(
        &self,
        job: Option<JobId>,
        cause: Option<EventId>,
        build: impl FnOnce() -> EventKind,
    ) -> EventId {
        let _order = self.listener().map(|_| self.in_order());
        let time = self.time.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        if let Some(sink) = self.listener() {
            self.details.store(0, Ordering::Relaxed);
            sink.event(Event { id: time, detail: 0, time, job, cause, kind: build() });
        }
        time
    }

    /// Emits a detail if the listener wants details. The detail is counted either way, so that its number
    /// does not depend on when a listener begins to listen.
    pub(crate) fn detail(
        &self,
        job: Option<JobId>,
        cause: Option<EventId>,
        build: impl FnOnce() -> EventKind,
    ) {
        let Some(sink) = self.sink.as_ref().filter(|_| cfg!(feature = "events")) else { return };
        let detail = self.details.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        if sink.wants_detail() {
            let _order = self.in_order();
            let time = self.time.load(Ordering::Relaxed);
            sink.event(Event { id: time, detail, time, job, cause, kind: build() });
        }
    }

    /// Whether the listener wants details: for details that are expensive to compute.
    pub(crate) fn wants_detail(&self) -> bool {
        cfg!(feature = "events") && self.sink.as_ref().is_some_and(|sink| sink.wants_detail())
    }

    /// Logical time: operations and phases so far.
    pub(crate) fn time(&self) -> u64 {
        self.time.load(Ordering::Relaxed)
    }

    /// The sink, while it wants events.
    fn listener(&self) -> Option<&Arc<dyn EventSink>> {
        // Without the feature all that builds events is unreachable, and left out of the program.
        if cfg!(feature = "events") {
            self.sink.as_ref().filter(|sink| sink.wants_events())
        } else {
            None
        }
    }

    fn in_order(&self) -> MutexGuard<'_, ()> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for EventBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventBus").field("observed", &self.sink.is_some()).finish_non_exhaustive()
    }
}

/// A sink that keeps the last `capacity` events until they are drained.
#[derive(Debug)]
pub struct Recorder {
    kept: Mutex<(VecDeque<Event>, u64)>,
    capacity: usize,
    grain: Grain,
}

impl Recorder {
    /// Keeps at most `capacity` events no finer than `grain`.
    pub fn new(capacity: usize, grain: Grain) -> Self {
        Self { kept: Mutex::default(), capacity, grain }
    }

    /// Takes the kept events, oldest first, and the number of older ones that did not fit.
    pub fn drain(&self) -> (Vec<Event>, u64) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let events = kept.0.drain(..).collect();
        (events, std::mem::take(&mut kept.1))
    }
}

impl EventSink for Recorder {
    fn event(&self, event: Event) {
        if event.kind.grain() > self.grain {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.0.len() >= self.capacity {
            kept.0.pop_front();
            kept.1 += 1;
        }
        kept.0.push_back(event);
    }

    fn wants_detail(&self) -> bool {
        self.grain == Grain::Detail
    }
}
