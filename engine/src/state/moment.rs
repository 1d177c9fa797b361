//! The moment that a snapshot or a transaction reads at.

use super::{Core, ReadView, Shared};
use crate::key::SeqNo;
use std::sync::Arc;

/// A sequence number that is held, and where to read it.
///
/// Compactions keep the versions that a pinned sequence number reads: they look at the list of those when they begin. A
/// compaction filter may change the result of a moment that begins later, and the owner of a database that is only read
/// here knows nothing of our moments. So such a moment keeps the view of its beginning.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    pub(crate) sequence: SeqNo,
    view: Option<Arc<ReadView>>,
}

impl Moment {
    /// The present moment; the caller notes its sequence number under the same lock of `core`.
    ///
    /// Cost: while a compaction with a filter runs, and on a handle for reading, the moment holds the memtables and
    /// tables of now.
    pub(crate) fn now(shared: &Shared, core: &Core) -> Self {
        let filtering = shared.filter.is_some() && !core.claims.is_empty();
        // Memtables rotate under the same lock, so the view has all that is visible at the number.
        let view = (filtering || shared.reading).then(|| shared.read_view());
        Self { sequence: shared.visible_sequence(), view }
    }

    /// Where to read it.
    pub(crate) fn view(&self, shared: &Shared) -> Arc<ReadView> {
        self.view.clone().unwrap_or_else(|| shared.read_view())
    }
}
