//! `fork`, `branch` and `branches`.

use super::GROUP;
use crate::args::Args;
use crate::lexer::Statement;
use crate::output::{Failure, OutputLine};
use crate::session::Session;
use crate::task::{Stop, Task, Turn, once, structured};
use crate::text;
use crate::time::{BRANCHES_MAX, BranchState, Goal, Roll, Step};
use crate::verbs::Verb;

pub(super) const VERBS: &[Verb] = &[
    Verb {
        name: "fork",
        group: GROUP,
        usage: "fork [STEP]",
        purpose: "Goes on from a step of the past, or from what is looked at, on a new branch in memory.",
        example: "put a 1; fork",
        flags: &[],
        start: fork,
    },
    Verb {
        name: "branch",
        group: GROUP,
        usage: "branch NAME or branch NUMBER",
        purpose: "Goes to another branch; the present one waits as it is.",
        example: "fork; branch main",
        flags: &[],
        start: branch,
    },
    Verb {
        name: "branches",
        group: GROUP,
        usage: "branches",
        purpose: "Lists the branches, and where each left its parent.",
        example: "branches",
        flags: &[],
        start: branches,
    },
];

/// Refuses a branch too many.
pub(in crate::commands) fn room(session: &Session) -> Result<(), Failure> {
    if session.time.count() < BRANCHES_MAX {
        return Ok(());
    }
    let message = format!("there are {BRANCHES_MAX} branches already, and no more are kept");
    Err(Failure { kind: "unavailable".into(), message, hint: None }
        .hint("`branches` lists them; those in memory are gone when the session ends"))
}

/// Makes the replica of `roll` the current branch.
pub(super) fn adopt(session: &mut Session, roll: Roll, what: &str) {
    let Roll { journal, mut replica, .. } = roll;
    let forked_at = replica.reached();
    replica.console.tape().attach(session.outside());
    let own = replica.cut(&journal);
    let lab = replica.console.into_session().into_lab(replica.disk, own);
    session.add_branch(what, forked_at, lab);
}

/// Says which branch is the current one now.
pub(super) fn arrived(session: &mut Session) -> Turn {
    let (id, states) = (session.time.current(), session.branches());
    let parent = states.get(id).and_then(|state| states.get(state.parent?));
    let parent = parent.map(|parent| parent.name.clone()).unwrap_or_default();
    let Some(state) = states.into_iter().nth(id) else { return Turn::Done(structured(())) };
    let line = OutputLine::text("You are on ").strong(state.name.clone());
    session.say(match state.forked_at {
        Some(step) => {
            let line = line.plain(format!(", which left {parent} behind step "));
            line.number(text::count(step)).plain(". It is in memory only: not saved.")
        }
        None => line.plain("."),
    });
    Turn::Done(structured(state))
}

struct Fork {
    step: Option<Step>,
    roll: Option<Roll>,
    ready: bool,
}

fn fork(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "a step")?;
    let step = args.number_at(0, "the step")?;
    Ok(Box::new(Fork { step, roll: None, ready: false }))
}

impl Fork {
    fn begin(&self, session: &mut Session) -> Result<Roll, Failure> {
        room(session)?;
        let step = self.step.or(session.time.looks_at);
        let journal = session.journal_of(step.unwrap_or_else(|| session.tape.step()))?;
        // The replica goes on as a branch: nobody's answers may have left traces in it.
        let goal = step.map_or(Goal::End, Goal::Step);
        Ok(Roll::fresh(session, journal, goal))
    }
}

impl Task for Fork {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let mut roll = match self.roll.take() {
            Some(roll) => roll,
            None => self.begin(session)?,
        };
        if !self.ready {
            self.ready = roll.advance()?;
            self.roll = Some(roll);
            // The host tells what happened on this branch before it is left.
            return Ok(if self.ready { Turn::Breath } else { Turn::More });
        }
        adopt(session, roll, "fork");
        Ok(arrived(session))
    }

    fn position(&self) -> (u64, Option<u64>) {
        self.roll.as_ref().map_or((0, None), Roll::position)
    }
}

struct Switch {
    word: String,
    ready: bool,
}

fn branch(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 2, "the name or number of a branch")?;
    // `branch fork 1` needs no quotes.
    let words: Vec<&str> = (0..args.words.len()).filter_map(|at| args.text(at)).collect();
    Ok(Box::new(Switch { word: words.join(" "), ready: false }))
}

impl Task for Switch {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some(id) = session.time.find(&self.word) else {
            let names: Vec<&str> = session.time.names().collect();
            let hint = format!("there are: {}", text::printable(&names.join(", ")));
            let message = format!("there is no branch {}", text::printable(&self.word));
            return Err(Failure::usage(message).hint(hint).into());
        };
        if !std::mem::replace(&mut self.ready, true) {
            return Ok(Turn::Breath);
        }
        session.switch(id);
        Ok(arrived(session))
    }
}

fn branches(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(once(|session| {
        let (states, current) = (session.branches(), session.time.current());
        for state in &states {
            session.say(line(state, &states, state.id == current));
        }
        Ok(structured(states))
    }))
}

fn line(state: &BranchState, all: &[BranchState], current: bool) -> OutputLine {
    let line = OutputLine::text(if current { "* " } else { "  " });
    let line = line.number(state.id.to_string()).plain("  ").strong(state.name.clone()).pad_to(16);
    let line = line.number(text::counted(state.steps, "step")).pad_to(30);
    let parent = state.parent.and_then(|parent| all.get(parent));
    let line = match (parent, state.forked_at) {
        (Some(parent), Some(step)) => {
            line.plain(format!("left {} behind step {}", parent.name, text::count(step)))
        }
        _ => line.plain("the session began here"),
    };
    let line = if state.parent.is_some() { line.dim(", not saved") } else { line };
    match &state.pastless {
        Some(why) => line.dim(format!("; {}", text::printable(why))),
        None => line,
    }
}
