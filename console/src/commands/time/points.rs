//! `break`: where commands and Play are to stop.

use super::GROUP;
use crate::commands::Command;
use crate::history::{BreakpointHit, POINTS_MAX, Trigger, event_words};
use crate::language::{Args, At, Statement, Verb, What, offer};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::DeletedResult;
use crate::session::{Session, Stop, Task, once};
use crate::text;
use levelscope::storage::Crash;

pub(in crate::commands) const VERBS: &[Command] = &[Verb {
    name: "break",
    group: GROUP,
    usage: "break before|after EVENT | break on key K|table N|wal N|level N|drop|tombstone-gc|bloom-fp|stall \
        | break when WHAT >= N | break list | break delete N|all",
    purpose: "Sets a breakpoint. Commands and Play stop when it strikes, at the end of the engine's call.",
    example: "break before flush.install; break when l0 >= 4; break list; break delete all",
    ..Verb::SESSION
}
.starts(start)
.synonyms(&["breakpoint"])
.offers(&[
    offer(At::Words(&[]), What::Words(&["before", "after", "on", "when", "list", "delete"])),
    offer(At::Words(&["before"]), What::Events),
    offer(At::Words(&["after"]), What::Events),
    offer(At::Words(&["on"]), What::Cases),
    offer(At::Words(&["when"]), What::Quantities),
    offer(At::Words(&["on", "key"]), What::Keys),
])];

/// Prints that a breakpoint struck, and how many commands after it were not run.
pub(crate) fn print(session: &mut Session, hit: &BreakpointHit, not_run: u64) {
    let what = if hit.crash.is_some() { "Crash point " } else { "Breakpoint " };
    let line = OutputLine::new().strong(what).number(hit.breakpoint.to_string());
    let when = if hit.before { ", before step " } else { ", at step " };
    let line = line.plain(when).number(text::count(hit.step)).plain(": ");
    session.print(line.plain(text::printable(&hit.sentence)));
    if not_run > 0 {
        let left = text::counted(not_run, "command");
        session.print(OutputLine::note(format!("({left} after it not run)")));
    }
}

/// The event that `word` names.
pub(super) fn event(word: &str, before: bool) -> Result<Trigger, Failure> {
    Trigger::event(word, before).ok_or_else(|| {
        let failure = Failure::usage(format!("there is no event {}", text::printable(word)));
        match crate::language::closest(word, event_words()) {
            Some(meant) => failure.hint(format!("did you mean {meant}?")),
            None => failure.hint("for example flush.install, wal.sync, compaction, op.put"),
        }
    })
}

/// Sets a breakpoint or crash point.
pub(super) fn set(
    session: &mut Session,
    text: String,
    trigger: Trigger,
    (before, crash): (bool, Option<Crash>),
) -> Result<Answer, Stop> {
    let now = session.view();
    let set = session.time.points.set((text, trigger), before, crash, now);
    let Some(state) = set else {
        let message = format!("there are {POINTS_MAX} breakpoints already");
        return Err(Failure::usage(message).hint("`break delete all` deletes them").into());
    };
    let line = OutputLine::text("breakpoint ").number(state.number.to_string());
    session.print(line.plain(": ").plain(text::printable(&state.text)));
    Ok(Answer::other(state))
}

fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    let word = |at: usize| args.text(at).unwrap_or("");
    match word(0) {
        "" | "list" => {
            args.expect(0, 1, "list")?;
            Ok(once(|session| Ok(list(session))))
        }
        "delete" => {
            let what = "the number of a breakpoint, or all";
            args.expect_form("break delete", 2, what, "break delete 1")?;
            let number = match word(1) {
                "all" => None,
                _ => args.number_at(1, "the breakpoint")?,
            };
            Ok(once(move |session| delete(session, number)))
        }
        _ => match place(args)? {
            Some(Place { text, trigger, before }) => {
                Ok(once(move |session| set(session, text.clone(), trigger.clone(), (before, None))))
            }
            None => Err(args.verb.misused("break takes before, after, on, when, list or delete")),
        },
    }
}

/// A moment, in the words of `break` and `until`.
pub(in crate::commands) struct Place {
    /// As it was typed.
    pub(in crate::commands) text: String,
    pub(in crate::commands) trigger: Trigger,
    /// Whether it is the moment just before the event.
    pub(in crate::commands) before: bool,
}

/// The moment that the words after the verb name; `None` when they begin with none of before, after, on and when.
pub(in crate::commands) fn place(args: &Args) -> Result<Option<Place>, Failure> {
    let verb = args.verb.name;
    let word = |at: usize| args.text(at).unwrap_or("");
    Ok(Some(match word(0) {
        side @ ("before" | "after") => {
            let example = format!("{verb} {side} flush.install");
            args.expect_form(&format!("{verb} {side}"), 2, "the name of an event", &example)?;
            let before = side == "before";
            let trigger = event(word(1), before)?;
            Place { text: format!("{side} {}", word(1)), trigger, before }
        }
        "on" => {
            let trigger = on(args)?;
            let words: Vec<String> = args.words.iter().map(|w| text::word(&w.bytes)).collect();
            Place { text: words.join(" "), trigger, before: false }
        }
        "when" => {
            let words: Vec<&str> = (1..args.words.len()).filter_map(|at| args.text(at)).collect();
            let words = words.join(" ");
            let trigger = Trigger::condition(&words).ok_or_else(|| {
                args.verb.misused("when takes a figure, a comparison and a number: when l0 >= 4")
                    .hint("figures: l0 to l31, tables, memtables, jobs, stall, slowdown; comparisons: < <= = >= >")
            })?;
            Place { text: format!("when {words}"), trigger, before: false }
        }
        _ => return Ok(None),
    }))
}

/// Arguments of `on`.
const CASES: &str = "key K, table N, wal N, level N, drop, tombstone-gc, bloom-fp or stall";

fn on(args: &Args) -> Result<Trigger, Failure> {
    let verb = args.verb.name;
    let number = |what| args.number_at(2, what).map(Option::unwrap_or_default);
    let case = args.text(1).unwrap_or("");
    let (what, example) = match case {
        "key" => ("a key", "on key apple"),
        "table" | "sst" => ("the number of a table", "on table 4"),
        "wal" => ("the number of a log", "on wal 2"),
        "level" => ("a level", "on level 1"),
        _ => ("", "on drop"),
    };
    let example = format!("{verb} {example}");
    if what.is_empty() {
        args.expect_form(&format!("{verb} on"), 2, CASES, &example)?;
    } else {
        args.expect_form(&format!("{verb} on {case}"), 3, what, &example)?;
    }
    match case {
        "key" => Ok(Trigger::Key(args.bytes(2))),
        "table" | "sst" => number("the table").map(Trigger::Table),
        "wal" => number("the log").map(Trigger::Wal),
        "level" => {
            let level =
                args.text(2).and_then(|text| text.trim_start_matches(['l', 'L']).parse().ok());
            level.map(Trigger::Level).ok_or_else(|| {
                let shown = text::short_word(&args.bytes(2), 32);
                let failure = Failure::usage(format!("{shown} is no level"));
                failure.hint(format!("for example: {example}"))
            })
        }
        case => Trigger::case(case).ok_or_else(|| {
            let shown = text::printable(case);
            let failure = Failure::usage(format!("{verb} on takes {CASES}, not {shown}"));
            failure.hint(format!("for example: {example}"))
        }),
    }
}

fn list(session: &mut Session) -> Answer {
    let points = session.time.points.list();
    for point in &points {
        let line = OutputLine::new().number(format!("{:>3}", point.number)).plain("  ");
        let line = line.plain(text::printable(&point.text)).pad_to(36).plain("  ");
        session.print(line.dim(text::counted(point.hits, "hit")));
    }
    if points.is_empty() {
        session.print(OutputLine::note("There are no breakpoints."));
    }
    Answer::other(points)
}

fn delete(session: &mut Session, number: Option<u64>) -> Result<Answer, Stop> {
    let deleted = session.time.points.delete(number);
    if let Some(number) = number.filter(|_| deleted == 0) {
        let failure = Failure::usage(format!("there is no breakpoint {number}"));
        return Err(failure.hint("`break list` lists them").into());
    }
    session.print(OutputLine::text(format!(
        "{} deleted",
        text::counted(deleted as u64, "breakpoint")
    )));
    Ok(Answer::other(DeletedResult { deleted }))
}
