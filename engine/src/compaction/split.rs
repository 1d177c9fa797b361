//! Where a large compaction is split into parts that may run at once.
//!
//! ```text
//! inputs    L1  |    table    |    table    |    table    |
//!           L2  | table | table | table | table | table | table |
//! parts         |     first     |    second     |     third     |      each begins where a table of L2 begins
//! ```
//!
//! A part is a range of user keys, so that all versions of a key are in one part. The split depends on the tables and
//! the options alone, never on threads: the outputs are the same whether parts run at once or one after the other
//! (decision 54).

use crate::manifest::TableMeta;
use crate::sorting;
use std::sync::Arc;

/// Least size of a part, in tables of full size: each part costs a seek in every input and may end in a small table.
const PART_TABLES_MIN: u64 = 4;

/// Fewest and most parts of a compaction that is split: two threads cannot share three parts evenly.
const PARTS: std::ops::RangeInclusive<u64> = 4..=8;

/// The first user keys of all parts but the first, ascending; none when the compaction of `inputs`, newer data first,
/// stays whole. `table_bytes` is the target size of an output.
///
/// Inputs with range tombstones stay whole: a tombstone may reach over several parts.
pub(super) fn boundaries(inputs: &[(usize, Arc<TableMeta>)], table_bytes: u64) -> Vec<Vec<u8>> {
    let bytes = |tables: &[&Arc<TableMeta>]| -> u64 {
        tables.iter().fold(0, |sum, table| sum.saturating_add(table.bytes))
    };
    let all: Vec<&Arc<TableMeta>> = inputs.iter().map(|(_, table)| table).collect();
    let part_bytes_min = table_bytes.saturating_mul(PART_TABLES_MIN).max(1);
    let parts = (bytes(&all) / part_bytes_min).min(*PARTS.end());
    if parts < *PARTS.start() || all.iter().any(|table| table.ranges.is_some()) {
        return Vec::new();
    }
    // The oldest run is nearly always the largest.
    let run_of = |(level, table): &(usize, Arc<TableMeta>)| (*level, table.run);
    let oldest = inputs.last().map(run_of);
    let of_oldest = inputs.iter().filter(|input| Some(run_of(input)) == oldest);
    let mut run: Vec<&Arc<TableMeta>> = of_oldest.map(|(_, table)| table).collect();
    sorting::sort_by(&mut run, |left, right| left.first_key().cmp(right.first_key()));
    let (run_bytes, mut before) = (bytes(&run), 0_u64);
    let mut found: Vec<Vec<u8>> = Vec::new();
    for table in run {
        let next = found.len() as u64 + 1;
        let wanted = u128::from(run_bytes) * u128::from(next) / u128::from(parts);
        if next < parts && before > 0 && u128::from(before) >= wanted {
            found.push(table.first_key().to_vec());
        }
        before = before.saturating_add(table.bytes);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compaction::testing::meta;
    use crate::key::Cut;
    use crate::manifest::RangesMeta;

    fn table(number: u64, first: u64, bytes: u64) -> Arc<TableMeta> {
        Arc::new(meta(number, bytes, (&format!("{first:03}"), &format!("{:03}", first + 9))))
    }

    /// `count` tables of 100 bytes in L2 under one of `bytes` in L1.
    fn inputs(bytes: u64, count: u64) -> Vec<(usize, Arc<TableMeta>)> {
        let below = (0..count).map(|at| (2, table(10 + at, 10 * at, 100)));
        std::iter::once((1, table(1, 0, bytes))).chain(below).collect()
    }

    fn keys(found: &[Vec<u8>]) -> Vec<String> {
        found.iter().map(|key| String::from_utf8(key.clone()).unwrap()).collect()
    }

    #[test]
    fn a_small_compaction_stays_whole() {
        assert_eq!(boundaries(&[], 100), Vec::<Vec<u8>>::new());
        assert_eq!(boundaries(&inputs(0, 15), 100), Vec::<Vec<u8>>::new());
        assert_eq!(keys(&boundaries(&inputs(0, 16), 100)), ["040", "080", "120"]);
    }

    #[test]
    fn parts_are_equal_and_begin_where_a_table_of_the_oldest_run_begins() {
        assert_eq!(boundaries(&inputs(0, 24), 100).len(), 5);
        assert_eq!(keys(&boundaries(&inputs(400, 12), 100)), ["030", "060", "090"]);
        assert_eq!(boundaries(&inputs(0, 1000), 100).len(), 7);
    }

    #[test]
    fn there_are_no_more_parts_than_tables() {
        assert_eq!(boundaries(&inputs(1 << 40, 1), 100), Vec::<Vec<u8>>::new());
        assert_eq!(keys(&boundaries(&inputs(1 << 40, 3), 100)), ["010", "020"]);
    }

    #[test]
    fn no_size_overflows() {
        let huge = vec![(2, table(1, 0, u64::MAX)), (2, table(2, 10, u64::MAX))];
        assert_eq!(keys(&boundaries(&huge, 1)), ["010"]);
        assert!(boundaries(&huge, u64::MAX).is_empty());
    }

    #[test]
    fn inputs_with_range_tombstones_stay_whole() {
        let mut inputs = inputs(0, 24);
        let ranges = Some(RangesMeta { count: 1, begin: b"0".to_vec(), end: Cut::End });
        inputs[3].1 = Arc::new(TableMeta { ranges, ..TableMeta::clone(&inputs[3].1) });
        assert!(boundaries(&inputs, 100).is_empty());
    }
}
