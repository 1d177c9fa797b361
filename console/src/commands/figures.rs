//! `stats`.

use crate::commands::Command;
use crate::language::lexer::Statement;
use crate::language::{Args, Effect, Typing, Verb, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::session::{Session, Task, once};
use crate::text;
use levelscope::Stats;

pub(super) const VERBS: &[Command] = &[Command {
    verb: Verb {
        name: "stats",
        group: "look inside",
        usage: "stats [--hash]",
        purpose: "Shows write, read and space amplification with their terms, and counts of all work. Live \
                  data is estimated: the newest values of each memtable and table (every value of a \
                  table without a filter, which does not tell its keys apart), less one older entry for each tombstone above older data, and less as many overwritten ones as compactions \
                  have found since the database was opened.",
        example: "stats",
        flags: &[switch(
            "--hash",
            "only a number that tells states apart: of the view and all bytes",
        )],
        effect: |_| Effect::Look,
    },
    typing: Typing { synonyms: &["info"], ..Typing::NONE },
    start: stats,
}];

fn stats(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    if args.has("--hash") {
        return Ok(once(|session| {
            let hash = format!("{:016x}", session.state_hash()?);
            session.say(OutputLine::text("state ").number(hash.clone()));
            Ok(serde_json::json!({ "hash": hash }).into())
        }));
    }
    Ok(once(|session| {
        let stats = session.db()?.stats();
        tell(session, &stats);
        Ok(Answer::stats(stats))
    }))
}

/// Prints all of `stats`.
pub(super) fn tell(session: &mut Session, stats: &Stats) {
    tell_amplification(session, stats);
    tell_work(session, stats);
}

fn ratio(session: &mut Session, name: &str, ratio: Option<f64>, formula: &str, terms: &str) {
    let line = OutputLine::new().strong(name).pad_to(21).number(text::ratio(ratio));
    session.say(line.pad_to(28).plain("= ").plain(formula));
    session.say(OutputLine::text(" ".repeat(28)).dim(format!("= {terms}")));
}

fn tell_amplification(session: &mut Session, stats: &Stats) {
    let size = |bytes| text::size(bytes);
    let terms = format!(
        "({} + {} + {}) / {}",
        size(stats.wal_bytes),
        size(stats.flush_bytes),
        size(stats.compaction_write_bytes),
        size(stats.user_bytes)
    );
    let formula = "(log + flushes + compactions) / keys and values written";
    ratio(session, "write amplification", stats.write_amplification, formula, &terms);
    let terms = format!("{} / {}", text::count(stats.tables_searched), text::count(stats.gets));
    let formula = "tables searched / lookups";
    ratio(session, "read amplification", stats.read_amplification, formula, &terms);
    let live = size(stats.live_bytes_estimate);
    let terms = format!("{} / about {live}", size(stats.table_bytes));
    let formula = "all tables / live data (an estimate; `lab compare` measures it)";
    ratio(session, "space amplification", stats.space_amplification_estimate, formula, &terms);
}

fn tell_work(session: &mut Session, stats: &Stats) {
    let mut row = |name: &str, terms: String| {
        session.say(OutputLine::new().dim(name).pad_to(21).plain(terms));
    };
    let count = text::count;
    row(
        "writes",
        format!(
            "{}, {}, {} of keys and values",
            text::counted(stats.puts, "put"),
            text::counted(stats.deletes, "delete"),
            text::size(stats.user_bytes)
        ),
    );
    row(
        "log",
        format!(
            "{} appended, {}",
            text::size(stats.wal_bytes),
            text::counted(stats.wal_syncs, "sync")
        ),
    );
    row("lookups", format!("{}, {} found", count(stats.gets), count(stats.gets_found)));
    row("flushes", format!("{}, {} written", count(stats.flushes), text::size(stats.flush_bytes)));
    row(
        "compactions",
        format!(
            "{} and {}, {} read, {} written",
            count(stats.compactions),
            text::counted(stats.trivial_moves, "trivial move"),
            text::size(stats.compaction_read_bytes),
            text::size(stats.compaction_write_bytes)
        ),
    );
    row(
        "dropped",
        format!(
            "{}, {}",
            text::counted(stats.entries_shadowed, "shadowed entry"),
            text::counted(stats.tombstones_dropped, "tombstone")
        ),
    );
    row(
        "transactions",
        format!(
            "{} begun, {} committed, {} lost to conflicts, {} rolled back",
            count(stats.transactions_begun),
            count(stats.transactions_committed),
            count(stats.conflicts),
            count(stats.transactions_rolled_back)
        ),
    );
    row("stalls", count(stats.stalls));
    row(
        "slowdowns",
        format!("{}, {}", count(stats.slowdowns), text::counted(stats.slowdown_waits, "wait")),
    );
    row("compaction debt", format!("about {}", text::size(stats.compaction_debt_bytes)));
    row(
        "block cache",
        format!(
            "{} ({} not read and decompressed again), {}, {} held",
            text::counted(stats.cache_hits, "hit"),
            text::size(stats.cache_hit_bytes),
            if stats.cache_misses == 1 {
                "1 miss".into()
            } else {
                format!("{} misses", count(stats.cache_misses))
            },
            text::size(stats.cache_bytes)
        ),
    );
    if stats.prefix_index_bytes > 0 || stats.prefix_skips > 0 {
        let held = text::size(stats.prefix_index_bytes);
        let skipped = text::counted(stats.prefix_skips, "table");
        row("prefixes", format!("{held} of prefix indexes held, {skipped} passed over by scans"));
    }
    row(
        "tables",
        format!(
            "{}, {}, {} to ask in the worst case",
            text::size(stats.table_bytes),
            text::counted(stats.table_entries, "entry"),
            text::counted(stats.sorted_runs, "sorted run")
        ),
    );
}
