//! The head of a lesson: names and values between two lines of `---`.

use super::parse::Parser;
use super::{Complaint, Lesson, Line};
use crate::language::{closest, no_preset};
use crate::result::LessonHead;
use crate::text;

/// The names, in the order in which they are printed; the last two may be left out.
const NAMES: &[&str] =
    &["lesson", "id", "title", "minutes", "level", "preset", "goal", "needs", "source"];
const REQUIRED: usize = 7;
/// The version of the format.
pub(super) const FORMAT: &str = "1";
const MINUTES_MAX: u64 = 240;
const LEVEL_MAX: u64 = 3;

/// The head of the lesson in `text`, without a look at the rest.
pub(super) fn of(text: &str) -> Option<LessonHead> {
    let (mut parser, mut lesson) = (Parser::new(text), Lesson::default());
    parse(&mut parser, &mut lesson);
    parser.complaints.is_empty().then_some(lesson.head)
}

/// Reads the head of `lesson`, which begins at the first line.
pub(super) fn parse(parser: &mut Parser<'_>, lesson: &mut Lesson) {
    let first = parser.next();
    if first.is_none_or(|(_, line)| line.trim_end() != "---") {
        parser.wrong(Line(1), "a lesson begins with --- and a head");
        parser.back();
        return;
    }
    let mut seen: Vec<&str> = Vec::new();
    let mut end = Line(1);
    loop {
        let Some((line, text)) = parser.next() else {
            parser.wrong(end, "the head does not end: --- is missing");
            return;
        };
        end = line;
        if text.trim_end() == "---" {
            break;
        }
        let Some((name, value)) = text.split_once(':') else {
            parser.wrong(line, "a line of the head is a name, a colon and a value");
            // Where the head is not closed, the rest is no head.
            if text.trim().is_empty() || text.starts_with("```") {
                return;
            }
            continue;
        };
        let (name, value) = (name.trim(), value.trim());
        let Some(known) = NAMES.iter().find(|known| **known == name) else {
            let shown = text::printable(&name.chars().take(32).collect::<String>());
            let meant = closest(name, NAMES.iter().copied());
            let meant = meant.map_or_else(
                || format!("; there are: {}", NAMES.join(", ")),
                |meant| format!("; did you mean {meant}?"),
            );
            parser.wrong(line, format!("the head has no name \"{shown}\"{meant}"));
            continue;
        };
        if seen.contains(known) {
            parser.wrong(line, format!("the head has {known} twice"));
        }
        seen.push(known);
        if let Err(why) = set(lesson, known, value) {
            parser.complaints.push(Complaint::new(line, why));
        }
    }
    for name in NAMES.iter().take(REQUIRED).filter(|name| !seen.contains(name)) {
        parser.wrong(end, format!("the head needs {name}"));
    }
}

fn set(lesson: &mut Lesson, name: &str, value: &str) -> Result<(), String> {
    if value.is_empty() {
        return Err(format!("{name} has no value"));
    }
    let number = |most: u64| {
        let number = value.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| format!("{name} is a number from 1 to {most}"))
    };
    let text = || value.to_owned();
    let head = &mut lesson.head;
    match name {
        "lesson" if value == FORMAT => {}
        "lesson" => return Err(format!("lesson is the number of the format, which is {FORMAT}")),
        "id" => head.id = word(name, value)?,
        "title" => head.title = text(),
        "minutes" => head.minutes = number(MINUTES_MAX)?,
        "level" => head.level = number(LEVEL_MAX)?,
        "needs" => {
            let needs = value.split(',').map(|need| word(name, need.trim()));
            head.needs = needs.collect::<Result<_, _>>()?;
        }
        "preset" => {
            super::options(value).ok_or_else(|| no_preset(value))?;
            lesson.preset = text();
        }
        "goal" => head.goal = text(),
        _ => head.source = Some(text()),
    }
    Ok(())
}

/// A name of lower-case letters, digits and dashes.
pub(super) fn word(what: &str, value: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let begins = value.starts_with(|c: char| c.is_ascii_lowercase());
    if begins && value.len() <= 32 && value.chars().all(fits) {
        return Ok(value.to_owned());
    }
    let shown = text::short_word(value.as_bytes(), 32);
    Err(format!("{what} takes lower-case letters, digits and dashes, at most 32, not {shown}"))
}

/// The head of `lesson` as it is written.
pub(super) fn print(lesson: &Lesson) -> String {
    let head = &lesson.head;
    let mut lines = vec!["---".to_owned()];
    for name in NAMES {
        let value = match *name {
            "lesson" => FORMAT.to_owned(),
            "id" => head.id.clone(),
            "title" => head.title.clone(),
            "minutes" => head.minutes.to_string(),
            "level" => head.level.to_string(),
            "preset" => lesson.preset.clone(),
            "goal" => head.goal.clone(),
            "needs" if head.needs.is_empty() => continue,
            "needs" => head.needs.join(", "),
            _ => match &head.source {
                Some(source) => source.clone(),
                None => continue,
            },
        };
        lines.push(format!("{name}: {value}"));
    }
    lines.push("---\n".to_owned());
    lines.join("\n")
}
