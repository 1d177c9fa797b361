//! Where a compaction ends one output and begins the next.
//!
//! ```text
//! output level       |  output  |    output    | output |
//! the level below    |  table  |  table |   table   | table |        an output ends where a table below ends
//! ```
//!
//! The compaction that moves an output on has to rewrite every table below it that it overlaps. An output that
//! ends in the middle of such a table makes two compactions rewrite it, so an output of at least half the target size
//! ends where a table below ends, and one that has the target size goes on for half as much again to
//! get there. An output also ends when it has come across too many bytes below (decision 53).

use super::Plan;
use crate::manifest::{TableMeta, Version};
use std::sync::Arc;

/// Bytes of the level below the outputs that one output may overlap, in tables of full size.
const OVERLAP_TABLES_MAX: u64 = 10;

/// Watches the keys of a merge and decides where an output ends.
#[derive(Debug)]
pub(crate) struct Cut {
    /// Tables of the level below the outputs, in key order; none when it has several runs.
    below: Vec<Arc<TableMeta>>,
    /// Those of them that end before the present key.
    passed: usize,
    /// Whether one of them ends between the last key of the output and the present key.
    at_boundary: bool,
    /// Bytes of those passed since the output began.
    overlapped_bytes: u64,
    /// Target size of an output \[bytes\].
    table_bytes: u64,
}

impl Cut {
    /// For the outputs of `plan`, whose target size is `table_bytes`.
    pub(crate) fn new(plan: &Plan, version: &Version, table_bytes: u64) -> Self {
        let below = match (plan.span(), version.runs(plan.output_level + 1)) {
            (Some(span), [_]) => version.overlapping(plan.output_level + 1, &span),
            _ => Vec::new(),
        };
        Self { below, passed: 0, at_boundary: false, overlapped_bytes: 0, table_bytes }
    }

    /// Whether the output, which has `output_bytes`, should end before `key`, the next user key. May be asked
    /// again.
    pub(crate) fn before(&mut self, key: &[u8], output_bytes: u64) -> bool {
        self.pass(key);
        let half = self.table_bytes / 2;
        let boundary_ahead = self.passed < self.below.len();
        let bytes_max = self.table_bytes.saturating_add(if boundary_ahead { half } else { 0 });
        output_bytes >= bytes_max
            || self.at_boundary && output_bytes >= half
            || self.overlapped_bytes > self.table_bytes.saturating_mul(OVERLAP_TABLES_MAX)
    }

    /// Notes that the key asked about last is now in the output.
    pub(crate) fn added(&mut self) {
        self.at_boundary = false;
    }

    /// Notes that a new output begins with `key`.
    pub(crate) fn begin_output(&mut self, key: &[u8]) {
        self.pass(key);
        self.overlapped_bytes = 0;
        self.at_boundary = false;
    }

    fn pass(&mut self, key: &[u8]) {
        while let Some(table) = self.below.get(self.passed)
            && table.ends_before(key)
        {
            self.overlapped_bytes = self.overlapped_bytes.saturating_add(table.bytes);
            self.at_boundary = true;
            self.passed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compaction::testing::meta;
    use crate::manifest::VersionEdit;

    fn table(number: u64, keys: (&str, &str), bytes: u64) -> Arc<TableMeta> {
        Arc::new(meta(number, bytes, keys))
    }

    /// Over tables of 100 bytes in L2, a to b, c to d and so on, with outputs of `table_bytes` in L1.
    fn cut(inputs: (&str, &str), table_bytes: u64) -> Cut {
        let below = ["ab", "cd", "ef", "gh", "ij", "kl"].iter().zip(1..);
        let below = below.map(|(keys, number)| (2, table(number, keys.split_at(1), 100)));
        let edit = VersionEdit { added: below.collect(), ..VersionEdit::default() };
        let version = Version::default().apply(&edit).unwrap();
        let plan = Plan {
            level: 0,
            output_level: 1,
            output_run: 1,
            inputs: vec![(0, table(9, inputs, 1))],
            reason: String::new(),
            trivial_move: false,
            boundaries: Vec::new(),
        };
        Cut::new(&plan, &version, table_bytes)
    }

    #[test]
    fn an_output_ends_after_enough_overlap() {
        let mut cut = cut(("a", "z"), 20);
        cut.begin_output(b"a");
        for (key, ends) in [("b", false), ("c", false), ("e", false), ("f", false), ("g", true)] {
            assert_eq!(cut.before(key.as_bytes(), 1), ends, "{key}");
            assert_eq!(cut.before(key.as_bytes(), 1), ends, "{key}, asked again");
        }
        cut.begin_output(b"g");
        assert!(!cut.before(b"g", 1) && !cut.before(b"k", 1) && cut.before(b"m", 1));
    }

    /// Overlap before the first key of an output does not count, so that no output is empty.
    #[test]
    fn an_output_does_not_end_before_its_first_key() {
        let mut cut = cut(("a", "z"), 10);
        cut.begin_output(b"k");
        assert!(!cut.before(b"k", 1) && !cut.before(b"l", 1));
    }

    #[test]
    fn what_the_inputs_do_not_reach_does_not_count() {
        let mut cut = cut(("c", "e"), 10);
        cut.begin_output(b"c");
        assert!(!cut.before(b"e", 1) && cut.before(b"z", 1));
    }

    /// Between half of the target size and one and a half times as much.
    #[test]
    fn an_output_ends_where_a_table_below_ends() {
        let mut cut = cut(("a", "z"), 1000);
        cut.begin_output(b"a");
        assert!(!cut.before(b"b", 499), "no table below has ended");
        cut.added();
        assert!(!cut.before(b"c", 499), "the output is too small");
        assert!(cut.before(b"c", 500) && cut.before(b"c", 500));
        cut.added();
        assert!(!cut.before(b"d", 1499), "the key before was the first after the boundary");
        assert!(cut.before(b"d", 1500), "it must not grow further");
    }

    /// A boundary before its first key is none of the output.
    #[test]
    fn an_output_does_not_end_at_the_boundary_where_it_began() {
        let mut cut = cut(("a", "z"), 1000);
        cut.begin_output(b"c");
        assert!(!cut.before(b"d", 900));
    }

    /// No boundary lies ahead: the target size counts.
    #[test]
    fn after_the_last_table_below_an_output_ends_at_its_target_size() {
        for keys in [("a", "z"), ("m", "z")] {
            let mut cut = cut(keys, 1000);
            cut.begin_output(b"m");
            assert!(!cut.before(b"n", 999) && cut.before(b"n", 1000));
        }
    }
}
