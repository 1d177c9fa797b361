//! Where a compaction ends one output and begins the next, apart from its size.
//!
//! An output that overlaps many tables one level further down would be expensive to move on: the next
//! compaction has to read them all. So an output also ends when it has come across too many bytes there.

use super::Plan;
use crate::manifest::{TableMeta, Version};
use std::sync::Arc;

/// Bytes of the level below the outputs that one output may overlap, in tables of full size.
const OVERLAP_TABLES_MAX: u64 = 10;

/// Watches the keys of a merge go by and says when the output has overlapped enough.
#[derive(Debug)]
pub(crate) struct Cut {
    /// Tables of the level below the outputs, in key order; none when it has several runs.
    below: Vec<Arc<TableMeta>>,
    /// Those of them that end before the present key.
    passed: usize,
    /// Bytes of those passed since the output began.
    overlapped_bytes: u64,
    limit_bytes: u64,
}

impl Cut {
    /// For the outputs of `plan`, whose tables get at most `table_bytes`.
    pub(crate) fn new(plan: &Plan, version: &Version, table_bytes: u64) -> Self {
        let below = match (plan.span(), version.runs(plan.output_level + 1)) {
            (Some(span), [_]) => version.overlapping(plan.output_level + 1, &span),
            _ => Vec::new(),
        };
        let limit_bytes = table_bytes.saturating_mul(OVERLAP_TABLES_MAX);
        Self { below, passed: 0, overlapped_bytes: 0, limit_bytes }
    }

    /// Whether the output should end before `key`, the next user key. May be asked again.
    pub(crate) fn before(&mut self, key: &[u8]) -> bool {
        self.pass(key);
        self.overlapped_bytes > self.limit_bytes
    }

    /// Notes that a new output begins with `key`.
    pub(crate) fn begin_output(&mut self, key: &[u8]) {
        self.pass(key);
        self.overlapped_bytes = 0;
    }

    fn pass(&mut self, key: &[u8]) {
        while let Some(table) = self.below.get(self.passed)
            && table.ends_before(key)
        {
            self.overlapped_bytes = self.overlapped_bytes.saturating_add(table.bytes);
            self.passed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ValueKind;
    use crate::key::internal_key;
    use crate::manifest::VersionEdit;

    fn table(number: u64, keys: (&str, &str), bytes: u64) -> Arc<TableMeta> {
        Arc::new(TableMeta {
            number,
            run: 1,
            bytes,
            entries: 2,
            tombstones: 0,
            blocks: 1,
            smallest: internal_key(keys.0.as_bytes(), number, ValueKind::Put),
            largest: internal_key(keys.1.as_bytes(), number, ValueKind::Put),
            ranges: None,
            sequence_min: number,
            sequence_max: number,
        })
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
        };
        Cut::new(&plan, &version, table_bytes)
    }

    #[test]
    fn an_output_ends_behind_enough_overlap() {
        let mut cut = cut(("a", "z"), 20);
        cut.begin_output(b"a");
        for (key, ends) in [("b", false), ("c", false), ("e", false), ("f", false), ("g", true)] {
            assert_eq!(cut.before(key.as_bytes()), ends, "{key}");
            assert_eq!(cut.before(key.as_bytes()), ends, "{key}, asked again");
        }
        cut.begin_output(b"g");
        assert!(!cut.before(b"g") && !cut.before(b"k") && cut.before(b"m"));
    }

    /// Overlap before the first key of an output does not count, so that no output is empty.
    #[test]
    fn an_output_does_not_end_before_its_first_key() {
        let mut cut = cut(("a", "z"), 10);
        cut.begin_output(b"k");
        assert!(!cut.before(b"k") && !cut.before(b"l"));
    }

    #[test]
    fn what_the_inputs_do_not_reach_does_not_count() {
        let mut cut = cut(("c", "e"), 10);
        cut.begin_output(b"c");
        assert!(!cut.before(b"e") && cut.before(b"z"));
    }
}
