//! `why`: the chain of causes of a step.

use super::GROUP;
use crate::commands::Command;
use crate::history::{Capture, Step};
use crate::language::{Args, Statement, Verb};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::CauseResult;
use crate::session::{Goal, Session, Stop, Task, Turn};
use crate::text;
use crate::time::ReplicaRun;
use levelscope::internals::Few;
use levelscope::internals::sorting;

/// Most causes listed.
const CHAIN_MAX: usize = 64;

pub(in crate::commands) const VERBS: &[Command] = &[Verb {
    name: "why",
    group: GROUP,
    usage: "why [STEP]",
    purpose: "Shows the chain of causes of a step, back to the operation that began it.",
    example: "put a 1; flush; why",
    ..Verb::SESSION
}
.starts(start)];

struct Why {
    step: Option<Step>,
    run: Option<ReplicaRun>,
    /// The step, its cause, the cause of that, ...
    chain: Vec<Step>,
}

fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "a step")?;
    let step = args.step_at(0)?;
    Ok(Box::new(Why { step, run: None, chain: Vec::new() }))
}

impl Why {
    fn begin(&mut self, session: &Session, capture: Capture) -> Result<ReplicaRun, Failure> {
        let step = self.step.or(session.time.moment()).unwrap_or_else(|| session.tape.step());
        self.step = Some(step);
        if step == 0 {
            return Err(Failure::usage("nothing has happened yet: there is no step to explain"));
        }
        let journal = session.journal_of(step)?;
        let run = ReplicaRun::fresh(session, journal, Goal::Step(step));
        run.replica.console.session().tape.capture(capture);
        Ok(run)
    }

    /// First the causes of all steps, to find the chain; then the steps of the chain, in words.
    fn follow(&mut self, first: Step, causes: &[Step]) {
        let mut step = self.step.unwrap_or_default();
        while step > first && self.chain.len() < CHAIN_MAX {
            self.chain.push(step);
            let index = usize::try_from(step - first - 1).unwrap_or(usize::MAX);
            // A cause comes before what it causes: the chain ends.
            step = causes.get(index).copied().filter(|cause| *cause < step).unwrap_or(0);
        }
    }
}

impl Task for Why {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let mut run =
            self.run.take().map_or_else(|| self.begin(session, Capture::Causes(Vec::new())), Ok)?;
        if !run.advance()? {
            self.run = Some(run);
            return Ok(Turn::More);
        }
        match run.replica.console.session().tape.take_capture() {
            Some(Capture::Causes(causes)) => {
                self.follow(run.journal.first, &causes);
                let wanted = sorting::set(self.chain.iter().copied());
                let capture = Capture::Sentences { wanted, found: Few::new() };
                self.run = Some(self.begin(session, capture)?);
                Ok(Turn::More)
            }
            Some(Capture::Sentences { found, .. }) => {
                let mut causes = Vec::new();
                for step in &self.chain {
                    let Some(event) = found.get(step) else { continue };
                    let begin = if causes.is_empty() { "step " } else { "because of step " };
                    let line = OutputLine::new().dim(begin).number(text::count(*step)).plain(": ");
                    let sentence = event.sentence();
                    session.print(line.plain(text::printable(&sentence)));
                    let name = event.kind.name().to_owned();
                    causes.push(CauseResult { step: *step, name, sentence });
                }
                Ok(Turn::Done(Answer::other(causes)))
            }
            _ => Err(crate::history::unavailable("no events were recorded").into()),
        }
    }

    fn position(&self) -> (u64, Option<u64>) {
        self.run.as_ref().map_or((0, None), ReplicaRun::position)
    }
}
