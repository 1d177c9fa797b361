//! The read path: memtables newest first, then level by level, in each run by run, newest first.

use super::prefix::tables_with_prefix;
use super::{Db, Snapshot};
use crate::event::{EventKind, ShownKey};
use crate::iter::{DbIterator, LevelCursor, MergingCursor, PinnedValue, Source};
use crate::key::SeqNo;
use crate::manifest::{TableMeta, Version};
use crate::probe::{NoProbe, Probe, ReadPath, ReadStop};
use crate::state::{ReadView, Shared};
use crate::table::LookupKey;
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
    /// none are passed over.
    pub prefix: Option<Vec<u8>>,
}

impl Default for ScanOptions<'_> {
    fn default() -> Self {
        Self { snapshot: None, lower: Bound::Unbounded, upper: Bound::Unbounded, prefix: None }
    }
}

impl Db {
    /// The value of `key` now.
    ///
    /// # Errors
    /// `Corruption` with file and offset; `Io`; `WouldBlock`.
    pub fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let found = self.get_probed(key, None, &mut NoProbe)?;
        Ok(found.map(PinnedValue::into_vec))
    }

    /// The value of `key` now, without a copy of it; `snapshot` as for [`Db::get_at`].
    ///
    /// # Errors
    /// As [`Db::get`].
    pub fn get_pinned(
        &self,
        key: &[u8],
        snapshot: Option<&Snapshot>,
    ) -> Result<Option<PinnedValue>> {
        self.get_probed(key, snapshot, &mut NoProbe)
    }

    /// The value of `key` when `snapshot` was taken.
    ///
    /// # Errors
    /// As [`Db::get`].
    pub fn get_at(&self, key: &[u8], snapshot: &Snapshot) -> Result<Option<Vec<u8>>> {
        let found = self.get_probed(key, Some(snapshot), &mut NoProbe)?;
        Ok(found.map(PinnedValue::into_vec))
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
        let value = self.get_probed(key, snapshot, &mut path)?;
        Ok((value.map(PinnedValue::into_vec), path))
    }

    fn get_probed<P: Probe>(
        &self,
        key: &[u8],
        snapshot: Option<&Snapshot>,
        probe: &mut P,
    ) -> Result<Option<PinnedValue>> {
        let shared = self.shared();
        // The view first: a sequence number taken before it could be one that a compaction, finished
        // in between, no longer keeps.
        let view = shared.read_view();
        let sequence = snapshot.map_or_else(|| shared.visible_sequence(), Snapshot::sequence);
        let found = lookup(shared, &view, &LookupKey::new(key, sequence), probe)?;
        let value = match found {
            Some((_, ValueKind::Put, value)) => Some(value),
            Some((_, ValueKind::Delete, _)) | None => None,
        };
        shared.counters.gets.add(1);
        shared.counters.gets_found.add(u64::from(value.is_some()));
        let found = value.is_some();
        shared.events.emit(None, None, || EventKind::OpGet { key: ShownKey::new(key), found });
        Ok(value)
    }

    /// An iterator over user keys, forward and backward; it stands nowhere until it is positioned.
    ///
    /// It sees the database as of now (or of the snapshot) for as long as it lives.
    ///
    /// # Errors
    /// As [`Db::get`].
    #[expect(clippy::iter_not_returning_iterator, reason = "it can fail and goes both ways")]
    pub fn iter(&self, options: &ScanOptions<'_>) -> Result<DbIterator> {
        let shared = &self.inner.shared;
        let view = shared.read_view();
        let sequence =
            options.snapshot.map_or_else(|| shared.visible_sequence(), Snapshot::sequence);
        let mut sources = Vec::new();
        for memtable in &view.memtables {
            sources.push(Source::Memtable(memtable.cursor()));
        }
        let prefix = options.prefix.as_deref();
        for run in view.version.runs(0) {
            for meta in tables_with_prefix(shared, run.tables(), prefix)? {
                sources.push(Source::Table(shared.table(&meta)?.cursor()));
            }
        }
        for run in (1..view.version.level_count()).flat_map(|level| view.version.runs(level)) {
            let tables = tables_with_prefix(shared, run.tables(), prefix)?;
            if !tables.is_empty() {
                let cursor = LevelCursor::new(tables, Arc::clone(&shared.tables));
                sources.push(Source::Level(cursor));
            }
        }
        shared.events.emit(None, None, || EventKind::OpScan);
        let merged = MergingCursor::new(sources);
        let bounds = options.bounds();
        Ok(DbIterator::new(merged, sequence, bounds.0, bounds.1, view))
    }
}

type Found = Option<(SeqNo, ValueKind, PinnedValue)>;

fn lookup<P: Probe>(
    shared: &Shared,
    view: &ReadView,
    key: &LookupKey<'_>,
    probe: &mut P,
) -> Result<Found> {
    for memtable in &view.memtables {
        let found = memtable.get(key.user_key(), key.sequence(), probe);
        if let Some((sequence, kind, value)) = found {
            return Ok(Some((sequence, kind, PinnedValue::from_vec(value))));
        }
    }
    for level in 0..view.version.level_count() {
        let found = search_level(shared, &view.version, level, key, probe)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Runs may overlap: each that has a table whose range holds the key is asked, newest first.
fn search_level<P: Probe>(
    shared: &Shared,
    version: &Version,
    level: usize,
    key: &LookupKey<'_>,
    probe: &mut P,
) -> Result<Found> {
    let mut skipped = 0;
    for run in version.runs(level) {
        let Some(meta) = run.find(key.user_key(), || probe.comparison()) else {
            skipped += run.tables().len();
            continue;
        };
        let found = search(shared, level, meta, key, probe)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    if skipped > 0 {
        probe.stop(|_, _| ReadStop::OutOfRange { level, tables: skipped });
    }
    Ok(None)
}

fn search<P: Probe>(
    shared: &Shared,
    level: usize,
    meta: &TableMeta,
    key: &LookupKey<'_>,
    probe: &mut P,
) -> Result<Found> {
    shared.counters.tables_searched.add(1);
    shared.table(meta)?.get(key, level, probe)
}
