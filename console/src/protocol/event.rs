//! Events, as a page receives them.

use crate::history::Step;
use levelscope::event::{
    Event, EventId, EventKind, JobId, Landmark, MergeHead, Object, ObjectEffect, ShownKey, Span,
    Verdict,
};
use levelscope::view::Patch;
use levelscope::{SeqNo, ValueKind};
use serde::Serialize;

/// An event with all that a reader needs to make sense of it without knowing its kind.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WireEvent {
    /// Its place in the history of the branch.
    pub step: Step,
    /// Number of the operation or phase since the database was opened; details have that of the one before.
    pub id: EventId,
    /// 0 for operations and phases; details count from 1 after each.
    pub detail: u32,
    /// Logical time: operations and phases so far.
    pub time: u64,
    /// The job that did it, when a job did.
    pub job: Option<JobId>,
    /// The event that made this one happen.
    pub cause: Option<EventId>,
    /// The name of its kind, as breakpoints write it.
    pub kind: &'static str,
    /// The event, as a sentence.
    pub sentence: String,
    /// The objects that it made, changed, removed or read, the most important one first.
    pub touches: Vec<WireTouch>,
    /// Its landmark on a timeline.
    pub landmark: Option<Landmark>,
    /// The span that it begins.
    pub begins: Option<Span>,
    /// The span that it ends.
    pub ends: Option<Span>,
    /// How it changes a view.
    pub patches: Vec<Patch>,
    /// The decision of a merge about one entry, if this is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub merge: Option<MergeStep>,
}

/// One entry in a flush or a compaction: the picture of a merge shows it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MergeStep {
    /// The key.
    pub key: ShownKey,
    /// The sequence number of the version.
    pub sequence: SeqNo,
    /// Put or tombstone.
    pub entry: ValueKind,
    /// Whether it was kept, and why.
    pub verdict: Verdict,
    /// The entry that each input of the merge stands on; none in a flush, which has one input.
    pub heads: Vec<MergeHead>,
}

/// An object that an event touches.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WireTouch {
    /// Its address: `table:12`.
    pub object: String,
    /// The effect on it.
    pub effect: ObjectEffect,
}

impl WireEvent {
    /// `event`, which happened at `step`.
    pub fn new(step: Step, event: &Event) -> Self {
        let info = event.kind.info();
        let touches = event.kind.touches();
        let addressed = touches.iter().filter(|touch| !matches!(touch.object, Object::Key(_)));
        Self {
            step,
            id: event.id,
            detail: event.detail,
            time: event.time,
            job: event.job,
            cause: event.cause,
            kind: info.name,
            sentence: event.sentence(),
            touches: addressed
                .map(|touch| WireTouch { object: touch.object.to_string(), effect: touch.effect })
                .collect(),
            landmark: event.kind.landmark(),
            begins: info.begins,
            ends: info.ends,
            patches: event.patches(),
            merge: MergeStep::of(&event.kind),
        }
    }
}

impl MergeStep {
    fn of(kind: &EventKind) -> Option<Self> {
        let EventKind::MergeEntry { key, sequence, entry, verdict, heads } = kind else {
            return None;
        };
        Some(Self {
            key: key.clone(),
            sequence: *sequence,
            entry: *entry,
            verdict: *verdict,
            heads: heads.clone(),
        })
    }
}

/// An event that a timeline marks, sent also when the event itself is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MarkedStep {
    /// Its place in the history of the branch.
    pub step: Step,
    /// Its mark.
    pub kind: Landmark,
}
