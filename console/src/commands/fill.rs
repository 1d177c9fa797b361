//! `fill`: many writes at once, the same for the same seed.

use super::data::sync_flag;
use crate::commands::Command;
use crate::language::{Args, Statement, Verb, flag, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::FillResult;
use crate::session::{Session, Stop, Task, Turn};
use crate::text;
use levelscope::WriteBatch;
use levelscope_labs::generate::{Order, Pairs, Random, Shuffle};
use levelscope_labs::words::{Shares, Words, Write};

/// Values larger than this belong into tests of the limits \[bytes\].
const VALUE_BYTES_MAX: u64 = 16 << 20;

/// From so many tables on, a fill takes long: each flush and each picture handles all of them.
const SLOW_TABLES: u64 = 1000;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "fill",
    group: "read and write",
    usage: "fill COUNT [--words [--overwrites PERCENT] [--deletes PERCENT]] [--seed N] \
        [--order seq|random] [--start N] [--value-size BYTES] [--sync on|off]",
    purpose: "Writes many generated keys and values, each as one write, and syncs the log at the end.",
    example: "fill 60 --words --overwrites 30",
    flags: &[
        switch("--words", "well-known words as keys, colours as values, and some deletes"),
        flag("--overwrites", "percent", "writes of words that overwrite an earlier one (20)"),
        flag("--deletes", "percent", "writes of words that delete an earlier one (10)"),
        flag("--seed", "n", "another seed gives other pairs (0)"),
        flag("--order", "seq|random", "order of the 16-digit decimal keys (seq)"),
        flag("--start", "n", "the first decimal key (0)"),
        flag("--value-size", "bytes", "length of the values (20)"),
        flag("--sync", "on|off", "make each write durable, not only the last (off)"),
    ],
    ..Verb::CHANGE
}
.starts(fill)
.synonyms(&["seed"])];

fn fill(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "the number of writes")?;
    let count = args.number_at(0, "the number of writes")?.unwrap_or(0);
    let seed = args.number("--seed")?.unwrap_or(0);
    let source = if args.has("--words") {
        refuse(args, &["--order", "--start", "--value-size"], "decimal keys and does not go with")?;
        Source::Words(Words::new(count, seed, shares(args)?))
    } else {
        refuse(args, &["--overwrites", "--deletes"], "words and needs")?;
        Source::Pairs(decimal(args, count, seed)?)
    };
    let sync = Some(sync_flag(args)?.unwrap_or(false));
    let done = FillResult { entries: 0, overwrites: 0, deletes: 0, bytes: 0, seed };
    Ok(Box::new(Fill { source, count, done, waiting: None, sync }))
}

/// Refuses `flags`, which are for something else than what was asked.
fn refuse(args: &Args, flags: &[&str], for_what: &str) -> Result<(), Failure> {
    match flags.iter().find(|flag| args.has(flag)) {
        Some(flag) => Err(args.verb.misused(format!("{flag} is for {for_what} --words"))),
        None => Ok(()),
    }
}

fn shares(args: &Args) -> Result<Shares, Failure> {
    let overwrites = args.number("--overwrites")?.unwrap_or_else(|| Shares::DEFAULT.overwrites());
    let deletes = args.number("--deletes")?.unwrap_or_else(|| Shares::DEFAULT.deletes());
    Shares::new(overwrites, deletes).ok_or_else(|| {
        args.verb.misused(format!(
            "with {overwrites} % overwrites and {deletes} % deletes there are fewer new keys than keys to delete"
        ))
    })
}

fn decimal(args: &Args, count: u64, seed: u64) -> Result<Pairs, Failure> {
    let (start, value_size) = (args.number("--start")?, args.number("--value-size")?);
    let order = order(args, count, seed, b"seq")?;
    let size = value_size.unwrap_or(20);
    if size > VALUE_BYTES_MAX {
        let message = format!(
            "--value-size is {}, but a value has at most {}",
            text::bytes(size),
            text::count(VALUE_BYTES_MAX)
        );
        return Err(args.verb.misused(message));
    }
    let value_bytes = usize::try_from(size).unwrap_or(0);
    Ok(Pairs::Keys { start: start.unwrap_or(0), order, value_bytes, random: Random::new(seed) })
}

/// The order of `count` decimal keys that `--order` names, `usual` without it.
pub(super) fn order(args: &Args, count: u64, seed: u64, usual: &[u8]) -> Result<Order, Failure> {
    match args.value("--order").map_or(usual, |word| word.bytes.as_slice()) {
        b"seq" => Ok(Order::Sequential),
        b"random" => Ok(Order::Random(Shuffle::new(count, seed))),
        _ => Err(args.verb.misused("--order takes seq or random")),
    }
}

/// Where the writes come from.
enum Source {
    Pairs(Pairs),
    Words(Words),
}

impl Source {
    fn write(&mut self, position: u64) -> Write {
        match self {
            Self::Pairs(pairs) => {
                let (key, value) = pairs.pair(position);
                Write::New(key, value)
            }
            Self::Words(words) => words.write(),
        }
    }

    /// `3 pairs`.
    fn counted(&self, count: u64) -> String {
        text::counted(count, if matches!(self, Self::Pairs(_)) { "pair" } else { "write" })
    }
}

/// A write that is under way, and what it adds to the result.
struct Waiting {
    batch: WriteBatch,
    overwrites: u64,
    deletes: u64,
    bytes: u64,
}

impl Waiting {
    fn new(write: &Write) -> levelscope::Result<Self> {
        let mut batch = WriteBatch::new();
        let (overwrites, deletes, bytes) = match write {
            Write::New(key, value) | Write::Overwrite(key, value) => {
                batch.put(key, value)?;
                (u64::from(matches!(write, Write::Overwrite(..))), 0, key.len() + value.len())
            }
            Write::Delete(key) => {
                batch.delete(key)?;
                (0, 1, key.len())
            }
        };
        Ok(Self { batch, overwrites, deletes, bytes: bytes as u64 })
    }
}

/// Does the writes, one each unit.
struct Fill {
    source: Source,
    count: u64,
    done: FillResult,
    /// The write that is under way: kept, because it may have to be tried again.
    waiting: Option<Waiting>,
    sync: Option<bool>,
}

impl Fill {
    /// Warns that small tables make a long fill slow; `bytes`: of the first write.
    fn warn(&self, session: &mut Session, bytes: u64) {
        let tables = self.count.saturating_mul(bytes) / session.options.table_bytes.max(1);
        if tables >= SLOW_TABLES {
            session.print(OutputLine::note(format!(
                "table_bytes is {}, so this fill makes more than {} tables and slows down with each; \
                 `options preset default` makes large ones",
                text::count(session.options.table_bytes),
                text::count(tables)
            )));
        }
    }

    fn line(&self) -> OutputLine {
        let FillResult { entries, overwrites, deletes, bytes, .. } = self.done;
        let line = OutputLine::new().with(crate::output::Style::Good, "ok");
        let line = line.plain("  ").number(self.source.counted(entries));
        let line = match self.source {
            Source::Pairs(_) => line.plain(" written, "),
            Source::Words(_) => line
                .plain(", among them ")
                .number(text::counted(overwrites, "overwrite"))
                .plain(" and ")
                .number(text::counted(deletes, "delete"))
                .plain("; "),
        };
        line.number(text::size(bytes)).plain(" of keys and values")
    }
}

impl Task for Fill {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let db = session.db()?;
        if self.done.entries == self.count {
            db.sync()?;
            session.print(self.line());
            return Ok(Turn::Done(Answer::other(self.done.clone())));
        }
        if self.waiting.is_none() {
            let waiting = Waiting::new(&self.source.write(self.done.entries))?;
            if self.done.entries == 0 {
                self.warn(session, waiting.bytes);
            }
            self.waiting = Some(waiting);
        }
        if let Some(waiting) = &self.waiting {
            db.write(&waiting.batch, self.sync)?;
            self.done.entries += 1;
            self.done.overwrites += waiting.overwrites;
            self.done.deletes += waiting.deletes;
            self.done.bytes = self.done.bytes.saturating_add(waiting.bytes);
            self.waiting = None;
        }
        Ok(Turn::More)
    }

    fn position(&self) -> (u64, Option<u64>) {
        (self.done.entries, Some(self.count))
    }

    fn stopped(&mut self) -> Option<(String, Answer)> {
        let (done, count) = (text::count(self.done.entries), self.source.counted(self.count));
        let past = if matches!(self.source, Source::Pairs(_)) { "written" } else { "done" };
        Some((format!("{done} of {count} were {past}"), Answer::other(self.done.clone())))
    }
}
