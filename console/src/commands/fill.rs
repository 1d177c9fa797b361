//! `fill`: many pairs at once, the same for the same seed.

use super::data::sync_flag;
use crate::commands::Command;
use crate::language::lexer::Statement;
use crate::language::{Args, Effect, Typing, Verb, flag, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::FillResult;
use crate::session::{Session, Stop, Task, Turn, structured};
use crate::text;
use levelscope::WriteBatch;
use levelscope_labs::generate::{Order, Pairs, Random, Shuffle};

/// Values larger than this belong into tests of the limits \[bytes\].
const VALUE_BYTES_MAX: u64 = 16 << 20;

pub(super) const VERBS: &[Command] = &[Command {
    verb: Verb {
        name: "fill",
        group: "read and write",
        usage: "fill COUNT [--words] [--seed N] [--order seq|random] [--start N] [--value-size BYTES] \
            [--sync on|off]",
        purpose: "Writes many generated pairs, each as one put, and syncs the log at the end.",
        example: "fill 700 --words --seed 7",
        flags: &[
            switch("--words", "two words of dummy text as key, two as value"),
            flag("--seed", "n", "another seed gives other pairs (0)"),
            flag("--order", "seq|random", "order of the 16-digit decimal keys (seq)"),
            flag("--start", "n", "the first decimal key (0)"),
            flag("--value-size", "bytes", "length of the values (20)"),
            flag("--sync", "on|off", "make each put durable, not only the last (off)"),
        ],
        effect: |_| Effect::Change,
    },
    typing: Typing { synonyms: &["seed"], ..Typing::NONE },
    start: fill,
}];

fn fill(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "the number of pairs")?;
    let count = args.number_at(0, "the number of pairs")?.unwrap_or(0);
    let seed = args.number("--seed")?.unwrap_or(0);
    let (start, value_size) = (args.number("--start")?, args.number("--value-size")?);
    let random = Random::new(seed);
    let pairs = if args.has("--words") {
        for flag in ["--order", "--start", "--value-size"] {
            if args.has(flag) {
                let message = format!("{flag} is for decimal keys and does not go with --words");
                return Err(args.verb.misused(message));
            }
        }
        Pairs::Words(random)
    } else {
        let order = match args.value("--order").map(|word| word.bytes.as_slice()) {
            None | Some(b"seq") => Order::Sequential,
            Some(b"random") => Order::Random(Shuffle::new(count, seed)),
            Some(_) => return Err(args.verb.misused("--order takes seq or random")),
        };
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
        Pairs::Keys { start: start.unwrap_or(0), order, value_bytes, random }
    };
    let sync = Some(sync_flag(args)?.unwrap_or(false));
    Ok(Box::new(Fill { pairs, seed, count, done: 0, bytes: 0, waiting: None, sync }))
}

/// Writes the pairs, one each unit.
struct Fill {
    pairs: Pairs,
    seed: u64,
    count: u64,
    done: u64,
    bytes: u64,
    /// The pair that is being written: kept, because a write may have to be tried again.
    waiting: Option<(WriteBatch, u64)>,
    sync: Option<bool>,
}

impl Fill {
    fn result(&self) -> Answer {
        structured(FillResult { entries: self.done, bytes: self.bytes, seed: self.seed })
    }
}

impl Task for Fill {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let db = session.db()?;
        if self.done == self.count {
            db.sync()?;
            let (entries, bytes) = (self.done, self.bytes);
            let line = OutputLine::new().with(crate::output::Style::Good, "ok");
            let line = line.plain("  ").number(text::counted(entries, "pair"));
            session.say(
                line.plain(" written, ").number(text::size(bytes)).plain(" of keys and values"),
            );
            return Ok(Turn::Done(self.result()));
        }
        if self.waiting.is_none() {
            let (key, value) = self.pairs.pair(self.done);
            let mut batch = WriteBatch::new();
            batch.put(&key, &value)?;
            self.waiting = Some((batch, (key.len() + value.len()) as u64));
        }
        if let Some((batch, bytes)) = &self.waiting {
            db.write(batch, self.sync)?;
            self.bytes = self.bytes.saturating_add(*bytes);
            self.waiting = None;
            self.done += 1;
        }
        Ok(Turn::More)
    }

    fn position(&self) -> (u64, Option<u64>) {
        (self.done, Some(self.count))
    }

    fn stopped(&mut self) -> Option<(String, Answer)> {
        let (done, count) = (text::count(self.done), text::counted(self.count, "pair"));
        Some((format!("{done} of {count} were written"), self.result()))
    }
}
