//! The latest acknowledged writes of a branch, from which a power failure reports those it lost.

use crate::text;
use levelscope::SeqNo;
use levelscope::event::{Acknowledged, Event, EventId, EventKind};
use std::collections::VecDeque;

/// Writes that are kept: more than a sentence names, and more than are under way at once.
const KEPT_MAX: usize = 64;
/// Lost writes that a sentence names.
const NAMED_MAX: usize = 3;

/// The newest writes, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct AcknowledgedWrites {
    /// Operations that began: each with the sequence number of its last entry.
    begun: VecDeque<(EventId, SeqNo)>,
    done: VecDeque<(SeqNo, Acknowledged)>,
}

impl AcknowledgedWrites {
    /// Takes one event of the branch.
    pub(crate) fn event(&mut self, event: &Event) {
        match &event.kind {
            EventKind::OpPut { sequence, .. }
            | EventKind::OpDelete { sequence, .. }
            | EventKind::OpDeleteRange { sequence, .. } => {
                push(&mut self.begun, (event.id, *sequence));
            }
            EventKind::OpBatch { first_sequence, count, .. }
            | EventKind::OpCommit { first_sequence, count, .. } => {
                let last = first_sequence.saturating_add(u64::from(*count)).saturating_sub(1);
                push(&mut self.begun, (event.id, last));
            }
            EventKind::OpDone { op, what, .. } => {
                let at = self.begun.iter().position(|(id, _)| id == op);
                if let Some((_, last)) = at.and_then(|at| self.begun.remove(at)) {
                    push(&mut self.done, (last, what.clone()));
                }
            }
            _ => {}
        }
    }

    /// Which writes are lost when recovery found none after `recovered`, as a sentence.
    pub(crate) fn lost(&self, recovered: SeqNo) -> String {
        let lost: Vec<_> = self.done.iter().filter(|(last, _)| *last > recovered).collect();
        let Some((last, _)) = lost.last() else {
            return "No acknowledged write is lost.".to_owned();
        };
        let (entries, known) = (last.saturating_sub(recovered), lost.len());
        let verb = if entries == 1 { "is" } else { "are" };
        let counted = text::counted(entries, "acknowledged write");
        let names: Vec<String> =
            lost.iter().rev().take(NAMED_MAX).rev().map(|(_, what)| name(what)).collect();
        let among = if known > NAMED_MAX { "the last of them " } else { "" };
        format!("{counted} {verb} lost: {among}{}.", text::list(&names))
    }
}

fn push<T>(kept: &mut VecDeque<T>, item: T) {
    if kept.len() >= KEPT_MAX {
        kept.pop_front();
    }
    kept.push_back(item);
}

fn name(what: &Acknowledged) -> String {
    match what {
        Acknowledged::Put { key, value } => format!("{key} = {value}"),
        Acknowledged::Delete { key } => format!("the deletion of {key}"),
        Acknowledged::DeleteRange { range } => format!("the deletion of the range {range}"),
        Acknowledged::Batch { count } => {
            format!("a batch of {}", text::counted(*count, "operation"))
        }
        Acknowledged::Sync => "a sync".to_owned(),
    }
}
