//! What a page is told: the types of the messages between a page and the worker that runs the engine.
//!
//! They are Rust types, and the page's are generated from them.

use crate::time::Step;
use levelscope::event::{Effect, Event, Landmark, Object, Span};
use serde::Serialize;

/// An event with all that a reader needs to make sense of it without knowing its kind.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WireEvent {
    /// Its place in the history of the branch.
    pub step: Step,
    /// What happened.
    pub sentence: String,
    /// The objects that it made, changed, removed or read, the most important one first.
    pub touches: Vec<WireTouch>,
    /// What a timeline marks it as.
    pub landmark: Option<Landmark>,
    /// The span that it begins.
    pub begins: Option<Span>,
    /// The span that it ends.
    pub ends: Option<Span>,
    /// The event itself.
    #[serde(flatten)]
    pub event: Event,
}

/// An object that an event touches.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WireTouch {
    /// Its address: `table:12`.
    pub object: String,
    /// What is done to it.
    pub effect: Effect,
}

impl WireEvent {
    /// `event`, which happened at `step`.
    pub fn new(step: Step, event: &Event) -> Self {
        let info = event.kind.info();
        let touches = event.kind.touches();
        let addressed = touches.iter().filter(|touch| !matches!(touch.object, Object::Key(_)));
        Self {
            step,
            sentence: event.sentence(),
            touches: addressed
                .map(|touch| WireTouch { object: touch.object.to_string(), effect: touch.effect })
                .collect(),
            landmark: info.landmark,
            begins: info.begins,
            ends: info.ends,
            event: event.clone(),
        }
    }
}

/// An event that a timeline marks, told also when the event itself is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MarkedStep {
    /// Its place in the history of the branch.
    pub step: Step,
    /// What it is marked as.
    pub kind: Landmark,
}
