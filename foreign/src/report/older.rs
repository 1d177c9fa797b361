//! Finds the older tables below each table, in a family of any size.
//!
//! Each table is looked up once among the bounds of all others: `n` tables take `n log n` steps, where a comparison of
//! all pairs would take minutes for a hundred thousand tables.

use super::overlap::{largest, smallest};
use crate::files::total;
use crate::sorting::sort_by;
use crate::{Family, TableFile};
use std::collections::BTreeMap;

/// Older tables that overlap a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Older {
    /// Number of these tables.
    pub(super) tables: u64,
    /// Their bytes.
    pub(super) bytes: u64,
}

/// The tables of a family with the older ones below each.
#[derive(Debug, Default)]
pub(super) struct Ages {
    /// By number of the table.
    pub(super) below: BTreeMap<u64, Older>,
    /// Bytes of the tables that lie below one of those that were asked for, each counted once.
    pub(super) covered_bytes: u64,
}

/// A table with the places of its bounds among those of all.
struct Item<'f> {
    table: &'f TableFile,
    first: usize,
    last: usize,
}

/// Sums of tables and bytes by place (a Fenwick tree).
struct Sums(Vec<(u64, u128)>);

impl Sums {
    fn new(places: usize) -> Self {
        Self(vec![(0, 0); places + 1])
    }

    fn add(&mut self, place: usize, bytes: u64) {
        let mut at = place + 1;
        while let Some(sum) = self.0.get_mut(at) {
            *sum = (sum.0 + 1, sum.1 + u128::from(bytes));
            at += at & at.wrapping_neg();
        }
    }

    /// The sum over all places below `end`.
    fn below(&self, end: usize) -> (u64, u128) {
        let (mut at, mut all) = (end, (0, 0));
        while at > 0 {
            let sum = self.0.get(at).copied().unwrap_or_default();
            all = (all.0 + sum.0, all.1 + sum.1);
            at &= at - 1;
        }
        all
    }
}

/// Tables, of which those that overlap others are counted.
struct OverlapCounter {
    by_first: Sums,
    by_last: Sums,
}

impl OverlapCounter {
    fn new(places: usize) -> Self {
        Self { by_first: Sums::new(places), by_last: Sums::new(places) }
    }

    fn add(&mut self, item: &Item<'_>) {
        self.by_first.add(item.first, item.table.bytes);
        self.by_last.add(item.last, item.table.bytes);
    }

    /// Those that begin before the end of `item`, without those that end before its beginning.
    fn over(&self, item: &Item<'_>) -> Older {
        let begun = self.by_first.below(item.last + 1);
        let ended = self.by_last.below(item.first);
        let bytes = begun.1.saturating_sub(ended.1);
        Older {
            tables: begun.0.saturating_sub(ended.0),
            bytes: u64::try_from(bytes).unwrap_or(u64::MAX),
        }
    }
}

/// The older tables below each table of `family` that `asked` names; none where the order of keys is unknown.
pub(super) fn ages(family: &Family, asked: impl Fn(&TableFile) -> bool) -> Ages {
    let mut ages = Ages::default();
    if !family.comparator.is_known() {
        return ages;
    }
    let (groups, places) = groups(family);
    // From the oldest tables on: those seen before are older.
    let mut seen = OverlapCounter::new(places);
    for group in groups.iter().rev() {
        for item in group.iter().filter(|item| asked(item.table)) {
            ages.below.insert(item.table.number, seen.over(item));
        }
        for item in group {
            seen.add(item);
        }
    }
    // From the newest on: a table is covered when one that was asked for was seen before.
    let mut seen = OverlapCounter::new(places);
    for group in &groups {
        let covered = group.iter().filter(|item| seen.over(item).tables > 0);
        let bytes = total(covered.map(|item| item.table.bytes));
        ages.covered_bytes = ages.covered_bytes.saturating_add(bytes);
        for item in group.iter().filter(|item| asked(item.table)) {
            seen.add(item);
        }
    }
    ages
}

/// The tables, the newest first: run by run; and how many places there
/// are.
fn groups(family: &Family) -> (Vec<Vec<Item<'_>>>, usize) {
    let order = family.comparator;
    let tables = || family.levels.values().flatten();
    let mut keys: Vec<&[u8]> =
        tables().flat_map(|table| [smallest(order, table), largest(order, table)]).collect();
    sort_by(&mut keys, |a, b| order.compare_keys(a, b));
    keys.dedup_by(|a, b| order.compare_keys(a, b).is_eq());
    // Two places a key: an end that is exclusive stands before its key.
    let place = |key| 2 * keys.partition_point(|other| order.compare_keys(other, key).is_lt());
    let item = |table| {
        let first = place(smallest(order, table)) + 1;
        let last = place(largest(order, table)) + usize::from(!table.largest_is_exclusive());
        Item { table, first, last }
    };
    let mut groups: Vec<Vec<Item<'_>>> = Vec::new();
    for level in family.levels.keys() {
        groups.extend(family.runs(*level).map(|run| run.iter().map(|table| item(table)).collect()));
    }
    (groups, 2 * keys.len() + 1)
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads fixtures"
)]
mod tests {
    use super::super::overlap::overlap;
    use super::*;
    use crate::{Engine, MemoryFiles};

    /// The same by comparing all pairs.
    #[test]
    fn it_finds_what_comparing_all_pairs_finds() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/lsm");
        let mut compared = 0;
        for (name, manifest) in [
            ("m_levels", "MANIFEST-000005"),
            ("h_history", "MANIFEST-000005"),
            ("e_range_deletions", "MANIFEST-000005"),
        ] {
            let bytes = std::fs::read(root.join(name).join(manifest)).unwrap();
            let files = MemoryFiles::new([(manifest.to_owned(), bytes)]);
            let opened =
                crate::manifest::Manifest::open(&files, manifest, Engine::RocksDb).unwrap();
            for step in 0..opened.steps().len() {
                let state = opened.state_at(&files, step).unwrap();
                for family in state.families.values() {
                    let asked = |table: &TableFile| !table.number.is_multiple_of(3);
                    let found = ages(family, asked);
                    let mut covered = std::collections::BTreeSet::new();
                    let all: Vec<_> = family.tables().collect();
                    for (at, (level, table)) in all.iter().enumerate() {
                        let older = all.iter().skip(at + 1).filter(|(other, below)| {
                            (*other > *level || *level == 0)
                                && overlap(family.comparator, table, below)
                        });
                        let older: Vec<_> = older.filter(|_| asked(table)).collect();
                        let bytes = older.iter().map(|(_, below)| below.bytes).sum();
                        let expected = Older { tables: older.len() as u64, bytes };
                        let known = found.below.get(&table.number).copied().unwrap_or_default();
                        assert_eq!(known, expected, "{name}, step {step}, table {}", table.number);
                        covered.extend(older.iter().map(|(_, below)| (below.number, below.bytes)));
                        compared += 1;
                    }
                    let bytes: u64 = covered.iter().map(|(_, bytes)| bytes).sum();
                    assert_eq!(found.covered_bytes, bytes, "{name}, step {step}");
                }
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}
