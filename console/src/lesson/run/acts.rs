//! The acts of a lesson in order, and the jobs of each act.

use super::{Job, Runner};
use crate::console::Console;
use crate::language::{Condition, Operand, Path, Test};
use crate::lesson::{Answer, Claim, Lesson, Line, RunClaimKind, Show, Try, What};
use levelscope::Options;
use std::collections::VecDeque;

/// One act; the numbers are those of items, and of lines and claims in them.
#[derive(Debug, Clone)]
pub(in crate::lesson) enum Act {
    Fresh(usize, Box<Options>),
    /// Something to read.
    Text(usize),
    Show(usize),
    Ask(usize),
    Type(usize, usize),
    Claim(usize, usize, usize),
    /// The engine answers a question.
    Answer(usize),
    Check(usize, usize),
    /// A task must not be done yet.
    Try(usize),
    Solve(usize, usize),
    Solved(usize),
}

impl Act {
    pub(in crate::lesson) fn item(&self) -> usize {
        match self {
            Self::Fresh(item, _)
            | Self::Text(item)
            | Self::Show(item)
            | Self::Ask(item)
            | Self::Type(item, _)
            | Self::Claim(item, ..)
            | Self::Answer(item)
            | Self::Check(item, _)
            | Self::Try(item)
            | Self::Solve(item, _)
            | Self::Solved(item) => *item,
        }
    }
}

/// The acts of `lesson`.
pub(in crate::lesson) fn acts(lesson: &Lesson) -> VecDeque<Act> {
    let mut acts = VecDeque::new();
    let mut open = Vec::new();
    for (at, item) in lesson.items().enumerate() {
        match &item.what {
            What::Paragraph(_) | What::List { .. } | What::Note(_) => acts.push_back(Act::Text(at)),
            What::Show(_) => acts.push_back(Act::Show(at)),
            What::Start(start) => {
                acts.push_back(Act::Fresh(at, Box::new(start.options(lesson))));
            }
            What::Ask(_) => {
                acts.push_back(Act::Ask(at));
                open.push(at);
            }
            What::Run(lines) => {
                for (number, line) in lines.iter().enumerate() {
                    acts.push_back(Act::Type(at, number));
                    let claims = 0..line.claims.len();
                    acts.extend(claims.map(|claim| Act::Claim(at, number, claim)));
                }
                acts.extend(open.drain(..).map(Act::Answer));
            }
            What::Check(claims) => {
                acts.extend((0..claims.len()).map(|claim| Act::Check(at, claim)));
            }
            What::Try(task) => {
                acts.push_back(Act::Try(at));
                acts.extend((0..task.solution.len()).map(|line| Act::Solve(at, line)));
                acts.push_back(Act::Solved(at));
            }
        }
    }
    acts
}

impl Try {
    /// Its conditions on the database, with their lines.
    pub(in crate::lesson) fn conditions(&self) -> impl Iterator<Item = (Line, &Condition)> {
        let claims = self.done.iter().map(|goal| &goal.claim);
        claims.filter_map(|claim| Some((claim.line, claim.what.condition()?)))
    }
}

impl RunClaimKind {
    /// The condition on the database.
    pub(in crate::lesson) fn condition(&self) -> Option<&Condition> {
        match self {
            Self::Database(condition) => Some(condition),
            Self::Result(_) | Self::Fails(_) => None,
        }
    }
}

impl Answer {
    /// The conditions of its choices, or the command that computes its value.
    pub(in crate::lesson) fn claims(&self) -> Vec<&Claim> {
        match self {
            Self::Choices(choices) => {
                choices.iter().flat_map(|choice| &choice.conditions).collect()
            }
            Self::Value { of, .. } => vec![of],
        }
    }
}

impl Runner {
    /// The jobs of `act`.
    pub(super) fn jobs(&self, act: &Act, console: &Console) -> VecDeque<Job> {
        let ask = |condition: &Condition| Job::Ask(condition.clone(), None);
        match (act, self.what(act.item())) {
            (Act::Ask(_), Some(What::Ask(question))) => {
                let claims = question.answer.claims().into_iter();
                let earlier = claims.filter(|claim| compares_before(&claim.condition.test));
                earlier.map(|claim| Job::Ask(looked_at(&claim.condition), None)).collect()
            }
            (Act::Answer(_), Some(What::Ask(question))) => {
                let claims = question.answer.claims().into_iter();
                claims
                    .map(|claim| Job::Ask(claim.condition.clone(), self.before(claim.line)))
                    .collect()
            }
            (Act::Type(_, number), Some(What::Run(lines))) => {
                lines.get(*number).map(|line| Job::Type(line.command.clone())).into_iter().collect()
            }
            (Act::Claim(_, line, claim), Some(What::Run(lines))) => {
                let claim = lines.get(*line).and_then(|line| line.claims.get(*claim));
                claim.and_then(|claim| claim.what.condition()).map(ask).into_iter().collect()
            }
            (Act::Check(_, number), Some(What::Check(claims))) => {
                claims.get(*number).map(|claim| ask(&claim.condition)).into_iter().collect()
            }
            (Act::Try(_), Some(What::Try(task))) => {
                let asked = task.conditions().map(|(_, condition)| {
                    let earlier = compares_before(&condition.test);
                    if earlier { Job::Ask(looked_at(condition), None) } else { ask(condition) }
                });
                asked.collect()
            }
            (Act::Solved(_), Some(What::Try(task))) => {
                let asked = task.conditions();
                asked
                    .map(|(line, condition)| Job::Ask(condition.clone(), self.before(line)))
                    .collect()
            }
            (Act::Solve(_, number), Some(What::Try(task))) => {
                let line = task.solution.get(*number);
                line.map(|(_, line)| Job::Type(line.clone())).into_iter().collect()
            }
            (Act::Show(_), Some(What::Show(show))) => {
                let objects = objects(show).map(|(_, object)| object);
                objects.filter_map(|object| in_a_file(object, console)).collect()
            }
            _ => VecDeque::new(),
        }
    }
}

/// Whether a claim compares with the value when the question was put.
pub(super) fn compares_before(test: &Test) -> bool {
    matches!(test.claim, Some((_, Operand::Before(_))))
}

/// The same without its claim: only the value is wanted.
fn looked_at(condition: &Condition) -> Condition {
    let path: Path = condition.test.path.clone();
    Condition { command: condition.command.clone(), test: Test { path, claim: None } }
}

/// The objects that a `show:` names, with their lines.
pub(super) fn objects(show: &Show) -> impl Iterator<Item = (Option<Line>, &str)> {
    let spots = show.views.iter();
    let spots =
        spots.filter_map(|(line, view)| Some((Some(*line), view.strip_prefix("spotlight ")?)));
    std::iter::once((None, show.object.as_str())).chain(spots)
}

/// The question whether an object of a file is there; none for other objects.
fn in_a_file(object: &str, console: &Console) -> Option<Job> {
    if is_of_the_tree(object, console).is_some() {
        return None;
    }
    let (file, node) = object.split_once('/').unwrap_or((object, ""));
    let node = if node.is_empty() { String::new() } else { format!(" --node {node}") };
    let condition = Condition::parse(&format!("layout {file}{node} -> it")).ok()?;
    Some(Job::Ask(condition, None))
}

/// Whether an object that is no file is there; `None`: it is a file.
pub(super) fn is_of_the_tree(object: &str, console: &Console) -> Option<bool> {
    let (kind, name) = object.split_once(':').unwrap_or((object, ""));
    let number: Option<u64> = name.parse().ok();
    let view = console.db().map(levelscope::Db::view).unwrap_or_default();
    Some(match kind {
        "level" => number.is_some_and(|number| number < view.levels.len() as u64),
        "memtable" => view.memtables.iter().any(|memtable| Some(memtable.memtable) == number),
        "job" => view.jobs.iter().any(|job| Some(job.job) == number),
        "key" => !name.is_empty(),
        _ => return None,
    })
}
