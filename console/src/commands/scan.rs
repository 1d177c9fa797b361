//! `scan` and `prefix`.

use super::data::reads_from;
use super::transactions::{IN, TransactionChoice};
use crate::commands::Command;
use crate::language::{Args, At, Statement, Verb, What, flag, offer, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::{EntryResult, ScanResult};
use crate::session::{Session, Stop, Task, Turn};
use crate::text;
use levelscope::{DbIterator, ScanOptions};
use std::ops::Bound;

/// Entries printed when no limit is given.
const LIMIT: u64 = 100;
/// Longest part of a value in a list \[bytes\].
const VALUE_SHOWN_MAX: usize = 60;

const FLAGS: &[crate::language::Flag] = &[
    flag("--limit", "n", "most entries (100)"),
    switch("--reverse", "from the last key to the first"),
    flag("--snapshot", "n", "read as of this snapshot"),
    IN,
];

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "scan",
        group: "read and write",
        usage: "scan [FROM] [TO] [--limit N] [--reverse] [--snapshot N] [--in N|none]",
        purpose: "Lists entries in key order, from FROM up to, but not including, TO.",
        example: "scan a c --limit 10",
        flags: FLAGS,
        ..Verb::READ
    }
    .starts(scan)
    .synonyms(&["list", "range"])
    .offers(&[offer(At::Words(&[]), What::Keys), offer(At::Words(&["*"]), What::Keys)]),
    Verb {
        name: "prefix",
        group: "read and write",
        usage: "prefix PREFIX [--limit N] [--reverse] [--snapshot N] [--in N|none]",
        purpose: "Lists the entries whose keys begin with a prefix.",
        example: "prefix app",
        flags: FLAGS,
        ..Verb::READ
    }
    .starts(prefix)
    .offers(&[offer(At::Words(&[]), What::Keys)]),
];

fn scan(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 2, "at most two keys")?;
    let (lower, upper) = bounds(args);
    start(args, Range { lower, upper, prefix: None })
}

fn prefix(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a prefix")?;
    let prefix = Some(args.bytes(0));
    start(args, Range { lower: Bound::Unbounded, upper: Bound::Unbounded, prefix })
}

/// The range from the first word up to, but not including, the second.
pub(super) fn bounds(args: &Args) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
    let word = |position: usize| args.words.get(position).map(|word| word.bytes.clone());
    let lower = word(0).map_or(Bound::Unbounded, Bound::Included);
    (lower, word(1).map_or(Bound::Unbounded, Bound::Excluded))
}

/// The range to list.
struct Range {
    lower: Bound<Vec<u8>>,
    upper: Bound<Vec<u8>>,
    prefix: Option<Vec<u8>>,
}

fn start(args: &Args, range: Range) -> Result<Box<dyn Task>, Failure> {
    Ok(Box::new(Scan {
        range,
        limit: args.number("--limit")?.unwrap_or(LIMIT),
        reverse: args.has("--reverse"),
        snapshot: args.number("--snapshot")?,
        target: reads_from(args)?,
        iterator: None,
        move_on: false,
        entries: Vec::new(),
    }))
}

struct Scan {
    range: Range,
    limit: u64,
    reverse: bool,
    snapshot: Option<u64>,
    target: TransactionChoice,
    iterator: Option<(DbIterator, bool)>,
    /// Whether the entry under the iterator is printed already.
    move_on: bool,
    entries: Vec<EntryResult>,
}

impl Scan {
    fn open(&self, session: &Session) -> Result<DbIterator, Stop> {
        let snapshot = self.snapshot.map(|number| session.snapshot(number)).transpose()?;
        let Range { lower, upper, prefix } = &self.range;
        let (lower, upper, prefix) = (lower.clone(), upper.clone(), prefix.clone());
        let mut options = ScanOptions::default().range((lower, upper));
        (options.snapshot, options.prefix) = (snapshot, prefix);
        Ok(match self.target.number(session)? {
            Some(number) => session.transaction(number)?.iter(&options)?,
            None => session.db()?.iter(&options)?,
        })
    }

    fn finish(&mut self, session: &mut Session, more: bool) -> Turn {
        let found = text::counted(self.entries.len() as u64, "entry");
        session.print(if more {
            OutputLine::note(format!("{found}, and there are more: --limit N shows more."))
        } else {
            OutputLine::note(format!("{found}."))
        });
        Turn::Done(Answer::other(ScanResult { entries: std::mem::take(&mut self.entries), more }))
    }
}

impl Task for Scan {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some((iterator, placed)) = &mut self.iterator else {
            self.iterator = Some((self.open(session)?, false));
            return Ok(Turn::More);
        };
        if !*placed {
            if self.reverse {
                iterator.seek_to_last()?;
            } else {
                iterator.seek_to_first()?;
            }
            *placed = true;
        } else if self.move_on {
            if self.reverse {
                iterator.prev()?;
            } else {
                iterator.next()?;
            }
            self.move_on = false;
        }
        if !iterator.valid() {
            return Ok(self.finish(session, false));
        }
        if self.entries.len() as u64 >= self.limit {
            return Ok(self.finish(session, true));
        }
        let (key, value) = (iterator.key(), iterator.value());
        session.print(OutputLine::new().key(key).dim(" = ").value(value, VALUE_SHOWN_MAX));
        self.entries.push(EntryResult {
            key: text::escape(key),
            value: super::data::shown_value(value),
            value_bytes: value.len() as u64,
        });
        self.move_on = true;
        Ok(Turn::More)
    }

    fn position(&self) -> (u64, Option<u64>) {
        (self.entries.len() as u64, None)
    }
}
