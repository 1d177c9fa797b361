//! Figures about a database: counts since it was opened, and amplification with its terms.

use super::{ReadView, Shared};
use crate::compaction;
use crate::key::user_key;
use crate::live::{Estimate, Share};
use crate::memtable::Memtable;

/// Figures since opening. Amplifications are ratios, none while their denominator is 0; their terms are
/// beside them, in bytes.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct Stats {
    /// Put operations, those in batches included.
    pub puts: u64,
    /// Delete operations, those in batches included.
    pub deletes: u64,
    /// Range delete operations, those in batches included.
    pub range_deletes: u64,
    /// Keys and values given by the caller \[bytes\].
    pub user_bytes: u64,
    /// Appended to logs \[bytes\].
    pub wal_bytes: u64,
    /// Syncs of logs.
    pub wal_syncs: u64,
    /// Point lookups.
    pub gets: u64,
    /// Point lookups that found a value.
    pub gets_found: u64,
    /// Tables searched by point lookups, after range and filter.
    pub tables_searched: u64,
    /// Flushes done.
    pub flushes: u64,
    /// Written by flushes \[bytes\].
    pub flush_bytes: u64,
    /// Compactions done, trivial moves not counted.
    pub compactions: u64,
    /// Tables moved down without rewriting them.
    pub trivial_moves: u64,
    /// Read by compactions \[bytes of input files\].
    pub compaction_read_bytes: u64,
    /// Written by compactions \[bytes\].
    pub compaction_write_bytes: u64,
    /// Entries dropped because a newer version hid them.
    pub entries_shadowed: u64,
    /// Tombstones dropped because nothing was left below them.
    pub tombstones_dropped: u64,
    /// Entries dropped because a newer range delete hid them.
    pub entries_range_deleted: u64,
    /// Range tombstones dropped because nothing was left below them.
    pub range_tombstones_dropped: u64,
    /// Transactions begun; those that neither committed, lost nor were rolled back are open or failed.
    pub transactions_begun: u64,
    /// Transactions committed, those that only read included.
    pub transactions_committed: u64,
    /// Transactions rolled back, by the caller or dropped.
    pub transactions_rolled_back: u64,
    /// Transactions that could not commit because of commits of others.
    pub conflicts: u64,
    /// Times that writes had to wait.
    pub stalls: u64,
    /// Times that writes began to slow down.
    pub slowdowns: u64,
    /// Times that a slowed write waited for background threads.
    pub slowdown_waits: u64,
    /// Blocks found in the cache.
    pub cache_hits: u64,
    /// Blocks read from files.
    pub cache_misses: u64,
    /// Decompressed bytes of the blocks found in the cache: what it saved from being read, checked and
    /// decompressed again \[bytes\].
    pub cache_hit_bytes: u64,
    /// Decompressed blocks in the cache \[bytes\].
    pub cache_bytes: u64,
    /// Prefix indexes of the open tables, in memory \[bytes\].
    pub prefix_index_bytes: u64,
    /// Tables that prefix scans skipped, because their prefix filter or index excluded the prefix.
    pub prefix_skips: u64,
    /// Table files now \[bytes\].
    pub table_bytes: u64,
    /// Entries in tables now, all versions and tombstones.
    pub table_entries: u64,
    /// Range tombstones in tables now; one that was cut at the end of a table counts in each.
    pub table_range_tombstones: u64,
    /// Estimate of the live data: keys and values that a scan would return \[bytes\], never more than the size of
    /// memtables and tables. Older versions within a memtable or table and tombstones do not count. Where newer data
    /// overlaps older data, each of its tombstones is taken to hide one older entry, and of its other entries the share
    /// that compactions have found since opening.
    pub live_bytes_estimate: u64,
    /// Compaction debt: an estimate of the bytes that compactions must read until no level is due.
    pub compaction_debt_bytes: u64,
    /// Sorted runs that a lookup may have to ask: memtables and the runs of all levels.
    pub sorted_runs: u64,
    /// (log + flushes + compactions) ÷ keys and values written; none before the first write.
    pub write_amplification: Option<f64>,
    /// Tables searched ÷ lookups; none before the first lookup.
    pub read_amplification: Option<f64>,
    /// Bytes of all tables ÷ the estimate of the live data; none without tables or live data. Space
    /// amplification itself takes a full compaction to know, so this estimate is no measure to compare
    /// strategies with.
    pub space_amplification_estimate: Option<f64>,
    /// The levels now, L0 first, down to the deepest one with tables. It is not serialized: views have the levels.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub levels: Vec<LevelStats>,
}

/// The size of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LevelStats {
    /// Its tables.
    pub tables: u64,
    /// Its sorted runs; each table of L0 is one.
    pub runs: u64,
    /// Its table files \[bytes\].
    pub bytes: u64,
    /// Its entries, all versions and tombstones.
    pub entries: u64,
}

impl Shared {
    /// The figures now.
    pub(crate) fn stats(&self) -> Stats {
        let counters = &self.counters;
        let gets_found = counters.gets_found.get();
        let view = self.read_view();
        let (cache_hits, cache_misses) = self.cache.stats();
        let mut stats = Stats {
            puts: counters.puts.get(),
            deletes: counters.deletes.get(),
            range_deletes: counters.range_deletes.get(),
            user_bytes: counters.user_bytes.get(),
            wal_bytes: counters.wal_bytes.get(),
            wal_syncs: counters.wal_syncs.get(),
            gets: gets_found + counters.gets_absent.get(),
            gets_found,
            tables_searched: counters.tables_searched.get(),
            flushes: counters.flushes.get(),
            flush_bytes: counters.flush_bytes.get(),
            compactions: counters.compactions.get(),
            trivial_moves: counters.trivial_moves.get(),
            compaction_read_bytes: counters.compaction_read_bytes.get(),
            compaction_write_bytes: counters.compaction_write_bytes.get(),
            entries_shadowed: counters.entries_shadowed.get(),
            tombstones_dropped: counters.tombstones_dropped.get(),
            entries_range_deleted: counters.entries_range_deleted.get(),
            range_tombstones_dropped: counters.range_tombstones_dropped.get(),
            transactions_begun: counters.transactions_begun.get(),
            transactions_committed: counters.transactions_committed.get(),
            transactions_rolled_back: counters.transactions_rolled_back.get(),
            conflicts: counters.conflicts.get(),
            stalls: counters.stalls.get(),
            slowdowns: counters.slowdowns.get(),
            slowdown_waits: counters.slowdown_waits.get(),
            cache_hits,
            cache_misses,
            cache_hit_bytes: self.cache.hit_bytes(),
            cache_bytes: self.cache.used_bytes(),
            prefix_index_bytes: self.tables.prefix_index_bytes(),
            prefix_skips: counters.prefix_skips.get(),
            sorted_runs: view.memtables.len() as u64,
            compaction_debt_bytes: compaction::debt_bytes(&view.version, &self.options),
            ..Stats::default()
        };
        for level in 0..view.version.level_count() {
            let runs = view.version.runs(level).len() as u64;
            let mut size = LevelStats { runs, ..LevelStats::default() };
            for meta in view.version.level(level) {
                size.tables += 1;
                size.bytes += meta.bytes;
                size.entries += meta.entries;
                let ranges = meta.ranges.as_ref().map_or(0, |ranges| ranges.count);
                stats.table_range_tombstones += ranges;
            }
            stats.table_bytes += size.bytes;
            stats.table_entries += size.entries;
            stats.sorted_runs += size.runs;
            stats.levels.push(size);
        }
        stats.live_bytes_estimate = self.live_bytes_estimate(&view);
        let written = stats.wal_bytes + stats.flush_bytes + stats.compaction_write_bytes;
        stats.write_amplification = ratio(written, stats.user_bytes);
        stats.read_amplification = ratio(stats.tables_searched, stats.gets);
        stats.space_amplification_estimate =
            ratio(stats.table_bytes, stats.live_bytes_estimate).filter(|_| stats.table_bytes > 0);
        stats
    }

    /// See [`Stats::live_bytes_estimate`]. A table whose properties cannot be read counts as empty. Cost: a
    /// search tree of the tables, the properties of those not read before, some entries of each memtable.
    fn live_bytes_estimate(&self, view: &ReadView) -> u64 {
        let memtables: Vec<_> = view.memtables.iter().rev().filter_map(Memtable::held).collect();
        let share = Share {
            hidden: self.counters.merged_hidden.get(),
            newer: self.counters.merged_newer.get(),
        };
        let mut estimate = Estimate::new(share);
        let levels = (0..view.version.level_count()).rev();
        for run in levels.flat_map(|level| view.version.runs(level).iter().rev()) {
            for meta in run.tables() {
                let held = self.tables.held(meta).unwrap_or_default();
                if meta.entries > 0 {
                    estimate.add(user_key(&meta.smallest), user_key(&meta.largest), held);
                }
            }
        }
        for (smallest, largest, held) in &memtables {
            estimate.add(smallest, largest, *held);
        }
        estimate.bytes()
    }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio for people needs no more than 53 bits")]
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
