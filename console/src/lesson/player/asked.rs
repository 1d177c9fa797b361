//! Requests of a learner to a lesson: to go on, an answer, a hint.

use super::{Player, Resume};
use crate::language::Number;
use crate::lesson::run::acts::Act;
use crate::lesson::run::settle::agree;
use crate::lesson::{Answer, Ask, ValueKind, What};
use crate::output::Failure;
use crate::result::{LessonOutcome, LessonReveal, LessonWaits};
use serde_json::Value;

impl Player {
    /// Goes on, where `strayed` from the state in which the learner's own commands have left the database.
    pub(super) fn next(&mut self, skips: bool, strayed: bool) -> Result<(), Failure> {
        match self.waits.clone() {
            LessonWaits::Over {} => {
                let failure = Failure::usage("the lesson is over");
                return Err(failure.hint("`leave` goes back to your own database"));
            }
            LessonWaits::Answered { name } => {
                let failure = Failure::usage(format!("the question {name} waits for an answer"));
                return Err(
                    failure.hint("`answer 1` answers it; `answer ?` means that you do not know")
                );
            }
            LessonWaits::Done { name } if !skips => {
                let failure = Failure::usage(format!("the task {name} is not done yet"));
                return Err(failure.hint("`hint` helps; `next --skip` lets the lesson do it"));
            }
            LessonWaits::Done { .. } => {
                self.skip_task();
                return Ok(());
            }
            LessonWaits::Typed { .. } => self.types = true,
            LessonWaits::Read { scene } => {
                if scene && let Some(act) = self.acts.get(self.at) {
                    self.scene = self.scene_of(act.item());
                }
                self.pause = None;
            }
        }
        if strayed || (self.own_way && self.needs_authors_way()) {
            self.restart(self.at);
            self.resumes = Resume::With(None);
        }
        Ok(())
    }

    /// The lesson does the task itself, in a database as the author had it.
    fn skip_task(&mut self) {
        let Some(Act::Try(item)) = self.last_act().cloned() else { return };
        let rest = self.acts.iter().skip(self.at);
        let own = rest.take_while(|act| act.item() == item).count();
        self.tried.or_default(item).outcome = Some(LessonOutcome::Shown);
        self.restart(self.at + own);
    }

    /// Takes an answer to the question that waits for one, or was answered and is not revealed yet.
    pub(super) fn answer(&mut self, given: Option<&str>) -> Result<(), Failure> {
        let put = self.acts.get(..self.at).unwrap_or_default().iter().rev();
        let open = put.filter_map(|act| match act {
            Act::Ask(item) => Some(*item),
            _ => None,
        });
        let open = open.take_while(|item| {
            self.asked.get(item).is_none_or(|asked| asked.reveal.is_none())
                && self.scene_of(*item) == self.scene
        });
        let waiting = |item: &usize| self.asked.get(item).is_none_or(|asked| asked.given.is_none());
        let open: Vec<usize> = open.collect();
        let item = open.iter().copied().find(waiting).or_else(|| open.first().copied());
        let (Some(item), Some(What::Ask(ask))) = (item, item.and_then(|item| self.what(item)))
        else {
            return Err(Failure::usage("no question waits for an answer"));
        };
        let given = given.map(|given| given.trim().to_owned()).unwrap_or_default();
        fits(ask, &given)?;
        self.asked.or_default(item).given = Some(given);
        if matches!(self.pause, Some(LessonWaits::Answered { .. })) {
            self.pause = None;
        }
        Ok(())
    }

    /// Reveals one more hint of the task, and after the last one the solution.
    pub(super) fn hint(&mut self) -> Result<(), Failure> {
        let (Some(Act::Try(item)), LessonWaits::Done { .. }) =
            (self.last_act().cloned(), &self.waits)
        else {
            return Err(Failure::usage(
                "there are hints for tasks only, and no task waits to be done",
            ));
        };
        let Some(What::Try(task)) = self.what(item) else { return Ok(()) };
        let count = task.hints.len();
        let tried = self.tried.or_default(item);
        if tried.hints < count {
            tried.hints += 1;
        } else {
            tried.sees_solution = true;
        }
        Ok(())
    }

    /// Takes the engine's answer to the question of `item`.
    pub(super) fn reveal(
        &mut self,
        item: usize,
        choice: Option<usize>,
        words: String,
        value: &Value,
    ) {
        let Some(What::Ask(ask)) = self.what(item) else { return };
        let because = ask.because.clone();
        let given = self.asked.get(&item).and_then(|asked| asked.given.clone());
        let given = given.filter(|given| !given.is_empty());
        let right = given.map(|given| match &ask.answer {
            Answer::Choices(_) => choice.is_some_and(|choice| given == (choice + 1).to_string()),
            Answer::Value { kind, within, .. } => agree(*kind, &given, value, within.as_deref()),
        });
        let choice = choice.map(|choice| choice + 1);
        self.asked.or_default(item).reveal = Some(LessonReveal { choice, words, right, because });
    }
}

/// Whether `given` may answer `ask`: empty, a choice, or a value of its kind.
fn fits(ask: &Ask, given: &str) -> Result<(), Failure> {
    if given.is_empty() {
        return Ok(());
    }
    match &ask.answer {
        Answer::Choices(choices) => {
            let choice: Option<usize> = given.parse().ok();
            let count = choices.len();
            if choice.is_some_and(|choice| (1..=count).contains(&choice)) {
                return Ok(());
            }
            Err(Failure::usage(format!("the choices are 1 to {count}, and ?")))
        }
        Answer::Value { kind: ValueKind::Number, .. } => match Number::parse(given) {
            Some(_) => Ok(()),
            None => Err(Failure::usage("the question is answered by a number, or ?")),
        },
        Answer::Value { .. } => Ok(()),
    }
}
