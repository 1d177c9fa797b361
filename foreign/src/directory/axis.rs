//! The key axis of a family: a place in [0, 1] for each key, by its rank among all bounds of tables.

use crate::sorting::sort_by;
use crate::text::plain;
use crate::{Comparator, Family, State, TableFile};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Bounds in order. Ranks instead of bytes: keys of any shape spread over the whole axis.
#[derive(Debug, Clone, Default)]
pub(crate) struct Axis {
    bounds: Vec<Bound>,
    comparator: Option<Comparator>,
}

/// One end of a table. The key stays with the table: a bound may have megabytes.
#[derive(Debug, Clone)]
struct Bound {
    table: Arc<TableFile>,
    is_largest: bool,
}

impl Bound {
    /// Its key, without a timestamp.
    fn key(&self, order: Comparator) -> &[u8] {
        let key = if self.is_largest { &self.table.largest } else { &self.table.smallest };
        order.parts(&key.user_key).0
    }
}

impl Axis {
    /// The axis of a family over all of `states`, so that tables keep their places from step to step.
    pub(crate) fn new<'s>(states: impl IntoIterator<Item = &'s State>, family: u32) -> Self {
        let mut axis = Self::default();
        // Most tables are in several of the states, which share them.
        let mut seen = BTreeSet::new();
        for state in states {
            let Some(family) = state.families.get(&family) else { continue };
            axis.comparator = Some(family.comparator);
            axis.add(family, &mut seen);
        }
        axis.comparator = axis.comparator.filter(|comparator| comparator.is_known());
        let Some(comparator) = axis.comparator else {
            // The order of the files: deeper levels are sorted, which is all that is known.
            axis.bounds.clear();
            return axis;
        };
        sort_by(&mut axis.bounds, |a, b| {
            comparator.compare_keys(a.key(comparator), b.key(comparator))
        });
        axis.bounds.dedup_by(|a, b| a.key(comparator) == b.key(comparator));
        axis
    }

    fn add(&mut self, family: &Family, seen: &mut BTreeSet<u64>) {
        for table in family.levels.values().flatten() {
            // The address, in a type whose set others use, too.
            if !seen.insert(Arc::as_ptr(table).addr() as u64) {
                continue;
            }
            for is_largest in [false, true] {
                self.bounds.push(Bound { table: Arc::clone(table), is_largest });
            }
        }
    }

    /// Whether keys can be compared.
    pub(crate) fn is_ordered(&self) -> bool {
        self.comparator.is_some()
    }

    /// The places of a table's smallest and largest key.
    pub(crate) fn places(&self, table: &TableFile, rank: usize, count: usize) -> (f64, f64) {
        let Some(comparator) = self.comparator else {
            let share = |rank: usize| plain(rank as u64) / plain(count.max(1) as u64);
            return (share(rank), share(rank + 1));
        };
        let place = |user_key: &[u8]| {
            let key = comparator.parts(user_key).0;
            let rank = self.bounds.partition_point(|bound| {
                comparator.compare_keys(bound.key(comparator), key).is_lt()
            });
            plain(rank as u64) / plain(self.bounds.len().saturating_sub(1).max(1) as u64)
        };
        (place(&table.smallest.user_key).min(1.0), place(&table.largest.user_key).min(1.0))
    }

    /// Some keys for the axis, evenly spread, with their places.
    pub(crate) fn ticks(&self, count: usize) -> Vec<(f64, &[u8])> {
        let last = self.bounds.len().saturating_sub(1);
        let Some(order) = self.comparator.filter(|_| last > 0) else {
            return Vec::new();
        };
        let rank = |tick: usize| tick * last / (count - 1).max(1);
        let mut ranks: Vec<usize> = (0..count).map(rank).collect();
        ranks.dedup();
        let tick = |rank: usize| {
            let bound = self.bounds.get(rank)?;
            Some((plain(rank as u64) / plain(last as u64), bound.key(order)))
        };
        ranks.into_iter().filter_map(tick).collect()
    }
}
