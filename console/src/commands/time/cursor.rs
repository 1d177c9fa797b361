//! `back`, `forward`, `goto` and `now`: choose the step that reading commands are answered about.
//!
//! A page has a cursor of its own and never asks for these.

use super::GROUP;
use crate::commands::Command;
use crate::history::{Capture, Step};
use crate::language::{Args, Statement, Verb};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::PlaceResult;
use crate::session::{Goal, Session, Stop, Task, Turn};
use crate::text;
use crate::time::ReplicaRun;
use levelscope::event::Event;
use levelscope::internals::Few;
use levelscope::internals::sorting;

pub(in crate::commands) const VERBS: &[Command] = &[
    Verb {
        name: "back",
        group: GROUP,
        usage: "back [N]",
        purpose: "Goes N steps back: reading commands are answered as of that step.",
        example: "put a 1; back; now",
        ..Verb::HOST
    }
    .starts(back)
    .synonyms(&["previous"]),
    Verb {
        name: "forward",
        group: GROUP,
        usage: "forward [N]",
        purpose: "Goes N steps forward, at most to now.",
        example: "put a 1; back 2; forward; now",
        ..Verb::HOST
    }
    .starts(forward),
    Verb {
        name: "goto",
        group: GROUP,
        usage: "goto STEP",
        purpose: "Goes to a step of the past; fork continues from there, now returns.",
        example: "put a 1; goto 1; now",
        ..Verb::HOST
    }
    .starts(goto)
    .synonyms(&["jump"]),
    Verb {
        name: "now",
        group: GROUP,
        usage: "now",
        purpose: "Returns to now.",
        example: "now",
        ..Verb::HOST
    }
    .starts(now),
];

#[derive(Clone, Copy)]
enum Destination {
    Back(u64),
    Forward(u64),
    Step(Step),
    Now,
}

fn back(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    Ok(journey(Destination::Back(steps(args)?)))
}

fn forward(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    Ok(journey(Destination::Forward(steps(args)?)))
}

fn steps(args: &Args) -> Result<u64, Failure> {
    args.expect(0, 1, "a number of steps")?;
    Ok(args.number_at(0, "the number of steps")?.unwrap_or(1))
}

fn goto(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a step")?;
    Ok(journey(Destination::Step(args.step_at(0)?.unwrap_or_default())))
}

fn now(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(journey(Destination::Now))
}

fn journey(target: Destination) -> Box<dyn Task> {
    Box::new(Journey { target, goal: 0, run: None })
}

/// Goes to a step, and prints its event.
struct Journey {
    target: Destination,
    goal: Step,
    run: Option<ReplicaRun>,
}

impl Journey {
    fn begin(&mut self, session: &mut Session) -> Result<ReplicaRun, Failure> {
        let last = session.tape.step();
        let at = session.time.looks_at.unwrap_or(last);
        self.goal = match self.target {
            Destination::Back(count) => at.saturating_sub(count),
            Destination::Forward(count) => at.saturating_add(count),
            Destination::Step(step) => step,
            Destination::Now => last,
        };
        self.goal = self.goal.max(1);
        if !matches!(self.target, Destination::Step(_)) {
            self.goal = self.goal.min(last);
        }
        let journal = session.journal_of(self.goal)?;
        let run = ReplicaRun::fresh(session, journal, Goal::Step(self.goal));
        let capture = Capture::Sentences { wanted: sorting::set([self.goal]), found: Few::new() };
        run.replica.console.session().tape.capture(capture);
        Ok(run)
    }

    fn arrive(&self, session: &mut Session, sentence: String, reached: Step) -> Turn {
        let last = session.tape.step();
        session.time.looks_at = (self.goal < last).then_some(self.goal);
        let line = OutputLine::text("step ").number(text::count(self.goal));
        let line = line.plain(" of ").number(text::count(last)).plain(": ");
        session.print(line.plain(text::printable(&sentence)));
        if session.time.looks_at.is_some() {
            session.print(OutputLine::note(
                "This is the past: `fork` goes on from here, `now` leaves it.",
            ));
            if reached > self.goal {
                let reached = text::count(reached);
                session.print(OutputLine::note(format!(
                    "The step lies inside a call of the engine: answers and forks are of step \
                     {reached}, the end of that call."
                )));
            }
        }
        Turn::Done(Answer::other(PlaceResult { step: self.goal, last, sentence }))
    }
}

impl Task for Journey {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        if session.host.has_cursor() {
            let message = "in a page, back, forward, goto and now stand alone on their line";
            return Err(Failure::usage(message).into());
        }
        if matches!(self.target, Destination::Now) {
            let was = session.time.looks_at.take();
            let last = session.tape.step();
            let line =
                OutputLine::text(if was.is_some() { "Now again: step " } else { "Now: step " });
            session.print(line.number(text::count(last)).plain("."));
            let sentence = String::new();
            return Ok(Turn::Done(Answer::other(PlaceResult { step: last, last, sentence })));
        }
        let mut run = self.run.take().map_or_else(|| self.begin(session), Ok)?;
        if !run.advance()? {
            self.run = Some(run);
            return Ok(Turn::More);
        }
        match run.replica.console.session().tape.take_capture() {
            Some(Capture::Sentences { found, .. }) => {
                let sentence = found.get(&self.goal).map(Event::sentence);
                Ok(self.arrive(session, sentence.unwrap_or_default(), run.replica.reached()))
            }
            _ => Err(crate::history::unavailable("no events were recorded").into()),
        }
    }

    fn position(&self) -> (u64, Option<u64>) {
        self.run.as_ref().map_or((0, None), ReplicaRun::position)
    }
}
