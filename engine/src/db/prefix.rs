//! Prefix scans: which tables can have keys that begin so, and how that is found out.

use super::Db;
use super::read::ScanOptions;
use crate::key::user_key;
use crate::manifest::TableMeta;
use crate::probe::{Probe, ReadPath, ReadStop};
use crate::state::Shared;
use crate::{Bound, Result, after_prefix};
use std::cmp::Ordering;
use std::sync::Arc;

impl Db {
    /// What a scan of the keys that begin with `prefix` asks of each table, and the first such key in
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
                path.stop(|_, _| ReadStop::OutOfRange { level, tables: outside });
            }
        }
        Ok(path)
    }
}

/// Whether the range of `meta` reaches into the keys that begin with `prefix`.
fn reaches(meta: &TableMeta, prefix: &[u8]) -> bool {
    let (smallest, largest) = (user_key(&meta.smallest), user_key(&meta.largest));
    largest >= prefix && (smallest < prefix || smallest.starts_with(prefix))
}

/// Those of `tables` that a scan of `prefix` has to read; all of them without one.
///
/// # Errors
/// Those of opening a table whose range reaches into the prefix.
pub(super) fn tables_with_prefix(
    shared: &Shared,
    tables: &[Arc<TableMeta>],
    prefix: Option<&[u8]>,
) -> Result<Vec<Arc<TableMeta>>> {
    let Some(prefix) = prefix else { return Ok(tables.to_vec()) };
    let mut kept = Vec::new();
    for meta in tables.iter().filter(|meta| reaches(meta, prefix)) {
        if shared.table(meta)?.prefixes().may_have(prefix) {
            kept.push(Arc::clone(meta));
        } else {
            shared.counters.prefix_skips.add(1);
        }
    }
    Ok(kept)
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
