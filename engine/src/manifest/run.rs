//! Runs: tables that are searched as one.

use super::version::TableMeta;
use crate::event::ShownKey;
use crate::key::{Cut, KeyWords, Span, compare_internal, place_in, user_key};
use crate::probe::{Among, Probe};
use crate::sorting;
use crate::table::TablePin;
use std::ops::Bound;
use std::ops::Range;
use std::sync::Arc;

/// Number of a run within its level: of two runs of one level the one with the larger number is newer.
pub(crate) type RunNumber = u64;

/// Tables that follow each other in key order; no two of them share a user key, be it one of an entry or one
/// of a range tombstone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Run {
    number: RunNumber,
    tables: Vec<Arc<TableMeta>>,
    /// Words that searches compare instead of the keys of the tables: the first of each, and the last of each that
    /// ends. Only a range tombstone has no end, and so at most the last table.
    smallest: KeyWords,
    largest: KeyWords,
    /// The positions of those with range tombstones.
    with_ranges: Vec<usize>,
    /// For each table a place to keep it open, so that it need not be looked up.
    pins: Vec<TablePin>,
}

/// One table of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunTable<'a> {
    pub(crate) meta: &'a Arc<TableMeta>,
    pub(crate) pin: &'a TablePin,
}

impl Run {
    /// The run `number` of `tables`, which it puts in key order.
    pub(crate) fn new(number: RunNumber, mut tables: Vec<Arc<TableMeta>>) -> Self {
        sorting::sort_by(&mut tables, |left, right| left.first_key().cmp(right.first_key()));
        let ending = tables.iter().filter(|meta| meta.span().to != Cut::End).count();
        let smallest = KeyWords::new(tables.len(), |at| {
            tables.get(at).map_or(&[][..], |meta| meta.first_key())
        });
        let largest = KeyWords::new(ending, |at| tables.get(at).map_or(&[][..], last_key));
        let ranged = tables.iter().enumerate().filter(|(_, meta)| meta.ranges.is_some());
        let with_ranges = ranged.map(|(position, _)| position).collect();
        let pins = tables.iter().map(|_| TablePin::default()).collect();
        Self { number, tables, smallest, largest, with_ranges, pins }
    }

    /// Its number: newer runs of a level have larger ones.
    pub(crate) fn number(&self) -> RunNumber {
        self.number
    }

    /// Its tables, in key order.
    pub(crate) fn tables(&self) -> &[Arc<TableMeta>] {
        &self.tables
    }

    /// The table at `position`.
    pub(crate) fn table(&self, position: usize) -> Option<RunTable<'_>> {
        Some(RunTable { meta: self.tables.get(position)?, pin: self.pins.get(position)? })
    }

    /// The one table whose range holds `key`.
    pub(crate) fn find<P: Probe>(&self, key: &[u8], probe: &mut P) -> Option<RunTable<'_>> {
        let position = match self.tables.as_slice() {
            [only] => Some(0).filter(|_| !only.ends_before(key)),
            tables => {
                let largest = |place: usize| tables.get(place).map_or(&[][..], last_key);
                probe.search(Among::Tables, tables.len());
                let unclear = self.largest.unclear(key, |place, before| match place {
                    Some(place) => {
                        probe.compared(before, || (place, ShownKey::new(largest(place))));
                    }
                    None => probe.comparison(),
                });
                probe.narrow(unclear.clone());
                let same = tables.get(unclear.clone()).unwrap_or_default();
                let before = same.partition_point(|meta| {
                    let before = meta.ends_before(key);
                    let place =
                        || (unclear.start + place_in(same, meta), ShownKey::new(last_key(meta)));
                    probe.compared(before, place);
                    before
                });
                Some(unclear.start + before)
            }
        }?;
        let begins = self.smallest.is_before(position, key)
            || self.tables.get(position).is_some_and(|meta| meta.first_key() <= key);
        self.table(position).filter(|_| begins)
    }

    /// The tables with range tombstones that may reach into `span`. Cost without any: nothing.
    pub(crate) fn with_ranges<'a>(
        &'a self,
        span: &'a Span<'a>,
    ) -> impl Iterator<Item = RunTable<'a>> + 'a {
        let tables = self.with_ranges.iter().filter_map(|position| self.table(*position));
        tables.filter(|table| table.meta.overlaps(span))
    }

    /// The first table with an entry at or after the internal `key`.
    pub(crate) fn first_reaching(&self, key: &[u8]) -> usize {
        let unclear = self.largest.unclear(user_key(key), |_, _| ());
        let same = self.tables.get(unclear.clone()).unwrap_or_default();
        let first = unclear.start + same.partition_point(|meta| meta.ends_before(user_key(key)));
        let tables = self.tables.get(first..).unwrap_or_default();
        // Further tables may have range tombstones only, or entries only before those and the key.
        let reaches = |meta: &Arc<TableMeta>| {
            meta.entries > 0 && compare_internal(&meta.largest, key).is_ge()
        };
        first + tables.iter().position(reaches).unwrap_or(tables.len())
    }

    /// The tables with keys between two bounds.
    pub(crate) fn between(&self, lower: &Bound<Vec<u8>>, upper: &Bound<Vec<u8>>) -> Range<usize> {
        let start = match lower {
            Bound::Included(lower) | Bound::Excluded(lower) => {
                self.tables.partition_point(|meta| meta.ends_before(lower))
            }
            Bound::Unbounded => 0,
        };
        let end = match upper {
            Bound::Included(upper) | Bound::Excluded(upper) => {
                self.tables.partition_point(|meta| meta.first_key() <= upper.as_slice())
            }
            Bound::Unbounded => self.tables.len(),
        };
        start..end.max(start)
    }
}

/// The key at which a table ends; empty when it has no end.
fn last_key(meta: &Arc<TableMeta>) -> &[u8] {
    match meta.span().to {
        Cut::At(key, _) => key,
        Cut::End => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ValueKind;
    use crate::key::internal_key;
    use crate::memtable::{SplitMix64, for_seeds};
    use crate::probe::NoProbe;

    fn table(number: u64, smallest: &str, largest: &str) -> Arc<TableMeta> {
        Arc::new(TableMeta {
            number,
            run: 1,
            bytes: 1,
            entries: 2,
            tombstones: 0,
            blocks: 1,
            smallest: internal_key(smallest.as_bytes(), 5, ValueKind::Put),
            largest: internal_key(largest.as_bytes(), 4, ValueKind::Put),
            ranges: None,
            sequence_min: 4,
            sequence_max: 5,
        })
    }

    /// Tables with gaps between them, of one key or of several.
    fn random_run(random: &mut SplitMix64) -> Run {
        let (mut tables, mut next) = (Vec::new(), 0);
        for number in 0..random.below(20) {
            let smallest = next + random.below(4);
            let largest = smallest + random.below(4);
            next = largest + 1;
            let key = |at: usize| format!("key/with/a/long/beginning/{at:03}");
            tables.push(table(number as u64, &key(smallest), &key(largest)));
        }
        tables.reverse();
        Run::new(1, tables)
    }

    #[test]
    fn searches_agree_with_a_look_at_every_table() {
        for_seeds(200, |seed| {
            let mut random = SplitMix64::new(seed);
            let run = random_run(&mut random);
            for at in 0..100 {
                let key = ["key/with/a/long/beginning/", "key", "l"][random.below(40).min(2)];
                let key = format!("{key}{at:03}");
                let found = run.find(key.as_bytes(), &mut NoProbe).map(|found| found.meta.number);
                let mut all = run.tables().iter();
                let expected = all.find(|meta| meta.covers(key.as_bytes()));
                assert_eq!(found, expected.map(|meta| meta.number), "{key}");

                let trailer = random.below(9) as u64;
                let target = internal_key(key.as_bytes(), trailer, ValueKind::Put);
                let mut before = run.tables().iter();
                let before =
                    before.position(|meta| compare_internal(&meta.largest, &target).is_ge());
                assert_eq!(run.first_reaching(&target), before.unwrap_or(run.tables().len()));
            }
        });
    }

    #[test]
    fn tables_between_bounds_are_those_that_reach_there() {
        let run = Run::new(1, vec![table(1, "b", "d"), table(2, "f", "h"), table(3, "k", "k")]);
        let included = |key: &str| Bound::Included(key.as_bytes().to_vec());
        assert_eq!(run.between(&Bound::Unbounded, &Bound::Unbounded), 0..3);
        assert_eq!(run.between(&included("d"), &included("f")), 0..2);
        assert_eq!(run.between(&included("e"), &included("e")), 1..1);
        assert_eq!(run.between(&included("i"), &Bound::Unbounded), 2..3);
        assert!(run.between(&included("z"), &included("a")).is_empty());
    }
}
