//! Background work: `step` and `run`, and the report of its events.

use crate::commands::Command;
use crate::language::{Args, At, Statement, Verb, What, offer};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::{DoneEvent, WorkResult};
use crate::session::{Session, Stop, Task, Turn};
use crate::text;
use levelscope::event::{Event, Object, Touch};
use levelscope::{Budget, StepOutcome};

/// Sentences that one command prints: more would bury the prompt.
const SENTENCES_MAX: usize = 200;
/// Events that one result lists.
const EVENTS_MAX: usize = 4096;

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "step",
        group: super::jobs::GROUP,
        usage: "step [phase|job|entry|call] [N]",
        purpose: "Does background work and prints it: one phase, or N phases, jobs or entries. A call is the \
                  smallest part that the engine does at once.",
        example: "step phase 2",
        ..Verb::CHANGE
    }
    .starts(step)
    .offers(&[offer(At::Words(&[]), What::Words(&["phase", "job", "entry", "call"]))]),
    Verb {
        name: "run",
        group: super::jobs::GROUP,
        usage: "run",
        purpose: "Does all pending background work.",
        example: "run",
        ..Verb::CHANGE
    }
    .starts(run),
];

/// The object that a link from an event's sentence leads to.
fn target(event: &Event) -> Option<String> {
    let touches = event.kind.touches();
    let there = |touch: &&Touch| {
        let gone = touch.effect == levelscope::event::ObjectEffect::Removed;
        !gone && !matches!(touch.object, Object::Key(_) | Object::Transaction(_))
    };
    touches.iter().find(there).map(|touch| touch.object.to_string())
}

/// What background work has done, for its answer.
#[derive(Default)]
pub(super) struct Done {
    /// Sentences printed.
    printed: usize,
    /// The jobs that ended.
    pub(super) jobs: Vec<u64>,
    events: Vec<DoneEvent>,
}

impl Done {
    /// Prints the sentences of the events since the last call that `wanted` wants.
    /// Keeps all operations and phases.
    pub(super) fn print(&mut self, session: &mut Session, wanted: &dyn Fn(&Event) -> bool) {
        let (events, _) = session.tape.drain();
        let opening = session.tape.opening();
        let steps = events.iter().filter(|event| event.detail == 0);
        let room = EVENTS_MAX.saturating_sub(self.events.len());
        self.events.extend(steps.take(room).map(|event| DoneEvent {
            step: opening.saturating_add(event.id),
            name: event.kind.name().to_owned(),
        }));
        for event in events.iter().filter(|event| wanted(event)) {
            self.printed += 1;
            if self.printed == SENTENCES_MAX + 1 {
                session.print(OutputLine::note("(further events are not printed)"));
            }
            if self.printed > SENTENCES_MAX {
                continue;
            }
            let sentence = text::printable(&event.sentence());
            let line = OutputLine::new().dim(format!("{:>22}  ", event.kind.name()));
            session.print(match target(event) {
                Some(target) => line.link(target, sentence),
                None => line.plain(sentence),
            });
        }
    }

    /// The answer.
    pub(super) fn answer(&mut self, changed: bool, steps: u64, next: Option<String>) -> Answer {
        let Self { jobs, events, .. } = std::mem::take(self);
        Answer::other(WorkResult { changed, steps, jobs, events, next })
    }
}

/// Prints the next step, as a dim line.
pub(super) fn print_next(session: &mut Session, next: Option<&str>) {
    if let Some(next) = next {
        let next = text::printable(next);
        session.print(OutputLine::note(format!("next: {next} (step, or run for all of it)")));
    }
}

fn step(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 2, "a grain and a number")?;
    let (grain, position) = match args.text(0) {
        Some("phase") => (StepGrain::Phase, 1),
        Some("job") => (StepGrain::Job, 1),
        Some("entry") => (StepGrain::Entry, 1),
        Some("call") => (StepGrain::Call, 1),
        Some(text) if crate::language::parse_number(text).is_some() => (StepGrain::Phase, 0),
        None if args.words.is_empty() => (StepGrain::Phase, 0),
        _ => {
            return Err(args.verb.misused("step takes phase, job, entry or call, and a number"));
        }
    };
    args.expect(0, position + 1, "a grain and a number")?;
    let count = args.number_at(position, "the number of steps")?.unwrap_or(1);
    Ok(Box::new(Work::new(grain, Some(count))))
}

fn run(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(Box::new(Work::new(StepGrain::Run, None)))
}

/// How far one step goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StepGrain {
    /// One call of the engine, whether anything is heard of it or not.
    Call,
    Entry,
    Phase,
    Job,
    /// As `Job`, and only the outcome is printed.
    Run,
}

struct Work {
    grain: StepGrain,
    /// Steps to make; `None`: until there is nothing left.
    count: Option<u64>,
    steps: u64,
    done: Done,
    /// Keeps details while the command runs.
    details: Option<std::sync::Arc<crate::history::Tape>>,
    begun: bool,
}

impl Work {
    fn new(grain: StepGrain, count: Option<u64>) -> Self {
        Self { grain, count, steps: 0, done: Done::default(), details: None, begun: false }
    }

    fn begin(&mut self, session: &Session) {
        self.begun = true;
        session.tape.drain();
        if self.grain == StepGrain::Entry {
            session.tape.keep_details(true);
            self.details = Some(std::sync::Arc::clone(&session.tape));
        }
    }

    fn finish(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let next = session.db()?.next_step();
        if next.is_none() {
            session.print(OutputLine::text(match (self.steps, self.done.jobs.len()) {
                (0, _) => "Nothing to do: no flush or compaction is pending.".to_owned(),
                (_, jobs) if self.grain == StepGrain::Run => {
                    format!("Done: {}.", text::counted(jobs as u64, "job"))
                }
                _ => "Nothing is left to do.".to_owned(),
            }));
        }
        print_next(session, next.as_deref());
        Ok(Turn::Done(self.done.answer(self.steps > 0, self.steps, next)))
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if let Some(tape) = &self.details {
            tape.keep_details(false);
        }
    }
}

impl Task for Work {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        session.db()?;
        if !self.begun {
            self.begin(session);
        }
        if self.count.is_some_and(|count| self.steps >= count) {
            return self.finish(session);
        }
        let budget = match self.grain {
            StepGrain::Call | StepGrain::Entry => Budget::Entry,
            // A call ends with each phase, however many are asked for: the state of an engine is defined between two
            // calls, so a step of the past is shown as it was when it was live.
            StepGrain::Phase | StepGrain::Job | StepGrain::Run => Budget::Phase,
        };
        let outcome = session.work(budget);
        let run = self.grain == StepGrain::Run;
        let before = self.done.printed;
        self.done
            .print(session, &|event| event.kind.info().outline || (!run && event.job.is_some()));
        let whole_jobs = matches!(self.grain, StepGrain::Job | StepGrain::Run);
        match outcome? {
            StepOutcome::Idle => return self.finish(session),
            StepOutcome::Blocked(file) => return Ok(Turn::Blocked(file)),
            // A unit of which nothing was heard, such as an entry that only came into the table, is no step.
            StepOutcome::More if self.grain == StepGrain::Entry && self.done.printed == before => {}
            StepOutcome::More => self.steps += u64::from(!whole_jobs),
            StepOutcome::Finished(job) => {
                self.steps += 1;
                self.done.jobs.push(job);
            }
        }
        Ok(Turn::More)
    }

    fn position(&self) -> (u64, Option<u64>) {
        (self.steps, self.count)
    }
}
