//! Events with their sentences, the state, and a read with every stop on its way, as JSON.

use levelscope::event::{Event, EventSink, Landmark, Object, ObjectEffect};
use levelscope::storage::Storage;
use levelscope::view::{Patch, View};
use levelscope::{Db, Hit, ReadStop, RepairOptions, Result};
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most events that wait to be taken; older ones are dropped, and counted.
const EVENTS_MAX: usize = 10_000;

/// Keeps events while the program listens.
#[derive(Debug, Default)]
pub(crate) struct EventQueue {
    kept: Mutex<(VecDeque<Event>, u64)>,
    listens: AtomicBool,
    details: AtomicBool,
}

/// Events as JSON.
#[derive(Serialize)]
struct Batch<'a> {
    /// Oldest first.
    events: Vec<WireEvent<'a>>,
    /// Number of older events that were dropped.
    dropped: u64,
    /// The state after all of these events.
    view: Option<View>,
}

#[derive(Serialize)]
struct WireEvent<'a> {
    #[serde(flatten)]
    event: &'a Event,
    name: &'static str,
    sentence: String,
    touches: Vec<WireTouch>,
    landmark: Option<Landmark>,
    patches: Vec<Patch>,
}

#[derive(Serialize)]
struct WireTouch {
    object: String,
    effect: ObjectEffect,
}

impl<'a> WireEvent<'a> {
    fn new(event: &'a Event) -> Self {
        let touches = event.kind.touches();
        let addressed = touches.iter().filter(|touch| !matches!(touch.object, Object::Key(_)));
        Self {
            event,
            name: event.kind.name(),
            sentence: event.sentence(),
            touches: addressed
                .map(|touch| WireTouch { object: touch.object.to_string(), effect: touch.effect })
                .collect(),
            landmark: event.kind.landmark(),
            patches: event.patches(),
        }
    }
}

impl EventQueue {
    /// Keeps events from now on, or keeps none.
    pub(crate) fn listen(&self, wanted: bool, details: bool) {
        self.listens.store(wanted, Ordering::Relaxed);
        self.details.store(wanted && details, Ordering::Relaxed);
        if !wanted {
            *self.kept() = Default::default();
        }
    }

    /// The newest `most` of the events since the last call; older ones are dropped, and counted. With the state
    /// where it is `wanted`, or does not follow from the events.
    ///
    /// Cost: sentence and JSON of each returned event; a dropped one costs nothing more.
    pub(crate) fn take(&self, db: &Db, most: usize, wanted: bool) -> String {
        let (mut events, mut dropped) = std::mem::take(&mut *self.kept());
        let beyond = events.len().saturating_sub(most);
        events.drain(..beyond);
        dropped += beyond as u64;
        let view = (wanted || dropped > 0).then(|| db.view());
        json(&Batch { events: events.iter().map(WireEvent::new).collect(), dropped, view })
    }

    fn kept(&self) -> MutexGuard<'_, (VecDeque<Event>, u64)> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventSink for EventQueue {
    fn event(&self, event: Event) {
        // The engine reports events of the opening even while nothing listens.
        if !self.wants_events() {
            return;
        }
        let mut kept = self.kept();
        if kept.0.len() >= EVENTS_MAX {
            kept.0.pop_front();
            kept.1 += 1;
        }
        kept.0.push_back(event);
    }

    fn wants_events(&self) -> bool {
        self.listens.load(Ordering::Relaxed)
    }

    fn wants_detail(&self) -> bool {
        self.details.load(Ordering::Relaxed)
    }
}

pub(crate) fn view(db: &Db) -> String {
    json(&db.view())
}

/// The newest entries of each memtable, at most `most` of each.
pub(crate) fn recent(db: &Db, most: usize) -> String {
    json(&db.recent_writes(most))
}

pub(crate) fn stats(db: &Db) -> String {
    json(&db.stats())
}

/// Copies the database as it is now into an empty directory.
pub(crate) fn checkpoint(db: &Db, target: Arc<dyn Storage>) -> Result<String> {
    Ok(json(&db.checkpoint_in(target)?))
}

/// Writes what can be proved good of the database in `source` into `target`, an empty directory.
pub(crate) fn repair(source: Arc<dyn Storage>, target: Arc<dyn Storage>) -> Result<String> {
    Ok(json(&levelscope::repair(source, target, &RepairOptions::default())?))
}

#[derive(Serialize)]
struct Explained {
    found: bool,
    /// The entry that decided.
    winner: Option<Hit>,
    stops: Vec<ReadStop>,
}

pub(crate) fn explain(db: &Db, key: &[u8]) -> Result<String> {
    let (value, path) = db.explain_get(key, None)?;
    Ok(json(&Explained { found: value.is_some(), winner: path.winner(), stops: path.stops }))
}

fn json(value: &impl Serialize) -> String {
    // Only maps with keys that are not strings cannot be written, and none of these has one.
    serde_json::to_string(value).unwrap_or_default()
}
