//! `until`: background work up to an event.
//!
//! A breakpoint strikes when the event has happened, so it cannot stop before one. `until` first lets a replica work
//! until the event comes, and then makes as many calls of the engine, or one less.

use super::time::{Place, place};
use super::work::{Done, print_next};
use crate::commands::Command;
use crate::history::{Points, Step};
use crate::language::{Args, At, Statement, Verb, What, offer};
use crate::output::{Failure, OutputLine};
use crate::session::{Goal, Session, Stop, Task, Turn};
use crate::text;
use crate::time::ReplicaRun;
use levelscope::{Budget, StepOutcome};

/// Calls of the engine in one unit.
const CALLS: u64 = 64;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "until",
    group: super::jobs::GROUP,
    usage: "until before|after EVENT | until on key K|table N|wal N|level N|drop|tombstone-gc \
        | until when WHAT >= N",
    purpose: "Does background work up to an event and stops there. It needs the option maintenance=manual; a \
              copy of the database finds the event first, and where none comes, nothing is done.",
    example: "options set maintenance manual; put apple red; flush; until before flush.install",
    ..Verb::RECORDED
}
.starts(start)
.offers(&[
    offer(At::Words(&[]), What::Words(&["before", "after", "on", "when"])),
    offer(At::Words(&["before"]), What::Events),
    offer(At::Words(&["after"]), What::Events),
    offer(At::Words(&["on"]), What::Cases),
    offer(At::Words(&["when"]), What::Quantities),
    offer(At::Words(&["on", "key"]), What::Keys),
])];

fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, usize::MAX, "before, after, on or when, and an event")?;
    let place = place(args)?;
    let place = place.ok_or_else(|| args.verb.misused("until takes before, after, on or when"))?;
    if place.trigger.is_of_caller() {
        let message = format!(
            "until {}: only writes, reads and openings make this event, and until does background work",
            text::printable(&place.text)
        );
        let hint =
            "events of background work are flush.install, table.sync, compaction.done and others";
        return Err(Failure::usage(message).hint(hint));
    }
    Ok(Box::new(Until { place, stage: Stage::Begin, done: Done::default() }))
}

struct Until {
    place: Place,
    stage: Stage,
    done: Done,
}

enum Stage {
    Begin,
    /// A replica goes where the session is, and then to the event; the number is that of its calls there, once it is
    /// on the second way.
    Finding(Box<ReplicaRun>, Option<u64>),
    /// The session goes the same way: its step at the beginning, calls made, calls to make.
    Working(Step, u64, u64),
}

impl Until {
    fn begin(&self, session: &Session) -> Result<Stage, Stop> {
        let now = session.db()?.view();
        let step = session.tape.step();
        if !session.is_manual() {
            let failure = Failure::usage("until steps background work, which is not manual here");
            return Err(failure
                .hint("`options set maintenance manual` lets it wait for you")
                .into());
        }
        if Points::holds(&self.place.trigger, &now) {
            return Ok(Stage::Working(step, 0, 0));
        }
        let journal = session.journal_of(step)?;
        Ok(Stage::Finding(Box::new(ReplicaRun::fresh(session, journal, Goal::End)), None))
    }

    /// Advances the replica; returns the number of calls to make, once the event has occurred.
    fn find(&self, run: &mut ReplicaRun, calls: &mut Option<u64>) -> Result<Option<u64>, Stop> {
        let Some(made) = calls else {
            if run.advance()? {
                let session = run.replica.console.session();
                session.tape.attach(session.outside());
                let (text, trigger) = (self.place.text.clone(), self.place.trigger.clone());
                session.time.points.set((text, trigger), self.place.before, None, session.view());
                *calls = Some(0);
            }
            return Ok(None);
        };
        let session = run.replica.console.session_mut();
        for _ in 0..CALLS {
            let outcome = session.work(Budget::Entry);
            *made += 1;
            if session.time.points.take_hit().is_some() {
                return Ok(Some(*made - u64::from(self.place.before)));
            }
            match outcome? {
                StepOutcome::Idle => return Err(self.never().into()),
                StepOutcome::Blocked(file) => {
                    return Err(levelscope::Error::would_block(file).into());
                }
                StepOutcome::More | StepOutcome::Finished(_) => {}
            }
        }
        Ok(None)
    }

    fn never(&self) -> Failure {
        let place = text::printable(&self.place.text);
        let failure = Failure::usage(format!(
            "until {place}: background work ends without it, so nothing was done"
        ));
        failure.hint("`compact --plan` shows what is due; `flush` and `compact` ask for work")
    }

    /// Makes one call; whether there are no more.
    fn call(&mut self, session: &mut Session) -> Result<StepOutcome, Stop> {
        let outcome = session.work_on_record();
        self.done.print(session, &|event| event.kind.info().outline || event.job.is_some());
        if let Ok(StepOutcome::Finished(job)) = &outcome {
            self.done.jobs.push(*job);
        }
        Ok(outcome?)
    }

    fn finish(&mut self, session: &mut Session, began: Step) -> Result<Turn, Stop> {
        let next = session.db()?.next_step();
        let steps = session.tape.step() - began;
        if steps == 0 {
            session.print(OutputLine::text("Nothing was done: the database is there already."));
        }
        print_next(session, next.as_deref());
        Ok(Turn::Done(self.done.answer(steps > 0, steps, next)))
    }
}

impl Task for Until {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        match std::mem::replace(&mut self.stage, Stage::Begin) {
            Stage::Begin => self.stage = self.begin(session)?,
            Stage::Finding(mut run, mut calls) => {
                self.stage = match self.find(&mut run, &mut calls)? {
                    Some(calls) => {
                        session.tape.drain();
                        Stage::Working(session.tape.step(), 0, calls)
                    }
                    None => Stage::Finding(run, calls),
                };
            }
            Stage::Working(began, mut made, calls) => {
                if made >= calls {
                    return self.finish(session, began);
                }
                for _ in 0..calls.saturating_sub(made).min(CALLS) {
                    let outcome = self.call(session);
                    let waits = matches!(outcome, Ok(StepOutcome::Blocked(_)));
                    made += u64::from(!waits);
                    self.stage = Stage::Working(began, made, calls);
                    match outcome? {
                        StepOutcome::Blocked(file) => return Ok(Turn::Blocked(file)),
                        StepOutcome::Idle => return self.finish(session, began),
                        StepOutcome::More | StepOutcome::Finished(_) => {}
                    }
                    if session.time.points.has_struck() {
                        break;
                    }
                }
            }
        }
        Ok(Turn::More)
    }

    fn position(&self) -> (u64, Option<u64>) {
        match self.stage {
            Stage::Working(_, made, calls) => (made, Some(calls)),
            Stage::Begin | Stage::Finding(..) => (0, None),
        }
    }
}
