//! The read path: memtables newest first, then level by level, in each run by run, newest first.

use super::prefix::{may_have, reaches, run_with_prefix};
use super::snapshot::Moment;
use super::{Db, Snapshot};
use crate::event::{EventKind, ShownKey};
use crate::iter::{DbIterator, LevelCursor, MergingCursor, PinnedValue, Source};
use crate::key::SeqNo;
use crate::manifest::{Run, RunTable, Version};
use crate::outcome::Outcome;
use crate::probe::{Hit, NoProbe, Probe, ReadPath, ReadStop, TableVerdict};
use crate::state::{ReadView, Shared};
use crate::table::{LookupKey, Searched};
use crate::{Result, ValueKind};
use std::ops::Bound;
use std::sync::Arc;

/// What an iterator reads.
#[derive(Debug)]
pub struct ScanOptions<'a> {
    /// Read the database as it was then; `None`: as it is now.
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

impl Db {
    /// The value of `key` now, without a copy of it.
    ///
    /// # Errors
    /// `Corruption` with file and offset; `Io`; `WouldBlock`.
    pub fn get(&self, key: impl AsRef<[u8]>) -> Result<Option<PinnedValue>> {
        Ok(self.lookup(key.as_ref(), None)?.0)
    }

    /// The value of `key`, and how the lookup ended: a deleted key is told from one that is absent.
    /// `snapshot`: as it was then.
    ///
    /// # Errors
    /// As [`Db::get`].
    pub fn lookup(
        &self,
        key: &[u8],
        snapshot: Option<&Snapshot>,
    ) -> Result<(Option<PinnedValue>, Outcome)> {
        self.get_probed(key, snapshot, &mut NoProbe)
    }

    /// The value of `key`, and every stop on the way to it. The same code as [`Db::get`].
    ///
    /// # Errors
    /// As [`Db::get`].
    pub fn explain_get(
        &self,
        key: &[u8],
        snapshot: Option<&Snapshot>,
    ) -> Result<(Option<Vec<u8>>, ReadPath)> {
        let mut path = ReadPath::default();
        let (value, _) = self.get_probed(key, snapshot, &mut path)?;
        Ok((value.map(PinnedValue::into_vec), path))
    }

    fn get_probed<P: Probe>(
        &self,
        key: &[u8],
        snapshot: Option<&Snapshot>,
        probe: &mut P,
    ) -> Result<(Option<PinnedValue>, Outcome)> {
        get_probed(self.shared(), key, snapshot.map(Snapshot::moment).as_ref(), probe)
    }

    /// An iterator over user keys, forward and backward; it stands nowhere until it is positioned.
    ///
    /// It sees the database as of now (or of the snapshot) for as long as it lives.
    ///
    /// # Errors
    /// As [`Db::get`].
    #[expect(clippy::iter_not_returning_iterator, reason = "it can fail and goes both ways")]
    pub fn iter(&self, options: &ScanOptions<'_>) -> Result<DbIterator> {
        let shared = self.shared();
        let moment = options.snapshot.map(Snapshot::moment);
        let (view, sequence) = read_at(shared, moment.as_ref());
        let iterator = iter_over(shared, Vec::new(), view, sequence, options)?;
        shared.events.emit(None, None, || EventKind::OpScan {});
        Ok(iterator)
    }
}

/// The value of `key` as of `sequence`, or of now, with an event.
pub(super) fn get_probed<P: Probe>(
    shared: &Shared,
    key: &[u8],
    moment: Option<&Moment>,
    probe: &mut P,
) -> Result<(Option<PinnedValue>, Outcome)> {
    let (view, sequence) = read_at(shared, moment);
    let found = lookup(shared, &view, &LookupKey::new(key, sequence), probe)?;
    let (value, outcome) = counted(shared, found);
    shared.events.emit(None, None, || EventKind::OpGet {
        key: ShownKey::new(key),
        value: value.as_deref().map(ShownKey::of_value),
    });
    Ok((value, outcome))
}

/// What a read as of `moment`, or of now, reads.
fn read_at(shared: &Shared, moment: Option<&Moment>) -> (Arc<ReadView>, SeqNo) {
    match moment {
        Some(moment) => (moment.view(shared), moment.sequence),
        // The view first: a sequence number taken before it could be one that a compaction, finished
        // in between, no longer keeps.
        None => (shared.read_view(), shared.visible_sequence()),
    }
}

/// An iterator over `sources` and all that `view` has.
pub(super) fn iter_over(
    shared: &Shared,
    mut sources: Vec<Source>,
    view: Arc<ReadView>,
    sequence: SeqNo,
    options: &ScanOptions<'_>,
) -> Result<DbIterator> {
    let bounds = options.bounds();
    for memtable in &view.memtables {
        sources.push(Source::Memtable(memtable.cursor()));
    }
    let prefix = options.prefix.as_deref();
    for run in view.version.runs(0) {
        sources.extend(recent_source(shared, run, prefix, &bounds)?);
    }
    for run in (1..view.version.level_count()).flat_map(|level| view.version.runs(level)) {
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
    Ok(DbIterator::new(merged, sequence, bounds.0, bounds.1, view))
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

/// The value of `key` as of `moment` and how the lookup ended, counted as a lookup; the caller holds
/// its sequence number.
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
    shared.counters.gets.add(1);
    if value.is_some() {
        shared.counters.gets_found.add(1);
    }
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

/// Levels and runs may overlap: each run that has a table whose range holds the key is searched, newest
/// first. Counts the tables searched.
fn search_tables<P: Probe>(
    shared: &Shared,
    version: &Version,
    key: &LookupKey<'_>,
    searched: &mut u64,
    probe: &mut P,
) -> Result<Option<FoundEntry>> {
    for level in 0..version.level_count() {
        let mut outside = 0;
        for run in version.runs(level) {
            let Some(RunTable { meta, pin }) = run.find(key.user_key(), probe) else {
                outside += run.tables().len();
                continue;
            };
            *searched += 1;
            let opened;
            let table = if let Some(table) = pin.table() {
                table
            } else {
                opened = shared.tables.open_pinned(meta, pin)?;
                &opened
            };
            let searched = table.get(key, level, probe)?;
            if let Searched::Found(sequence, kind, value) = searched {
                if outside > 0 {
                    probe.stop(|_| ReadStop::OutOfRange { level, tables: outside });
                }
                return Ok(Some((sequence, kind, value)));
            }
            let is_told = shared.events.wants_detail();
            if is_told && table.verdict(key, &searched) == TableVerdict::FalsePositive {
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
