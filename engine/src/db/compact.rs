//! Flushes and compactions on request.

use super::{Db, closed};
use crate::compaction::AskedTarget;
use crate::event::{EventId, EventKind, ShownKey};
use crate::iter::KeyRange;
use crate::key::{Span, user_key};
use crate::manifest::TableMeta;
use crate::state::{AskedCompaction, Core};
use crate::{Bound, Error, Result};
use std::sync::Arc;

/// # Flush and compact
impl Db {
    /// Flushes the memtables to L0. Returns whether any had entries. Inline and with threads the flush is done on
    /// return, with [`Maintenance::Manual`](crate::Maintenance::Manual) it happens in [`Db::step`].
    ///
    /// # Errors
    /// As [`Db::write`].
    pub fn request_flush(&self) -> Result<bool> {
        self.rotate_asked()?;
        let shared = self.shared();
        let newest = {
            let mut core = shared.core();
            core.update_flush_due(&shared.options, true);
            shared.update_pace(&mut core, None, None);
            core.immutables.first().map(|newest| newest.memtable.id())
        };
        shared.changed.notify_all();
        self.finish_inline_work()?;
        if let Some(newest) = newest {
            self.wait_for_threads(&|core| core.flushed(newest))?;
        }
        Ok(newest.is_some())
    }

    /// Flushes all memtables and compacts all tables that have keys of `keys`, as [`Self::compact_range`]:
    /// `db.compact(..)` takes the whole database. Returns whether there were such tables.
    ///
    /// With manual maintenance, [`Db::step`] does both, and the compaction takes only the tables that there
    /// are now: flush and step before. Cost: every table of the range is read and written at least once.
    ///
    /// # Errors
    /// As [`Db::step`].
    pub fn compact(&self, keys: impl KeyRange) -> Result<bool> {
        self.request_flush()?;
        let (lower, upper) = keys.into_bounds();
        let smallest = match lower {
            Bound::Included(key) | Bound::Excluded(key) => key,
            Bound::Unbounded => Vec::new(),
        };
        let largest = match upper {
            Bound::Included(key) | Bound::Excluded(key) => key,
            Bound::Unbounded => {
                let version = Arc::clone(&self.shared().core().version);
                let last = version.tables().map(|(_, table)| last_beginning(table)).max();
                // A range tombstone may begin before the keys and end after them.
                last.unwrap_or_default().max(&smallest).to_vec()
            }
        };
        if smallest > largest {
            return Ok(false);
        }
        self.compact_range(&smallest, &largest)
    }

    /// Asks for the compaction of all tables that have keys in `smallest..=largest` into the deepest level that
    /// has any (at least L1), where they become one run: one merge of all levels, which reads and writes each
    /// table once. Memtables are not flushed before. With a compaction filter, the tables of that level which
    /// were there before are rewritten, also where they are one run already: the filter has then seen the whole
    /// range. Returns whether there was anything to compact. Inline and with threads it is done on return.
    ///
    /// While it is under way no other compaction begins, and its inputs are deleted when all of them have been
    /// merged: it needs as much space again as the range takes.
    ///
    /// # Errors
    /// As [`Db::step`]; `InvalidArgument` when the keys are the wrong way round.
    pub fn compact_range(&self, smallest: &[u8], largest: &[u8]) -> Result<bool> {
        let shared = self.shared();
        shared.writable()?;
        if smallest > largest {
            return Err(Error::invalid(format!(
                "a range begins with its smallest key, but {} comes after {}",
                ShownKey::new(smallest),
                ShownKey::new(largest)
            )));
        }
        let asked = {
            let mut core = shared.core();
            if core.closing {
                return Err(closed());
            }
            let filters = shared.filter.is_some();
            ask_range(&mut core, smallest, largest, filters, |down_to| {
                let (smallest, largest) = (ShownKey::new(smallest), ShownKey::new(largest));
                let build = || EventKind::OpCompactRange { smallest, largest, down_to };
                shared.events.emit(None, None, build)
            })
        };
        self.asked_for(asked.as_slice())
    }

    pub(super) fn asked_for(&self, causes: &[EventId]) -> Result<bool> {
        self.shared().changed.notify_all();
        self.finish_inline_work()?;
        self.wait_for_threads(&|core| causes.iter().all(|cause| core.compacted(*cause)))?;
        Ok(!causes.is_empty())
    }
}

/// The last key of a table or, if it comes later, the beginning of its range tombstones.
fn last_beginning(table: &TableMeta) -> &[u8] {
    let ranges = table.ranges.as_ref().map_or(&[][..], |ranges| &ranges.begin);
    user_key(&table.largest).max(ranges)
}

/// Notes one compaction for each level that data of the range is in or passes, and the event that asked;
/// `None` when there is nothing to do.
fn ask_range(
    core: &mut Core,
    smallest: &[u8],
    largest: &[u8],
    filters: bool,
    emit: impl FnOnce(usize) -> EventId,
) -> Option<EventId> {
    let span = Span::inclusive(smallest, largest);
    let has = |level: &usize| !core.version.overlapping(*level, &span).is_empty();
    let levels = || 0..core.version.level_count();
    let (Some(first), Some(last)) = (levels().find(has), levels().rev().find(has)) else {
        return None;
    };
    let down_to = last.max(1);
    let runs = core.version.runs(down_to).iter();
    let overlaps = |table: &Arc<TableMeta>| table.overlaps(&span);
    let one_run = runs.filter(|run| run.tables().iter().any(overlaps)).count() == 1;
    if first == down_to && one_run && !filters {
        return None;
    }
    let cause = emit(down_to);
    let before = core.next_table;
    let last = if filters { AskedTarget::Rewritten { before } } else { AskedTarget::OneRun };
    for (level, target) in [(first, AskedTarget::Level(down_to)), (down_to, last)] {
        let range = Some((smallest.to_vec(), largest.to_vec()));
        core.asked.push(AskedCompaction { level, range, target, cause });
    }
    Some(cause)
}
