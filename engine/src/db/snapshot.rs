//! Snapshots: a sequence number that compaction must keep readable.

use super::Db;
use crate::event::EventKind;
use crate::key::SeqNo;
use crate::state::{Moment, Shared};
use std::sync::Arc;

/// The database as it was at one moment; dropping it lets compaction forget that moment.
#[derive(Debug)]
pub struct Snapshot {
    shared: Arc<Shared>,
    moment: Moment,
}

impl Snapshot {
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Everything up to this sequence number is visible.
    pub fn sequence(&self) -> SeqNo {
        self.moment.sequence
    }

    pub(super) fn moment(&self) -> &Moment {
        &self.moment
    }
}

/// # Read one moment
impl Db {
    /// Takes a snapshot of the current state. Cost: one entry in a list; nothing is copied.
    pub fn snapshot(&self) -> Snapshot {
        let shared = Arc::clone(&self.inner.shared);
        let mut core = shared.core();
        // Read under the lock under which compactions learn of snapshots.
        let moment = Moment::now(&shared, &core);
        let sequence = moment.sequence;
        let holders = core.snapshots.entry(sequence).or_insert(0);
        let held = *holders > 0;
        *holders += 1;
        // Emitted under the lock, so that events have the order of the changes.
        shared.events.emit(None, None, || EventKind::OpSnapshot { sequence, held });
        drop(core);
        Snapshot { shared, moment }
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        let sequence = self.moment.sequence;
        let mut core = self.shared.core();
        let mut held = false;
        if let Some(holders) = core.snapshots.get_mut(&sequence) {
            *holders -= 1;
            held = *holders > 0;
        }
        if !held {
            core.snapshots.remove(&sequence);
        }
        self.shared.events.emit(None, None, || EventKind::OpRelease { sequence, held });
        drop(core);
    }
}
