//! Breakpoints and crash points: set by commands, matched with each event, reported to the host.

use super::journal::Step;
use super::trigger::Trigger;
use levelscope::event::Event;
use levelscope::storage::Crash;
use levelscope::view::View;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Breakpoints at once: each is compared with every event.
pub(crate) const POINTS_MAX: usize = 64;

/// A breakpoint that is set, for hosts and programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Breakpoint {
    /// The number that `break delete` takes.
    pub number: u64,
    /// As it was typed: `before flush.install`, `on drop`, `crash after wal.sync`.
    pub text: String,
    /// How often it struck.
    pub hits: u64,
}

/// A breakpoint struck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BreakpointHit {
    /// The event, or for a detail the event before it.
    pub step: Step,
    /// The number of the breakpoint.
    pub breakpoint: u64,
    /// The name of the event.
    pub name: String,
    /// Whether it stops just before that event.
    pub before: bool,
    /// The event, as a sentence.
    pub sentence: String,
    /// The rule for unsynced writes at a crash point; `None`: it is none.
    #[serde(skip)]
    pub(crate) crash: Option<Crash>,
}

struct Point {
    state: Breakpoint,
    trigger: Trigger,
    before: bool,
    crash: Option<Crash>,
    /// Whether the condition held after the event before.
    held: bool,
}

#[derive(Default)]
struct Inner {
    points: Vec<Point>,
    last_number: u64,
    /// The figures that conditions compare; updated by events while there are conditions.
    view: View,
    /// Whether there are any.
    conditions: bool,
    hit: Option<BreakpointHit>,
    changed: bool,
}

/// All points that are set; shared by the branches of a session.
#[derive(Default)]
pub(crate) struct Points {
    inner: Mutex<Inner>,
    armed: AtomicBool,
    details: AtomicBool,
}

impl Points {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets one; a condition that holds already waits until it holds again. `None`: there are too many.
    pub(crate) fn set(
        &self,
        (text, trigger): (String, Trigger),
        before: bool,
        crash: Option<Crash>,
        now: View,
    ) -> Option<Breakpoint> {
        let mut inner = self.inner();
        if inner.points.len() >= POINTS_MAX {
            return None;
        }
        inner.last_number += 1;
        inner.view = now;
        let held = holds(&trigger, &inner.view);
        let state = Breakpoint { number: inner.last_number, text, hits: 0 };
        inner.points.push(Point { state: state.clone(), trigger, before, crash, held });
        self.rearm(&mut inner);
        Some(state)
    }

    /// Whether `trigger` is a condition that holds in `now`.
    pub(crate) fn holds(trigger: &Trigger, now: &View) -> bool {
        holds(trigger, now)
    }

    /// Deletes the one with this number, or all; returns how many that were.
    pub(crate) fn delete(&self, number: Option<u64>) -> usize {
        let mut inner = self.inner();
        let before = inner.points.len();
        inner.points.retain(|point| number.is_some_and(|number| point.state.number != number));
        self.rearm(&mut inner);
        before - inner.points.len()
    }

    fn rearm(&self, inner: &mut Inner) {
        inner.changed = true;
        inner.conditions =
            inner.points.iter().any(|point| matches!(point.trigger, Trigger::When(..)));
        self.armed.store(!inner.points.is_empty(), Ordering::Relaxed);
        let details = inner.points.iter().any(|point| point.trigger.wants_detail());
        self.details.store(details, Ordering::Relaxed);
    }

    pub(crate) fn list(&self) -> Vec<Breakpoint> {
        self.inner().points.iter().map(|point| point.state.clone()).collect()
    }

    /// Events come from another database from now on.
    pub(crate) fn look_at(&self, now: View) {
        let mut inner = self.inner();
        inner.view = now;
        let Inner { points, view, .. } = &mut *inner;
        for point in points {
            point.held = holds(&point.trigger, view);
        }
    }

    pub(crate) fn wants_detail(&self) -> bool {
        self.details.load(Ordering::Relaxed)
    }

    /// Compares `event` with all points. A call reports the first that strikes.
    pub(crate) fn event(&self, step: Step, event: &Event) {
        if !self.armed.load(Ordering::Relaxed) {
            return;
        }
        let mut inner = self.inner();
        if inner.conditions {
            inner.view.follow(event);
        }
        let Inner { points, view, hit, changed, .. } = &mut *inner;
        for point in points.iter_mut() {
            let strikes = match &point.trigger {
                Trigger::When(..) => {
                    let holds = holds(&point.trigger, view);
                    !std::mem::replace(&mut point.held, holds) && holds
                }
                trigger => trigger.is(event),
            };
            if !strikes {
                continue;
            }
            point.state.hits += 1;
            *changed = true;
            // A crash point takes precedence over a breakpoint at the same event.
            if hit.as_ref().is_none_or(|hit| hit.crash.is_none() && point.crash.is_some()) {
                *hit = Some(BreakpointHit {
                    step,
                    breakpoint: point.state.number,
                    name: event.kind.name().to_owned(),
                    before: point.before,
                    sentence: event.sentence(),
                    crash: point.crash,
                });
            }
        }
    }

    /// Whether one struck that is not yet taken.
    pub(crate) fn has_struck(&self) -> bool {
        self.armed.load(Ordering::Relaxed) && self.inner().hit.is_some()
    }

    /// The breakpoints that struck since the last call. A crash point is removed then.
    pub(crate) fn take_hit(&self) -> Option<BreakpointHit> {
        if !self.armed.load(Ordering::Relaxed) {
            return None;
        }
        let mut inner = self.inner();
        let hit = inner.hit.take()?;
        if hit.crash.is_some() {
            inner.points.retain(|point| point.state.number != hit.breakpoint);
            self.rearm(&mut inner);
        }
        Some(hit)
    }

    /// Whether the list differs from when this was last asked.
    pub(crate) fn take_changed(&self) -> bool {
        std::mem::take(&mut self.inner().changed)
    }
}

fn holds(trigger: &Trigger, view: &View) -> bool {
    match trigger {
        Trigger::When(quantity, compare, number) => compare.holds(quantity.of(view), *number),
        _ => false,
    }
}
