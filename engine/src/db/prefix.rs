//! Prefix scans: which tables can have keys with the prefix, and how this is decided.

use super::Db;
use super::read::ScanOptions;
use crate::manifest::{Run, TableMeta};
use crate::prefix::after_prefix;
use crate::probe::{Probe, ReadPath, ReadStop};
use crate::state::Shared;
use crate::table::Table;
use crate::{Bound, Result};
use std::cmp::Ordering;
use std::sync::Arc;

impl Db {
    /// The decision of a prefix scan for each table, and the first key with the prefix in
    /// it. Memtables are always asked and not listed.
    ///
    /// Cost: that of positioning an iterator at the first of these keys.
    ///
    /// # Errors
    /// As [`Db::get`].
    pub fn explain_prefix(&self, prefix: &[u8]) -> Result<ReadPath> {
        let shared = self.shared();
        let view = shared.read_view();
        let mut path = ReadPath::default();
        for level in 0..view.version.level_count() {
            let mut outside = 0;
            for meta in view.version.level(level) {
                if !reaches(meta, prefix) {
                    outside += 1;
                    continue;
                }
                shared.table(meta)?.explain_prefix(prefix, level, &mut path)?;
            }
            if outside > 0 {
                path.stop(|_| ReadStop::OutOfRange { level, tables: outside });
            }
        }
        Ok(path)
    }
}

/// Whether the range of `meta` reaches into the keys that begin with `prefix`.
pub(super) fn reaches(meta: &TableMeta, prefix: &[u8]) -> bool {
    let first = meta.first_key();
    !meta.ends_before(prefix) && (first < prefix || first.starts_with(prefix))
}

/// Whether a scan of `prefix` has to read this table, whose range reaches into it.
pub(super) fn may_have(shared: &Shared, table: &Table, prefix: &[u8]) -> bool {
    let may_have = table.prefixes().may_have(prefix);
    shared.counters.prefix_skips.add(u64::from(!may_have));
    may_have
}

/// The tables of `run` that a scan of `prefix` has to read, as a separate run.
///
/// # Errors
/// Those of opening a table whose range reaches into the prefix.
pub(super) fn run_with_prefix(shared: &Shared, run: &Run, prefix: &[u8]) -> Result<Run> {
    let mut kept = Vec::new();
    let tables = (0..run.tables().len()).filter_map(|position| run.table(position));
    for table in tables.filter(|table| reaches(table.meta, prefix)) {
        let open = shared.tables.open_pinned(table.meta, table.pin)?;
        if may_have(shared, &open, prefix) {
            kept.push(Arc::clone(table.meta));
        }
    }
    Ok(Run::new(run.number(), kept))
}

impl ScanOptions<'_> {
    /// The bounds, no wider than the keys that begin with the prefix.
    pub(super) fn bounds(&self) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
        let (mut lower, mut upper) = (self.lower.clone(), self.upper.clone());
        let Some(prefix) = &self.prefix else { return (lower, upper) };
        let below = match &lower {
            Bound::Included(key) | Bound::Excluded(key) => key.cmp(prefix) == Ordering::Less,
            Bound::Unbounded => true,
        };
        if below {
            lower = Bound::Included(prefix.clone());
        }
        let Some(after) = after_prefix(prefix) else { return (lower, upper) };
        let above = match &upper {
            Bound::Included(key) => key.cmp(&after) != Ordering::Less,
            Bound::Excluded(key) => key.cmp(&after) == Ordering::Greater,
            Bound::Unbounded => true,
        };
        if above {
            upper = Bound::Excluded(after);
        }
        (lower, upper)
    }
}
