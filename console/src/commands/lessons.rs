//! The verbs of a lesson that is played: what they ask is done by the [`crate::lesson::Tutor`], above the console.

use super::Command;
use crate::language::{Args, At, Effect, Statement, Verb, What, flag, offer, switch};
use crate::output::{Answer, Failure};
use crate::session::{LessonRequest, Task, once};

pub(super) const GROUP: &str = "lessons";

/// The lessons of the library, in their order.
pub(crate) const IDS: &[&str] = &[
    "log",
    "rotation",
    "table",
    "reading",
    "filters",
    "merging",
    "deleting",
    "power",
    "pressure",
    "strategies",
    "prefixes",
    "together",
];

const fn verb(
    name: &'static str,
    usage: &'static str,
    purpose: &'static str,
    example: &'static str,
    flags: &'static [crate::language::Flag],
) -> Verb {
    Verb { name, group: GROUP, usage, purpose, example, flags, effect: |_| Effect::Session }
}

pub(super) const VERBS: &[Command] = &[
    verb(
        "lesson",
        "lesson | lesson [start] ID|NUMBER [--at N] | lesson recap ID QUESTION | lesson back",
        "Lists the lessons, starts one in a database of its own, asks one of its questions again, or drops what you did beside it.",
        "lesson",
        &[flag("--at", "n", "goes on from there: how far the lesson had come")],
    )
    .starts(lesson)
    .aliases(&["lessons"])
    .offers(&[
        offer(At::Words(&[]), What::Words(&["start", "recap", "back"])),
        offer(At::Words(&["start"]), What::Words(IDS)),
        offer(At::Words(&["recap"]), What::Words(IDS)),
    ]),
    verb(
        "next",
        "next [--skip]",
        "In a lesson: goes on, and types the next line of commands.",
        "next",
        &[switch("--skip", "the lesson does the task that is not done")],
    )
    .starts(next),
    verb(
        "answer",
        "answer N | answer WORD | answer ?",
        "In a lesson: answers its question; ? stands for \"I do not know\".",
        "answer 2",
        &[],
    )
    .starts(answer),
    verb(
        "hint",
        "hint",
        "In a lesson: prints the next hint for the task, and after the last one the solution.",
        "hint",
        &[],
    )
    .starts(hint),
    verb("leave", "leave", "Leaves the lesson; your own database is as it was.", "leave", &[])
    .starts(leave),
];

/// The id of the lesson that `word` names: by its id, or by its number from 1.
fn called(word: &str) -> Option<&'static str> {
    let number = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let by_number = number.and_then(|at| IDS.get(at));
    by_number.or_else(|| IDS.iter().find(|id| **id == word)).copied()
}

fn begins(word: &str, at: Option<u64>) -> Box<dyn Task> {
    let id = called(word).unwrap_or(word).to_owned();
    let at = usize::try_from(at.unwrap_or(0)).unwrap_or(usize::MAX);
    asks(LessonRequest::Start { id, at })
}

fn asks(request: LessonRequest) -> Box<dyn Task> {
    once(move |session| {
        session.asked_lesson = Some(request.clone());
        Ok(Answer::other(()))
    })
}

fn lesson(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    let at = args.number("--at")?;
    let request = match (args.text(0), args.words.len()) {
        (None, 0) => LessonRequest::List,
        (Some("back"), 1) => LessonRequest::Back,
        (Some("recap"), 3) => {
            let word = |at| args.text(at).unwrap_or_default().to_owned();
            LessonRequest::Recap { id: word(1), question: word(2) }
        }
        (Some("recap"), _) => {
            return Err(args
                .verb
                .misused("lesson recap needs the id of a lesson and the name of a question"));
        }
        (Some("start"), 1) => {
            return Err(args.verb.misused("lesson start needs the id of a lesson, such as log"));
        }
        (Some("start"), 2) => return Ok(begins(args.text(1).unwrap_or_default(), at)),
        (Some(word), 1) if called(word).is_some() => return Ok(begins(word, at)),
        _ => return Err(args.verb.misused("lesson takes start and an id, recap, or back")),
    };
    if at.is_some() {
        return Err(args.verb.misused("--at belongs to lesson start"));
    }
    Ok(asks(request))
}

fn next(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(asks(LessonRequest::Next { skips: args.has("--skip") }))
}

fn answer(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "the number of a choice, a value, or ?")?;
    let given = args.text(0).ok_or_else(|| args.verb.misused("an answer is text"))?;
    let given = (given != "?").then(|| given.to_owned());
    Ok(asks(LessonRequest::Answer(given)))
}

fn hint(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(asks(LessonRequest::Hint))
}

fn leave(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(asks(LessonRequest::Leave))
}
