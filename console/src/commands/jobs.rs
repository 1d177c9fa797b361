//! Requests for background work: `flush compact rotate sync play pause`.

use super::work::{Done, print_next};
use crate::commands::Command;
use crate::language::{Args, Effect, Statement, Verb, switch};
use crate::output::{Failure, OutputLine};
use crate::session::{Session, Stop, Task, Turn, once};
use levelscope::event::Grain;
use levelscope::{Budget, Db, Maintenance, StepOutcome};

pub(super) const GROUP: &str = "background work";

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "flush",
        group: GROUP,
        usage: "flush",
        purpose: "Requests a flush of every memtable to L0.",
        example: "put apple green; flush",
        ..Verb::CHANGE
    }
    .starts(flush),
    Verb {
        name: "compact",
        group: GROUP,
        usage: "compact [LEVEL] | compact --range FROM TO | compact --plan",
        purpose: "Requests a compaction of a level, a range of keys, or all levels.",
        example: "compact 0",
        flags: &[
            switch(
                "--range",
                "only tables with keys from FROM to TO, down to the last level with any",
            ),
            switch("--plan", "shows the next compaction and its reason; changes nothing"),
        ],
        effect: |args| if args.has("--plan") { Effect::Look } else { Effect::Change },
    }
    .starts(compact),
    Verb {
        name: "rotate",
        group: GROUP,
        usage: "rotate",
        purpose: "Makes the memtable immutable and begins a new one with a new log.",
        example: "rotate",
        ..Verb::CHANGE
    }
    .starts(rotate),
    Verb {
        name: "sync",
        group: GROUP,
        usage: "sync",
        purpose: "Makes every write so far durable.",
        example: "sync",
        ..Verb::CHANGE
    }
    .starts(sync)
    .synonyms(&["fsync"]),
];

/// A request to the engine; it answers whether there was anything to do.
type Request = Box<dyn Fn(&Db) -> levelscope::Result<bool> + Send>;

/// A command that requests work, waits for inline work, and prints the outcome.
struct Ask {
    request: Request,
    /// The engine's answer.
    changed: Option<bool>,
    /// The sentences for: nothing to do, work now waits, work is done.
    answers: [&'static str; 3],
}

impl Ask {
    fn report(&self, session: &mut Session, changed: bool, next: Option<String>) -> Turn {
        let manual = session.is_manual();
        let mut done = Done::default();
        done.print(session, &|event| {
            if manual { event.kind.grain() == Grain::Phase } else { event.kind.info().outline }
        });
        let [nothing, asked, finished] = self.answers;
        session.print(OutputLine::text(match (changed, &next) {
            (false, _) => nothing,
            (true, Some(_)) => asked,
            (true, None) => finished,
        }));
        print_next(session, next.as_deref().filter(|_| changed));
        Turn::Done(done.answer(changed, 0, next))
    }
}

impl Task for Ask {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let db = session.db()?;
        let Some(changed) = self.changed else {
            session.tape.drain();
            self.changed = Some((self.request)(&db)?);
            return Ok(Turn::More);
        };
        if session.options.maintenance == Maintenance::Inline {
            // The engine has done it already, unless it had to wait for a file.
            match session.work(Budget::Job)? {
                StepOutcome::Idle => {}
                StepOutcome::Blocked(file) => return Ok(Turn::Blocked(file)),
                StepOutcome::More | StepOutcome::Finished(_) => return Ok(Turn::More),
            }
        }
        Ok(self.report(session, changed, db.next_step()))
    }
}

fn ask(
    request: impl Fn(&Db) -> levelscope::Result<bool> + Send + 'static,
    answers: [&'static str; 3],
) -> Box<dyn Task> {
    Box::new(Ask { request: Box::new(request), changed: None, answers })
}

fn flush(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(ask(
        Db::request_flush,
        ["Nothing to flush: the memtable is empty.", "The flush is asked for.", "Flushed."],
    ))
}

/// Answers of `compact`.
const COMPACTED: [&str; 3] = [
    "Nothing to compact: there are no tables in this range of levels.",
    "The compaction is asked for.",
    "Compacted.",
];

fn compact(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    if args.has("--plan") && args.has("--range") {
        return Err(args.verb.misused("--plan shows what comes by itself: it takes no range"));
    }
    if args.has("--plan") {
        args.expect(0, 0, "nothing with --plan")?;
        return Ok(super::plan::task());
    }
    if args.has("--range") {
        args.expect(2, 2, "two keys, FROM and TO, with --range")?;
        let (from, to) = (args.bytes(0), args.bytes(1));
        let nothing = "Nothing to compact: no table has such keys, or one run of the last level has them all.";
        let [_, asked, done] = COMPACTED;
        return Ok(ask(move |db| db.compact_range(&from, &to), [nothing, asked, done]));
    }
    args.expect(0, 1, "at most a level")?;
    let level = match args.text(0).map(|text| text.trim_start_matches(['L', 'l'])) {
        None => None,
        Some(text) => {
            let level = text.parse::<usize>().ok();
            Some(level.ok_or_else(|| args.verb.misused("LEVEL is a number such as 0 or L0"))?)
        }
    };
    Ok(ask(move |db| db.request_compaction(level), COMPACTED))
}

fn rotate(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(ask(Db::rotate, [NOT_ROTATED, ROTATED, ROTATED]))
}

const NOT_ROTATED: &str = "Nothing to rotate: the memtable is empty.";
const ROTATED: &str = "The memtable is immutable now; writes go to a new one.";

fn sync(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(once(|session| {
        session.tape.drain();
        session.db()?.sync()?;
        let mut done = Done::default();
        done.print(session, &|_| false);
        session.print(OutputLine::text("Every write so far is durable."));
        let next = session.db()?.next_step();
        Ok(done.answer(true, 0, next))
    }))
}
