//! A path into a structured result: `levels[0].tables`, `sum(levels[*].tables[*].entries)`.

use crate::output::Failure;
use crate::text;
use std::fmt::{self, Display, Formatter};

/// A way from a result to one of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// How all values at its end become one.
    pub fold: Option<Fold>,
    /// The steps from the result; empty: the result itself.
    pub steps: Vec<PathStep>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// To a field of a record.
    Name(String),
    /// To an item of a list, counted from 0.
    At(usize),
    /// To all items of a list.
    All,
}

/// How many values become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// Their sum.
    Sum,
    /// Their number; a list counts as many as it has items.
    Count,
    /// The smallest; `none` without any.
    Min,
    /// The largest; `none` without any.
    Max,
}

const FOLDS: &[(&str, Fold)] =
    &[("sum", Fold::Sum), ("count", Fold::Count), ("min", Fold::Min), ("max", Fold::Max)];

/// The whole result.
const IT: &str = "it";
const EXAMPLES: &str =
    "for example: value, levels[0].tables[0].entries, sum(levels[*].tables[*].entries)";

impl Path {
    /// Reads a path without spaces.
    ///
    /// # Errors
    /// It is none; the sentence names what is expected.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        if text.is_empty() {
            return Err(Failure::usage("after -> comes a path into the result").hint(EXAMPLES));
        }
        for (name, fold) in FOLDS {
            let inside = text.strip_prefix(name).and_then(|rest| rest.strip_prefix('('));
            if let Some(inside) = inside {
                let inside = inside.strip_suffix(')').ok_or_else(|| {
                    Failure::usage(format!("{name}( needs its closing bracket )")).hint(EXAMPLES)
                })?;
                return Ok(Self { fold: Some(*fold), steps: steps(inside)? });
            }
        }
        Ok(Self { fold: None, steps: steps(text)? })
    }
}

fn steps(text: &str) -> Result<Vec<PathStep>, Failure> {
    let whole = text.strip_prefix(IT);
    let mut rest =
        whole.filter(|rest| rest.is_empty() || rest.starts_with(['.', '['])).unwrap_or(text);
    let mut may_name = rest.len() == text.len();
    let mut found = Vec::new();
    if rest.is_empty() && may_name {
        return Err(Failure::usage("a path needs a name or it").hint(EXAMPLES));
    }
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let (inside, after) = after
                .split_once(']')
                .ok_or_else(|| Failure::usage("[ needs its closing bracket ]").hint(EXAMPLES))?;
            found.push(index(inside)?);
            (rest, may_name) = (after, false);
            continue;
        }
        let named = match rest.strip_prefix('.') {
            Some(after) if !may_name => after,
            _ if may_name => rest,
            _ => return Err(unexpected(rest)),
        };
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = named.find(|c| !is_part(c)).unwrap_or(named.len());
        let (name, after) = named.split_at_checked(end).unwrap_or((named, ""));
        if name.is_empty() {
            return Err(unexpected(named));
        }
        found.push(PathStep::Name(name.to_owned()));
        (rest, may_name) = (after, false);
    }
    Ok(found)
}

fn index(inside: &str) -> Result<PathStep, Failure> {
    if inside == "*" {
        return Ok(PathStep::All);
    }
    let digits = inside.bytes().all(|byte| byte.is_ascii_digit());
    let number = inside.parse().ok().filter(|_| digits);
    number.map(PathStep::At).ok_or_else(|| {
        let shown = text::printable(inside);
        Failure::usage(format!("between [ and ] stands a number or *, not {shown}")).hint(EXAMPLES)
    })
}

fn unexpected(rest: &str) -> Failure {
    let Some(found) = rest.chars().next() else {
        return Failure::usage("a path does not end with a point").hint(EXAMPLES);
    };
    let shown = text::printable(found.encode_utf8(&mut [0; 4]));
    let failure =
        Failure::usage(format!("a path goes on with .NAME, [NUMBER] or [*], not {shown}"));
    if matches!(found, '=' | '!' | '<' | '>') {
        return failure.hint("spaces stand around a comparison: value == 3");
    }
    failure.hint(EXAMPLES)
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let fold = FOLDS.iter().find(|(_, fold)| Some(*fold) == self.fold);
        if let Some((name, _)) = fold {
            write!(f, "{name}(")?;
        }
        if self.steps.is_empty() {
            f.write_str(IT)?;
        }
        for (at, step) in self.steps.iter().enumerate() {
            match step {
                PathStep::Name(name) if at == 0 => f.write_str(name)?,
                PathStep::Name(name) => write!(f, ".{name}")?,
                PathStep::At(number) => write!(f, "[{number}]")?,
                PathStep::All => f.write_str("[*]")?,
            }
        }
        f.write_str(if fold.is_some() { ")" } else { "" })
    }
}
