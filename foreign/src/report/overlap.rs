//! Which tables lie over which keys.

use crate::manifest::sublevels;
use crate::sorting::sort_by;
use crate::{Comparator, Engine, Family, TableFile};
use std::cmp::Ordering;
use std::sync::Arc;

/// Whether the keys of `table` meet [start, end], both included; keys without timestamps.
pub(super) fn meets(order: Comparator, table: &TableFile, start: &[u8], end: &[u8]) -> bool {
    let before = match order.compare_keys(largest(order, table), start) {
        Ordering::Less => true,
        Ordering::Equal => table.largest_is_exclusive(),
        Ordering::Greater => false,
    };
    !before && order.compare_keys(smallest(order, table), end) != Ordering::Greater
}

/// Whether two tables have keys in common, as far as their bounds tell.
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
    let mut found = Vec::new();
    for (level, tables) in &family.levels {
        let meeting = tables.iter().filter(|table| meets(family.comparator, table, start, end));
        found.extend(meeting.map(|table| (*level, table)));
    }
    found
}

/// The sorted runs among `tables` that a read has to look into: every table of level 0 (of Pebble: every sublevel),
/// and one for each deeper level.
pub(super) fn runs(engine: Engine, order: Comparator, tables: &[(u32, &Arc<TableFile>)]) -> u64 {
    let level0: Vec<_> = tables.iter().filter(|table| table.0 == 0).collect();
    let first = if engine == Engine::Pebble {
        let own: Vec<_> = level0.iter().map(|table| Arc::clone(table.1)).collect();
        sublevels(&own, order).len()
    } else {
        level0.len()
    };
    let mut deeper: Vec<u32> =
        tables.iter().map(|table| table.0).filter(|level| *level > 0).collect();
    deeper.dedup();
    (first + deeper.len()) as u64
}

/// A part of the keys of a family, from the smallest key of one table to that of the next.
pub(super) struct Segment<'f> {
    /// Its first key.
    pub(super) start: &'f [u8],
    /// The first key of the next segment; of the last one the largest key.
    pub(super) end: &'f [u8],
    /// The tables over its first key. No key between has more: tables begin only at segments.
    pub(super) tables: Vec<(u32, &'f Arc<TableFile>)>,
}

/// Segments that are looked at; families with more tables are sampled.
const SEGMENTS_MAX: usize = 2000;

/// The keys of `family`, cut at the smallest keys of its tables. Empty when the order of keys is unknown.
pub(super) fn segments(family: &Family) -> Vec<Segment<'_>> {
    let order = family.comparator;
    if !order.is_known() {
        return Vec::new();
    }
    let tables = || family.levels.values().flatten();
    let mut starts: Vec<&[u8]> = tables().map(|table| smallest(order, table)).collect();
    sort_by(&mut starts, |a, b| order.compare_keys(a, b));
    starts.dedup();
    let run = starts.len().div_ceil(SEGMENTS_MAX).max(1);
    let starts: Vec<&[u8]> = starts.into_iter().step_by(run).collect();
    let ends = tables().map(|table| largest(order, table));
    let last = ends.max_by(|a, b| order.compare_keys(a, b)).unwrap_or_default();
    let ends = starts.iter().skip(1).copied().chain([last]);
    let over = |start| covering(family, start, start);
    let pairs = starts.iter().zip(ends);
    pairs.map(|(start, end)| Segment { start, end, tables: over(start) }).collect()
}
