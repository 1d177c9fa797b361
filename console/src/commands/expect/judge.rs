//! Whether a claim about a result holds, and what the result is.

use crate::language::{
    Arithmetic, Fold, Number as Decimal, Op, Operand, Path, PathStep, Test, closest,
};
use crate::text;
use serde_json::Value;
use std::cmp::Ordering;

/// The verdict on a claim.
pub(crate) struct Verdict {
    pub(crate) holds: bool,
    /// Whether it can be tested: the path leads somewhere, and the values can be compared.
    pub(crate) testable: bool,
    /// The value at the end of the path; `null` where the path leads nowhere.
    pub(crate) value: Value,
    /// The verdict, after the subject: `is 1, not == 2`.
    pub(crate) sentence: String,
}

/// A number of a result.
#[derive(Debug, Clone, Copy)]
enum Number {
    Whole(i128),
    Fraction(f64),
}

/// Compares the part of `result` that `test` names; `before`: the same part when the question was put.
pub(crate) fn judge(test: &Test, result: &Value, before: Option<&Value>) -> Verdict {
    let value = match value_at(&test.path, result) {
        Ok(value) => value,
        Err(sentence) => {
            return Verdict { holds: false, testable: false, value: Value::Null, sentence };
        }
    };
    let shown = shown(&value);
    let Some((op, operand)) = &test.claim else {
        let holds = !matches!(value, Value::Null | Value::Bool(false));
        return Verdict { holds, testable: true, value, sentence: format!("is {shown}") };
    };
    let (compared, sentence) = match compared(&value, *op, operand, &Sources { result, before }) {
        Ok((true, _)) => (Some(true), format!("is {shown}")),
        Ok((false, right)) => (Some(false), format!("is {shown}, not {op} {right}")),
        Err(why) => (None, format!("is {shown}, and {why}")),
    };
    let (holds, testable) = (compared == Some(true), compared.is_some());
    Verdict { holds, testable, value, sentence }
}

/// The part of `result` that `path` leads to.
///
/// # Errors
/// It leads nowhere; the reason ends a sentence.
pub(crate) fn value_at(path: &Path, result: &Value) -> Result<Value, String> {
    let mut found = vec![result];
    let mut many = false;
    for (at, step) in path.steps.iter().enumerate() {
        let before = Path { fold: None, steps: path.steps.iter().take(at).cloned().collect() };
        let mut next = Vec::new();
        let mut absent = None;
        for value in found {
            match step {
                PathStep::Name(name) => match field(value, name, &before) {
                    Ok(field) => next.push(field),
                    // Of several items, those without the field are left out.
                    Err(why) if many => absent = Some(why),
                    Err(why) => return Err(why),
                },
                PathStep::At(number) => {
                    let item = list(value, &before)?.get(*number);
                    next.push(item.unwrap_or(&Value::Null));
                }
                PathStep::All => next.extend(list(value, &before)?),
            }
        }
        if let Some(why) = absent.filter(|_| next.is_empty()) {
            return Err(why);
        }
        found = next;
        many |= *step == PathStep::All;
    }
    match path.fold {
        Some(fold) => folded(fold, &found),
        None if many => Ok(found.into_iter().cloned().collect()),
        None => Ok(found.first().copied().cloned().unwrap_or_default()),
    }
}

fn field<'a>(value: &'a Value, name: &str, before: &Path) -> Result<&'a Value, String> {
    match value {
        Value::Object(fields) => fields.get(name).ok_or_else(|| {
            let meant = closest(name, fields.keys().map(String::as_str));
            let names = fields.keys().map(|name| text::printable(name)).collect::<Vec<_>>();
            match meant {
                Some(meant) => format!("has no {name} in {before}; did you mean {meant}?"),
                None => format!("has no {name} in {before}; there are: {}", names.join(", ")),
            }
        }),
        Value::Array(_) => {
            Err(format!("has a list in {before}: [NUMBER] or [*] comes before {name}"))
        }
        other => Err(format!("has no {name}, because {before} is {}", shown(other))),
    }
}

fn list<'a>(value: &'a Value, before: &Path) -> Result<&'a [Value], String> {
    match value {
        Value::Array(items) => Ok(items),
        Value::Object(_) => Err(format!("has a record in {before}, not a list: .NAME comes next")),
        other => Err(format!("has no items, because {before} is {}", shown(other))),
    }
}

fn folded(fold: Fold, found: &[&Value]) -> Result<Value, String> {
    if fold == Fold::Count {
        let items = |value: &&Value| match value {
            Value::Array(items) => items.len(),
            Value::Null => 0,
            _ => 1,
        };
        return Ok(found.iter().map(items).sum::<usize>().into());
    }
    let mut numbers = Vec::new();
    for value in found {
        let items = match value {
            Value::Array(items) => items.as_slice(),
            other => std::slice::from_ref(*other),
        };
        for item in items.iter().filter(|item| !item.is_null()) {
            let number = number(item);
            numbers.push(number.ok_or_else(|| format!("has {}, which is no number", shown(item)))?);
        }
    }
    let value = match fold {
        Fold::Sum => numbers.into_iter().reduce(add).or(Some(Number::Whole(0))),
        Fold::Min => numbers.into_iter().min_by(order),
        Fold::Max | Fold::Count => numbers.into_iter().max_by(order),
    };
    Ok(value.map_or(Value::Null, value_of))
}

/// Sources for the right side of a comparison.
struct Sources<'a> {
    result: &'a Value,
    /// The same part when the question was put.
    before: Option<&'a Value>,
}

/// Whether the comparison holds, and what its right side is, in words.
fn compared(
    left: &Value,
    op: Op,
    operand: &Operand,
    sources: &Sources<'_>,
) -> Result<(bool, String), String> {
    let right = match operand {
        Operand::Number(decimal) => value_of(of_decimal(*decimal)),
        Operand::Text(bytes) => Value::String(text::escape(bytes)),
        Operand::Truth(truth) => Value::Bool(*truth),
        Operand::None => Value::Null,
        Operand::Before(change) => changed(sources.before, *change)?,
        Operand::Part(path, change) => {
            let value =
                value_at(path, sources.result).map_err(|why| format!("the result {why}"))?;
            changed(Some(&value), *change)?
        }
    };
    let words = match operand {
        Operand::Before(_) | Operand::Part(..) => format!("{operand}, which is {}", shown(&right)),
        _ => operand.to_string(),
    };
    let holds = match op {
        Op::Is => is(left, &right)?,
        Op::IsNot => !is(left, &right)?,
        Op::Has => has(left, &right)?,
        Op::Less | Op::AtMost | Op::More | Op::AtLeast => {
            let (Some(left), Some(right)) = (number(left), number(&right)) else {
                return Err(format!("only numbers can be {op} each other"));
            };
            match order(&left, &right) {
                Ordering::Less => matches!(op, Op::Less | Op::AtMost),
                Ordering::Equal => matches!(op, Op::AtMost | Op::AtLeast),
                Ordering::Greater => matches!(op, Op::More | Op::AtLeast),
            }
        }
    };
    Ok((holds, words))
}

fn changed(before: Option<&Value>, change: Option<(Arithmetic, Decimal)>) -> Result<Value, String> {
    let Some(before) = before else {
        return Err(
            "there is no value from before: only a question or a task of a lesson has one".into()
        );
    };
    let Some((arithmetic, by)) = change else { return Ok(before.clone()) };
    let Some(number) = number(before) else {
        return Err(format!("{} is no number", shown(before)));
    };
    Ok(value_of(match (arithmetic, of_decimal(by)) {
        (Arithmetic::Plus, by) => add(number, by),
        (Arithmetic::Minus, Number::Whole(by)) => add(number, Number::Whole(-by)),
        (Arithmetic::Minus, Number::Fraction(by)) => add(number, Number::Fraction(-by)),
        (Arithmetic::Times, by) => match (number, by) {
            (Number::Whole(left), Number::Whole(right)) => {
                Number::Whole(left.saturating_mul(right))
            }
            (left, right) => Number::Fraction(fraction(left) * fraction(right)),
        },
    }))
}

/// Whether both are the same; a value and one of another kind cannot be compared, because the author has erred.
fn is(left: &Value, right: &Value) -> Result<bool, String> {
    match (left, right) {
        (Value::Number(_), Value::Number(_)) => {
            let pair = number(left).zip(number(right));
            Ok(pair.is_some_and(|(left, right)| order(&left, &right).is_eq()))
        }
        (Value::Null, _)
        | (_, Value::Null)
        | (Value::String(_), Value::String(_))
        | (Value::Bool(_), Value::Bool(_))
        | (Value::Array(_), Value::Array(_))
        | (Value::Object(_), Value::Object(_)) => Ok(left == right),
        (Value::Array(_), _) => {
            Err("a list is compared as a whole: sum, count, min, max or has takes its items".into())
        }
        (Value::String(_), Value::Number(_)) => Err("a text is written in quotes".into()),
        _ => Err(format!("{} is of another kind", shown(right))),
    }
}

fn has(left: &Value, right: &Value) -> Result<bool, String> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Ok(left.contains(right.as_str())),
        (Value::Array(items), _) => Ok(items.iter().any(|item| is(item, right) == Ok(true))),
        (Value::Object(fields), Value::String(name)) => Ok(fields.contains_key(name)),
        _ => Err("only a text, a list or a record has parts".into()),
    }
}

fn number(value: &Value) -> Option<Number> {
    let Value::Number(number) = value else { return None };
    let whole = number.as_u64().map(i128::from).or_else(|| number.as_i64().map(i128::from));
    whole.map(Number::Whole).or_else(|| number.as_f64().map(Number::Fraction))
}

#[allow(clippy::cast_precision_loss, reason = "a number with a fraction has few enough digits")]
fn of_decimal(decimal: Decimal) -> Number {
    match decimal.decimals {
        0 => Number::Whole(decimal.digits),
        decimals => {
            Number::Fraction(decimal.digits as f64 / 10_u64.saturating_pow(decimals) as f64)
        }
    }
}

fn value_of(number: Number) -> Value {
    match number {
        Number::Whole(whole) => match (u64::try_from(whole), i64::try_from(whole)) {
            (Ok(whole), _) => whole.into(),
            (_, Ok(whole)) => whole.into(),
            _ => fraction(number).into(),
        },
        Number::Fraction(fraction) => fraction.into(),
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "only very large numbers lose digits beside a fraction"
)]
fn fraction(number: Number) -> f64 {
    match number {
        Number::Whole(whole) => whole as f64,
        Number::Fraction(fraction) => fraction,
    }
}

fn add(left: Number, right: Number) -> Number {
    match (left, right) {
        (Number::Whole(left), Number::Whole(right)) => Number::Whole(left.saturating_add(right)),
        (left, right) => Number::Fraction(fraction(left) + fraction(right)),
    }
}

fn order(left: &Number, right: &Number) -> Ordering {
    match (left, right) {
        (Number::Whole(left), Number::Whole(right)) => left.cmp(right),
        (left, right) => fraction(*left).total_cmp(&fraction(*right)),
    }
}

/// Characters of a text in a sentence.
const SHOWN_MAX: usize = 60;

/// A value in a sentence.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => {
            let digits = number.to_string();
            digits.strip_suffix(".0").map(str::to_owned).unwrap_or(digits)
        }
        Value::String(text) if text.chars().count() > SHOWN_MAX => {
            format!("\"{}...\"", text.chars().take(SHOWN_MAX).collect::<String>())
        }
        Value::String(text) => format!("\"{text}\""),
        Value::Array(items) => format!("a list of {}", text::counted(items.len() as u64, "item")),
        Value::Object(fields) => {
            let names: Vec<String> = fields.keys().map(|name| text::printable(name)).collect();
            format!("a record of {}", names.join(", "))
        }
    }
}
