//! The range tombstones of a merge: which are kept, and in which output.
//!
//! A range that several tombstones of one stripe ([`Retain`]) cover counts once, as of the newest. Each output gets the
//! part between its own beginning and that of the next output, so that the outputs share no key. A part is dropped when
//! no reader before it is left and no older run may have its keys: the merge has dropped all that it hides.

use super::Retain;
use crate::event::Verdict;
use crate::key::{Cut, Span};
use crate::ranges::{RangeTombstone, flatten_stripes};

/// Hands out range tombstones, output by output.
#[derive(Debug, Default)]
pub(crate) struct RangeOutputs {
    /// The remaining tombstones, in order.
    rest: Vec<RangeTombstone>,
    /// The first key of the present output; none: it begins with the first key of all.
    from: Vec<u8>,
}

/// A part of a range tombstone, and its fate.
pub(crate) type JudgedRange = (RangeTombstone, Verdict);

impl RangeOutputs {
    /// Of the range tombstones of all inputs, which `retain` judges.
    pub(crate) fn new(retain: &Retain) -> Self {
        let all: Vec<&RangeTombstone> = retain.ranges().all().iter().collect();
        let rest = flatten_stripes(&all, |sequence| retain.stripe_end(sequence));
        Self { rest, from: Vec::new() }
    }

    /// The parts of the output that ends before `next`, the first key of the next output, or with the last key of
    /// all. Cost: those that are left.
    pub(crate) fn end_output(&mut self, next: Option<&[u8]>, retain: &Retain) -> Vec<JudgedRange> {
        if self.rest.is_empty() {
            return Vec::new();
        }
        let to = next.map_or(Cut::End, |next| Cut::At(next, false));
        let own = Span { from: Cut::At(&self.from, false), to };
        let parts = self.rest.iter().filter_map(|tombstone| tombstone.clipped(&own));
        let judged = parts.map(|part| {
            let verdict = retain.judge_range(&part);
            (part, verdict)
        });
        let judged = judged.collect();
        self.rest.retain(|tombstone| tombstone.span().to > to);
        self.from = next.unwrap_or_default().to_vec();
        judged
    }
}
