//! The outcome of an act, held against the lesson's claims.

use super::acts::{Act, compares_before, is_of_the_tree, objects};
use super::{Happened, Moment, Outcome, Runner};
use crate::commands::{judge, shown};
use crate::console::Console;
use crate::language::{Arithmetic, Fold, Number, Op, Operand, Path, Test};
use crate::lesson::{Answer, Ask, Choice, Line, RunClaimKind, Try, ValueKind, What};
use crate::prose::plain;
use serde_json::Value;

const COUNTS: &[&str] = &["no", "one", "two", "three", "four", "five", "six"];

impl Runner {
    /// Ends `act`.
    pub(super) fn settle(
        &mut self,
        act: &Act,
        outcomes: Vec<Outcome>,
        console: &Console,
    ) -> Moment {
        let line = self.line(act);
        let what = self.what(act.item()).cloned();
        let happened = match (act, what) {
            (Act::Ask(_), Some(What::Ask(ask))) => {
                self.put(&ask, &outcomes);
                Happened::Asked
            }
            (Act::Answer(_), Some(What::Ask(ask))) => self.answer(line, &ask, &outcomes),
            (Act::Type(_, number), Some(What::Run(lines))) => {
                let line = lines.get(*number);
                let expected = line.is_some_and(|line| {
                    line.claims.iter().any(|claim| matches!(claim.what, RunClaimKind::Fails(_)))
                });
                self.typed(line.map(|line| line.line).unwrap_or_default(), expected, outcomes)
            }
            (Act::Claim(_, line, claim), Some(What::Run(lines))) => {
                let claim = lines.get(*line).and_then(|line| line.claims.get(*claim));
                if let Some(claim) = claim {
                    self.claim(claim.line, &claim.what, &outcomes);
                }
                Happened::Tested
            }
            (Act::Check(_, number), Some(What::Check(claims))) => {
                if let Some(claim) = claims.get(*number) {
                    self.holds(claim.line, &outcomes);
                }
                Happened::Tested
            }
            (Act::Try(_), Some(What::Try(task))) => {
                self.not_done_yet(line, &task, &outcomes);
                Happened::Asked
            }
            (Act::Solve(_, number), Some(What::Try(task))) => {
                let line = task.solution.get(*number).map(|(line, _)| *line);
                self.typed(line.unwrap_or_default(), false, outcomes)
            }
            (Act::Solved(_), Some(What::Try(task))) => {
                self.solved(line, &task, &outcomes);
                Happened::Solved
            }
            (Act::Show(_), Some(What::Show(show))) => {
                let mut outcomes = outcomes.iter();
                for (own, object) in objects(&show) {
                    let is_there = is_of_the_tree(object, console)
                        .unwrap_or_else(|| outcomes.next().is_some_and(|found| found.verdict().0));
                    if !is_there {
                        let message = format!("there is no {object} at this point");
                        // The object stands in the line after the fence.
                        self.wrong(own.unwrap_or(Line(line.0 + 1)), message);
                    }
                }
                Happened::Shown
            }
            _ => Happened::Shown,
        };
        Moment { item: act.item(), line: line.0, what: happened }
    }

    /// Remembers the values that choices compare with later ones.
    fn put(&mut self, ask: &Ask, outcomes: &[Outcome]) {
        let claims = ask.answer.claims().into_iter();
        let claims = claims.filter(|claim| compares_before(&claim.condition.test));
        for (claim, outcome) in claims.zip(outcomes) {
            self.before.insert(claim.line.0, outcome.part());
        }
    }

    fn typed(&mut self, line: Line, expected: bool, outcomes: Vec<Outcome>) -> Happened {
        let Some(outcome) = outcomes.into_iter().next() else { return Happened::Tested };
        if let Some(failure) = outcome.failure.as_ref().filter(|_| !expected) {
            let message = format!("the command fails: {}", super::super::block::in_one(failure));
            self.wrong(line, message);
        }
        self.last = (outcome.value, outcome.failure);
        Happened::Ran(Box::new(outcome.response.unwrap_or_default()))
    }

    fn claim(&mut self, line: Line, claim: &RunClaimKind, outcomes: &[Outcome]) {
        match claim {
            RunClaimKind::Database(_) => return self.holds(line, outcomes),
            // A command that fails has no result, and is reported already.
            RunClaimKind::Result(_) if self.last.1.is_some() => {}
            claim => {
                if let Some(message) = self.last_is_wrong(claim) {
                    self.wrong(line, message);
                }
            }
        }
        self.claims += 1;
    }

    /// The contradiction to a claim about the command that was typed last; `None`: it holds.
    pub(in crate::lesson) fn last_is_wrong(&self, claim: &RunClaimKind) -> Option<String> {
        match (claim, &self.last.1) {
            (RunClaimKind::Database(_), _) => None,
            (RunClaimKind::Result(_), Some(failure)) => Some(failure.message.clone()),
            (RunClaimKind::Result(test), None) => {
                let verdict = judge(test, &self.last.0, None);
                let sentence = format!("-> {} {}", test.path, verdict.sentence);
                (!verdict.holds).then_some(sentence)
            }
            (RunClaimKind::Fails(kind), Some(failure)) => (failure.kind != *kind).then(|| {
                let (found, message) = (&failure.kind, &failure.message);
                format!("the command fails with {found}, not {kind}: {message}")
            }),
            (RunClaimKind::Fails(kind), None) => {
                Some(format!("the command does not fail; the lesson expects {kind}"))
            }
        }
    }

    /// Reports a condition that does not hold.
    fn holds(&mut self, line: Line, outcomes: &[Outcome]) {
        self.claims += 1;
        for (held, sentence, _) in outcomes.iter().map(Outcome::verdict) {
            if !held {
                self.wrong(line, sentence);
            }
        }
    }

    /// Begins a task: remembers the values that its conditions compare with later ones.
    fn not_done_yet(&mut self, line: Line, task: &Try, outcomes: &[Outcome]) {
        // Nothing has been typed for it yet.
        self.last = (Value::Null, None);
        let mut all_hold = task.conditions().count() == task.done.len();
        for ((at, condition), outcome) in task.conditions().zip(outcomes) {
            let (mut held, mut sentence, mut testable) = outcome.verdict();
            if compares_before(&condition.test) {
                let value = outcome.part();
                let test = Test { path: whole(), claim: condition.test.claim.clone() };
                let verdict = judge(&test, &value, Some(&value));
                (held, sentence, testable) = (verdict.holds, verdict.sentence, verdict.testable);
                self.before.insert(at.0, value);
            }
            if !testable {
                self.wrong(at, sentence);
            }
            all_hold &= held;
        }
        if all_hold {
            self.wrong(line, format!("task {} is done before it begins", task.name));
        }
    }

    /// Tests the goals of a task after the author's solution.
    fn solved(&mut self, line: Line, task: &Try, outcomes: &[Outcome]) {
        self.claims += 1;
        let mut outcomes = outcomes.iter();
        for goal in &task.done {
            let (held, sentence) = match &goal.claim.what {
                RunClaimKind::Database(_) => {
                    let (held, sentence, _) =
                        outcomes.next().map(Outcome::verdict).unwrap_or_default();
                    (held, sentence)
                }
                claim => match self.last_is_wrong(claim) {
                    None => (true, String::new()),
                    Some(sentence) => (false, sentence),
                },
            };
            if !held {
                let name = &task.name;
                let message = format!("the solution of {name} does not reach its goal: {sentence}");
                self.wrong(line, message);
            }
        }
    }

    fn answer(&mut self, line: Line, ask: &Ask, outcomes: &[Outcome]) -> Happened {
        self.claims += 1;
        match &ask.answer {
            Answer::Choices(choices) => self.choice(line, ask, choices, outcomes),
            Answer::Value { kind, expected, of, within } => {
                let outcome = outcomes.first();
                let value = outcome.map(Outcome::part).unwrap_or_default();
                let (_, sentence, testable) = outcome.map(Outcome::verdict).unwrap_or_default();
                let words = match &value {
                    Value::String(text) => text.clone(),
                    value => shown(value),
                };
                if !testable || value.is_null() {
                    self.wrong(of.line, sentence);
                } else if let Some((line, expected)) = expected
                    && !agree(*kind, expected, &value, within.as_deref())
                {
                    self.wrong(
                        *line,
                        format!("the lesson expects {expected}, the engine returns {words}"),
                    );
                }
                Happened::Answered { choice: None, words, value }
            }
        }
    }

    fn choice(
        &mut self,
        line: Line,
        ask: &Ask,
        choices: &[Choice],
        outcomes: &[Outcome],
    ) -> Happened {
        let mut verdicts = outcomes.iter().map(Outcome::verdict);
        let mut holding = Vec::new();
        let mut marked = String::new();
        for (at, choice) in choices.iter().enumerate() {
            let mut all = true;
            for (claim, (held, sentence, testable)) in choice.conditions.iter().zip(&mut verdicts) {
                if !testable {
                    self.wrong(claim.line, sentence.clone());
                }
                if all && !held && choice.marked {
                    marked = sentence;
                }
                all &= held;
            }
            if all {
                holding.push((at, choice));
            }
        }
        let name = &ask.name;
        match holding.as_slice() {
            [] => self.wrong(line, format!("no choice of question {name} holds: {marked}")),
            [(_, choice)] if choice.marked => {}
            [(_, choice)] => {
                let message = format!(
                    "the choice marked (x) does not hold; the engine's answer is that of line {}",
                    choice.line.0
                );
                self.wrong(line, message);
            }
            several => {
                let count = COUNTS.get(several.len()).copied().unwrap_or("several");
                let lines: Vec<String> =
                    several.iter().map(|(_, choice)| choice.line.0.to_string()).collect();
                let (last, others) =
                    lines.split_last().map_or(("", &[][..]), |(l, o)| (l.as_str(), o));
                let message = format!(
                    "{count} choices of question {name} hold: those of lines {} and {last}",
                    others.join(", ")
                );
                self.wrong(line, message);
            }
        }
        let first = holding.first();
        let words = first.map_or_else(String::new, |(_, choice)| plain(&choice.text));
        Happened::Answered { choice: first.map(|(at, _)| *at), words, value: Value::Null }
    }
}

/// The path to the result itself.
fn whole() -> Path {
    Path { fold: None::<Fold>, steps: Vec::new() }
}

/// Whether the author and the engine agree.
pub(in crate::lesson) fn agree(
    kind: ValueKind,
    expected: &str,
    value: &Value,
    within: Option<&str>,
) -> bool {
    let operand = match kind {
        ValueKind::Number => match Number::parse(expected) {
            Some(number) => Operand::Number(number),
            None => return false,
        },
        ValueKind::Word | ValueKind::Pick => match value {
            Value::String(text) => return text == expected,
            value => return shown(value) == expected,
        },
    };
    let Some(within) = within.and_then(Number::parse) else {
        let test = Test { path: whole(), claim: Some((Op::Is, operand)) };
        return judge(&test, value, None).holds;
    };
    // The value is at most so far from the lesson's, on both sides.
    let near = |op, arithmetic| {
        let center = expected_value(&operand);
        let claim = Some((op, Operand::Before(Some((arithmetic, within)))));
        judge(&Test { path: whole(), claim }, value, Some(&center)).holds
    };
    near(Op::AtLeast, Arithmetic::Minus) && near(Op::AtMost, Arithmetic::Plus)
}

/// The number of the author as a result has it.
fn expected_value(operand: &Operand) -> Value {
    let text = operand.to_string();
    serde_json::from_str(&text).unwrap_or_default()
}
