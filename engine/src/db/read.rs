//! The read path: memtables newest first, then level by level, in each run by run, newest first.
//!
//! A reader takes one view (active memtable, immutable memtables, version) and then a sequence number, in this order.
//! It searches at most one table of each run: range → filter → index → block (cache) → restart points → entry. The
//! newest version is in the first place that has the key, so a lookup ends there.

use super::prefix::{may_have, reaches, run_with_prefix};
use super::{Db, Snapshot};
use crate::event::{EventKind, ShownKey, ShownRange};
use crate::iter::{DbIterator, KeyRange, LevelCursor, MergingCursor, PinnedValue, Source};
use crate::key::{Cut, SeqNo, Span};
use crate::manifest::{Run, RunTable, Version};
use crate::outcome::Outcome;
use crate::probe::{Hit, NoProbe, Probe, ReadStop, TableVerdict};
use crate::ranges::{Cover, RangeTombstone};
use crate::state::{Counters, Moment, ReadView, Shared};
use crate::table::{FirstMiss, LookupKey, Searched, Table};
use crate::{Result, ValueKind};
use std::ops::{Bound, Range};
use std::sync::Arc;

/// The moment and the keys that an iterator reads. Each option is a field, and a method that sets it:
///
/// ```
/// use levelscope::{Db, ScanOptions, storage::MemoryStorage};
/// # let db = Db::builder().open_in(std::sync::Arc::new(MemoryStorage::default()))?;
/// let snapshot = db.snapshot();
/// let mut iterator = db.iter(&ScanOptions::default().snapshot(&snapshot).range("a".."c"))?;
/// iterator.seek_to_last()?;
/// # Ok::<(), levelscope::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct ScanOptions<'a> {
    /// Read at this snapshot; `None`: read the current state.
    pub snapshot: Option<&'a Snapshot>,
    /// Smallest user key.
    pub lower: Bound<Vec<u8>>,
    /// Largest user key.
    pub upper: Bound<Vec<u8>>,
    /// Only user keys that begin so. Tables whose prefix filter or prefix index knows that they have
    /// none are skipped.
    pub prefix: Option<Vec<u8>>,
}

impl Default for ScanOptions<'_> {
    fn default() -> Self {
        Self { snapshot: None, lower: Bound::Unbounded, upper: Bound::Unbounded, prefix: None }
    }
}

impl<'a> ScanOptions<'a> {
    /// Read at `snapshot`.
    #[must_use]
    pub fn snapshot(mut self, snapshot: impl Into<Option<&'a Snapshot>>) -> Self {
        self.snapshot = snapshot.into();
        self
    }

    /// Only user keys of this range, such as `"a".."c"`.
    #[must_use]
    pub fn range(mut self, keys: impl KeyRange) -> Self {
        (self.lower, self.upper) = keys.into_bounds();
        self
    }

    /// Only user keys that begin with `prefix`.
    #[must_use]
    pub fn prefix(mut self, prefix: impl AsRef<[u8]>) -> Self {
        self.prefix = Some(prefix.as_ref().to_vec());
        self
    }
}

impl Db {
    pub(super) fn get_probed<P: Probe>(
        &self,
        key: &[u8],
        snapshot: Option<&Snapshot>,
        probe: &mut P,
    ) -> Result<(Option<PinnedValue>, Outcome)> {
        get_probed(self.shared(), key, snapshot.map(Snapshot::moment), probe)
    }
}

/// The view and the last visible sequence number of a reader at `moment`, or now.
pub(super) fn view_at(shared: &Shared, moment: Option<&Moment>) -> (Arc<ReadView>, SeqNo) {
    shared.settle_reads();
    // The view first: a sequence number taken before it could be one that a compaction, finished
    // in between, no longer keeps.
    let view = moment.map_or_else(|| shared.read_view(), |moment| moment.view(shared));
    (view, moment.map_or_else(|| shared.visible_sequence(), |moment| moment.sequence))
}

/// The value of `key` at `moment`, or now, with an event.
pub(super) fn get_probed<P: Probe>(
    shared: &Shared,
    key: &[u8],
    moment: Option<&Moment>,
    probe: &mut P,
) -> Result<(Option<PinnedValue>, Outcome)> {
    let (view, sequence) = view_at(shared, moment);
    let found = lookup(shared, &view, &LookupKey::new(key, sequence), probe)?;
    let (value, outcome) = counted(shared, found);
    shared.events.emit(None, None, || EventKind::OpGet {
        key: ShownKey::new(key),
        value: value.as_deref().map(ShownKey::of_value),
    });
    Ok((value, outcome))
}

/// An iterator over `sources` and all entries of `view`, except those that `ranges` or range tombstones of the view
/// hide.
///
/// Cost: the range tombstones between the bounds are sorted, and the tables opened that have some.
pub(super) fn iter_over(
    shared: &Shared,
    mut sources: Vec<Source>,
    mut ranges: Vec<RangeTombstone>,
    view: Arc<ReadView>,
    sequence: SeqNo,
    options: &ScanOptions<'_>,
) -> Result<DbIterator> {
    let bounds = options.bounds();
    let (from, to) = (Cut::lower(&bounds.0), Cut::upper(&bounds.1));
    let span = Span { from: from.borrowed(), to: to.borrowed() };
    let levels = 1..view.version.level_count();
    sources.reserve(view.memtables.len() + view.version.runs(0).len() + levels.len());
    for memtable in &view.memtables {
        sources.push(Source::Memtable(memtable.cursor()));
        ranges.extend(memtable.ranges_in(&span, sequence));
    }
    // Before anything is left out that the filters know to have no keys: its range tombstones count.
    let runs = |levels: Range<usize>| levels.flat_map(|level| view.version.runs(level));
    for RunTable { meta, pin } in
        runs(0..view.version.level_count()).flat_map(|run| run.with_ranges(&span))
    {
        let table = shared.tables.open_pinned(meta, pin)?;
        let visible = table.ranges().overlapping(&span);
        ranges.extend(visible.filter(|range| range.sequence <= sequence).cloned());
    }
    let prefix = options.prefix.as_deref();
    for run in view.version.runs(0) {
        sources.extend(recent_source(shared, run, prefix, &bounds)?);
    }
    for run in runs(1..view.version.level_count()) {
        let run = match prefix {
            None => Arc::clone(run),
            Some(prefix) => Arc::new(run_with_prefix(shared, run, prefix)?),
        };
        let tables = run.between(&bounds.0, &bounds.1);
        if !tables.is_empty() {
            let cursor = LevelCursor::over(run, tables, Arc::clone(&shared.tables));
            sources.push(Source::Level(cursor));
        }
    }
    let merged = MergingCursor::new(sources);
    let cover = Cover::new(&ranges.iter().collect::<Vec<_>>());
    let iterator = DbIterator::new(merged, sequence, bounds.0, bounds.1, view);
    Ok(iterator.covered(cover).charging(&shared.tables))
}

/// A cursor over the one table of a run of L0, unless a scan of `prefix` between `bounds` finds nothing
/// in it.
fn recent_source(
    shared: &Shared,
    run: &Run,
    prefix: Option<&[u8]>,
    bounds: &(Bound<Vec<u8>>, Bound<Vec<u8>>),
) -> Result<Option<Source>> {
    if run.between(&bounds.0, &bounds.1).is_empty() {
        return Ok(None);
    }
    let Some(RunTable { meta, pin }) = run.table(0) else { return Ok(None) };
    if prefix.is_some_and(|prefix| !reaches(meta, prefix)) {
        return Ok(None);
    }
    let table = shared.tables.open_pinned(meta, pin)?;
    let wanted = prefix.is_none_or(|prefix| may_have(shared, &table, prefix));
    Ok(wanted.then(|| Source::Table(table.cursor())))
}

/// The value of `key` at `moment` and how the lookup ended, counted as a lookup; the caller holds the
/// moment.
pub(super) fn value_at(
    shared: &Shared,
    key: &[u8],
    moment: &Moment,
) -> Result<(Option<PinnedValue>, Outcome)> {
    let key = LookupKey::new(key, moment.sequence);
    let found = lookup(shared, &moment.view(shared), &key, &mut NoProbe)?;
    Ok(counted(shared, found))
}

/// The value that a lookup has found, if the entry is no tombstone, and how it ended.
fn counted(shared: &Shared, found: Option<FoundEntry>) -> (Option<PinnedValue>, Outcome) {
    let hit = found.as_ref().map(|(sequence, entry, _)| Hit { sequence: *sequence, entry: *entry });
    let outcome = Outcome::of(hit);
    let value = found.map(|(_, _, value)| value).filter(|_| outcome.is_found());
    let Counters { gets_found, gets_absent, .. } = &shared.counters;
    let counter = if value.is_some() { gets_found } else { gets_absent };
    counter.add(1);
    (value, outcome)
}

/// The newest visible entry of a key: its sequence number, its kind, its value.
type FoundEntry = (SeqNo, ValueKind, PinnedValue);

fn lookup<P: Probe>(
    shared: &Shared,
    view: &ReadView,
    key: &LookupKey<'_>,
    probe: &mut P,
) -> Result<Option<FoundEntry>> {
    for memtable in &view.memtables {
        let found = memtable.get(key.user_key(), key.sequence(), probe);
        if let Some((sequence, kind, value)) = found {
            return Ok(Some((sequence, kind, PinnedValue::from_vec(value))));
        }
    }
    let mut searched = 0;
    let found = search_tables(shared, &view.version, key, &mut searched, probe);
    shared.counters.tables_searched.add(searched);
    found
}

/// The newest entry of a key in one table, or the range tombstone there that hides it. Counts the table, unless its
/// range tombstones alone decide.
pub(super) fn search_table<P: Probe>(
    table: &Table,
    key: &LookupKey<'_>,
    level: usize,
    searched: &mut u64,
    probe: &mut P,
) -> Result<Searched> {
    let covering = table.ranges().covering(key.user_key(), key.sequence());
    let hides = |tombstone: &RangeTombstone, probe: &mut P| {
        probe.stop(|_| ReadStop::RangeDelete {
            memtable: None,
            level: Some(level),
            table: Some(table.number()),
            range: ShownRange::new(&tombstone.begin, tombstone.stored_end()),
            sequence: tombstone.sequence,
        });
        let value = PinnedValue::default();
        Searched::Found(tombstone.sequence, ValueKind::RangeDelete, value)
    };
    if let Some(tombstone) = covering
        && tombstone.sequence >= table.properties().sequence_max
    {
        return Ok(hides(tombstone, probe));
    }
    *searched += 1;
    let found = table.get(key, level, probe)?;
    Ok(match (covering, &found) {
        (Some(tombstone), Searched::Found(sequence, _, _)) if *sequence > tombstone.sequence => {
            found
        }
        (Some(tombstone), _) => hides(tombstone, probe),
        (None, _) => found,
    })
}

/// Levels and runs may overlap: each run that has a table whose range holds the key is searched, newest
/// first. Counts the tables searched.
fn search_tables<P: Probe>(
    shared: &Shared,
    version: &Version,
    key: &LookupKey<'_>,
    searched: &mut u64,
    probe: &mut P,
) -> Result<Option<FoundEntry>> {
    let mut first_miss = FirstMiss::new(shared.tables.charges());
    for level in 0..version.level_count() {
        let mut outside = 0;
        for run in version.runs(level) {
            let Some(RunTable { meta, pin }) = run.find(key.user_key(), probe) else {
                outside += run.tables().len();
                continue;
            };
            first_miss.goes_on();
            let opened;
            let table = if let Some(table) = pin.table() {
                table
            } else {
                opened = shared.tables.open_pinned(meta, pin)?;
                &opened
            };
            let found = search_table(table, key, level, searched, probe)?;
            if let Searched::Found(sequence, kind, value) = found {
                if outside > 0 {
                    probe.stop(|_| ReadStop::OutOfRange { level, tables: outside });
                }
                return Ok(Some((sequence, kind, value)));
            }
            if matches!(found, Searched::Missed { .. }) {
                first_miss.missed(table);
            }
            let wants_detail = shared.events.wants_detail();
            if wants_detail && table.verdict(key, &found) == TableVerdict::FalsePositive {
                shared.events.detail(None, None, || EventKind::FilterFalsePositive {
                    table: meta.number,
                    key: ShownKey::new(key.user_key()),
                });
            }
        }
        if outside > 0 {
            probe.stop(|_| ReadStop::OutOfRange { level, tables: outside });
        }
    }
    Ok(None)
}
