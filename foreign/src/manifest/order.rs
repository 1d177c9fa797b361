//! The order of tables in a level, and Pebble's sublevels.

use crate::sorting::{sort_by, sort_by_key};
use crate::{Comparator, Engine, TableFile};
use std::cmp::Ordering;
use std::sync::Arc;

/// Puts the tables of a level in order: in level 0 the newest first, in deeper levels by their smallest keys.
pub(super) fn sort(engine: Engine, level: u32, order: Comparator, tables: &mut [Arc<TableFile>]) {
    if level > 0 && engine != Engine::Levelscope {
        if order.is_known() {
            sort_by(tables, |a, b| by_key(order, a, b));
        }
        return;
    }
    match engine {
        Engine::LevelDb => sort_by_key(tables, |table| std::cmp::Reverse(table.number)),
        // Each level is a row of runs, the newest first, and a run is in the order of keys.
        Engine::Levelscope => {
            sort_by(tables, |a, b| b.run.cmp(&a.run).then_with(|| by_key(order, a, b)));
        }
        Engine::Pebble => sort_by(tables, |a, b| by_sequence(b, a)),
        Engine::RocksDb if tables.iter().all(|table| table.epoch.is_some()) => {
            sort_by(tables, |a, b| b.epoch.cmp(&a.epoch).then_with(|| by_sequence(b, a)));
        }
        Engine::RocksDb => sort_by(tables, |a, b| by_sequence(b, a)),
    }
}

fn by_key(order: Comparator, a: &TableFile, b: &TableFile) -> Ordering {
    let keys = order.compare(&a.smallest.user_key, &b.smallest.user_key);
    // The larger sequence number comes first, as in tables.
    keys.then_with(|| b.smallest.sequence.cmp(&a.smallest.sequence))
        .then_with(|| a.number.cmp(&b.number))
}

/// The older table first.
fn by_sequence(a: &TableFile, b: &TableFile) -> Ordering {
    let sequences = |table: &TableFile| (table.largest_sequence, table.smallest_sequence);
    sequences(a).cmp(&sequences(b)).then_with(|| a.number.cmp(&b.number))
}

/// The sublevels of Pebble's level 0, the lowest (oldest) first: places in `tables`, in the order of keys. Each
/// table, the oldest first, is one above the highest sublevel with a table that it overlaps, so tables in one
/// sublevel do not overlap. Where the order of keys is unknown, every table is a sublevel.
pub fn sublevels(tables: &[Arc<TableFile>], order: Comparator) -> Vec<Vec<usize>> {
    let mut oldest_first: Vec<(usize, &TableFile)> =
        tables.iter().map(AsRef::as_ref).enumerate().collect();
    sort_by(&mut oldest_first, |(_, a), (_, b)| by_sequence(a, b));
    if !order.is_known() {
        return oldest_first.into_iter().map(|(place, _)| vec![place]).collect();
    }
    let mut levels: Vec<Vec<(usize, &TableFile)>> = Vec::new();
    for (place, table) in oldest_first {
        let highest = levels.iter().rposition(|level| overlaps(level, table, order));
        let own = highest.map_or(0, |highest| highest + 1);
        if own == levels.len() {
            levels.push(Vec::new());
        }
        if let Some(level) = levels.get_mut(own) {
            let at = level.partition_point(|(_, other)| ends_before(other, table, order));
            level.insert(at, (place, table));
        }
    }
    levels.iter().map(|level| level.iter().map(|(place, _)| *place).collect()).collect()
}

/// Whether `table` overlaps a table of `level`, whose tables are in the order of keys and do not overlap.
fn overlaps(level: &[(usize, &TableFile)], table: &TableFile, order: Comparator) -> bool {
    let first = level.partition_point(|(_, other)| ends_before(other, table, order));
    level.get(first).is_some_and(|(_, other)| !ends_before(table, other, order))
}

/// Whether all keys of `a` are before all keys of `b`.
fn ends_before(a: &TableFile, b: &TableFile, order: Comparator) -> bool {
    match order.compare(&a.largest.user_key, &b.smallest.user_key) {
        Ordering::Less => true,
        Ordering::Equal => a.largest_is_exclusive(),
        Ordering::Greater => false,
    }
}
