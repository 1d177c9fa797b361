//! `explain --detail`: every filter bit, comparison and entry of a lookup.

use crate::output::OutputLine;
use crate::session::Session;
use crate::text;
use levelscope::{Among, BlockStop, EntryOrder, EntryStop, FilterAnswer, ReadStop, Search};

/// Where details begin.
const MARGIN: usize = 14;
/// Columns of the bar that shows what a search can still find.
const BAR: usize = 24;
/// Entries of a block that are printed.
const ENTRIES_MAX: usize = 40;

pub(super) fn print(session: &mut Session, stop: &ReadStop) {
    match stop {
        ReadStop::Filtered { filter, .. } => print_filter(session, filter),
        ReadStop::Table { filter, searches, blocks, .. } => {
            if let Some(filter) = filter {
                print_filter(session, filter);
            }
            for search in searches {
                print_search(session, search);
            }
            for block in blocks {
                print_block(session, block);
            }
        }
        ReadStop::Memtable { .. }
        | ReadStop::OutOfRange { .. }
        | ReadStop::NoPrefix { .. }
        | ReadStop::RangeDelete { .. } => {}
    }
}

fn indented() -> OutputLine {
    OutputLine::new().pad_to(MARGIN)
}

fn print_filter(session: &mut Session, filter: &FilterAnswer) {
    let asked = text::count(filter.asked.len() as u64);
    let probes = text::counted(u64::from(filter.probes), "probe");
    let line = indented().plain("filter of ").number(text::counted(filter.bits, "bit"));
    session.print(line.plain(": ").number(asked).plain(" of ").number(probes).plain(" made"));
    for bit in &filter.asked {
        let mut line = indented().plain("  bit ").number(text::count(bit.bit)).pad_to(MARGIN + 14);
        for place in 0..8 {
            let digit = if bit.byte >> place & 1 == 1 { "1" } else { "0" };
            line = if place == bit.bit % 8 {
                line.strong(format!("[{digit}]"))
            } else {
                line.dim(format!(" {digit} "))
            };
        }
        session.print(line.plain(if bit.set { "  set" } else { "  not set: no" }));
    }
}

fn places(among: Among) -> (&'static str, &'static str) {
    match among {
        Among::Tables => ("tables of the run", "table"),
        Among::Blocks => ("index", "block"),
        Among::Restarts => ("restart points", "restart point"),
        Among::Entries => ("entries", "entry"),
    }
}

/// Places count from 1, as in paths; `low` to `high`, both included, are those still possible.
fn print_search(session: &mut Session, search: &Search) {
    let (title, noun) = places(search.among);
    let count = search.count as u64;
    let turns = text::counted(search.turns.len() as u64, "comparison");
    let line = indented().plain(title).plain(": ").number(text::counted(count, noun));
    session.print(line.plain(", ").number(turns));
    for turn in &search.turns {
        let mut bar = [b'.'; BAR];
        let column = |place: usize| place * BAR / search.count.max(1);
        if let Some(open) = bar.get_mut(column(turn.low)..column(turn.high)) {
            open.fill(b'=');
        }
        if let Some(middle) = bar.get_mut(column(turn.middle)) {
            *middle = b'#';
        }
        let line = indented().plain("  ").dim(String::from_utf8_lossy(&bar));
        let line = line.plain("  low ").number(text::count(turn.low as u64 + 1));
        let line = line.plain(", middle ").number(text::count(turn.middle as u64 + 1));
        let line = line.plain(", high ").number(text::count(turn.high as u64)).plain(": ");
        let line = line.key(&turn.key.head);
        let line = line.plain(if turn.before { " is before" } else { " is not before" });
        session.print(if turn.again { line.dim(", asked again") } else { line });
    }
    let found = search.found as u64;
    session.print(if found < count {
        indented().plain("  found ").plain(noun).plain(" ").number(text::count(found + 1))
    } else {
        indented().plain("  all of them are before")
    });
}

fn print_block(session: &mut Session, block: &BlockStop) {
    let line = indented().plain("in the block at ").number(text::count(block.offset));
    session.print(line);
    if let Some(search) = &block.restarts {
        print_search(session, search);
    }
    session.lines.extend(block.entries.iter().take(ENTRIES_MAX).map(entry_line));
    if let Some(more) = block.entries.len().checked_sub(ENTRIES_MAX + 1) {
        let more = text::counted(more as u64 + 1, "more entry");
        session.print(indented().dim(format!("  and {more}")));
    }
}

fn entry_line(entry: &EntryStop) -> OutputLine {
    let line = indented().plain("  entry at ").number(text::count(entry.offset as u64));
    let line = line.pad_to(MARGIN + 18).key(&entry.key.head);
    let line = line.plain(" shares ").number(text::counted(entry.shared as u64, "byte"));
    let line = line.plain(", sequence number ").number(text::count(entry.sequence));
    match entry.order {
        EntryOrder::Before => line.plain(": before"),
        EntryOrder::Found => line.strong(": found"),
        EntryOrder::After => line.plain(": after it, so the key is not here"),
    }
}
