//! An estimate of the live data: keys and values that a scan would return \[bytes\].
//!
//! ```text
//! oldest run ──▶ … ──▶ newest run ──▶ memtables        each adds what it holds, and hides some of what came before
//! ```
//!
//! Which key hides which is known only after a merge, so it is estimated. No part counts its tombstones or
//! versions that a newer one of the same part hides. Where a part overlaps an older one, each of its
//! tombstones is taken to hide one older entry, and of its other entries the share that merges have found.

use std::collections::BTreeMap;

/// Size of the newest version of each key in one memtable or table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LiveEntries {
    /// Keys whose newest version is a value.
    pub(crate) values: u64,
    /// Keys whose newest version is a tombstone.
    pub(crate) tombstones: u64,
    /// Keys and values of `values` \[bytes\].
    pub(crate) bytes: u64,
}

/// How often a newer entry of a merge has hidden an older one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Share {
    pub(crate) hidden: u64,
    pub(crate) newer: u64,
}

/// Adds up the parts of a database, oldest first.
#[derive(Debug)]
pub(crate) struct Estimate<'a> {
    overwrites: Share,
    /// The ranges that the parts so far cover, disjoint: largest user key to smallest user key.
    covered: BTreeMap<&'a [u8], &'a [u8]>,
    entries: u64,
    bytes: u64,
}

impl<'a> Estimate<'a> {
    /// Nothing yet; of the values that overlap older data, `overwrites` hide an older entry.
    pub(crate) fn new(overwrites: Share) -> Self {
        Self { overwrites, covered: BTreeMap::new(), entries: 0, bytes: 0 }
    }

    /// Adds a part with keys from `smallest` to `largest`, newer than all before it. Cost: the logarithm.
    pub(crate) fn add(&mut self, smallest: &'a [u8], largest: &'a [u8], held: LiveEntries) {
        if self.cover(smallest, largest) {
            let Share { hidden, newer } = self.overwrites;
            let overwrites = part_of(held.values, hidden.min(newer), newer);
            let hidden = held.tombstones.saturating_add(overwrites).min(self.entries);
            self.bytes -= part_of(self.bytes, hidden, self.entries);
            self.entries -= hidden;
        }
        self.entries = self.entries.saturating_add(held.values);
        self.bytes = self.bytes.saturating_add(held.bytes);
    }

    /// The live data \[bytes\].
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Covers `smallest..=largest`; whether some of it was covered before.
    fn cover(&mut self, mut smallest: &'a [u8], mut largest: &'a [u8]) -> bool {
        let mut overlaps = false;
        while let Some((end, begin)) = self.covered.range(smallest..).next()
            && *begin <= largest
        {
            let (end, begin) = (*end, *begin);
            self.covered.remove(end);
            (smallest, largest) = (smallest.min(begin), largest.max(end));
            overlaps = true;
        }
        self.covered.insert(largest, smallest);
        overlaps
    }
}

/// `whole` × `part` ÷ `of`, rounded down; 0 of nothing.
pub(crate) fn part_of(whole: u64, part: u64, of: u64) -> u64 {
    let product = u128::from(whole) * u128::from(part);
    let quotient = product.checked_div(u128::from(of)).unwrap_or(0);
    u64::try_from(quotient).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(overwrites: Share, parts: &[(&str, &str, (u64, u64, u64))]) -> u64 {
        let mut estimate = Estimate::new(overwrites);
        for (smallest, largest, (values, tombstones, bytes)) in parts {
            let held = LiveEntries { values: *values, tombstones: *tombstones, bytes: *bytes };
            estimate.add(smallest.as_bytes(), largest.as_bytes(), held);
        }
        estimate.bytes()
    }

    #[test]
    fn parts_without_overlap_add_up() {
        let none = Share::default();
        assert_eq!(estimate(none, &[]), 0);
        assert_eq!(estimate(none, &[("g", "k", (2, 0, 20)), ("a", "f", (3, 1, 30))]), 50);
        // Without a merge no overwritten value is known.
        assert_eq!(estimate(none, &[("a", "k", (2, 0, 20)), ("b", "f", (3, 0, 30))]), 50);
    }

    #[test]
    fn a_tombstone_hides_one_older_entry_that_it_overlaps() {
        let none = Share::default();
        assert_eq!(estimate(none, &[("a", "k", (4, 0, 40)), ("b", "f", (0, 1, 0))]), 30);
        assert_eq!(estimate(none, &[("a", "k", (4, 0, 40)), ("l", "m", (0, 2, 0))]), 40);
        assert_eq!(estimate(none, &[("a", "k", (3, 0, 10)), ("a", "k", (0, 5, 0))]), 0);
        // A range that lies between two covered ones, and one that joins them.
        let parts = [("a", "b", (1, 0, 10)), ("y", "z", (1, 0, 10))];
        assert_eq!(estimate(none, &[&parts[..], &[("c", "x", (0, 2, 0))]].concat()), 20);
        assert_eq!(estimate(none, &[&parts[..], &[("b", "y", (0, 2, 0))]].concat()), 0);
    }

    #[test]
    fn values_overwrite_as_often_as_merges_have_found() {
        let parts = [("a", "k", (8, 0, 80)), ("a", "k", (4, 0, 40))];
        assert_eq!(estimate(Share { hidden: 5, newer: 10 }, &parts), 100);
        assert_eq!(estimate(Share { hidden: 10, newer: 10 }, &parts), 80);
        // Several older versions of a key may be hidden by one newer entry.
        assert_eq!(estimate(Share { hidden: 30, newer: 10 }, &parts), 80);
    }

    #[test]
    fn no_size_overflows() {
        let huge = (u64::MAX, u64::MAX, u64::MAX);
        let all = Share { hidden: u64::MAX, newer: u64::MAX };
        assert_eq!(estimate(all, &[("a", "b", huge), ("a", "b", huge)]), u64::MAX);
        assert_eq!(part_of(u64::MAX, u64::MAX, 1), u64::MAX);
        assert_eq!(part_of(5, 1, 0), 0);
    }
}
