//! `lab`: experiments from texts about storage engines, repeated here.

mod print;
mod settings;

use crate::commands::Command;
use crate::host::Host;
use crate::language::lexer::Statement;
use crate::language::{Args, At, Effect, Typing, Verb, What, flag, offer, switch};
use crate::output::{Answer, Failure};
use crate::session::{Session, Stop, Task, Turn, once};
use crate::text;
use levelscope_labs::{
    Experiment, LABS, LabInfo, LabReport, Refused, Scratch, Settings, Surroundings, begin, find,
};
use std::collections::VecDeque;

pub(super) const VERBS: &[Command] = &[Command {
    verb: Verb {
        name: "lab",
        group: "read and write",
        usage: "lab | lab ID [WORD...] [--records N] [--keys N] [--reads N] [--value-size BYTES] \
            [--deletes PERCENT] [--runs N] [--seed N] [--csv], lab all [--csv]",
        purpose: "Lists experiments, or runs one on databases and files of its own, never on the open one.",
        example: "lab L15",
        flags: &[
            flag("--records", "n", "number of writes; each lab has its own default"),
            flag("--keys", "n", "number of different keys in the writes"),
            flag("--reads", "n", "number of reads afterwards"),
            flag("--value-size", "bytes", "length of the values"),
            flag("--deletes", "percent", "share of the writes that are deletes"),
            flag("--runs", "n", "how often each fill is timed"),
            flag("--seed", "n", "another seed gives other data"),
            switch("--csv", "prints the tables for other programs, and nothing else"),
        ],
        effect: |_| Effect::Session,
    },
    typing: Typing {
        offers: &[
            offer(At::Words(&[]), What::Labs),
            offer(At::Words(&["sweep"]), What::Words(&["value-size", "keys"])),
            offer(At::From("compare"), What::OptionsToCompare),
            offer(At::From("sweep"), What::OptionsToCompare),
        ],
        ..Typing::NONE
    },
    start,
}];

fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    if args.text(0).is_some() {
        return run(args);
    }
    args.expect(0, 0, "nothing, or what `lab` lists")?;
    Ok(once(|session| {
        session.lines.extend(print::list());
        Ok(Answer::labs(LABS.to_vec()))
    }))
}

/// Runs the experiments that `args` name.
fn run(args: &Args) -> Result<Box<dyn Task>, Failure> {
    let csv = args.has("--csv");
    let id = args.text(0).unwrap_or_default();
    let several = id == "all";
    let labs: Vec<&'static LabInfo> = match find(id) {
        Some(lab) => vec![lab],
        // Labs with a claim; the others compare configurations that the user gives.
        None if several => LABS.iter().copied().filter(|lab| !lab.claim.is_empty()).collect(),
        None => return Err(unknown(id)),
    };
    let settings = labs.into_iter().map(|lab| settings::read(lab, args));
    let waiting = settings.collect::<Result<_, _>>()?;
    Ok(Box::new(Labs { waiting, csv, several, at_work: None, done: 0, reports: Vec::new() }))
}

fn unknown(id: &str) -> Failure {
    let failure = Failure::usage(format!("there is no experiment {}", text::printable(id)));
    let ids: Vec<&str> = LABS.iter().map(|lab| lab.id).collect();
    failure.hint(format!("there are: {} all", ids.join(" ")))
}

/// Labs at work, one after the other.
struct Labs {
    waiting: VecDeque<Settings>,
    at_work: Option<(LabReport, Box<dyn Experiment>)>,
    done: u64,
    csv: bool,
    several: bool,
    reports: Vec<LabReport>,
}

impl Task for Labs {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some((report, lab)) = &mut self.at_work else {
            if let Some(settings) = self.waiting.pop_front() {
                let lab = begin(&settings)?;
                let command = settings::command(&settings);
                self.at_work = Some((LabReport::new(&settings, &command), lab));
                return Ok(Turn::More);
            }
            let only = if self.several { None } else { self.reports.pop() };
            let all = || Answer::reports(std::mem::take(&mut self.reports));
            return Ok(Turn::Done(only.map_or_else(all, Answer::report)));
        };
        if !lab.step(&Around(&*session.host))? {
            return Ok(Turn::More);
        }
        lab.tell(report);
        session.lines.extend(if self.csv { print::csv(report) } else { print::text(report) });
        self.reports.extend(self.at_work.take().map(|(report, _)| report));
        self.done += 1;
        Ok(Turn::More)
    }

    fn stopped(&mut self) -> Option<(String, Answer)> {
        let (mut report, _) = self.at_work.take()?;
        report.stopped = true;
        let done = match self.done {
            0 => String::new(),
            done => format!("; {} before it ran to the end", text::counted(done, "experiment")),
        };
        let words = format!(
            "{} has no result, because an experiment is summed up at its end{done}",
            report.lab.id
        );
        self.reports.push(report);
        Some((words, Answer::reports(std::mem::take(&mut self.reports))))
    }

    fn position(&self) -> (u64, Option<u64>) {
        match &self.at_work {
            Some((_, lab)) => lab.position(),
            None => (self.done, None),
        }
    }
}

/// A host as what experiments are made in.
struct Around<'a>(&'a dyn Host);

impl Surroundings for Around<'_> {
    fn clock_nanos(&self) -> Option<u64> {
        self.0.clock_nanos()
    }

    fn scratch(&self) -> levelscope::Result<Scratch> {
        self.0.real_scratch()
    }
}

impl From<Refused> for Failure {
    fn from(Refused { message, hint }: Refused) -> Self {
        Self { hint, ..Self::usage(message) }
    }
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Self {
        Failure::from(refused).into()
    }
}
