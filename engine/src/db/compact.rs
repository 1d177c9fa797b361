//! Compaction from the caller's side: requesting it, and showing the next plan.

use super::{Db, closed};
use crate::compaction::AskedTarget;
use crate::event::{EventId, EventKind, ShownKey};
use crate::iter::KeyRange;
use crate::key::{Span, user_key};
use crate::manifest::TableMeta;
use crate::state::{AskedCompaction, Core};
use crate::view::CompactionOutlook;
use crate::{Bound, Error, Result};
use std::sync::Arc;

impl Db {
    /// The next compaction with its reason, and how full each level is. Changes nothing.
    ///
    /// Requested compactions, which come first, are not part of it.
    pub fn plan(&self) -> CompactionOutlook {
        let options = self.options();
        let core = self.shared().core();
        CompactionOutlook {
            strategy: options.strategy.name().to_owned(),
            scores: core.scores(options),
            next: core.picker(options).pick().map(|plan| plan.view()),
        }
    }

    /// Asks for the compaction of `level` into the next one; `None`: of every level, from the top.
    /// The deepest level has no next one: when it has several runs, they become one. Returns whether
    /// there was anything to compact. Inline and with threads it is done on return.
    ///
    /// # Errors
    /// As [`Db::step`]; `InvalidArgument` for the deepest level when it is one run, and beyond it.
    pub fn request_compaction(&self, level: Option<usize>) -> Result<bool> {
        let shared = self.shared();
        shared.writable()?;
        let deepest = shared.options.level_count - 1;
        let levels = {
            let core = shared.core();
            if core.closing {
                return Err(closed());
            }
            match level {
                Some(level) if level == deepest && core.version.runs(level).len() > 1 => {
                    level..level + 1
                }
                Some(level) if level >= deepest => {
                    return Err(Error::invalid(format!(
                        "L{level} cannot be compacted: the deepest level is L{deepest}"
                    )));
                }
                Some(level) => level..level + 1,
                None => 0..deepest,
            }
        };
        let mut causes = Vec::new();
        for level in levels {
            let mut core = shared.core();
            let has_tables = !core.version.runs(level).is_empty();
            let reached = !causes.is_empty() && level < core.version.level_count();
            if has_tables || reached {
                let cause = shared.events.emit(None, None, || EventKind::OpCompact { level });
                let target = if level == deepest {
                    AskedTarget::OneRun
                } else {
                    AskedTarget::Level(level + 1)
                };
                core.asked.push(AskedCompaction { level, range: None, target, cause });
                causes.push(cause);
            }
        }
        self.asked_for(&causes)
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

    fn asked_for(&self, causes: &[EventId]) -> Result<bool> {
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
