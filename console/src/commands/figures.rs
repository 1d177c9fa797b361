//! `stats`.

use crate::commands::Command;
use crate::language::{Args, Statement, Verb, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::{HashResult, MetricsResult, results};
use crate::session::{Session, Task, once};
use crate::text;
use levelscope::{Db, Stats};

pub(super) const VERBS: &[Command] = &[Verb {
    name: "stats",
    group: "look inside",
    usage: "stats | stats --hash | stats --metrics",
    purpose: "Shows write, read and space amplification with their terms, and counts of all work. Live \
              data is estimated: the newest values of each memtable and table (every value of a \
              table without a filter, whose distinct keys are unknown), less one older entry for each tombstone above older data, and less as many overwritten ones as compactions \
              have found since the database was opened.",
    example: "stats",
    flags: &[
        switch("--hash", "only a hash of the view and all bytes"),
        switch("--metrics", "the figures as OpenMetrics text, for monitoring systems"),
    ],
    ..Verb::LOOK
}
.starts(stats)
.synonyms(&["info"])];

results! {
    /// `stats`: the figures, and the same in words.
    StatsResult {
        /// The figures.
        #[serde(flatten)]
        #[cfg_attr(feature = "typescript", ts(flatten))]
        stats: Stats,
        /// Puts, deletes and deletes of ranges.
        writes: u64,
        /// The three amplifications.
        amplification: Vec<Amplification>,
        /// All other figures, in words.
        rows: Vec<StatsRow>,
    }
    /// One amplification.
    Amplification {
        /// Of what: write, read or space.
        name: &'static str,
        /// The ratio; `null` while its denominator is 0.
        ratio: Option<f64>,
        /// How it is computed.
        formula: &'static str,
        /// The formula with its numbers.
        terms: String,
    }
    /// Some figures that belong together.
    StatsRow {
        /// Their subject.
        name: &'static str,
        /// The figures, with their nouns.
        text: String,
    }
}

fn stats(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    if args.has("--hash") {
        return Ok(once(|session| {
            let hash = format!("{:016x}", session.state_hash()?);
            session.print(OutputLine::text("state ").number(hash.clone()));
            Ok(Answer::other(HashResult { hash }))
        }));
    }
    if args.has("--metrics") {
        return Ok(once(|session| {
            let text = session.db()?.stats().open_metrics();
            text.lines().for_each(|line| session.print(OutputLine::text(line)));
            Ok(Answer::other(MetricsResult { open_metrics: text }))
        }));
    }
    Ok(once(|session| {
        let stats = stats_of(&session.db()?);
        print(session, &stats);
        Ok(Answer::stats(stats))
    }))
}

/// The figures of `db`, and the same in words.
pub(super) fn stats_of(db: &Db) -> StatsResult {
    let stats = db.stats();
    let (amplification, rows) = (amplification(&stats), rows(&stats));
    let writes = stats.puts + stats.deletes + stats.range_deletes;
    StatsResult { stats, writes, amplification, rows }
}

/// Prints all of them.
pub(super) fn print(session: &mut Session, stats: &StatsResult) {
    for Amplification { name, ratio, formula, terms } in &stats.amplification {
        let line = OutputLine::new().strong(format!("{name} amplification")).pad_to(21);
        let line = line.number(text::ratio(*ratio)).pad_to(28).plain("= ").plain(*formula);
        session.print(line);
        session.print(OutputLine::text(" ".repeat(28)).dim(format!("= {terms}")));
    }
    let row = |row: &StatsRow| OutputLine::new().dim(row.name).pad_to(21).plain(&row.text);
    session.lines.extend(stats.rows.iter().map(row));
}

fn amplification(stats: &Stats) -> Vec<Amplification> {
    let size = text::size;
    let written = [stats.wal_bytes, stats.flush_bytes, stats.compaction_write_bytes].map(size);
    vec![
        Amplification {
            name: "write",
            ratio: stats.write_amplification,
            formula: "(log + flushes + compactions) / keys and values written",
            terms: format!("({}) / {}", written.join(" + "), size(stats.user_bytes)),
        },
        Amplification {
            name: "read",
            ratio: stats.read_amplification,
            formula: "tables searched / lookups",
            terms: format!("{} / {}", text::count(stats.tables_searched), text::count(stats.gets)),
        },
        Amplification {
            name: "space",
            ratio: stats.space_amplification_estimate,
            formula: "all tables / live data (an estimate; `lab compare` measures it)",
            terms: format!(
                "{} / about {}",
                size(stats.table_bytes),
                size(stats.live_bytes_estimate)
            ),
        },
    ]
}

fn rows(stats: &Stats) -> Vec<StatsRow> {
    let mut rows = writes_and_jobs(stats);
    rows.extend(state(stats));
    rows
}

fn row(name: &'static str, text: String) -> StatsRow {
    StatsRow { name, text }
}

/// Work since the opening.
fn writes_and_jobs(stats: &Stats) -> Vec<StatsRow> {
    let (count, size) = (text::count, text::size);
    let puts = text::counted(stats.puts, "put");
    let deletes = text::counted(stats.deletes, "delete");
    let (syncs, moves) = (
        text::counted(stats.wal_syncs, "sync"),
        text::counted(stats.trivial_moves, "trivial move"),
    );
    let (read, written) = (size(stats.compaction_read_bytes), size(stats.compaction_write_bytes));
    let shadowed = text::counted(stats.entries_shadowed, "shadowed entry");
    let tombstones = text::counted(stats.tombstones_dropped, "tombstone");
    // Only where there were any: most databases never delete a range.
    let (mut by_range, mut ranges_dropped) = (String::new(), String::new());
    if stats.range_deletes > 0 {
        by_range = format!(", {}", text::counted(stats.range_deletes, "range delete"));
    }
    if stats.entries_range_deleted + stats.range_tombstones_dropped > 0 {
        ranges_dropped = format!(
            ", {} deleted by range, {}",
            text::counted(stats.entries_range_deleted, "entry"),
            text::counted(stats.range_tombstones_dropped, "range tombstone")
        );
    }
    let waits = text::counted(stats.slowdown_waits, "wait");
    let keys_and_values = size(stats.user_bytes);
    vec![
        row("writes", format!("{puts}, {deletes}{by_range}, {keys_and_values} of keys and values")),
        row("log", format!("{} appended, {syncs}", size(stats.wal_bytes))),
        row("lookups", format!("{}, {} found", count(stats.gets), count(stats.gets_found))),
        row("flushes", format!("{}, {} written", count(stats.flushes), size(stats.flush_bytes))),
        row(
            "compactions",
            format!("{} and {moves}, {read} read, {written} written", count(stats.compactions)),
        ),
        row("dropped", format!("{shadowed}, {tombstones}{ranges_dropped}")),
        row(
            "transactions",
            format!(
                "{} begun, {} committed, {} lost to conflicts, {} rolled back",
                count(stats.transactions_begun),
                count(stats.transactions_committed),
                count(stats.conflicts),
                count(stats.transactions_rolled_back)
            ),
        ),
        row("stalls", count(stats.stalls)),
        row("slowdowns", format!("{}, {waits}", count(stats.slowdowns))),
    ]
}

/// The present state.
fn state(stats: &Stats) -> Vec<StatsRow> {
    let size = text::size;
    let misses = match stats.cache_misses {
        1 => "1 miss".into(),
        misses => format!("{} misses", text::count(misses)),
    };
    let mut rows = vec![
        row("compaction debt", format!("about {}", size(stats.compaction_debt_bytes))),
        row(
            "block cache",
            format!(
                "{} ({} not read and decompressed again), {misses}, {} held",
                text::counted(stats.cache_hits, "hit"),
                size(stats.cache_hit_bytes),
                size(stats.cache_bytes)
            ),
        ),
    ];
    if stats.prefix_index_bytes > 0 || stats.prefix_skips > 0 {
        let held = size(stats.prefix_index_bytes);
        let skipped = text::counted(stats.prefix_skips, "table");
        let text = format!("{held} of prefix indexes held, {skipped} skipped by scans");
        rows.push(row("prefixes", text));
    }
    let entries = text::counted(stats.table_entries, "entry");
    let runs = text::counted(stats.sorted_runs, "sorted run");
    let tables = size(stats.table_bytes);
    rows.push(row("tables", format!("{tables}, {entries}, {runs} to ask in the worst case")));
    rows
}
