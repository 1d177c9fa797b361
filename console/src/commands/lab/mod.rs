//! `lab`: experiments from texts about storage engines, repeated here.

mod settings;

use crate::commands::Command;
use crate::experiments::{Reported, Running, Scratch, Surroundings, Unit, list};
use crate::host::Host;
use crate::language::{Args, At, Statement, Verb, What, flag, offer, switch};
use crate::output::{Answer, Failure, Json};
use crate::session::{Session, Stop, Task, Turn, once};
use crate::text;
use levelscope_labs::{LABS, LabInfo, Settings, find};
use std::collections::VecDeque;

pub(super) const VERBS: &[Command] = &[Verb {
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
    ..Verb::SESSION
}
.starts(start)
.offers(&[
    offer(At::Words(&[]), What::Labs),
    offer(At::Words(&["sweep"]), What::Words(&["value-size", "keys"])),
    offer(At::From("compare"), What::OptionsToCompare),
    offer(At::From("sweep"), What::OptionsToCompare),
])];

fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    if args.text(0).is_some() {
        return run(args);
    }
    args.expect(0, 0, "nothing, or what `lab` lists")?;
    Ok(once(|session| {
        session.lines.extend(list());
        Ok(Answer::labs(LABS))
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
    at_work: Option<(&'static LabInfo, Box<dyn Running>)>,
    done: u64,
    csv: bool,
    several: bool,
    reports: Vec<Json>,
}

impl Labs {
    fn reported(&mut self) -> Answer {
        Answer { kind: "reports", value: Json::of(std::mem::take(&mut self.reports)) }
    }
}

impl Task for Labs {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some((_, lab)) = &mut self.at_work else {
            if let Some(settings) = self.waiting.pop_front() {
                let lab = session.host.experiment(&settings, self.csv)?;
                self.at_work = Some((settings.lab, lab));
                return Ok(Turn::More);
            }
            let only = if self.several { None } else { self.reports.pop() };
            return Ok(Turn::Done(match only {
                Some(value) => Answer { kind: "report", value },
                None => self.reported(),
            }));
        };
        match lab
            .step(&Around(&*session.host))
            .map_err(|failure| failure.advised(session.advice()))?
        {
            Unit::More => return Ok(Turn::More),
            Unit::Waits => return Ok(Turn::Breath),
            Unit::Done => {}
        }
        if let Some(Reported { lines, report }) = lab.report(false) {
            session.lines.extend(lines);
            self.reports.push(report);
        }
        self.at_work = None;
        self.done += 1;
        Ok(Turn::More)
    }

    fn stopped(&mut self) -> Option<(String, Answer)> {
        let (info, mut lab) = self.at_work.take()?;
        let done = match self.done {
            0 => String::new(),
            done => format!("; {} before it ran to the end", text::counted(done, "experiment")),
        };
        let words = format!(
            "{} has no result, because an experiment is summed up at its end{done}",
            info.id
        );
        self.reports.extend(lab.report(true).map(|part| part.report));
        Some((words, self.reported()))
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
