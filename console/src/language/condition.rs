//! Conditions: `lsm -> sum(levels[*].tables[*].entries) == 2`, of a command, a path into its result, and a claim.
//!
//! ```text
//! condition = command " -> " test                 test = path [ op operand ]
//! path      = "it" | steps | ( "sum" | "count" | "min" | "max" ) "(" steps ")"
//! steps     = one or more of: NAME, ".", "[" NUMBER "]", "[*]"
//! op        = "==" | "!=" | "<" | "<=" | ">" | ">=" | "has"
//! operand   = NUMBER | "\"" TEXT "\"" | "true" | "false" | "none" | ( "before" | path ) [ ( "+" | "-" | "*" ) NUMBER ]
//! ```

mod path;

pub use path::{Fold, Path, PathStep};

use super::lexer::{Statement, Word, lex};
use super::parse_number;
use crate::output::Failure;
use crate::text;
use std::fmt::{self, Display, Formatter};

/// A claim about the database.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The command whose result is looked at, as it can be typed.
    pub command: String,
    /// The claim about its result.
    pub test: Test,
}

/// A claim about a result.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// The part of the result.
    pub path: Path,
    /// The comparison; `None` claims that the value exists and is neither `none` nor `false`.
    pub claim: Option<(Op, Operand)>,
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Equal.
    Is,
    /// Different.
    IsNot,
    /// Smaller.
    Less,
    /// Smaller or equal.
    AtMost,
    /// Larger.
    More,
    /// Larger or equal.
    AtLeast,
    /// A text contains a text, a list an item, a record a name.
    Has,
}

/// Right side of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A number.
    Number(Number),
    /// Bytes in quotes.
    Text(Vec<u8>),
    /// `true` or `false`.
    Truth(bool),
    /// No value.
    None,
    /// The value when the question was put, plus, minus or times a number.
    Before(Option<(Arithmetic, Number)>),
    /// Another part of the same result, plus, minus or times a number.
    Part(Path, Option<(Arithmetic, Number)>),
}

/// Arithmetic before the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
}

/// A decimal number of a condition: `digits` divided by 10, `decimals` times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// All digits, with the sign.
    pub digits: i128,
    /// How many of them follow the point.
    pub decimals: u32,
}

/// Most digits after the point: a number with them and sixteen more is exact.
const DECIMALS_MAX: usize = 9;

const OPS: &[(&str, Op)] = &[
    ("==", Op::Is),
    ("!=", Op::IsNot),
    ("<", Op::Less),
    ("<=", Op::AtMost),
    (">", Op::More),
    (">=", Op::AtLeast),
    ("has", Op::Has),
];

const ARITHMETIC: &[(&str, Arithmetic)] =
    &[("+", Arithmetic::Plus), ("-", Arithmetic::Minus), ("*", Arithmetic::Times)];

/// Between a command and the path into its result.
const ARROW: &str = "->";
const EXAMPLE: &str = "for example: get apple -> value == \"red\"";

impl Condition {
    /// Reads one condition.
    ///
    /// # Errors
    /// It is none; the sentence names what is expected.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let words = words(text, "a condition is one command, -> and a path")?;
        Self::of(&words)
    }

    /// Reads the words of one condition.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub(crate) fn of(words: &[Word]) -> Result<Self, Failure> {
        let arrow = words.iter().position(|word| word.as_bare() == Some(ARROW));
        let (command, test) = match arrow.and_then(|at| words.split_at_checked(at)) {
            Some((command, [_, test @ ..])) if !command.is_empty() => (command, test),
            Some(_) => {
                return Err(Failure::usage("before -> comes a command").hint(EXAMPLE));
            }
            None => {
                return Err(Failure::usage("a condition needs -> after its command").hint(EXAMPLE));
            }
        };
        let command: Vec<String> = command.iter().map(typed).collect();
        Ok(Self { command: command.join(" "), test: Test::of(test)? })
    }

    /// Its command, to be run.
    ///
    /// # Errors
    /// It is not one command.
    pub(crate) fn statement(&self) -> Result<Statement, Failure> {
        one_statement(&self.command, "before -> comes one command")
    }
}

impl Test {
    /// Reads what follows `->`.
    ///
    /// # Errors
    /// As [`Condition::parse`].
    pub fn parse(text: &str) -> Result<Self, Failure> {
        Self::of(&words(text, "after -> comes a path")?)
    }

    fn of(words: &[Word]) -> Result<Self, Failure> {
        let op_of = |word: &Word| {
            let bare = word.as_bare()?;
            OPS.iter().find(|(sign, _)| *sign == bare).map(|(_, op)| *op)
        };
        let split = words.iter().position(|word| op_of(word).is_some()).unwrap_or(words.len());
        let (path, claim) = words.split_at(split);
        let path: Vec<String> = path.iter().map(typed).collect();
        let path = Path::parse(&path.concat())?;
        let claim = match claim.split_first() {
            None => None,
            Some((op, operand)) => {
                let op = op_of(op).ok_or_else(|| Failure::usage("a comparison is missing"))?;
                Some((op, Operand::of(operand)?))
            }
        };
        Ok(Self { path, claim })
    }
}

impl Operand {
    fn of(words: &[Word]) -> Result<Self, Failure> {
        let (first, rest) = words.split_first().ok_or_else(|| expected("nothing"))?;
        let operand = match first.as_bare() {
            None => Self::Text(first.bytes.clone()),
            Some("true") => Self::Truth(true),
            Some("false") => Self::Truth(false),
            Some("none") => Self::None,
            Some("before") => return Ok(Self::Before(arithmetic(rest)?)),
            Some(bare) => match Number::parse(bare) {
                Some(number) => Self::Number(number),
                None => return Self::part(words),
            },
        };
        match rest.first() {
            None => Ok(operand),
            Some(extra) => Err(too_much(extra)),
        }
    }

    /// Reads a path, and what is done to its value.
    fn part(words: &[Word]) -> Result<Self, Failure> {
        let is_sign = |word: &Word| ARITHMETIC.iter().any(|(sign, _)| word.as_bare() == Some(sign));
        let split = words.iter().position(is_sign).unwrap_or(words.len());
        let (path, change) = words.split_at(split);
        let text = path.iter().map(typed).collect::<String>();
        let path = Path::parse(&text).ok();
        // A single name is more likely a text without its quotes.
        let path = path.filter(|path| path.fold.is_some() || path.steps.len() > 1);
        let path = path.ok_or_else(|| expected(&text::printable(&text)))?;
        Ok(Self::Part(path, arithmetic(change)?))
    }
}

fn arithmetic(words: &[Word]) -> Result<Option<(Arithmetic, Number)>, Failure> {
    let Some((sign, rest)) = words.split_first() else { return Ok(None) };
    let known = ARITHMETIC.iter().find(|(text, _)| sign.as_bare() == Some(text));
    let wrong = || {
        let failure =
            Failure::usage("after before or a path comes nothing, or +, - or * and a number");
        failure.hint("for example: stats -> tableBytes < before * 2")
    };
    let (_, arithmetic) = known.ok_or_else(wrong)?;
    let number = rest.first().and_then(|word| Number::parse(word.as_bare()?)).ok_or_else(wrong)?;
    match rest.get(1) {
        None => Ok(Some((*arithmetic, number))),
        Some(extra) => Err(too_much(extra)),
    }
}

fn expected(found: &str) -> Failure {
    let failure = Failure::usage(format!(
        "after a comparison comes a number, a text in quotes, true, false, none, before or a path, not {found}"
    ));
    failure.hint(EXAMPLE)
}

fn too_much(word: &Word) -> Failure {
    let shown = text::short_word(&word.bytes, 32);
    Failure::usage(format!("the condition is complete before {shown}")).hint(EXAMPLE)
}

impl Number {
    /// Reads `-3`, `4_096`, `64k` or `9.86`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text),
        };
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if let Some((whole, fraction)) = digits.split_once('.') {
            let both = is_number(whole) && is_number(fraction) && fraction.len() <= DECIMALS_MAX;
            let all: u64 = format!("{whole}{fraction}").parse().ok().filter(|_| both)?;
            let decimals = u32::try_from(fraction.len()).ok()?;
            return Some(Self { digits: sign * i128::from(all), decimals });
        }
        let begins = digits.starts_with(|c: char| c.is_ascii_digit());
        let whole = parse_number(digits).filter(|_| begins)?;
        Some(Self { digits: sign * i128::from(whole), decimals: 0 })
    }
}

/// The words of the only statement of `text`.
fn words(text: &str, what: &str) -> Result<Vec<Word>, Failure> {
    Ok(one_statement(text, what)?.words().cloned().collect())
}

fn one_statement(text: &str, what: &str) -> Result<Statement, Failure> {
    let mut statements = lex(text).map_err(|error| error.of("it is"))?.into_iter();
    match (statements.next(), statements.next()) {
        (Some(one), None) if one.block.is_none() => Ok(one),
        _ => Err(Failure::usage(what).hint(EXAMPLE)),
    }
}

/// A word as it can be typed again: bare only where it was bare.
fn typed(word: &Word) -> String {
    match word.as_bare() {
        Some(bare) => bare.to_owned(),
        None => quoted(&word.bytes),
    }
}

fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", text::escape(bytes).replace('"', "\\\""))
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {ARROW} {}", self.command, self.test)
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path)?;
        match &self.claim {
            Some((op, operand)) => write!(f, " {op} {operand}"),
            None => Ok(()),
        }
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = OPS.iter().find(|(_, op)| op == self).map_or("", |(sign, _)| sign);
        f.write_str(sign)
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(bytes) => f.write_str(&quoted(bytes)),
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::None => f.write_str("none"),
            Self::Before(change) => {
                f.write_str("before")?;
                changed_by(f, *change)
            }
            Self::Part(path, change) => {
                write!(f, "{path}")?;
                changed_by(f, *change)
            }
        }
    }
}

fn changed_by(f: &mut Formatter<'_>, change: Option<(Arithmetic, Number)>) -> fmt::Result {
    let Some((arithmetic, number)) = change else { return Ok(()) };
    let sign = ARITHMETIC.iter().find(|(_, known)| *known == arithmetic);
    write!(f, " {} {number}", sign.map_or("", |(sign, _)| sign))
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let power = 10_u128.saturating_pow(self.decimals);
        let (whole, rest) =
            (self.digits.unsigned_abs() / power, self.digits.unsigned_abs() % power);
        write!(f, "{sign}{whole}")?;
        match usize::try_from(self.decimals) {
            Ok(width @ 1..) => write!(f, ".{rest:0width$}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
