//! `compare`: two configurations of the engine run the same commands, each in a branch of its own.
//!
//! ```text
//! commands of this branch, or those in braces
//!        ├── an empty database with the first options  ── a branch   figures over its steps
//!        └── an empty database with the second options ── a branch   figures over its steps
//! ```
//!
//! The database in use is not touched, and stays the current branch. Both new branches are as any other: they can
//! be switched to, stepped, forked and dropped.

mod choose;
mod measure;
mod print;
mod run;
mod sides;

use crate::commands::Command;
use crate::commands::time::room_for;
use crate::language::{Args, At, Statement, Verb, What, offer};
use crate::output::{Answer, Failure};
use crate::result::{CompareCommand, CompareOutcome, CompareResult};
use crate::session::{Session, Stop, Task, Turn};
use choose::Chosen;
use measure::{Measuring, Probes};
use run::Runner;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "compare",
    group: "read and write",
    usage: "compare A B | compare A B { COMMAND; ... }",
    purpose: "Runs the same commands on two configurations, each in a new branch in memory that begins empty, and \
              shows both side by side. A and B are strategies, presets, or options such as \
              tiered,bloom_bits=0; other options are those in use. Without braces, the commands of this branch \
              that write or read data are run again.",
    example: "compare leveled tiered { fill 300 --words; run }",
    ..Verb::SESSION
}
.starts(start)
.offers(&[
    offer(At::Words(&[]), What::Configurations),
    offer(At::Words(&["*"]), What::Configurations),
])];

fn start(args: &Args, statement: &Statement) -> Result<Box<dyn Task>, Failure> {
    let what = "two configurations, such as leveled and tiered";
    args.expect(2, 2, what)?;
    let given = statement.block.as_deref().map(choose::of_block).transpose()?;
    let titles = [args.text(0).unwrap_or(""), args.text(1).unwrap_or("")].map(str::to_owned);
    Ok(Box::new(Compare { titles, given, at_work: None }))
}

/// Two sides at work, one after the other.
struct Compare {
    titles: [String; 2],
    /// The commands in braces.
    given: Option<Chosen>,
    at_work: Option<Work>,
}

struct Work {
    chosen: Chosen,
    runners: [Runner; 2],
    /// The keys that are looked up on both sides.
    probes: Probes,
    measuring: Option<Measuring>,
    outcomes: Vec<CompareOutcome>,
}

impl Compare {
    fn begin(&mut self, session: &Session) -> Result<Work, Failure> {
        room_for(session, 2)?;
        let options = sides::options(session, &self.titles)?;
        let chosen = self.given.take().map_or_else(|| choose::of_journal(session), Ok)?;
        let [first, second] = options;
        let [left, right] = self.titles.clone();
        let runners = [Runner::new(session, left, first), Runner::new(session, right, second)];
        let (probes, outcomes) = (Probes::default(), Vec::new());
        Ok(Work { chosen, runners, probes, measuring: None, outcomes })
    }
}

impl Work {
    /// Does one unit: of the commands of the first side, of those of the second, of measuring each. Whether all is done.
    fn step(&mut self) -> Result<bool, Failure> {
        for runner in &mut self.runners {
            if !runner.step(&self.chosen.commands)? {
                return Ok(false);
            }
        }
        let Some(runner) = self.runners.get(self.outcomes.len()) else { return Ok(true) };
        let mut measuring = self.measuring.take().map_or_else(|| runner.measure(), Ok)?;
        match measuring.step(&mut self.probes)? {
            Some(outcome) => self.outcomes.push(outcome),
            None => self.measuring = Some(measuring),
        }
        Ok(false)
    }

    /// Makes both sides branches, and returns the result.
    fn finish(self, session: &mut Session) -> CompareResult {
        let differing = sides::differing(self.runners.each_ref().map(Runner::options));
        let ends = self.runners.each_ref().map(|runner| runner.ends.clone());
        let failures = self.runners.each_ref().map(|runner| runner.failures.clone());
        let commands = self.chosen.commands.iter().enumerate().map(|(at, text)| CompareCommand {
            text: text.to_string(),
            ends: ends.iter().filter_map(|side| side.get(at)).copied().collect(),
            failures: failures.iter().filter_map(|side| side.get(at)).cloned().collect(),
        });
        let commands = commands.collect();
        let mut sides = Vec::new();
        for ((runner, outcome), options) in
            self.runners.into_iter().zip(self.outcomes).zip(differing)
        {
            sides.push(runner.adopt(session, options, outcome));
        }
        CompareResult { sides, commands, notes: self.chosen.notes }
    }

    /// Hundredths of the work that are done.
    fn percent(&self) -> u64 {
        let count = self.chosen.commands.len();
        let run: u64 = self.runners.iter().map(|runner| runner.percent(count)).sum();
        // The lookups and the full compaction are taken for a fifth of the whole.
        run * 2 / 5 + self.outcomes.len() as u64 * 10
    }
}

impl Task for Compare {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let mut work = self.at_work.take().map_or_else(|| self.begin(session), Ok)?;
        if work.step()? {
            let result = work.finish(session);
            print::comparison(session, &result);
            return Ok(Turn::Done(Answer::compare(result)));
        }
        self.at_work = Some(work);
        Ok(Turn::More)
    }

    fn position(&self) -> (u64, Option<u64>) {
        (self.at_work.as_ref().map_or(0, Work::percent), Some(100))
    }
}
