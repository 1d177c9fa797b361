//! `contents`: the entries of tables, in the order of their keys.

use crate::commands::Command;
use crate::language::{Args, Statement, Verb, flag};
use crate::output::{Answer, Failure, OutputLine};
use crate::session::{Session, Stop, Task, once};
use crate::text;
use levelscope::ValueKind;
use levelscope::view::TableContents;
use std::collections::BTreeSet;

/// Entries of each table that are shown without `--limit`, and at most.
const LIMIT: u64 = 20;
const LIMIT_MAX: u64 = 10_000;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "contents",
    group: "look inside",
    usage: "contents [TABLE...] [--limit N]",
    purpose: "Lists the entries of tables in the order of their keys.",
    example: "contents",
    flags: &[flag("--limit", "n", "most entries of each table (20)")],
    ..Verb::LOOK
}
.starts(contents)];

fn contents(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    let limit = args.number("--limit")?.unwrap_or(LIMIT);
    let named = (0..args.words.len()).filter_map(|place| args.table_at(place).transpose());
    let named: Vec<u64> = named.collect::<Result<_, _>>()?;
    Ok(once(move |session| {
        let (found, missing) = of(session, &named, limit)?;
        if found.is_empty() {
            session.print(OutputLine::note("There are no tables: `flush` writes one."));
        }
        for table in missing {
            session.print(OutputLine::note(format!("There is no table {table}.")));
        }
        for contents in &found {
            print(session, contents);
        }
        Ok(Answer::contents(found))
    }))
}

/// The entries of the `named` tables, each once, or of all without a name; and the tables that are not there.
pub(super) fn of(
    session: &Session,
    named: &[u64],
    limit: u64,
) -> Result<(Vec<TableContents>, Vec<u64>), Stop> {
    let db = session.db()?;
    let all = if named.is_empty() { tables(session)? } else { Vec::new() };
    let limit = usize::try_from(limit.min(LIMIT_MAX)).unwrap_or(usize::MAX);
    let (mut seen, mut found, mut missing) = (BTreeSet::new(), Vec::new(), Vec::new());
    for table in named.iter().chain(&all).filter(|table| seen.insert(**table)) {
        match db.table_contents(*table, limit)? {
            Some(contents) => found.push(contents),
            None => missing.push(*table),
        }
    }
    match missing.first().filter(|_| found.is_empty()) {
        Some(table) => Err(no_table(*table).into()),
        None => Ok((found, missing)),
    }
}

/// The failure of an unknown `table`.
pub(super) fn no_table(table: u64) -> Failure {
    Failure::usage(format!("there is no table {table}")).hint("`levels` shows all tables")
}

/// The tables of all levels, as a read searches them.
pub(super) fn tables(session: &Session) -> Result<Vec<u64>, Stop> {
    let view = session.db()?.view();
    let tables = view.levels.iter().flat_map(|level| &level.tables);
    Ok(tables.map(|table| table.table).collect())
}

fn print(session: &mut Session, contents: &TableContents) {
    let (table, shown) = (contents.table, contents.entries.len() as u64);
    let line = OutputLine::new().link(format!("table:{table}"), format!("table {table}"));
    let line = line.plain(": ").number(text::counted(shown, "entry"));
    session.print(line.plain(if contents.more { ", and more: --limit N" } else { "" }));
    for entry in &contents.entries {
        let line = OutputLine::new().pad_to(2).key(&entry.key.head);
        let line = if entry.entry == ValueKind::Delete { line.plain(" tombstone") } else { line };
        session.print(line.dim(format!(
            "  sequence {}, block {}",
            text::count(entry.sequence),
            entry.block
        )));
    }
}
