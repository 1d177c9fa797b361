//! `read` and `count`: the twins of `fill` and `scan` that print one line, for measuring.

use crate::commands::Command;
use crate::language::{Args, Statement, Verb, flag};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::{CountResult, ReadResult};
use crate::session::{Session, Stop, Task, Turn};
use crate::text;
use levelscope::{DbIterator, ScanOptions};
use levelscope_labs::generate::{Pairs, Random};
use std::ops::Bound;

/// Entries that one unit of `count` walks over.
const ENTRIES_A_UNIT: u64 = 16;

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "read",
        group: "read and write",
        usage: "read COUNT [--order seq|random] [--seed N] [--start N]",
        purpose: "Gets many generated keys, as fill writes them, and counts those found.",
        example: "fill 100; read 100 --order random",
        flags: &[
            flag("--order", "seq|random", "order of the 16-digit decimal keys (random)"),
            flag("--seed", "n", "another seed gives another order (0)"),
            flag("--start", "n", "the first decimal key (0)"),
        ],
        ..Verb::READ
    }
    .starts(read),
    Verb {
        name: "count",
        group: "read and write",
        usage: "count [FROM] [TO]",
        purpose: "Scans all entries, from FROM up to, but not including, TO, and counts them.",
        example: "count a c",
        ..Verb::READ
    }
    .starts(count),
];

fn read(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "the number of keys")?;
    let count = args.number_at(0, "the number of keys")?.unwrap_or(0);
    let seed = args.number("--seed")?.unwrap_or(0);
    let order = super::fill::order(args, count, seed, b"random")?;
    let start = args.number("--start")?.unwrap_or(0);
    let keys = Pairs::Keys { start, order, value_bytes: 0, random: Random::new(seed) };
    Ok(Box::new(Read { keys, count, done: 0, found: 0, bytes: 0 }))
}

struct Read {
    keys: Pairs,
    count: u64,
    done: u64,
    found: u64,
    bytes: u64,
}

impl Task for Read {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        if self.done == self.count {
            let line = OutputLine::new().number(text::counted(self.found, "key"));
            let line = line.plain(format!(" of {} found, with ", self.count));
            session.print(line.number(text::size(self.bytes)).plain(" of values"));
            let (found, bytes) = (self.found, self.bytes);
            return Ok(Turn::Done(Answer::other(ReadResult { keys: self.count, found, bytes })));
        }
        let (key, _) = self.keys.pair(self.done);
        if let Some(value) = session.db()?.get(&key)? {
            self.found += 1;
            self.bytes = self.bytes.saturating_add(value.len() as u64);
        }
        self.done += 1;
        Ok(Turn::More)
    }

    fn position(&self) -> (u64, Option<u64>) {
        (self.done, Some(self.count))
    }
}

fn count(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 2, "at most two keys")?;
    Ok(Box::new(Count {
        range: super::scan::bounds(args),
        iterator: None,
        place: CountPosition::Start,
        entries: 0,
        bytes: 0,
    }))
}

/// Where the iterator of `count` is.
#[derive(PartialEq)]
enum CountPosition {
    Start,
    /// On an entry that is not counted yet.
    Fresh,
    /// On an entry that is counted.
    Counted,
}

struct Count {
    range: (Bound<Vec<u8>>, Bound<Vec<u8>>),
    iterator: Option<DbIterator>,
    place: CountPosition,
    entries: u64,
    bytes: u64,
}

impl Task for Count {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some(iterator) = &mut self.iterator else {
            let options = ScanOptions::default().range(self.range.clone());
            self.iterator = Some(session.db()?.iter(&options)?);
            return Ok(Turn::More);
        };
        for _ in 0..ENTRIES_A_UNIT {
            match self.place {
                CountPosition::Start => iterator.seek_to_first()?,
                CountPosition::Counted => iterator.next()?,
                CountPosition::Fresh => {}
            }
            self.place = CountPosition::Fresh;
            if !iterator.valid() {
                let line = OutputLine::new().number(text::counted(self.entries, "entry"));
                session.print(line.plain(", ").number(text::size(self.bytes)));
                let (entries, bytes) = (self.entries, self.bytes);
                return Ok(Turn::Done(Answer::other(CountResult { entries, bytes })));
            }
            let entry_bytes = iterator.key().len() + iterator.value().len();
            self.entries += 1;
            self.bytes = self.bytes.saturating_add(entry_bytes as u64);
            self.place = CountPosition::Counted;
        }
        Ok(Turn::More)
    }

    fn position(&self) -> (u64, Option<u64>) {
        (self.entries, None)
    }
}
