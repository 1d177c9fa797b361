//! Records events while a replica replays the past.

use super::AcknowledgedWrites;
use super::journal::Step;
use levelscope::event::{Event, EventId};
use levelscope::internals::Few;
use levelscope::storage::MemoryStorage;
use std::collections::BTreeSet;

/// Events that one window may hold: more than a page can use at once.
pub(crate) const EVENTS_MAX: usize = 20_000;
/// When a single call has more events than a window may hold, the rest is left out.
pub(crate) const CALL_EVENTS_MAX: usize = 200_000;

/// The recorded data.
pub(crate) enum Capture {
    /// Events, one after the other.
    Events { details: bool, events: Vec<(Step, Event)>, full: bool },
    /// The disk as it is right after one step, and the writes that are acknowledged then.
    Disk { at: Step, disk: MemoryStorage, image: Option<(MemoryStorage, AcknowledgedWrites)> },
    /// The cause of every step, as a step.
    Causes(Vec<Step>),
    /// A few steps, in words.
    Sentences { wanted: BTreeSet<Step>, found: Few<Step, Event> },
}

impl Capture {
    pub(crate) fn events(details: bool) -> Self {
        Self::Events { details, events: Vec::new(), full: false }
    }

    pub(crate) fn wants_detail(&self) -> bool {
        matches!(self, Self::Events { details: true, .. })
    }

    /// Records `event`, at `step`; events of its opening count from `opening`. `writes` are those up to it.
    pub(crate) fn event(
        &mut self,
        (step, opening): (Step, Step),
        event: &Event,
        writes: &AcknowledgedWrites,
    ) {
        match self {
            Self::Events { details, events, full } => {
                if events.len() >= CALL_EVENTS_MAX {
                    *full = true;
                } else if *details || event.detail == 0 {
                    events.push((step, event.clone()));
                }
            }
            Self::Disk { at, disk, image } => {
                if step == *at && image.is_none() {
                    *image = Some((disk.fork(), writes.clone()));
                }
            }
            Self::Causes(causes) => {
                if event.detail == 0 {
                    let of = |cause: EventId| opening.saturating_add(cause);
                    causes.push(event.cause.map_or(0, of));
                }
            }
            Self::Sentences { wanted, found } => {
                if event.detail == 0 && wanted.contains(&step) {
                    found.insert(step, event.clone());
                }
            }
        }
    }
}
