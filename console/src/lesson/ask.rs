//! Questions and tasks.

use super::block::{Body, INDENT, claims, condition, in_one, run_claim};
use super::parse::Parser;
use super::{Answer, Ask, Choice, Claim, Goal, Line, Prose, RunClaim, Try, ValueKind, head};
use crate::language::{Condition, Number};

/// Choices of a question.
const CHOICES: std::ops::RangeInclusive<usize> = 2..=6;

const KINDS: &[(&str, ValueKind)] =
    &[("number", ValueKind::Number), ("word", ValueKind::Word), ("pick", ValueKind::Pick)];

impl ValueKind {
    /// Its word in the first line of a question.
    pub(super) fn word(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }
}

/// Reads the block `ask NAME [, a KIND]:`.
pub(super) fn question(
    parser: &mut Parser<'_>,
    line: Line,
    title: &str,
    body: &Body<'_>,
) -> Option<Ask> {
    let (name, kind) = match title.split_once(',') {
        Some((name, kind)) => {
            let word = kind.trim().strip_prefix("a ").unwrap_or("");
            let known = KINDS.iter().find(|(known, _)| *known == word.trim());
            if known.is_none() {
                parser.wrong(
                    line,
                    "after the name of a question comes nothing, a number, a word or a pick",
                );
            }
            (name, Some(known?.1))
        }
        None => (title, None),
    };
    let name = named(parser, line, "a question", name)?;
    let mut rest = Rest { body, at: 0 };
    let text =
        rest.text(|text| is_choice(text) || text.starts_with("= ") || text.starts_with(INDENT));
    let text = parser.prose(line, &text);
    if text.is_empty() {
        parser.wrong(line, format!("question {name} asks nothing"));
    }
    let answer = match kind {
        None => Some(Answer::Choices(choices(parser, &mut rest, line, &name))),
        Some(kind) => value(parser, &mut rest, line, &name, kind),
    };
    let because = because(parser, &mut rest);
    Some(Ask { name, text, answer: answer?, because })
}

fn named(parser: &mut Parser<'_>, line: Line, what: &str, name: &str) -> Option<String> {
    match head::word(&format!("the name of {what}"), name.trim()) {
        Ok(name) => Some(name),
        Err(why) => {
            parser.wrong(line, why);
            None
        }
    }
}

fn is_choice(text: &str) -> bool {
    text.starts_with("( ) ") || text.starts_with("(x) ")
}

fn choices(parser: &mut Parser<'_>, rest: &mut Rest<'_>, line: Line, name: &str) -> Vec<Choice> {
    let mut choices = Vec::new();
    while let Some((line, text)) = rest.next_if(is_choice) {
        let marked = text.starts_with("(x)");
        let mut whole = text.get(4..).unwrap_or("").trim().to_owned();
        let more = rest.text(|text| {
            is_choice(text) || text.starts_with(INDENT) || text.starts_with("because ")
        });
        if !more.is_empty() {
            whole = format!("{whole} {more}");
        }
        let conditions = rest.indented();
        if conditions.is_empty() {
            let message =
                "this choice has no condition; four spaces and a condition belong below it";
            parser.wrong(line, message);
        }
        let conditions = claims(parser, conditions, INDENT);
        choices.push(Choice { line, marked, text: parser.prose(line, &whole), conditions });
    }
    if !CHOICES.contains(&choices.len()) {
        let count = match choices.len() {
            0 => "no choice".to_owned(),
            1 => "one choice".to_owned(),
            count => format!("{count} choices"),
        };
        parser.wrong(line, format!("question {name} has {count}; two to six are needed"));
    }
    let marked = choices.iter().filter(|choice| choice.marked).count();
    if marked != 1 && !choices.is_empty() {
        let count = if marked == 0 { "no choice".to_owned() } else { format!("{marked} choices") };
        parser.wrong(line, format!("question {name} has {count} marked (x); one is right"));
    }
    choices
}

fn value(
    parser: &mut Parser<'_>,
    rest: &mut Rest<'_>,
    line: Line,
    name: &str,
    kind: ValueKind,
) -> Option<Answer> {
    let expected = rest.next_if(|text| text.starts_with("= "));
    let expected =
        expected.map(|(line, text)| (line, text.get(2..).unwrap_or("").trim().to_owned()));
    if let Some((line, text)) = expected.as_ref().filter(|_| kind == ValueKind::Number)
        && Number::parse(text).is_none()
    {
        parser.wrong(*line, "after = comes a number, such as 3 or 0.87");
    }
    let indented = rest.indented();
    let Some((at, text)) = indented.first() else {
        let message =
            format!("question {name} needs four spaces, a command, -> and a path below it");
        parser.wrong(line, message);
        return None;
    };
    if let Some((second, _)) = indented.get(1) {
        parser.wrong(*second, format!("question {name} has one command for its answer"));
    }
    let text = text.trim();
    let (of, within) = match text.rsplit_once(" within ") {
        Some((of, within)) => (of, Some(within.trim())),
        None => (text, None),
    };
    if within.is_some_and(|within| kind != ValueKind::Number || Number::parse(within).is_none()) {
        parser.wrong(*at, "after within comes a number, in a question for a number");
    }
    match condition(of) {
        Ok(Condition { test, .. }) if test.claim.is_some() => {
            parser.wrong(*at, "the answer is a command, -> and a path, without a comparison");
            None
        }
        Ok(condition) => {
            let of = Claim { line: *at, condition };
            Some(Answer::Value {
                kind,
                expected,
                of: Box::new(of),
                within: within.map(str::to_owned),
            })
        }
        Err(failure) => {
            parser.wrong(*at, in_one(&failure));
            None
        }
    }
}

fn because(parser: &mut Parser<'_>, rest: &mut Rest<'_>) -> Option<Prose> {
    let (line, first) = rest.next()?;
    let Some(first) = first.strip_prefix("because ") else {
        parser.wrong(line, "after the answer of a question comes nothing but because and a reason");
        return None;
    };
    let more = rest.text(|text| text.starts_with(INDENT));
    if let Some((line, _)) = rest.next() {
        parser.wrong(line, "a reason ends a question");
    }
    Some(parser.prose(line, format!("{} {more}", first.trim()).trim()))
}

/// Reads the block `try NAME:`.
pub(super) fn task(
    parser: &mut Parser<'_>,
    line: Line,
    title: &str,
    body: &Body<'_>,
) -> Option<Try> {
    let name = named(parser, line, "a task", title)?;
    let mut rest = Rest { body, at: 0 };
    let text = rest.text(|text| is_part(text) || text.starts_with(INDENT));
    let text = parser.prose(line, &text);
    if text.is_empty() {
        parser.wrong(line, format!("task {name} has no text"));
    }
    let mut task = Try { name, text, done: Vec::new(), hints: Vec::new(), solution: Vec::new() };
    let mut has_done = false;
    while let Some((line, text)) = rest.next() {
        match text.split_once(' ').unwrap_or((text, "")) {
            ("done", "") if has_done => parser.wrong(line, "a task has done only once"),
            ("done", "") => {
                let conditions = rest.indented();
                has_done = !conditions.is_empty();
                task.done = goals(parser, conditions);
            }
            ("hint", first) if !first.trim().is_empty() => {
                let more = rest.text(|text| is_part(text) || text.starts_with(INDENT));
                let hint = format!("{} {more}", first.trim());
                task.hints.push(parser.prose(line, hint.trim()));
            }
            ("solution", "") => {
                for (line, text) in rest.indented() {
                    parser.command(*line, text.trim());
                    task.solution.push((*line, text.trim().to_owned()));
                }
            }
            _ => parser.wrong(line, "a task has done, hint TEXT and solution, in this order"),
        }
    }
    let missing =
        [(!has_done, "done, and conditions"), (task.solution.is_empty(), "solution, and commands")];
    for (_, what) in missing.iter().filter(|(is_missing, _)| *is_missing) {
        let message = format!("task {} needs {what} below it with four spaces each", task.name);
        parser.wrong(line, message);
    }
    Some(task)
}

/// The conditions of a task, each with what is missing while it does not hold.
fn goals(parser: &mut Parser<'_>, body: &Body<'_>) -> Vec<Goal> {
    let mut goals: Vec<Goal> = Vec::new();
    // Whether the last condition can be read and lacks its words.
    let mut open = None;
    for (line, text) in body.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let text = text.trim();
        if let Some(missing) = text.strip_prefix("else ") {
            let missing = parser.prose(*line, missing.trim());
            match goals.last_mut().filter(|_| open.take().is_some()) {
                Some(goal) => goal.missing = missing,
                None => parser.wrong(*line, "else stands below a condition, once"),
            }
            continue;
        }
        unnamed(parser, open.take());
        match run_claim(text) {
            Ok(what) => {
                let claim = RunClaim { line: *line, what };
                goals.push(Goal { claim, missing: Prose::new() });
                open = Some(*line);
            }
            Err(failure) => parser.wrong(*line, in_one(&failure)),
        }
    }
    unnamed(parser, open);
    goals
}

/// Refuses a condition of which a learner would not hear what is missing.
fn unnamed(parser: &mut Parser<'_>, condition: Option<Line>) {
    if let Some(line) = condition {
        let message = "below this condition belongs a line with else and what is missing";
        parser.wrong(line, message);
    }
}

/// Whether a line of a task is no more text.
fn is_part(text: &str) -> bool {
    matches!(text, "done" | "solution") || text.split(' ').next() == Some("hint")
}

/// The lines of a block that are not read yet.
struct Rest<'a> {
    body: &'a Body<'a>,
    at: usize,
}

impl<'a> Rest<'a> {
    /// The next line that is not empty.
    fn next(&mut self) -> Option<(Line, &'a str)> {
        self.next_if(|_| true)
    }

    fn next_if(&mut self, wanted: impl Fn(&str) -> bool) -> Option<(Line, &'a str)> {
        while self.body.get(self.at).is_some_and(|(_, text)| text.trim().is_empty()) {
            self.at += 1;
        }
        let (line, text) = self.body.get(self.at)?;
        if !wanted(text) {
            return None;
        }
        self.at += 1;
        Some((*line, text))
    }

    /// Lines of text up to one that `ends` it, in one.
    fn text(&mut self, ends: impl Fn(&str) -> bool) -> String {
        let mut lines = Vec::new();
        while let Some((_, text)) = self.next_if(|text| !ends(text)) {
            lines.push(text.trim());
        }
        lines.join(" ")
    }

    /// The lines from here on that are indented.
    fn indented(&mut self) -> &'a Body<'a> {
        let begin = self.at;
        while self.next_if(|text| text.starts_with(INDENT)).is_some() {}
        let found = self.body.get(begin..self.at).unwrap_or_default();
        // Empty lines between them are none of them.
        let blank = found.iter().take_while(|(_, text)| text.trim().is_empty()).count();
        found.get(blank..).unwrap_or_default()
    }
}
