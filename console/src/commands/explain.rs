//! `explain get`: the path of one lookup, stop by stop.

mod details;

use crate::commands::Command;
use crate::language::{Args, At, Statement, Verb, What, flag, offer, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::results;
use crate::session::{Session, Task, once};
use crate::text;
use levelscope::storage::FileName;
use levelscope::{
    BlockStop, Hit, Outcome, PrefixIndexForm, ReadPath, ReadStop, TableVerdict, ValueKind,
};

pub(super) const VERBS: &[Command] = &[Verb {
    name: "explain",
    group: "look inside",
    usage: "explain [get] KEY [--snapshot N] [--detail] | explain prefix PREFIX [--detail]",
    purpose: "Shows the path of a read: what it searched, skipped and read, and the entry that decided.",
    example: "explain get apple",
    flags: &[
        flag("--snapshot", "n", "read as of this snapshot"),
        switch("--detail", "also every filter bit, comparison and entry of the search"),
    ],
    ..Verb::READ
}
.starts(explain)
.offers(&[offer(At::Words(&[]), What::Words(&["get"])), offer(At::Words(&["*"]), What::Keys)])];

/// The subject of `explain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Lookup {
    /// The lookup of one key.
    #[default]
    Get,
    /// Where a scan of all keys with one beginning looks.
    Prefix,
}

results! {
    /// `explain get`, `explain prefix`.
    #[derive(Default)]
    ExplainResult {
        /// The subject.
        lookup: Lookup,
        /// The step of the state that it describes.
        step: u64,
        /// The key, or the beginning of keys.
        key: String,
        /// Whether it has a value; of a prefix: whether a table has such a key.
        found: bool,
        /// How the lookup ended, in words.
        outcome: String,
        /// The value, or its beginning.
        value: Option<String>,
        /// Where the lookup went, in order.
        stops: Vec<ReadStop>,
        /// The entry that decided.
        winner: Option<Hit>,
        /// Key comparisons in all.
        comparisons: u64,
        /// Blocks read from files.
        blocks_read: u64,
        /// Blocks found in the cache.
        blocks_cached: u64,
        /// Tables skipped by key range.
        skipped_by_range: u64,
        /// Tables skipped by their filter.
        skipped_by_filter: u64,
        /// Tables skipped by their prefix index.
        skipped_by_prefix: u64,
    }
}

fn explain(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 2, "a key, or prefix and the beginning of keys")?;
    let (lookup, key) = match args.words.len() {
        1 => (Some("get"), args.bytes(0)),
        _ => (args.text(0), args.bytes(1)),
    };
    let snapshot = args.number("--snapshot")?;
    let detail = args.has("--detail");
    match lookup {
        Some("get") => Ok(once(move |session| {
            let db = session.db()?;
            let snapshot = snapshot.map(|number| session.snapshot(number)).transpose()?;
            let (value, path) = db.explain_get(&key, snapshot)?;
            print_stops(session, &path, detail);
            let outcome = Outcome::of(path.winner());
            let mut result = sum_up(&key, value.as_deref(), path, outcome.to_string());
            result.step = session.answers_of();
            conclude(session, &key, value.as_deref(), &result);
            print_costs(session, &result);
            Ok(Answer::explain(result))
        })),
        Some("prefix") => Ok(once(move |session| {
            let path = session.db()?.explain_prefix(&key)?;
            print_stops(session, &path, detail);
            let searched =
                path.stops.iter().filter(|stop| matches!(stop, ReadStop::Table { .. })).count();
            let tables = text::counted(searched, "table");
            let merged = format!("a scan merges the memtables and {tables}");
            let mut result = sum_up(&key, None, path, merged.clone());
            result.lookup = Lookup::Prefix;
            result.step = session.answers_of();
            result.found = result.winner.is_some();
            let line = OutputLine::text("keys that begin with ").key(&key).plain(": ");
            session.print(line.plain(merged));
            print_costs(session, &result);
            Ok(Answer::explain(result))
        })),
        _ => Err(args.verb.misused("only get and prefix can be explained")),
    }
}

fn sum_up(key: &[u8], value: Option<&[u8]>, path: ReadPath, outcome: String) -> ExplainResult {
    let mut result = ExplainResult {
        key: text::escape(key),
        found: value.is_some(),
        outcome,
        value: value.map(super::data::shown_value),
        winner: path.winner(),
        ..ExplainResult::default()
    };
    for stop in &path.stops {
        match stop {
            ReadStop::Memtable { comparisons, .. } => {
                result.comparisons += u64::from(*comparisons);
            }
            ReadStop::OutOfRange { tables, .. } => result.skipped_by_range += *tables as u64,
            ReadStop::Filtered { .. } => result.skipped_by_filter += 1,
            ReadStop::NoPrefix { .. } => result.skipped_by_prefix += 1,
            ReadStop::RangeDelete { .. } => {}
            ReadStop::Table { comparisons, blocks, .. } => {
                result.comparisons += u64::from(*comparisons);
                let cached = blocks.iter().filter(|block| block.cached).count() as u64;
                result.blocks_cached += cached;
                result.blocks_read += blocks.len() as u64 - cached;
            }
        }
    }
    result.stops = path.stops;
    result
}

fn print_stops(session: &mut Session, path: &ReadPath, detail: bool) {
    for stop in &path.stops {
        print(session, stop);
        if detail {
            details::print(session, stop);
        }
    }
}

fn print(session: &mut Session, stop: &ReadStop) {
    match stop {
        ReadStop::Memtable { memtable, comparisons, hit } => {
            let line = OutputLine::new().memtable(*memtable);
            let asked = text::counted(u64::from(*comparisons), "comparison");
            let line = line.pad_to(14).plain("searched: ").number(asked);
            session.print(with_hit(line, *hit, TableVerdict::Absent));
        }
        ReadStop::OutOfRange { level, tables } => {
            let line = level_line(*level).plain("skipped: the key is outside the range of ");
            session.print(line.number(text::counted(*tables as u64, "table")));
        }
        ReadStop::Filtered { level, table, .. } => {
            let line = level_line(*level).file(FileName::Table(*table));
            session.print(line.plain(" skipped: its filter excludes the key"));
        }
        ReadStop::RangeDelete { memtable, level, table, range, sequence } => {
            let line = match (memtable, level, table) {
                (Some(memtable), ..) => OutputLine::new().memtable(*memtable).pad_to(14),
                (None, Some(level), Some(table)) => {
                    level_line(*level).file(FileName::Table(*table)).plain(" ")
                }
                _ => OutputLine::new().pad_to(14),
            };
            let line = line.plain("a range delete ").plain(range.to_string());
            let line = line.plain(" with sequence number ").number(text::count(*sequence));
            session.print(line.plain(" hides it"));
        }
        ReadStop::NoPrefix { level, table } => {
            let line = level_line(*level).file(FileName::Table(*table));
            session.print(line.plain(" skipped: its prefix index has no key with this prefix"));
        }
        ReadStop::Table {
            level,
            table,
            filter,
            prefix_index,
            blocks,
            comparisons,
            hit,
            verdict,
            ..
        } => {
            let line = level_line(*level).file(FileName::Table(*table));
            let asked = text::counted(u64::from(*comparisons), "comparison");
            let line =
                line.plain(if filter.is_some() { " filter: maybe; " } else { " no filter; " });
            let line = line.plain(match prefix_index {
                PrefixIndexForm::Exact => "exact prefix index, then searched: ",
                PrefixIndexForm::Compact => "compact prefix index, then searched: ",
                _ => "searched: ",
            });
            session.print(with_hit(line.number(asked), *hit, *verdict));
            session.lines.extend(blocks.iter().map(block_line));
        }
    }
}

fn level_line(level: usize) -> OutputLine {
    OutputLine::new().level(level).pad_to(14)
}

fn block_line(block: &BlockStop) -> OutputLine {
    let how = if block.cached { "found in the cache" } else { "read from the file" };
    let line = OutputLine::text(" ".repeat(14)).plain("block at ");
    let line = line.number(text::count(block.offset)).plain(", ");
    line.number(text::bytes(block.bytes)).plain(", ").plain(how)
}

fn with_hit(line: OutputLine, hit: Option<Hit>, verdict: TableVerdict) -> OutputLine {
    match hit {
        Some(hit) => {
            let what = match hit.entry {
                ValueKind::Put => ", found a value",
                ValueKind::Delete => ", found a tombstone",
                ValueKind::RangeDelete => ", found a range tombstone",
            };
            line.strong(what).plain(" with sequence number ").number(text::count(hit.sequence))
        }
        None => line.plain(match verdict {
            TableVerdict::FalsePositive => ", not there: a false positive of the filter",
            TableVerdict::OnlyNewer => ", has only versions that are newer than the snapshot",
            TableVerdict::Hit | TableVerdict::Absent => ", not there",
        }),
    }
}

fn conclude(session: &mut Session, key: &[u8], value: Option<&[u8]>, result: &ExplainResult) {
    let line = OutputLine::new().key(key);
    session.print(match (value, result.winner) {
        (Some(value), Some(hit)) => {
            let line = line.plain(" = ").value(value, 60).plain(", decided by sequence number ");
            line.number(text::count(hit.sequence))
        }
        (Some(value), None) => line.plain(" = ").value(value, 60),
        (None, _) => line.plain(format!(": {}", result.outcome)),
    });
}

fn print_costs(session: &mut Session, result: &ExplainResult) {
    let by_prefix = match result.skipped_by_prefix {
        0 => String::new(),
        count => format!(", {} by prefix index", text::count(count)),
    };
    session.print(OutputLine::note(format!(
        "{}; {} read, {} from the cache; {} skipped by range, {} by filter{by_prefix}.",
        text::counted(result.comparisons, "comparison"),
        text::counted(result.blocks_read, "block"),
        text::count(result.blocks_cached),
        text::counted(result.skipped_by_range, "table"),
        text::count(result.skipped_by_filter),
    )));
}
