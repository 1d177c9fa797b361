//! `fork`, `branch` and `branches`.

use super::GROUP;
use crate::commands::Command;
use crate::history::{Step, unavailable};
use crate::language::{Args, At, Statement, Verb, What, offer, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::session::{BRANCHES_MAX, BranchState, Goal, Session, Stop, Task, Turn, once};
use crate::text;
use crate::time::ReplicaRun;

pub(in crate::commands) const VERBS: &[Command] = &[
    Verb {
        name: "fork",
        group: GROUP,
        usage: "fork [STEP]",
        purpose: "Forks a new branch in memory from a step of the past, or from the current step.",
        example: "put a 1; fork",
        ..Verb::SESSION
    }
    .starts(fork),
    Verb {
        name: "branch",
        group: GROUP,
        usage: "branch NAME | branch NUMBER | branch --drop NAME",
        purpose: "Switches to another branch; the present one stays as it is. With --drop, deletes a branch that is not current.",
        example: "fork; branch main; branch --drop 1",
        flags: &[switch("--drop", "deletes this branch and frees its memory")],
        ..Verb::SESSION
    }
    .starts(branch)
    .synonyms(&["checkout"])
    .offers(&[offer(At::Words(&[]), What::Branches)]),
    Verb {
        name: "branches",
        group: GROUP,
        usage: "branches",
        purpose: "Lists the branches, and where each left its parent.",
        example: "branches",
        ..Verb::SESSION
    }
    .starts(branches),
];

/// Refuses a branch too many.
pub(in crate::commands) fn room(session: &Session) -> Result<(), Failure> {
    room_for(session, 1)
}

/// Refuses to begin more than the branches that are kept.
pub(in crate::commands) fn room_for(session: &Session, more: usize) -> Result<(), Failure> {
    let there = session.time.count();
    if there + more <= BRANCHES_MAX {
        return Ok(());
    }
    let failure = unavailable(&if there < BRANCHES_MAX {
        format!("{more} branches are needed: there are {there}, and {BRANCHES_MAX} are kept")
    } else {
        format!("there are {BRANCHES_MAX} branches already, and no more are kept")
    });
    Err(failure
        .hint("`branch --drop NAME` forgets one that you no longer need; `branches` lists them"))
}

/// Makes the replica of `run` the current branch.
///
/// # Errors
/// The journal cannot be followed.
pub(super) fn adopt(session: &mut Session, run: ReplicaRun, what: &str) -> Result<(), Failure> {
    let ReplicaRun { journal, mut replica, .. } = run;
    let forked_at = replica.reached();
    replica.console.session().tape.attach(session.outside());
    let own = replica.cut(&journal)?;
    let lab = replica.console.into_session().into_workspace(replica.disk, own);
    let id = session.add_branch(what, Some(forked_at), lab);
    session.switch(id);
    Ok(())
}

/// Prints the name of the current branch.
pub(super) fn arrived(session: &mut Session) -> Turn {
    let states = session.branches();
    let Some(state) = states.iter().find(|state| state.id == session.time.current()) else {
        return Turn::Done(Answer::other(()));
    };
    let parent = parent_name(state, &states);
    let line = OutputLine::text("You are on ").strong(state.name.clone());
    session.print(match state.forked_at {
        Some(step) => {
            let line = line.plain(format!(", which left {parent} after step "));
            line.number(text::count(step)).plain(". It is in memory only: not saved.")
        }
        None if state.id == 0 => line.plain("."),
        None => line.plain(", a database of its own. It is in memory only: not saved."),
    });
    Turn::Done(Answer::other(state))
}

/// The name of the parent of `state`, even if it was dropped.
fn parent_name(state: &BranchState, all: &[BranchState]) -> String {
    let parent = all.iter().find(|other| Some(other.id) == state.parent);
    parent.map_or_else(|| "a dropped branch".to_owned(), |parent| parent.name.clone())
}

struct Fork {
    step: Option<Step>,
    run: Option<ReplicaRun>,
    ready: bool,
}

fn fork(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "a step")?;
    let step = args.step_at(0)?;
    Ok(Box::new(Fork { step, run: None, ready: false }))
}

impl Fork {
    fn begin(&self, session: &mut Session) -> Result<ReplicaRun, Failure> {
        room(session)?;
        let step = self.step.or(session.time.moment());
        let journal = session.journal_of(step.unwrap_or_else(|| session.tape.step()))?;
        // The replica continues as a branch, so it must have answered no command before.
        let goal = step.map_or(Goal::End, Goal::Step);
        Ok(ReplicaRun::fresh(session, journal, goal))
    }
}

impl Task for Fork {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let mut run = self.run.take().map_or_else(|| self.begin(session), Ok)?;
        if !self.ready {
            self.ready = run.advance()?;
            self.run = Some(run);
            // The host sends the events of this branch before it switches to another one.
            return Ok(if self.ready { Turn::Breath } else { Turn::More });
        }
        let (asked, reached) = (run.step(), run.replica.reached());
        adopt(session, run, "fork")?;
        if let Some(asked) = asked.filter(|asked| *asked < reached) {
            let (asked, reached) = (text::count(asked), text::count(reached));
            session.print(OutputLine::note(format!(
                "as of step {reached}, the end of the call that contains step {asked}:"
            )));
        }
        Ok(arrived(session))
    }

    fn position(&self) -> (u64, Option<u64>) {
        self.run.as_ref().map_or((0, None), ReplicaRun::position)
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
    let word = words.join(" ");
    if args.has("--drop") {
        return Ok(once(move |session| forget(session, &word)));
    }
    Ok(Box::new(Switch { word, ready: false }))
}

/// The number of the branch that is called `word`.
fn known(session: &Session, word: &str) -> Result<usize, Failure> {
    session.time.find(word).ok_or_else(|| {
        let names: Vec<&str> = session.time.names().collect();
        let hint = format!("there are: {}", text::printable(&names.join(", ")));
        let message = format!("there is no branch {}", text::printable(word));
        Failure::usage(message).hint(hint)
    })
}

/// Drops a branch that waits in memory.
fn forget(session: &mut Session, word: &str) -> Result<Answer, Stop> {
    let id = known(session, word)?;
    if id == 0 {
        let failure = Failure::usage("main is not dropped: the session began with it");
        return Err(failure.hint("`reset` deletes what a database holds").into());
    }
    if id == session.time.current() {
        let message = format!("{} is the current branch", session.time.current_name());
        return Err(Failure::usage(message).hint("go to another one first: `branch main`").into());
    }
    let name = session.drop_branch(id)?.unwrap_or_default();
    session.print(OutputLine::new().strong(&name).plain(" is dropped, and its memory is free."));
    Ok(Answer::other(session.branches()))
}

impl Task for Switch {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let id = known(session, &self.word)?;
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
        session.lines.extend(states.iter().map(|state| line(state, &states, state.id == current)));
        Ok(Answer::other(states))
    }))
}

fn line(state: &BranchState, all: &[BranchState], current: bool) -> OutputLine {
    let line = OutputLine::text(if current { "* " } else { "  " });
    let line = line.number(state.id.to_string()).plain("  ").strong(state.name.clone()).pad_to(16);
    let line = line.number(text::counted(state.steps, "step")).pad_to(30);
    let line = match state.forked_at {
        Some(step) => {
            let parent = parent_name(state, all);
            line.plain(format!("left {parent} after step {}", text::count(step)))
        }
        None if state.id == 0 => line.plain("the session began here"),
        None => line.plain("a database of its own"),
    };
    let line = if state.id != 0 { line.dim(", not saved") } else { line };
    match &state.pastless {
        Some(why) => line.dim(format!("; {}", text::printable(why))),
        None => line,
    }
}
