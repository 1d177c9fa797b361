//! The figures as text for monitoring systems, in the format `OpenMetrics`.

use super::Stats;
use super::stats::LevelStats;
use std::fmt::{Display, Write as _};

/// A family of figures: its name without the prefix, its unit (`""`: a count), and its meaning.
type Family = (&'static str, &'static str, &'static str);

/// A family, and its value in some figures.
type Figure<S, T> = (Family, fn(&S) -> T);

/// Counts and sums since the opening.
const COUNTERS: &[Figure<Stats, u64>] = &[
    (("puts", "", "Put operations, those in batches included."), |s| s.puts),
    (("deletes", "", "Delete operations, those in batches included."), |s| s.deletes),
    (("range_deletes", "", "Range delete operations, those in batches included."), |s| {
        s.range_deletes
    }),
    (("user_bytes", "bytes", "Keys and values given by the caller."), |s| s.user_bytes),
    (("wal_bytes", "bytes", "Bytes appended to logs."), |s| s.wal_bytes),
    (("wal_syncs", "", "Syncs of logs."), |s| s.wal_syncs),
    (("gets", "", "Point lookups."), |s| s.gets),
    (("gets_found", "", "Point lookups that found a value."), |s| s.gets_found),
    (("tables_searched", "", "Tables searched by point lookups."), |s| s.tables_searched),
    (("flushes", "", "Flushes done."), |s| s.flushes),
    (("flush_bytes", "bytes", "Bytes written by flushes."), |s| s.flush_bytes),
    (("compactions", "", "Compactions done, without trivial moves."), |s| s.compactions),
    (("trivial_moves", "", "Tables moved down without rewriting them."), |s| s.trivial_moves),
    (("compaction_read_bytes", "bytes", "Bytes of the input tables of compactions."), |s| {
        s.compaction_read_bytes
    }),
    (("compaction_write_bytes", "bytes", "Bytes written by compactions."), |s| {
        s.compaction_write_bytes
    }),
    (("entries_shadowed", "", "Entries dropped because a newer version hid them."), |s| {
        s.entries_shadowed
    }),
    (("tombstones_dropped", "", "Tombstones dropped: nothing was left below them."), |s| {
        s.tombstones_dropped
    }),
    (
        ("entries_range_deleted", "", "Entries dropped because a newer range delete hid them."),
        |s| s.entries_range_deleted,
    ),
    (
        ("range_tombstones_dropped", "", "Range tombstones dropped: nothing was left below them."),
        |s| s.range_tombstones_dropped,
    ),
    (("transactions_begun", "", "Transactions begun."), |s| s.transactions_begun),
    (("transactions_committed", "", "Transactions committed."), |s| s.transactions_committed),
    (("transactions_rolled_back", "", "Transactions rolled back."), |s| s.transactions_rolled_back),
    (("conflicts", "", "Transactions that could not commit because of a conflict."), |s| {
        s.conflicts
    }),
    (("stalls", "", "Write stalls."), |s| s.stalls),
    (("slowdowns", "", "Write slowdowns."), |s| s.slowdowns),
    (("slowdown_waits", "", "Times that a slowed write waited for background threads."), |s| {
        s.slowdown_waits
    }),
    (("cache_hits", "", "Blocks found in the cache."), |s| s.cache_hits),
    (("cache_misses", "", "Blocks read from files."), |s| s.cache_misses),
    (("cache_hit_bytes", "bytes", "Decompressed bytes of the blocks found in the cache."), |s| {
        s.cache_hit_bytes
    }),
    (("prefix_skips", "", "Tables skipped by prefix scans."), |s| s.prefix_skips),
];

/// Sizes now.
const GAUGES: &[Figure<Stats, u64>] = &[
    (("cache_bytes", "bytes", "Decompressed blocks in the cache."), |s| s.cache_bytes),
    (("prefix_index_bytes", "bytes", "Prefix indexes of the open tables in memory."), |s| {
        s.prefix_index_bytes
    }),
    (("table_bytes", "bytes", "Table files."), |s| s.table_bytes),
    (("table_entries", "", "Entries in tables, all versions and tombstones."), |s| s.table_entries),
    (("table_range_tombstones", "", "Range tombstones in tables, once for each table."), |s| {
        s.table_range_tombstones
    }),
    (("live_estimate_bytes", "bytes", "Estimate of the live data, keys and values."), |s| {
        s.live_bytes_estimate
    }),
    (("compaction_debt_bytes", "bytes", "Estimate of what compactions have to read."), |s| {
        s.compaction_debt_bytes
    }),
    (("sorted_runs", "", "Sorted runs that a lookup may have to ask."), |s| s.sorted_runs),
];

/// Ratios now; without a value while their denominator is 0.
const RATIOS: &[Figure<Stats, Option<f64>>] = &[
    (("write_amplification_ratio", "ratio", "Bytes written per byte given by the caller."), |s| {
        s.write_amplification
    }),
    (("read_amplification_ratio", "ratio", "Tables searched per point lookup."), |s| {
        s.read_amplification
    }),
    (
        ("space_amplification_estimate_ratio", "ratio", "Table bytes per estimated live byte."),
        |s| s.space_amplification_estimate,
    ),
];

/// Sizes of each level now, with a label for the level.
const LEVELS: &[Figure<LevelStats, u64>] = &[
    (("level_tables", "", "Tables of the level."), |level| level.tables),
    (("level_runs", "", "Sorted runs of the level."), |level| level.runs),
    (("level_bytes", "bytes", "Table files of the level."), |level| level.bytes),
    (("level_entries", "", "Entries of the level, all versions and tombstones."), |level| {
        level.entries
    }),
];

impl Stats {
    /// The figures in the text format `OpenMetrics` 1.0, which Prometheus and other monitoring systems read. Its content
    /// type is `application/openmetrics-text; version=1.0.0; charset=utf-8`.
    ///
    /// Each name begins with `levelscope_`. Counters count since the opening and end in `_total`; figures of levels
    /// have the label `level`, 0 is L0. An amplification without a denominator is left out.
    ///
    /// ```
    /// # use levelscope::{Db, storage::MemoryStorage};
    /// # let db = Db::builder().open_in(std::sync::Arc::new(MemoryStorage::default()))?;
    /// db.put("apple", "red")?;
    /// let text = db.stats().open_metrics();
    /// assert!(text.contains("\nlevelscope_puts_total 1\n"));
    /// assert!(text.ends_with("# EOF\n"));
    /// # Ok::<(), levelscope::Error>(())
    /// ```
    pub fn open_metrics(&self) -> String {
        let mut out = Exposition::default();
        for (family, value) in COUNTERS {
            out.begin(*family, "counter");
            out.sample(family.0, "_total", None, value(self));
        }
        for (family, value) in GAUGES {
            out.begin(*family, "gauge");
            out.sample(family.0, "", None, value(self));
        }
        for (family, value) in RATIOS {
            if let Some(value) = value(self) {
                out.begin(*family, "gauge");
                out.sample(family.0, "", None, value);
            }
        }
        for (family, value) in LEVELS {
            out.begin(*family, "gauge");
            for (level, stats) in self.levels.iter().enumerate() {
                out.sample(family.0, "", Some(level), value(stats));
            }
        }
        out.end()
    }
}

/// The text while it is written. Writing to a string does not fail.
#[derive(Default)]
struct Exposition(String);

impl Exposition {
    /// The lines before the samples of a family.
    fn begin(&mut self, (name, unit, help): Family, kind: &str) {
        let _ = writeln!(self.0, "# TYPE levelscope_{name} {kind}");
        if !unit.is_empty() {
            let _ = writeln!(self.0, "# UNIT levelscope_{name} {unit}");
        }
        let _ = writeln!(self.0, "# HELP levelscope_{name} {help}");
    }

    fn sample(&mut self, name: &str, suffix: &str, level: Option<usize>, value: impl Display) {
        let label = level.map_or(String::new(), |level| format!("{{level=\"{level}\"}}"));
        let _ = writeln!(self.0, "levelscope_{name}{suffix}{label} {value}");
    }

    fn end(mut self) -> String {
        self.0.push_str("# EOF\n");
        self.0
    }
}
