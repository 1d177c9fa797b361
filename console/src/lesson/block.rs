//! Blocks: the first line, and the lines of `run:`, `check:`, `show:` and `start:`.

use super::parse::{Parser, question, task};
use super::{
    Claim, LAB_RECORDS_MAX, Line, RunClaim, RunClaimKind, RunLine, Show, Start, What, inline,
    options,
};
use crate::commands;
use crate::language::lexer::lex;
use crate::language::{Args, Condition, Effect, Test, no_preset};
use crate::output::Failure;
use crate::text;

/// The lines of a block, without the fences.
pub(super) type Body<'a> = [(Line, &'a str)];

/// Four spaces: the line belongs to the one above it.
pub(super) const INDENT: &str = "    ";
/// Commands that may not stand in a lesson: they need files from outside, or hand some out, or take long, or lead
/// through a lesson themselves.
const FORBIDDEN: &[&str] = &[
    "open", "import", "export", "bench", "lesson", "next", "answer", "hint", "leave", "share",
    "exit",
];
/// Commands about the session that may stand in a script that is shared.
const SHARED: &[&str] =
    &["crash", "fork", "branch", "branches", "break", "expect", "lab", "compare", "why", "merge"];
const KINDS: &str = "a block begins with run: ask NAME: check: try NAME: show: or start:";

/// Reads the block after the fence at `fence`.
pub(super) fn parse(parser: &mut Parser<'_>, fence: Line, body: &Body<'_>) -> Option<What> {
    let Some(((line, first), rest)) = body.split_first() else {
        parser.wrong(fence, KINDS);
        return None;
    };
    let first = first.trim();
    if let Some(object) = first.strip_prefix("show:") {
        return show(parser, *line, object.trim(), rest).map(What::Show);
    }
    let Some(kind) = first.strip_suffix(':') else {
        parser.wrong(*line, KINDS);
        return None;
    };
    match kind.split_once(' ').unwrap_or((kind, "")) {
        ("run", "") => run(parser, *line, rest).map(What::Run),
        ("check", "") => {
            if rest.iter().all(|(_, text)| text.trim().is_empty()) {
                parser.wrong(*line, "check: has no condition");
            }
            Some(What::Check(claims(parser, rest, "")))
        }
        ("start", "") => Some(What::Start(start(parser, rest))),
        ("ask", name) => question(parser, *line, name, rest).map(What::Ask),
        ("try", name) => task(parser, *line, name, rest).map(What::Try),
        _ => {
            parser.wrong(*line, KINDS);
            None
        }
    }
}

fn run(parser: &mut Parser<'_>, line: Line, body: &Body<'_>) -> Option<Vec<RunLine>> {
    let mut lines: Vec<RunLine> = Vec::new();
    for (at, text) in body.iter().filter(|(_, text)| !text.trim().is_empty()) {
        match (text.strip_prefix(INDENT), lines.last_mut()) {
            (Some(claim), Some(command)) => match run_claim(claim.trim()) {
                Ok(what) => command.claims.push(RunClaim { line: *at, what }),
                Err(failure) => parser.wrong(*at, in_one(&failure)),
            },
            (Some(_), None) => parser.wrong(*at, "the first line of run: is a command"),
            (None, _) => {
                let text = text.trim();
                parser.command(*at, text);
                lines.push(RunLine { line: *at, command: text.to_owned(), claims: Vec::new() });
            }
        }
    }
    if lines.is_empty() {
        parser.wrong(line, "run: has no command");
        return None;
    }
    Some(lines)
}

/// A claim about the command above it, or about the database.
pub(super) fn run_claim(text: &str) -> Result<RunClaimKind, Failure> {
    if let Some(test) = text.strip_prefix("->") {
        return Test::parse(test.trim()).map(RunClaimKind::Result);
    }
    if let Some(kind) = text.strip_prefix("fails ") {
        let letters = kind.trim().chars().all(|c| c.is_ascii_alphabetic());
        return if letters && !kind.trim().is_empty() {
            Ok(RunClaimKind::Fails(kind.trim().to_owned()))
        } else {
            Err(Failure::usage("fails takes one word, such as conflict or usage"))
        };
    }
    condition(text).map(RunClaimKind::Database)
}

/// A condition that may be asked.
pub(super) fn condition(text: &str) -> Result<Condition, Failure> {
    let condition = Condition::parse(text)?;
    commands::may_ask(&condition.statement()?)?;
    Ok(condition)
}

/// Lines of conditions, each with `indent` before it.
pub(super) fn claims(parser: &mut Parser<'_>, body: &Body<'_>, indent: &str) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (line, text) in body.iter().filter(|(_, text)| !text.trim().is_empty()) {
        match condition(text.strip_prefix(indent).unwrap_or(text).trim()) {
            Ok(condition) => claims.push(Claim { line: *line, condition }),
            Err(failure) => parser.wrong(*line, in_one(&failure)),
        }
    }
    claims
}

fn show(parser: &mut Parser<'_>, line: Line, object: &str, body: &Body<'_>) -> Option<Show> {
    let kind = object.split([':', '/']).next().unwrap_or("");
    if !inline::OBJECTS.contains(&kind) || object.chars().any(char::is_whitespace) {
        let message =
            "show: takes an object, such as table:8/block:1, wal:3, memtable:2 or level:1";
        parser.wrong(line, message);
        return None;
    }
    let mut views = Vec::new();
    for (at, text) in body.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            ["bytes"] | ["grain" | "tab" | "spotlight", _] => views.push((*at, words.join(" "))),
            _ => parser
                .wrong(*at, "below show: stand grain WORD, tab WORD, bytes or spotlight OBJECT"),
        }
    }
    Some(Show { object: object.to_owned(), views })
}

fn start(parser: &mut Parser<'_>, body: &Body<'_>) -> Start {
    let mut start = Start { preset: None, settings: Vec::new() };
    for (line, text) in body.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let Some((name, value)) = text.trim().split_once(' ') else {
            parser.wrong(*line, "below start: stand preset NAME, or an option and its value");
            continue;
        };
        let value = value.trim();
        if name == "preset" {
            if options(value).is_none() {
                parser.wrong(*line, no_preset(value));
            }
            start.preset = Some(value.to_owned());
            continue;
        }
        let mut tried = levelscope::Options::default();
        match tried.set(name, value) {
            Ok(()) => start.settings.push((name.to_owned(), value.to_owned())),
            Err(error) => parser.wrong(*line, text::printable(&error.to_string())),
        }
    }
    let mut whole = start.preset.as_deref().and_then(options).unwrap_or_default();
    for (name, value) in &start.settings {
        let _ = whole.set(name, value);
    }
    if let (Err(error), Some((line, _))) = (whole.validate(), body.first()) {
        parser.wrong(*line, text::printable(&error.to_string()));
    }
    if matches!(whole.maintenance, levelscope::Maintenance::Threads(_))
        && let Some((line, _)) = body.first()
    {
        parser
            .wrong(*line, "a lesson has no background threads: its answers would differ each time");
    }
    start
}

impl Parser<'_> {
    /// Checks one line of commands without running it.
    pub(super) fn command(&mut self, line: Line, text: &str) {
        let statements = match lex(text) {
            Ok(statements) => statements,
            Err(error) => return self.wrong(line, in_one(&error.into())),
        };
        for statement in &statements {
            let begun = commands::of(statement).and_then(|(command, args)| {
                forbidden(command.verb.name, &args)?;
                (command.start)(&args, statement).map(drop)
            });
            if let Err(failure) = begun {
                self.wrong(line, in_one(&failure));
            }
        }
    }

    /// Checks one line of a script, which a stranger may have written.
    pub(super) fn shared_command(&mut self, line: Line, text: &str) {
        self.command(line, text);
        for statement in lex(text).unwrap_or_default() {
            let Ok((command, args)) = commands::of(&statement) else { continue };
            let name = command.verb.name;
            let is_about_data = match (command.verb.effect)(&args) {
                Effect::Change | Effect::Recorded | Effect::Read | Effect::Look => true,
                Effect::Session => SHARED.contains(&name),
                Effect::Host => false,
            };
            if !is_about_data && !FORBIDDEN.contains(&name) {
                self.wrong(line, format!("{name} may not stand in a shared script"));
            }
        }
    }
}

fn forbidden(name: &str, args: &Args) -> Result<(), Failure> {
    if FORBIDDEN.contains(&name) {
        return Err(Failure::usage(format!(
            "{name} may not stand in a lesson or in a shared script"
        )));
    }
    if name == "lab" {
        let records =
            args.value("--records").and_then(|word| std::str::from_utf8(&word.bytes).ok());
        let records = records.and_then(crate::language::parse_number);
        if records.is_some_and(|records| records > LAB_RECORDS_MAX) {
            let most = text::count(LAB_RECORDS_MAX);
            return Err(Failure::usage(format!("lab has at most {most} records in a lesson")));
        }
    }
    Ok(())
}

/// A failure in one line: the message, and what to do about it.
pub(super) fn in_one(failure: &Failure) -> String {
    let Some(hint) = &failure.hint else { return failure.message.clone() };
    let hint = match hint.split_once('?') {
        Some((meant, _)) if meant.starts_with("did you mean") => format!("{meant}?"),
        _ => hint.clone(),
    };
    format!("{}; {hint}", failure.message)
}
