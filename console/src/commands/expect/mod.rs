//! `expect`: a claim about the database, asked of a replica, so that looking changes nothing.

mod judge;

pub(crate) use judge::{Verdict, judge, shown};

use crate::commands::{self, Command};
use crate::language::{Args, At, Condition, Effect, Statement, Verb, What, offer};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::ExpectResult;
use crate::session::{Session, Stop, Task, Turn};
use crate::time::Question;
use serde_json::Value;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "expect",
    group: "look inside",
    usage: "expect COMMAND -> PATH [== != < <= > >= has VALUE]",
    purpose: "Runs a command that only reads on a copy of the database and tests a part of its result; a claim \
              that does not hold is an error. PATH is `it`, names and [N] or [*], or sum, count, min or max of \
              one; VALUE is a number, a text in quotes, true, false or none.",
    example: "put apple red; expect get apple -> value == \"red\"; expect levels -> count(levels[0].tables) == 0",
    ..Verb::SESSION
}
.starts(start)
.synonyms(&["assert"])
.offers(&[offer(At::Words(&[]), What::Verbs)])];

/// The kind of failure of a claim that does not hold.
const FALSE: &str = "false";

fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, usize::MAX, "a command, ->, and what its result is to be")?;
    let condition = Condition::of(&args.words)?;
    Ok(Box::new(Expect(Asking::new(condition, None)?)))
}

/// The task of `statement`, which may stand in a condition, and whether it leaves traces in the replica that answers it.
///
/// # Errors
/// It is no command, or it would do more than look.
pub(crate) fn may_ask(statement: &Statement) -> Result<(Box<dyn Task>, bool), Failure> {
    let (command, args) = commands::of(statement)?;
    let (name, effect) = (command.verb.name, (command.verb.effect)(&args));
    let why = match (name, effect) {
        // They hand out files.
        ("convert" | "export", _) => "it writes files",
        // It works on databases of its own.
        ("lab", _) | (_, Effect::Read | Effect::Look) => {
            // A wrong command fails before anything runs.
            return Ok(((command.start)(&args, statement)?, effect != Effect::Look));
        }
        (_, Effect::Change | Effect::Recorded) => "it changes the database",
        (_, Effect::Session) => "it is about the session, not about the database",
        (_, Effect::Host) => "it changes what is shown, not the database",
    };
    let message = format!("{name} may not stand in a condition: {why}");
    Err(Failure::usage(message).hint("conditions read, such as get, count, levels, stats or wal"))
}

/// A condition at work.
pub(crate) struct Asking {
    condition: Condition,
    /// The value when the question was put.
    before: Option<Value>,
    question: Question,
}

impl Asking {
    /// Asks whether `condition` holds.
    ///
    /// # Errors
    /// Those of [`may_ask`].
    pub(crate) fn new(condition: Condition, before: Option<Value>) -> Result<Self, Failure> {
        let (task, reads) = may_ask(&condition.statement()?)?;
        Ok(Self { condition, before, question: Question::new(task, None, reads) })
    }

    /// Does one unit; `None`: there is more to do.
    fn ask(&mut self, session: &mut Session) -> Result<Option<Verdict>, Stop> {
        let printed = session.lines.len();
        let asked = self.question.ask(session);
        session.lines.truncate(printed);
        Ok(match asked? {
            None => None,
            Some(Ok(answer)) => {
                Some(judge(&self.condition.test, &answer.value.value(), self.before.as_ref()))
            }
            Some(Err(failure)) => Some(Verdict {
                holds: false,
                testable: true,
                value: Value::Null,
                sentence: format!("fails: {}", failure.message),
            }),
        })
    }

    /// The claim in words, up to its verb.
    fn subject(&self) -> String {
        format!("{} -> {}", self.condition.command, self.condition.test.path)
    }

    fn result(&self, verdict: &Verdict) -> ExpectResult {
        ExpectResult {
            condition: self.condition.to_string(),
            holds: verdict.holds,
            testable: verdict.testable,
            value: verdict.value.clone(),
            sentence: format!("{} {}", self.subject(), verdict.sentence),
        }
    }
}

/// As a task of its own it never fails because of a claim: its result holds the verdict.
impl Task for Asking {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let verdict = self.ask(session)?;
        Ok(verdict.map_or(Turn::More, |verdict| Turn::Done(Answer::other(self.result(&verdict)))))
    }
}

/// The verb: a claim that does not hold is its failure.
struct Expect(Asking);

impl Task for Expect {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some(verdict) = self.0.ask(session)? else { return Ok(Turn::More) };
        let result = self.0.result(&verdict);
        if !verdict.holds {
            return Err(Failure::new(FALSE, result.sentence).into());
        }
        let line = OutputLine::text(self.0.subject()).plain(" ").plain(verdict.sentence);
        session.print(line.plain(", as expected"));
        Ok(Turn::Done(Answer::other(result)))
    }
}
