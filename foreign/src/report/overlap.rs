//! Finds the tables that overlap a range of keys.

use crate::manifest::sublevels;
use crate::sorting::sort_by;
use crate::{Comparator, Engine, Family, TableFile};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// Whether the keys of `table` meet [start, end], both included; keys without timestamps.
pub(super) fn meets(order: Comparator, table: &TableFile, start: &[u8], end: &[u8]) -> bool {
    if !table.has_bounds {
        return true;
    }
    let before = match order.compare_keys(largest(order, table), start) {
        Ordering::Less => true,
        Ordering::Equal => table.largest_is_exclusive(),
        Ordering::Greater => false,
    };
    !before && order.compare_keys(smallest(order, table), end) != Ordering::Greater
}

/// Whether the bounds of two tables overlap.
#[cfg(test)]
pub(super) fn overlap(order: Comparator, a: &TableFile, b: &TableFile) -> bool {
    let (start, end) = (smallest(order, b), largest(order, b));
    if !meets(order, a, start, end) {
        return false;
    }
    let touches = order.compare_keys(end, smallest(order, a)) == Ordering::Equal;
    !(touches && b.largest_is_exclusive())
}

/// The smallest key of a table, without its timestamp.
pub(super) fn smallest(order: Comparator, table: &TableFile) -> &[u8] {
    order.parts(&table.smallest.user_key).0
}

/// The largest key of a table, without its timestamp.
pub(super) fn largest(order: Comparator, table: &TableFile) -> &[u8] {
    order.parts(&table.largest.user_key).0
}

/// The tables of `family` that meet [start, end], with their levels, level 0 first.
pub(super) fn covering<'f>(
    family: &'f Family,
    start: &[u8],
    end: &[u8],
) -> Vec<(u32, &'f Arc<TableFile>)> {
    let order = family.comparator;
    family.tables().filter(|(_, table)| meets(order, table, start, end)).collect()
}

/// The sorted runs among `tables` that a read has to look into: every table of level 0 (of Pebble: every sublevel),
/// and one for each run of a deeper level.
pub(super) fn runs(engine: Engine, order: Comparator, tables: &[(u32, &Arc<TableFile>)]) -> u64 {
    let level0: Vec<_> = tables.iter().filter(|table| table.0 == 0).collect();
    let first = if engine == Engine::Pebble {
        let own: Vec<_> = level0.iter().map(|table| Arc::clone(table.1)).collect();
        sublevels(&own, order).len()
    } else {
        level0.len()
    };
    let deeper = tables.iter().filter(|(level, _)| *level > 0);
    let mut deeper: Vec<(u32, u64)> = deeper.map(|(level, table)| (*level, table.run)).collect();
    deeper.dedup();
    (first + deeper.len()) as u64
}

/// The keys of a family, cut at the smallest keys of its tables. No key between two cuts lies under more tables than
/// the first of its segment: tables begin only at cuts.
pub(super) struct Segments<'f> {
    family: &'f Family,
    /// First keys of the segments, ascending.
    starts: Vec<&'f [u8]>,
    /// The largest key of all.
    last: &'f [u8],
}

/// Counts of tables over the first key of a segment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Over {
    /// Tables.
    pub(super) tables: u64,
    /// Tables of level 0.
    pub(super) level0: u64,
    /// Sorted runs that a read has to look into.
    pub(super) runs: u64,
}

impl<'f> Segments<'f> {
    /// Cut at the tables of `family` that `counts` names by their level; at most `limit` segments, where the family
    /// has more tables some of the cuts. Empty when the order of keys is unknown.
    pub(super) fn new(family: &'f Family, limit: usize, counts: impl Fn(u32) -> bool) -> Self {
        let order = family.comparator;
        let tables = || {
            let levels =
                family.levels.iter().filter(|(level, _)| order.is_known() && counts(**level));
            levels.flat_map(|(_, tables)| tables)
        };
        let mut starts: Vec<&[u8]> = tables().map(|table| smallest(order, table)).collect();
        sort_by(&mut starts, |a, b| order.compare_keys(a, b));
        starts.dedup();
        let run = starts.len().div_ceil(limit).max(1);
        let starts = starts.into_iter().step_by(run).collect();
        let ends = tables().map(|table| largest(order, table));
        let last = ends.max_by(|a, b| order.compare_keys(a, b)).unwrap_or_default();
        Self { family, starts, last }
    }

    /// First keys of the segments, and where each one ends: at the first key of the next, the last one at the largest
    /// key.
    pub(super) fn keys(&self) -> impl Iterator<Item = (&'f [u8], &'f [u8])> {
        let ends = self.starts.iter().skip(1).copied().chain([self.last]);
        self.starts.iter().copied().zip(ends)
    }

    /// The segments whose first key lies in `table`: they stand side by side.
    pub(super) fn under(&self, table: &TableFile) -> Range<usize> {
        let order = self.family.comparator;
        let (first, last) = (smallest(order, table), largest(order, table));
        let start = self.starts.partition_point(|start| order.compare_keys(start, first).is_lt());
        let end = self.starts.partition_point(|start| match order.compare_keys(start, last) {
            Ordering::Less => true,
            Ordering::Equal => !table.largest_is_exclusive(),
            Ordering::Greater => false,
        });
        start..end.max(start)
    }

    /// Counts of tables over each segment. Each table is looked at once: a hundred thousand of them take no longer than
    /// sorting them.
    pub(super) fn over(&self) -> Vec<Over> {
        let mut over = vec![Over::default(); self.starts.len()];
        let mut steps = vec![0i64; self.starts.len() + 1];
        for (level, tables) in &self.family.levels {
            steps.fill(0);
            for table in tables {
                let under = self.under(table);
                for (place, step) in [(under.start, 1), (under.end, -1)] {
                    if let Some(sum) = steps.get_mut(place) {
                        *sum += step;
                    }
                }
            }
            let has_runs =
                tables.first().map(|table| table.run) != tables.last().map(|table| table.run);
            let mut tables = 0i64;
            for (over, step) in over.iter_mut().zip(&steps) {
                tables += step;
                let tables = u64::try_from(tables).unwrap_or(0);
                over.tables += tables;
                if *level == 0 {
                    // Tables over one key overlap, so that none shares a sublevel of Pebble with another.
                    (over.level0, over.runs) = (tables, tables);
                } else {
                    over.runs += if has_runs { tables } else { u64::from(tables > 0) };
                }
            }
        }
        over
    }
}
