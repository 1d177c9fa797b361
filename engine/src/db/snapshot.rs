//! Snapshots: a sequence number that compaction must keep readable.

use super::Db;
use crate::event::EventKind;
use crate::key::SeqNo;
use crate::state::{ReadView, Shared};
use std::sync::Arc;

/// The database as it was at one moment; dropping it lets compaction forget that moment.
#[derive(Debug)]
pub struct Snapshot {
    shared: Arc<Shared>,
    sequence: SeqNo,
    /// On a handle for reading: the state itself.
    view: Option<Arc<ReadView>>,
}

impl Snapshot {
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Where it reads.
    pub(super) fn moment(&self) -> Moment {
        Moment { sequence: self.sequence, view: self.view.clone() }
    }

    /// Everything up to this sequence number is visible.
    pub fn sequence(&self) -> SeqNo {
        self.sequence
    }
}

/// What a read of the past reads.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    pub(super) sequence: SeqNo,
    /// `None`: the present view, which has everything of that moment.
    pub(super) view: Option<Arc<ReadView>>,
}

impl Moment {
    /// The view to read.
    pub(super) fn view(&self, shared: &Shared) -> Arc<ReadView> {
        self.view.clone().unwrap_or_else(|| shared.read_view())
    }
}

impl Db {
    /// Pins the present moment. Cost: one entry in a list; nothing is copied.
    pub fn snapshot(&self) -> Snapshot {
        let shared = Arc::clone(&self.inner.shared);
        let mut core = shared.core();
        // Read under the lock under which compactions learn of snapshots.
        let sequence = shared.visible_sequence();
        let holders = core.snapshots.entry(sequence).or_insert(0);
        let held = *holders > 0;
        *holders += 1;
        // Emitted under the lock, so that events have the order of the changes.
        shared.events.emit(None, None, || EventKind::OpSnapshot { sequence, held });
        let view = shared.kept_view();
        drop(core);
        Snapshot { shared, sequence, view }
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        let mut core = self.shared.core();
        let mut held = false;
        if let Some(holders) = core.snapshots.get_mut(&self.sequence) {
            *holders -= 1;
            held = *holders > 0;
        }
        if !held {
            core.snapshots.remove(&self.sequence);
        }
        let sequence = self.sequence;
        self.shared.events.emit(None, None, || EventKind::OpRelease { sequence, held });
        drop(core);
    }
}
